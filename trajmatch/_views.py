"""What is left over, as a person sees it: moved calls, near misses, and calls that are simply missing or extra.

These are views: in the score each is one missing and one extra call.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from trajmatch._alignment import Pairs
from trajmatch._outcome import Outcome
from trajmatch._pairing import earliest_matching
from trajmatch._relation import relation
from trajmatch._structure_match import StructureAlignment
from trajmatch._trajectory import Trajectory

__all__ = ["Views", "only_within_batches", "views"]

_MANY = 40_000
"""From so many possible near misses of one tool on, the k-th is taken with the k-th."""


class Views(NamedTuple):
    """What is left over, by the places of the calls among those that count.

    Attributes:
        moved: Pairs of the same call, elsewhere in the order.
        near: Pairs of two calls of one tool that stand closest.
        missing: The expected calls that are in neither.
        extra: The actual calls that are in neither.
        forbidden: The actual calls that are forbidden, and in none of these.
        steps: How many places later each moved call stands, by its expected place, among those that are on both sides.
        apart: The expected places of moved calls that were not made in one batch with those that were to share it.
    """

    moved: Pairs
    near: Pairs
    missing: list[int]
    extra: list[int]
    forbidden: list[int]
    steps: dict[int, int]
    apart: frozenset[int] = frozenset()


def views(outcome: Outcome) -> Views:
    """Sort out what the alignment leaves over."""
    alignment = outcome.alignment
    if alignment.paired == len(alignment.actual) == len(alignment.expected):
        return Views([], [], [], [], [], {})
    forbidden = [*outcome.forbidden]
    extra = _rest(len(alignment.actual), [*forbidden, *(i for i, _ in alignment.pairs)])
    missing = _rest(len(alignment.expected), [j for _, j in alignment.pairs])
    moved = _moved(outcome, extra, missing) if outcome.settings.mode.ordered or outcome.turns else []
    extra, missing = _without(moved, extra, missing)
    near = _near(outcome, extra, missing)
    extra, missing = _without(near, extra, missing)
    both = [*alignment.pairs, *moved]
    steps = _steps(both, moved) if moved else {}
    return Views(moved, near, missing, extra, forbidden, steps, _apart(outcome, both, moved))


def _apart(outcome: Outcome, both: Pairs, moved: Pairs) -> frozenset[int]:
    if not moved or not isinstance(outcome.alignment, StructureAlignment):
        return frozenset()
    parts = outcome.alignment.parts
    if all(part.batch < 0 for part in parts):
        return frozenset()
    batch = _batch_numbers(outcome.actual)
    made = defaultdict[int, set[int]](set)
    for i, j in both:
        made[parts[j].batch].add(batch[outcome.alignment.actual.positions[i]])
    return frozenset(j for _, j in moved if (number := parts[j].batch) >= 0 and len(made[number]) > 1)


def _steps(both: Pairs, moved: Pairs) -> dict[int, int]:
    actual = {i: rank for rank, i in enumerate(sorted(i for i, _ in both))}
    expected = {j: rank for rank, j in enumerate(sorted(j for _, j in both))}
    return {j: actual[i] - expected[j] for i, j in moved}


def _rest(length: int, taken: list[int]) -> list[int]:
    return sorted({*range(length)}.difference(taken))


def _without(pairs: Pairs, extra: list[int], missing: list[int]) -> tuple[list[int], list[int]]:
    actual, expected = {i for i, _ in pairs}, {j for _, j in pairs}
    return [i for i in extra if i not in actual], [j for j in missing if j not in expected]


def _moved(outcome: Outcome, extra: list[int], missing: list[int]) -> Pairs:
    alignment = outcome.alignment
    if not extra or not missing:
        return []
    rows = relation(alignment.actual.select(extra), alignment.expected.select(missing), alignment.rules)
    pairs = [(extra[i], missing[j]) for i, j in earliest_matching(rows, len(missing), [])] if any(rows) else []
    return sorted(pairs, key=lambda pair: pair[1])


def _near(outcome: Outcome, extra: list[int], missing: list[int]) -> Pairs:
    alignment = outcome.alignment
    tools = defaultdict[str, tuple[list[int], list[int]]](lambda: ([], []))
    for i in extra:
        tools[alignment.actual.names[i]][0].append(i)
    for j in missing:
        tools[alignment.expected.names[j]][1].append(j)
    return sorted((pair for both in tools.values() for pair in _closest(*both)), key=lambda pair: pair[1])


def _closest(actual: list[int], expected: list[int]) -> Pairs:
    if len(actual) * len(expected) > _MANY:
        return [*zip(actual, expected, strict=False)]
    pairs, used_i, used_j = Pairs(), set[int](), set[int]()
    for _, j, i in sorted((abs(i - j), j, i) for i in actual for j in expected):
        if i not in used_i and j not in used_j:
            pairs.append((i, j))
            used_i.add(i)
            used_j.add(j)
    return pairs


def only_within_batches(outcome: Outcome, seen: Views) -> bool:
    """Say whether nothing differs but the written order of calls that were made in parallel."""
    alignment = outcome.alignment
    if outcome.turns or not seen.moved or seen.near or seen.missing or seen.extra or seen.forbidden:
        return False
    batch = _batch_numbers(outcome.actual)
    where = {j: batch[alignment.actual[i][0]] for i, j in [*alignment.pairs, *seen.moved]}
    return all(where[place] == batch[index] for place, (index, _) in enumerate(alignment.actual))


def _batch_numbers(trajectory: Trajectory) -> list[int]:
    return [number for number, batch in enumerate(trajectory.batches) for _ in batch]

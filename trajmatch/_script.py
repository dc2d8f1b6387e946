"""The edit script: what lies between a run and what was expected, in order, and what each difference costs."""

from __future__ import annotations

from bisect import bisect, bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from math import inf
from typing import TYPE_CHECKING, Literal, NamedTuple

from trajmatch._alignment import Pairs
from trajmatch._columns import Calls
from trajmatch._model import ToolCall
from trajmatch._outcome import Outcome
from trajmatch._values import json_equal
from trajmatch._views import Views

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["EditKind", "Line", "cost", "retries", "script"]

EditKind = Literal["pair", "moved", "near miss", "missing", "extra", "retried", "forbidden"]
"""What became of a call.

- `pair`: it is as expected;
- `moved`: it is there, elsewhere in the order;
- `near miss`: a call of the same tool with other arguments stands in its place;
- `missing`: it is not there;
- `extra`: it was not expected;
- `retried`: it was not expected, and is the same call before or after a failure;
- `forbidden`: it must not happen.
"""


class Line(NamedTuple):
    """One line of the script: the places of the actual and of the expected call, of which one may be absent."""

    kind: EditKind
    i: int | None
    j: int | None


def script(outcome: Outcome, seen: Views) -> list[Line]:
    """Give the lines in the order of the expectation, each extra call before the one that comes next in the run."""
    alignment = outcome.alignment
    both: list[tuple[EditKind, Pairs]] = [("pair", alignment.pairs), ("moved", seen.moved), ("near miss", seen.near)]
    lines = {j: Line(kind, i, j) for kind, pairs in both for i, j in pairs}
    keyed = [((float(j), 1, 0), lines.get(j, Line("missing", None, j))) for j in range(len(alignment.expected))]
    before = _next_expected(outcome, seen.near)
    keyed += [((before(i), 0, i), Line(kind, i, None)) for kind, i in _not_expected(outcome, seen)]
    return [line for _, line in sorted(keyed, key=lambda item: item[0])]


def _not_expected(outcome: Outcome, seen: Views) -> Iterator[tuple[EditKind, int]]:
    again = retries(outcome.alignment.actual, seen.extra)
    for i in seen.extra:
        yield "retried" if i in again else "extra", i
    for i in seen.forbidden:
        yield "forbidden", i


def _next_expected(outcome: Outcome, near: Pairs) -> Callable[[int], float]:
    """Give the expected call before which an extra one is shown: that of the next call, where pairs keep the order."""
    if not outcome.settings.mode.ordered:
        return lambda _: inf
    both = sorted([*outcome.alignment.pairs, *near])
    return lambda i: next((float(j) for _, j in both[bisect(both, (i, inf)) :][:1]), inf)


_FAILED = ("failed", "retried", "interrupted")


def retries(actual: Calls, extra: Iterable[int]) -> dict[int, int]:
    """For each extra call, give the place of the nearest same call of which the earlier one failed, if there is one."""
    statuses = [call.status for _, call in actual]
    places = defaultdict[str, list[int]](list)
    for k, tool in enumerate(actual.names):
        places[tool].append(k)
    failed = {tool: [k for k in held if statuses[k] in _FAILED] for tool, held in places.items()}
    found: dict[int, int] = {}
    for i in extra:
        tool = actual.names[i]
        later = places[tool][bisect(places[tool], i) :] if statuses[i] in _FAILED else ()
        earlier = reversed(failed[tool][: bisect_left(failed[tool], i)])
        same = (k for k in chain(later, earlier) if _same_arguments(actual[i][1], actual[k][1]))
        found.update((i, k) for k in islice(same, 1))
    return found


def _same_arguments(one: ToolCall, other: ToolCall) -> bool:
    return one.raw_arguments == other.raw_arguments and json_equal(one.arguments, other.arguments)


_COSTS: dict[EditKind, tuple[int, int]] = {
    "pair": (0, 0),
    "moved": (1, 1),
    "near miss": (1, 1),
    "missing": (0, 1),
    "extra": (1, 0),
    "retried": (1, 0),
    "forbidden": (1, 0),
}
"""How many actual and expected calls each leaves without a pair."""


def cost(outcome: Outcome, kind: EditKind) -> Fraction | None:
    """Give what a difference of this kind takes from a graded score; `None` where the score is 1 or 0.

    The costs of all add up to 1 - score.
    """
    from fractions import Fraction

    settings, alignment = outcome.settings, outcome.alignment
    if not settings.mode.graded:
        return None
    extra, missing = _COSTS[kind]
    actual, expected = len(alignment.actual), len(alignment.expected)
    if settings.allow_extra:
        return Fraction(missing, expected or 1)
    if settings.allow_missing:
        return Fraction(extra, actual or 1)
    return Fraction(extra + missing, actual + expected or 1)

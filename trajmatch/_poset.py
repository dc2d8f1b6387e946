"""The heaviest pairing of calls that keeps a partial order.

Leaves (expected calls) stand in a partial order; each may take some places (actual calls). Chosen is a set of pairs of
leaf and place, each of which counts with the weight of its leaf, so that no leaf and no place is taken twice, and of
two leaves in order the earlier one has the earlier place.

Pairs are ordered by `(x, p) above (y, q)`: `x` comes before `y` or is `y`, and `p` does not come before `q`. Two pairs
exclude each other where one is above the other, or where they share a place. Without the second, the heaviest set is a
heaviest antichain of a partial order, which is a maximum flow (Dilworth 1950, in the weighted form). Where leaves that
are not in order share a place all the same, the search branches, best bound first, so that what is found is a maximum.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import accumulate
from typing import NamedTuple

from trajmatch._line import in_line
from trajmatch._pairing import Pairs, bits
from trajmatch._work import Exhausted, Work

__all__ = ["Exhausted", "Leaves", "Work", "heaviest"]


class Leaves(NamedTuple):
    """The leaves of one expansion.

    Attributes:
        before: For each leaf, the mask of those that must come before it, with those before them.
        group: For each leaf, the number of the batch that it must share, or -1.
    """

    before: Sequence[int]
    group: Sequence[int]


def heaviest(
    leaves: Leaves,
    columns: Sequence[int],
    weights: Sequence[int],
    bonuses: Sequence[int],
    batches: Sequence[int],
    work: Work,
) -> Pairs:
    """Give the pairs of place and leaf of a heaviest pairing; of several, early leaves get early places.

    Args:
        leaves: The leaves with their order.
        columns: For each leaf, the mask of the places that it may take.
        weights: For each leaf, the weight of a pair of it.
        bonuses: For each place, what a pair of it weighs more.
        batches: For each place, the number of its batch.
        work: What may be spent.

    Raises:
        Exhausted: The search takes too long.
    """
    problem = _Problem(_with_twins_in_order(leaves, columns, weights, work), weights, bonuses, batches, work)
    pairs = Pairs()
    for part in _parts(problem.leaves, columns):
        solve = _solved_in_line if _is_line(problem.leaves, part) else _earliest
        pairs += solve(problem, [column if part >> leaf & 1 else 0 for leaf, column in enumerate(columns)], part)
    return sorted(pairs)


def _parts(leaves: Leaves, columns: Sequence[int]) -> list[int]:
    """The masks of leaves that have nothing to do with each other: no order, no place and no batch in common."""
    parts = list[tuple[int, int, int, int]]()
    for leaf, (before, group, column) in enumerate(zip(*leaves, columns, strict=True)):
        mask, others, places, groups = 1 << leaf, before, column, 1 << group + 1 & ~1
        for part in [*parts]:
            if part[0] & others or part[2] & places or part[3] & groups or part[1] & mask:
                parts.remove(part)
                mask, others, places, groups = (
                    one | two for one, two in zip((mask, others, places, groups), part, strict=True)
                )
        parts.append((mask, others, places, groups))
    return [mask for mask, *_ in parts]


def _is_line(leaves: Leaves, part: int) -> bool:
    """Whether these leaves come one after the other as they are written, and share no batch."""
    return all(leaves.group[leaf] < 0 and leaves.before[leaf] & part == part & (1 << leaf) - 1 for leaf in bits(part))


def _solved_in_line(problem: _Problem, columns: list[int], part: int) -> Pairs:
    line = [*bits(part)]
    weights = [problem.weights[leaf] for leaf in line]
    found = in_line([columns[leaf] for leaf in line], weights, problem.bonuses, problem.work)
    return [(place, line[at]) for place, at in found]


def _earliest(problem: _Problem, columns: list[int], part: int) -> Pairs:
    """The heaviest pairing in which early leaves get early places: each is tried in turn."""
    best, pairs = problem.solved(columns)
    for leaf in bits(part):
        for place in bits(columns[leaf]):
            held = problem.holding(columns, place, leaf)
            if (place, leaf) not in pairs:
                weight, other = problem.solved(held)
                if weight < best:
                    continue
                pairs = other
            columns = held
            break
    return pairs


class _Problem(NamedTuple):
    """All but the places that the leaves may take."""

    leaves: Leaves
    weights: Sequence[int]
    bonuses: Sequence[int]
    batches: Sequence[int]
    work: Work

    def solved(self, columns: list[int]) -> tuple[int, Pairs]:
        """The weight of a heaviest pairing, and its pairs."""
        count, queue = 0, list[tuple[int, int, list[int], Pairs]]()
        branches = [columns]
        while True:
            for allowed in branches:
                weight, pairs = _antichain(self, allowed)
                heappush(queue, (-weight, count, allowed, pairs))
                count += 1
            weight, _, allowed, pairs = heappop(queue)
            branches = [*_branches(self.leaves.group, allowed, pairs, self.batches)]
            if not branches:
                return -weight, sorted(pairs)

    def holding(self, columns: list[int], place: int, leaf: int) -> list[int]:
        """The places that the leaves may take beside this pair."""
        (before, groups), here = self.leaves, 1 << place
        inside = sum(1 << p for p, batch in enumerate(self.batches) if batch == self.batches[place])
        held = list[int]()
        for other, column in enumerate(columns):
            left = column & (here - 1 if before[leaf] >> other & 1 else ~here)
            if before[other] >> leaf & 1:
                left &= -here
            held.append(left & inside if 0 <= groups[leaf] == groups[other] else left)
        held[leaf] = here
        return held


def _with_twins_in_order(leaves: Leaves, columns: Sequence[int], weights: Sequence[int], work: Work) -> Leaves:
    """Put leaves in order that may stand for each other, so that they do not ask for the same places."""
    work.spend(sum(mask.bit_count() for mask in leaves.before) // 8)
    after = [0] * len(columns)
    for leaf, mask in enumerate(leaves.before):
        for other in bits(mask):
            after[other] |= 1 << leaf
    before = [*leaves.before]
    known: dict[tuple[int, ...], int] = {}
    for leaf, column in enumerate(columns):
        kind = (leaves.before[leaf], after[leaf], column, weights[leaf], leaves.group[leaf])
        twins = known.get(kind, 0)
        before[leaf] |= twins
        known[kind] = twins | 1 << leaf
    return leaves._replace(before=before)


def _branches(groups: Sequence[int], allowed: list[int], pairs: Pairs, batches: Sequence[int]) -> Iterator[list[int]]:
    """The ways out where a place is taken twice, or a group stands in two batches; none where all is well."""
    takers: dict[int, list[int]] = {}
    for place, leaf in pairs:
        takers.setdefault(place, []).append(leaf)
    for place, several in takers.items():
        if len(several) > 1:
            for kept in several:
                yield [
                    column & ~(1 << place) if leaf in several and leaf != kept else column
                    for leaf, column in enumerate(allowed)
                ]
            return
    homes: dict[int, int] = {}
    for place, leaf in pairs:
        if (group := groups[leaf]) >= 0 and homes.setdefault(group, batches[place]) != batches[place]:
            inside = sum(1 << p for p, batch in enumerate(batches) if batch == homes[group])
            yield [column & inside if groups[leaf] == group else column for leaf, column in enumerate(allowed)]
            yield [column & ~inside if groups[leaf] == group else column for leaf, column in enumerate(allowed)]
            return


def _antichain(problem: _Problem, columns: list[int]) -> tuple[int, Pairs]:
    """The heaviest set of pairs of which none is above another, and its weight."""
    before, _ = problem.leaves
    size = sum(column.bit_count() for column in columns)
    problem.work.spend(size * (1 + sum(map(bool, columns)) // 8))
    pairs = [(place, leaf) for leaf, column in enumerate(columns) for place in bits(column)]
    starts = [0, *accumulate(column.bit_count() for column in columns)]
    later = [[leaf] for leaf in range(len(columns))]
    for leaf, mask in enumerate(before):
        for other in bits(mask) if columns[leaf] else ():
            later[other].append(leaf)
    below = list[int]()
    for number, (place, leaf) in enumerate(pairs):
        reach = (2 << place) - 1
        mask = 0
        for other in later[leaf]:
            mask |= ((1 << (columns[other] & reach).bit_count()) - 1) << starts[other]
        below.append(mask & ~(1 << number))
    supply = [problem.weights[leaf] + problem.bonuses[place] for place, leaf in pairs]
    chosen = _Flow(below, supply, problem.work).antichain()
    return sum(supply[number] for number in chosen), [pairs[number] for number in chosen]


class _Flow:
    """The maximum flow from each pair, as often as it weighs, to those below it, as often as they weigh."""

    def __init__(self, below: list[int], weights: list[int], work: Work) -> None:
        self.below, self.work = below, work
        self.supply, self.demand = [*weights], [*weights]
        self.flow: list[dict[int, int]] = [{} for _ in weights]  # by the lower pair, from which upper pair how much
        wanting = (1 << len(below)) - 1
        for upper, mask in enumerate(below):
            for lower in bits(mask & wanting):
                self._add(upper, lower, min(self.supply[upper], self.demand[lower]))
                if self.demand[lower]:
                    break
                wanting ^= 1 << lower
                if not self.supply[upper]:
                    break
        while self._grow():
            pass

    def _add(self, upper: int, lower: int, amount: int) -> None:
        self.supply[upper] -= amount
        self.demand[lower] -= amount
        self.flow[lower][upper] = self.flow[lower].get(upper, 0) + amount

    def _reached(self) -> tuple[dict[int, int], dict[int, int], int]:
        """From which lower pair each upper one is reached, and the other way round; the first with a demand, or -1."""
        uppers = {upper: -1 for upper, left in enumerate(self.supply) if left}
        lowers: dict[int, int] = {}
        unseen, queue = (1 << len(self.below)) - 1, deque(uppers)
        while queue:
            upper = queue.popleft()
            fresh = self.below[upper] & unseen
            unseen ^= fresh
            for lower in bits(fresh):
                lowers[lower] = upper
                if self.demand[lower]:
                    return uppers, lowers, lower
                self.work.spend(1)
                for other in self.flow[lower]:
                    if other not in uppers:
                        uppers[other] = lower
                        queue.append(other)
        return uppers, lowers, -1

    def _grow(self) -> bool:
        uppers, lowers, end = self._reached()
        if end < 0:
            return False
        steps, lower = list[tuple[int, int, int]](), end
        while lower >= 0:
            upper = lowers[lower]
            steps.append((upper, lower, uppers[upper]))
            lower = uppers[upper]
        first = steps[-1][0]
        amount = min(
            [self.supply[first], self.demand[end], *(self.flow[back][up] for up, _, back in steps if back >= 0)]
        )
        self.supply[first] -= amount
        self.demand[end] -= amount
        for upper, lower, back in steps:
            self.flow[lower][upper] = self.flow[lower].get(upper, 0) + amount
            if back >= 0:
                self.flow[back][upper] -= amount
                if not self.flow[back][upper]:
                    del self.flow[back][upper]
        return True

    def antichain(self) -> list[int]:
        """The pairs that are reached from above and not from below: those through which the flow is cut."""
        uppers, lowers, _ = self._reached()
        return [number for number in range(len(self.below)) if number in uppers and number not in lowers]

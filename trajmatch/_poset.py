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
from typing import NamedTuple

from trajmatch._pairing import Pairs, bits

__all__ = ["Exhausted", "Leaves", "Work", "heaviest"]


class Leaves(NamedTuple):
    """The leaves of one expansion.

    Attributes:
        before: For each leaf, the mask of those that must come before it, with those before them.
        group: For each leaf, the number of the batch that it must share, or -1.
    """

    before: Sequence[int]
    group: Sequence[int]


class Exhausted(Exception):
    """The search has done all the work that it may."""


class Work:
    """How many steps a search may still take."""

    def __init__(self, most: int) -> None:
        self.left = most

    def spend(self, steps: int) -> None:
        """Count steps.

        Raises:
            Exhausted: There are too many.
        """
        self.left -= steps
        if self.left < 0:
            raise Exhausted


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
    problem = _Problem(_with_twins_in_order(leaves, columns, weights), weights, bonuses, batches, work)
    best, pairs = problem.solved([*columns])
    columns = [*columns]
    for leaf in range(len(columns)):
        for place in bits(columns[leaf]):
            if (place, leaf) not in pairs:
                narrowed = [1 << place if one == leaf else column for one, column in enumerate(columns)]
                weight, other = problem.solved(narrowed)
                if weight < best or (place, leaf) not in other:
                    continue
                pairs = other
            columns[leaf] = 1 << place
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


def _with_twins_in_order(leaves: Leaves, columns: Sequence[int], weights: Sequence[int]) -> Leaves:
    """Put leaves in order that may stand for each other, so that they do not ask for the same places."""
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
    pairs = [(place, leaf) for leaf, column in enumerate(columns) for place in bits(column)]
    spans: dict[int, tuple[int, list[int]]] = {}
    for number, (place, leaf) in enumerate(pairs):
        spans.setdefault(leaf, (number, []))[1].append(place)
    below = [_below(place, leaf, before, spans) & ~(1 << number) for number, (place, leaf) in enumerate(pairs)]
    problem.work.spend(len(pairs) * (len(spans) + 1))
    supply = [problem.weights[leaf] + problem.bonuses[place] for place, leaf in pairs]
    chosen = _Flow(below, supply, problem.work).antichain()
    return sum(supply[number] for number in chosen), [pairs[number] for number in chosen]


def _below(place: int, leaf: int, before: Sequence[int], spans: dict[int, tuple[int, list[int]]]) -> int:
    """The mask of the pairs that come later in the order of leaves, and not later in the run."""
    mask = 0
    for other, (start, places) in spans.items():
        if other == leaf or before[other] >> leaf & 1:
            reach = sum(1 for p in places if p <= place)
            mask |= ((1 << reach) - 1) << start
    return mask


class _Flow:
    """The maximum flow from each pair, as often as it weighs, to those below it, as often as they weigh."""

    def __init__(self, below: list[int], weights: list[int], work: Work) -> None:
        self.below, self.work = below, work
        self.supply, self.demand = [*weights], [*weights]
        self.flow: list[dict[int, int]] = [{} for _ in weights]  # by the lower pair, from which upper pair how much
        for upper, mask in enumerate(below):
            for lower in bits(mask):
                if not self.supply[upper]:
                    break
                if self.demand[lower]:
                    self._add(upper, lower, min(self.supply[upper], self.demand[lower]))
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

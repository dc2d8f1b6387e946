"""The heaviest pairing of calls that come one after the other: a weighted longest common subsequence."""

from __future__ import annotations

from collections.abc import Sequence

from trajmatch._pairing import Pairs, bits
from trajmatch._work import Work

__all__ = ["in_line"]


def in_line(columns: Sequence[int], weights: Sequence[int], bonuses: Sequence[int], work: Work) -> Pairs:
    """Give the pairs of place and leaf of a heaviest pairing in order; of several, early leaves get early places.

    Args:
        columns: For each leaf, the mask of the places that it may take.
        weights: For each leaf, the weight of a pair of it, above 0.
        bonuses: For each place, what a pair of it weighs more.
        work: What may be spent.

    Raises:
        Exhausted: There is too much to do.
    """
    work.spend(len(columns) * len(bonuses) // 5)
    rests = [[0] * (len(bonuses) + 1)]  # from the last leaf on: for each place, the most that it and later ones give
    for column, weight in zip(reversed(columns), reversed(weights), strict=True):
        rests.append(_with_leaf(column, weight, bonuses, rests[-1]))
    rests.reverse()
    pairs, start = Pairs(), 0
    for leaf, (column, weight) in enumerate(zip(columns, weights, strict=True)):
        for place in bits(column >> start << start):
            if weight + bonuses[place] + rests[leaf + 1][place + 1] == rests[leaf][start]:
                pairs.append((place, leaf))
                start = place + 1
                break
    return pairs


def _with_leaf(column: int, weight: int, bonuses: Sequence[int], rest: Sequence[int]) -> list[int]:
    """What each place and later ones give to this leaf and later ones, from what they give to later ones."""
    most, best = [*rest], 0
    for place in range(len(bonuses) - 1, -1, -1):
        if column >> place & 1:
            best = max(best, weight + bonuses[place] + rest[place + 1])
        most[place] = max(best, rest[place])
    return most

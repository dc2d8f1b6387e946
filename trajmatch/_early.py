"""The pairs where equal calls may pair before all others: they hold JSON alone, and all rules are preorders."""

from __future__ import annotations

from trajmatch._columns import Calls
from trajmatch._pairing import Pairs, earliest_matching, longest_pairs
from trajmatch._relation import relation
from trajmatch._tool_rules import Rules
from trajmatch._twins import alike, equal_rows

__all__ = ["in_any_order", "in_order", "others"]


def others(actual: Calls, expected: Calls, rules: Rules, first: Pairs) -> tuple[list[int], list[int], list[int]]:
    """Give the places of the calls that are in none of these pairs of equal calls, and the relation between them."""
    left = _rest(len(actual), [i for i, _ in first])
    right = _rest(len(expected), [j for _, j in first])
    if not left or not right or (rules.exact and None not in expected.given):
        return left, right, []
    return left, right, relation(actual.select(left), expected.select(right), rules)


def _rest(length: int, taken: list[int]) -> list[int]:
    return sorted({*range(length)}.difference(taken))


def in_any_order(actual: Calls, expected: Calls, rules: Rules, first: Pairs) -> Pairs:
    """Give what `pair_up` gives of the whole relation, which is needed between the calls that have no twin only.

    For equal calls pair first, and under a preorder that takes from no other pairing its size.
    """
    left, right, rows = others(actual, expected, rules, first)
    more = earliest_matching(rows, len(right), []) if any(rows) else []
    return sorted([*first, *((left[i], right[j]) for i, j in more)])


def in_order(actual: Calls, expected: Calls, rules: Rules) -> Pairs:
    """Give what `longest_pairs` gives of the whole relation.

    Equal calls at the start pair one by one: in any pairing what has one of the first two calls can give way to this
    pair, which is an equal one, and the earliest. Equal calls at the end pair one by one where none of them may stand
    for a call before them, so that nothing pairs across: no other pairing of them is as long.
    """
    start, stop = _equal_ends(actual, expected)
    ours, theirs = (side[start : len(side) - stop] for side in (actual, expected))
    last = [side[len(side) - stop :] for side in (actual, expected)]
    if stop and (_relates(ours, last[1], rules) or _relates(last[0], theirs, rules)):
        stop, ours, theirs = 0, actual[start:], expected[start:]
    rows = relation(ours, theirs, rules) if ours and theirs else []
    pairs = [(place, place) for place in range(start)]
    if any(rows):
        equal = rows if rules.exact and None not in theirs.given else equal_rows(ours, theirs, rows)
        pairs += [(start + i, start + j) for i, j in longest_pairs(rows, len(theirs), equal)]
    return [*pairs, *((len(actual) - left, len(expected) - left) for left in range(stop, 0, -1))]


def _relates(actual: Calls, expected: Calls, rules: Rules) -> bool:
    """Whether some call may stand for another."""
    return not {*actual.names}.isdisjoint(expected.names) and any(relation(actual, expected, rules))


def _equal_ends(actual: Calls, expected: Calls) -> tuple[int, int]:
    """Give how many calls at the start and at the end are equal one by one."""
    shorter = min(len(actual), len(expected))
    found = alike(actual, range(shorter), expected, range(shorter))
    start = _first_false(found)
    last = found[start:][::-1]
    if len(actual) != len(expected):
        ends = [range(len(side) - 1, len(side) - 1 - shorter + start, -1) for side in (actual, expected)]
        last = alike(actual, ends[0], expected, ends[1])
    return start, _first_false(last)


def _first_false(found: list[bool]) -> int:
    return found.index(False) if False in found else len(found)

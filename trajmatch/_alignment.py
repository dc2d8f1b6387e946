"""Aligning calls: how many pair, and which.

The number is found on the shortest way (what is equal pairs first, where the rules allow that); the pairs are found
when somebody looks at them, and do not depend on that way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import compress
from typing import cast

from trajmatch._columns import Calls
from trajmatch._early import in_any_order, in_order, others
from trajmatch._pairing import bits, earliest_matching, longest, longest_pairs, maximum
from trajmatch._relation import Sides, by_tool, relation, same_arguments
from trajmatch._tool_rules import Rules
from trajmatch._twins import equal_key, equal_rows, json_alone, twins
from trajmatch._values import parsed_equal, plainly_equal

__all__ = ["CallAlignment", "Pairs", "all_equal", "may_pair_early", "pair_up", "same_call", "strip"]

Pairs = list[tuple[int, int]]

_SEARCHED = 256
"""Up to so many expected calls of one tool are searched one by one, which is then cheaper than a key for each."""
_FEW = 2_500
"""Up to so many comparisons between all calls, equal calls are found as the pairs need them."""
_LARGE = 500
"""From so many calls of one tool under a function on, any maximum pairing is taken."""


class CallAlignment(Sides):
    """The calls that count on both sides, and how they pair.

    Attributes:
        ordered: Whether pairs keep the order.
    """

    def __init__(self, actual: Calls, expected: Calls, rules: Rules, *, ordered: bool) -> None:
        super().__init__(actual, expected, rules)
        self.ordered = ordered
        if may_pair_early(actual, expected, rules):
            self.paired = self._in_order() if ordered else self._in_any_order()
        else:
            self.paired = longest(self.rows, len(expected)) if ordered else maximum(self.rows)[0]

    @cached_property
    def pairs(self) -> Pairs:
        """The places of the calls that pair, in the two sequences."""
        if self.ordered and self._early:
            return in_order(self.actual, self.expected, self.rules)
        if not self.ordered and self._twins is not None:
            return in_any_order(self.actual, self.expected, self.rules, self._twins)
        equal = equal_rows(self.actual, self.expected, self.rows)
        if self.ordered:
            return longest_pairs(self.rows, len(self.expected), equal)
        return pair_up(self.actual, self.expected, self.rules, self.rows, equal)

    @cached_property
    def _ours_alone(self) -> bool:
        return json_alone(self.actual)

    @cached_property
    def _theirs_alone(self) -> bool:
        return json_alone(self.expected)

    @cached_property
    def _early(self) -> bool:
        """Whether equal calls pair before all others, and each has a key."""
        return may_pair_early(self.actual, self.expected, self.rules) and self._ours_alone and self._theirs_alone

    @cached_property
    def _twins(self) -> Pairs | None:
        """The equal calls, where these pair before all others."""
        return twins(self.actual, self.expected) if self._early else None

    def _in_order(self) -> int:
        actual, expected = self.actual, self.expected
        if all_equal(actual, expected):
            return len(actual)
        start, stop = strip(len(actual), len(expected), lambda i, j: same_call(actual, i, expected, j, self.rules))
        actual, expected = actual[start : len(actual) - stop], expected[start : len(expected) - stop]
        return start + stop + longest(relation(actual, expected, self.rules), len(expected))

    def _in_any_order(self) -> int:
        actual, expected = self.actual, self.expected
        if all_equal(actual, expected):
            return len(actual)
        if texts := actual.all_text and expected.all_text:
            actual, expected = _without_equal_texts(actual, expected)
        told = not expected or 2 * len(actual) < len(self.actual)  # by their texts
        if not told and len(self.actual) * len(self.expected) <= _FEW and self._twins is not None:
            return self._by_twins(self._twins)
        if texts or self._ours_alone:
            actual, expected = _without_equal_objects(actual, expected, self.rules)
        paired = len(self.actual) - len(actual)
        if not actual or not expected:
            return paired
        if paired and not texts and not self._theirs_alone:
            return maximum(self.rows)[0]
        return paired + maximum(relation(actual, expected, self.rules))[0]

    def _by_twins(self, first: Pairs) -> int:
        if len(first) == min(len(self.actual), len(self.expected)):
            return len(first)
        return len(first) + maximum(others(self.actual, self.expected, self.rules, first)[2])[0]


def may_pair_early(actual: Calls, expected: Calls, rules: Rules) -> bool:
    """Say whether equal calls may pair before all others without a loss."""
    return not expected.has_own_rules and rules.preorder(actual.names)


def all_equal(actual: Calls, expected: Calls) -> bool:
    """Say whether the calls are equal one by one, as far as that can be told at once."""
    if actual.names != expected.names:
        return False
    given, wanted = actual.given, expected.given
    places: Sequence[int] = range(len(actual))
    if actual.all_text:
        if given == wanted:
            return True
        places = [place for place in places if given[place] != wanted[place]]
    return None not in actual.objects(places) and all(_are_equal(actual, places, expected, places))


def _are_equal(actual: Calls, left: Sequence[int], expected: Calls, right: Sequence[int]) -> Iterator[bool]:
    """Whether the calls at these places have equal objects of plain types for arguments."""
    ours, theirs = actual.objects(left), expected.objects(right)
    if not (actual.all_text and expected.all_text):
        return map(plainly_equal, ours, theirs)
    given, wanted = cast("tuple[Sequence[str], Sequence[str]]", (actual.given, expected.given))
    return map(parsed_equal, [given[i] for i in left], [wanted[j] for j in right], ours, theirs)


def same_call(actual: Calls, i: int, expected: Calls, j: int, rules: Rules) -> bool:
    """Say whether one call may stand for another, under a rule that takes equal calls for the same."""
    tool, given = actual.names[i], actual.given[i]
    if tool != expected.names[j]:
        return False
    same_text = isinstance(given, str) and given == expected.given[j]
    return same_text or same_arguments(actual[i], expected[j], rules.of(tool))


def strip(actual: int, expected: int, same: Callable[[int, int], bool]) -> tuple[int, int]:
    """Give how many items at the start and at the end are the same on both sides.

    Pairing these loses nothing, whatever the relation.
    """
    shorter = min(actual, expected)
    start = stop = 0
    while start < shorter and same(start, start):
        start += 1
    while start + stop < shorter and same(actual - 1 - stop, expected - 1 - stop):
        stop += 1
    return start, stop


def _without_equal_texts(actual: Calls, expected: Calls) -> tuple[Calls, Calls]:
    """Leave out calls whose arguments are the same text, wherever they stand; all arguments are text."""
    places: dict[object, list[int]] = {}
    for place, mark in enumerate(zip(expected.names, expected.given, strict=True)):
        places.setdefault(mark, []).append(place)
    left: list[int] = []
    gone: set[int] = set()
    for place, mark in enumerate(zip(actual.names, actual.given, strict=True)):
        if twins := places.get(mark):
            gone.add(twins.pop(0))
        else:
            left.append(place)
    return actual.select(left), _without(expected, gone)


def _without_equal_objects(actual: Calls, expected: Calls, rules: Rules) -> tuple[Calls, Calls]:
    """Leave out calls whose arguments are equal objects, wherever they stand; the actual ones hold JSON alone."""
    asked = {tool: right for tool, right in by_tool(expected, rules)[1].items() if len(right) <= _SEARCHED}
    rights = [place for right in asked.values() for place in right]
    free: dict[str, list[object]] = {tool: [] for tool in asked}
    for j, arguments in zip(rights, expected.objects(rights), strict=True):
        free[expected.names[j]].append(arguments)
    lefts = [place for place, tool in enumerate(actual.names) if tool in asked]
    pairs = Pairs()
    for i, arguments in zip(lefts, actual.objects(lefts), strict=True):
        if arguments is None:
            continue
        tool = actual.names[i]
        try:
            found = free[tool].index(arguments)
        except Exception:  # there is none, or one has an equality of its own that raises
            continue
        del free[tool][found]
        pairs.append((i, asked[tool].pop(found)))
    sure = [*compress(pairs, _are_equal(actual, [i for i, _ in pairs], expected, [j for _, j in pairs]))]
    return _without(actual, {i for i, _ in sure}), _without(expected, {j for _, j in sure})


def _without(calls: Calls, gone: set[int]) -> Calls:
    return calls.select([place for place in range(len(calls)) if place not in gone]) if gone else calls


def pair_up(actual: Calls, expected: Calls, rules: Rules, rows: list[int], equal: list[int]) -> Pairs:
    """Give the pairs of a maximum matching: equal calls first, then the earliest expected with the earliest actual."""
    first = _kth_with_kth(equal)
    odd = _odd_tools(actual) | _odd_tools(expected)
    settled = [(i, j) for i, j in first if rules.of(name := actual.names[i]).preorder and name not in odd]
    open_columns = (1 << len(expected)) - 1 - sum(1 << j for _, j in settled)
    taken = {i for i, _ in settled}
    rest = [0 if i in taken else row & open_columns for i, row in enumerate(rows)]
    if _largest_by_function(actual, rules) > _LARGE:
        return sorted([*settled, *((i, j) for i, j in enumerate(maximum(rest)[1]) if j >= 0)])
    return sorted([*settled, *earliest_matching(rest, len(expected), [pair for pair in first if pair[0] not in taken])])


def _odd_tools(calls: Calls) -> set[str]:
    """The tools with calls that may tell apart what equals the same call, by their arguments or a rule of their own."""
    odd = {calls.names[place] for place in calls.own_rules}
    return odd | {
        tool
        for tool, call in zip(calls.names, calls.calls, strict=True)
        if call.arguments is not None and equal_key(tool, call) is None
    }


def _kth_with_kth(equal: list[int]) -> Pairs:
    free, pairs = -1, Pairs()
    for i, row in enumerate(equal):
        if fits := row & free:
            j = next(bits(fits))
            free ^= 1 << j
            pairs.append((i, j))
    return pairs


def _largest_by_function(actual: Calls, rules: Rules) -> int:
    return max(Counter(name for name in actual.names if not rules.of(name).preorder).values(), default=0)

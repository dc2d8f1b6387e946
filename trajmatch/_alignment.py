"""Aligning calls: how many pair, and which.

The number is found on the shortest way (what is equal pairs first, where the rules allow that); the pairs are always
found from the whole relation, when somebody looks at them, so that they do not depend on that way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import cast

from trajmatch._columns import Calls
from trajmatch._model import ToolCall
from trajmatch._pairing import bits, earliest_matching, longest, longest_pairs, maximum
from trajmatch._relation import relation, same_arguments
from trajmatch._rules import Rules
from trajmatch._values import Unfreezable, freeze, is_plain, parsed_equal, plainly_equal

__all__ = ["CallAlignment", "Pairs", "all_equal", "equal_rows", "pair_up", "same_call", "strip"]

Pairs = list[tuple[int, int]]

_LARGE = 500
"""From so many calls of one tool under a function on, any maximum pairing is taken."""


class CallAlignment:
    """The calls that count on both sides, and how they pair.

    Attributes:
        actual: The actual calls, each with its position in the flat list.
        expected: The expected calls.
        rules: The rules of the tools.
        ordered: Whether pairs keep the order.
        paired: The number of pairs.
    """

    def __init__(self, actual: Calls, expected: Calls, rules: Rules, *, ordered: bool) -> None:
        self.actual, self.expected, self.rules, self.ordered = actual, expected, rules, ordered
        if rules.preorder(actual.names):
            self.paired = self._in_order() if ordered else self._in_any_order()
        else:
            self.paired = longest(self.rows, len(expected)) if ordered else maximum(self.rows)[0]

    @property
    def extra(self) -> int:
        """The number of actual calls without a pair."""
        return len(self.actual) - self.paired

    @property
    def missing(self) -> int:
        """The number of expected calls without a pair."""
        return len(self.expected) - self.paired

    @cached_property
    def rows(self) -> list[int]:
        """The relation as a whole."""
        return relation(self.actual, self.expected, self.rules)

    @cached_property
    def pairs(self) -> Pairs:
        """The places of the calls that pair, in the two sequences."""
        equal = equal_rows(self.actual, self.expected, self.rows)
        if self.ordered:
            return longest_pairs(self.rows, len(self.expected), equal)
        return pair_up(self.actual, self.expected, self.rules, self.rows, equal)

    def _in_order(self) -> int:
        actual, expected = self.actual, self.expected
        if _are_same_texts(actual, expected):
            return len(actual)
        start, stop = strip(len(actual), len(expected), lambda i, j: same_call(actual, i, expected, j, self.rules))
        actual, expected = actual[start : len(actual) - stop], expected[start : len(expected) - stop]
        return start + stop + longest(relation(actual, expected, self.rules), len(expected))

    def _in_any_order(self) -> int:
        actual, expected = self.actual, self.expected
        if _are_same_texts(actual, expected):
            return len(actual)
        texts = actual.all_text and expected.all_text
        if texts:
            actual, expected = _without_equal_texts(actual, expected)
        if texts or actual.names == expected.names:
            actual, expected = _without_equal_places(actual, expected)
        paired = len(self.actual) - len(actual)
        if not actual or not expected:
            return paired
        if paired and not texts and not (_holds_json_alone(actual) and _holds_json_alone(expected)):
            return maximum(self.rows)[0]
        return paired + maximum(relation(actual, expected, self.rules))[0]


def all_equal(actual: Calls, expected: Calls) -> bool:
    """Say whether the calls, of which there are as many, are equal one by one."""
    return _are_same_texts(actual, expected) or not _without_equal_places(actual, expected)[0]


def _are_same_texts(actual: Calls, expected: Calls) -> bool:
    """Whether the calls are the same one by one, which their texts tell at once."""
    return actual.names == expected.names and actual.all_text and actual.given == expected.given


def _holds_json_alone(calls: Calls) -> bool:
    """Whether no argument has an equality of its own, which may tell apart what equals the same call."""
    return all(map(is_plain, calls.objects(range(len(calls)))))


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
    if not gone:
        return actual, expected
    return actual.select(left), expected.select([place for place in range(len(expected)) if place not in gone])


def _without_equal_places(actual: Calls, expected: Calls) -> tuple[Calls, Calls]:
    """Leave out calls that equal the one at the same place."""
    given = cast("Sequence[str]", actual.given)
    wanted = cast("Sequence[str]", expected.given)
    alike = [place for place, (a, e) in enumerate(zip(actual.names, expected.names, strict=False)) if a == e]
    equal = {place for place in alike if type(given[place]) is str and given[place] == wanted[place]}
    places = [place for place in alike if place not in equal] if equal else alike
    texts = actual.all_text and expected.all_text
    for place, ours, theirs in zip(places, actual.objects(places), expected.objects(places), strict=True):
        if ours is None or theirs is None:
            continue
        if parsed_equal(given[place], wanted[place], ours, theirs) if texts else plainly_equal(ours, theirs):
            equal.add(place)
    if not equal:
        return actual, expected
    return (
        actual.select(place for place in range(len(actual)) if place not in equal),
        expected.select(place for place in range(len(expected)) if place not in equal),
    )


def _equal_key(call: ToolCall) -> Hashable:
    """The key that equal calls share; `None` where arguments are open, hold a set, or decide by their own `==`.

    Such values are equal to several that are not equal to each other, so that none of these may pair early.
    """
    if call.arguments is None:
        return None if call.raw_arguments is None else (call.name, call.raw_arguments, None)
    try:
        return call.name, None, freeze(call.arguments)
    except Unfreezable:
        return None


def equal_rows(actual: Calls, expected: Calls, rows: list[int]) -> list[int]:
    """Give the part of the relation in which the calls are equal, whatever the rules say."""
    holders: dict[Hashable, int] = {}
    for j, (_, call) in enumerate(expected):
        if (key := _equal_key(call)) is not None:
            holders[key] = holders.get(key, 0) | 1 << j
    return [row & holders.get(_equal_key(call), 0) for row, (_, call) in zip(rows, actual, strict=True)]


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
    """The tools with calls whose arguments may tell apart what equals the same call."""
    return {call.name for _, call in calls if call.arguments is not None and _equal_key(call) is None}


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

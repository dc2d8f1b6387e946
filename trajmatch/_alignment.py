"""Aligning calls: how many pair, and which.

The number is found on the shortest way (what is equal pairs first, where the rules allow that); the pairs are always
found from the whole relation, when somebody looks at them, so that they do not depend on that way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from functools import cached_property

from trajmatch._columns import Calls
from trajmatch._model import ToolCall
from trajmatch._pairing import bits, earliest_matching, longest, longest_pairs, maximum
from trajmatch._relation import relation, same_arguments
from trajmatch._rules import Rules
from trajmatch._values import Unfreezable, freeze, plainly_equal

__all__ = ["CallAlignment", "Pairs", "equal_rows", "pair_up", "same_call", "strip"]

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
        self.paired = self._in_order() if ordered else self._in_any_order()

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
        if not self.rules.preorder(self.actual.names):
            return longest(self.rows, len(self.expected))
        start, stop = strip(len(self.actual), len(self.expected), self._same)
        actual, expected = self.actual, self.expected
        actual, expected = actual[start : len(actual) - stop], expected[start : len(expected) - stop]
        return start + stop + longest(relation(actual, expected, self.rules), len(expected))

    def _same(self, i: int, j: int) -> bool:
        return same_call(self.actual[i], self.expected[j], self.rules)

    def _in_any_order(self) -> int:
        if not self.rules.preorder(self.actual.names):
            return maximum(self.rows)[0]
        actual, expected = _without_equal_places(self.actual, self.expected)
        if actual and expected:
            actual, expected = _without_equal_texts(actual, expected)
        return len(self.actual) - len(actual) + maximum(relation(actual, expected, self.rules))[0]


def same_call(actual: tuple[int, ToolCall], expected: tuple[int, ToolCall], rules: Rules) -> bool:
    """Say whether one call may stand for another, under a rule that takes equal calls for the same."""
    a, e = actual[1], expected[1]
    if a.name != e.name:
        return False
    return _equal(a, e) or same_arguments(actual, expected, rules.of(a.name))


def strip(actual: int, expected: int, same: Callable[[int, int], bool]) -> tuple[int, int]:
    """Give how many items at the start and at the end are the same on both sides.

    Pairing these loses nothing, whatever the relation.
    """
    shorter = min(actual, expected)
    start = next((i for i in range(shorter) if not same(i, i)), shorter)
    rest = shorter - start
    stop = next((i for i in range(rest) if not same(actual - 1 - i, expected - 1 - i)), rest)
    return start, stop


def _without_equal_places(actual: Calls, expected: Calls) -> tuple[Calls, Calls]:
    """Leave out calls that equal the one at the same place; under a preorder that loses nothing."""
    left = _unequal_places(actual, expected)
    shorter = min(len(actual), len(expected))
    if len(left) == shorter:
        return actual, expected
    return (
        actual.select([*left, *range(shorter, len(actual))]),
        expected.select([*left, *range(shorter, len(expected))]),
    )


def _unequal_places(actual: Calls, expected: Calls) -> list[int]:
    """The places at which two calls stand that do not equal each other, as far as that is told quickly."""
    names, wanted_names = actual.names, expected.names
    fields = zip(names, wanted_names, actual.given, expected.given, strict=False)
    left = [
        place
        for place, (ours, theirs, given, wanted) in enumerate(fields)
        if ours != theirs or type(given) is not str or given != wanted
    ]
    of_one_tool = [place for place in left if names[place] == wanted_names[place]]
    objects = zip(of_one_tool, actual.objects(of_one_tool), expected.objects(of_one_tool), strict=True)
    equal = {place for place, ours, theirs in objects if ours is not None and plainly_equal(ours, theirs)}
    return [place for place in left if place not in equal] if equal else left


def _equal(actual: ToolCall, expected: ToolCall) -> bool:
    """Say whether two calls are equal in a way that carries over to a third."""
    if actual.name != expected.name:
        return False
    if actual.text is not None and actual.text == expected.text:
        return True
    arguments = actual.arguments
    return arguments is not None and plainly_equal(arguments, expected.arguments)


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


def _without_equal_texts(actual: Calls, expected: Calls) -> tuple[Calls, Calls]:
    """Leave out calls whose arguments are the same text, wherever they stand."""
    ours, theirs = _texts(actual), _texts(expected)
    if {*ours}.isdisjoint(theirs):
        return actual, expected
    shared = Counter(ours) & Counter(theirs)
    return _without(actual, ours, shared), _without(expected, theirs, shared)


def _texts(calls: Calls) -> list[object]:
    """The tool and the argument text of each call; of one without a text something that equals nothing else."""
    keys = zip(calls.names, calls.given, strict=True)
    return [key if type(key[1]) is str else object() for key in keys]


def _without(calls: Calls, keys: list[object], leaving: Mapping[object, int]) -> Calls:
    left, rest = {**leaving}, list[int]()
    for place, key in enumerate(keys):
        if left.get(key):
            left[key] -= 1
        else:
            rest.append(place)
    return calls.select(rest)


def equal_rows(actual: Calls, expected: Calls, rows: list[int]) -> list[int]:
    """Give the part of the relation in which the calls are equal, whatever the rules say."""
    holders = dict[Hashable, int]()
    for j, (_, call) in enumerate(expected):
        if (key := _equal_key(call)) is not None:
            holders[key] = holders.get(key, 0) | 1 << j
    return [row & holders.get(_equal_key(call), 0) for row, (_, call) in zip(rows, actual, strict=True)]


def pair_up(actual: Calls, expected: Calls, rules: Rules, rows: list[int], equal: list[int]) -> Pairs:
    """Give the pairs of a maximum matching: equal calls first, then the earliest expected with the earliest actual."""
    first = _kth_with_kth(equal)
    settled = [(i, j) for i, j in first if rules.of(actual[i][1].name).preorder]
    open_columns = (1 << len(expected)) - 1 - sum(1 << j for _, j in settled)
    taken = {i for i, _ in settled}
    rest = [0 if i in taken else row & open_columns for i, row in enumerate(rows)]
    if _largest_by_function(actual, rules) > _LARGE:
        return sorted([*settled, *((i, j) for i, j in enumerate(maximum(rest)[1]) if j >= 0)])
    return sorted([*settled, *earliest_matching(rest, len(expected), [pair for pair in first if pair[0] not in taken])])


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

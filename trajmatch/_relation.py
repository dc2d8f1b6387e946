"""Which actual calls may stand for which expected ones, as bit masks.

The arguments of a call are an object, open (expected) or not captured (actual), or raw text. A rule is consulted where
both are objects; otherwise an open call takes any, equal raw texts are the same, and only `ignore` takes the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple, cast

from trajmatch._columns import Calls
from trajmatch._comparison import Side
from trajmatch._model import ToolCall
from trajmatch._pairing import bits, transpose
from trajmatch._rules import Rule, Steps
from trajmatch._tool_rules import Rules
from trajmatch._values import Unfreezable, json_equal, parsed_equal
from trajmatch.errors import RuleError

__all__ = ["Sides", "by_tool", "places_of", "relation", "same_arguments"]

Objects = dict[int, dict[str, Any] | None]
_PAIRWISE = 64
"""So many comparisons of two calls are cheaper than keys for the whole group."""
_FEW = 2
"""The same where the arguments are prepared for each comparison."""


def relation(actual: Calls, expected: Calls, rules: Rules) -> list[int]:
    """Give for each actual call the mask of the expected ones that it may stand for.

    Raises:
        RuleError: A rule, or a value's own `==`, raised or gave no bool.
    """
    own = expected.own_rules
    if not own:
        return _related(actual, expected, rules)
    groups: dict[object, tuple[Rules, list[int]]] = {}
    for place in range(len(expected)):
        rule = own.get(place)
        meaning = rule and (id(rule.written) if callable(rule.written) else rule.meaning)
        groups.setdefault(meaning, (rules.only(rule) if rule else rules, []))[1].append(place)
    rows = [0] * len(actual)
    for ruling, places in groups.values():
        part = _related(actual, expected.select(places), ruling)
        rows = [row | sum(1 << places[j] for j in bits(more)) for row, more in zip(rows, part, strict=True)]
    return rows


class Sides:
    """The calls that count on both sides, and how many of them pair.

    Attributes:
        actual: The actual calls, each with its position in the flat list.
        expected: The expected calls.
        rules: The rules of the tools.
        paired: The number of pairs.
    """

    paired: int

    def __init__(self, actual: Calls, expected: Calls, rules: Rules) -> None:
        self.actual, self.expected, self.rules = actual, expected, rules

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


def _related(actual: Calls, expected: Calls, rules: Rules) -> list[int]:
    """The relation, where no call has a rule of its own."""
    free, asked = by_tool(expected, rules)
    rows = [free.get(tool, 0) for tool in actual.names]
    if asked:
        columns = [0] * len(expected)
        lefts = {tool: left for tool, left in places_of(actual.names).items() if tool in asked}
        ours = _objects(actual, lefts.values())
        theirs = _objects(expected, [right for tool, right in asked.items() if tool in lefts])
        for tool, left in lefts.items():
            group = _Group(actual, expected, rules.of(tool), left, asked[tool], ours, theirs)
            _relate(group, rows, columns)
        if any(columns):
            rows = [row | more for row, more in zip(rows, transpose(columns, len(actual)), strict=True)]
    return rows


def _objects(calls: Calls, groups: Iterable[list[int]]) -> Objects:
    """The arguments of calls as objects, by their places."""
    places = [place for group in groups for place in group]
    return dict(zip(places, calls.objects(places), strict=True))


def by_tool(expected: Calls, rules: Rules) -> tuple[dict[str, int], dict[str, list[int]]]:
    """Give the expected calls of each tool: the mask of those that take any arguments, and the places of the others."""
    names, given = expected.names, expected.given
    free = dict.fromkeys(names, 0)
    asked: dict[str, list[int]] = {}
    consulting: set[str] = set()
    if given.count(None) < len(given):
        consulting = {tool for tool in free if rules.of(tool).consults}
    for place, tool in enumerate(names):
        if tool in consulting and given[place] is not None:
            asked.setdefault(tool, []).append(place)
        else:
            free[tool] |= 1 << place
    return free, asked


def places_of(names: Sequence[str]) -> dict[str, list[int]]:
    """Give the places of the calls of each tool."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name, []).append(place)
    return places


def same_arguments(actual: tuple[int, ToolCall], expected: tuple[int, ToolCall], rule: Rule) -> bool:
    """Say whether one actual call may stand for one expected call of the same tool.

    Raises:
        RuleError: As for `relation`.
    """
    if not rule.consults:
        return True
    a, e = actual[1].arguments, expected[1].arguments
    if a is None or e is None:
        return _same_texts(actual[1], expected[1])
    try:
        return rule.same(a, e)
    except Exception as error:
        raise _failed(rule, actual[1].name, actual[0], expected[0], error) from error


def _same_texts(actual: ToolCall, expected: ToolCall) -> bool:
    """Whether two calls are the same of which one has no object: an open one takes any, equal texts are the same."""
    raw = expected.raw_arguments
    return expected.arguments is None and (raw is None or raw == actual.raw_arguments)


def _failed(rule: Rule, tool: str, i: int, j: int, error: Exception) -> RuleError:
    return RuleError(
        f"comparing the arguments of {tool!r}, actual[{i}] with expected[{j}], under {rule.text}: "
        f"{type(error).__name__}: {error}",
        tool=tool,
        actual_index=i,
        expected_index=j,
    )


class _Group(NamedTuple):
    """The calls of one tool on both sides, by their places in the two sequences."""

    actual: Calls
    expected: Calls
    rule: Rule
    left: list[int]
    right: list[int]
    ours: Objects
    theirs: Objects


def _relate(group: _Group, rows: list[int], columns: list[int]) -> None:
    """Set the bits of one group, in the rows or in the columns, whichever is the quicker."""
    few = _FEW if group.rule.differing else _PAIRWISE
    if group.rule.key is None or len(group.left) * len(group.right) <= few:
        _relate_pairwise(group, group.left, group.right, rows)
    else:
        _relate_texts(group, rows)
        _relate_by_key(group, group.rule.key, rows, columns)


def _relate_pairwise(group: _Group, left: Iterable[int], right: Sequence[int], rows: list[int]) -> None:
    actual, expected, same, theirs = group.actual, group.expected, group.rule.same, group.theirs
    steps = group.rule.steps
    ready, asked = _Prepared(group.ours, steps, "actual"), _Prepared(theirs, steps, "expected")
    texts = same is json_equal and actual.all_text and expected.all_text
    given, needed = cast("tuple[Sequence[str], Sequence[str]]", (actual.given, expected.given))
    for i in left:
        ours = group.ours[i]
        for j in right:
            wanted = theirs[j]
            if ours is None or wanted is None:
                alike = _same_texts(actual.calls[i], expected.calls[j])
            elif texts:
                alike = parsed_equal(given[i], needed[j], ours, wanted)
            else:
                try:
                    alike = steps.same(ready[i], asked[j]) if steps else same(ours, wanted)
                except Exception as error:
                    positions = actual.positions[i], expected.positions[j]
                    raise _failed(group.rule, actual.names[i], *positions, error) from error
            if alike:
                rows[i] |= 1 << j


class _Prepared(dict[int, Any]):
    """What argument objects are prepared to, by their places: each once, when it is first asked for."""

    def __init__(self, objects: Objects, steps: Steps | None, side: Side) -> None:
        self._objects: dict[int, Any] = objects
        self._steps = steps
        self._side: Side = side

    def __missing__(self, place: int) -> Any:
        arguments = self._objects[place]
        found = self[place] = self._steps.prepared(arguments, self._side) if self._steps else arguments
        return found


def _relate_texts(group: _Group, rows: list[int]) -> None:
    """Arguments that are no object are the same where their texts are."""
    holders = _holders(_texts(group.expected, group.right, group.theirs))
    for text, i in _texts(group.actual, group.left, group.ours):
        rows[i] |= holders[text]


def _texts(calls: Calls, places: Iterable[int], objects: Objects) -> list[tuple[str, int]]:
    """The texts of arguments that are no object, with their places."""
    given = calls.given
    return [(text, place) for place in places if objects[place] is None and isinstance(text := given[place], str)]


def _relate_by_key(
    group: _Group, key: Callable[[dict[str, Any]], Hashable], rows: list[int], columns: list[int]
) -> None:
    left, odd_left = _keys(group.left, group.ours, key)
    right, odd_right = _keys(group.right, group.theirs, group.rule.expected_key or key)
    _relate_pairwise(group, odd_left, [*right, *odd_right], rows)
    _relate_pairwise(group, left, odd_right, rows)
    if group.rule.relates == "equal":
        holders = _holders((key, j) for j, key in right.items())
        for i, own in left.items():
            rows[i] |= holders[own]
    elif group.rule.relates == "within":
        _add_containing(left, right, rows)
    else:
        _add_containing(right, left, columns)


def _keys(
    places: Iterable[int], objects: Objects, key: Callable[[dict[str, Any]], Hashable]
) -> tuple[dict[int, Hashable], list[int]]:
    """The keys of the argument objects that have one, and the places of the objects that do not."""
    keys: dict[int, Hashable] = {}
    odd: list[int] = []
    for place in places:
        if (arguments := objects[place]) is not None:
            try:
                keys[place] = key(arguments)
            except Unfreezable:
                odd.append(place)
    return keys, odd


def _add_containing(small: dict[int, Hashable], large: dict[int, Hashable], masks: list[int]) -> None:
    """Add to the mask of each small set the large sets that contain all of its items."""
    holders = _holders((item, place) for place, key in large.items() for item in cast("frozenset[Hashable]", key))
    every = _mask(large)
    for place, key in small.items():
        mask = every
        for item in cast("frozenset[Hashable]", key):
            mask &= holders[item]
        masks[place] |= mask


def _holders(found: Iterable[tuple[Hashable, int]]) -> defaultdict[Hashable, int]:
    holders: defaultdict[Hashable, int] = defaultdict(int)
    for key, place in found:
        holders[key] |= 1 << place
    return holders


def _mask(places: Iterable[int]) -> int:
    mask = 0
    for place in places:
        mask |= 1 << place
    return mask

"""Twins: equal calls, which pair before all others, the k-th with the k-th.

They are found from argument texts and objects, without keys and without the relation, so that a match that differs in
one call looks at few calls more than at this one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, cast

from trajmatch._columns import Calls
from trajmatch._model import ToolCall
from trajmatch._pairing import Pairs
from trajmatch._relation import places_of
from trajmatch._values import Unfreezable, all_plain, freeze, json_equal, parsed_equal

__all__ = ["alike", "equal_key", "equal_rows", "json_alone", "twins"]

_SEARCHED = 10_000
"""Up to so many comparisons are cheaper than a key for each call."""
_NONE: tuple[list[int], list[object]] = ([], [])
_SHORT, _SHALLOW = 200, 100
"""What is written in so many characters, or with so many brackets, is not deeper than a key may be."""


def json_alone(calls: Calls) -> bool:
    """Say whether all arguments are JSON alone, of which each has a key: no value has an equality of its own."""
    if not calls.all_text:
        return all_plain(calls.objects(range(len(calls))))
    texts = cast("Sequence[str]", calls.given)
    if max(map(len, texts), default=0) <= _SHORT:
        return True
    large = [place for place, text in enumerate(texts) if len(text) > _SHORT and not _is_shallow(text)]
    return not large or all_plain(calls.objects(large))


def _is_shallow(text: str) -> bool:
    return text[:1] == "{" and text.count("{") + text.count("[") <= _SHALLOW


def _stated(calls: Calls, places: Sequence[int]) -> list[object]:
    """The arguments at some places as objects, or as texts where they are none; `None` where they are not stated."""
    given = calls.given
    found = zip(places, calls.objects(places), strict=True)
    return [given[place] if arguments is None else arguments for place, arguments in found]


def _by_text(actual: Calls, expected: Calls) -> bool:
    return actual.all_text and expected.all_text


def _equality(actual: Calls, expected: Calls) -> Callable[[Any, Any, Any, Any], bool]:
    """Whether arguments are equal: a function of what is given on both sides, and of the objects that this is."""
    return parsed_equal if _by_text(actual, expected) else lambda given, wanted, ours, theirs: json_equal(ours, theirs)


def alike(actual: Calls, left: Sequence[int], expected: Calls, right: Sequence[int]) -> list[bool]:
    """Say of the calls at these places, which hold JSON alone, whether the one equals the other."""
    names, tools, given, wanted = actual.names, expected.names, actual.given, expected.given
    texts, pairs = _by_text(actual, expected), [*zip(left, right, strict=True)]
    found = [texts and given[i] == wanted[j] and names[i] == tools[j] for i, j in pairs]
    asked = [at for at, (i, j) in enumerate(pairs) if not found[at] and names[i] == tools[j]]
    ours, theirs = _stated(actual, [left[at] for at in asked]), _stated(expected, [right[at] for at in asked])
    equal = _equality(actual, expected)
    for at, one, other in zip(asked, ours, theirs, strict=True):
        found[at] = one is not None and equal(given[left[at]], wanted[right[at]], one, other)
    return found


def twins(actual: Calls, expected: Calls) -> Pairs:
    """Give the pairs of equal calls, of which all hold JSON alone: each with the first that is free."""
    given, wanted = actual.given, expected.given
    texts = _by_text(actual, expected) and not {*cast("Sequence[str]", given)}.isdisjoint(wanted)
    if not texts and len(given) * len(wanted) <= _SEARCHED:
        return _searched(actual, range(len(given)), expected, range(len(wanted)))
    pairs, rights = Pairs(), places_of(expected.names)
    lefts, asked = list[int](), list[int]()
    for tool, left in places_of(actual.names).items():
        right = rights.get(tool, [])
        if texts and [given[i] for i in left] == [wanted[j] for j in right]:
            pairs += zip(left, right, strict=True)
        elif len(left) * len(right) > _SEARCHED:
            pairs += _by_key(actual, left, expected, right)
        elif right:
            lefts += left
            asked += right
    return pairs + _searched(actual, lefts, expected, asked)


def _searched(actual: Calls, left: Sequence[int], expected: Calls, right: Sequence[int]) -> Pairs:
    """The pairs of the calls at some places, mostly found by `==`, which knows no bool and no NaN."""
    free: dict[str, tuple[list[int], list[object]]] = {}
    for j, theirs in zip(right, _stated(expected, right), strict=True):
        places, objects = free.setdefault(expected.names[j], ([], []))
        places.append(j)
        objects.append(theirs)
    pairs, given, wanted, equal = Pairs(), actual.given, expected.given, _equality(actual, expected)
    for i, ours in zip(left, _stated(actual, left), strict=True):
        places, objects = free.get(actual.names[i], _NONE)
        if ours is None:
            continue
        try:
            at = objects.index(ours)
        except ValueError:
            if not _may_hold_nan(ours):
                continue
            at = -1
        if at < 0 or not (type(ours) is str or equal(given[i], wanted[places[at]], ours, objects[at])):
            both = enumerate(zip(places, objects, strict=True))
            at = next((at for at, (j, theirs) in both if equal(given[i], wanted[j], ours, theirs)), -1)
        if at >= 0:
            pairs.append((i, places.pop(at)))
            del objects[at]
    return pairs


def _may_hold_nan(arguments: object) -> bool:
    try:
        return "nan" in repr(arguments)
    except ValueError:  # an integer that is too long to be written
        return True


def _by_key(actual: Calls, left: list[int], expected: Calls, right: list[int]) -> Pairs:
    free: dict[Hashable, list[int]] = {}
    for j, key in zip(reversed(right), _keys(expected, right[::-1]), strict=True):
        free.setdefault(key, []).append(j)
    keys = zip(left, _keys(actual, left), strict=True)
    return [(i, places.pop()) for i, key in keys if key is not None and (places := free.get(key))]


def _keys(calls: Calls, places: Sequence[int]) -> Iterator[Any]:
    """The keys that equal arguments share; `None` where they are not stated."""
    for place, arguments in zip(places, calls.objects(places), strict=True):
        yield calls.given[place] if arguments is None else freeze(arguments)


def equal_key(tool: str, call: ToolCall) -> Hashable:
    """The key that equal calls share; `None` where arguments are open, hold a set, or decide by their own `==`.

    Such values are equal to several that are not equal to each other, so that none of these may pair early.
    """
    if call.arguments is None:
        return None if call.raw_arguments is None else (tool, call.raw_arguments, None)
    try:
        return tool, None, freeze(call.arguments)
    except Unfreezable:
        return None


def _equal_keys(calls: Calls) -> Iterator[Hashable]:
    return map(equal_key, calls.names, calls.calls)


def equal_rows(actual: Calls, expected: Calls, rows: list[int]) -> list[int]:
    """Give the part of the relation in which the calls are equal, whatever the rules say."""
    holders: dict[Hashable, int] = {}
    for j, key in enumerate(_equal_keys(expected)):
        if key is not None:
            holders[key] = holders.get(key, 0) | 1 << j
    return [row & holders.get(key, 0) for row, key in zip(rows, _equal_keys(actual), strict=True)]

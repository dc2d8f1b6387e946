"""JSON equality: what it means that two argument values are the same.

`True` is not `1`; `1` equals `1.0`; `"1"` is not `1`; the order of keys does not matter, that of lists does; a missing
key is not `null`; NaN equals NaN; large integers are exact. Values of other types that have a JSON form compare by it
(see `json_form`); any other expected value decides by its own `==`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import Any, cast

from trajmatch._json_form import PLAIN, SCALARS, TEXT, Bag, Unordered, json_form, with_text_keys
from trajmatch._pairing import maximum
from trajmatch._shown import shown

__all__ = [
    "Unfreezable",
    "all_plain",
    "freeze",
    "json_equal",
    "parsed_equal",
    "plainly_equal",
]

_NUMBERS: frozenset[object] = frozenset({int, float})
_DICT = {dict}
_LISTS = {list, Unordered, Bag}
_KEPT = frozenset({str, int, type(None)})
"""What is its own key."""
_type_of: Callable[[object], type[object]] = type
_NAN, _TRUE, _FALSE = object(), object(), object()


class Unfreezable(TypeError):
    """A value without a hashable form: it decides by its own `==`, or it is too large or too deep."""


def json_equal(actual: object, expected: object) -> bool:
    """Say whether two values are the same as JSON; see the module for the rules.

    Neither depth nor cycles are a problem.

    Raises:
        Exception: Whatever the `==` of an expected value raises.
    """
    try:
        same = _compared(actual, expected, [1_000], 50)
    except Exception:  # a key with an equality of its own
        same = None
    return _walked(actual, expected, {}) if same is None else same


def parsed_equal(text: str, wanted: str, actual: Any, expected: Any) -> bool:
    """Say what `json_equal` says of what was parsed from two texts, mostly by `==`, which knows no bool and no NaN."""
    if text[:1] != "{" or wanted[:1] != "{":  # encoded twice, say, where words may be escaped
        return json_equal(actual, expected)
    try:
        differs = actual != expected
    except RecursionError:
        return json_equal(actual, expected)
    if differs:
        return "NaN" in text and "NaN" in wanted and json_equal(actual, expected)
    if not ("true" in text or "false" in text or "true" in wanted or "false" in wanted):
        return True
    kinds = [*map(type, actual.values())]
    if SCALARS.issuperset(kinds) and kinds == [type(expected[key]) for key in actual]:
        return True
    return json_equal(actual, expected)


def plainly_equal(actual: object, expected: object) -> bool:
    """Say whether two values are equal and of the same plain JSON types throughout.

    It says no where `json_equal` may say yes: NaN, numbers of two types, values of other types, large and deep values.
    What it calls equal is so to a third value, too.
    """
    try:
        return _same_types(actual, expected, [400]) and actual == expected
    except Exception:  # a key is missing, or has an equality of its own
        return False


def _same_types(actual: Any, expected: Any, budget: list[int]) -> bool:
    """Whether two values are containers, of the same plain types throughout."""
    kind = _type_of(actual)
    budget[0] -= 1
    if budget[0] < 0 or kind is not _type_of(expected):
        return False
    if kind is not dict:
        return kind is list and _same_item_types(actual, expected, budget)
    if not TEXT.issuperset(map(type, actual)):
        return False
    for key, one in actual.items():
        inner = _type_of(one)
        if inner in SCALARS:
            if inner is not _type_of(expected[key]):
                return False
        elif not _same_types(one, expected[key], budget):
            return False
    return True


def _same_item_types(actual: list[Any], expected: list[Any], budget: list[int]) -> bool:
    kinds: list[Any] = [*map(type, actual)]
    if kinds != [*map(type, expected)]:
        return False
    if SCALARS.issuperset(kinds):
        return True
    inner = [place for place, kind in enumerate(kinds) if kind not in SCALARS]
    return all(_same_types(actual[place], expected[place], budget) for place in inner)


def all_plain(values: Sequence[object]) -> bool:
    """Say whether values are of plain JSON types throughout, so that no part of them has an equality of its own.

    It says no of large and deep values.
    """
    level, most = values, 1_000 + 100 * len(values)
    for _ in range(50):
        kinds = {*map(type, level)}
        if kinds <= SCALARS:
            return True
        dicts = [cast("dict[object, object]", value) for value in level if type(value) is dict]
        lists = [cast("list[object]", value) for value in level if type(value) is list]
        if not kinds <= PLAIN or not TEXT.issuperset(map(type, chain.from_iterable(dicts))):
            return False
        level = [*islice(chain(*(found.values() for found in dicts), *lists), most + 1)]
        if len(level) > most:
            return False
    return False


def _compared(actual: object, expected: object, budget: list[int], depth: int) -> bool | None:
    """Whether two values of plain JSON types are the same; `None` where they have other types, or go too far."""
    kind: object = type(actual)
    wanted: object = type(expected)
    if kind is not wanted:
        if kind not in PLAIN or wanted not in PLAIN:
            return None
        return kind in _NUMBERS and wanted in _NUMBERS and bool(actual == expected)
    if kind in SCALARS:
        return bool(actual == expected) or bool(actual != actual and expected != expected)
    budget[0] -= 1
    if budget[0] < 0 or depth == 0 or kind not in PLAIN:
        return None
    compare: Callable[..., bool | None] = _dicts if kind is dict else _lists
    return compare(actual, expected, budget, depth - 1)


def _dicts(actual: dict[str, object], expected: dict[str, object], budget: list[int], depth: int) -> bool | None:
    if actual.keys() != expected.keys():
        return False if TEXT.issuperset(map(type, (*actual, *expected))) else None
    for key, one in actual.items():
        other = expected[key]
        kind: object = type(one)
        if type(key) is not str:
            return None
        if kind is type(other) and kind in SCALARS:
            if one != other and (one == one or other == other):
                return False
        elif not (same := _compared(one, other, budget, depth)):
            return same
    return True


def _lists(actual: list[object], expected: list[object], budget: list[int], depth: int) -> bool | None:
    if len(actual) != len(expected):
        return False
    for one, other in zip(actual, expected, strict=True):
        if not (same := _compared(one, other, budget, depth)):
            return same
    return True


def _walked(actual: object, expected: object, known: dict[tuple[int, int], bool]) -> bool:
    """`json_equal` of any values: with a stack of its own, and each pair of containers taken once."""
    pending = [(actual, expected)]
    taken: dict[tuple[int, int], tuple[object, object]] = {}  # holds both, so that no id is used twice
    while pending:
        pair = pending.pop()
        a, e = pair
        if a is e:
            continue
        a, e = json_form(a), json_form(e)
        if type(a) in SCALARS or type(e) in SCALARS:
            if not _equal_scalars(a, e):
                return False
        elif (key := (id(pair[0]), id(pair[1]))) not in taken:
            taken[key] = pair
            inner = _inner_pairs(a, e, known)
            if inner is None:
                return False
            pending += inner
    return True


def _equal_scalars(actual: Any, expected: Any) -> bool:
    if type(actual) is bool or type(expected) is bool:
        if type(actual) in PLAIN and type(expected) in PLAIN:
            return actual is expected
    elif type(actual) is float and type(expected) is float and actual != actual:
        return expected != expected
    return _answer(expected == actual)


def _inner_pairs(actual: Any, expected: Any, known: dict[tuple[int, int], bool]) -> list[tuple[object, object]] | None:
    """The pairs of inner values that must be the same, or `None` where the containers differ already.

    `known` says of which items of sets that was asked before.
    """
    kinds: set[type[object]] = {type(actual), type(expected)}
    if kinds == _DICT:
        if actual.keys() != expected.keys() or not TEXT.issuperset(map(type, expected)):
            actual, expected = with_text_keys(actual), with_text_keys(expected)
            if actual.keys() != expected.keys():
                return None
        return [(actual[key], value) for key, value in expected.items()]
    if kinds <= _LISTS:
        if len(actual) != len(expected):
            return None
        if Unordered not in kinds and list in kinds:  # a rule makes bags of both sides: another value sees the list
            return list(zip(actual, expected, strict=True))
        with suppress(Unfreezable):
            return [] if Counter(map(freeze, actual)) == Counter(map(freeze, expected)) else None
        rows = [sum(_same_items(a, e, known) << j for j, e in enumerate(expected)) for a in actual]
        return [] if maximum(rows)[0] == len(rows) else None
    return [] if _answer(expected == actual) else None


def _same_items(actual: object, expected: object, known: dict[tuple[int, int], bool]) -> bool:
    key = id(actual), id(expected)
    if key not in known:
        known[key] = _walked(actual, expected, known)
    return known[key]


def _answer(of_equality: object) -> bool:
    """The bool that an `==` gave, or NumPy's; anything else is true by accident."""
    if type(of_equality).__name__ not in {"bool", "bool_"}:
        raise TypeError(f"== gave {shown(of_equality)}, no bool")
    return bool(of_equality)


def freeze(value: object) -> Hashable:
    """Give a hashable key of a value: two keys are equal exactly where the values are the same as JSON.

    Raises:
        Unfreezable: For a set, a value that decides by its own `==`, and one of over 10,000 containers or 100 levels.
    """
    try:
        return _freeze(value, [10_000], 100)
    except Exception as error:  # values that raise when somebody looks at them are compared one by one
        raise Unfreezable from error


def _freeze(value: object, budget: list[int], depth: int) -> Hashable:
    kind = type(value)
    if kind is bool:
        return _TRUE if value else _FALSE
    if kind in SCALARS:
        return value if value == value else _NAN
    budget[0] -= 1
    if budget[0] < 0 or depth == 0:
        raise Unfreezable
    container: Any = value
    if kind is dict:
        items = with_text_keys(container).items()
        return frozenset([(k, v if type(v) in _KEPT else _freeze(v, budget, depth - 1)) for k, v in items])
    if kind is list:
        return tuple([v if type(v) in _KEPT else _freeze(v, budget, depth - 1) for v in container])
    form = json_form(value)
    if type(form) not in PLAIN:
        raise Unfreezable
    return _freeze(form, budget, depth)

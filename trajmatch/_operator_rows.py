"""The closed list of operators: when each holds of an actual value, and what it takes."""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Any, NamedTuple

from trajmatch._json_form import is_dict, is_list, json_form
from trajmatch._nearest import choose
from trajmatch._numbers import is_near, is_number, is_whole
from trajmatch._patterns import Pattern
from trajmatch._values import json_equal

__all__ = ["OPERATORS", "Row"]

_ABS, _REL = 1e-12, 1e-6
"""The tolerances of `$approx` where none is given, which are those of `pytest.approx`."""
_Operand = tuple[str, Callable[[Any], bool]]


class Row(NamedTuple):
    """One operator of the list.

    Attributes:
        holds: Whether an actual value, in its JSON form, is as the operand and the options say.
        operand: What the operand is, in words, and whether a value, in its JSON form, is one.
        read: Gives the operand from what was written, or raises a `ValueError`; where it is `None`, operators in it are
            read.
        options: What may stand beside it.
        note: What else there is to know of an actual value for which it does not hold.
    """

    holds: Callable[[Any, Any, dict[str, Any]], bool]
    operand: _Operand
    read: Callable[[Any], Any] | None = None
    options: tuple[str, ...] = ()
    note: Callable[[Any, Any], str] = lambda actual, operand: ""


def _is_true(value: object) -> bool:
    return value is True


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_pattern(value: Any) -> bool:
    return _is_text(getattr(value, "pattern", value))


def _matches(actual: Any, pattern: Any, options: dict[str, Any]) -> bool:
    return isinstance(actual, str) and pattern.fullmatch(actual) is True


def _too_long(actual: Any, pattern: Any) -> str:
    return pattern.note(actual) if isinstance(actual, str) else ""


def _near(actual: Any, wanted: Any, options: dict[str, Any]) -> bool:
    if not options:
        options = {"abs": _ABS, "rel": _REL}
    return is_number(actual) and is_near(actual, wanted, options.get("abs", 0.0), options.get("rel", 0.0))


def _contains(actual: Any, wanted: Any, options: dict[str, Any]) -> bool:
    if isinstance(actual, str):
        return isinstance(wanted, str) and wanted in actual
    return is_list(actual) and any(json_equal(item, wanted) for item in actual)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any, dict[str, Any]], bool]:
    def holds(actual: Any, wanted: Any, options: dict[str, Any]) -> bool:
        of_one_type = (is_number(actual) and is_number(wanted)) or (_is_text(actual) and _is_text(wanted))
        return of_one_type and compare(actual, wanted)

    return holds


_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": _is_text,
    "number": is_number,
    "integer": is_whole,
    "boolean": lambda value: isinstance(value, bool),
    "object": is_dict,
    "array": is_list,
    "null": lambda value: value is None,
}
"""The types of JSON Schema."""


def _is_type(value: Any) -> bool:
    words = value if is_list(value) else [value]
    return bool(words) and all(isinstance(word, str) and word in _TYPES for word in words)


def _has_type(actual: Any, wanted: Any, options: dict[str, Any]) -> bool:
    return any(_TYPES[word](actual) for word in (wanted if is_list(wanted) else [wanted]))


def _one_of(actual: Any, wanted: Any, options: dict[str, Any]) -> bool:
    return any(json_equal(actual, one) for one in wanted)


def _all(actual: Any, wanted: Any, options: dict[str, Any]) -> bool:
    return all(json_equal(actual, one) for one in wanted)


def _not(actual: Any, wanted: Any, options: dict[str, Any]) -> bool:
    return not json_equal(actual, wanted)


def _any(actual: Any, wanted: Any, options: dict[str, Any]) -> bool:
    return True


def _starts_with(actual: Any, wanted: Any, options: dict[str, Any]) -> bool:
    return isinstance(actual, str) and actual.startswith(wanted)


_ORDERED: _Operand = ("a number or a text", lambda value: is_number(value) or _is_text(value))
_ANYTHING: _Operand = ("a value", lambda value: True)
_SEVERAL: _Operand = ("a list that is not empty", lambda value: is_list(value) and bool(value))

OPERATORS: dict[str, Row] = {
    "$any": Row(_any, ("true", _is_true)),
    "$regex": Row(_matches, ("a pattern", _is_pattern), Pattern, note=_too_long),
    "$approx": Row(_near, ("a number", is_number), json_form, ("abs", "rel")),
    "$one_of": Row(_one_of, _SEVERAL),
    "$type": Row(_has_type, (f"one or several of {choose(_TYPES)}", _is_type), json_form),
    "$contains": Row(_contains, _ANYTHING),
    "$starts_with": Row(_starts_with, ("a text", _is_text), json_form),
    "$gt": Row(_ordered(gt), _ORDERED, json_form),
    "$gte": Row(_ordered(ge), _ORDERED, json_form),
    "$lt": Row(_ordered(lt), _ORDERED, json_form),
    "$lte": Row(_ordered(le), _ORDERED, json_form),
    "$not": Row(_not, _ANYTHING),
    "$all": Row(_all, _SEVERAL),
}
"""The closed list."""

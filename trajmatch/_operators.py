"""Values that decide for themselves: a closed list of operators, in Python and as data.

An operator is a value whose `==` says whether an actual value is as it should be, so that whatever compares an expected
value asks it. As data it is an object of one key that begins with `$`: `{"$gte": 5}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from operator import ge, gt, le, lt
from typing import Any, NamedTuple, cast

from trajmatch._comparison import is_near, is_number
from trajmatch._json_form import is_dict, is_list, json_form
from trajmatch._nearest import choose, did_you_mean
from trajmatch._shown import shown
from trajmatch._values import json_equal
from trajmatch.errors import ConversionError

__all__ = ["OPERATORS", "Operator", "arguments_with_operators", "operator", "with_operators"]

TIMEOUT = 0.5
"""So many seconds a pattern may take for one text."""
_CONTAINERS = (dict, list, tuple)
"""What data holds operators in."""
_ABS, _REL = 1e-12, 1e-6
"""The tolerances of `$approx` where none is given, which are those of `pytest.approx`."""


class Operator:
    """One operator with what it was given.

    Attributes:
        name: Its name, with the `$`.
        operand: What it compares with.
        options: What stands beside it.
    """

    __slots__ = ("name", "operand", "options", "written")

    def __init__(self, name: str, operand: object, options: Mapping[str, Any] | None = None, written: object = None):
        self.name, self.operand, self.options = name, operand, dict(options or {})
        self.written = written

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Operator):
            ours, theirs = ((x.name, x.options) for x in (self, other))
            return ours == theirs and json_equal(self.operand, other.operand)
        return OPERATORS[self.name].holds(json_form(other), self.operand, self.options)

    __hash__ = None  # type: ignore[assignment]  # it equals values that are not equal to each other

    def __repr__(self) -> str:
        if self.written is not None:
            return shown(self.written)
        beside = "".join(f", {shown(key)}: {shown(value)}" for key, value in self.options.items())
        return f"{{{shown(self.name)}: {shown(self.operand, 2_000)}{beside}}}"

    def __reduce__(self) -> tuple[object, ...]:
        return Operator, (self.name, self.operand, self.options, self.written)

    def note(self, actual: object) -> str:
        """Say what else there is to know of an actual value for which it does not hold."""
        return OPERATORS[self.name].note(json_form(actual), self.operand)


class _Row(NamedTuple):
    """One operator of the list.

    Attributes:
        holds: Whether an actual value, in its JSON form, is as the operand and the options say.
        operand: What the operand is, in words, and whether a value is one.
        options: What may stand beside it.
        note: What else there is to know of an actual value for which it does not hold.
    """

    holds: Callable[[Any, Any, dict[str, Any]], bool]
    operand: tuple[str, Callable[[Any], bool]]
    options: tuple[str, ...] = ()
    note: Callable[[Any, Any], str] = lambda actual, operand: ""


def _is_true(value: object) -> bool:
    return value is True


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_pattern(value: Any) -> bool:
    try:
        return _is_text(getattr(value, "pattern", value)) and _compiled(value) is not None
    except Exception:  # the engine has errors of its own
        return False


def _compiled(pattern: Any) -> Any:
    import regex

    if isinstance(pattern, str):
        return regex.compile(pattern)
    return regex.compile(pattern.pattern, pattern.flags & ~re.DEBUG)


def _matches(actual: Any, pattern: Any, options: dict[str, Any]) -> bool:
    return _fullmatch(actual, pattern) is True


def _fullmatch(actual: Any, pattern: Any) -> bool | None:
    """Whether a text is what a pattern describes; `None` where that takes too long."""
    if not isinstance(actual, str):
        return False
    try:
        return _compiled(pattern).fullmatch(actual, timeout=TIMEOUT) is not None
    except TimeoutError:
        return None


def _too_long(actual: Any, pattern: Any) -> str:
    return f"the pattern took over {TIMEOUT} s" if _fullmatch(actual, pattern) is None else ""


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
    "integer": lambda value: is_number(value) and (isinstance(value, int) or value.is_integer()),
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


_Operand = tuple[str, Callable[[Any], bool]]
_ORDERED: _Operand = ("a number or a text", lambda value: is_number(value) or _is_text(value))
_ANYTHING: _Operand = ("a value", lambda value: True)
_SEVERAL: _Operand = ("a list that is not empty", lambda value: is_list(value) and bool(value))

OPERATORS: dict[str, _Row] = {
    "$any": _Row(_any, ("true", _is_true)),
    "$regex": _Row(_matches, ("a pattern", _is_pattern), note=_too_long),
    "$approx": _Row(_near, ("a number", is_number), ("abs", "rel")),
    "$one_of": _Row(_one_of, _SEVERAL),
    "$type": _Row(_has_type, (f"one or several of {choose(_TYPES)}", _is_type)),
    "$contains": _Row(_contains, _ANYTHING),
    "$starts_with": _Row(_starts_with, ("a text", _is_text)),
    "$gt": _Row(_ordered(gt), _ORDERED),
    "$gte": _Row(_ordered(ge), _ORDERED),
    "$lt": _Row(_ordered(lt), _ORDERED),
    "$lte": _Row(_ordered(le), _ORDERED),
    "$not": _Row(_not, _ANYTHING),
    "$all": _Row(_all, _SEVERAL),
}
"""The closed list."""


def operator(name: str, operand: object, options: Mapping[str, Any] | None = None, written: object = None) -> Operator:
    """Give an operator, with its operand checked and read.

    Raises:
        ConversionError: There is no such operator, or it was given something else than it takes.
    """
    row = OPERATORS.get(name)
    if row is None:
        raise ConversionError(
            f"there is no operator {name!r}{did_you_mean(name, OPERATORS)}; there are {choose(OPERATORS)}; "
            f"a key that begins so is written {'$' + name!r}"
        )
    words, is_operand = row.operand
    if not is_operand(operand):
        raise ConversionError(f"{name} takes {words}, got {shown(operand)}")
    for key, value in (options or {}).items():
        if key not in row.options:
            several = f'{{"$all": [{{"{name}": ...}}, {{"{key}": ...}}]}}' if key in OPERATORS else ""
            raise ConversionError(
                f"{key!r} cannot stand beside {name!r}" + (f"; for several at once write {several}" if several else "")
            )
        if not (is_number(value) and 0 <= value < float("inf")):
            raise ConversionError(f"{key!r} beside {name!r} is a number from 0, got {shown(value)}")
    return Operator(name, operand if name == "$regex" else with_operators(operand), options, written)


def arguments_with_operators(arguments: dict[str, Any]) -> dict[str, Any]:
    """Give expected arguments in which what is written as data is an operator.

    Raises:
        ConversionError: As `with_operators` does; an operator in place of all arguments.
    """
    read: object = with_operators(arguments)
    if isinstance(read, Operator):
        raise ConversionError(
            f"{read!r} stands for one argument, not for all of them; to leave these open write the bare name, "
            f"and a key that begins so is written {'$' + read.name!r}"
        )
    return cast("dict[str, Any]", read)


def with_operators(value: Any) -> Any:
    """Give an expected value in which what is written as data is an operator; the value itself where nothing is.

    Compiled patterns become operators, too, and a key that begins with `$$` loses one of them.

    Raises:
        ConversionError: An operator that does not exist, or is given something else than it takes.
    """
    try:
        return _read(value, {})
    except RecursionError:  # nobody writes operators so deep
        return value


def _read(value: Any, known: dict[int, Any]) -> Any:
    if isinstance(value, re.Pattern):
        pattern: object = cast("re.Pattern[str]", value)
        return operator("$regex", pattern, written=pattern)
    kind: object = type(cast("object", value))
    if kind not in _CONTAINERS:
        return value
    if id(value) not in known:
        known[id(value)] = value  # what holds itself, holds itself as it is
        known[id(value)] = _object(value, known) if kind is dict else _items(value, known)
    return known[id(value)]


def _items(value: Sequence[Any], known: dict[int, Any]) -> Any:
    items = [_read(item, known) for item in value]
    return value if all(new is old for new, old in zip(items, value, strict=True)) else items


def _object(value: dict[Any, Any], known: dict[int, Any]) -> Any:
    names = [key for key in value if isinstance(key, str) and key.startswith("$") and not key.startswith("$$")]
    if names:
        rest = {key: item for key, item in value.items() if key != names[0]}
        return operator(names[0], value[names[0]], rest)
    read = {_unescaped(key): _read(item, known) for key, item in value.items()}
    changed = any(new is not old for new, old in zip(read.values(), value.values(), strict=True))
    return read if changed or read.keys() != value.keys() else value


def _unescaped(key: Any) -> Any:
    return key[1:] if isinstance(key, str) and key.startswith("$$") else key

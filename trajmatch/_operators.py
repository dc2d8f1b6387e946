"""Values that decide for themselves: a closed list of operators, in Python and as data.

An operator is a value whose `==` says whether an actual value is as it should be, so that whatever compares an expected
value asks it. As data it is an object of one key that begins with `$`: `{"$gte": 5}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from trajmatch._access import is_mapping
from trajmatch._json_form import PLAIN, SCALARS, is_dict, is_list, is_tuple, json_form
from trajmatch._nearest import choose, did_you_mean
from trajmatch._numbers import is_number
from trajmatch._operator_rows import OPERATORS
from trajmatch._paths import Path, path_text
from trajmatch._patterns import is_compiled
from trajmatch._shown import shown
from trajmatch._values import json_equal
from trajmatch.errors import ConversionError

__all__ = ["OPERATORS", "Operator", "arguments_with_operators", "literal", "operator", "with_operators"]


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


def operator(
    name: str, operand: object, options: Mapping[str, Any] | None = None, written: object = None, path: Path = ()
) -> Operator:
    """Give an operator, with its operand checked and read.

    Args:
        name: Its name, with the `$`.
        operand: What it compares with.
        options: What stands beside it.
        written: How it is shown, where that is not its data form.
        path: Where it stands, for errors.

    Raises:
        ConversionError: There is no such operator, or it was given something else than it takes.
    """
    row = OPERATORS.get(name)
    if row is None:
        raise _wrong(
            path,
            f"there is no operator {name!r}{did_you_mean(name, OPERATORS, after='$')}; there are {choose(OPERATORS)}; "
            f"a key that begins so is written {'$' + name!r}",
        )
    words, is_operand = row.operand
    if not is_operand(json_form(operand)):
        raise _wrong(path, f"{name} takes {words}, got {shown(operand)}")
    for key, value in (options or {}).items():
        if key not in row.options:
            several = f'{{"$all": [{{"{name}": ...}}, {{"{key}": ...}}]}}' if key in OPERATORS else ""
            more = f"; for several at once write {several}" if several else ""
            raise _wrong(path, f"{key!r} cannot stand beside {name!r}{more}")
        if not (is_number(value) and 0 <= value < float("inf")):
            raise _wrong(path, f"{key!r} beside {name!r} is a number from 0, got {shown(value)}")
    if row.read is None:
        return Operator(name, _read(operand, {}, (*path, name)), options, written)
    try:
        return Operator(name, row.read(operand), options, written)
    except ValueError as error:
        raise _wrong(path, f"{name} takes {words}, got {shown(operand)}: {error}") from error


def _wrong(path: Path, text: str) -> ConversionError:
    return ConversionError(f"{path_text(path)}: {text}" if path else text)


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
        ConversionError: An operator that does not exist, or is given something else than it takes; it names its place.
    """
    try:
        return _read(value, {}, ())
    except RecursionError:  # nobody writes operators so deep
        return value


def _read(value: Any, known: dict[int, Any], path: Path) -> Any:
    kind: object = type(cast("object", value))
    if kind in SCALARS:
        return value
    if kind not in PLAIN:
        if is_compiled(value):
            return operator("$regex", value, written=value, path=path)
        if not (is_mapping(value) or is_list(value) or is_tuple(value)):
            return value
    if id(value) not in known:
        known[id(value)] = value  # what holds itself, holds itself as it is
        known[id(value)] = _inside(value, known, path)
    return known[id(value)]


def _inside(value: Any, known: dict[int, Any], path: Path) -> Any:
    try:
        form = json_form(value)
    except Exception:  # a value that raises when somebody looks at it
        return value
    if is_dict(form):
        return _object(value, form, known, path)
    return _items(value, form, known, path) if is_list(form) else value


def _items(value: Any, form: list[Any], known: dict[int, Any], path: Path) -> Any:
    items = [_read(item, known, (*path, place)) for place, item in enumerate(form)]
    return value if all(new is old for new, old in zip(items, form, strict=True)) else items


def _object(value: Any, form: dict[Any, Any], known: dict[int, Any], path: Path) -> Any:
    names = [key for key in form if isinstance(key, str) and key.startswith("$") and not key.startswith("$$")]
    if names:
        rest = {key: item for key, item in form.items() if key != names[0]}
        return operator(names[0], form[names[0]], rest, path=path)
    read = {
        _unescaped(key): item if type(item) in SCALARS else _read(item, known, (*path, key))
        for key, item in form.items()
    }
    changed = any(new is not old for new, old in zip(read.values(), form.values(), strict=True))
    return read if changed or read.keys() != form.keys() else value


def _unescaped(key: Any) -> Any:
    return key[1:] if isinstance(key, str) and key.startswith("$$") else key


def literal(value: Any) -> Any:
    """Give a value as it is written in an expected call so that nothing in it is an operator.

    Raises:
        ConversionError: It is nested too deep, or holds itself.
    """
    try:
        return _escaped(value)
    except RecursionError:
        raise ConversionError("a value is nested too deep, or holds itself") from None


def _escaped(value: Any) -> Any:
    if is_mapping(value):
        return {f"${key}" if str(key).startswith("$") else key: _escaped(item) for key, item in value.items()}
    return [*map(_escaped, value)] if is_list(value) or is_tuple(value) else value

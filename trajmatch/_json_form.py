"""What a value is as JSON: its form, outermost level by level, and its keys as text."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from math import isfinite, nan
from typing import Any, TypeGuard

from trajmatch._numbers import is_number
from trajmatch._shown import shown

__all__ = [
    "PLAIN",
    "SCALARS",
    "TEXT",
    "Bag",
    "Budget",
    "Unordered",
    "decides",
    "is_dict",
    "is_list",
    "is_tuple",
    "json_data",
    "json_form",
    "text_key",
    "with_text_keys",
]

SCALARS = frozenset({str, int, float, bool, type(None)})
PLAIN = SCALARS | {dict, list}
"""The types of JSON."""
TEXT = frozenset({str})
_MOST = 100_000


def is_dict(value: object) -> TypeGuard[dict[Any, Any]]:
    """Say whether a value is a dict, of whatever."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Say whether a value is a list, of whatever."""
    return isinstance(value, list)


def is_tuple(value: object) -> TypeGuard[tuple[Any, ...]]:
    """Say whether a value is a tuple, of whatever."""
    return isinstance(value, tuple)


class Unordered(list[Any]):
    """The JSON form of a set: a list whose order does not count."""


class Bag(Unordered):
    """A list whose order does not count, because a rule or a schema says so."""


class Budget:
    """So many values are looked at in the arguments of a call, since some hold one value many times."""

    __slots__ = ("_left",)

    def __init__(self) -> None:
        self._left = _MOST

    def spend(self, count: int = 1) -> None:
        """Count one value, or what takes as long as several.

        Raises:
            ValueError: There are too many.
        """
        self._left -= count
        if self._left < 0:
            raise ValueError(f"more than {_MOST} values")


def _number(value: Any) -> object:
    """A Decimal as the int or float that JSON text would give, where there is one."""
    if not value.is_finite():
        return nan if value.is_nan() else float(value)
    if value == value.to_integral_value() and value.adjusted() < 4000:
        return int(value)
    nearest = float(value)
    return nearest if value == type(value)(repr(nearest)) else value


def _fields(value: Any) -> dict[str, object]:
    from dataclasses import fields

    return {field.name: getattr(value, field.name) for field in fields(value)}


def _standard(value: object) -> object:
    from pydantic_core import to_jsonable_python

    return to_jsonable_python(value)


_FORMS: dict[str, Callable[[Any], object]] = {
    "builtins.bytes": lambda value: value.decode("utf-8", "surrogateescape"),
    "builtins.bytearray": lambda value: value.decode("utf-8", "surrogateescape"),
    "builtins.dict": dict,
    "builtins.float": float,
    "builtins.frozenset": Unordered,
    "builtins.int": int,
    "builtins.list": list,
    "builtins.mappingproxy": dict,
    "builtins.set": Unordered,
    "builtins.str": str.__str__,
    "builtins.tuple": list,
    "collections.abc.Mapping": dict,
    "datetime.date": _standard,
    "datetime.time": _standard,
    "datetime.timedelta": _standard,
    "decimal.Decimal": _number,
    "enum.Enum": lambda value: value.value,
    f"{Unordered.__module__}.{Unordered.__qualname__}": lambda value: value,
    "pydantic.main.BaseModel": lambda value: value.model_dump(warnings=False),
    "uuid.UUID": str,
}


@lru_cache(maxsize=512)
def _form_of(kind: type) -> Callable[[Any], object] | None:
    for parent in kind.__mro__:
        if form := _FORMS.get(f"{parent.__module__}.{parent.__qualname__}"):
            return form
    return _fields if hasattr(kind, "__dataclass_fields__") else None


def json_form(value: object) -> object:
    """Give the JSON form of the outermost level of a value, or the value itself where it has none."""
    kind: object = type(value)
    if kind in PLAIN or kind is Unordered:
        return value
    form = _form_of(kind)
    if form is None:
        return value
    given = form(value)
    return value if given is value else json_form(given)


def decides(value: object) -> bool:
    """Say whether a value, in its JSON form, has no JSON form: it decides by its own `==`."""
    return type(value) not in SCALARS and not isinstance(value, (dict, list)) and not is_number(value)


def json_data(value: object, *, finite: bool = True) -> Any:
    """Give a value in the types of JSON, from which the same value is read again.

    Raises:
        ValueError: Such text holds no value that is the same: a set, a number that is no float, or with `finite` not
            finite, and what decides by its own `==`.
        RecursionError: It is nested too deep, or holds itself.
    """
    form = json_form(value)
    if is_dict(form):
        return {key: json_data(item, finite=finite) for key, item in with_text_keys(form).items()}
    if is_list(form) and not isinstance(form, Unordered):
        return [json_data(item, finite=finite) for item in form]
    if type(form) not in SCALARS or (finite and isinstance(form, float) and not isfinite(form)):
        raise ValueError(f"{shown(value)} has no data form")
    return form


def text_key(key: object) -> str:
    """Give the key that JSON text would hold for a key of a Python dict."""
    if isinstance(key, str):
        return str.__str__(key)
    form = json_form(key)
    if isinstance(form, str):
        return form
    try:
        return json.dumps(form, default=str)
    except Exception:  # a key whose text raises
        return shown(form)


def with_text_keys(value: dict[Any, Any]) -> dict[str, Any]:
    return value if TEXT.issuperset(map(type, value)) else {text_key(k): v for k, v in value.items()}

"""How adapters look at messages: attributes or keys, live objects and stored JSON alike."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, TypeGuard, cast

from trajmatch._shown import shown
from trajmatch.errors import ConversionError

__all__ = [
    "Recognised",
    "call_id",
    "fields",
    "first",
    "get",
    "holds_fields",
    "is_delta",
    "is_mapping",
    "keys_of",
    "listed",
    "looks_like_call",
    "tool_name",
    "unreadable",
    "wire_arguments",
    "wire_call",
]

Recognised = Literal["no", "could_be", "certain"]
"""What an adapter says of one message: not its format; readable, but so it is for others; only this format."""

_Dict: type[dict[str, Any]] = dict
"""What nearly all stored messages are."""
_PLAIN = (str, bytes, int, float, list)
"""What has attributes, but none that a message has; a tuple may be a named one."""


def is_mapping(item: object) -> TypeGuard[Mapping[str, Any]]:
    """Say whether an item has keys, as stored JSON does, and not attributes."""
    kind: type = type(item)
    return _has_keys(kind)


@lru_cache(maxsize=1024)
def _has_keys(kind: type) -> bool:
    """Once for each type, since to ask an abstract class takes ten times as long."""
    return issubclass(kind, Mapping)


def get(item: object, name: str, default: Any = None) -> Any:
    """Give the value of a key or an attribute."""
    if type(item) is _Dict:
        return item.get(name, default)
    if is_mapping(item):
        return item.get(name, default)
    return default if isinstance(item, _PLAIN) else getattr(item, name, default)


def fields(item: object, names: Iterable[str]) -> Mapping[str, Any]:
    """Give a message as a mapping: itself, or the attributes of these names that an object has."""
    if type(item) is _Dict or is_mapping(item):
        return item
    return {name: getattr(item, name) for name in names if hasattr(item, name)}


def holds_fields(kind: type, fields: Iterable[str]) -> bool:
    """Say whether the objects of a type show of these fields what their `__dict__` holds, and nothing else."""
    plain = cast("object", kind.__getattribute__) is object.__getattribute__ and hasattr(kind, "__dict__")
    return plain and not any(hasattr(getattr(kind, name, None), "__get__") for name in fields)


def first(item: object, *names: str) -> Any:
    """Give the first of several keys or attributes that is there and not `None`."""
    for name in names:
        value = get(item, name)
        if value is not None:
            return value
    return None


def listed(value: object) -> Sequence[object]:
    """Give a value that should be a list; anything else than a list or tuple is empty."""
    return cast("Sequence[object]", value) if isinstance(value, (list, tuple)) else ()


def keys_of(item: object) -> tuple[str, ...]:
    """Give the keys or public attributes of a message, also those that a Pydantic model has beside its fields."""
    if is_mapping(item):
        return tuple(map(str, item))
    if isinstance(item, (str, bytes, int, float, list, tuple)) or item is None:
        return ()
    slots = [name for kind in type(item).__mro__ for name in getattr(kind, "__slots__", ())]
    more = getattr(item, "model_extra", None)
    names = [*getattr(item, "__dict__", {}), *slots, *(more if is_mapping(more) else ())]
    return tuple(name for name in names if not name.startswith("_"))


def wire_arguments(value: object) -> Mapping[str, Any] | str:
    """Give the arguments of a wire format, where `null`, an absent key and empty text all mean none.

    What is neither object nor text is kept as the JSON text that stands for it.
    """
    if type(value) is str:
        return value
    if value is None:
        return {}
    if isinstance(value, (str, Mapping)):
        return cast("str | Mapping[str, Any]", value)
    try:
        return json.dumps(value, default=shown)
    except (TypeError, ValueError, RecursionError):
        return shown(value)


_CALL = ("name", "arguments", "args", "input", "parameters", "function", "custom")


def wire_call(call: object) -> tuple[object, Mapping[str, Any] | str]:
    """Give the name and the arguments of a call in a wire format.

    They stand in an object under `function` or `custom`, or in the call itself, where `function` may be the name.
    """
    outer = fields(call, _CALL)
    function = outer.get("function") or outer.get("custom")
    inner = outer if function is None or isinstance(function, str) else fields(function, _CALL)
    name = function if isinstance(function, str) else inner.get("name")
    arguments = inner.get("arguments")
    return name, wire_arguments(first(inner, "args", "input", "parameters") if arguments is None else arguments)


def call_id(item: object, name: str, *others: str) -> str | None:
    """Give the first of several keys or attributes that holds an id, as text."""
    found = get(item, name)
    if found is None and others:
        found = first(item, *others)
    return found if type(found) is str or found is None else str(found)


def unreadable(index: int, item: object, what: str) -> ConversionError:
    """Give the error for a message that an adapter cannot read: where it sits, what it is, what was seen there."""
    keys = keys_of(item)
    seen = f"keys {list(keys)}" if keys else shown(item)
    return ConversionError(f"message {index}: {what}; saw {type(item).__name__} with {seen}", index=index, keys=keys)


def is_delta(item: object) -> bool:
    """Say whether an object is a piece of what a stream gives, as SDKs name them."""
    return "Delta" in type(item).__name__


def looks_like_call(item: object) -> bool:
    """Say whether an item has a name and arguments, whatever the words for them."""
    return first(item, *_NAMES) is not None and first(item, *_ARGUMENTS) is not None


_NAMES = ("name", "toolName", "tool_name", "function")
_ARGUMENTS = ("arguments", "args", "input", "parameters", "function")


def tool_name(index: int, item: object, name: object) -> str:
    """Give the name of the tool that a part of message `index` calls.

    Raises:
        ConversionError: There is none.
    """
    if isinstance(name, str) and name:
        return name
    raise unreadable(index, item, f"a call without the name of its tool ({name!r})")

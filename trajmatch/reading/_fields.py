"""How the fields of many formats are named: a type in text, and two spellings of a name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeGuard

from trajmatch._access import first, get, is_mapping

__all__ = ["camel", "field", "has", "is_list", "type_of"]


def type_of(item: object) -> str:
    """Give the type that an item names, or empty text; where that is an enum, its value."""
    kind = get(item, "type")
    return str.__str__(kind) if isinstance(kind, str) else ""


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Say whether a value is a JSON array, or a tuple."""
    return isinstance(value, (list, tuple))


def has(item: object, name: str) -> bool:
    """Say whether an item has a key or an attribute, whatever stands there."""
    return name in item if is_mapping(item) else hasattr(item, name)


@lru_cache(maxsize=256)
def camel(name: str) -> str:
    """Give a name as the wire spells it: `tool_call_id` is `toolCallId`."""
    head, *rest = name.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


def field(item: object, name: str) -> Any:
    """Give a field by its Python name, in either spelling; `None` where it is not there."""
    return first(item, name, camel(name))

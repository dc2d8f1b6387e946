"""What looks like a call by its shape alone: a name and arguments, in the words of any format."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple

from trajmatch._access import is_mapping, keys_of

__all__ = ["ARGUMENTS", "HOLDERS", "ONLY_CALLS", "PLAIN", "Fields", "Written", "call_in", "fields_of", "kind_of"]

Fields = Mapping[str, Any]

_NAMES = ("name", "toolName", "tool_name", "function_name", "functionName", "api_name", "tool")
ARGUMENTS = ("arguments", "args", "input", "parameters", "params", "tool_input", "toolInput", "tool_args", "inputs")
_WRITTEN = ("arguments", "args")
"""Where arguments may be text."""
_IDS = ("id", "call_id", "tool_call_id", "toolCallId", "toolUseId", "tool_use_id")
ONLY_CALLS = frozenset({*_NAMES[1:], *ARGUMENTS[5:8], *_IDS[1:]})
"""Keys that only calls, and the definitions of tools, have."""
HOLDERS = frozenset(
    {"function_call", "functionCall", "toolCalls", "toolInvocations", "toolUse", "tool_call", "tool_calls", "tool_use"}
)
"""Keys under which calls stand."""
_KINDS = {
    "none": ("approval", "confirmation", "data-", "output", "response", "result", "return"),
    "call": ("call", "tool-", "tool_use", "toolUse"),
}
"""Words in the types of parts that answer a call, or only ask for leave, and of those that make one."""
_NO_ARGUMENTS = ("caller", "error", "extra", "meta", "option", "output", "response", "result")
"""Words in the keys that may stand beside the name of a tool and hold no arguments."""
_EMPTY: tuple[object, ...] = ({}, "{}", "")
PLAIN = frozenset({str, int, float, bool, bytes, type(None)})
_CLOSED = (str, bytes, int, float, Enum, type, ModuleType, BaseException)


class Written(NamedTuple):
    """What looks like a call.

    Attributes:
        key: The key of its message that it stands under, and the last one.
        name: The tool.
        fields: What has its id.
        arguments: The arguments, as they are written.
        under: Their key; empty where there are none.
    """

    key: str
    name: str
    fields: Fields
    arguments: object
    under: str

    @property
    def ids(self) -> list[str]:
        """All that may be its id."""
        return [str(id) for key in _IDS if (id := self.fields.get(key)) is not None]


def kind_of(fields: Fields) -> str:
    """Give whether the type of a part tells a `call`, or `none`; empty where it does not say."""
    given = fields.get("type") or fields.get("part_kind")
    return _kind_in(given) if type(given) is str else ""


@lru_cache(maxsize=1024)
def _kind_in(kind: str) -> str:
    return next((told for told, words in _KINDS.items() if any(word in kind for word in words)), "")


def call_in(key: str, fields: Fields, marked: bool) -> Written | None:
    """Give the call that this is; one without arguments only where a mark or an id says that it is one."""
    function = fields.get("function") or fields.get("custom")
    name = function if isinstance(function, str) else None
    wraps = function is not None and name is None
    inner = (fields_of(function) or fields) if wraps else fields
    if not (name := name or _first_text(inner) or (_name_in_type(fields) if marked else None)):
        return None
    sure = marked or not fields.keys().isdisjoint(_IDS)
    under = _under(inner, marked or wraps)
    if (under is None and not (marked or (wraps and sure))) or _is_definition(inner, under, sure):
        return None
    if wraps and (under is None or inner[under] in _EMPTY):
        inner, under = _beside_name(fields, inner, under)
    return Written(key, name, fields, inner[under] if under else None, under or "")


def _beside_name(fields: Fields, inner: Fields, under: str | None) -> tuple[Fields, str | None]:
    """What holds the arguments of a call whose name stands in an object of its own that holds none, and their key."""
    outer = next((key for key in ARGUMENTS if fields.get(key) not in (None, *_EMPTY)), None)
    return (fields, outer) if outer else (inner, under)


def _name_in_type(fields: Fields) -> str | None:
    """The tool that the type of a part names."""
    kind = fields.get("type")
    return kind[5:] if isinstance(kind, str) and kind.startswith("tool-") and "toolCallId" in fields else None


def _first_text(fields: Fields) -> str | None:
    """The name of a tool."""
    for key in _NAMES:
        name = fields.get(key)
        if name and isinstance(name, str):
            return name
    return None


def _under(fields: Fields, sure: bool) -> str | None:
    """The key of the arguments."""
    for key in ARGUMENTS:
        value = fields.get(key)
        if value is not None and (sure or is_mapping(value) or (isinstance(value, str) and _may_be_text(key, value))):
            return key
    if not sure or not fields.keys().isdisjoint(ARGUMENTS):
        return None
    return next((key for key, value in fields.items() if _may_be_arguments(key, value)), None)


def _may_be_text(key: str, value: str) -> bool:
    """Whether a text under a known key holds arguments."""
    return key in ONLY_CALLS or (key in _WRITTEN and value[:1] == "{")


def _may_be_arguments(key: str, value: object) -> bool:
    """Whether arguments may stand under an unknown key: an object that holds something, or its text."""
    if isinstance(value, str):
        given = value[:1] == "{" or (value != "" and key.startswith("input"))
    else:
        given = is_mapping(value) and bool(value)
    return given and not any(word in key.lower() for word in _NO_ARGUMENTS)


def _is_definition(fields: Fields, under: str | None, sure: bool) -> bool:
    """Whether this says what a tool takes, and calls nothing."""
    if sure and under not in (None, "parameters"):
        return False
    schema = fields.get(under or "parameters")
    return "description" in fields or (
        is_mapping(schema) and ("properties" in schema or schema.get("type") == "object")
    )


def fields_of(value: object) -> Fields | None:
    """Give the keys and values of a mapping, or the public attributes of an object; `None` for anything else."""
    kind: type = type(value)
    if is_mapping(value):
        return value
    if not _is_open(kind):
        return None
    return {key: getattr(value, key, None) for key in keys_of(value)}


@lru_cache(maxsize=1024)
def _is_open(kind: type) -> bool:
    """Whether objects of a type may be messages, or parts of one."""
    return not issubclass(kind, _CLOSED) and kind.__module__ != "builtins"

"""What looks like a call in a message, by its shape alone: a name and arguments, in the words of any format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from enum import Enum
from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple

from trajmatch._access import is_mapping, keys_of
from trajmatch.reading._fields import is_list

__all__ = ["Written", "written_beside", "written_in"]

Fields = Mapping[str, Any]

_NAMES = ("name", "toolName", "tool_name", "function_name", "functionName", "api_name")
_ARGUMENTS = ("arguments", "args", "input", "parameters", "params", "tool_input", "toolInput", "tool_args")
_WRITTEN = ("arguments", "args")
"""Where arguments may be text."""
_IDS = ("id", "call_id", "tool_call_id", "toolCallId", "toolUseId", "tool_use_id")
_HOLDERS = frozenset(
    {"function_call", "functionCall", "toolCalls", "toolInvocations", "toolUse", "tool_call", "tool_calls", "tool_use"}
)
"""Keys under which calls stand."""
_TOOLS = frozenset({"TOOL", "function", "tool"})
_SPEAKERS = frozenset({"agent", "ai", "AIMessageChunk", "assistant", "constructor", "human", "response", "user"})
"""What tells a message without a role, as its type, its kind or its source."""
_NO_CALLS = frozenset(
    {"functions", "observation", "response_metadata", "subagent_trajectories", "tool_choice", "toolUseResult", "tools"}
)
"""Keys of messages under which definitions stand, what came back, or runs of others."""
_VALUES = _NO_CALLS | {
    *("args", "arguments", "input", "inputs", "output", "outputs", "parameters", "response", "result", "results"),
    *("functionResponse", "function_response", "toolResult", "tool_response", "tool_result", "tool_results"),
}
"""Keys inside of what stands in a message, under which arguments and results may hold anything."""
_KINDS = {
    "none": ("approval", "confirmation", "output", "response", "result", "return"),
    "call": ("call", "tool-", "tool_use", "toolUse"),
}
"""Words in the types of parts that answer a call, or only ask for leave, and of those that make one."""
_NO_ARGUMENTS = ("caller", "error", "extra", "meta", "option", "output", "response", "result")
"""Words in the keys that may stand beside the name of a tool and hold no arguments."""
_Dict: type[dict[str, Any]] = dict
_PLAIN = frozenset({str, int, float, bool, bytes, type(None)})
_CLOSED = (str, bytes, int, float, Enum, type, ModuleType, BaseException)
_DEEPEST = 10


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


def written_in(item: object) -> Sequence[Written]:
    """Give what looks like a call in a message, or in the messages that an item holds.

    Of the message of a result, that is only what stands under a key of calls: it may hold anything.
    """
    fields = item if type(item) is _Dict else _fields_of(item)
    if fields is None:
        return ()
    if _is_result(fields):
        fields = {key: fields[key] for key in _HOLDERS.intersection(fields)}
        told = True
    else:
        told = _speaks(fields)
    if not told and not is_mapping(item):
        return ()
    search: _Search | None = None
    for key, value in fields.items():
        if type(value) not in _PLAIN and key not in (_NO_CALLS if told else _VALUES):
            search = search or _Search(_VALUES)
            search.look(key, key, value, _DEEPEST, told)
    return search.found if search else ()


def written_beside(key: str, value: object) -> Sequence[Written]:
    """Give what looks like a call in the messages and responses in a value, however deep.

    Calls without a message may be what is expected, and count only under a key that says that they were made.
    """
    search = _Search(_NO_CALLS)
    search.look(key, key, value, _DEEPEST, key in _HOLDERS)
    return search.found


def _is_result(fields: Fields) -> bool:
    role = fields.get("role")
    return type(role) is str and role in _TOOLS


def _speaks(fields: Fields) -> bool:
    """Whether this is a message."""
    role = fields.get("role")
    if role is not None:
        return isinstance(role, str)
    words = fields.get("type"), fields.get("kind"), fields.get("source")
    return any(isinstance(word, str) and word in _SPEAKERS for word in words) or fields.get("author") is not None


class _Search:
    """What was found so far; nothing is looked into twice, since values may hold each other.

    Outside of messages, what stands under a `closed` key is not looked at; inside, arguments and results are not.
    """

    __slots__ = ("_closed", "_seen", "found")

    def __init__(self, closed: Set[str]) -> None:
        self._closed = closed
        self.found: list[Written] = []
        self._seen: dict[int, object] = {}

    def look(self, top: str, key: str, value: object, depth: int, told: bool) -> None:
        """Look for calls in what stands under a key, which is in a message where this is `told`."""
        if is_list(value):
            if depth == _DEEPEST or self._is_new(value, depth):
                for inner in value:
                    if type(inner) not in _PLAIN:
                        self.look(top, key, inner, depth - 1, told)
            return
        fields = value if type(value) is _Dict else _fields_of(value)
        if fields is None or not (told or is_mapping(value) or _speaks(fields)):
            return
        kind = _kind(fields)
        if kind == "none" or _is_result(fields):
            return
        if call := _call(top if key == top else f"{top}.{key}", fields, kind == "call" or key in _HOLDERS):
            if told or "call_id" in fields:
                self.found.append(call)
        elif self._is_new(value, depth):
            self._look_into(top, fields, depth - 1, told or _speaks(fields))

    def _look_into(self, top: str, fields: Fields, depth: int, told: bool) -> None:
        closed = _VALUES if told else self._closed
        for name, inner in fields.items():
            if type(inner) not in _PLAIN and name not in closed:
                self.look(top, name, inner, depth, told or name in _HOLDERS)

    def _is_new(self, value: object, depth: int) -> bool:
        if not depth or id(value) in self._seen:
            return False
        self._seen[id(value)] = value
        return True


def _kind(fields: Fields) -> str:
    given = fields.get("type") or fields.get("part_kind")
    return _kind_of(given) if type(given) is str else ""


@lru_cache(maxsize=1024)
def _kind_of(kind: str) -> str:
    return next((told for told, words in _KINDS.items() if any(word in kind for word in words)), "")


def _call(key: str, fields: Fields, sure: bool) -> Written | None:
    """The call that this is; one without arguments only where it is sure to be one."""
    inner = fields
    function = fields.get("function") or fields.get("custom")
    name = function if isinstance(function, str) else None
    if function is not None and name is None:
        inner, sure = _fields_of(function) or fields, True
    if not (name := name or _first_text(inner)):
        return None
    under = _under(inner, sure)
    if (under is None and not sure) or _is_definition(inner, under):
        return None
    return Written(key, name, fields, inner[under] if under else None, under or "")


def _first_text(fields: Fields) -> str | None:
    """The name of a tool."""
    for key in _NAMES:
        name = fields.get(key)
        if name and isinstance(name, str):
            return name
    return None


def _under(fields: Fields, sure: bool) -> str | None:
    """The key of the arguments."""
    for key in _ARGUMENTS:
        value = fields.get(key)
        if value is not None and (sure or key in _WRITTEN or is_mapping(value)):
            return key
    if not sure or not fields.keys().isdisjoint(_ARGUMENTS):
        return None
    return next((key for key, value in fields.items() if _may_be_arguments(key, value)), None)


def _may_be_arguments(key: str, value: object) -> bool:
    """Whether arguments may stand under an unknown key: an object that holds something, or its text."""
    if not (is_mapping(value) and value) and not (isinstance(value, str) and value[:1] == "{"):
        return False
    return not any(word in key.lower() for word in _NO_ARGUMENTS)


def _is_definition(fields: Fields, under: str | None) -> bool:
    """Whether this says what a tool takes, and calls nothing."""
    if under is not None and under != "parameters":
        return False
    schema = fields.get("parameters")
    return "description" in fields or (is_mapping(schema) and "properties" in schema)


def _fields_of(value: object) -> Fields | None:
    """The keys and values of a mapping, or the public attributes of an object; `None` for anything else."""
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

"""What looks like a call in a message, by its shape alone: a name and arguments, in the words of any format."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from enum import Enum
from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple

from trajmatch._access import is_mapping, keys_of
from trajmatch.reading._fields import is_list

__all__ = ["Written", "written_beside", "written_in"]

Fields = Mapping[str, Any]

_NAMES = ("name", "toolName", "tool_name", "function_name", "functionName", "api_name", "tool")
_ARGUMENTS = ("arguments", "args", "input", "parameters", "params", "tool_input", "toolInput", "tool_args", "inputs")
_WRITTEN = ("arguments", "args")
"""Where arguments may be text."""
_IDS = ("id", "call_id", "tool_call_id", "toolCallId", "toolUseId", "tool_use_id")
_ONLY_CALLS = frozenset({*_NAMES[1:], *_ARGUMENTS[5:8], *_IDS[1:]})
"""Keys that only calls, and the definitions of tools, have."""
_HOLDERS = frozenset(
    {"function_call", "functionCall", "toolCalls", "toolInvocations", "toolUse", "tool_call", "tool_calls", "tool_use"}
)
"""Keys under which calls stand."""
_OF_CALLS = frozenset(
    {"action", "call", "calls", "content", "function", "invocation", "invocations", "request", "tool"}
)
"""Words in the keys under which one call may stand; in a list of an assistant it may stand under any key."""
_OF_OTHERS = frozenset(
    {
        *("annotation", "annotations", "attachment", "attachments", "config", "error", "errors", "eval"),
        *("evals", "evaluations", "log", "logs", "meta", "metadata", "options", "prompt", "prompts", "scores"),
        *("server", "servers", "settings", "state", "usage"),
    }
)
"""Words in the keys under which a name with arguments says nothing of calls that were made."""
_OF_EXPECTED = frozenset({"expectation", "expectations", "expected", "golden", "ground", "reference", "references"})
"""Words in the keys beside messages under which stands what should be called."""
_TOOLS = frozenset({"TOOL", "function", "tool"})
_CALL_NOTHING = frozenset({"developer", "human", "system", "user"})
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
    "none": ("approval", "confirmation", "data-", "output", "response", "result", "return"),
    "call": ("call", "tool-", "tool_use", "toolUse"),
}
"""Words in the types of parts that answer a call, or only ask for leave, and of those that make one."""
_NO_ARGUMENTS = ("caller", "error", "extra", "meta", "option", "output", "response", "result")
"""Words in the keys that may stand beside the name of a tool and hold no arguments."""
_EMPTY: tuple[object, ...] = ({}, "{}", "")
_Dict: type[dict[str, Any]] = dict
_PLAIN = frozenset({str, int, float, bool, bytes, type(None)})
_CLOSED = (str, bytes, int, float, Enum, type, ModuleType, BaseException)
_DEEPEST = 10
_APART, _BESIDE, _SAID = range(3)
"""Places: outside of messages; in one, where only what tells itself to be a call is one; in what an assistant says."""


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
    place = _SAID
    if _is_result(fields):
        fields = {key: fields[key] for key in _HOLDERS.intersection(fields)}
    else:
        place = _place(fields)
    itself = None if place or _kind(fields) != "call" else _call("", fields, marked=True)
    if not place and not itself and not is_mapping(item):
        return ()
    search: _Search | None = None
    closed = _NO_CALLS if place else _VALUES
    for key, value in fields.items():
        if type(value) not in _PLAIN and key not in closed:
            search = search or _Search(_VALUES)
            search.look(key, key, value, _DEEPEST, _within(key, place))
    found = search.found if search else []
    return [itself, *found] if itself else found


def written_beside(key: str, value: object) -> Sequence[Written]:
    """Give what looks like a call in the messages and responses in a value, however deep.

    Calls without a message may be what is expected, and count only where a key or a type says that they were made.
    """
    if not _OF_EXPECTED.isdisjoint(_words(key)):
        return ()
    search = _Search(_NO_CALLS)
    search.look(key, key, value, _DEEPEST, _within(key, _APART))
    return search.found


def _is_result(fields: Fields) -> bool:
    role = fields.get("role")
    return type(role) is str and role in _TOOLS


def _place(fields: Fields) -> int:
    """What stands in these fields, by what tells a message."""
    role = fields.get("role")
    if role is not None:
        return (_BESIDE if role in _CALL_NOTHING else _SAID) if isinstance(role, str) else _APART
    for key in ("type", "kind", "source"):
        word = fields.get(key)
        if isinstance(word, str) and word in _SPEAKERS:
            return _BESIDE if word in _CALL_NOTHING else _SAID
    return _APART if fields.get("author") is None else _SAID


def _within(key: str, place: int) -> int:
    """What stands under a key of what stands in a place."""
    if key in _HOLDERS:
        return _SAID
    return _BESIDE if place == _SAID and not _OF_OTHERS.isdisjoint(_words(key)) else place


@lru_cache(maxsize=1024)
def _words(key: object) -> frozenset[str]:
    return frozenset(word.lower() for word in re.findall("[A-Z]?[a-z]+", str(key)))


class _Search:
    """What was found so far; nothing is looked into twice, since values may hold each other.

    Outside of messages, what stands under a `closed` key is not looked at; inside, arguments and results are not.
    """

    __slots__ = ("_closed", "_seen", "found")

    def __init__(self, closed: Set[str]) -> None:
        self._closed = closed
        self.found: list[Written] = []
        self._seen: dict[int, object] = {}

    def look(self, top: str, key: str, value: object, depth: int, place: int, entry: bool = False) -> None:
        """Look for calls in what stands under a key, as one `entry` of a list or alone."""
        if is_list(value):
            if depth == _DEEPEST or self._is_new(value, depth):
                for inner in value:
                    if type(inner) not in _PLAIN:
                        self.look(top, key, inner, depth - 1, place, entry=True)
            return
        fields = value if type(value) is _Dict else _fields_of(value)
        if fields is None or not (place or is_mapping(value) or "tool_input" in fields or _place(fields)):
            return
        kind = _kind(fields)
        if kind == "none" or _is_result(fields):
            return
        marked = kind == "call" or key in _HOLDERS
        call = _call(top if key == top else f"{top}.{key}", fields, marked)
        if call and (_is_told(call, marked) if not place else marked or _is_made(key, fields, place, entry)):
            self.found.append(call)
        elif self._is_new(value, depth):
            self._look_into(top, fields, depth - 1, _place(fields) or place)

    def _look_into(self, top: str, fields: Fields, depth: int, place: int) -> None:
        closed = _VALUES if place else self._closed
        for name, inner in fields.items():
            if type(inner) not in _PLAIN and name not in closed:
                self.look(top, name, inner, depth, _within(name, place))

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


def _is_told(call: Written, marked: bool) -> bool:
    """Whether a call outside of messages was made, and is not what is expected."""
    return "call_id" in call.fields or "tool_input" in call.fields or (marked and call.under in _ARGUMENTS)


def _is_made(key: str, fields: Fields, place: int, entry: bool) -> bool:
    """Whether a name and arguments in a message are a call, and not what is known of something else."""
    if not _ONLY_CALLS.isdisjoint(fields) or _fields_of(fields.get("function") or fields.get("custom")):
        return True
    if place == _BESIDE:
        return not _words(key).isdisjoint(("call", "calls"))
    return entry or "id" in fields or not _OF_CALLS.isdisjoint(_words(key))


def _call(key: str, fields: Fields, marked: bool) -> Written | None:
    """The call that this is; one without arguments only where a mark or an id says that it is one."""
    function = fields.get("function") or fields.get("custom")
    name = function if isinstance(function, str) else None
    wraps = function is not None and name is None
    inner = (_fields_of(function) or fields) if wraps else fields
    if not (name := name or _first_text(inner) or _name_in_type(fields)):
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
    outer = next((key for key in _ARGUMENTS if fields.get(key) not in (None, *_EMPTY)), None)
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
    for key in _ARGUMENTS:
        value = fields.get(key)
        if value is not None and (sure or is_mapping(value) or (isinstance(value, str) and _may_be_text(key, value))):
            return key
    if not sure or not fields.keys().isdisjoint(_ARGUMENTS):
        return None
    return next((key for key, value in fields.items() if _may_be_arguments(key, value)), None)


def _may_be_text(key: str, value: str) -> bool:
    """Whether a text under a known key holds arguments."""
    return key in _ONLY_CALLS or (key in _WRITTEN and value[:1] == "{")


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

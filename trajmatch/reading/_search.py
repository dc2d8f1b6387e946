"""Where calls stand in a message: what looks like one and was made, and what is known of something else."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache
from typing import Any

from trajmatch._access import is_mapping
from trajmatch.reading._fields import is_list
from trajmatch.reading._shape import ARGUMENTS, HOLDERS, ONLY_CALLS, PLAIN, Fields, Written, call_in, fields_of, kind_of

__all__ = ["written_beside", "written_in"]

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
_Dict: type[dict[str, Any]] = dict
_DEEPEST = 10
_APART, _BESIDE, _SAID = range(3)
"""Places: outside of messages; in one, where only what tells itself to be a call is one; in what an assistant says."""


def written_in(item: object) -> Sequence[Written]:
    """Give what looks like a call in a message, or in the messages that an item holds.

    Of the message of a result, that is only what stands under a key of calls: it may hold anything.
    """
    fields = item if type(item) is _Dict else fields_of(item)
    if fields is None:
        return ()
    place = _SAID
    if _is_result(fields):
        fields = {key: fields[key] for key in HOLDERS.intersection(fields)}
    else:
        place = _place(fields)
    itself = None if place or kind_of(fields) != "call" else call_in("", fields, marked=True)
    if not place and not itself and not is_mapping(item):
        return ()
    search: _Search | None = None
    closed = _NO_CALLS if place else _VALUES
    for key, value in fields.items():
        if type(value) not in PLAIN and key not in closed:
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
    if key in HOLDERS:
        return _SAID
    return _BESIDE if place == _SAID and _is_of_others(key) else place


@lru_cache(maxsize=1024)
def _is_of_others(key: object) -> bool:
    return not _OF_OTHERS.isdisjoint(_words(key))


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
                    if type(inner) not in PLAIN:
                        self.look(top, key, inner, depth - 1, place, entry=True)
            return
        fields = value if type(value) is _Dict else fields_of(value)
        if fields is None or not (place or is_mapping(value) or "tool_input" in fields or _place(fields)):
            return
        kind = kind_of(fields)
        if kind == "none" or _is_result(fields):
            return
        marked = kind == "call" or key in HOLDERS
        call = call_in(top if key == top else f"{top}.{key}", fields, marked)
        if call and (_is_told(call, marked) if not place else marked or _is_made(key, fields, place, entry)):
            self.found.append(call)
        elif self._is_new(value, depth):
            self._look_into(top, fields, depth - 1, place)

    def _look_into(self, top: str, fields: Fields, depth: int, place: int) -> None:
        if held := [(name, inner) for name, inner in fields.items() if type(inner) not in PLAIN]:
            place = _place(fields) or place
            closed = _VALUES if place else self._closed
            for name, inner in held:
                if name not in closed:
                    self.look(top, name, inner, depth, _within(name, place))

    def _is_new(self, value: object, depth: int) -> bool:
        if not depth or id(value) in self._seen:
            return False
        self._seen[id(value)] = value
        return True


def _is_told(call: Written, marked: bool) -> bool:
    """Whether a call outside of messages was made, and is not what is expected."""
    return "call_id" in call.fields or "tool_input" in call.fields or (marked and call.under in ARGUMENTS)


def _is_made(key: str, fields: Fields, place: int, entry: bool) -> bool:
    """Whether a name and arguments in a message are a call, and not what is known of something else."""
    if not ONLY_CALLS.isdisjoint(fields) or fields_of(fields.get("function") or fields.get("custom")):
        return True
    if place == _BESIDE:
        return not _words(key).isdisjoint(("call", "calls"))
    return entry or "id" in fields or not _OF_CALLS.isdisjoint(_words(key))

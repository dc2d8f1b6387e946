"""OpenAI Chat Completions: message dicts as they are sent, and the SDK's message objects.

What this format does differently:
- the arguments of a call are JSON text; some providers write an object;
- nothing says whether a tool failed, but for an `error` field that some recorders add beside a result;
- custom tools (`{"type": "custom", "custom": {"name", "input"}}`) take free text, which stays raw;
- the legacy `function_call` of an assistant has no id, and is answered by a message of the role `function`;
- AgentDojo writes the name itself under `function`, and the arguments beside it, under `args`;
- some recorders keep one call as `function_call` and in `tool_calls`: it counts once;
- ids may be empty or absent; results then join by the name of their tool, or by their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from trajmatch import ToolCall
from trajmatch.reading import (
    UNMARKED,
    Answered,
    Called,
    Event,
    Noted,
    Recognised,
    Row,
    Said,
    Skimmed,
    call_id,
    fields,
    first,
    get,
    is_mapping,
    listed,
    messages_in,
    read_blocks,
    read_user,
    refuse_unknown_calls,
    tool_name,
    unreadable,
    wire_call,
)

__all__ = ["classify", "read", "skim"]

_KEYS = frozenset({"role", "content", "tool_calls", "function_call", "tool_call_id", "name", "tool_call", "error"})
_FOREIGN = ("additional_kwargs", "parts", "tool_plan")
_CONTENT = (str, list, tuple, type(None))
_NO_ERROR = (None, False)
_EMPTY = frozenset({"annotations", "audio", "function_call", "reasoning_content", "refusal", "tool_calls"})
_SPEECH = frozenset({"role", "content", "name"})
_SPOKEN = frozenset({"assistant", "developer", "system", "user"})
_FIELDS = ("role", "content", "tool_calls", "function_call", "tool_call_id", "name")


def classify(message: object) -> Recognised:
    """Say whether a message is one of Chat Completions: it has a role, and its calls stand under `function`."""
    role = get(message, "role")
    if not isinstance(role, str) or _is_foreign(message, role):
        return "no"
    calls = [*listed(get(message, "tool_calls"))]
    if calls:
        return "certain" if all(map(_is_call, calls)) else "no"
    if get(message, "function_call") or (role == "tool" and get(message, "type") is None):
        return "certain"
    return "could_be"


def _is_foreign(message: object, role: str) -> bool:
    """Whether a message has what only those of other formats have: keys, a content, the name of a tool."""
    content = get(message, "content", message)
    if first(message, *_FOREIGN) is not None or any(map(_is_untyped, listed(content))):
        return True
    if not is_mapping(message):
        return not isinstance(content, _CONTENT) or isinstance(get(message, "id"), str)
    return _spells_otherwise(message) or (role == "tool" and isinstance(message.get("function"), str))


def _spells_otherwise(message: Mapping[str, Any]) -> bool:
    """Whether a dict spells its calls as AG-UI and the AI SDK do."""
    told = any(get(part, "toolCallId") is not None for part in (message, *listed(message.get("content"))))
    return told or any(get(call, "function") for call in listed(message.get("toolCalls")))


def _is_untyped(part: object) -> bool:
    """Whether a part of the content does not say what it is, as those of Bedrock do not."""
    return is_mapping(part) and "type" not in part


def _is_call(call: object) -> bool:
    """Whether this is a call; with its name and an object under `arguments`, it is one of Inspect."""
    function = get(call, "function")
    if isinstance(function, str) and is_mapping(get(call, "arguments")):
        return False
    return bool(function or get(call, "custom"))


def read(history: object) -> Iterator[Event]:
    """Give the events of a history of Chat Completions."""
    flagged = True
    for index, given in enumerate(messages_in(history)):
        message = fields(given, _FIELDS)
        role = message.get("role")
        if message is not given or not message.keys() <= _KEYS:
            refuse_unknown_calls(index, given, _KEYS)
        if role == "tool" or role == "function":
            flagged = flagged and ("error" in message or "is_error" in message)
            yield _answer(message)
        elif isinstance(role, str):
            yield from _said(index, role, message)
        else:
            raise unreadable(index, given, "a message without a role")
    if not flagged:
        yield Noted(UNMARKED)


def skim(messages: Sequence[Any]) -> Skimmed | None:
    """Read messages that hold text, calls of functions and results, and nothing else."""
    kinds: set[type] = {*map(type, messages)}
    if kinds != {dict} or "role" not in messages[0]:
        return None
    found = Skimmed()
    said, called, answered = found.said, found.called, found.answered
    for message in cast("Sequence[dict[str, Any]]", messages):
        role, content = message["role"], message["content"]
        if role == "tool":
            if len(message) != 3 and not _is_plain(message, "tool_call_id"):
                return None
            answered.append((len(said), content, message["tool_call_id"], "succeeded", message.get("name")))
            said.append(None)
            continue
        if content is not None and type(content) is not str:
            return None
        calls = message.get("tool_calls") if role == "assistant" else None
        if calls:
            if len(message) != 3 and not _is_plain(message, "tool_calls"):
                return None
            _add(called, calls, len(said))
        elif role not in _SPOKEN or (len(message) != 2 and not _is_plain(message)):
            return None
        said.append((role, content))
    if answered:
        found.notes.append(UNMARKED)
    return found if called or answered else None


def _add(called: list[Row], calls: list[dict[str, Any]], place: int) -> None:
    if type(calls) is not list:
        raise TypeError(calls)
    for call in calls:
        if type(call) is not dict:
            raise TypeError(call)
        function = call["function"]
        called.append((function["name"], function["arguments"], call["id"], "function", place))


def _is_plain(message: Mapping[str, Any], *keys: str) -> bool:
    """Whether a message has no more keys than these, a name, and what is often there and empty."""
    return all(key in _SPEECH or key in keys or (key in _EMPTY and not value) for key, value in message.items())


def _said(index: int, role: str, message: Mapping[str, Any]) -> list[Event]:
    content = message.get("content")
    calls = _calls(index, message)
    if content is None or isinstance(content, str):
        return [Said(role, content), *calls]
    if role == "user":
        return [*read_user(index, content), *calls]
    return [Said(role, content), *calls, *read_blocks(index, content, {call.id for call in calls if call.id})]


def _calls(index: int, message: Mapping[str, Any]) -> list[Called]:
    given, legacy = message.get("tool_calls"), message.get("function_call")
    calls = [_call(index, call) for call in listed(given)] if given else []
    if given and not calls:
        raise unreadable(index, message, "tool_calls that are no list")
    if legacy:
        called = _call(index, legacy)
        if not any(_made(call) == _made(called) for call in calls):
            calls.append(called)
    return calls


def _made(call: Called) -> ToolCall:
    return ToolCall(call.name, call.arguments)


def _call(index: int, call: object) -> Called:
    name, arguments = wire_call(call)
    return Called(tool_name(index, call, name), arguments, call_id(call, "id"))


def _answer(message: Mapping[str, Any]) -> Answered:
    id, name = message.get("tool_call_id"), message.get("name")
    if name is None and "tool_call" in message:
        name = get(message["tool_call"], "function")
    failed = message.get("error") not in _NO_ERROR or message.get("is_error") is True
    return Answered(
        message.get("content"),
        id if type(id) is str else call_id(message, "tool_call_id"),
        name if isinstance(name, str) else None,
        "failed" if failed else "succeeded",
    )

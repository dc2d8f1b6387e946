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

from collections.abc import Iterator, Mapping
from typing import Any

from trajmatch import ToolCall
from trajmatch.reading import (
    UNMARKED,
    Answered,
    Called,
    Event,
    Noted,
    Recognised,
    Said,
    call_id,
    fields,
    get,
    is_mapping,
    list_of_calls,
    listed,
    messages_in,
    own_words,
    read_blocks,
    read_call,
    read_user,
    unreadable,
)
from trajmatch_adapters.histories.openai._skim import skim
from trajmatch_adapters.histories.openai._write import write

__all__ = ["classify", "read", "skim", "write"]

_OWN = frozenset({"function_call", "tool_call"})
_CONTENT = (str, list, tuple, type(None))
_NO_ERROR = (None, False)
_FIELDS = ("role", "content", "tool_calls", "function_call", "tool_call_id", "name")


def classify(message: object) -> Recognised:
    """Say whether a message is one of Chat Completions: it has a role, and its calls stand under `function`."""
    role = get(message, "role")
    if not isinstance(role, str) or _is_foreign(message):
        return "no"
    if calls := listed(get(message, "tool_calls")):
        return "certain" if all(map(_is_call, calls)) else "no"
    if get(message, "function_call") or (role == "tool" and get(message, "type") is None):
        return "certain"
    return "could_be"


def _is_foreign(message: object) -> bool:
    """Whether a message has what only those of other formats have: keys, a content, the name of a tool."""
    content: object = get(message, "content", message)
    untyped = not isinstance(content, str) and any(map(_is_untyped, listed(content)))
    if untyped or not own_words(message) <= _OWN:
        return True
    return not is_mapping(message) and (not isinstance(content, _CONTENT) or isinstance(get(message, "id"), str))


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
        if role == "tool" or role == "function":
            flagged = flagged and ("error" in message or "is_error" in message)
            yield _answer(message)
        elif isinstance(role, str):
            yield from _said(index, role, message)
        else:
            raise unreadable(index, given, "a message without a role")
    if not flagged:
        yield Noted(UNMARKED)


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
    calls = [read_call(index, call) for call in list_of_calls(index, message, given)] if given else []
    if legacy:
        called = read_call(index, legacy)
        if not any(_made(call) == _made(called) for call in calls):
            calls.append(called)
    return calls


def _made(call: Called) -> ToolCall:
    return ToolCall(call.name, call.arguments)


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

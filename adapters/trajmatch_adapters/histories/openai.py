"""OpenAI Chat Completions: message dicts as they are sent, and the SDK's message objects.

What this format does differently:
- the arguments of a call are JSON text; some providers write an object;
- nothing says whether a tool failed, but for an `error` field that some recorders add beside a result;
- custom tools (`{"type": "custom", "custom": {"name", "input"}}`) take free text, which stays raw;
- the legacy `function_call` of an assistant has no id, and is answered by a message of the role `function`;
- ids may be empty or absent; results then join by the name of their tool, or by their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from trajmatch.reading import (
    Answered,
    Called,
    Event,
    Noted,
    Recognised,
    Said,
    first,
    fold_role,
    get,
    listed,
    messages_in,
    read_blocks,
    tool_name,
    unreadable,
    wire_arguments,
)

__all__ = ["classify", "read"]

_ROLES = frozenset({"system", "user", "assistant", "tool"})


def classify(message: object) -> Recognised:
    """Say whether a message is one of Chat Completions: it has a role, and its calls stand under `function`."""
    role = get(message, "role")
    if not isinstance(role, str) or get(message, "parts") is not None:
        return "no"
    calls = [*listed(get(message, "tool_calls"))]
    if calls:
        return "certain" if all(get(call, "function") or get(call, "custom") for call in calls) else "no"
    if not isinstance(message, Mapping) and get(message, "content", message) is message:
        return "no"
    if get(message, "function_call") or (role == "tool" and get(message, "type") is None):
        return "certain"
    return "could_be"


def read(history: object) -> Iterator[Event]:
    """Give the events of a history of Chat Completions."""
    for index, message in enumerate(messages_in(history)):
        role = get(message, "role")
        if not isinstance(role, str):
            raise unreadable(index, message, "a message without a role")
        content = get(message, "content")
        if fold_role(role) == "tool":
            yield _answer(message, content)
            continue
        yield Said(role, content)
        calls = [_call(index, call) for call in listed(get(message, "tool_calls"))]
        yield from calls
        if legacy := get(message, "function_call"):
            yield Called(tool_name(index, legacy, get(legacy, "name")), wire_arguments(get(legacy, "arguments")))
        yield from read_blocks(index, content, {call.id for call in calls if call.id})


def _call(index: int, call: object) -> Called:
    function = first(call, "function", "custom") or call
    arguments = wire_arguments(first(function, "arguments", "input"))
    return Called(tool_name(index, call, get(function, "name")), arguments, get(call, "id"))


def _answer(message: object, content: object) -> Answered:
    name = get(message, "name") or get(get(message, "tool_call"), "function")
    status = "failed" if get(message, "error") is not None else "succeeded"
    return Answered(content, get(message, "tool_call_id"), name if isinstance(name, str) else None, status)

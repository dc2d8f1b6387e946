"""Inspect: a log, a sample, a task's state, or their chat messages, as objects and as they are stored.

What this format does differently:
- a call names its tool under `function`, and its arguments are an object; those that could not be parsed are not kept,
  but for an error text under `parse_error`;
- the `error` of a result is an object whose `type` says what became of the call; older logs have a text, `tool_error`;
- what the model's provider executed is a part of the content, `tool_use`, which holds its own result; it was done
  before the other calls of its message;
- a user message with a `tool_call_id` carries what a tool gave, an image say, and is no turn of the user;
- a log holds many samples, of which each is a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trajmatch.reading import (
    Answered,
    Called,
    Event,
    Noted,
    Recognised,
    Said,
    Status,
    call_id,
    first,
    get,
    is_mapping,
    list_of_calls,
    listed,
    messages_in,
    own_words,
    read_blocks,
    tool_name,
    unreadable,
    wire_arguments,
)

__all__ = ["classify", "read"]

_ROLES = ("assistant", "system", "tool", "user")
_OWN = frozenset({"function"})
_PARTS = ("audio", "data", "document", "image", "reasoning", "text", "tool_use", "video")
_SOURCES = ("generate", "input")
_STATUSES: dict[str, Status] = {"approval": "denied", "cancelled": "interrupted", "parsing": "retried"}
"""What became of a call, by the type of its error; of any other type, it failed."""
_UNPARSED = "arguments that could not be parsed are not in the log"


def classify(message: object) -> Recognised:
    """Say whether an item is a message of Inspect, or a log or sample that holds them."""
    if _is_log(message) or _is_sample(message):
        return "certain"
    role = get(message, "role")
    if role not in _ROLES or get(message, "type") is not None or get(message, "content", message) is message:
        return "no"
    if own_words(message) - _OWN:
        return "no"
    parts = listed(get(message, "content"))
    if any(get(part, "type") not in _PARTS for part in parts):
        return "no"
    native = [isinstance(get(part, "tool_type"), str) for part in parts if get(part, "type") == "tool_use"]
    own = [*map(_is_call, listed(get(message, "tool_calls"))), *native]
    if own:
        return "certain" if all(own) else "no"
    named = role == "tool" and isinstance(get(message, "function"), str)
    return "certain" if named or get(message, "source") in _SOURCES else "could_be"


def _is_call(call: object) -> bool:
    return isinstance(get(call, "function"), str) and is_mapping(get(call, "arguments"))


def _is_sample(item: object) -> bool:
    return isinstance(get(item, "messages"), (list, tuple)) and isinstance(get(item, "epoch"), int)


def _is_log(item: object) -> bool:
    return get(item, "eval") is not None and get(item, "samples", item) is not item


def read(history: object) -> Iterator[Event]:
    """Give the events of a run in Inspect.

    Raises:
        ConversionError: A message that cannot be read, or several samples.
    """
    for index, message in enumerate(_messages(messages_in(history))):
        yield from _message(index, message)


def _messages(items: list[object]) -> Sequence[object]:
    """The messages of the one sample; those that are given as they are."""
    if any(map(_is_log, items)):
        items = [*listed(get(_alone(items), "samples"))]
        if not items:
            raise unreadable(0, None, "a log without samples; read it as a whole, and not its header alone")
    return listed(get(_alone(items), "messages")) if any(map(_is_sample, items)) else items


def _alone(items: list[object]) -> object:
    if len(items) > 1:
        raise unreadable(1, items[1], "a run beside others; match each on its own: log.samples[0], say")
    return items[0]


def _message(index: int, message: object) -> Iterator[Event]:
    role, content = get(message, "role"), get(message, "content")
    if not isinstance(role, str):
        raise unreadable(index, message, "a message without a role")
    if role == "tool":
        yield _answer(message)
        return
    yield Said(role, content, feedback=role == "user" and bool(get(message, "tool_call_id")))
    for part in listed(content):
        if get(part, "type") == "tool_use":
            yield from _native(index, part)
        elif get(part, "type") != "data":
            yield from read_blocks(index, [part])
    yield from _calls(index, message)


def _calls(index: int, message: object) -> Iterator[Event]:
    for call in list_of_calls(index, message, get(message, "tool_calls")):
        arguments = get(call, "arguments")
        unparsed = get(call, "parse_error") is not None and not arguments
        name = tool_name(index, call, get(call, "function"))
        yield Called(name, None if unparsed else wire_arguments(arguments), call_id(call, "id"))
        if unparsed:
            yield Noted(_UNPARSED)


def _answer(message: object) -> Answered:
    error = get(message, "error")
    if error is None and is_mapping(message):  # objects warn of the old name
        error = message.get("tool_error")
    status = "succeeded" if error is None else _STATUSES.get(str(get(error, "type")), "failed")
    return Answered(get(message, "content"), call_id(message, "tool_call_id"), get(message, "function"), status)


def _native(index: int, part: object) -> Iterator[Event]:
    """What the provider executed: the call and its result."""
    name, id = tool_name(index, part, get(part, "name")), call_id(part, "id")
    yield Called(name, wire_arguments(get(part, "arguments")), id, "native")
    failed = get(part, "error") is not None
    yield Answered(first(part, "error", "result"), id, name, "failed" if failed else "succeeded", "native")

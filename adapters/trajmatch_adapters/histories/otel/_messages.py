"""Messages of the GenAI conventions, whose parts call tools and hold results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trajmatch.reading import (
    UNMARKED,
    Answered,
    Called,
    Event,
    Kind,
    Noted,
    Recognised,
    Said,
    call_id,
    first,
    fold_role,
    get,
    listed,
    looks_like_call,
    parsed,
    tool_name,
    unreadable,
    wire_arguments,
)

__all__ = ["events_of", "is_message", "recognise"]

_NOT_CAPTURED = "the arguments of a call were not captured"
_CALLS: dict[str, Kind] = {"server_tool_call": "native", "tool_call": "function"}
_RESULTS: dict[str, Kind] = {"server_tool_call_response": "native", "tool_call_response": "function"}
_SILENT = frozenset(
    {
        "audio-url",
        "binary",
        "blob",
        "compaction",
        "document-url",
        "file",
        "image-url",
        "reasoning",
        "text",
        "thinking",
        "uri",
        "video-url",
    }
)
_NOT_OURS = ("dynamic-tool", "step-start")


def is_message(item: object) -> bool:
    """Say whether this may be a message of these conventions: parts with types, of which a text has `content`."""
    if not isinstance(get(item, "role"), str) or not isinstance(get(item, "parts"), (list, tuple)):
        return False
    return all(_is_part(part) for part in listed(get(item, "parts")))


def _is_part(part: object) -> bool:
    kind = get(part, "type")
    if not isinstance(kind, str) or kind in _NOT_OURS or kind.startswith(("tool-", "data-", "source-")):
        return False
    return first(part, "text", "toolCallId", "part_kind") is None


def recognise(message: object) -> Recognised:
    """Say whether only these conventions have such a message."""
    return "certain" if listed(get(message, "parts")) else "could_be"


def events_of(messages: Iterable[object]) -> Iterator[Event]:
    """Give the events of messages."""
    for index, message in enumerate(messages):
        yield from _message(index, message)


def _message(index: int, message: object) -> Iterator[Event]:
    parts = listed(get(message, "parts"))
    events = [event for part in parts for event in _part(index, part)]
    content = [part for part in parts if _kind(part) not in _CALLS and _kind(part) not in _RESULTS]
    role = fold_role(get(message, "role"))
    if role not in ("user", "tool"):
        yield Said(role, content)
        yield from events
        return
    yield from events
    if content or not parts:
        yield Said("user", content, feedback=bool(events) and not any(_kind(part) == "text" for part in content))


def _kind(part: object) -> str:
    return str(get(part, "type"))


def _part(index: int, part: object) -> Iterator[Event]:
    kind = _kind(part)
    if kind in _CALLS:
        yield _call(index, part, _CALLS[kind])
        if _arguments(part) is None:
            yield Noted(_NOT_CAPTURED)
    elif kind in _RESULTS:
        yield _answer(part, _RESULTS[kind])
        if get(part, "is_error") is None:
            yield Noted(UNMARKED)
    elif kind not in _SILENT and looks_like_call(part):
        raise unreadable(index, part, f"a part of the unknown type {kind!r} with a name and arguments")
    elif kind not in _SILENT:
        yield Noted(f"a part of the unknown type {kind!r} is passed over")


def _arguments(part: object) -> object:
    own = get(part, "server_tool_call")
    return first(part, "arguments", "input") if own is None else own


def _native(part: object, kind: Kind) -> Kind:
    return "native" if get(part, "builtin") is True else kind


def _call(index: int, part: object, kind: Kind) -> Called:
    arguments = _arguments(part)
    name = tool_name(index, part, get(part, "name"))
    return Called(name, None if arguments is None else wire_arguments(arguments), _id(part), _native(part, kind))


def _answer(part: object, kind: Kind) -> Answered:
    result = parsed(first(part, "response", "result", "server_tool_call_response"))
    if get(result, "type") == "function_result":
        result = get(result, "result")
    name = get(part, "name")
    failed = get(part, "is_error") is True
    return Answered(result, _id(part), name, "failed" if failed else "succeeded", _native(part, kind))


def _id(part: object) -> str | None:
    return call_id(part, "id")

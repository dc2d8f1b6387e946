"""Telling apart the events and the messages of AG-UI, in both spellings."""

from __future__ import annotations

from typing import Any

from trajmatch.reading import Recognised, first, get, is_mapping, keys_of, listed

__all__ = ["field", "is_event", "is_stream", "recognise", "type_of"]

_FAMILIES = (
    *("ACTIVITY_", "MESSAGES_", "REASONING_", "RUN_", "STATE_", "STEP_", "SUBAGENT_"),
    *("TEXT_MESSAGE_", "THINKING_", "TOOL_CALL_"),
)
"""How the types of events begin."""

_SINGLE = ("CUSTOM", "RAW")
_SPOKEN = ("assistant", "developer", "system", "user")
_SHOWN = ("activity", "reasoning")
_PARTS = ("audio", "binary", "document", "image", "text", "video")
_KEYS = frozenset({"role", "content", "id", "name", "toolCalls", "encryptedValue", "metadata", "subagentRunId"})
"""What a message has that calls nothing."""

_OTHERS = ("additional_kwargs", "function_call", "parts", "source", "toolInvocations", "type", "kind")
"""What messages have that are in other formats."""


def field(item: object, name: str) -> Any:
    """Give a field by its Python name, in either spelling; `None` where it is not there."""
    head, *rest = name.split("_")
    return first(item, head + "".join(map(str.capitalize, rest)), name)


def type_of(event: object) -> str:
    """Give the type of an event, or empty text; where it is an enum, its value."""
    kind = get(event, "type")
    return str.__str__(kind) if isinstance(kind, str) else ""


def is_event(item: object) -> bool:
    """Say whether an item is an event."""
    kind = type_of(item)
    return kind in _SINGLE or kind.startswith(_FAMILIES)


def is_stream(item: object) -> bool:
    """Say whether an item holds events under `events`."""
    return any(map(is_event, listed(get(item, "events"))))


def recognise(item: object) -> Recognised:
    """Say whether an item is an event or a message; text without calls could be another's."""
    if is_event(item) or is_stream(item):
        return "certain"
    role = get(item, "role")
    if not isinstance(role, str) or first(item, *_OTHERS) is not None:
        return "no"
    return _of_object(item, role) if not is_mapping(item) else _of_mapping(item, role)


def _of_mapping(message: object, role: str) -> Recognised:
    """Say it of stored JSON, in which calls are told by their spelling: what has `tool_calls` is read as OpenAI's."""
    if role == "tool":
        return "certain" if get(message, "toolCallId") is not None else "no"
    if calls := listed(get(message, "toolCalls")):
        return "certain" if all(get(get(call, "function"), "name") for call in calls) else "no"
    if role in _SHOWN:
        return "certain" if first(message, "id", "activityType") is not None else "no"
    known = role in _SPOKEN and _KEYS.issuperset(keys_of(message))
    return "could_be" if known and _is_plain(get(message, "content")) else "no"


def _of_object(message: object, role: str) -> Recognised:
    """Say it of an object: those of AG-UI have an id."""
    if not isinstance(get(message, "id"), str) or role not in (*_SPOKEN, *_SHOWN, "tool"):
        return "no"
    calls = listed(get(message, "tool_calls"))
    return "certain" if all(get(get(call, "function"), "name") for call in calls) else "no"


def _is_plain(content: object) -> bool:
    parts = listed(content)
    return (
        content is None or isinstance(content, str) or (bool(parts) and all(type_of(part) in _PARTS for part in parts))
    )

"""Messages of AG-UI, which are much like OpenAI's, in another spelling."""

from __future__ import annotations

from collections.abc import Iterator

from trajmatch.reading import (
    Answered,
    Event,
    Said,
    field,
    get,
    list_of_calls,
    listed,
    read_call,
    unreadable,
)

__all__ = ["SHOWN", "calls_of", "read_message"]

SHOWN = ("activity", "reasoning")
"""Roles of messages that only a screen shows."""

_NO_ERROR = (None, False, "")


def calls_of(message: object) -> list[object]:
    """Give the calls of a message."""
    return [*listed(field(message, "tool_calls"))]


def read_message(index: int, message: object) -> Iterator[Event]:
    """Give the events of a message.

    Raises:
        ConversionError: No role, calls under an unknown key, or a call without the name of its tool.
    """
    role, content = get(message, "role"), get(message, "content")
    if not isinstance(role, str):
        raise unreadable(index, message, "neither an event nor a message with a role")
    calls = list_of_calls(index, message, field(message, "tool_calls"))
    if role == "tool":
        id = field(message, "tool_call_id")
        failed = get(message, "error") not in _NO_ERROR
        yield Answered(content, id if id is None else str(id), status="failed" if failed else "succeeded")
    elif role not in SHOWN:
        id = get(message, "id")
        yield Said(role, content, id if isinstance(id, str) and role == "assistant" else None)
    for call in calls:
        yield read_call(index, call)

"""Finding the list of messages in what a caller hands over."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from io import IOBase
from typing import cast

from trajmatch._access import get, is_mapping, keys_of
from trajmatch._shown import shown
from trajmatch.errors import ConversionError
from trajmatch.reading._refused import refuse_what_gives_messages

__all__ = ["messages_in"]


def messages_in(history: object) -> list[object]:
    """Give the messages of a history: of a list, tuple or iterator, or of what wraps them.

    Wrappers are objects and dicts with `messages`, and dicts of nothing but `output`. Any other object is given back
    as the only item, for an adapter that knows it (a run result, say).

    Raises:
        ConversionError: `None`, text, one message in place of a list, or what gives messages only when it is awaited,
            read or run.
    """
    if history is None:
        raise ConversionError("a history is missing: got None; an agent that did nothing is an empty list")
    if isinstance(history, (str, bytes, bytearray)):
        raise ConversionError(
            f"a history is a list of messages, got {type(history).__name__} {history[:40]!r}; "
            "hand over the run, and not its output; parse JSON text with json.loads first"
        )
    if isinstance(history, (list, deque)) or type(history) is tuple or _is_iterator(history):
        return list(cast("list[object]", history))
    if isinstance(history, (set, frozenset, range)):
        given: object = cast("object", history)
        raise ConversionError(f"a list is needed, got {type(given).__name__} {shown(given, 60)}; write [...]")
    wrapped = _wrapped(history)
    if wrapped is not history:
        return messages_in(wrapped)
    refuse_what_gives_messages(history)
    if _is_message(history):
        keys = keys_of(history)
        raise ConversionError(
            f"one message in place of a list of messages; write [message]; saw {list(keys)}", keys=keys
        )
    return [history]


def _is_message(item: object) -> bool:
    """Whether this is one message; a response of several candidates only shows the parts of the first."""
    names = ("role", "content") if get(item, "candidates") else ("role", "content", "parts")
    return any(get(item, name) is not None for name in names)


def _is_iterator(history: object) -> bool:
    """Whether this gives its items once; a file gives lines, and a mock, which answers to everything, not itself."""
    if isinstance(history, IOBase) or not isinstance(history, Iterator):
        return False
    return iter(cast("Iterator[object]", history)) is history


def _wrapped(history: object) -> object:
    if not is_mapping(history):
        messages: object = getattr(history, "messages", None)
        return cast("object", messages) if isinstance(messages, (list, tuple)) else history
    if "messages" in history:
        return history["messages"]
    if [*history] == ["output"]:
        return history["output"]
    return cast("object", history)

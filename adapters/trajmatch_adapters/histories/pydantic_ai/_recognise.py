"""Telling a message, a run result, and the kinds of part."""

from __future__ import annotations

from typing import Literal, get_args

from trajmatch.reading import Recognised, get, listed, unreadable

__all__ = ["Messages", "classify", "is_message", "is_run", "kind_of", "parts_of"]

Messages = Literal["new", "all"]
"""Which messages of a run result: those of this run, or those before it, too."""


def classify(message: object) -> Recognised:
    """Say whether a message is one of Pydantic AI, a request or a response with parts, or a run result."""
    return "certain" if is_message(message) or is_run(message) else "no"


def is_message(item: object) -> bool:
    """Say whether an item is a request or a response."""
    return get(item, "kind") in ("request", "response") and isinstance(get(item, "parts"), (list, tuple))


def is_run(item: object) -> bool:
    """Say whether an object is a run or its result, which knows its messages."""
    return all(callable(getattr(item, f"{which}_messages", None)) for which in get_args(Messages))


def parts_of(index: int, message: object) -> list[object]:
    """Give the parts of a message.

    Raises:
        ConversionError: It is none.
    """
    if not is_message(message):
        raise unreadable(index, message, "neither a request nor a response with a list of parts")
    return list(listed(get(message, "parts")))


def kind_of(part: object) -> str:
    """Give the kind of a part."""
    return str(get(part, "part_kind"))

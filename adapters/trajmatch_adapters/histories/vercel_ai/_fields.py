"""Fields in two spellings, `toolCallId` on the wire and `tool_call_id` in Python, and what several forms share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trajmatch.reading import first, get, listed

__all__ = ["field", "kind_of", "text_of", "tool_id"]


def field(item: object, name: str) -> Any:
    """Give a field by its Python name, in either spelling; `None` where it is not there."""
    head, *rest = name.split("_")
    return first(item, head + "".join(map(str.capitalize, rest)), name)


def kind_of(part: object) -> str:
    """Give the type of a part, or empty text."""
    kind = get(part, "type")
    return kind if isinstance(kind, str) else ""


def tool_id(item: object) -> str | None:
    """Give the id of a call as text."""
    id = field(item, "tool_call_id")
    return id if id is None or isinstance(id, str) else str(id)


def text_of(parts: object) -> object:
    """Give what the parts say: text where there is nothing else, `None` where there is nothing."""
    said: Sequence[object] = [part for part in listed(parts) if kind_of(part) in ("text", "file", "image")]
    texts = [get(part, "text") for part in said if kind_of(part) == "text"]
    if len(texts) == len(said) and all(isinstance(text, str) for text in texts):
        return "".join(texts) if texts else None
    return said

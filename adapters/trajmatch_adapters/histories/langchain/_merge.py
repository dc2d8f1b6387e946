"""Chunks of one response become one message, as when LangChain adds them, but nothing is completed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

from trajmatch.reading import get, is_list, is_mapping
from trajmatch_adapters.histories.langchain._forms import Fields

__all__ = ["merged"]

_FIELDS = ("content", "additional_kwargs", "tool_call_chunks", "tool_calls", "invalid_tool_calls")
_STANDING = frozenset({"call_id", "id", "index", "type"})
"""Keys that are not written bit by bit."""


def merged(chunks: Iterable[Fields]) -> dict[str, object]:
    """Give the one message that the chunks are parts of."""
    return reduce(_joined, ({name: chunk.get(name) for name in _FIELDS} for chunk in chunks))


def _joined(left: Any, right: Any) -> Any:
    if not right or not left:
        return left or right
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    if is_mapping(left) and is_mapping(right):
        return _joined_objects(left, right)
    return _joined_lists(_as_list(left), _as_list(right))


def _joined_objects(left: Mapping[str, object], right: Mapping[str, object]) -> dict[str, object]:
    return {**left} | {
        key: left[key] if key in _STANDING and left.get(key) else _joined(left.get(key), value)
        for key, value in right.items()
    }


def _joined_lists(left: list[object], right: list[object]) -> list[object]:
    """Parts with an index go on where the last part with that index, and no other id, stands."""
    parts = [*left]
    for part in right:
        index = get(part, "index")
        fits = (i for i in range(len(parts) - 1, -1, -1) if index is not None and _goes_on(parts[i], part))
        at = next(fits, None)
        if at is None:
            parts.append(part)
        else:
            parts[at] = _joined(parts[at], part)
    return parts


def _goes_on(before: object, after: object) -> bool:
    ids = {id for part in (before, after) if (id := get(part, "id"))}
    return get(before, "index") == get(after, "index") and len(ids) < 2


def _as_list(value: object) -> list[object]:
    return [*value] if is_list(value) else [value]

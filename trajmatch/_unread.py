"""What to say of a history that no format reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trajmatch._access import first, get, is_delta, listed, unreadable
from trajmatch._claims import Adapter, best, refusals
from trajmatch.errors import ConversionError
from trajmatch.reading._search import written_in

__all__ = ["unread"]

_KEYS = ("content", "tool_calls")
"""Where most formats have calls, which says nothing."""
_MOST_PARTS = 5
"""So many parts of a history are told at most."""


def unread(items: Sequence[object], adapters: Mapping[str, Adapter], tried: str) -> ConversionError:
    """Give the error for a history that no adapter reads: where it ends, or what the formats of its parts are."""
    refusing = refusals(items, adapters)
    if parts := _parts(items, adapters, refusing):
        return _mixed(items, parts)
    index = max(refusing.values())
    error = unreadable(index, items[index], f"no format reads it (tried {tried}){_hint(items[index])}")
    error.formats = tuple(refusing)
    return error


def _parts(
    items: Sequence[object], adapters: Mapping[str, Adapter], ends: Mapping[str, int]
) -> list[tuple[int, int, str]]:
    """The parts of a history, each with the format that reads it furthest; empty where none reads some item."""
    parts: list[tuple[int, int, str]] = []
    start = 0
    while start < len(items):
        stop = max(ends.values())
        if stop == start:
            return []
        part = items[start:stop]
        able = {name: adapters[name] for name, end in ends.items() if end == stop}
        parts.append((start, stop, min(best(part, able) if len(able) > 1 else able)))
        start = stop
        ends = refusals(items, adapters, start)
    return parts


def _mixed(items: Sequence[object], parts: Sequence[tuple[int, int, str]]) -> ConversionError:
    told = [f"{_places(start, stop)} by {name!r}" for start, stop, name in parts[:_MOST_PARTS]]
    more = ["and so on"] if len(parts) > _MOST_PARTS else []
    index = parts[0][1]
    error = unreadable(
        index,
        items[index],
        f"no format reads it and what comes before: {', '.join([*told, *more])}; hand over one format",
    )
    error.formats = tuple(dict.fromkeys(name for _, _, name in parts))
    return error


def _places(start: int, stop: int) -> str:
    return f"messages {start}-{stop - 1}" if stop - start > 1 else f"message {start}"


def _hint(item: object) -> str:
    """What to do about an item, or where its calls stand."""
    choice = next(iter(listed(get(item, "choices"))), item)
    if get(item, "object") == "chat.completion.chunk" or get(choice, "delta") is not None or is_delta(item):
        return "; it is a chunk of a stream; put the chunks together first"
    if first(item, "choices") is not None:
        return "; the message of a response is response.choices[0].message"
    key = next((call.key for call in written_in(item) if call.key not in ("", *_KEYS)), None)
    return "" if key is None else f"; it holds calls under the key {key!r}"

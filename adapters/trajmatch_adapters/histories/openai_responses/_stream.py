"""Events of streams: those of one response make a response again; the Agents SDK's own hold items of its runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trajmatch.reading import Recognised, get, keys_of, listed
from trajmatch_adapters.histories.openai_responses._items import type_of

__all__ = ["recognise_event", "unstreamed"]

_BEGINS, _ADDED, _DONE = "response.created", "response.output_item.added", "response.output_item.done"
_ENDS = frozenset({"response.completed", "response.failed", "response.incomplete"})
_DELTAS = {"response.custom_tool_call_input.delta": "input", "response.function_call_arguments.delta": "arguments"}
"""Events that hold a piece of what a model writes for a call, and where it stands in the item."""
_RUN_ITEM, _RAW, _AGENT = "run_item_stream_event", "raw_response_event", "agent_updated_stream_event"


def recognise_event(item: object) -> Recognised:
    """Say whether something is an event of a stream."""
    kind = type_of(item)
    if kind in (_ADDED, _DONE, _RUN_ITEM) or kind in _ENDS:
        return "certain" if get(item, "response" if kind in _ENDS else "item") is not None else "no"
    return "could_be" if kind.startswith("response.") or kind in (_RAW, _AGENT) else "no"


def unstreamed(given: Sequence[object]) -> Iterator[tuple[int, object]]:
    """Give a history, each item with its place, with responses and items in place of the events of streams.

    What the Agents SDK passes on from the API is left out where its own events hold the same.
    """
    of_agents = any(type_of(item) == _RUN_ITEM for item in given)
    events: list[object] = []
    begun = 0
    for place, item in enumerate(given):
        kind = type_of(item)
        event = get(item, "data") if kind == _RAW else item
        if kind == _AGENT or (kind == _RAW and of_agents):
            continue
        if not type_of(event).startswith("response."):
            yield from _response(begun, events)
            events = []
            yield place, get(item, "item") if kind == _RUN_ITEM else item
            continue
        if type_of(event) == _BEGINS:
            yield from _response(begun, events)
            events = []
        begun = begun if events else place
        events.append(event)
    yield from _response(begun, events)


def _response(place: int, events: Sequence[object]) -> Iterator[tuple[int, object]]:
    """The response that the events tell of, if there are any."""
    if not events:
        return
    done = [get(event, "item") for event in events if type_of(event) == _DONE]
    whole = [item for event in events if type_of(event) in _ENDS for item in _output(event)]
    ended = {_id(item) for item in [*done, *whole]}
    begun = [get(event, "item") for event in events if type_of(event) == _ADDED]
    known = {_id(item) for item in done}
    items = [*done, *(item for item in whole if _id(item) not in known)]
    items += [_unfinished(item, events) for item in begun if _id(item) not in ended]
    yield place, {"object": "response", "output": items}


def _output(event: object) -> Sequence[object]:
    return listed(get(get(event, "response"), "output"))


def _id(item: object) -> str:
    return str(get(item, "id"))


def _unfinished(item: object, events: Sequence[object]) -> Mapping[str, Any]:
    """An item that the stream broke off in, with what came of it."""
    given = {key: get(item, key) for key in keys_of(item)}
    for kind, key in _DELTAS.items():
        pieces = [get(e, "delta") for e in events if type_of(e) == kind and str(get(e, "item_id")) == _id(item)]
        if pieces:
            given[key] = "".join(map(str, pieces))
    return {**given, "status": "incomplete"}

"""Events of a session of Claude Managed Agents: live objects, stored JSON, and recorded calls of the client.

What this format does differently:
- everything is an event with a `type`: `user.message`, `agent.message`, `agent.tool_use`, `agent.tool_result`, ...;
  the id of a call is that of its event;
- one response of the model is several events, between `span.model_request_start` and its end; where these are left
  out, a result or a user's event ends a response;
- built-in tools and those of MCP run at the provider (`native`), unless a `user.tool_result` shows that the client ran
  one; custom tools are functions;
- `is_error` says that a call failed, `evaluated_permission` or a `user.tool_confirmation` that it was refused, and a
  `user.interrupt` that those before it which have no result were stopped;
- a recording holds pairs of a method and what it took or gave; what was sent comes back in the stream, and counts once;
- events of a sub-agent that were put into this session (`session_thread_id`) are left out, and noted.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import NamedTuple

from trajmatch.reading import (
    Answered,
    Called,
    Event,
    Noted,
    Recognised,
    Said,
    Status,
    call_id,
    get,
    listed,
    looks_like_call,
    messages_in,
    tool_name,
    unreadable,
    wire_arguments,
)

__all__ = ["classify", "read"]

_SPEAKERS = {"agent.message": "assistant", "system.message": "system", "user.message": "user"}
_USES = ("agent.custom_tool_use", "agent.mcp_tool_use", "agent.tool_use")
_RESULTS = {
    "agent.mcp_tool_result": "mcp_tool_use_id",
    "agent.tool_result": "tool_use_id",
    "user.custom_tool_result": "custom_tool_use_id",
    "user.tool_result": "tool_use_id",
}
_CUSTOM, _OUTCOME = "agent.custom_tool_use", "user.define_outcome"
_CONFIRMED, _INTERRUPTED = "user.tool_confirmation", "user.interrupt"
_BY_CLIENT, _START = "user.tool_result", "span.model_request_start"
_FAMILIES = ("agent.", "session.", "span.", "system.", "user.", "workflow_run.")
_SILENT = ("agent.thinking", "agent.thread_")
_CLIENT, _SEND = "client.beta.sessions.", ".send"
_LEFT_OUT = "the events of sub-agents are left out"


class _Placed(NamedTuple):
    """An event, the index of the item that holds it, and the response of the model that it is a part of."""

    at: int
    event: object
    response: str = ""


class _Known(NamedTuple):
    """The ids of calls that have results, of those that the client ran, and of those that were refused."""

    answered: Set[str | None]
    by_client: Set[str | None]
    refused: Set[str | None]


def classify(message: object) -> Recognised:
    """Say whether an item is an event, a recorded call of the client, or a page of events."""
    if _method(message) or _is_page(message):
        return "certain"
    known = _type(message) in (*_SPEAKERS, *_USES, *_RESULTS, _OUTCOME)
    return "no" if not _is_event(message) else "certain" if known else "could_be"


def read(history: object) -> Iterator[Event]:
    """Give the events of a session of Managed Agents."""
    given = _unique(_given(messages_in(history)))
    own = [placed for placed in given if not _is_of_sub_agent(placed.event)]
    yield from _read([*_in_responses(own)])
    if len(own) < len(given):
        yield Noted(_LEFT_OUT)


def _read(events: list[_Placed]) -> Iterator[Event]:
    known = _known(events)
    stopped = max((place for place, placed in enumerate(events) if _type(placed.event) == _INTERRUPTED), default=0)
    left: list[Event] = []
    for place, placed in enumerate(events):
        for event in _events(placed, known):
            yield event
            if isinstance(event, Called) and (status := _without_result(event, known, place < stopped)):
                left.append(Answered(None, event.id, status=status, kind=event.kind))
    yield from left


def _without_result(call: Called, known: _Known, stopped: bool) -> Status | None:
    """What became of a call that got no result, where the events say."""
    if call.id in known.answered:
        return None
    return "denied" if call.id in known.refused else "interrupted" if stopped else None


def _known(events: list[_Placed]) -> _Known:
    answered, by_client, refused = set[str | None](), set[str | None](), set[str | None]()
    for _, event, _ in events:
        kind = _type(event)
        if kind in _RESULTS:
            (by_client if kind == _BY_CLIENT else answered).add(call_id(event, _RESULTS[kind]))
        elif kind == _CONFIRMED and get(event, "result") == "deny":
            refused.add(call_id(event, "tool_use_id"))
        elif get(event, "evaluated_permission") == "deny":
            refused.add(call_id(event, "id"))
    return _Known(answered | by_client, by_client, refused - {None})


def _events(placed: _Placed, known: _Known) -> Iterator[Event]:
    """What one event says."""
    index, event, response = placed
    kind = _type(event)
    if kind in _SPEAKERS:
        role = _SPEAKERS[kind]
        yield Said(role, get(event, "content"), response if role == "assistant" else None)
    elif kind == _OUTCOME:
        yield Said("user", get(event, "description"))
    elif kind in _USES:
        id, name = call_id(event, "id"), tool_name(index, event, get(event, "name"))
        native = kind != _CUSTOM and id not in known.by_client
        yield Said("assistant", None, response)
        yield Called(name, wire_arguments(get(event, "input")), id, "native" if native else "function")
    elif kind in _RESULTS:
        id = call_id(event, _RESULTS[kind])
        status: Status = "failed" if get(event, "is_error") is True else "succeeded"
        status = "denied" if id in known.refused else status
        yield Answered(get(event, "content"), id, None, status, "function" if kind.startswith("user.") else "native")
    elif kind.startswith("agent.") and not kind.startswith(_SILENT):
        if looks_like_call(event):
            raise unreadable(index, event, f"an event of the unknown type {kind!r} with a name and arguments")
        yield Noted(f"an event of the unknown type {kind!r} is passed over")


def _in_responses(events: list[_Placed]) -> Iterator[_Placed]:
    """The events, each with its response: one from a request of the model to the next, or from a result."""
    spans, response = any(_type(placed.event) == _START for placed in events), ""
    for place, placed in enumerate(events):
        kind = _type(placed.event)
        if kind == _START if spans else kind in _RESULTS or kind.startswith("user."):
            response = str(place)
        yield placed._replace(response=response or "first")


def _given(items: list[object]) -> list[_Placed]:
    """The events in the items; what was sent only where nothing else was recorded.

    Raises:
        ConversionError: An item that is neither event nor recorded call.
    """
    sent, streamed = list[_Placed](), list[_Placed]()
    for index, item in enumerate(items):
        method = _method(item)
        payload = listed(item)[1] if method else item
        if method.endswith(_SEND):
            events = [event for part in (payload, *listed(payload)) for event in listed(get(part, "events"))]
            sent += [_Placed(index, event) for event in events]
        elif _is_page(payload):
            streamed += [_Placed(index, event) for event in listed(get(payload, "data"))]
        elif _is_event(payload):
            streamed.append(_Placed(index, payload))
        elif not method:
            raise unreadable(index, item, "neither an event of a session nor a recorded call of the client")
    return streamed or sent


def _unique(events: list[_Placed]) -> list[_Placed]:
    """The events, each once, however often it was listed or streamed."""
    unique: dict[object, _Placed] = {}
    for place, placed in enumerate(events):
        unique.setdefault(call_id(placed.event, "id") or place, placed)
    return [*unique.values()]


def _is_of_sub_agent(event: object) -> bool:
    return _type(event) in (*_USES, *_RESULTS, _CONFIRMED) and get(event, "session_thread_id") is not None


def _type(event: object) -> str:
    kind = get(event, "type")
    return kind if isinstance(kind, str) else ""


def _is_event(item: object) -> bool:
    kind, said = _type(item), get(item, "content")
    return kind.startswith(_FAMILIES) and (kind not in _SPEAKERS or isinstance(said, (list, tuple)))


def _is_page(item: object) -> bool:
    events = listed(get(item, "data"))
    return bool(events) and all(map(_is_event, events))


def _method(item: object) -> str:
    """The method of a recorded call; empty where this is none."""
    pair = listed(item)
    return pair[0] if len(pair) == 2 and isinstance(pair[0], str) and pair[0].startswith(_CLIENT) else ""

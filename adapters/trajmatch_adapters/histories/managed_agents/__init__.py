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
    SHARED_ID,
    Answered,
    Called,
    Event,
    Noted,
    Said,
    Status,
    call_id,
    get,
    looks_like_call,
    messages_in,
    tool_name,
    type_of,
    unreadable,
    wire_arguments,
)
from trajmatch_adapters.histories.managed_agents._events import (
    OUTCOME,
    RESULTS,
    SPEAKERS,
    USES,
    Placed,
    classify,
    events_in,
)

__all__ = ["classify", "read"]

_CUSTOM, _BY_CLIENT = "agent.custom_tool_use", "user.tool_result"
_CONFIRMED, _INTERRUPTED = "user.tool_confirmation", "user.interrupt"
_START = "span.model_request_start"
_SILENT = ("agent.thinking", "agent.thread_")
_LEFT_OUT = "the events of sub-agents are left out"


class _Known(NamedTuple):
    """The ids of calls that have results, of those that the client ran, and of those that were refused."""

    answered: Set[str | None]
    by_client: Set[str | None]
    refused: Set[str | None]


def read(history: object) -> Iterator[Event]:
    """Give the events of a session of Managed Agents."""
    given, shared = events_in(messages_in(history))
    own = [placed for placed in given if not _is_of_sub_agent(placed.event)]
    others = [placed for placed in given if _is_of_sub_agent(placed.event)]
    yield from _read([*_in_responses(own)])
    if others:
        yield Noted(_LEFT_OUT, [event for event in _read(others) if isinstance(event, Called)])
    if shared:
        yield Noted(SHARED_ID)


def _read(events: list[Placed]) -> Iterator[Event]:
    known = _known(events)
    stopped = max((place for place, placed in enumerate(events) if type_of(placed.event) == _INTERRUPTED), default=0)
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


def _known(events: list[Placed]) -> _Known:
    answered, by_client, refused = set[str | None](), set[str | None](), set[str | None]()
    for _, event, _ in events:
        kind = type_of(event)
        if kind in RESULTS:
            (by_client if kind == _BY_CLIENT else answered).add(call_id(event, RESULTS[kind]))
        elif kind == _CONFIRMED and get(event, "result") == "deny":
            refused.add(call_id(event, "tool_use_id"))
        elif get(event, "evaluated_permission") == "deny":
            refused.add(call_id(event, "id"))
    return _Known(answered | by_client, by_client, refused - {None})


def _events(placed: Placed, known: _Known) -> Iterator[Event]:
    """What one event says."""
    index, event, response = placed
    kind = type_of(event)
    if kind in SPEAKERS:
        role = SPEAKERS[kind]
        yield Said(role, get(event, "content"), response if role == "assistant" else None)
    elif kind == OUTCOME:
        yield Said("user", get(event, "description"))
    elif kind in USES:
        id, name = call_id(event, "id"), tool_name(index, event, get(event, "name"))
        native = kind != _CUSTOM and id not in known.by_client
        yield Said("assistant", None, response)
        yield Called(name, wire_arguments(get(event, "input")), id, "native" if native else "function")
    elif kind in RESULTS:
        id = call_id(event, RESULTS[kind])
        status: Status = "failed" if get(event, "is_error") is True else "succeeded"
        status = "denied" if id in known.refused else status
        yield Answered(get(event, "content"), id, None, status, "function" if kind.startswith("user.") else "native")
    elif kind.startswith("agent.") and not kind.startswith(_SILENT):
        if looks_like_call(event):
            raise unreadable(index, event, f"an event of the unknown type {kind!r} with a name and arguments")
        yield Noted(f"an event of the unknown type {kind!r} is passed over")


def _in_responses(events: list[Placed]) -> Iterator[Placed]:
    """The events, each with its response: one from a request of the model to the next, or from a result."""
    spans, response = any(type_of(placed.event) == _START for placed in events), ""
    for place, placed in enumerate(events):
        kind = type_of(placed.event)
        if kind == _START if spans else kind in RESULTS or kind.startswith("user."):
            response = str(place)
        yield placed._replace(response=response or "first")


def _is_of_sub_agent(event: object) -> bool:
    return type_of(event) in (*USES, *RESULTS, _CONFIRMED) and get(event, "session_thread_id") is not None

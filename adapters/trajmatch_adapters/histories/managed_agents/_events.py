"""The events in the items of a history: those of a stream or a page, and those in a recording of the client."""

from __future__ import annotations

from typing import NamedTuple

from trajmatch.reading import (
    Ids,
    Recognised,
    call_id,
    get,
    listed,
    type_of,
    unreadable,
)

__all__ = [
    "OUTCOME",
    "RESULTS",
    "SPEAKERS",
    "TOLD",
    "USES",
    "Placed",
    "classify",
    "events_in",
]

SPEAKERS = {"agent.message": "assistant", "system.message": "system", "user.message": "user"}
USES = ("agent.custom_tool_use", "agent.mcp_tool_use", "agent.tool_use")
RESULTS = {
    "agent.mcp_tool_result": "mcp_tool_use_id",
    "agent.tool_result": "tool_use_id",
    "user.custom_tool_result": "custom_tool_use_id",
    "user.tool_result": "tool_use_id",
}
OUTCOME = "user.define_outcome"
TOLD = (*SPEAKERS, *USES, *RESULTS, OUTCOME)
"""Events that say or call something."""
_FAMILIES = ("agent.", "session.", "span.", "system.", "user.", "workflow_run.")
_CLIENT, _SEND = "client.beta.sessions.", ".send"


class Placed(NamedTuple):
    """An event, the index of the item that holds it, and the response of the model that it is a part of."""

    at: int
    event: object
    response: str = ""


def classify(message: object) -> Recognised:
    """Say whether an item is an event, a recorded call of the client, or a page of events."""
    if _method(message) or _is_page(message):
        return "certain"
    return "no" if not _is_event(message) else "certain" if type_of(message) in TOLD else "could_be"


def events_in(items: list[object]) -> tuple[list[Placed], bool]:
    """Give the events in the items, each once, however often it was listed or streamed, and whether some share an id.

    Raises:
        ConversionError: An item that is neither event nor recorded call; none that says or calls anything.
    """
    unique: dict[object, Placed] = {}
    ids = Ids()
    for place, placed in enumerate(_given(items)):
        id, name = call_id(placed.event, "id"), get(placed.event, "name")
        unique.setdefault(ids.of(id, f"{type_of(placed.event)} {name}") if id else place, placed)
    if items and not any(type_of(placed.event) in TOLD for placed in unique.values()):
        raise unreadable(0, items[0], "no event says or calls anything")
    return [*unique.values()], ids.shared


def _given(items: list[object]) -> list[Placed]:
    """The events in the items; what was sent only where nothing else was recorded."""
    sent, streamed = list[Placed](), list[Placed]()
    for index, item in enumerate(items):
        method = _method(item)
        payload = listed(item)[1] if method else item
        if method.endswith(_SEND):
            events = [event for part in (payload, *listed(payload)) for event in listed(get(part, "events"))]
            sent += [Placed(index, event) for event in events]
        elif _is_page(payload):
            streamed += [Placed(index, event) for event in listed(get(payload, "data"))]
        elif _is_event(payload):
            streamed.append(Placed(index, payload))
        elif not method:
            raise unreadable(index, item, "neither an event of a session nor a recorded call of the client")
    return streamed or sent


def _is_event(item: object) -> bool:
    kind, said = type_of(item), get(item, "content")
    return kind.startswith(_FAMILIES) and (kind not in SPEAKERS or isinstance(said, (list, tuple)))


def _is_page(item: object) -> bool:
    events = listed(get(item, "data"))
    return bool(events) and all(map(_is_event, events))


def _method(item: object) -> str:
    """The method of a recorded call; empty where this is none."""
    pair = listed(item)
    return pair[0] if len(pair) == 2 and isinstance(pair[0], str) and pair[0].startswith(_CLIENT) else ""

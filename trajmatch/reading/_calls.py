"""Events of the calls that a message holds as most formats write them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from trajmatch._access import call_id, get, is_delta, listed, tool_name, unreadable, wire_call
from trajmatch.reading._events import Called, Event

__all__ = ["list_of_calls", "read_call", "with_outputs", "wraps_its_name"]


def list_of_calls(index: int, message: object, given: object) -> Sequence[object]:
    """Give what message `index` holds as its calls.

    Raises:
        ConversionError: It is no list.
    """
    calls = listed(given)
    if given and not calls:
        raise unreadable(index, message, "tool_calls that are no list")
    return calls


def wraps_its_name(call: object) -> bool:
    """Say whether a call has the name of its tool in an object under `function`, as those of Chat Completions do."""
    function = get(call, "function")
    return bool(function) and not isinstance(function, str)


def read_call(index: int, call: object) -> Called:
    """Give the event of a call in a wire format, with its `id`.

    Raises:
        ConversionError: It has no name, or is a piece of one.
    """
    if is_delta(call):
        raise unreadable(index, call, "a piece of a call in a stream; put the chunks together first")
    name, arguments = wire_call(call)
    return Called(tool_name(index, call, name), arguments, call_id(call, "id"))


def with_outputs(events: Iterable[Event], tools: Collection[str]) -> Iterator[Event]:
    """Give events in which the calls of these tools return structured output."""
    for event in events:
        if isinstance(event, Called) and event.kind == "function" and event.name in tools:
            yield event._replace(kind="output")
        else:
            yield event

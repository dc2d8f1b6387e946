"""One step: what is said in it, what is called, and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import cast

from trajmatch.reading import (
    UNMARKED,
    Answered,
    Called,
    Event,
    Noted,
    Said,
    call_id,
    get,
    list_of_calls,
    listed,
    read_blocks,
    read_user,
    tool_name,
    unreadable,
    wire_arguments,
)

__all__ = ["Inside", "calls_of", "events_of", "role_of"]

Inside = Callable[[object, "str | None"], Iterator[Event]]
"""Gives the events of the runs that a result refers to, with the id of the call that it answers."""

_ROLES = {"agent": "assistant", "system": "system", "user": "user"}
_ORDER = "results without an id are joined to the calls of their step, in order"
_SHARED = "one result without an id stands for all calls of its step"
_COUNTED = "a step for which the model was asked not once, or several times, counts as one model request"


def role_of(step: object) -> str | None:
    """Give the role of who speaks in a step; `None` where it is none."""
    source = get(step, "source")
    return _ROLES.get(source) if isinstance(source, str) else None


def events_of(index: int, step: object, role: str, inside: Inside) -> Iterator[Event]:
    """Give the events of a step."""
    message = get(step, "message")
    if role == "user":
        yield from read_user(index, message)
    else:
        yield Said(role, message)
        yield from read_blocks(index, message)
    if role == "assistant" and get(step, "llm_call_count") not in (None, 1):
        yield Noted(_COUNTED)
    calls = calls_of(index, step)
    yield from calls
    yield from _answers(calls, _results(index, step), inside)


def calls_of(index: int, step: object) -> list[Called]:
    """Give the calls of a step."""
    return [
        Called(
            tool_name(index, call, get(call, "function_name")),
            wire_arguments(get(call, "arguments")),
            call_id(call, "tool_call_id"),
        )
        for call in list_of_calls(index, step, get(step, "tool_calls"))
    ]


def _results(index: int, step: object) -> Sequence[object]:
    observation = get(step, "observation")
    results = get(observation, "results")
    if observation is not None and not isinstance(results, (list, tuple)):
        raise unreadable(index, step, "an observation without a list of results")
    return listed(cast("object", results))


def _answers(calls: list[Called], results: Sequence[object], inside: Inside) -> Iterator[Event]:
    """The results of a step; those without an id join the calls that no other result names."""
    named = {call_id(result, "source_call_id") for result in results}
    waiting = [call for call in calls if call.id not in named or call.id is None]
    shared = len(waiting) > 1 and [*map(_id, results)].count(None) == 1
    for result in results:
        id, content = _id(result), get(result, "content")
        yield from inside(result, id or (waiting[0].id if waiting else None))
        if id is not None:
            yield Answered(content, id)
        elif waiting:
            taken = waiting if shared else waiting[:1]
            yield Noted(_SHARED if shared else _ORDER)
            yield from [Answered(content, call.id, call.name) for call in taken]
            waiting = waiting[len(taken) :]
        else:
            yield Said("user", content, feedback=True)
            continue
        yield Noted(UNMARKED)


def _id(result: object) -> str | None:
    return call_id(result, "source_call_id") or None

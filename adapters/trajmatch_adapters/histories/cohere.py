"""Cohere: messages and responses of its chat API, of both versions, as objects of the SDK or as JSON.

What this format does differently:
- messages of version 2 are those of Chat Completions, so that `openai` reads them alike; but for the `tool_plan`, what
  the model wrote before its calls, which is the text of the message where it has no other;
- messages of version 1 have roles in capitals (`CHATBOT`) and their text under `message`; their calls have `parameters`
  and no id, and a `TOOL` message repeats the call beside its `outputs`;
- a response of version 1 holds the whole `chat_history`, one of version 2 its message;
- nothing says whether a tool failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trajmatch.reading import (
    UNMARKED,
    Answered,
    Event,
    Noted,
    Recognised,
    Said,
    Status,
    call_id,
    first,
    get,
    list_of_calls,
    listed,
    messages_in,
    own_words,
    read_blocks,
    read_call,
    read_user,
    tool_name,
    unreadable,
    wraps_its_name,
)

__all__ = ["classify", "read"]

_ROLES = frozenset({"assistant", "developer", "system", "tool", "user"})
_FIRST_VERSION = {"CHATBOT": "assistant", "SYSTEM": "system", "TOOL": "tool", "USER": "user"}
"""The roles of version 1."""
_OWN = frozenset({"tool_plan"})
_OTHERS = ("prefix", "type")
"""What messages of other formats hold."""


def classify(message: object) -> Recognised:
    """Say whether something is a message of version 1, a response, or one of version 2 with a plan or citations."""
    role = get(message, "role")
    if role is None:
        return "certain" if _held(message) else "no"
    if not isinstance(role, str) or first(message, *_OTHERS) is not None or own_words(message) - _OWN:
        return "no"
    if role in _FIRST_VERSION:
        return "certain" if first(message, "message", "tool_calls", "tool_results") is not None else "no"
    calls, parts = listed(get(message, "tool_calls")), listed(get(message, "content"))
    if role not in _ROLES or not all(map(wraps_its_name, calls)):
        return "no"
    if not all(isinstance(part, str) or get(part, "type") for part in parts):
        return "no"
    return "could_be" if first(message, "tool_plan", "citations") is None else "certain"


def read(history: object) -> Iterator[Event]:
    """Give the events of a history of Cohere."""
    unmarked = False
    for place, item in enumerate(messages_in(history)):
        for message in _held(item) or [item]:
            for event in _message(place, message):
                unmarked = unmarked or (isinstance(event, Answered) and event.status == "succeeded")
                yield event
    if unmarked:
        yield Noted(UNMARKED)


def _held(item: object) -> list[object]:
    """The messages that a response holds, or a request of version 1; empty for anything else."""
    history = listed(get(item, "chat_history"))
    if history and all(str(get(message, "role")) in _FIRST_VERSION for message in history):
        return [*history]
    message = get(item, "message")
    answered = get(message, "role") == "assistant" and get(item, "finish_reason") is not None
    return [message] if answered and get(item, "role") is None else []


def _message(place: int, message: object) -> Iterable[Event]:
    role = get(message, "role")
    if not isinstance(role, str):
        raise unreadable(place, message, "a message without a role")
    role = _FIRST_VERSION.get(role, role)
    if role == "tool":
        return _answers(place, message)
    return _said(place, role, message)


def _answers(place: int, message: object) -> Iterator[Answered]:
    results = get(message, "tool_results")
    if results is None:
        id, name = call_id(message, "tool_call_id"), get(message, "name")
        status: Status = "failed" if get(message, "error") not in (None, False) else "succeeded"
        yield Answered(get(message, "content"), id, name if isinstance(name, str) else None, status)
    for result in listed(results):
        call = get(result, "call")
        yield Answered(get(result, "outputs"), name=tool_name(place, result, get(call, "name")))


def _said(place: int, role: str, message: object) -> Iterator[Event]:
    content = first(message, "content", "message") or first(message, "tool_plan", "content", "message")
    given = list_of_calls(place, message, get(message, "tool_calls"))
    calls = [read_call(place, call) for call in given]
    if role == "user":
        yield from read_user(place, content)
        yield from calls
    else:
        yield Said(role, content)
        yield from calls
        yield from read_blocks(place, content, {call.id for call in calls if call.id})

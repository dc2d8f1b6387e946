"""Mistral: messages of its chat API, and the entries of its conversations, as objects of the SDK or as JSON.

What this format does differently:
- messages are those of Chat Completions, so that `openai` reads them alike; arguments may be an object, and an object
  of the SDK has a value of its own, `Unset`, where a field is absent;
- a conversation is a flat list of entries (`function.call`, `function.result`, `message.output`); what the model wrote
  between two inputs is one response, and so are the `outputs` of each response that is handed over whole;
- a `tool.execution` is a call by the server; what came of it stands in the entry, under `info`;
- a `function.call` says whether a person denied it; whether a function failed, only a text of the SDK says;
- a handoff to another agent is an entry of its own, and no call.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from trajmatch.reading import (
    UNMARKED,
    Answered,
    Called,
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
    type_of,
    unreadable,
    wire_arguments,
    wraps_its_name,
)

__all__ = ["classify", "read"]

_HANDOFF = "a handoff to another agent is no call"
_ROLES = frozenset({"assistant", "system", "tool", "user"})
_CHUNKS = frozenset({"document_url", "reference", "resource_link", "tool_file", "tool_reference"})
"""Parts that only this format has, and that call nothing."""
_INPUTS = frozenset({"function.result", "message.input"})
_ENTRIES = _INPUTS | {"agent.handoff", "function.call", "message.output", "tool.execution"}
_HOLDERS = ("entries", "outputs")
_FAILED = re.compile(r"Error while executing \S+: ")
"""How the SDK begins the result of a function that raised."""


class _Entry(NamedTuple):
    """An entry or a message, where it stands, and the response that it is part of, where that is known."""

    place: int
    item: object
    response: str | None = None


def classify(message: object) -> Recognised:
    """Say whether something is an entry, a response or a history of a conversation, or a message with a `prefix`."""
    kind, role = type_of(message), _get(message, "role")
    if kind in _ENTRIES:
        return "certain"
    if role is None:
        return "certain" if _held(message) else "no"
    if role not in _ROLES or kind or own_words(message):
        return "no"
    calls, parts = listed(_get(message, "tool_calls")), listed(_get(message, "content"))
    if not all(map(wraps_its_name, calls)) or not all(isinstance(part, str) or type_of(part) for part in parts):
        return "no"
    return "could_be" if get(message, "prefix") is None else "certain"


def read(history: object) -> Iterator[Event]:
    """Give the events of a history of Mistral."""
    entries = [entry for at, item in enumerate(messages_in(history)) for entry in _entries(at, item)]
    denied = {call_id(entry.item, "tool_call_id") for entry in entries if _is_denied(entry.item)}
    unmarked = False
    for event in _events(entries):
        if isinstance(event, Answered) and event.kind == "function":
            if event.id in denied:
                event = event._replace(status="denied")
            unmarked = unmarked or event.status == "succeeded"
        yield event
    if unmarked:
        yield Noted(UNMARKED)


def _events(entries: Sequence[_Entry]) -> Iterator[Event]:
    """The events of entries; a call that a person denied is answered by that where nothing else answers it."""
    answered = {call_id(entry.item, "tool_call_id") for entry in entries if type_of(entry.item) == "function.result"}
    before = None
    for entry, response in zip(entries, _responses(entries), strict=True):
        if response is None:
            yield from _message(entry)
        else:
            if response != before:
                yield Said("assistant", response=response)
            yield from _output(entry, response)
            if _is_denied(entry.item) and (id := call_id(entry.item, "tool_call_id")) not in answered:
                yield Answered(None, id)
        before = response


def _get(item: object, name: str) -> Any:
    """Give a value, or `None` where an object of the SDK says that there is none."""
    value = get(item, name)
    return None if type(value).__name__ == "Unset" else value


def _held(item: object) -> list[list[object]]:
    """The lists of entries that a run of the SDK, a response or a history holds; empty for anything else."""
    run = [get(item, name) for name in ("input_entries", "output_entries")]
    lists = run if all(isinstance(held, (list, tuple)) for held in run) else [get(item, name) for name in _HOLDERS]
    held = [[*listed(entries)] for entries in lists if listed(entries)]
    return held if all(type_of(entry) in _ENTRIES for entries in held for entry in entries) else []


def _entries(place: int, item: object) -> Iterable[_Entry]:
    held = _held(item)
    if not held:
        return [_Entry(place, item)]
    whole = f"response {place}" if listed(get(item, "outputs")) else None
    return [_Entry(place, entry, whole) for entries in held for entry in entries]


def _responses(entries: Iterable[_Entry]) -> Iterator[str | None]:
    """Give, for each entry, the response that it is part of; `None` for what the model did not write, and messages."""
    current, count = None, 0
    for entry in entries:
        if type_of(entry.item) not in _ENTRIES - _INPUTS:
            current = None
        elif entry.response or current is None:
            current, count = entry.response or f"response {count} by order", count + 1
        yield current


def _output(entry: _Entry, response: str) -> Iterator[Event]:
    """What the model wrote in a conversation."""
    place, item = entry.place, entry.item
    kind = type_of(item)
    if kind == "agent.handoff":
        yield Noted(_HANDOFF)
    elif kind == "message.output":
        content = _get(item, "content")
        yield Said("assistant", content, response)
        yield from _blocks(place, content)
    else:
        name, arguments = tool_name(place, item, get(item, "name")), wire_arguments(_get(item, "arguments"))
        if kind == "function.call":
            yield Called(name, arguments, call_id(item, "tool_call_id"))
        else:
            yield Called(name, arguments, call_id(item, "id"), "native")
            if first(item, "info", "completed_at") is not None:
                yield Answered(_get(item, "info"), call_id(item, "id"), name, "succeeded", "native")


def _message(entry: _Entry) -> Iterator[Event]:
    """What a message says, or an input of a conversation."""
    place, item = entry.place, entry.item
    role, content = _get(item, "role"), _get(item, "content")
    if type_of(item) == "function.result" or role == "tool":
        yield _answer(item)
    elif not isinstance(role, str):
        raise unreadable(place, item, "neither a message with a role nor an entry")
    else:
        given = list_of_calls(place, item, _get(item, "tool_calls"))
        calls = [read_call(place, call) for call in given]
        if role == "user":
            yield from [*read_user(place, content), *calls]
        else:
            yield from [Said(role, content), *calls, *_blocks(place, content, {call.id for call in calls if call.id})]


def _answer(item: object) -> Answered:
    result, name = _get(item, "result" if type_of(item) else "content"), _get(item, "name")
    failed = _get(item, "error") not in (None, False) or (isinstance(result, str) and _FAILED.match(result))
    status: Status = "failed" if failed else "succeeded"
    return Answered(result, call_id(item, "tool_call_id"), name if isinstance(name, str) else None, status)


def _blocks(place: int, content: object, seen: Collection[str] = ()) -> Iterator[Event]:
    return read_blocks(place, [part for part in listed(content) if type_of(part) not in _CHUNKS], seen)


def _is_denied(item: object) -> bool:
    return type_of(item) == "function.call" and bool(_get(item, "confirmation_status") == "denied")

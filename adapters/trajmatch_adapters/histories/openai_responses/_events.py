"""From items to events: responses, calls, and what became of each call."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trajmatch.reading import (
    UNMARKED,
    Answered,
    Called,
    Event,
    Kind,
    Noted,
    Said,
    Status,
    call_id,
    first,
    get,
    listed,
    looks_like_call,
    read_blocks,
    tool_name,
    type_of,
    unreadable,
    wire_arguments,
)
from trajmatch_adapters.histories.openai_responses._batches import Known, known_of, responses_of
from trajmatch_adapters.histories.openai_responses._entries import Entry
from trajmatch_adapters.histories.openai_responses._items import CALLS, OUTPUTS, SILENT, CallRow, kind_of

__all__ = ["events_of"]

_UNMARKED_OUTPUTS = frozenset({"custom_tool_call_output", "function_call_output", "local_shell_call_output"})
_STATUSES: dict[str, Status] = {"completed": "succeeded", "failed": "failed", "incomplete": "interrupted"}
"""What became of a call, by the `status` of the item that holds its result."""
_DENIED = "Tool execution was not approved."
_FAILED = re.compile(
    r"An error occurred while running the tool\. Please try again\..*|Tool '.*' timed out after \S+ seconds\.",
    re.DOTALL,
)
"""What the Agents SDK gives the model as the result of a call that raised, or took too long."""


def events_of(entries: Sequence[Entry]) -> Iterator[Event]:
    """Give the events of a history of items."""
    known, before = known_of(entries), None
    for entry, response in zip(entries, responses_of(entries, known), strict=True):
        if response is not None and response != before:
            yield Said("assistant", response=response)
        before = response or before
        yield from _events(entry, response, known)


def _events(entry: Entry, response: str | None, known: Known) -> Iterator[Event]:
    index, item = entry.place, entry.item
    kind, id = type_of(item), call_id(item, "call_id", "id") or ""
    if item is None and entry.response:
        return
    if entry.waits and id in known.kinds:
        if id not in known.answered:
            yield Noted("a call waits for an approval")
    elif kind in CALLS:
        yield from _called(index, item, known)
    elif kind in OUTPUTS:
        yield from _answered(entry, known)
    elif kind == "mcp_approval_request":
        yield from _requested(index, item, known)
    elif kind in ("", "message"):
        yield from _said(index, item, response)
    elif note := SILENT.get(kind):
        yield Noted(note)
    elif kind not in SILENT and kind != "reasoning":
        yield from _unknown(index, item, kind)


def _said(index: int, item: object, response: str | None) -> Iterator[Event]:
    role, content = get(item, "role"), get(item, "content")
    if not isinstance(role, str):
        raise unreadable(index, item, "neither an item nor a message")
    yield Said(role, content, response=response)
    yield from read_blocks(index, content)


def _called(index: int, item: object, known: Known) -> Iterator[Event]:
    row, id = CALLS[type_of(item)], call_id(item, "call_id", "id")
    called = Called(_name(index, item, row), row.arguments(item), id, kind_of(item))
    yield called
    if row.result:
        yield from _own_result(item, called, row.result(item))
    elif get(item, "status") == "incomplete" and id not in known.answered:
        yield Answered(None, id, called.name, "interrupted", called.kind)


def _name(index: int, item: object, row: CallRow) -> str:
    return tool_name(index, item, get(item, "name")) if row.named else type_of(item).removesuffix("_call")


def _status(item: object) -> Status | None:
    status = get(item, "status")
    return _STATUSES.get(status) if isinstance(status, str) else None


def _own_result(item: object, called: Called, result: object) -> Iterator[Answered]:
    """The result that stands in the item of the call: what a server executed."""
    error = get(item, "error")
    status = "failed" if error is not None else _status(item)
    if status is None and result is not None:
        status = "succeeded"
    if status is not None:
        yield Answered(error if result is None else result, called.id, called.name, status, called.kind)


def _requested(index: int, item: object, known: Known) -> Iterator[Event]:
    """A request for approval is a call where none followed."""
    id, name = call_id(item, "id") or "", tool_name(index, item, get(item, "name"))
    if id in known.carried_out:
        return
    yield Called(name, CALLS["mcp_call"].arguments(item), id, "native")
    verdict = known.verdicts.get(id)
    if verdict is not None and get(verdict, "approve") is False:
        yield Answered(get(verdict, "reason"), id, name, "denied", "native")


def _answered(entry: Entry, known: Known) -> Iterator[Event]:
    item, kind = entry.item, type_of(entry.item)
    given = call_id(item, "call_id") or (call_id(item, "id") if kind == "local_shell_call_output" else None)
    id = known.ids.get(given, given) if given else None
    made_by: Kind = known.kinds.get(id, kind_of(item)) if id else kind_of(item)
    named = CALLS[OUTPUTS[kind]].named
    name = get(item, "name") if named else OUTPUTS[kind].removesuffix("_call")
    result, marked = first(item, "output", "result", "tools"), _marked(item)
    status = "denied" if id in entry.denied else marked or _by_text(result)
    if status is None and kind in _UNMARKED_OUTPUTS:
        yield Noted(UNMARKED)
    yield Answered(result, id, name, status or "succeeded", made_by)


def _marked(item: object) -> Status | None:
    """What an output says of its call; that it is complete says nothing of success, but for patches and programs."""
    if get(item, "error") not in (None, False) or get(item, "is_error") is True:
        return "failed"
    if any(_went_wrong(part) for part in listed(get(item, "output"))):
        return "failed"
    status = _status(item)
    return None if status == "succeeded" else status


def _went_wrong(part: object) -> bool:
    """Whether the command of a shell timed out, or gave another exit code than 0."""
    outcome = get(part, "outcome")
    return type_of(outcome) == "timeout" or get(outcome, "exit_code") not in (None, 0)


def _by_text(result: object) -> Status | None:
    if not isinstance(result, str):
        return None
    return "denied" if result == _DENIED else "failed" if _FAILED.fullmatch(result) else None


def _unknown(index: int, item: object, kind: str) -> Iterator[Event]:
    if looks_like_call(item):
        raise unreadable(index, item, f"an item of the unknown type {kind!r} with a name and arguments")
    if kind.endswith("_call"):
        yield Noted(f"an item of the unknown type {kind!r} counts as a call by the server")
        given = first(item, "arguments", "input", "action")
        arguments = None if given is None else wire_arguments(given)
        yield Called(kind.removesuffix("_call"), arguments, call_id(item, "call_id", "id"), "native")
    else:
        yield Noted(f"an item of the unknown type {kind!r} is passed over")

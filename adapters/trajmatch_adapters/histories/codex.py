"""Codex: the events that `codex exec --json` prints, one a line, as a list or under `events`.

What this format does differently:
- an item is told of when it starts, when it changes and when it is completed; it counts once, by its id, and ids begin
  anew with each thread and turn;
- a call is named by the type of its item (`command_execution`, `file_change`, `web_search`), but for `mcp_tool_call`
  and `collab_tool_call`, which name a `tool`;
- the `status` of an item says what became of the call; `declined` is a person's refusal;
- the prompt is not told: a turn begins with a user's message without content;
- nothing says which calls one response made: a result ends it;
- the to-do list is kept by calls that are not told.

The records of a stored session (`response_item`) are items of the Responses API.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trajmatch.reading import (
    SHARED_ID,
    Answered,
    Called,
    Event,
    Ids,
    Kind,
    Noted,
    Recognised,
    Said,
    Status,
    call_id,
    first,
    get,
    listed,
    looks_like_call,
    messages_in,
    tool_name,
    unreadable,
    wire_arguments,
)

__all__ = ["classify", "read"]

_BY_RESULTS = "nothing says which calls one response made; a result ends it"
_PLAN = "the calls that keep the to-do list are not in this history"
_ITEMS = frozenset({"item.completed", "item.started", "item.updated"})
_TURNS = frozenset({"thread.started", "turn.started"})
_OTHERS = _TURNS | {"error", "item.plan.delta", "request_user_input", "turn.completed", "turn.failed"}
_STATUSES: dict[str, Status] = {"completed": "succeeded", "declined": "denied", "failed": "failed"}
_SILENT = frozenset({"agent_message", "error", "plan", "reasoning"})


class _Row(NamedTuple):
    """Where the arguments and the result of a call stand, who executes it, and whether the item names its tool."""

    arguments: tuple[str, ...]
    result: tuple[str, ...] = ()
    kind: Kind = "function"
    named: bool = False


_CALLS = {
    "collab_tool_call": _Row(("prompt", "receiver_thread_ids"), ("agents_states",), named=True),
    "command_execution": _Row(("command",), ("aggregated_output",)),
    "file_change": _Row(("changes",)),
    "mcp_tool_call": _Row(("arguments",), ("error", "result"), named=True),
    "web_search": _Row(("query",), kind="native"),
}


def classify(message: object) -> Recognised:
    """Say whether something is an event of Codex, or holds a list of them."""
    kind = _type(message)
    if kind in _ITEMS:
        return "certain" if _type(get(message, "item")) else "no"
    return "certain" if _held(message) else "could_be" if kind in _OTHERS else "no"


def read(history: object) -> Iterator[Event]:
    """Give the events of a history of Codex."""
    told = [(place, event) for place, held in enumerate(messages_in(history)) for event in _held(held) or [held]]
    run = _Run(told)
    for place, event in told:
        yield from run.take(place, event)
    if run.calls:
        yield Noted(_BY_RESULTS)
    if run.ids.shared:
        yield Noted(SHARED_ID)


class _Run:
    """A run that is being read: which items were told of, and whether a response is open."""

    def __init__(self, told: Sequence[tuple[int, object]]) -> None:
        self.calls = 0
        self.ids = Ids()
        self._turn = 0
        self._speaking = False
        self._begun: set[str] = set()
        self._ended: set[str] = set()
        self._last: dict[str, object] = {}
        for _, event in told:
            if (item := self._item_of(event)) is not None:
                self._last[self._key(item)] = item
        self._turn = 0

    def take(self, place: int, event: object) -> Iterator[Event]:
        """Give what an event says."""
        item, kind = self._item_of(event), _type(event)
        if kind == "turn.started":
            yield Said("user")
        if kind in _TURNS:
            self._speaking = False
        if item is not None:
            yield from self._told(place, item, kind == "item.completed")
        elif kind not in _OTHERS:
            raise unreadable(place, event, "no event of Codex")

    def _item_of(self, event: object) -> object:
        """The item of an event; ids begin anew where a thread or a turn does."""
        self._turn += _type(event) in _TURNS
        return get(event, "item") if _type(event) in _ITEMS else None

    def _key(self, item: object) -> str:
        given = call_id(item, "id")
        return self.ids.of(f"{self._turn} {given}", _name(item)) if given else f"without an id: {id(item)}"

    def _told(self, place: int, item: object, completed: bool) -> Iterator[Event]:
        kind = _type(item)
        if kind in _CALLS:
            yield from self._called(place, item, _CALLS[kind], completed)
        elif kind == "agent_message" and completed:
            self._speaking = True
            yield Said("assistant", get(item, "text"))
        elif kind == "todo_list":
            yield Noted(_PLAN)
        elif get(item, "tool") is not None or looks_like_call(item):
            raise unreadable(place, item, f"an item of the unknown type {kind!r} with a tool")
        elif kind not in _SILENT:
            yield Noted(f"an item of the unknown type {kind!r} is passed over")

    def _called(self, place: int, item: object, row: _Row, completed: bool) -> Iterator[Event]:
        key = self._key(item)
        if key not in self._begun:
            self._begun.add(key)
            self.calls += 1
            if not self._speaking:
                self._speaking = True
                yield Said("assistant")
            yield _call(place, self._last[key], row)
        status: Status | None = _STATUSES.get(str(get(item, "status"))) or ("succeeded" if completed else None)
        if status is not None and key not in self._ended:
            self._ended.add(key)
            self._speaking = self._speaking and row.kind == "native"
            yield Answered(first(item, *row.result), call_id(item, "id"), None, status, row.kind)


def _type(item: object) -> str:
    kind = first(item, "type", "item_type")
    return kind if isinstance(kind, str) else ""


def _name(item: object) -> str | None:
    """What an item is known by beside its id: the tool that it names, or its type where that says which it is."""
    tool, row = get(item, "tool"), _CALLS.get(_type(item))
    if isinstance(tool, str):
        return tool
    return None if row and row.named else _type(item)


def _held(item: object) -> Sequence[object]:
    """The events that something holds; empty for anything else."""
    events = listed(get(item, "events"))
    return events if all(_type(event) in _ITEMS or _type(event) in _OTHERS for event in events) else ()


def _call(place: int, item: object, row: _Row) -> Called:
    name = tool_name(place, item, get(item, "tool") if row.named else _type(item))
    given = {key: get(item, key) for key in row.arguments if get(item, key) is not None}
    arguments = wire_arguments(given.get("arguments")) if row.arguments == ("arguments",) else given
    return Called(name, arguments, call_id(item, "id"), row.kind)

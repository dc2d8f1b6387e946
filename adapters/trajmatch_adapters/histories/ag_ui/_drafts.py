"""What a run is put together from: messages that come in piece by piece, and those that come whole."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from trajmatch.reading import Answered, Event, get
from trajmatch_adapters.histories.ag_ui._forms import field
from trajmatch_adapters.histories.ag_ui._messages import calls_of, read_message

__all__ = ["Call", "Draft", "Given", "Interrupted"]


class Call:
    """A call whose arguments come in piece by piece, and whether something came back."""

    __slots__ = ("answered", "deltas", "ended", "id", "name")

    def __init__(self, id: str, name: str) -> None:
        self.id, self.name = id, name
        self.ended = self.answered = False
        self.deltas: list[str] = []


class Draft:
    """A message that comes in piece by piece; its owner is the sub-agent that says it, if one does."""

    __slots__ = ("calls", "index", "owner", "role", "spoken", "texts")

    def __init__(self, index: int, role: str, owner: object) -> None:
        self.index, self.role, self.owner = index, role, owner
        self.spoken = False
        self.texts: list[str] = []
        self.calls: list[Call] = []

    def beside(self, held: Collection[str]) -> Draft | None:
        """Give it without the calls of these ids, if it has others."""
        self.calls = [call for call in self.calls if call.id not in held]
        return self if self.calls else None

    def events(self) -> Iterator[Event]:
        """Give the events of the message."""
        calls = [
            {"id": call.id, "function": {"name": call.name, "arguments": "".join(call.deltas)}} for call in self.calls
        ]
        content = "".join(self.texts) if self.spoken else None
        return read_message(self.index, {"role": self.role, "content": content, "toolCalls": calls})


class Given(NamedTuple):
    """A message that came whole: in a snapshot, or as a result."""

    place: int
    message: object

    def beside(self, held: Collection[str]) -> Given | None:
        """Give it if it is about calls, and about none of these ids."""
        ids = {str(get(call, "id")) for call in calls_of(self.message)}
        if get(self.message, "role") == "tool":
            ids = {str(field(self.message, "tool_call_id"))}
        return self if ids and ids.isdisjoint(held) else None

    def events(self) -> Iterator[Event]:
        """Give the events of the message."""
        return read_message(self.place, self.message)


class Interrupted(NamedTuple):
    """In place of a result that never came."""

    id: str

    def beside(self, held: Collection[str]) -> Interrupted | None:
        """Give it if it is about none of these ids."""
        return None if self.id in held else self

    def events(self) -> Iterator[Event]:
        """Give the event that says so."""
        yield Answered(None, self.id, status="interrupted")

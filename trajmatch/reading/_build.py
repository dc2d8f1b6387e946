"""From events to a trajectory: the one place where results are joined to calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

from trajmatch._arguments import encoded_twice
from trajmatch._message import Message, fold_role
from trajmatch._model import Status, ToolCall
from trajmatch._trajectory import ORPHAN, Trajectory
from trajmatch.reading._events import Answered, Called, Event, Noted, Said

__all__ = ["build"]

_ASSISTANT = Said("assistant")
_CALL_NOTHING = frozenset({"system", "user", "tool"})
"""Roles whose messages make no calls."""


def build(events: Iterable[Event]) -> Trajectory:
    """Give the trajectory that the events describe.

    Results join calls by id. Where an id occurs more than once they join in order, and a call of the tool that the
    result names before others; an id that a later message uses again closes the earlier calls with it. Native calls
    and results join among themselves. A result without an id joins the oldest open call of the tool that it names;
    where it names none, the oldest of the last assistant message, or else of all. Where any result is recorded, calls
    without one are `pending`; where none is, no call has a status.

    Raises:
        ConversionError: What the adapter raises.
    """
    run = _Run()
    take: dict[type, Callable[[Any], None]] = {
        Said: run.say,
        Called: run.call,
        Answered: run.answer,
        Noted: lambda noted: run.note(noted.text),
    }
    for event in events:
        take[type(event)](event)
    return run.trajectory()


class _Run:
    """What is known of a run while its events come in.

    A message, or the result that makes one, is known by its place in `messages`; a call by its place in `called`.
    """

    def __init__(self) -> None:
        self.messages: list[Said | Answered] = []
        self.called: list[Called] = []
        self.batches: dict[int, list[int]] = {}  # the calls of a message
        self.answers: dict[int, Answered] = {}  # the result of a call
        self.joined: dict[int, int] = {}  # the call of a result that makes a message
        self.batch: list[int] = []  # the calls of the last message that may make some
        self.speaking = False  # that message is the last
        self.implied = False  # no event began the last message: it ends at the first result
        self.responses: dict[str, int] = {}
        self.unanswered: dict[int, None] = {}
        self.by_id: tuple[dict[str, list[int]], dict[str, list[int]]] = {}, {}  # open calls: native ones second
        self.early: dict[tuple[bool, str], tuple[int, Answered]] = {}  # results whose call may still come
        self.recorded = False  # some result was seen
        self.notes: dict[str, None] = {}

    def note(self, text: str) -> None:
        self.notes[text] = None

    def say(self, said: Said) -> None:
        place = len(self.messages)
        if said.response:
            place = self.responses.setdefault(said.response, place)
        if place == len(self.messages):
            self.messages.append(said)
        else:
            self.messages[place] = _merged(self.messages[place], said)
        self.implied = False
        self.speaking = said.role == "assistant" or fold_role(said.role) not in _CALL_NOTHING
        if self.speaking:
            self.batch = self.batches.setdefault(place, [])

    def call(self, called: Called) -> None:
        if not self.speaking:
            self.say(_ASSISTANT)
            self.implied = True
        position = len(self.called)
        self.called.append(called)
        self.unanswered[position] = None
        if called.id:
            self._open(called.kind == "native", called.id, position)
        self.batch.append(position)
        arguments = called.arguments
        if type(arguments) is str and arguments[:1] != "{" and encoded_twice(arguments):
            self.note("arguments are encoded twice")

    def _open(self, native: bool, id: str, position: int) -> None:
        queue = self.by_id[native].setdefault(id, [])
        if queue and queue[0] not in self.batch:
            for closed in queue:
                del self.unanswered[closed]
            queue.clear()
        queue.append(position)
        if self.early and (found := self.early.pop((native, id), None)):
            self.note("a result comes before its call")
            self._join(queue.pop(0), *found)

    def answer(self, answered: Answered) -> None:
        self.recorded = True
        place, native = len(self.messages), answered.kind == "native"
        if not native:
            self.messages.append(answered)
            if self.implied:
                self.speaking = False
        queue = self.by_id[native].get(answered.id) if answered.id else None
        if queue:
            self._join(self._take_oldest(queue, answered.name), place, answered)
        elif (found := self._by_place(answered, native)) is not None:
            self.note("results are joined to calls by their order, since ids are missing")
            self._join(found, place, answered)
        elif answered.id and queue is None and (native, answered.id) not in self.early:
            self.early[native, answered.id] = place, answered
        else:
            self.note(ORPHAN)

    def _take_oldest(self, queue: list[int], name: str | None) -> int:
        """Take the oldest open call with an id: that of the tool which the result names, or else of any."""
        if len(queue) == 1:
            return queue.pop()
        fits = (place for place, position in enumerate(queue) if self.called[position].name == name)
        return queue.pop(next(fits, 0))

    def _by_place(self, answered: Answered, native: bool) -> int | None:
        """The call that a result joins where one of the two has no id."""
        last = () if answered.name else self.batch
        fits = (position for position in chain(last, self.unanswered) if self._may_answer(answered, native, position))
        position = next(fits, None)
        if position is not None and (id := self.called[position].id):
            self.by_id[native][id].remove(position)
        return position

    def _may_answer(self, answered: Answered, native: bool, position: int) -> bool:
        called = self.called[position]
        return (
            position in self.unanswered
            and (called.kind == "native") == native
            and not (answered.id and called.id)
            and (not answered.name or answered.name == called.name)
        )

    def _join(self, position: int, place: int, answered: Answered) -> None:
        self.answers[position] = answered
        del self.unanswered[position]
        if answered.kind != "native":
            self.joined[place] = position

    def trajectory(self) -> Trajectory:
        if self.early:
            self.note(ORPHAN)
        order = [position for place in sorted(self.batches) for position in self.batches[place]]
        unanswered: Status | None = "pending" if self.recorded else None
        calls = [_tool_call(self.called[i], self.answers.get(i), unanswered) for i in order]
        return Trajectory.deferred(partial(self._messages, calls, order), calls, self.notes)

    def _messages(self, calls: list[ToolCall], order: list[int]) -> list[Message]:
        index = {position: n for n, position in enumerate(order)}
        messages = list[Message]()
        for place, event in enumerate(self.messages):
            if isinstance(event, Said):
                batch = [calls[index[position]] for position in self.batches.get(place, ())]
                messages.append(Message(event.role, event.content, batch, feedback=event.feedback))
            else:
                joined = self.joined.get(place)
                call = None if joined is None else index[joined]
                messages.append(Message("tool", event.result, answers=call, name=event.name if call is None else None))
        return messages


def _tool_call(called: Called, answer: Answered | None, unanswered: Status | None) -> ToolCall:
    status, result = (answer.status, answer.result) if answer else (unanswered, None)
    return ToolCall(called.name, called.arguments, id=called.id or None, status=status, kind=called.kind, result=result)


def _merged(before: Said | Answered, said: Said) -> Said:
    """One message of two records of one response."""
    return replace(said, content=_joined(before.content if isinstance(before, Said) else None, said.content))


def _joined(before: object, after: object) -> object:
    """The content of two records of one response."""
    if not before or not after:
        return before or after
    if isinstance(before, str) and isinstance(after, str):
        return before + after
    return [*_parts(before), *_parts(after)]


def _parts(content: object) -> list[object]:
    return [*content] if isinstance(content, (list, tuple)) else [content]

"""From events to a trajectory: the one place where results are joined to calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from trajmatch._arguments import encoded_twice
from trajmatch._columns import Columns, Joined, Row, Spoken
from trajmatch._message import fold_role
from trajmatch._model import KINDS, STATUSES, Kind, Status, checked_arguments, checked_name
from trajmatch._trajectory import ORPHAN, Trajectory
from trajmatch.errors import ConversionError
from trajmatch.reading._events import Answered, Called, Event, Said
from trajmatch.reading._lost import refuse_lost
from trajmatch.reading._open import OpenCalls

__all__ = ["TWICE", "Run", "build"]

TWICE = "arguments are encoded twice"
_CALL_NOTHING = frozenset({"system", "user", "tool"})
"""Roles whose messages make no calls."""

Word = TypeVar("Word", Kind, Status)


def build(events: Iterable[Event], history: Iterable[object] = ()) -> Trajectory:
    """Give the trajectory that the events describe.

    Args:
        events: What an adapter gave.
        history: The messages that it read, to see that no call in them is lost.

    Raises:
        ConversionError: What the adapter raises; a call without a name, or an unknown kind or status; a message that
            holds calls of which no event told, and no note says that they are left out.
    """
    run = Run()
    run.take(events)
    run.refuse_lost(history)
    return run.trajectory()


class Run:
    """A run that is being read; each method takes what an event of that kind holds.

    Results join calls by id. Where an id occurs more than once they join in order, and a call of the tool that the
    result names before others; an id that a later message uses again closes the earlier calls with it. Native calls
    and results join among themselves. A result without an id joins the oldest open call of the tool that it names;
    where it names none, the oldest of the last assistant message, or else of all. Where any result is recorded, calls
    without one are `pending`; where none is, no call has a status.

    A message is known by its place in the run, a call by its position among the calls as they came in.
    """

    __slots__ = (
        "_answers",
        "_calls",
        "_early",
        "_implied",
        "_left_out",
        "_merged",
        "_notes",
        "_open",
        "_outputs",
        "_place",
        "_recorded",
        "_responses",
        "_rows",
        "_speaking",
    )

    def __init__(self) -> None:
        self._rows: list[Spoken] = []
        self._place = -1  # of the last message that may make calls
        self._speaking = False  # that message is the last
        self._implied = False  # no event began the last message: it ends at the first result
        self._responses: dict[str, int] = {}
        self._merged = False  # some response is spread over several messages
        self._calls: list[Row] = []
        self._outputs = False  # some call returns structured output
        self._open = OpenCalls()
        self._recorded = False  # some result was seen
        self._answers: dict[int, tuple[object, Status]] = {}
        self._early: dict[tuple[bool, str], tuple[int, Answered]] = {}  # results whose call may still come
        self._notes: dict[str, None] = {}
        self._left_out: list[Called] = []

    def take(self, events: Iterable[Event]) -> None:
        """Take in events."""
        for event in events:
            if isinstance(event, Called):
                self.call(*event)
            elif isinstance(event, Answered):
                self.answer(*event)
            elif isinstance(event, Said):
                self.say(*event)
            else:
                self.note(event.text)
                self._left_out += event.left_out

    def refuse_lost(self, history: Iterable[object]) -> None:
        """Refuse messages that hold calls of which no event told.

        Raises:
            ConversionError: There is one.
        """
        refuse_lost(history, [*self._calls, *self._left_out])

    def note(self, text: str) -> None:
        """Note something that the format could not say."""
        self._notes[text] = None

    def say(self, role: str, content: object = None, response: str | None = None, feedback: bool = False) -> None:
        """Begin a message."""
        place = len(self._rows)
        if response and self._responses.setdefault(response, place) != place:
            place = self._responses[response]
            self._merged = True
            self._rows[place] = (role, _joined(self._rows[place][1], content), feedback, None, None)
        else:
            self._rows.append((role, content, feedback, None, None))
        self._implied = False
        self._speaking = role == "assistant" or fold_role(role) not in _CALL_NOTHING
        if self._speaking:
            self._place = place

    def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | None = None,
        id: str | None = None,
        kind: Kind = "function",
    ) -> None:
        """Add a call to the last message.

        Raises:
            ConversionError: No name, arguments that are neither object nor text, an id that is no text, an unknown
                kind.
        """
        if not self._speaking:
            self.say("assistant")
            self._implied = True
        name, given = checked_name(name), checked_arguments(name, arguments)
        if isinstance(given, str) and given[:1] != "{" and encoded_twice(given):
            self.note(TWICE)
        position, native = len(self._calls), kind == "native"
        row = name, given, _checked_id(id), _one_of(KINDS, kind, "kind"), self._place
        self._calls.append(row)
        self._open.add(position, row)
        self._outputs = self._outputs or kind == "output"
        if self._early and (found := self._early.pop((native, id or ""), None)):
            place, answered = found
            self.note("a result comes before its call")
            self._open.take_by_id(answered)
            self._join(position, place, answered)

    def answer(
        self,
        result: object = None,
        id: str | None = None,
        name: str | None = None,
        status: Status = "succeeded",
        kind: Kind = "function",
    ) -> None:
        """Add a result, which makes a message of its own unless it is native.

        Raises:
            ConversionError: An id that is no text, an unknown status.
        """
        self._recorded = True
        name, place = str.__str__(name) if isinstance(name, str) else None, len(self._rows)
        answered = Answered(result, _checked_id(id), name, _one_of(STATUSES, status, "status"), kind)
        if kind != "native":
            self._rows.append(("tool", result, False, None, name))
            if self._implied:
                self._speaking = False
        if (position := self._open.take_by_id(answered)) is not None:
            self._join(position, place, answered)
        elif (position := self._open.take_by_place(answered, self._place)) is not None:
            self.note("results are joined to calls by their order, since ids are missing")
            self._join(position, place, answered)
        else:
            self._keep(place, answered)

    def _keep(self, place: int, answered: Answered) -> None:
        """Keep a result whose call may still come; of one id, the first."""
        key = answered.kind == "native", answered.id or ""
        if answered.id and not self._open.knows(*key) and key not in self._early:
            self._early[key] = place, answered
        else:
            self.note(ORPHAN)

    def _join(self, position: int, place: int, answered: Answered) -> None:
        self._answers[position] = answered.result, answered.status
        if answered.kind != "native":
            self._rows[place] = ("tool", answered.result, False, position, None)

    def trajectory(self) -> Trajectory:
        """Give what was read."""
        joined = self.joined()
        return Trajectory.deferred(Columns(self._calls, lambda columns: joined, outputs=self._outputs))

    def joined(self) -> Joined:
        """Give what is known of the calls beside what was called, the messages, and the notes."""
        if self._early:
            self.note(ORPHAN)
        if self._merged:
            self._sort()
        none: tuple[object, Status | None] = None, "pending" if self._recorded else None
        answers = [self._answers.get(position, none) for position in range(len(self._calls))]
        results: list[object] = [result for result, _ in answers]
        statuses: list[Status | None] = [status for _, status in answers]
        return Joined(results, statuses, lambda: tuple(self._notes), lambda: self._rows)

    def _sort(self) -> None:
        """Bring the calls of responses that are spread over several messages into the order of their messages."""
        order = sorted(range(len(self._calls)), key=lambda position: self._calls[position][4])
        moved = {position: n for n, position in enumerate(order)}
        self._calls = [self._calls[position] for position in order]
        self._answers = {moved[position]: answer for position, answer in self._answers.items()}
        self._rows = [(*row[:3], None if row[3] is None else moved[row[3]], row[4]) for row in self._rows]


def _one_of(words: tuple[Word, ...], word: Word, what: str) -> Word:
    if word not in words:
        raise ConversionError(f"{what} must be one of {list(words)}, got {word!r:.60}")
    return word


def _checked_id(id: object) -> str | None:
    if not id:
        return None
    if not isinstance(id, str):
        raise ConversionError(f"the id of a call is text or None, got {id!r:.60}")
    return str.__str__(id)


def _joined(before: object, after: object) -> object:
    """The content of two records of one response."""
    if not before or not after:
        return before or after
    if isinstance(before, str) and isinstance(after, str):
        return before + after
    return [*_parts(before), *_parts(after)]


def _parts(content: object) -> list[object]:
    return [*content] if isinstance(content, (list, tuple)) else [content]

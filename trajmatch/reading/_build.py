"""From events to a trajectory: the one place where results are joined to calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, TypeVar

from trajmatch._arguments import encoded_twice
from trajmatch._columns import Columns, Joined, Row, Spoken
from trajmatch._message import fold_role
from trajmatch._model import KINDS, STATUSES, Given, Kind, Status, checked_arguments, checked_name
from trajmatch._trajectory import ORPHAN, Trajectory
from trajmatch.errors import ConversionError
from trajmatch.reading._events import Answered, Called, Event, Said

__all__ = ["TWICE", "Run", "build"]

TWICE = "arguments are encoded twice"
_CALL_NOTHING = frozenset({"system", "user", "tool"})
"""Roles whose messages make no calls."""

Word = TypeVar("Word", Kind, Status)
_Open = dict[str, "int | list[int] | None"]
"""The open calls by their id: one or several, or `None` where all of that id are closed."""


def build(events: Iterable[Event]) -> Trajectory:
    """Give the trajectory that the events describe; see `Run` for how results join calls.

    Raises:
        ConversionError: What the adapter raises; a call without a name, or an unknown kind or status.
    """
    run = Run()
    run.take(events)
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
        "_closed",
        "_early",
        "_implied",
        "_merged",
        "_native",
        "_notes",
        "_open",
        "_outputs",
        "_place",
        "_recorded",
        "_responses",
        "_rows",
        "_some_without_id",
        "_speaking",
        "_waiting",
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
        self._some_without_id = False
        self._open: _Open = {}
        self._native: _Open = {}
        self._closed: set[int] = set()  # calls that nothing can answer any more
        self._waiting: dict[int, None] | None = None  # calls that may be answered, once a result without an id is seen
        self._recorded = False  # some result was seen
        self._answers: dict[int, tuple[object, Status]] = {}
        self._early: dict[tuple[bool, str], tuple[int, Answered]] = {}  # results whose call may still come
        self._notes: dict[str, None] = {}

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
        if type(name) is not str or not name:
            name = checked_name(name)
        given: Given
        if type(arguments) is str:
            if arguments and arguments[0] != "{" and encoded_twice(arguments):
                self.note(TWICE)
            given = arguments
        else:
            given = checked_arguments(name, arguments)
        if kind != "function":
            _one_of(KINDS, kind, "kind")
            self._outputs = self._outputs or kind == "output"
        position = len(self._calls)
        id = _checked_id(id) if id else None
        self._calls.append((name, given, id, kind, self._place))
        if self._waiting is not None:
            self._waiting[position] = None
        if id:
            self._open_call(id, position, native=kind == "native")
        else:
            self._some_without_id = True

    def _open_call(self, id: str, position: int, *, native: bool) -> None:
        """Let results join a call by its id; one that came before it joins at once."""
        open = self._native if native else self._open
        if open.get(id) is None:
            open[id] = position
        else:
            self._use_again(open, id, position)
        if self._early and (found := self._early.pop((native, id), None)):
            self.note("a result comes before its call")
            open[id] = None
            self._join(position, *found)

    def _use_again(self, open: _Open, id: str, position: int) -> None:
        """Open a call whose id open calls have, too: those of an earlier message are closed by it."""
        held = open[id]
        queue = held if isinstance(held, list) else [held] if held is not None else []
        if self._calls[queue[0]][4] != self._place:
            self._closed.update(queue)
            if self._waiting is not None:
                for closed in queue:
                    del self._waiting[closed]
            queue = []
        open[id] = [*queue, position]

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
        native, place = kind == "native", len(self._rows)
        open = self._native if native else self._open
        name = str.__str__(name) if isinstance(name, str) else None
        if not native:
            self._rows.append(("tool", result, False, None, name))
            if self._implied:
                self._speaking = False
        answered = Answered(result, _checked_id(id) if id else None, name, _one_of(STATUSES, status, "status"), kind)
        if id and type(position := open.get(id)) is int:
            open[id] = None
            self._join(position, place, answered)
        else:
            self._search(open, place, answered)

    def _search(self, open: _Open, place: int, answered: Answered) -> None:
        """Join a result by more than an id that one open call has."""
        id, native = answered.id, answered.kind == "native"
        if id and (held := open.get(id)) is not None:
            self._join(self._take_oldest(open, id, held, answered.name), place, answered)
        elif (found := self._by_place(answered, native)) is not None:
            self.note("results are joined to calls by their order, since ids are missing")
            self._join(found, place, answered)
        elif id and id not in open and (native, id) not in self._early:
            self._early[native, id] = place, answered
        else:
            self.note(ORPHAN)

    def _take_oldest(self, open: _Open, id: str, held: int | list[int], name: str | None) -> int:
        """Take the oldest open call with an id: that of the tool which the result names, or else of any."""
        queue = held if isinstance(held, list) else [held]
        fits = (place for place, position in enumerate(queue) if self._calls[position][0] == name)
        position = queue.pop(next(fits, 0))
        open[id] = queue or None
        return position

    def _by_place(self, answered: Answered, native: bool) -> int | None:
        """The call that a result joins where one of the two has no id."""
        if answered.id and not self._some_without_id:
            return None
        if self._waiting is None:
            done = self._closed.union(self._answers)
            self._waiting = dict.fromkeys(position for position in range(len(self._calls)) if position not in done)
        last = () if answered.name else self._last_batch()
        fits = (position for position in chain(last, self._waiting) if self._may_answer(answered, native, position))
        position = next(fits, None)
        if position is not None and (id := self._calls[position][2]):
            self._take_out(self._native if native else self._open, id, position)
        return position

    def _last_batch(self) -> Iterator[int]:
        first = len(self._calls)
        while first and self._calls[first - 1][4] == self._place:
            first -= 1
        return iter(range(first, len(self._calls)))

    def _may_answer(self, answered: Answered, native: bool, position: int) -> bool:
        name, _, id, kind, _ = self._calls[position]
        return (
            self._waiting is not None
            and position in self._waiting
            and (kind == "native") == native
            and not (answered.id and id)
            and (not answered.name or answered.name == name)
        )

    def _take_out(self, open: _Open, id: str, position: int) -> None:
        held = open[id]
        open[id] = [other for other in held if other != position] or None if isinstance(held, list) else None

    def _join(self, position: int, place: int, answered: Answered) -> None:
        self._answers[position] = answered.result, answered.status
        if self._waiting is not None:
            del self._waiting[position]
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


def _checked_id(id: object) -> str:
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

"""From events to a trajectory: the one place where results are joined to calls."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import chain

from trajmatch._arguments import encoded_twice
from trajmatch._message import Message, fold_role
from trajmatch._model import ToolCall
from trajmatch._trajectory import ORPHAN, Trajectory
from trajmatch.reading._events import Answered, Called, Event, Said

__all__ = ["build"]


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
    for event in events:
        if isinstance(event, Said):
            run.say(event)
        elif isinstance(event, Called):
            run.call(event)
        elif isinstance(event, Answered):
            run.answer(event)
        else:
            run.note(event.text)
    return run.trajectory()


class _Spoken:
    """A message in the making: what was said, and the positions of its calls in the order of the events."""

    __slots__ = ("calls", "said")

    def __init__(self, said: Said) -> None:
        self.said = said
        self.calls: list[int] = []


class _Result:
    """A result, and the position of its call once that is known."""

    __slots__ = ("answer", "call")

    def __init__(self, answer: Answered) -> None:
        self.answer = answer
        self.call: int | None = None


class _Run:
    """What is known of a run while its events come in."""

    def __init__(self) -> None:
        self.entries: list[_Spoken | _Result] = []
        self.called: list[Called] = []
        self.answers: dict[int, Answered] = {}
        self.notes: dict[str, None] = {}
        self.last: _Spoken | None = None
        self.speaker: _Spoken | None = None
        self.recorded = False
        self.implied = False  # no event began the last message: it ends at the first result
        self.responses: dict[str, _Spoken] = {}
        self.unanswered: dict[int, Called] = {}
        self.by_id: dict[tuple[bool, str], deque[int]] = {}
        self.early: dict[tuple[bool, str], _Result] = {}

    def say(self, said: Said) -> _Spoken:
        if said.response and (spoken := self.responses.get(said.response)):
            before = spoken.said
            spoken.said = before._replace(content=_joined(before.content, said.content))
        else:
            spoken = _Spoken(said)
            self.entries.append(spoken)
            if said.response:
                self.responses[said.response] = spoken
        if fold_role(said.role) not in ("system", "user", "tool"):
            self.speaker = spoken
        self.last, self.implied = spoken, False
        return spoken

    def call(self, called: Called) -> None:
        speaker = self.speaker
        if speaker is None or speaker is not self.last:
            speaker = self.say(Said("assistant"))
            self.implied = True
        position = len(self.called)
        self.called.append(called)
        self.unanswered[position] = called
        if called.id:
            self._open((called.kind == "native", called.id), position, speaker)
        speaker.calls.append(position)
        if type(called.arguments) is str and encoded_twice(called.arguments):
            self.note("arguments are encoded twice")

    def _open(self, key: tuple[bool, str], position: int, speaker: _Spoken) -> None:
        queue = self.by_id.setdefault(key, deque())
        if queue and queue[0] not in speaker.calls:
            for closed in queue:
                del self.unanswered[closed]
            queue.clear()
        queue.append(position)
        if result := self.early.pop(key, None):
            self.note("a result comes before its call")
            self._join(queue.popleft(), result)

    def answer(self, answered: Answered) -> None:
        self.recorded = True
        result = _Result(answered)
        native = answered.kind == "native"
        if not native:
            self.entries.append(result)
            if self.implied:
                self.last = None
        key = (native, answered.id or "")
        if queue := self.by_id.get(key):
            oldest = self._oldest(queue, answered.name)
            queue.remove(oldest)
            self._join(oldest, result)
        elif (position := self._by_place(answered)) is not None:
            self.note("results are joined to calls by their order, since ids are missing")
            self._join(position, result)
        elif answered.id and queue is None and key not in self.early:
            self.early[key] = result
        else:
            self.note(ORPHAN)

    def _oldest(self, queue: Sequence[int], name: str | None) -> int:
        """The oldest open call with an id: that of the tool which the result names, or else of any."""
        return next((position for position in queue if self.called[position].name == name), queue[0])

    def _by_place(self, answered: Answered) -> int | None:
        """The call that a result joins where one of the two has no id."""
        last = self.speaker.calls if self.speaker and not answered.name else []
        fits = (position for position in chain(last, self.unanswered) if self._may_answer(answered, position))
        position = next(fits, None)
        if position is not None and (id := self.called[position].id):
            self.by_id[answered.kind == "native", id].remove(position)
        return position

    def _may_answer(self, answered: Answered, position: int) -> bool:
        called = self.called[position]
        return (
            position in self.unanswered
            and (called.kind == "native") == (answered.kind == "native")
            and not (answered.id and called.id)
            and (not answered.name or answered.name == called.name)
        )

    def _join(self, position: int, result: _Result) -> None:
        result.call = position
        self.answers[position] = result.answer
        del self.unanswered[position]

    def note(self, text: str) -> None:
        self.notes[text] = None

    def trajectory(self) -> Trajectory:
        if self.early:
            self.note(ORPHAN)
        order = [i for entry in self.entries if isinstance(entry, _Spoken) for i in entry.calls]
        place = {position: index for index, position in enumerate(order)}
        calls = [self._tool_call(position) for position in order]
        return Trajectory(lambda: [_message(e, calls, place) for e in self.entries], calls=calls, notes=self.notes)

    def _tool_call(self, position: int) -> ToolCall:
        called, answer = self.called[position], self.answers.get(position)
        status = answer.status if answer else "pending" if self.recorded else None
        result = answer.result if answer else None
        return ToolCall(
            called.name,
            called.arguments,
            id=called.id or None,
            status=status,
            kind=called.kind,
            result=result,
        )


def _joined(before: object, after: object) -> object:
    """The content of two records of one response."""
    if not before or not after:
        return before or after
    if isinstance(before, str) and isinstance(after, str):
        return before + after
    return [*_parts(before), *_parts(after)]


def _parts(content: object) -> list[object]:
    return [*content] if isinstance(content, (list, tuple)) else [content]


def _message(entry: _Spoken | _Result, calls: list[ToolCall], place: dict[int, int]) -> Message:
    if isinstance(entry, _Result):
        return Message("tool", entry.answer.result, answers=None if entry.call is None else place[entry.call])
    said = entry.said
    return Message(said.role, said.content, [calls[place[i]] for i in entry.calls], feedback=said.feedback)

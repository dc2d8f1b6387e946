"""The steps of a recorded run, as traces keep them, and the events that they tell.

A trace says the same several times: each request to a model repeats the messages before it, a call stands in the
response and again in the step that executed it, and an agent repeats what its requests said. Here each counts once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from trajmatch._message import Message
from trajmatch._model import ToolCall
from trajmatch._shown import shown
from trajmatch._trajectory import ORPHAN, Trajectory
from trajmatch.errors import ConversionError, OptionError, TrajmatchError
from trajmatch.reading._events import UNMARKED, Answered, Event, Noted
from trajmatch.reading._recorded import called_in, recorded_messages
from trajmatch.reading._steps import Step, Steps
from trajmatch.reading._telling import Telling
from trajmatch.reading._thread import Made, Thread, is_same, text_of

__all__ = ["read_trace"]

_ALONE = "a call stands in no message of the model, and is a message of its own"
_SEVERAL = "the steps are of several traces, which are read as one run"
_UNKNOWN = "a request holds what is in no format that is known"
_UNSORTED = "the steps of the trace do not say when they began; they are read in the order given"


def read_trace(
    steps: Iterable[Step], convert: Callable[[object], Trajectory], *, nested: bool = True
) -> Iterator[Event]:
    """Give the events of the run that steps record, in whatever order they are given.

    They are sorted by their start. A call joins the step that executed it by its id, or by its tool and arguments. What
    holds requests to a model adds what was said before them, and calls that they lack; what holds none is read itself.

    Args:
        steps: All steps of the trace.
        convert: What reads messages of any format: `to_trajectory`.
        nested: Whether steps below the execution of a tool count, such as those of an agent that a tool runs.

    Raises:
        OptionError: `nested` is no bool.
        ConversionError: Messages with calls that no format reads, and that no step executed; a trace without messages
            and calls.
    """
    if not isinstance(nested, bool):  # pyright: ignore[reportUnnecessaryIsInstance] what users hand over
        raise OptionError(f"nested must be True or False, got {shown(nested)}", option="nested", value=nested)
    trace = _Trace(Steps(steps, nested=nested), convert)
    trace.take_all()
    yield from trace.thread.events()
    yield from map(Noted, trace.notes)


class _Piece(NamedTuple):
    """Messages of a step in the common model, and the calls that they make or answer.

    The first of these were made `before`, where the messages were read behind the responses that made them.
    """

    messages: Sequence[Message] = ()
    calls: Sequence[ToolCall] = ()
    before: Sequence[Made] | None = None


class _Response(NamedTuple):
    """What a model gave, as it was recorded, and the calls of the run that it made."""

    messages: list[object]
    made: list[Made]


class _Unread(NamedTuple):
    """What could not be read of a step, and why."""

    step: Step
    value: object
    why: str


class _Trace:
    """What was read so far."""

    def __init__(self, steps: Steps, convert: Callable[[object], Trajectory]) -> None:
        self.thread = Thread()
        several = len({step.trace for step in steps.ordered if step.trace and step.kind != "other"}) > 1
        self.notes = dict.fromkeys([_UNSORTED] * (not steps.sorted) + [_SEVERAL] * several)
        self._steps = steps
        self._convert = convert
        self._unread: list[_Unread] = []
        self._responses: list[_Response] = []
        self._made: dict[int | None, Made] = {}  # by the place of the step that executed it
        self._running: dict[int, list[tuple[Made, Answered]]] = {}  # results, by the last step before them

    def take_all(self) -> None:
        """Take in the steps, and then what agents say of calls that no request holds.

        Raises:
            ConversionError: Calls would be lost, or there is nothing.
        """
        for step in self._steps.ordered:
            if step.kind == "tool":
                self._execute(step)
            else:
                self._say(step)
            for made, answered in self._running.pop(self._steps.place(step), ()):
                self.thread.finish(made, answered, late=True)
        for step in filter(self._steps.holds_requests, self._steps.ordered):
            self._add_lost(step)
        self._refuse_lost()

    def _execute(self, step: Step) -> None:
        around = self._made.get(self._steps.tool_around(step))
        if not step.call or (around and is_same(around.call, ToolCall(step.call.name, step.call.arguments))):
            return  # two recorders, of which one saw what the other did
        made, known = self.thread.execute(step.call, step.id)
        self._made[self._steps.place(step)] = made
        last = self._steps.last_within(step)
        if step.answer and last > self._steps.place(step):
            self._running.setdefault(last, []).append((made, step.answer))
        elif step.answer:
            self.thread.finish(made, step.answer)
        if not known:
            self.notes[_ALONE] = None

    def _say(self, step: Step) -> None:
        telling = Telling(self.thread, nested=self._steps.is_nested(step))
        holds = self._steps.holds_requests(step)
        speaks = step.kind == "model" or (self._steps.is_root(step) and not holds)
        self._tell(telling, step, step.inputs, "user" if speaks else None)
        if step.kind != "model":
            telling = Telling(self.thread, nested=telling.nested)  # a state holds what came before it
        if not holds:
            self._tell(telling, step, step.outputs, "assistant" if speaks else None)

    def _tell(self, telling: Telling, step: Step, value: object, speaker: str | None) -> None:
        """Tell messages, or text where the step can be the speaker of it."""
        found = recorded_messages(value, calls=step.kind == "model")
        if isinstance(found, str):
            if speaker and found.strip() and not (speaker == "user" and self._is_rendered(found)):
                telling.tell([Message(speaker, found)], (), response=speaker == "assistant" and step.kind == "model")
            return
        if found is None:
            if value is not None:
                self._unread.append(_Unread(step, value, "no messages are found there"))
            return
        response = value is step.outputs and step.kind == "model"
        piece = self._read(step, found)
        made = telling.tell(piece.messages, piece.calls, piece.before, response=response)
        if response and made:
            self._responses.append(_Response(found, made))

    def _is_rendered(self, prompt: str) -> bool:
        """Whether a prompt is the text of messages that are known, as LangChain writes it for models of text."""
        texts = (text_of(entry.content) for entry in self.thread.entries if entry.role == "user")
        return any(isinstance(text, str) and text and text in prompt for text in texts)

    def _read(self, step: Step, found: list[object]) -> _Piece:
        try:
            run = self._convert(found)
        except TrajmatchError as error:
            self._unread.append(_Unread(step, found, str(error)))
            return _Piece()
        self.notes.update((note, None) for note in run.notes if note != ORPHAN)
        return self._joined(found, run) or _Piece(run.messages or (), run.calls)

    def _joined(self, found: list[object], run: Trajectory) -> _Piece | None:
        """Read messages behind the responses whose calls they answer, where a request holds only what is new."""
        waiting = [response for response in self._responses if not all(made.told for made in response.made)]
        if not waiting or not any(m.role == "tool" and m.answers is None for m in run.messages or ()):
            return None
        before = [made for response in waiting for made in response.made]
        earlier = [message for response in waiting for message in response.messages]
        try:
            head, whole = self._convert(earlier), self._convert([*earlier, *found])
        except TrajmatchError:
            return None
        if len(head.calls) != len(before):
            return None
        return _Piece((whole.messages or ())[len(head.messages or ()) :], whole.calls, before)

    def _add_lost(self, step: Step) -> None:
        """Add the calls of an agent that no request of its own holds, and results that no other step told."""
        found = recorded_messages(step.outputs, calls=step.kind == "model")
        piece = self._read(step, found) if isinstance(found, list) else _Piece()
        held = {made.call.id: made for made in self.thread.calls() if made.call.id}
        for message in piece.messages:
            lost = [call for call in message.tool_calls if call.id and call.id not in held]
            if lost:
                made = Telling(self.thread).tell([message.replace(tool_calls=lost)], ())
                held |= {one.call.id: one for one in made if one.call.id}
            if message.answers is not None:
                call = piece.calls[message.answers]
                one = held.get(call.id or "")
                if one and not one.answer:
                    self.thread.finish(one, Answered(message.content, status=call.status or "succeeded"))

    def _refuse_lost(self) -> None:
        calls = [made.call for made in self.thread.calls()]
        held, names = {(call.name, call.id) for call in calls}, {call.name for call in calls}
        for step, value, why in self._unread:
            lost = any((name, id) not in held and (id or name not in names) for name, id in called_in(value))
            if not self.thread.entries or (step.kind == "model" and lost):
                raise ConversionError(f"{step.place}: its messages cannot be read: {why}")
            if step.kind == "model":
                self.notes[_UNKNOWN] = None
        if all(self.thread.is_executed(made) for made in self.thread.calls() if made.answer):
            self.notes.pop(UNMARKED, None)
        if not self.thread.entries:
            raise ConversionError("a trace without messages and calls of tools; see that content is recorded")

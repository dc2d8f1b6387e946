"""The common model as a whole: a run as messages and calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Self

from trajmatch._calls import read_calls
from trajmatch._columns import Columns, Spoken
from trajmatch._data_hook import DataForm
from trajmatch._message import Message, all_of
from trajmatch._model import ToolCall
from trajmatch._stored import dump, load
from trajmatch._transcript import transcript
from trajmatch.errors import ConversionError

__all__ = ["ORPHAN", "Trajectory"]

ORPHAN = "a result has no call"
"""The note of a history that may lack calls: it was trimmed, or begins in the middle of a run."""


class Trajectory:
    """A run in the common model: its messages, and the calls in them as one flat list.

    Args:
        messages: The messages, or `None` for a list of calls.
        calls: The calls, where there are no messages.
        notes: What the format could not say: no error flag, ids missing, an order inferred, a result without a call.

    Raises:
        ConversionError: Messages and calls, or items that are neither.
    """

    __slots__ = ("_columns", "_messages", "_notes")

    def __init__(
        self,
        messages: Iterable[Message] | None = None,
        *,
        calls: Iterable[ToolCall] | None = None,
        notes: Iterable[str] = (),
    ) -> None:
        self._messages: tuple[Message, ...] | None = None
        if messages is not None:
            self._messages = all_of(Message, messages)
            if calls is not None:
                raise ConversionError("a trajectory is made of messages, which hold their calls, or of calls")
            made = [(call, place) for place, message in enumerate(self._messages) for call in message.tool_calls]
            self._columns = Columns.of(tuple(call for call, _ in made), [place for _, place in made])
        else:
            self._columns = Columns.of(all_of(ToolCall, calls or ()))
        self._notes = tuple(notes)

    @property
    def messages(self) -> tuple[Message, ...] | None:
        """The messages; `None` for a list of calls."""
        if self._messages is None and (spoken := self.spoken) is not None:
            self._messages = tuple(_made(spoken, self._columns))
        return self._messages

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """All calls, in order."""
        return self._columns.calls

    @property
    def columns(self) -> Columns:
        """The calls field by field; not part of the public model."""
        return self._columns

    @property
    def spoken(self) -> Sequence[Spoken] | None:
        """The messages field by field; `None` for a list of calls; not part of the public model."""
        if self._messages is None:
            spoken = self._columns.joined.spoken
            return spoken and spoken()
        return [(m.role, m.content, m.feedback, m.answers, m.name) for m in self._messages]

    @property
    def notes(self) -> tuple[str, ...]:
        """What the format could not say."""
        return self._notes or self._columns.joined.notes()

    @property
    def batches(self) -> tuple[tuple[ToolCall, ...], ...]:
        """The calls by the message that made them, in parallel; each on its own in a list of calls."""
        if self.messages is None:
            return tuple((call,) for call in self.calls)
        return tuple(message.tool_calls for message in self.messages if message.tool_calls)

    @property
    def turns(self) -> tuple[Trajectory, ...]:
        """The run cut at its user messages; a list of calls is one turn.

        System messages before the first user message belong to the first turn; other messages before it are a turn of
        their own. Feedback that a framework added starts no turn.
        """
        if self.messages is None:
            return (self,)
        starts = [i for i, m in enumerate(self.messages) if m.role == "user" and not m.feedback]
        if starts and all(m.role == "system" for m in self.messages[: starts[0]]):
            starts[0] = 0
        cuts = sorted({0, *starts, len(self.messages)})
        before = [0, *accumulate(len(message.tool_calls) for message in self.messages)]
        return tuple(self._part(start, stop, before[start]) for start, stop in pairwise(cuts))

    def _part(self, start: int, stop: int, first: int) -> Trajectory:
        """The messages from one place to another, whose calls begin with this one."""
        part = (self.messages or ())[start:stop]
        length = sum(len(message.tool_calls) for message in part)
        moved = {first + i: i for i in range(length)}
        return Trajectory([_answering(message, moved) for message in part], notes=self.notes)

    def map_calls(self, change: Callable[[ToolCall], ToolCall | None]) -> Trajectory:
        """Give the run with every call changed, for renames and prefixes; `None` drops a call.

        The result of a dropped call leaves with it, and so does a message that loses all of its calls.

        Raises:
            ConversionError: `change` gave something else than a call or `None`.

        >>> run = Trajectory.from_calls(["mcp__web__search"])
        >>> run.map_calls(lambda call: call.replace(name=call.name.removeprefix("mcp__web__"))).calls
        (ToolCall('search'),)
        """
        changed = [_changed(index, change(call)) for index, call in enumerate(self.calls)]
        if self.messages is None:
            return Trajectory(calls=[call for call in changed if call is not None], notes=self.notes)
        return Trajectory(_with_calls(self.messages, changed), notes=self.notes)

    @classmethod
    def from_calls(cls, calls: Iterable[object]) -> Self:
        """Give a trajectory without messages from calls, bare names, or dicts with `name` and `arguments`.

        Raises:
            ConversionError: Something that is no call; the text says what to write instead.
        """
        return cls(calls=read_calls(calls))

    @classmethod
    def deferred(cls, columns: Columns) -> Self:
        """Give a trajectory whose calls, messages and notes are made when somebody asks for them."""
        trajectory = cls.__new__(cls)
        trajectory._messages, trajectory._columns, trajectory._notes = None, columns, ()
        return trajectory

    @classmethod
    def from_json(cls, text: str | bytes | Mapping[str, object]) -> Self:
        """Read what `to_json` wrote, or what `json.loads` makes of it.

        Raises:
            ConversionError: Something that is not in that form.
        """
        messages, calls, notes = load(text)
        return cls(messages, calls=calls, notes=notes)

    def to_json(self) -> str:
        """Give JSON text; `from_json` of it equals this trajectory.

        NaN is written as `NaN`, as Python's `json` does.

        Raises:
            ConversionError: An argument value without a JSON form, or one that is too deep or holds itself.
        """
        return dump(self.messages, self.calls, self.notes)

    def to_text(self, *, max_length: int | None = None) -> str:
        """Give text that a model reads well: who said what, each call with its arguments, and what came of it.

        What a text, a result or an argument holds cannot pass for a line of another speaker: its further lines begin
        with a bar, and control characters are escaped.

        Args:
            max_length: So many characters at most. Results are shortened first, the longest before others; then what
                was said; then arguments. Only where nothing is left to shorten, messages without calls are left out,
                and at the very end calls; the last line says how many.

        Raises:
            OptionError: A length that is no integer from 1.

        >>> print(Trajectory.from_calls([call("search", q="cats"), "book"]).to_text())
        call 0: search({"q": "cats"})
        call 1: book(...)
        """
        return transcript(self.messages, self.calls, self.notes, max_length)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        """Let pydantic take a trajectory as it is, or what `to_json` wrote, and write it in that form."""
        form = DataForm("StoredTrajectory", cls._from_form, cls._form)
        return form.__get_pydantic_core_schema__(source, handler)

    def _form(self) -> Any:
        return json.loads(self.to_json())

    @classmethod
    def _from_form(cls, written: Trajectory | str | bytes | Mapping[str, object]) -> Trajectory:
        return written if isinstance(written, Trajectory) else cls.from_json(written)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trajectory):
            return NotImplemented
        return self.messages == other.messages and self.calls == other.calls and self.notes == other.notes

    def __hash__(self) -> int:
        return hash(self.calls)

    def __reduce__(self) -> tuple[object, ...]:
        calls = self.calls if self.messages is None else None
        return _restored, (type(self), self.messages, calls, self.notes)

    def __repr__(self) -> str:
        if self.messages is None:
            return f"Trajectory.from_calls({list(self.calls)!r})"
        return f"Trajectory({list(self.messages)!r})"


def _restored(
    kind: type[Trajectory], messages: Sequence[Message] | None, calls: Sequence[ToolCall] | None, notes: Sequence[str]
) -> Trajectory:
    return kind(messages, calls=calls, notes=notes)


def _made(spoken: Sequence[Spoken], columns: Columns) -> Iterator[Message]:
    batches: dict[int, list[ToolCall]] = {}
    for row, call in zip(columns.rows, columns.calls, strict=True):
        batches.setdefault(row[-1], []).append(call)
    for place, (role, content, feedback, answers, name) in enumerate(spoken):
        yield Message(role, content, batches.get(place, ()), answers=answers, name=name, feedback=feedback)


def _changed(index: int, call: object) -> ToolCall | None:
    if call is None or isinstance(call, ToolCall):
        return call
    text = f"map_calls: call {index} became {call!r:.80}, neither a ToolCall nor None"
    raise ConversionError(text, index=index)


def _answering(message: Message, moved: dict[int, int]) -> Message:
    """The message with the index of its call brought up to date."""
    return message if message.answers is None else message.replace(answers=moved.get(message.answers))


def _with_calls(messages: Sequence[Message], changed: Sequence[ToolCall | None]) -> list[Message]:
    kept = [i for i, call in enumerate(changed) if call is not None]
    moved = {old: new for new, old in enumerate(kept)}
    given, at = list[Message](), 0
    for message in messages:
        calls = [call for call in changed[at : at + len(message.tool_calls)] if call is not None]
        at += len(message.tool_calls)
        gone = message.answers not in moved if message.answers is not None else message.tool_calls and not calls
        if not gone:
            given.append(_answering(message.replace(tool_calls=calls), moved))
    return given

"""The messages of a run, as its steps add to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from trajmatch._access import get, is_mapping, listed
from trajmatch._model import Status, ToolCall
from trajmatch._values import json_equal
from trajmatch.reading._events import Answered, Called, Event, Said

__all__ = ["Entry", "Made", "Thread", "is_same", "text_of"]

_STRAY = "no call"
"""An id that no call has, so that a result without a call joins none by its order."""
_UNREMARKABLE = (None, "succeeded", "pending")


class Made:
    """A call of the run, and what is known of it so far."""

    __slots__ = ("answer", "call", "entry", "told")

    def __init__(self, call: ToolCall, entry: Entry) -> None:
        self.call = call
        self.entry = entry
        self.told = False  # some message holds its result
        self.answer: Entry | None = None

    def learn(self, status: Status | None, result: object = None) -> None:
        """Take in what became of the call; of two reports, the one that tells of trouble counts."""
        before, known = self.call.status, self.call.result
        keep = before not in _UNREMARKABLE or status is None or (status == "pending" and before)
        self.call = self.call.replace(status=before if keep else status, result=result if known is None else known)

    def forget(self) -> None:
        """Leave what became of the call to what comes."""
        self.call = self.call.replace(status=None, result=None)
        if self.answer:
            self.answer.content = None

    def identify(self, call: ToolCall) -> None:
        """Take in what another record of the call says, and this one does not."""
        if self.call.given is None:
            self.call = self.call.replace(arguments=call.given)
        if call.kind != "function":
            self.call = self.call.replace(kind=call.kind)


class Entry:
    """A message of the run."""

    __slots__ = ("answers", "calls", "content", "feedback", "name", "response", "role")

    def __init__(self, role: str, content: object = None, name: str | None = None, feedback: bool = False) -> None:
        self.role = role
        self.content = content
        self.name = name
        self.feedback = feedback
        self.response = False  # a model gave this in a step that was seen
        self.calls: list[Made] = []
        self.answers: Made | None = None

    def events(self) -> Iterator[Event]:
        """Give the message as events."""
        if self.answers:
            call = self.answers.call
            yield Answered(self.content, call.id, call.name, call.status or "succeeded", call.kind)
        elif self.role == "tool":
            yield Answered(self.content, _STRAY, self.name)
        else:
            yield Said(self.role, self.content, feedback=self.feedback)
        for call in (made.call for made in self.calls):
            yield Called(call.name, call.given, call.id, call.kind)
            if call.kind == "native" and call.status and call.status != "pending":
                yield Answered(call.result, call.id, call.name, call.status, "native")


class Thread:
    """The messages of a run, in order."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._by_id: dict[str, Made] = {}  # calls of messages
        self._waiting: dict[Made, None] = {}  # calls of messages of which no step was seen that executed them
        self._finished: set[Made] = set()  # calls of which a step said what became of them
        self._at = 0  # where a call goes that no message holds

    def calls(self, start: int = 0) -> Iterator[Made]:
        """Give the calls of the messages from `start` on."""
        for place in range(start, len(self.entries)):
            yield from self.entries[place].calls

    def is_executed(self, made: Made) -> bool:
        """Say whether the step was seen that executed a call."""
        return made not in self._waiting

    def insert(self, at: int, entry: Entry) -> None:
        """Put a message at a place."""
        self.entries.insert(at, entry)
        self._at = at + 1

    def add(self, call: ToolCall, entry: Entry) -> Made:
        """Add a call to a message."""
        made = Made(call, entry)
        entry.calls.append(made)
        self._waiting[made] = None
        if call.id:
            self._by_id[call.id] = made
        return made

    def answer(self, made: Made, content: object, *, late: bool = False) -> None:
        """Put in the result of a call, where none is: behind its message and the results there, or where it came late.

        A native call has its result itself. Of two results, the first with content is kept.
        """
        if made.call.kind == "native":
            return
        if made.answer:
            made.answer.content = content if made.answer.content is None else made.answer.content
            return
        at = self._at if late else self.entries.index(made.entry) + 1
        while at < len(self.entries) and (other := self.entries[at].answers) and other.entry is made.entry:
            at += 1
        made.answer = Entry("tool", content)
        made.answer.answers = made
        self.insert(at, made.answer)

    def execute(self, called: Called, id: str | None = None) -> tuple[Made, bool]:
        """Take in a call that was executed, and say which it is, and whether it is known.

        Where it names no id, and no message holds it, that of the step stands for it. A call of a message may be
        executed again.
        """
        call = ToolCall(called.name, called.arguments, id=called.id or None, kind=called.kind)
        made = self._known(call)
        known = made is not None
        if made is None:
            entry = Entry("assistant")
            self.insert(self._at, entry)
            made = Made(call if call.id else call.replace(id=id), entry)
            entry.calls.append(made)
        self._waiting.pop(made, None)
        made.identify(call)
        self._at = self.entries.index(made.answer or made.entry) + 1
        return made, known

    def finish(self, made: Made, answered: Answered, *, late: bool = False) -> None:
        """Take in the result of a call that was executed, in place of that of an execution before."""
        if made in self._finished:
            made.forget()
        self._finished.add(made)
        made.learn(answered.status, answered.result)
        self.answer(made, answered.result, late=late)
        self._at = max(self._at, self.entries.index(made.answer or made.entry) + 1)

    def _known(self, call: ToolCall) -> Made | None:
        """The call of a message that this is: by its id, or else by its tool and arguments."""
        by_id = (made for made in self._waiting if call.id and made.call.id == call.id)
        known = next(by_id, None) or next((made for made in self._waiting if _may_be(made.call, call)), None)
        again = self._by_id.get(call.id or "")
        return known or (again if again and _may_be(again.call, call) else None)

    def events(self) -> Iterator[Event]:
        """Give the run as events."""
        for entry in self.entries:
            yield from entry.events()


def is_same(one: ToolCall, other: ToolCall) -> bool:
    """Say whether two records may tell of one call: one tool, one id where both have one, and the same arguments."""
    if not _may_meet(one, other):
        return False
    if one.given is None or other.given is None:
        return True
    return one.raw_arguments == other.raw_arguments and json_equal(one.arguments, other.arguments)


def _may_meet(one: ToolCall, other: ToolCall) -> bool:
    return one.name == other.name and (not one.id or not other.id or one.id == other.id)


def _may_be(made: ToolCall, executed: ToolCall) -> bool:
    """Say whether an executed call is this one; it may have been given more arguments than were asked for."""
    if is_same(made, executed):
        return True
    asked, given = made.arguments, executed.arguments
    if not asked or not _may_meet(made, executed):
        return False
    if not given:
        return [*asked.values()] == [executed.raw_arguments]  # what OpenInference keeps of an only argument
    if [*given] == ["input"] and is_mapping(given["input"]):
        given = cast("dict[str, Any]", given["input"])
    return all(key in given and json_equal(given[key], value) for key, value in asked.items())


def text_of(content: object) -> object:
    """Give the text of a message, by which two records of it are known to be one."""
    if isinstance(content, str):
        return content.strip()
    texts = [part if isinstance(part, str) else get(part, "text", get(part, "content")) for part in listed(content)]
    joined = "".join(text for text in texts if isinstance(text, str)).strip()
    return joined or (repr(content) if content else "")

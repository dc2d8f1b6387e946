"""What one step of a run tells: messages that are known already, and new ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from trajmatch._message import Message
from trajmatch._model import ToolCall
from trajmatch.reading._thread import Entry, Made, Thread, is_same, text_of

__all__ = ["Telling"]


class _Known(NamedTuple):
    """The message of the run that a message is, and its calls there as far as they are known."""

    entry: Entry
    made: Sequence[Made | None] = ()


class Telling:
    """What one step tells of the run, from its first message on: what is known is passed over, the rest is added.

    A history is a part of the run in its order, so that equal messages are told apart by their places. What a model
    gave in this step is no message that it gave in another.
    """

    def __init__(self, thread: Thread, *, nested: bool = False) -> None:
        self._thread = thread
        self.nested = nested
        self._from = 0  # what was matched so far stands before, or here
        self._used: set[Entry | Made] = set()
        self._follows = False  # the message before was known

    def tell(
        self,
        messages: Sequence[Message],
        calls: Sequence[ToolCall],
        before: Sequence[Made] | None = None,
        *,
        response: bool = False,
    ) -> list[Made]:
        """Take in messages, and give the calls of the run that their calls are.

        Results answer `calls` by their index, of which the first were made `before`. Where that is not known, a result
        without a call answers the first that no message answered.
        """
        found = [self._known(message, response) for message in messages]
        last = max((place for place, known in enumerate(found) if known), default=-1)
        made = [*(before or ())]
        early: list[Message] = []  # results that come before their calls
        at = 0
        for place, (message, known) in enumerate(zip(messages, found, strict=True)):
            if message.role == "tool":
                if message.answers is None or message.answers < len(made):
                    self._answer(message, made, calls, stray=before is not None)
                else:
                    early.append(message)
                continue
            entry = known.entry if known else self._new(message)
            if not known:
                self._thread.insert(at if place < last else len(self._thread.entries), entry)
            made += self._calls(message, known, entry)
            entry.response = entry.response or response
            at = self._thread.entries.index(entry) + 1
        for message in early:
            self._answer(message, made, calls, stray=False)
        return made[len(before or ()) :]

    def _new(self, message: Message) -> Entry:
        feedback = message.feedback or (self.nested and message.role == "user")
        entry = Entry(message.role, message.content, message.name, feedback)
        self._used.add(entry)
        return entry

    def _calls(self, message: Message, known: _Known | None, entry: Entry) -> list[Made]:
        """The calls of a message, each as the run knows it, or as it does from now on."""
        held = known.made if known else [None] * len(message.tool_calls)
        made = [one or self._thread.add(call, entry) for one, call in zip(held, message.tool_calls, strict=True)]
        for one, call in zip(made, message.tool_calls, strict=True):
            self._used.add(one)
            one.identify(call)
            one.learn(call.status, call.result)
        return made

    def _known(self, message: Message, response: bool) -> _Known | None:
        known: _Known | None = None
        if message.tool_calls:
            made = [self._call(call, response) for call in message.tool_calls]
            entry = next((one.entry for one in made if one), None)
            known = _Known(entry, made) if entry else None
        elif message.role != "tool":
            entry = self._text(message, response)
            known = _Known(entry) if entry else None
        if message.role != "tool":
            self._follows = known is not None
        return known

    def _call(self, call: ToolCall, response: bool) -> Made | None:
        for made in self._thread.calls(self._from):
            if made not in self._used and not (response and made.entry.response) and is_same(made.call, call):
                self._used |= {made, made.entry}
                self._from = self._thread.entries.index(made.entry, self._from)
                return made
        return None

    def _text(self, message: Message, response: bool) -> Entry | None:
        text = text_of(message.content)
        for place in range(self._from, len(self._thread.entries)):
            entry = self._thread.entries[place]
            if entry in self._used or entry.role != message.role or entry.calls or (response and entry.response):
                continue
            if text_of(entry.content) == text or (self._follows and entry.role == "assistant" and self._is_next(place)):
                self._used.add(entry)
                self._from = place + 1
                return entry
        return None

    def _is_next(self, place: int) -> bool:
        """Whether only results stand between what was matched and this: one message, which was written differently."""
        between = self._thread.entries[self._from : place]
        return all(entry in self._used or entry.role == "tool" for entry in between)

    def _answer(self, message: Message, made: Sequence[Made], calls: Sequence[ToolCall], *, stray: bool) -> None:
        at = message.answers
        waiting = (one for one in self._thread.calls() if not stray and _awaits(one, message.name))
        answered = next(waiting, None) if at is None else made[at]
        if answered is None:
            self._orphan(message)
            return
        answered.told = True
        answered.learn("succeeded" if at is None else calls[at].status, message.content)
        self._thread.answer(answered, message.content)

    def _orphan(self, message: Message) -> None:
        """Add a result without a call, once."""
        text = text_of(message.content)
        if not any(entry.role == "tool" and text_of(entry.content) == text for entry in self._thread.entries):
            self._thread.insert(len(self._thread.entries), Entry("tool", message.content, message.name))


def _awaits(made: Made, name: str | None) -> bool:
    return not made.told and made.call.kind != "native" and name in (None, made.call.name)

"""From the events of a run to its messages, as a client of AG-UI keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar

from trajmatch.reading import Event, Noted, get, listed, looks_like_call, tool_name, unreadable
from trajmatch_adapters.histories.ag_ui._drafts import Call, Draft, Given, Interrupted
from trajmatch_adapters.histories.ag_ui._forms import field, type_of
from trajmatch_adapters.histories.ag_ui._messages import calls_of

__all__ = ["Stream"]

_BROKEN = "a run ended with an error or was cancelled: its calls without a result are interrupted"
_CUT = "the events end before the arguments of a call do"
_GUESSED = "which calls were made in parallel is guessed, since their parent messages are missing"
_INNER = "calls of sub-agents stand among those of the agent"
_KEPT = "a snapshot of the messages leaves out calls that were made before it"
_UNMARKED = "nothing in an event says whether a tool failed; a result counts as succeeded"

_SILENT = ("ACTIVITY_", "CUSTOM", "RAW", "REASONING_", "STATE_", "STEP_", "SUBAGENT_", "TEXT_MESSAGE_END", "THINKING_")
"""Events that say nothing of messages or calls."""


class Stream:
    """The messages of a run, from its events.

    A call belongs to its parent message. Without one it belongs to the last message, if the agent said that in this
    run and nothing came back since. A snapshot takes the place of the messages before it, but for calls that it lacks.
    """

    __slots__ = ("_begun", "_calls", "_last", "_messages", "_notes", "_texts")

    def __init__(self) -> None:
        self._messages: list[Draft | Given | Interrupted] = []
        self._texts: dict[str, Draft] = {}
        self._calls: dict[str, Call] = {}
        self._begun: dict[tuple[str, str], Draft] = {}  # the messages that this run began, by id and role
        self._last: dict[str, str] = {}  # what the last chunk of a text and of a call belonged to
        self._notes: dict[str, None] = {}

    def add(self, index: int, event: object) -> None:
        """Take in an event.

        Raises:
            ConversionError: Arguments of a call that did not begin, a call without a name, or an event of an unknown
                type with a name and arguments.
        """
        kind = type_of(event)
        if take := self._TAKES.get(kind):
            take(self, index, event)
        elif kind.startswith(_SILENT):
            return
        elif looks_like_call(event):
            raise unreadable(index, event, f"an event of the unknown type {kind!r} with a name and arguments")
        else:
            self._notes[f"an event of the unknown type {kind!r} is passed over"] = None

    def message(self, index: int, message: object) -> None:
        """Take in a message that stands among the events."""
        self._messages.append(Given(index, message))

    def events(self) -> Iterator[Event]:
        """Give the events that the messages make.

        Raises:
            ConversionError: A message that cannot be read.
        """
        self._interrupt(lambda call: not call.ended, _CUT)
        for message in self._messages:
            yield from message.events()
        yield from map(Noted, self._notes)

    def _interrupt(self, which: Callable[[Call], bool], note: str) -> None:
        """Put something in place of the results of calls that will never come."""
        drafts = [message for message in self._messages if isinstance(message, Draft)]
        for call in [call for draft in drafts for call in draft.calls if not call.answered and which(call)]:
            self._messages.append(Interrupted(call.id))
            self._notes[note] = None
            call.answered = True

    def _answer(self, id: object) -> None:
        """Let a call be answered; where it was interrupted, a later run went on with it."""
        call = self._calls.get(str(id))
        if call and call.answered and Interrupted(call.id) in self._messages:
            self._messages.remove(Interrupted(call.id))
        if call:
            call.answered = True

    def _run_started(self, index: int, event: object) -> None:
        self._begun.clear()
        self._texts.clear()
        self._replace(index, listed(get(get(event, "input"), "messages")))

    def _run_ended(self, _index: int, event: object) -> None:
        if type_of(event) == "RUN_ERROR" or type_of(get(event, "outcome")) == "cancelled":
            self._interrupt(lambda call: True, _BROKEN)
        self._begun.clear()

    def _snapshot(self, index: int, event: object) -> None:
        self._replace(index, listed(get(event, "messages")))

    def _replace(self, index: int, messages: Sequence[object]) -> None:
        """Put messages in the place of those before, but keep the calls that they lack, and the results of these."""
        if not messages:
            return
        held = {str(get(call, "id")) for message in messages for call in calls_of(message)}
        kept = [left for message in self._messages if (left := message.beside(held)) is not None]
        if kept:
            self._notes[_KEPT] = None
        self._messages = [*kept, *(Given(index, message) for message in messages)]
        for message in messages:
            self._answer(field(message, "tool_call_id"))
        self._begun.clear()

    def _text_start(self, index: int, event: object) -> None:
        id, role = field(event, "message_id"), get(event, "role")
        draft = self._draft(index, event, id, role if isinstance(role, str) else "assistant")
        draft.spoken = True
        self._texts[str(id)] = draft

    def _text(self, index: int, event: object) -> None:
        id = str(field(event, "message_id"))
        if id not in self._texts:
            self._text_start(index, event)
        self._texts[id].texts.append(_delta(index, event))

    def _text_chunk(self, index: int, event: object) -> None:
        id = field(event, "message_id")
        id = self._last["text"] = str(self._last.get("text") if id is None else id)
        if id not in self._texts:
            self._text_start(index, {"messageId": id, "role": get(event, "role")})
        self._texts[id].texts.append(_delta(index, event))

    def _call_start(self, index: int, event: object) -> None:
        id, parent = field(event, "tool_call_id"), field(event, "parent_message_id")
        if id is None:
            raise unreadable(index, event, "a call without an id, which its arguments need")
        call = self._calls[str(id)] = Call(str(id), tool_name(index, event, field(event, "tool_call_name")))
        self._draft(index, event, parent or None, "assistant").calls.append(call)
        if field(event, "subagent_run_id") is not None:
            self._notes[_INNER] = None

    def _arguments(self, index: int, event: object) -> None:
        self._call(index, event).deltas.append(_delta(index, event))

    def _call_end(self, index: int, event: object) -> None:
        self._call(index, event).ended = True

    def _call(self, index: int, event: object) -> Call:
        call = self._calls.get(str(field(event, "tool_call_id")))
        if call is None:
            raise unreadable(index, event, "a part of a call that did not begin")
        return call

    def _call_chunk(self, index: int, event: object) -> None:
        id = field(event, "tool_call_id")
        id = self._last["call"] = str(self._last.get("call") if id is None else id)
        if id not in self._calls:
            self._call_start(index, event)
        call = self._calls[id]
        call.deltas.append(_delta(index, event))
        call.ended = True  # chunks have no end

    def _result(self, index: int, event: object) -> None:
        id = field(event, "tool_call_id")
        self._answer(id)
        self._notes[_UNMARKED] = None
        self._messages.append(Given(index, {"role": "tool", "toolCallId": id, "content": get(event, "content")}))

    def _draft(self, index: int, event: object, id: object, role: str) -> Draft:
        """The message of an id that this run began, or a new one; without an id, the last, if it is the agent's."""
        owner, draft = field(event, "subagent_run_id"), None
        if id is not None:
            draft = self._begun.get((str(id), role))
        elif self._begun and isinstance(last := self._messages[-1], Draft) and (last.role, last.owner) == (role, owner):
            draft = last
            self._notes[_GUESSED] = None
        if draft is None:
            draft = Draft(index, role, owner)
            self._messages.append(draft)
            self._begun[str(id or len(self._messages)), role] = draft
        return draft

    _TAKES: ClassVar[Mapping[str, Callable[..., None]]] = {
        "MESSAGES_SNAPSHOT": _snapshot,
        "RUN_ERROR": _run_ended,
        "RUN_FINISHED": _run_ended,
        "RUN_STARTED": _run_started,
        "TEXT_MESSAGE_CHUNK": _text_chunk,
        "TEXT_MESSAGE_CONTENT": _text,
        "TEXT_MESSAGE_START": _text_start,
        "TOOL_CALL_ARGS": _arguments,
        "TOOL_CALL_CHUNK": _call_chunk,
        "TOOL_CALL_END": _call_end,
        "TOOL_CALL_RESULT": _result,
        "TOOL_CALL_START": _call_start,
    }


def _delta(index: int, event: object) -> str:
    delta = get(event, "delta")
    if delta is None or isinstance(delta, str):
        return delta or ""
    raise unreadable(index, event, f"a delta that is no text ({type(delta).__name__})")

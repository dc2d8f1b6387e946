"""From a trajectory to the events that make it: what `build` does, the other way round."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from itertools import count

from trajmatch._access import listed
from trajmatch._message import Message
from trajmatch._model import Kind, Status, ToolCall
from trajmatch._shown import shown
from trajmatch._stored import as_text, plain
from trajmatch._trajectory import Trajectory
from trajmatch.errors import ConversionError
from trajmatch.reading._blocks import is_call_block, is_result_block
from trajmatch.reading._events import Answered, Called, Said, Told

__all__ = ["retell"]

_CALL_NOTHING = ("system", "tool", "user")


def retell(run: Trajectory) -> Iterator[Told]:
    """Give the events that `build` makes this run of, save for its notes, in plain JSON.

    Each call has an id of its own, and each result names its call; a result that has none gets an id without a call.
    Arguments are an object wherever there is one.

    Raises:
        ConversionError: Arguments that are not stated, or have no JSON form.
    """
    ids = _ids(run.calls)
    messages: Sequence[Message] = run.messages or ()
    if run.messages is None:
        messages = [Message("assistant", None, [call]) for call in run.calls]
    told = {message.answers for message in messages if message.role == "tool"}
    open = dict(enumerate(ids))  # calls that no message has answered so far
    at = 0
    for place, message in enumerate(messages):
        made = range(at, at := at + len(message.tool_calls))
        if message.role == "tool":
            yield _answer(message, run.calls, open, _free(f"result_{place}", ids))
        else:
            yield Said(message.role, _said(message.content), feedback=message.feedback and message.role == "user")
        if made and message.role in _CALL_NOTHING:
            yield Said("assistant")
        for index in made:
            yield _call(index, run.calls[index], ids[index])
            if run.calls[index].kind == "native":
                yield from _own_answer(run.calls[index], ids[index])
        for index in made:
            if run.calls[index].kind != "native" and index not in told:
                yield from _own_answer(run.calls[index], ids[index])


def _ids(calls: Sequence[ToolCall]) -> list[str]:
    """The ids of the calls; a new one where there is none, and where one occurred before."""
    taken = {call.id for call in calls}
    ids: dict[str, None] = {}
    for index, call in enumerate(calls):
        id = call.id
        if not id or id in ids:
            id = _free(f"call_{index}", taken)
        ids[id] = None
    return [*ids]


def _free(id: str, taken: Container[str | None]) -> str:
    """An id that begins like this, and is not there."""
    return next(free for n in count() if (free := f"{id}{'_' * n}") not in taken)


def _said(content: object) -> object:
    """What a message says, without its calls and results."""
    form = plain(content, as_text)
    parts = [part for part in listed(form) if not is_call_block(part) and not is_result_block(part)]
    return parts if listed(form) else form


def _call(index: int, call: ToolCall, id: str) -> Called:
    if call.given is None:
        raise ConversionError(
            f"call {index}: the arguments of {call.name!r} are not stated, which no message can say; "
            f"state them, as call({call.name!r}, ...) does",
            index=index,
        )
    arguments = call.raw_arguments if call.arguments is None else plain(call.arguments, _refusing(index, call))
    return Called(call.name, arguments, id, call.kind)


def _refusing(index: int, call: ToolCall) -> Callable[[object], object]:
    def refuse(value: object) -> object:
        text = (
            f"call {index}: in the arguments of {call.name!r}, {type(value).__name__} has no JSON form: {shown(value)}"
        )
        raise ConversionError(text, index=index)

    return refuse


def _own_answer(call: ToolCall, id: str) -> Iterator[Answered]:
    """The result that a call holds itself, if it has one."""
    if call.status is not None and call.status != "pending":
        kind: Kind = "native" if call.kind == "native" else "function"
        yield Answered(plain(call.result, as_text), id, call.name, call.status, kind)


def _answer(message: Message, calls: Sequence[ToolCall], open: dict[int, str], spare: str) -> Answered:
    """The result in a message; with an id of its own where no call waits for it."""
    result, at = plain(message.content, as_text), message.answers
    if at is None or at not in open or calls[at].kind == "native":
        return Answered(result, spare, message.name)
    call = calls[at]
    status: Status = "succeeded" if call.status is None or call.status == "pending" else call.status
    return Answered(result, open.pop(at), call.name, status)

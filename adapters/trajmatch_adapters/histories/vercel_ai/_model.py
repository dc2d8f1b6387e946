"""Model messages, and the steps of a result: a call is one part, and what came of it another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from trajmatch.reading import (
    Answered,
    Called,
    Event,
    Kind,
    Noted,
    Said,
    Status,
    field,
    first,
    get,
    is_mapping,
    listed,
    looks_like_call,
    tool_name,
    type_of,
    unreadable,
    wire_arguments,
)
from trajmatch_adapters.histories.vercel_ai._fields import text_of, tool_id
from trajmatch_adapters.histories.vercel_ai._forms import MODEL_CALLS, SILENT

__all__ = ["Approvals", "parts_of_step", "read_message", "read_step"]

_OUTPUTS: dict[str, Status] = {
    "text": "succeeded",
    "json": "succeeded",
    "content": "succeeded",
    "error-text": "failed",
    "error-json": "failed",
}
"""The types of an output with a value, and what each says of the call."""

_DENIED = "execution-denied"


class Approvals:
    """What a user said of calls that needed an approval, and which calls have a result."""

    __slots__ = ("_asked", "_native", "answered", "denied")

    def __init__(self, parts: Sequence[object]) -> None:
        self._asked = {
            str(get(part, "approvalId")): tool_id(part) for part in parts if _is(part, "tool-approval-request")
        }
        said = [part for part in parts if _is(part, "tool-approval-response") and get(part, "approved") is False]
        self.denied = {self.call_of(part) for part in said}
        self.answered = {tool_id(part) for part in parts if _is(part, "tool-result") or _is(part, "tool-error")}
        self._native = {tool_id(part) for part in parts if get(part, "providerExecuted") is True}

    def call_of(self, part: object) -> str | None:
        """Give the id of the call that a response to a request for an approval is about."""
        return self._asked.get(str(get(part, "approvalId")))

    def type_of(self, part: object) -> Kind:
        """Say whether a provider executes the call that a part is about."""
        return "native" if tool_id(part) in self._native and tool_id(part) else "function"


def _is(part: object, kind: str) -> bool:
    return type_of(part) == kind


def read_message(index: int, message: object, approvals: Approvals) -> Iterator[Event]:
    """Give the events of a model message.

    Raises:
        ConversionError: Calls under an unknown key, a call without the name of its tool, or a part of an unknown type
            with a name and arguments.
    """
    role, content = get(message, "role"), get(message, "content")
    if role != "tool":
        spoken = any(type_of(part) in MODEL_CALLS for part in listed(content))
        yield Said(role, text_of(content) if spoken else content)
    for part in listed(content):
        yield from _part(index, part, approvals)


def read_step(index: int, step: object, approvals: Approvals) -> Iterator[Event]:
    """Give the events of a step of a result: one response, and the results of its calls."""
    parts = parts_of_step(step)
    yield Said("assistant", text_of(parts))
    for part in parts:
        yield from _part(index, part, approvals)


def parts_of_step(step: object) -> Sequence[object]:
    """Give the parts of a step; before version 5 they stand apart."""
    if content := listed(get(step, "content")):
        return content
    text = get(step, "text")
    return [
        *([{"type": "text", "text": text}] if text else []),
        *(_typed("tool-call", call) for call in listed(get(step, "toolCalls"))),
        *(_typed("tool-result", result) for result in listed(get(step, "toolResults"))),
    ]


def _typed(kind: str, part: object) -> object:
    return {**part, "type": kind} if is_mapping(part) else part


def _part(index: int, part: object, approvals: Approvals) -> Iterator[Event]:
    kind = type_of(part)
    if kind == "tool-call":
        arguments = wire_arguments(first(part, "input", "args"))
        name = tool_name(index, part, get(part, "toolName"))
        yield Called(name, arguments, tool_id(part), approvals.type_of(part))
    elif kind in ("tool-result", "tool-error"):
        yield _answer(part, approvals)
    elif kind == "tool-approval-response":
        id = approvals.call_of(part)
        if id in approvals.denied and id not in approvals.answered:
            yield Answered(get(part, "reason"), id, status="denied")
    elif kind != "tool-approval-request" and looks_like_call(part):
        raise unreadable(index, part, f"a part of the unknown type {kind!r} with a name and arguments")
    elif kind not in SILENT and kind not in MODEL_CALLS and not isinstance(part, str):
        yield Noted(f"a part of the unknown type {kind!r} is passed over")


def _answer(part: object, approvals: Approvals) -> Answered:
    name, id, kind = get(part, "toolName"), tool_id(part), approvals.type_of(part)
    result, status = _outcome(part)
    if id and id in approvals.denied:
        status = "denied"
    return Answered(result, id, name if isinstance(name, str) else None, status, kind)


def _outcome(part: object) -> tuple[Any, Status]:
    """What a call gave, and what became of it."""
    if type_of(part) == "tool-error":
        return get(part, "error"), "failed"
    output = first(part, "output", "result")
    kind = type_of(output)
    if kind == _DENIED:
        return get(output, "reason"), "denied"
    if kind in _OUTPUTS and is_mapping(output) and "value" in output:
        return output["value"], _OUTPUTS[kind]
    return output, "failed" if field(part, "is_error") is True else "succeeded"

"""UI messages: a call and what became of it are one part, whose state says how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trajmatch.reading import (
    Answered,
    Called,
    Event,
    Noted,
    Said,
    first,
    get,
    listed,
    looks_like_call,
    tool_name,
    unreadable,
    wire_arguments,
)
from trajmatch_adapters.histories.vercel_ai._fields import field, kind_of, text_of, tool_id
from trajmatch_adapters.histories.vercel_ai._forms import SILENT, is_tool_part

__all__ = ["read_ui"]

_MARK = "step-start"
_ANSWERED = ("output-available", "output-error", "output-denied", "result")
_OLD = "a message of an old version does not say which text stood beside its calls"


def read_ui(index: int, message: object) -> Iterator[Event]:
    """Give the events of a UI message; each step of an assistant is a response of its own.

    Raises:
        ConversionError: A call without the name of its tool, or a part of an unknown type with a name and arguments.
    """
    role, parts = get(message, "role"), [*listed(get(message, "parts"))]
    invocations = listed(get(message, "toolInvocations"))
    if not any(map(is_tool_part, parts)) and invocations:
        yield from _old(index, role, message, invocations)
        return
    for step in _steps(parts) if role == "assistant" else [parts]:
        yield Said(role, text_of(step))
        for part in step:
            yield from _part(index, part)


def _steps(parts: list[object]) -> list[list[object]]:
    """The parts of each step; where no mark begins one, text behind a result does, or another number of a step."""
    marked = any(kind_of(part) == _MARK for part in parts)
    steps: list[list[object]] = [[]]
    for part in parts:
        if kind_of(part) == _MARK:
            steps.append([])
        elif not marked and steps[-1] and _goes_on(steps[-1][-1], part):
            steps.append([part])
        else:
            steps[-1].append(part)
    return [step for step in steps if step] or [[]]


def _goes_on(before: object, part: object) -> bool:
    """Whether a part is of the next step."""
    given = get(before, "toolInvocation") or before
    if is_tool_part(part):
        steps = get(given, "step"), get(get(part, "toolInvocation"), "step")
        return None not in steps and steps[0] != steps[1]
    answered = is_tool_part(before) and get(given, "state") in _ANSWERED
    native = field(given, "provider_executed") is True
    return answered and not native and kind_of(part) in ("text", "reasoning")


def _old(index: int, role: str, message: object, invocations: object) -> Iterator[Event]:
    """A message of version 3, whose calls stand beside its text."""
    for step in _steps([{"type": "tool-invocation", "toolInvocation": call} for call in listed(invocations)]):
        yield Said(role)
        for part in step:
            yield from _part(index, part)
    if text := get(message, "content"):
        yield Noted(_OLD)
        yield Said(role, text)


def _part(index: int, part: object) -> Iterator[Event]:
    kind = kind_of(part)
    if is_tool_part(part):
        yield from _tool(index, part)
    elif looks_like_call(part):
        raise unreadable(index, part, f"a part of the unknown type {kind!r} with a name and arguments")
    elif kind not in SILENT and not kind.startswith("data-"):
        yield Noted(f"a part of the unknown type {kind!r} is passed over")


def _tool(index: int, part: object) -> Iterator[Event]:
    """A call, and its result if it has one."""
    given = get(part, "toolInvocation") or part
    name = field(given, "tool_name") or kind_of(part).removeprefix("tool-")
    if given is not part or kind_of(part) == "dynamic-tool":
        name = field(given, "tool_name")
    native = field(given, "provider_executed") is True
    called = Called(
        tool_name(index, part, name),
        wire_arguments(first(given, "input", "args", "rawInput", "raw_input")),
        tool_id(given),
        "native" if native else "function",
    )
    yield called
    state = get(given, "state")
    if not isinstance(state, str) or state not in _STATES:
        yield Noted(f"a call is in the unknown state {state!r:.60}")
    elif (answer := _STATES[state](given)) is not None:
        yield answer._replace(id=called.id, name=called.name, kind=called.kind)


def _nothing(_given: object) -> None:
    """The call has no result yet."""


def _unfinished(_given: object) -> Answered:
    return Answered(status="interrupted")


def _responded(given: object) -> Answered | None:
    approval = get(given, "approval")
    return _denied(given) if get(approval, "approved") is False else None


def _denied(given: object) -> Answered:
    return Answered(get(get(given, "approval"), "reason"), status="denied")


def _available(given: object) -> Answered:
    output = first(given, "output", "result")
    return Answered(output, status="interrupted" if get(given, "preliminary") is True else "succeeded")


def _failed(given: object) -> Answered:
    return Answered(field(given, "error_text"), status="failed")


_STATES: dict[str, Callable[[object], Answered | None]] = {
    "input-streaming": _unfinished,
    "partial-call": _unfinished,
    "input-available": _nothing,
    "call": _nothing,
    "approval-requested": _nothing,
    "approval-responded": _responded,
    "output-available": _available,
    "result": _available,
    "output-error": _failed,
    "output-denied": _denied,
}

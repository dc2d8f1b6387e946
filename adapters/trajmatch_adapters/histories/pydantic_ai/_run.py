"""From messages and their parts to events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Literal, NamedTuple

from trajmatch.reading import (
    Answered,
    Called,
    Event,
    Noted,
    Said,
    call_id,
    get,
    is_mapping,
    keys_of,
    listed,
    looks_like_call,
    tool_name,
    unreadable,
    wire_arguments,
)
from trajmatch_adapters.histories.pydantic_ai._recognise import is_message, kind_of, parts_of
from trajmatch_adapters.histories.pydantic_ai._results import is_repaired, is_result, meaning, output_tools

__all__ = ["PASSED_OVER", "Reading", "events_of", "text_of"]

_CALLS: Mapping[str, Literal["function", "native"]] = {"tool-call": "function", "builtin-tool-call": "native"}
"""Parts that call a tool."""

_ROLES = {
    "retry-feedback": "user",
    "retry-prompt": "user",
    "speech": "user",
    "system-prompt": "system",
    "user-prompt": "user",
}
"""Parts of a request that are a message of their own."""

_SPOKEN = {"speech": "transcript", "text": "content"}
"""Parts of a response that are its content, and where that stands in them."""

PASSED_OVER = frozenset(
    {
        "capability-load-delta",
        "compaction",
        "file",
        "instruction",
        "instruction-baseline",
        "instruction-delta",
        "instruction-digest",
        "model-settings-delta",
        "thinking",
        "tool-availability-delta",
    }
)
"""Parts that neither call nor answer, nor are a message."""


class Reading(NamedTuple):
    """The options that runs inside a run are read with, too."""

    output_tools: frozenset[str] | None
    nested: bool


def events_of(messages: list[object], reading: Reading) -> Iterator[Event]:
    """Give the events of the messages of one run, or of several after each other."""
    whole = [parts_of(index, message) for index, message in enumerate(messages)]
    names = reading.output_tools
    outputs = output_tools(part for parts in whole for part in parts) if names is None else names
    for index, (message, parts) in enumerate(zip(messages, whole, strict=True)):
        if get(message, "kind") == "response":
            yield Said("assistant", text_of(index, parts))
            parts = [part for part in parts if kind_of(part) not in _SPOKEN]
        added = any(map(is_result, parts)) and not any(map(is_repaired, parts))
        for part in parts:
            if kind_of(part) in _CALLS:
                yield _call(index, part, outputs)
            elif is_result(part):
                yield from _nested(part, reading)
                yield from _answer(part)
            else:
                yield from _other(index, part, added)


def text_of(index: int, parts: Iterable[object]) -> str | None:
    """What a response says: neighbouring parts are one text, and an empty line stands between texts."""
    texts: list[str] = []
    for spoken, run in groupby(parts, lambda part: kind_of(part) in _SPOKEN):
        if spoken:
            texts.append("".join(_spoken(index, part) for part in run))
    return "\n\n".join(filter(None, texts)) or None


def _spoken(index: int, part: object) -> str:
    said = get(part, _SPOKEN[kind_of(part)]) or ""
    if not isinstance(said, str):
        raise unreadable(index, part, "a text that is none")
    return said


def _call(index: int, part: object, outputs: frozenset[str]) -> Called:
    name, kind = tool_name(index, part, get(part, "tool_name")), _CALLS[kind_of(part)]
    output = kind == "function" and name in outputs
    return Called(name, wire_arguments(get(part, "args")), call_id(part, "tool_call_id"), "output" if output else kind)


def _answer(part: object) -> Iterator[Event]:
    said = meaning(part)
    if said is None:
        yield Noted(f"the outcome {get(part, 'outcome')!r} of a result is not known, and taken for a failure")
        said = Answered(status="failed")
    kind = "native" if kind_of(part) == "builtin-tool-return" else said.kind
    yield Answered(get(part, "content"), call_id(part, "tool_call_id"), get(part, "tool_name"), said.status, kind)


def _other(index: int, part: object, added: bool) -> Iterator[Event]:
    """A part that neither calls nor answers; `added` where what a user says was added by a tool."""
    kind = kind_of(part)
    if role := _ROLES.get(kind):
        feedback = kind.startswith("retry-") or (added and role == "user")
        yield Said(role, get(part, "transcript" if kind == "speech" else "content"), feedback=feedback)
    elif looks_like_call(part) or not keys_of(part) or {"tool_name", "args"} <= {*keys_of(part)}:
        raise unreadable(index, part, f"a part of the unknown kind {kind!r} that may be a call")
    elif kind not in PASSED_OVER:
        yield Noted(f"a part of the unknown kind {kind!r} is left out")


def _nested(part: object, reading: Reading) -> Iterator[Event]:
    """The runs that a result hands over; its call is their parent."""
    messages, prefix = _handed_over(part)
    if messages and not reading.nested:
        yield Noted("results hand over runs inside their tools, which are left out; nested=True reads them")
        return
    for event in events_of(messages, reading):
        if isinstance(event, (Called, Answered)):
            yield event._replace(id=f"{prefix}{event.id or ''}")
        elif isinstance(event, Said) and event.role == "user":
            yield event._replace(feedback=True)
        else:
            yield event


def _handed_over(part: object) -> tuple[list[object], str]:
    """The messages of a run inside a tool, and what makes their ids differ from those of the parent's run.

    The calls of code mode are given as a response and a request; their ids hold the parent's already.
    """
    metadata = get(part, "metadata")
    messages = [*listed(get(metadata, "messages"))]
    if messages and all(map(is_message, messages)):
        return messages, f"{call_id(part, 'tool_call_id') or ''}__"
    if get(metadata, "code_mode") is True:
        calls, results = _values(get(metadata, "tool_calls")), _values(get(metadata, "tool_returns"))
        if calls or results:
            return [{"kind": "response", "parts": calls}, {"kind": "request", "parts": results}], ""
    return [], ""


def _values(parts: object) -> list[object]:
    return list(parts.values()) if is_mapping(parts) else []

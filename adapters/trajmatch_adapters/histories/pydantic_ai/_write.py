"""Writing Pydantic AI messages: dicts as `ModelMessagesTypeAdapter` dumps them, and takes them.

Prompts go into one request, and the results of a response into one of their own, with the feedback beside them. Where
only the text of a result says what became of a call, or that it returned the output of the run, it is in the words of
Pydantic AI.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from trajmatch.reading import Answered, Called, Said, Told, known_role, result_content, said_content, said_text
from trajmatch_adapters.histories.pydantic_ai._results import TEXTS

__all__ = ["write"]

_PROMPTS = {"system": "system-prompt", "user": "user-prompt"}
_CALLS = {"native": "builtin-tool-call"}
_PARTS = {"audio-url": "url", "document-url": "url", "image-url": "url", "video-url": "url"}
"""What a user says beside text."""
_OUTCOMES = ("denied", "failed", "interrupted")
_OWN = ("denied", "retried")
"""What a result says without its text."""
_WORDS = {(said.status, said.kind): text for text, said in reversed(TEXTS.items()) if said.status not in _OWN}
"""The text of a result that says so, where nothing else does."""


class _Messages:
    """The messages so far; parts go into the last one as long as it is of their kind."""

    def __init__(self) -> None:
        self.written: list[dict[str, Any]] = []
        self.last = ""
        """What the last message holds: a response, prompts or results."""

    def begin(self, holds: str, *parts: dict[str, Any]) -> None:
        """Begin a message."""
        kind = "response" if holds == "response" else "request"
        self.written.append({"kind": kind, "parts": [*parts]})
        self.last = holds

    def add(self, holds: str, part: dict[str, Any]) -> None:
        """Add a part to the last message, or begin a new one with it."""
        if self.last == holds:
            self.written[-1]["parts"].append(part)
        else:
            self.begin(holds, part)


def write(events: Iterable[Told]) -> list[dict[str, Any]]:
    """Give the messages that `read` gives these events of."""
    messages = _Messages()
    outputs: set[str | None] = set()
    for event in events:
        if isinstance(event, Said):
            _say(messages, event)
        elif isinstance(event, Called):
            if event.kind == "output":
                outputs.add(event.id)
            messages.add("response", _called(event))
        else:
            holds = "response" if event.kind == "native" else "results"
            messages.add(holds, _answered(event, event.id in outputs))
    return messages.written


def _say(messages: _Messages, said: Said) -> None:
    if known_role(said, ("assistant", *_PROMPTS)) == "assistant":
        text = said_text(said.content)
        messages.begin("response", *([{"part_kind": "text", "content": text}] if text else []))
    elif not said.feedback:
        messages.add("prompts", _prompt(said))
    elif messages.last == "results":
        messages.add("results", _prompt(said))
    else:
        messages.add("prompts", {"part_kind": "retry-prompt", "content": said_text(said.content) or ""})


def _prompt(said: Said) -> dict[str, Any]:
    content = said_content(said.content, _PARTS) if said.role == "user" else said_text(said.content)
    if isinstance(content, list):
        content = [part["text"] if part.get("type") == "text" else part for part in content]
    return {"part_kind": _PROMPTS[said.role], "content": content or ""}


def _called(called: Called) -> dict[str, Any]:
    kind = _CALLS.get(called.kind, "tool-call")
    return {"part_kind": kind, "tool_name": called.name, "args": called.arguments, "tool_call_id": called.id}


def _answered(answered: Answered, output: bool) -> dict[str, Any]:
    """A result; a call that was sent back has a part of its own, which every version of Pydantic AI takes."""
    status, kind = answered.status, "output" if output else answered.kind
    part = {"part_kind": "tool-return", "tool_name": answered.name or "", "tool_call_id": answered.id}
    if kind == "native":
        part["part_kind"] = "builtin-tool-return"
    elif status == "retried":
        return {**part, "part_kind": "retry-prompt", "content": result_content(answered.result, {})}
    said = TEXTS.get(answered.result) if isinstance(answered.result, str) else None
    if said and (said.status, said.kind) == (status, kind):
        return {**part, "content": answered.result}
    if text := _WORDS.get((status, kind)):
        return {**part, "content": text}
    outcome = {} if status == "succeeded" else {"outcome": status if status in _OUTCOMES else "failed"}
    return {**part, "content": answered.result, **outcome}

"""Writing Chat Completions: message dicts as they are sent.

A result has no room for what became of its call, so that an `error` field says that it did not succeed. What a
framework added beside results cannot be told from what a user says, and is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from trajmatch.reading import (
    Answered,
    Called,
    Said,
    Told,
    feedback_beside_results,
    known_role,
    result_content,
    said_content,
)

__all__ = ["write"]

_PARTS: dict[str, dict[str, str]] = {
    "assistant": {"refusal": "refusal"},
    "system": {},
    "user": {"file": "file", "image_url": "image_url.url", "input_audio": "input_audio.data"},
}
"""The roles; the parts beside text that each has, and the key that they need."""


def write(events: Iterable[Told]) -> list[dict[str, Any]]:
    """Give the messages that `read` gives these events of."""
    messages: list[dict[str, Any]] = []
    calls: list[dict[str, Any]] = []
    for event in feedback_beside_results(events):
        if isinstance(event, Said):
            messages += [] if event.feedback else [_said(event)]
            calls = []
        elif isinstance(event, Called):
            calls.append(_called(event))
            if len(calls) == 1:
                messages[-1]["tool_calls"] = calls
        else:
            messages.append(_answered(event))
    return messages


def _said(said: Said) -> dict[str, Any]:
    role = known_role(said, _PARTS)
    content = said_content(said.content, _PARTS[role])
    return {"role": role, "content": content if content or role == "assistant" else ""}


def _called(called: Called) -> dict[str, Any]:
    text = called.arguments if isinstance(called.arguments, str) else json.dumps(called.arguments)
    return {"id": called.id, "type": "function", "function": {"name": called.name, "arguments": text}}


def _answered(answered: Answered) -> dict[str, Any]:
    failed = {} if answered.status == "succeeded" else {"error": answered.status}
    return {"role": "tool", "tool_call_id": answered.id, "content": result_content(answered.result, {}), **failed}

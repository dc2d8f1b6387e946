"""Writing Anthropic Messages: message dicts as they are sent.

The results of a batch go into one message; a system prompt becomes a message of the role `system`. Text that a
framework added beside results cannot be told from a user's and is left out; an image, say, goes with the results.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from trajmatch import ConversionError
from trajmatch.reading import (
    Answered,
    Called,
    Said,
    Told,
    feedback_beside_results,
    get,
    known_role,
    result_content,
    said_content,
    with_part,
)

__all__ = ["write"]

_RESULT = {"document": "source.type", "image": "source.type", "search_result": "source", "tool_reference": "tool_name"}
_PARTS: dict[str, dict[str, str]] = {
    "assistant": {"redacted_thinking": "data", "thinking": "signature"},
    "system": {},
    "user": {"document": "source.type", "image": "source.type", "search_result": "source"},
}
"""The roles; the blocks beside text that each has, and the key that they need."""
_CALLS = {"native": "server_tool_use"}


def write(events: Iterable[Told]) -> list[dict[str, Any]]:
    """Give the messages that `read` gives these events of.

    Raises:
        ConversionError: Arguments that are no object.
    """
    messages: list[dict[str, Any]] = []
    answering = False  # the last message holds results
    for event in feedback_beside_results(events):
        if isinstance(event, Said) and event.feedback:
            if answering:
                messages[-1]["content"] += _added(event)
        elif isinstance(event, Said):
            content = said_content(event.content, _PARTS[known_role(event, _PARTS)])
            messages.append({"role": event.role, "content": content or ""})
            answering = False
        elif isinstance(event, Called):
            messages[-1]["content"] = with_part(messages[-1]["content"], _called(event))
        else:
            if event.kind == "function" and not answering:
                messages.append({"role": "user", "content": []})
                answering = True
            messages[-1]["content"] = with_part(messages[-1]["content"], _answered(event))
    return messages


def _added(said: Said) -> list[dict[str, Any]]:
    """What a framework added, without its text."""
    content = said_content(said.content, _PARTS["user"])
    return [block for block in content if block["type"] != "text"] if isinstance(content, list) else []


def _called(called: Called) -> dict[str, Any]:
    if isinstance(called.arguments, str):
        text = f"the arguments of {called.name!r} are no object: {called.arguments!r:.60}"
        raise ConversionError(f"{text}; map_calls replaces them, or leaves the call out")
    kind = _CALLS.get(called.kind, "tool_use")
    return {"type": kind, "id": called.id, "name": called.name, "input": called.arguments}


def _answered(answered: Answered) -> dict[str, Any]:
    failed = {} if answered.status == "succeeded" else {"is_error": True}
    if answered.kind == "native":
        failed = {} if str(get(answered.result, "type")).endswith("_error") else failed
        kind, content = f"{answered.name}_tool_result", answered.result
    else:
        kind, content = "tool_result", result_content(answered.result, _RESULT)
    return {"type": kind, "tool_use_id": answered.id, "content": content, **failed}

"""Telling items of the Responses API, and what holds them, from all else."""

from __future__ import annotations

from typing import cast

from trajmatch.reading import Recognised, first, get, is_mapping, keys_of, listed
from trajmatch_adapters.histories.openai_responses._items import CALLS, OUTPUTS, SILENT, type_of
from trajmatch_adapters.histories.openai_responses._stream import recognise_event

__all__ = ["RECORDS", "is_response", "is_run", "is_state", "is_wrapped", "recognise"]

RECORDS = frozenset({"compacted", "event_msg", "response_item", "session_meta", "turn_context"})
"""What Codex records, each with a `payload`."""

_ROLES = frozenset({"assistant", "developer", "system", "user"})
_PARTS = frozenset({"input_file", "input_image", "input_text", "output_text"})
"""Parts of messages that only this format has."""
_SHARED_PARTS = _PARTS | {"image_url", "input_audio", "refusal", "text"}
_OTHERS = ("additional_kwargs", "function_call", "parts", "stop_reason", "tool_call_id", "tool_calls", "toolCalls")
"""What messages of other formats hold."""


def recognise(item: object) -> Recognised:
    """Say whether something is an item, or holds items."""
    if is_run(item) or is_state(item) or is_response(item) or is_wrapped(item):
        return "certain"
    kind = type_of(item)
    if kind in CALLS or kind in OUTPUTS:
        return "certain" if first(item, "call_id", "id", "arguments", "output") is not None else "no"
    if kind == "reasoning":
        return "certain" if first(item, "summary", "encrypted_content") is not None else "no"
    if kind in SILENT:
        return "certain"
    if kind in RECORDS and is_mapping(get(item, "payload")):
        return "could_be"
    return _message(item) if kind in ("", "message") else recognise_event(item)


def _message(item: object) -> Recognised:
    """A message is certain where its type or its parts say so."""
    content: object = get(item, "content")
    if get(item, "role") not in _ROLES or first(item, *_OTHERS) is not None:
        return "no"
    if not isinstance(content, (str, list, tuple)):
        return "no"
    kinds = {"text" if isinstance(part, str) else type_of(part) for part in listed(cast("object", content))}
    if not kinds <= _SHARED_PARTS:
        return "no"
    return "certain" if type_of(item) == "message" or kinds & _PARTS else "could_be"


def is_wrapped(item: object) -> bool:
    """Say whether this is an item of the Agents SDK or of Codex, around one of the Responses API."""
    if get(item, "raw_item") is not None:
        return type_of(item).endswith("_item")
    return type_of(item) == "response_item" and get(item, "payload") is not None


def is_response(item: object) -> bool:
    """Say whether this is a response: of the API, of the Agents SDK, or recorded beside its input."""
    output: object = get(item, "output")
    if not isinstance(output, (list, tuple)):
        return False
    if get(item, "object") == "response" or "response_id" in keys_of(item):
        return True
    if get(item, "input") is None:
        return False
    said = [recognise(part) for part in listed(cast("object", output))]
    return "certain" in said and "no" not in said


def is_run(item: object) -> bool:
    """Say whether this is the result of a run of the Agents SDK."""
    return all(isinstance(get(item, name), (list, tuple)) for name in ("new_items", "raw_responses"))


def is_state(item: object) -> bool:
    """Say whether this is the state of such a run: live, or stored."""
    if is_mapping(item):
        return "$schemaVersion" in item and isinstance(item.get("generated_items"), list)
    return all(callable(getattr(item, name, None)) for name in ("to_json", "get_interruptions"))

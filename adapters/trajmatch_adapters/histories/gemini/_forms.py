"""Telling apart what a run of Gemini or of ADK is handed over as."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, cast

from trajmatch.reading import Recognised, first, get, is_mapping, keys_of, listed
from trajmatch_adapters.histories.gemini._fields import camel, field
from trajmatch_adapters.histories.gemini._parts import is_part, parts_of

__all__ = ["WHOLE", "Form", "form_of", "recognise", "responses_in"]

Form = Literal["content", "event", "response", "recorded", "request", "chat", "session", "turn", "case", "cases"]
"""What one item is.

A content, an event of ADK, a response or a chunk of one, a recorded answer of the service, a request, a chat, a
session, a turn of an eval case, an eval case, and a set of them.
"""

WHOLE = frozenset({"request", "chat", "session", "case", "cases"})
"""What holds a run, and follows on nothing."""

_FIELDS = (
    *("automatic_function_calling_history", "candidates", "create_time", "model_status", "model_version", "parsed"),
    *("prompt_feedback", "response_id", "sdk_http_response", "usage_metadata"),
)
_RESPONSE = frozenset({*_FIELDS, *map(camel, _FIELDS)})
"""What a response has."""

_ROLES = (None, "user", "model", "function", "tool", "system")


def recognise(item: object) -> Recognised:
    """Say whether an item is in one of the forms."""
    form = form_of(item)
    if form is None:
        return "no"
    if form == "response" and not get(item, "candidates"):
        return "could_be"
    if form == "content" and not any(map(is_part, parts_of(item) or ())):
        return "certain" if get(item, "role") == "model" and parts_of(item) is not None else "could_be"
    return "certain"


def form_of(item: object) -> Form | None:
    """Give the form of an item, if it has one."""
    return next((form for form, told in _FORMS.items() if told(item)), None)


def _is_content(item: object) -> bool:
    role, parts = get(item, "role"), parts_of(item)
    if role not in _ROLES or first(item, "kind", "type", "content") is not None:
        return False
    if parts is None:
        return role == "model" and get(item, "parts") is None and set(keys_of(item)) <= {"role", "parts"}
    return not any(map(_is_typed, parts)) and (role is not None or (bool(parts) and all(map(is_part, parts))))


def _is_typed(part: object) -> bool:
    """Whether a part says its kind, as those of other formats do."""
    return first(part, "type", "kind", "part_kind") is not None


def _is_event(item: object) -> bool:
    if not isinstance(get(item, "author"), str):
        return False
    content = get(item, "content")
    if content is None:
        return any(field(item, name) is not None for name in ("invocation_id", "actions"))
    return _is_content(content)


def _is_response(item: object) -> bool:
    candidates = get(item, "candidates")
    if not candidates:
        return bool(keys_of(item)) and _RESPONSE.issuperset(keys_of(item))
    contents = [get(candidate, "content") for candidate in listed(candidates)]
    return bool(contents) and all(content is None or _is_content(content) for content in contents)


def responses_in(item: object) -> Sequence[object]:
    """Give what a recorded answer of the service holds."""
    held = get(item, "response")
    return [held] if is_mapping(held) else listed(held)


def _is_recorded(item: object) -> bool:
    held = responses_in(item)
    return isinstance(get(item, "method"), str) and any(map(_is_response, held))


def _is_request(item: object) -> bool:
    contents = get(item, "contents")
    if isinstance(contents, str):
        return field(item, "system_instruction") is not None or get(item, "model") is not None
    return bool(listed(contents)) and get(item, "role") is None and all(map(_is_content, listed(contents)))


def _is_chat(item: object) -> bool:
    return all(callable(getattr(item, name, None)) for name in ("get_history", "send_message"))


def _is_session(item: object) -> bool:
    events = get(item, "events")
    if not isinstance(events, (list, tuple)) or get(item, "author") is not None:
        return False
    if not events:
        return field(item, "app_name") is not None
    return all(map(_is_event, cast("Sequence[object]", events)))


def _is_turn(item: object) -> bool:
    content = field(item, "user_content")
    if content is not None:
        return _is_content(content) and any(
            field(item, name) is not None for name in ("final_response", "intermediate_data", "invocation_id")
        )
    return isinstance(get(item, "query"), str) and isinstance(get(item, "expected_tool_use"), (list, tuple))


def _is_case(item: object) -> bool:
    turns = listed(get(item, "conversation")) or listed(get(item, "data"))
    return bool(turns) and all(map(_is_turn, turns))


def _is_set(item: object) -> bool:
    cases = listed(field(item, "eval_cases"))
    return bool(cases) and all(map(_is_case, cases))


_FORMS: dict[Form, Callable[[object], bool]] = {
    "event": _is_event,
    "response": _is_response,
    "content": _is_content,
    "recorded": _is_recorded,
    "request": _is_request,
    "chat": _is_chat,
    "session": _is_session,
    "turn": _is_turn,
    "case": _is_case,
    "cases": _is_set,
}

"""Telling apart what a run of the AI SDK is handed over as."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, cast

from trajmatch.reading import Recognised, first, get, is_mapping, listed
from trajmatch_adapters.histories.vercel_ai._fields import field, kind_of

__all__ = ["MODEL_CALLS", "MODEL_KEYS", "SILENT", "Form", "form_of", "is_tool_part", "last_request", "recognise"]

Form = Literal["ui", "model", "step", "result", "span", "trace"]
"""What one item is.

A UI message, a model message, a step, the result of `generateText`, a span of the telemetry, and a trace of spans.
"""

MODEL_CALLS = frozenset({"tool-call", "tool-result", "tool-error", "tool-approval-request", "tool-approval-response"})
"""Parts of a model message that say something of a call."""

SILENT = frozenset(
    {"text", "reasoning", "redacted-reasoning", "file", "image", "source", "source-url", "source-document"}
    | {"step-start", "reasoning-file", "custom", "error"}
)
"""Parts that are content and nothing else; so are those of a user's own data, `data-...`."""

_TELEMETRY = ("blob", "tool_call", "tool_call_response", "server_tool_call", "uri")
_ROLES = ("system", "user", "assistant", "tool", "data")
MODEL_KEYS = frozenset({"role", "content", "id", "providerOptions", "experimental_providerMetadata"})
"""What a model message has."""


def recognise(item: object) -> Recognised:
    """Say whether an item is in one of the forms; a model message without calls could be another's."""
    form = form_of(item)
    if form == "model":
        kinds = {kind_of(part) for part in listed(get(item, "content"))}
        return "certain" if kinds & MODEL_CALLS else "could_be"
    if form == "ui" and not (listed(get(item, "parts")) or get(item, "toolInvocations")):
        return "could_be"
    return "no" if form is None else "certain"


def form_of(item: object) -> Form | None:
    """Give the form of an item, if it has one."""
    return next((form for form, told in _FORMS.items() if told(item)), None)


def is_tool_part(part: object) -> bool:
    """Say whether a part of a UI message is a call, in the words of any version."""
    kind = kind_of(part)
    named = first(part, "toolCallId", "tool_call_id", "toolInvocation") is not None
    return kind == "dynamic-tool" or (kind.startswith("tool-") and named)


def _is_ui(item: object) -> bool:
    parts, role = get(item, "parts"), get(item, "role")
    if role not in _ROLES or get(item, "kind") is not None:
        return False
    if not isinstance(parts, (list, tuple)):
        return parts is None and bool(listed(get(item, "toolInvocations")))
    given = cast("Sequence[object]", parts)
    if any(map(_is_telemetry, given)) or not all(map(kind_of, given)):
        return False
    return any(map(_is_ui_part, given)) if given else get(item, "id") is not None


def _is_ui_part(part: object) -> bool:
    return kind_of(part) in SILENT or kind_of(part).startswith("data-") or is_tool_part(part)


def _is_telemetry(part: object) -> bool:
    """Whether a part is one of OpenTelemetry, whose text stands under `content`."""
    return kind_of(part) in _TELEMETRY or (kind_of(part) in ("text", "reasoning") and get(part, "content") is not None)


def _is_model(item: object) -> bool:
    role, content = get(item, "role"), get(item, "content")
    if not is_mapping(item) or role not in _ROLES or not item.keys() <= MODEL_KEYS:
        return False
    if isinstance(content, str):
        return bool(role != "tool")
    kinds = [kind_of(part) for part in listed(content)]
    if not kinds or (role == "tool" and kinds[0] not in MODEL_CALLS):
        return False
    return (MODEL_CALLS | SILENT).issuperset(kinds)


def _is_step(item: object) -> bool:
    if get(item, "role") is not None or field(item, "finish_reason") is None:
        return False
    kinds = [kind_of(part) for part in listed(get(item, "content"))]
    return (bool(kinds) and all(kinds)) or isinstance(get(item, "toolCalls"), (list, tuple))


def _is_result(item: object) -> bool:
    steps = listed(get(item, "steps"))
    return bool(steps) and all(map(_is_step, steps))


def _is_span(item: object) -> bool:
    name = get(item, "name")
    return isinstance(name, str) and name.startswith("ai.") and is_mapping(item) and "output" in item


def _is_trace(item: object) -> bool:
    return any(map(_is_span, listed(get(item, "llmSpans"))))


def last_request(spans: Sequence[object]) -> object:
    """Give the span of the last request to the model, which holds all that was said before."""
    asked = [span for span in spans if ".do" in str(get(span, "name"))]
    return (asked or [*spans])[-1]


_FORMS: dict[Form, Callable[[object], bool]] = {
    "ui": _is_ui,
    "step": _is_step,
    "model": _is_model,
    "result": _is_result,
    "span": _is_span,
    "trace": _is_trace,
}

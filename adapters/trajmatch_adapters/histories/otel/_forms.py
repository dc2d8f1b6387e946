"""The forms of a span: of the SDK, of its JSON, of OTLP, of Phoenix, of Pydantic Evals, and what holds them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from trajmatch.reading import first, get, is_mapping, listed

__all__ = ["Span", "held_in", "spans_of"]

_IDS = ("span_id", "spanId")
_TRACES = ("trace_id", "traceId")
_PARENTS = ("parent_span_id", "parentSpanId", "parent_id", "parentId")
_STARTS = ("start_time", "startTimeUnixNano", "start_time_unix_nano", "start_timestamp", "startTime")
_ENDS = ("end_time", "endTimeUnixNano", "end_time_unix_nano", "end_timestamp", "endTime")
_EVENTS = ("span_events", "events")
_HOLDERS = ("resourceSpans", "resource_spans", "scopeSpans", "scope_spans", "spans", "data", "roots")
"""What holds spans, from the outermost; a span tree of Pydantic Evals has `roots`."""
_OWN = ("gen_ai.", "llm.input_messages", "llm.output_messages", "pydantic_ai.all_messages")
"""What attributes begin with that hold messages: they are a span themselves."""
_FAILED = frozenset({"2", "ERROR", "STATUS_CODE_ERROR"})
_VALUES = ("stringValue", "string_value", "boolValue", "bool_value", "doubleValue", "double_value")
_WHOLE = ("intValue", "int_value")
"""Whole numbers, which OTLP writes as text."""


class Span(NamedTuple):
    """A span, whatever its form.

    Attributes:
        name: Its name.
        id: Its id, as text.
        parent: The id of the span around it.
        trace: The id of its trace.
        start: When it began, in any form.
        ended: Whether its end is recorded.
        failed: Whether its status is an error.
        attributes: Its attributes, by their dotted names, or nested.
        events: The names of its events, and their attributes.
    """

    name: str
    id: str | None
    parent: str | None
    trace: str | None
    start: object
    ended: bool
    failed: bool
    attributes: Mapping[str, Any]
    events: tuple[tuple[str, Mapping[str, Any]], ...]


def spans_of(item: object) -> list[Span] | None:
    """Give the spans that an item is or holds; `None` where it is no such thing."""
    if (span := _span(item)) is not None:
        return [span, *(inner for child in listed(get(item, "children")) for inner in spans_of(child) or ())]
    if is_mapping(item) and any(str(name).startswith(_OWN) for name in item):
        return [Span("attributes", None, None, None, None, True, False, item, ())]
    for name in _HOLDERS:
        held = get(item, name)
        if is_mapping(held) and (spans := spans_of(held)) is not None:
            return spans
        if listed(held):
            inner = [spans_of(child) for child in listed(held)]
            return None if None in inner else [span for spans in inner for span in spans or ()]
    return None


def _span(item: object) -> Span | None:
    attributes = held_in(get(item, "attributes"))
    name, context = get(item, "name"), get(item, "context")
    known = item if context is None or callable(context) else context
    id, trace = first(known, *_IDS), first(known, *_TRACES)
    if attributes is None or not isinstance(name, str) or (id is None and first(item, *_STARTS) is None):
        return None
    parent = first(item, *_PARENTS) or first(get(item, "parent"), *_IDS)
    return Span(
        name,
        _text(id),
        _text(parent),
        _text(trace),
        first(item, *_STARTS),
        first(item, *_ENDS) is not None,
        _failed(item),
        attributes,
        tuple(_events(item)),
    )


def _text(id: object) -> str | None:
    """An id as text: some parts of a trace write it with `0x`, and some as a number."""
    if isinstance(id, int):
        return f"{id:016x}"
    return id.removeprefix("0x") if isinstance(id, str) else None


def _failed(item: object) -> bool:
    status = first(item, "status", "status_code")
    code = first(status, "status_code", "code", "statusCode")
    code = status if code is None else code
    return str(getattr(code, "name", code)).upper() in _FAILED


def _events(item: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for event in listed(first(item, *_EVENTS)):
        yield str(first(event, "event_name", "name")), held_in(get(event, "attributes")) or {}


def held_in(attributes: object) -> Mapping[str, Any] | None:
    """Give attributes as a mapping; OTLP lists them as keys and typed values."""
    if is_mapping(attributes):
        return attributes
    pairs = listed(attributes)
    return {str(get(pair, "key")): _value(get(pair, "value")) for pair in pairs} if pairs or attributes == [] else None


def _value(value: object) -> object:
    """What a typed value of OTLP holds."""
    for name in ("arrayValue", "array_value"):
        if (array := get(value, name)) is not None:
            return [_value(inner) for inner in listed(get(array, "values"))]
    for name in ("kvlistValue", "kvlist_value"):
        if (pairs := get(value, name)) is not None:
            return held_in(listed(get(pairs, "values")))
    whole = first(value, *_WHOLE)
    if isinstance(whole, str) and whole.removeprefix("-").isdecimal() and len(whole) < 30:
        return int(whole)
    return first(value, *_VALUES) if whole is None else whole

"""From the entries of a run to events."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from trajmatch.reading import (
    Answered,
    Called,
    Event,
    Noted,
    Said,
    call_id,
    field,
    get,
    listed,
)
from trajmatch_adapters.histories.gemini._parts import OUTPUT, asks, content_of, is_answer, read_parts
from trajmatch_adapters.histories.gemini._thread import Entry

__all__ = ["said"]

_UNMARKED = "only an error in a result says that a function failed; any other result counts as succeeded"
_SUCCEEDED = ("function", "succeeded")
_ASKED = "what ADK asks its user for, an approval say, is no call of the model"


def said(entries: Sequence[Entry]) -> Iterator[Event]:
    """Give the events of entries; of several results of one call, the last."""
    earlier, unmarked = _answered_again(entries), False
    for place, entry in enumerate(entries):
        parts = [part for n, part in enumerate(entry.parts) if (place, n) not in earlier and not asks(part)]
        if asked := [*filter(asks, entry.parts)]:
            yield Noted(_ASKED, [event for event in read_parts(entry.place, asked) if isinstance(event, Called)])
        if (not parts and entry.parts) or (place and _repeats(entries[place - 1], entry)):
            continue
        for event in _entry(entry, parts):
            unmarked = unmarked or (isinstance(event, Answered) and (event.kind, event.status) == _SUCCEEDED)
            yield event
    if unmarked:
        yield Noted(_UNMARKED)


def _repeats(before: Entry, entry: Entry) -> bool:
    """Whether ADK wrote this text itself, for the structured output that a call before it returned."""
    if not entry.event or entry.role == "user" or not all(isinstance(get(part, "text"), str) for part in entry.parts):
        return False
    results = [field(part, "function_response") for part in before.parts]
    return any(get(result, "name") == OUTPUT and not get(get(result, "response"), "error") for result in results)


def _entry(entry: Entry, parts: Sequence[object]) -> Iterator[Event]:
    content, answers = content_of(parts), [*map(is_answer, parts)]
    inner = read_parts(entry.place, parts, event=entry.event)
    if entry.role == "user":
        yield from inner
        if content is not None or not any(answers):
            yield Said("user", content, feedback=any(answers) and not _is_text(content))
    elif answers and all(answers):
        yield from inner
    else:
        yield Said(entry.role, content)
        yield from _searched(entry)
        yield from inner


def _is_text(content: object) -> bool:
    texts = [content] if isinstance(content, str) else [get(part, "text") for part in listed(content)]
    return any(isinstance(text, str) and text.strip() for text in texts)


def _searched(entry: Entry) -> Iterator[Called | Answered]:
    """What Google's own tools did, where no part of the content says so."""
    if any(field(part, "tool_call") is not None for part in entry.parts):
        return
    for call in entry.searched:
        yield call
        yield Answered(None, None, call.name, kind="native")


def _answered_again(entries: Sequence[Entry]) -> Collection[tuple[int, int]]:
    """The places of results that a later result of the same call takes the place of: it finds no open call."""
    open: dict[str, int] = {}
    last: dict[str, tuple[int, int]] = {}
    earlier: set[tuple[int, int]] = set()
    for place, entry in enumerate(entries):
        for n, part in enumerate(entry.parts):
            if made := call_id(field(part, "function_call"), "id"):
                open[made] = open.get(made, 0) + 1
            if id := call_id(field(part, "function_response"), "id"):
                if not open.get(id) and id in last:
                    earlier.add(last[id])
                open[id] = max(open.get(id, 0) - 1, 0)
                last[id] = place, n
    return earlier

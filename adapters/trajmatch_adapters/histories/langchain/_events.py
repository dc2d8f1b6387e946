"""From one message to its events."""

from __future__ import annotations

from collections.abc import Iterator

from trajmatch.reading import (
    Answered,
    Event,
    Noted,
    Said,
    call_id,
    get,
    is_result_block,
    read_user,
)
from trajmatch_adapters.histories.langchain._calls import blocks_of, calls_of
from trajmatch_adapters.histories.langchain._forms import Fields, View
from trajmatch_adapters.histories.langchain._texts import judged

__all__ = ["events_of"]


def events_of(view: View) -> Iterator[Event]:
    """Give what a message says, calls and answers."""
    fields, content = view.fields, view.fields.get("content")
    if view.role == "tool":
        yield _answer(fields, content)
    elif view.role == "user" and any(map(is_result_block, blocks := blocks_of(content))):
        yield from read_user(view.at, blocks, feedback=_notified(fields))
    else:
        yield Said(view.role, content, feedback=view.role == "user" and _notified(fields))
        yield from calls_of(view.at, fields)


def _notified(fields: Fields) -> bool:
    """Whether the framework added this message."""
    return isinstance(get(fields.get("additional_kwargs"), "lc_source"), str)


def _answer(fields: Fields, content: object) -> Event:
    id = call_id(fields, "tool_call_id") or call_id(fields.get("additional_kwargs"), "tool_call_id")
    if not id and get(content, "type") == "function" and get(content, "function"):
        return Noted("a message is the definition of a tool")
    failed = fields.get("status") == "error" or fields.get("error") is not None
    return judged(Answered(content, id, fields.get("name"), "failed" if failed else "succeeded"))

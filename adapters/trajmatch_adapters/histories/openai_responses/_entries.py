"""From what holds items to the items: responses, runs of the Agents SDK and their states, wrapped items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, get_args

from trajmatch import OptionError
from trajmatch.reading import did_you_mean, first, get, is_mapping, listed, messages_in, unreadable
from trajmatch_adapters.histories.openai_responses._items import type_of
from trajmatch_adapters.histories.openai_responses._recognise import (
    RECORDS,
    is_response,
    is_run,
    is_state,
    is_wrapped,
)
from trajmatch_adapters.histories.openai_responses._stream import unstreamed

__all__ = ["Entry", "Messages", "checked", "entries_in"]

Messages = Literal["new", "all"]
"""Which messages of a run: those since its last prompt, or those before it in its input, too."""


class Entry(NamedTuple):
    """An item of a history.

    Attributes:
        place: The index of the item in the history, or of what holds it.
        item: The item; `None` where a response begins.
        response: The response that it is known to be part of; elsewhere the order of items tells.
        waits: It is a call that waits for an approval, and stands elsewhere, too.
        denied: The ids of calls that a reviewer refused.
    """

    place: int
    item: object
    response: str | None = None
    waits: bool = False
    denied: frozenset[str] = frozenset()


def checked(messages: Messages) -> Messages:
    """Give the option back.

    Raises:
        OptionError: It has a wrong value.
    """
    if messages in get_args(Messages):
        return messages
    raise OptionError(
        f"messages must be 'new' or 'all', got {messages!r}{did_you_mean(messages, get_args(Messages))}",
        option="messages",
        value=messages,
    )


def entries_in(history: object, messages: Messages) -> list[Entry]:
    """Give all items of a history, in order.

    Raises:
        ConversionError: A run, or the state of one, beside others; a run that still streams.
    """
    given = messages_in(history)
    for index, item in enumerate(given):
        if len(given) > 1 and (is_run(item) or is_state(item)):
            raise unreadable(index, item, "a run beside others; match each on its own")
    return [entry for index, item in unstreamed(given) for entry in _entries(index, item, messages)]


def _entries(index: int, item: object, messages: Messages) -> Iterable[Entry]:
    if is_run(item):
        return _of_run(index, item, messages)
    if is_state(item):
        return _of_state(index, item, messages)
    if is_response(item):
        return _of_response(index, item)
    return _of_item(index, item)


def _of_item(index: int, item: object) -> Iterator[Entry]:
    if is_wrapped(item):
        yield Entry(index, first(item, "raw_item", "payload"), waits=type_of(item) == "tool_approval_item")
    elif type_of(item) == "compacted":
        yield Entry(index, {"type": "compaction"})
    elif type_of(item) not in RECORDS:
        yield Entry(index, item)


def _of_response(index: int, response: object) -> Iterator[Entry]:
    yield from (Entry(index, item) for item in _prompt(get(response, "input"), "all"))
    key = f"response {index}"
    yield from (Entry(index, item, key) for item in (None, *listed(get(response, "output"))))


def _of_run(index: int, run: object, messages: Messages) -> Iterator[Entry]:
    if get(run, "is_complete") is False:
        raise unreadable(index, run, "a run that still streams; read its events to the end first")
    yield from (Entry(index, item) for item in _prompt(get(run, "input"), messages))
    for item in listed(get(run, "new_items")):
        yield from _of_item(index, item)


def _of_state(index: int, state: object, messages: Messages) -> Iterator[Entry]:
    stored = state if is_mapping(state) else get(state, "to_json")()
    if not is_mapping(stored):
        raise unreadable(index, state, "to_json() gives no state")
    denied = frozenset(_denied(get(stored, "context")))
    yield from (Entry(index, item) for item in _prompt(get(stored, "original_input"), messages))
    for item in listed(get(stored, "session_items")) or listed(get(stored, "generated_items")):
        yield from (entry._replace(denied=denied) for entry in _of_item(index, item))


def _denied(context: object) -> Iterator[str]:
    """The ids of the calls that a reviewer refused."""
    approvals = get(context, "approvals")
    records = [*approvals.values()] if is_mapping(approvals) else []
    records += [get(given, "decision") for given in listed(get(context, "function_tool_approvals"))]
    for record in records:
        yield from (id for id in listed(get(record, "rejected")) if isinstance(id, str))


def _prompt(given: object, messages: Messages) -> list[object]:
    """The input of a run: all of it, or what follows the last item that is no prompt."""
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    items = [*listed(given)]
    if messages == "all":
        return items
    last = max((at for at, item in enumerate(items) if not _is_prompt(item)), default=-1)
    return items[last + 1 :]


def _is_prompt(item: object) -> bool:
    return get(item, "role") in ("user", "system", "developer") and type_of(item) in ("", "message")

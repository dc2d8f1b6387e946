"""Which items are one response of the model, and what is known of calls from elsewhere in the history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from trajmatch.reading import Kind, call_id, get
from trajmatch_adapters.histories.openai_responses._entries import Entry
from trajmatch_adapters.histories.openai_responses._items import CALLS, OUTPUTS, kind_of, type_of

__all__ = ["Known", "known_of", "responses_of"]

_REQUEST, _VERDICT = "mcp_approval_request", "mcp_approval_response"


class Known(NamedTuple):
    """What other items say of a call.

    Attributes:
        kinds: Who executes a call, by its id.
        ids: The ids that join calls and outputs, by the ids of the items of calls.
        answered: The calls that an output answers.
        carried_out: The requests for approval that a call followed.
        verdicts: The items that answer a request for approval, by its id.
    """

    kinds: Mapping[str, Kind]
    ids: Mapping[str, str]
    answered: frozenset[str]
    carried_out: frozenset[str]
    verdicts: Mapping[str, object]


def known_of(entries: Sequence[Entry]) -> Known:
    """Look through a history."""
    kinds: dict[str, Kind] = {}
    ids: dict[str, str] = {}
    answered: set[str] = set()
    carried_out: set[str] = set()
    verdicts: dict[str, object] = {}
    for item in (entry.item for entry in entries if not entry.waits):
        kind, id, request = type_of(item), call_id(item, "call_id", "id"), call_id(item, "approval_request_id")
        if kind in CALLS and id:
            kinds[id] = kind_of(item)
            ids[call_id(item, "id") or id] = id
        elif kind == _REQUEST and id:
            kinds[id] = "native"
        elif kind in OUTPUTS and id:
            answered.add(id)
        if kind == _VERDICT and request:
            verdicts[request] = item
        elif request:
            carried_out.add(request)
    return Known(kinds, ids, frozenset(answered), frozenset(carried_out), verdicts)


def responses_of(entries: Sequence[Entry], known: Known) -> Iterator[str | None]:
    """Give, for each item, the response that it is part of; `None` for what the model did not write.

    What the application says ends a response: a message, the output of a call that it made, a verdict. So does the next
    message of an assistant that has no type, as people write them.
    """
    current, count, full = None, 0, False
    for entry in entries:
        if entry.response:
            current = None
            yield entry.response
        elif _is_input(entry.item, known):
            current = None
            yield None
        elif not _is_output(entry.item):
            yield None
        else:
            if current is None or (full and not type_of(entry.item)):
                current, count, full = f"response {count} by order", count + 1, False
            full = full or type_of(entry.item) != "reasoning"
            yield current


def _is_input(item: object, known: Known) -> bool:
    kind = type_of(item)
    if kind in OUTPUTS:
        return known.kinds.get(call_id(item, "call_id") or "", kind_of(item)) != "native"
    return kind == _VERDICT or (kind in ("", "message") and get(item, "role") != "assistant")


def _is_output(item: object) -> bool:
    """Whether the model wrote this: a call, reasoning, a message, a request for approval."""
    kind = type_of(item)
    return kind in CALLS or kind in ("", "message", "reasoning", _REQUEST) or kind.endswith("_call")

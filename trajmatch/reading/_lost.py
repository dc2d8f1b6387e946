"""Nothing is lost without a word: what looks like a call in a history, and which of it a run does not hold.

An adapter reads what it knows. What is written in other words leaves no trace in the run, so that each message is
looked through once more, by the shape of what it holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from trajmatch._access import unreadable
from trajmatch._model import Row
from trajmatch.reading._events import Called
from trajmatch.reading._shape import Written, written_in

__all__ = ["Held", "refuse_lost"]

_NO_ARGUMENTS = "{}"


class Held:
    """The calls of a run, to be found again."""

    __slots__ = ("_by_arguments", "_by_id", "_calls", "_names")

    def __init__(self, calls: Sequence[Row | Called]) -> None:
        self._calls = calls
        self._names = {call[0] for call in calls}
        self._by_id: dict[tuple[str | None, str], object] = {(call[2], call[0]): call[1] for call in calls}
        if len(self._by_id) < len(calls):
            self._by_id |= {(call[2], call[0]): call[1] for call in calls if call[1]}
        self._by_arguments: set[tuple[str, str | None]] | None = None

    def has(self, call: Written) -> bool:
        """Say whether a call is there with its arguments: under its id, or else one of the tool that has them."""
        key = call.fields.get("id"), call.name
        if type(key[0]) is str and self._by_id.get(key):
            return True
        ids = call.ids
        for id in ids:
            if (id, call.name) in self._by_id:
                return bool(self._by_id[id, call.name]) or _text(call.arguments) in (None, _NO_ARGUMENTS)
        if (None, call.name) not in self._by_id and (ids or call.name not in self._names):
            return False
        if self._by_arguments is None:
            self._by_arguments = {(call[0], _text(call[1])) for call in self._calls}
        text = _text(call.arguments)
        return text is None or (call.name, text) in self._by_arguments


def _text(arguments: object) -> str | None:
    """Arguments as one text, be they an object or text already; `None` for what a model did not finish."""
    try:
        return json.dumps((json.loads(arguments) if isinstance(arguments, str) else arguments) or {}, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return None


def refuse_lost(items: Iterable[object], calls: Sequence[Row | Called]) -> None:
    """Refuse a message in which something looks like a call, and is not in the run.

    Raises:
        ConversionError: There is one, with the index of the message and the key.
    """
    held: Held | None = None
    for index, item in enumerate(items):
        if found := written_in(item):
            held = held or Held(calls)
            for call in found:
                if not held.has(call):
                    raise unreadable(index, item, _told(call, found, held))


def _told(lost: Written, found: Sequence[Written], held: Held) -> str:
    if held.has(lost._replace(arguments=None)):
        return f"the arguments of {lost.name!r} under {lost.key!r} stand under a key that is not read, {lost.under!r}"
    others = sorted({call.key for call in found if call.key != lost.key})
    beside = f", beside other calls under {others[0]!r}" if others else ""
    return f"calls under the key {lost.key!r}, {lost.name!r} say, are not read{beside}"

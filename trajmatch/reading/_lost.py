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
from trajmatch.reading._search import written_in
from trajmatch.reading._shape import Written

__all__ = ["Held", "refuse_lost"]

_NO_ARGUMENTS = "{}"
_ANY = ""
"""In place of an id: that of any call."""


class Held:
    """The calls of a run, to be found again."""

    __slots__ = ("_by_id", "_calls", "_names", "_texts")

    def __init__(self, calls: Sequence[Row | Called]) -> None:
        self._calls = calls
        self._names = {call[0] for call in calls}
        self._by_id: dict[tuple[str | None, str], object] = {(call[2], call[0]): call[1] for call in calls}
        self._texts: set[tuple[str | None, str, str | None]] | None = None

    def has(self, call: Written) -> bool:
        """Say whether a call is there with its arguments: under its id, or else one of the tool that has them."""
        fields, arguments = call.fields, call.arguments
        if arguments is not None:
            key = fields.get("call_id") or fields.get("id"), call.name
            if type(key[0]) is str and self._by_id.get(key) is arguments:
                return True
        ids = call.ids
        for id in ids:
            if (id, call.name) in self._by_id:
                return self._has(id, call)
        if (None, call.name) not in self._by_id and (ids or call.name not in self._names):
            return False
        return self._has(_ANY, call)

    def _has(self, id: str, call: Written) -> bool:
        """Whether a call of this id has these arguments; what a model did not finish is that of any."""
        text = _text(call.arguments)
        if text is None:
            return not id or bool(self._by_id[id, call.name])
        if text == _NO_ARGUMENTS and (id or call.arguments == ""):
            return True
        if self._texts is None:
            self._texts = {(id, one[0], _text(one[1])) for one in self._calls for id in (one[2], _ANY)}
        return not {(id, call.name, text), (id, call.name, None)}.isdisjoint(self._texts)

    def has_others(self, call: Written) -> bool:
        """Say whether arguments that are not those of a call stand elsewhere under its id."""
        return any(self._by_id.get((id, call.name)) for id in call.ids)


def _text(arguments: object) -> str | None:
    """Arguments as one text, be they an object or text already; `None` for what a model did not finish."""
    try:
        given = json.loads(arguments) if arguments and isinstance(arguments, str) else arguments
        text = json.dumps(given or {}, sort_keys=True)
        return json.dumps(json.loads(text, parse_float=_number)) if "." in text or "e+" in text else text
    except (TypeError, ValueError, RecursionError):
        return None


def _number(text: str) -> float:
    """A number, the same for 1.0 as for 1."""
    number = float(text)
    return int(number) if number.is_integer() else number


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
    where = f"under {lost.key!r} " if lost.key else ""
    if held.has(lost._replace(arguments=None)):
        if held.has_others(lost):
            return f"the arguments of {lost.name!r} {where}are not those that stand elsewhere under its id"
        return f"the arguments of {lost.name!r} {where}stand under a key that is not read, {lost.under!r}"
    if not lost.key:
        return f"the call of {lost.name!r} is not read"
    others = sorted({call.key for call in found if call.key != lost.key})
    beside = f", beside other calls under {others[0]!r}" if others else ""
    return f"calls under the key {lost.key!r}, {lost.name!r} say, are not read{beside}"

"""The calls of a run that a result may still answer."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterator

from trajmatch._columns import Row
from trajmatch.reading._events import Answered

__all__ = ["OpenCalls"]


class _Line:
    """Calls that wait, the oldest first; those of one tool can be found among them."""

    __slots__ = ("_by_name", "_names")

    def __init__(self) -> None:
        self._names: OrderedDict[int, str] = OrderedDict()
        self._by_name: dict[str, OrderedDict[int, None]] = {}

    def add(self, position: int, name: str) -> None:
        """Add a call at the end."""
        self._names[position] = name
        self._by_name.setdefault(name, OrderedDict())[position] = None

    def remove(self, position: int) -> None:
        """Take a call out."""
        del self._by_name[self._names.pop(position)][position]

    def first(self, name: str | None = None) -> int | None:
        """Give the oldest call, or the oldest of a tool; `None` where there is none."""
        return next(iter(self._names if name is None else self._by_name.get(name, ())), None)

    def __iter__(self) -> Iterator[int]:
        return iter(self._names)


class OpenCalls:
    """Calls by their positions, until a result takes one, or a later message uses its id again.

    Native calls and results keep to themselves. Whatever the results are, each looks at a few calls only.
    """

    __slots__ = ("_by_id", "_calls", "_lines", "_without_id")

    def __init__(self) -> None:
        self._calls: dict[int, Row] = {}
        self._by_id: dict[tuple[bool, str], int | _Line | None] = {}  # mostly one call has an id
        self._lines: dict[Hashable, _Line] | None = None  # made when a result has to look for its call
        self._without_id = 0

    def add(self, position: int, call: Row) -> None:
        """Open a call; those of an earlier message with its id are closed by it."""
        _, _, id, kind, _ = call
        if id:
            key = kind == "native", id
            before = self._by_id.get(key)
            self._by_id[key] = position if before is None else self._behind(before, position, call)
        else:
            self._without_id += 1
        self._calls[position] = call
        if self._lines is not None:
            self._enter(self._lines, position, call)

    def _behind(self, before: int | _Line, position: int, call: Row) -> int | _Line:
        """The open calls of one id with one more."""
        if isinstance(before, _Line):
            line = before
        else:
            line = _Line()
            line.add(before, self._calls[before][0])
        first = line.first()
        if first is not None and self._calls[first][4] != call[4]:
            for closed in [*line]:
                self._close(closed)
            return position
        line.add(position, call[0])
        return line

    def knows(self, native: bool, id: str) -> bool:
        """Say whether some call had this id, be it open or not."""
        return (native, id) in self._by_id

    def take_by_id(self, answered: Answered) -> int | None:
        """Take the oldest call with the id of a result: one of the tool that the result names, or else of any."""
        waiting = self._by_id.get((answered.kind == "native", answered.id or ""))
        if not isinstance(waiting, _Line):
            return self._close(waiting)
        named = None if answered.name is None else waiting.first(answered.name)
        return self._close(waiting.first() if named is None else named)

    def take_by_place(self, answered: Answered, place: int) -> int | None:
        """Take the oldest call that a result may answer, where one of the two has no id.

        Where the result names no tool, calls of the message at `place` come first.
        """
        if answered.id and not self._without_id:
            return None
        if self._lines is None:
            self._lines = {}
            for position, call in self._calls.items():
                self._enter(self._lines, position, call)
        native = answered.kind == "native"
        found = None if answered.name else self._oldest(answered, native, place)
        return self._close(self._oldest(answered, native) if found is None else found)

    def _oldest(self, answered: Answered, *key: Hashable) -> int | None:
        """The oldest call of a line that a result may answer: with an id of its own, only one without."""
        lines = [(self._lines or {}).get((has_id, *key)) for has_id in ((False,) if answered.id else (False, True))]
        firsts = [line.first(answered.name or None) for line in lines if line]
        return min((first for first in firsts if first is not None), default=None)

    def _enter(self, lines: dict[Hashable, _Line], position: int, call: Row) -> None:
        for key in _keys(call):
            lines.setdefault(key, _Line()).add(position, call[0])

    def _close(self, position: int | None) -> int | None:
        """Take a call out, and give its position."""
        if position is None:
            return None
        call = self._calls.pop(position)
        _, _, id, kind, _ = call
        if id:
            waiting = self._by_id[kind == "native", id]
            if isinstance(waiting, _Line):
                waiting.remove(position)
            else:
                self._by_id[kind == "native", id] = None
        else:
            self._without_id -= 1
        if self._lines is not None:
            for key in _keys(call):
                self._lines[key].remove(position)
        return position


def _keys(call: Row) -> tuple[Hashable, Hashable]:
    """The lines that a call stands in: of all calls with or without an id, and of those of its message."""
    _, _, id, kind, place = call
    return (bool(id), kind == "native"), (bool(id), kind == "native", place)

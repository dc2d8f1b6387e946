"""The calls of a run that a result may still answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from trajmatch._columns import Row
from trajmatch.reading._events import Answered

__all__ = ["OpenCalls"]


class OpenCalls:
    """Calls by their positions, until a result takes one, or a later message uses its id again.

    Native calls and results keep to themselves.
    """

    __slots__ = ("_by_id", "_calls", "_without_id")

    def __init__(self) -> None:
        self._calls: dict[int, Row] = {}
        self._by_id: dict[tuple[bool, str], list[int]] = {}
        self._without_id = 0

    def add(self, position: int, call: Row) -> None:
        """Open a call; those of an earlier message with its id are closed by it."""
        _, _, id, kind, place = call
        self._calls[position] = call
        if not id:
            self._without_id += 1
            return
        queue = self._by_id.setdefault((kind == "native", id), [])
        if queue and self._calls[queue[0]][4] != place:
            for closed in queue:
                del self._calls[closed]
            queue.clear()
        queue.append(position)

    def knows(self, native: bool, id: str) -> bool:
        """Say whether some call had this id, be it open or not."""
        return (native, id) in self._by_id

    def take_by_id(self, answered: Answered) -> int | None:
        """Take the oldest call with the id of a result: one of the tool that the result names, or else of any."""
        queue = self._by_id.get((answered.kind == "native", answered.id or ""))
        if not queue:
            return None
        fits = (n for n, position in enumerate(queue) if self._calls[position][0] == answered.name)
        position = queue.pop(next(fits, 0) if len(queue) > 1 else 0)
        del self._calls[position]
        return position

    def take_by_place(self, answered: Answered, place: int) -> int | None:
        """Take the oldest call that a result may answer, where one of the two has no id.

        Where the result names no tool, calls of the message at `place` come first.
        """
        if answered.id and not self._without_id:
            return None
        first = () if answered.name else self._of_message(place)
        position = next((p for p in chain(first, self._calls) if _may_answer(answered, self._calls[p])), None)
        if position is None:
            return None
        _, _, id, kind, _ = self._calls.pop(position)
        if id:
            self._by_id[kind == "native", id].remove(position)
        else:
            self._without_id -= 1
        return position

    def _of_message(self, place: int) -> Iterator[int]:
        """The calls of the last message that made some, if that is the message at `place`."""
        positions: list[int] = []
        for position in reversed(self._calls):
            if self._calls[position][4] != place:
                break
            positions.append(position)
        return reversed(positions)


def _may_answer(answered: Answered, call: Row) -> bool:
    name, _, id, kind, _ = call
    return (
        (kind == "native") == (answered.kind == "native")
        and not (answered.id and id)
        and (not answered.name or answered.name == name)
    )

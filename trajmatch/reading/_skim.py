"""The quick way from a history in which nothing is odd to a trajectory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from operator import gt
from typing import Any

from trajmatch._arguments import encoded_twice
from trajmatch._columns import Columns, Joined, Row, Spoken
from trajmatch._model import Given, Status
from trajmatch._trajectory import Trajectory
from trajmatch.reading._build import TWICE, Run

__all__ = ["Skimmed"]

_NO: Any = ((), (), (), (), ())
_NAMES = frozenset({str})
_IDS = frozenset({str, type(None)})
_GIVEN = frozenset({str, dict})


class Skimmed:
    """A history that an adapter reads at once, without events: four lists to append to, in order.

    Results are joined to calls when somebody asks for a call, a message or a note, since most matches are settled by
    names and arguments alone.

    Attributes:
        said: Role and content of each message; `None` for a result.
        called: Each call of a function: its tool, its arguments as an object or as text, its id, `function`, and the
            place of its message in `said`.
        answered: Each result: its place in `said`, the result, the id, the status and the tool that it names.
        notes: What the format could not say.
    """

    __slots__ = ("answered", "called", "notes", "said")

    def __init__(self) -> None:
        self.said: list[tuple[str, object] | None] = []
        self.called: list[Row] = []
        self.answered: list[tuple[int, object, str | None, Status, str | None]] = []
        self.notes: list[str] = []

    def trajectory(self) -> Trajectory | None:
        """Give what was read; `None` where a name, an id or arguments are not what they should be."""
        answered = [id for _, _, id, _, _ in self.answered]
        columns = Columns(self.called, self._joined, outputs=False, answered=answered)
        names, ids = columns.names, columns.ids
        wrong = (
            ("" in names or not _NAMES.issuperset(map(type, names)))
            or ("" in ids or not _IDS.issuperset(map(type, ids)))
            or not _IDS.issuperset(map(type, answered))
            or not columns.kinds <= _GIVEN
        )
        return None if wrong else Trajectory.deferred(columns)

    def _joined(self, columns: Columns) -> Joined:
        return self._joined_by_id(columns) or self._joined_by_run()

    def _joined_by_id(self, columns: Columns) -> Joined | None:
        """The quick way, where each call has an id of its own, and each result that of a call before it."""
        ids, places, count = columns.ids, columns.places, len(columns)
        after, results, given_ids, statuses, _ = zip(*self.answered, strict=True) if self.answered else _NO
        if None in ids or len({*ids}) < count:
            return None
        found: Sequence[int] = range(count)
        if ids != given_ids:
            positions = dict(zip(ids, found, strict=True))
            if len({*given_ids}) < len(given_ids) or not positions.keys() >= {*given_ids}:
                return None
            found = [positions[id] for id in given_ids]
            places = [places[position] for position in found]
            none = None, "pending" if found else None
            answers = dict(zip(found, zip(results, statuses, strict=True), strict=True))
            results, statuses = zip(*[answers.get(position, none) for position in range(count)], strict=True)
        if any(map(gt, places, after)):
            return None
        return Joined(results, statuses, partial(self._all_notes, columns.given), partial(self._all_spoken, found))

    def _all_notes(self, given: Iterable[Given]) -> tuple[str, ...]:
        """The notes, with the one that `Run` writes of arguments."""
        texts = (text for text in given if isinstance(text, str) and text[:1] != "{")
        return (*([TWICE] if any(map(encoded_twice, texts)) else []), *self.notes)

    def _all_spoken(self, found: Iterable[int]) -> list[Spoken]:
        """The messages, in which the results know their calls."""
        results = zip(found, self.answered, strict=True)
        spoken: list[Spoken] = []
        for said in self.said:
            if said:
                spoken.append((*said, False, None, None))
            else:
                position, (_, result, *_) = next(results)
                spoken.append(("tool", result, False, position, None))
        return spoken

    def _joined_by_run(self) -> Joined:
        """The complete way."""
        run, batches, answered = Run(), dict[int, list[Row]](), iter(self.answered)
        for row in self.called:
            batches.setdefault(row[-1], []).append(row)
        for place, said in enumerate(self.said):
            if said:
                run.say(*said)
            else:
                _, result, id, status, name = next(answered)
                run.answer(result, id, name, status)
            for called, given, id, kind, _ in batches.get(place, ()):
                run.call(called, given, id, kind)
        for note in self.notes:
            run.note(note)
        return run.joined()

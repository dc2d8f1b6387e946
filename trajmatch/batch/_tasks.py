"""The tasks of two lots of rows: which rows are of one task, and the counts of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from trajmatch._nearest import choose
from trajmatch._shown import shown
from trajmatch.batch._result_row import ResultRow
from trajmatch.batch._tally import UNITS, Tally, score_units, signed
from trajmatch.errors import OptionError

__all__ = ["By", "Runs", "Side", "Task", "Tasks"]

By = Literal["group", "id", "line"]
"""What the rows of one task share: their group, their id, or their place in the file."""

Side = Literal["BASE", "NEW"]


class Runs(NamedTuple):
    """The runs of a task on one side."""

    runs: int = 0
    passed: int = 0
    units: int = 0
    signatures: tuple[str, ...] = ()

    @property
    def mean_score(self) -> float:
        """The mean score of at least one run."""
        return self.units / (UNITS * self.runs)

    def and_run(self, row: ResultRow) -> Runs:
        """Give these runs and one more."""
        return _and_run(self, row.error is None and row.passed is True, score_units(row), row.signature)


@lru_cache(maxsize=1 << 14)
def _and_run(runs: Runs, passed: bool, units: int, signature: str | None) -> Runs:
    """What most tasks come to is held once for all of them."""
    return Runs(runs.runs + 1, runs.passed + passed, runs.units + units, signed(runs.signatures, signature))


_UNSEEN = Runs()


@dataclass(slots=True)
class Task:
    """A task on both sides; a side without a run has not seen it."""

    base: Runs = _UNSEEN
    new: Runs = _UNSEEN

    @property
    def is_even(self) -> bool:
        """Whether both sides have as many runs; where one has more, its rates take more values, and no test is fair."""
        return self.base.runs == self.new.runs


class Tasks:
    """The tasks of two lots of rows, of which a few numbers are kept each.

    Args:
        by: What the rows of one task share. By default the first row that says something says it: its group, or else
            its id, or else its line; then all rows have to be like it. A row with an error says its group alone, since
            it may be of a record in which that could not be read.

    Attributes:
        by: What the rows of one task share, once that is known.
        found: The tasks by their names.
        whole: The counts of each side.
        unnamed: How many rows of each side have an error and no name of a task.
    """

    def __init__(self, by: By | None = None) -> None:
        if by is not None and by not in get_args(By):
            raise OptionError(f"by: {shown(by)} is none; there are {choose(get_args(By))}", option="by", value=by)
        self.by: By | None = by
        self.found: dict[str, Task] = {}
        self.whole: dict[Side, Tally] = {"BASE": Tally(), "NEW": Tally()}
        self.unnamed: dict[Side, int] = {"BASE": 0, "NEW": 0}
        self._waiting: list[tuple[Side, ResultRow]] = []
        self._first: str | None = None

    def take(self, side: Side, rows: Iterable[ResultRow]) -> None:
        """Count the rows of a side.

        Raises:
            OptionError: A row that says no task, or another way than the others; an id or a line that is there twice.
        """
        for row in rows:
            self.whole[side].count(row)
            if self.by is None:
                self._choose(side, row)
            if self.by is None:
                self._waiting.append((side, ResultRow(line=row.line, id=row.id, error=row.error)))
            else:
                self._put(side, row, self.by)

    def close(self) -> By:
        """Give what the rows of one task share; where all have errors, it is the id, or the line where none has one."""
        if self.by is None:
            self._decide("line" if all(row.id is None for _, row in self._waiting) else "id")
        return self.by or "line"

    def _choose(self, side: Side, row: ResultRow) -> None:
        if row.error is None or row.group is not None:
            self._first = f"line {row.line} of {side}"
            self._decide(_said(row))

    def _decide(self, by: By) -> None:
        self.by = by
        for side, row in self._waiting:
            self._put(side, row, by)
        self._waiting.clear()

    def _put(self, side: Side, row: ResultRow, by: By) -> None:
        name = row.line if by == "line" else getattr(row, by)
        if name is None and row.error is None:
            raise _without(side, row, by)
        if name is None:
            self.unnamed[side] += 1
        elif self._first is not None and _said(row) != by:
            raise _unlike(side, row, by, self._first)
        else:
            self._count(side, row, str(name), by)

    def _count(self, side: Side, row: ResultRow, name: str, by: By) -> None:
        if (task := self.found.get(name)) is None:
            task = self.found[name] = Task()
        before = task.base if side == "BASE" else task.new
        if before.runs and by != "group":
            raise _twice(side, row, by)
        if side == "BASE":
            task.base = before.and_run(row)
        else:
            task.new = before.and_run(row)


def _said(row: ResultRow) -> By:
    """What a row says of its task."""
    if row.group is not None:
        return "group"
    return "line" if row.id is None else "id"


def _without(side: Side, row: ResultRow, by: By) -> OptionError:
    told = f"by: line {row.line} of {side} was scored and has no {by}"
    if by == "line":
        return OptionError(f"{told}; read the rows from a file, or give the runs an id", option="by", value=by)
    other = "line" if row.id is None else "id"
    return OptionError(f'{told}; score every run with one, or compare by="{other}"', option="by", value=by)


def _unlike(side: Side, row: ResultRow, by: By, first: str) -> OptionError:
    said = _said(row)
    text = f"by: line {row.line} of {side} names its task by its {said}, and {first} by its {by}"
    return OptionError(f'{text}; choose one, like by="{by}"', option="by")


def _twice(side: Side, row: ResultRow, by: By) -> OptionError:
    if by == "line":
        return OptionError(f"by: line {row.line} stands in {side} twice; give the runs an id", option="by", value=by)
    text = f"by: the id {shown(row.id)} stands in {side} twice, the second time on line {row.line}"
    fix = 'compare by="group"' if row.group is not None else 'score the runs of one task with a group: group="id"'
    return OptionError(f"{text}; {fix}", option="by", value=by)

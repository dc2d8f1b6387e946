"""What changed from one lot of rows to another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from trajmatch.batch._change_lines import change_lines
from trajmatch.batch._tables import WIDTH, Line, text_of_lines
from trajmatch.batch._tally import Tally
from trajmatch.batch._tasks import By

__all__ = ["Change", "Comparison", "Shift", "TaskChange", "UnevenTask"]

Change = Literal["worse", "same", "better"]
"""What became of a task from BASE to NEW."""


class Shift(NamedTuple):
    """How many tasks got better and worse, and how likely that is by chance.

    Attributes:
        better: How many tasks got better.
        worse: How many got worse.
        same: How many did not change.
        p_value: How likely a split as uneven, in either direction, is where each changed task is as likely to get
            better as worse: the two-sided exact binomial test.
    """

    better: int
    worse: int
    same: int
    p_value: float

    def is_regression(self, alpha: float) -> bool:
        """Say whether more got worse than better, and that is hardly chance."""
        return self.worse > self.better and self.p_value < alpha


class TaskChange(NamedTuple):
    """A task that changed.

    Attributes:
        task: Its group, its id or its line.
        verdict: What became of its pass rate.
        score: What became of its mean score.
        base_pass_rate: The pass rate in BASE: 0.0 or 1.0 where it has one run.
        new_pass_rate: The pass rate in NEW.
        base_score: The mean score in BASE.
        new_score: The mean score in NEW.
    """

    task: str
    verdict: Change
    score: Change
    base_pass_rate: float
    new_pass_rate: float
    base_score: float
    new_score: float

    @property
    def gain(self) -> tuple[float, float]:
        """By how much its pass rate and its mean score rose."""
        return self.new_pass_rate - self.base_pass_rate, self.new_score - self.base_score

    @property
    def change(self) -> Change:
        """What became of it: of its pass rate, or of its score where that stayed."""
        return self.score if self.verdict == "same" else self.verdict


class UnevenTask(NamedTuple):
    """A task with more runs on one side than on the other.

    Attributes:
        task: Its group.
        base_runs: How many runs it has in BASE.
        new_runs: How many in NEW.
    """

    task: str
    base_runs: int
    new_runs: int

    @property
    def lost(self) -> bool:
        """Whether NEW has fewer runs."""
        return self.new_runs < self.base_runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What changed from BASE to NEW.

    Attributes:
        by: What the runs of a task share: `"group"`, `"id"` or `"line"`.
        alpha: Below which p value a change is no chance.
        base: The counts of all rows of BASE.
        new: The counts of all rows of NEW.
        verdicts: How many tasks have a higher or lower pass rate; with one run a task, its p value is that of the
            exact McNemar test.
        scores: How many tasks have a higher or lower mean score; its p value is that of the sign test.
        changed: The tasks that changed: those that lost most first.
        uneven: The tasks with another number of runs in NEW than in BASE, which are left out of both tests.
        missing: The tasks that are in BASE alone.
        added: The tasks that are in NEW alone.
        unnamed: How many rows of BASE and of NEW have an error and no name of a task, as lines have that are no JSON.
        reasons: Why this is a regression; empty where it is none.
    """

    by: By
    alpha: float
    base: Tally
    new: Tally
    verdicts: Shift
    scores: Shift
    changed: tuple[TaskChange, ...]
    uneven: tuple[UnevenTask, ...]
    missing: tuple[str, ...]
    added: tuple[str, ...]
    unnamed: tuple[int, int]
    reasons: tuple[str, ...]

    @property
    def regression(self) -> bool:
        """Whether NEW is worse than BASE."""
        return bool(self.reasons)

    @property
    def tasks(self) -> int:
        """How many tasks are compared: those with as many runs on both sides."""
        return self.verdicts.better + self.verdicts.worse + self.verdicts.same

    def lines(self, width: int = WIDTH) -> list[Line]:
        """Give what changed in lines of at most so many columns, at least 40, in pieces that can be coloured."""
        return change_lines(self, width)

    def render(self, width: int = WIDTH) -> str:
        """Give these lines as one text."""
        return text_of_lines(self.lines(width))

    def to_dict(self) -> dict[str, Any]:
        """Give it in the types of JSON."""
        return {
            "by": self.by,
            "alpha": self.alpha,
            "regression": self.regression,
            "reasons": [*self.reasons],
            "tasks": self.tasks,
            "base": _side_form(self.base),
            "new": _side_form(self.new),
            "verdicts": self.verdicts._asdict(),
            "scores": self.scores._asdict(),
            "changed": [change._asdict() for change in self.changed],
            "uneven": [task._asdict() for task in self.uneven],
            "missing": [*self.missing],
            "added": [*self.added],
            "unnamed": {"base": self.unnamed[0], "new": self.unnamed[1]},
        }


def _side_form(tally: Tally) -> dict[str, Any]:
    form = {"runs": tally.runs, "passed": tally.passed, "pass_rate": tally.pass_rate, "mean_score": tally.mean_score}
    return form | {"errors": dict(tally.errors), "signatures": [*tally.signatures]}

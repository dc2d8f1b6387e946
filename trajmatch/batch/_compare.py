"""Two lots of rows of the same tasks: which tasks got better or worse, and whether that may be chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

from trajmatch._shown import shown
from trajmatch._text import first_few
from trajmatch.batch._changes import Change, Comparison, Shift, TaskChange, UnevenTask
from trajmatch.batch._result_row import ResultRow
from trajmatch.batch._tables import counted
from trajmatch.batch._tally import UNITS
from trajmatch.batch._tasks import By, Task, Tasks
from trajmatch.errors import OptionError

__all__ = ["compare_results"]

_CHANGES: tuple[Change, ...] = ("same", "better", "worse")
"""By the sign of what NEW has more than BASE: 0, 1 and -1."""
_ALIKE = 10**9
"""Mean scores that differ by less than one part of so many are the same: they are of floats."""


def compare_results(
    base_rows: Iterable[ResultRow],
    new_rows: Iterable[ResultRow],
    *,
    by: By | None = None,
    alpha: float = 0.05,
    allow_missing_tasks: bool = False,
    allow_other_signatures: bool = False,
) -> Comparison:
    """Say which tasks got better or worse from one lot of rows to another, and whether that is more than chance.

    A task is what runs share, on both sides. Its pass rates and its mean scores are compared; a run with an error has
    not passed, with a score of 0.0. A task with another number of runs on either side is left out. It needs scipy,
    `pip install 'trajmatch[stats]'`. Of each task a few numbers are held.

    It is a regression where more tasks got worse than better, by pass rate or by mean score, with a p value below
    `alpha`; and where tasks of BASE are not in NEW, or have fewer runs there, or NEW has more errors of which no task
    is known.

    Args:
        base_rows: The rows that are compared with.
        new_rows: The rows that may be better or worse.
        by: What the runs of a task share: `"group"`, `"id"` or `"line"`. By default the rows say it: groups, where
            they have groups, or else ids, or else lines.
        alpha: Below which p value a change is no chance.
        allow_missing_tasks: Whether NEW may lack tasks of BASE, and runs of them.
        allow_other_signatures: Whether the scores of a task may depend on other options on either side.

    Raises:
        OptionError: scipy is not installed; an option that is none; rows that do not say their tasks, or an id twice;
            no task with as many runs on both sides; other signatures; a score that is not from 0 to 1.

    >>> from trajmatch.batch import compare_results, match_many
    >>> old = [*match_many([("lamp", [call("search")], ["search"]), ("shoe", [], ["book"])])]
    >>> new = [*match_many([("lamp", [], ["search"]), ("shoe", [], ["book"])])]
    >>> comparison = compare_results(old, new)
    >>> comparison.verdicts.worse, comparison.verdicts.p_value, comparison.regression
    (1, 1.0, False)
    """
    binomial_test = _binomial_test()
    if not isinstance(alpha, float) or not 0 < alpha < 1:
        text = f"alpha: a number between 0 and 1, like 0.05, got {shown(alpha)}"
        raise OptionError(text, option="alpha", value=alpha)
    tasks = Tasks(by)
    tasks.take("BASE", base_rows)
    tasks.take("NEW", new_rows)
    found_by = tasks.close()
    if not allow_other_signatures:
        _refuse_other_signatures(tasks, found_by)
    return _comparison(tasks, found_by, alpha, allow_missing_tasks, binomial_test)


def _comparison(
    tasks: Tasks, by: By, alpha: float, allow_missing: bool, binomial_test: Callable[[int, int], float]
) -> Comparison:
    names = sorted(tasks.found, key=(lambda name: (len(name), name)) if by == "line" else str)
    missing = tuple(name for name in names if not tasks.found[name].new.runs)
    added = tuple(name for name in names if not tasks.found[name].base.runs)
    uneven = tuple(_uneven(tasks, names))
    compared = len(names) - len(missing) - len(added) - len(uneven)
    if not compared:
        raise _nothing_to_compare(by, missing, added, uneven)
    changes = [change for name in names if (change := _task_change(name, tasks.found[name]))]
    verdicts = _shift([change.verdict for change in changes], compared, binomial_test)
    scores = _shift([change.score for change in changes], compared, binomial_test)
    unnamed = tasks.unnamed["BASE"], tasks.unnamed["NEW"]
    lost = () if allow_missing else _lost(missing, uneven, unnamed)
    return Comparison(
        by=by,
        alpha=alpha,
        base=tasks.whole["BASE"],
        new=tasks.whole["NEW"],
        verdicts=verdicts,
        scores=scores,
        changed=tuple(sorted(changes, key=lambda change: change.gain)),  # those of equal gain stay in order
        uneven=uneven,
        missing=missing,
        added=added,
        unnamed=unnamed,
        reasons=(*_worse("verdict", verdicts, alpha), *_worse("score", scores, alpha), *lost),
    )


def _uneven(tasks: Tasks, names: Iterable[str]) -> Iterator[UnevenTask]:
    for name in names:
        task = tasks.found[name]
        if task.base.runs and task.new.runs and not task.is_even:
            yield UnevenTask(name, task.base.runs, task.new.runs)


def _nothing_to_compare(
    by: By, missing: Sequence[str], added: Sequence[str], uneven: Sequence[UnevenTask]
) -> OptionError:
    text = f"there is no task in both of BASE and NEW, by {by}: {_some(missing)} against {_some(added)}"
    if uneven:
        runs = ", ".join(first_few([f"{shown(name, 60)} {base} → {new}" for name, base, new in uneven], 3))
        text = f"no task has as many runs in NEW as in BASE: {runs}; run each task as often on both sides"
    return OptionError(text, option="by", value=by)


def _binomial_test() -> Callable[[int, int], float]:
    """Give what says how likely a split in two is, where both are as likely; it needs scipy.

    Raises:
        OptionError: It is not installed.
    """
    try:
        binomtest: Any = import_module("scipy.stats").binomtest
    except ModuleNotFoundError as error:
        text = "what changed is tested with scipy, which is not installed: pip install 'trajmatch[stats]'"
        raise OptionError(text, option="scipy") from error
    return lambda one, other: float(binomtest(one, one + other).pvalue) if one + other else 1.0


def _refuse_other_signatures(tasks: Tasks, by: By) -> None:
    """Refuse to compare scores that depend on other options; an error has none, so that a side may lack some."""
    for name, task in tasks.found.items():
        base, new = set(task.base.signatures), set(task.new.signatures)
        if not base <= new and not new <= base:
            told = f"{by} {shown(name)}: {_some(sorted(base - new))} in BASE and {_some(sorted(new - base))} in NEW"
            text = f"{told}: these scores are not comparable; score both with the same options"
            raise OptionError(text, option="allow_other_signatures")


def _task_change(name: str, task: Task) -> TaskChange | None:
    """What changed of a task; `None` where nothing did, or one side has more runs."""
    base, new = task.base, task.new
    if not task.is_even:
        return None
    rate, score = new.passed - base.passed, new.units - base.units
    if abs(score) * _ALIKE <= UNITS * base.runs:
        score = 0
    if rate == score == 0:
        return None
    rates, scores = (base.passed / base.runs, new.passed / new.runs), (base.mean_score, new.mean_score)
    return TaskChange(name, _CHANGES[_sign(rate)], _CHANGES[_sign(score)], *rates, *scores)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _shift(changes: list[Change], tasks: int, binomial_test: Callable[[int, int], float]) -> Shift:
    counts = Counter(changes)
    better, worse = counts["better"], counts["worse"]
    return Shift(better, worse, tasks - better - worse, binomial_test(worse, better))


def _worse(noun: str, shift: Shift, alpha: float) -> list[str]:
    if not shift.is_regression(alpha):
        return []
    return [f"{shift.worse} {noun}s got worse and {shift.better} better, p {shift.p_value:.2g} < {alpha:g}"]


def _lost(missing: Sequence[str], uneven: Sequence[UnevenTask], unnamed: tuple[int, int]) -> list[str]:
    reasons = [f"{counted(len(missing), 'task')} of BASE not in NEW"] if missing else []
    if fewer := sum(task.lost for task in uneven):
        reasons.append(f"{counted(fewer, 'task')} with fewer runs in NEW")
    if unnamed[1] > unnamed[0]:
        reasons.append(f"{counted(unnamed[1], 'error')} of no known task in NEW, {unnamed[0]} in BASE")
    return reasons


def _some(names: Sequence[str]) -> str:
    return ", ".join(first_few([shown(name, 60) for name in names], 3)) or "none"

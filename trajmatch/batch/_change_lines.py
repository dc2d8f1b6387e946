"""What a comparison looks like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from trajmatch.batch._tables import (
    NARROWEST,
    Line,
    cell,
    counted,
    paragraph,
    rate,
    table,
    table_lines,
    table_with_remarks,
)

if TYPE_CHECKING:
    from trajmatch.batch._changes import Change, Comparison, Shift, TaskChange, UnevenTask

__all__ = ["change_lines"]

_MOST = 20
"""So many tasks are listed of each kind."""


def change_lines(comparison: Comparison, width: int) -> list[Line]:
    """Give the lines of a comparison, the verdict first."""
    width = max(width, NARROWEST)
    return [
        *_head(comparison, width),
        *_sums(comparison, width),
        *_changed(comparison, "worse", width),
        *_changed(comparison, "better", width),
        *_uneven(comparison.uneven, width),
        *_alone("only in BASE", comparison.missing, "missing", width),
        *_alone("only in NEW", comparison.added, "extra", width),
    ]


def _head(comparison: Comparison, width: int) -> list[Line]:
    left_out = f", {len(comparison.uneven):,} left out" if comparison.uneven else ""
    told = f"{counted(comparison.tasks, 'task')} by {comparison.by}{left_out}"
    if not comparison.reasons:
        return paragraph(f"compare: PASS; {told}", width, "head passed")
    return paragraph(f"compare: FAIL; {told}; {'; '.join(comparison.reasons)}", width, "head failed")


def _sums(comparison: Comparison, width: int) -> Iterator[Line]:
    base, new = comparison.base, comparison.new
    verdict_test = "sign test" if comparison.by == "group" else "exact McNemar test"
    rows = [
        ("", "BASE", "NEW", ""),
        ("runs", f"{base.runs:,}", f"{new.runs:,}", ""),
        ("errors", f"{base.errors.total():,}", f"{new.errors.total():,}", ""),
        ("of no known task", *(f"{errors:,}" for errors in comparison.unnamed), ""),
        ("pass rate", rate(base.pass_rate), rate(new.pass_rate), _told(comparison.verdicts, verdict_test)),
        ("mean score", rate(base.mean_score), rate(new.mean_score), _told(comparison.scores, "sign test")),
    ]
    if not any(comparison.unnamed):
        del rows[3]
    cells, remarks = [row[:3] for row in rows], [row[3:] for row in rows]
    yield from table_lines(table_with_remarks(cells, "<>>", remarks, width, least=width))


def _told(shift: Shift, test: str) -> str:
    return f"{shift.worse:,} worse, {shift.better:,} better, {shift.same:,} same; p {shift.p_value:.2g}, {test}"


def _changed(comparison: Comparison, change: Change, width: int) -> Iterator[Line]:
    found = [task for task in comparison.changed if task.change == change]
    found.sort(key=lambda task: task.gain, reverse=change == "better")
    if found:
        yield []
        yield [(f"{counted(len(found), 'task')} {change}", change)]
        rows = [("task", "pass rate", "mean score"), *map(_row, found[:_MOST])]
        yield from table_lines([line] for line in table(rows, "<>>", width))
        yield from _more(len(found))


def _row(task: TaskChange) -> tuple[str, str, str]:
    return (
        cell(task.task),
        f"{rate(task.base_pass_rate)} → {rate(task.new_pass_rate)}",
        f"{rate(task.base_score)} → {rate(task.new_score)}",
    )


def _uneven(tasks: Sequence[UnevenTask], width: int) -> Iterator[Line]:
    if tasks:
        have = "task has" if len(tasks) == 1 else "tasks have"
        are = "is" if len(tasks) == 1 else "are"
        yield []
        told = f"{len(tasks):,} {have} another number of runs, and {are} left out of the tests"
        yield from paragraph(told, width, "note")
        rows = [("task", "runs"), *((cell(name), f"{base:,} → {new:,}") for name, base, new in tasks[:_MOST])]
        yield from table_lines([line] for line in table(rows, "<>", width))
        yield from _more(len(tasks))


def _alone(where: str, tasks: Sequence[str], style: str, width: int) -> Iterator[Line]:
    if tasks:
        yield []
        yield [(f"{counted(len(tasks), 'task')} {where}", style)]
        yield from ([(line, "")] for line in table([(cell(task),) for task in tasks[:_MOST]], "<", width))
        yield from _more(len(tasks))


def _more(tasks: int) -> Iterator[Line]:
    if tasks > _MOST:
        yield [(f"  and {tasks - _MOST:,} more", "quiet")]

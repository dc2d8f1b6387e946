"""What a summary looks like."""

from __future__ import annotations

from collections.abc import Iterator
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
    from trajmatch.batch._summary import Summary
    from trajmatch.batch._tally import GroupTally

__all__ = ["summary_lines"]

_DIFFERENCES = 10
"""So many differences are listed."""
_REMARK = 20
"""To so many columns the names and the differences of groups may be cut."""


def summary_lines(summary: Summary, width: int, groups: int) -> list[Line]:
    """Give the lines of a summary, with so many of its groups."""
    width = max(width, NARROWEST)
    return [
        *_head(summary, width),
        *_rates(summary, width),
        *_notes(summary, width),
        *_errors(summary, width),
        *_differences(summary, width),
        *_groups(summary, width, groups),
    ]


def _head(summary: Summary, width: int) -> list[Line]:
    errors = summary.errors.total()
    told = f"{counted(summary.runs, 'run')}, {summary.passed:,} passed, {counted(errors, 'error')}"
    return paragraph(told, width, "head failed" if errors else "turn")


def _rates(summary: Summary, width: int) -> Iterator[Line]:
    low, high = summary.wilson()
    rows = [
        ("pass rate", rate(summary.pass_rate), f"95 % Wilson interval {low:.3f} to {high:.3f}"),
        ("mean score", rate(summary.mean_score), ""),
        *_pass_hats(summary),
    ]
    cells, remarks = [row[:2] for row in rows], [row[2:] for row in rows]
    for lines in table_with_remarks(cells, "<>", remarks, width, least=width):
        yield from ([(line, "")] for line in lines)


def _pass_hats(summary: Summary) -> Iterator[tuple[str, str, str]]:
    for found in summary.pass_hats():
        left_out = f", {found.left_out:,} with fewer runs left out" if found.left_out else ""
        yield f"pass^{found.k}", rate(found.rate), f"{counted(found.groups, 'group')}{left_out}"


def _notes(summary: Summary, width: int) -> Iterator[Line]:
    ungrouped = summary.runs - sum(group.runs for group in summary.groups.values())
    if summary.groups and ungrouped:
        yield from paragraph(f"note: {counted(ungrouped, 'run')} without a group", width, "note")
    if len(summary.signatures) > 1:
        told = "; ".join(map(cell, summary.signatures[:3])) + ("; …" if len(summary.signatures) > 3 else "")
        text = f"note: {len(summary.signatures)} signatures, whose scores are not comparable: {told}"
        yield from paragraph(text, width, "note")


def _errors(summary: Summary, width: int) -> Iterator[Line]:
    if not summary.errors:
        return
    yield []
    rows = [("errors", "", "the first")]
    for error, count in summary.errors.most_common():
        line, _, reason = summary.error_examples[error][0]
        rows.append((cell(error), f"{count:,}", cell(reason if line is None else f"line {line:,}: {reason}")))
    yield from table_lines([line] for line in table(rows, "<><", width))


def _differences(summary: Summary, width: int) -> Iterator[Line]:
    if not summary.differences:
        return
    yield []
    found = summary.differences.most_common(_DIFFERENCES)
    rows = [("differences", "runs"), *((cell(difference), f"{count:,}") for difference, count in found)]
    yield from table_lines([line] for line in table(rows, "<>", width))
    if len(summary.differences) > _DIFFERENCES:
        yield [(f"  and {len(summary.differences) - _DIFFERENCES:,} more", "quiet")]


def _groups(summary: Summary, width: int, groups: int) -> Iterator[Line]:
    found = summary.worst(groups)
    if not found:
        return
    yield []
    yield [(_groups_title(len(found), len(summary.groups)), "turn")]
    rows = [("group", "runs", "pass rate", "mean score")]
    rows += [(cell(name), f"{group.runs:,}", rate(group.pass_rate), rate(group.mean_score)) for name, group in found]
    remarks = [("most frequent", "where runs part"), *(_remarks(group) for _, group in found)]
    lines = table_with_remarks(rows, "<>>>", remarks, width, least=_REMARK)
    yield from table_lines(lines if len(lines[0]) == 1 else [lines[0][:1], *lines[1:]])


def _groups_title(listed: int, groups: int) -> str:
    return counted(groups, "group") if listed == groups else f"{groups:,} groups, the worst {listed:,}"


def _remarks(group: GroupTally) -> tuple[str, str]:
    """What differs most often, or the most frequent error where nothing differs; and where the runs part."""
    most = group.differences.most_common(1) or group.errors.most_common(1)
    return "; ".join(f"{cell(text)} ({count:,})" for text, count in most), cell(group.divergence)

"""The picture: expected and actual side by side, as text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import inf
from typing import NamedTuple

from trajmatch._explain import closest, difference_texts, headline, moved_text, notes
from trajmatch._messages import MessageAlignment, Unit
from trajmatch._model import ToolCall
from trajmatch._outcome import Outcome
from trajmatch._text import call_text, fit, pad, shorten, value_text
from trajmatch._trajectory import Trajectory
from trajmatch._views import Views

__all__ = ["render"]

WIDTH = 100
"""Columns of the whole picture."""
_CALL = 36
"""Columns that a call may take."""
_FOLD = 4
"""Equal stretches longer than this are folded."""


class _Row(NamedTuple):
    sign: str
    expected: str
    actual: str
    remarks: list[str]


def render(outcome: Outcome, seen: Views) -> str:
    """Give the picture: the verdict, the two sides row by row, the notes, and for a failure what comes closest."""
    rows = [*_message_rows(outcome, seen)] if outcome.settings.mode.by_message else [*_call_rows(outcome, seen)]
    lines = [headline(outcome, seen), *_table(rows), *(f"note: {note}" for note in notes(outcome))]
    return "\n".join(lines if outcome.passed else [*lines, closest(outcome, seen)])


def _call_rows(outcome: Outcome, seen: Views) -> Iterator[_Row]:
    alignment = outcome.alignment
    signs = [("=", alignment.pairs), (">", seen.moved), ("~", seen.near)]
    placed = {j: (sign, i) for sign, pairs in signs for i, j in pairs}
    keyed = [((float(j), 1, 0), _expected_row(outcome, j, *placed.get(j, ("-", None)))) for j in range(len(alignment.expected))]
    for i in seen.extra:
        call = alignment.actual[i]
        row = _Row("+", "", _numbered(call), [_joined("extra", _fate(call[1]))])
        keyed.append(((_next_expected(outcome, i), 0, i), row))
    return (row for _, row in sorted(keyed, key=lambda item: item[0]))


def _next_expected(outcome: Outcome, i: int) -> float:
    """The expected call before which an extra one is shown: that of the next pair, where pairs keep the order."""
    if not outcome.settings.mode.ordered:
        return inf
    return next((j for other, j in outcome.alignment.pairs if other > i), inf)


def _expected_row(outcome: Outcome, j: int, sign: str, i: int | None) -> _Row:
    expected = outcome.alignment.expected[j]
    if i is None:
        return _Row(sign, _numbered(expected), "", ["missing"])
    actual = outcome.alignment.actual[i]
    remarks = [moved_text(actual[0], expected[0])] if sign == ">" else []
    if sign == "~":
        remarks = difference_texts(outcome, i, j, 5)
    return _Row(sign, _numbered(expected), _numbered(actual), [*remarks, *_fate(actual[1])])


def _numbered(call: tuple[int, ToolCall]) -> str:
    return f"[{call[0]}] {call_text(call[1])}"


def _fate(call: ToolCall) -> list[str]:
    """What became of a call, where that is worth a word."""
    return [] if call.status in (None, "succeeded") else [call.status]


def _joined(word: str, more: list[str]) -> str:
    return ", ".join([word, *more])


def _message_rows(outcome: Outcome, seen: Views) -> Iterator[_Row]:
    alignment = outcome.alignment
    if not isinstance(alignment, MessageAlignment):
        return
    twin = {j: i for i, j in alignment.unit_pairs}
    shown = 0
    for j, unit in enumerate(alignment.expected_units):
        theirs = _unit_text(outcome.expected, unit)
        if (i := twin.get(j)) is None:
            yield _Row("-", theirs, "", ["missing", *_differing(outcome, seen, unit)])
            continue
        yield from _extra_rows(outcome, alignment.actual_units[shown:i])
        yield _Row("=", theirs, _unit_text(outcome.actual, alignment.actual_units[i]), [])
        shown = i + 1
    yield from _extra_rows(outcome, alignment.actual_units[shown:])


def _extra_rows(outcome: Outcome, units: list[Unit]) -> Iterator[_Row]:
    for unit in units:
        yield _Row("+", "", _unit_text(outcome.actual, unit), ["extra"])


def _differing(outcome: Outcome, seen: Views, unit: Unit) -> list[str]:
    """The near misses of the calls in an expected message."""
    return [
        f"{outcome.alignment.expected[j][1].name}: {text}"
        for i, j in seen.near
        if j in unit.calls
        for text in difference_texts(outcome, i, j)
    ]


def _unit_text(trajectory: Trajectory, unit: Unit) -> str:
    message = (trajectory.messages or ())[unit.index]
    said = [call_text(call) for call in message.tool_calls]
    if not said and isinstance(message.content, str) and message.content:
        said = [value_text(message.content)]
    return f"({unit.index}) {message.role} {', '.join(said)}".rstrip()


def _table(rows: list[_Row]) -> Iterator[str]:
    if not rows:
        return
    left = fit(["expected", *(row.expected for row in rows)], _CALL)
    right = fit(["actual", *(row.actual for row in rows)], _CALL)
    yield f"    {pad('expected', left)}  actual"
    for plain, group in groupby(rows, key=lambda row: row.sign == "=" and not row.remarks):
        stretch = [*group]
        if plain and len(stretch) > _FOLD:
            yield from _lines(stretch[0], left, right)
            yield f"    ... {len(stretch) - 2} more pairs"
            yield from _lines(stretch[-1], left, right)
        else:
            yield from (line for row in stretch for line in _lines(row, left, right))


def _lines(row: _Row, left: int, right: int) -> Iterator[str]:
    expected, actual = pad(shorten(row.expected, left), left), pad(shorten(row.actual, right), right)
    line = f"  {row.sign} {expected}  {actual}"
    remark = "; ".join(row.remarks)
    if len(remark) <= WIDTH - left - right - 8:
        yield f"{line}  {remark}".rstrip()
        return
    yield line.rstrip()
    yield from (f"        {shorten(text, WIDTH - 8)}" for text in row.remarks)

"""The picture: expected and actual side by side, as text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import inf
from textwrap import wrap
from typing import NamedTuple

from trajmatch._alignment import Pairs
from trajmatch._closest import closest
from trajmatch._explain import choice_text, difference_texts, headline, message_text, moved_text, remark
from trajmatch._messages import MessageAlignment, Unit
from trajmatch._model import ToolCall
from trajmatch._notes import notes
from trajmatch._outcome import Outcome
from trajmatch._text import call_text, fit, name_text, pad, shorten
from trajmatch._views import Views

__all__ = ["render"]

WIDTH = 100
"""Columns of the whole picture."""
_CALL = 36
"""Columns that a call may take."""
_FOLD = {"=": 4, "~": 10, ">": 10, "-": 10, "+": 10, "!": 10}
"""Stretches of one sign that are longer than this are folded."""
_WORDS = {"=": "pairs", "~": "near misses", ">": "moved", "-": "missing", "+": "extra", "!": "forbidden"}


class _Row(NamedTuple):
    sign: str
    expected: str
    actual: str
    remarks: list[str]


def render(outcome: Outcome, seen: Views) -> str:
    """Give the picture: the verdict, the two sides row by row, the notes, and for a failure what comes closest."""
    if isinstance(outcome.alignment, MessageAlignment):
        rows = [*_message_rows(outcome, outcome.alignment, seen)]
    else:
        rows = [*_call_rows(outcome, seen)]
    below = [f"note: {note}" for note in notes(outcome)]
    if not outcome.passed:
        below.append(closest(outcome, seen))
    above = [headline(outcome, seen), *choice_text(outcome), *remark(outcome, seen)]
    return "\n".join([*_wrapped(above), *_table(rows), *_wrapped(below)])


def _wrapped(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield from wrap(line, WIDTH, subsequent_indent="    ")


def _call_rows(outcome: Outcome, seen: Views) -> Iterator[_Row]:
    alignment = outcome.alignment
    signs = [("=", alignment.pairs), (">", seen.moved), ("~", seen.near)]
    placed = {j: (sign, i) for sign, pairs in signs for i, j in pairs}
    keyed = [
        ((float(j), 1, 0), _expected_row(outcome, seen, j, *placed.get(j, ("-", None))))
        for j in range(len(alignment.expected))
    ]
    for sign, word, i in [*(("+", "extra", i) for i in seen.extra), *(("!", "forbidden", i) for i in seen.forbidden)]:
        call = alignment.actual[i]
        row = _Row(sign, "", _numbered(call), [", ".join([word, *_fate(call[1])])])
        keyed.append(((_next_expected(outcome, seen.near, i), 0, i), row))
    return (row for _, row in sorted(keyed, key=lambda item: item[0]))


def _next_expected(outcome: Outcome, near: Pairs, i: int) -> float:
    """The expected call before which an extra one is shown: that of the next call, where pairs keep the order."""
    if not outcome.settings.mode.ordered:
        return inf
    return min(((other, float(j)) for other, j in [*outcome.alignment.pairs, *near] if other > i), default=(i, inf))[1]


def _expected_row(outcome: Outcome, seen: Views, j: int, sign: str, i: int | None) -> _Row:
    expected = outcome.alignment.expected[j]
    if i is None:
        return _Row(sign, _numbered(expected), "", ["missing"])
    actual = outcome.alignment.actual[i]
    remarks = [moved_text(seen.steps[j])] if sign == ">" else []
    if sign == "~":
        remarks = difference_texts(outcome, i, j, 5)
    fate = [f"actual: {word}" if remarks else word for word in _fate(actual[1])]
    return _Row(sign, _numbered(expected), _numbered(actual), [*remarks, *fate])


def _numbered(call: tuple[int, ToolCall]) -> str:
    return f"[{call[0]}] {call_text(call[1])}"


def _fate(call: ToolCall) -> list[str]:
    """What became of a call, where that is worth a word."""
    return [] if call.status in (None, "succeeded") else [call.status]


def _message_rows(outcome: Outcome, alignment: MessageAlignment, seen: Views) -> Iterator[_Row]:
    actual, expected = alignment.actual_units, alignment.expected_units
    i = j = 0
    for next_i, next_j in alignment.unit_pairs:
        yield from _gap_rows(outcome, seen, actual[i:next_i], expected[j:next_j])
        texts = message_text(outcome.expected, expected[next_j]), message_text(outcome.actual, actual[next_i])
        yield _Row("=", *texts, [])
        i, j = next_i + 1, next_j + 1
    yield from _gap_rows(outcome, seen, actual[i:], expected[j:])


def _gap_rows(outcome: Outcome, seen: Views, actual: list[Unit], expected: list[Unit]) -> Iterator[_Row]:
    """The messages between two pairs: those of one role are set side by side, as they come."""
    left = [*actual]
    for unit in expected:
        twin = next((other for other in left if other.role == unit.role), None)
        if twin is None:
            yield _Row("-", message_text(outcome.expected, unit), "", ["missing"])
            continue
        for other in left[: left.index(twin)]:
            yield _Row("+", "", message_text(outcome.actual, other), ["extra"])
        left = left[left.index(twin) + 1 :]
        texts = message_text(outcome.expected, unit), message_text(outcome.actual, twin)
        yield _Row("~", *texts, [*_differing(outcome, seen, twin, unit)])
    for other in left:
        yield _Row("+", "", message_text(outcome.actual, other), ["extra"])


def _differing(outcome: Outcome, seen: Views, actual: Unit, expected: Unit) -> Iterator[str]:
    """How the calls of two messages differ."""
    ours, theirs = outcome.alignment.actual, outcome.alignment.expected
    for i, j in seen.near:
        if i in actual.calls or j in expected.calls:
            texts = difference_texts(outcome, i, j)
            yield from (f"{name_text(theirs[j][1].name)}: {text}" for text in texts)
    for i, j in seen.moved:
        if i not in actual.calls and j in expected.calls:
            yield f"{name_text(theirs[j][1].name)} is in another message"
        if i in actual.calls and j not in expected.calls:
            yield f"{name_text(ours[i][1].name)} is expected in another message"
    yield from (f"missing {call_text(theirs[j][1])}" for j in seen.missing if j in expected.calls)
    yield from (f"extra {call_text(ours[i][1])}" for i in seen.extra if i in actual.calls)


def _table(rows: list[_Row]) -> Iterator[str]:
    if not rows:
        return
    left = fit(["expected", *(row.expected for row in rows)], _CALL)
    right = fit(["actual", *(row.actual for row in rows)], _CALL)
    yield f"    {pad('expected', left)}  actual"
    for (sign, _), group in groupby(rows, key=lambda row: (row.sign, row.sign == "=" and row.remarks != [])):
        stretch = [*group]
        first = len(stretch) if len(stretch) <= _FOLD[sign] else _FOLD[sign] // 4
        yield from (line for row in stretch[:first] for line in _lines(row, left, right))
        if first < len(stretch):
            yield f"    ... {len(stretch) - first - 1} more {_WORDS[sign]}"
            yield from _lines(stretch[-1], left, right)


def _lines(row: _Row, left: int, right: int) -> Iterator[str]:
    expected, actual = pad(shorten(row.expected, left), left), pad(shorten(row.actual, right), right)
    line = f"  {row.sign} {expected}  {actual}"
    remark = "; ".join(row.remarks)
    if len(remark) <= WIDTH - left - right - 8:
        yield f"{line}  {remark}".rstrip()
        return
    yield line.rstrip()
    yield from (f"        {shorten(text, WIDTH - 8)}" for text in row.remarks)

"""The picture: expected and actual side by side, as text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap
from typing import NamedTuple

from trajmatch._closest import closest
from trajmatch._columns import Calls
from trajmatch._explain import choice_text, difference_texts, headline, message_text, moved_text, remark, turns_text
from trajmatch._messages import MessageAlignment, Unit
from trajmatch._model import ToolCall
from trajmatch._notes import notes
from trajmatch._outcome import Outcome
from trajmatch._script import retry_of, script
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
    above = [headline(outcome, seen), *choice_text(outcome), *turns_text(outcome), *remark(outcome, seen)]
    return "\n".join([*_wrapped(above), *_table(rows), *_wrapped(below)])


def _wrapped(lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield from wrap(line, WIDTH, subsequent_indent="    ")


_SIGNS: dict[str, str] = {
    "pair": "=",
    "moved": ">",
    "near miss": "~",
    "missing": "-",
    "extra": "+",
    "retried": "+",
    "forbidden": "!",
}


def _call_rows(outcome: Outcome, seen: Views) -> Iterator[_Row]:
    actual, expected = outcome.alignment.actual, outcome.alignment.expected
    for kind, i, j in script(outcome, seen):
        remarks = [*_remarks(outcome, seen, kind, i, j)]
        left = "" if j is None else _numbered(expected[j])
        right = "" if i is None else _numbered(actual[i])
        yield _Row(_SIGNS[kind], left, right, remarks)


def _remarks(outcome: Outcome, seen: Views, kind: str, i: int | None, j: int | None) -> Iterator[str]:
    """What is said of a line: how its sides differ, and what became of the actual call."""
    if i is None or j is None:
        fate = [] if i is None else _fate(outcome.alignment.actual, i)
        yield ", ".join(["extra" if kind == "retried" else kind, *fate])
        if kind == "retried" and i is not None and (k := retry_of(outcome.alignment.actual, i)) is not None:
            yield f"the same as [{outcome.alignment.actual.positions[k]}], {'before' if k > i else 'after'} a failure"
        return
    told = ["in another turn" if outcome.turns else moved_text(seen.steps[j])] if kind == "moved" else []
    if kind == "near miss":
        told = difference_texts(outcome, i, j, 5)
    yield from told
    yield from (f"actual: {word}" if told else word for word in _fate(outcome.alignment.actual, i))


def _numbered(call: tuple[int, ToolCall]) -> str:
    return f"[{call[0]}] {call_text(call[1])}"


def _fate(actual: Calls, i: int) -> list[str]:
    """What became of a call, where that is worth a word."""
    _, call = actual[i]
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

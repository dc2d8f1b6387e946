"""What a match looks like: its picture, from the alignment and the views on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from trajmatch._closest import closest
from trajmatch._columns import Calls
from trajmatch._explain import (
    APART,
    choice_text,
    difference_texts,
    headline,
    message_text,
    moved_text,
    or_text,
    remark,
    turns_text,
)
from trajmatch._messages import MessageAlignment, Unit
from trajmatch._model import ToolCall
from trajmatch._notes import notes
from trajmatch._outcome import Outcome
from trajmatch._script import EditKind, retries, script
from trajmatch._text import call_text, name_text, shorten
from trajmatch._views import Views
from trajmatch.picture import Picture, Row

__all__ = ["draw"]

_LONGEST = 2_000
"""Columns that the text of a call may take."""


def draw(outcome: Outcome, seen: Views) -> Picture:
    """Give the picture: the verdict, the two sides row by row, the notes, and for a failure what comes closest."""
    if isinstance(outcome.alignment, MessageAlignment):
        rows = [*_message_rows(outcome, outcome.alignment, seen)]
    else:
        rows = [*_call_rows(outcome, seen)]
    below = [f"note: {note}" for note in notes(outcome)]
    if not outcome.passed:
        below.append(closest(outcome, seen))
    above = [headline(outcome, seen), *choice_text(outcome), *turns_text(outcome), *remark(outcome, seen)]
    return Picture(outcome.passed, tuple(above), tuple(rows), tuple(below))


def _call_rows(outcome: Outcome, seen: Views) -> Iterator[Row]:
    actual, expected = outcome.alignment.actual, outcome.alignment.expected
    again = retries(actual, seen.extra)
    for kind, i, j in script(outcome, seen):
        remarks = tuple(_remarks(outcome, seen, kind, i, j))
        if i in again:
            remarks += (_retry_text(actual, i, again[i]),)
        left = "" if j is None else _numbered(expected[j])
        right = "" if i is None else _numbered(actual[i])
        names = () if j is None else (expected[j][1].name,), () if i is None else (actual[i][1].name,)
        yield Row(kind, left, right, remarks, _tools(*names))


def _tools(*names: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(name_text, dict.fromkeys(chain(*names))))


def _remarks(outcome: Outcome, seen: Views, kind: str, i: int | None, j: int | None) -> Iterator[str]:
    """What is said of a line: how its sides differ, and what became of the actual call."""
    if i is None or j is None:
        fate = [] if i is None else _fate(outcome.alignment.actual, i)
        other = "" if j is None else or_text(outcome, j)
        yield ", ".join([("extra" if kind == "retried" else kind) + other, *fate])
        return
    told = [_moved(outcome, seen, j)] if kind == "moved" else []
    if kind == "near miss":
        told = difference_texts(outcome, i, j, 5)
    yield from told
    yield from (f"actual: {word}" if told else word for word in _fate(outcome.alignment.actual, i))


def _retry_text(actual: Calls, i: int, k: int) -> str:
    if k > i:
        return f"made again as [{actual.positions[k]}]"
    return f"the same as [{actual.positions[k]}] ({_fate(actual, k)[0]})"


def _moved(outcome: Outcome, seen: Views, j: int) -> str:
    if j in seen.apart:
        return APART
    return "in another turn" if outcome.turns else moved_text(seen.steps[j])


def _numbered(call: tuple[int, ToolCall]) -> str:
    return f"[{call[0]}] {shorten(call_text(call[1]), _LONGEST)}"


def _fate(actual: Calls, i: int) -> list[str]:
    """What became of a call, where that is worth a word."""
    _, call = actual[i]
    return [] if call.status in (None, "succeeded") else [call.status]


def _message_rows(outcome: Outcome, alignment: MessageAlignment, seen: Views) -> Iterator[Row]:
    actual, expected = alignment.actual_units, alignment.expected_units
    i = j = 0
    for next_i, next_j in alignment.unit_pairs:
        yield from _gap_rows(outcome, seen, actual[i:next_i], expected[j:next_j])
        yield _message_row(outcome, "pair", actual[next_i], expected[next_j], [])
        i, j = next_i + 1, next_j + 1
    yield from _gap_rows(outcome, seen, actual[i:], expected[j:])


def _gap_rows(outcome: Outcome, seen: Views, actual: list[Unit], expected: list[Unit]) -> Iterator[Row]:
    """The messages between two pairs: those of one role are set side by side, as they come."""
    left = [*actual]
    for unit in expected:
        twin = next((other for other in left if other.role == unit.role), None)
        if twin is None:
            yield _message_row(outcome, "missing", None, unit, ["missing"])
            continue
        for other in left[: left.index(twin)]:
            yield _message_row(outcome, "extra", other, None, ["extra"])
        left = left[left.index(twin) + 1 :]
        yield _message_row(outcome, "near miss", twin, unit, _differing(outcome, seen, twin, unit))
    for other in left:
        yield _message_row(outcome, "extra", other, None, ["extra"])


def _message_row(
    outcome: Outcome, kind: EditKind, actual: Unit | None, expected: Unit | None, remarks: Iterable[str]
) -> Row:
    left = "" if expected is None else message_text(outcome.expected, expected)
    right = "" if actual is None else message_text(outcome.actual, actual)
    names = _names(outcome.alignment.expected, expected), _names(outcome.alignment.actual, actual)
    return Row(kind, left, right, tuple(remarks), _tools(*names))


def _names(calls: Calls, unit: Unit | None) -> list[str]:
    return [] if unit is None else [calls.names[place] for place in unit.calls]


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

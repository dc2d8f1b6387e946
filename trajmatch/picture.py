"""The picture of a match: expected and actual side by side, as values of which text, colours and HTML are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from textwrap import wrap
from typing import Any, Literal, NamedTuple

from trajmatch._script import EditKind
from trajmatch._text import fit, opened, pad, shorten, shorten_around

__all__ = ["WIDTH", "Picture", "Row", "Span", "Stretch", "Style"]

WIDTH = 100
"""Columns of the whole picture, where nothing else is said."""
_NARROWEST = 50
_BESIDE = 80
"""Columns from which on there is room for remarks beside the calls, and not only below."""
_REMARK = 28
"""Columns that a remark, the sign and what stands between take at least."""

Style = Literal["", "head passed", "head failed", "remark", "note"] | EditKind
"""What a piece of a line is: the headline, the two sides of a row by its kind, a remark on it, a note below."""


class Row(NamedTuple):
    """One row: a call or a message on one side or both.

    Attributes:
        kind: What became of it.
        expected: The expected call, by its position; empty where there is none.
        actual: The actual call, by its position; empty where there is none.
        remarks: How the two differ, and what became of the actual call.
        tools: The names of the tools that are called in it.
    """

    kind: EditKind
    expected: str
    actual: str
    remarks: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()

    @property
    def sign(self) -> str:
        """The sign of its kind."""
        return _SIGNS[self.kind]


class Stretch(NamedTuple):
    """Rows of one sign that follow each other; of many, those between the first and the last are folded.

    Attributes:
        first: Those that are always seen.
        folded: Those that are seen when somebody asks for them.
        last: The last one, where there are folded ones.
        word: What the folded ones are called.
    """

    first: tuple[Row, ...]
    folded: tuple[Row, ...] = ()
    last: tuple[Row, ...] = ()
    word: str = ""


class Span(NamedTuple):
    """A piece of a line, and what it is."""

    text: str
    style: Style = ""


_SIGNS: dict[EditKind, str] = {
    "pair": "=",
    "moved": ">",
    "near miss": "~",
    "missing": "-",
    "extra": "+",
    "retried": "+",
    "forbidden": "!",
}
_FOLD = {"=": 4, "~": 10, ">": 10, "-": 10, "+": 10, "!": 10}
"""Stretches of one sign that are longer than this are folded."""
_WORDS = {"=": "pairs", "~": "near misses", ">": "moved", "-": "missing", "+": "extra", "!": "forbidden"}


@dataclass(frozen=True, slots=True)
class Picture:
    """What a person looks at to see how a run differs from what was expected.

    Nothing in it disturbs a terminal: control characters and marks of direction are escaped. It is not escaped for
    HTML.

    Attributes:
        passed: The verdict.
        above: What is said of the whole: the headline first.
        rows: The two sides, row by row, in the order of the expectation.
        below: Notes, and what comes closest to passing.
    """

    passed: bool
    above: tuple[str, ...]
    rows: tuple[Row, ...]
    below: tuple[str, ...]

    def stretches(self) -> list[Stretch]:
        """Give the rows in stretches, of which long ones are folded."""
        groups = groupby(self.rows, key=lambda row: (row.sign, row.kind == "pair" and row.remarks != ()))
        return [_stretch(sign, tuple(group)) for (sign, _), group in groups]

    def lines(self, width: int = WIDTH) -> list[tuple[Span, ...]]:
        """Give the lines of the picture for so many columns, at least 50, in pieces that can be coloured.

        >>> [head, *rows] = match([call("search")], ["book"]).picture.lines()
        >>> head
        (Span(text='exact: FAIL; 0 paired, 1 missing, 1 extra', style='head failed'),)
        """
        width = max(width, _NARROWEST)
        head: Style = "head passed" if self.passed else "head failed"
        above = [_wrapped(text, width, "note" if at else head) for at, text in enumerate(self.above)]
        below = [_wrapped(text, width, "note") for text in self.below]
        return [line for lines in (*above, _table(self, width), *below) for line in lines]

    def text(self, width: int = WIDTH) -> str:
        """Give the lines as one text."""
        return "\n".join("".join(span.text for span in line) for line in self.lines(width))

    def to_dict(self) -> dict[str, Any]:
        """Give the picture in the types of JSON."""
        return {
            "passed": self.passed,
            "above": [*self.above],
            "rows": [{name: _plain(value) for name, value in row._asdict().items() if value} for row in self.rows],
            "below": [*self.below],
        }

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> Picture:
        """Read what `to_dict` gave.

        Raises:
            KeyError: A part is missing.
        """
        rows = (
            Row(
                row["kind"],
                row.get("expected", ""),
                row.get("actual", ""),
                tuple(row.get("remarks", ())),
                tuple(row.get("tools", ())),
            )
            for row in form["rows"]
        )
        return cls(form["passed"], tuple(form["above"]), tuple(rows), tuple(form["below"]))


def _plain(value: str | tuple[str, ...]) -> object:
    return value if isinstance(value, str) else [*value]


def _wrapped(text: str, width: int, style: Style) -> Iterator[tuple[Span, ...]]:
    for line in wrap(text, width, subsequent_indent="    "):
        yield (Span(line, style),)


def _stretch(sign: str, rows: tuple[Row, ...]) -> Stretch:
    if len(rows) <= _FOLD[sign]:
        return Stretch(rows)
    first = _FOLD[sign] // 4
    return Stretch(rows[:first], rows[first:-1], rows[-1:], _WORDS[sign])


def _table(picture: Picture, width: int) -> Iterator[tuple[Span, ...]]:
    rows = picture.rows
    if not rows:
        return
    most = (width - _REMARK if width >= _BESIDE else width - 6) // 2
    left = fit(["expected", *(row.expected for row in rows)], most)
    right = fit(["actual", *(row.actual for row in rows)], most)
    yield (Span(f"    {pad('expected', left)}  actual"),)
    for stretch in picture.stretches():
        yield from (line for row in stretch.first for line in _lines(row, left, right, width))
        if stretch.folded:
            yield (Span(f"    ... {len(stretch.folded)} more {stretch.word}", "note"),)
        yield from (line for row in stretch.last for line in _lines(row, left, right, width))


def _lines(row: Row, left: int, right: int, width: int) -> Iterator[tuple[Span, ...]]:
    expected, actual = _sides(row, left, right)
    remark = "; ".join(row.remarks)
    beside = bool(remark) and len(remark) <= width - left - right - 8
    if actual or beside:
        expected = pad(expected, left)
    spans = [Span(f"  {row.sign} "), Span(expected), Span("  " if actual or beside else "")]
    spans += [Span(pad(actual, right) if beside else actual), Span(f"  {remark}" if beside else "", "remark")]
    yield tuple(span._replace(style=span.style or row.kind) for span in spans if span.text)
    if not beside:
        yield from ((Span(f"        {shorten(text, width - 8)}", "remark"),) for text in row.remarks)


def _sides(row: Row, left: int, right: int) -> tuple[str, str]:
    """The two sides, cut to their columns; those of a near miss so that the first difference stays in sight."""
    if row.kind != "near miss":
        return shorten(row.expected, left), shorten(row.actual, right)
    (expected, theirs), (actual, ours) = opened(row.expected), opened(row.actual)
    return (
        shorten(expected + shorten_around(theirs, ours, left - len(expected)), left),
        shorten(actual + shorten_around(ours, theirs, right - len(actual)), right),
    )

"""Lines and tables for a terminal, of at most so many columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from trajmatch._shown import printable
from trajmatch._text import columns, pad, shorten

__all__ = [
    "NARROWEST",
    "WIDTH",
    "Line",
    "cell",
    "counted",
    "paragraph",
    "rate",
    "table",
    "table_lines",
    "table_with_remarks",
    "text_of_lines",
]

Line = list[tuple[str, str]]
"""A line in pieces, each a text and the word for its style."""

WIDTH = 100
NARROWEST = 40
_CUT = 4
"""Columns of text are cut to no fewer columns than these."""
_LONG = 400
"""So many characters of a text are looked at."""


def cell(text: object) -> str:
    """Give text in one printable line."""
    return printable(" ".join(str(text)[:_LONG].split()))


def rate(number: float | None) -> str:
    """Give a rate or a score in three digits."""
    return "-" if number is None else f"{number:.3f}"


def counted(number: int, noun: str) -> str:
    """Give a number with its noun."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def paragraph(text: str, width: int, style: str = "") -> list[Line]:
    """Give text in as many lines as it needs."""
    return [[(line, style)] for line in wrap(text, width, subsequent_indent="    ")]


def table(rows: Sequence[Sequence[str]], signs: str, width: int) -> list[str]:
    """Give the rows of a table as lines; columns of text are cut where it is too wide.

    Args:
        rows: The cells, as many in each row.
        signs: Of each column, `<` for text and `>` for numbers, which are never cut.
        width: The columns of the terminal.
    """
    wide = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    _narrow(wide, signs, width - 2 * len(signs))
    return ["".join(f"  {text}" for text in map(_fit, row, wide, signs)).rstrip() for row in rows]


def table_with_remarks(
    rows: Sequence[Sequence[str]], signs: str, remarks: Sequence[Sequence[str]], width: int, least: int
) -> list[list[str]]:
    """Give the rows of a table, each with its remarks beside it, or in lines below where there is no room.

    Args:
        rows: The cells, as many in each row.
        signs: As `table` takes them.
        remarks: The remarks of each row, as many for each.
        width: The columns of the terminal.
        least: To how many columns text may be cut so that remarks stand beside their rows.
    """
    beside = signs + "<" * len(remarks[0])
    whole = [[*row, *more] for row, more in zip(rows, remarks, strict=True)]
    wide = [max(map(columns, column)) for column in zip(*whole, strict=True)]
    needed = [min(found, least) if sign == "<" else found for found, sign in zip(wide, beside, strict=True)]
    if sum(needed) + 2 * len(needed) <= width:
        return [[line] for line in table(whole, beside, width)]
    below = [[f"      {line}" for text in more for line in _below(text, width - 6)] for more in remarks]
    return [[line, *more] for line, more in zip(table(rows, signs, width), below, strict=True)]


def _below(text: str, width: int) -> list[str]:
    return wrap(text, width, max_lines=2, placeholder=" …")


def _narrow(wide: list[int], signs: str, room: int) -> None:
    """Cut the widest columns of text until all fit."""
    texts = [at for at, sign in enumerate(signs) if sign == "<"]
    while texts and sum(wide) > room:
        widest = max(texts, key=wide.__getitem__)
        if wide[widest] <= _CUT:
            return
        wide[widest] -= 1


def _fit(text: str, width: int, sign: str) -> str:
    return text.rjust(width) if sign == ">" else pad(shorten(text, width), width)


def table_lines(rows: Iterable[Sequence[str]]) -> Iterator[Line]:
    """Give the lines of a table, its head in quiet colours."""
    for at, lines in enumerate(rows):
        yield from ([(line, "" if at else "quiet")] for line in lines)


def text_of_lines(lines: Sequence[Line]) -> str:
    """Give lines as one text."""
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)

"""Text of a run for a terminal: nothing in it disturbs the reader, and it is cut by the columns that it takes."""

from __future__ import annotations

import json

from rich.cells import cell_len

__all__ = ["counted", "cut", "one_line", "pieces", "printable", "value_text"]

_KEPT = "\xa0\u2007\u2009\u200c\u200d\u202f\u3000"
"""Spaces and joiners of ordinary texts."""


def printable(text: str) -> str:
    """Escape control characters, marks of direction, lone surrogates and odd spaces."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in _KEPT else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode()


def one_line(text: str) -> str:
    """Give text in one line."""
    return printable(" ".join(text.split()))


def value_text(value: object) -> str:
    """Give a value as JSON; its type where it is nested too deep."""
    try:
        return printable(json.dumps(value, ensure_ascii=False, default=repr))
    except (RecursionError, ValueError):
        return f"<{type(value).__name__}>"


def cut(text: str, width: int) -> str:
    """Shorten text in its middle to so many columns."""
    if len(text) > 8 * width:  # of characters, most of which take no column
        text = text[: 4 * width] + text[-4 * width :]
    elif cell_len(text) <= width:
        return text
    start = _start(text, (width - 1) * 2 // 3)
    end = _start(text[::-1], width - 1 - cell_len(start))[::-1]
    return f"{start}…{end}"


def pieces(text: str, width: int) -> list[str]:
    """Give text in pieces of at most so many columns."""
    found: list[str] = []
    while text:
        start = _start(text, width) or text[:1]
        found.append(start)
        text = text[len(start) :]
    return found or [""]


def _start(text: str, width: int) -> str:
    """The longest beginning of text that takes at most so many columns."""
    for at, character in enumerate(text):
        width -= cell_len(character)
        if width < 0:
            return text[:at]
    return text


def counted(number: int, noun: str) -> str:
    """Give a number with its noun.

    >>> from trajmatch_adapters.cli._texts import counted
    >>> counted(1, "turn"), counted(2, "model request")
    ('1 turn', '2 model requests')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

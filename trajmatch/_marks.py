"""The two sides of a row as a page shows them: what differs is marked, and long text is cut around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import NamedTuple

from trajmatch._text import opened
from trajmatch.picture import Row

__all__ = ["Pieces", "Side", "marked"]

Pieces = tuple[str, ...]
"""Text in pieces: the second one, the fourth and so on differ from the other side."""

_Step = tuple[str, str, str]
"""Text that both sides share, and what each has after it."""

_SAME = (60, 40)
"""Characters that are kept of a long text before and after a cut, where both sides share it."""
_OWN = (300, 40)
"""The same, where it differs, or is all that there is."""
_TOKENS = 100
"""More tokens than these are not compared one by one, which would take time."""
_JOINT = 2
"""Shared text of so few characters between two differences is taken for a part of them."""


class Side(NamedTuple):
    """One side of a row.

    Attributes:
        pieces: Its text, in pieces.
        whole: All of it, where it was cut.
    """

    pieces: Pieces
    whole: str | None


def marked(row: Row) -> tuple[Side, Side]:
    """Give the expected and the actual side: what differs in a near miss is marked, and long text is cut."""
    theirs, ours = _compared(row) if row.kind == "near miss" else ((row.expected,), (row.actual,))
    return _side(theirs, row.expected), _side(ours, row.actual)


def _side(pieces: Pieces, text: str) -> Side:
    same = _SAME if len(pieces) > 1 else _OWN
    cut = tuple(_shorter(piece, *(_OWN if at % 2 else same)) for at, piece in enumerate(pieces))
    return Side(cut, None if cut == pieces else text)


def _compared(row: Row) -> tuple[Pieces, Pieces]:
    """Both sides in pieces; their positions and names are not compared."""
    (expected, theirs), (actual, ours) = opened(row.expected), opened(row.actual)
    steps = _joined(_steps(_tokens(theirs), _tokens(ours)))
    left, right = _pieces((same, mine) for same, mine, _ in steps), _pieces((same, mine) for same, _, mine in steps)
    return (expected + left[0], *left[1:]), (actual + right[0], *right[1:])


def _tokens(text: str) -> list[str]:
    return re.findall(r"\w+|\s+|.", text)


def _steps(left: list[str], right: list[str]) -> Iterator[_Step]:
    """The differences, each after what both sides share, and the rest that they share at the end."""
    start = _shared(left, right)
    a, b = left[start:], right[start:]
    end = _shared(reversed(a), reversed(b))
    same, tail = "".join(left[:start]), "".join(a[len(a) - end :])
    for equal, ours, theirs in _runs(a[: len(a) - end], b[: len(b) - end]):
        if equal:
            same += ours
        else:
            yield same, ours, theirs
            same = ""
    yield same + tail, "", ""


def _shared(left: Iterable[str], right: Iterable[str]) -> int:
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(left, right, strict=False)))


def _runs(left: list[str], right: list[str]) -> Iterator[tuple[bool, str, str]]:
    from difflib import SequenceMatcher

    if max(len(left), len(right)) > _TOKENS:
        yield False, "".join(left), "".join(right)
        return
    for what, i, to_i, j, to_j in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        yield what == "equal", "".join(left[i:to_i]), "".join(right[j:to_j])


def _joined(steps: Iterable[_Step]) -> list[_Step]:
    found: list[_Step] = []
    for same, ours, theirs in steps:
        if found and len(same) <= _JOINT and (ours or theirs):
            before, mine, other = found.pop()
            found.append((before, mine + same + ours, other + same + theirs))
        else:
            found.append((same, ours, theirs))
    return found


def _pieces(steps: Iterable[tuple[str, str]]) -> Pieces:
    """The pieces of one side; the last step has no difference."""
    return tuple(piece for step in steps for piece in step)[:-1]


def _shorter(text: str, head: int, tail: int) -> str:
    return text if len(text) <= head + tail + 1 else f"{text[:head]}…{text[-tail:]}"

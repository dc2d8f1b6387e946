"""Lines of text that fit into so many characters: shortened first, and left out where that is not enough."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Literal, NamedTuple

__all__ = ["Body", "Line", "cut", "fitting"]

_FLOOR = 80
"""What is shortened keeps so many characters, until everything has been shortened."""

Body = Literal["result", "text", "arguments"]
_SHORTENED: tuple[Body, ...] = ("result", "text", "arguments")
"""What may be shortened, in this order."""


class Line(NamedTuple):
    """A line that begins and ends as it does, with a body between that may be shortened."""

    start: str
    kind: Body = "text"
    body: str = ""
    end: str = ""
    calls: range = range(0)
    """The calls that it shows; without any of them it leaves."""
    word: str = "message"


Shown = tuple[str, range, str]
"""The text of a line, the calls that it shows, and the word for it."""


def fitting(lines: Sequence[Line], most: int | None) -> str:
    """Give the lines as text of at most so many characters.

    Of each kind the longest bodies are shortened first. Where nothing is left to shorten, lines that show no call
    leave, and then calls, and the last line says how many.
    """
    caps = dict.fromkeys(_SHORTENED, max((len(line.body) for line in lines), default=0))
    if most is None:
        return _without(_written(lines, caps), 0)
    return _remaining(_written(lines, _caps(lines, caps, most)), most)


def cut(text: str, most: int) -> str:
    """Give the beginning and the end of text, in at most so many characters."""
    if len(text) <= most:
        return text
    mark = f" … [{len(text)} characters] … "
    if (left := most - len(mark)) < 20:
        return text[: most - 1].rstrip(" |\n") + "…"
    end = left // 3
    return text[: left - end].rstrip(" |\n") + mark + text[-end:].lstrip(" |\n")


def _written(lines: Iterable[Line], caps: Mapping[Body, int]) -> list[Shown]:
    return [(f"{line.start}{cut(line.body, caps[line.kind])}{line.end}", line.calls, line.word) for line in lines]


def _caps(lines: Sequence[Line], caps: Mapping[Body, int], most: int) -> Mapping[Body, int]:
    """Give how long bodies may be, so that the text fits, or is as short as it gets without a line less."""
    bodies = {kind: [line.body for line in lines if line.kind == kind] for kind in _SHORTENED}
    room = most + 1 - sum(len(line.start) + len(line.end) + 1 for line in lines)
    taken = {kind: sum(map(len, bodies[kind])) for kind in _SHORTENED}

    def length(kind: Body, cap: int) -> int:
        return sum(len(cut(body, cap)) for body in bodies[kind])

    def fits(kind: Body, cap: int) -> bool:
        return sum(taken.values()) - taken[kind] + length(kind, cap) <= room

    for floor in (_FLOOR, 1):
        for kind in _SHORTENED:
            if not fits(kind, caps[kind]):
                tried = range(floor, caps[kind])
                caps = {**caps, kind: floor + max(0, _holding(tried, partial(fits, kind)) - 1)}
                taken[kind] = length(kind, caps[kind])
    return caps


def _holding(tried: range, holds: Callable[[int], bool]) -> int:
    """Give how many of these hold, where those that do come first."""
    return bisect_left(tried, True, key=lambda number: not holds(number))


def _remaining(lines: Sequence[Shown], most: int) -> str:
    """Give the text with as many lines as fit."""
    if len(text := _without(lines, 0)) <= most:
        return text
    steps = range(sum(not calls for _, calls, _ in lines) + max(calls.stop for _, calls, _ in lines))
    return cut(_without(lines, bisect_left(steps, True, key=lambda step: len(_without(lines, step)) <= most)), most)


def _without(lines: Sequence[Shown], steps: int) -> str:
    """Give the text without so many lines that show no call, then calls; those in the middle leave first."""
    idle = [place for place, (_, calls, _) in enumerate(lines) if not calls]
    gone = {*_middle(idle, steps)}
    calls_gone = {*_middle(range(max(calls.stop for _, calls, _ in lines)), steps - len(idle))}
    kept = [
        text
        for place, (text, calls, _) in enumerate(lines)
        if place not in gone and not (calls and calls_gone.issuperset(calls))
    ]
    words = Counter(lines[place][2] for place in sorted(gone)) + Counter({"call": len(calls_gone)})
    counted = ", ".join(f"{count} {word}{'s' if count > 1 else ''}" for word, count in words.items())
    return "\n".join([*kept, f"[left out: {counted}]"] if counted else kept)


def _middle(items: Sequence[int], count: int) -> Sequence[int]:
    count = min(max(count, 0), len(items))
    start = (len(items) - count + 1) // 2
    return items[start : start + count]

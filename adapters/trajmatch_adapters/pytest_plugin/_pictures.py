"""Pictures in failures: `assert_match` has its own, a bare assertion gets one, and both are coloured."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from trajmatch_adapters.pytest_plugin._events import Lines

if TYPE_CHECKING:
    from trajmatch import MatchFailure, MatchResult

__all__ = ["MARKUP", "explain", "paint", "spans", "write_line"]

MARKUP: Mapping[str, Mapping[str, bool]] = {
    "": {},
    "head passed": {"green": True, "bold": True},
    "head failed": {"red": True, "bold": True},
    "pair": {"light": True},
    "moved": {"yellow": True},
    "near miss": {"yellow": True},
    "missing": {"red": True},
    "extra": {"cyan": True},
    "retried": {"cyan": True},
    "forbidden": {"red": True, "bold": True},
    "remark": {"bold": True},
    "note": {"light": True},
}
"""How each style of a picture looks, in the words of pytest's terminal writer."""
_DEEPEST = 20
_NAMES = re.compile(r"[^\W\d]\w*")


def spans(result: MatchResult) -> Lines:
    """Give the picture of a result in types that can be sent to another process."""
    return [[(span.text, span.style) for span in line] for line in result.picture.lines()]


def explain(excinfo: pytest.ExceptionInfo[BaseException]) -> list[Lines]:
    """Give the pictures in a failure; a bare assertion that failed gets those of its results added to its text.

    Added is what is not there yet: pytest shows the reason of a result by itself, but shortens what is long.
    """
    try:
        noted = [_noted(excinfo.value, result) for result in _asserted(excinfo)]
        return [*(spans(failure.result) for failure in _failures(excinfo.value)), *noted]
    except Exception:  # what explains a failure must not take its place
        return []


def _noted(error: BaseException, result: Any) -> Lines:
    """Add to a failed assertion what a result has to say, and give its picture; a check has none."""
    picture = spans(result) if hasattr(result, "picture") else []
    shown = next((text for text in error.args if isinstance(text, str)), "")
    for text in (result.reason, _text(picture)):
        if text not in shown:
            error.add_note(text)
    return picture


def _text(picture: Lines) -> str:
    return "\n".join("".join(text for text, _ in line) for line in picture)


def _failures(error: BaseException) -> Iterator[MatchFailure]:
    kind: type[MatchFailure] = sys.modules["trajmatch"].MatchFailure
    return (one for one in _chain(error) if isinstance(one, kind))


def _asserted(excinfo: pytest.ExceptionInfo[BaseException]) -> list[Any]:
    """Give the results that a failed assertion looked at; those that failed, where some did."""
    trajmatch = sys.modules["trajmatch"]
    if excinfo.type is not AssertionError or not excinfo.traceback:
        return []
    kinds = trajmatch.MatchResult, trajmatch.CheckResult
    found = {id(value): value for value in _looked_at(excinfo.traceback[-1]) if issubclass(type(value), kinds)}
    return [result for result in found.values() if not result] or [*found.values()]


def _looked_at(entry: Any) -> Iterator[Any]:
    """Give the values of a failed assertion: those that pytest keeps while it looks, and those with a name."""
    statement = str(entry.statement).strip()
    if not statement.startswith("assert"):
        return
    names = entry.frame.f_locals
    yield from [value for name, value in names.items() if name.startswith("@py_assert")]
    everything = {**entry.frame.f_globals, **names}
    yield from (everything[name] for name in _NAMES.findall(statement) if name in everything)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Give an error and those behind it."""
    for _ in range(_DEEPEST):
        if error is None:
            return
        yield error
        error = error.__context__ if error.__cause__ is None else error.__cause__


class _Painter:
    """A terminal writer that knows the lines of some pictures; all else it leaves to pytest's."""

    def __init__(self, writer: Any, pictures: Iterable[Lines]) -> None:
        self._writer = writer
        self._lines = {"".join(text for text, _ in line): line for lines in pictures for line in lines}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._writer, name)

    def line(self, text: str = "", **markup: bool) -> None:
        """Write a line; where it ends as a picture does, that end in the colours of the picture."""
        end = max((known for known in self._lines if text.endswith(known)), key=len, default="")
        if not end:
            self._writer.line(text, **markup)
            return
        self._writer.write(text.removesuffix(end), **markup)
        write_line(self._writer, self._lines[end])


def paint(longrepr: object, pictures: Iterable[Lines]) -> None:
    """Have a failure written in the colours of its pictures, where the terminal has colours."""
    write = getattr(longrepr, "toterminal", None)
    if write is not None:
        setattr(longrepr, "toterminal", partial(_painted, write, pictures))  # noqa: B010 - a method, to type checkers


def _painted(write: Any, pictures: Iterable[Lines], writer: Any) -> None:
    write(_Painter(writer, pictures))


def write_line(writer: Any, line: Iterable[tuple[str, str]]) -> None:
    """Write a line of a picture."""
    for text, style in line:
        writer.write(text, **MARKUP.get(style, {}))
    writer.line()

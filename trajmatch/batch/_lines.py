"""JSONL by ranges of bytes: every line belongs to the range in which it begins."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from trajmatch.batch._result_row import ResultRow
from trajmatch.batch._scorer import Scorer
from trajmatch.errors import OptionError

__all__ = ["LineRange", "line_ranges", "match_lines"]

Path = str | os.PathLike[str]

_RANGE = 1 << 20
"""So many bytes are one piece of work, and the rest of the last line."""


def match_lines(
    path: Path, start: int = 0, stop: int | None = None, *, scorer: Scorer | None = None, first_line: int | None = None
) -> Iterator[ResultRow]:
    """Match the runs in a part of a JSONL file, one record a line; of the file, one line at a time is held.

    Every line belongs to the part in which it begins, so that parts that join anywhere miss none and take none twice.
    A line that cannot be read gives an error row; blank lines give none.

    Args:
        path: The file.
        start: Where the part begins, in bytes.
        stop: Where the next part begins; the end of the file by default.
        scorer: Where in a record the two sides are, and how they are matched; `Scorer()` by default.
        first_line: The number of the first line of this part, which is counted by default: that reads what stands
            before.

    Raises:
        OptionError: A part that is none.
        OSError: The file cannot be read.

    >>> from trajmatch.batch import match_lines
    >>> sum(row.passed or False for row in match_lines("runs.jsonl"))
    2
    """
    if start < 0 or (stop is not None and stop < start):
        raise OptionError(f"start, stop: a part of a file, got {start} to {stop}", option="start", value=start)
    scorer = scorer or Scorer()
    with open(path, "rb") as file:
        line = _at_line(file, start, first_line)
        at = file.tell()
        while stop is None or at < stop:
            if not (text := file.readline()):
                return
            at += len(text)
            if not text.isspace():
                yield scorer.row_of_json(text, line)
            line += 1


def _at_line(file: BinaryIO, start: int, first_line: int | None) -> int:
    """Go to the first line that begins at a place or after it, and give its number."""
    if start == 0:
        return first_line or 1
    before = start - 1  # which is where the line before may end
    ended = sum(block.count(b"\n") for block in _blocks(file, before)) if first_line is None else 0
    file.seek(before)
    ended += file.readline().endswith(b"\n")
    return first_line or 1 + ended


def _blocks(file: BinaryIO, stop: int) -> Iterator[bytes]:
    for at in range(0, stop, _RANGE):
        yield file.read(min(_RANGE, stop - at))


class LineRange(NamedTuple):
    """Whole lines of a file, as one piece of work.

    Attributes:
        path: The file.
        start: Where the first line begins.
        stop: Where the last one ends.
        first_line: The number of the first one.
    """

    path: Path
    start: int
    stop: int
    first_line: int

    @property
    def end(self) -> int:
        """How many bytes of the file lie before the end of this range."""
        return self.stop

    def rows(self, scorer: Scorer) -> Iterator[ResultRow]:
        """Give the row of each line that is not blank."""
        return match_lines(self.path, self.start, self.stop, scorer=scorer, first_line=self.first_line)


def line_ranges(path: Path, after: int = 0) -> Iterator[LineRange]:
    """Cut a file, behind so many lines, into ranges; it is read once, to count lines."""
    with open(path, "rb") as file:
        for _ in range(after):
            file.readline()
        start, line = file.tell(), after + 1
        while block := file.read(_RANGE):
            rest = b"" if block.endswith(b"\n") else file.readline()
            stop = start + len(block) + len(rest)
            yield LineRange(path, start, stop, line)
            line += block.count(b"\n") + rest.count(b"\n")
            start = stop

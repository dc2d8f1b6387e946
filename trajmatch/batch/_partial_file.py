"""Rows of results on their way into a file: they are kept, whole, when the run that writes them is interrupted."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from typing import IO, Any

from trajmatch._shown import shown
from trajmatch.batch._result_row import ResultRow
from trajmatch.errors import OptionError

__all__ = ["PartialFile"]

_BLOCK = 1 << 16
_WRITTEN = set[str]()
"""The files that this process writes."""


class PartialFile:
    """A file beside the target that takes rows as they come: a header, then a row a line.

    The row that was being written when a process was killed is cut away when the next one opens the file.

    Args:
        target: Where the rows go in the end.
        header: What they come from; rows that come from something else are not gone on with.

    Raises:
        OptionError: The file cannot be written, comes from something else, or is being written by another process.
    """

    def __init__(self, target: str | os.PathLike[str], header: Mapping[str, Any]) -> None:
        self.path = f"{os.fspath(target)}.partial"
        first = json.dumps(header).encode() + b"\n"
        try:
            self._file = open(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")  # noqa: SIM115, it stays open
        except OSError as error:
            raise OptionError(f"target: {error}; name a file in a folder that exists", option="target") from error
        self._place = os.path.realpath(self.path)
        try:
            self._lock()
            self._cut()
            if (found := self._file.readline()) != first:
                if self._file.read(1) or not _is_header(found):
                    self._refuse_other(found, header)
                self._begin_anew(first)
        except BaseException:
            self.close()
            raise
        self._begin = len(first)

    def _begin_anew(self, first: bytes) -> None:
        self._file.truncate(0)
        self._file.seek(0)
        self._file.write(first)
        self._file.flush()

    def _lock(self) -> None:
        if self._place in _WRITTEN:  # a lock of the system holds for the whole process
            self._place = ""
            raise OptionError(f"target: {self.path} is being written by this process", option="target")
        _WRITTEN.add(self._place)
        try:
            from fcntl import LOCK_EX, LOCK_NB, lockf
        except ImportError:  # Windows has no such locks
            return
        try:
            lockf(self._file, LOCK_EX | LOCK_NB)  # it ends with this process, whatever ends that
        except OSError as error:
            raise OptionError(f"target: another process is writing {self.path}", option="target") from error

    def _cut(self) -> None:
        """Cut away what follows the last whole line."""
        end = self._file.seek(0, os.SEEK_END)
        while end:
            begin = max(0, end - _BLOCK)
            self._file.seek(begin)
            if (last := self._file.read(end - begin).rfind(b"\n")) >= 0:
                end = begin + last + 1
                break
            end = begin
        self._file.truncate(end)
        self._file.seek(0)

    def _refuse_other(self, found: bytes, header: Mapping[str, Any]) -> None:
        try:
            other: dict[str, Any] = json.loads(found)
            changed = sorted(key for key in {*header, *other} if header.get(key) != other.get(key))
        except (ValueError, AttributeError):
            changed = ["beginning"]
        text = (
            f"target: {self.path} holds rows of a run with another {' and '.join(changed)}; "
            "remove it to begin anew, or name another target"
        )
        raise OptionError(text, option="target", value=changed)

    def rows(self) -> Iterator[ResultRow]:
        """Give the rows that are there; what is appended next stands behind them.

        Raises:
            OptionError: A line that is no row.
        """
        self._file.seek(self._begin)
        for line in self._file:
            try:
                yield ResultRow.from_dict(json.loads(line))
            except (ValueError, TypeError) as error:
                text = f"target: {self.path} holds what is no row: {shown(line)}; remove it to begin anew"
                raise OptionError(text, option="target") from error

    def append(self, lines: bytes) -> None:
        """Write whole lines."""
        self._file.seek(0, os.SEEK_END)
        self._file.write(lines)
        self._file.flush()

    def copy(self, target: IO[bytes]) -> None:
        """Copy the rows as they are."""
        self._file.seek(self._begin)
        shutil.copyfileobj(self._file, target, 1 << 20)

    def close(self) -> None:
        """Leave the file for the next process."""
        self._file.close()
        _WRITTEN.discard(self._place)

    def remove(self) -> None:
        """Take the file away, when its rows are where they should be."""
        os.unlink(self.path)
        self.close()


def _is_header(line: bytes) -> bool:
    return not line or line.startswith(b'{"library"')

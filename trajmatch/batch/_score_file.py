"""A file of runs to a file of rows of results: on several processes, and from where it stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from trajmatch._nearest import choose
from trajmatch._version import __version__
from trajmatch.batch._lines import line_ranges
from trajmatch.batch._parquet import parquet_chunks, parquet_size, write_parquet
from trajmatch.batch._partial_file import PartialFile
from trajmatch.batch._result_row import ResultRow
from trajmatch.batch._scorer import Scorer, refuse_unsendable
from trajmatch.batch._summary import Summary
from trajmatch.batch._workers import check_workers, in_order
from trajmatch.errors import OptionError

__all__ = ["Progress", "score_file"]

AnyPath = str | os.PathLike[str]


class Progress(NamedTuple):
    """How far a file has been scored.

    Attributes:
        rows: The rows that there are, with those of a run that was interrupted.
        done: The share of the file, 0.0 to 1.0.
    """

    rows: int
    done: float


class Chunk(Protocol):
    """Some records of a file, as one piece of work."""

    @property
    def end(self) -> int:
        """How much of the file lies before the end of this piece, in the measure of its `size`."""
        ...

    def rows(self, scorer: Scorer) -> Iterator[ResultRow]:
        """Give the row of each record."""
        ...


class _Source(NamedTuple):
    """A kind of file that runs are read from: how it is cut, behind so many records, and how long it is."""

    chunks: Callable[[AnyPath, Scorer, int], Iterable[Chunk]]
    size: Callable[[AnyPath], int]


_Write = Callable[[PartialFile, str], None]


def _line_ranges(path: AnyPath, scorer: Scorer, after: int) -> Iterable[Chunk]:
    return line_ranges(path, after)


def _copy(kept: PartialFile, path: str) -> None:
    with open(path, "wb") as file:
        kept.copy(file)


def _write_parquet(kept: PartialFile, path: str) -> None:
    write_parquet(kept.rows(), path)


_LINES = _Source(_line_ranges, os.path.getsize)
_SOURCES = {".jsonl": _LINES, ".ndjson": _LINES, ".parquet": _Source(parquet_chunks, parquet_size)}
_TARGETS: dict[str, _Write] = {".jsonl": _copy, ".ndjson": _copy, ".parquet": _write_parquet}


def score_file(
    source: AnyPath,
    target: AnyPath | None = None,
    scorer: Scorer | None = None,
    *,
    workers: int = 1,
    progress: Callable[[Progress], object] | None = None,
) -> Summary:
    """Score the runs in a file, write a row for each, in order, and give what they come to.

    The target is there when it is whole. Until then, rows are kept in `TARGET.partial`: the same call goes on there
    when it was interrupted, whatever interrupted it, and with whatever number of workers. The same runs under the same
    options give the same bytes.

    Args:
        source: The runs: `.jsonl` or `.ndjson`, one record a line, or `.parquet`.
        target: Where the rows go: `.jsonl` or `.parquet`. Without one, rows are counted and not kept.
        scorer: Where in a record the two sides are, and how they are matched; `Scorer()` by default.
        workers: So many processes; 1 is this one alone.
        progress: Is told how far it has got, after each piece of the file.

    Raises:
        OptionError: A file of another kind; a target that is the source, cannot be written, is being written, or was
            begun with something else; a source that changes while it is read; a number of workers that is none; a rule
            that cannot be sent to a worker.
        OSError: The source cannot be read.
        TrajmatchError: A worker was killed.

    >>> from trajmatch.batch import score_file
    >>> summary = score_file("runs.jsonl", "results.jsonl")
    >>> summary.runs, summary.passed
    (3, 2)
    """
    scorer = scorer or Scorer()
    if check_workers(workers) > 1:
        refuse_unsendable(scorer.matcher)
    job = _Job(source, _kind("source", source, _SOURCES), scorer, workers, progress)
    if target is None:
        return job.go_on(Summary(), 0, lambda lines: None)
    write = _kind("target", target, _TARGETS)
    if os.path.exists(target) and os.path.samefile(source, target):
        raise OptionError(
            f"target: {os.fspath(target)} is the source, which would be lost", option="target", value=target
        )
    kept = PartialFile(target, header := _header(source, scorer))
    try:
        summary, after = Summary(), 0
        for row in kept.rows():
            summary.add(row)
            after = row.line or after
        job.go_on(summary, after, kept.append)
        if _header(source, scorer) != header:
            text = f"source: {os.fspath(source)} was changed while it was read; remove {kept.path}, and score it again"
            raise OptionError(text, option="source", value=source)
        _put(kept, target, write)
    finally:
        kept.close()
    return summary


class _Job(NamedTuple):
    """What is read, how it is scored, and who is told."""

    path: AnyPath
    source: _Source
    scorer: Scorer
    workers: int
    progress: Callable[[Progress], object] | None

    def go_on(self, summary: Summary, after: int, keep: Callable[[bytes], None]) -> Summary:
        """Score what stands behind so many records, and add it to what there is."""
        size = self.source.size(self.path) or 1
        chunks = self.source.chunks(self.path, self.scorer, after)
        for lines, part, end in in_order(partial(_scored, self.scorer), chunks, self.workers):
            keep(lines)
            summary.merge(part)
            if self.progress:
                self.progress(Progress(summary.runs, end / size))
        return summary


class _Scored(NamedTuple):
    """What a worker gives for a piece: the rows as they are written, what they come to, and where it ends."""

    lines: bytes
    summary: Summary
    end: int


def _scored(scorer: Scorer, chunk: Chunk) -> _Scored:
    rows = [*chunk.rows(scorer)]
    return _Scored("".join(row.to_json() + "\n" for row in rows).encode(), Summary.of(rows), chunk.end)


def _put(kept: PartialFile, target: AnyPath, write: _Write) -> None:
    """Put the rows where they should be, at once."""
    new = f"{os.fspath(target)}.new"
    write(kept, new)
    with open(new, "rb") as file:
        os.fsync(file.fileno())
    os.replace(new, target)
    kept.remove()


Kind = TypeVar("Kind")


def _kind(side: str, path: AnyPath, kinds: Mapping[str, Kind]) -> Kind:
    """The kind of a file, by its suffix."""
    if (suffix := Path(path).suffix.lower()) in kinds:
        return kinds[suffix]
    text = f"{side}: a file that ends in {choose(kinds)}, got {os.fspath(path)!r}"
    raise OptionError(text, option=side, value=path)


def _header(source: AnyPath, scorer: Scorer) -> dict[str, Any]:
    """What the rows come from: where it is another, they are other rows."""
    found = os.stat(source)
    return {
        "library": f"trajmatch {__version__}",
        "source": [os.path.realpath(source), found.st_size, found.st_mtime_ns],
        **scorer.described(),
    }

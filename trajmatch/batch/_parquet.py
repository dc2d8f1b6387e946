"""Parquet: records in, rows of results in and out."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, islice
from typing import Any

from trajmatch._shown import printable
from trajmatch.batch._arrow import ArrowChunk, batch_of, result_schema, rows_of
from trajmatch.batch._columns import needed_columns
from trajmatch.batch._pyarrow import RecordBatch, needs
from trajmatch.batch._result_row import ResultRow
from trajmatch.batch._scorer import Scorer
from trajmatch.errors import ConversionError

__all__ = ["parquet_chunks", "parquet_rows", "parquet_size", "write_parquet"]

Path = str | os.PathLike[str]

_AT_ONCE = 64
"""So many records are one piece of work."""
_GROUP = 1 << 14
"""So many rows of results are written together, however they come, so that the same rows give the same bytes."""
_BUFFER = 1 << 20
"""So many bytes of a column are read ahead."""


def parquet_size(path: Path) -> int:
    """Give the number of rows of a file.

    Raises:
        ConversionError: It is no Parquet.
        OptionError: pyarrow is not installed.
        OSError: It cannot be read.
    """
    with _opened(path) as file:
        return int(file.metadata.num_rows)


def parquet_chunks(path: Path, scorer: Scorer, after: int = 0) -> Iterator[ArrowChunk]:
    """Cut a file, behind so many rows, into pieces of work that hold the columns which a scorer needs.

    Raises:
        ConversionError: It is no Parquet, or damaged.
        OptionError: A column is not there, or holds arguments as structs, see `needed_columns`; pyarrow is not
            installed.
        OSError: It cannot be read.
    """
    with _opened(path) as file:
        columns = [*needed_columns(file.schema_arrow, scorer)]
    return _chunks(path, columns, after)


def _chunks(path: Path, columns: list[str], after: int) -> Iterator[ArrowChunk]:
    with _opened(path) as file:
        groups, line = _behind(file.metadata, after)
        for batch in _batches(file, row_groups=groups, columns=columns):
            rest = batch.slice(max(0, after - line))
            line += batch.num_rows
            if rest.num_rows:
                yield ArrowChunk(rest.select(columns), line - rest.num_rows + 1)


def _behind(metadata: Any, after: int) -> tuple[list[int], int]:
    """The groups of rows that do not end before so many rows, and how many rows stand before these groups."""
    before = 0
    for group in range(metadata.num_row_groups):
        if before + metadata.row_group(group).num_rows > after:
            return [*range(group, metadata.num_row_groups)], before
        before += metadata.row_group(group).num_rows
    return [], before


def _batches(file: Any, *, row_groups: list[int], columns: list[str] | None = None) -> Iterator[RecordBatch]:
    """The rows of some groups; before pyarrow 19 it is an error to ask for none."""
    if row_groups:
        yield from file.iter_batches(batch_size=_AT_ONCE, row_groups=row_groups, columns=columns)


@contextmanager
def _opened(path: Path) -> Generator[Any]:
    arrow, name = needs(), printable(os.fspath(path))
    try:
        with needs("pyarrow.parquet").ParquetFile(path, pre_buffer=False, buffer_size=_BUFFER) as file:
            yield file
    except arrow.ArrowException as error:
        raise ConversionError(f"{name}: it cannot be read as Parquet: {printable(str(error))}") from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise ConversionError(f"{name}: it is damaged: {printable(str(error))}") from error


def parquet_rows(path: Path) -> Iterator[ResultRow]:
    """Give the rows of results in a file, in order.

    Raises:
        ConversionError: It is no Parquet, damaged, or does not hold results.
        OptionError: pyarrow is not installed.
        OSError: It cannot be read.
    """
    with _opened(path) as file:
        yield from chain.from_iterable(map(rows_of, _batches(file, row_groups=[*range(file.num_row_groups)])))


def write_parquet(rows: Iterable[ResultRow], path: Path) -> None:
    """Write rows of results; the file is there when all are written. The same rows give the same bytes.

    Raises:
        OptionError: pyarrow is not installed.
        OSError: It cannot be written.
    """
    schema, partial = result_schema(), f"{os.fspath(path)}.{os.getpid()}.partial"
    try:
        with needs("pyarrow.parquet").ParquetWriter(partial, schema) as writer:
            for group in _groups(iter(rows)):
                writer.write_batch(group, row_group_size=_GROUP)
        os.replace(partial, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(partial)
        raise


def _groups(rows: Iterator[ResultRow]) -> Iterator[RecordBatch]:
    while group := [*islice(rows, _GROUP)]:
        yield batch_of(group)

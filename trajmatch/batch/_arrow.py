"""Rows of results, and records, as Arrow: what Parquet files, Ray Data and Spark hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from trajmatch._json_form import is_tuple
from trajmatch.batch._cells import Unreadable, cells
from trajmatch.batch._columns import Needed, needed_columns
from trajmatch.batch._pyarrow import RecordBatch, needs
from trajmatch.batch._result_row import ResultRow
from trajmatch.batch._scorer import Scorer
from trajmatch.batch._summary import Summary
from trajmatch.errors import ConversionError

__all__ = ["RESULT_TYPES", "ArrowChunk", "batch_of", "result_schema", "rows_of", "summary_batch"]

RESULT_TYPES: dict[str, str] = {
    "id": "string",
    "group": "string",
    "line": "int64",
    "passed": "bool",
    "score": "float64",
    "precision": "float64",
    "recall": "float64",
    "signature": "string",
    "error": "string",
    "reason": "string",
    "differences": "list<string>",
    "calls": "list<string>",
}
"""The columns of results, with their types in Arrow; each may hold null."""

_ROWS = 64
"""So many records are held as Python values at once."""


def result_schema() -> Any:
    """Give the Arrow schema of results.

    Raises:
        OptionError: pyarrow is not installed.
    """
    arrow = needs()
    types = {"list<string>": arrow.list_(arrow.string())}
    return arrow.schema([(name, types.get(kind) or arrow.type_for_alias(kind)) for name, kind in RESULT_TYPES.items()])


def batch_of(rows: Iterable[ResultRow]) -> RecordBatch:
    """Give rows of results as one batch; what is no Unicode in a text is escaped, since Arrow has no place for it."""
    schema = result_schema()
    columns = zip(*rows, strict=True) if (rows := [*rows]) else [()] * len(schema)
    values = ([*map(_sound, column)] for column in columns)
    arrays = [needs().array(column, field.type) for column, field in zip(values, schema, strict=True)]
    return needs().RecordBatch.from_arrays(arrays, schema=schema)


def _sound(value: object) -> object:
    """A value that Arrow has a place for."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    return [*map(_sound, value)] if is_tuple(value) else value


def rows_of(batch: RecordBatch) -> Iterator[ResultRow]:
    """Give the rows of results that a batch holds; other columns are left alone.

    Raises:
        ConversionError: A column of results is not there, or of another type.
    """
    names: list[str] = batch.schema.names
    if missing := [name for name in RESULT_TYPES if name not in names]:
        raise ConversionError(f"results have a column {missing[0]!r}; there are {', '.join(names) or 'none'}")
    try:
        table = needs().Table.from_batches([batch]).select([*RESULT_TYPES]).cast(result_schema())
    except needs().ArrowException as error:
        raise ConversionError(f"these columns are not those of results: {error}") from error
    return map(_result_row, chain.from_iterable(part.to_pylist() for part in table.to_batches(_ROWS)))


def _result_row(form: dict[str, Any]) -> ResultRow:
    return ResultRow.from_dict({name: value for name, value in form.items() if value is not None})


def summary_batch(batches: Iterable[RecordBatch]) -> RecordBatch:
    """Give the summary of rows of results as JSON, in a batch of one text: a part, to be merged with others.

    Raises:
        ConversionError: A column of results is not there, or of another type.
        OptionError: A score that is not from 0 to 1.
    """
    found = Summary.of(chain.from_iterable(map(rows_of, batches)))
    return needs().RecordBatch.from_pydict({"summary": [json.dumps(found.to_dict())]})


class ArrowChunk(NamedTuple):
    """Records as rows of a table, as one piece of work.

    Attributes:
        batch: The rows, as a `pyarrow.RecordBatch`.
        first_line: The number of the first one; `None` where rows have no place.
    """

    batch: RecordBatch
    first_line: int | None = None

    @property
    def end(self) -> int:
        """How many rows of the table stand before the end of this piece."""
        return (self.first_line or 1) - 1 + int(self.batch.num_rows)

    def rows(self, scorer: Scorer) -> Iterator[ResultRow]:
        """Give the row of results of each record.

        Raises:
            OptionError: A column that a key path names is not there, or loses what a run holds; see `needed_columns`.
        """
        needed = needed_columns(self.batch.schema, scorer)
        for start in range(0, self.batch.num_rows, _ROWS):
            part = self.batch.slice(start, _ROWS)
            for place, record in enumerate(_records(part, needed), start):
                line = None if self.first_line is None else self.first_line + place
                yield _row(scorer, record, line)


def _records(batch: RecordBatch, needed: Needed) -> Iterator[dict[str, Any]]:
    columns = [cells(batch.column(name), opened) for name, opened in needed.items()]
    for values in zip(*columns, strict=True):
        yield dict(zip(needed, values, strict=True))


def _row(scorer: Scorer, record: dict[str, Any], line: int | None) -> ResultRow:
    broken = {name: value for name, value in record.items() if isinstance(value, Unreadable)}
    if not broken:
        return scorer.row(record, line)
    actual = next(iter(record))  # without it, the row is an error that has its id and group
    row = scorer.row({name: value for name, value in record.items() if name not in (actual, *broken)}, line)
    name, fault = next(iter(broken.items()))
    return row._replace(error=ConversionError.__name__, reason=f"column {name!r}: {fault.text}")

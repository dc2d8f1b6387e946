"""Many runs on Spark: the same rows of results as in one process, and what they come to.

What is different here from `trajmatch.batch`:

- the rows of a DataFrame have no place, so that `line` is null but for `score_lines`, and they come in any order;
- a rule need not be importable, since Spark sends functions whole;
- a column of the type `variant` is read as the JSON that it holds;
- `pyspark` is imported when a function is called.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from trajmatch.batch import (
    RESULT_TYPES,
    ArrowChunk,
    LineRange,
    Scorer,
    Summary,
    batch_of,
    line_ranges,
    needed_columns,
    summary_batch,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["score", "score_lines", "summary"]

Batch = Any
"""A `pyarrow.RecordBatch`: pyarrow says nothing of its types."""

_TYPES = {
    "string": "string",
    "int64": "bigint",
    "bool": "boolean",
    "float64": "double",
    "list<string>": "array<string>",
}
"""The types of results in Arrow, in the words of Spark."""
_SCHEMA = ", ".join(f"`{name}` {_TYPES[kind]}" for name, kind in RESULT_TYPES.items())
_RANGES = 8
"""So many ranges of a file are one task."""


def score(df: DataFrame, scorer: Scorer | None = None) -> DataFrame:
    """Give a DataFrame of results, a row for each record of another; nothing runs until it is asked for.

    Args:
        df: The records; the two sides are columns of JSON text, of `variant`, or of nested values.
        scorer: Where in a record the two sides are, and how they are matched; `Scorer()` by default.

    Raises:
        OptionError: A column that a key path names is not there, or is a map, or holds arguments as structs.
    """
    scorer, texts = scorer or Scorer(), _with_texts(df)
    needed = needed_columns(_arrow_schema(texts), scorer)
    return _mapped(texts.select(*needed), partial(_scored, scorer), _SCHEMA)


def _with_texts(df: DataFrame) -> DataFrame:
    """The same with JSON text in place of each `variant`."""
    from pyspark.sql.functions import to_json

    kinds = {field.name: field.dataType.typeName() for field in df.schema}
    return df.withColumns({name: to_json(df[name]) for name, kind in kinds.items() if kind == "variant"})


def _arrow_schema(df: Any) -> Any:
    return df.limit(0).toArrow().schema


def score_lines(spark: SparkSession, path: str | os.PathLike[str], scorer: Scorer | None = None) -> DataFrame:
    """Give a DataFrame of results, a row for each line of a JSONL file that is not blank.

    Each task reads its own part of the file, so that every machine has to find it under this path.

    Args:
        spark: The session.
        path: The file; it is read once here, to count lines, and once by the tasks.
        scorer: Where in a record the two sides are, and how they are matched; `Scorer()` by default.

    Raises:
        OSError: The file cannot be read.
    """
    return _mapped(_ranges(spark, os.path.abspath(path)), partial(_lines_scored, scorer or Scorer()), _SCHEMA)


def _ranges(spark: Any, path: str) -> DataFrame:
    """The ranges of a file, some in each partition."""
    parts = [tuple(part) for part in line_ranges(path)]
    ranges: DataFrame = spark.createDataFrame(parts, "path string, start bigint, stop bigint, first_line bigint")
    return ranges.repartition(-(-len(parts) // _RANGES) or 1)


def summary(df: DataFrame) -> Summary:
    """Give what the rows of a DataFrame of results come to; they are counted where they are."""
    found = Summary()
    for part in _mapped(df, _summed, "summary string").toLocalIterator():
        found.merge(Summary.from_dict(json.loads(part["summary"])))
    return found


def _mapped(df: Any, function: Callable[[Iterable[Batch]], Iterator[Batch]], schema: str) -> DataFrame:
    mapped: DataFrame = df.mapInArrow(function, schema)
    return mapped


def _scored(scorer: Scorer, batches: Iterable[Batch]) -> Iterator[Batch]:
    for batch in batches:
        yield batch_of(ArrowChunk(batch).rows(scorer))


def _lines_scored(scorer: Scorer, batches: Iterable[Batch]) -> Iterator[Batch]:
    for part in chain.from_iterable(batch.to_pylist() for batch in batches):
        yield batch_of(LineRange(**part).rows(scorer))


def _summed(batches: Iterable[Batch]) -> Iterator[Batch]:
    yield summary_batch(batches)

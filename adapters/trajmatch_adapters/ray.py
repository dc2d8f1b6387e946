"""Many runs on Ray Data: the same rows of results as in one process, and what they come to.

What is different here from `trajmatch.batch`:

- the rows of a dataset have no place, so that `line` is null but for `score_lines`, and they come in any order;
- a rule need not be importable, since Ray sends functions whole;
- the columns are checked before anything runs where the dataset knows them, and otherwise by the first task;
- `ray` is imported when a function is called.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from trajmatch.batch import (
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
    from ray.data import Dataset

__all__ = ["score", "score_lines", "summary"]

Table = Any
"""A `pyarrow.Table`: pyarrow says nothing of its types."""


def score(dataset: Dataset, scorer: Scorer | None = None, **map_options: Any) -> Dataset:
    """Give a dataset of results, a row for each record of another; nothing runs until it is asked for.

    Args:
        dataset: The records; the two sides are columns of JSON text, or of nested values.
        scorer: Where in a record the two sides are, and how they are matched; `Scorer()` by default.
        map_options: Options of `Dataset.map_batches`, like `num_cpus`, `concurrency` and `batch_size`.

    Raises:
        OptionError: A column that a key path names is not there, or is a map, or holds arguments as structs.
    """
    scorer = scorer or Scorer()
    if (schema := _arrow_schema(dataset)) is not None:
        needed_columns(schema, scorer)
    return _mapped(dataset, partial(_scored, scorer), map_options)


def _arrow_schema(dataset: Any) -> Any:
    """The columns of a dataset, where it knows them without running, and in the types of Arrow."""
    known = dataset.schema(fetch_if_missing=False)
    return known.base_schema if known and hasattr(known.base_schema, "field") else None


def score_lines(path: str | os.PathLike[str], scorer: Scorer | None = None, **map_options: Any) -> Dataset:
    """Give a dataset of results, a row for each line of a JSONL file that is not blank.

    Each task reads its own part of the file, so that every machine has to find it under this path.

    Args:
        path: The file; it is read once here, to count lines, and once by the tasks.
        scorer: Where in a record the two sides are, and how they are matched; `Scorer()` by default.
        map_options: Options of `Dataset.map_batches`, like `num_cpus` and `concurrency`.

    Raises:
        OSError: The file cannot be read.
    """
    from ray import data

    ray: Any = data
    parts = [part._asdict() for part in line_ranges(os.path.abspath(path))]
    return _mapped(ray.from_items(parts), partial(_lines_scored, scorer or Scorer()), map_options)


def summary(dataset: Dataset) -> Summary:
    """Give what the rows of a dataset of results come to; they are counted where they are."""
    found = Summary()
    for part in _mapped(dataset, _summed, {}).iter_rows():
        found.merge(Summary.from_dict(json.loads(part["summary"])))
    return found


def _mapped(dataset: Any, function: Callable[[Table], Iterator[Table]], options: dict[str, Any]) -> Dataset:
    mapped: Dataset = dataset.map_batches(function, batch_format="pyarrow", **options)
    return mapped


def _scored(scorer: Scorer, records: Table) -> Iterator[Table]:
    for batch in records.to_batches():
        yield records.from_batches([batch_of(ArrowChunk(batch).rows(scorer))])


def _lines_scored(scorer: Scorer, parts: Table) -> Iterator[Table]:
    for part in parts.to_pylist():
        yield parts.from_batches([batch_of(LineRange(**part).rows(scorer))])


def _summed(results: Table) -> Iterator[Table]:
    yield results.from_batches([summary_batch(results.to_batches())])

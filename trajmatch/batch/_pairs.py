"""Pairs of a run and what was expected of it, from Python."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import cast

from trajmatch._matcher import Matcher
from trajmatch._shown import shown
from trajmatch.batch._result_row import ResultRow
from trajmatch.batch._scorer import Scorer, refuse_unsendable
from trajmatch.batch._workers import check_workers, in_order
from trajmatch.errors import OptionError

__all__ = ["MatchPair", "match_many"]

MatchPair = tuple[object, object] | tuple[object, object, object]
"""A run and what was expected of it; an id may stand before them."""

_Record = tuple[int, dict[str, object]]
_AT_ONCE = 64
"""So many pairs are sent to a worker at once."""


def match_many(pairs: Iterable[MatchPair], matcher: Matcher | None = None, *, workers: int = 1) -> Iterator[ResultRow]:
    """Match many runs, and give a row for each, in order, as they are asked for.

    A pair that cannot be matched gives an error row.

    Args:
        pairs: `(actual, expected)` or `(id, actual, expected)` of each run. They are read as they are needed.
        matcher: What matches them; `Matcher()` by default.
        workers: So many processes; 1 is this one alone. What is sent to others has to be picklable.

    Raises:
        OptionError: A number of workers that is none; something that is no pair; a rule, a run or an expectation that
            cannot be sent to another process, by its name.

    >>> from trajmatch.batch import match_many
    >>> [row.score for row in match_many([([call("search")], ["search", "book"])], Matcher(mode="in_order"))]
    [0.6666666666666666]
    """
    scorer = Scorer(matcher=matcher or Matcher())
    if check_workers(workers) > 1:
        refuse_unsendable(scorer.matcher)
    return _rows(scorer, map(_record, enumerate(pairs, 1)), workers)


def _rows(scorer: Scorer, records: Iterator[_Record], workers: int) -> Iterator[ResultRow]:
    if workers == 1:
        yield from (scorer.row(record, line) for line, record in records)
        return
    parts = iter(lambda: [_sendable(record) for record in islice(records, _AT_ONCE)], [])
    for rows in in_order(partial(_part_rows, scorer), parts, workers):
        yield from rows


def _record(numbered: tuple[int, object]) -> _Record:
    line, pair = numbered
    parts = [*cast("Sequence[object]", pair)] if type(pair) in (tuple, list) else []
    if len(parts) not in (2, 3):
        text = f"pairs[{line - 1}]: (actual, expected) or (id, actual, expected), got {shown(pair)}"
        raise OptionError(text, option="pairs", value=pair)
    *id, actual, expected = parts
    return line, {"id": id[0] if id else None, "actual": actual, "expected": expected}


def _sendable(record: _Record) -> bytes:
    """What a worker gets; the work of pickling is done once."""
    try:
        return pickle.dumps(record)
    except Exception as error:
        line, pair = record
        text = f"pairs[{line - 1}]: it cannot be sent to a worker: {error}"
        raise OptionError(text, option="pairs", value=pair) from error


def _part_rows(scorer: Scorer, part: Sequence[bytes]) -> list[ResultRow]:
    return [scorer.row(record, line) for line, record in map(pickle.loads, part)]

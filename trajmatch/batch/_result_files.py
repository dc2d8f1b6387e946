"""Files of rows of results, read again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from trajmatch._json_form import is_dict, is_list
from trajmatch._nearest import choose
from trajmatch._shown import printable, shown
from trajmatch.batch._result_row import ResultRow
from trajmatch.errors import ConversionError, OptionError

__all__ = ["read_rows"]

AnyPath = str | os.PathLike[str]


def read_rows(path: AnyPath) -> Iterator[ResultRow]:
    """Read the rows that `score_file` wrote, one at a time.

    Args:
        path: The file: `.jsonl`, `.ndjson` or `.parquet`.

    Raises:
        ConversionError: It cannot be read, or holds something else; the text names the line and the key.
        OptionError: A file of another kind.

    >>> from trajmatch.batch import read_rows, score_file
    >>> summary = score_file("runs.jsonl", "results.jsonl")
    >>> [row.id for row in read_rows("results.jsonl") if not row.passed]
    ['shoe']
    """
    if (read := _READERS.get(Path(path).suffix.lower())) is None:
        text = f"results: a file that ends in {choose(_READERS)}, got {printable(os.fspath(path))!r}"
        raise OptionError(text, option="results", value=path)
    name = printable(os.fspath(path))
    try:
        yield from read(path)
    except OSError as error:
        raise ConversionError(f"{name}: it cannot be read: {error.strerror or error}") from error


def _lines(path: AnyPath) -> Iterator[ResultRow]:
    name = printable(os.fspath(path))
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if not line.isspace():
                try:
                    yield _row(line)
                except (ValueError, RecursionError) as error:
                    raise ConversionError(f"{name}: line {number}: {error}", index=number - 1) from error


def _row(line: bytes) -> ResultRow:
    form: object = json.loads(line)
    if not is_dict(form) or not {"passed", "score", "error"} <= form.keys():
        held = choose([*map(str, form)][:8]) if is_dict(form) else shown(form, 40)
        raise ValueError(f"no row of results, with 'passed', 'score' and 'error'; it holds {held or 'no keys'}")
    for key, (wanted, fits) in _KINDS.items():
        if not fits(form.get(key)):
            raise ValueError(f"{key!r} is {wanted}, got {shown(form.get(key), 40)}")
    return ResultRow.from_dict(form)


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_share(value: Any) -> bool:
    return value is None or (type(value) in (int, float) and 0 <= value <= 1)


def _is_list(value: object) -> bool:
    return is_list(value) and all(isinstance(item, str) for item in value)


_KINDS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(("id", "group", "signature", "error"), ("text or null", _is_text)),
    **dict.fromkeys(("score", "precision", "recall"), ("a number from 0 to 1, or null", _is_share)),
    "line": ("a number from 1 on, or null", lambda value: value is None or (type(value) is int and value > 0)),
    "passed": ("true, false or null", lambda value: value is None or isinstance(value, bool)),
    "reason": ("text", lambda value: isinstance(value, str)),
    "differences": ("a list of texts", _is_list),
    "calls": ("a list of texts, or null", lambda value: value is None or _is_list(value)),
}
"""What each key of a row holds."""


def _parquet(path: AnyPath) -> Iterator[ResultRow]:
    from trajmatch.batch._parquet import parquet_rows

    return parquet_rows(path)


_READERS: Mapping[str, Callable[[AnyPath], Iterator[ResultRow]]] = {
    ".jsonl": _lines,
    ".ndjson": _lines,
    ".parquet": _parquet,
}

"""Files that hold a history or an expectation: JSON, a JSON value a line, YAML."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Literal, cast, get_args

from trajmatch._nearest import choose
from trajmatch._shown import printable, shown
from trajmatch.errors import ConversionError, OptionError

__all__ = ["FileKind", "load"]

FileKind = Literal["json", "jsonl", "yaml"]
"""What a file holds: a JSON value, a JSON value on each line, or YAML."""

_SUFFIXES: dict[str, FileKind] = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".yaml": "yaml",
    ".yml": "yaml",
}


_EMPTY = "it is empty; an agent that did nothing is []"


class _Fault(ValueError):
    """What is wrong with a file, and where in it."""

    def __init__(self, text: str, line: int | None = None, column: int | None = None) -> None:
        places = {"line": line, "column": column}
        place = ", ".join(f"{name} {number}" for name, number in places.items() if number is not None)
        super().__init__(f"{place}: {text}" if place else text)


def load(path: str | os.PathLike[str] | IO[str] | IO[bytes], *, kind: FileKind | None = None) -> object:
    """Give what a file holds, ready for `match`, `to_trajectory` and `to_expectation`.

    A file of a JSON value a line gives the list of these, whether they are the messages of one run or a run each.
    Numbers are exact, `NaN` is read, and of a key that is there twice the last counts. In YAML only `true` and `false`
    are bools, and dates are text, as in JSON.

    Args:
        path: The file, or an open one, from which the rest is read.
        kind: What it holds. By default its suffix says so: `.json`, `.jsonl` or `.ndjson`, `.yaml` or `.yml`. Of an
            open file without such a name, its text: JSON, or a JSON value a line.

    Raises:
        ConversionError: It cannot be read, its suffix is not known, it is empty, or does not hold what it should; the
            text names the file, the line and the fix.
        OptionError: An unknown kind.
    """
    if kind is not None and kind not in get_args(FileKind):
        text = f"kind: {shown(kind)} is none; there are {choose(get_args(FileKind))}"
        raise OptionError(text, option="kind", value=kind)
    name = _name(path)
    try:
        return _PARSERS[kind or _kind(path)](_text(path))
    except OSError as error:
        raise ConversionError(f"{name}: it cannot be read: {error.strerror or error}") from error
    except RecursionError as error:
        raise ConversionError(f"{name}: it is nested too deep, or holds itself") from error
    except UnicodeDecodeError as error:
        raise ConversionError(f"{name}: it is no text: {error}") from error
    except ValueError as error:
        raise ConversionError(f"{name}: {error}") from error


def _name(path: object) -> str:
    if isinstance(path, (str, os.PathLike)):
        return printable(str(cast("str | os.PathLike[str]", path)))
    if callable(getattr(path, "read", None)):
        return printable(str(getattr(path, "name", "the open file")))
    raise ConversionError(f"load takes a path or an open file, got {type(path).__name__} {shown(path, 40)}")


def _kind(path: str | os.PathLike[str] | IO[str] | IO[bytes]) -> str:
    suffix = Path(path if isinstance(path, (str, os.PathLike)) else str(getattr(path, "name", ""))).suffix
    if kind := _SUFFIXES.get(suffix.lower()):
        return kind
    if isinstance(path, (str, os.PathLike)):
        _refuse_missing(Path(path))
        names, kinds = choose(_SUFFIXES), choose(get_args(FileKind))
        raise _Fault(f"its suffix {suffix!r} is not known; name it {names}, or say its kind: {kinds}")
    return "text"


def _refuse_missing(path: Path) -> None:
    """Say of a file that is not there that it is not there, before anything else."""
    path.stat()
    if path.is_dir():
        raise _Fault("it is a directory; name a file in it")


def _text(path: str | os.PathLike[str] | IO[str] | IO[bytes]) -> str:
    given = Path(path).read_bytes() if isinstance(path, (str, os.PathLike)) else path.read()
    text = given if isinstance(given, str) else given.decode(json.detect_encoding(given), "surrogatepass")
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise _Fault(_EMPTY)
    return text


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        more = "; with a JSON value on each line, it is of the kind jsonl" if error.msg == "Extra data" else ""
        raise _Fault(f"no JSON: {error.msg}{more}", error.lineno, error.colno) from error


def _json_lines(text: str) -> list[object]:
    """Give the values of all lines but the blank ones; only a line feed ends a line, since text may hold other ends."""
    found: list[object] = []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            if line.strip():
                found.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise _Fault(f"no JSON: {error.msg}", number, error.colno) from error
        except ValueError as error:
            raise _Fault(str(error), number) from error
    return found


def _json_or_lines(text: str) -> object:
    """Give the value of the whole text, or of each line where these are values."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        return _json_lines(text) if error.msg == "Extra data" else _json(text)


def _yaml(text: str) -> object:
    try:
        from trajmatch._yaml import YamlFault, parse_yaml
    except ModuleNotFoundError as error:
        raise _Fault("YAML is read by PyYAML; install it: pip install 'trajmatch[cli]'") from error
    try:
        return parse_yaml(text)
    except YamlFault as error:
        raise _Fault(str(error) or _EMPTY, error.line) from error


_PARSERS: dict[str, Callable[[str], object]] = {
    "json": _json,
    "jsonl": _json_lines,
    "yaml": _yaml,
    "text": _json_or_lines,
}

"""The files that a command reads: where in them a run is, and what to say where there is none."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import IO, NamedTuple, cast

from trajmatch import ConversionError, FileKind, Trajectory, TrajmatchError, load, to_expectation, to_trajectory
from trajmatch.reading import choose, is_mapping, listed
from trajmatch_adapters.cli._texts import cut, printable, value_text

__all__ = ["Source", "expectation", "history", "value"]

_DEPTH = 3
_TRIED = 50
"""How deep, and at how many places of each depth, a run is looked for in a file that is none."""


class Source(NamedTuple):
    """A file, and where in it a run or an expectation is.

    Attributes:
        file: Its name, `-` for the standard input, or JSON itself, where it begins with `[` or `{`.
        kind: What it holds, where its suffix does not say so.
        line: The number of a run in a list of runs, as a file of a run a line gives it, from 1.
        at: The key path of what is meant, in that run or in the file.
        format: The format of the history.
        option: What the options of this side begin with.
    """

    file: str
    kind: str | None = None
    line: int | None = None
    at: str | None = None
    format: str | None = None
    option: str = "--"

    @property
    def name(self) -> str:
        """What it is called in errors."""
        return "<stdin>" if self.file == "-" else printable(self.file)


def value(source: Source) -> object:
    """Give what a source holds, at the line and the key path that were asked for.

    Raises:
        ConversionError: It cannot be read, or there is nothing at that place.
    """
    found = _loaded(source)
    if source.line is not None:
        found = _line(source, found, source.line)
    for segment in source.at.split(".") if source.at else ():
        found = _below(source, found, segment)
    return found


def history(source: Source) -> Trajectory:
    """Read the run in a source.

    Raises:
        ConversionError: There is none; the text says where in the file there is one.
        OptionError: An unknown format.
    """
    found = value(source)
    try:
        return to_trajectory(found, format=source.format)
    except ConversionError as error:
        raise ConversionError(f"{source.name}: {error}{_hint(source, found)}") from error


def expectation(source: Source, *, per_turn: bool = False) -> object:
    """Read the expectation in a source; one for each turn is left as it is written.

    Raises:
        ConversionError: There is none; the text says where in the file there is one.
    """
    if source.format is not None:
        return history(source)
    found = value(source)
    if per_turn:
        return found
    try:
        return to_expectation(found, side=source.name if _is_file(source) else "expected")
    except ConversionError as error:
        error.args = (f"{error}{_hint(source, found)}",)
        raise


def _is_file(source: Source) -> bool:
    return not source.file.lstrip().startswith(("[", "{"))


def _loaded(source: Source) -> object:
    if not _is_file(source):
        try:
            return json.loads(source.file)
        except (ValueError, RecursionError) as error:
            text = f"what begins with [ or {{ is JSON, and this is none: {error}; a file is written ./{source.name:.40}"
            raise ConversionError(text) from error
    kind = cast("FileKind | None", source.kind)
    if source.file != "-":
        return load(source.file, kind=kind)
    if cast("object", sys.stdin) is None:
        raise ConversionError("<stdin>: the standard input is closed; name a file")
    return load(cast("IO[bytes]", getattr(sys.stdin, "buffer", sys.stdin)), kind=kind)


def _line(source: Source, found: object, line: int) -> object:
    items = listed(found)
    if not isinstance(found, list):
        raise ConversionError(f"{source.name}: {source.option}line picks one of a list, and this is {_told(found)}")
    if line not in range(1, len(items) + 1):
        raise ConversionError(f"{source.name}: {source.option}line: a number from 1 to {len(items)}, got {line}")
    return items[line - 1]


def _below(source: Source, found: object, segment: str) -> object:
    if is_mapping(found) and segment in found:
        return found[segment]
    items = listed(found)
    if segment.isdecimal() and int(segment) < len(items):
        return items[int(segment)]
    raise ConversionError(f"{source.name}: {source.option}at {source.at}: there is no {segment!r} in {_told(found)}")


def _told(found: object) -> str:
    """Say what is there in place of something."""
    if is_mapping(found):
        return f"an object with {choose([*map(str, found)][:8]) or 'no keys'}"
    items = listed(found)
    return f"a list of {len(items)}" if items or found == [] else cut(value_text(found), 40)


def _hint(source: Source, found: object) -> str:
    """Say where else in a file there is a run."""
    items = listed(found)
    if items and _is_run(items[0]):
        return f"; it is a list of runs: pick one with {source.option}line N, from 1 to {len(items)}"
    at = next((path for path, inner in _places(found) if _is_run(inner)), None)
    return "" if at is None else f"; there is a run in it: pick it with {source.option}at {at}"


def _places(found: object) -> Iterator[tuple[str, object]]:
    """The lists and objects in a value, with their key paths, the nearest first."""
    level: list[tuple[str, object]] = [("", found)]
    for _ in range(_DEPTH):
        level = [(f"{path}.{key}".lstrip("."), item) for path, inner in level for key, item in _items(inner)][:_TRIED]
        yield from level


def _items(found: object) -> Iterator[tuple[str, object]]:
    for key, item in found.items() if is_mapping(found) else enumerate(listed(found)):
        if (is_mapping(item) or listed(item)) and "." not in str(key):
            yield str(key), item


def _is_run(found: object) -> bool:
    try:
        return bool((is_mapping(found) or listed(found)) and to_trajectory(found).messages)
    except TrajmatchError:
        return False

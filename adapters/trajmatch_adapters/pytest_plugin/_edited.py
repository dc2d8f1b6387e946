"""An expected call with some places taken from an actual one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from trajmatch import ToolCall, expect
from trajmatch_adapters.pytest_plugin._volatile import Path

__all__ = ["edited"]

_NOTHING = object()


def edited(
    expected: ToolCall, actual: ToolCall, proposed: ToolCall, places: Iterable[Path]
) -> tuple[ToolCall, list[Path]]:
    """Give an expected call with the places that differ as they are in the actual one, and which of them are proposals.

    A place that had a plain value gets a plain value, since nobody had left it open. Any other gets what is proposed,
    in which what is volatile is open.

    Raises:
        LookupError, TypeError: A place leads through something that is neither object nor list.
    """
    arguments = _copied(expected.arguments)
    gone: list[Path] = []
    found: list[Path] = []
    for place in places:
        old, new = _at(expected.arguments, place), _at(actual.arguments, place)
        if new is _NOTHING:
            gone.append(place)
            continue
        if old is _NOTHING or isinstance(old, expect.Operator):
            new = _at(proposed.arguments, place)
            found.append(place)
        _put(arguments, place, new)
    for place in reversed(gone):
        del _parent(arguments, place)[place[-1]]
    return expected.replace(arguments=arguments), found


def _copied(value: object) -> Any:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in cast("dict[str, object]", value).items()}
    return [*map(_copied, cast("list[object]", value))] if isinstance(value, (list, tuple)) else value


def _at(value: Any, place: Path) -> Any:
    for step in place:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return _NOTHING
    return value


def _parent(value: Any, place: Path) -> Any:
    for step in place[:-1]:
        value = value[step]
    return value


def _put(arguments: Any, place: Path, new: Any) -> None:
    """Put a new value at a place: for what is there, or at the end of a list."""
    parent, last = _parent(arguments, place), place[-1]
    if isinstance(parent, list) and last == len(cast("list[object]", parent)):
        cast("list[object]", parent).append(new)
    else:
        cast("dict[str | int, object]", parent)[last] = new

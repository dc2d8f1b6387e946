"""Values that change from run to run: ids, UUIDs, dates and times; a golden trajectory leaves them open."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, time
from typing import Any, NamedTuple, cast
from uuid import UUID

from trajmatch import expect

__all__ = ["Opened", "Path", "opened", "volatile"]

Path = tuple[str | int, ...]

_UUID = re.compile(r"(urn:uuid:)?[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}", re.IGNORECASE)
_MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?\s?(Z|[+-]\d\d:?\d\d)?)?|\d\d:\d\d:\d\d([.,]\d+)?Z?", re.IGNORECASE
)
_GENERATED = re.compile(r"([a-z]+[_-])+(?=[a-z]*\d)[0-9a-z]{8,}|(?=\w*\d)[0-9a-f]{16,}|[0-9A-HJKMNP-TV-Z]{26}")
"""A prefix and a long word with a digit (`call_8f3kq2ab`), long hexadecimal text, a ULID."""
_ID_KEY = re.compile(r"(.*_|.*-)?(id|ids|uuid|guid|token|nonce)|.*[a-z](Id|Ids|ID|UUID)", re.DOTALL)
_TIME_KEY = re.compile(r"(.*_)?(at|ts|time|timestamp|date|since|until|expires)|.*[a-z](At|Time|Timestamp)", re.DOTALL)
_SECONDS = range(946_684_800, 4_102_444_800)
"""The years 2000 to 2099, counted from 1970."""


class Opened(NamedTuple):
    """A value that was left open: where it stands, what it was, and why."""

    path: Path
    value: object
    why: str


def volatile(key: str, value: object) -> str | None:
    """Say what a value under a key is that changes from run to run; `None` where it is nothing of the kind."""
    return next((why for why, holds in _KINDS.items() if holds(key, value)), None)


def _is_text(pattern: re.Pattern[str]) -> Callable[[str, object], bool]:
    return lambda _, value: isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_timestamp(key: str, value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not _TIME_KEY.fullmatch(key):
        return False
    return value == value and int(min(abs(value), 1e15)) // (1 if abs(value) < 1e11 else 1000) in _SECONDS


def _is_id(key: str, value: object) -> bool:
    """Under a key that says so: a number from 1000, or a text of six characters with a digit; not `7`, not `ann`."""
    if isinstance(value, bool) or not _ID_KEY.fullmatch(key):
        return False
    if isinstance(value, str):
        return len(value) >= 6 and any(map(str.isdigit, value)) and not any(map(str.isspace, value))
    return isinstance(value, int) and value >= 1000


_KINDS: dict[str, Callable[[str, object], bool]] = {
    "a UUID": lambda key, value: isinstance(value, UUID) or _is_text(_UUID)(key, value),
    "a date or time": lambda key, value: isinstance(value, (date, time)) or _is_text(_MOMENT)(key, value),
    "a timestamp": _is_timestamp,
    "a generated id": _is_text(_GENERATED),
    "an id": _is_id,
}


def opened(arguments: Mapping[str, Any]) -> tuple[dict[str, Any], list[Opened]]:
    """Give arguments in which what is volatile is open, and what that was; the arguments themselves stay as they are.

    Raises:
        RecursionError: They are nested too deep, or hold themselves.
    """
    found: list[Opened] = []
    return {key: _opened(value, key, (key,), found) for key, value in arguments.items()}, found


def _opened(value: object, key: str, path: Path, found: list[Opened]) -> Any:
    """Give a value with what is volatile in it open; the items of a list stand under the key of the list."""
    if (why := volatile(key, value)) is not None:
        found.append(Opened(path, value, why))
        return expect.any_value()
    if isinstance(value, dict):
        inside = cast("dict[str, object]", value)
        return {name: _opened(item, name, (*path, name), found) for name, item in inside.items()}
    if isinstance(value, (list, tuple)):
        items = cast("list[object]", value)
        return [_opened(item, key, (*path, place), found) for place, item in enumerate(items)]
    return value

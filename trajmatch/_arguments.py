"""From the text of arguments, as a model wrote it, to an object."""

from __future__ import annotations

import json
from json import JSONDecoder
from json.scanner import make_scanner
from typing import Any, cast

__all__ = ["encoded_twice", "parse_arguments"]

_scan = make_scanner(cast("Any", JSONDecoder()))


def parse_arguments(text: str) -> dict[str, Any] | None:
    """Give the object in the text, or `None` where it holds none.

    Empty text means no arguments. An object that was encoded twice is taken out of its string. Of a key that occurs
    twice, the last value counts, as `json.loads` says. Text that is nested deeper than the parser goes, or holds an
    integer that is longer than it reads, has no object.
    """
    if text[:1] == "{":  # without the overhead of `json.loads`, which is half of the time for small arguments
        value: dict[str, Any]
        try:
            value, end = _scan(text, 0)
        except (StopIteration, ValueError, RecursionError):
            return None
        if end == len(text):
            return value
    return _parse(text) if text else {}


def _parse(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
        if isinstance(value, str):
            value = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def encoded_twice(text: str) -> bool:
    """Say whether the text is a JSON string that holds an object."""
    return text.lstrip()[:1] == '"' and parse_arguments(text) is not None

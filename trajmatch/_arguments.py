"""From the text of arguments, as a model wrote it, to an object."""

from __future__ import annotations

import json
from collections.abc import Sequence
from json import JSONDecoder
from json.scanner import make_scanner
from sys import get_int_max_str_digits, modules
from typing import Any, cast

__all__ = ["encoded_twice", "parse_all", "parse_arguments"]

_scan = make_scanner(cast("Any", JSONDecoder()))


def parse_arguments(text: str) -> dict[str, Any] | None:
    """Give the object in the text, or `None` where it holds none.

    Empty text means no arguments. An object that was encoded twice is taken out of its string. Of a key that occurs
    twice, the last value counts, as `json.loads` says. Text that is nested deeper than the parser goes, or holds an
    integer that is longer than it reads, has no object.

    Where the process has loaded pydantic_core, its parser is used, which takes half of the time and reads the same.
    """
    if text[:1] != "{":
        return _parse(text) if text else {}
    core = modules.get("pydantic_core")
    if core is not None and len(text) < _quick():
        try:
            found: dict[str, Any] = core.from_json(text)
        except Exception:  # no JSON, or lone surrogates and depths that it does not take: `json` decides
            return _parse(text)
        return found
    try:
        value, end = _scan(text, 0)
    except (StopIteration, ValueError, RecursionError):
        return None
    return value if end == len(text) else _parse(text)


def parse_all(texts: Sequence[str]) -> list[dict[str, Any] | None]:
    """Give what `parse_arguments` gives of each text, in less time."""
    core = modules.get("pydantic_core")
    if core is not None and texts and max(map(len, texts)) < _quick():
        try:
            found: list[Any] = [*map(core.from_json, texts)]
        except Exception:  # as in `parse_arguments`
            found = []
        if {*map(type, found)} == {dict}:
            return found
    return [parse_arguments(text) for text in texts]


def _quick() -> int:
    """Shorter texts hold no integer that is too long for `json` and not for pydantic_core."""
    return get_int_max_str_digits() or 4_300


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

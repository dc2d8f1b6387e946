"""Key paths: naming one value inside nested arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, cast

from trajmatch._json_form import Unordered, is_dict, is_list, is_tuple, json_form, text_key
from trajmatch.errors import OptionError

__all__ = ["ABSENT", "KeyPath", "Path", "look_up", "parse_path", "path_text"]

KeyPath = str | Sequence[str | int]
"""`"customer.address.0.city"`: segments split at dots, where digits index a list. A sequence holds the segments
themselves, for keys with a dot: `("http.port",)`."""

Path = tuple[str | int, ...]

_ODD = re.compile(r"[\[\]*]|^\$|(?<![^.])-\d")
"""What people write in other path languages."""


class _Absent:
    """The value of a path that leads nowhere."""

    def __repr__(self) -> str:
        return "absent"


ABSENT = _Absent()


def parse_path(path: object, option: str) -> Path:
    """Give the segments of a key path.

    Raises:
        OptionError: Something else than text or a sequence of segments, or an empty segment.
    """
    if isinstance(path, str):
        segments: list[object] = [*path.split(".")]
    elif is_list(path) or is_tuple(path):
        segments = [*path]
    else:
        raise OptionError(
            f"{option}: a key path is text or a sequence of segments, got {path!r}", option=option, value=path
        )
    if not segments or "" in segments:
        raise OptionError(f"{option}: the key path {path!r} has an empty segment", option=option, value=path)
    if odd_ones := [s for s in segments if not isinstance(s, str) and type(s) is not int]:
        raise OptionError(
            f"{option}: the segments of a key path are texts and integers, got {odd_ones[0]!r} in {path!r}",
            option=option,
            value=path,
        )
    if isinstance(path, str) and (odd := _ODD.search(path)):
        raise OptionError(
            f"{option}: {odd[0]!r} in the key path {path!r}; the items of a list are numbers, 'items.0.id', and a key "
            f"that is spelt so is written as a segment of its own: ({path!r},)",
            option=option,
            value=path,
        )
    return tuple(cast("list[str | int]", segments))


def path_text(path: Path) -> str:
    """Give a path as it would be written: `items.0.id`, or its segments where a key holds a dot."""
    dotted = ".".join(map(str, path))
    return dotted if dotted.count(".") < max(len(path), 1) else str(path)


def look_up(value: object, path: Path) -> Any:
    """Give the value at a path, or `ABSENT`; a parent that is no container counts as absent."""
    for segment in path:
        form = json_form(value)
        if is_dict(form):
            value = _in_object(form, segment)
        elif is_list(form) and type(form) is not Unordered:  # the items of a set have no place
            value = _in_list(form, segment)
        else:
            return ABSENT
        if value is ABSENT:
            return ABSENT
    return value


def _in_object(value: dict[Any, Any], segment: str | int) -> Any:
    key = str(segment)
    if key in value:
        return value[key]
    return next((item for other, item in value.items() if text_key(other) == key), ABSENT)


def _in_list(value: list[Any], segment: str | int) -> Any:
    digits = str(segment)
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 9 or int(digits) >= len(value):
        return ABSENT
    return value[int(digits)]

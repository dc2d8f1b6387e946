"""Key paths: naming one value inside nested arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import EllipsisType
from typing import Any, cast

from trajmatch._json_form import Unordered, decides, is_dict, is_list, is_tuple, json_form, text_key
from trajmatch.errors import OptionError

__all__ = [
    "ABSENT",
    "EACH",
    "KeyPath",
    "Path",
    "decided",
    "leads_somewhere",
    "look_up",
    "parse_path",
    "path_data",
    "path_text",
]

KeyPath = str | Sequence[str | int]
"""`"customer.address.0.city"`: segments split at dots, where digits index a list. A sequence holds the segments
themselves, for keys with a dot: `("http.port",)`."""

EACH: EllipsisType = ...
"""The segment `*` of a path: each item of a list."""

Path = tuple[str | int | EllipsisType, ...]

_ODD = re.compile(r"[\[\]*]|^\$|(?<![^.])-\d")
"""What people write in other path languages."""


class _Absent:
    """The value of a path that leads nowhere."""

    def __repr__(self) -> str:
        return "absent"


ABSENT = _Absent()


def parse_path(path: object, option: str, *, each: bool = False) -> Path:
    """Give the segments of a key path; with `each`, the segment `*` of a text stands for each item of a list.

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
    if not isinstance(path, str):
        return tuple(cast("list[str | int]", segments))
    stars = each and "*" in segments
    all_items = ", or all of them, 'items.*.id'" if each else ""
    if odd := _ODD.search(".".join(s for s in cast("list[str]", segments) if not (stars and s == "*"))):
        raise OptionError(
            f"{option}: {odd[0]!r} in the key path {path!r}; the items of a list are numbers, 'items.0.id'"
            f"{all_items}, and a key "
            f"that is spelt so is written as a segment of its own: ({path!r},)",
            option=option,
            value=path,
        )
    return tuple(EACH if stars and s == "*" else s for s in cast("list[str]", segments))


def path_data(path: Any) -> Any:
    """Give a path that was written, as data."""
    return [*path] if is_list(path) or is_tuple(path) else path


def path_text(path: Path) -> str:
    """Give a path as it would be written: `items.0.id`, or its segments where a key holds a dot."""
    dotted = ".".join("*" if segment is EACH else str(segment) for segment in path)
    return dotted if dotted.count(".") < max(len(path), 1) else str(path)


def leads_somewhere(value: object, path: Path) -> bool:
    """Say whether there is something at a path, for at least one item of each list that it goes through."""
    if EACH not in path:
        return look_up(value, path) is not ABSENT
    place = path.index(EACH)
    items = json_form(look_up(value, path[:place]))
    return is_list(items) and any(leads_somewhere(item, path[place + 1 :]) for item in items)


def decided(value: object, path: Path) -> Iterator[Path]:
    """Give the places above the end of a path where a value stands that decides for itself."""
    form = json_form(value)
    if not path:
        return
    if decides(form):
        yield ()
    elif path[0] is EACH:
        for index, item in enumerate(form if is_list(form) and type(form) is not Unordered else ()):
            yield from ((index, *rest) for rest in decided(item, path[1:]))
    elif (inner := look_up(form, path[:1])) is not ABSENT:
        yield from ((path[0], *rest) for rest in decided(inner, path[1:]))


def look_up(value: object, path: Path) -> Any:
    """Give the value at a path without `*`, or `ABSENT`; a parent that is no container counts as absent."""
    for segment in cast("tuple[str | int, ...]", path):
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

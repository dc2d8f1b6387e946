"""The values of a column of records, as JSON has them."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from trajmatch._json_form import is_dict, is_list
from trajmatch._shown import printable

__all__ = ["Unreadable", "cells"]


class Unreadable(NamedTuple):
    """What stands for a value that cannot be read.

    Attributes:
        text: What is wrong with it.
    """

    text: str


def cells(column: Any, opened: bool) -> list[Any]:
    """Give the values of a column of Arrow; one that cannot be read is `Unreadable`.

    A null in a struct is a key that is not there: Arrow gives every object the keys of all.

    Args:
        column: The array.
        opened: Whether a text is JSON, of which a part is wanted.
    """
    try:
        return [_value(value, opened) for value in column.to_pylist()]
    except Exception:  # which value it was is found one by one
        return [_cell(item, opened) for item in column]


def _cell(item: Any, opened: bool) -> Any:
    try:
        return _value(item.as_py(), opened)
    except Exception as error:  # one bad value among a million is told, and does not end the others
        return Unreadable(printable(str(error)))


def _value(value: Any, opened: bool) -> Any:
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, str):
        return json.loads(value) if opened else value
    return _without_nulls(value)


def _without_nulls(value: Any) -> Any:
    if is_dict(value):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [*map(_without_nulls, value)] if is_list(value) else value

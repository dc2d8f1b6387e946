"""The parts of two argument objects that a built-in rule compares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from trajmatch._comparison import Part
from trajmatch._json_form import with_text_keys
from trajmatch._paths import ABSENT
from trajmatch._values import json_equal

__all__ = ["actual_keys", "equal_parts", "expected_keys", "nothing", "whole"]

Arguments = dict[str, Any]


def equal_parts(parts: Callable[[Arguments, Arguments], Iterable[Part]]) -> Callable[[Arguments, Arguments], bool]:
    def same(actual: Arguments, expected: Arguments) -> bool:
        return all(
            (a is ABSENT) == (e is ABSENT) and (a is ABSENT or json_equal(a, e)) for _, a, e in parts(actual, expected)
        )

    return same


def whole(actual: Arguments, expected: Arguments) -> list[Part]:
    return [((), actual, expected)]


def actual_keys(actual: Arguments, expected: Arguments) -> list[Part]:
    wanted = with_text_keys(expected)
    return [((key,), value, wanted.get(key, ABSENT)) for key, value in with_text_keys(actual).items()]


def expected_keys(actual: Arguments, expected: Arguments) -> list[Part]:
    given = with_text_keys(actual)
    return [((key,), given.get(key, ABSENT), value) for key, value in with_text_keys(expected).items()]


def nothing(actual: Arguments, expected: Arguments) -> list[Part]:
    return []

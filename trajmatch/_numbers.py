"""Numbers, as they are compared: integers, floats, and decimals that no float is exactly."""

from __future__ import annotations

from math import isfinite
from sys import modules
from typing import Any

__all__ = ["is_near", "is_number", "is_whole"]


def is_number(value: object) -> bool:
    """Say whether a value is a number, which no bool is."""
    if isinstance(value, (int, float)):
        return not isinstance(value, bool)
    return isinstance(value, getattr(modules.get("decimal"), "Decimal", ()))


def is_whole(value: Any) -> bool:
    """Say whether a value, in its JSON form, is a number without a fraction."""
    if isinstance(value, float):
        return value.is_integer()
    return is_number(value) and bool(isinstance(value, int) or value == value.to_integral_value())


def is_near(actual: Any, expected: Any, absolute: Any, relative: Any) -> bool:
    """Say whether a number differs from the expected one by at most this much, or this part of it."""
    if actual == expected or (actual != actual and expected != expected):
        return True
    if not all(isinstance(number, int) or isfinite(number) for number in (actual, expected)):
        return False
    try:
        return bool(abs(actual - expected) <= max(absolute, relative * abs(expected)))
    except (OverflowError, TypeError):  # integers beyond the largest float, and decimals beside floats
        from fractions import Fraction

        numbers = (number if isinstance(number, int) else float(number) for number in (actual, expected))
        a, e = map(Fraction, numbers)
        return abs(a - e) <= max(Fraction(absolute), Fraction(relative) * abs(e))

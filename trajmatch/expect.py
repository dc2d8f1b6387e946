"""Values that decide for themselves, for expected arguments: `call("book", price=expect.lte(100))`.

Each is the Python form of an operator that can be written as data, too: `{"$lte": 100}`. An operand may hold operators.
All raise a `ConversionError` for an operand that they do not take.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from trajmatch._operators import Operator, operator

if TYPE_CHECKING:
    from decimal import Decimal

__all__ = [
    "JsonType",
    "Operator",
    "Ordered",
    "all_of",
    "any_value",
    "approx",
    "contains",
    "gt",
    "gte",
    "lt",
    "lte",
    "not_",
    "one_of",
    "regex",
    "starts_with",
    "type_of",
]

JsonType = Literal["string", "number", "integer", "boolean", "object", "array", "null"]
"""A type, in the words of JSON Schema."""

Ordered: TypeAlias = "float | str | Decimal"
"""What has an order: numbers, and texts by their characters."""


def any_value() -> Operator:
    """Any value, as long as there is one.

    >>> match([call("book", id=17)], [call("book", id=expect.any_value())]).passed
    True
    """
    return operator("$any", True)


def regex(pattern: str | re.Pattern[str]) -> Operator:
    """A text that the pattern describes as a whole.

    Patterns are those of the `regex` package; one that takes over half a second for a text does not describe it.

    >>> match([call("find", q="hotels in Rome")], [call("find", q=expect.regex("hotels? .*"))]).passed
    True
    """
    return operator("$regex", pattern)


def approx(number: float | Decimal, *, abs: float | None = None, rel: float | None = None) -> Operator:
    """A number that is near: it differs by at most `abs`, or by at most `rel` times the number.

    Without either, by at most a millionth of it.

    >>> match([call("pay", amount=99.9)], [call("pay", amount=expect.approx(100, abs=0.5))]).passed
    True
    """
    given = {"abs": abs, "rel": rel}
    return operator("$approx", number, {name: value for name, value in given.items() if value is not None})


def one_of(*values: Any) -> Operator:
    """One of several values.

    >>> match([call("book", hotel="Plaza")], [call("book", hotel=expect.one_of("Ritz", "Plaza"))]).passed
    True
    """
    return operator("$one_of", list(values))


def type_of(*types: JsonType) -> Operator:
    """A value of one of these types, in the words of JSON Schema; `1.0` is an integer, and `True` is no number.

    >>> match([call("book", guests=2)], [call("book", guests=expect.type_of("integer"))]).passed
    True
    """
    return operator("$type", types[0] if len(types) == 1 else list(types))


def contains(value: Any) -> Operator:
    """A text that contains a text, or a list that contains an item.

    >>> match([call("tag", names=["a", "b"])], [call("tag", names=expect.contains("b"))]).passed
    True
    """
    return operator("$contains", value)


def starts_with(text: str) -> Operator:
    """A text that starts so."""
    return operator("$starts_with", text)


def gt(value: Ordered) -> Operator:
    """A number, or a text, that is greater."""
    return operator("$gt", value)


def gte(value: Ordered) -> Operator:
    """A number, or a text, that is greater or equal."""
    return operator("$gte", value)


def lt(value: Ordered) -> Operator:
    """A number, or a text, that is less."""
    return operator("$lt", value)


def lte(value: Ordered) -> Operator:
    """A number, or a text, that is less or equal."""
    return operator("$lte", value)


def not_(value: Any) -> Operator:
    """Anything but this value, or but what this operator takes."""
    return operator("$not", value)


def all_of(*values: Any) -> Operator:
    """A value that is as all of these say.

    >>> match([call("book", guests=2)], [call("book", guests=expect.all_of(expect.gte(1), expect.lt(9)))]).passed
    True
    """
    return operator("$all", list(values))

"""The edit script: what lies between a run and what was expected, in order, and what each difference costs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Literal, NamedTuple

from trajmatch._alignment import Pairs
from trajmatch._columns import Calls
from trajmatch._model import ToolCall
from trajmatch._outcome import Outcome
from trajmatch._values import json_equal
from trajmatch._views import Views

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["EditKind", "Line", "cost", "retry_of", "script"]

EditKind = Literal["pair", "moved", "near miss", "missing", "extra", "retried", "forbidden"]
"""What became of a call.

- `pair`: it is as expected;
- `moved`: it is there, elsewhere in the order;
- `near miss`: a call of the same tool with other arguments stands in its place;
- `missing`: it is not there;
- `extra`: it was not expected;
- `retried`: it was not expected, and is the same call before or after a failure;
- `forbidden`: it must not happen.
"""


class Line(NamedTuple):
    """One line of the script: the places of the actual and of the expected call, of which one may be absent."""

    kind: EditKind
    i: int | None
    j: int | None


def script(outcome: Outcome, seen: Views) -> list[Line]:
    """Give the lines in the order of the expectation, each extra call before the one that comes next in the run."""
    alignment = outcome.alignment
    both: list[tuple[EditKind, Pairs]] = [("pair", alignment.pairs), ("moved", seen.moved), ("near miss", seen.near)]
    lines = {j: Line(kind, i, j) for kind, pairs in both for i, j in pairs}
    keyed = [((float(j), 1, 0), lines.get(j, Line("missing", None, j))) for j in range(len(alignment.expected))]
    for kind, i in _not_expected(outcome, seen):
        keyed.append(((_next_expected(outcome, seen.near, i), 0, i), Line(kind, i, None)))
    return [line for _, line in sorted(keyed, key=lambda item: item[0])]


def _not_expected(outcome: Outcome, seen: Views) -> Iterator[tuple[EditKind, int]]:
    for i in seen.extra:
        yield "extra" if retry_of(outcome.alignment.actual, i) is None else "retried", i
    for i in seen.forbidden:
        yield "forbidden", i


def _next_expected(outcome: Outcome, near: Pairs, i: int) -> float:
    """The expected call before which an extra one is shown: that of the next call, where pairs keep the order."""
    if not outcome.settings.mode.ordered:
        return inf
    return min(((other, float(j)) for other, j in [*outcome.alignment.pairs, *near] if other > i), default=(i, inf))[1]


_FAILED = ("failed", "retried", "interrupted")


def retry_of(actual: Calls, i: int) -> int | None:
    """Give the place of the nearest same call of which the earlier one failed; `None` where there is none."""
    _, call = actual[i]
    again = range(i + 1, len(actual)) if call.status in _FAILED else range(0)
    for k in chain(again, range(i - 1, -1, -1)):
        _, other = actual[k]
        if actual.names[k] == actual.names[i] and (k > i or other.status in _FAILED) and _same_arguments(call, other):
            return k
    return None


def _same_arguments(one: ToolCall, other: ToolCall) -> bool:
    return one.raw_arguments == other.raw_arguments and json_equal(one.arguments, other.arguments)


_COSTS: dict[EditKind, tuple[int, int]] = {
    "pair": (0, 0),
    "moved": (1, 1),
    "near miss": (1, 1),
    "missing": (0, 1),
    "extra": (1, 0),
    "retried": (1, 0),
    "forbidden": (1, 0),
}
"""How many actual and expected calls each leaves without a pair."""


def cost(outcome: Outcome, kind: EditKind) -> Fraction | None:
    """Give what a difference of this kind takes from a graded score; `None` where the score is 1 or 0.

    The costs of all add up to 1 - score.
    """
    from fractions import Fraction

    settings, alignment = outcome.settings, outcome.alignment
    if not settings.mode.graded:
        return None
    extra, missing = _COSTS[kind]
    actual, expected = len(alignment.actual), len(alignment.expected)
    if settings.allow_extra:
        return Fraction(missing, expected or 1)
    if settings.allow_missing:
        return Fraction(extra, actual or 1)
    return Fraction(extra + missing, actual + expected or 1)

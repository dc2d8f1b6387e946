"""Turns: each turn of a run, with what was expected in it."""

from __future__ import annotations

from itertools import zip_longest

from trajmatch._access import listed
from trajmatch._sides import AnyOf, Expectation, is_any_of, to_expectation
from trajmatch._structure import Structure, is_structure
from trajmatch._trajectory import Trajectory
from trajmatch.errors import ConversionError

__all__ = ["NOTHING", "expected_turns", "turn_by_turn"]

NOTHING = Trajectory(())
"""A turn that the other side does not have."""
_WHOLE = (list, tuple, Trajectory, Structure, AnyOf)


def expected_turns(expected: object) -> list[Expectation]:
    """Read what was expected in each turn: a list of expectations, or a history with its turns.

    Raises:
        ConversionError: Neither; a flat list of calls, which does not say which turn is meant.
    """
    items = listed(expected)
    if items and all(isinstance(item, _WHOLE) or is_structure(item) or is_any_of(item) for item in items):
        return [to_expectation(item, side=f"expected, turn {at}") for at, item in enumerate(items)]
    read = to_expectation(expected)
    if isinstance(read, Trajectory) and read.messages is not None:
        return [*read.turns]
    raise ConversionError("expected: per_turn needs one expectation for each turn, as in [['search'], ['book']]")


def turn_by_turn(run: Trajectory, expected: list[Expectation]) -> list[tuple[Trajectory, Expectation]]:
    """Give the turns of a run with what was expected in each; where one side has more of them, the other has nothing.

    Raises:
        ConversionError: A run without messages, which has no turns.
    """
    if run.messages is None:
        raise ConversionError("actual: a list of calls has no turns; hand over the messages for per_turn")
    turns = run.turns if run.messages else ()
    return [(turn or NOTHING, one or NOTHING) for turn, one in zip_longest(turns, expected)]

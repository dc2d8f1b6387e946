"""Turns: each turn of a run, with what was expected in it."""

from __future__ import annotations

from itertools import zip_longest

from trajmatch._access import is_mapping, listed
from trajmatch._elements import seq
from trajmatch._sides import AnyOf, Expectation, is_any_of, to_expectation
from trajmatch._stored import is_stored
from trajmatch._structure import Structure, is_structure
from trajmatch._trajectory import Trajectory
from trajmatch.errors import ConversionError

__all__ = ["NOTHING", "NO_CALLS", "to_expectations", "turn_by_turn"]

NOTHING = Trajectory(())
"""A turn that the other side does not have."""
NO_CALLS = seq()
"""What is expected in such a turn, beside structures."""
_WHOLE = (list, tuple, Trajectory, Structure, AnyOf)


def to_expectations(expected: object) -> list[Expectation]:
    """Read what an agent should have done in each turn, as `match` does with `per_turn`.

    Args:
        expected: A list of expectations, one for each turn, or a history, whose turns are then those of the
            expectation.

    Raises:
        ConversionError: Neither; a flat list of calls, which does not say which turn is meant.

    >>> to_expectations([["search"], seq("book", "pay")])
    [Trajectory.from_calls([ToolCall('search')]), seq('book', 'pay')]
    """
    items = listed(expected)
    if items and all(map(_is_whole, items)):
        return [to_expectation(item, side=f"expected, turn {at}") for at, item in enumerate(items)]
    read = to_expectation(expected)
    if isinstance(read, Trajectory) and read.messages is not None:
        return [*read.turns]
    raise ConversionError("expected: per_turn needs one expectation for each turn, as in [['search'], ['book']]")


def _is_whole(item: object) -> bool:
    """Say whether an item of a list is an expectation, and no call or message."""
    if isinstance(item, _WHOLE) or is_structure(item) or is_any_of(item) or is_stored(item):
        return True
    return is_mapping(item) and "messages" in item


def turn_by_turn(
    run: Trajectory, expected: list[Expectation], nothing: Expectation
) -> list[tuple[Trajectory, Expectation]]:
    """Give the turns of a run with what was expected in each; where one side has more of them, the other has nothing.

    Raises:
        ConversionError: A run without messages, which has no turns.
    """
    if run.messages is None:
        raise ConversionError("actual: a list of calls has no turns; hand over the messages for per_turn")
    turns = run.turns if run.messages else ()
    return [
        (NOTHING if turn is None else turn, nothing if one is None else one)
        for turn, one in zip_longest(turns, expected)
    ]

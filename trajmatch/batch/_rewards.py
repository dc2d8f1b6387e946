"""Rewards for reinforcement learning: runs in, floats out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Unpack, cast

from trajmatch._matcher import Matcher
from trajmatch._settings import MatchOptions
from trajmatch._shown import shown
from trajmatch._sides import Expectation, holds_structure, to_expectation
from trajmatch._trajectory import Trajectory
from trajmatch._turns import to_expectations
from trajmatch.errors import ConversionError, CostError, OptionError, TrajmatchError

__all__ = ["Reward", "rewards"]

_NOTHING = Trajectory(())
"""The run of an agent that did nothing."""


class Reward:
    """What a run is worth, as a float; the options are checked once, for many runs. It can be pickled.

    It is the score of a match, graded by default: `in_order`, and a structure as it is. A run that makes a forbidden
    call is worth 0.0.

    Args:
        unreadable: What a run is worth that cannot be read, or that cannot be matched within the work of a search: what
            a model did, and no reason to stop.
        read: Gives the history of what a run is handed over as, text say. Where it raises `ConversionError`, the run
            cannot be read.
        options: See `MatchOptions`; `threshold` has no effect.

    Raises:
        OptionError: A wrong option.

    >>> from trajmatch.batch import Reward
    >>> worth = Reward(args="ignore")
    >>> worth([call("search", q="lamp"), call("book")], ["search"])
    0.6666666666666666
    """

    __slots__ = ("_graded", "_per_turn", "_read", "_unreadable", "_written")

    def __init__(
        self,
        *,
        unreadable: float = 0.0,
        read: Callable[[Any], object] | None = None,
        **options: Unpack[MatchOptions],
    ) -> None:
        if isinstance(cast("object", unreadable), bool) or not isinstance(cast("object", unreadable), (int, float)):
            raise OptionError(f"unreadable: a number, got {unreadable!r}", option="unreadable", value=unreadable)
        if read is not None and not callable(cast("object", read)):
            raise OptionError(f"read: a function of a run, got {shown(read)}", option="read", value=read)
        if options.get("threshold", 1.0) != 1.0:
            raise OptionError("threshold has no effect on a reward, which is the score", option="threshold")
        self._unreadable = float(unreadable)
        self._read = read
        self._per_turn = bool(options.get("per_turn"))
        self._written = Matcher(**options)
        graded: MatchOptions = {"mode": "in_order", **options}
        self._graded = Matcher(**graded)

    def __call__(self, run: object, expected: object) -> float:
        """Give the reward of a run.

        Args:
            run: The history of a run, or a list of calls, or whatever `read` takes.
            expected: What the agent should have done, as `match` takes it, or that as JSON text.

        Raises:
            ConversionError: An expectation that cannot be read, or is not for these options, which is no model's fault;
                a run that is no history at all, but text or `None`.
            CostError: An expectation that is too hard to match with any run.
            OptionError: A mode beside a structure; a function for `calls` that raised or gave no bool.
            RuleError: A rule that raised or gave no bool.
        """
        matcher, wanted = self._expectation(expected)
        try:
            history = run if self._read is None else self._read(run)
        except ConversionError:
            return self._without(matcher, wanted)
        if history is None or isinstance(history, (str, bytes)):
            text = f"a run is a list of messages or calls, got {shown(history)}; read=... makes one of text"
            raise ConversionError(text)
        return self._worth(matcher, history, wanted)

    def _expectation(self, given: object) -> tuple[Matcher, object]:
        """Read an expectation, and give it with the matcher for it: a structure takes no mode."""
        expected = _decoded(given)
        wanted = to_expectations(expected) if self._per_turn else to_expectation(expected)
        every: list[Expectation] = wanted if isinstance(wanted, list) else [wanted]
        return self._written if any(map(holds_structure, every)) else self._graded, wanted

    def _worth(self, matcher: Matcher, history: object, wanted: object) -> float:
        try:
            result = matcher(history, wanted)
        except (ConversionError, CostError):
            return self._without(matcher, wanted)
        except OptionError as error:
            if callable(error.value):  # a function of the user's, which is at fault itself
                raise
            return self._without(matcher, wanted)  # nothing says what became of the calls
        return 0.0 if result.forbidden else result.score

    def _without(self, matcher: Matcher, wanted: object) -> float:
        """What a run is worth that has no score; an error where the expectation is at fault, and not the run."""
        matcher(_NOTHING, wanted)
        return self._unreadable


def _decoded(expected: object) -> object:
    if not isinstance(expected, str):
        return expected
    try:
        return json.loads(expected)
    except (ValueError, RecursionError) as error:
        raise ConversionError(f"expected: it is text, and no JSON: {error}; got {shown(expected)}") from error


def rewards(
    runs: Iterable[object],
    expected: Iterable[object],
    *,
    unreadable: float = 0.0,
    read: Callable[[Any], object] | None = None,
    **options: Unpack[MatchOptions],
) -> list[float]:
    """Give the reward of each run; takes the options of `Reward`.

    Args:
        runs: The runs.
        expected: What was expected of each.
        unreadable: See `Reward`.
        read: See `Reward`.
        options: See `Reward`.

    Raises:
        TrajmatchError: As `Reward` does, with the position; not as many expectations as runs.

    >>> from trajmatch.batch import rewards
    >>> rewards([[call("search"), call("book")], []], [["search"], []])
    [0.6666666666666666, 1.0]
    """
    worth = Reward(unreadable=unreadable, read=read, **options)
    did, wanted = [*runs], [*expected]
    if len(did) != len(wanted):
        raise ConversionError(f"expected: one for each run; there are {len(did)} runs and {len(wanted)} expectations")
    return [_in_place(at, worth, *pair) for at, pair in enumerate(zip(did, wanted, strict=True))]


def _in_place(at: int, worth: Reward, run: object, expected: object) -> float:
    try:
        return worth(run, expected)
    except TrajmatchError as error:
        error.args = (f"run {at}: {error}",)
        raise

"""The three ways to match: a function, a matcher for many runs, an assertion."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from trajmatch._elements import seq
from trajmatch._outcome import Outcome, best, joined, solve
from trajmatch._result import MatchResult
from trajmatch._settings import MatchOptions, parse_settings
from trajmatch._sides import AnyOf, Expectation, actual_side, as_structure, holds_structure, to_expectation
from trajmatch._structure import Structure
from trajmatch._tool_checks import refuse_impossible
from trajmatch._trajectory import Trajectory
from trajmatch._turns import NO_CALLS, NOTHING, to_expectations, turn_by_turn
from trajmatch.errors import MatchFailure

__all__ = ["Matcher", "assert_match", "match"]


class Matcher:
    """A match whose options are checked once, for many runs.

    Args:
        options: See `MatchOptions`.

    Raises:
        OptionError: An option that does not exist, has a wrong value, or could have no effect in this mode.

    >>> in_order = Matcher(mode="in_order", threshold=0.5)
    >>> in_order([call("search"), call("book")], ["search"]).score
    0.6666666666666666
    """

    __slots__ = ("_settings",)

    def __init__(self, **options: Unpack[MatchOptions]) -> None:
        self._settings = parse_settings(options)

    def __call__(self, actual: object, expected: object) -> MatchResult:
        """Match what an agent did against what it should have done; see `match`."""
        run = actual_side(actual)
        if not self._settings.per_turn:
            return MatchResult(self._best(run, to_expectation(expected)))
        wanted = to_expectations(expected)
        if structured := any(map(holds_structure, wanted)):
            wanted = list[Expectation](map(as_structure, wanted))
        turns = [self._best(*turn) for turn in turn_by_turn(run, wanted, NO_CALLS if structured else NOTHING)]
        settings = self._settings
        return MatchResult(joined(settings.for_structure() if structured else settings, run, turns))

    def _best(self, run: Trajectory, expected: Expectation) -> Outcome:
        """Match with the expectation, or with each whole alternative, where there are several, and take the best."""
        settings = self._settings
        if isinstance(expected, AnyOf):
            wholes: Iterable[Expectation] = expected.references
            if holds_structure(expected):
                wholes = map(as_structure, wholes)
            return best([self._best(run, one) for one in wholes], "any_of")
        if isinstance(expected, Structure):
            if expected.kind == "one_of":
                parts = [part if isinstance(part, Structure) else seq(part) for part in expected.parts]
                return best([self._best(run, part) for part in parts], "one_of")
            settings = settings.for_structure()
        elif "mode" not in settings.written:
            settings.check_effect(graded=settings.mode.graded)
        if settings.tools:
            refuse_impossible(settings, expected)
        return solve(settings, run, expected)

    @property
    def signature(self) -> str:
        """What the scores of this matcher depend on."""
        return self._settings.signature

    @property
    def options(self) -> MatchOptions:
        """The options that were given, as they were written."""
        return self._settings.written

    def __repr__(self) -> str:
        return f"Matcher({', '.join(f'{name}={value!r}' for name, value in self.options.items())})"


def match(actual: object, expected: object, **options: Unpack[MatchOptions]) -> MatchResult:
    """Match what an agent did against what it should have done.

    Args:
        actual: The history of a run, of any framework (see `to_trajectory`), or a list of calls.
        expected: A list of names, calls and dicts with `name` and `arguments`, or a whole history.
        options: See `MatchOptions`.

    Raises:
        ConversionError: A side that cannot be read; a side without messages, in `strict`; an expected call that the
            schema of its tool does not allow.
        OptionError: An option that does not exist, has a wrong value, or could have no effect.
        RuleError: A rule, or a value's own `==`, raised or gave no bool.

    >>> match([call("search", q="cats"), call("book")], ["search", "book"])
    exact: PASS; 2 paired
    """
    return Matcher(**options)(actual, expected)


def assert_match(actual: object, expected: object, **options: Unpack[MatchOptions]) -> None:
    """Raise unless an agent did what it should have done; takes what `match` takes.

    Raises:
        MatchFailure: The runs differ. It is an `AssertionError`, its text is the picture, `.result` the result.
        TrajmatchError: As `match` does.
    """
    __tracebackhide__ = True
    result = match(actual, expected, **options)
    if not result:
        raise MatchFailure(result)

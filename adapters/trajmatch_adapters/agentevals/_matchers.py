"""The words of agentevals for modes and rules, and the matchers that they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, NamedTuple

from trajmatch import AnyOf, Matcher, MatchResult, OptionError, Structure, Trajectory
from trajmatch.reading import choose, did_you_mean
from trajmatch_adapters.agentevals._sides import Reference

__all__ = ["OPTIONS", "Matchers", "ToolArgsMatchMode", "ToolArgsMatchOverrides", "TrajectoryMatchMode", "matchers_of"]

TrajectoryMatchMode = Literal["strict", "unordered", "subset", "superset"]
"""The modes of agentevals; those of `match` with these names."""

ToolArgsMatchMode = Literal["exact", "ignore", "subset", "superset"]
"""The rules for arguments; those of `match` with these names."""

ToolArgsMatchOverrides = Mapping[str, ToolArgsMatchMode | list[str] | Callable[[dict[str, Any], dict[str, Any]], bool]]
"""Rules for single tools: a name, a list of key paths, or a function of the actual and the expected arguments."""


_MODES: Mapping[str, Callable[..., Matcher]] = {
    "strict": partial(Matcher, mode="strict", ignore_roles=()),
    "unordered": partial(Matcher, mode="unordered"),
    "subset": partial(Matcher, mode="subset"),
    "superset": partial(Matcher, mode="superset"),
}
_STRUCTURES: Callable[..., Matcher] = Matcher
_DEFAULT = "strict"
_WORDS = {"args": "tool_args_match_mode", "overrides": "tool_args_match_overrides"}
"""What the options of a matcher are called here."""
OPTIONS = ("trajectory_match_mode", *_WORDS.values(), "feedback_key")
"""What an evaluator takes no more once it is built."""


class Matchers(NamedTuple):
    """What matches a run with another run, and with a structure, which carries its own order."""

    mode: str
    runs: Matcher
    structures: Matcher

    def match(self, actual: Trajectory, expected: Reference) -> MatchResult:
        """Match a run with a reference.

        Raises:
            OptionError: A mode was given, and the reference is a structure.
        """
        if not _holds_structure(expected):
            return self.runs(actual, expected)
        if self.mode != _DEFAULT:
            raise OptionError(
                "trajectory_match_mode has no effect beside a structure, which carries its own order; leave it out",
                option="trajectory_match_mode",
                value=self.mode,
            )
        return self.structures(actual, expected)


def matchers_of(mode: object, args: object, overrides: object) -> Matchers:
    """Give the matchers for these options.

    Raises:
        OptionError: A mode or a rule that does not exist, or an async function; by the names of agentevals.
    """
    if not isinstance(mode, str) or mode not in _MODES:
        raise OptionError(
            f"trajectory_match_mode: {mode!r} is no mode{did_you_mean(mode, _MODES)}; there are {choose(_MODES)}",
            option="trajectory_match_mode",
            value=mode,
        )
    try:
        return Matchers(mode, *(build(args=args, overrides=overrides) for build in (_MODES[mode], _STRUCTURES)))
    except OptionError as error:
        word = error.option.partition("[")[0]
        option, text = (written.replace(word, _WORDS[word], 1) for written in (error.option, str(error)))
        raise OptionError(text, option=option, value=error.value) from None


def _holds_structure(expected: Reference) -> bool:
    if isinstance(expected, AnyOf):
        return any(map(_holds_structure, expected.references))
    return isinstance(expected, Structure)

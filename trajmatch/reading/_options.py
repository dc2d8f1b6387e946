"""Checking the options that adapters share."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar, cast

from trajmatch._nearest import did_you_mean
from trajmatch._shown import shown
from trajmatch.errors import OptionError

__all__ = ["flag", "names_of_tools", "word"]

Word = TypeVar("Word", bound=str)


def names_of_tools(option: str, given: object) -> frozenset[str]:
    """Give the names that an option lists.

    Raises:
        OptionError: One name in place of a list, or something that is no name.
    """
    names = cast("Collection[object]", given)
    if isinstance(given, (list, tuple, set, frozenset)):
        words = [name for name in names if isinstance(name, str) and name]
        if len(words) == len(names):
            return frozenset(words)
    raise OptionError(f"{option}: a list of names of tools, got {shown(names)}", option=option, value=names)


def flag(option: str, given: object) -> bool:
    """Give an option that is `True` or `False`.

    Raises:
        OptionError: It is neither.
    """
    if isinstance(given, bool):
        return given
    raise OptionError(f"{option} must be True or False, got {shown(given)}", option=option, value=given)


def word(option: str, given: object, words: Sequence[Word]) -> Word:
    """Give an option that is one of a few words.

    Raises:
        OptionError: It is none of them.
    """
    for known in words:
        if isinstance(given, str) and given == known:
            return known
    *some, last = map(repr, words)
    raise OptionError(
        f"{option} must be {', '.join(some)} or {last}, got {shown(given)}{did_you_mean(given, words)}",
        option=option,
        value=given,
    )

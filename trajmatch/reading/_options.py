"""Checking the options that adapters share."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from trajmatch._shown import shown
from trajmatch.errors import OptionError

__all__ = ["names_of_tools"]


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

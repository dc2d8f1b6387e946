"""Where the two sides are in what LangSmith hands over, and options that are checked alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from trajmatch import ConversionError, OptionError, Structure
from trajmatch.reading import choose, get, is_mapping, keys_of

__all__ = ["Place", "flag_option", "text_option"]

_PLACES = ("messages", "output")
_STORED = ({"notes", "messages"}, {"notes", "calls"})
"""The keys of a trajectory that was stored as JSON: the value itself."""
_NO_HISTORY = (type(None), str, bytes, int, float)


class Place(NamedTuple):
    """Where one side is found in what LangSmith hands over."""

    side: str
    key: str | None

    def find(self, given: object) -> object:
        """Give the side.

        Raises:
            ConversionError: It is not there, or could be in two places; with where it was looked for.
        """
        if self.key is not None:
            found = get(given, self.key)
            return self._missing(given, (self.key,)) if found is None else found
        if given is None or (is_mapping(given) and {*given} not in _STORED and not _is_expectation(given)):
            return self._under(given or {})
        return given

    def _under(self, given: Mapping[str, Any]) -> object:
        held = [name for name in _PLACES if not isinstance(given.get(name), _NO_HISTORY)]
        if len(held) > 1:
            raise ConversionError(
                f"{self.side}: {choose(held)} could both be meant; say which: {self.side}_key={held[0]!r}", keys=given
            )
        if held == ["messages"] and _is_expectation(given["messages"]):
            return given["messages"]
        if held == ["messages"]:
            return given  # whole, so that calls that stand beside them are not lost
        return given[held[0]] if held else self._missing(given, _PLACES)

    def _missing(self, given: object, names: Sequence[str]) -> object:
        keys = keys_of(given)
        seen = ", ".join(f"{key!r} ({type(get(given, key)).__name__})" for key in keys)
        raise ConversionError(
            f"{self.side}: nothing to read under {choose(names)}; there is {seen or 'nothing'}; "
            f"say where it is: {self.side}_key='...'",
            keys=keys,
        )


def _is_expectation(given: object) -> bool:
    """Whether a dict says itself what is expected."""
    return Structure.is_written(given) or (is_mapping(given) and [*given] == ["any_of"])


def text_option(option: str, value: object) -> str | None:
    """Give an option that is text, or `None` where it is not given.

    Raises:
        OptionError: Something else, or empty text.
    """
    if value is None or (isinstance(value, str) and value):
        return value
    raise OptionError(f"{option}: a text that is not empty, got {value!r}", option=option, value=value)


def flag_option(name: str, value: object) -> bool:
    """Give an option that is a bool.

    Raises:
        OptionError: Something else.
    """
    if isinstance(value, bool):
        return value
    raise OptionError(f"{name}: True or False, got {value!r}", option=name, value=value)

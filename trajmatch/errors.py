"""The errors of trajmatch: one root, and each class also the builtin that it refines."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trajmatch._result import MatchResult

__all__ = ["ConversionError", "CostError", "MatchFailure", "OptionError", "RuleError", "TrajmatchError"]


class TrajmatchError(Exception):
    """The root of all errors that trajmatch raises."""

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (type(self), self.args, self.__dict__)


def _restore(kind: type[TrajmatchError], args: tuple[object, ...], facts: dict[str, object]) -> TrajmatchError:
    """Give an error back after it was sent to another process: its class takes its facts by name."""
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(facts)
    return error


class ConversionError(TrajmatchError, ValueError):
    """A history, a call or stored JSON that cannot be read.

    Attributes:
        index: The position of the message or call at fault, or `None` where the whole input is.
        keys: The keys or attributes that were seen there.
        formats: The formats that were tried.
    """

    def __init__(
        self, text: str, *, index: int | None = None, keys: Iterable[str] = (), formats: Iterable[str] = ()
    ) -> None:
        super().__init__(text)
        self.index = index
        self.keys = tuple(keys)
        self.formats = tuple(formats)


class OptionError(TrajmatchError, ValueError):
    """An option that does not exist, has a wrong value, or could have no effect.

    Attributes:
        option: The name of the option.
        value: The value that was given.
    """

    def __init__(self, text: str, *, option: str, value: object = None) -> None:
        super().__init__(text)
        self.option = option
        self.value = value


class RuleError(TrajmatchError, RuntimeError):
    """A rule of the user's, or a value's own `==`, that raised or gave no bool; `__cause__` is what it raised.

    Attributes:
        tool: The tool whose arguments were compared.
        actual_index: The position of the actual call in the flat list.
        expected_index: The position of the expected call in the flat list.
    """

    def __init__(self, text: str, *, tool: str, actual_index: int, expected_index: int) -> None:
        super().__init__(text)
        self.tool = tool
        self.actual_index = actual_index
        self.expected_index = expected_index


class CostError(TrajmatchError, RuntimeError):
    """A structure whose best pairing cannot be found within the work that a search may do; nothing was guessed."""


class MatchFailure(TrajmatchError, AssertionError):
    """What `assert_match` raises when two runs differ; its text is the picture.

    Attributes:
        result: The `MatchResult`.
    """

    def __init__(self, result: MatchResult) -> None:
        super().__init__(result.render())
        self.result = result

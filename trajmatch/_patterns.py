"""Patterns that describe a text as a whole, within a limited time.

They run through the `regex` package, which can be stopped. A compiled pattern of `re` means there what it means in
`re`: its flags stand inside its text, by their names, and braces that are no repetition are escaped.
"""

from __future__ import annotations

import re
from sys import modules
from typing import Any, TypeGuard

__all__ = ["Pattern", "is_compiled"]

TIMEOUT = 0.5
"""So many seconds a pattern may take for one text."""
_BRACE = re.compile(r"(\\N\{[^}]*\}|\\.)|\{(?!\d+\}|\d*,\d*\})", re.DOTALL)
"""A brace that `re` takes as it is, and `regex` for the start of a pattern that is not exact."""
_FLAGS = {letter.lower(): letter for letter in "AIMSX"}
"""The flags of a pattern, as it may say them itself."""
_FLAGS_OF_REGEX = _FLAGS | {letter.lower(): letter for letter in "BEFPRW"} | {"V1": "V1"}


def is_compiled(value: object) -> TypeGuard[Any]:
    """Say whether a value is a compiled pattern, of `re` or of `regex`."""
    return isinstance(value, (re.Pattern, getattr(modules.get("regex"), "Pattern", ())))


class Pattern:
    """A pattern, as text or compiled.

    Args:
        written: The pattern.

    Raises:
        ValueError: It is none, in the words of the engine.
    """

    __slots__ = ("_compiled", "_slow", "written")

    def __init__(self, written: Any) -> None:
        import regex

        self.written: Any = written
        self._slow: set[str] = set()
        try:
            self._compiled: Any = written if isinstance(written, regex.Pattern) else regex.compile(self._text)
        except Exception as error:  # the engine has errors of its own
            raise ValueError(str(error)) from error

    @property
    def _text(self) -> str:
        written = self.written
        if isinstance(written, str):
            return written
        text, names, engine = written.pattern, _FLAGS_OF_REGEX, modules["regex"]
        if type(written) is re.Pattern:
            text, names, engine = _BRACE.sub(lambda found: found[1] or r"\{", text), _FLAGS, re
        flags = "".join(letter for letter, name in names.items() if written.flags & getattr(engine, name))
        return f"(?{flags}){text}" if flags else text

    @property
    def data(self) -> str:
        """The pattern as text that says its flags itself.

        Raises:
            ValueError: It has lists of words beside it.
        """
        if getattr(self.written, "named_lists", None):
            raise ValueError(f"{self!r} cannot be written as data: it has lists of words beside it")
        return self._text

    def fullmatch(self, text: str) -> bool | None:
        """Say whether it describes a text as a whole; `None` where that takes too long, which is tried once."""
        if text in self._slow:
            return None
        try:
            return self._compiled.fullmatch(text, timeout=TIMEOUT) is not None
        except TimeoutError:
            self._slow.add(text)
            return None

    def note(self, text: str) -> str:
        """Say what else there is to know of a text that it does not describe."""
        return f"the pattern took over {TIMEOUT} s" if self.fullmatch(text) is None else ""

    def __eq__(self, other: object) -> bool:
        return self.written == other.written if isinstance(other, Pattern) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it remembers

    def __repr__(self) -> str:
        return repr(self.written)

    def __reduce__(self) -> tuple[object, ...]:
        return Pattern, (self.written,)

"""The result of a check."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

__all__ = ["CheckResult"]


class CheckResult:
    """What a check found; true where it passed, and shown as its reason."""

    __slots__ = ("_passed", "_reason")

    def __init__(self, check: str, passed: bool, found: str, notes: Iterable[str] = ()) -> None:
        self._passed = passed
        self._reason = "; ".join(
            [f"{check}: {'PASS' if passed else 'FAIL'}", found, *(f"note: {note}" for note in notes)]
        )

    @property
    def passed(self) -> bool:
        """The verdict."""
        return self._passed

    @property
    def reason(self) -> str:
        """What was found, in one line."""
        return self._reason

    def to_dict(self) -> dict[str, Any]:
        """Give verdict and reason in the types of JSON."""
        return {"passed": self._passed, "reason": self._reason}

    def __bool__(self) -> bool:
        return self._passed

    def __repr__(self) -> str:
        return self._reason

"""How much work a search may do."""

from __future__ import annotations

__all__ = ["Exhausted", "Work"]


class Exhausted(Exception):
    """The search has done all the work that it may."""


class Work:
    """How many steps a search may still take."""

    def __init__(self, most: int) -> None:
        self.left = most

    def spend(self, steps: int) -> None:
        """Count steps.

        Raises:
            Exhausted: There are too many.
        """
        self.left -= steps
        if self.left < 0:
            raise Exhausted

"""Ids that stand for several records of a run."""

from __future__ import annotations

__all__ = ["SHARED_ID", "Ids"]

SHARED_ID = "one id stands for several records of different names, of which each is read"


class Ids:
    """The ids of the records of a run, which may tell of one thing several times.

    A record that has the id of another and another name is not the same thing told again.

    Attributes:
        shared: Whether some id stood for records of several names.
    """

    __slots__ = ("_names", "shared")

    def __init__(self) -> None:
        self._names: dict[str, dict[str, str]] = {}
        self.shared = False

    def of(self, id: str, name: str | None) -> str:
        """Give the id by which to know a record: its own, or another where that stands for another name."""
        known = self._names.setdefault(id, {})
        if name is None:
            return id
        if name not in known:
            known[name] = f"{id} ({name})" if known else id
            self.shared = len(known) > 1 or self.shared
        return known[name]

"""Which adapters claim a history: those that can read every message, and are certain of the most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from trajmatch.reading import Event, Recognised

__all__ = ["Adapter", "best", "refusals"]


class Adapter(Protocol):
    """What a module that reads one format offers."""

    def classify(self, message: object) -> Recognised:
        """Say whether a message is in this format."""
        ...

    def read(self, history: object, **options: Any) -> Iterator[Event]:
        """Give the events of a history."""
        ...


def best(items: Sequence[object], adapters: Mapping[str, Adapter]) -> dict[str, Adapter]:
    """Give the adapters that claim a history; there may be several, or none.

    A few messages show who is likely to be certain of the most. Who is asked after that adapter is asked no further
    than to the message that leaves it behind.
    """
    middle = len(items) // 2
    some = [items[place] for place in {0, max(middle - 1, 0), middle, len(items) - 1}]
    hopes = [(count, name) for name, adapter in adapters.items() if (count := _certain(adapter, some, 0)) is not None]
    found: list[str] = []
    most = 0
    for _, name in sorted(hopes, key=_first_most_certain):
        count = _certain(adapters[name], items, most)
        if count is not None:
            found = [name] if count > most else [*found, name]
            most = count
    return {name: adapters[name] for name in sorted(found)}


def _first_most_certain(hope: tuple[int, str]) -> int:
    return -hope[0]


def _certain(adapter: Adapter, items: Sequence[object], least: int) -> int | None:
    """Of how many items an adapter is certain; `None` where it refuses one, or is certain of fewer than `least`."""
    classify, spare = adapter.classify, len(items) - least
    try:
        for item in items:
            said = classify(item)
            if said != "certain":
                spare -= 1
                if said != "could_be" or spare < 0:  # "no", or no word at all
                    return None
    except Exception:  # values that raise when somebody looks at them: what cannot be looked at is not its format
        return None
    return spare + least


def refusals(items: Sequence[object], adapters: Mapping[str, Adapter], start: int = 0) -> dict[str, int]:
    """Give, for each adapter, the index of the first item from `start` on that it refuses; their number for none."""
    return {name: next(_refused(items, adapter, start), len(items)) for name, adapter in adapters.items()}


def _refused(items: Sequence[object], adapter: Adapter, start: int) -> Iterator[int]:
    return (index for index in range(start, len(items)) if _certain(adapter, [items[index]], 0) is None)

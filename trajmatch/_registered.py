"""The adapters of other packages: loaded one by one, so that a broken package breaks no sound one."""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from trajmatch._claims import Adapter
from trajmatch.errors import ConversionError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["ENTRY_POINTS", "broken", "entries", "load", "sound"]

ENTRY_POINTS = "trajmatch.adapters"
_NEEDED = ("classify", "read")


@lru_cache(maxsize=4)
def entries(taken: Container[str]) -> dict[str, EntryPoint]:
    """Give the entry points by name; where a name is taken, what it points to stands beside it.

    The look-up costs some 40 ms.
    """
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: entry.name)
    return {f"{entry.name} ({entry.value})" if entry.name in taken else entry.name: entry for entry in found}


@lru_cache(maxsize=128)
def load(entry: EntryPoint) -> Adapter:
    """Give the adapter of an entry point.

    Raises:
        ConversionError: Its module cannot be imported, or is no adapter.
    """
    try:
        adapter = entry.load()
    except (Exception, SystemExit) as error:
        raise _wrong(entry, f"cannot be loaded: {type(error).__name__}: {error}") from error
    for name in _NEEDED:
        if not callable(getattr(adapter, name, None)):
            raise _wrong(entry, f"has no function {name!r}")
    return cast("Adapter", adapter)


def _wrong(entry: EntryPoint, what: str) -> ConversionError:
    text = f"the adapter {entry.name!r} of another package, under the entry point {ENTRY_POINTS}, {what}"
    return ConversionError(text, formats=(entry.name,))


def sound(found: dict[str, EntryPoint]) -> dict[str, Adapter]:
    """Give those that can be loaded."""
    return {name: load(entry) for name, entry in found.items() if not _why_not(entry)}


def broken(found: dict[str, EntryPoint]) -> list[str]:
    """Say of the others what is wrong with them."""
    return [why for entry in found.values() if (why := _why_not(entry))]


def _why_not(entry: EntryPoint) -> str:
    try:
        load(entry)
    except ConversionError as error:
        return str(error)
    return ""

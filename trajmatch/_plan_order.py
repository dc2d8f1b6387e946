"""The order of the steps of a plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from trajmatch._nearest import did_you_mean
from trajmatch.errors import ConversionError

__all__ = ["Step", "check_order"]


class Step(NamedTuple):
    """The place of a part in a plan: its name, and the names of the steps that come before it."""

    name: str
    after: tuple[str, ...]


def check_order(places: Sequence[Step]) -> None:
    """Check that the steps of a plan can come one after the other.

    Raises:
        ConversionError: A name that is used twice or unknown, or steps that wait for each other.
    """
    known: dict[str, Step] = {}
    for place in places:
        if place.name in known:
            raise ConversionError(f"plan: two steps have the name {place.name!r}")
        known[place.name] = place
    for place in places:
        for name in place.after:
            if name not in known:
                raise ConversionError(
                    f"plan: step {place.name!r} comes after {name!r}, which is no step{did_you_mean(name, known)}"
                )
    done = set[str]()
    while waiting := [place for place in places if place.name not in done]:
        ready = {place.name for place in waiting if done.issuperset(place.after)}
        if not ready:
            names = ", ".join(repr(place.name) for place in waiting)
            raise ConversionError(f"plan: these steps wait for each other: {names}")
        done |= ready

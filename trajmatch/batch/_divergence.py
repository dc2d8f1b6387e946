"""Where the runs of one task part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from trajmatch._shown import printable
from trajmatch.batch._forms import counts_of, text_of

__all__ = ["Divergence"]

_END = ""
"""What stands for the end of a run among the calls that came next; no call is empty."""


@dataclass(slots=True)
class Divergence:
    """The calls with which all runs begin, and what each did next.

    It is kept in a canonical form, the longest beginning that all share, so that the order of runs leaves no trace.
    The calls are one text, which takes a fifth of the memory of a tuple.

    Attributes:
        shared: The calls with which all runs begin, a line each.
        onward: How many runs made which call next; the empty text is the end of a run.
    """

    shared: str = ""
    onward: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, calls: Iterable[str]) -> None:
        """Take in the calls of one run."""
        self.merge(Divergence("\n".join(printable(call) or ":" for call in calls), {_END: 1}))

    def merge(self, other: Divergence) -> None:
        """Take in what is known of other runs."""
        if not self.onward:
            self.shared, self.onward = other.shared, {**other.onward}
        elif self.shared == other.shared or not other.onward:
            self.onward = _added(self.onward, other.onward)
        else:
            ours, theirs = _calls(self.shared), _calls(other.shared)
            length = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(ours, theirs, strict=False)))
            self.onward = _added(_after(length, ours, self.onward), _after(length, theirs, other.onward))
            self.shared = "\n".join(ours[:length])

    @property
    def index(self) -> int | None:
        """The index of the first call that is not the same in all runs; `None` where all runs are the same."""
        return len(_calls(self.shared)) if len(self.onward) > 1 else None

    @property
    def names(self) -> tuple[tuple[str, int], ...]:
        """What the runs did there: the name of the call, or `(end)`, and how many did so, the most frequent call first.

        Calls of a name that occurs with several arguments are two: the most frequent of them, and the others.
        """
        found: dict[str, int] = {}
        for call, runs in sorted(self.onward.items(), key=lambda item: (-item[1], item[0])):
            name = _name(call)
            shown = f"{name} (other arguments)" if name in found else name
            found[shown] = found.get(shown, 0) + runs
        return tuple(found.items())

    def __str__(self) -> str:
        """Say it: `[2] 3 book, 1 search`; nothing where all runs are the same."""
        return (
            "" if self.index is None else f"[{self.index}] {', '.join(f'{runs} {name}' for name, runs in self.names)}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Give it, and what is read from it, in the types of JSON."""
        onward = dict(sorted(self.onward.items()))
        return {"index": self.index, "names": dict(self.names), "shared": self.shared, "onward": onward}

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> Divergence:
        """Give what `to_dict` gave.

        Raises:
            ConversionError: It is none.
        """
        return cls(text_of(form, "shared"), counts_of(form, "onward"))


def _calls(shared: str) -> list[str]:
    return shared.split("\n") if shared else []


def _added(counts: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    return {**counts, **{key: counts.get(key, 0) + count for key, count in more.items()}}


def _after(length: int, calls: list[str], onward: Mapping[str, int]) -> Mapping[str, int]:
    """What runs did behind so many calls: where they share more, all made the next of these."""
    return onward if length == len(calls) else {calls[length]: sum(onward.values())}


def _name(call: str) -> str:
    return (call.rpartition(":")[0] or call) if call else "(end)"

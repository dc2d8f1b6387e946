"""The ladder: the strictest standards that a run meets, and where it fails the next ones.

A standard is a way to pair, with the arguments as the options say or without them. Standards are a partial order: one
is stricter than another where whatever meets it meets the other, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trajmatch._explain import first_difference
from trajmatch._outcome import Outcome
from trajmatch._rules import parse_rule
from trajmatch._tool_rules import Rules
from trajmatch._views import views
from trajmatch.errors import TrajmatchError

__all__ = ["Ladder", "ladder"]


class Ladder(NamedTuple):
    """What a run meets, and what it does not.

    Attributes:
        passes: The strictest standards that it meets: no other one that it meets is stricter than one of them.
        fails: The loosest standards that it fails, each with the first difference.
    """

    passes: tuple[str, ...]
    fails: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        met = f"passes {', '.join(self.passes)}" if self.passes else "passes nothing"
        return "; ".join([met, *(f"fails {name}: {why}" for name, why in self.fails)])


class _Way(NamedTuple):
    """One way to pair, and those that are looser by one step."""

    mode: str
    allow_extra: bool = False
    allow_missing: bool = False
    looser: tuple[str, ...] = ()


_LISTS: dict[str, _Way] = {
    "strict": _Way("strict", looser=("unordered",)),
    "exact": _Way("exact", looser=("unordered", "in_order with allow_extra", "in_order with allow_missing")),
    "in_order with allow_extra": _Way("in_order", allow_extra=True, looser=("superset",)),
    "in_order with allow_missing": _Way("in_order", allow_missing=True, looser=("subset",)),
    "unordered": _Way("unordered", looser=("superset", "subset")),
    "superset": _Way("superset"),
    "subset": _Way("subset"),
}
_STRUCTURES: dict[str, _Way] = {
    "structure": _Way("structure", looser=("structure with allow_extra", "structure with allow_missing")),
    "structure with allow_extra": _Way("structure", allow_extra=True),
    "structure with allow_missing": _Way("structure", allow_missing=True),
}
_RULES = {"": None, " ignoring arguments": "ignore"}
"""What the arguments are compared by: the rules of the options, or nothing."""


def ladder(outcome: Outcome) -> Ladder:
    """Try the standards, and sort out which are the strictest that hold and the loosest that do not."""
    ways = _STRUCTURES if outcome.settings.mode_name == "structure" else _LISTS
    tried = {(way, rule): found for way in ways for rule in _RULES if (found := _tried(outcome, ways[way], rule))}
    looser = {key: [*_looser(ways, *key)] for key in tried}
    met = [key for key, found in tried.items() if found.passed]
    beaten = {other for key in met for other in looser[key]}
    open_ = [key for key in tried if key not in met and all(o in met for o in looser[key] if o in tried)]
    return Ladder(
        tuple("".join(key) for key in met if key not in beaten),
        tuple(("".join(key), first_difference(tried[key], views(tried[key]))) for key in open_),
    )


def _looser(ways: dict[str, _Way], way: str, rule: str) -> Iterator[tuple[str, str]]:
    """The standards that are looser by one step."""
    yield from ((other, rule) for other in ways[way].looser)
    if not rule:
        yield way, " ignoring arguments"


def _tried(outcome: Outcome, way: _Way, rule: str) -> Outcome | None:
    """The same match by a standard; `None` where it cannot be asked for, as `strict` without messages."""
    word = _RULES[rule]
    rules = outcome.settings.rules if word is None else Rules(parse_rule(word, "args"), {})
    settings = outcome.settings._replace(
        mode_name=way.mode, allow_extra=way.allow_extra, allow_missing=way.allow_missing, threshold=1.0, rules=rules
    )
    try:
        return outcome.under(settings)
    except TrajmatchError:
        return None

"""Aligning messages: the mode `strict`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from trajmatch._alignment import Pairs, all_equal, may_pair_early, pair_up, same_call, strip
from trajmatch._columns import Calls, Columns, Spoken
from trajmatch._early import in_any_order
from trajmatch._message import fold_role
from trajmatch._pairing import bits, longest, longest_pairs, maximum
from trajmatch._relation import relation
from trajmatch._tool_rules import Rules
from trajmatch._trajectory import Trajectory
from trajmatch._twins import equal_rows, json_alone, twins

__all__ = ["MessageAlignment", "Unit", "units_of"]


class Unit(NamedTuple):
    """A message that counts: its place in the history, its role, and the places of its calls among those that count."""

    position: int
    role: str
    calls: range


def units_of(
    trajectory: Trajectory, spoken: Sequence[Spoken], counted: Calls, ignored: Collection[str]
) -> tuple[list[Unit], Calls]:
    """Give the messages that count, of those of a trajectory, and the calls in them.

    Left out are messages of ignored roles, what a framework added beside results, the results of calls that do not
    count, and messages whose calls all do not count; one that only gives structured output stays, as if it were text.
    """
    columns = trajectory.columns
    batches: dict[int, list[int]] = {}
    for place, position in enumerate(counted.positions):
        batches.setdefault(columns.places[position], []).append(place)
    whole = len(counted) == len(columns)
    idle = set[int]() if whole else {*range(len(columns))}.difference(counted.positions)
    left_out = _beside_results(spoken) | _emptied(columns, batches, idle)
    units: list[Unit] = []
    places: list[int] = []
    for position, (word, _, _, answers, _) in enumerate(spoken):
        role = fold_role(word)
        if role not in ignored and position not in left_out and answers not in idle:
            held = batches.get(position, ())
            units.append(Unit(position, role, range(len(places), len(places) + len(held))))
            places += held
    return units, counted.select(places)


def _emptied(columns: Columns, batches: Mapping[int, object], idle: Iterable[int]) -> set[int]:
    """The positions of messages of which no call counts, unless these are structured output."""
    gone = [position for position in idle if columns.places[position] not in batches]
    kept = {columns.places[position] for position in gone if columns.kind(position) == "output"}
    return {columns.places[position] for position in gone} - kept


def _beside_results(spoken: Sequence[Spoken]) -> set[int]:
    """The positions of the feedback that stands next to a result, with nothing but feedback between."""
    beside: set[int] = set()
    speech = [(i, fold_role(role) == "tool") for i, (role, _, feedback, _, _) in enumerate(spoken) if not feedback]
    if len(speech) < len(spoken):
        for (before, after_result), (after, before_result) in pairwise([(-1, False), *speech, (len(spoken), False)]):
            if after_result or before_result:
                beside.update(range(before + 1, after))
    return beside


class MessageAlignment:
    """The messages that count on both sides, and how they and their calls pair.

    Attributes:
        actual: The actual calls that count, each with its position in the flat list.
        expected: The expected calls.
        rules: The rules of the tools.
        actual_units: The actual messages.
        expected_units: The expected messages.
        size: The number of messages that pair.
    """

    def __init__(
        self, actual: Calls, expected: Calls, rules: Rules, actual_units: list[Unit], expected_units: list[Unit]
    ) -> None:
        self.actual, self.expected, self.rules = actual, expected, rules
        self.actual_units, self.expected_units = actual_units, expected_units
        self.size = self._in_order()

    @property
    def extra(self) -> int:
        """The number of actual messages without a pair."""
        return len(self.actual_units) - self.size

    @property
    def missing(self) -> int:
        """The number of expected messages without a pair."""
        return len(self.expected_units) - self.size

    @cached_property
    def paired(self) -> int:
        """The number of calls in the messages that pair."""
        if not self.extra and not self.missing:
            return len(self.actual)
        return len(self.pairs)

    @cached_property
    def rows(self) -> list[int]:
        """The relation of the calls."""
        return relation(self.actual, self.expected, self.rules)

    @cached_property
    def unit_pairs(self) -> Pairs:
        """The places of the messages that pair."""
        as_related = self._early and self.rules.exact and None not in self.expected.given
        equal = self.rows if as_related else equal_rows(self.actual, self.expected, self.rows)
        return longest_pairs(self._unit_rows(self.rows), len(self.expected_units), self._unit_rows(equal))

    @cached_property
    def pairs(self) -> Pairs:
        """The places of the calls that pair."""
        units = [(self.actual_units[i], self.expected_units[j]) for i, j in self.unit_pairs]
        return [pair for ours, theirs in units if ours.calls for pair in self._pairs_in(ours, theirs)]

    @cached_property
    def _early(self) -> bool:
        """Whether equal calls pair before all others, and each has a key."""
        early = may_pair_early(self.actual, self.expected, self.rules)
        return early and json_alone(self.actual) and json_alone(self.expected)

    def _pairs_in(self, actual: Unit, expected: Unit) -> Pairs:
        ours, theirs = self.actual.select(actual.calls), self.expected.select(expected.calls)
        if self._early:
            pairs = in_any_order(ours, theirs, self.rules, twins(ours, theirs))
        else:
            rows = relation(ours, theirs, self.rules)
            pairs = pair_up(ours, theirs, self.rules, rows, equal_rows(ours, theirs, rows))
        return [(actual.calls[i], expected.calls[j]) for i, j in pairs]

    def _in_order(self) -> int:
        ours, theirs = self.actual_units, self.expected_units
        if may_pair_early(self.actual, self.expected, self.rules):
            if _outline(ours) == _outline(theirs) and all_equal(self.actual, self.expected):
                return len(ours)
            start, stop = strip(len(ours), len(theirs), lambda i, j: self._same(ours[i], theirs[j]))
            if start + stop == min(len(ours), len(theirs)):
                return start + stop
        return longest(self._unit_rows(self.rows), len(theirs))

    def _same(self, actual: Unit, expected: Unit) -> bool:
        count = len(actual.calls)
        if actual.role != expected.role or count != len(expected.calls):
            return False
        pairs = zip(actual.calls, expected.calls, strict=True)
        if all(same_call(self.actual, i, self.expected, j, self.rules) for i, j in pairs):
            return True
        return count > 1 and maximum(self._rows_between(actual, expected))[0] == count

    def _rows_between(self, actual: Unit, expected: Unit) -> list[int]:
        """The relation of the calls of two messages."""
        return relation(self.actual.select(actual.calls), self.expected.select(expected.calls), self.rules)

    def _unit_rows(self, rows: list[int]) -> list[int]:
        """The relation of the messages: the same role, and calls that all pair."""
        alike = defaultdict[tuple[str, int], int](int)
        owner: dict[int, int] = {}
        for j, unit in enumerate(self.expected_units):
            alike[unit.role, len(unit.calls)] |= 1 << j
            owner.update(dict.fromkeys(unit.calls, 1 << j))
        owners = {row: _union(owner[place] for place in bits(row)) for row in set(rows)}
        return [self._unit_row(unit, alike[unit.role, len(unit.calls)], rows, owners) for unit in self.actual_units]

    def _unit_row(self, unit: Unit, candidates: int, rows: list[int], owners: dict[int, int]) -> int:
        for place in unit.calls:
            candidates &= owners[rows[place]]
        if len(unit.calls) < 2:
            return candidates
        return sum(1 << j for j in bits(candidates) if self._all_pair(unit, self.expected_units[j], rows))

    def _all_pair(self, actual: Unit, expected: Unit, rows: list[int]) -> bool:
        every = (1 << len(expected.calls)) - 1
        return maximum([rows[i] >> expected.calls.start & every for i in actual.calls])[0] == len(actual.calls)


def _outline(units: Iterable[Unit]) -> list[tuple[str, int]]:
    """Who speaks, and how many calls that makes."""
    return [(unit.role, len(unit.calls)) for unit in units]


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union

"""Solving a match: settings and two trajectories in, the alignment with its verdict and score out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from trajmatch._alignment import CallAlignment, Pairs
from trajmatch._columns import Calls, Columns, Spoken
from trajmatch._messages import MessageAlignment, units_of
from trajmatch._model import ToolCall
from trajmatch._naming import AS_WRITTEN
from trajmatch._rules import Rule
from trajmatch._settings import Settings
from trajmatch._structure import Structure, calls_in
from trajmatch._structure_match import Grading, Part, StructureAlignment, align
from trajmatch._trajectory import Trajectory
from trajmatch.errors import ConversionError

__all__ = ["Choice", "Outcome", "best", "joined", "solve"]

Alignment = CallAlignment | MessageAlignment | StructureAlignment


class Choice(NamedTuple):
    """Which of several whole expectations was met best, the word by which they were written, and the match of each."""

    word: str
    chosen: int
    outcomes: tuple[Outcome, ...]


class Outcome(NamedTuple):
    """A match that was solved; everything that is said of it is read from here."""

    settings: Settings
    actual: Trajectory
    expected: Trajectory
    alignment: Alignment
    structure: Structure | None = None
    choice: Choice | None = None
    turns: tuple[Outcome, ...] = ()

    @property
    def forbidden(self) -> tuple[int, ...]:
        """The places of the actual calls that are forbidden."""
        return self.alignment.forbidden if isinstance(self.alignment, StructureAlignment) else ()

    @property
    def parts(self) -> Sequence[Part]:
        """What may stand for each expected call."""
        if isinstance(self.alignment, StructureAlignment):
            return self.alignment.parts
        return [Part((call,)) for _, call in self.alignment.expected]

    def under(self, settings: Settings) -> Outcome:
        """Solve the same match with other settings.

        Raises:
            TrajmatchError: As `solve` does.
        """
        if self.choice:
            return best([one.under(settings) for one in self.choice.outcomes], self.choice.word)
        if self.turns:
            return joined(settings, self.actual, [turn.under(settings) for turn in self.turns])
        return solve(settings, self.actual, self.expected if self.structure is None else self.structure)

    def rule(self, j: int) -> Rule:
        """Give the rule under which the expected call at a place is compared."""
        expected = self.alignment.expected
        return self.settings.rules.of(expected.names[j], expected.own_rules.get(j))

    @property
    def signature(self) -> str:
        """What the score depends on: the options, and the rules of single expected calls."""
        own = self.expected.columns.own_rules
        if self.structure:  # whatever it came to stand for
            own = {at: call.own_rule for at, call in enumerate(calls_in(self.structure)) if call.own_rule}
        told = [f"expected[{at}]={rule.text}" for at, rule in own.items()]
        return self.settings.signature_with(told) if told else self.settings.signature

    @property
    def precision(self) -> float:
        """Pairs / actual calls, 1.0 without any."""
        return _ratio(self.alignment.paired, len(self.alignment.actual))

    @property
    def recall(self) -> float:
        """Pairs / expected calls, 1.0 without any."""
        return _ratio(self.alignment.paired, len(self.alignment.expected))

    @property
    def f1(self) -> float:
        """2 x pairs / (actual + expected calls), 1.0 without any."""
        return _ratio(2 * self.alignment.paired, len(self.alignment.actual) + len(self.alignment.expected))

    @property
    def score(self) -> float:
        """The graded score, or 1 and 0."""
        if not self.settings.mode.graded:
            return float(self._complete)
        if self.settings.allow_extra:
            return self.recall
        return self.precision if self.settings.allow_missing else self.f1

    @property
    def closeness(self) -> float:
        """The graded score; F1 where the score says no more than the verdict."""
        return self.score if self.settings.mode.graded else self.f1

    @property
    def passed(self) -> bool:
        """The verdict."""
        if self.settings.mode.graded:
            return self.score >= self.settings.threshold and not self.forbidden
        return all(turn.passed for turn in self.turns) if self.turns else self._complete

    @property
    def _complete(self) -> bool:
        mode, alignment = self.settings.mode, self.alignment
        return (mode.extra or not alignment.extra) and (mode.missing or not alignment.missing)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def solve(settings: Settings, actual: Trajectory, expected: Trajectory | Structure) -> Outcome:
    """Align a run with what was expected.

    Raises:
        ConversionError: A side without messages, in `strict`.
        CostError: A structure that takes too long.
        OptionError: The statuses that `calls` needs are not there.
        RuleError: A rule raised or gave no bool.
    """
    if isinstance(expected, Structure):
        return _solve_structure(settings, actual, expected)
    outputs = expected.columns.outputs and expected.spoken is None
    ours = settings.counting.of_actual(actual, outputs=outputs)
    theirs = settings.counting.of_expected(expected, outputs=outputs)
    if settings.naming is not AS_WRITTEN:
        ours, theirs = settings.naming.renamed(ours), settings.naming.renamed(theirs)
    mode = settings.mode
    if not mode.by_message:
        in_calls = CallAlignment(ours, theirs, settings.rules, ordered=mode.ordered)
        return Outcome(settings, actual, expected, in_calls)
    our_units, our_calls = units_of(actual, _spoken("actual", actual), ours, settings.ignore_roles)
    their_units, their_calls = units_of(expected, _spoken("expected", expected), theirs, settings.ignore_roles)
    aligned = MessageAlignment(our_calls, their_calls, settings.rules, our_units, their_units)
    return Outcome(settings, actual, expected, aligned)


def _spoken(side: str, trajectory: Trajectory) -> Sequence[Spoken]:
    spoken = trajectory.spoken
    if spoken is None:
        raise ConversionError(
            f"mode 'strict' compares messages, and {side} is a list of calls; say mode='exact', or hand over "
            "the whole history"
        )
    return spoken


def _solve_structure(settings: Settings, actual: Trajectory, structure: Structure) -> Outcome:
    outputs = any(call.kind == "output" for call in calls_in(structure))
    ours = settings.naming.renamed(settings.counting.of_actual(actual, outputs=outputs))
    grading = Grading(settings.allow_extra, settings.allow_missing, settings.threshold)
    places = actual.columns.places if actual.spoken is not None else range(len(actual.columns))
    batches = [places[position] for position in ours.positions]
    alignment, calls = align(ours, structure, settings.rules, settings.naming, grading, batches)
    return Outcome(settings, actual, Trajectory(calls=calls), alignment, structure)


def best(outcomes: Sequence[Outcome], word: str) -> Outcome:
    """Give the best of several outcomes of one run: it passes, scores higher, leaves less over, or is the first."""
    ranks = [(each.passed, each.closeness, -each.alignment.extra - each.alignment.missing) for each in outcomes]
    chosen = ranks.index(max(ranks))
    return outcomes[chosen]._replace(choice=Choice(word, chosen, tuple(outcomes)))


def joined(settings: Settings, run: Trajectory, turns: Sequence[Outcome]) -> Outcome:
    """Give one outcome of all turns of a run: their calls one after the other, and their pairs."""
    positions, calls, pairs, forbidden, parts = list[int](), list[ToolCall](), Pairs(), list[int](), list[Part]()
    start = 0
    for turn in turns:
        ours, theirs = turn.alignment.actual, turn.alignment.expected
        pairs += [(i + len(positions), j + len(calls)) for i, j in turn.alignment.pairs]
        forbidden += [i + len(positions) for i in turn.forbidden]
        positions += [start + position for position in ours.positions]
        parts += turn.parts
        calls += theirs.calls
        start += len(turn.actual.columns)
    actual = settings.naming.renamed(Calls(run.columns, positions))
    expected = settings.naming.renamed(Calls(Columns.of(tuple(calls))))
    alignment = StructureAlignment(actual, expected, settings.rules, pairs, tuple(forbidden), tuple(parts))
    return Outcome(settings, run, Trajectory(calls=calls), alignment, turns=tuple(turns))

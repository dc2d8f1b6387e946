"""Matching a run with a structure: the best pairing over all that the structure may stand for.

Best is, in this order: it passes; its score is higher; less is left over; it comes earlier in the written order. For
one expansion the score is a ratio of sums over pairs, whose maximum is found by the method of Dinkelbach (1967): the
pairs are weighed by a score that was reached, until none is better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from trajmatch._columns import Calls, Columns
from trajmatch._expansion import Expansion, Scope, expansions
from trajmatch._model import ToolCall
from trajmatch._naming import Naming
from trajmatch._pairing import Pairs, bits, transpose
from trajmatch._poset import Leaves, heaviest
from trajmatch._relation import Sides, relation
from trajmatch._structure import Element, Structure, calls_in
from trajmatch._tool_rules import Rules
from trajmatch._work import Exhausted, Work
from trajmatch.errors import CostError

__all__ = ["Found", "Grading", "Part", "Search", "StructureAlignment", "align"]

MOST_WORK = 800_000
"""So many steps a search may take: some two seconds."""
_SETTLING = 80_000
"""So many steps it may take to tell which of several pairings that are equally good is the first as written."""


class Score(NamedTuple):
    """A ratio of two numbers of calls."""

    part: int
    whole: int

    @property
    def value(self) -> float:
        """The ratio, which floats tell apart for runs of up to 50 million calls; 1.0 of nothing."""
        return self.part / self.whole if self.whole else 1.0


class Grading(NamedTuple):
    """How a pairing is graded.

    Attributes:
        allow_extra: The score is the recall.
        allow_missing: The score is the precision.
        threshold: The score from which it passes.
    """

    allow_extra: bool
    allow_missing: bool
    threshold: float

    def score(self, pairs: int, actual: int, expected: int) -> Score:
        """Give the score, as in the graded modes."""
        if self.allow_extra:
            return Score(pairs, expected)
        return Score(pairs, actual) if self.allow_missing else Score(2 * pairs, actual + expected)

    def weights(self, reached: Score, most: int) -> tuple[int, int]:
        """Give the weights of a pair of a needed call and of an optional one, to find a score better than one reached.

        Of pairings that are not better, the one that leaves less over weighs more; there are at most so many pairs.
        """
        top, bottom = reached if reached.whole else (1, 1)
        needed, optional = 2 * bottom, 2 * bottom - top
        if self.allow_extra:
            needed, optional = bottom, bottom - top
        elif self.allow_missing:
            needed, optional = bottom, bottom
        scale = 2 * most + 1
        return needed * scale + 2, optional * scale + 1


class Found(NamedTuple):
    """The best pairing of an expansion.

    Attributes:
        expansion: What the structure stands for.
        pairs: The places of the calls that pair.
        score: The score.
        left_over: The number of calls without a pair.
        hit: The places of the actual calls that are forbidden.
        passed: The verdict.
    """

    expansion: Expansion
    pairs: Pairs
    score: Score
    left_over: int
    hit: tuple[int, ...]
    passed: bool

    @property
    def rank(self) -> tuple[bool, float, int]:
        """What it is compared by: the more, the better."""
        return self.passed, self.score.value, -self.left_over


_NOTHING = Score(0, 1)
_NONE = Found(Expansion(), [], Score(-1, 1), 0, (), False)


class Search:
    """The search for the best pairing of one run.

    Args:
        actual: The calls of the run that count.
        expected: The calls in the structure, each object once.
        rules: The rules of the tools.
        grading: How a pairing is graded.
        batches: For each actual call, the number of its batch.
    """

    def __init__(self, actual: Calls, expected: Calls, rules: Rules, grading: Grading, batches: Sequence[int]) -> None:
        self.count, self.grading, self.batches = len(actual), grading, batches
        self.work = Work(MOST_WORK)
        self.actual = actual
        columns = transpose(relation(actual, expected, rules), len(expected))
        self.columns = {id(call): column for (_, call), column in zip(expected, columns, strict=True)}
        self.tools = {id(call): tool for (_, call), tool in zip(expected, expected.names, strict=True)}

    def best(self, structure: Element) -> Found:
        """Give the best pairing of all expansions.

        Raises:
            Exhausted: It takes too long.
        """
        best = _NONE
        for expansion in expansions(structure, Scope(self._takers, self.work)):
            for found in self._candidates(expansion, best):
                best = max(best, found, key=lambda found: found.rank)  # the first of equals
            if best.passed and best.score.value == 1 and not best.left_over:
                break
        return self._settled(best)

    def _takers(self, element: Element) -> int:
        """The number of places that calls of an element may take."""
        return self._column(calls_in(element)).bit_count()

    def _candidates(self, expansion: Expansion, best: Found) -> Iterator[Found]:
        """The best pairing of an expansion; before it the one that takes all forbidden calls, which may pass alone."""
        hits = self._hits(expansion)
        reached = best.score if best.passed else _NOTHING
        if hits:
            yield self._graded(expansion, hits, hits, _NOTHING)
        yield self._graded(expansion, hits, 0, reached)

    def _graded(self, expansion: Expansion, hits: int, bonus: int, reached: Score) -> Found:
        """The best pairing of one expansion, if it reaches this score; the places in `bonus` go before all others."""
        while True:
            found = self._found(expansion, hits, self._pairs(expansion, bonus, reached))
            if found.score.value <= reached.value or not found.left_over:
                return found
            reached = found.score

    def _settled(self, best: Found) -> Found:
        """The same with the choices between calls settled: the first is taken with which nothing is worse.

        Where that takes long, later choices are settled by what they are paired with.
        """
        self.work, written = Work(_SETTLING), best.expansion
        try:
            for leaf, choice in enumerate(written.calls):
                tried = (self._with(best, leaf, call) for call in choice if len(choice) > 1)
                best = next((found for found in tried if found.rank >= best.rank), best)
        except Exhausted:
            pass
        return best._replace(expansion=written)

    def _with(self, found: Found, leaf: int, call: ToolCall) -> Found:
        """The best pairing in which only this call may take the place of a leaf."""
        calls = (*found.expansion.calls[:leaf], (call,), *found.expansion.calls[leaf + 1 :])
        expansion, hits = found.expansion._replace(calls=calls), self._hits(found.expansion)
        return self._found(expansion, hits, self._pairs(expansion, 0 if found.hit else hits, found.score))

    def _pairs(self, expansion: Expansion, bonus: int, reached: Score) -> Pairs:
        self.work.spend(20 + 4 * len(expansion.calls) + 2 * self.count)
        columns = [self._column(choice) for choice in expansion.calls]
        needed, optional = self.grading.weights(reached, len(columns))
        weights = [needed if one else optional for one in expansion.needed]
        extra = (sum(weights) + 1) if bonus else 0
        bonuses = [extra * (bonus >> place & 1) for place in range(self.count)]
        leaves = Leaves(expansion.before, expansion.group)
        return heaviest(leaves, columns, weights, bonuses, self.batches, self.work)

    def _hits(self, expansion: Expansion) -> int:
        """The places of calls that are forbidden, or could be, as far as their arguments can be read."""
        stated = {self.tools[id(call)] for call in expansion.forbidden if call.arguments is not None}
        hits = self._column(expansion.forbidden)
        for place, tool in enumerate(self.actual.names) if stated else ():
            if tool in stated and self.actual[place][1].arguments is None:
                hits |= 1 << place
        return hits

    def taken(self, choice: Sequence[ToolCall], place: int) -> ToolCall:
        """The first of some calls that may take a place; the first of all where there is none."""
        return next((call for call in choice if self.columns[id(call)] & place), choice[0])

    def _column(self, calls: Iterable[ToolCall]) -> int:
        """The places of some calls."""
        column = 0
        for call in calls:
            column |= self.columns[id(call)]
        return column

    def _found(self, expansion: Expansion, hits: int, pairs: Pairs) -> Found:
        taken = {leaf for _, leaf in pairs}
        expected = sum(needed or leaf in taken for leaf, needed in enumerate(expansion.needed))
        hit = tuple(place for place in bits(hits) if place not in {place for place, _ in pairs})
        score = self.grading.score(len(pairs), self.count, expected)
        return Found(
            expansion,
            pairs,
            score,
            self.count + expected - 2 * len(pairs),
            hit,
            score.value >= self.grading.threshold and not hit,
        )


class Part(NamedTuple):
    """A place of a structure that one call may take.

    Attributes:
        choice: The calls that may take it.
        batch: The number of the batch that it shares, or -1.
    """

    choice: tuple[ToolCall, ...]
    batch: int = -1


class StructureAlignment(Sides):
    """The calls of a run, those that a structure came to stand for, and how they pair.

    Attributes:
        pairs: The places of the calls that pair.
        forbidden: The places of the actual calls that are forbidden.
        parts: For each expected call, the part of the structure that it stands for.
    """

    def __init__(
        self,
        actual: Calls,
        expected: Calls,
        rules: Rules,
        pairs: Pairs,
        forbidden: tuple[int, ...],
        parts: tuple[Part, ...],
    ) -> None:
        super().__init__(actual, expected, rules)
        self.pairs, self.forbidden, self.parts = pairs, forbidden, parts
        self.paired = len(pairs)


def align(
    actual: Calls, structure: Structure, rules: Rules, naming: Naming, grading: Grading, batches: Sequence[int]
) -> tuple[StructureAlignment, tuple[ToolCall, ...]]:
    """Find the best pairing of a run and a structure; give it with the calls that the structure came to stand for.

    Raises:
        CostError: That takes too long; the text names the part that does.
        RuleError: A rule, or a value's own `==`, raised or gave no bool.
    """
    every = tuple({id(call): call for call in calls_in(structure)}.values())
    try:
        search = Search(actual, naming.renamed(Calls(Columns.of(every))), rules, grading, batches)
        found = search.best(structure)
    except Exhausted:
        raise CostError(_costly(actual, structure, naming)) from None
    taken = {leaf for _, leaf in found.pairs}
    kept = [leaf for leaf, needed in enumerate(found.expansion.needed) if needed or leaf in taken]
    places = {leaf: place for place, leaf in enumerate(kept)}
    at = {leaf: 1 << i for i, leaf in found.pairs}
    calls = tuple(search.taken(found.expansion.calls[leaf], at.get(leaf, 0)) for leaf in kept)
    expected = naming.renamed(Calls(Columns.of(calls)))
    pairs = [(i, places[leaf]) for i, leaf in found.pairs]
    parts = tuple(Part(found.expansion.calls[leaf], found.expansion.group[leaf]) for leaf in kept)
    return StructureAlignment(actual, expected, rules, pairs, found.hit, parts), calls


def _costly(actual: Calls, structure: Structure, naming: Naming) -> str:
    """What to say of a search that took too long: which calls may stand for most parts."""
    parts = Counter(naming.read(call.name) for call in calls_in(structure))
    if not parts:
        return f"the structure cannot be solved within {MOST_WORK} steps: it repeats what holds no call"
    tool = max(parts, key=lambda name: (parts[name] * actual.names.count(name), parts[name]))
    return (
        f"the structure cannot be solved within {MOST_WORK} steps: {actual.names.count(tool)} calls of {tool!r} may "
        f"stand for {parts[tool]} parts in many ways; give these parts arguments, an order, or fewer choices"
    )

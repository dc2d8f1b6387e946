"""What is counted of many runs, and what is read from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from sys import intern
from typing import Any, Self

from trajmatch.batch._divergence import Divergence
from trajmatch.batch._forms import counts_of, mapping_of, number_of, texts_of
from trajmatch.batch._rates import wilson
from trajmatch.batch._result_row import ResultRow
from trajmatch.errors import ConversionError, OptionError

__all__ = ["UNITS", "GroupTally", "Tally", "score_units", "signed"]

UNITS = 1 << 60
"""Scores are added as whole numbers of this part of 1, since a sum of floats depends on the order of its parts.

A score from 2**-8 on is such a number exactly, as is 0.0; a smaller one is rounded by less than a float near 1 is.
"""


def score_units(row: ResultRow) -> int:
    """Give the score of a run in units of 2**-60; 0 where there is an error.

    Raises:
        OptionError: A score that is not from 0 to 1.
    """
    if row.error is not None or row.score is None:
        return 0
    if not 0 <= row.score <= 1:
        text = f"rows: line {row.line}: a score is from 0 to 1, got {row.score!r}"
        raise OptionError(text, option="rows", value=row)
    return round(row.score * UNITS)


_SIGNATURES = 20
"""So many signatures are kept; expectations with rules of their own have one each."""


@lru_cache(maxsize=1 << 10)
def signed(signatures: tuple[str, ...], signature: str | None) -> tuple[str, ...]:
    """Give signatures and one more, each once, sorted, and the first of them where they are many."""
    if signature is None or signature in signatures:
        return signatures
    return tuple(sorted({*signatures, signature})[:_SIGNATURES])


@dataclass(slots=True)
class Tally:
    """Counts of runs, which add up to the same in every order.

    A run with an error counts as not passed, with a score of 0.0.

    Attributes:
        runs: How many runs there are, those with errors with them.
        passed: How many passed.
        units: The sum of their scores, in units of 2**-60.
        error_counts: How many have an error of each class.
        difference_counts: How many have each difference.
        signatures: What the scores depend on, each once, sorted, at most twenty; with more than one, they are not
            comparable.
    """

    runs: int = 0
    passed: int = 0
    units: int = 0
    error_counts: dict[str, int] = field(default_factory=dict[str, int])
    difference_counts: dict[str, int] = field(default_factory=dict[str, int])
    signatures: tuple[str, ...] = ()

    @property
    def pass_rate(self) -> float | None:
        """Passed / runs; `None` where there are no runs."""
        return self.passed / self.runs if self.runs else None

    @property
    def mean_score(self) -> float | None:
        """The mean of the scores; `None` where there are no runs."""
        return self.units / (UNITS * self.runs) if self.runs else None

    @property
    def errors(self) -> Counter[str]:
        """How many runs have an error of each class; those of equal number are sorted."""
        return Counter(dict(sorted(self.error_counts.items())))

    @property
    def differences(self) -> Counter[str]:
        """How many runs have each difference, like `missing book`; those of equal number are sorted."""
        return Counter(dict(sorted(self.difference_counts.items())))

    def wilson(self, confidence: float = 0.95) -> tuple[float, float]:
        """Give the Wilson score interval of the pass rate; 0 to 1 where there are no runs.

        Raises:
            OptionError: A confidence that is not between 0 and 1.
        """
        return wilson(self.passed, self.runs, confidence)

    def count(self, row: ResultRow) -> None:
        """Count one more run.

        Raises:
            OptionError: A score that is not from 0 to 1.
        """
        self.units += score_units(row)
        self.runs += 1
        self.passed += row.error is None and row.passed is True
        if row.error is not None:
            _count(self.error_counts, row.error)
        for difference in row.differences:
            _count(self.difference_counts, difference)
        self.signatures = signed(self.signatures, row.signature)

    def add_counts(self, other: Tally) -> None:
        """Add what was counted of other runs, which stays as it is."""
        self.units += other.units
        self.runs += other.runs
        self.passed += other.passed
        for counts, more in (
            (self.error_counts, other.error_counts),
            (self.difference_counts, other.difference_counts),
        ):
            for text, count in more.items():
                _count(counts, text, count)
        self.signatures = reduce(signed, other.signatures, self.signatures)

    def to_dict(self) -> dict[str, Any]:
        """Give the counts, and what is read from them, in the types of JSON.

        The sum of scores is text, since some readers round large numbers.
        """
        return {
            "runs": self.runs,
            "passed": self.passed,
            "pass_rate": self.pass_rate,
            "mean_score": self.mean_score,
            "units": str(self.units),
            "errors": dict(sorted(self.error_counts.items())),
            "differences": dict(sorted(self.difference_counts.items())),
            "signatures": [*self.signatures],
        }

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> Self:
        """Give what `to_dict` gave, from its counts.

        Raises:
            ConversionError: It is none.
        """
        tally = cls(number_of(form, "runs"), number_of(form, "passed"), number_of(form, "units"))
        tally.error_counts = {_kept(name): count for name, count in counts_of(form, "errors").items()}
        tally.difference_counts = {_kept(name): count for name, count in counts_of(form, "differences").items()}
        tally.signatures = reduce(signed, texts_of(form, "signatures"), ())
        if tally.passed > tally.runs or tally.units > UNITS * tally.runs:
            raise ConversionError(f"a stored summary: of {tally.runs} runs, {tally.passed} passed", keys=["passed"])
        return tally


@dataclass(slots=True)
class GroupTally(Tally):
    """Counts of the runs of one task, and where they part.

    Attributes:
        divergence: Where the runs part; those with errors have no part in it.
    """

    divergence: Divergence = field(default_factory=Divergence)

    def add(self, row: ResultRow) -> None:
        """Count one more run."""
        self.count(row)
        if row.calls is not None:
            self.divergence.add(row.calls)

    def merge(self, other: GroupTally) -> None:
        """Add what was counted of other runs, which stays as it is."""
        self.add_counts(other)
        self.divergence.merge(other.divergence)

    def to_dict(self) -> dict[str, Any]:
        """Give the counts in the types of JSON."""
        return {**Tally.to_dict(self), "divergence": self.divergence.to_dict()}

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> Self:
        """Give what `to_dict` gave."""
        tally = super(GroupTally, cls).from_dict(form)
        tally.divergence = Divergence.from_dict(mapping_of(form, "divergence"))
        return tally


def _count(counts: dict[str, int], text: str, count: int = 1) -> None:
    counts[_kept(text)] = counts.get(text, 0) + count


def _kept(text: str) -> str:
    """The same text, held once for all groups."""
    return intern(str(text))

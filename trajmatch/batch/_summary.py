"""What many rows come to."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from trajmatch.batch._forms import mapping_of, mappings_of, number_of, text_of
from trajmatch.batch._rates import PassHat, pass_hat
from trajmatch.batch._result_row import ResultRow
from trajmatch.batch._summary_lines import summary_lines
from trajmatch.batch._tables import WIDTH, Line, text_of_lines
from trajmatch.batch._tally import GroupTally, Tally

__all__ = ["ErrorExample", "Summary"]

_EXAMPLES = 3
"""So many errors of each class are kept."""
_MOST_RUNS = 8


class ErrorExample(NamedTuple):
    """One of the errors of a class.

    Attributes:
        line: The line of the run, from 1.
        id: The id of the run.
        reason: What the error says.
    """

    line: int | None
    id: str | None
    reason: str


@dataclass
class Summary(Tally):
    """What many rows come to, as a whole and by group.

    Summaries of parts are merged in any order and any grouping to the same summary. It can be pickled.

    Attributes:
        groups: What the runs of each group come to.
        error_examples: The errors of each class that stand on the lowest lines, at most three.
        named: How many runs have an id.

    >>> from trajmatch.batch import Summary, match_many
    >>> summary = Summary.of(match_many([([call("search")], ["search"]), ([], ["search"])]))
    >>> summary.pass_rate, summary.differences.most_common(1)
    (0.5, [('missing search', 1)])
    """

    groups: dict[str, GroupTally] = field(default_factory=dict[str, GroupTally])
    error_examples: dict[str, list[ErrorExample]] = field(default_factory=dict[str, list[ErrorExample]])
    named: int = 0

    @classmethod
    def of(cls, rows: Iterable[ResultRow]) -> Self:
        """Give the summary of rows.

        Raises:
            OptionError: A score that is not from 0 to 1.
        """
        summary = cls()
        for row in rows:
            summary.add(row)
        return summary

    def add(self, row: ResultRow) -> Self:
        """Count one more run, and give this summary back.

        Raises:
            OptionError: A score that is not from 0 to 1.
        """
        self.count(row)
        self.named += row.id is not None
        if row.error is not None:
            self._keep(row.error, [ErrorExample(row.line, row.id, row.reason)])
        if row.group is not None:
            self._group(row.group).add(row)
        return self

    def merge(self, other: Summary) -> Self:
        """Add another summary, which stays as it is, and give this one back; it takes as long as the other is large."""
        self.add_counts(other)
        self.named += other.named
        for error, examples in other.error_examples.items():
            self._keep(error, examples)
        for name, group in other.groups.items():
            self._group(name).merge(group)
        return self

    def _group(self, name: str) -> GroupTally:
        group = self.groups.get(name)
        if group is None:
            group = self.groups[name] = GroupTally()
        return group

    def _keep(self, error: str, examples: Iterable[ErrorExample]) -> None:
        found = [*self.error_examples.get(error, ()), *examples]
        self.error_examples[error] = sorted(found, key=_place)[:_EXAMPLES]

    def pass_hat(self, k: int) -> PassHat:
        """Give pass^k, the chance that k runs of one task all pass, as a mean over the groups with as many runs.

        Raises:
            OptionError: A k that is no integer from 1 on.
        """
        return pass_hat(k, ((group.passed, group.runs) for group in self.groups.values()))

    def pass_hats(self) -> list[PassHat]:
        """Give pass^k for each k up to the most runs of a group, and up to 8."""
        most = max((group.runs for group in self.groups.values()), default=0)
        return [self.pass_hat(k) for k in range(1, min(most, _MOST_RUNS) + 1)]

    def worst(self, count: int) -> list[tuple[str, GroupTally]]:
        """Give the groups with the lowest pass rates, then mean scores, then in the order of their names."""
        return heapq.nsmallest(count, self.groups.items(), key=lambda item: (_rank(item[1]), item[0]))

    def lines(self, width: int = WIDTH, groups: int = 20) -> list[Line]:
        """Give what it says in lines of at most so many columns, at least 40, in pieces that can be coloured.

        Args:
            width: The columns.
            groups: So many groups are listed, the worst.
        """
        return summary_lines(self, width, groups)

    def render(self, width: int = WIDTH, groups: int = 20) -> str:
        """Give these lines as one text."""
        return text_of_lines(self.lines(width, groups))

    def __repr__(self) -> str:
        """Give the sums; the groups are too many."""
        return f"<Summary: {self.passed} of {self.runs} passed, {len(self.groups)} groups>"

    def to_dict(self) -> dict[str, Any]:
        """Give it, and what is read from it, in the types of JSON, to send it and to store it."""
        examples = {error: [example._asdict() for example in found] for error, found in self.error_examples.items()}
        return {
            **Tally.to_dict(self),
            "named": self.named,
            "wilson": [*self.wilson()],
            "pass_hat": [found._asdict() for found in self.pass_hats()],
            "error_examples": dict(sorted(examples.items())),
            "groups": {name: group.to_dict() for name, group in sorted(self.groups.items())},
        }

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> Self:
        """Give the summary of which `to_dict` gave this.

        Raises:
            ConversionError: It is none; the text names the key.
        """
        summary = super().from_dict(form)
        summary.named = number_of(form, "named")
        groups = mapping_of(form, "groups")
        summary.groups = {name: GroupTally.from_dict(mapping_of(groups, name)) for name in groups}
        examples = mapping_of(form, "error_examples")
        for error in examples:
            summary._keep(error, map(_example, mappings_of(examples, error)))
        return summary


def _rank(group: Tally) -> tuple[float, float]:
    return group.pass_rate or 0.0, group.mean_score or 0.0


def _place(example: ErrorExample) -> tuple[object, ...]:
    """The order of errors: by line, those without one last."""
    return example.line is None, example.line or 0, example.id is None, example.id or "", example.reason


def _example(form: Mapping[str, Any]) -> ErrorExample:
    line = None if form.get("line") is None else number_of(form, "line")
    return ErrorExample(line, None if form.get("id") is None else text_of(form, "id"), text_of(form, "reason"))

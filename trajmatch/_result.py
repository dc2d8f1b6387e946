"""Results: one value a match, from which verdict, score, reason, picture and JSON are read."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from trajmatch._differences import Difference, differences
from trajmatch._draw import draw
from trajmatch._explain import reason
from trajmatch._ladder import Ladder, ladder
from trajmatch._model import ToolCall
from trajmatch._notes import notes
from trajmatch._outcome import Outcome
from trajmatch._paths import ABSENT, path_text
from trajmatch._script import EditKind, cost, script
from trajmatch._text import readable
from trajmatch._views import Views, views
from trajmatch.picture import WIDTH, Picture

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["Edit", "MatchResult", "Pair"]


class Pair(NamedTuple):
    """An actual call that stands for an expected one, and where the two sit in the flat lists."""

    actual: ToolCall
    expected: ToolCall
    actual_index: int
    expected_index: int


class Edit(NamedTuple):
    """One difference between a run and what was expected.

    Attributes:
        kind: What became of the calls; see `EditKind`.
        actual: The actual call, where there is one.
        expected: The expected call, where there is one.
        actual_index: Its position in the flat list.
        expected_index: Its position in the flat list.
        cost: What it takes from a graded score, exactly; `None` where the score is 1 or 0.
    """

    kind: EditKind
    actual: ToolCall | None
    expected: ToolCall | None
    actual_index: int | None
    expected_index: int | None
    cost: Fraction | None


class MatchResult:
    """What a match found; true where it passed, and shown as its reason.

    What explains is computed when somebody looks at it, so that a match that passes does not pay for it.
    """

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome

    @property
    def passed(self) -> bool:
        """The verdict."""
        return self._outcome.passed

    @property
    def score(self) -> float:
        """In the graded modes F1, recall or precision; in the others 1.0 or 0.0."""
        return self._outcome.score

    @property
    def graded(self) -> bool:
        """Whether the score is more than the verdict: in the graded modes, and for structures."""
        return self._outcome.settings.mode.graded

    @property
    def precision(self) -> float:
        """Pairs / actual calls; 1.0 without any."""
        return self._outcome.precision

    @property
    def recall(self) -> float:
        """Pairs / expected calls; 1.0 without any."""
        return self._outcome.recall

    @property
    def f1(self) -> float:
        """2 x pairs / (actual + expected calls); 1.0 without any."""
        return self._outcome.f1

    @property
    def mode(self) -> str:
        """The mode."""
        return self._outcome.settings.mode_name

    @property
    def signature(self) -> str:
        """What the score depends on: only scores of one signature are comparable."""
        return self._outcome.signature

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs, by the position of the actual call."""
        actual, expected = self._outcome.alignment.actual, self._outcome.alignment.expected
        return tuple(
            Pair(actual[i][1], expected[j][1], actual[i][0], expected[j][0])
            for i, j in sorted(self._outcome.alignment.pairs)
        )

    @cached_property
    def missing(self) -> tuple[ToolCall, ...]:
        """The expected calls without a pair."""
        return tuple(call for _, call in self._missing)

    @cached_property
    def extra(self) -> tuple[ToolCall, ...]:
        """The actual calls without a pair."""
        return tuple(call for _, call in self._extra)

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """What differs, in order; the costs of a graded score add up to 1 - score."""
        lines = (line for line in script(self._outcome, self._views) if line.kind != "pair")
        return tuple(self._edit(*line) for line in lines)

    def _edit(self, kind: EditKind, i: int | None, j: int | None) -> Edit:
        nothing = (None, None)
        actual_index, actual = nothing if i is None else self._outcome.alignment.actual[i]
        expected_index, expected = nothing if j is None else self._outcome.alignment.expected[j]
        return Edit(kind, actual, expected, actual_index, expected_index, cost(self._outcome, kind))

    @property
    def forbidden(self) -> tuple[ToolCall, ...]:
        """The actual calls that a structure forbids; they are among the extra ones, too."""
        return tuple(self._outcome.alignment.actual[i][1] for i in self._outcome.forbidden)

    @property
    def _missing(self) -> list[tuple[int, ToolCall]]:
        paired = {pair.expected_index for pair in self.pairs}
        return [item for item in self._outcome.alignment.expected if item[0] not in paired]

    @property
    def _extra(self) -> list[tuple[int, ToolCall]]:
        paired = {pair.actual_index for pair in self.pairs}
        return [item for item in self._outcome.alignment.actual if item[0] not in paired]

    @property
    def chosen(self) -> int | None:
        """Which of several whole expectations was met best; `None` where there is one."""
        return self._outcome.choice and self._outcome.choice.chosen

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What could hide: tools, key paths and roles in the options that occur nowhere in this match."""
        return notes(self._outcome)

    @cached_property
    def reason(self) -> str:
        """One line, from which the score can be recomputed."""
        return reason(self._outcome, self._views)

    @cached_property
    def _views(self) -> Views:
        return views(self._outcome)

    @cached_property
    def turns(self) -> tuple[MatchResult, ...]:
        """The result of each turn, with `per_turn`; its positions are those within the turn."""
        return tuple(map(MatchResult, self._outcome.turns))

    @cached_property
    def ladder(self) -> Ladder:
        """The strictest standards that the run meets, and the loosest that it fails, whatever the mode of this match.

        >>> print(match([call("search"), call("look"), call("book")], ["search", "book"]).ladder)
        passes in_order with allow_extra; fails subset ignoring arguments: extra actual[1] look()
        """
        return ladder(self._outcome)

    @cached_property
    def picture(self) -> Picture:
        """Expected and actual side by side, what differs, and what comes closest to passing."""
        return draw(self._outcome, self._views)

    def render(self, width: int = WIDTH) -> str:
        """Give the picture as text for so many columns, at least 50."""
        return self.picture.text(width)

    def to_html(self, *, fragment: bool = False) -> str:
        """Give the picture as a page that needs nothing else, or as a fragment that can stand in another page."""
        from trajmatch._html import picture_html, picture_page

        return (picture_html if fragment else picture_page)(self.picture)

    def _repr_html_(self) -> str:
        return self.to_html(fragment=True)

    def to_dict(self) -> dict[str, Any]:
        """Give the result in the types of JSON; positions are those in the flat lists.

        Moved calls and near misses are among the missing and extra ones, too: these are views on them.
        """
        actual, expected = self._outcome.alignment.actual, self._outcome.alignment.expected
        seen = self._views
        return {
            "passed": self.passed,
            "score": self.score,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "graded": self.graded,
            "mode": self.mode,
            "signature": self.signature,
            "reason": self.reason,
            "chosen": self.chosen,
            "turns": [turn.passed for turn in self.turns],
            "pairs": [{"actual": pair.actual_index, "expected": pair.expected_index} for pair in self.pairs],
            "moved": [{"actual": actual[i][0], "expected": expected[j][0]} for i, j in seen.moved],
            "near_misses": [self._near_miss(i, j) for i, j in seen.near],
            "missing": [_with_index(*call) for call in self._missing],
            "extra": [_with_index(*call) for call in self._extra],
            "forbidden": [_with_index(*actual[i]) for i in seen.forbidden],
            "edits": [_edit_form(edit) for edit in self.edits],
            "notes": list(self.notes),
            "picture": self.picture.to_dict(),
        }

    def _near_miss(self, i: int, j: int) -> dict[str, Any]:
        (actual_index, actual), (expected_index, expected) = (
            self._outcome.alignment.actual[i],
            self._outcome.alignment.expected[j],
        )
        found = differences(actual, expected, self._outcome.rule(j))
        return {
            "actual": _with_index(actual_index, actual),
            "expected": _with_index(expected_index, expected),
            "differences": [_difference_form(difference) for difference in found],
        }

    def to_json(self) -> str:
        """Give `to_dict` as JSON text."""
        return json.dumps(self.to_dict())

    def __bool__(self) -> bool:
        return self.passed

    def __repr__(self) -> str:
        return self.reason


def _with_index(index: int, call: ToolCall) -> dict[str, Any]:
    form = {
        "index": index,
        "name": call.name,
        "arguments": readable(call.arguments),
        "raw_arguments": call.raw_arguments,
    }
    more = {"id": call.id, "status": call.status, "kind": None if call.kind == "function" else call.kind}
    return {name: value for name, value in (form | more).items() if value is not None}


def _edit_form(edit: Edit) -> dict[str, Any]:
    taken = None if edit.cost is None else float(edit.cost)
    form = {"actual": edit.actual_index, "expected": edit.expected_index, "cost": taken}
    return {"kind": edit.kind} | {name: value for name, value in form.items() if value is not None}


def _difference_form(difference: Difference) -> dict[str, Any]:
    sides = {"actual": difference.actual, "expected": difference.expected}
    form: dict[str, Any] = {"path": list(difference.path), "text": path_text(difference.path)}
    return form | {name: readable(value) for name, value in sides.items() if value is not ABSENT}

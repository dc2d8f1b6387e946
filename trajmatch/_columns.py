"""The calls of a run, field by field, and selections of them.

Most matches are settled by names and argument texts alone, so the calls themselves are made when somebody looks at one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, TypeVar, overload

from trajmatch._model import Kind, Status, ToolCall

__all__ = ["Calls", "Columns", "Given"]

Given = dict[str, Any] | str | None
"""Arguments as they came: an object, its text, or `None` where they are not stated."""

Field = TypeVar("Field")


class Columns:
    """The calls of a run: one list for each field, or one that few calls have by position.

    Attributes:
        names: The tools.
        given: The arguments as they came.
        kinds: The kinds of the calls that are no `function` calls, by position.
    """

    __slots__ = ("_answers", "_calls", "_ids", "_unanswered", "given", "kinds", "names")

    _calls: tuple[ToolCall, ...]

    def __init__(
        self,
        names: list[str],
        given: list[Given],
        ids: Sequence[str | None],
        kinds: Mapping[int, Kind],
        answers: Mapping[int, tuple[object, Status]],
        unanswered: Status | None,
    ) -> None:
        self.names, self.given, self.kinds = names, given, kinds
        self._ids, self._answers, self._unanswered = ids, answers, unanswered

    @classmethod
    def of(cls, calls: tuple[ToolCall, ...]) -> Self:
        """Give the columns of calls that are there already."""
        kinds = {position: call.kind for position, call in enumerate(calls) if call.kind != "function"}
        columns = cls([call.name for call in calls], [call.given for call in calls], (), kinds, {}, None)
        columns._calls = calls
        return columns

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls."""
        try:
            return self._calls
        except AttributeError:  # nobody has looked at one yet
            self._calls = tuple(self._made())
            return self._calls

    def _made(self) -> list[ToolCall]:
        made, unanswered = ToolCall.trusted, (None, self._unanswered)
        kind, answer = self.kinds.get, self._answers.get
        calls = list[ToolCall]()
        for position, (name, given, id) in enumerate(zip(self.names, self.given, self._ids, strict=True)):
            result, status = answer(position, unanswered)
            calls.append(made(name, given, id, status, kind(position, "function"), result))
        return calls

    def __len__(self) -> int:
        return len(self.names)


class Calls(Sequence[tuple[int, ToolCall]]):
    """Some calls of a run in order, each with its position in the flat list."""

    __slots__ = ("_columns", "positions")

    def __init__(self, columns: Columns, positions: Sequence[int] | None = None) -> None:
        self._columns = columns
        self.positions = range(len(columns)) if positions is None else positions

    @property
    def names(self) -> list[str]:
        """Their tools."""
        return self._gathered(self._columns.names)

    @property
    def given(self) -> list[Given]:
        """Their arguments as they came."""
        return self._gathered(self._columns.given)

    @property
    def calls(self) -> Sequence[ToolCall]:
        """The calls themselves."""
        calls = self._columns.calls
        return calls if len(self.positions) == len(calls) else [calls[position] for position in self.positions]

    def _gathered(self, column: list[Field]) -> list[Field]:
        return column if len(self.positions) == len(column) else [column[position] for position in self.positions]

    def arguments(self, place: int) -> dict[str, Any] | None:
        """Give the arguments of one of them as an object; `None` where they are not stated, or are none."""
        position = self.positions[place]
        given = self._columns.given[position]
        return self._columns.calls[position].arguments if isinstance(given, str) else given

    def select(self, places: Iterable[int]) -> Calls:
        """Give those at some places."""
        return Calls(self._columns, [self.positions[place] for place in places])

    @overload
    def __getitem__(self, place: int) -> tuple[int, ToolCall]: ...
    @overload
    def __getitem__(self, place: slice) -> Calls: ...
    def __getitem__(self, place: int | slice) -> tuple[int, ToolCall] | Calls:
        if isinstance(place, slice):
            return Calls(self._columns, self.positions[place])
        position = self.positions[place]
        return position, self._columns.calls[position]

    def __iter__(self) -> Iterator[tuple[int, ToolCall]]:
        calls = self._columns.calls
        return ((position, calls[position]) for position in self.positions)

    def __len__(self) -> int:
        return len(self.positions)

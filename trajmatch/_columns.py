"""The calls of a run, field by field, and selections of them.

Most matches are settled by names and argument texts alone, so the calls themselves are made when somebody looks at one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self, cast, overload

from trajmatch._arguments import parse_all
from trajmatch._model import Given, Kind, Row, Status, ToolCall
from trajmatch._rules import Rule

__all__ = ["Calls", "Columns", "Joined", "Row", "Spoken"]

_TEXT = frozenset({str})
_OBJECT = frozenset({dict})
_NO_RULES: Mapping[int, Rule] = {}
Spoken = tuple[str, object, bool, "int | None", "str | None"]
"""A message: its role and content, whether it is feedback; the call that it answers, or the tool that it names."""


class Joined(NamedTuple):
    """What a run says of its calls, beside what was called.

    Attributes:
        results: The result of each call.
        statuses: The status of each call.
        notes: Gives what the format could not say.
        spoken: Gives the messages; `None` for a list of calls.
    """

    results: Iterable[object]
    statuses: Iterable[Status | None]
    notes: Callable[[], tuple[str, ...]]
    spoken: Callable[[], Sequence[Spoken]] | None


class Columns:
    """The calls of a run, field by field.

    Args:
        rows: What was called.
        join: Gives what else is known.
        outputs: Whether some call returns structured output.
        answered: The ids of the results, where these decide which call each belongs to.

    Attributes:
        rows: What was called.
        names: The tools.
        given: The arguments as they came.
        ids: The ids.
        places: The places of the messages that made the calls, which ascend; all 0 in a list of calls.
        outputs: Whether some call returns structured output.
        own_rules: The rules that single calls have of their own, by their positions.
        kinds: The types that the arguments came as.
        all_text: Whether all arguments came as text.
    """

    __slots__ = (
        "_answered",
        "_calls",
        "_join",
        "_joined",
        "_objects",
        "all_text",
        "given",
        "ids",
        "kinds",
        "names",
        "outputs",
        "own_rules",
        "places",
        "rows",
    )

    def __init__(
        self,
        rows: Sequence[Row],
        join: Callable[[Columns], Joined],
        *,
        outputs: bool,
        answered: Sequence[str | None] | None = None,
    ) -> None:
        self.rows, self._join, self.outputs, self._answered = rows, join, outputs, answered
        self.names: Sequence[str] = ()
        self.given: Sequence[Given] = ()
        self.ids: Sequence[str | None] = ()
        self.places: Sequence[int] = ()
        if rows:
            self.names, self.given, self.ids, _, self.places = zip(*rows, strict=True)
        self.own_rules: Mapping[int, Rule] = _NO_RULES
        self._objects: dict[int, dict[str, Any] | None] = {}
        self.kinds: set[type] = {*map(type, self.given)}
        self.all_text = self.kinds <= _TEXT
        self._joined: Joined | None = None
        self._calls: tuple[ToolCall, ...] | None = None

    @classmethod
    def of(cls, calls: tuple[ToolCall, ...], places: Iterable[int] = ()) -> Self:
        """Give the columns of calls that are there already, and of the places of their messages."""
        rows = [call.row for call in calls]
        if places:
            rows = [(*row[:4], place) for row, place in zip(rows, places, strict=True)]
        columns = cls(
            rows, lambda columns: Joined((), (), tuple, None), outputs=any(call.kind == "output" for call in calls)
        )
        columns._calls = calls
        columns.own_rules = {position: call.own_rule for position, call in enumerate(calls) if call.own_rule}
        return columns

    @property
    def joined(self) -> Joined:
        """What else is known."""
        if self._joined is None:
            self._joined = self._join(self)
        return self._joined

    @property
    def surely_joined(self) -> bool:
        """Whether each result is that of one call, as far as the ids alone can tell: these all differ, and agree."""
        if self._answered is None:
            return False
        ids, answered = {*self.ids}, {*self._answered}
        each = len(ids) == len(self.ids) and len(answered) == len(self._answered)
        return each and None not in ids and answered <= ids

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls."""
        if self._calls is None:
            self._calls = ToolCall.trusted(self.rows, self.joined.results, self.joined.statuses, self._objects)
        return self._calls

    def objects(self, positions: Sequence[int]) -> list[dict[str, Any] | None]:
        """Give the arguments of some calls as objects; `None` where they are not stated, or are none."""
        if self._calls is not None:
            return [self._calls[position].arguments for position in positions]
        if self.kinds <= _OBJECT:
            given = cast("Sequence[dict[str, Any]]", self.given)
            return [given[position] for position in positions]
        known = self._objects
        new = [position for position in positions if position not in known] if known else positions
        known.update(zip(new, _objects([self.given[position] for position in new]), strict=True))
        return [known[position] for position in positions]

    def called(self, position: int) -> ToolCall:
        """Give a call as it was called; what became of it is only told where that is known already."""
        if self._calls is not None:
            return self._calls[position]
        self.objects([position])
        (call,) = ToolCall.trusted([self.rows[position]], [None], [None], {0: self._objects.get(position)})
        return call

    def kind(self, position: int) -> Kind:
        """Give the kind of a call."""
        return self.rows[position][3]

    def __len__(self) -> int:
        return len(self.rows)

    def __reduce__(self) -> tuple[object, ...]:
        return Columns.of, (self.calls,)


def _objects(given: list[Given]) -> list[dict[str, Any] | None]:
    texts = [text for text in given if isinstance(text, str)]
    parsed = parse_all(texts)
    if len(texts) == len(given):
        return parsed
    found = iter(parsed)
    return [next(found) if isinstance(arguments, str) else arguments for arguments in given]


class Calls(Sequence[tuple[int, ToolCall]]):
    """Some calls of a run in order, each with its position in the flat list.

    Attributes:
        positions: Their positions.
        names: Their tools, by the names that are compared.
        given: Their arguments as they came.
    """

    __slots__ = ("_columns", "_tools", "given", "names", "positions")

    def __init__(
        self, columns: Columns, positions: Sequence[int] | None = None, tools: Sequence[str] | None = None
    ) -> None:
        self._columns, self._tools = columns, columns.names if tools is None else tools
        if positions is None or len(positions) == len(columns):
            self.positions: Sequence[int] = range(len(columns))
            self.names, self.given = self._tools, columns.given
        else:
            self.positions = positions
            self.names, self.given = self._gathered(self._tools), self._gathered(columns.given)

    @property
    def all_text(self) -> bool:
        """Whether the arguments of all calls of the run came as text, so that they hold nothing but JSON."""
        return self._columns.all_text

    @property
    def has_own_rules(self) -> bool:
        """Whether some call of the run has a rule of its own."""
        return bool(self._columns.own_rules)

    @property
    def own_rules(self) -> Mapping[int, Rule]:
        """The rules that single calls have of their own, by their places."""
        rules = self._columns.own_rules
        return rules and {place: rules[at] for place, at in enumerate(self.positions) if at in rules}

    @property
    def calls(self) -> Sequence[ToolCall]:
        """The calls themselves."""
        calls = self._columns.calls
        return calls if len(self.positions) == len(calls) else [calls[position] for position in self.positions]

    def _gathered(self, column: Sequence[Any]) -> Sequence[Any]:
        return column if len(self.positions) == len(column) else [column[position] for position in self.positions]

    def objects(self, places: Iterable[int]) -> list[dict[str, Any] | None]:
        """Give the arguments of those at some places as objects; `None` where they are not stated, or are none."""
        return self._columns.objects([self.positions[place] for place in places])

    def written(self, place: int) -> str:
        """Give the tool at a place by the name that the run has for it."""
        return self._columns.names[self.positions[place]]

    def called(self, place: int) -> ToolCall:
        """Give the call at a place as it was called; what became of it may be left out."""
        return self._columns.called(self.positions[place])

    def select(self, places: Iterable[int]) -> Calls:
        """Give those at some places."""
        return Calls(self._columns, [self.positions[place] for place in places], self._tools)

    def renamed(self, read: Callable[[str], str]) -> Calls:
        """Give the same calls, with other names of their tools to compare."""
        return Calls(self._columns, self.positions, [*map(read, self._tools)])

    @overload
    def __getitem__(self, place: int) -> tuple[int, ToolCall]: ...
    @overload
    def __getitem__(self, place: slice) -> Calls: ...
    def __getitem__(self, place: int | slice) -> tuple[int, ToolCall] | Calls:
        if isinstance(place, slice):
            return Calls(self._columns, self.positions[place], self._tools)
        position = self.positions[place]
        return position, self._columns.calls[position]

    def __iter__(self) -> Iterator[tuple[int, ToolCall]]:
        calls = self._columns.calls
        return ((position, calls[position]) for position in self.positions)

    def __len__(self) -> int:
        return len(self.positions)

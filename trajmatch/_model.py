"""The common model, first half: one tool call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import EllipsisType
from typing import Any, Literal, Self, cast, get_args

from trajmatch._arguments import parse_arguments
from trajmatch._rules import ArgumentsRule, Rule, parse_rule
from trajmatch._shown import shown, whole
from trajmatch._values import json_equal
from trajmatch.errors import ConversionError

__all__ = [
    "KINDS",
    "STATUSES",
    "Given",
    "Kind",
    "Row",
    "Status",
    "ToolCall",
    "call",
    "checked_arguments",
    "checked_name",
]

Kind = Literal["function", "native", "output"]
"""`function`: a tool of the application; `native`: executed by the model's provider; `output`: the call through which
a framework returns structured output."""

Status = Literal["succeeded", "failed", "retried", "denied", "skipped", "interrupted", "pending"]
"""What became of a call: `succeeded` (a result came back and nothing marks it as an error), `failed`, `retried`
(rejected and sent back to the model), `denied`, `skipped` (not executed because the run had ended), `interrupted`,
`pending` (other calls have results, this one has none)."""

Given = dict[str, Any] | str | None
"""Arguments as they came: an object, its text, or `None` where they are not stated."""
Row = tuple[str, Given, "str | None", Kind, int]
"""What was called, with what, its id and kind, and the place of the message that made it."""

KINDS: tuple[Kind, ...] = get_args(Kind)
STATUSES: tuple[Status, ...] = get_args(Status)


class ToolCall:
    """One call of a tool.

    Values are shared with the caller's objects, never copied and never changed. Two calls are equal where name,
    arguments, kind, status and rule are equal as JSON; the id and the result do not count.

    Args:
        name: The tool, as the history spells it; never empty.
        arguments: An object, its JSON text (parsed when it is first read), or `None` for *not stated*: in an expected
            call that leaves the arguments open, in an actual call they were not captured. `{}` means no arguments.
        id: The id that joins a call and its result.
        status: What became of it (see `Status`); `None` where the history records no results.
        kind: See `Kind`.
        result: What the tool gave back.
        rule: In an expected call, the rule for its arguments, before those of the match.

    Raises:
        ConversionError: An empty name, an unknown status or kind, arguments that are neither object nor text.
        OptionError: A rule that is none.

    >>> ToolCall("search", '{"q": "cats"}').arguments
    {'q': 'cats'}
    """

    __slots__ = ("_own_rule", "_parsed", "_result", "_row", "_status")

    def __init__(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | None = None,
        *,
        id: str | None = None,
        status: Status | None = None,
        kind: Kind = "function",
        result: object = None,
        rule: ArgumentsRule | None = None,
    ) -> None:
        name, given = checked_name(name), checked_arguments(name, arguments)
        if id is not None and not isinstance(cast("object", id), str):
            raise ConversionError(f"the id of a call is text or None, got {id!r:.60}")
        if kind not in KINDS:
            raise ConversionError(f"kind must be one of {list(KINDS)}, got {kind!r}")
        if status is not None and status not in STATUSES:
            raise ConversionError(f"status must be None or one of {list(STATUSES)}, got {status!r}")
        self._row: Row = (name, given, id, kind, 0)
        self._parsed: dict[str, Any] | EllipsisType | None = ...
        self._result = result
        self._status: Status | None = status
        self._own_rule = None if rule is None else parse_rule(rule, "rule")

    @classmethod
    def trusted(
        cls,
        rows: Iterable[Row],
        results: Iterable[object],
        statuses: Iterable[Status | None],
        parsed: Mapping[int, dict[str, Any] | None],
    ) -> tuple[Self, ...]:
        """Give the calls of rows that were checked before, with results, statuses, and what was parsed already."""
        new = cls.__new__
        calls: list[Self] = []
        for row, result, status in zip(rows, results, statuses, strict=True):
            call = new(cls)
            call._row = row
            call._parsed = ...
            call._result = result
            call._status = status
            call._own_rule = None
            calls.append(call)
        for position, arguments in parsed.items():
            calls[position]._parsed = arguments
        return tuple(calls)

    @property
    def name(self) -> str:
        """The tool."""
        return self._row[0]

    @property
    def arguments(self) -> dict[str, Any] | None:
        """The arguments as an object; `None` where they are not stated, or are no JSON object."""
        given = self._row[1]
        if not isinstance(given, str):
            return given
        if isinstance(self._parsed, EllipsisType):  # nobody has read them yet
            self._parsed = parse_arguments(given)
        return self._parsed

    @property
    def raw_arguments(self) -> str | None:
        """What the model wrote, where that is no JSON object."""
        return self.text if self.arguments is None else None

    @property
    def id(self) -> str | None:
        """The id that joins the call and its result."""
        return self._row[2]

    @property
    def status(self) -> Status | None:
        """What became of the call; `None` where that is not stated."""
        return self._status

    @property
    def kind(self) -> Kind:
        """Who executes the call, and what for."""
        return self._row[3]

    @property
    def result(self) -> object:
        """What the tool gave back."""
        return self._result

    @property
    def rule(self) -> ArgumentsRule | None:
        """The rule for the arguments of an expected call; `None` where those of the match hold."""
        own = self._own_rule
        return own and cast("ArgumentsRule", own.written or own.text)

    @property
    def own_rule(self) -> Rule | None:
        """The record of its rule; not part of the public model."""
        return self._own_rule

    @property
    def _rule_meaning(self) -> object:
        return self._own_rule and self._own_rule.meaning

    @property
    def text(self) -> str | None:
        """The text that the arguments came as, if they came as text; equal texts are equal arguments."""
        return given if isinstance(given := self._row[1], str) else None

    @property
    def given(self) -> Given:
        """The arguments as they came: an object, its text, or `None` where they are not stated."""
        return self._row[1]

    @property
    def row(self) -> Row:
        """What was called, as columns hold it."""
        return self._row

    def replace(self, **changes: Any) -> Self:
        """Give a copy with some fields changed, by the names of the constructor.

        >>> call("search_v2", q="cats").replace(name="search")
        ToolCall('search', {'q': 'cats'})
        """
        fields: dict[str, Any] = {
            "name": self.name,
            "arguments": self.given,
            "id": self.id,
            "status": self._status,
            "kind": self.kind,
            "result": self._result,
            "rule": self.rule,
        }
        return type(self)(**fields | changes)

    __replace__ = replace

    def under(self, rule: ArgumentsRule) -> Self:
        """Give an expected call whose arguments have a rule of their own.

        Raises:
            OptionError: It is no rule.

        >>> expected = [call("book", hotel="Ritz").under("superset"), call("pay", amount=10)]
        >>> match([call("book", hotel="Ritz", nights=2), call("pay", amount=10)], expected)
        exact: PASS; 2 paired
        """
        return self.replace(rule=rule)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ToolCall):
            return NotImplemented
        return (
            (self.name, self.kind, self.status) == (other.name, other.kind, other.status)
            and self.raw_arguments == other.raw_arguments
            and json_equal(self.arguments, other.arguments)
            and self._rule_meaning == other._rule_meaning
        )

    def __hash__(self) -> int:
        return hash((self.name, self.kind, self.status))

    def __repr__(self) -> str:
        parts = [repr(self.name)]
        stated = self.raw_arguments if self.arguments is None else self.arguments
        if stated is not None:
            parts.append(whole(stated))
        parts += [f"{name}={value!r}" for name in ("id", "status") if (value := getattr(self, name)) is not None]
        if self.kind != "function":
            parts.append(f"kind={self.kind!r}")
        if self._own_rule:
            parts.append(f"rule={self.rule!r}")
        return f"ToolCall({', '.join(parts)})"


def checked_name(name: object) -> str:
    """Give the name of a tool, as plain text.

    Raises:
        ConversionError: It is empty, or no text.
    """
    if not isinstance(name, str):
        raise ConversionError(f"the name of a tool is text, got {name!r:.60}")
    if not name:
        raise ConversionError("a call needs the name of its tool, got an empty one")
    return str.__str__(name)


def checked_arguments(name: str, arguments: object) -> Given:
    """Give arguments as an object, as text, or as `None`.

    Raises:
        ConversionError: They are something else.
    """
    if arguments is None:
        return None
    if isinstance(arguments, str):
        return str.__str__(arguments)
    kind: type = type(arguments)
    if isinstance(arguments, Mapping):
        try:
            return cast("dict[str, Any]", arguments if kind is dict else dict(cast("Any", arguments)))
        except Exception as error:
            raise ConversionError(f"the arguments of {name!r} cannot be read: {shown(error)}") from error
    raise ConversionError(f"the arguments of {name!r} are an object, its JSON text or None, got {kind.__name__}")


def call(name: str, arguments: Mapping[str, Any] | None = None, /, **named: Any) -> ToolCall:
    """Write a call as one would in Python.

    Keys that are no Python names go into an object: `call("f", {"user-id": 1})`. Without any, the call has no
    arguments (`{}`); to leave them open, write the bare name of the tool, or `ToolCall("ping")`.

    Raises:
        ConversionError: An empty name, or a key that is given twice.

    >>> call("book", hotel="Ritz")
    ToolCall('book', {'hotel': 'Ritz'})
    """
    given = checked_arguments(name, {} if arguments is None else arguments)
    if not isinstance(given, dict):
        raise ConversionError(f"the arguments of {name!r} are an object, got str {given!r:.60}")
    if twice := sorted(given.keys() & named.keys()):
        raise ConversionError(f"{name}: argument {twice[0]!r} is given twice")
    return ToolCall(name, given | named)

"""One record, with a run and what was expected of it, to one row of results."""

from __future__ import annotations

import json
import pickle
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from trajmatch._access import is_mapping
from trajmatch._json_form import is_dict, is_list
from trajmatch._matcher import Matcher
from trajmatch._model import ToolCall
from trajmatch._nearest import choose
from trajmatch._paths import ABSENT, Path, look_up, parse_path
from trajmatch._recognise import to_trajectory
from trajmatch._result import MatchResult
from trajmatch._settings import MatchOptions
from trajmatch._shown import printable, shown
from trajmatch._sides import actual_side
from trajmatch._text import readable
from trajmatch.batch._json_text import fault, parsed
from trajmatch.batch._result_row import ResultRow
from trajmatch.errors import ConversionError, OptionError

__all__ = ["Scorer", "refuse_unsendable"]


@dataclass(frozen=True, kw_only=True)
class Scorer:
    """Where in a record the two sides are, and how they are matched; it can be sent to other processes.

    Attributes:
        matcher: What matches them; the default is `Matcher()`.
        actual: The key path of the run: `"actual"`, `"outputs.messages"`. JSON text there is read, too.
        expected: The key path of what was expected.
        id: The key path of the id; a record without one has none.
        group: The key path of what the runs of one task share; `None` where there are no groups.
        format: The format of the run, where it is not clear; see `to_trajectory`.
        expected_format: The format of what was expected, where that is a history.

    Raises:
        OptionError: A matcher or a key path that is none.

    >>> from trajmatch.batch import Scorer
    >>> Scorer().row({"id": "lamp", "actual": [call("search")], "expected": ["search"]}).reason
    'exact: PASS; 1 paired'
    """

    matcher: Matcher = field(default_factory=Matcher)
    actual: str = "actual"
    expected: str = "expected"
    id: str | None = "id"
    group: str | None = None
    format: str | None = None
    expected_format: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(cast("object", self.matcher), Matcher):
            text = f"matcher: a Matcher, got {shown(self.matcher)}; write Matcher(mode=...)"
            raise OptionError(text, option="matcher", value=self.matcher)
        _ = self._paths  # a key path that is none is refused now

    @cached_property
    def _paths(self) -> dict[str, Path]:
        given = {name: getattr(self, name) for name in ("actual", "expected", "id", "group")}
        return {name: parse_path(path, name) for name, path in given.items() if path is not None}

    def row(self, record: object, line: int | None = None) -> ResultRow:
        """Give the row of a record; whatever is wrong with it becomes an error row.

        Args:
            record: A mapping that holds the two sides.
            line: Where the record stands, from 1.
        """
        id = group = None
        try:
            if not is_mapping(record):
                raise ConversionError(f"a record is an object with {self.actual!r} and {self.expected!r}")
            id, group = self._text("id", record), self._text("group", record)
            return self._scored(id, group, line, record)
        except Exception as error:  # one bad record among a million is told, and does not end the others
            return _error_row(ResultRow(id, group, line), error)

    def row_of_json(self, text: bytes | str, line: int | None = None) -> ResultRow:
        """Give the row of a record that is JSON text."""
        try:
            record = parsed(text)
        except (ValueError, RecursionError) as error:
            return _error_row(ResultRow(line=line), ConversionError(f"this line is no JSON: {fault(error)}"))
        return self.row(record, line)

    def described(self) -> dict[str, Any]:
        """Give what the rows depend on in the types of JSON: functions by their names, rules by a digest."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "matcher"}
        form: dict[str, Any] = json.loads(json.dumps(fields | {**self.matcher.options}, default=_name))
        return form

    def _scored(self, id: str | None, group: str | None, line: int | None, record: Mapping[str, Any]) -> ResultRow:
        run = self._side("actual", record)
        if self.format is not None:
            run = to_trajectory(run, format=self.format)
        elif self.group is not None:
            run = actual_side(run)
        expected = self._side("expected", record)
        if self.expected_format is not None:
            expected = to_trajectory(expected, format=self.expected_format)
        result = self.matcher(run, expected)
        return ResultRow(
            id=id,
            group=group,
            line=line,
            passed=result.passed,
            score=result.score,
            precision=result.precision,
            recall=result.recall,
            signature=result.signature,
            reason=result.reason,
            differences=_differences(result),
            calls=None if self.group is None else tuple(map(_digest, run.calls)),
        )

    def _at(self, name: str, record: Mapping[str, Any]) -> Any:
        """What stands at a key path; `ABSENT` where there is nothing."""
        path = self._paths.get(name)
        if path is None:
            return ABSENT
        if len(path) == 1 and is_dict(record) and path[0] in record:  # as mostly
            return record[path[0]]
        return look_up(record, path)

    def _side(self, name: str, record: Mapping[str, Any]) -> Any:
        found = self._at(name, record)
        if found is ABSENT:
            held = choose([*record][:8])
            raise ConversionError(f"there is nothing at {getattr(self, name)!r}; the record has {held or 'no keys'}")
        if not isinstance(found, str):
            return found
        try:
            return parsed(found)
        except (ValueError, RecursionError) as error:
            raise ConversionError(f"{getattr(self, name)!r} is text, and no JSON: {fault(error)}") from error

    def _text(self, name: str, record: Mapping[str, Any]) -> str | None:
        """The id or the group of a record as text."""
        found = self._at(name, record)
        if found is ABSENT or found is None:
            return None
        return found if isinstance(found, str) else json.dumps(readable(found))


def _name(value: object) -> object:
    """What tells a value from others in another process: a name, or a digest of what it holds."""
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, cast("Iterable[object]", value)))
    named = (getattr(value, "__module__", None), getattr(value, "__qualname__", None))
    if None not in named:
        return ".".join(map(str, named))
    try:
        return f"{type(value).__name__} {zlib.crc32(pickle.dumps(value)):08x}"
    except Exception:  # what cannot be pickled is used in this process alone
        return type(value).__name__


def _error_row(row: ResultRow, error: Exception) -> ResultRow:
    return row._replace(error=type(error).__name__, reason=printable(str(error)))


def _differences(result: MatchResult) -> tuple[str, ...]:
    if result.passed and result.score == 1.0:
        return ()
    called = [(edit.kind, edit.expected or edit.actual) for edit in result.edits]
    return tuple(sorted({f"{kind} {call.name}" for kind, call in called if call}))


def _digest(call: ToolCall) -> str:
    """The name of a call, and a digest of its arguments that is the same where they are equal as JSON."""
    given = call.raw_arguments if call.arguments is None else _folded(readable(call.arguments))
    return f"{call.name}:{zlib.crc32(json.dumps(given, sort_keys=True).encode()):08x}"


def _folded(value: Any) -> Any:
    """The same value, with whole numbers as integers."""
    if is_dict(value):
        return {key: _folded(item) for key, item in value.items()}
    if is_list(value):
        return [*map(_folded, value)]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def refuse_unsendable(matcher: Matcher) -> None:
    """Refuse a matcher that cannot be sent to another process.

    Raises:
        OptionError: It names the option, and what stands there.
    """
    for option, value in _single_options(matcher.options):
        try:
            pickle.dumps(value)
        except Exception as error:
            text = f"{option}: {shown(value)} cannot be sent to a worker: {error}; define it in a module, by a name"
            raise OptionError(text, option=option, value=value) from error


def _single_options(options: MatchOptions) -> Iterator[tuple[str, object]]:
    for option, value in options.items():
        if option == "overrides" and is_mapping(value):
            yield from ((f"overrides[{tool!r}]", rule) for tool, rule in value.items())
        else:
            yield option, value

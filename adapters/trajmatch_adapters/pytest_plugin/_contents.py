"""What a golden trajectory holds: the calls of a run that count, as an expectation that can be edited by hand.

Where it is written anew, the entries whose call still matches stay as they are, and of a call that differs only the
places that differ are replaced. So what a person wrote (operators, rules, fewer arguments) stays where it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, cast

from trajmatch import ConversionError, ExpectedCall, MatchOptions, MatchResult, ToolCall, match
from trajmatch_adapters.pytest_plugin._edited import edited
from trajmatch_adapters.pytest_plugin._volatile import Opened, Path, opened

__all__ = ["Contents", "fresh", "rewritten"]

_SINGLE = ("args", "overrides", "aliases", "prefixes", "tools")
"""The options that decide whether one call stands for another."""


class Contents(NamedTuple):
    """Expected calls as data, and what was left open in them: for each a text such as `book.id: "b7f3c9", an id`."""

    calls: list[Any]
    opened: list[str]


class _Entry(NamedTuple):
    call: ToolCall
    opened: Sequence[Opened] = ()
    expected_index: int = -1


def fresh(actual: object, options: MatchOptions) -> Contents:
    """Give the contents for a run that has none: its calls that count, with what is volatile left open.

    Raises:
        ConversionError: The run cannot be read, or its calls cannot be written as data.
    """
    return _contents([_proposed(call) for call in _counted(actual, options)])


def rewritten(result: MatchResult, options: MatchOptions) -> Contents:
    """Give the contents for a run that differs from a list of expected calls: what still matches stays as it is.

    Raises:
        ConversionError: As `fresh` does.
    """
    extra_is_free = options.get("mode") == "superset" or options.get("allow_extra", False)
    missing_is_free = options.get("mode") == "subset" or options.get("allow_missing", False)
    places = _differing(result)
    entries = {pair.actual_index: _Entry(pair.expected, (), pair.expected_index) for pair in result.pairs}
    for kind, actual, expected, i, j, _ in result.edits:
        if i is None or actual is None:
            continue
        if expected is None or j is None:
            entries |= {} if extra_is_free else {i: _proposed(actual)}
        elif kind == "moved":
            entries[i] = _Entry(expected, (), j)
        else:
            entries[i] = _merged(actual, expected, places[i], options)._replace(expected_index=j)
    kept = [entries[i] for i in sorted(entries)]
    if missing_is_free:
        for edit in result.edits:
            if edit.actual is None and edit.expected is not None and edit.expected_index is not None:
                _put_back(kept, _Entry(edit.expected, (), edit.expected_index))
    return _contents(kept)


def _counted(actual: object, options: MatchOptions) -> Sequence[ToolCall]:
    """Give the calls of a run that count: all that are left over where nothing is expected."""
    calls = options.get("calls")
    return match(actual, []).extra if calls is None else match(actual, [], calls=calls).extra


def _proposed(call: ToolCall) -> _Entry:
    """Give the expected call for an actual one: what became of it, its id and its result are no part of it."""
    kind: Literal["output", "function"] = "output" if call.kind == "output" else "function"
    if call.arguments is None:
        return _Entry(ToolCall(call.name, call.raw_arguments, kind=kind))
    try:
        arguments, found = opened(call.arguments)
    except RecursionError:
        raise ConversionError(f"the arguments of {call.name!r} are nested too deep, or hold themselves") from None
    return _Entry(ToolCall(call.name, arguments, kind=kind), found)


def _differing(result: MatchResult) -> Mapping[int, list[Path]]:
    """Give the places where near misses differ, by the position of the actual call."""
    near = result.to_dict()["near_misses"]
    return {miss["actual"]["index"]: [tuple(place["path"]) for place in miss["differences"]] for miss in near}


def _merged(actual: ToolCall, expected: ToolCall, places: Sequence[Path], options: MatchOptions) -> _Entry:
    """Give what keeps most of an expected call, and lets the actual one stand for it."""
    single = cast("MatchOptions", {name: value for name, value in options.items() if name in _SINGLE})
    proposed = _proposed(actual)
    for entry in _candidates(actual, expected, places, proposed):
        if match([actual], [entry.call], **single):
            return entry
    return proposed


def _candidates(actual: ToolCall, expected: ToolCall, places: Sequence[Path], proposed: _Entry) -> Iterator[_Entry]:
    """Give an expected call with the places that differ replaced, and one that keeps its rule alone."""
    if () not in places:
        try:
            call, found = edited(expected, actual, proposed.call, places)
        except (LookupError, TypeError):  # a place leads through something that is neither object nor list
            pass
        else:
            opened = [one for one in proposed.opened if any(one.path[: len(place)] == place for place in found)]
            yield _Entry(call, opened)
    yield proposed._replace(call=proposed.call.replace(rule=expected.rule))


def _put_back(entries: list[_Entry], entry: _Entry) -> None:
    """Put an expected call that may be missing behind those that were written before it."""
    before = [at for at, other in enumerate(entries) if 0 <= other.expected_index < entry.expected_index]
    entries.insert(before[-1] + 1 if before else 0, entry)


def _contents(entries: Iterable[_Entry]) -> Contents:
    from pydantic import TypeAdapter
    from pydantic_core import PydanticSerializationError

    entries = [*entries]
    try:
        calls = TypeAdapter(list[ExpectedCall]).dump_python([entry.call for entry in entries])
    except PydanticSerializationError as error:
        why = str(error).removeprefix("Error calling function `data`: ")
        raise ConversionError(f"the calls of this run cannot be written to a golden file: {why}") from error
    told = [_told(entry.call.name, one) for entry in entries for one in entry.opened]
    return Contents(calls, told)


def _told(tool: str, one: Opened) -> str:
    place = ".".join(map(str, one.path))
    return f"{tool}: {place} was {str(one.value)[:60]!r}, {one.why}"

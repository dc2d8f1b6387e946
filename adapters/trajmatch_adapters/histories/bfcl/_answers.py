"""Possible answers as expected calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from trajmatch import ArgumentRule, ConversionError, ToolCall, expect
from trajmatch.reading import get, is_mapping, listed, literal
from trajmatch_adapters.histories.bfcl._python import Parameters, arguments_of, python_calls

__all__ = ["expected", "expected_turns"]

_Path = tuple[str, ...]
_Defaults = dict[_Path, Any]


def expected(answer: object, *, parameters: Parameters | None = None) -> list[ToolCall]:
    """Give the possible answers to one question as expected calls.

    Each argument is one of the values that its list allows; where `""` is among them it may be absent, too. Other
    arguments must not be there.

    Args:
        answer: An entry with a `ground_truth`, or that list.
        parameters: The names of the parameters of tools, for calls that are written as Python.

    Raises:
        ConversionError: It holds no calls, or calls for several turns.

    >>> from trajmatch_adapters.histories import bfcl
    >>> answer = {"ground_truth": [{"area": {"base": [10], "unit": ["cm", ""]}}]}
    >>> match([call("area", base=10)], bfcl.expected(answer))
    exact: PASS; 1 paired
    """
    given = _ground_truth(answer)
    if any(isinstance(one, (list, tuple)) for one in given):
        raise ConversionError("these are calls for several turns; write expected_turns(...), and match with per_turn")
    return _calls("answer", given, parameters or {})


def expected_turns(answer: object, *, parameters: Parameters | None = None) -> list[list[ToolCall]]:
    """Give the calls of each turn of a conversation, for a match with `per_turn=True`.

    Args:
        answer: An entry with a `ground_truth`, or that list.
        parameters: The names of the parameters of tools, for arguments that are written without a name.

    Raises:
        ConversionError: It is no list of turns, or holds something else than calls.

    >>> from trajmatch_adapters.histories import bfcl
    >>> bfcl.expected_turns({"ground_truth": [["cd(folder='a')"], []]})
    [[ToolCall('cd', {'folder': 'a'})], []]
    """
    turns = _ground_truth(answer)
    for at, turn in enumerate(turns):
        if not isinstance(turn, (list, tuple)):
            raise ConversionError(f"turn {at}: a list of calls is needed, got {turn!r:.60}")
    return [_calls(f"turn {at}, call", listed(turn), parameters or {}) for at, turn in enumerate(turns)]


def _ground_truth(answer: object) -> Sequence[object]:
    given = get(answer, "ground_truth", answer)
    if not isinstance(given, (list, tuple)):
        raise ConversionError(f"possible answers are an entry with a list under 'ground_truth', got {given!r:.60}")
    return cast("Sequence[object]", given)


def _calls(place: str, given: Sequence[object], parameters: Parameters) -> list[ToolCall]:
    return [call for at, one in enumerate(given) for call in _read(f"{place} {at}", one, parameters)]


def _read(place: str, written: object, parameters: Parameters) -> Iterator[ToolCall]:
    if isinstance(written, str):
        yield from _from_python(place, written, parameters)
    elif is_mapping(written) and len(written) == 1:
        yield _possible(place, *next(iter(written.items())))
    else:
        raise ConversionError(f"{place}: neither an object of one tool nor a call as Python, got {written!r:.60}")


def _from_python(place: str, text: str, parameters: Parameters) -> Iterator[ToolCall]:
    calls = python_calls(text)
    if calls is None:
        raise ConversionError(f"{place}: {text!r:.60} is no call as Python")
    for call in calls:
        arguments = arguments_of(call, parameters)
        if arguments is None:
            raise ConversionError(
                f"{place}: {call.text!r:.60} has arguments without a name; "
                f"write parameters={{{call.name!r}: [the names of its parameters, in order]}}"
            )
        yield ToolCall(call.name, literal(arguments))


def _possible(place: str, tool: object, allowed: object) -> ToolCall:
    if not (isinstance(tool, str) and tool) or not is_mapping(allowed):
        raise ConversionError(f"{place}: a tool has an object of arguments, got {tool!r:.60}: {allowed!r:.60}")
    defaults: _Defaults = {}
    arguments = {name: _allowed(place, (str(name),), values, defaults) for name, values in allowed.items()}
    call = ToolCall(tool, literal(arguments))
    return call.under(ArgumentRule(defaults=defaults)) if defaults else call


def _allowed(place: str, path: _Path, values: object, defaults: _Defaults | None) -> Any:
    """An argument, or a key inside one, of which one value of a list is right; without a list, this value."""
    given, inside = listed(values), len(path) > 1
    if inside and not isinstance(values, (list, tuple)):
        return values
    if not given:
        raise ConversionError(f"{place}: {'.'.join(path)} allows no value, got {values!r:.60}")
    real = [value for value in given if value != ""]
    if len(real) < len(given):
        if defaults is None:
            raise ConversionError(
                f"{place}: {'.'.join(path)} may be absent in one of several values, which has no form"
            )
        texts = all(isinstance(value, str) for value in real)
        defaults[path] = "" if texts else _example(real[0])
        real = [*real, ""] if texts else real
    one = len(real) == 1
    read = real if inside else [_value(place, path, value, defaults if one else None) for value in real]
    return read[0] if one else expect.one_of(*map(literal, read))


def _value(place: str, path: _Path, value: Any, defaults: _Defaults | None) -> Any:
    """One value; the keys of an object, or of the objects in a list, have lists of allowed values themselves."""
    if is_mapping(value):
        return {key: _allowed(place, (*path, str(key)), item, defaults) for key, item in value.items()}
    if listed(value) and all(map(is_mapping, value)):
        return [_value(place, (*path, str(at)), item, defaults) for at, item in enumerate(value)]
    return value


def _example(value: Any) -> Any:
    """A value as a call would give it."""
    if is_mapping(value):
        return {key: _example(listed(item)[0]) if listed(item) else item for key, item in value.items()}
    return value

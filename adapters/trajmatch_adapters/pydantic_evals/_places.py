"""Where the history and the expectation are found in what Pydantic Evals hands over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from pydantic_evals.evaluators import EvaluatorContext

from trajmatch import (
    AnyOf,
    ConversionError,
    Structure,
    Trajectory,
    to_expectation,
    to_expectations,
    to_trajectory,
)
from trajmatch.reading import get, keys_of, listed

__all__ = ["Context", "Expectations", "find_expectation", "find_history", "read_expectation", "read_turns"]

Context = EvaluatorContext[object, object, object]

Expectations = Trajectory | Structure | AnyOf
_T = TypeVar("_T")

_ATTRIBUTE = "messages"
_METADATA = "expected_trajectory"
_NO_HISTORY = (type(None), str, bytes, int, float, Iterator)
"""What holds no run; an iterator does so for the first evaluator only."""
_HOW = (
    "evaluate the run itself: dataset.evaluate(agent.run); "
    "or record it in the task: set_eval_attribute('messages', result.new_messages()); "
    "or name the attribute or the field of the output that holds it: history_key='...'"
)


def find_history(ctx: Context, key: str | None, nested: bool) -> Trajectory:
    """Give the run of a case: of the output, where it is a run result, or of the attribute, or of another output.

    Raises:
        ConversionError: It is not there, or cannot be read; with what to do.
    """
    if key is not None:
        recorded = ctx.attributes.get(key)
        where, found = f"history_key={key!r}", get(ctx.output, key) if recorded is None else recorded
    elif _is_result(ctx.output) or ctx.attributes.get(_ATTRIBUTE) is None:
        where, found = "the output", ctx.output
    else:
        where, found = f"the attribute {_ATTRIBUTE!r}", ctx.attributes[_ATTRIBUTE]
    if _holds_none(found):
        raise ConversionError(f"no history: {where} is {_told(found)}, {_there(ctx)}; {_HOW}")
    try:
        return _read(found, nested)
    except ConversionError as error:
        error.args = (f"no history: {where} cannot be read: {error}; {_there(ctx)}; {_HOW}",)
        raise


def find_expectation(ctx: Context, given: object, key: str | None, read: Callable[[object], _T]) -> _T:
    """Give the expectation of a case: of the evaluator, or of the metadata, or of the expected output.

    With a key, it is that of the metadata, or of a field of the expected output.

    Raises:
        ConversionError: It is not there, cannot be read, or stands in two places that differ.
    """
    named = key or _METADATA
    written = {"the evaluator's expected": given, f"metadata {named!r}": get(ctx.metadata, named)}
    found = {where: _read_at(where, value, read) for where, value in written.items() if value is not None}
    last = "expected_output" if key is None else f"expected_output {key!r}"
    value = ctx.expected_output if key is None else get(ctx.expected_output, key)
    told = f"is {_told(value)}"
    if not _holds_none(value):
        try:
            found[last] = read(value)
        except ConversionError as error:
            told = f"cannot be read: {error}"
    if not found:
        raise ConversionError(
            f"no expectation: the evaluator has none, the metadata has no {named!r}, and {last} {told}; "
            "write it there, or name the key of the metadata that holds it: expected_key='...'"
        )
    (where, first), *others = found.items()
    for other, run in others:
        if run != first:
            raise ConversionError(
                f"two expectations that differ: {where} and {other}; leave one of them, or keep it in the metadata "
                f"and name its key: expected_key={named!r}"
            )
    return first


def read_expectation(value: object, *, nested: bool) -> Expectations:
    """Read names, calls, dicts, a structure, or a whole history.

    Raises:
        ConversionError: It cannot be read.
    """
    return to_expectation(_with_nested(value) if nested else value)


def read_turns(value: object, *, nested: bool) -> list[Expectations]:
    """Read one of these for each turn.

    Raises:
        ConversionError: It cannot be read.
    """
    return to_expectations(_with_nested(value) if nested else value)


def _with_nested(value: object) -> object:
    return to_trajectory(value, format="pydantic_ai", nested=True) if _is_pydantic_ai(value) else value


def _read_at(where: str, value: object, read: Callable[[object], _T]) -> _T:
    try:
        return read(value)
    except ConversionError as error:
        error.args = (f"{where}: {error}",)
        raise


def _read(history: object, nested: bool) -> Trajectory:
    return to_trajectory(_with_nested(history) if nested else history)


def _is_pydantic_ai(history: object) -> bool:
    """Whether a history is of the format in which tools hand over runs."""
    messages = listed(history) or listed(get(history, "messages"))
    return _is_result(history) or any(get(message, "kind") in ("request", "response") for message in messages)


def _holds_none(value: object) -> bool:
    return isinstance(value, _NO_HISTORY)


def _is_result(value: object) -> bool:
    return callable(get(value, "new_messages"))


def _told(value: object) -> str:
    return "missing" if value is None else f"of the type {type(value).__name__}"


def _there(ctx: Context) -> str:
    held = {"attributes": [*ctx.attributes], "fields of the output": keys_of(ctx.output)}
    return ", ".join(f"{what}: {', '.join(map(repr, names)) or 'none'}" for what, names in held.items())

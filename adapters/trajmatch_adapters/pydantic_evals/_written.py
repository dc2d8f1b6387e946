"""What a file holds of an evaluator, and what it cannot hold."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Annotated, Any, cast

from pydantic import BaseModel, SerializationInfo, WithJsonSchema, model_serializer

from trajmatch import ArgumentRule, OptionError, ToolCall, Trajectory
from trajmatch.reading import is_mapping
from trajmatch_adapters.pydantic_evals._places import read_expectation

__all__ = ["Expectation", "Unwritable", "written_arguments", "written_expectation", "written_option"]

_CALLS = {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "object"}]}}
Expectation = Annotated[object, WithJsonSchema({"anyOf": [_CALLS, {"type": "object"}]})]
"""Names, calls, dicts, or a whole history; in a file a list of names and objects, or a stored trajectory."""


class Unwritable(BaseModel):
    """A value that a file cannot hold: its text in a report, and an error where a file is written."""

    option: str
    text: str
    why: str

    @model_serializer
    def write(self, info: SerializationInfo) -> str:
        if (
            is_mapping(info.context) and "use_short_form" in info.context
        ):  # how Pydantic Evals writes a file, and no report
            raise OptionError(f"{self.option}: a file cannot hold {self.text}: {self.why}", option=self.option)
        return self.text


def written_option(option: str, value: object) -> object:
    """Give the value of an option in the types of JSON; a function has none."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, ArgumentRule):
        return written_option(option, value.options)
    if is_mapping(value):
        return {key: written_option(f"{option}[{key!r}]", each) for key, each in value.items()}
    if isinstance(value, Collection):
        return [written_option(option, each) for each in cast("Collection[object]", value)]
    name = f"the function {getattr(value, '__qualname__', repr(value))}" if callable(value) else repr(value)
    return Unwritable(option=option, text=name, why="it has no JSON form")


def written_expectation(option: str, value: object, *, nested: bool = False) -> object:
    """Give names and calls as a list, and a history as a stored trajectory."""
    try:
        run = read_expectation(value, nested)
        stored = _stored(run)
    except ValueError as error:
        return Unwritable(option=option, text=f"{value!r:.200}", why=str(error))
    if run.messages is not None:
        return stored
    return [call["name"] if [*call] == ["name"] else call for call in stored["calls"]]


def written_arguments(option: str, value: Mapping[str, Any]) -> object:
    """Give the arguments of a call in the types of JSON."""
    try:
        return _stored(Trajectory.from_calls([ToolCall("any", value)]))["calls"][0]["arguments"]
    except ValueError as error:
        return Unwritable(option=option, text=f"{value!r:.200}", why=str(error))


def _stored(run: Trajectory) -> dict[str, Any]:
    """The JSON of a run.

    Raises:
        ConversionError: A value in it has no JSON form.
        ValueError: A number in it is not finite, which Pydantic Evals would write as `null`.
    """
    stored: dict[str, Any] = json.loads(run.to_json())
    json.dumps(stored, allow_nan=False)
    return stored

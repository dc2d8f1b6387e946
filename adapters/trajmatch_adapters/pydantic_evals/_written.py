"""What a file holds of an evaluator, and what it cannot hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any, cast

from pydantic import BaseModel, SerializationInfo, TypeAdapter, WithJsonSchema, model_serializer

from trajmatch import AnyOf, ArgumentsRule, ExpectedCall, OptionError, Structure, ToolCall
from trajmatch.reading import is_mapping
from trajmatch_adapters.pydantic_evals._places import Expectations

__all__ = ["Expectation", "Unwritable", "written_arguments", "written_expectation", "written_option"]

_Whole = Sequence[ExpectedCall] | Structure | Annotated[object, WithJsonSchema({"type": "object"})]
Expectation = (
    Sequence[ExpectedCall] | Structure | Sequence[_Whole] | Annotated[object, WithJsonSchema({"type": "object"})]
)
"""Names, calls, dicts, a structure, or a whole history; in a file a list of names and objects, an object that is a
structure, or a stored trajectory. With `per_turn` a list of these."""


_Read = Expectations | list[Expectations]
_CALLS: TypeAdapter[list[ToolCall]] = TypeAdapter(list[ExpectedCall])
_RULES: TypeAdapter[ArgumentsRule] = TypeAdapter(ArgumentsRule)


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
    if option == "args":
        return _written_rule(option, value)
    if option == "overrides" and is_mapping(value):
        return {tool: _written_rule(f"{option}[{tool!r}]", rule) for tool, rule in value.items()}
    if is_mapping(value):
        return {key: written_option(f"{option}[{key!r}]", each) for key, each in value.items()}
    if isinstance(value, Collection):
        return [written_option(option, each) for each in cast("Collection[object]", value)]
    return Unwritable(option=option, text=_text(value), why="it has no JSON form")


def _written_rule(option: str, rule: object) -> object:
    try:
        return _RULES.dump_python(cast("ArgumentsRule", rule))
    except ValueError as error:
        return Unwritable(option=option, text=_text(rule), why=str(error.__cause__ or error))


def _text(value: object) -> str:
    return f"the function {getattr(value, '__qualname__', repr(value))}" if callable(value) else f"{value!r:.200}"


def written_expectation(option: str, value: object, read: Callable[[object], _Read]) -> object:
    """Give names and calls as a list, and a history as a stored trajectory; for turns a list of these."""
    try:
        return _finite(_data(read(value)))
    except ValueError as error:
        return Unwritable(option=option, text=f"{value!r:.200}", why=str(error))


def _data(expectation: _Read) -> Any:
    if isinstance(expectation, list):
        return [*map(_data, expectation)]
    if isinstance(expectation, AnyOf):
        return {"any_of": [*map(_data, expectation.references)]}
    if isinstance(expectation, Structure):
        return expectation.to_data()
    if expectation.messages is not None:
        return json.loads(expectation.to_json())
    return _CALLS.dump_python([*expectation.calls])


def written_arguments(option: str, value: Mapping[str, Any]) -> object:
    """Give the arguments of a call in the types of JSON."""
    try:
        return _finite(_CALLS.dump_python(_CALLS.validate_python([ToolCall("any", value)])))[0]["arguments"]
    except ValueError as error:
        return Unwritable(option=option, text=f"{value!r:.200}", why=str(error))


def _finite(written: Any) -> Any:
    """What is written, as it is.

    Raises:
        ValueError: A number in it is not finite, which Pydantic Evals would write as `null`.
    """
    json.dumps(written, allow_nan=False)
    return written

"""`trajmatch schema`: the JSON Schemas of what is written by hand or stored."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, cast

import typer

from trajmatch import ArgumentsRule, ExpectedCall, OptionError, Structure, Trajectory
from trajmatch.reading import choose, did_you_mean
from trajmatch_adapters.cli import _options as options
from trajmatch_adapters.cli._answer import Answer
from trajmatch_adapters.cli._written import to_file

__all__ = ["schema"]


def _expectation() -> Any:
    """The type of an expectation: calls, a structure, or whole alternatives."""
    from pydantic import ConfigDict, Field, create_model

    several = cast("Any", list)
    whole = several[ExpectedCall] | Structure
    alternatives: Any = Annotated[several[whole], Field(min_length=1)]
    return whole | create_model("AnyOf", __config__=ConfigDict(extra="forbid"), any_of=(alternatives, ...))


_TYPES: dict[str, Callable[[], Any]] = {
    "expectation": _expectation,
    "call": lambda: ExpectedCall,
    "structure": lambda: Structure,
    "rule": lambda: ArgumentsRule,
    "trajectory": lambda: Trajectory,
}


def schema(
    what: Annotated[
        str,
        typer.Argument(metavar="WHAT", help=f"One of {', '.join(_TYPES)}.", autocompletion=options.complete([*_TYPES])),
    ] = "expectation",
    output: options.OutputOption = None,
) -> Answer:
    """Print the JSON Schema of a kind of file."""
    if what not in _TYPES:
        text = f"schema: there is none of {what!r}{did_you_mean(what, _TYPES)}; there are {choose(_TYPES)}"
        raise OptionError(text, option="what", value=what)
    from pydantic import TypeAdapter

    form = {"$schema": "https://json-schema.org/draft/2020-12/schema", **TypeAdapter(_TYPES[what]()).json_schema()}
    return to_file(output, json.dumps(form, indent=2))

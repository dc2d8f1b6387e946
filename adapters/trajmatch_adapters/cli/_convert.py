"""`trajmatch convert`: a history in the common model."""

from __future__ import annotations

import json as json_text
from typing import Annotated

import typer

from trajmatch_adapters.cli import _options as options
from trajmatch_adapters.cli._answer import Answer
from trajmatch_adapters.cli._input import Source, history
from trajmatch_adapters.cli._written import to_file

__all__ = ["convert"]


def convert(
    file: options.FileArgument,
    output: options.OutputOption = None,
    compact: Annotated[bool, typer.Option("--compact", help="Print one line.")] = False,
    format: options.FormatOption = None,
    kind: options.KindOption = None,
    line: options.LineOption = None,
    at: options.AtOption = None,
) -> Answer:
    """Print a run in the common model, as JSON."""
    text = history(Source(file, kind, line, at, format)).to_json()
    return to_file(output, text if compact else json_text.dumps(json_text.loads(text), indent=2))

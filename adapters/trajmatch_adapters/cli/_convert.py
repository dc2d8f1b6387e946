"""`trajmatch convert`: a history in the common model, or as the messages of another format."""

from __future__ import annotations

import json as json_text
from typing import Annotated

import typer

from trajmatch import to_messages
from trajmatch_adapters.cli import _options as options
from trajmatch_adapters.cli._answer import Answer
from trajmatch_adapters.cli._input import Source, history
from trajmatch_adapters.cli._written import to_file

__all__ = ["convert"]


def convert(
    file: options.FileArgument,
    output: options.OutputOption = None,
    to: options.ToOption = None,
    compact: Annotated[bool, typer.Option("--compact", help="Print one line.")] = False,
    format: options.FormatOption = None,
    kind: options.KindOption = None,
    line: options.LineOption = None,
    at: options.AtOption = None,
) -> Answer:
    """Print a run in the common model, or in another format."""
    run = history(Source(file, kind, line, at, format))
    form: object = json_text.loads(run.to_json()) if to is None else to_messages(run, to)
    return to_file(output, json_text.dumps(form, indent=None if compact else 2))

"""`trajmatch show`: a history as a readable run."""

from __future__ import annotations

from typing import Annotated

import typer

from trajmatch_adapters.cli import _options as options
from trajmatch_adapters.cli._answer import Answer, width
from trajmatch_adapters.cli._input import Source, history
from trajmatch_adapters.cli._listing import listing

__all__ = ["show"]


def show(
    file: options.FileArgument,
    full: Annotated[bool, typer.Option("--full", help="Shorten nothing.")] = False,
    format: options.FormatOption = None,
    kind: options.KindOption = None,
    line: options.LineOption = None,
    at: options.AtOption = None,
) -> Answer:
    """Show a run as a person reads it."""
    run = history(Source(file, kind, line, at, format))
    return Answer(listing(run, width=width(), full=full))

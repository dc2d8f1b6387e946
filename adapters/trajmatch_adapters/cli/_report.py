"""`trajmatch report`: one page for the results of many matches."""

from __future__ import annotations

from typing import Annotated

import typer

from trajmatch import OptionError, report_html
from trajmatch_adapters.cli import _options as options
from trajmatch_adapters.cli._answer import Answer
from trajmatch_adapters.cli._input import Source, value
from trajmatch_adapters.cli._written import to_file

__all__ = ["report"]


def report(
    files: Annotated[
        list[str],
        typer.Argument(metavar="RESULTS...", help="What match --json and check --json printed; - is standard input."),
    ],
    output: options.OutputOption = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The title of the page.")] = None,
    kind: options.KindOption = None,
) -> Answer:
    """Make one page of many results, with filters and search."""
    sources = [Source(file, kind) for file in files]
    _refuse_twice(files)
    results = {source.name: value(source) for source in sources}
    return to_file(output, report_html(results) if title is None else report_html(results, title=title))


def _refuse_twice(files: list[str]) -> None:
    for file in files:
        if files.count(file) > 1:
            raise OptionError(f"results: {file!r} is there twice", option="results", value=file)

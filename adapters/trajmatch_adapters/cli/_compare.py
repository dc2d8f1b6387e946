"""`trajmatch compare`: what got better or worse from one file of results to another."""

from __future__ import annotations

import json as json_text
from typing import Annotated, cast

import typer

from trajmatch.batch import By, compare_results, read_rows
from trajmatch_adapters.cli import _options as options
from trajmatch_adapters.cli._answer import Answer, width

__all__ = ["compare"]

_BASE = typer.Argument(metavar="BASE", help="The results to compare with, as score wrote them: .jsonl or .parquet.")
_NEW = typer.Argument(metavar="NEW", help="The results that may be better or worse.")
_BY = "What the runs of a task share; by default what the rows say."
_ALPHA = typer.Option(metavar="NUMBER", help="Below which p value a change is no chance.")
_MISSING = typer.Option("--allow-missing-tasks", help="Let NEW lack tasks of BASE, and runs of them.")
_SIGNATURES = typer.Option("--allow-other-signatures", help="Let scores depend on other options on either side.")


def compare(
    base: Annotated[str, _BASE],
    new: Annotated[str, _NEW],
    by: Annotated[str | None, options.words_option("--by", options.words(By), _BY)] = None,
    alpha: Annotated[float, _ALPHA] = 0.05,
    allow_missing_tasks: Annotated[bool, _MISSING] = False,
    allow_other_signatures: Annotated[bool, _SIGNATURES] = False,
    json: options.JsonOption = False,
) -> Answer:
    """Say which tasks got better or worse, and test it."""
    comparison = compare_results(
        read_rows(base),
        read_rows(new),
        by=cast("By | None", by),
        alpha=alpha,
        allow_missing_tasks=allow_missing_tasks,
        allow_other_signatures=allow_other_signatures,
    )
    if json:
        return Answer(text=json_text.dumps(comparison.to_dict()), passed=not comparison.regression)
    return Answer(comparison.lines(width()), passed=not comparison.regression)

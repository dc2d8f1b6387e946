"""`trajmatch score`: a file of runs to a file of results, and what they come to."""

from __future__ import annotations

import json as json_text
import sys
from typing import Annotated

import typer

from trajmatch import ConversionError, Matcher, OptionError
from trajmatch.batch import Scorer, Summary, score_file
from trajmatch_adapters.cli import _match_options as of_match
from trajmatch_adapters.cli import _options as options
from trajmatch_adapters.cli._answer import Answer, Line, width
from trajmatch_adapters.cli._progress import ProgressBar
from trajmatch_adapters.cli._texts import printable

__all__ = ["score"]

_RUNS = typer.Argument(metavar="RUNS", help="The runs: .jsonl, a record a line, or .parquet.")
_ID = typer.Option("--id", metavar="FIELD", help="Where it holds its id.", show_default="id")
_GROUP = typer.Option(metavar="FIELD", help="Where a record names the task of which it is one of several runs.")
_OUTPUT = typer.Option("--output", "-o", metavar="RESULTS", help="Write a row for each run: .jsonl or .parquet.")
_UNDER = typer.Option("--fail-under", metavar="RATE", help="Fail where the pass rate is lower, from 0 to 1.")
_EXPECTED_FORMAT = typer.Option(
    help="The format of what was expected, where that is a history.", autocompletion=options.complete_format
)


def score(
    runs: Annotated[str, _RUNS],
    actual: Annotated[str, typer.Option(metavar="FIELD", help="Where a record holds the run.")] = "actual",
    expected: Annotated[str, typer.Option(metavar="FIELD", help="Where it holds what was expected.")] = "expected",
    id: Annotated[str | None, _ID] = None,
    group: Annotated[str | None, _GROUP] = None,
    mode: of_match.Mode = None,
    args: options.ArgsOption = None,
    override: of_match.Overrides = None,
    calls: options.CallsWord = None,
    threshold: of_match.Threshold = None,
    allow_extra: of_match.AllowExtra = False,
    allow_missing: of_match.AllowMissing = False,
    ignore_role: of_match.IgnoreRoles = None,
    alias: of_match.Aliases = None,
    prefix: of_match.Prefixes = None,
    tools: of_match.Tools = None,
    per_turn: of_match.PerTurn = False,
    format: options.FormatOption = None,
    expected_format: Annotated[str | None, _EXPECTED_FORMAT] = None,
    workers: Annotated[int, typer.Option(metavar="N", help="So many processes.")] = 1,
    output: Annotated[str | None, _OUTPUT] = None,
    groups: Annotated[int, typer.Option(metavar="N", help="List so many groups, the worst.", min=0)] = 20,
    fail_under: Annotated[float | None, _UNDER] = None,
    json: options.JsonOption = False,
) -> Answer:
    """Match each run of a file, and sum up."""
    written = {"mode": mode, "args": args, "overrides": override, "calls": calls, "threshold": threshold}
    written |= {"allow_extra": allow_extra, "allow_missing": allow_missing, "ignore_roles": ignore_role}
    written |= {"aliases": alias, "prefixes": prefix, "tools": tools, "per_turn": per_turn}
    if fail_under is not None and not 0 <= fail_under <= 1:
        raise OptionError(f"--fail-under: a rate from 0 to 1, got {fail_under}", option="fail_under", value=fail_under)
    scorer = Scorer(
        matcher=Matcher(**of_match.match_options(written)),
        actual=actual,
        expected=expected,
        id="id" if id is None else id,
        group=group,
        format=format,
        expected_format=expected_format,
    )
    summary = _scored(runs, output, scorer, workers)
    holds = fail_under is None or (summary.pass_rate or 0.0) >= fail_under
    nowhere = _nowhere(summary, id, group)
    passed = holds and summary.runs > 0 and not summary.errors and not nowhere
    if json:
        sys.stderr.writelines(f"trajmatch: {text}\n" for text in nowhere)
        return Answer(text=json_text.dumps(summary.to_dict()), passed=passed)
    notes = [[("note: " + text, "head failed")] for text in nowhere]
    return Answer([*summary.lines(width(), groups), *notes, *_verdict(summary, fail_under, holds)], passed=passed)


def _nowhere(summary: Summary, id: str | None, group: str | None) -> list[str]:
    """Say of which fields that were written no record has one."""
    asked = [("id", id, summary.named), ("group", group, len(summary.groups))]
    return [
        f"no run has {'an' if noun == 'id' else 'a'} {noun}: there is nothing at {printable(repr(field))}"
        for noun, field, found in asked
        if summary.runs and field is not None and not found
    ]


def _scored(runs: str, output: str | None, scorer: Scorer, workers: int) -> Summary:
    with ProgressBar() as bar:
        try:
            return score_file(runs, output, scorer, workers=workers, progress=bar.show)
        except KeyboardInterrupt:
            bar.close()
            sys.stderr.write(f"trajmatch: {_kept(bar.rows, output)}\n")
            raise
        except OSError as error:
            told = "read" if error.filename == runs else "written"
            name = printable(str(error.filename or output))
            raise ConversionError(f"{name}: it cannot be {told}: {error.strerror or error}") from error


def _kept(rows: int | None, output: str | None) -> str:
    if output is None:
        return "interrupted; nothing is kept without --output"
    kept = "what was scored is" if rows is None else f"{rows:,} rows are"
    return f"interrupted; {kept} kept, and the same command goes on"


def _verdict(summary: Summary, fail_under: float | None, holds: bool) -> list[Line]:
    if fail_under is None:
        return [] if summary.runs else [[("note: there are no runs", "head failed")]]
    told = f"pass rate {summary.pass_rate or 0.0:.3f} {'>=' if holds else '<'} {fail_under:g}"
    return [[], [(told, "head passed" if holds else "head failed")]]

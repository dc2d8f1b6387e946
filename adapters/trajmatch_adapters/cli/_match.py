"""`trajmatch match`: the verdict, the score and the picture."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from trajmatch import Matcher, OptionError
from trajmatch_adapters.cli import _match_options as of_match
from trajmatch_adapters.cli import _options as options
from trajmatch_adapters.cli._answer import Answer, width
from trajmatch_adapters.cli._input import Source, expectation, history
from trajmatch_adapters.cli._written import call_of

__all__ = ["match"]

_SAME = "The same of EXPECTED."
_EXPECTED = typer.Argument(metavar="EXPECTED", help="What should have been done: a file, - or JSON.")
_EXPECT = typer.Option(metavar="CALL", help="One expected call, in place of EXPECTED: a tool, or JSON. Repeat it.")


def match(
    actual: options.FileArgument,
    expected: Annotated[str | None, _EXPECTED] = None,
    expect: Annotated[list[str] | None, _EXPECT] = None,
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
    expected_format: Annotated[str | None, typer.Option(help=_SAME, autocompletion=options.complete_format)] = None,
    kind: options.KindOption = None,
    expected_kind: Annotated[str | None, options.words_option("--expected-kind", options.KINDS, _SAME)] = None,
    line: options.LineOption = None,
    expected_line: Annotated[int | None, typer.Option(metavar="N", help=_SAME)] = None,
    at: options.AtOption = None,
    expected_at: Annotated[str | None, typer.Option(metavar="PATH", help=_SAME)] = None,
    json: options.JsonOption = False,
) -> Answer:
    """Match a run against what was expected."""
    written = {"mode": mode, "args": args, "overrides": override, "calls": calls, "threshold": threshold}
    written |= {"allow_extra": allow_extra, "allow_missing": allow_missing, "ignore_roles": ignore_role}
    written |= {"aliases": alias, "prefixes": prefix, "tools": tools, "per_turn": per_turn}
    matcher, calls_wanted = Matcher(**of_match.match_options(written)), _calls_wanted(actual, expected, expect)
    wanted = Source(expected or "", expected_kind, expected_line, expected_at, expected_format, "--expected-")
    run = history(Source(actual, kind, line, at, format))
    result = matcher(run, calls_wanted or expectation(wanted, per_turn=per_turn))
    if json:
        return Answer(text=result.to_json(), passed=result.passed)
    return Answer(result.picture.lines(width()), passed=result.passed)


def _calls_wanted(actual: str, expected: str | None, expect: list[str] | None) -> list[Any]:
    """The expected calls that stand on the command line.

    Raises:
        OptionError: There is no expectation, or more than one, or it cannot be read.
    """
    if (expected is None) == (not expect):
        raise OptionError("write what was expected: EXPECTED, or --expect", option="expected")
    if actual == expected == "-":
        raise OptionError("the standard input is read once; name a file for one side", option="expected")
    return [call_of("--expect", text) for text in expect or ()]

"""`trajmatch match`: the verdict, the score and the picture."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from trajmatch import ModeName, OptionError, load
from trajmatch import match as matched
from trajmatch_adapters.cli import _options as options
from trajmatch_adapters.cli._answer import Answer, width
from trajmatch_adapters.cli._input import Source, expectation, history
from trajmatch_adapters.cli._written import call_of, pairs_of, rule_of

__all__ = ["match"]

_MODES = options.words(ModeName)
_SAME = "The same of EXPECTED."


def match(
    actual: options.FileArgument,
    expected: Annotated[
        str | None,
        typer.Argument(metavar="EXPECTED", help="What should have been done: a file, or JSON."),
    ] = None,
    expect: Annotated[
        list[str] | None,
        typer.Option(metavar="CALL", help="One expected call, in place of EXPECTED: a tool, or JSON. Repeat it."),
    ] = None,
    mode: Annotated[str | None, options.words_option("--mode", _MODES, options.described("mode"))] = None,
    args: options.ArgsOption = None,
    override: Annotated[
        list[str] | None, typer.Option(metavar="TOOL=RULE", help=f"{options.described('overrides')} Repeat it.")
    ] = None,
    calls: options.CallsWord = None,
    threshold: Annotated[float | None, typer.Option(metavar="NUMBER", help=options.described("threshold"))] = None,
    allow_extra: Annotated[bool, typer.Option("--allow-extra", help=options.described("allow_extra"))] = False,
    allow_missing: Annotated[bool, typer.Option("--allow-missing", help=options.described("allow_missing"))] = False,
    ignore_role: Annotated[
        list[str] | None, typer.Option(metavar="ROLE", help=f"{options.described('ignore_roles')} Repeat it.")
    ] = None,
    alias: Annotated[
        list[str] | None, typer.Option(metavar="OTHER=NAME", help=f"{options.described('aliases')} Repeat it.")
    ] = None,
    prefix: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help=f"{options.described('prefixes')} Repeat it.")
    ] = None,
    tools: Annotated[str | None, typer.Option(metavar="FILE", help=options.described("tools"))] = None,
    per_turn: Annotated[bool, typer.Option("--per-turn", help=options.described("per_turn"))] = False,
    format: options.FormatOption = None,
    expected_format: Annotated[
        str | None,
        typer.Option(help=_SAME, autocompletion=options.complete_format),
    ] = None,
    kind: options.KindOption = None,
    expected_kind: Annotated[str | None, options.words_option("--expected-kind", options.KINDS, _SAME)] = None,
    line: options.LineOption = None,
    expected_line: Annotated[int | None, typer.Option(metavar="N", help=_SAME)] = None,
    at: options.AtOption = None,
    expected_at: Annotated[str | None, typer.Option(metavar="PATH", help=_SAME)] = None,
    json: options.JsonOption = False,
) -> Answer:
    """Match a run against what was expected."""
    _refuse_sides(actual, expected, expect)
    given = {
        "mode": mode,
        "args": rule_of("--args", args),
        "overrides": _overrides(override),
        "calls": calls,
        "threshold": threshold,
        "allow_extra": allow_extra or None,
        "allow_missing": allow_missing or None,
        "ignore_roles": ignore_role or None,
        "aliases": pairs_of("--alias", alias, "OTHER=NAME"),
        "prefixes": prefix or None,
        "tools": None if tools is None else load(tools),
        "per_turn": per_turn or None,
    }
    written: Any = {name: option for name, option in given.items() if option is not None}
    run = Source(actual, kind, line, at, format)
    wanted = Source(expected or "", expected_kind, expected_line, expected_at, expected_format, "--expected-")
    calls_expected = [call_of("--expect", text) for text in expect or ()]
    result = matched(history(run), calls_expected or expectation(wanted, per_turn=per_turn), **written)
    if json:
        return Answer(text=result.to_json(), passed=result.passed)
    return Answer(result.picture.lines(width()), passed=result.passed)


def _overrides(written: list[str] | None) -> dict[str, Any] | None:
    pairs = pairs_of("--override", written, "TOOL=RULE")
    return pairs and {tool: rule_of(f"--override {tool}", [text]) for tool, text in pairs.items()}


def _refuse_sides(actual: str, expected: str | None, expect: list[str] | None) -> None:
    if (expected is None) == (not expect):
        raise OptionError("write what was expected: EXPECTED, or --expect", option="expected")
    if actual == expected == "-":
        raise OptionError("the standard input is read once; name a file for one side", option="expected")

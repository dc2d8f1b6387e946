"""`trajmatch check`: budgets, forbidden calls, required arguments, without an expectation."""

from __future__ import annotations

import json as json_text
import re
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from trajmatch import (
    CheckResult,
    Occurrence,
    OptionError,
    Trajectory,
    check_arguments,
    check_forbidden,
    check_limits,
)
from trajmatch_adapters.cli import _options as options
from trajmatch_adapters.cli._answer import Answer
from trajmatch_adapters.cli._input import Source, history
from trajmatch_adapters.cli._texts import printable
from trajmatch_adapters.cli._written import call_of, json_of, rule_of

__all__ = ["check"]


def check(
    file: options.FileArgument,
    max_tool_calls: Annotated[int | None, typer.Option(metavar="N", help="How many calls may count.")] = None,
    max_model_requests: Annotated[
        int | None, typer.Option(metavar="N", help="How many responses the model may have given.")
    ] = None,
    max_identical_calls: Annotated[
        int | None, typer.Option(metavar="N", help="How often one call may be made with equal arguments.")
    ] = None,
    forbid: Annotated[
        list[str] | None,
        typer.Option(metavar="TOOL[=JSON]", help="A call that must not be made, with these arguments. Repeat it."),
    ] = None,
    require: Annotated[
        list[str] | None,
        typer.Option(metavar="TOOL[=JSON]", help="A tool that must be called, with these arguments. Repeat it."),
    ] = None,
    args: options.ArgsOption = None,
    occurrence: Annotated[
        str | None,
        options.words_option("--occurrence", options.words(Occurrence), "Which call of a required tool; or a number."),
    ] = None,
    calls: options.CallsWord = None,
    format: options.FormatOption = None,
    kind: options.KindOption = None,
    line: options.LineOption = None,
    at: options.AtOption = None,
    json: options.JsonOption = False,
) -> Answer:
    """Check limits, forbidden and required calls."""
    limits = _given(
        max_tool_calls=max_tool_calls, max_model_requests=max_model_requests, max_identical_calls=max_identical_calls
    )
    rules, counting = _given(args=rule_of("--args", args)), _given(calls=calls)
    _refuse_idle(bool(rules), occurrence is not None, forbid, require)
    run = history(Source(file, kind, line, at, format))
    results = [
        *_limits(run, limits, {} if [*limits] == ["max_model_requests"] and (forbid or require) else counting),
        *_forbidden(run, forbid or [], rules | counting),
        *_required(run, require or [], rules | counting | _given(occurrence=_occurrence(occurrence))),
    ]
    if not results:
        raise OptionError("nothing is asked; write a limit, --forbid or --require", option="max_tool_calls")
    passed = all(results)
    if json:
        form = {"passed": passed, "checks": [result.to_dict() for result in results]}
        return Answer(text=json_text.dumps(form), passed=passed)
    lines = [[(printable(result.reason), "succeeded" if result else "failed")] for result in results]
    return Answer(lines, passed=passed)


def _given(**options: object) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _refuse_idle(args: bool, occurrence: bool, forbid: list[str] | None, require: list[str] | None) -> None:
    if occurrence and not require:
        raise OptionError("--occurrence has no effect without --require", option="occurrence")
    if args and not (forbid or require):
        raise OptionError("--args has no effect without --forbid or --require", option="args")


def _limits(run: Trajectory, limits: dict[str, Any], options: dict[str, Any]) -> Iterator[CheckResult]:
    if limits:
        yield check_limits(run, **limits, **options)


def _forbidden(run: Trajectory, forbid: list[str], options: dict[str, Any]) -> Iterator[CheckResult]:
    if forbid:
        yield check_forbidden(run, [*map(_barred, forbid)], **options)


def _barred(text: str) -> Any:
    """Give a call that was written as a tool, as a tool with arguments, or as JSON.

    Raises:
        OptionError: It is none, which would forbid nothing.
    """
    if text.lstrip().startswith("{"):
        return call_of("--forbid", text)
    tool, sign, arguments = text.partition("=")
    if not re.fullmatch(r"[^\s,\[\]]+", tool):
        raise OptionError(f"--forbid: {text!r:.80} is no name of a tool; repeat --forbid for several", option="forbid")
    return {"name": tool, "arguments": json_of(f"--forbid {tool}", arguments)} if sign else tool


def _required(run: Trajectory, require: list[str], options: dict[str, Any]) -> Iterator[CheckResult]:
    for text in require:
        tool, sign, arguments = text.partition("=")
        wanted = json_of(f"--require {tool}", arguments) if sign else None
        yield check_arguments(run, tool, wanted, **options)


def _occurrence(written: str | None) -> str | int | None:
    """Give which call is meant; a number counts from 0."""
    return int(written) if written is not None and written.removeprefix("-").isdecimal() else written

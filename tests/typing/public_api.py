"""Every public name with its type, for mypy and pyright; running it shows that the types are true."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack, assert_type

import trajmatch
from trajmatch import (
    AnyOf,
    ArgumentRule,
    ArgumentRuleData,
    ArgumentsRule,
    CallsOption,
    CheckResult,
    ConversionError,
    CostError,
    Edit,
    ExpectedCall,
    FileKind,
    Matcher,
    MatchFailure,
    MatchOptions,
    MatchResult,
    Message,
    ModeName,
    Occurrence,
    OptionError,
    Pair,
    RuleError,
    Structure,
    ToolCall,
    Trajectory,
    TrajmatchError,
    any_of,
    any_order,
    assert_match,
    batched,
    call,
    check_arguments,
    check_forbidden,
    check_limits,
    expect,
    forbidden,
    load,
    match,
    one_of,
    optional,
    plan,
    reading,
    repeat,
    report_html,
    seq,
    step,
    to_expectation,
    to_expectations,
    to_messages,
    to_trajectory,
    write_report,
)
from trajmatch._script import EditKind
from trajmatch.reading import Answered, Called, Kind, Noted, Recognised, Said, Status
from trajmatch_adapters import agentevals


def expectations() -> None:
    data: ArgumentRuleData = {"mode": "subset", "ignore": ["id"], "tolerance": {"abs": 1}}
    rule = ArgumentRule(**data)
    assert_type(rule, ArgumentRule)
    assert_type(rule.options, ArgumentRuleData)
    assert_type(match([call("f")], ["f"], args=rule, overrides={"f": data}), MatchResult)
    assert_type(to_expectation(["f", {"name": "g"}]), Trajectory | Structure | AnyOf)
    assert_type(to_expectations([["f"], {"seq": ["g"]}]), list[Trajectory | Structure | AnyOf])
    written: list[ExpectedCall] = [call("f", x=1).under(data)]
    assert_type(written, list[ToolCall])
    assert_type(written, list[ExpectedCall])
    assert_type(written[0].rule, ArgumentsRule | None)
    trip = plan(step("a", seq("x", optional("y"))), step("b", repeat(one_of("p", "q"), 0, 3), after=["a"]))
    assert_type(trip, Structure)
    assert_type(trip.to_data(), dict[str, Any])
    assert_type(any_order(batched("x", "y"), forbidden("z")), Structure)
    assert_type(any_of(["f"], trip), AnyOf)
    edits = match([call("other")], trip).edits
    assert_type(edits, tuple[Edit, ...])
    assert_type(edits[0].kind, EditKind)
    assert_type(expect.any_value(), expect.Operator)
    assert_type(expect.regex("a"), expect.Operator)
    assert_type(expect.approx(1, abs=0.5), expect.Operator)
    assert_type(expect.one_of(1, "a"), expect.Operator)
    assert_type(expect.type_of("integer", "null"), expect.Operator)
    assert_type(expect.contains(1), expect.Operator)
    assert_type(expect.starts_with("a"), expect.Operator)
    assert_type([expect.gt(1), expect.gte(1), expect.lt("a"), expect.lte(1.5)], list[expect.Operator])
    assert_type(expect.not_(expect.all_of(1)), expect.Operator)


def model() -> None:
    made = call("book", hotel="Ritz")
    assert_type(made, ToolCall)
    assert_type(made.name, str)
    assert_type(made.arguments, dict[str, Any] | None)
    assert_type(made.raw_arguments, str | None)
    assert_type(made.id, str | None)
    assert_type(made.status, Status | None)
    assert_type(made.kind, Kind)
    assert_type(made.text, str | None)
    assert_type(made.result, object)
    assert_type(made.replace(name="x"), ToolCall)
    assert_type(ToolCall("x", '{"a": 1}', id="1", status="failed", kind="native", result=3), ToolCall)
    message = Message("assistant", None, [made], answers=None, feedback=False)
    assert_type(message.role, str)
    assert_type(message.content, object)
    assert_type(message.tool_calls, tuple[ToolCall, ...])
    assert_type(message.answers, int | None)
    assert_type(message.name, str | None)
    assert_type(message.feedback, bool)
    run = Trajectory([message])
    assert_type(run.messages, tuple[Message, ...] | None)
    assert_type(run.calls, tuple[ToolCall, ...])
    assert_type(run.batches, tuple[tuple[ToolCall, ...], ...])
    assert_type(run.turns, tuple[Trajectory, ...])
    assert_type(run.notes, tuple[str, ...])
    assert_type(run.map_calls(lambda each: each.replace(name="y")), Trajectory)
    assert_type(run.map_calls(lambda each: None), Trajectory)
    assert_type(run.to_json(), str)
    assert_type(run.to_text(max_length=100), str)
    assert_type(Trajectory.from_json(run.to_json()), Trajectory)
    assert_type(Trajectory.from_calls(["x", made, {"name": "z"}]), Trajectory)
    assert_type(to_trajectory([made]), Trajectory)
    assert_type(to_trajectory([], format="openai"), Trajectory)
    assert_type(to_messages([], "openai"), list[dict[str, Any]])


def files(kind: FileKind = "json") -> None:
    assert_type(kind, FileKind)
    assert_type(load(StringIO("[]")), object)
    assert_type(load(BytesIO(b"[]"), kind=kind), object)


def near(actual: dict[str, Any], expected: dict[str, Any]) -> bool:
    return actual.keys() == expected.keys()


def matching() -> None:
    result = match(
        [call("x")],
        ["x"],
        mode="in_order",
        args=near,
        overrides={"y": "ignore", "z": ["a.b", ("c.d",)]},
        calls=lambda each: each.kind != "native",
        threshold=0.5,
        allow_extra=True,
        aliases={"x_2": "x"},
        prefixes=("mcp__",),
        tools={"x": {"type": "object"}},
    )
    assert_type(result, MatchResult)
    assert_type(result.passed, bool)
    assert_type(result.score, float)
    assert_type(result.graded, bool)
    assert_type(result.precision, float)
    assert_type(result.recall, float)
    assert_type(result.f1, float)
    assert_type(result.mode, str)
    assert_type(result.pairs, tuple[Pair, ...])
    assert_type(result.pairs[0].actual, ToolCall)
    assert_type(result.pairs[0].expected_index, int)
    assert_type(result.missing, tuple[ToolCall, ...])
    assert_type(result.extra, tuple[ToolCall, ...])
    assert_type(result.notes, tuple[str, ...])
    assert_type(result.reason, str)
    assert_type(result.signature, str)
    assert_type(result.render(), str)
    assert_type(result.to_dict(), dict[str, Any])
    assert_type(result.to_json(), str)
    assert_type(result.to_html(), str)
    assert_type(result.to_html(fragment=True), str)
    matcher = Matcher(mode="strict", ignore_roles=["system", "user"])
    assert_type(matcher([], []), MatchResult)
    assert_type(matcher.signature, str)
    assert_match([], [], calls="succeeded")


def forwarded(**options: Unpack[MatchOptions]) -> MatchResult:
    """A function of the user's that takes what `match` takes."""
    return match([], [], **options)


def forwarded_check(args: ArgumentsRule, calls: CallsOption, occurrence: Occurrence) -> CheckResult:
    """A function of the user's that takes what `check_arguments` takes."""
    return check_arguments([call("x")], "x", {}, args=args, calls=calls, occurrence=occurrence)


def options() -> None:
    written: list[MatchOptions] = [{"mode": "unordered", "args": [("a.b",), "c"], "calls": "all"}, {}]
    assert_type(written, list[MatchOptions])
    assert_type(forwarded(**written[0]), MatchResult)
    rules: list[ArgumentsRule] = ["subset", ["a.b"], near]
    which: list[CallsOption] = ["all", lambda each: each.kind != "native"]
    occurrences: list[Occurrence] = ["last", 0]
    modes: list[ModeName] = ["strict", "any_order"]
    assert_type(rules, list[ArgumentsRule])
    assert_type(which, list[CallsOption])
    assert_type(occurrences, list[Occurrence])
    assert_type(modes, list[ModeName])
    assert_type(forwarded_check(rules[0], which[0], occurrences[1]), CheckResult)


def checks() -> None:
    run = [call("x", a=1)]
    checked = check_arguments(run, "x", {"a": 1}, args=["a"], occurrence="any", calls="all")
    assert_type(checked, CheckResult)
    assert_type(checked.passed, bool)
    assert_type(checked.reason, str)
    assert_type(checked.to_dict(), dict[str, Any])
    assert_type(check_arguments(run, "x", None, occurrence=0), CheckResult)
    assert_type(check_limits(run, max_tool_calls=3, max_identical_calls=1), CheckResult)
    assert_type(check_forbidden(run, ["y", call("x", a=2)], args="exact"), CheckResult)


def reports() -> None:
    results = {"a": match([], []), "b": check_limits([call("x")], max_tool_calls=1).to_dict()}
    assert_type(report_html(results, title="Runs"), str)
    with TemporaryDirectory() as folder:
        assert_type(write_report(results, Path(folder, "report.html")), None)


def errors() -> None:
    conversion = ConversionError("text", index=1, keys=["a"], formats=["b"])
    assert_type(conversion.index, int | None)
    assert_type(conversion.keys, tuple[str, ...])
    assert_type(conversion.formats, tuple[str, ...])
    option = OptionError("text", option="mode", value=1)
    assert_type(option.option, str)
    assert_type(option.value, object)
    rule = RuleError("text", tool="x", actual_index=0, expected_index=1)
    assert_type(str(CostError("text")), str)
    assert_type(rule.tool, str)
    assert_type(rule.actual_index, int)
    assert_type(rule.expected_index, int)
    failure = MatchFailure(match([], ["x"]))
    assert_type(failure.result, MatchResult)
    roots: list[TrajmatchError] = [conversion, option, rule, failure]
    builtins: list[ValueError | RuntimeError | AssertionError] = [conversion, option, rule, failure]
    assert len(roots) == len(builtins)


def adapters() -> None:
    def read(history: object) -> Iterator[reading.Event]:
        for item in reading.messages_in(history):
            yield Said(reading.fold_role("human"), item)
            yield Called("x", reading.wire_arguments(None), "1")
            yield Answered("ok", "1")
            yield Noted("nothing")

    assert_type(reading.build(read(["a"])), Trajectory)
    answer: Recognised = "could_be"
    assert_type(reading.get({"a": answer}, "a"), Any)


def evaluators() -> None:
    evaluator = agentevals.create_trajectory_match_evaluator(
        trajectory_match_mode="superset",
        tool_args_match_mode="ignore",
        tool_args_match_overrides={"x": near, "y": ["a.b"], "z": "subset"},
    )
    result = evaluator(outputs=[], reference_outputs=[], inputs={})
    assert_type(result, agentevals.EvaluatorResult)
    assert_type(result["score"], bool)
    assert_type(result["comment"], str | None)
    awaited = agentevals.create_async_trajectory_match_evaluator()
    assert_type(awaited, agentevals.AsyncTrajectoryEvaluator)
    steps = {"steps": [["x"]]}
    graph = agentevals.create_graph_trajectory_match_evaluator(trajectory_match_mode="subset")
    assert_type(graph, agentevals.TrajectoryEvaluator)
    strict = agentevals.graph_trajectory_strict_match(outputs=steps, reference_outputs=steps)
    assert_type(strict, agentevals.EvaluatorResult)
    assert_type(agentevals.graph_trajectory(steps), Trajectory)


def version() -> None:
    assert_type(trajmatch.__version__, str)


if __name__ == "__main__":
    for run in (expectations, model, files, matching, options, checks, errors, adapters, evaluators, version):
        run()

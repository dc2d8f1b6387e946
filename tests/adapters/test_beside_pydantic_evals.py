"""The evaluators of Pydantic Evals that read spans, and those that read messages, on the same runs."""

import asyncio
from contextlib import closing

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from pydantic_ai import Agent, ModelRetry, ToolReturn
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.messages import ModelResponse, NativeToolCallPart, NativeToolReturnPart, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.tools import DeferredToolRequests, DeferredToolResults, Tool, ToolDenied
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import (
    ArgumentCorrectness,
    MaxModelRequests,
    MaxToolCalls,
    ToolCorrectness,
    TrajectoryMatch,
)

from trajmatch_adapters.pydantic_evals import CheckArguments, CheckForbidden, CheckLimits, MatchRun


@pytest.fixture(autouse=True)
def spans(monkeypatch):
    """A provider that records spans, for this test alone."""
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", TracerProvider())


def search(q: str) -> str:
    """Search."""
    return "found"


def book(hotel: str, nights: int = 1) -> str:
    """Book."""
    if nights > 7:
        raise ModelRetry("At most a week.")
    return "booked"


def delete(order: int) -> str:
    """Delete."""
    raise NotImplementedError


async def ask(question: str) -> ToolReturn:
    """Ask another agent."""
    run = await agent_of([[("search", {"q": question})], "40."]).run(question)
    return ToolReturn(run.output, metadata={"messages": run.new_messages()})


def agent_of(steps, *, instrument=True, output_type=str):
    """An agent whose model makes these calls, one list a response, and says these texts."""

    def respond(messages, info):
        step = next(script)
        return ModelResponse(parts=[TextPart(step)] if isinstance(step, str) else [each(part) for part in step])

    def each(part):
        return ToolCallPart(*part) if isinstance(part, tuple) else part

    script = iter(steps)
    tools = [search, book, ask, Tool(delete, requires_approval=True)]
    return Agent(
        FunctionModel(respond), tools=tools, output_type=output_type, capabilities=[Instrumentation()] * instrument
    )


def judged(task, *evaluators):
    """The values that the evaluators give of one run."""
    named = [Case(name="a", inputs="Please.", evaluators=evaluators)]
    case = Dataset(name="runs", cases=named).evaluate_sync(task, progress=False).cases[0]
    assert case.evaluator_failures == []
    found = {**case.assertions, **case.scores}
    return [found[evaluator.get_default_evaluation_name()].value for evaluator in evaluators]


RUNS = {
    "one call": [[("search", {"q": "a"})], "Done."],
    "several": [[("search", {"q": "a"})], [("book", {"hotel": "Ritz"})], [("search", {"q": "b"})], "Done."],
    "in parallel": [
        [("search", {"q": "a"}), ("book", {"hotel": "Ritz", "nights": 2}), ("search", {"q": "b"})],
        "Done.",
    ],
    "a retry": [[("book", {"hotel": "Ritz", "nights": 8})], [("book", {"hotel": "Ritz", "nights": 7})], "Done."],
    "a retry at the end": [[("search", {"q": "a"})], [("book", {"hotel": "Ritz", "nights": 9})], "Sorry."],
    "a sub-agent": [[("ask", {"question": "a"})], [("book", {"hotel": "Ritz"})], "Done."],
    "nothing": ["Hello."],
}
NAMES = [["search"], ["search", "book"], ["book", "search", "search"], ["ask", "search", "book"], ["book", "book"], []]
COUNTED = {False: "succeeded", True: "all"}


def replaced():
    """Each evaluator of theirs, and what replaces it."""
    for failed, calls in COUNTED.items():
        for names in NAMES:
            given = {"include_failed": failed}
            yield ToolCorrectness(names, **given), MatchRun(names, mode="unordered", calls=calls)
            yield ToolCorrectness(names, allow_extra=True, **given), MatchRun(names, mode="superset", calls=calls)
            yield TrajectoryMatch(names, order="exact", **given), MatchRun(names, calls=calls)
            yield TrajectoryMatch(names, order="in_order", **given), MatchRun(names, mode="in_order", calls=calls)
            yield TrajectoryMatch(names, order="any_order", **given), MatchRun(names, mode="any_order", calls=calls)
        for tool, arguments in [
            ("search", {"q": "a"}),
            ("search", {"q": "b"}),
            ("book", {"hotel": "Ritz"}),
            ("book", {}),
        ]:
            for occurrence in ("first", "last", 0, 1):
                for theirs, ours in {"subset": "superset", "exact": "exact"}.items():
                    given = {"occurrence": occurrence, "include_failed": failed}
                    yield (
                        ArgumentCorrectness(tool, arguments, match_mode=theirs, **given),
                        CheckArguments(tool, arguments, args=ours, occurrence=occurrence, calls=calls),
                    )
        for limit in range(5):
            yield MaxToolCalls(limit, include_failed=failed), CheckLimits(limit, calls=calls)
    for limit in range(6):
        yield MaxModelRequests(limit), CheckLimits(max_model_requests=limit)


@pytest.mark.parametrize("steps", RUNS.values(), ids=RUNS)
def test_what_replaces_an_evaluator_of_spans_gives_the_same(steps):
    pairs = [*replaced()]
    evaluators = []
    for number, pair in enumerate(pairs):
        for side, evaluator in zip(("theirs", "ours"), pair, strict=True):
            evaluator.evaluation_name = f"{number} {side}"
            evaluators.append(evaluator)
    found = judged(lambda _: agent_of(steps).run("Please."), *evaluators)
    differing = [pair for pair, theirs, ours in zip(pairs, found[::2], found[1::2], strict=True) if theirs != ours]
    assert differing == []
    assert {*found} >= {True, False}


def test_arguments_are_equal_in_python_there_and_as_json_here():
    steps = [[("book", {"hotel": "Ritz", "nights": True})], "Done."]
    wanted = {"nights": 1}
    assert judged(agent_of(steps).run, ArgumentCorrectness("book", wanted), CheckArguments("book", wanted)) == [
        True,
        False,
    ]


# --- what only messages show ----------------------------------------------------------------------


def test_an_unknown_tool_leaves_no_span_and_a_call():
    steps = [[("fly", {"to": "Rome"})], "Sorry."]
    assert judged(
        agent_of(steps).run,
        ToolCorrectness([], include_failed=True),
        MaxToolCalls(0),
        MatchRun(["fly"]),
        CheckLimits(0),
        CheckForbidden(["fly"]),
    ) == [True, True, True, False, False]


def test_a_call_that_waits_for_approval_leaves_no_span_and_a_call():
    steps = [[("search", {"q": "a"})], [("delete", {"order": 7})]]
    assert judged(
        agent_of(steps, output_type=[str, DeferredToolRequests]).run,
        ToolCorrectness(["search"], include_failed=True),
        MaxToolCalls(1),
        MatchRun(["delete"], calls=lambda call: call.status == "pending"),
        CheckLimits(1),
        CheckArguments("delete", {"order": 7}),
        CheckForbidden(["delete"]),
    ) == [True, True, True, False, True, False]


def test_a_call_that_was_denied_leaves_no_span_and_a_call():
    agent = agent_of([[("delete", {"order": 7}, "1")], "I did not."], output_type=[str, DeferredToolRequests])

    async def task(inputs):
        waiting = await agent.run(inputs)
        results = DeferredToolResults(approvals={"1": ToolDenied("Not that one.")})
        run = await agent.run(message_history=waiting.all_messages(), deferred_tool_results=results)
        return run.all_messages()

    assert judged(
        task,
        ToolCorrectness([], include_failed=True),
        MatchRun(["delete"], calls=lambda call: call.status == "denied"),
        CheckForbidden(["delete"]),
    ) == [True, True, False]


def test_a_native_tool_leaves_no_span_and_a_call():
    native = [
        NativeToolCallPart("web_search", {"query": "a"}, tool_call_id="1", provider_name="x"),
        NativeToolReturnPart("web_search", "found", tool_call_id="1", provider_name="x"),
        TextPart("Done."),
    ]
    assert judged(
        agent_of([native]).run,
        ToolCorrectness([], include_failed=True),
        MaxToolCalls(0),
        MatchRun(["web_search"]),
        CheckLimits(0),
    ) == [True, True, True, False]


def test_an_agent_that_is_not_instrumented_leaves_no_span_and_its_calls():
    assert judged(
        agent_of(RUNS["several"], instrument=False).run,
        MaxToolCalls(0),
        MaxModelRequests(0),
        ToolCorrectness(["search"], allow_extra=True),
        CheckLimits(0),
        CheckLimits(max_model_requests=0, evaluation_name="requests"),
        MatchRun(["search"], mode="superset"),
    ) == [True, True, False, False, False, True]


def test_without_a_provider_of_spans_theirs_fail_and_ours_do_not(monkeypatch):
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", None)
    assert judged(agent_of(RUNS["one call"]).run, ToolCorrectness(["search"]), MatchRun(["search"])) == [False, True]


def test_a_stored_run_has_no_spans_and_its_messages():
    with closing(asyncio.new_event_loop()) as loop:
        run = loop.run_until_complete(agent_of(RUNS["one call"]).run("Please."))
    assert judged(lambda _: run.all_messages(), ToolCorrectness(["search"]), MatchRun(["search"])) == [False, True]


def test_sub_agents_that_were_not_handed_over_are_seen_in_spans_alone():
    async def task(inputs):
        run = await agent_of(RUNS["a sub-agent"]).run(inputs)
        for message in run.all_messages():
            for part in message.parts:
                if part.part_kind == "tool-return":
                    part.metadata = None
        return run

    assert judged(task, ToolCorrectness(["ask", "search", "book"]), MatchRun(["ask", "book"])) == [True, True]

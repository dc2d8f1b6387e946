import copy
import json
import random
from datetime import UTC, datetime, timedelta

import pytest
from langfuse import Langfuse
from langfuse.api import ObservationV2
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.spoiled import spoiled
from trajmatch import ConversionError, OptionError, to_trajectory
from trajmatch_adapters.histories.langfuse import classify

ALONE = "a call stands in no message of the model, and is a message of its own"
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
HI, BYE = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Bye"}
CALL = {"id": "1", "type": "function", "function": {"name": "a", "arguments": '{"x": 1}'}}
ASKS = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "1", "content": "ok"}


def observed(at, kind, name="m", input=None, output=None, parent="o1", **more):
    return {
        "id": f"o{at}",
        "type": kind,
        "name": name,
        "parentObservationId": parent,
        "startTime": (NOON + timedelta(seconds=at)).isoformat(),
        "endTime": (NOON + timedelta(seconds=at + 1)).isoformat(),
        "input": input if input is None else json.dumps(input),
        "output": output if output is None else json.dumps(output),
        **more,
    }


ROOT = observed(1, "AGENT", "agent", {"messages": [HI]}, BYE, None)
FIRST = observed(2, "GENERATION", "m", [HI], ASKS)
EXECUTED = observed(3, "TOOL", "a", {"x": 1}, "ok")
SECOND = observed(4, "GENERATION", "m", [HI, ASKS, RESULT], BYE)
OBSERVATIONS = [SECOND, EXECUTED, ROOT, FIRST]
SNAKE = {"parentObservationId": "parent_observation_id", "startTime": "start_time", "endTime": "end_time"}


def of_the_sdk(given):
    fields = {SNAKE.get(key, key): value for key, value in given.items()}
    return ObservationV2(**fields, project_id="p")


def values(given):
    return {key: json.loads(value) if key in ("input", "output") and value else value for key, value in given.items()}


FORMS = {
    "a trace and its observations": {"trace": {"id": "t", "name": "t", "input": "Hi"}, "observations": OBSERVATIONS},
    "observations in their trace": {"id": "t", "name": "t", "output": "Bye", "observations": OBSERVATIONS},
    "observations": OBSERVATIONS,
    "values in place of text": [*map(values, OBSERVATIONS)],
    "objects of the SDK": [*map(of_the_sdk, OBSERVATIONS)],
}
WRITTEN = {
    "messages": ([HI], ASKS),
    "what wraps them": ({"messages": [HI], "tools": []}, {"choices": [{"message": ASKS}]}),
    "one message": (HI, ASKS),
    "a prompt, and calls alone": (
        {"prompt": "Hi"},
        [{"toolCallId": "1", "toolName": "a", "input": '{"x": 1}'}],
    ),
    "GenAI conventions": (
        [{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}],
        [
            {
                "role": "assistant",
                "parts": [{"type": "tool_call", "id": "1", "name": "a", "arguments": {"x": 1}}],
            }
        ],
    ),
    "blocks": (
        [HI],
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "a", "input": {"x": 1}}]},
    ),
}
TOOLS = {
    "by its arguments": EXECUTED,
    "by its arguments under input": observed(3, "TOOL", "a", {"input": {"x": 1}}, "ok"),
    "by the id in its metadata": observed(3, "TOOL", "a", {}, "ok", metadata={"tool_call_id": "1"}),
    "by the id in its attributes": observed(
        3, "TOOL", "a", {}, "ok", metadata=json.dumps({"attributes": {"gen_ai.tool.call.id": "1"}})
    ),
    "by the id in its result": observed(3, "TOOL", "a", {}, {"content": "ok", "tool_call_id": "1"}),
}
ENDS = {
    "succeeded": (EXECUTED, "succeeded"),
    "an error": (EXECUTED | {"level": "ERROR", "output": None, "statusMessage": "no"}, "failed"),
    "unfinished": (EXECUTED | {"endTime": None, "output": None}, "pending"),
    "nothing given back": (EXECUTED | {"output": None}, "succeeded"),
}
OTHERS = {
    "OpenAI": HI,
    "a block": {"type": "TOOL", "name": "a"},
    "a run of LangSmith": {"id": "1", "run_type": "llm", "inputs": {}, "start_time": "2026-01-01T00:00:00Z"},
    "a span": {"name": "m", "span_id": "1", "attributes": {}, "start_time": 1},
    "another trace": {"observations": [1, 2]},
    "a trace whose observations were not fetched": {"id": "t", "observations": []},
    "nothing": None,
}


def facts(run):
    return [(made.name, made.arguments, made.id, made.status) for made in run.calls]


def roles(run):
    return [message.role for message in run.messages]


ONE, ALL = [("a", {"x": 1}, "1", "succeeded")], ["user", "assistant", "tool", "assistant"]


@pytest.mark.parametrize("options", [{}, {"format": "langfuse"}], ids=["recognised", "named"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_trace_is_read_in_each_of_its_forms(form, options):
    before = copy.deepcopy(form)
    run = to_trajectory(form, **options)
    assert (facts(run), roles(run), run.notes, form) == (ONE, ALL, (), before)


@pytest.mark.parametrize(("input", "output"), WRITTEN.values(), ids=WRITTEN)
def test_messages_are_read_in_the_format_of_whoever_was_traced(input, output):
    run = to_trajectory([observed(1, "GENERATION", "m", input, output, None)])
    assert (facts(run), roles(run)) == ([("a", {"x": 1}, "1", None)], ["user", "assistant"])


@pytest.mark.parametrize("given", TOOLS.values(), ids=TOOLS)
def test_an_observation_of_a_tool_joins_its_call(given):
    run = to_trajectory([FIRST, given])
    assert (facts(run), run.messages[-1].content, run.notes) == (ONE, "ok", ())


@pytest.mark.parametrize(("given", "status"), ENDS.values(), ids=ENDS)
def test_an_observation_says_what_became_of_its_call(given, status):
    other = observed(5, "TOOL", "b", {"y": 1}, "ok")
    assert to_trajectory([FIRST, given, other]).calls[0].status == status


def test_the_message_of_an_error_is_the_result():
    assert to_trajectory([FIRST, ENDS["an error"][0]]).messages[-1].content == "no"


def test_a_tool_that_no_message_calls_is_a_call_with_the_id_of_the_observation():
    run = to_trajectory([EXECUTED])
    assert (facts(run), run.notes) == ([("a", {"x": 1}, "o3", "succeeded")], (ALONE,))


def test_a_generation_that_holds_one_is_one_request_with_it():
    outer = observed(2, "GENERATION", "outer", {"prompt": "Hi"}, [{"toolName": "a", "toolCallId": "1", "input": {}}])
    inner = observed(3, "GENERATION", "inner", [HI], ASKS, "o2")
    assert facts(to_trajectory([outer, inner])) == [("a", {"x": 1}, "1", None)]


def test_a_trace_speaks_itself_where_no_generation_does():
    given = {"name": "t", "input": '"Hi"', "output": '"Bye"', "observations": [EXECUTED]}
    assert roles(to_trajectory(given)) == ["user", "assistant", "assistant", "tool"]


def test_messages_alone_are_read_by_the_name_of_the_format():
    definition = {"role": "tool", "content": {"type": "function", "function": {"name": "a", "parameters": {}}}}
    answered = {"role": "a", "content": "ok", "additional_kwargs": {}}
    run = to_trajectory([HI, ASKS, answered, definition], format="langfuse")
    assert (facts(run), roles(run)) == (ONE, ["user", "assistant", "tool"])


def test_what_a_tool_runs_can_be_left_out():
    inner = observed(5, "TOOL", "b", {}, "ok", "o3")
    counts = [len(to_trajectory([*OBSERVATIONS, inner], format="langfuse", nested=n).calls) for n in (True, False)]
    assert counts == [2, 1]


def test_a_wrong_option_is_refused():
    with pytest.raises(OptionError, match="nested must be True or False"):
        to_trajectory(OBSERVATIONS, format="langfuse", nested=0)


@pytest.mark.parametrize("item", OTHERS.values(), ids=OTHERS)
def test_items_of_others_are_not_claimed(item):
    assert classify(item) == "no"


def test_a_tool_without_a_name_is_refused():
    with pytest.raises(ConversionError, match="a call without the name of its tool"):
        to_trajectory([FIRST, EXECUTED | {"name": ""}])


def test_the_spans_that_the_sdk_records_are_read_as_spans():
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    client = Langfuse(
        tracer_provider=provider,
        public_key="a public key",
        secret_key="unused",
        base_url="http://localhost:9",
        span_exporter=InMemorySpanExporter(),
    )
    with client.start_as_current_observation(name="agent", as_type="agent", input={"messages": [HI]}):
        with client.start_as_current_observation(name="m", as_type="generation", input=[HI]) as request:
            request.update(output=ASKS)
        with client.start_as_current_observation(name="a", as_type="tool", input={"x": 1}) as executed:
            executed.update(output="ok")
        with client.start_as_current_observation(name="m", as_type="generation", input=[HI, ASKS, RESULT]) as request:
            request.update(output=BYE)
    run = to_trajectory(exporter.get_finished_spans())
    assert (facts(run), roles(run)) == (ONE, ALL)


FUZZED = [FORMS["a trace and its observations"], FORMS["observations"], FORMS["values in place of text"]]


@pytest.mark.parametrize("seed", range(150))
def test_a_mutated_trace_ends_in_a_run_or_in_an_error_that_names_the_place(seed):
    chance = random.Random(seed)
    history = spoiled(chance.choice(FUZZED), chance)
    before = json.dumps(history)
    try:
        assert to_trajectory(history, format="langfuse").to_json()
    except ConversionError as error:
        assert not str(error).startswith("this history cannot be read")
    assert json.dumps(history) == before

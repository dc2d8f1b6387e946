import copy
import json
import random
from types import SimpleNamespace

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Status, StatusCode
from pydantic import BaseModel
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.exceptions import CallDeferred
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.tools import DeferredToolRequests
from pydantic_evals.otel import SpanTree
from pydantic_evals.otel.span_tree import SpanNode

from tests.spoiled import spoiled
from trajmatch import ConversionError, OptionError, to_trajectory
from trajmatch_adapters.histories.otel import classify

NO_FLAG = "nothing says whether a tool failed; a result counts as succeeded"
NOT_CAPTURED = "the arguments of a call were not captured"
ALONE = "a call stands in no message of the model, and is a message of its own"
UNSORTED = "the steps of the trace do not say when they began; they are read in the order given"


def text(content="Hi"):
    return {"type": "text", "content": content}


def calls(name="a", id="1", **more):
    return {"type": "tool_call", "id": id, "name": name, **({"arguments": {"x": 1}} | more)}


def answers(response="ok", id="1", **more):
    return {"type": "tool_call_response", "id": id, "response": response, **more}


def says(role, *parts, **more):
    return {"role": role, "parts": list(parts), **more}


USER, TOOL, BYE = says("user", text()), says("tool", answers()), says("assistant", text("Bye"), finish_reason="stop")
ASKS = says("assistant", calls())
HISTORY = [USER, ASKS, TOOL, BYE]


def facts(run):
    return [(made.name, made.arguments, made.id, made.status, made.kind) for made in run.calls]


def roles(run):
    return [message.role for message in run.messages]


def only(message):
    return facts(to_trajectory([message]))


MADE = {
    "one": (calls(), ("a", {"x": 1}, "1", None, "function")),
    "arguments as text": (calls(arguments='{"x": 1}'), ("a", {"x": 1}, "1", None, "function")),
    "no arguments": (calls(arguments={}), ("a", {}, "1", None, "function")),
    "arguments that were not captured": (calls(arguments=None), ("a", None, "1", None, "function")),
    "malformed arguments": (calls(arguments="{"), ("a", None, "1", None, "function")),
    "no id": (calls(id=None), ("a", {"x": 1}, None, None, "function")),
    "a tool of the provider": (
        {"type": "server_tool_call", "id": "1", "name": "web", "server_tool_call": {"type": "web", "q": "x"}},
        ("web", {"type": "web", "q": "x"}, "1", None, "native"),
    ),
    "one that Pydantic AI marks": (calls(builtin=True), ("a", {"x": 1}, "1", None, "native")),
}
ANSWERED = {
    "in a message of a tool": [says("tool", answers())],
    "in a message of a user": [says("user", answers())],
    "under result": [says("user", {"type": "tool_call_response", "id": "1", "name": "a", "result": "ok"})],
    "as JSON text": [says("tool", answers('"ok"'))],
    "as what Microsoft's agents write": [says("tool", answers('{"type": "function_result", "result": "ok"}'))],
}
SPOKEN = {
    "text": ([BYE], ["assistant"]),
    "a user's text beside a result": ([ASKS, says("user", answers(), text())], ["assistant", "tool", "user"]),
    "no parts": ([USER, says("user")], ["user", "user"]),
    "a system message": ([says("system", text()), USER], ["system", "user"]),
    "a batch": ([says("assistant", text(), calls(), calls(id="2"))], ["assistant"]),
}
NOTED = {
    "no error flag": (HISTORY, (NO_FLAG,)),
    "an error flag": ([ASKS, says("tool", answers(is_error=False))], ()),
    "arguments": ([says("assistant", calls(arguments=None))], (NOT_CAPTURED,)),
    "a part that nobody knows": (
        [says("assistant", {"type": "hologram"})],
        ("a part of the unknown type 'hologram' is passed over",),
    ),
    "parts that call nothing": ([says("assistant", {"type": "reasoning", "content": "Hm"}, {"type": "blob"})], ()),
}
REFUSED = {
    "a call without a name": ([says("assistant", calls(name=None))], "message 0: a call without the name"),
    "a part with a name and arguments": (
        [USER, says("assistant", {"type": "gadget", "name": "f", "arguments": {}})],
        "message 1: a part of the unknown type 'gadget' with a name and arguments",
    ),
    "a message among spans": (
        [{"name": "s", "span_id": "1", "attributes": {}}, USER],
        "message 1: neither a message of the GenAI conventions nor a span",
    ),
    "spans that hold nothing": ([{"name": "s", "span_id": "1", "attributes": {}}], "a trace without messages"),
}
OTHERS = {
    "Gemini": {"role": "user", "parts": [{"text": "Hi"}]},
    "Gemini's call": {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
    "the AI SDK": {"role": "user", "parts": [{"type": "text", "text": "Hi"}]},
    "the AI SDK's call": {"role": "assistant", "parts": [{"type": "tool-f", "toolCallId": "1", "input": {}}]},
    "the AI SDK's step": {"role": "assistant", "parts": [{"type": "step-start"}]},
    "Pydantic AI": {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Hi"}]},
    "OpenAI": {"role": "user", "content": "Hi"},
    "a run of LangSmith": {"id": "1", "run_type": "llm", "inputs": {}, "name": "m"},
    "an observation of Langfuse": {"id": "1", "type": "SPAN", "name": "m", "startTime": "2026-01-01T00:00:00Z"},
    "a tool's definition": {"name": "f", "attributes": {}},
    "spans and something else": {"spans": [{"name": "s", "span_id": "1", "attributes": {}}, {}]},
    "nothing": None,
}


@pytest.mark.parametrize(("part", "made"), MADE.values(), ids=MADE)
def test_a_part_is_a_call(part, made):
    assert only(says("assistant", part)) == [made]


@pytest.mark.parametrize("messages", ANSWERED.values(), ids=ANSWERED)
def test_a_part_is_the_result_of_a_call(messages):
    run = to_trajectory([USER, ASKS, *messages, BYE])
    assert (facts(run), run.messages[2].content) == ([("a", {"x": 1}, "1", "succeeded", "function")], "ok")


def test_a_result_of_the_provider_makes_no_message():
    answer = {"type": "server_tool_call_response", "id": "1", "server_tool_call_response": {"found": 1}}
    run = to_trajectory([says("assistant", MADE["a tool of the provider"][0], answer)])
    assert (roles(run), run.calls[0].result, run.calls[0].status) == (["assistant"], {"found": 1}, "succeeded")


def test_a_result_may_say_that_the_tool_failed():
    assert to_trajectory([ASKS, says("tool", answers(is_error=True))]).calls[0].status == "failed"


@pytest.mark.parametrize(("messages", "said"), SPOKEN.values(), ids=SPOKEN)
def test_who_speaks(messages, said):
    assert roles(to_trajectory(messages)) == said


def test_what_stands_beside_results_and_is_no_text_starts_no_turn():
    assert len(to_trajectory([USER, ASKS, says("user", answers(), {"type": "blob"})]).turns) == 1


@pytest.mark.parametrize(("messages", "notes"), NOTED.values(), ids=NOTED)
def test_what_messages_cannot_say_is_noted(messages, notes):
    assert to_trajectory(messages).notes == notes


@pytest.mark.parametrize(("history", "error"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_read_is_refused(history, error):
    with pytest.raises(ConversionError, match=error):
        to_trajectory(history, format="otel")


@pytest.mark.parametrize("message", OTHERS.values(), ids=OTHERS)
def test_messages_of_others_are_not_claimed(message):
    assert classify(message) == "no"


def test_what_only_these_conventions_have_is_certain():
    assert [*map(classify, HISTORY), classify(says("user"))] == ["certain"] * 4 + ["could_be"]


def test_messages_under_a_key_and_as_objects_are_read_alike():
    live = [
        SimpleNamespace(role=message["role"], parts=[SimpleNamespace(**part) for part in message["parts"]])
        for message in HISTORY
    ]
    assert to_trajectory({"messages": HISTORY}).calls == to_trajectory(live).calls == to_trajectory(HISTORY).calls


# Spans


def span(name, at, attributes, parent=None, **more):
    return {
        "name": name,
        "span_id": f"s{at}",
        "parent_span_id": parent,
        "start_time": at,
        "end_time": at + 1,
        "attributes": attributes,
        "status": {"code": "UNSET"},
        **more,
    }


def chat(at, inputs, *outputs, **more):
    messages = {"gen_ai.input.messages": json.dumps(inputs), "gen_ai.output.messages": json.dumps(outputs)}
    return span("chat m", at, {"gen_ai.operation.name": "chat", **messages, **more})


def executes(at, name="a", **more):
    known = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.call.id": "1"}
    executed = {"gen_ai.tool.call.arguments": '{"x": 1}', "gen_ai.tool.call.result": "ok"}
    return span(f"execute_tool {name}", at, known | executed | more)


TRACE = [executes(2), chat(3, [USER, ASKS, TOOL], BYE), chat(1, [USER], ASKS), span("invoke_agent", 0, {})]
ONE = [("a", {"x": 1}, "1", "succeeded", "function")]
ALL = ["user", "assistant", "tool", "assistant"]


def otlp(value):
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [{"key": key, "value": otlp(inner)} for key, inner in value.items()]}}
    if isinstance(value, list):
        return {"arrayValue": {"values": [otlp(inner) for inner in value]}}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def in_otlp(given):
    return {
        "name": given["name"],
        "spanId": given["span_id"],
        "parentSpanId": given["parent_span_id"] or "",
        "startTimeUnixNano": str(given["start_time"]),
        "endTimeUnixNano": str(given["end_time"]),
        "attributes": [{"key": key, "value": otlp(value)} for key, value in given["attributes"].items()],
        "status": {},
    }


def structured(given):
    values = {key: json.loads(value) if value[:1] in "[{" else value for key, value in given["attributes"].items()}
    return {**given, "attributes": values}


def in_event(given):
    moved = {key: value for key, value in given["attributes"].items() if key.endswith(".messages")}
    kept = {key: value for key, value in given["attributes"].items() if key not in moved}
    event = {"event_name": "gen_ai.client.inference.operation.details", "attributes": moved}
    return {**given, "attributes": kept, "span_events": [event] if moved else []}


def sdk_json(given):
    return {
        "name": given["name"],
        "context": {"trace_id": "0x1", "span_id": f"0x{given['span_id']}"},
        "parent_id": None,
        "start_time": f"2026-01-01T00:00:0{given['start_time']}.000000Z",
        "end_time": f"2026-01-01T00:00:0{given['end_time']}.000000Z",
        "status": {"status_code": "UNSET"},
        "attributes": given["attributes"],
        "events": [],
    }


FORMS = {
    "an exporter's dicts": TRACE,
    "the JSON of the SDK": [*map(sdk_json, TRACE)],
    "OTLP": {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": [*map(in_otlp, TRACE)]}]}]},
    "OTLP with values": [in_otlp(structured(one)) for one in TRACE],
    "a trace": {"trace_id": "t", "spans": TRACE},
    "a trace under data": {"data": {"spans": TRACE}},
    "values in attributes": [*map(structured, TRACE)],
    "messages in an event": [*map(in_event, TRACE)],
    "spans in spans": [{**TRACE[3], "children": [*TRACE[:3]]}],
}


@pytest.mark.parametrize("options", [{}, {"format": "otel"}], ids=["recognised", "named"])
@pytest.mark.parametrize("trace", FORMS.values(), ids=FORMS)
def test_a_trace_is_read_in_each_of_its_forms(trace, options):
    before = copy.deepcopy(trace)
    run = to_trajectory(trace, **options)
    assert (facts(run), roles(run), run.notes, trace) == (ONE, ALL, (), before)


LLM = {
    "openinference.span.kind": "LLM",
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.content": "Hi",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.contents.0.message_content.type": "text",
    "llm.output_messages.0.message.contents.0.message_content.text": "Now",
    "llm.output_messages.0.message.tool_calls.0.tool_call.id": "1",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "a",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"x": 1}',
    "llm.input_messages": None,
}
PLAIN_USER = {"role": "user", "content": "Hi"}
PLAIN_CALL = {"id": "1", "type": "function", "function": {"name": "a", "arguments": '{"x": 1}'}}
CONVENTIONS = {
    "OpenInference": LLM,
    "OpenInference, nested": {
        "openinference": {"span": {"kind": "LLM"}},
        "llm": {
            "input_messages": [{"message": PLAIN_USER}],
            "output_messages": [
                {"message": {"role": "assistant", "tool_calls": [{"tool_call": {**PLAIN_CALL, "type": None}}]}}
            ],
        },
    },
    "OpenInference, a legacy call": {
        **{key: value for key, value in LLM.items() if "tool_calls" not in key},
        "llm.output_messages.0.message.function_call_name": "a",
        "llm.output_messages.0.message.function_call_arguments_json": '{"x": 1}',
    },
    "OpenInference, raw": {
        "openinference.span.kind": "LLM",
        "input.value": json.dumps({"messages": [PLAIN_USER]}),
        "output.value": json.dumps({"choices": [{"message": {"role": "assistant", "tool_calls": [PLAIN_CALL]}}]}),
    },
    "OpenInference, content by index": {
        "openinference.span.kind": "LLM",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content.0": "Hi",
        "llm.output_messages.0.message.role": "assistant",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "a",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"x": 1}',
    },
    "indexed attributes of OpenLLMetry": {
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "Hi",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.tool_calls.0.id": "1",
        "gen_ai.completion.0.tool_calls.0.name": "a",
        "gen_ai.completion.0.tool_calls.0.arguments": '{"x": 1}',
    },
    "the AI SDK": {
        "ai.operationId": "ai.generateText.doGenerate",
        "ai.prompt.messages": json.dumps([{"role": "user", "content": [{"type": "text", "text": "Hi"}]}]),
        "ai.response.toolCalls": json.dumps([{"toolCallId": "1", "toolName": "a", "input": '{"x": 1}'}]),
    },
    "Langfuse": {
        "langfuse.observation.type": "generation",
        "langfuse.observation.input": json.dumps([PLAIN_USER]),
        "langfuse.observation.output": json.dumps({"role": "assistant", "tool_calls": [PLAIN_CALL]}),
    },
    "LangSmith": {
        "langsmith.span.kind": "llm",
        "gen_ai.prompt": json.dumps({"messages": [PLAIN_USER]}),
        "gen_ai.completion": json.dumps({"choices": [{"message": {"role": "assistant", "tool_calls": [PLAIN_CALL]}}]}),
    },
    "the older events, as Pydantic AI kept them": {
        "gen_ai.operation.name": "chat",
        "events": json.dumps(
            [
                {"event.name": "gen_ai.user.message", "role": "user", "content": "Hi"},
                {"event.name": "gen_ai.choice", "message": {"role": "assistant", "tool_calls": [PLAIN_CALL]}},
            ]
        ),
    },
    "attributes without a span": {
        "gen_ai.input.messages": [USER],
        "gen_ai.output.messages": [ASKS],
    },
}
TOOLS = {
    "OpenInference": {
        "openinference.span.kind": "TOOL",
        "tool.name": "a",
        "input.value": "{'x': 1}",
        "output.value": json.dumps({"content": "ok", "tool_call_id": "1", "status": "success"}),
    },
    "OpenInference, as it traces LangChain": {
        "openinference.span.kind": "TOOL",
        "tool.name": "a",
        "input.value": "1",
        "output.value": json.dumps({"type": "tool", "data": {"content": "ok", "tool_call_id": "1"}}),
    },
    "OpenInference with an id": {
        "openinference.span.kind": "TOOL",
        "tool.name": "a",
        "tool.id": "1",
        "input.value": '{"x": 1}',
        "output.value": "ok",
    },
    "Google ADK": {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "a",
        "gen_ai.tool.call.id": "1",
        "gcp.vertex.agent.tool_call_args": '{"x": 1}',
        "gcp.vertex.agent.tool_response": "ok",
    },
    "the AI SDK": {
        "ai.operationId": "ai.toolCall",
        "ai.toolCall.name": "a",
        "ai.toolCall.id": "1",
        "ai.toolCall.args": '{"x": 1}',
        "ai.toolCall.result": '"ok"',
    },
    "OpenLLMetry": {
        "traceloop.span.kind": "tool",
        "traceloop.entity.name": "a",
        "traceloop.entity.input": '{"x": 1}',
        "traceloop.entity.output": "ok",
    },
    "Langfuse": {
        "langfuse.observation.type": "tool",
        "langfuse.observation.input": '{"x": 1}',
        "langfuse.observation.output": "ok",
    },
}
ENDS = {
    "succeeded": (executes(2), "succeeded"),
    "an error": (executes(2) | {"status": {"code": "ERROR"}}, "failed"),
    "an error in OTLP": (executes(2) | {"status": {"code": 2}}, "failed"),
    "an error as a word": (executes(2) | {"status": "error"}, "failed"),
    "an error of Phoenix": (executes(2) | {"status": None, "status_code": "ERROR"}, "failed"),
    "the type of an error": (executes(2, **{"error.type": "Timeout"}), "failed"),
    "to be made again": (
        executes(2, **{"pydantic_ai.tool.retry.cause": "model_retry"}) | {"status": {"code": "ERROR"}},
        "retried",
    ),
    "deferred": (executes(2, **{"pydantic_ai.tool.deferral.name": "ApprovalRequired"}), "pending"),
    "unfinished": (executes(2, **{"gen_ai.tool.call.result": None}) | {"end_time": None}, "pending"),
}


@pytest.mark.parametrize("attributes", CONVENTIONS.values(), ids=CONVENTIONS)
def test_messages_are_read_in_the_words_of_each_convention(attributes):
    given = attributes if "gen_ai.input.messages" in attributes else [span("m", 1, attributes)]
    run = to_trajectory(given)
    assert (roles(run), [(c.name, c.arguments) for c in run.calls]) == (["user", "assistant"], [("a", {"x": 1})])


@pytest.mark.parametrize("attributes", TOOLS.values(), ids=TOOLS)
def test_a_tool_is_read_in_the_words_of_each_convention(attributes):
    run = to_trajectory([chat(1, [USER], ASKS), span("a", 2, attributes)])
    assert (facts(run), run.messages[-1].content, run.notes) == (ONE, "ok", ())


@pytest.mark.parametrize(("given", "status"), ENDS.values(), ids=ENDS)
def test_a_span_says_what_became_of_its_call(given, status):
    answered = executes(4, "b", **{"gen_ai.tool.call.id": "2"})
    assert to_trajectory([chat(1, [USER], ASKS), given, answered]).calls[0].status == status


def test_events_of_a_span_are_the_older_messages():
    asked = [
        {"name": "gen_ai.system.message", "attributes": {"content": "S"}},
        {"name": "gen_ai.user.message", "attributes": {"content": "Hi"}},
        {"name": "gen_ai.assistant.message", "attributes": {"tool_calls": json.dumps([PLAIN_CALL])}},
        {"name": "gen_ai.tool.message", "attributes": {"content": "ok", "id": "1"}},
        {"name": "gen_ai.choice", "attributes": {"message": "Bye", "finish_reason": "stop"}},
        {"name": "exception", "attributes": {}},
    ]
    run = to_trajectory([span("chat m", 1, {"gen_ai.operation.name": "chat"}, events=asked)])
    assert (facts(run), roles(run)) == (ONE, ["system", *ALL])


def test_instructions_that_the_conventions_keep_apart_are_a_system_message():
    more = {"gen_ai.system_instructions": json.dumps([text("Be brief")])}
    run = to_trajectory([chat(1, [USER], BYE, **more)])
    assert (roles(run), run.messages[0].content) == (["system", "user", "assistant"], [text("Be brief")])


def test_what_no_convention_names_is_told_by_the_name_of_the_span():
    run = to_trajectory([span("execute_tool a", 1, {"tool_arguments": '{"x": 1}', "tool_response": "ok"})])
    assert (facts(run), run.notes) == ([("a", {"x": 1}, "s1", "succeeded", "function")], (ALONE,))


def test_a_tool_of_which_no_name_is_known_is_no_call():
    given = span("", 2, {"openinference.span.kind": "TOOL"})
    assert facts(to_trajectory([chat(1, [USER], ASKS), given])) == [("a", {"x": 1}, "1", None, "function")]


def test_the_ai_sdk_keeps_text_apart_from_calls():
    model = {"ai.operationId": "ai.generateText.doGenerate", "ai.response.text": "Bye"}
    made = {"ai.response.toolCalls": '[{"toolCallId": "1", "toolName": "a", "input": "{}"}]'}
    run = to_trajectory([span("m", 1, model | made), span("m", 2, model)])
    assert [(message.content, len(message.tool_calls)) for message in run.messages] == [("Bye", 1), ("Bye", 0)]


def test_the_tools_of_structured_output_are_those_that_pydantic_ai_tells():
    tools = {"model_request_parameters": json.dumps({"output_tools": [{"name": "a"}, {"name": None}]})}
    assert [call.kind for call in to_trajectory([chat(1, [USER], ASKS, **tools)]).calls] == ["output"]


def test_spans_without_times_are_read_as_they_are_given():
    trace = [{key: value for key, value in one.items() if "time" not in key} for one in (TRACE[2], *TRACE[:2])]
    run = to_trajectory(trace)
    assert (facts(run), roles(run), run.notes) == (ONE, ALL, (UNSORTED,))


def test_what_a_tool_runs_can_be_left_out():
    inner = executes(3, "b", **{"gen_ai.tool.call.id": "2"}) | {"parent_span_id": "s2"}
    trace = [chat(1, [USER], ASKS), executes(2), inner]
    assert [len(to_trajectory(trace, format="otel", nested=nested).calls) for nested in (True, False)] == [2, 1]


def test_a_wrong_option_is_refused():
    with pytest.raises(OptionError, match="nested must be True or False"):
        to_trajectory(TRACE, format="otel", nested=1)


# What real instrumentations record


class Trip(BaseModel):
    price: int


@pytest.fixture
def recorded():
    """A provider of tracers, and the spans that it recorded."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield provider, exporter
    Agent.instrument_all(False)


def tree_of(spans):
    tree = SpanTree()
    tree.add_spans([SpanNode.from_readable_span(one) for one in spans])
    return tree


def responses(*parts):
    given = iter(parts)
    return FunctionModel(lambda messages, info: ModelResponse(parts=next(given)))


def search(q: str) -> str:
    return f"found {q}"


def flaky(x: int) -> str:
    raise ModelRetry("not now")


def waits(x: int) -> str:
    raise CallDeferred


def run_agent(provider, **settings):
    model = responses(
        [ToolCallPart("search", {"q": "a"}, "1"), ToolCallPart("flaky", {"x": 1}, "2")],
        [ToolCallPart("final_result", {"price": "?"}, "3")],
        [ToolCallPart("final_result", {"price": 3}, "4")],
    )
    agent = Agent(model, output_type=Trip, tools=[search, flaky], retries=2, system_prompt="S")
    Agent.instrument_all(InstrumentationSettings(tracer_provider=provider, **settings))
    return agent.run_sync("go")


READ = {"spans": lambda spans: spans, "JSON": lambda spans: [json.loads(s.to_json()) for s in spans], "a tree": tree_of}


@pytest.mark.parametrize("form", READ.values(), ids=READ)
def test_the_spans_of_an_agent_are_read_as_its_messages(recorded, form):
    provider, exporter = recorded
    direct = to_trajectory(run_agent(provider))
    run = to_trajectory(form(exporter.get_finished_spans()))
    said = [(call.name, call.arguments, call.id, call.kind) for call in run.calls]
    assert said == [(call.name, call.arguments, call.id, call.kind) for call in direct.calls]
    assert [call.status for call in run.calls][:2] == ["succeeded", "retried"]
    assert roles(run) == roles(direct)


def test_an_agent_whose_content_is_not_recorded_shows_its_calls(recorded):
    provider, exporter = recorded
    run_agent(provider, include_content=False)
    run = to_trajectory(exporter.get_finished_spans())
    assert [call.name for call in run.calls] == ["search", "flaky", "final_result", "final_result"]
    assert {call.arguments is None for call in run.calls} == {True} and NOT_CAPTURED in run.notes


def test_a_deferred_call_is_pending(recorded):
    provider, exporter = recorded
    model = responses([ToolCallPart("waits", {"x": 1}, "1"), ToolCallPart("search", {"q": "a"}, "2")])
    Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))
    Agent(model, output_type=[str, DeferredToolRequests], tools=[search, waits]).run_sync("go")
    statuses = {call.name: call.status for call in to_trajectory(exporter.get_finished_spans()).calls}
    assert statuses == {"waits": "pending", "search": "succeeded"}


def test_an_agent_that_a_tool_runs_is_read_with_its_calls(recorded):
    provider, exporter = recorded
    Agent.instrument_all(InstrumentationSettings(tracer_provider=provider))
    inner = Agent(responses([ToolCallPart("search", {"q": "a"}, "1")], [TextPart("42")]), tools=[search])

    async def ask(question: str) -> str:
        return (await inner.run(question)).output

    outer = Agent(responses([ToolCallPart("ask", {"question": "?"}, "1")], [TextPart("Bye")]), tools=[ask])
    outer.run_sync("go")
    run = to_trajectory(exporter.get_finished_spans())
    assert [call.name for call in run.calls] == ["ask", "search"] and len(run.turns) == 1
    alone = to_trajectory(exporter.get_finished_spans(), format="otel", nested=False)
    assert ([call.name for call in alone.calls], roles(alone)) == (["ask"], ALL)


def test_a_status_of_the_sdk_is_read(recorded):
    provider, exporter = recorded
    with provider.get_tracer("t").start_as_current_span("execute_tool a") as one:
        one.set_attribute("gen_ai.tool.name", "a")
        one.set_status(Status(StatusCode.ERROR, "no"))
    assert to_trajectory(exporter.get_finished_spans()).calls[0].status == "failed"


# Whatever happens to a history


FUZZED = [*FORMS.values(), HISTORY, [span("m", 1, LLM)], [span("m", 1, one) for one in CONVENTIONS.values()]]


@pytest.mark.parametrize("seed", range(200))
def test_a_mutated_history_ends_in_a_run_or_in_an_error_that_names_the_place(seed):
    chance = random.Random(seed)
    history = spoiled(chance.choice(FUZZED), chance)
    before = copy.deepcopy(history)
    try:
        assert to_trajectory(history, format="otel").to_json()
    except ConversionError as error:
        assert not str(error).startswith("this history cannot be read")
    assert history == before

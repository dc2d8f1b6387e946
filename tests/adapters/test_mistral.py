import json
from types import SimpleNamespace as Object

import pytest
from mistralai.client.models import (
    AssistantMessage,
    ConversationHistory,
    ConversationResponse,
    ToolMessage,
    UserMessage,
)
from mistralai.extra.run.result import RunResult

from trajmatch import ConversionError, Message, Trajectory, to_trajectory
from trajmatch.reading import build
from trajmatch_adapters.histories.mistral import classify, read

NO_FLAG = "nothing says whether a tool failed; a result counts as succeeded"
BY_ORDER = "results are joined to calls by their order, since ids are missing"
HANDOFF = "a handoff to another agent is no call"
USER = {"role": "user", "content": "Hi"}
INPUT = {"object": "entry", "type": "message.input", "role": "user", "content": "Hi"}
OUTPUT = {"object": "entry", "type": "message.output", "role": "assistant", "content": "Bye"}
MOVED = {
    "type": "agent.handoff",
    "previous_agent_id": "1",
    "previous_agent_name": "a",
    "next_agent_id": "2",
    "next_agent_name": "b",
}


def tool(name="a", arguments="{}", id="1", **more):
    return {"id": id, "function": {"name": name, "arguments": arguments}, **more}


def says(*calls, **more):
    return {"role": "assistant", "content": "", "tool_calls": list(calls), "prefix": False, **more}


def answer(content="ok", id="1", **more):
    return {"role": "tool", "tool_call_id": id, "content": content, **more}


def called(name="a", arguments="{}", id="1", **more):
    return {"type": "function.call", "tool_call_id": id, "name": name, "arguments": arguments, **more}


def result(text="ok", id="1"):
    return {"type": "function.result", "tool_call_id": id, "result": text}


def executed(name="web_search", arguments='{"query": "lamp"}', id="t", **more):
    return {"object": "entry", "type": "tool.execution", "id": id, "name": name, "arguments": arguments, **more}


def response(*outputs, **more):
    return {"object": "conversation.response", "conversation_id": "c", "outputs": list(outputs), "usage": {}, **more}


def facts(run):
    return [
        (c.name, c.raw_arguments if c.arguments is None else c.arguments, c.id, c.status, c.kind) for c in run.calls
    ]


def batches(run):
    return [[made.name for made in message.tool_calls] for message in run.messages if message.role == "assistant"]


HISTORIES = {
    "a call": ([USER, says(tool(arguments='{"x": 1}'))], [("a", {"x": 1}, "1", None, "function")], set()),
    "arguments as an object": ([says(tool(arguments={"x": 1}))], [("a", {"x": 1}, "1", None, "function")], set()),
    "in parallel": (
        [says(tool("a"), tool("b", id="2")), answer("B", "2"), answer()],
        [("a", {}, "1", "succeeded", "function"), ("b", {}, "2", "succeeded", "function")],
        {NO_FLAG},
    ),
    "a result that names its tool": (
        [says(tool("a", id=None), tool("b", id=None)), answer(id=None, name="b")],
        [("a", {}, None, "pending", "function"), ("b", {}, None, "succeeded", "function")],
        {NO_FLAG, BY_ORDER},
    ),
    "an error beside a result": (
        [says(tool()), answer(error="no")],
        [("a", {}, "1", "failed", "function")],
        set(),
    ),
    "the same call in a block": (
        [says(tool(), content=[{"type": "tool_use", "id": "1", "name": "a", "input": {}}])],
        [("a", {}, "1", None, "function")],
        set(),
    ),
    "parts of this format": (
        [says(tool(), content=[{"type": "reference", "reference_ids": [1]}, {"type": "thinking", "thinking": []}])],
        [("a", {}, "1", None, "function")],
        set(),
    ),
    "an unknown part": (
        [says(tool(), content=[{"type": "hologram"}])],
        [("a", {}, "1", None, "function")],
        {"a part of the unknown type 'hologram' is passed over"},
    ),
    "calls of a user": ([says(), {**USER, "tool_calls": [tool()]}], [("a", {}, "1", None, "function")], set()),
    "an entry": ([INPUT, called(arguments='{"x": 1}')], [("a", {"x": 1}, "1", None, "function")], set()),
    "a result entry": (
        [called("a"), called("b", {"x": 1}, "2"), result(id="2")],
        [("a", {}, "1", "pending", "function"), ("b", {"x": 1}, "2", "succeeded", "function")],
        {NO_FLAG},
    ),
    "what the SDK writes of an error": (
        [called(), result("Error while executing a: no\nway")],
        [("a", {}, "1", "failed", "function")],
        set(),
    ),
    "allowed": (
        [called(confirmation_status="allowed"), result()],
        [("a", {}, "1", "succeeded", "function")],
        {NO_FLAG},
    ),
    "denied": ([called(confirmation_status="denied")], [("a", {}, "1", "denied", "function")], set()),
    "denied, with a result": (
        [called(confirmation_status="denied"), result("No.")],
        [("a", {}, "1", "denied", "function")],
        set(),
    ),
    "a tool of the server": (
        [executed(info={"type": "output"}), OUTPUT],
        [("web_search", {"query": "lamp"}, "t", "succeeded", "native")],
        set(),
    ),
    "a tool of the server that has ended": (
        [executed(completed_at="2026-01-01T00:00:00Z")],
        [("web_search", {"query": "lamp"}, "t", "succeeded", "native")],
        set(),
    ),
    "a tool of the server that may run": (
        [executed()],
        [("web_search", {"query": "lamp"}, "t", None, "native")],
        set(),
    ),
    "a handoff": ([INPUT, MOVED, called()], [("a", {}, "1", None, "function")], {HANDOFF}),
    "a response": (response(called()), [("a", {}, "1", None, "function")], set()),
    "responses beside results": (
        [INPUT, response(called()), result(), response(OUTPUT)],
        [("a", {}, "1", "succeeded", "function")],
        {NO_FLAG},
    ),
    "a history": (
        {"object": "conversation.history", "conversation_id": "c", "entries": [INPUT, called(), result(), OUTPUT]},
        [("a", {}, "1", "succeeded", "function")],
        {NO_FLAG},
    ),
}
NAMED = pytest.mark.parametrize("options", [{}, {"format": "mistral"}], ids=["recognised", "named"])


@pytest.mark.parametrize(("history", "calls", "notes"), HISTORIES.values(), ids=HISTORIES)
@NAMED
def test_calls_are_read(history, calls, notes, options):
    run = to_trajectory(history, **options)
    assert (facts(run), set(run.notes)) == (calls, notes)


BATCHES = {
    "in parallel": ([INPUT, called("a"), called("b", id="2")], [["a", "b"]]),
    "one after the other": ([called("a"), result(), called("b", id="2"), result(id="2"), OUTPUT], [["a"], ["b"], []]),
    "text and a server's tool beside": ([OUTPUT, executed(), called()], [["web_search", "a"]]),
    "a user between": ([called("a"), INPUT, called("b")], [["a"], ["b"]]),
    "whole responses": ([response(called("a")), response(called("b", id="2"))], [["a"], ["b"]]),
    "messages": ([says(tool("a")), answer(), says(tool("b", id="2")), says()], [["a"], ["b"], []]),
}


@pytest.mark.parametrize(("history", "expected"), BATCHES.values(), ids=BATCHES)
def test_a_response_is_one_message(history, expected):
    assert batches(build(read(history))) == expected


def test_messages_are_read():
    prefilled = {**INPUT, "role": "assistant", "content": "Well"}
    parts = [{"type": "tool_reference", "tool": "web_search", "title": "x"}]
    run = build(read([INPUT, prefilled, {**OUTPUT, "content": parts}, {"role": "system", "content": "S"}]))
    assert run.messages == (
        Message("user", "Hi"),
        Message("assistant", "Well"),
        Message("assistant", parts),
        Message("system", "S"),
    )


WRONG = {
    "text": ("Hi", "neither a message with a role nor an entry"),
    "no role": ({"content": "Hi"}, "neither a message with a role nor an entry"),
    "a call without a name": (says({"id": "1", "function": {"arguments": "{}"}}), "a call without the name"),
    "tool_calls that are no list": (says(tool_calls={"a": 1}), "tool_calls that are no list"),
    "an entry without a name": (called(name=None), "a call without the name"),
    "calls under another key": (
        {"role": "assistant", "content": "", "toolCalls": [{"toolName": "a", "input": {}}]},
        "calls under the key .*toolCalls'",
    ),
    "an unknown part with arguments": (
        {**OUTPUT, "content": [{"type": "magic", "name": "a", "input": {}}]},
        "a part of the unknown type 'magic'",
    ),
}


@pytest.mark.parametrize(("given", "text"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_is_an_error_that_says_where(given, text):
    with pytest.raises(ConversionError, match=f"message 1: {text}") as caught:
        to_trajectory([USER, given], format="mistral")
    assert caught.value.index == 1


CLASSES = {
    "a message": (USER, "could_be"),
    "a message with a prefix": (says(), "certain"),
    "calls": ({"role": "assistant", "content": "", "tool_calls": [tool()]}, "could_be"),
    "calls of LangChain": ({"role": "assistant", "content": "", "tool_calls": [{"name": "a", "args": {}}]}, "no"),
    "calls of AgentDojo": ({"role": "assistant", "content": "", "tool_calls": [{"function": "a", "args": {}}]}, "no"),
    "a message of Cohere": ({"role": "assistant", "tool_plan": "I will"}, "no"),
    "a typed message": ({"role": "user", "type": "message", "content": "Hi"}, "no"),
    "no role": ({"content": "Hi"}, "no"),
    "an entry": (INPUT, "certain"),
    "a response": (response(OUTPUT), "certain"),
    "outputs of others": ({"outputs": [USER]}, "no"),
    "entries of others": ({"entries": ["x"]}, "no"),
    "parts of Bedrock": ({"role": "user", "content": [{"text": "Hi"}]}, "no"),
    "text as parts": ({"role": "user", "content": ["Hi", {"type": "text", "text": "Hi"}]}, "could_be"),
    "an item of the Responses API": ({"type": "function_call", "call_id": "1"}, "no"),
    "text": ("Hi", "no"),
}


@pytest.mark.parametrize(("message", "said"), CLASSES.values(), ids=CLASSES)
def test_messages_are_classified(message, said):
    assert classify(message) == said


# The SDK's own objects

ENTRIES = [called(arguments='{"x": 1}'), executed(info={"x": 1}), MOVED, OUTPUT]
CHAT = [
    USER,
    says(tool(arguments={"x": 1}), tool("b", id="2")),
    answer(),
    answer("no", "2"),
    {"role": "assistant", "content": [{"type": "text", "text": "Bye"}], "prefix": False},
]
MODELS = {"user": UserMessage, "assistant": AssistantMessage, "tool": ToolMessage}


def sdk_chat():
    return [MODELS[message["role"]].model_validate(message) for message in CHAT]


def sdk_history():
    return ConversationHistory.model_validate({"conversation_id": "c", "entries": [INPUT, *ENTRIES, result(), OUTPUT]})


FORMS = {
    "messages": (sdk_chat, CHAT),
    "dumped messages": (lambda: [message.model_dump(mode="json") for message in sdk_chat()], CHAT),
    "a history": (sdk_history, [INPUT, *ENTRIES, result(), OUTPUT]),
    "a dumped history": (
        lambda: json.loads(sdk_history().model_dump_json()),
        [INPUT, *ENTRIES, result(), OUTPUT],
    ),
    "a response": (lambda: ConversationResponse.model_validate(response(*ENTRIES)), ENTRIES),
    "a run": (
        lambda: RunResult(input_entries=[sdk_history().entries[0]], output_entries=sdk_history().entries[1:]),
        [INPUT, *ENTRIES, result(), OUTPUT],
    ),
}


@pytest.mark.parametrize(("form", "plain"), FORMS.values(), ids=FORMS)
@NAMED
def test_objects_of_the_sdk_read_like_what_is_sent(form, plain, options):
    run, expected = to_trajectory(form(), **options), build(read(plain))
    assert (run.calls, batches(run), run.notes) == (expected.calls, batches(expected), expected.notes)


def test_what_is_unset_is_nothing():
    """Neither of the two adapters that can read these takes what is unset for a value."""
    messages = [
        AssistantMessage.model_validate({"tool_calls": [tool()]}),
        ToolMessage(content="ok"),
        AssistantMessage(content="Bye"),
    ]
    run = to_trajectory(messages)
    assert facts(run) == [("a", {}, "1", "succeeded", "function")]
    assert [message.content for message in run.messages] == [None, "ok", "Bye"]
    assert Trajectory.from_json(run.to_json()) == run


def test_an_object_without_content_is_read():
    assert batches(to_trajectory([Object(role="assistant", tool_calls=[Object(**tool())], prefix=False)])) == [["a"]]

import json

import pytest
from cohere import NonStreamedChatResponse
from cohere.types import AssistantMessageResponse
from cohere.v2 import V2ChatResponse

from trajmatch import ConversionError, Message, ToolCall, to_trajectory
from trajmatch.reading import build
from trajmatch_adapters.histories.cohere import classify, read

NO_FLAG = "nothing says whether a tool failed; a result counts as succeeded"
BY_ORDER = "results are joined to calls by their order, since ids are missing"
USER = {"role": "user", "content": "Hi"}
OLD_USER = {"role": "USER", "message": "Hi"}


def tool(name="a", arguments="{}", id="1"):
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def says(*calls, **more):
    return {"role": "assistant", "tool_plan": "I will look.", "tool_calls": list(calls), **more}


def answer(content="ok", id="1", **more):
    return {"role": "tool", "tool_call_id": id, "content": content, **more}


def chatbot(*calls, message=""):
    return {"role": "CHATBOT", "message": message, "tool_calls": [{"name": n, "parameters": p} for n, p in calls]}


def results(*made):
    return {"role": "TOOL", "tool_results": [{"call": {"name": n, "parameters": {}}, "outputs": o} for n, o in made]}


def facts(run):
    return [(c.name, c.raw_arguments if c.arguments is None else c.arguments, c.id, c.status) for c in run.calls]


PLANNED = {"id": "r", "finish_reason": "TOOL_CALL", "message": says(tool())}
HISTORIES = {
    "a call": ([USER, says(tool(arguments='{"x": 1}'))], [("a", {"x": 1}, "1", None)], set()),
    "without a plan": (
        [USER, {"role": "assistant", "tool_calls": [tool()]}, answer()],
        [("a", {}, "1", "succeeded")],
        {NO_FLAG},
    ),
    "in parallel": (
        [says(tool("a"), tool("b", id="2")), answer("B", "2")],
        [("a", {}, "1", "pending"), ("b", {}, "2", "succeeded")],
        {NO_FLAG},
    ),
    "documents": (
        [says(tool()), answer([{"type": "document", "document": {"data": {"x": 1}}}])],
        [("a", {}, "1", "succeeded")],
        {NO_FLAG},
    ),
    "a result that names its tool": (
        [says(tool("a", id=None), tool("b", id=None)), answer(id=None, name="b")],
        [("a", {}, None, "pending"), ("b", {}, None, "succeeded")],
        {NO_FLAG, BY_ORDER},
    ),
    "an error beside a result": ([says(tool()), answer(error="no")], [("a", {}, "1", "failed")], set()),
    "the same call in a block": (
        [says(tool(), content=[{"type": "tool_use", "id": "1", "name": "a", "input": {}}])],
        [("a", {}, "1", None)],
        set(),
    ),
    "an unknown part": (
        [says(tool(), content=[{"type": "hologram"}])],
        [("a", {}, "1", None)],
        {"a part of the unknown type 'hologram' is passed over"},
    ),
    "calls of a user": ([says(), {**USER, "tool_calls": [tool()]}], [("a", {}, "1", None)], set()),
    "a response": (PLANNED, [("a", {}, "1", None)], set()),
    "a response beside messages": ([USER, PLANNED, answer()], [("a", {}, "1", "succeeded")], {NO_FLAG}),
    "version 1": (
        [OLD_USER, chatbot(("a", {"x": 1})), results(("a", [{"y": 2}]))],
        [("a", {"x": 1}, None, "succeeded")],
        {NO_FLAG, BY_ORDER},
    ),
    "version 1, in parallel": (
        [chatbot(("a", {}), ("b", {})), results(("b", [{"y": 2}]))],
        [("a", {}, None, "pending"), ("b", {}, None, "succeeded")],
        {NO_FLAG, BY_ORDER},
    ),
    "a response of version 1": (
        {"text": "Bye", "chat_history": [OLD_USER, chatbot(("a", {}))]},
        [("a", {}, None, None)],
        set(),
    ),
}
NAMED = pytest.mark.parametrize("options", [{}, {"format": "cohere"}], ids=["recognised", "named"])


@pytest.mark.parametrize(("history", "calls", "notes"), HISTORIES.values(), ids=HISTORIES)
@NAMED
def test_calls_are_read(history, calls, notes, options):
    run = to_trajectory(history, **options)
    assert (facts(run), set(run.notes)) == (calls, notes)


MESSAGES = {
    "a plan is text": (
        [says(tool())],
        [Message("assistant", "I will look.", [ToolCall("a", {}, id="1")])],
    ),
    "text beside a plan": (
        [says(tool(), content="Let me see.")],
        [Message("assistant", "Let me see.", [ToolCall("a", {}, id="1")])],
    ),
    "citations": (
        [{"role": "assistant", "content": [{"type": "text", "text": "40"}], "citations": [{"start": 0, "end": 2}]}],
        [Message("assistant", [{"type": "text", "text": "40"}])],
    ),
    "version 1": (
        [{"role": "SYSTEM", "message": "S"}, OLD_USER, {"role": "CHATBOT", "message": "Bye"}],
        [Message("system", "S"), Message("user", "Hi"), Message("assistant", "Bye")],
    ),
    "results of version 1": (
        [chatbot(("a", {}), ("b", {})), results(("a", [1]), ("b", [2]))],
        [
            Message("assistant", "", [ToolCall("a", {}, status="succeeded"), ToolCall("b", {}, status="succeeded")]),
            Message("tool", [1], answers=0),
            Message("tool", [2], answers=1),
        ],
    ),
}


@pytest.mark.parametrize(("history", "messages"), MESSAGES.values(), ids=MESSAGES)
def test_messages_are_read(history, messages):
    assert list(build(read(history)).messages) == messages


WRONG = {
    "text": ("Hi", "a message without a role"),
    "no role": ({"content": "Hi"}, "a message without a role"),
    "a call without a name": (says({"id": "1", "function": {"arguments": "{}"}}), "a call without the name"),
    "tool_calls that are no list": (says(tool_calls={"a": 1}), "tool_calls that are no list"),
    "a result without a name": ({"role": "TOOL", "tool_results": [{"call": {}}]}, "a call without the name"),
    "calls under another key": (
        {"role": "assistant", "content": "", "toolCalls": [{"toolName": "a", "input": {}}]},
        "calls under the key .*toolCalls'",
    ),
    "an unknown part with arguments": (
        {"role": "assistant", "content": [{"type": "magic", "name": "a", "input": {}}]},
        "a part of the unknown type 'magic'",
    ),
}


@pytest.mark.parametrize(("given", "text"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_is_an_error_that_says_where(given, text):
    with pytest.raises(ConversionError, match=f"message 1: {text}") as caught:
        to_trajectory([USER, given], format="cohere")
    assert caught.value.index == 1


CLASSES = {
    "a message": (USER, "could_be"),
    "a plan": (says(), "certain"),
    "citations": ({"role": "assistant", "content": "40", "citations": []}, "certain"),
    "calls": ({"role": "assistant", "tool_calls": [tool()]}, "could_be"),
    "calls of LangChain": ({"role": "assistant", "content": "", "tool_calls": [{"name": "a", "args": {}}]}, "no"),
    "calls of AgentDojo": ({"role": "assistant", "content": "", "tool_calls": [{"function": "a", "args": {}}]}, "no"),
    "a message of Mistral": ({"role": "assistant", "content": "", "prefix": False}, "no"),
    "a typed message": ({"role": "user", "type": "message", "content": "Hi"}, "no"),
    "another role": ({"role": "critic", "content": "Hi"}, "no"),
    "no role": ({"content": "Hi"}, "no"),
    "version 1": (OLD_USER, "certain"),
    "its calls": (chatbot(("a", {})), "certain"),
    "its results": (results(("a", [])), "certain"),
    "parts of Bedrock": ({"role": "user", "content": [{"text": "Hi"}]}, "no"),
    "text as parts": ({"role": "user", "content": ["Hi", {"type": "text", "text": "Hi"}]}, "could_be"),
    "a role of version 1 alone": ({"role": "USER", "content": "Hi"}, "no"),
    "a response": (PLANNED, "certain"),
    "a choice of Chat Completions": ({"index": 0, "finish_reason": "stop", "message": {"role": "user"}}, "no"),
    "a history of others": ({"chat_history": [USER]}, "no"),
    "text": ("Hi", "no"),
}


@pytest.mark.parametrize(("message", "said"), CLASSES.values(), ids=CLASSES)
def test_messages_are_classified(message, said):
    assert classify(message) == said


# The SDK's own objects

OLD = [OLD_USER, chatbot(("a", {"x": 1})), results(("a", [{"y": 2}]))]
FORMS = {
    "a message": (lambda: [USER, AssistantMessageResponse.model_validate(says(tool())), answer()],
                  [USER, says(tool()), answer()]),
    "a response": (lambda: [USER, V2ChatResponse.model_validate(PLANNED), answer()],
                   [USER, says(tool()), answer()]),
    "a dumped response": (lambda: [USER, V2ChatResponse.model_validate(PLANNED).model_dump(mode="json"), answer()],
                          [USER, says(tool()), answer()]),
    "a response of version 1": (lambda: NonStreamedChatResponse.model_validate({"text": "", "chat_history": OLD}), OLD),
    "a dumped response of version 1": (
        lambda: json.loads(NonStreamedChatResponse.model_validate({"text": "", "chat_history": OLD}).model_dump_json()),
        OLD,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("form", "plain"), FORMS.values(), ids=FORMS)
@NAMED
def test_objects_of_the_sdk_read_like_what_is_sent(form, plain, options):
    run, expected = to_trajectory(form(), **options), build(read(plain))
    assert (run.calls, [m.role for m in run.messages]) == (expected.calls, [m.role for m in expected.messages])

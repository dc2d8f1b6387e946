import copy
import json
from types import SimpleNamespace

import pytest
from openai.types.chat import ChatCompletion, ChatCompletionMessage, ChatCompletionMessageToolCall

from trajmatch import ConversionError, Message, OptionError, ToolCall, to_trajectory
from trajmatch.reading import build
from trajmatch_adapters.histories.openai import classify, read

NO_FLAG = "nothing says whether a tool failed; a result counts as succeeded"
BY_ORDER = "results are joined to calls by their order, since ids are missing"
TWICE = "arguments are encoded twice"
USER = {"role": "user", "content": "Hi"}
UNREADABLE = '{"q": '


def tool(name="a", arguments="{}", id="1", **extra):
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}, **extra}


def says(*calls, **extra):
    return {"role": "assistant", "content": None, "tool_calls": list(calls), **extra}


def answer(content="ok", id="1", **extra):
    return {"role": "tool", "tool_call_id": id, "content": content, **extra}


def sdk(message):
    return ChatCompletionMessage.model_validate(message)


def read_all(history):
    return build(read(history))


def facts(run):
    return [
        (made.name, made.raw_arguments if made.arguments is None else made.arguments, made.id) for made in run.calls
    ]


CALLS = {
    "one": ([says(tool(arguments='{"x": 1}'))], [("a", {"x": 1}, "1")]),
    "in parallel": ([says(tool("a"), tool("b", id="2"))], [("a", {}, "1"), ("b", {}, "2")]),
    "text beside": ([says(tool(), content="Let me see")], [("a", {}, "1")]),
    "content absent": ([{"role": "assistant", "tool_calls": [tool()]}], [("a", {}, "1")]),
    "content as parts": ([says(tool(), content=[{"type": "text", "text": "Hm"}])], [("a", {}, "1")]),
    "tool_calls null": (
        [says(tool()), {"role": "assistant", "content": "Bye", "tool_calls": None}],
        [("a", {}, "1")],
    ),
    "tool_calls empty": ([{"role": "assistant", "content": "Bye", "tool_calls": []}], []),
    "tool_calls absent": ([{"role": "assistant", "content": "Bye"}], []),
    "arguments as an object": ([says(tool(arguments={"x": [1]}))], [("a", {"x": [1]}, "1")]),
    "arguments null": ([says(tool(arguments=None))], [("a", {}, "1")]),
    "arguments absent": (
        [says({"id": "1", "type": "function", "function": {"name": "a"}})],
        [("a", {}, "1")],
    ),
    "arguments empty": ([says(tool(arguments=""))], [("a", {}, "1")]),
    "arguments blank": ([says(tool(arguments="  "))], [("a", "  ", "1")]),
    "arguments malformed": ([says(tool(arguments=UNREADABLE))], [("a", UNREADABLE, "1")]),
    "arguments no object": ([says(tool(arguments="[1]"))], [("a", "[1]", "1")]),
    "arguments the text null": ([says(tool(arguments="null"))], [("a", "null", "1")]),
    "arguments a list": ([says(tool(arguments=[1]))], [("a", "[1]", "1")]),
    "arguments encoded twice": ([says(tool(arguments=json.dumps('{"x": 1}')))], [("a", {"x": 1}, "1")]),
    "a custom tool": (
        [says({"id": "1", "type": "custom", "custom": {"name": "sql", "input": "SELECT 1"}})],
        [("sql", "SELECT 1", "1")],
    ),
    "a legacy function_call": (
        [{"role": "assistant", "content": None, "function_call": {"name": "a", "arguments": '{"x": 1}'}}],
        [("a", {"x": 1}, None)],
    ),
    "function_call null": ([says(tool(), function_call=None)], [("a", {}, "1")]),
    "a call in both places counts once": (
        [says(tool(), function_call={"name": "a", "arguments": "{}"})],
        [("a", {}, "1")],
    ),
    "a call in both places, spelled differently": (
        [says(tool(), function_call={"name": "a", "arguments": {}})],
        [("a", {}, "1")],
    ),
    "two calls in both places count twice": (
        [says(tool(), function_call={"name": "b", "arguments": "{}"})],
        [("a", {}, "1"), ("b", {}, None)],
    ),
    "AgentDojo": (
        [says({"function": "a", "args": {"x": 1}, "id": "1", "placeholder_args": None})],
        [("a", {"x": 1}, "1")],
    ),
    "no type": ([says({"id": "1", "function": {"name": "a", "arguments": "{}"}})], [("a", {}, "1")]),
    "an index beside": ([says(tool(index=0))], [("a", {}, "1")]),
    "a tuple of calls": ([{"role": "assistant", "tool_calls": (tool(),)}], [("a", {}, "1")]),
    "id null": ([says(tool(id=None))], [("a", {}, None)]),
    "id empty": ([says(tool(id=""))], [("a", {}, None)]),
    "id a number": ([says(tool(id=7))], [("a", {}, "7")]),
    "calls of another role": ([{"role": "critic", "tool_calls": [tool()]}], [("a", {}, "1")]),
    "the same call in a block": (
        [says(tool(), content=[{"type": "tool_use", "id": "1", "name": "a", "input": {}}])],
        [("a", {}, "1")],
    ),
    "calls in blocks alone": (
        [{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "a", "input": {"x": 1}}]}],
        [("a", {"x": 1}, "1")],
    ),
    "wrapped in messages": ({"messages": [says(tool())]}, [("a", {}, "1")]),
    "wrapped in output": ({"output": [says(tool())]}, [("a", {}, "1")]),
    "wrapped twice": ({"output": {"messages": [says(tool())]}}, [("a", {}, "1")]),
    "an iterator": ((message for message in [says(tool())]), [("a", {}, "1")]),
    "nothing": ([], []),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_are_read(name):
    history, calls = CALLS[name]
    assert facts(read_all(copy.deepcopy(history) if isinstance(history, (list, dict)) else history)) == calls


@pytest.mark.parametrize("name", [name for name in CALLS if name not in ("an iterator", "nothing")])
def test_calls_are_read_without_naming_the_format(name):
    history, calls = CALLS[name]
    assert facts(to_trajectory(history)) == calls


RESULTS = {
    "a result": ([says(tool()), answer()], [("a", "succeeded", "ok")], {NO_FLAG}),
    "results in another order": (
        [says(tool("a"), tool("b", id="2")), answer("B", "2"), answer("A", "1")],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        {NO_FLAG},
    ),
    "parts": (
        [says(tool()), answer([{"type": "text", "text": "ok"}])],
        [("a", "succeeded", [{"type": "text", "text": "ok"}])],
        {NO_FLAG},
    ),
    "empty": ([says(tool()), answer("")], [("a", "succeeded", "")], {NO_FLAG}),
    "an error field": ([says(tool()), answer("", error="no")], [("a", "failed", "")], set()),
    "an error field that is null": ([says(tool()), answer(error=None)], [("a", "succeeded", "ok")], set()),
    "some results have an error field": (
        [says(tool("a"), tool("b", id="2")), answer(error=None), answer(id="2")],
        [("a", "succeeded", "ok"), ("b", "succeeded", "ok")],
        {NO_FLAG},
    ),
    "no results": ([says(tool())], [("a", None, None)], set()),
    "a call without a result": (
        [says(tool("a"), tool("b", id="2")), answer("B", "2")],
        [("a", "pending", None), ("b", "succeeded", "B")],
        {NO_FLAG},
    ),
    "a result without a call": (
        [answer("A", "0"), says(tool())],
        [("a", "pending", None)],
        {NO_FLAG, "a result has no call"},
    ),
    "a result before its call": (
        [answer(), says(tool())],
        [("a", "succeeded", "ok")],
        {NO_FLAG, "a result comes before its call"},
    ),
    "empty ids: in order": (
        [says(tool("a", id=""), tool("b", id="")), answer("A", ""), answer("B", "")],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        {NO_FLAG, BY_ORDER},
    ),
    "empty ids: by name": (
        [says(tool("a", id=""), tool("b", id="")), answer("B", "", name="b"), answer("A", "", name="a")],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        {NO_FLAG, BY_ORDER},
    ),
    "absent ids": (
        [says({"function": {"name": "a"}}), {"role": "tool", "content": "A"}],
        [("a", "succeeded", "A")],
        {NO_FLAG, BY_ORDER},
    ),
    "AgentDojo names the tool": (
        [
            says(tool("a", id=""), tool("b", id="")),
            answer("B", "", error=None, tool_call={"function": "b", "args": {}}),
        ],
        [("a", "pending", None), ("b", "succeeded", "B")],
        {BY_ORDER},
    ),
    "one id twice in a message": (
        [says(tool("a"), tool("b")), answer("A"), answer("B")],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        {NO_FLAG},
    ),
    "an id used again": (
        [says(tool("a")), says(tool("b")), answer("B")],
        [("a", "pending", None), ("b", "succeeded", "B")],
        {NO_FLAG},
    ),
    "a number for an id": ([says(tool(id=7)), answer(id="7")], [("a", "succeeded", "ok")], {NO_FLAG}),
    "legacy": (
        [
            *[{"role": "assistant", "function_call": {"name": "a", "arguments": "{}"}}],
            *[{"role": "function", "name": "a", "content": "A"}],
        ],
        [("a", "succeeded", "A")],
        {NO_FLAG, BY_ORDER},
    ),
    "blocks of another provider": (
        [
            says(tool()),
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "A"}]},
        ],
        [("a", "succeeded", "A")],
        set(),
    ),
    "encoded twice": ([says(tool(arguments='"{}"'))], [("a", None, None)], {TWICE}),
}


@pytest.mark.parametrize(("history", "calls", "notes"), RESULTS.values(), ids=RESULTS)
def test_results_are_joined(history, calls, notes):
    run = read_all(history)
    assert [(made.name, made.status, made.result) for made in run.calls] == calls
    assert (set(run.notes), len(run.notes)) == (notes, len(notes))


MESSAGES = {
    "roles": (
        [{"role": role, "content": "Hi"} for role in ("system", "developer", "user", "assistant", "critic")],
        [Message(role, "Hi") for role in ("system", "system", "user", "assistant", "critic")],
    ),
    "content null": ([{"role": "user", "content": None}], [Message("user")]),
    "content absent": ([{"role": "user"}], [Message("user")]),
    "content as parts": (
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:"}}]}],
        [Message("user", [{"type": "image_url", "image_url": {"url": "data:"}}])],
    ),
    "a result": (
        [says(tool()), answer()],
        [
            Message("assistant", None, [ToolCall("a", {}, status="succeeded")]),
            Message("tool", "ok", answers=0),
        ],
    ),
    "a result without a call": ([answer()], [Message("tool", "ok")]),
    "other fields": (
        [{**USER, "name": "ann", "refusal": None, "audio": None, "annotations": []}],
        [Message("user", "Hi")],
    ),
}


@pytest.mark.parametrize(("history", "messages"), MESSAGES.values(), ids=MESSAGES)
def test_messages_are_read(history, messages):
    assert list(read_all(history).messages) == messages


SDK_HISTORY = [
    USER,
    says(tool(arguments='{"x": 1}'), tool("b", id="2")),
    answer(),
    answer("no", "2"),
    {"role": "assistant", "content": "Bye"},
]


def test_messages_of_the_sdk_read_like_dicts():
    mixed = [sdk(message) if message["role"] == "assistant" else message for message in SDK_HISTORY]
    assert to_trajectory(mixed) == to_trajectory(SDK_HISTORY)


def test_dumped_messages_of_the_sdk_read_like_dicts():
    dumped = [sdk(message).model_dump() if message["role"] == "assistant" else message for message in SDK_HISTORY]
    assert to_trajectory(dumped) == to_trajectory(SDK_HISTORY)


SDK_MESSAGES = {
    "text": ({"role": "assistant", "content": "Hi"}, []),
    "calls": (says(tool(arguments='{"x": 1}')), [("a", {"x": 1}, "1")]),
    "a custom tool": (
        says({"id": "1", "type": "custom", "custom": {"name": "sql", "input": "SELECT 1"}}),
        [("sql", "SELECT 1", "1")],
    ),
    "a legacy call": (
        {"role": "assistant", "content": None, "function_call": {"name": "a", "arguments": "{}"}},
        [("a", {}, None)],
    ),
}


@pytest.mark.parametrize(("message", "calls"), SDK_MESSAGES.values(), ids=SDK_MESSAGES)
def test_a_message_of_the_sdk_is_read(message, calls):
    assert facts(to_trajectory([USER, sdk(message)])) == calls


def test_the_message_of_a_response_of_the_sdk_is_read():
    choice = {"index": 0, "finish_reason": "tool_calls", "message": says(tool())}
    response = ChatCompletion.model_validate(
        {"id": "r", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
    )
    assert facts(to_trajectory([response.choices[0].message])) == [("a", {}, "1")]


def test_a_call_of_the_sdk_inside_a_dict_is_read():
    call = ChatCompletionMessageToolCall.model_validate(tool(arguments='{"x": 1}'))
    assert facts(to_trajectory([USER, {"role": "assistant", "tool_calls": [call]}])) == [("a", {"x": 1}, "1")]


@pytest.mark.parametrize("history", [case[0] for name, case in CALLS.items() if name != "an iterator"])
def test_the_history_is_not_changed(history):
    before = copy.deepcopy(history)
    assert read_all(history).to_json()
    assert history == before


def test_messages_of_the_sdk_are_not_changed():
    message = sdk(says(tool(arguments='{"x": 1}')))
    before = message.model_dump_json()
    assert read_all([message]).to_json()
    assert message.model_dump_json() == before


def test_arguments_and_results_are_shared_and_not_copied():
    given, content = {"x": 1}, [{"type": "text"}]
    made = read_all([says(tool(arguments=given)), answer(content)]).calls[0]
    assert made.arguments is given and made.result is content


WRONG = {
    "no role": ([USER, {"content": "Hi"}], "message 1: a message without a role; saw dict"),
    "a role that is no text": ([USER, {"role": 3}], "message 1: a message without a role"),
    "text": ([USER, "Hi"], "message 1: a message without a role; saw str with 'Hi'"),
    "a call without a name": (
        [USER, says({"id": "1", "function": {"arguments": "{}"}})],
        "message 1: a call without the name",
    ),
    "an empty name": ([USER, says(tool(name=""))], "message 1: a call without the name"),
    "an empty call": ([USER, says({})], "message 1: a call without the name"),
    "a call that is text": ([USER, says("a")], "message 1: a call without the name"),
    "a legacy call without a name": (
        [USER, {"role": "assistant", "function_call": {"arguments": "{}"}}],
        "message 1: a call",
    ),
    "tool_calls in an object": (
        [USER, {"role": "assistant", "tool_calls": tool()}],
        "message 1: tool_calls that are no list",
    ),
    "tool_calls as text": (
        [USER, {"role": "assistant", "tool_calls": "[]"}],
        "message 1: tool_calls that are no list",
    ),
    "an unknown part with arguments": (
        [USER, {"role": "assistant", "content": [{"type": "magic", "name": "a", "input": {}}]}],
        "message 1: a part of the unknown type 'magic'",
    ),
}


@pytest.mark.parametrize(("history", "text"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_is_an_error_that_says_where(history, text):
    with pytest.raises(ConversionError, match=text) as caught:
        to_trajectory(history, format="openai")
    assert caught.value.index == 1


CLASSES = {
    "calls": (says(tool()), "certain"),
    "a custom tool": (says({"type": "custom", "custom": {"name": "a", "input": ""}}), "certain"),
    "a legacy call": ({"role": "assistant", "function_call": {"name": "a", "arguments": "{}"}}, "certain"),
    "a result": (answer(), "certain"),
    "calls of the SDK": (sdk(says(tool())), "certain"),
    "text": (USER, "could_be"),
    "text of the SDK": (sdk({"role": "assistant", "content": "Hi"}), "could_be"),
    "a legacy result": ({"role": "function", "name": "a", "content": "ok"}, "could_be"),
    "a result with a type": ({"role": "tool", "type": "tool", "content": "ok"}, "could_be"),
    "calls of LangChain": ({"role": "assistant", "tool_calls": [{"name": "a", "args": {}, "id": "1"}]}, "no"),
    "one call of LangChain": (says(tool(), {"name": "a", "args": {}, "id": "1"}), "no"),
    "parts": ({"role": "model", "parts": [{"text": "Hi"}]}, "no"),
    "content of Bedrock": ({"role": "user", "content": [{"text": "Hi"}]}, "no"),
    "no role": ({"type": "human", "content": "Hi"}, "no"),
    "a role that is no text": ({"role": 3, "content": "Hi"}, "no"),
    "an object without content": (SimpleNamespace(role="user"), "no"),
    "text alone": ("Hi", "no"),
    "null": (None, "no"),
}


@pytest.mark.parametrize(("message", "answer"), CLASSES.values(), ids=CLASSES)
def test_messages_are_classified(message, answer):
    assert classify(message) == answer


def test_there_are_no_options():
    with pytest.raises(OptionError, match="'openai' has no option 'strict'; it has none"):
        to_trajectory([USER], format="openai", strict=True)

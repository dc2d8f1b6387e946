import json

import pytest
from openai.types.chat import ChatCompletionMessage, ChatCompletionMessageToolCall

from trajmatch import ConversionError, ToolCall, Trajectory, call
from trajmatch._calls import is_call, read_calls

UNREADABLE = '{"q": '
SDK = ChatCompletionMessageToolCall.model_validate(
    {"id": "1", "type": "function", "function": {"name": "a", "arguments": '{"x": 1}'}}
)
CUSTOM = {"id": "1", "type": "custom", "custom": {"name": "a", "input": "SELECT 1"}}


def wire(arguments, **extra):
    return {"type": "function", "id": "1", "function": {"name": "a", "arguments": arguments}, **extra}


WRITTEN = {
    "a name: open": ("a", ToolCall("a")),
    "a ToolCall": (ToolCall("a", id="1"), ToolCall("a", id="1")),
    "call without arguments: none": (call("a"), ToolCall("a", {})),
    "call": (call("a", x=1), ToolCall("a", {"x": 1})),
    "a name in a dict: open": ({"name": "a"}, ToolCall("a")),
    "arguments": ({"name": "a", "arguments": {"x": 1}}, ToolCall("a", {"x": 1})),
    "args": ({"name": "a", "args": {"x": 1}}, ToolCall("a", {"x": 1})),
    "no arguments": ({"name": "a", "arguments": {}}, ToolCall("a", {})),
    "null: open": ({"name": "a", "arguments": None}, ToolCall("a")),
    "args null: open": ({"name": "a", "args": None}, ToolCall("a")),
    "text": ({"name": "a", "arguments": '{"x": 1}'}, ToolCall("a", {"x": 1})),
    "empty text: none": ({"name": "a", "arguments": ""}, ToolCall("a", {})),
    "unreadable text": ({"name": "a", "arguments": UNREADABLE}, ToolCall("a", UNREADABLE)),
    "a list for arguments": ({"name": "a", "arguments": [1]}, ToolCall("a", "[1]")),
    "what to_json writes": (
        {"name": "a", "raw_arguments": "[1]", "id": "1", "status": "failed", "kind": "native", "result": 2},
        ToolCall("a", "[1]", id="1", status="failed", kind="native", result=2),
    ),
    "nulls": (
        {"name": "a", "args": {}, "id": None, "status": None, "kind": None, "result": None},
        ToolCall("a", {}),
    ),
    "a number for an id": ({"name": "a", "id": 7}, ToolCall("a", id="7")),
    "LangChain": (
        {"name": "a", "args": {"x": 1}, "id": "1", "type": "tool_call"},
        ToolCall("a", {"x": 1}, id="1"),
    ),
    "LangChain, text": (
        {"name": "a", "args": '{"x": 1}', "id": "1", "type": "tool_call"},
        ToolCall("a", {"x": 1}, id="1"),
    ),
    "LangChain, null: none": (
        {"name": "a", "args": None, "id": "1", "type": "tool_call"},
        ToolCall("a", {}, id="1"),
    ),
    "a wire form with a status": (
        {"name": "a", "args": {}, "type": "tool_call", "status": "failed"},
        ToolCall("a", {}, status="failed"),
    ),
    "OpenAI": (wire('{"x": 1}'), ToolCall("a", {"x": 1}, id="1")),
    "OpenAI, an object": (wire({"x": 1}), ToolCall("a", {"x": 1}, id="1")),
    "OpenAI, null: none": (wire(None), ToolCall("a", {}, id="1")),
    "OpenAI, empty: none": (wire(""), ToolCall("a", {}, id="1")),
    "OpenAI, absent: none": ({"function": {"name": "a"}}, ToolCall("a", {})),
    "OpenAI, unreadable": (wire(UNREADABLE), ToolCall("a", UNREADABLE, id="1")),
    "OpenAI, an index beside": (wire("{}", index=0), ToolCall("a", {}, id="1")),
    "OpenAI, custom": (CUSTOM, ToolCall("a", "SELECT 1", id="1")),
    "OpenAI, an object of the SDK": (SDK, ToolCall("a", {"x": 1}, id="1")),
    "AgentDojo": ({"function": "a", "args": {"x": 1}, "placeholder_args": None}, ToolCall("a", {"x": 1})),
}


def facts(made):
    return made.name, made.arguments, made.raw_arguments, made.id, made.status, made.kind, made.result


@pytest.mark.parametrize(("item", "made"), WRITTEN.values(), ids=WRITTEN)
def test_a_call_may_be_written_as(item, made):
    assert list(map(facts, read_calls([item]))) == [facts(made)]


ACTUAL = {name: case for name, case in WRITTEN.items() if not isinstance(case[0], str)}


@pytest.mark.parametrize(("item", "made"), ACTUAL.values(), ids=ACTUAL)
def test_what_is_written_as_a_call_is_recognised(item, made):
    assert is_call(item)


WRONG = {
    "an empty name": ("", "call 1: the name of its tool is ''"),
    "a tuple": (("a", {"x": 1}), r"call 1: a tuple is no call; write call\('name', key=value\); got \('a'"),
    "a number": (1, "call 1: neither a name, nor call"),
    "null": (None, "call 1: neither a name, nor call"),
    "a list": (["a"], "call 1: neither a name, nor call"),
    "an object": (object(), "call 1: neither a name, nor call"),
    "a key with a typo": (
        {"name": "a", "argumnets": {}},
        "'argumnets' is no key of a call; did you mean 'arguments'",
    ),
    "a key of another format": ({"name": "a", "input": {}}, "'input' is no key of a call"),
    "a key that is no text": ({"name": "a", 1: {}}, "1 is no key of a call; there are 'name'"),
    "a message": ({"role": "user", "content": "Hi"}, "'role' is no key of a call"),
    "an empty dict": ({}, "call 1: a call needs the name of its tool"),
    "no name": ({"arguments": {}}, "call 1: a call needs the name of its tool"),
    "a name that is no text": ({"name": 1}, "call 1: the name of a tool is text, got 1"),
    "an unknown status": ({"name": "a", "status": "ok"}, "call 1: status must be None or one of"),
    "an unknown kind": ({"name": "a", "kind": "magic"}, "call 1: kind must be one of"),
    "a kind of another type": ({"name": "a", "kind": ["native"]}, "call 1: kind must be one of"),
    "a wire form without a name": ({"function": {"arguments": "{}"}}, "call 1: the name of its tool is None"),
}


@pytest.mark.parametrize(("item", "text"), WRONG.values(), ids=WRONG)
def test_what_is_no_call_is_an_error_that_says_where(item, text):
    with pytest.raises(ConversionError, match=text) as caught:
        read_calls(["a", item])
    assert caught.value.index == 1


def test_the_keys_that_were_seen_are_attributes():
    with pytest.raises(ConversionError) as caught:
        read_calls([{"name": "a", "inputs": {}}])
    assert caught.value.keys == ("name", "inputs")


NEEDED = r"a list of calls is needed, got .*write one call as a list, too: \[...\]"
NO_LISTS = {
    "a name": ("search", r"one name in place of a list of calls; write \['search'\]"),
    "an empty name": ("", NEEDED),
    "prose": ("Search it.", NEEDED),
    "bytes": (b"search", NEEDED),
    "JSON text": (json.dumps([{"name": "a"}]), NEEDED),
    "JSON text of an object": ('{"name":"a"}', NEEDED),
    "a call": (call("a"), r"one call in place of a list of calls; write \[ToolCall\('a', {}\)\]"),
    "a dict": ({"name": "a"}, r"one call in place of a list of calls; write \[{'name': 'a'}\]"),
    "null": (None, NEEDED),
    "a number": (3, NEEDED),
}


@pytest.mark.parametrize(("items", "text"), NO_LISTS.values(), ids=NO_LISTS)
def test_a_list_is_needed(items, text):
    with pytest.raises(ConversionError, match=text):
        Trajectory.from_calls(items)


@pytest.mark.parametrize("kind", [list, tuple, iter, dict.keys])
def test_any_iterable_of_calls_is_read(kind):
    assert read_calls(kind({"a": 1, "b": 2})) == [ToolCall("a"), ToolCall("b")]


def test_a_dict_is_not_changed():
    written = {"name": "a", "args": {"x": [1]}}
    read_calls([written])
    assert written == {"name": "a", "args": {"x": [1]}}


NO_CALLS = {
    "a name": "a",
    "a message": {"role": "user", "content": "Hi"},
    "a message with a name": {"role": "tool", "name": "a", "content": "ok"},
    "a message in another format": {"type": "human", "content": "Hi", "name": "ann"},
    "an item of Responses": {"type": "function_call", "name": "a", "arguments": "{}", "call_id": "1"},
    "a content block": {"type": "tool_use", "name": "a", "input": {}, "id": "1"},
    "a message of the SDK": ChatCompletionMessage(role="assistant", content="Hi"),
    "an empty dict": {},
    "null": None,
}


@pytest.mark.parametrize("item", NO_CALLS.values(), ids=NO_CALLS)
def test_a_message_is_not_taken_for_a_call(item):
    assert not is_call(item)

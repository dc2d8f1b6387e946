"""What looks like a call in a message is in the run, or an error, or left out with a note."""

import re
from collections import namedtuple
from types import SimpleNamespace as Object

import pytest

from trajmatch import ConversionError, call, to_trajectory
from trajmatch.reading import Called, Noted, Said, build

CALL = {"id": "1", "type": "function", "function": {"name": "find", "arguments": '{"q": "x"}'}}
OTHER = {"id": "2", "type": "function", "function": {"name": "delete", "arguments": "{}"}}
FLAT = {"name": "delete", "arguments": {"x": 1}}
PART = {"functionCall": {"name": "delete", "args": {}}}
Pair = namedtuple("Pair", "left right")


def says(**more):
    return {"role": "assistant", "content": None, **more}


def deep(value, levels):
    return deep([value], levels - 1) if levels else value


HOLDS_ITSELF = says(extra=[FLAT])
HOLDS_ITSELF["again"] = [HOLDS_ITSELF, HOLDS_ITSELF]

LOST = {
    "a misspelt key": (says(tool_call=[OTHER]), "tool_call"),
    "parts under a misspelt key": ({"role": "model", "part": [PART]}, "part"),
    "a call inside of something": (says(apis=[{"request": {"api_name": "delete", "parameters": {}}}]), "apis"),
    "words of ATIF": (says(steps=[{"function_name": "delete", "arguments": {}}]), "steps"),
    "words of MCP": (says(steps=[{"tool_name": "delete", "tool_input": {}}]), "steps"),
    "an object": (says(steps=[Object(name="delete", args={"x": 1})]), "steps"),
    "a named tuple": (says(steps=Pair(1, FLAT)), "steps"),
    "a message that holds itself": (HOLDS_ITSELF, "extra"),
    "a call without arguments under a key of calls": (
        says(toolCall={}, made={"tool_use": {"toolName": "delete"}}),
        "made",
    ),
    "the name of a function beside its arguments": (says(steps=[{"function": "delete", "args": {}}]), "steps"),
    "a free text for a custom tool": (says(steps=[{"custom": {"name": "delete", "input": "x"}}]), "steps"),
    "a message of LangChain": ({"type": "ai", "content": "", "calls": [FLAT]}, "calls"),
    "a record of Claude Code": (
        {"type": "assistant", "uuid": "u", "sessionId": "s", "messages": {"content": [FLAT]}},
        "mess",
    ),
    "its content": (
        {"type": "assistant", "sessionId": "s", "message": {"role": "assistant", "contents": [FLAT]}},
        "mess",
    ),
    "a step of ATIF": ({"step_id": 1, "source": "agent", "message": "", "toolCalls": [FLAT]}, "toolCalls"),
    "the message of a result": ({"role": "tool", "tool_call_id": "1", "tool_calls": [OTHER]}, "tool_calls"),
    "a document of ATIF": (
        {
            "schema_version": "ATIF-v1.4",
            "steps": [{"step_id": 1, "source": "agent", "message": "", "toolCalls": [FLAT]}],
        },
        "steps",
    ),
}


SURE = {"type": "mcp_call", "id": "2", "name": "delete", "arguments": "{}"}
UI_PART = {"type": "tool-delete", "toolCallId": "1", "state": "output-available", "input": {"x": 1}, "output": 1}
LOST |= {
    "a call under a key of calls in metadata": (says(metadata={"tool_calls": [OTHER]}), "metadata.tool_calls"),
    "a call by its type in metadata": (says(metadata=[SURE]), "metadata"),
    "a call by words of its own in metadata": (says(metadata=[{"tool_name": "a", "args": {}}]), "metadata"),
    "one call under a word for calls": (says(nextAction=FLAT), "nextAction"),
    "one call as the content": (says(content=FLAT), "content"),
    "one call with an id": (says(next={**FLAT, "id": "1"}), "next"),
    "calls in the record of a user": ({"role": "user", "content": "x", "calls": [FLAT]}, "calls"),
    "a part that names its tool in its type": (
        {"role": "assistant", "parts": [{"type": "text", "text": "x"}], "part": [UI_PART]},
        "part",
    ),
    "in the further words of a LangChain message": (
        {"type": "ai", "content": "x", "additional_kwargs": {"toolCalls": [OTHER]}},
        "additional_kwargs.toolCalls",
    ),
    "an item without a role": ({"type": "reasoning", "id": "r", "summary": [], "tool_calls": [OTHER]}, "tool_calls"),
    "a response": ({"object": "response", "output": [], "tool_calls": [OTHER]}, "tool_calls"),
}


@pytest.mark.parametrize(("message", "key"), LOST.values(), ids=LOST)
def test_a_call_in_words_that_are_not_read_is_an_error_with_its_message_and_key(message, key):
    with pytest.raises(ConversionError, match=f"message 0: .*{key}") as caught:
        to_trajectory([message])
    assert caught.value.index == 0


TWO_HOLDERS = {
    "toolCalls": says(tool_calls=[CALL], toolCalls=[OTHER]),
    "parts": says(tool_calls=[CALL], parts=[PART]),
    "a key of its own": says(tool_calls=[CALL], steps=[FLAT]),
    "one id with two names": says(tool_calls=[CALL], steps=[{**FLAT, "id": "1"}]),
    "one tool with two ids": says(tool_calls=[CALL], steps=[{**FLAT, "name": "find", "id": "2"}]),
    "one tool without ids": says(tool_calls=[{"function": CALL["function"]}], steps=[{**FLAT, "name": "find"}]),
}


@pytest.mark.parametrize("message", TWO_HOLDERS.values(), ids=TWO_HOLDERS)
def test_calls_under_two_keys_that_differ_are_an_error(message):
    with pytest.raises(
        ConversionError, match=r"message 0: .*(no format reads it|are not read, beside other calls under)"
    ):
        to_trajectory([message])


NOT_LOST = {
    "the same call twice": says(tool_calls=[CALL], raw={"tool_calls": [CALL]}),
    "the same call twice, without ids": says(
        tool_calls=[{"function": CALL["function"]}], raw={"name": "find", "arguments": {"q": "x"}}
    ),
    "the same call, once unfinished": says(
        tool_calls=[{"function": CALL["function"]}], raw={"name": "find", "arguments": '{"q'}
    ),
    "definitions of tools": says(
        tool_calls=[CALL],
        tools=[FLAT],
        offered=[{"name": "f", "parameters": {"properties": {}}}, {"function": {"name": "f", "description": "x"}}],
    ),
    "a request for leave": says(tool_calls=[CALL], asked=[{**FLAT, "type": "tool-approval-request"}]),
    "what a tool gave": says(tool_calls=[CALL], given={"role": "tool", "content": [FLAT]}, x={"output": FLAT}),
    "a name beside a value": says(tool_calls=[CALL], by={"name": "bob", "input": "x"}, file={"name": "a.txt"}),
    "metadata": says(
        tool_calls=[CALL],
        model={"name": "x", "params": {"t": 1}},
        metadata={"eval": {"name": "a", "args": {"k": 1}}, "evals": [FLAT], "name": "x", "input": {"q": 1}},
        prompt={"name": "p", "arguments": {}},
        prompts=[{"name": "p", "arguments": [{"name": "a"}]}],
        annotations=[FLAT],
        attachments=[{"name": "a", "input": {"x": 1}}],
    ),
    "names beside texts and lists": says(
        tool_calls=[CALL],
        lines=[{"name": "app", "args": "hello"}],
        mcp=[{"name": "fs", "command": "npx", "args": ["-y"]}],
        failure={"name": "ValueError", "args": ["x"]},
    ),
    "definitions under other keys": says(
        tool_calls=[CALL],
        available_tools=[
            {"type": "function", "function": {"name": "f"}},
            {"function": {"name": "f", "parameters": {"type": "object"}}},
            {"name": "f", "description": "x", "args": {"q": {"type": "string"}}},
        ],
    ),
    "the same call with another text of its arguments": says(
        tool_calls=[{"id": "1", "function": {"name": "find", "arguments": '{"q": "x"}'}}],
        raw={"tool_calls": [{"id": "1", "function": {"name": "find", "arguments": '{ "q":"x" }'}}]},
    ),
    "its beginning": says(
        tool_calls=[CALL],
        raw={
            "tool_calls": [{"id": "1", "function": {"name": "find", "arguments": text}} for text in ("", "{}", '{"q')]
        },
    ),
    "a class, an error, and much that is deep": says(tool_calls=[CALL], a=Object, b=ValueError(), c=deep(FLAT, 30)),
}


@pytest.mark.parametrize("message", NOT_LOST.values(), ids=NOT_LOST)
def test_what_is_read_already_or_calls_nothing_is_left_alone(message):
    assert to_trajectory([message, {"role": "tool", "tool_call_id": "1", "content": "x", "artifact": FLAT}]).calls == (
        call("find", q="x").replace(status="succeeded"),
    )


OTHERS_CALL_NOTHING = {
    "of a user": {"role": "user", "content": "x", "parts_seen": [FLAT], "next": {**FLAT, "id": "1"}},
    "what a user says": {"role": "user", "content": FLAT},
    "of the system": {"role": "system", "content": "x", "offered": [FLAT]},
    "of an agent's state": {
        "author": "a",
        "content": {"role": "model", "parts": [{"text": "x"}]},
        "actions": {"stateDelta": {"x": [FLAT], "y": FLAT}},
    },
    "data of a page": {"role": "assistant", "parts": [{"type": "data-x", "data": FLAT}, {"type": "text", "text": "x"}]},
}


@pytest.mark.parametrize("message", OTHERS_CALL_NOTHING.values(), ids=OTHERS_CALL_NOTHING)
def test_a_name_and_arguments_where_nothing_is_called_are_no_call(message):
    assert to_trajectory([message]).calls == ()


def test_numbers_that_are_equal_as_json_are_the_same_arguments():
    parsed, own = {"name": "find", "args": {"p": 1}, "id": "1"}, {"name": "find", "arguments": '{"p": 1.0, "x": 1.5}'}
    message = {"type": "ai", "content": "", "additional_kwargs": {"function_call": own}}
    parsed["args"]["x"] = 1.5
    assert to_trajectory([{**message, "tool_calls": [parsed]}]).notes == ()


@pytest.mark.parametrize("format", [None, "openai"])
def test_one_call_with_two_arguments_is_an_error(format):
    block = {"type": "tool_use", "id": "1", "name": "find", "input": {"q": "y"}}
    with pytest.raises(
        ConversionError, match=r"message 0: the arguments of 'find' under '(content|tool_calls)' are not"
    ):
        to_trajectory([{"role": "assistant", "content": [block], "tool_calls": [CALL]}], format=format)


def test_a_call_that_was_edited_after_the_provider_wrote_it_is_noted():
    parsed = {"name": "find", "args": {"q": "new"}, "id": "1", "type": "tool_call"}
    for name in ("find", "search"):
        block = {"type": "tool_use", "id": "1", "name": name, "input": {"q": "old"}}
        run = to_trajectory([{"type": "ai", "content": [block], "tool_calls": [parsed]}])
        assert [made.arguments for made in run.calls] == [{"q": "new"}]
        assert "as the provider wrote them" in run.notes[0]


ITEMS = {
    "an item of Responses": ({"type": "function_call", "call_id": "1", "name": "find", "args": {"x": 1}}, "args"),
    "a call of a server": (
        {"type": "mcp_call", "id": "1", "name": "find", "args": '{"x": 1}', "server_label": "s"},
        "args",
    ),
    "an event of an agent": ({"type": "agent.tool_use", "id": "1", "name": "find", "inputs": {"x": 1}}, "inputs"),
    "an item of a state": (
        {
            "type": "tool_call_item",
            "raw_item": {"type": "function_call", "call_id": "1", "name": "find", "args": {"x": 1}},
        },
        "args",
    ),
    "arguments beside their function": (
        says(tool_calls=[{"id": "1", "type": "function", "function": {"name": "find"}, "arguments": '{"x": 1}'}]),
        "arguments",
    ),
    "a text of a custom tool": (
        says(tool_calls=[{"id": "1", "type": "custom", "custom": {"name": "find", "inputs": "x"}}]),
        "inputs",
    ),
    "a part of a page": (
        {"role": "assistant", "parts": [{"type": "tool-find", "toolCallId": "1", "inputs": {"x": 1}}]},
        "inputs",
    ),
}


@pytest.mark.parametrize(("item", "key"), ITEMS.values(), ids=ITEMS)
def test_arguments_of_an_item_under_an_unknown_key_are_an_error(item, key):
    with pytest.raises(ConversionError, match=f"message 0: the arguments of 'find' .*a key that is not read, '{key}'"):
        to_trajectory([item])


def test_an_item_that_is_a_call_and_is_not_in_the_run_is_an_error():
    with pytest.raises(ConversionError, match="message 0: the call of 'delete' is not read"):
        build([Said("assistant")], [SURE])


def test_empty_arguments_in_the_function_do_not_hide_those_beside_it():
    given = {"id": "1", "type": "function", "function": {"name": "find", "arguments": "{}"}, "arguments": '{"x": 1}'}
    with pytest.raises(ConversionError, match="the arguments of 'find' under 'tool_calls' "):
        to_trajectory([says(tool_calls=[given])])


ARGUMENTS = {
    "an unknown key": {"argumentz": {"x": 1}},
    "params": {"params": {"x": 1}},
    "a text": {"json": '{"x": 1}'},
}


@pytest.mark.parametrize("function", ARGUMENTS.values(), ids=ARGUMENTS)
def test_arguments_under_an_unknown_key_are_an_error(function):
    given = says(tool_calls=[{"id": "1", "function": {"name": "find", **function}}])
    with pytest.raises(
        ConversionError, match=f"message 0: the arguments of 'find' .* a key that is not read, '{next(iter(function))}'"
    ):
        to_trajectory([given])


NO_ARGUMENTS = {
    "none": {},
    "null": {"arguments": None, "x": {"y": 1}},
    "metadata": {"metadata": {"x": 1}},
    "text": {"why": "x"},
}


@pytest.mark.parametrize("function", NO_ARGUMENTS.values(), ids=NO_ARGUMENTS)
def test_a_call_without_arguments_is_read(function):
    given = says(tool_calls=[{"id": "1", "function": {"name": "find", **function}}])
    assert to_trajectory([given]).calls == (call("find"),)


def test_ids_that_repeat_are_told_apart_by_their_tools():
    runs = [says(tool_calls=[{**CALL, "id": "0"}]), says(tool_calls=[{"id": "0", "function": {"name": "find"}}])]
    assert [made.arguments for made in to_trajectory(runs).calls] == [{"q": "x"}, {}]


def test_calls_that_a_note_leaves_out_are_no_error():
    events = [Said("assistant"), Noted("left out", [Called("delete", {"x": 1})])]
    assert build(events, [says(steps=[FLAT])]).notes == ("left out",)
    with pytest.raises(ConversionError, match=re.escape("calls under the key 'steps', 'delete' say, are not read")):
        build(events[:1], [says(steps=[FLAT])])


WRONG = {
    "Gemini": (
        [{"role": "model", "parts": [PART]}],
        "openai",
        "calls under the key 'parts.functionCall'.*; format='gemini' reads it$",
    ),
    "Anthropic": (
        [{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "a", "input": {}}]}],
        "gemini",
        "message 0: .*; format='anthropic' reads it$",
    ),
    "a page": ([{"role": "assistant", "parts": [UI_PART]}], "openai", "under the key 'parts'.*'vercel_ai' reads it$"),
    "nobody's": ([says(moves=[FLAT])], "openai", r"calls under the key 'moves'.*'moves'\]$"),
}


@pytest.mark.parametrize(("history", "format", "text"), WRONG.values(), ids=WRONG)
def test_a_wrong_format_says_which_one_would_read_the_history(history, format, text):
    with pytest.raises(ConversionError, match=text):
        to_trajectory(history, format=format)

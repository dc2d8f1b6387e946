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
    "a class, an error, and much that is deep": says(tool_calls=[CALL], a=Object, b=ValueError(), c=deep(FLAT, 30)),
}


@pytest.mark.parametrize("message", NOT_LOST.values(), ids=NOT_LOST)
def test_what_is_read_already_or_calls_nothing_is_left_alone(message):
    assert to_trajectory([message, {"role": "tool", "tool_call_id": "1", "content": "x", "artifact": FLAT}]).calls == (
        call("find", q="x").replace(status="succeeded"),
    )


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
    "nobody's": ([says(moves=[FLAT])], "openai", r"calls under the key 'moves'.*'moves'\]$"),
}


@pytest.mark.parametrize(("history", "format", "text"), WRONG.values(), ids=WRONG)
def test_a_wrong_format_says_which_one_would_read_the_history(history, format, text):
    with pytest.raises(ConversionError, match=text):
        to_trajectory(history, format=format)

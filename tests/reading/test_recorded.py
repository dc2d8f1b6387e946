"""What recorders keep of a step: messages, arguments, results and times."""

import json
from datetime import UTC, datetime, timedelta, timezone
from types import SimpleNamespace

import pytest

from trajmatch.reading import Answered, moment, parsed, recorded_arguments, recorded_messages, recorded_result

HI = {"role": "user", "content": "Hi"}
BYE = {"role": "assistant", "content": "Bye"}
LC = {"lc": 1, "type": "constructor", "id": ["AIMessage"], "kwargs": {"content": "Bye"}}


def made(*calls, content=None):
    wire = [{"id": id, "function": {"name": name, "arguments": arguments}} for id, name, arguments in calls]
    return [{"role": "assistant", "content": content, "tool_calls": wire}]


def nested(depth):
    return [HI] if not depth else {"input": nested(depth - 1)}


MESSAGES = {
    "a list": ([HI, BYE], [HI, BYE]),
    "a list in a list": ([[HI, BYE]], [HI, BYE]),
    "JSON text": (json.dumps([HI]), [HI]),
    "JSON text twice": (json.dumps(json.dumps([HI])), [HI]),
    "one message": (HI, [HI]),
    "under a key": ({"messages": [HI], "model": "m"}, [HI]),
    "a system prompt beside": ({"system": "S", "messages": [HI]}, [{"role": "system", "content": "S"}, HI]),
    "a system prompt below": (
        {"config": {"system_instruction": "S"}, "contents": [HI]},
        [{"role": "system", "parts": [{"text": "S"}]}, HI],
    ),
    "a system prompt in blocks": ({"system": [{"type": "text"}], "messages": [HI]}, [HI]),
    "choices": ({"choices": [{"index": 0, "message": BYE}]}, [BYE]),
    "generations": ({"generations": [[{"text": "", "message": LC}]]}, [LC]),
    "a response": (
        {"output": [{"type": "function_call", "call_id": "1", "name": "a", "arguments": "{}"}]},
        [{"type": "function_call", "call_id": "1", "name": "a", "arguments": "{}"}],
    ),
    "a message of LangChain": ({"type": "human", "content": "Hi"}, [{"type": "human", "content": "Hi"}]),
    "one of LangChain in its other form": ({"type": "ai", "data": {}}, [{"type": "ai", "data": {}}]),
    "one of Pydantic AI": ({"kind": "request", "parts": []}, [{"kind": "request", "parts": []}]),
    "a pair": ([["user", "Hi"]], [["user", "Hi"]]),
    "text": ("Hi", "Hi"),
    "texts": (["Hi", "there"], "Hi\nthere"),
    "text that begins like JSON": ("[Hi", "[Hi"),
    "a prompt": ({"prompt": "Hi"}, "Hi"),
    "text as content alone": ({"content": "role"}, None),
    "a role alone": ({"role": "admin"}, None),
    "anything else": ({"a": 1}, None),
    "an object": (SimpleNamespace(messages=[HI]), [HI]),
    "an object with methods": (SimpleNamespace(content=print, output=[HI]), [HI]),
    "nothing": (None, None),
    "a number": (7, None),
    "wrapped often": (nested(11), [HI]),
    "wrapped too often": (nested(12), None),
    "calls alone": ({"tool_calls": [{"name": "a", "args": {}}]}, None),
    "a list of calls": ([{"name": "a", "args": {}}], [{"name": "a", "args": {}}]),
}
CALLS = {
    "a list": ([{"toolCallId": "1", "toolName": "a", "input": "{}"}], made(("1", "a", "{}"))),
    "beside text": (
        {"text": "Now", "toolCalls": [{"id": "1", "name": "a", "args": {"x": 1}}]},
        made(("1", "a", {"x": 1}), content="Now"),
    ),
    "as JSON text": ({"tool_calls": json.dumps([{"name": "a", "args": {}}])}, made((None, "a", {}))),
    "none": ({"toolCalls": [], "text": "Hi"}, "Hi"),
    "messages": ([HI], [HI]),
}
ARGUMENTS = {
    "an object": ({"q": 1}, {"q": 1}),
    "JSON text": ('{"q": 1}', {"q": 1}),
    "a Python dict as text": ("{'q': None}", {"q": None}),
    "a Python dict under input": ({"input": "{'q': 'it''s'}"}, {"q": "its"}),
    "an argument called input": ({"input": "cats"}, {"input": "cats"}),
    "an object called input": ({"input": {"q": 1}}, {"input": {"q": 1}}),
    "a Python set": ("{1, 2}", "{1, 2}"),
    "other text": ("cats", "cats"),
    "unfinished": ('{"q": ', '{"q": '),
    "a list": ([1], "[1]"),
    "what OpenLLMetry keeps": (
        json.dumps({"input_str": "{'q': 1}", "inputs": {"q": 1}, "kwargs": {"tool_call_id": "1"}}),
        {"q": 1},
    ),
    "not captured": (None, None),
}
RESULTS = {
    "text": ("ok", Answered("ok")),
    "JSON text": ('{"a": 1}', Answered({"a": 1})),
    "under output": ({"output": {"output": "ok"}}, Answered("ok")),
    "what OpenLLMetry keeps": (
        {"output": {"lc": 1, "kwargs": {"content": "ok", "tool_call_id": "1"}}, "kwargs": {"name": "a"}},
        Answered("ok", "1"),
    ),
    "a tool message": (
        {"output": {"type": "tool", "content": "ok", "tool_call_id": "1"}},
        Answered("ok", "1"),
    ),
    "one that failed": ({"content": "no", "tool_call_id": "1", "status": "error"}, Answered("no", "1", None, "failed")),
    "a constructor": ({"lc": 1, "kwargs": {"content": "ok", "tool_call_id": "1"}}, Answered("ok", "1")),
    "one in LangChain's other form": (
        {"type": "tool", "data": {"content": "ok", "tool_call_id": "1"}},
        Answered("ok", "1"),
    ),
    "data": ({"data": {"rows": 3}}, Answered({"data": {"rows": 3}})),
    "an object": (SimpleNamespace(content="ok", tool_call_id="1", status="success"), Answered("ok", "1")),
    "nothing": (None, Answered(None)),
}
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
TIMES = {
    "nanoseconds": 1767355200000000000,
    "nanoseconds as text": "1767355200000000000",
    "seconds": 1767355200.0,
    "a datetime": NOON,
    "a datetime elsewhere": NOON.astimezone(timezone(timedelta(hours=2))),
    "a datetime without a zone": NOON.replace(tzinfo=None),
    "ISO": "2026-01-02T12:00:00.000Z",
}
NO_TIMES = {"nothing": None, "a bool": True, "prose": "noon", "a list": [], "infinity": float("inf")}


@pytest.mark.parametrize(("value", "found"), MESSAGES.values(), ids=MESSAGES)
def test_messages_are_found_in_what_wraps_them(value, found):
    assert recorded_messages(value) == found


@pytest.mark.parametrize(("value", "found"), CALLS.values(), ids=CALLS)
def test_calls_that_a_model_gave_become_a_message(value, found):
    assert recorded_messages(value, calls=True) == found


@pytest.mark.parametrize(("value", "arguments"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_arguments_are_what_a_tool_was_executed_with(value, arguments):
    assert recorded_arguments(value) == arguments


@pytest.mark.parametrize(("value", "answered"), RESULTS.values(), ids=RESULTS)
def test_a_result_may_be_a_message_that_says_more(value, answered):
    assert recorded_result(value) == answered


def test_what_is_known_of_a_result_stays():
    assert recorded_result({"content": "ok", "tool_call_id": "2"}, "1", failed=True) == Answered(
        "ok", "1", None, "failed"
    )


@pytest.mark.parametrize("value", TIMES.values(), ids=TIMES)
def test_a_time_is_a_number_to_sort_by(value):
    assert moment(value) == 1767355200000000000


@pytest.mark.parametrize("value", NO_TIMES.values(), ids=NO_TIMES)
def test_anything_else_is_no_time(value):
    assert moment(value) is None


def test_text_is_taken_for_json_three_times():
    text = json.dumps(json.dumps(json.dumps(json.dumps("Hi"))))
    assert parsed(text) == '"Hi"'


@pytest.mark.parametrize("text", ["[" * 100_000, "{", "plain"])
def test_text_that_is_no_json_is_left_as_it_is(text):
    assert parsed(text) == text

import copy
import json
from pathlib import Path
from types import SimpleNamespace as Object

import pytest

from trajmatch import ConversionError, check_limits, match, to_trajectory
from trajmatch_adapters.histories import openai
from trajmatch_adapters.histories.inspect_ai import classify

RECORDED = sorted((Path(__file__).parents[1] / "recordings" / "inspect_ai").glob("*.json"))
UNPARSED = "arguments that could not be parsed are not in the log"
USER = {"role": "user", "content": "Hi", "source": "input"}


def tool(name="a", id="1", arguments=None, **more):
    return {"id": id, "function": name, "arguments": arguments or {}, "type": "function", **more}


def says(*calls, content="", **more):
    made = {"tool_calls": list(calls)} if calls else {}
    return {"id": "m", "role": "assistant", "content": content, "source": "generate", **made, **more}


def answer(id="1", name="a", content="ok", **more):
    return {"role": "tool", "tool_call_id": id, "function": name, "content": content, **more}


def failed(kind):
    return {"type": kind, "message": "no"}


def web(**more):
    part = {"type": "tool_use", "tool_type": "web_search", "id": "w", "name": "find", "arguments": '{"q": 1}'}
    return part | {"result": "found"} | more


def facts(run):
    return [(made.name, made.arguments, made.status, made.kind) for made in run.calls]


RUNS = {
    "a call": ([USER, says(tool(arguments={"x": 1})), answer()], [("a", {"x": 1}, "succeeded", "function")]),
    "in parallel": (
        [says(tool("a"), tool("b", "2")), answer("2", "b"), answer()],
        [("a", {}, "succeeded", "function"), ("b", {}, "succeeded", "function")],
    ),
    "no results": ([USER, says(tool())], [("a", {}, None, "function")]),
    "one without a result": (
        [says(tool("a"), tool("b", "2")), answer()],
        [("a", {}, "succeeded", "function"), ("b", {}, "pending", "function")],
    ),
    "error null": ([says(tool()), answer(error=None)], [("a", {}, "succeeded", "function")]),
    "an older error": ([says(tool()), answer(tool_error="no")], [("a", {}, "failed", "function")]),
    "an error as text": ([says(tool()), answer(error="no")], [("a", {}, "failed", "function")]),
    "calls null": ([says(tool_calls=None)], []),
    "by the provider": ([says(content=[web()])], [("find", {"q": 1}, "succeeded", "native")]),
    "by the provider, in vain": ([says(content=[web(error="no")])], [("find", {"q": 1}, "failed", "native")]),
    "by the provider, then by the application": (
        [says(tool(), content=[web(), {"type": "text", "text": "Hm"}, {"type": "data", "data": {}}]), answer()],
        [("find", {"q": 1}, "succeeded", "native"), ("a", {}, "succeeded", "function")],
    ),
    "its arguments as text": (
        [says(content=[web(arguments="lamps")])],
        [("find", None, "succeeded", "native")],
    ),
    "nothing": ([USER], []),
}


@pytest.mark.parametrize(("history", "calls"), RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("options", [{}, {"format": "inspect_ai"}], ids=["recognised", "named"])
def test_a_run_is_read(history, calls, options):
    before = copy.deepcopy(history)
    run = to_trajectory(history, **options)
    assert (facts(run), run.notes) == (calls, ())
    assert history == before


def live(value):
    """Objects in place of dicts, but for arguments, as Inspect's own are."""
    if isinstance(value, dict):
        return Object(**{key: item if key == "arguments" else live(item) for key, item in value.items()})
    return [*map(live, value)] if isinstance(value, list) else value


@pytest.mark.parametrize("name", [name for name in RUNS if name != "an older error"])
def test_objects_are_read_as_their_json_is(name):
    history, calls = RUNS[name]
    assert facts(to_trajectory(live(history))) == calls


STATUSES = {
    "approval": "denied",
    "cancelled": "interrupted",
    "file_not_found": "failed",
    "limit": "failed",
    "parsing": "retried",
    "permission": "failed",
    "timeout": "failed",
    "unheard_of": "failed",
}


@pytest.mark.parametrize(("kind", "status"), STATUSES.items())
def test_the_type_of_an_error_says_what_became_of_the_call(kind, status):
    assert to_trajectory([says(tool()), answer(error=failed(kind))]).calls[0].status == status


def test_arguments_that_could_not_be_parsed_are_not_captured():
    run = to_trajectory([says(tool(parse_error="no JSON")), answer(error=failed("parsing"))])
    assert (run.calls[0].arguments, run.calls[0].raw_arguments, run.notes) == (None, None, (UNPARSED,))


def test_what_was_parsed_in_part_is_kept():
    assert to_trajectory([says(tool(arguments={"x": 1}, parse_error="?"))]).calls[0].arguments == {"x": 1}


def test_what_a_tool_gave_is_no_turn_of_the_user():
    image = {"role": "user", "content": [{"type": "image", "image": "x"}], "tool_call_id": ["1"], "source": "input"}
    run = to_trajectory([USER, says(tool()), answer(), image, says(content="Bye")])
    assert (len(run.turns), run.messages[3].feedback) == (1, True)


def test_a_response_is_one_message():
    assert check_limits([USER, says(tool(), tool("b", "2")), answer(), answer("2", "b")], max_model_requests=1)


SAMPLE = {"id": 1, "epoch": 1, "messages": [USER, says(tool()), answer()], "output": {"choices": []}}
WHOLE = {
    "a sample": SAMPLE,
    "a list of one sample": [SAMPLE],
    "a log": {"eval": {"task": "t"}, "samples": [SAMPLE]},
    "a log as an object": Object(eval=Object(task="t"), samples=[live(SAMPLE)]),
    "a state": Object(messages=live(SAMPLE["messages"])),
}


@pytest.mark.parametrize("history", WHOLE.values(), ids=WHOLE)
def test_what_holds_one_run_is_read(history):
    assert facts(to_trajectory(history)) == [("a", {}, "succeeded", "function")]


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_a_recorded_log_is_read(file):
    run = to_trajectory(json.loads(file.read_text(encoding="utf-8")))
    assert [(made.name, made.status) for made in run.calls] == [
        ("search", "succeeded"),
        ("search", "failed"),
        ("search", "retried"),
        ("pay", "retried"),
        ("gone", "retried"),
        ("pay", "denied"),
        ("pay", "failed"),
        ("web_search", "succeeded"),
        ("pay", "succeeded"),
    ]
    assert run.notes == (UNPARSED,)
    assert match(run, ["search", "web_search", "pay"], calls="succeeded")


def test_there_is_a_recording():
    assert RECORDED


REFUSED = {
    "several samples": ({"eval": {}, "samples": [SAMPLE, SAMPLE]}, "message 1: a run beside others"),
    "several logs": ([{"eval": {}, "samples": [SAMPLE]}] * 2, "message 1: a run beside others"),
    "a message beside a sample": ([SAMPLE, USER], "message 1: a run beside others"),
    "a header alone": ({"eval": {}, "samples": None}, "a log without samples"),
    "calls that are no list": ([says(), says(tool_calls="a")], "message 1: tool_calls that are no list"),
    "a call without a name": ([says(tool("a"), tool("", "2"))], "message 0: a call without the name of its tool"),
    "a native call without a name": ([says(content=[web(name=None)])], "message 0: a call without the name"),
    "calls under another key": ([says(calls=[{"name": "a", "args": {}}])], "calls under the key .*calls'"),
    "a part of another format": (
        [says(content=[{"type": "tool-call", "toolName": "a", "input": {}}])],
        "unknown type 'tool-call'",
    ),
}


@pytest.mark.parametrize(("history", "text"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_lost_is_refused(history, text):
    with pytest.raises(ConversionError, match=text):
        to_trajectory(history)


def test_a_message_without_a_role_is_refused():
    with pytest.raises(ConversionError, match="message 1: a message without a role"):
        to_trajectory([USER, {"content": "x"}], format="inspect_ai")


OTHERS = {
    "a call of Chat Completions": {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "a"}}]},
    "a call of AgentDojo": {"role": "assistant", "content": "", "tool_calls": [{"function": "a", "args": {}}]},
    "a call of tau2": {"role": "assistant", "content": "", "tool_calls": [{"name": "a", "arguments": {}}]},
    "a block of Anthropic": {"role": "assistant", "content": [{"type": "tool_use", "name": "a", "input": {}}]},
    "a result of Anthropic": {"role": "user", "content": [{"type": "tool_result", "content": "x"}]},
    "parts": {"role": "user", "content": "", "parts": [{"text": "x"}]},
    "a legacy call": {"role": "assistant", "content": "", "function_call": {"name": "a", "arguments": "{}"}},
    "no content": {"role": "user"},
    "another role": {"role": "critic", "content": "x"},
    "no message": {"kind": "request", "parts": []},
    "nothing": None,
}


@pytest.mark.parametrize("item", OTHERS.values(), ids=OTHERS)
def test_messages_of_others_are_none(item):
    assert classify(item) == "no"


@pytest.mark.parametrize("item", [{"role": "user", "content": "Hi"}, {"role": "tool", "content": "x"}], ids=repr)
def test_messages_as_others_have_them_could_be(item):
    assert classify(item) == "could_be"


@pytest.mark.parametrize("item", [says(tool()), answer()], ids=["a call", "a result"])
def test_messages_of_inspect_are_not_those_of_openai(item):
    assert (classify(item), openai.classify(item)) == ("certain", "no")


HISTORIES = [*[history for history, _ in RUNS.values()], WHOLE["a log"]]

import copy
import json
from pathlib import Path

import pytest

from trajmatch import ConversionError, Message, OptionError, ToolCall, match, to_trajectory
from trajmatch.reading import build
from trajmatch_adapters.histories.bedrock import classify, read

USER = {"role": "user", "content": [{"text": "Hi"}]}
TEXT = {"text": "Let me see"}
IMAGE = {"image": {"format": "png", "source": {"bytes": "x"}}}


def tool(name="a", id="1", given=(), **more):
    return {"toolUse": {"toolUseId": id, "name": name, "input": dict(given), **more}}


def answer(id="1", text="ok", status="success", **more):
    return {"toolResult": {"toolUseId": id, "content": [{"text": text}], "status": status, **more}}


def says(*blocks, **more):
    return {"role": "assistant", "content": list(blocks), **more}


def replies(*blocks):
    return {"role": "user", "content": list(blocks)}


def stored(message, **more):
    return {"message": message, "message_id": 0, **more}


def read_all(history):
    return build(read(history))


def facts(run):
    return [
        (made.name, made.raw_arguments if made.arguments is None else made.arguments, made.id, made.kind)
        for made in run.calls
    ]


A = ("a", {}, "1", "function")
CALLS = {
    "one": ([says(tool(given={"x": 1}))], [("a", {"x": 1}, "1", "function")]),
    "in parallel": ([says(tool(), tool("b", "2"))], [A, ("b", {}, "2", "function")]),
    "text beside": ([says(TEXT, tool())], [A]),
    "text alone": ([USER, says(TEXT)], []),
    "no blocks": ([USER, says()], []),
    "a type": ([says(tool(type="tool_use"))], [A]),
    "executed by the provider": ([says(tool(type="server_tool_use"))], [("a", {}, "1", "native")]),
    "input absent": ([says({"toolUse": {"toolUseId": "1", "name": "a"}})], [A]),
    "input as text": (
        [says({"toolUse": {"toolUseId": "1", "name": "a", "input": "{"}})],
        [("a", "{", "1", "function")],
    ),
    "an id that is missing": ([says({"toolUse": {"name": "a", "input": {}}})], [("a", {}, None, "function")]),
    "what Strands keeps beside": ([says(tool(), tracking_id="t", metadata={"usage": {}})], [A]),
    "a tuple of blocks": ([{"role": "assistant", "content": (tool(),)}], [A]),
    "of a user": ([replies(tool())], [A]),
    "a system message": ([{"role": "system", "content": [TEXT]}, says(tool())], [A]),
    "wrapped in a request": ({"modelId": "nova", "system": [TEXT], "messages": [USER, says(tool())]}, [A]),
    "a run of Strands": ({"system_prompt": [TEXT], "messages": [USER, says(tool())]}, [A]),
    "a session of Strands": ([stored(USER), stored(says(tool()), redact_message=None)], [A]),
    "a session with another text": ([stored(says(tool("b")), redact_message=says(tool()))], [A]),
    "an iterator": ((message for message in [says(tool())]), [A]),
    "nothing": ([], []),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_are_read(name):
    history, calls = CALLS[name]
    assert facts(read_all(history if name == "an iterator" else copy.deepcopy(history))) == calls


@pytest.mark.parametrize("name", [name for name in CALLS if name != "an iterator"])
def test_calls_are_read_without_naming_the_format(name):
    history, calls = CALLS[name]
    assert facts(to_trajectory(history)) == calls


NATIVE = tool(type="server_tool_use")
STDOUT = [{"json": {"stdOut": "4"}}]
RESULTS = {
    "a result": ([says(tool()), replies(answer())], [("a", "succeeded", [{"text": "ok"}])]),
    "in another order": (
        [says(tool(), tool("b", "2")), replies(answer("2", "B"), answer("1", "A"))],
        [("a", "succeeded", [{"text": "A"}]), ("b", "succeeded", [{"text": "B"}])],
    ),
    "an error": ([says(tool()), replies(answer(status="error"))], [("a", "failed", [{"text": "ok"}])]),
    "no status": (
        [says(tool()), replies({"toolResult": {"toolUseId": "1", "content": []}})],
        [("a", "succeeded", [])],
    ),
    "no results": ([says(tool())], [("a", None, None)]),
    "a call without a result": (
        [says(tool(), tool("b", "2")), replies(answer("2"))],
        [("a", "pending", None), ("b", "succeeded", [{"text": "ok"}])],
    ),
    "a result of the provider": (
        [says(NATIVE, answer(content=STDOUT, type="nova_code_interpreter_result"))],
        [("a", "succeeded", STDOUT)],
    ),
    "an error of the provider": ([says(NATIVE, answer(content=STDOUT, status="error"))], [("a", "failed", STDOUT)]),
    "several texts": (
        [says(tool()), replies(answer(status="error", content=[{"text": "tool cancelled by user"}, TEXT]))],
        [("a", "failed", [{"text": "tool cancelled by user"}, TEXT])],
    ),
    "the text of a refusal as a value": (
        [says(tool()), replies(answer(text="tool cancelled by user"))],
        [("a", "succeeded", [{"text": "tool cancelled by user"}])],
    ),
    "the text of an unknown tool that was not called": (
        [says(tool()), replies(answer(text="Unknown tool: b", status="error"))],
        [("a", "failed", [{"text": "Unknown tool: b"}])],
    ),
    "a result that Strands writes without a call": (
        [says(tool(), tool("b", "2")), replies(answer("2", "B"), answer("3", "Unknown tool: c", "error"))],
        [("a", "pending", None), ("b", "succeeded", [{"text": "B"}])],
    ),
}


@pytest.mark.parametrize(("history", "calls"), RESULTS.values(), ids=RESULTS)
def test_results_are_joined(history, calls):
    assert [(made.name, made.status, made.result) for made in to_trajectory(history).calls] == calls


OK = [{"text": "ok"}]
MADE = Message("assistant", [tool()], [ToolCall("a", {}, status="succeeded")])
MESSAGES = {
    "a result": ([says(tool()), replies(answer())], [MADE, Message("tool", OK, answers=0)]),
    "text beside results": (
        [says(tool()), replies(answer(), TEXT)],
        [MADE, Message("tool", OK, answers=0), Message("user", [TEXT])],
    ),
    "an image beside results": (
        [says(tool()), replies(IMAGE, answer())],
        [MADE, Message("tool", OK, answers=0), Message("user", [IMAGE], feedback=True)],
    ),
    "a result of the provider": (
        [says(NATIVE, answer())],
        [Message("assistant", [NATIVE, answer()], [ToolCall("a", {}, status="succeeded", kind="native")])],
    ),
}


@pytest.mark.parametrize(("history", "messages"), MESSAGES.values(), ids=MESSAGES)
def test_messages_are_read(history, messages):
    assert list(to_trajectory(history).messages) == messages


SILENT = [
    *("cachePoint", "citationsContent", "document", "guardContent"),
    *("image", "reasoningContent", "searchResult", "video"),
]


@pytest.mark.parametrize("kind", SILENT)
def test_blocks_that_call_nothing_are_passed_over(kind):
    run = to_trajectory([says({kind: {"name": "a", "input": {}}}, tool())])
    assert (facts(run), run.notes) == ([A], ())


def test_a_block_of_an_unknown_kind_is_noted():
    run = to_trajectory([says(tool(), {"hologram": {}})], format="bedrock")
    assert (facts(run), run.notes) == ([A], ("a part with the unknown keys ['hologram'] is passed over",))


(RECORDED,) = sorted((Path(__file__).parents[1] / "recordings" / "strands").glob("*.json"))
RUNS = json.loads(RECORDED.read_text())
STRANDS = {
    "success": [("add", "succeeded", "function")],
    "parallel": [("add", "succeeded", "function")] * 2,
    "tool_raises": [("boom", "failed", "function")],
    "unknown_tool": [("nope", "retried", "function")],
    "validation_error": [("add", "retried", "function")],
    "denied": [("add", "denied", "function")],
    "denied_with_a_reason": [("add", "failed", "function")],
    "interrupted": [("add", "interrupted", "function")],
    "output": [("Trip", "succeeded", "output")],
    "output_that_was_asked_for": [("Trip", "succeeded", "output")],
    "output_after_a_retry": [("Trip", "retried", "output"), ("Trip", "succeeded", "output")],
    "session": [("add", "succeeded", "function")],
}


def test_all_recorded_runs_are_told():
    assert STRANDS.keys() == RUNS.keys()


@pytest.mark.parametrize("name", STRANDS)
def test_a_run_of_strands_tells_what_became_of_its_calls(name):
    run = to_trajectory(RUNS[name])
    assert [(made.name, made.status, made.kind) for made in run.calls] == STRANDS[name]
    assert run.notes == ()


@pytest.mark.parametrize("name", STRANDS)
def test_a_run_of_strands_has_one_turn_unless_it_goes_on(name):
    assert len(to_trajectory(RUNS[name]).turns) == (2 if name == "interrupted" else 1)


def test_what_strands_says_to_get_an_output_is_no_turn():
    roles = [(m.role, m.feedback) for m in to_trajectory(RUNS["output_that_was_asked_for"]).messages]
    assert roles == [("user", False), ("assistant", False), ("user", True), ("assistant", False), ("tool", False)]


def test_a_run_is_matched():
    assert match(RUNS["parallel"], ["add", "add"]).passed
    assert match(RUNS["output"], []).passed


def test_several_runs_in_one_dict_are_refused():
    with pytest.raises(ConversionError, match="hand over one of them"):
        to_trajectory({"first": {"messages": [USER]}, "second": {"messages": [says(tool())]}})


def test_arguments_and_results_are_shared_and_not_copied():
    block, result = tool(), answer()
    made = read_all([says(block), replies(result)]).calls[0]
    assert made.arguments is block["toolUse"]["input"] and made.result is result["toolResult"]["content"]


WRONG = {
    "no role": ([USER, {"content": [TEXT]}], "message 1: a message without a role and a list of blocks"),
    "a role that is no text": ([USER, {"role": [], "content": [TEXT]}], "message 1: a message without a role"),
    "text": ([USER, "Hi"], "message 1: a message without a role"),
    "content as text": ([USER, {"role": "user", "content": "Hi"}], "message 1: a message without a role and a list"),
    "a call without a name": ([USER, says({"toolUse": {"input": {}}})], "message 1: a call without the name"),
    "an empty call": ([USER, says({"toolUse": {}})], "message 1: a call without the name"),
    "an unknown block with a call": ([USER, says({"magic": {"name": "a", "input": {}}})], "message 1: a part of an"),
    "a block with a type": ([USER, says({"type": "magic", "name": "a", "input": {}})], "message 1: a part of an"),
    "calls beside the content": (
        [USER, {**says(TEXT), "tool_calls": [{"function": {"name": "a"}}]}],
        "message 1: calls under the key .*tool_calls'",
    ),
}


@pytest.mark.parametrize(("history", "text"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_is_an_error_that_says_where(history, text):
    with pytest.raises(ConversionError, match=text) as caught:
        to_trajectory(history, format="bedrock")
    assert caught.value.index == 1


CLASSES = {
    "text": (USER, "certain"),
    "a call": (says(tool()), "certain"),
    "a result": (replies(answer()), "certain"),
    "a message of a session": (stored(USER), "certain"),
    "no blocks": (says(), "could_be"),
    "a call of Anthropic": (says({"type": "tool_use", "name": "a", "input": {}}), "no"),
    "blocks of two formats": (says(TEXT, {"type": "text", "text": "Hi"}), "no"),
    "text that is no block": ({"role": "user", "content": "Hi"}, "no"),
    "an unknown block": (says({"hologram": {}}), "no"),
    "calls beside": ({**says(TEXT), "tool_calls": [{"name": "a"}]}, "no"),
    "another role": ({"role": "tool", "content": [TEXT]}, "no"),
    "a message of a session that holds none": (stored("Hi"), "no"),
    "null": (None, "no"),
}


@pytest.mark.parametrize(("message", "answer"), CLASSES.values(), ids=CLASSES)
def test_messages_are_classified(message, answer):
    assert classify(message) == answer


def test_there_are_no_options():
    with pytest.raises(OptionError, match="'bedrock' has no option 'strict'; it has none"):
        to_trajectory([USER], format="bedrock", strict=True)


HISTORIES = [case[0] for case in [*CALLS.values(), *RESULTS.values()] if isinstance(case[0], list) and case[0]]
HISTORIES += RUNS.values()


KEPT = {
    "none": ([TEXT], ("calls of messages that were redacted are left out",)),
    "all": ([tool(), tool("b", "2")], ()),
    "one of two": ([tool()], ("calls of messages that were redacted are left out",)),
}


@pytest.mark.parametrize(("blocks", "notes"), KEPT.values(), ids=KEPT)
def test_calls_that_were_redacted_are_noted(blocks, notes):
    run = to_trajectory([stored(says(tool(), tool("b", "2")), redact_message=says(*blocks))])
    assert [made.name for made in run.calls] == [block["toolUse"]["name"] for block in blocks if block != TEXT]
    assert tuple(note for note in run.notes if "redacted" in note) == notes

import copy
from types import SimpleNamespace

import pytest
from anthropic.types import Message as Response
from anthropic.types import ToolUseBlock
from anthropic.types.beta import BetaMessage

from trajmatch import ConversionError, Message, OptionError, ToolCall, match, to_trajectory
from trajmatch.reading import build
from trajmatch_adapters.histories.anthropic import classify, read

USER = {"role": "user", "content": "Hi"}
TEXT = {"type": "text", "text": "Let me see"}
THOUGHT = {"type": "thinking", "thinking": "Hm", "signature": "s"}


def tool(name="a", id="1", kind="tool_use", **given):
    return {"type": kind, "id": id, "name": name, "input": given}


def answer(id="1", content="ok", kind="tool_result", **more):
    return {"type": kind, "tool_use_id": id, "content": content, **more}


def says(*blocks, **more):
    return {"role": "assistant", "content": list(blocks), **more}


def replies(*blocks):
    return {"role": "user", "content": list(blocks)}


def response(*blocks, kind=Response):
    usage = {"input_tokens": 1, "output_tokens": 1}
    head = {"id": "msg_1", "type": "message", "model": "claude", "stop_reason": "end_turn", "usage": usage}
    return kind.model_validate({**says(*blocks), **head, "stop_sequence": None})


def read_all(history):
    return build(read(history))


def facts(run):
    return [
        (made.name, made.raw_arguments if made.arguments is None else made.arguments, made.id, made.kind)
        for made in run.calls
    ]


A = ("a", {}, "1", "function")
CALLS = {
    "one": ([says(tool(x=1))], [("a", {"x": 1}, "1", "function")]),
    "in parallel": ([says(tool(), tool("b", "2"))], [A, ("b", {}, "2", "function")]),
    "text and thinking beside": ([says(THOUGHT, TEXT, tool())], [A]),
    "text alone": ([USER, {"role": "assistant", "content": "Hi"}], []),
    "no blocks": ([USER, says()], []),
    "input null": ([says({**tool(), "input": None})], [A]),
    "input absent": ([says({"type": "tool_use", "id": "1", "name": "a"})], [A]),
    "input of a stream that broke off": (
        [says({**tool(), "input": '{"q": '})],
        [("a", '{"q": ', "1", "function")],
    ),
    "an id that is missing": ([says({"type": "tool_use", "name": "a", "input": {}})], [("a", {}, None, "function")]),
    "called by code": ([says({**tool(), "caller": {"type": "code_execution_20250825", "tool_id": "2"}})], [A]),
    "executed by the provider": ([says(tool(kind="server_tool_use"))], [("a", {}, "1", "native")]),
    "of a server of MCP": ([says({**tool(kind="mcp_tool_use"), "server_name": "s"})], [("a", {}, "1", "native")]),
    "a tuple of blocks": ([{"role": "assistant", "content": (tool(),)}], [A]),
    "of a user": ([replies(tool())], [A]),
    "wrapped in a request": ({"model": "claude", "system": [TEXT], "messages": [USER, says(tool())]}, [A]),
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


NATIVE = tool("search", "s1", "server_tool_use")
SERVER_ERROR = {"type": "web_search_tool_result_error", "error_code": "unavailable"}
CONNECTED = tool("look", "m1", "mcp_tool_use")
RESULTS = {
    "a result": ([says(tool()), replies(answer())], [("a", "succeeded", "ok")]),
    "a result in another order": (
        [says(tool(), tool("b", "2")), replies(answer("2", "B"), answer("1", "A"))],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
    ),
    "blocks": ([says(tool()), replies(answer(content=[TEXT]))], [("a", "succeeded", [TEXT])]),
    "no content": ([says(tool()), replies({"type": "tool_result", "tool_use_id": "1"})], [("a", "succeeded", None)]),
    "an error": ([says(tool()), replies(answer(is_error=True))], [("a", "failed", "ok")]),
    "no error": ([says(tool()), replies(answer(is_error=False))], [("a", "succeeded", "ok")]),
    "no results": ([says(tool())], [("a", None, None)]),
    "a call without a result": (
        [says(tool(), tool("b", "2")), replies(answer("2"))],
        [("a", "pending", None), ("b", "succeeded", "ok")],
    ),
    "a result of the provider": (
        [says(NATIVE, answer("s1", [], "web_search_tool_result"), TEXT)],
        [("search", "succeeded", [])],
    ),
    "an error of the provider": (
        [says(NATIVE, answer("s1", SERVER_ERROR, "web_search_tool_result"))],
        [("search", "failed", SERVER_ERROR)],
    ),
    "a long turn that was paused": (
        [says(NATIVE), says(answer("s1", [], "web_search_tool_result"), TEXT)],
        [("search", "succeeded", [])],
    ),
    "a result of MCP": ([says(CONNECTED, answer("m1", kind="mcp_tool_result"))], [("look", "succeeded", "ok")]),
    "an error of MCP": (
        [says(CONNECTED, answer("m1", kind="mcp_tool_result", is_error=True))],
        [("look", "failed", "ok")],
    ),
}


@pytest.mark.parametrize(("history", "calls"), RESULTS.values(), ids=RESULTS)
def test_results_are_joined(history, calls):
    run = to_trajectory(history)
    assert [(made.name, made.status, made.result) for made in run.calls] == calls
    assert run.notes == ()


IMAGE = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
MESSAGES = {
    "a result": (
        [says(tool()), replies(answer())],
        [Message("assistant", [tool()], [ToolCall("a", {}, status="succeeded")]), Message("tool", "ok", answers=0)],
    ),
    "text beside results": (
        [says(tool()), replies(answer(), TEXT)],
        [
            Message("assistant", [tool()], [ToolCall("a", {}, status="succeeded")]),
            Message("tool", "ok", answers=0),
            Message("user", [TEXT]),
        ],
    ),
    "an image beside results": (
        [says(tool()), replies(answer(), IMAGE)],
        [
            Message("assistant", [tool()], [ToolCall("a", {}, status="succeeded")]),
            Message("tool", "ok", answers=0),
            Message("user", [IMAGE], feedback=True),
        ],
    ),
    "a result of the provider": (
        [says(NATIVE, answer("s1", kind="web_search_tool_result"))],
        [
            Message(
                "assistant",
                [NATIVE, answer("s1", kind="web_search_tool_result")],
                [ToolCall("search", {}, status="succeeded", kind="native")],
            )
        ],
    ),
    "a system message": (
        [{"role": "system", "content": "Be brief."}, USER],
        [Message("system", "Be brief."), Message("user", "Hi")],
    ),
    "content null": ([{"role": "user", "content": None}], [Message("user")]),
}


@pytest.mark.parametrize(("history", "messages"), MESSAGES.values(), ids=MESSAGES)
def test_messages_are_read(history, messages):
    assert list(read_all(history).messages) == messages


SILENT = ["compaction", "container_upload", "fallback", "mcp_tool_listing", "tool_addition", "tool_removal"]


@pytest.mark.parametrize("kind", SILENT)
def test_blocks_that_call_nothing_are_passed_over(kind):
    assert to_trajectory([says(tool(), {"type": kind})]).notes == ()


def test_a_block_of_an_unknown_type_is_noted():
    run = to_trajectory([says(tool(), {"type": "hologram"})])
    assert (facts(run), run.notes) == ([A], ("a part of the unknown type 'hologram' is passed over",))


RUN = [USER, says(THOUGHT, TEXT, tool(x=1), tool("b", "2")), replies(answer(), answer("2", is_error=True)), says(TEXT)]


def live(message):
    return response(*message["content"]) if message["role"] == "assistant" else message


@pytest.mark.parametrize("kind", [Response, BetaMessage])
def test_messages_of_the_sdk_and_dicts_in_one_list_read_like_dicts(kind):
    mixed = [response(*m["content"], kind=kind) if m["role"] == "assistant" else m for m in RUN]
    assert to_trajectory(mixed).calls == to_trajectory(RUN).calls
    assert [m.role for m in to_trajectory(mixed).messages] == [m.role for m in to_trajectory(RUN).messages]


def test_blocks_of_the_sdk_inside_a_dict_are_read():
    held = [{**m, "content": live(m).content} if m["role"] == "assistant" else m for m in RUN]
    assert facts(to_trajectory(held)) == facts(to_trajectory(RUN))


def test_dumped_messages_of_the_sdk_are_read():
    dumped = [live(m).model_dump() if m["role"] == "assistant" else m for m in RUN]
    assert to_trajectory(dumped).calls == to_trajectory(RUN).calls


def test_results_of_the_provider_as_objects_are_read():
    failed = answer("s1", SERVER_ERROR, "web_search_tool_result")
    (made,) = to_trajectory([USER, response({**NATIVE, "name": "web_search"}, failed)]).calls
    assert (made.name, made.kind, made.status, made.result.error_code) == (
        "web_search",
        "native",
        "failed",
        "unavailable",
    )


def test_messages_of_the_sdk_are_not_changed():
    message = response(TEXT, tool(x=1))
    before = message.model_dump_json()
    assert to_trajectory([USER, message]).to_json()
    assert message.model_dump_json() == before


def test_one_response_in_place_of_a_list_is_an_error_that_says_what_to_write():
    with pytest.raises(ConversionError, match=r"write \[message\]"):
        to_trajectory(response(tool()))


def test_arguments_and_results_are_shared_and_not_copied():
    block, result = tool(x=1), answer(content=[TEXT])
    made = read_all([says(block), replies(result)]).calls[0]
    assert made.arguments is block["input"] and made.result is result["content"]


def test_a_run_is_matched():
    result = match(RUN, ["a", "b"], calls="succeeded")
    assert (
        str(result)
        == "exact: FAIL; 1 paired, 1 missing; missing expected[1] b; note: 'b' at actual[1] does not count (failed)"
    )


WRONG = {
    "no role": ([USER, {"content": "Hi"}], "message 1: a message that is none of the user"),
    "a tool's message": ([USER, {"role": "tool", "content": "Hi"}], "message 1: a message that is none"),
    "a role that is no text": ([USER, {"role": 3}], "message 1: a message that is none"),
    "text": ([USER, "Hi"], "message 1: a message that is none of the user.* saw str"),
    "content in an object": ([USER, {"role": "assistant", "content": tool()}], "message 1: a content that is neither"),
    "content that is read once": (
        [USER, {"role": "assistant", "content": iter([tool()])}],
        "message 1: a content that is neither",
    ),
    "a call without a name": ([USER, says({"type": "tool_use", "input": {}})], "message 1: a call without the name"),
    "an unknown block with arguments": ([USER, says(tool(kind="magic"))], "message 1: a part of the unknown type"),
    "calls beside the content": (
        [USER, {**says(TEXT), "tool_calls": [{"function": {"name": "a"}}]}],
        "message 1: calls under the key .*tool_calls'",
    ),
    "a call of Bedrock": ([USER, says({"toolUse": tool()})], "message 1: a part of the unknown type ''"),
}


@pytest.mark.parametrize(("history", "text"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_is_an_error_that_says_where(history, text):
    with pytest.raises(ConversionError, match=text) as caught:
        to_trajectory(history, format="anthropic")
    assert caught.value.index == 1


CLASSES = {
    "a call": (says(tool()), "certain"),
    "a call beside a new type of block": (says(tool(), {"type": "hologram"}), "certain"),
    "a result": (replies(answer()), "certain"),
    "a result of the provider": (says(answer(kind="web_search_tool_result")), "certain"),
    "an upload": (replies(TEXT, {"type": "container_upload", "file_id": "f"}), "certain"),
    "thinking": (says(THOUGHT, TEXT), "certain"),
    "text of the SDK": (response(TEXT), "certain"),
    "a response that was dumped": (response(TEXT).model_dump(), "certain"),
    "keys of others that are empty": ({**says(tool()), "tool_calls": []}, "certain"),
    "text": (USER, "could_be"),
    "text in a block": (replies(TEXT, IMAGE), "could_be"),
    "no blocks": (says(), "could_be"),
    "calls of OpenAI": ({**says(TEXT), "tool_calls": [{"function": {"name": "a"}}]}, "no"),
    "a legacy call of OpenAI": ({"role": "assistant", "content": "", "function_call": {"name": "a"}}, "no"),
    "a result of OpenAI": ({"role": "tool", "tool_call_id": "1", "content": "ok"}, "no"),
    "a part of OpenAI": (replies(TEXT, {"type": "image_url"}), "no"),
    "content null": ({"role": "assistant", "content": None}, "no"),
    "a block of Bedrock": (says({"toolUse": {"name": "a"}}), "no"),
    "parts": ({"role": "user", "content": "", "parts": [{"text": "Hi"}]}, "no"),
    "a message of LangChain": ({"type": "human", "content": "Hi"}, "no"),
    "an object of LangChain": (SimpleNamespace(role="user", content="Hi", additional_kwargs={"a": 1}), "no"),
    "another role": ({"role": "critic", "content": "Hi"}, "no"),
    "text alone": ("Hi", "no"),
    "null": (None, "no"),
}


@pytest.mark.parametrize(("message", "answer"), CLASSES.values(), ids=CLASSES)
def test_messages_are_classified(message, answer):
    assert classify(message) == answer


def test_a_part_of_a_call_of_the_sdk_is_no_message():
    assert classify(ToolUseBlock.model_validate(tool())) == "no"


def test_there_are_no_options():
    with pytest.raises(OptionError, match="'anthropic' has no option 'strict'; it has none"):
        to_trajectory([USER], format="anthropic", strict=True)


HISTORIES = [case[0] for case in [*CALLS.values(), *RESULTS.values()] if isinstance(case[0], list) and case[0]]

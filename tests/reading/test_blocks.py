from types import SimpleNamespace

import pytest

from trajmatch import ConversionError
from trajmatch.reading import Answered, Called, is_call_block, is_result_block, read_blocks


def block(type, **fields):
    return {"type": type, **fields}


FAILED_SEARCH = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
CALLS = {
    "Anthropic": (block("tool_use", id="1", name="a", input={"x": 1}), [Called("a", {"x": 1}, "1")]),
    "Anthropic, no input": (block("tool_use", id="1", name="a", input=None), [Called("a", {}, "1")]),
    "Anthropic's server": (
        block("server_tool_use", id="1", name="a", input={}),
        [Called("a", {}, "1", "native")],
    ),
    "Anthropic's MCP": (block("mcp_tool_use", id="1", name="a", input={}), [Called("a", {}, "1", "native")]),
    "LangChain": (block("tool_call", id="1", name="a", args={"x": 1}), [Called("a", {"x": 1}, "1")]),
    "LangChain, unreadable": (
        block("invalid_tool_call", id="1", name="a", args="{", error="no JSON"),
        [Called("a", "{", "1")],
    ),
    "LangChain, a server's": (
        block("server_tool_call", id="1", name="a", args={}),
        [Called("a", {}, "1", "native")],
    ),
    "LangChain, remote MCP": (
        block("server_tool_call", id="1", name="remote_mcp", args={}, extras={"tool_name": "a"}),
        [Called("a", {}, "1", "native")],
    ),
    "Responses": (
        block("function_call", id="fc_1", call_id="1", name="a", arguments='{"x": 1}', status="completed"),
        [Called("a", '{"x": 1}', "1")],
    ),
    "Responses, custom": (
        block("custom_tool_call", call_id="1", name="a", input="text"),
        [Called("a", "text", "1")],
    ),
    "Responses, MCP": (
        block("mcp_call", id="1", name="a", arguments="{}", output="ok", error=None),
        [Called("a", "{}", "1", "native"), Answered("ok", "1", "a", "succeeded", "native")],
    ),
    "Responses, MCP failed": (
        block("mcp_call", id="1", name="a", arguments="{}", error="refused"),
        [Called("a", "{}", "1", "native"), Answered(None, "1", "a", "failed", "native")],
    ),
    "Responses, a server's": (
        block("web_search_call", id="1", status="completed", action={"query": "cats"}),
        [
            Called("web_search", {"query": "cats"}, "1", "native"),
            Answered(None, "1", "web_search", "succeeded", "native"),
        ],
    ),
    "Responses, a server's failed": (
        block("file_search_call", id="1", status="failed"),
        [Called("file_search", None, "1", "native"), Answered(None, "1", "file_search", "failed", "native")],
    ),
    "Responses, a server's still running": (
        block("image_generation_call", id="1", status="generating"),
        [Called("image_generation", None, "1", "native")],
    ),
    "Responses, a server's result": (
        block("code_interpreter_call", id="1", outputs=["3"]),
        [
            Called("code_interpreter", None, "1", "native"),
            Answered(["3"], "1", "code_interpreter", "succeeded", "native"),
        ],
    ),
    "a number for an id": (block("tool_use", id=7, name="a", input={}), [Called("a", {}, "7")]),
    "an object with attributes": (
        SimpleNamespace(type="tool_use", id="1", name="a", input={"x": 1}),
        [Called("a", {"x": 1}, "1")],
    ),
}
RESULTS = {
    "Anthropic": (block("tool_result", tool_use_id="1", content="ok"), Answered("ok", "1")),
    "Anthropic, an error": (
        block("tool_result", tool_use_id="1", content="no", is_error=True),
        Answered("no", "1", None, "failed"),
    ),
    "Anthropic, no error": (
        block("tool_result", tool_use_id="1", content="ok", is_error=False),
        Answered("ok", "1"),
    ),
    "Anthropic's server": (
        block("web_search_tool_result", tool_use_id="1", content=[]),
        Answered([], "1", None, "succeeded", "native"),
    ),
    "Anthropic's server, an error": (
        block("web_search_tool_result", tool_use_id="1", content=FAILED_SEARCH),
        Answered(FAILED_SEARCH, "1", None, "failed", "native"),
    ),
    "Anthropic's MCP, an error": (
        block("mcp_tool_result", tool_use_id="1", content=[], is_error=True),
        Answered([], "1", None, "failed", "native"),
    ),
    "LangChain's server": (
        block("server_tool_result", tool_call_id="1", status="success", output="ok"),
        Answered("ok", "1", None, "succeeded", "native"),
    ),
    "LangChain's server, an error": (
        block("server_tool_result", tool_call_id="1", status="error", output="no"),
        Answered("no", "1", None, "failed", "native"),
    ),
    "Responses": (block("function_call_output", call_id="1", output="ok"), Answered("ok", "1")),
    "Responses, custom": (block("custom_tool_call_output", call_id="1", output="ok"), Answered("ok", "1")),
    "OpenTelemetry": (block("tool_call_response", id="1", response="ok"), Answered("ok", "1")),
    "a result that names its tool": (block("tool_result", name="a", result="ok"), Answered("ok", None, "a")),
    "an error field": (block("tool_result", content="", error="no"), Answered("", None, None, "failed")),
}
PASSED_OVER = {
    "no content": None,
    "text": "Hi",
    "one block that is in no list": block("tool_use", name="a", input={}),
    "text in a list": ["Hi"],
    "text blocks": [block("text", text="Hi"), block("output_text", text="Hi", name="a")],
    "images": [block("image_url", image_url={"url": "data:"})],
    "reasoning": [block("thinking", thinking="Hm"), block("reasoning", summary=[])],
    "what Anthropic writes beside": [block("container_upload", file_id="f"), block("compaction", content="So far")],
    "no type": [{"text": "Hi"}, {}, None, 3],
    "a type that is no text": [{"type": 3}, {"type": ["tool_use"]}],
}


@pytest.mark.parametrize(("given", "events"), CALLS.values(), ids=CALLS)
def test_a_block_calls_a_tool(given, events):
    assert list(read_blocks(0, [given])) == events


@pytest.mark.parametrize(("given", "event"), RESULTS.values(), ids=RESULTS)
def test_a_block_holds_a_result(given, event):
    assert list(read_blocks(0, (given,))) == [event]


@pytest.mark.parametrize("content", PASSED_OVER.values(), ids=PASSED_OVER)
def test_other_content_is_passed_over(content):
    assert list(read_blocks(0, content)) == []


def test_blocks_are_read_in_order():
    content = [case[0] for case in CALLS.values()] + [case[0] for case in RESULTS.values()]
    events = [event for case in CALLS.values() for event in case[1]] + [case[1] for case in RESULTS.values()]
    assert list(read_blocks(0, content)) == events


@pytest.mark.parametrize("given", [case[0] for case in CALLS.values()], ids=CALLS)
def test_a_call_is_known_as_one(given):
    assert is_call_block(given) and not is_result_block(given)


@pytest.mark.parametrize("given", [case[0] for case in RESULTS.values()], ids=RESULTS)
def test_a_result_is_known_as_one(given):
    assert is_result_block(given) and not is_call_block(given)


@pytest.mark.parametrize("given", [{}, None, "tool_use", block("text"), {"type": None}], ids=repr)
def test_other_blocks_are_known_as_neither(given):
    assert not is_call_block(given) and not is_result_block(given)


SEEN = {
    "seen": ("1", []),
    "not seen": ("2", [Called("a", {}, "2")]),
    "no id": (None, [Called("a", {}, None)]),
    "an empty id": ("", [Called("a", {}, "")]),
}


@pytest.mark.parametrize(("id", "events"), SEEN.values(), ids=SEEN)
def test_calls_that_the_message_holds_elsewhere_are_left_out(id, events):
    assert list(read_blocks(0, [block("tool_use", id=id, name="a", input={})], {"1", ""})) == events


WRONG = {
    "an unknown type with arguments": (
        block("tool_invocation", name="a", args={}),
        "message 3: a part of the unknown type 'tool_invocation' with a name and arguments; saw dict",
    ),
    "an unknown type with an input": (block("magic", name="a", input=0), "unknown type 'magic'"),
    "no type, but arguments": ({"name": "a", "arguments": "{}"}, "unknown type ''"),
    "no type, but a call inside": ({"toolUse": {"name": "a", "input": {}}}, "unknown type ''"),
    "a call without a name": (
        block("tool_use", id="1", input={}),
        r"message 3: a call without the name of its tool \(None\)",
    ),
    "an empty name": (block("tool_call", id="1", name="", args={}), r"without the name of its tool \(''\)"),
    "remote MCP without a name": (
        block("server_tool_call", name="remote_mcp", args={}),
        "without the name of its tool",
    ),
}


@pytest.mark.parametrize(("given", "text"), WRONG.values(), ids=WRONG)
def test_a_call_that_cannot_be_read_is_an_error(given, text):
    with pytest.raises(ConversionError, match=text) as caught:
        list(read_blocks(3, [block("text"), given]))
    assert (caught.value.index, caught.value.keys) == (3, tuple(given))

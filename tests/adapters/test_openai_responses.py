import json
from collections import UserDict
from types import SimpleNamespace as Object

import pytest
from agents import Agent, Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel, assistant_message, function_call
from openai.types.responses import Response, ResponseOutputItem
from pydantic import TypeAdapter

from trajmatch import ConversionError, Message, OptionError, ToolCall, Trajectory, match, to_trajectory
from trajmatch.reading import build
from trajmatch_adapters.histories.openai_responses import classify, read

SCREEN = {"type": "computer_screenshot"}
NO_FLAG = "nothing says whether a tool failed; a result counts as succeeded"
BY_ORDER = "results are joined to calls by their order, since ids are missing"
ORPHAN = "a result has no call"
WAITS = "a call waits for an approval"
COMPACTED = "what came before a compaction is not in this history"
USER = {"role": "user", "content": "Hi"}
BYE = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Bye"}]}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": []}


def item(kind, id="1", **more):
    return {"type": kind, "call_id": id, "id": f"item_{id}", **more}


def function(name="a", arguments="{}", id="1", **more):
    return item("function_call", id, name=name, arguments=arguments, **more)


def output(text="ok", id="1", kind="function_call_output", **more):
    return {"type": kind, "call_id": id, "output": text, **more}


def server(kind, status="completed", **more):
    return {"type": kind, "id": "1", "status": status, **more}


def shelled(result):
    return [item("shell_call", action={}), output(result, kind="shell_call_output")]


def response(*items, id="resp_1", **more):
    return {"id": id, "object": "response", "output": list(items), **more}


def read_all(history, **options):
    return build(read(history, **options))


def facts(run):
    return [(c.name, c.raw_arguments if c.arguments is None else c.arguments, c.id, c.kind) for c in run.calls]


def fates(run):
    return [(made.name, made.status, made.result) for made in run.calls]


def batches(run):
    return [[made.name for made in message.tool_calls] for message in run.messages if message.role == "assistant"]


CALLS = {
    "a function": (function(arguments='{"x": 1}'), ("a", {"x": 1}, "1", "function")),
    "arguments empty": (function(arguments=""), ("a", {}, "1", "function")),
    "arguments null": (function(arguments=None), ("a", {}, "1", "function")),
    "arguments malformed": (function(arguments='{"x": '), ("a", '{"x": ', "1", "function")),
    "arguments an object": (function(arguments={"x": 1}), ("a", {"x": 1}, "1", "function")),
    "a namespace": (function(namespace="shop"), ("a", {}, "1", "function")),
    "no call_id": (
        {"type": "function_call", "id": "fc_1", "name": "a", "arguments": "{}", "x": 0},
        ("a", {}, "fc_1", "function"),
    ),
    "a custom tool": (item("custom_tool_call", name="sql", input="SELECT 1"), ("sql", "SELECT 1", "1", "function")),
    "MCP": (
        server("mcp_call", name="a", arguments='{"x": 1}', server_label="s", output="ok"),
        ("a", {"x": 1}, "1", "native"),
    ),
    "a web search": (
        server("web_search_call", action={"type": "search", "query": "lamp", "sources": [{"url": "u"}]}),
        ("web_search", {"type": "search", "query": "lamp"}, "1", "native"),
    ),
    "a web search of old": (server("web_search_call"), ("web_search", None, "1", "native")),
    "a file search": (
        server("file_search_call", queries=["lamp"], results=None),
        ("file_search", {"queries": ["lamp"]}, "1", "native"),
    ),
    "code": (
        server("code_interpreter_call", code="1 + 1", container_id="c"),
        ("code_interpreter", {"code": "1 + 1"}, "1", "native"),
    ),
    "code that was not captured": (
        server("code_interpreter_call", code=None),
        ("code_interpreter", None, "1", "native"),
    ),
    "an image": (server("image_generation_call", result="aGk="), ("image_generation", None, "1", "native")),
    "a click": (
        item("computer_call", action={"type": "click", "x": 1, "y": 2, "keys": None}),
        ("computer", {"type": "click", "x": 1, "y": 2}, "1", "function"),
    ),
    "several actions": (
        item("computer_call", actions=[{"type": "wait"}, {"type": "type", "text": "Hi"}]),
        ("computer", {"actions": [{"type": "wait"}, {"type": "type", "text": "Hi"}]}, "1", "function"),
    ),
    "an action in text": (item("computer_call", action="click"), ("computer", "click", "1", "function")),
    "a local shell": (
        item("local_shell_call", action={"type": "exec", "command": ["ls"], "env": {}}),
        ("local_shell", {"type": "exec", "command": ["ls"], "env": {}}, "1", "function"),
    ),
    "a shell": (
        item("shell_call", action={"commands": ["ls"]}, environment={"type": "local"}),
        ("shell", {"commands": ["ls"]}, "1", "function"),
    ),
    "a shell in a container": (
        item("shell_call", action={"commands": ["ls"]}, environment={"type": "container_reference"}),
        ("shell", {"commands": ["ls"]}, "1", "native"),
    ),
    "a patch": (
        item("apply_patch_call", operation={"type": "delete_file", "path": "a.py"}),
        ("apply_patch", {"type": "delete_file", "path": "a.py"}, "1", "function"),
    ),
    "a search for tools": (
        {"type": "tool_search_call", "id": "ts_1", "call_id": None, "arguments": {"q": "x"}, "execution": "server"},
        ("tool_search", {"q": "x"}, "ts_1", "native"),
    ),
    "a search for tools by the application": (
        item("tool_search_call", arguments='{"q": "x"}', execution="client"),
        ("tool_search", {"q": "x"}, "1", "function"),
    ),
    "a program": (item("program", code="f()"), ("program", {"code": "f()"}, "1", "native")),
    "a request that nobody answered": (
        {"type": "mcp_approval_request", "id": "r", "name": "a", "arguments": '{"x": 1}'},
        ("a", {"x": 1}, "r", "native"),
    ),
}


@pytest.mark.parametrize(("made", "call"), CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("options", [{}, {"format": "openai_responses"}], ids=["recognised", "named"])
def test_calls_are_read(made, call, options):
    assert facts(to_trajectory([USER, made], **options)) == [call]


HOLDERS = {
    "items": [function()],
    "a tuple": (function(),),
    "messages": {"messages": [USER, function()]},
    "output": {"output": [function()]},
    "a response": response(function(), model="m", usage={"input_tokens": 1}),
    "a list of responses": [response(function())],
    "input and output": {"input": [USER], "output": [function()], "model": "m"},
    "input in text": {"input": "Hi", "output": [function()]},
    "a response of the Agents SDK": {"output": [function()], "usage": {}, "response_id": None},
    "items of the Agents SDK": [{"type": "tool_call_item", "raw_item": function(), "agent": {"name": "m"}}],
    "a state of the Agents SDK": {"$schemaVersion": "1.21", "original_input": "Hi", "generated_items": [],
                                  "session_items": [{"type": "tool_call_item", "raw_item": function()}]},
    "an older state": {"$schemaVersion": "1.0", "original_input": [USER],
                       "generated_items": [{"type": "tool_call_item", "raw_item": function()}]},
    "another mapping": [UserDict(function())],
    "an object": [Object(**function())],
    "Codex": [
        {"type": "session_meta", "payload": {"id": "s"}},
        {"type": "response_item", "payload": function()},
        {"type": "event_msg", "payload": {"type": "token_count"}},
    ],
}  # fmt: skip


@pytest.mark.parametrize("history", HOLDERS.values(), ids=HOLDERS)
@pytest.mark.parametrize("options", [{}, {"format": "openai_responses"}], ids=["recognised", "named"])
def test_what_holds_items_is_read(history, options):
    assert facts(to_trajectory(history, **options)) == [("a", {}, "1", "function")]


FATES = {
    "a result": ([function(), output()], [("a", "succeeded", "ok")], {NO_FLAG}),
    "results in another order": (
        [function("a"), function("b", id="2"), output("B", "2"), output("A")],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        {NO_FLAG},
    ),
    "not all answered": (
        [function("a"), function("b", id="2"), output("B", "2")],
        [("a", "pending", None), ("b", "succeeded", "B")],
        {NO_FLAG},
    ),
    "no results": ([function()], [("a", None, None)], set()),
    "parts": (
        [function(), output([{"type": "input_text", "text": "ok"}])],
        [("a", "succeeded", [{"type": "input_text", "text": "ok"}])],
        {NO_FLAG},
    ),
    "the id of an item joins nothing": (
        [function(), {"type": "function_call_output", "id": "1", "call_id": "2", "output": "ok"}],
        [("a", "pending", None)],
        {NO_FLAG, ORPHAN},
    ),
    "an error beside": ([function(), output(error="no")], [("a", "failed", "ok")], set()),
    "an error that is null": ([function(), output(error=None)], [("a", "succeeded", "ok")], {NO_FLAG}),
    "is_error": ([function(), output(is_error=True)], [("a", "failed", "ok")], set()),
    "complete": ([function(status="completed"), output(status="completed")], [("a", "succeeded", "ok")], {NO_FLAG}),
    "an incomplete result": ([function(), output(status="incomplete")], [("a", "interrupted", "ok")], set()),
    "an incomplete call": ([function(status="incomplete")], [("a", "interrupted", None)], set()),
    "an incomplete call with a result": (
        [function(status="incomplete"), output()],
        [("a", "succeeded", "ok")],
        {NO_FLAG},
    ),
    "a custom tool": (
        [item("custom_tool_call", name="sql", input="x"), output(kind="custom_tool_call_output")],
        [("sql", "succeeded", "ok")],
        {NO_FLAG},
    ),
    "a click": (
        [item("computer_call", action={"type": "wait"}), output(SCREEN, kind="computer_call_output")],
        [("computer", "succeeded", SCREEN)],
        set(),
    ),
    "a local shell, joined by call_id": (
        [item("local_shell_call", action={}), output(kind="local_shell_call_output")],
        [("local_shell", "succeeded", "ok")],
        {NO_FLAG},
    ),
    "a local shell, joined by id": (
        [item("local_shell_call", action={}), {"type": "local_shell_call_output", "id": "1", "output": "ok"}],
        [("local_shell", "succeeded", "ok")],
        {NO_FLAG},
    ),
    "a local shell, joined by the id of the item": (
        [item("local_shell_call", action={}), {"type": "local_shell_call_output", "id": "item_1", "output": "ok"}],
        [("local_shell", "succeeded", "ok")],
        {NO_FLAG},
    ),
    "a shell": (
        shelled([{"stdout": "x", "outcome": {"type": "exit", "exit_code": 0}}]),
        [("shell", "succeeded", [{"stdout": "x", "outcome": {"type": "exit", "exit_code": 0}}])],
        set(),
    ),
    "an exit code": (
        shelled([{"outcome": {"type": "exit", "exit_code": 2}}]),
        [("shell", "failed", [{"outcome": {"type": "exit", "exit_code": 2}}])],
        set(),
    ),
    "a timeout": (
        shelled([{"outcome": {"type": "timeout"}}]),
        [("shell", "failed", [{"outcome": {"type": "timeout"}}])],
        set(),
    ),
    "a patch": (
        [item("apply_patch_call", operation={}), output("Done", kind="apply_patch_call_output", status="completed")],
        [("apply_patch", "succeeded", "Done")],
        set(),
    ),
    "a patch that failed": (
        [item("apply_patch_call", operation={}), output(None, kind="apply_patch_call_output", status="failed")],
        [("apply_patch", "failed", None)],
        set(),
    ),
    "a program": (
        [item("program", code="f()"), {"type": "program_output", "call_id": "1", "id": "2", "result": "3"}],
        [("program", "succeeded", "3")],
        set(),
    ),
    "a search for tools": (
        [
            {"type": "tool_search_call", "id": "c", "call_id": None, "arguments": {}, "execution": "server"},
            {"type": "tool_search_output", "id": "o", "call_id": None, "tools": [], "execution": "server"},
        ],
        [("tool_search", "succeeded", [])],
        {BY_ORDER},
    ),
    "MCP": ([server("mcp_call", name="a", output="ok")], [("a", "succeeded", "ok")], set()),
    "MCP without a status": ([server("mcp_call", None, name="a", output="")], [("a", "succeeded", "")], set()),
    "MCP that failed": (
        [server("mcp_call", "failed", name="a", output=None, error={"code": 500})],
        [("a", "failed", {"code": 500})],
        set(),
    ),
    "MCP with an error of old": ([server("mcp_call", None, name="a", error="no")], [("a", "failed", "no")], set()),
    "MCP under way": ([server("mcp_call", "calling", name="a", server_label="s")], [("a", None, None)], set()),
    "MCP beside a result": (
        [server("mcp_call", "in_progress", name="a"), function("b"), output()],
        [("a", "pending", None), ("b", "succeeded", "ok")],
        {NO_FLAG},
    ),
    "a search": (
        [server("web_search_call", action={"type": "search", "sources": [{"url": "u"}]})],
        [("web_search", "succeeded", [{"url": "u"}])],
        set(),
    ),
    "a search that failed": ([server("file_search_call", "failed")], [("file_search", "failed", None)], set()),
    "code that was broken off": (
        [server("code_interpreter_call", "incomplete", code="x", outputs=[])],
        [("code_interpreter", "interrupted", [])],
        set(),
    ),
    "an image": ([server("image_generation_call", result="aGk=")], [("image_generation", "succeeded", "aGk=")], set()),
    "an approval": (
        [
            {"type": "mcp_approval_request", "id": "r", "name": "a", "arguments": "{}"},
            {"type": "mcp_approval_response", "approval_request_id": "r", "approve": True},
            server("mcp_call", name="a", arguments="{}", output="ok", approval_request_id="r"),
        ],
        [("a", "succeeded", "ok")],
        set(),
    ),
    "a refusal": (
        [
            {"type": "mcp_approval_request", "id": "r", "name": "a", "arguments": "{}"},
            {"type": "mcp_approval_response", "approval_request_id": "r", "approve": False, "reason": "Too dear"},
        ],
        [("a", "denied", "Too dear")],
        set(),
    ),
    "approved, and not yet made": (
        [
            {"type": "mcp_approval_request", "id": "r", "name": "a", "arguments": "{}"},
            {"type": "mcp_approval_response", "approval_request_id": "r", "approve": True},
        ],
        [("a", None, None)],
        set(),
    ),
    "what the Agents SDK writes of an error": (
        [function(), output("An error occurred while running the tool. Please try again. Error: no\nway")],
        [("a", "failed", "An error occurred while running the tool. Please try again. Error: no\nway")],
        set(),
    ),
    "what it writes of a timeout": (
        [function(), output("Tool 'a' timed out after 0.5 seconds.")],
        [("a", "failed", "Tool 'a' timed out after 0.5 seconds.")],
        set(),
    ),
    "what it writes of a refusal": (
        [function(), output("Tool execution was not approved.")],
        [("a", "denied", "Tool execution was not approved.")],
        set(),
    ),
    "a text that only holds this": (
        [function(), output("Note: Tool execution was not approved.")],
        [("a", "succeeded", "Note: Tool execution was not approved.")],
        {NO_FLAG},
    ),
    "a result without a call": ([output()], [], {NO_FLAG, ORPHAN}),
    "a result without an id": (
        [function(), {"type": "function_call_output", "output": "ok", "call_id": None}],
        [("a", "succeeded", "ok")],
        {NO_FLAG, BY_ORDER},
    ),
    "a result before its call": (
        [output(), function()],
        [("a", "succeeded", "ok")],
        {NO_FLAG, "a result comes before its call"},
    ),
    "what is only referred to": (
        [{"type": "item_reference", "id": "fc_1"}, function(), output()],
        [("a", "succeeded", "ok")],
        {NO_FLAG, "an item is only referred to by its id, and is not in this history"},
    ),
    "a compaction": ([{"type": "compaction", "encrypted_content": "x"}, function()], [("a", None, None)], {COMPACTED}),
    "a compaction of Codex": (
        [{"type": "compacted", "payload": {"message": "x"}}, {"type": "response_item", "payload": function()}],
        [("a", None, None)],
        {COMPACTED},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("history", "calls", "notes"), FATES.values(), ids=FATES)
@pytest.mark.parametrize("options", [{}, {"format": "openai_responses"}], ids=["recognised", "named"])
def test_what_became_of_calls(history, calls, notes, options):
    run = to_trajectory(history, **options)
    assert fates(run) == calls
    assert (set(run.notes), len(run.notes)) == (notes, len(notes))


BLOCK = {"type": "tool_use", "id": "1", "name": "a", "input": {}}
TYPELESS = {"role": "assistant", "content": "Let me see."}
BATCHES = {
    "in parallel": ([USER, function("a"), function("b", id="2")], [["a", "b"]]),
    "text and reasoning beside": ([THOUGHT, BYE, function("a"), THOUGHT, function("b", id="2")], [["a", "b"]]),
    "one after the other": ([function("a"), output(), function("b", id="2"), output(id="2"), BYE], [["a"], ["b"], []]),
    "a user between": ([function("a"), USER, function("b", id="2")], [["a"], ["b"]]),
    "a verdict between": (
        [function("a"), {"type": "mcp_approval_response", "approval_request_id": "r", "approve": True}, function("b")],
        [["a"], ["b"]],
    ),
    "servers end no response": (
        [
            server("web_search_call"),
            item("shell_call", action={}, environment={"type": "container_reference"}),
            output([], kind="shell_call_output"),
            {"type": "mcp_list_tools", "id": "l", "tools": []},
            function("a", id="2"),
        ],
        [["web_search", "shell", "a"]],
    ),
    "an assistant without a type begins a response": ([USER, TYPELESS, function("a")], [["a"]]),
    "and so does the next": ([USER, function("a"), TYPELESS, TYPELESS], [["a"], [], []]),
    "reasoning belongs to it": ([USER, THOUGHT, TYPELESS, function("a")], [["a"]]),
    "reasoning alone": ([USER, THOUGHT], [[]]),
    "whole responses": ([USER, response(function("a")), response(function("b", id="2"), id="resp_2")], [["a"], ["b"]]),
    "a response without items": ([USER, response()], [[]]),
    "items after a response": ([response(function("a")), function("b", id="2")], [["a"], ["b"]]),
    "input and output": ({"input": [USER, function("a"), output()], "output": [function("b")]}, [["a"], ["b"]]),
}


@pytest.mark.parametrize(("history", "expected"), BATCHES.values(), ids=BATCHES)
def test_a_response_is_one_message(history, expected):
    assert batches(read_all(history)) == expected


MESSAGES = {
    "roles": (
        [{"role": role, "content": "Hi"} for role in ("system", "developer", "user", "assistant")],
        [Message(role, "Hi") for role in ("system", "system", "user", "assistant")],
    ),
    "text beside a call": (
        [BYE, function()],
        [Message("assistant", BYE["content"], [ToolCall("a", {}, id="1")])],
    ),
    "two texts of one response": (
        [{**BYE, "content": "One. "}, {**BYE, "content": "Two."}],
        [Message("assistant", "One. Two.")],
    ),
    "a result": (
        [function(), output()],
        [Message("assistant", None, [ToolCall("a", {}, status="succeeded")]), Message("tool", "ok", answers=0)],
    ),
    "a native result is no message": (
        [server("mcp_call", name="a", output="ok")],
        [Message("assistant", None, [ToolCall("a", {}, status="succeeded", kind="native")])],
    ),
    "settings are no messages": (
        [{"type": "additional_tools", "role": "developer", "tools": [{"name": "a", "parameters": {}}]}, USER],
        [Message("user", "Hi")],
    ),
    "a block of another provider": (
        [{**BYE, "content": [BLOCK]}],
        [Message("assistant", [BLOCK], [ToolCall("a", {}, id="1")])],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("history", "messages"), MESSAGES.values(), ids=MESSAGES)
def test_messages_are_read(history, messages):
    assert list(read_all(history).messages) == messages


UNKNOWN = {
    "an item": ({"type": "hologram", "id": "1"}, [], "an item of the unknown type 'hologram' is passed over"),
    "a call by a server": (
        {"type": "map_search_call", "id": "1", "status": "completed"},
        [("map_search", None, "1", "native")],
        "an item of the unknown type 'map_search_call' counts as a call by the server",
    ),
    "a call by a server with arguments": (
        {"type": "map_search_call", "id": "1", "action": {"q": "x"}},
        [("map_search", {"q": "x"}, "1", "native")],
        "an item of the unknown type 'map_search_call' counts as a call by the server",
    ),
    "a part": (
        {**BYE, "content": [{"type": "hologram"}]},
        [],
        "a part of the unknown type 'hologram' is passed over",
    ),
}


@pytest.mark.parametrize(("given", "calls", "note"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_is_not_known_is_noted(given, calls, note):
    run = to_trajectory([USER, given], format="openai_responses")
    assert (facts(run), run.notes) == (calls, (note,))


WRONG = {
    "text": ("Hi", "neither an item nor a message"),
    "null": (None, "neither an item nor a message"),
    "an item without a type": ({"call_id": "1", "output": "x"}, "neither an item nor a message"),
    "a role that is no text": ({"role": 3, "content": "Hi"}, "neither an item nor a message"),
    "a call without a name": (function(name=None), "a call without the name of its tool"),
    "a name that is no text": (function(name=3), "a call without the name of its tool"),
    "a request without a name": ({"type": "mcp_approval_request", "id": "r"}, "a call without the name of its tool"),
    "an unknown item with arguments": (item("magic", name="a", arguments="{}"), "an item of the unknown type 'magic'"),
    "an unknown part with arguments": (
        {**BYE, "content": [{"type": "magic", "name": "a", "input": {}}]},
        "a part of the unknown type 'magic'",
    ),
    "calls under another key": (
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "a"}}]},
        "calls under the key .*tool_calls'",
    ),
    "a run beside others": ({"$schemaVersion": "1.21", "generated_items": []}, "a run beside others"),
}


@pytest.mark.parametrize(("given", "text"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_is_an_error_that_says_where(given, text):
    with pytest.raises(ConversionError, match=f"message 1: {text}") as caught:
        to_trajectory([USER, given], format="openai_responses")
    assert caught.value.index == 1


def test_the_options_are_checked():
    with pytest.raises(OptionError, match="messages must be 'new' or 'all', got 'al'; did you mean 'all'"):
        to_trajectory([USER], format="openai_responses", messages="al")


CLASSES = {
    "a message": (USER, "could_be"),
    "a message of no role": ({"content": "Hi"}, "no"),
    "a tool's message": ({"role": "tool", "tool_call_id": "1", "content": "ok"}, "no"),
    "a typed message": ({"type": "message", **USER}, "certain"),
    "a part of this format": ({"role": "user", "content": [{"type": "input_text", "text": "Hi"}]}, "certain"),
    "parts of several formats": ({"role": "user", "content": ["Hi", {"type": "text", "text": "Hi"}]}, "could_be"),
    "parts of another format": ({"role": "user", "content": [{"type": "tool_result"}]}, "no"),
    "parts without a type": ({"role": "user", "content": [{"toolUse": {}}]}, "no"),
    "content absent": ({"role": "user"}, "no"),
    "calls of Chat Completions": ({"role": "assistant", "content": "", "tool_calls": [{}]}, "no"),
    "a message of Anthropic": (
        {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "x"}], "stop_reason": "end_turn"},
        "no",
    ),
    "a content block": ({"type": "tool_use", "id": "1", "name": "a", "input": {}}, "no"),
    "a call's type and nothing else": ({"type": "function_call"}, "no"),
    "reasoning": (THOUGHT, "certain"),
    "reasoning of others": ({"type": "reasoning", "text": "Hm"}, "no"),
    "a setting": ({"type": "configuration_update"}, "certain"),
    "a record of Codex": ({"type": "event_msg", "payload": {}}, "could_be"),
    "an event of others": ({"type": "event_msg"}, "no"),
    "an item in a record": ({"type": "response_item", "payload": USER}, "certain"),
    "a run item": ({"type": "tool_call_item", "raw_item": function()}, "certain"),
    "something raw": ({"type": "tool", "raw_item": {}}, "no"),
    "a response": (response(), "certain"),
    "output of others": ({"input": "Hi", "output": [{"role": "tool"}]}, "no"),
    "output that could be of others": ({"input": "Hi", "output": [USER]}, "no"),
    "output without input": ({"output": [function()], "score": 1}, "no"),
    "an event of a stream": ({"type": "response.output_item.done", "item": function()}, "certain"),
    "an event without its item": ({"type": "response.output_item.done"}, "no"),
    "a piece of a stream": ({"type": "response.output_text.delta", "delta": "x"}, "could_be"),
    "a state": ({"$schemaVersion": "1", "generated_items": []}, "certain"),
    "a schema": ({"$schemaVersion": "1"}, "no"),
    "text": ("Hi", "no"),
    "null": (None, "no"),
}


@pytest.mark.parametrize(("message", "answer"), CLASSES.values(), ids=CLASSES)
def test_messages_are_classified(message, answer):
    assert classify(message) == answer


# The SDK's own objects

DONE = {"status": "completed"}
CLICK = {"type": "click", "x": 1, "y": 2, "button": "left"}
SERVER = {"execution": "server", **DONE}
SDK_ITEMS = [
    {"type": "reasoning", "id": "rs_1", "summary": []},
    function(arguments='{"x": 1}', **DONE),
    {"type": "custom_tool_call", "call_id": "2", "name": "sql", "input": "SELECT 1"},
    {"type": "mcp_call", "id": "3", "name": "b", "arguments": "{}", "server_label": "s", "output": "ok", **DONE},
    {"type": "web_search_call", "id": "4", "action": {"type": "search", "query": "lamp"}, **DONE},
    {"type": "file_search_call", "id": "5", "queries": ["lamp"], **DONE},
    {"type": "code_interpreter_call", "id": "6", "code": "1", "container_id": "c", "outputs": [], **DONE},
    item("computer_call", "7", pending_safety_checks=[], actions=[CLICK], **DONE),
    item("computer_call", "8", pending_safety_checks=[], action={"type": "drag", "path": [{"x": 1, "y": 2}]}, **DONE),
    item("shell_call", "9", action={"commands": ["ls"]}, environment={"type": "local"}, **DONE),
    item("apply_patch_call", "10", operation={"type": "delete_file", "path": "a"}, **DONE),
    item("local_shell_call", "11", action={"type": "exec", "command": ["ls"], "env": {}}, **DONE),
    {"type": "tool_search_call", "id": "12", "call_id": None, "arguments": {"q": 1}, **SERVER},
    {"type": "tool_search_output", "id": "13", "call_id": None, "tools": [], **SERVER},
    item("program", "14", code="f()", fingerprint="f"),
    {"type": "program_output", "id": "15", "call_id": "14", "result": "3", **DONE},
    {"type": "image_generation_call", "id": "16", "result": "aGk=", **DONE},
    {"type": "mcp_approval_request", "id": "17", "name": "c", "arguments": "{}", "server_label": "s"},
    {**BYE, "id": "m", "content": [{"type": "output_text", "text": "Hm", "annotations": []}], **DONE},
]
ITEM = TypeAdapter(ResponseOutputItem)


def sdk_items():
    return [ITEM.validate_python(made) for made in SDK_ITEMS]


def sdk_response():
    settings = {"created_at": 0, "model": "m", "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    return Response.model_validate(response(*SDK_ITEMS, **settings))


def without_content(run):
    return run.calls, [(message.role, message.tool_calls) for message in run.messages]


FORMS = {
    "objects": sdk_items,
    "dumped": lambda: [made.model_dump() for made in sdk_items()],
    "dumped as JSON": lambda: [json.loads(made.model_dump_json()) for made in sdk_items()],
    "dumped as they are sent": lambda: [made.model_dump(exclude_unset=True) for made in sdk_items()],
    "a response": sdk_response,
    "a dumped response": lambda: json.loads(sdk_response().model_dump_json()),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_objects_of_the_sdk_read_like_what_is_sent(form):
    assert without_content(to_trajectory(form())) == without_content(read_all(SDK_ITEMS))


def test_all_of_them_are_calls_of_one_response():
    run = to_trajectory(sdk_response())
    assert (len(run.calls), batches(run)) == (15, [[made.name for made in run.calls]])
    assert Trajectory.from_json(run.to_json()) == run


def test_objects_of_the_sdk_beside_dicts():
    assert match([USER, *sdk_response().output[:2], output()], ["a"], calls="succeeded")


def test_objects_of_the_sdk_are_not_changed():
    made = sdk_response()
    before = made.model_dump_json()
    assert to_trajectory(made).to_json()
    assert made.model_dump_json() == before


# Runs of the Agents SDK


@function_tool
def search(q: str) -> str:
    return f"{q}, 40"


@function_tool
def fail(q: str) -> str:
    raise ValueError(q)


@function_tool(needs_approval=True)
def pay(price: int) -> str:
    return "paid"


def scripted(*steps):
    return ScriptedModel([*map(list, steps)])


def shop():
    """Two calls at once of which one fails, two payments that need approval, a handoff."""
    set_tracing_disabled(True)
    helper = Agent(
        name="helper",
        tools=[search],
        model=scripted([function_call("search", {"q": "z"}, call_id="6")], [assistant_message("Bye")]),
    )
    model = scripted(
        [function_call("search", {"q": "x"}, call_id="1"), function_call("fail", {"q": "y"}, call_id="2")],
        [function_call("pay", {"price": 1}, call_id="3"), function_call("pay", {"price": 2}, call_id="4")],
        [function_call("transfer_to_helper", {}, call_id="5")],
    )
    return Agent(name="main", tools=[search, fail, pay], handoffs=[helper], model=model)


@pytest.fixture
def runs(loop):
    """The run when it waits for approval, its state when that is given, and the run when it has ended."""
    agent = shop()
    waiting = Runner.run_sync(agent, "Hi")
    state = waiting.to_state()
    state.approve(waiting.interruptions[0])
    state.reject(waiting.interruptions[1], rejection_message="Too dear.")
    return waiting, state, Runner.run_sync(agent, state)


BATCHED = [["search", "fail"], ["pay", "pay"]]
ENDED = [*BATCHED, ["transfer_to_helper"], ["search"], []]


def test_a_run_of_the_agents_sdk_is_read(runs):
    run = to_trajectory(runs[2])
    assert [made.status for made in run.calls] == [
        *("succeeded", "failed", "succeeded", "succeeded", "succeeded", "succeeded"),
    ]
    assert batches(run) == ENDED
    assert run.messages[0] == Message("user", "Hi")


def test_a_run_its_items_and_its_input_list_are_read_alike(runs):
    run = runs[2]
    assert to_trajectory(run).calls == to_trajectory(run.to_input_list()).calls == to_trajectory(run.new_items).calls


def test_a_run_that_waits_says_so(runs):
    run = to_trajectory(runs[0])
    assert [made.status for made in run.calls] == ["succeeded", "failed", "pending", "pending"]
    assert set(run.notes) == {NO_FLAG, WAITS}


def test_a_state_holds_what_a_reviewer_said(runs):
    state = runs[2].to_state()
    run = to_trajectory(state)
    assert [made.status for made in run.calls] == [
        *("succeeded", "failed", "succeeded", "denied", "succeeded", "succeeded"),
    ]
    assert batches(run) == ENDED
    assert to_trajectory(json.loads(state.to_string())) == run


def test_a_state_that_waits_holds_each_call_once(runs):
    assert batches(to_trajectory(runs[1].to_json())) == BATCHED


def test_the_responses_of_a_run_are_its_batches(runs):
    assert batches(to_trajectory(runs[2].raw_responses)) == ENDED


def test_a_refusal_with_the_text_of_the_sdk_is_denied(loop):
    set_tracing_disabled(True)
    agent = Agent(
        name="m",
        tools=[pay],
        model=scripted([function_call("pay", {"price": 1}, call_id="1")], [assistant_message("Bye")]),
    )
    waiting = Runner.run_sync(agent, "Hi")
    state = waiting.to_state()
    state.reject(waiting.interruptions[0])
    assert [made.status for made in to_trajectory(Runner.run_sync(agent, state)).calls] == ["denied"]


def second_run():
    set_tracing_disabled(True)
    steps = [[function_call("search", {"q": "x"}, call_id="1")], [assistant_message("Hm")]]
    agent = Agent(
        name="m",
        tools=[search],
        model=scripted(*steps, [function_call("search", {"q": "y"}, call_id="2")], [assistant_message("Bye")]),
    )
    first = Runner.run_sync(agent, "Hi")
    return Runner.run_sync(agent, [*first.to_input_list(), {"role": "user", "content": "And y?"}])  # fmt: skip


TURNS = {"new": (["y"], ["And y?"]), "all": (["x", "y"], ["Hi", "And y?"])}


@pytest.mark.parametrize(("messages", "answer"), TURNS.items(), ids=TURNS)
def test_a_run_knows_which_messages_are_new(messages, answer, loop):
    run = to_trajectory(second_run(), format="openai_responses", messages=messages)
    assert (
        [made.arguments["q"] for made in run.calls],
        [m.content for m in run.messages if m.role == "user"],
    ) == answer


def test_a_run_without_an_option_is_read_from_its_last_prompt(loop):
    assert [made.arguments for made in to_trajectory(second_run()).calls] == [{"q": "y"}]


def test_a_run_that_streams_is_refused_until_it_has_ended():
    run = Object(new_items=[], raw_responses=[], input="Hi", is_complete=False)
    with pytest.raises(ConversionError, match="a run that still streams; read its events to the end first"):
        to_trajectory(run)
    run.is_complete = True
    assert to_trajectory(run).messages == (Message("user", "Hi"),)


def test_a_state_that_gives_none_is_refused():
    state = Object(to_json=lambda: None, get_interruptions=list)
    with pytest.raises(ConversionError, match=r"to_json\(\) gives no state"):
        to_trajectory(state)


def test_a_call_that_only_its_approval_holds_is_read():
    waiting = {"type": "tool_approval_item", "raw_item": function()}
    assert facts(to_trajectory([waiting])) == [("a", {}, "1", "function")]


def test_a_user_s_message_in_a_run_is_read():
    run = to_trajectory([{"type": "input_item", "raw_item": USER}, {"type": "tool_call_item", "raw_item": function()}])
    assert [message.role for message in run.messages] == ["user", "assistant"]


@pytest.mark.parametrize("approvals", [None, [], {"a": None}, {"a": {"rejected": True}}, {"a": {"rejected": [3]}}])
def test_approvals_in_odd_forms_say_nothing(approvals):
    items = [
        {"type": "tool_call_item", "raw_item": function()},
        {"type": "tool_call_output_item", "raw_item": output()},
    ]
    state = {"$schemaVersion": "1", "generated_items": items, "context": {"approvals": approvals}}
    assert fates(to_trajectory(state)) == [("a", "succeeded", "ok")]


# Streams


def event(kind, **more):
    return {"type": f"response.{kind}", "sequence_number": 0, **more}


def streamed(made, *, ended=True):
    """The events of a response with one call."""
    arguments = made["arguments"]
    return [
        event("created", response=response()),
        event("output_item.added", item={**made, "arguments": "", "status": "in_progress"}),
        event("function_call_arguments.delta", item_id=made["id"], delta=arguments[:3]),
        event("function_call_arguments.delta", item_id=made["id"], delta=arguments[3:]),
        *([event("output_item.done", item=made), event("completed", response=response(made))] if ended else []),
    ]


A, B = function(arguments='{"x": 1}'), function("b", id="2")
STREAMS = {
    "a stream": (streamed(A), [["a"]]),
    "two streams": ([*streamed(A), *streamed(B)], [["a"], ["b"]]),
    "items between": ([USER, *streamed(A), output(), *streamed(B), output(id="2")], [["a"], ["b"]]),
    "items that are done": ([event("output_item.done", item=A), event("output_item.done", item=B)], [["a", "b"]]),
    "a response that is completed": ([event("completed", response=response(A, B))], [["a", "b"]]),
    "a stream without an item": ([USER, event("created", response=response())], [[]]),
    "raw events of the Agents SDK": ([{"type": "raw_response_event", "data": made} for made in streamed(A)], [["a"]]),
    "events of the Agents SDK": (
        [
            {"type": "agent_updated_stream_event", "new_agent": {}},
            *({"type": "raw_response_event", "data": made} for made in streamed(A)),
            {"type": "run_item_stream_event", "item": {"type": "tool_call_item", "raw_item": A}},
            {"type": "run_item_stream_event", "item": {"type": "tool_call_output_item", "raw_item": output()}},
        ],
        [["a"]],
    ),
}


@pytest.mark.parametrize(("history", "expected"), STREAMS.values(), ids=STREAMS)
def test_streams_are_read(history, expected):
    assert batches(to_trajectory(history, format="openai_responses")) == expected


def test_a_stream_is_recognised():
    assert facts(to_trajectory(streamed(A))) == facts(to_trajectory([A]))


BROKEN = {
    "arguments": (streamed(A, ended=False), ("a", {"x": 1}, "interrupted")),
    "no arguments": (streamed(A, ended=False)[:2], ("a", {}, "interrupted")),
    "half of the arguments": (streamed(A, ended=False)[:3], ("a", '{"x', "interrupted")),
    "a custom tool": (
        [
            event("output_item.added", item=item("custom_tool_call", name="sql", input="")),
            event("custom_tool_call_input.delta", item_id="item_1", delta="SELECT"),
        ],
        ("sql", "SELECT", "interrupted"),
    ),
}


@pytest.mark.parametrize(("history", "call"), BROKEN.values(), ids=BROKEN)
def test_a_stream_that_broke_off_keeps_its_call(history, call):
    (made,) = to_trajectory(history).calls
    assert (made.name, made.raw_arguments if made.arguments is None else made.arguments, made.status) == call


async def streamed_run():
    model = scripted([function_call("search", {"q": "x"}, call_id="1")], [assistant_message("Bye")])
    run = Runner.run_streamed(Agent(name="m", tools=[search], model=model), "Hi")
    return run, [event async for event in run.stream_events()]


def test_events_of_a_run_of_the_agents_sdk_are_read(loop):
    set_tracing_disabled(True)
    run, events = loop.run_until_complete(streamed_run())
    assert to_trajectory(events).calls == to_trajectory(run).calls
    assert [made.name for made in to_trajectory(run).calls] == ["search"]


HISTORIES = [
    *([USER, case[0]] for case in CALLS.values()),
    *(case[0] for case in FATES.values()),
    *(case[0] for case in BATCHES.values()),
    *(case[0] for case in STREAMS.values()),
    *(history for history in HOLDERS.values() if isinstance(history, dict)),
]

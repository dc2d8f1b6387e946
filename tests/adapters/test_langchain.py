"""LangChain and LangGraph: objects of the libraries, and runs of real agents with a scripted model."""

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain.agents.structured_output import (
    MultipleStructuredOutputsError,
    StructuredOutputValidationError,
    ToolStrategy,
)
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.load import dumpd
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    AnyMessage,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    convert_to_messages,
    messages_to_dict,
)
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from langgraph.prebuilt.tool_node import INVALID_TOOL_NAME_ERROR_TEMPLATE, TOOL_INVOCATION_ERROR_TEMPLATE
from langgraph.types import Command, Overwrite
from langsmith._internal._serde import dumps_json
from pydantic import BaseModel

from trajmatch import ConversionError, OptionError, ToolCall, Trajectory, call, to_trajectory
from trajmatch.reading import Answered
from trajmatch_adapters.histories import langchain
from trajmatch_adapters.histories.langchain import _texts


class Scripted(BaseChatModel):
    """A model that answers what it is told to, in one piece or in bits."""

    script: list[AIMessage]
    said: list[int] = []

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **options: Any) -> "Scripted":
        return self

    def _next(self) -> AIMessage:
        self.said.append(1)
        return self.script[len(self.said) - 1]

    def _generate(self, *args: Any, **options: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._next())])

    def _stream(self, *args: Any, **options: Any) -> Iterator[ChatGenerationChunk]:
        message = self._next()
        for text in message.text.split("|"):
            yield ChatGenerationChunk(message=AIMessageChunk(text))
        for index, given in enumerate(message.tool_calls):
            for name, id, bit in bits(given):
                piece = tool_call_chunk(name=name, args=bit, id=id, index=index)
                yield ChatGenerationChunk(message=AIMessageChunk("", tool_call_chunks=[piece]))


def bits(given: Any) -> Iterator[tuple[str | None, str | None, str]]:
    text = json.dumps(given["args"])
    yield given["name"], given["id"], ""
    yield from ((None, None, part) for part in (text[:4], text[4:]))


class Answer(BaseModel):
    n: int


class Other(BaseModel):
    n: int


@tool
def search(q: str) -> str:
    """Look something up."""
    if q == "fail":
        raise ValueError("no luck")
    return f"found {q}"


def ai(*calls: tuple[str, dict[str, Any], str | None], text: str = "") -> AIMessage:
    return AIMessage(text, tool_calls=[{"name": name, "args": args, "id": id} for name, args, id in calls])


def agent(*script: AIMessage, **options: Any) -> Any:
    return create_agent(Scripted(script=list(script), said=[]), [search], **options)


QUESTION = {"messages": [("user", "Cats?")]}


def two_searches(**options: Any) -> Any:
    both = ai(("search", {"q": "cats"}, "1"), ("search", {"q": "dogs"}, "2"))
    return agent(both, ai(text="Both|found."), **options)


def in_subgraph() -> Any:
    return StateGraph(MessagesState).add_node("child", two_searches()).add_edge(START, "child").compile()


def run() -> list[BaseMessage]:
    return two_searches().invoke(QUESTION)["messages"]


def shape(history: Any, **options: Any) -> list[tuple[str, int]]:
    """The role and the number of calls of each message."""
    messages = to_trajectory(history, **options).messages
    assert messages is not None
    return [(message.role, len(message.tool_calls)) for message in messages]


def calls(history: Any) -> list[ToolCall]:
    return list(to_trajectory(history).calls)


TWO_SEARCHES = [
    ToolCall("search", {"q": "cats"}, status="succeeded"),
    ToolCall("search", {"q": "dogs"}, status="succeeded"),
]
ANSWERED = [("assistant", 2), ("tool", 0), ("tool", 0), ("assistant", 0)]
ASKED = [("user", 0), *ANSWERED]


# --- the forms of a message -----------------------------------------------------------------------


FORMS = {
    "objects": lambda messages: messages,
    "tuple": tuple,
    "state": lambda messages: {"messages": messages},
    "output": lambda messages: {"output": messages},
    "batch of one": lambda messages: [messages],
    "messages_to_dict": messages_to_dict,
    "model_dump": lambda messages: [message.model_dump() for message in messages],
    "json": lambda messages: [json.loads(message.model_dump_json()) for message in messages],
    "constructors": lambda messages: [dumpd(message) for message in messages],
    "langsmith": lambda messages: json.loads(dumps_json(messages)),
    "attributes": lambda messages: [SimpleNamespace(**message.model_dump()) for message in messages],
    "slots": lambda messages: [Slotted(message) for message in messages],
    "mixed": lambda messages: [
        ("user", "Cats?"),
        dumpd(messages[1]),
        messages[2],
        *messages_to_dict(messages[3:]),
    ],
    "role dict beside": lambda messages: [{"role": "user", "content": "Cats?"}, *messages[1:]],
}


class Slotted:
    """Neither a dict nor with one."""

    __slots__ = ("additional_kwargs", "content", "id", "name", "status", "tool_call_id", "tool_calls", "type")

    def __init__(self, message: BaseMessage) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(message, name, None))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_run_reads_the_same_in_every_form(form: Any) -> None:
    messages = run()
    assert to_trajectory(form(messages)) == to_trajectory(messages)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_run_has_its_calls_and_messages(form: Any) -> None:
    assert (calls(form(run())), shape(form(run()))) == (TWO_SEARCHES, ASKED)


@pytest.mark.parametrize("form", [form for name, form in FORMS.items() if name != "slots"])
def test_nothing_is_changed(form: Any) -> None:
    history = form(run())
    before = copy.deepcopy(history)
    to_trajectory(history)
    assert repr(history) == repr(before)


ROLES = {
    "human": (HumanMessage("x"), "user"),
    "ai": (AIMessage("x"), "assistant"),
    "system": (SystemMessage("x"), "system"),
    "tool": (ToolMessage("x", tool_call_id="1"), "tool"),
    "function": (FunctionMessage(content="x", name="f"), "tool"),
    "chat": (ChatMessage(role="critic", content="x"), "critic"),
    "chat, known role": (ChatMessage(role="assistant", content="x"), "assistant"),
    "chat, constructor": (dumpd(ChatMessage(role="critic", content="x")), "critic"),
    "chat, dict": (messages_to_dict([ChatMessage(role="critic", content="x")])[0], "critic"),
    "pair": (("human", "x"), "user"),
    "pair, a list": (["ai", "x"], "assistant"),
    "developer": ({"role": "developer", "content": "x"}, "system"),
    "custom role": ({"role": "critic", "content": "x"}, "critic"),
    "user as type": ({"type": "user", "content": "x"}, "user"),
}


@pytest.mark.parametrize(("message", "role"), ROLES.values(), ids=ROLES)
def test_a_message_has_its_role_and_content(message: Any, role: str) -> None:
    (read,) = to_trajectory([message], format="langchain").messages or ()
    assert (read.role, read.content) == (role, "x")


RAW = {"id": "1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
BAD = {"id": "2", "type": "function", "function": {"name": "g", "arguments": '{"a": '}}
INVALID = {"name": "g", "args": '{"a": ', "id": "2", "error": "no JSON", "type": "invalid_tool_call"}
PARSED = {"name": "f", "args": {"a": 1}, "id": "1"}
F, G = call("f", a=1), ToolCall("g", '{"a": ')


def said(*calls: Any, **fields: Any) -> Any:
    """What an assistant said, as a plain dict."""
    return {"role": "assistant", "content": "", "tool_calls": [*calls], **fields}


PLAIN = {
    "openai": [{"role": "user", "content": "x"}, said(RAW)],
    "own calls": [said(PARSED)],
    "error": [said(PARSED), {"role": "tool", "content": "no", "tool_call_id": "1", "status": "error"}],
}


@pytest.mark.parametrize("history", PLAIN.values(), ids=PLAIN)
def test_plain_role_dicts_read_as_langchain_reads_them(history: Any) -> None:
    converted = convert_to_messages(copy.deepcopy(history))
    assert to_trajectory(history, format="langchain").calls == to_trajectory(converted).calls


def test_the_calls_of_langsmiths_trajectory_shape_are_content_blocks() -> None:
    block = {"type": "tool_call", "name": "search", "args": {"q": "cats"}, "id": "1"}
    history = [
        {"role": "human", "content": "Cats?"},
        {
            "role": "ai",
            "content": [{"type": "reasoning", "reasoning": "Hm"}, {"type": "text", "text": "ok"}, block],
        },
        {"role": "tool", "content": "found", "tool_call_id": "1"},
        {"role": "ai", "content": "There."},
    ]
    assert calls(history) == [ToolCall("search", {"q": "cats"}, status="succeeded")]
    assert shape(history) == [("user", 0), ("assistant", 1), ("tool", 0), ("assistant", 0)]


# --- where a message holds calls ------------------------------------------------------------------


SEARCH = {"query": "cats"}
NATIVE = ToolCall("web_search", SEARCH, kind="native", status="succeeded")

LEGACY = {"name": "f", "arguments": '{"a": 1}'}
TOOL_USE = {"type": "tool_use", "name": "f", "input": {"a": 1}, "id": "1"}
BEDROCK = {"toolUse": {"toolUseId": "1", "name": "f", "input": {"a": 1}}}
RESPONSES = {"type": "function_call", "name": "f", "arguments": '{"a": 1}', "call_id": "1", "id": "fc_1"}
V1 = {"type": "tool_call", **PARSED}
OPENAI_SERVER = {"type": "web_search_call", "id": "s", "status": "completed", "action": SEARCH}
ANTHROPIC_SERVER = [
    {"type": "server_tool_use", "name": "web_search", "input": SEARCH, "id": "s"},
    {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
]
V1_SERVER = [
    {"type": "server_tool_call", "name": "web_search", "args": SEARCH, "id": "s"},
    {"type": "server_tool_result", "tool_call_id": "s", "status": "success"},
]


def extra(*calls: Any, **fields: Any) -> dict[str, Any]:
    """A stored message with the provider's own calls."""
    kwargs = {"tool_calls": [RAW, BAD], **fields}
    return {"type": "ai", "content": "", "tool_calls": [*calls], "additional_kwargs": kwargs}


def message(*blocks: Any, **fields: Any) -> AIMessage:
    return AIMessage([*blocks], **fields)


PLACES = {
    "tool_calls": (AIMessage("", tool_calls=[PARSED]), [F]),
    "invalid_tool_calls": (AIMessage("", invalid_tool_calls=[INVALID]), [G]),
    "both": (AIMessage("", tool_calls=[PARSED], invalid_tool_calls=[INVALID]), [F, G]),
    "invalid, but an object": (AIMessage("", invalid_tool_calls=[INVALID | {"args": "{}"}]), [call("g")]),
    "invalid, without text": (AIMessage("", invalid_tool_calls=[INVALID | {"args": None}]), [call("g")]),
    "the provider's own": (AIMessage("", additional_kwargs={"tool_calls": [RAW, BAD]}), [F, G]),
    "the provider's own, not parsed": (extra(), [F, G]),
    "the provider's own, edited": (
        extra(PARSED | {"args": {"a": 2}}, PARSED | {"id": "9"}),
        [call("f", a=2), F],
    ),
    "an invalid one beside": (extra(PARSED, invalid_tool_calls=[INVALID]), [F, G]),
    "an invalid one beside, not parsed": (extra(invalid_tool_calls=[INVALID]), [G, F]),
    "constructor": (dumpd(AIMessage("", tool_calls=[PARSED], invalid_tool_calls=[INVALID])), [F, G]),
    "function_call": (AIMessage("", additional_kwargs={"function_call": LEGACY}), [F]),
    "function_call in a role dict": (said(function_call=LEGACY), [F]),
    "function_call, parsed": (
        AIMessage("", tool_calls=[PARSED], additional_kwargs={"function_call": LEGACY}),
        [F],
    ),
    "anthropic": (message({"type": "text", "text": "x"}, TOOL_USE), [F]),
    "anthropic, in both places": (message(TOOL_USE, tool_calls=[PARSED]), [F]),
    "anthropic, one id twice": (message(TOOL_USE, TOOL_USE), [F, F]),
    "version 1": (AIMessage(content_blocks=[V1]), [F]),
    "version 1, without ids": (AIMessage(content_blocks=[V1 | {"id": None}, V1 | {"id": None}]), [F, F]),
    "version 1, invalid": (AIMessage(content_blocks=[INVALID]), [G]),
    "a block as the content": ({"type": "ai", "content": V1}, [F]),
    "not of version 1": (message({"type": "non_standard", "value": TOOL_USE}), [F]),
    "openai responses": (message(RESPONSES, tool_calls=[PARSED]), [F]),
    "gemini": (message({"function_call": {"name": "f", "args": {"a": 1}}}), [F]),
    "bedrock": (message(BEDROCK), [F]),
    "bedrock, in both places": (message(BEDROCK, tool_calls=[PARSED]), [F]),
    "a block that is none of these": (message({"cachePoint": {"type": "default"}}, "text"), []),
    "anthropic's server": (message(*ANTHROPIC_SERVER), [NATIVE]),
    "openai's server": (message(OPENAI_SERVER), [NATIVE]),
    "openai's server, beside": (AIMessage("", additional_kwargs={"tool_outputs": [OPENAI_SERVER]}), [NATIVE]),
    "openai's server, in both places": (
        message(OPENAI_SERVER, additional_kwargs={"tool_outputs": [OPENAI_SERVER]}),
        [NATIVE],
    ),
    "a server of version 1": (message(*V1_SERVER), [NATIVE]),
    "in a human message": (HumanMessage([TOOL_USE]), [F]),
    "empty": (AIMessage("", tool_calls=[], invalid_tool_calls=[]), []),
    "no arguments": (said(PARSED | {"args": None}), [call("f")]),
}


@pytest.mark.parametrize(("message", "expected"), PLACES.values(), ids=PLACES)
def test_every_call_counts_once_wherever_it_stands(message: Any, expected: list[ToolCall]) -> None:
    assert calls([message]) == expected


@pytest.mark.parametrize(("message", "expected"), PLACES.values(), ids=PLACES)
def test_a_stored_message_has_the_same_calls(message: Any, expected: list[ToolCall]) -> None:
    stored = [json.loads(dumps_json(message))]
    assert calls(stored) == expected


def test_the_arguments_of_an_invalid_call_stay_as_they_are() -> None:
    (read,) = calls([AIMessage("", invalid_tool_calls=[INVALID])])
    assert (read.arguments, read.raw_arguments, read.kind) == (None, '{"a": ', "function")


# --- results --------------------------------------------------------------------------------------


ASK = ai(("f", {}, "1"))
RESULTS = {
    "success": (ToolMessage("ok", tool_call_id="1"), "succeeded"),
    "error": (ToolMessage("no", tool_call_id="1", status="error"), "failed"),
    "error, flat": (ToolMessage("no", tool_call_id="1", status="error").model_dump(), "failed"),
    "error, constructor": (dumpd(ToolMessage("no", tool_call_id="1", status="error")), "failed"),
    "error, field": ({"role": "tool", "content": "x", "tool_call_id": "1", "error": "no"}, "failed"),
    "the text of an error alone": (ToolMessage("Error: no", tool_call_id="1"), "succeeded"),
    "function": (FunctionMessage(content="x", name="f"), "succeeded"),
    "pair": (("tool", "x"), "succeeded"),
    "role is the tool": ({"role": "f", "content": "x", "additional_kwargs": {}}, "succeeded"),
    "chat": (ChatMessage(role="tool", content="x", additional_kwargs={"tool_call_id": "1"}), "succeeded"),
    "block": (HumanMessage([{"type": "tool_result", "tool_use_id": "1", "content": "x"}]), "succeeded"),
    "block with an error": (
        HumanMessage([{"type": "tool_result", "tool_use_id": "1", "is_error": True}]),
        "failed",
    ),
    "gemini": (HumanMessage([{"function_response": {"name": "f", "response": {}}}]), "succeeded"),
    "bedrock": (
        HumanMessage([{"toolResult": {"toolUseId": "1", "content": [], "status": "error"}}]),
        "failed",
    ),
}


@pytest.mark.parametrize(("message", "status"), RESULTS.values(), ids=RESULTS)
def test_a_result_says_what_became_of_its_call(message: Any, status: str) -> None:
    run = to_trajectory([ASK, message], format="langchain")
    assert ([c.status for c in run.calls], [m.role for m in run.messages or ()]) == (
        [status],
        ["assistant", "tool"],
    )


def test_a_role_that_is_no_tool_called_before_is_a_role() -> None:
    assert shape([ASK, {"role": "g", "content": "x", "additional_kwargs": {}}]) == [
        ("assistant", 1),
        ("g", 0),
    ]


RESULT = {"type": "tool_result", "tool_use_id": "1", "content": "x"}
IMAGE = {"type": "image", "base64": "", "mime_type": "image/png"}
BESIDE = {
    "text": ([RESULT, {"type": "text", "text": "And now?"}], {}, False),
    "text, plain": ([RESULT, "And now?"], {}, False),
    "an image": ([RESULT, IMAGE], {}, True),
    "an image and text": ([RESULT, IMAGE, {"type": "text", "text": "And now?"}], {}, False),
    "empty text": ([RESULT, {"type": "text", "text": " "}], {}, True),
    "of the framework": ([RESULT, {"type": "text", "text": "Go on."}], {"lc_source": "reminder"}, True),
}


@pytest.mark.parametrize(("content", "extra", "feedback"), BESIDE.values(), ids=BESIDE)
def test_what_stands_beside_results_is_a_turn_where_it_has_text(content: Any, extra: Any, feedback: bool) -> None:
    run = to_trajectory([ASK, HumanMessage(content, additional_kwargs=extra)])
    assert [(m.role, m.feedback) for m in run.messages or ()][1:] == [("tool", False), ("user", feedback)]
    assert run.messages and run.messages[2].content == content[1:]


def test_two_results_in_one_message_are_two_tool_messages() -> None:
    results = HumanMessage([RESULT, RESULT | {"tool_use_id": "2"}])
    assert shape([ai(("f", {}, "1"), ("g", {}, "2")), results]) == [
        ("assistant", 2),
        ("tool", 0),
        ("tool", 0),
    ]


def test_a_message_that_the_framework_adds_starts_no_turn() -> None:
    notice = HumanMessage("The task is done.", additional_kwargs={"lc_source": "async_subagent"})
    run = to_trajectory([HumanMessage("Go"), AIMessage("ok"), notice, AIMessage("done")])
    assert (len(run.turns), [m.feedback for m in run.messages or ()]) == (1, [False, False, True, False])


def test_a_call_of_another_role_is_a_call() -> None:
    assert calls([said(PARSED, role="critic")]) == [F]


def test_the_definition_of_a_tool_is_no_result() -> None:
    definition = {
        "role": "tool",
        "content": {"type": "function", "function": {"name": "f", "parameters": {}}},
    }
    run = to_trajectory([ASK, definition], format="langchain")
    assert (run.calls[0].status, run.notes) == (None, ("a message is the definition of a tool",))


# --- chunks ---------------------------------------------------------------------------------------


def bit(args: str | None, name: str | None = None, id: str | None = None, index: int | None = 0, **fields: Any) -> Any:
    return AIMessageChunk("", tool_call_chunks=[tool_call_chunk(name=name, args=args, id=id, index=index)], **fields)


WHOLE = [bit("", "f", "1"), bit('{"a"'), bit(": 1}")]
CUT = [bit("", "f", "1"), bit('{"a": 1')]
SERVER = [
    AIMessageChunk([{"type": "server_tool_use", "name": "web_search", "input": {}, "id": "s", "index": 0}]),
    AIMessageChunk([{"type": "input_json_delta", "partial_json": '{"query": ', "index": 0}]),
    AIMessageChunk([{"type": "input_json_delta", "partial_json": '"cats"}', "index": 0}]),
]
SERVER_1 = [
    AIMessageChunk(
        [
            {
                "type": "server_tool_call_chunk",
                "name": "web_search",
                "args": '{"query": ',
                "id": "s",
                "index": 0,
            }
        ]
    ),
    AIMessageChunk([{"type": "server_tool_call_chunk", "args": '"cats"}', "index": 0}]),
]
STREAMED = {"content": [{"type": "tool_call_chunk", "name": "f", "args": '{"a": 1}', "id": "1", "index": 0}]}
LEGACY_BITS = [{"name": "f", "arguments": ""}, {"arguments": '{"a"'}, {"arguments": ": 1}"}]

STARTED = call("web_search", SEARCH).replace(kind="native")
TWO = [bit("", "f", "1"), bit("", "g", "2", index=1), bit('{"b": 2}', index=1), bit('{"a": 1}')]
CHUNKS = {
    "a run": (WHOLE, [F]),
    "a run with one id": ([chunk.model_copy(update={"id": "r"}) for chunk in WHOLE], [F]),
    "added": ([WHOLE[0] + WHOLE[1] + WHOLE[2]], [F]),
    "cut": (CUT, [ToolCall("f", '{"a": 1')]),
    "cut, added": ([CUT[0] + CUT[1]], [ToolCall("f", '{"a": 1')]),
    "cut, before its arguments": (CUT[:1], [call("f")]),
    "two calls in turns": (TWO, [F, call("g", b=2)]),
    "one index, two ids": (
        [bit('{"a": 1}', "f", "1"), bit('{"b"', "g", "2"), bit(": 2}")],
        [F, call("g", b=2)],
    ),
    "no index": ([bit('{"a": 1}', "f", "1", index=None), bit('{"a": 1}', "f", "2", index=None)], [F, F]),
    "no arguments": ([bit(None, "f", "1")], [call("f")]),
    "made of a whole call": ([AIMessageChunk("", tool_calls=[PARSED])], [F]),
    "stored without its bits": ([{"type": "AIMessageChunk", "content": "", "tool_calls": [PARSED]}], [F]),
    "legacy": ([AIMessageChunk("", additional_kwargs={"function_call": part}) for part in LEGACY_BITS], [F]),
    "anthropic's server": (SERVER, [STARTED]),
    "anthropic's server, added": ([SERVER[0] + SERVER[1] + SERVER[2]], [STARTED]),
    "a server of version 1": (SERVER_1, [STARTED]),
    "in both places": (
        [AIMessageChunk(**STREAMED, tool_call_chunks=[tool_call_chunk(name="f", args='{"a": 1}', id="1", index=0)])],
        [F],
    ),
    "in the content alone": ([AIMessageChunk(**STREAMED)], [F]),
}


@pytest.mark.parametrize(("chunks", "expected"), CHUNKS.values(), ids=CHUNKS)
def test_bits_of_a_call_are_joined_and_never_completed(chunks: Any, expected: list[ToolCall]) -> None:
    assert (calls(chunks), len(shape(chunks))) == (expected, 1)


@pytest.mark.parametrize("form", [FORMS[n] for n in ("messages_to_dict", "json", "constructors", "langsmith")])
@pytest.mark.parametrize("name", ["a run", "added", "cut", "anthropic's server"])
def test_stored_chunks_read_as_live_ones(name: str, form: Any) -> None:
    chunks, expected = CHUNKS[name]
    assert calls(form(chunks)) == expected


def say(text: str | list[Any], id: str | None = None, last: bool = False) -> AIMessageChunk:
    return AIMessageChunk(text, id=id, chunk_position="last" if last else None)


RUNS = {
    "no ids": ([say("a"), say("b")], ["ab"]),
    "another id": ([say("a", "lc_1"), say("b", "lc_2")], ["a", "b"]),
    "the provider's id, then LangChain's": ([say("a", "msg_1"), say("b", "lc_1"), say("c", "lc_1")], ["abc"]),
    "the last of a response": ([say("a"), say("", last=True), say("b")], ["a", "b"]),
    "another message between": ([say("a"), ToolMessage("t", tool_call_id="1"), say("b")], ["a", "t", "b"]),
    "in turns": ([say("a", "lc_1"), say("b", "lc_2"), say("c", "lc_1")], ["ac", "b"]),
    "a message with the id": ([AIMessage("a", id="lc_1"), say("b", "lc_1")], ["a", "b"]),
    "text, then blocks": (
        [say("a"), say([{"type": "text", "text": "b"}])],
        [["a", {"type": "text", "text": "b"}]],
    ),
    "blocks, then text": ([say(["a"]), say("b")], [["a", "b"]]),
    "blocks by index": (
        [say([{"type": "text", "text": "a", "index": 0}]), say([{"type": "text", "text": "b", "index": 0}])],
        [[{"type": "text", "text": "ab", "index": 0}]],
    ),
}


@pytest.mark.parametrize(("chunks", "contents"), RUNS.values(), ids=RUNS)
def test_chunks_of_one_response_are_one_message(chunks: Any, contents: list[Any]) -> None:
    assert [message.content for message in to_trajectory(chunks).messages or ()] == contents


def test_chunks_of_parallel_tasks_stay_apart() -> None:
    def streamed(text: str, task: str, id: str) -> Any:
        return say(text, id), {"langgraph_checkpoint_ns": task}

    stream = [
        streamed("a", "x", "m1"),
        streamed("b", "y", "m2"),
        streamed("c", "x", "lc_1"),
        streamed("d", "y", "lc_2"),
    ]
    assert [message.content for message in to_trajectory(stream).messages or ()] == ["ac", "bd"]


# --- removed and replaced -------------------------------------------------------------------------


A, B, C = HumanMessage("a", id="a"), AIMessage("b", id="b"), HumanMessage("c", id="c")
EDITS = {
    "removed": [A, B, RemoveMessage(id="b"), C],
    "all removed": [A, B, RemoveMessage(id=REMOVE_ALL_MESSAGES), C],
    "all removed at the end": [A, B, RemoveMessage(id=REMOVE_ALL_MESSAGES)],
    "back again": [A, B, RemoveMessage(id=REMOVE_ALL_MESSAGES), A, C],
    "two removed": [A, B, C, RemoveMessage(id="a"), RemoveMessage(id="b")],
}


@pytest.mark.parametrize("form", [FORMS[n] for n in ("objects", "messages_to_dict", "model_dump", "constructors")])
@pytest.mark.parametrize("messages", EDITS.values(), ids=EDITS)
def test_a_removal_acts_as_the_reducer_does(messages: list[AnyMessage], form: Any) -> None:
    assert to_trajectory(form(messages)) == to_trajectory(add_messages([], messages))


@pytest.mark.parametrize("messages", EDITS.values(), ids=EDITS)
def test_updates_act_as_the_reducer_does(messages: list[AnyMessage]) -> None:
    assert to_trajectory([{"node": {"messages": messages}}]) == to_trajectory(add_messages([], messages))


def test_a_removal_of_nothing_is_noted() -> None:
    run = to_trajectory([A, RemoveMessage(id="z")])
    assert (len(run.messages or ()), run.notes) == (1, ("a message is removed that is not there",))


def test_calls_of_messages_that_were_removed_are_noted() -> None:
    one, back, other = ai(("f", {}, "1"), ("g", {}, "2")), ai(("f", {}, "1")), ai(("h", {}, "3"))
    one.id, back.id, other.id = "m", "n", "o"
    note = "calls of messages that were removed are left out"
    assert to_trajectory([one, RemoveMessage(id="m"), back]).notes == (note,)
    assert note not in to_trajectory([back, RemoveMessage(id="n"), one, other]).notes


def test_a_message_that_stands_twice_in_a_list_counts_twice() -> None:
    one = ai(("f", {}, "1"))
    one.id = "m"
    assert len(calls([one, one])) == 2


UPDATES = {
    "replaced": ([{"n": {"messages": [A, B]}}, {"n": {"messages": [AIMessage("x", id="b")]}}], ["a", "x"]),
    "new before known": ([{"n": {"messages": [B]}}, {"n": {"messages": [A, B, C]}}], ["a", "b", "c"]),
    "twice in one": ([{"n": {"messages": [A, B, AIMessage("x", id="b")]}}], ["a", "x"]),
    "one message": ([{"n": {"messages": A}}], ["a"]),
    "text": ([{"n": {"messages": "a"}}], ["a"]),
    "a pair": ([{"n": {"messages": ("user", "a")}}], ["a"]),
    "a tuple": ([{"n": {"messages": (A, B)}}], ["a", "b"]),
    "nothing": ([{"n": {"messages": [A]}}, {"n": None}, {"n": {"messages": None}}, {"n": {"x": 1}}], ["a"]),
    "several of one node": ([{"n": [{"messages": [A]}, {"messages": [B]}]}], ["a", "b"]),
    "a state object": ([{"n": [SimpleNamespace(messages=[A])]}], ["a"]),
    "overwritten": ([{"n": {"messages": [A, B]}}, {"n": {"messages": Overwrite([C])}}], ["c"]),
    "overwritten in a child": (
        [
            {"n": {"messages": [A]}},
            (("s",), {"n": {"messages": [B]}}),
            (("s",), {"n": {"messages": Overwrite([C])}}),
        ],
        ["a", "c"],
    ),
    "chunk": ([{"n": {"messages": [say("a", "m"), say("b", "m")]}}], ["b"]),
    "interrupted": ([{"n": {"messages": [A]}}, {"__interrupt__": ()}], ["a"]),
    "command": ([Command(update={"messages": [A]}, goto="x"), B], ["a", "b"]),
    "command of pairs": ([Command(update=[("messages", [A]), ("x", 1)])], ["a"]),
    "command in an update": ([{"n": Command(update={"messages": [A]})}], ["a"]),
    "command, stored": (
        [json.loads(json.dumps(asdict(Command(update={"messages": [("user", "a")]}))))],
        ["a"],
    ),
    "stored pair of namespace and update": ([[["s"], {"n": {"messages": [A]}}]], ["a"]),
    "stored pair of message and metadata": ([[A.model_dump(), {"langgraph_node": "n"}]], ["a"]),
    "a part that is not as documented": (
        [("messages", A), ("updates", {"n": {"messages": [B]}})],
        ["a", "b"],
    ),
}


@pytest.mark.parametrize(("steps", "contents"), UPDATES.values(), ids=UPDATES)
def test_steps_change_the_state(steps: Any, contents: list[str]) -> None:
    assert [message.content for message in to_trajectory(steps).messages or ()] == contents


# --- LangGraph ------------------------------------------------------------------------------------


@dataclass
class State:
    messages: list[Any]


THREAD: Any = {"configurable": {"thread_id": "1"}}


def with_thread() -> Any:
    graph = two_searches(checkpointer=InMemorySaver())
    graph.invoke(QUESTION, THREAD)
    return graph


STATES = {
    "invoke": lambda: two_searches().invoke(QUESTION),
    "invoke, version 2": lambda: two_searches().invoke(QUESTION, version="v2"),
    "output with a state object": lambda: SimpleNamespace(value=State(run()), interrupts=()),
    "output, stored": lambda: {"value": {"messages": run()}, "interrupts": []},
    "get_state": lambda: with_thread().get_state(THREAD),
    "get_state_history": lambda: with_thread().get_state_history(THREAD),
    "snapshot, stored": lambda: {"values": {"messages": run()}, "next": [], "tasks": []},
    "overwrite": lambda: {"messages": Overwrite(run())},
    "overwrite, by type": lambda: {"messages": {"value": run(), "type": "__overwrite__"}},
    "overwrite, by key": lambda: {"messages": {"__overwrite__": run()}},
    "state object": lambda: State(run()),
    "subgraph": lambda: in_subgraph().invoke(QUESTION),
    "values": lambda: two_searches().stream(QUESTION, stream_mode="values"),
    "values of a subgraph": lambda: in_subgraph().stream(QUESTION, stream_mode="values", subgraphs=True),
    "all modes": lambda: two_searches().stream(QUESTION, stream_mode=["values", "updates", "messages", "debug"]),
    "updates of a subgraph": lambda: in_subgraph().stream(QUESTION, stream_mode="updates", subgraphs=True),
    "updates and messages of a subgraph": lambda: in_subgraph().stream(
        QUESTION, stream_mode=["updates", "messages"], subgraphs=True
    ),
    "version 2 of a subgraph": lambda: in_subgraph().stream(
        QUESTION, stream_mode=["updates", "messages", "tasks"], subgraphs=True, version="v2"
    ),
}
STREAMS = {
    "updates": lambda: two_searches().stream(QUESTION, stream_mode="updates"),
    "updates with subgraphs": lambda: two_searches().stream(QUESTION, stream_mode="updates", subgraphs=True),
    "messages": lambda: two_searches().stream(QUESTION, stream_mode="messages"),
    "messages of a subgraph": lambda: in_subgraph().stream(QUESTION, stream_mode="messages", subgraphs=True),
    "updates and messages": lambda: two_searches().stream(QUESTION, stream_mode=["updates", "messages"]),
    "version 2": lambda: two_searches().stream(QUESTION, stream_mode=["updates", "messages"], version="v2"),
}


@pytest.mark.parametrize("history", STATES.values(), ids=STATES)
def test_a_state_holds_the_whole_run_once(history: Any) -> None:
    read = to_trajectory(history())
    assert (list(read.calls), shape(read)) == (TWO_SEARCHES, ASKED)


@pytest.mark.parametrize("history", STREAMS.values(), ids=STREAMS)
def test_a_stream_holds_what_came_after_the_question(history: Any) -> None:
    read = to_trajectory(history())
    assert (list(read.calls), shape(read)) == (TWO_SEARCHES, ANSWERED)


@pytest.mark.parametrize("history", STREAMS.values(), ids=STREAMS)
def test_a_stored_stream_reads_as_the_live_one(history: Any) -> None:
    assert calls(json.loads(dumps_json(list(history())))) == TWO_SEARCHES


def test_bad_arguments_and_an_unknown_tool_are_sent_back() -> None:
    graph = agent(ai(("search", {}, "1"), ("nope", {}, "2")), AIMessage("sorry"))
    assert [c.status for c in calls(graph.invoke(QUESTION))] == ["retried", "retried"]


def test_an_interrupted_run_has_a_call_that_is_pending() -> None:
    script = [ai(("search", {"q": "a"}, "1")), ai(("search", {"q": "b"}, "2"))]
    graph = agent(*script, interrupt_before=["tools"], checkpointer=InMemorySaver())
    graph.invoke(QUESTION, THREAD)
    assert [c.status for c in calls(graph.invoke(None, THREAD))] == ["succeeded", "pending"]


@pytest.mark.parametrize("reason", [{}, {"message": "too dear"}], ids=["no reason", "a reason"])
def test_a_call_that_a_reviewer_refuses_is_denied(reason: Any) -> None:
    review = HumanInTheLoopMiddleware(interrupt_on={"search": True})
    graph = two_searches(middleware=[review], checkpointer=InMemorySaver())
    graph.invoke(QUESTION, THREAD)
    decisions = [{"type": "approve"}, {"type": "reject", **reason}]
    read = to_trajectory(graph.invoke(Command(resume={"decisions": decisions}), THREAD))
    assert sorted(str(c.status) for c in read.calls) == ["denied", "succeeded"]


# --- structured output ----------------------------------------------------------------------------


def attempts(**options: Any) -> Any:
    return agent(
        ai(("search", {"q": "cats"}, "1")),
        ai(("Answer", {"n": "x"}, "2")),
        ai(("Answer", {"n": 1}, "3"), ("Other", {"n": 2}, "4")),
        ai(("Answer", {"n": 3}, "5")),
        response_format=ToolStrategy(Answer | Other, **options),
    )


OUTPUT = [
    ("search", "function", "succeeded"),
    ("Answer", "output", "retried"),
    ("Answer", "output", "retried"),
    ("Other", "output", "retried"),
    ("Answer", "output", "succeeded"),
]


def kinds(run: Trajectory) -> list[tuple[str, str, str | None]]:
    return [(c.name, c.kind, c.status) for c in run.calls]


@pytest.mark.parametrize("form", [FORMS["objects"], FORMS["json"]], ids=["objects", "json"])
def test_every_attempt_of_an_output_tool_is_output(form: Any) -> None:
    assert kinds(to_trajectory(form(attempts().invoke(QUESTION)["messages"]))) == OUTPUT


@pytest.mark.parametrize("mode", ["updates", "messages", "values", ["updates", "messages"]], ids=str)
def test_output_tools_are_known_in_streams(mode: Any) -> None:
    assert kinds(to_trajectory(attempts().stream(QUESTION, stream_mode=mode))) == OUTPUT


def test_the_texts_are_those_of_the_installed_langchain() -> None:
    said = [str(m.content) for m in attempts().invoke(QUESTION)["messages"] if isinstance(m, ToolMessage)][1:]
    known = [text for text in _texts.TEXTS if text.answer.kind == "output"]
    assert [[t for t in known if s.startswith(t.begins) and s.endswith(t.ends)] for s in said] == [
        [known[1]],
        [known[2]],
        [known[2]],
        [known[0]],
    ]


def test_the_errors_in_the_texts_are_those_of_the_installed_langchain() -> None:
    many = MultipleStructuredOutputsError(["A", "B"], AIMessage(""))
    wrong = StructuredOutputValidationError("A", ValueError("x"), AIMessage(""))
    assert f"Error: {many}".startswith(_texts.TEXTS[2].begins) and f"Error: {wrong}".startswith(_texts.TEXTS[1].begins)
    for template in (INVALID_TOOL_NAME_ERROR_TEMPLATE, TOOL_INVOCATION_ERROR_TEMPLATE):
        said = Answered(template, status="failed")
        assert _texts.judged(said).status == "retried"
        assert _texts.judged(said._replace(status="succeeded")).status == "succeeded"


def test_an_output_tool_with_texts_of_its_own_is_named() -> None:
    history = attempts(tool_message_content="Done.", handle_errors="Again.").invoke(QUESTION)["messages"]
    assert {kind for _, kind, _ in kinds(to_trajectory(history))} == {"function"}
    named = to_trajectory(history, format="langchain", output_tools=["Answer", "Other"])
    assert [kind for _, kind, _ in kinds(named)] == ["function", "output", "output", "output", "output"]


def test_a_text_of_its_own_for_success_is_enough_where_an_attempt_was_rejected() -> None:
    history = attempts(tool_message_content="Done.").invoke(QUESTION)["messages"]
    assert kinds(to_trajectory(history)) == OUTPUT


ORDINARY = {
    "another text": ToolMessage("n=1", tool_call_id="1", name="Answer"),
    "the beginning alone": ToolMessage("Error: Failed to parse structured output for tool 'x'", tool_call_id="1"),
    "not at the beginning": ToolMessage("It said: Returning structured response: n=1", tool_call_id="1"),
    "a tool that failed": ToolMessage("Returning structured response: n=1", tool_call_id="1", status="error"),
    "no text": ToolMessage([{"type": "text", "text": "x"}], tool_call_id="1"),
    "a refusal that a tool wrote": ToolMessage("User rejected the tool call for `x`", tool_call_id="1"),
}


@pytest.mark.parametrize("answer", ORDINARY.values(), ids=ORDINARY)
def test_an_ordinary_tool_of_that_name_is_a_function(answer: ToolMessage) -> None:
    assert calls([ai(("Answer", {"n": 1}, "1")), answer])[0].kind == "function"


def test_a_result_that_does_not_name_its_tool_is_found_by_id() -> None:
    answer = ToolMessage("Returning structured response: n=1", tool_call_id="1")
    assert [c.kind for c in calls([ai(("Answer", {"n": 1}, "1"), ("f", {}, "2")), answer])] == [
        "output",
        "function",
    ]


def test_one_name_is_no_collection_of_names() -> None:
    with pytest.raises(OptionError, match="a list of names of tools, got 'Answer'"):
        to_trajectory([ASK], format="langchain", output_tools="Answer")


# --- recognising ----------------------------------------------------------------------------------


CLASSES = {
    "object": (AIMessage("x"), "certain"),
    "chunk": (AIMessageChunk("x"), "certain"),
    "removal": (RemoveMessage(id="x"), "certain"),
    "flat": ({"type": "ai", "content": "x"}, "certain"),
    "flat, stored removal": ({"type": "remove", "id": "x"}, "certain"),
    "flat chunk": ({"type": "AIMessageChunk", "content": "x"}, "certain"),
    "flat tool": ({"type": "tool", "content": "x", "additional_kwargs": {}}, "certain"),
    "a type that others use": ({"type": "user", "content": "x"}, "could_be"),
    "wrapped": ({"type": "human", "data": {"content": "x"}}, "certain"),
    "constructor": (dumpd(HumanMessage("x")), "certain"),
    "constructor of no message": (
        dumpd(HumanMessage("x")) | {"id": ["langchain", "prompts", "ChatPromptTemplate"]},
        "no",
    ),
    "constructor without a class": ({"lc": 1, "type": "constructor", "id": None, "kwargs": {}}, "no"),
    "not implemented": ({"lc": 1, "type": "not_implemented", "id": ["x"], "repr": ""}, "no"),
    "pair": (("human", "x"), "certain"),
    "pair of others": (("search", {"q": "x"}), "no"),
    "role": ({"role": "user", "content": "x"}, "could_be"),
    "role human": ({"role": "human", "content": "x"}, "certain"),
    "openai call": ({"role": "assistant", "content": "", "tool_calls": [RAW]}, "could_be"),
    "own call": ({"role": "assistant", "content": "", "tool_calls": [PARSED]}, "certain"),
    "extra": ({"role": "assistant", "content": "", "additional_kwargs": {}}, "certain"),
    "gemini": ({"role": "user", "parts": []}, "no"),
    "bedrock": ({"role": "assistant", "content": [{"text": "So"}, BEDROCK]}, "no"),
    "bedrock, a result": ({"role": "user", "content": [{"toolResult": {"toolUseId": "1", "content": []}}]}, "no"),
    "agentdojo": ({"role": "assistant", "content": "", "tool_calls": [{"function": "a", "args": {}}]}, "no"),
    "cohere": ({"role": "assistant", "content": "", "tool_plan": "I will"}, "no"),
    "tau2": ({"role": "assistant", "tool_calls": [{"name": "a", "arguments": {}, "requestor": "user"}]}, "no"),
    "bedrock's blocks in LangChain's message": (AIMessage([BEDROCK]), "certain"),
    "pydantic ai": ({"kind": "request", "parts": []}, "no"),
    "openai item": ({"type": "function_call", "name": "f", "arguments": "{}"}, "no"),
    "another type": ({"type": "user.message", "content": []}, "no"),
    "text": ("x", "no"),
    "nothing": (None, "no"),
    "number": (1, "no"),
    "empty dict": ({}, "no"),
    "empty list": ([], "no"),
    "nested": ([AIMessage("x"), {"role": "user", "content": "x"}], "certain"),
    "update": ({"n": {"messages": [AIMessage("x")]}}, "certain"),
    "update without messages": ({"n": {"x": 1}}, "could_be"),
    "update without anything": ({"n": None}, "could_be"),
    "interrupt": ({"__interrupt__": ()}, "could_be"),
    "values": ({"messages": [AIMessage("x")], "structured_response": Answer(n=1)}, "certain"),
    "other dict": ({"n": 1}, "no"),
    "other dict, with numbers": ({1: [2]}, "no"),
    "other dict with a list": ({"events": [{"role": "user", "content": "x"}]}, "no"),
    "other dict with an empty list": ({"events": []}, "no"),
    "namespace and update": (((), {"n": {"messages": []}}), "certain"),
    "namespace and nothing": (((), 1), "no"),
    "mode and update": (("updates", {"n": {"messages": []}}), "certain"),
    "mode and anything": (("custom", 1), "could_be"),
    "message and metadata": ((AIMessageChunk("x"), {}), "certain"),
    "part without a namespace": ({"type": "updates", "ns": None, "data": {}}, "could_be"),
    "part": ({"type": "updates", "ns": (), "data": {"n": {"messages": []}}}, "certain"),
    "command": (Command(update={"messages": []}), "certain"),
    "command without an update": (Command(goto="x"), "could_be"),
    "overwrite": (Overwrite([]), "certain"),
}


@pytest.mark.parametrize(("message", "expected"), CLASSES.values(), ids=CLASSES)
def test_a_message_is_recognised(message: Any, expected: str) -> None:
    assert langchain.classify(message) == expected


# --- what cannot be read --------------------------------------------------------------------------


UNKNOWN = {"type": "hologram_call", "name": "f", "args": {}}
ERRORS = {
    "no message": ([AIMessage("x"), {"x": 1}], 1, ("x",)),
    "text": ([AIMessage("x"), "x"], 1, ()),
    "nothing": ([None], 0, ()),
    "no message in a step": ([{"n": {"messages": [{"x": 1}]}}], 0, ("x",)),
    "two runs in one dict": ([{"a": {"messages": []}, "b": {"messages": []}}], 0, ("a", "b")),
    "no messages at all": ([{"n": {"x": 1}}], 0, ("n",)),
    "a call without a name": ([said({"args": {}, "id": "1"})], 0, ("args", "id")),
    "a bit without its beginning": ([bit('"a"}')], 0, ("name", "args", "id", "index", "type")),
    "an unknown kind of call": ([AIMessage("x"), message(UNKNOWN)], 1, ("type", "name", "args")),
    "a kind that is no text": ([{"role": "ai", "content": [{**UNKNOWN, "type": []}]}], 0, ("type", "name", "args")),
    "an unknown kind of call beside results": (
        [HumanMessage([RESULT, UNKNOWN])],
        0,
        ("type", "name", "args"),
    ),
}


@pytest.mark.parametrize(("history", "index", "keys"), ERRORS.values(), ids=ERRORS)
def test_what_cannot_be_read_is_named(history: Any, index: int, keys: tuple[str, ...]) -> None:
    with pytest.raises(ConversionError) as error:
        to_trajectory(history, format="langchain")
    assert (error.value.index, error.value.keys) == (index, keys)


def test_unknown_parts_that_call_nothing_are_passed_over() -> None:
    assert calls([AIMessage([{"type": "hologram", "name": "f"}, {"type": "text", "text": "x"}])]) == []


def test_an_empty_state_is_an_empty_run() -> None:
    assert to_trajectory({"messages": []}).messages == to_trajectory([Overwrite([])]).messages == ()


def test_no_framework_is_imported() -> None:
    code = (
        "import sys; from trajmatch import to_trajectory\n"
        f"to_trajectory([{said(PARSED)}])\n"
        "print([name for name in sys.modules if name.startswith(('langchain', 'langgraph', 'langsmith'))])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_an_output_tool_that_is_never_called_is_noted() -> None:
    run = to_trajectory([HumanMessage("x")], format="langchain", output_tools=["Anwser"])
    assert run.notes == ("output_tools: no call of 'Anwser'",)


def whole(name):
    made = {"id": name, "type": "function", "function": {"name": name, "arguments": "{}"}}
    return [{"role": "user", "content": "?"}, {"role": "assistant", "content": "", "tool_calls": [made]}]


SEVERAL = {
    "a list of runs under a key": {"runs": [{"messages": whole("a")}, {"messages": whole("b")}]},
    "runs under names": {"one": {"messages": whole("a")}, "two": {"messages": whole("b")}},
}


@pytest.mark.parametrize("history", SEVERAL.values(), ids=SEVERAL)
@pytest.mark.parametrize("options", [{}, {"format": "langchain"}], ids=["recognised", "named"])
def test_several_runs_are_no_steps_of_one(history, options):
    with pytest.raises(ConversionError):
        to_trajectory(history, **options)

"""What an adapter skims is what it reads event by event, and what no other adapter claims."""

import copy
import json
from collections import defaultdict
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage, messages_to_dict
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelRequest, ToolReturnPart, UserPromptPart

from tests.mutated import mutated
from tests.names import unplaced
from trajmatch import to_trajectory
from trajmatch._recognise import _read, skimmed
from trajmatch.reading import build
from trajmatch_adapters.histories import langchain, openai, pydantic_ai

ADAPTERS = {"langchain": langchain, "openai": openai, "pydantic_ai": pydantic_ai}


def facts(run):
    made = [(c.name, c.arguments, c.raw_arguments, c.text, c.id, c.status, c.kind, c.result) for c in run.calls]
    said = [(m.role, m.content, m.tool_calls, m.answers, m.name, m.feedback) for m in run.messages]
    return repr((made, said, run.notes))


def skim(adapter, messages):
    """The trajectory, or `None` as the core takes it: where the adapter says so, or raises."""
    try:
        found = ADAPTERS[adapter].skim(messages)
        return found and found.trajectory()
    except Exception:
        return None


def called(*calls):
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
            for id, name, arguments in calls
        ],
    }


def result(id, content="ok", **more):
    return {"role": "tool", "tool_call_id": id, "content": content, **more}


HI = {"role": "user", "content": "Hi"}
BYE = {"role": "assistant", "content": "Bye"}
OPENAI = {
    "calls": [HI, called(("1", "a", '{"x": 1}'), ("2", "b", "{}")), result("1"), result("2"), BYE],
    "another order": [called(("1", "a", "{}"), ("2", "b", "{}")), result("2"), result("1")],
    "no results": [HI, called(("1", "a", "{}"))],
    "not all answered": [called(("1", "a", "{}"), ("2", "b", "{}")), result("2")],
    "an orphan": [result("1"), BYE],
    "text alone": [HI, BYE],
    "a second result": [called(("1", "a", "{}")), result("1"), result("1", "again")],
    "a result too early": [result("1"), called(("1", "a", "{}"))],
    "ids used again": [called(("1", "a", "{}")), result("1"), called(("1", "b", "{}")), result("1")],
    "one id twice": [called(("1", "a", "{}"), ("1", "b", "{}")), result("1", name="b"), result("1")],
    "no ids": [called((None, "a", "{}")), result(None)],
    "encoded twice": [called(("1", "a", '"{}"')), result("1")],
    "no JSON": [called(("1", "a", "[1]"), ("2", "b", "")), result("1"), result("2")],
    "an object": [called(("1", "a", {"x": 1})), result("1", {"y": 2})],
    "parts as a result": [called(("1", "a", "{}")), result("1", [{"type": "text", "text": "x"}])],
    "empty fields": [{**called(("1", "a", "{}")), "refusal": None, "annotations": [], "function_call": None}],
    "names": [{**HI, "name": "ann"}, called(("1", "a", "{}")), result("1", name="a")],
    "system and developer": [{"role": "system", "content": "S"}, {"role": "developer", "content": "D"}, result("1")],
}
SURELY_JOINED = {"calls", "another order", "no results", "not all answered", "a result too early", "text alone"}


@pytest.mark.parametrize(("name", "messages"), OPENAI.items(), ids=OPENAI)
def test_results_are_surely_joined_where_ids_say_so_and_then_none_lacks_its_call(name, messages):
    run = skim("openai", messages)
    assert not (run.columns.surely_joined and "a result has no call" in run.notes)
    assert run.columns.surely_joined or name not in SURELY_JOINED


TURN = [
    SystemMessage("S"),
    HumanMessage("Hi"),
    AIMessage("", tool_calls=[{"name": "a", "args": {"x": 1}, "id": "1"}, {"name": "b", "args": {}, "id": "2"}]),
    ToolMessage("ok", tool_call_id="1"),
    ToolMessage("no", tool_call_id="2", status="error"),
    AIMessage("Bye"),
]
LANGCHAIN = {
    "objects": TURN,
    "model_dump": [message.model_dump() for message in TURN],
    "messages_to_dict": messages_to_dict(TURN),
    "JSON": [json.loads(message.model_dump_json()) for message in TURN],
    "a provider's keys": [AIMessage("x", additional_kwargs={"refusal": None}), HumanMessage("x")],
    "parts as a result": [*TURN[:3], ToolMessage([{"type": "text", "text": "x"}], tool_call_id="1")],
    "an orphan": [ToolMessage("ok", tool_call_id="9", name="f")],
}


def part(kind, content, **more):
    return {"part_kind": kind, "content": content, **more}


def said(kind, *parts):
    return {"kind": kind, "parts": list(parts)}


def returned(id, content="ok", **more):
    return part("tool-return", content, tool_name="a", tool_call_id=id, **more)


def tool(id, args=None, name="a"):
    return {"part_kind": "tool-call", "tool_name": name, "args": args, "tool_call_id": id}


ASKED = said("request", part("system-prompt", "S"), part("user-prompt", "Hi"))
PYDANTIC_AI = {
    "calls": [ASKED, said("response", tool("1"), tool("2", '{"x": 1}')), said("request", returned("1"), returned("2"))],
    "text beside calls": [said("response", part("text", "Now"), tool("1", {"x": 1})), said("request", returned("1"))],
    "texts": [said("response", part("text", "A"), part("text", "B"), tool("1"), part("text", "C"))],
    "thinking": [said("response", part("thinking", "Hm"), part("text", "A"))],
    "an empty response": [ASKED, said("response")],
    "a retry": [
        said("response", tool("1")),
        said("request", part("retry-prompt", "No", tool_name="a", tool_call_id="1")),
    ],
    "outcomes": [
        said("response", tool("1"), tool("2"), tool("3")),
        said("request", returned("1", outcome="denied"), returned("2", outcome="failed"), returned("3", outcome=None)),
    ],
    "skipped": [
        said("response", tool("1")),
        said("request", returned("1", "Tool not executed - a final result was already processed.")),
    ],
}
LIVE = {
    f"{name}, objects": ModelMessagesTypeAdapter.validate_python(messages)
    for name, messages in PYDANTIC_AI.items()
    if name != "outcomes"
}
PLAIN = [
    *(pytest.param("openai", messages, id=f"openai, {name}") for name, messages in OPENAI.items()),
    *(pytest.param("langchain", messages, id=f"langchain, {name}") for name, messages in LANGCHAIN.items()),
    *(pytest.param("pydantic_ai", messages, id=f"pydantic_ai, {name}") for name, messages in PYDANTIC_AI.items()),
    *(pytest.param("pydantic_ai", messages, id=f"pydantic_ai, {name}") for name, messages in LIVE.items()),
]


@pytest.mark.parametrize(("adapter", "messages"), PLAIN)
def test_what_is_plain_is_skimmed_to_what_is_read(adapter, messages):
    run = skim(adapter, messages)
    assert run is not None
    assert facts(run) == facts(build(ADAPTERS[adapter].read(messages))) == facts(_read(messages))
    assert facts(to_trajectory(messages)) == facts(run)


@pytest.mark.parametrize(("adapter", "messages"), PLAIN)
@pytest.mark.parametrize("other", ADAPTERS)
def test_no_other_adapter_skims_it(other, adapter, messages):
    assert other == adapter or skim(other, messages) is None


class Text(str):
    __slots__ = ()


class Rude:
    def __eq__(self, other):
        raise ValueError

    __hash__ = None


class Denied(ToolReturnPart):
    """A part whose outcome is no field."""

    outcome = property(lambda part: "denied", lambda part, value: None)


class Masked(ToolReturnPart):
    """A part that shows something else than it holds."""

    def __getattribute__(self, name):
        return "denied" if name == "outcome" else super().__getattribute__(name)


def set_to(message, **fields):
    """A message whose fields were set without a check; the first of them takes the place of its name."""
    message.__dict__.update(fields)
    message.__dict__.pop("name")
    return message


OUTPUT = "Returning structured response: x"
ODD = [
    *[("openai", [message, called(("1", "a", "{}"))]) for message in [
        {"role": "user", "content": [{"type": "text", "text": "x"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {}}]},
        {"role": "assistant", "content": "x", "function_call": {"name": "f", "arguments": "{}"}},
        {"role": "user", "content": "x", "calls": [{"name": "f", "arguments": {}}]},
        {"role": "user", "content": "x", "tool_calls": [{"name": "f"}]},
        {"role": "critic", "content": "x"},
        {"role": "tool", "tool_call_id": "1", "error": "no"},
        {"role": "tool", "tool_call_id": "1", "content": "x", "error": "no"},
        defaultdict(str, {"role": "user"}),
    ]],
    ("openai", [{"role": "assistant", "content": None, "tool_calls": tuple(called(("1", "a", "{}"))["tool_calls"])}]),
    ("openai", [{"role": "assistant", "content": None, "tool_calls": iter(called(("1", "a", "{}"))["tool_calls"])}]),
    ("openai", [called((Rude(), "a", "{}"))]),
    ("openai", [HI, {**BYE, "name": "x"}]),
    ("openai", [{**called(("1", "a", "{}")), "calls": [{"name": "f", "args": {}}]}]),
    ("openai", [called((1, "a", "{}"))]),
    ("openai", [called(("1", "", "{}"))]),
    ("openai", [called(("1", "a", None))]),
    ("openai", [called(("", "a", "{}"))]),
    *[("langchain", [*TURN[:2], message]) for message in [
        HumanMessage([{"type": "tool_result", "tool_use_id": "1", "content": "x"}]),
        HumanMessage("x", additional_kwargs={"lc_source": "summary"}),
        HumanMessage("x", calls=[{"name": "f", "args": {}}]),
        AIMessage("", invalid_tool_calls=[{"name": "f", "args": "{", "id": "1", "error": None}]),
        AIMessage([{"type": "tool_use", "name": "f", "input": {}, "id": "1"}]),
        AIMessage("", additional_kwargs={"tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}),
        ToolMessage(OUTPUT, tool_call_id="1"),
        set_to(ToolMessage("x", tool_call_id="1"), content=Text(OUTPUT)),
        set_to(AIMessage("x"), calls=[{"name": "f", "args": {}}]),
        {"role": "user", "content": "x"},
    ]],
    ("langchain", [{"type": "ai", "content": "", "tool_calls": iter(TURN[2].tool_calls)}]),
    ("langchain", [{"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": {}, "id": "1"}]}]),
    ("langchain", [{"type": "human", "content": "x", "tool_calls": [{"name": "f", "args": {}, "id": "", "type": ""}]}]),
    *[("pydantic_ai", [message]) for message in [
        said("response", tool("1", name="final_result")),
        said("response", part("builtin-tool-call", None, tool_name="f", args={})),
        said("request", returned("1"), part("user-prompt", "x")),
        said("request", returned("1", metadata={"messages": [ASKED]})),
        said("request", returned("1", "Final result processed.")),
        said("request", returned("1", Text("Final result processed."))),
        said("response", {"part_kind": "compaction", "tool_name": "a", "args": {}, "tool_call_id": "1"}),
        said("response", part("thinking", "x", name="f", arguments={})),
        {**said("response", tool("1")), "type": "ai", "content": "", "tool_calls": TURN[2].tool_calls},
        ModelRequest([Denied("a", "ok", "1")]),
        SimpleNamespace(kind="request", parts=[UserPromptPart("x")]),
        ModelRequest([Masked("a", "ok", "1")]),
        said("request", returned("1", outcome="unheard of")),
        said("request", part("retry-prompt", "x", tool_name=None)),
        {"kind": "request", "parts": (part("user-prompt", "x"),)},
        said("event"),
    ]],
]  # fmt: skip


@pytest.mark.parametrize(("adapter", "messages"), ODD)
def test_what_is_odd_is_left_to_the_events(adapter, messages):
    before = repr(messages)
    assert skim(adapter, messages) is None
    assert repr(messages) == before


HISTORIES = {
    "langchain": [LANGCHAIN[name] for name in ("model_dump", "messages_to_dict", "JSON")],
    "openai": [*OPENAI.values()],
    "pydantic_ai": [*PYDANTIC_AI.values()],
}


@pytest.mark.parametrize("adapter", HISTORIES)
@given(data=st.data())
def test_a_mutated_history_is_skimmed_to_what_is_read_or_not_at_all(adapter, data):
    messages = data.draw(mutated(HISTORIES[adapter]).filter(bool))
    before = copy.deepcopy(messages)
    run = skim(adapter, messages)
    assert messages == before
    if run is not None:
        assert facts(run) == facts(build(ADAPTERS[adapter].read(messages))) == facts(_read(messages))


@pytest.mark.parametrize("history", [None, [], (), "x", {}, iter(()), [None], ["x"], [[]]], ids=unplaced)
def test_only_lists_of_messages_are_skimmed(history):
    assert skimmed(history) is None

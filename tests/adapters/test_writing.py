"""What is written for a framework is read as the same run, and the framework itself takes it."""

import json
from collections.abc import Iterable

import pytest
from anthropic.types import MessageParam
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, messages_from_dict, messages_to_dict
from openai.types.chat import ChatCompletionMessageParam
from pydantic import TypeAdapter
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessagesTypeAdapter
from pydantic_ai.models.test import TestModel

from trajmatch import ConversionError, Message, ToolCall, Trajectory, call, match, to_messages, to_trajectory
from trajmatch.reading import Answered, Called, Said, build


def valid(kind):
    """What validates messages; iterables in them are validated only when somebody looks at each item."""
    adapter = TypeAdapter(list[kind])
    return lambda messages: whole(adapter.validate_python(messages))


def whole(value):
    if isinstance(value, dict):
        return {key: whole(inner) for key, inner in value.items()}
    return [*map(whole, value)] if isinstance(value, Iterable) and not isinstance(value, str) else value


LIVE = {
    "openai": valid(ChatCompletionMessageParam),
    "anthropic": valid(MessageParam),
    "langchain": messages_from_dict,
    "pydantic_ai": ModelMessagesTypeAdapter.validate_python,
}
FORMATS = [*LIVE]
KINDS = {
    "openai": ["function"],
    "anthropic": ["function", "native"],
    "langchain": ["function", "native", "output"],
    "pydantic_ai": ["function", "native", "output"],
}
NAMES = {"function": ["search", "book"], "native": ["web_search"], "output": ["final_result"]}
STATUSES = ["succeeded", "failed", "retried", "denied", "skipped", "interrupted"]
OUTPUT = ["succeeded", "retried"]
TEXT = st.text("ab ", max_size=4).map(str.strip)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)
ARGUMENTS = st.dictionaries(st.text(max_size=3), JSON, max_size=2)
RAW = st.sampled_from(['{"q": ', "[1]", "null", " ", "\ud800"])


@st.composite
def responses(draw, format):
    """A response with up to three calls, its results in any order, some missing, and feedback."""
    events = [Said("assistant", draw(st.none() | TEXT))]
    answers = []
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(KINDS[format]))
        name, id = draw(st.sampled_from(NAMES[kind])), str(draw(st.uuids()))
        may_be_raw = kind == "function" and format != "anthropic"
        events.append(Called(name, draw(ARGUMENTS | RAW if may_be_raw else ARGUMENTS), id, kind))
        status = draw(st.sampled_from(OUTPUT if kind == "output" else STATUSES))
        result = Answered(draw(TEXT | JSON), id, name, status, "native" if kind == "native" else "function")
        if kind == "output" or draw(st.booleans()):
            (events if kind == "native" else answers).append(result)
    added = TEXT.map(lambda text: Said("user", text, feedback=True))
    return [*events, *draw(st.permutations(answers)), *draw(st.lists(added, max_size=1))]


@st.composite
def runs(draw, format):
    """A run whose calls have ids of their own, the ids of others, or none."""
    said = st.tuples(st.sampled_from(["system", "user"]), TEXT).map(lambda one: [Said(*one)])
    events = [event for part in draw(st.lists(said | responses(format), max_size=5)) for event in part]
    run, ids = build(events), st.sampled_from([None, "", "1", "call_0", "call_1_"])
    return run.map_calls(lambda made: made.replace(id=draw(ids))) if draw(st.booleans()) else run


FLAG = dict.fromkeys(STATUSES[1:], "failed")
SAYS = {
    "openai": FLAG,
    "anthropic": FLAG,
    "langchain": FLAG,
    "pydantic_ai": {},
    ("native", "pydantic_ai"): {"retried": "failed", "skipped": "failed"},
    ("output", "langchain"): {},
}
"""Which statuses come back as others."""
WITHOUT_FEEDBACK = ["openai", "anthropic"]


def written_text(content):
    return json.dumps(content) if content not in (None, "") and not isinstance(content, str) else content or ""


def text(content):
    """What a message says, without the calls that some formats keep beside it."""
    if isinstance(content, list):
        return "".join(part if isinstance(part, str) else part.get("text", "") for part in content)
    return written_text(content)


def batch(calls, format):
    """Calls as they come back; LangChain keeps those with unreadable arguments behind others, and native ones last."""
    places = [(made.kind == "native", made.raw_arguments is not None) if format == "langchain" else 0 for made in calls]
    return [made for _, made in sorted(zip(places, calls, strict=True), key=lambda pair: pair[0])]


def as_read(made, format):
    says = SAYS.get((made.kind, format), SAYS[format])
    return made.replace(status=says.get(made.status, made.status))


def is_beside_a_result(run, place):
    """Whether nothing but feedback stands between a message and a result."""
    sides = reversed(run.messages[:place]), iter(run.messages[place:])
    nearest = (next((message.role for message in side if not message.feedback), "") for side in sides)
    return "tool" in nearest


def told(run, format):
    """Each message: its role, its text, its calls; a result with the call that it answers."""
    for place, message in enumerate(run.messages):
        feedback = message.feedback and (format not in WITHOUT_FEEDBACK or is_beside_a_result(run, place))
        if message.role == "tool":
            made = run.calls[message.answers]
            in_own_words = made.kind == "output" or (made.status == "skipped" and format == "pydantic_ai")
            yield "tool", made.name, "" if in_own_words else written_text(message.content)
        elif not (feedback and format in WITHOUT_FEEDBACK):
            said = message.role, text(message.content), feedback
            yield *said, [as_read(made, format) for made in batch(message.tool_calls, format)]


@pytest.mark.parametrize("format", FORMATS)
@given(st.data())
def test_what_was_written_is_read_as_the_same_run(format, data):
    run = data.draw(runs(format))
    before = run.to_json()
    written = to_messages(run, format)
    assert [*told(to_trajectory(written, format=format), format)] == [*told(run, format)]
    assert to_trajectory(written).messages == to_trajectory(written, format=format).messages
    assert run.to_json() == before


@pytest.mark.parametrize("format", FORMATS)
@given(st.data())
def test_ids_that_occur_once_come_back(format, data):
    run = data.draw(runs(format))
    ids = [made.id for made in run.calls]
    again = {made.id for made in to_trajectory(to_messages(run, format), format=format).calls}
    assert {id for id in ids if id and ids.count(id) == 1} <= again
    assert len(again) == len(ids)


@pytest.mark.parametrize("format", ["langchain", "pydantic_ai"])
@given(st.data())
def test_live_messages_of_what_was_written_are_the_same_run(format, data):
    run = data.draw(runs(format))
    assert [*told(to_trajectory(LIVE[format](to_messages(run, format))), format)] == [*told(run, format)]


@pytest.mark.parametrize("format", ["openai", "anthropic"])
@given(st.data())
def test_the_types_of_the_sdk_take_what_was_written(format, data):
    run = data.draw(runs(format)).map_calls(lambda made: None if made.kind == "native" else made)
    assert len(LIVE[format](to_messages(run, format))) == len(to_messages(run, format))


@pytest.mark.parametrize("format", FORMATS)
@given(st.data())
def test_what_was_read_again_is_written_as_the_same_run(format, data):
    run = to_trajectory(to_messages(data.draw(runs(format)), format), format=format)
    assert to_trajectory(to_messages(run, format), format=format) == run


RESULT = {"type": "web_search_result", "url": "https://a.example", "title": "A", "encrypted_content": "x"}
ERROR = {"type": "web_search_tool_result_error", "error_code": "unavailable"}
SEARCHED = [
    {"role": "user", "content": "A lamp?"},
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "Well.", "signature": "s"},
            {"type": "text", "text": "I search."},
            {"type": "server_tool_use", "id": "1", "name": "web_search", "input": {"query": "lamp"}},
            {"type": "web_search_tool_result", "tool_use_id": "1", "content": [RESULT]},
            {"type": "server_tool_use", "id": "2", "name": "web_search", "input": {"query": "lamps"}},
            {"type": "web_search_tool_result", "tool_use_id": "2", "content": ERROR},
            {"type": "tool_use", "id": "3", "name": "shoot", "input": {}},
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "3", "content": [{"type": "text", "text": "done"}]},
            {"type": "image", "source": {"type": "url", "url": "https://a.example/lamp.png"}},
        ],
    },
    {"role": "assistant", "content": "Here."},
]
ASKED = [
    {"role": "developer", "content": "Be brief."},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "This?"},
            {"type": "image_url", "image_url": {"url": "https://a.example/lamp.png"}},
        ],
    },
    {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
]
SHOWN = [
    {"type": "human", "data": {"content": ["This?", {"type": "image", "url": "https://a.example/lamp.png"}]}},
    {"type": "ai", "data": {"content": [{"type": "reasoning", "reasoning": "Well."}, {"type": "text", "text": "No."}]}},
]
PROMPTED = [
    {
        "kind": "request",
        "parts": [
            {"part_kind": "user-prompt", "content": ["This?", {"kind": "image-url", "url": "https://a.example/l.png"}]}
        ],
    },
    {"kind": "response", "parts": [{"part_kind": "text", "content": "No."}]},
]
OWN = {"anthropic": SEARCHED, "openai": ASKED, "langchain": SHOWN, "pydantic_ai": PROMPTED}


@pytest.mark.parametrize("format", OWN)
def test_the_parts_of_a_format_stay_in_it(format):
    LIVE[format](written := to_messages(OWN[format], format))
    again, run = to_trajectory(written, format=format), to_trajectory(OWN[format], format=format)
    assert [*told(again, format)] == [*told(run, format)]
    assert [m.feedback for m in again.messages] == [m.feedback for m in run.messages]


def test_the_messages_of_anthropic_come_back_as_they_were():
    assert to_messages(SEARCHED, "anthropic") == SEARCHED


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("given", [ASKED, SHOWN, PROMPTED], ids=["openai", "langchain", "pydantic_ai"])
def test_parts_that_a_format_does_not_have_are_left_out(given, format):
    LIVE[format](written := to_messages(given, format))
    run, again = to_trajectory(given), to_trajectory(written, format=format)
    assert [message.role for message in again.messages] == [message.role for message in run.messages]
    assert all(text(message.content) in ["Be brief.", "This?", "Well.", "No.", ""] for message in again.messages)


ODD = st.builds(
    Message,
    st.sampled_from(["system", "user", "assistant", "tool", "critic"]),
    JSON | st.lists(st.fixed_dictionaries({"type": st.sampled_from(["text", "tool_use", "x"]), "text": TEXT})),
    st.lists(
        st.builds(
            ToolCall,
            st.sampled_from(["search", "final_result"]),
            st.none() | ARGUMENTS | RAW,
            id=st.sampled_from([None, "", "1"]),
            status=st.sampled_from([None, "pending", *STATUSES]),
            kind=st.sampled_from(["function", "native", "output"]),
            result=JSON,
        ),
        max_size=2,
    ),
    answers=st.none() | st.integers(-1, 3),
    name=st.sampled_from([None, "search"]),
    feedback=st.booleans(),
)


def called(run):
    return [sorted(repr(made.replace(id=None, status=None)) for made in batch) for batch in run.batches]


@pytest.mark.parametrize("format", FORMATS)
@given(messages=st.lists(ODD, max_size=4))
def test_of_an_odd_run_every_call_is_written_or_it_is_refused(format, messages):
    run = Trajectory(messages)
    try:
        written = to_messages(run, format)
    except ConversionError as error:
        assert f"written as {format!r}" in str(error)
    else:
        assert called(to_trajectory(written, format=format)) == called(run)


REFUSED = {
    "openai": {
        "native": (ToolCall("web_search", {}, kind="native"), "its kind 'native' would become 'function'"),
        "output": (ToolCall("answer", {}, kind="output"), "call.kind == 'output'"),
        "a role": (Message("critic", "No."), "a message of the role 'critic': the format has 'assistant', 'system'"),
    },
    "anthropic": {
        "raw": (ToolCall("search", "{"), "the arguments of 'search' are no object: '{'; map_calls"),
        "output": (ToolCall("answer", {}, kind="output"), "its kind 'output' would become 'function'"),
        "a role": (Message("critic", "No."), "a message of the role 'critic'"),
    },
    "langchain": {
        "output without a result": (ToolCall("answer", {}, kind="output"), "its kind 'output' would become 'function'"),
        "the words of an output tool": (
            ToolCall("search", {}, status="succeeded", result="Returning structured response: 1"),
            "its kind 'function' would become 'output'",
        ),
    },
    "pydantic_ai": {
        "the name of an output tool": (
            ToolCall("final_result", {}),
            "words of its result say in this format; map_calls renames it",
        ),
        "output without a result": (ToolCall("answer", {}, kind="output"), "its kind 'output' would become 'function'"),
        "a role": (Message("critic", "No."), "a message of the role 'critic'"),
    },
}
CASES = {f"{format}: {case}": (format, *row) for format, rows in REFUSED.items() for case, row in rows.items()}


@pytest.mark.parametrize(("format", "odd", "text"), CASES.values(), ids=CASES)
def test_what_a_format_cannot_say_is_refused(format, odd, text):
    run = Trajectory([odd]) if isinstance(odd, Message) else Trajectory.from_calls([odd])
    with pytest.raises(ConversionError, match=f"written as {format!r}") as caught:
        to_messages(run, format)
    assert text in str(caught.value)


def test_langchain_keeps_other_roles():
    run = Trajectory([Message("critic", "No.")])
    (live,) = messages_from_dict(to_messages(run, "langchain"))
    assert (live.type, live.role) == ("chat", "critic")
    assert to_trajectory([live]) == run


def test_live_messages_of_langchain_are_written_as_langchain_does():
    written = to_messages(Trajectory([Message("user", "Hi"), Message("assistant", "", [call("a", x=1)])]), "langchain")
    for mine, live in zip(written, messages_to_dict(messages_from_dict(written)), strict=True):
        assert (mine["type"], mine["data"]) == (live["type"], {key: live["data"][key] for key in mine["data"]})


def answered(name, status, result=None, kind="function"):
    return Trajectory.from_calls([ToolCall(name, {}, status=status, result=result, kind=kind)])


WORDS = {
    ("langchain", "output", "succeeded", "1"): "Returning structured response: 1",
    ("langchain", "output", "succeeded", "Returning structured response: 2"): "Returning structured response: 2",
    ("langchain", "output", "retried", "no city"): (
        "Error: Failed to parse structured output for tool 'answer': no city.\n Please fix your mistakes."
    ),
    ("langchain", "function", "retried", "Error: x is not a valid tool, try one of [a]."): (
        "Error: x is not a valid tool, try one of [a]."
    ),
    ("langchain", "function", "denied", "User rejected the tool call for `x`"): "User rejected the tool call for `x`",
    ("pydantic_ai", "output", "succeeded", "1"): "Final result processed.",
    ("pydantic_ai", "output", "skipped", "1"): "Output tool not used - a final result was already processed.",
    ("pydantic_ai", "output", "failed", "Output tool not used - output function execution failed."): (
        "Output tool not used - output function execution failed."
    ),
    ("pydantic_ai", "function", "skipped", "1"): "Tool not executed - a final result was already processed.",
    ("pydantic_ai", "function", "retried", 1): "1",
    ("pydantic_ai", "function", "failed", 1): 1,
}


@pytest.mark.parametrize(("format", "kind", "status", "result"), WORDS)
def test_where_only_a_text_says_it_the_text_is_the_framework_s_own(format, kind, status, result):
    run = answered("answer", status, result, kind)
    again = to_trajectory(to_messages(run, format), format=format)
    assert again.messages[1].content == WORDS[format, kind, status, result]
    assert [(made.kind, made.status) for made in again.calls] == [(kind, status)]


FEEDBACK = Message("user", [{"type": "text", "text": "This?"}, *SEARCHED[2]["content"][1:]], feedback=True)
CALLED, GAVE = Message("assistant", None, [ToolCall("shoot", {}, status="succeeded")]), Message("tool", "ok", answers=0)


@pytest.mark.parametrize("format", WITHOUT_FEEDBACK)
@pytest.mark.parametrize("messages", [[CALLED, FEEDBACK, GAVE], [CALLED, GAVE, FEEDBACK]], ids=["before", "after"])
def test_text_of_feedback_beside_a_result_is_left_out(format, messages):
    written = to_messages(Trajectory(messages), format)
    assert "This?" not in json.dumps(written)
    assert match(written, Trajectory(messages), mode="strict")


@pytest.mark.parametrize("format", WITHOUT_FEEDBACK)
def test_feedback_beside_no_result_is_a_user_s(format):
    run = Trajectory([Message("assistant", "Hm."), FEEDBACK, Message("assistant", "Yes.")])
    assert "This?" in json.dumps(written := to_messages(run, format))
    assert match(written, run, mode="strict")


@pytest.mark.parametrize("format", FORMATS)
def test_one_framework_s_run_is_the_reference_of_another_s(format):
    run = answered("search", "succeeded", {"lamps": 2})
    written = to_messages(run, format)
    assert match(written, [call("search")], calls="succeeded")
    assert match(to_messages(written, "openai"), written, mode="strict")


STARTED = Trajectory(
    [
        Message("system", "Be brief."),
        Message("user", "A lamp?"),
        Message("assistant", "I look.", [ToolCall("search", {"q": "lamp"}), ToolCall("search", {"q": "lmap"})]),
        Message("tool", {"lamps": 2}, answers=0),
        Message("tool", "no such thing", answers=1),
    ]
)


def test_an_agent_of_langchain_goes_on_from_what_was_written():
    agent = create_agent(GenericFakeChatModel(messages=iter([AIMessage("Two.")])), [])
    state = agent.invoke({"messages": messages_from_dict(to_messages(STARTED, "langchain"))})
    assert state["messages"][-1].content == "Two."
    assert to_trajectory(state).calls == to_trajectory(to_messages(STARTED, "langchain")).calls


def test_an_agent_of_pydantic_ai_goes_on_from_what_was_written():
    history = ModelMessagesTypeAdapter.validate_python(to_messages(STARTED, "pydantic_ai"))
    run = Agent(TestModel(custom_output_text="Two.")).run_sync(message_history=history)
    assert run.output == "Two."
    read = to_trajectory(run, format="pydantic_ai", messages="all")
    assert read.calls == to_trajectory(to_messages(STARTED, "pydantic_ai")).calls

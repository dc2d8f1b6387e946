import pytest
from ag_ui import core
from pydantic import TypeAdapter
from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel
from pydantic_ai.ui.ag_ui import AGUIAdapter

from trajmatch import ConversionError, to_trajectory
from trajmatch_adapters.histories.ag_ui import classify
from trajmatch_adapters.histories.openai import classify as by_openai

UNMARKED = "nothing in an event says whether a tool failed; a result counts as succeeded"
GUESSED = "which calls were made in parallel is guessed, since their parent messages are missing"
KEPT = "a snapshot of the messages leaves out calls that were made before it"
BROKEN = "a run ended with an error or was cancelled: its calls without a result are interrupted"
CUT = "the events end before the arguments of a call do"
INNER = "calls of sub-agents stand among those of the agent"
EVENT, MESSAGE = TypeAdapter(core.Event), TypeAdapter(core.Message)


INPUT = {"threadId": "t", "runId": "r"}


def event(kind, **fields):
    return {"type": kind, **fields}


BEGIN = event("RUN_STARTED", threadId="t", runId="r")
END = event("RUN_FINISHED", threadId="t", runId="r")
ERROR = event("RUN_ERROR", message="no")


def start(id="1", name="a", **more):
    return event("TOOL_CALL_START", toolCallId=id, toolCallName=name, **more)


def delta(text, id="1"):
    return event("TOOL_CALL_ARGS", toolCallId=id, delta=text)


def end(id="1"):
    return event("TOOL_CALL_END", toolCallId=id)


def called(id="1", name="a", arguments="{}", **more):
    return [start(id, name, **more), delta(arguments, id), end(id)]


def result(id="1", content="ok"):
    return event("TOOL_CALL_RESULT", messageId=f"m{id}", toolCallId=id, content=content, role="tool")


def said(text, id="m", role="assistant"):
    return [
        event("TEXT_MESSAGE_START", messageId=id, role=role),
        *[event("TEXT_MESSAGE_CONTENT", messageId=id, delta=word) for word in text],
        event("TEXT_MESSAGE_END", messageId=id),
    ]


def snapshot(*messages):
    return event("MESSAGES_SNAPSHOT", messages=[*messages])


def user(text="Hi", id="u"):
    return {"id": id, "role": "user", "content": text}


def assistant(*ids, content=None, id="m"):
    calls = [{"id": each, "type": "function", "function": {"name": "a", "arguments": "{}"}} for each in ids]
    return {"id": id, "role": "assistant", "content": content, "toolCalls": calls}


def answer(id="1", content="ok", **more):
    return {"id": f"m{id}", "role": "tool", "toolCallId": id, "content": content, **more}


def shape(run):
    return [(message.role, message.content, [made.name for made in message.tool_calls]) for message in run.messages]


def statuses(run):
    return [made.status for made in run.calls]


A, B, OK = ("assistant", None, ["a"]), ("assistant", None, ["a", "b"]), ("tool", "ok", [])


def held(events):
    return {"threadId": "t", "events": events}


def asked(messages):
    return {"threadId": "t", "runId": "r", "messages": messages}


STREAMS = {
    "text": ([BEGIN, *said(["Hel", "lo"]), END], [("assistant", "Hello", [])], [], set()),
    "a call": ([BEGIN, *called(), END], [A], [None], set()),
    "arguments in pieces": (
        [start(), delta('{"x"'), delta(": 1}"), end(), result()],
        [A, OK],
        ["succeeded"],
        {UNMARKED},
    ),
    "no arguments": ([start(), end()], [A], [None], set()),
    "calls at once": (
        [
            start("1"),
            start("2", "b"),
            delta("{", "1"),
            delta("{", "2"),
            delta("}", "1"),
            delta("}", "2"),
            end("1"),
            end("2"),
        ],
        [B],
        [None, None],
        {GUESSED},
    ),
    "calls of one parent": (
        [*called("1", parentMessageId="m"), *called("2", "b", parentMessageId="m"), result("1"), result("2")],
        [B, OK, OK],
        ["succeeded", "succeeded"],
        {UNMARKED},
    ),
    "calls of two parents": (
        [*called("1", parentMessageId="m"), *called("2", parentMessageId="n")],
        [A, A],
        [None, None],
        set(),
    ),
    "a call of a text": (
        [*said(["Wait"]), *called(parentMessageId="m")],
        [("assistant", "Wait", ["a"])],
        [None],
        set(),
    ),
    "text of a message that has called": (
        [*called(parentMessageId="m"), *said(["Wait"])],
        [("assistant", "Wait", ["a"])],
        [None],
        set(),
    ),
    "a call behind a text": ([*said(["Wait"]), *called()], [("assistant", "Wait", ["a"])], [None], {GUESSED}),
    "a call behind a user's text": ([*said(["Hi"], role="user"), *called()], [("user", "Hi", []), A], [None], set()),
    "an empty parent": (
        [*called("1", parentMessageId=""), *called("2", "b", parentMessageId="")],
        [B],
        [None, None],
        {GUESSED},
    ),
    "calls on both sides of a result": (
        [*called("1"), result("1"), *called("2"), result("2")],
        [A, OK, A, OK],
        ["succeeded", "succeeded"],
        {UNMARKED},
    ),
    "calls of two runs": ([BEGIN, *called("1"), END, BEGIN, *called("2"), END], [A, A], [None, None], set()),
    "ids of messages used again": (
        [BEGIN, *said(["A"]), END, BEGIN, *said(["B"]), END],
        [("assistant", "A", []), ("assistant", "B", [])],
        [],
        set(),
    ),
    "messages at once": (
        [
            event("TEXT_MESSAGE_START", messageId="1", role="assistant"),
            event("TEXT_MESSAGE_START", messageId="2", role="system"),
            event("TEXT_MESSAGE_CONTENT", messageId="1", delta="A"),
            event("TEXT_MESSAGE_CONTENT", messageId="2", delta="B"),
        ],
        [("assistant", "A", []), ("system", "B", [])],
        [],
        set(),
    ),
    "content without a start": (
        [event("TEXT_MESSAGE_CONTENT", messageId="m", delta="A")],
        [("assistant", "A", [])],
        [],
        set(),
    ),
    "chunks of text": (
        [
            event("TEXT_MESSAGE_CHUNK", messageId="m", role="assistant", delta="A"),
            event("TEXT_MESSAGE_CHUNK", delta="B"),
            event("TEXT_MESSAGE_CHUNK", messageId="n", delta="C"),
        ],
        [("assistant", "AB", []), ("assistant", "C", [])],
        [],
        set(),
    ),
    "chunks of a call": (
        [
            event("TOOL_CALL_CHUNK", toolCallId="1", toolCallName="a", parentMessageId="m", delta='{"x"'),
            event("TOOL_CALL_CHUNK", delta=": 1}"),
            event("TOOL_CALL_CHUNK", toolCallId="2", toolCallName="b", parentMessageId="m"),
        ],
        [B],
        [None, None],
        set(),
    ),
    "a snapshot": (
        [BEGIN, snapshot(user(), assistant("1", content="Wait"), answer()), *said(["Done"], "n"), END],
        [("user", "Hi", []), ("assistant", "Wait", ["a"]), OK, ("assistant", "Done", [])],
        ["succeeded"],
        set(),
    ),
    "a snapshot of what was streamed": (
        [
            BEGIN,
            *said(["Wait"]),
            *called(parentMessageId="m"),
            result(),
            snapshot(user(), assistant("1"), answer()),
            END,
        ],
        [("user", "Hi", []), ("assistant", None, ["a"]), OK],
        ["succeeded"],
        {UNMARKED},
    ),
    "a snapshot that lacks a call": (
        [
            *called("1", parentMessageId="m"),
            *called("2", "b", parentMessageId="m"),
            result("2"),
            snapshot(user(), assistant("1")),
        ],
        [("assistant", None, ["b"]), OK, ("user", "Hi", []), A],
        ["succeeded", "pending"],
        {UNMARKED, KEPT},
    ),
    "snapshots that lack what those before them held": (
        [BEGIN, snapshot(assistant("1"), answer("1")), snapshot(user())],
        [A, OK, ("user", "Hi", [])],
        ["succeeded"],
        {KEPT},
    ),
    "an empty snapshot": ([*called(), snapshot()], [A], [None], set()),
    "the input of a run": (
        [
            event("RUN_STARTED", threadId="t", runId="r", input={**INPUT, "messages": [user(), assistant("1")]}),
            result(),
        ],
        [("user", "Hi", []), A, OK],
        ["succeeded"],
        {UNMARKED},
    ),
    "the input of a second run": (
        [
            event("RUN_STARTED", threadId="t", runId="r", input={**INPUT, "messages": [user()]}),
            *called(parentMessageId="m"),
            END,
            event(
                "RUN_STARTED", threadId="t", runId="s", input={**INPUT, "messages": [user(), assistant("1"), answer()]}
            ),
            *said(["Done"]),
        ],
        [("user", "Hi", []), A, OK, ("assistant", "Done", [])],
        ["succeeded"],
        set(),
    ),
    "messages among events": ([user(), *called(), answer()], [("user", "Hi", []), A, OK], ["succeeded"], set()),
    "a run that fails": (
        [BEGIN, *called("1"), result("1"), *called("2"), ERROR],
        [A, OK, A, ("tool", None, [])],
        ["succeeded", "interrupted"],
        {UNMARKED, BROKEN},
    ),
    "a run that is cancelled": (
        [BEGIN, *called(), {**END, "outcome": {"type": "cancelled"}}],
        [A, ("tool", None, [])],
        ["interrupted"],
        {BROKEN},
    ),
    "a run that fails without calls": ([BEGIN, *said(["A"]), ERROR], [("assistant", "A", [])], [], set()),
    "a run that goes on with an interrupted call": (
        [BEGIN, *called(), ERROR, BEGIN, result(), END],
        [A, OK],
        ["succeeded"],
        {UNMARKED, BROKEN},
    ),
    "a snapshot after an interrupted call": (
        [BEGIN, *called("1"), *called("2"), ERROR, BEGIN, snapshot(assistant("1"), answer("1")), END],
        [("assistant", None, ["a"]), ("tool", None, []), A, OK],
        ["interrupted", "succeeded"],
        {GUESSED, BROKEN, KEPT},
    ),
    "a run that waits for its user": (
        [BEGIN, *called(), {**END, "outcome": {"type": "interrupt", "interrupts": [{"id": "i", "reason": "x"}]}}],
        [A],
        [None],
        set(),
    ),
    "events that end within a call": ([BEGIN, start(), delta('{"x')], [A, ("tool", None, [])], ["interrupted"], {CUT}),
    "a call of a sub-agent": (
        [*called("1"), *called("2", subagentRunId="s")],
        [A, A],
        [None, None],
        {INNER},
    ),
    "what is shown": (
        [
            event("STATE_DELTA", delta=[]),
            event("CUSTOM", name="x", value={"name": "a", "arguments": {}}),
            event("RAW", event={"name": "a", "arguments": {}}),
            event("STEP_STARTED", stepName="s"),
            event("REASONING_MESSAGE_CONTENT", messageId="x", delta="Hm"),
            event("THINKING_START"),
            event("ACTIVITY_DELTA", messageId="x", patch=[]),
            *said(["A"]),
        ],
        [("assistant", "A", [])],
        [],
        set(),
    ),
    "what the interface keeps for itself": (
        [
            BEGIN,
            snapshot(
                {"id": "x", "role": "activity", "activityType": "t", "content": {}},
                {"id": "y", "role": "reasoning", "content": "Hm"},
                user(),
            ),
        ],
        [("user", "Hi", [])],
        [],
        set(),
    ),
    "an unknown event": (
        [event("RUN_PAUSED"), *said(["A"])],
        [("assistant", "A", [])],
        [],
        {"an event of the unknown type 'RUN_PAUSED' is passed over"},
    ),
}


@pytest.mark.parametrize(("events", "messages", "became", "notes"), STREAMS.values(), ids=STREAMS)
@pytest.mark.parametrize("form", [list, held])
def test_events_are_put_together(form, events, messages, became, notes):
    run = to_trajectory(form(events))
    assert (shape(run), statuses(run), set(run.notes)) == (messages, became, notes)


SPOKEN = ["messages among events", "an unknown event", "what is shown", "content without a start"]


@pytest.mark.parametrize("name", [name for name in STREAMS if name not in SPOKEN])
def test_objects_of_the_sdk_are_read_alike(name):
    events, *_ = STREAMS[name]
    live = [EVENT.validate_python(event) for event in events]
    assert to_trajectory(live) == to_trajectory(events)
    assert to_trajectory(live).notes == to_trajectory(events).notes


def test_arguments_are_the_deltas_put_together():
    events, *_ = STREAMS["arguments in pieces"]
    assert [made.arguments for made in to_trajectory(events).calls] == [{"x": 1}]
    events, *_ = STREAMS["chunks of a call"]
    assert [made.arguments for made in to_trajectory(events).calls] == [{"x": 1}, {}]
    events, *_ = STREAMS["events that end within a call"]
    assert [made.raw_arguments for made in to_trajectory(events).calls] == ['{"x']


def test_what_an_event_repeats_is_not_read_again():
    raw = {"contents": [{"$type": "functionCall", "name": "a", "arguments": {}, "callId": "1"}]}
    assert len(to_trajectory([{**one, "rawEvent": raw} for one in called()]).calls) == 1


def test_the_results_of_a_call():
    (made,) = to_trajectory([*called(), result(content="18 °C")]).calls
    assert (made.id, made.result) == ("1", "18 °C")


MESSAGES = {
    "a run": (
        [user(), assistant("1", content="Wait"), answer(), {"id": "n", "role": "assistant", "content": "Done"}],
        [("user", "Hi", []), ("assistant", "Wait", ["a"]), OK, ("assistant", "Done", [])],
        ["succeeded"],
    ),
    "no content": (
        [user(), {"role": "assistant", "toolCalls": assistant("1")["toolCalls"]}],
        [("user", "Hi", []), A],
        [None],
    ),
    "an error": ([assistant("1"), answer(error="no")], [A, OK], ["failed"]),
    "no error": ([assistant("1"), answer(error=None)], [A, OK], ["succeeded"]),
    "one result of two": (
        [assistant("1", "2"), answer("2")],
        [("assistant", None, ["a", "a"]), OK],
        ["pending", "succeeded"],
    ),
    "activities and reasoning": (
        [
            {"id": "x", "role": "activity", "activityType": "t", "content": {}},
            {"id": "y", "role": "reasoning", "content": "Hm"},
            user(),
        ],
        [("user", "Hi", [])],
        [],
    ),
    "parts": (
        [user([{"type": "text", "text": "Hi"}]), assistant("1")],
        [("user", [{"type": "text", "text": "Hi"}], []), A],
        [None],
    ),
    "developer": ([{"id": "d", "role": "developer", "content": "S"}, assistant("1")], [("system", "S", []), A], [None]),
    "no calls": (
        [user(), {"id": "m", "role": "assistant", "content": "Ho", "toolCalls": []}],
        [("user", "Hi", []), ("assistant", "Ho", [])],
        [],
    ),
}


@pytest.mark.parametrize(("history", "messages", "became"), MESSAGES.values(), ids=MESSAGES)
@pytest.mark.parametrize("form", [list, asked])
def test_messages_are_read(form, history, messages, became):
    run = to_trajectory(form(history))
    assert (shape(run), statuses(run), run.notes) == (messages, became, ())


@pytest.mark.parametrize("name", [name for name in MESSAGES if name not in ("no content", "parts")])
def test_message_objects_of_the_sdk_are_read_alike(name):
    history, messages, became = MESSAGES[name]
    live = [MESSAGE.validate_python(message) for message in history]
    for history in (live, core.RunAgentInput(thread_id="t", run_id="r", messages=live)):
        run = to_trajectory(history)
        assert (shape(run), statuses(run), run.notes) == (messages, became, ())


def test_messages_in_the_spelling_of_python_are_read_as_those_of_openai():
    live = [MESSAGE.validate_python(message) for message in (user(), assistant("1"), answer(error="no"))]
    run = to_trajectory([message.model_dump(exclude_none=True) for message in live])
    assert (shape(run), statuses(run)) == ([("user", "Hi", []), A, OK], ["failed"])


async def stream(agent):
    asked = core.UserMessage(id="u", content="Find a lamp.")
    given = core.RunAgentInput(
        thread_id="t", run_id="r", messages=[asked], state={}, tools=[], context=[], forwarded_props={}
    )
    return [event async for event in AGUIAdapter(agent, given).run_stream()]


def test_what_pydantic_ai_streams_is_what_it_keeps(loop):
    agent = Agent(TestModel())

    @agent.tool_plain(sequential=True)  # results come in the order in which tools end
    def search(q: str) -> str:
        return q.upper()

    @agent.tool_plain(sequential=True)  # results come in the order in which tools end
    def book(item: int) -> str:
        return "booked"

    streamed, kept = to_trajectory(loop.run_until_complete(stream(agent))), agent.run_sync("Find a lamp.")
    assert [*streamed.calls] == [*to_trajectory(kept).calls]
    assert len(streamed.calls) == 2
    said = [(role, content or None, made) for role, content, made in shape(streamed)]  # it begins a text of no words
    assert sorted(said, key=repr) == sorted(shape(to_trajectory(kept))[1:], key=repr)  # tools end in any order
    assert shape(to_trajectory(AGUIAdapter.dump_messages(kept.all_messages()))) == shape(to_trajectory(kept))


REFUSED = {
    "arguments of no call": ([BEGIN, delta("{}")], "message 1: a part of a call that did not begin"),
    "an end of no call": ([end()], "message 0: a part of a call that did not begin"),
    "a call without a name": ([start(name="")], "message 0: a call without the name of its tool"),
    "a call without an id": ([start(id=None)], "message 0: a call without an id"),
    "a chunk without a call": ([event("TOOL_CALL_CHUNK", delta="{}")], "message 0: a call without an id"),
    "a delta that is no text": ([start(), delta({"x": 1})], r"message 1: a delta that is no text \(dict\)"),
    "an unknown event that calls": (
        [BEGIN, event("RUN_TOOL", name="a", arguments={})],
        "unknown type 'RUN_TOOL' with a name",
    ),
    "a snapshot with an unknown key": (
        [snapshot({**user(), "calls": [{"name": "a", "args": {}}]})],
        "message 0: calls under the key .*calls'",
    ),
}
NAMED = {
    "no role": ([{"content": "Hi"}], "message 0: neither an event nor a message"),
    "calls that are no list": ([{"role": "assistant", "toolCalls": "x"}], "message 0: tool_calls that are no list"),
    "a call without a name": (
        [{"role": "assistant", "toolCalls": [{"function": {"arguments": ""}}]}],
        "message 0: a call without the name",
    ),
}


@pytest.mark.parametrize(("history", "error"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_lost_is_refused(history, error):
    with pytest.raises(ConversionError, match=error):
        to_trajectory(history)


@pytest.mark.parametrize(("history", "error"), NAMED.values(), ids=NAMED)
def test_what_would_be_lost_is_refused_where_the_format_is_named(history, error):
    with pytest.raises(ConversionError, match=error):
        to_trajectory(history, format="ag_ui")


CLASSIFIED = {
    "certain": [
        BEGIN,
        event("RAW"),
        {"events": [BEGIN]},
        assistant("1"),
        answer(),
        {"id": "x", "role": "activity", "activityType": "t", "content": {}},
        MESSAGE.validate_python(user()),
        MESSAGE.validate_python(answer()),
    ],
    "could_be": [user(), user([{"type": "image", "source": {}}]), {"role": "assistant", "content": None}],
    "no": [
        {"type": "message", "role": "user"},
        {"events": []},
        {"events": [{"author": "user"}]},
        {"role": "tool", "content": "ok", "tool_call_id": "1"},
        {"role": "assistant", "tool_calls": []},
        {"role": "assistant", "toolCalls": [{"name": "a", "arguments": {}}]},
        {"role": "reasoning"},
        {"role": "critic", "content": "Hi"},
        {"role": "user", "content": [{"type": "tool_result"}]},
        {"role": "user", "content": []},
        {"role": "user", "content": "Hi", "apis": []},
        {"role": "user", "parts": []},
        {"role": 1},
        None,
        "Hi",
    ],
}


@pytest.mark.parametrize(("expected", "item"), [(said, item) for said, items in CLASSIFIED.items() for item in items])
def test_how_sure_the_adapter_is(expected, item):
    assert classify(item) == expected


class Spoken:
    """A message object of another kind."""

    def __init__(self, **fields):
        self.__dict__.update(fields)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"role": "user", "content": "Hi"}, "no"),
        ({"role": "critic", "id": "1"}, "no"),
        ({"role": "assistant", "id": "1", "tool_calls": [Spoken(function="a", arguments={})]}, "no"),
        ({"role": "user", "id": "1", "source": "input"}, "no"),
        ({"role": "user", "id": "1", "content": "Hi"}, "certain"),
    ],
)
def test_objects_of_ag_ui_have_an_id(fields, expected):
    assert classify(Spoken(**fields)) == expected


@pytest.mark.parametrize(
    "message", [assistant("1"), answer(), *map(MESSAGE.validate_python, [user(), assistant("1"), answer()])]
)
def test_openai_leaves_them_alone(message):
    assert by_openai(message) == "no"


HISTORIES = [history for table in (STREAMS, MESSAGES) for history, *_ in table.values()]

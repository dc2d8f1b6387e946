"""A run as the events that make it."""

import pytest
from hypothesis import given

from tests.strategies import HISTORIES
from trajmatch import ConversionError, Message, ToolCall, Trajectory, call, to_trajectory
from trajmatch.reading import Answered, Called, Said, build
from trajmatch.reading._retold import retell


@given(HISTORIES)
def test_what_is_built_of_the_events_is_the_run(history):
    run = to_trajectory(history)
    again = build(retell(run))
    assert (again.messages, again.calls) == (run.messages, run.calls)
    assert [made.id for made in again.calls] == [made.id for made in run.calls]


A, B = ToolCall("a", {}, id="1", status="succeeded"), ToolCall("b", {}, id="2", status="failed", result="no")
NATIVE = ToolCall("web_search", {}, id="3", status="succeeded", kind="native", result=[1])
CALLED_A, CALLED_B, SAID = Called("a", {}, "1"), Called("b", {}, "2"), Said("assistant")
RUNS = {
    "a result in a message": (
        [Message("assistant", None, [A]), Message("tool", "ok", answers=0)],
        [SAID, CALLED_A, Answered("ok", "1", "a")],
    ),
    "a result in a call": (
        [Message("assistant", None, [B])],
        [SAID, CALLED_B, Answered("no", "2", "b", "failed")],
    ),
    "the other call has a message": (
        [Message("assistant", None, [B, A]), Message("tool", "ok", answers=1)],
        [SAID, CALLED_B, CALLED_A, Answered("no", "2", "b", "failed"), Answered("ok", "1", "a")],
    ),
    "a native result": (
        [Message("assistant", None, [NATIVE, A]), Message("tool", "ok", answers=1)],
        [
            SAID,
            Called("web_search", {}, "3", "native"),
            Answered([1], "3", "web_search", kind="native"),
            CALLED_A,
            Answered("ok", "1", "a"),
        ],
    ),
    "a result without its call": (
        [Message("tool", "ok", name="c"), Message("assistant", None, [ToolCall("a", {}, id="result_0")])],
        [Answered("ok", "result_0_", "c"), SAID, Called("a", {}, "result_0")],
    ),
    "a call that is not there": (
        [Message("tool", "ok", answers=7)],
        [Answered("ok", "result_0")],
    ),
    "a second result": (
        [Message("assistant", None, [A]), Message("tool", "ok", answers=0), Message("tool", "no", answers=0)],
        [SAID, CALLED_A, Answered("ok", "1", "a"), Answered("no", "result_2")],
    ),
    "a message that answers a native call": (
        [Message("assistant", None, [NATIVE.replace(status="pending")]), Message("tool", "ok", answers=0)],
        [SAID, Called("web_search", {}, "3", "native"), Answered("ok", "result_1")],
    ),
    "a result of a call that is pending": (
        [Message("assistant", None, [A.replace(status="pending")]), Message("tool", "ok", answers=0)],
        [SAID, CALLED_A, Answered("ok", "1", "a")],
    ),
    "calls of a user": (
        [Message("user", "Hi", [A.replace(status=None)])],
        [Said("user", "Hi"), SAID, CALLED_A],
    ),
    "calls of a result": (
        [Message("tool", "ok", [A.replace(status=None)], answers=0)],
        [Answered("ok", "1", "a"), SAID, CALLED_A],
    ),
    "calls of another role": (
        [Message("critic", "Hi", [A.replace(status=None)])],
        [Said("critic", "Hi"), CALLED_A],
    ),
    "blocks that are calls": (
        [Message("assistant", [{"type": "text", "text": "I look."}, {"type": "tool_use"}, {"type": "tool_result"}])],
        [Said("assistant", [{"type": "text", "text": "I look."}])],
    ),
    "an assistant adds nothing": ([Message("assistant", "Hi", feedback=True)], [Said("assistant", "Hi")]),
    "feedback": ([Message("user", "again", feedback=True)], [Said("user", "again", feedback=True)]),
}


@pytest.mark.parametrize(("messages", "events"), RUNS.values(), ids=RUNS)
def test_messages_become_events(messages, events):
    assert [*retell(Trajectory(messages))] == events


IDS = {
    "missing": ([None, "", "x"], ["call_0", "call_1", "x"]),
    "repeated": (["x", "x", "x"], ["x", "call_1", "call_2"]),
    "taken": (["x", "x", "call_1", "call_1_"], ["x", "call_1__", "call_1", "call_1_"]),
}


@pytest.mark.parametrize(("ids", "written"), IDS.values(), ids=IDS)
def test_each_call_has_an_id_of_its_own(ids, written):
    run = Trajectory(calls=[ToolCall("a", {}, id=id) for id in ids])
    assert [event.id for event in retell(run) if isinstance(event, Called)] == written


ARGUMENTS = {"text": ('{"x": 1}', {"x": 1}), "empty": ("", {}), "raw": ("{", "{"), "twice": ('"{}"', {})}


@pytest.mark.parametrize(("given", "told"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_arguments_are_an_object_where_there_is_one(given, told):
    assert [*retell(Trajectory(calls=[ToolCall("a", given)]))][1].arguments == told


def test_open_arguments_are_no_event():
    with pytest.raises(ConversionError, match="call 1: the arguments of 'b' are not stated"):
        [*retell(Trajectory.from_calls([call("a"), "b"]))]

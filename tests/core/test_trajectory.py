import json
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmatch import ConversionError, Message, ToolCall, Trajectory, call
from trajmatch._columns import Columns, Joined

A, B, C = call("a"), call("b"), call("c")
USER, SYSTEM, HI = Message("user", "Hi"), Message("system", "Be good"), Message("assistant", "Hi")


def says(*calls):
    return Message("assistant", None, calls)


def answer(index, content="ok"):
    return Message("tool", content, answers=index)


RUN = Trajectory([SYSTEM, USER, says(A, B), answer(1), answer(0), says(C), answer(2), HI], notes=["a note"])
LIST = Trajectory(calls=[A, B], notes=["a note"])


def test_calls_are_flat_and_in_order():
    assert RUN.calls == (A, B, C)


def test_a_list_of_calls_has_no_messages():
    assert (LIST.messages, LIST.calls, LIST.notes) == (None, (A, B), ("a note",))


def test_without_anything_it_is_an_empty_list_of_calls():
    assert (Trajectory().messages, Trajectory().calls, Trajectory().notes) == (None, (), ())


def test_messages_may_come_from_an_iterator():
    assert Trajectory(iter([USER, HI])).messages == (USER, HI)


def late(messages, asked=lambda: None):
    """A trajectory of these messages that makes them when somebody asks; `asked` is told."""
    spoken = [(m.role, m.content, m.feedback, m.answers, m.name) for m in messages]
    calls = [(made, place) for place, m in enumerate(messages) for made in m.tool_calls]
    rows = [(made.name, made.given, made.id, made.kind, place) for made, place in calls]
    results, statuses = [made.result for made, _ in calls], [made.status for made, _ in calls]
    joined = Joined(results, statuses, tuple, lambda: asked() or spoken)
    return Trajectory.deferred(Columns(rows, lambda columns: joined, outputs=False))


def test_messages_are_made_once_and_late():
    made = []
    run = late([USER, says(A)], lambda: made.append(1))
    assert (run.calls, made) == ((A,), [])
    assert run.messages is run.messages
    assert (run.messages, made) == ((USER, says(A)), [1])


def test_calls_are_found_in_messages_that_are_made_late():
    assert Trajectory([says(A, B)]).calls == (A, B)


@pytest.mark.parametrize("field", ["messages", "calls", "notes", "turns", "batches", "x"])
def test_a_trajectory_cannot_be_changed(field):
    with pytest.raises(AttributeError):
        setattr(RUN, field, None)


BATCHES = {
    "the calls of each message": (RUN, ((A, B), (C,))),
    "each call of a list": (LIST, ((A,), (B,))),
    "none": (Trajectory([USER, HI]), ()),
}


@pytest.mark.parametrize(("run", "batches"), BATCHES.values(), ids=BATCHES)
def test_batches_are_the_calls_made_in_parallel(run, batches):
    assert run.batches == batches


NUDGE = Message("user", "Again", feedback=True)
TURNS = {
    "no messages": ([], []),
    "one turn": ([USER, HI], [[USER, HI]]),
    "a turn starts at a user message": ([USER, HI, USER, HI], [[USER, HI], [USER, HI]]),
    "two user messages": ([USER, USER, HI], [[USER], [USER, HI]]),
    "system messages belong to the first turn": ([SYSTEM, SYSTEM, USER, HI], [[SYSTEM, SYSTEM, USER, HI]]),
    "a later system message starts nothing": ([USER, HI, SYSTEM, USER], [[USER, HI, SYSTEM], [USER]]),
    "what comes before is a turn": ([SYSTEM, HI, USER, HI], [[SYSTEM, HI], [USER, HI]]),
    "no user at all": ([SYSTEM, HI], [[SYSTEM, HI]]),
    "feedback starts nothing": ([USER, HI, NUDGE, HI], [[USER, HI, NUDGE, HI]]),
}


@pytest.mark.parametrize(("messages", "turns"), TURNS.values(), ids=TURNS)
def test_turns_start_at_user_messages(messages, turns):
    assert [list(turn.messages) for turn in Trajectory(messages).turns] == turns


def test_a_list_of_calls_is_one_turn():
    assert LIST.turns == (LIST,)


def test_results_in_a_turn_answer_its_own_calls():
    run = Trajectory([USER, says(A, B), answer(1), USER, answer(0), says(C), answer(2)], notes=["n"])
    first, second = run.turns
    assert first == Trajectory([USER, says(A, B), answer(1)], notes=["n"])
    assert second == Trajectory([USER, answer(None), says(C), answer(0)], notes=["n"])


def drop(*names):
    return lambda made: None if made.name in names else made


MAPPED = {
    "renamed": (
        lambda made: made.replace(name="x-" + made.name),
        [
            SYSTEM,
            USER,
            says(call("x-a"), call("x-b")),
            answer(1),
            answer(0),
            says(call("x-c")),
            answer(2),
            HI,
        ],
    ),
    "unchanged": (lambda made: made, list(RUN.messages)),
    "a call leaves with its result": (
        drop("a"),
        [SYSTEM, USER, says(B), answer(0), says(C), answer(1), HI],
    ),
    "a message leaves with its last call": (drop("c"), [SYSTEM, USER, says(A, B), answer(1), answer(0), HI]),
    "all calls leave": (drop("a", "b", "c"), [SYSTEM, USER, HI]),
}


@pytest.mark.parametrize(("change", "messages"), MAPPED.values(), ids=MAPPED)
def test_map_calls_changes_calls_and_their_messages(change, messages):
    assert RUN.map_calls(change) == Trajectory(messages, notes=["a note"])


def test_map_calls_keeps_results_without_a_call():
    assert Trajectory([answer(None), says(A)]).map_calls(drop("a")) == Trajectory([answer(None)])


def test_map_calls_changes_a_list_of_calls():
    assert LIST.map_calls(drop("a")) == Trajectory(calls=[B], notes=["a note"])


def test_map_calls_leaves_the_original_alone():
    before = RUN.to_json()
    RUN.map_calls(drop("a"))
    assert RUN.to_json() == before


@pytest.mark.parametrize("made", ["a", False, {"name": "a"}], ids=repr)
def test_map_calls_refuses_what_is_no_call(made):
    with pytest.raises(ConversionError, match=r"call 1 became .*neither a ToolCall nor None") as caught:
        LIST.map_calls(lambda given: given if given.name == "a" else made)
    assert caught.value.index == 1


def test_from_calls_takes_names_calls_and_dicts():
    run = Trajectory.from_calls(["a", call("b", x=1), {"name": "c", "arguments": {}}])
    assert run == Trajectory(calls=[ToolCall("a"), call("b", x=1), call("c")])


EQUAL = {
    "messages": (Trajectory([USER, says(A)]), Trajectory([Message("human", "Hi"), says(A)])),
    "made late": (Trajectory([says(A)]), late([says(A)])),
    "calls": (Trajectory(calls=[A]), Trajectory(calls=iter([A]))),
}
DIFFERENT = {
    "messages": (Trajectory([says(A)]), Trajectory([USER, says(A)])),
    "messages and none": (Trajectory([says(A)]), Trajectory(calls=[A])),
    "calls": (Trajectory(calls=[A]), Trajectory(calls=[B])),
    "notes": (Trajectory(calls=[A]), LIST),
    "something else": (Trajectory(calls=[A]), [A]),
}


@pytest.mark.parametrize(("a", "b"), EQUAL.values(), ids=EQUAL)
def test_trajectories_are_equal(a, b):
    assert a == b and b == a and hash(a) == hash(b)


@pytest.mark.parametrize(("a", "b"), DIFFERENT.values(), ids=DIFFERENT)
def test_trajectories_differ(a, b):
    assert a != b and b != a


REPR = {
    "messages": (Trajectory([USER]), "Trajectory([Message('user', 'Hi')])"),
    "calls": (Trajectory(calls=[A]), "Trajectory.from_calls([ToolCall('a', {})])"),
}


@pytest.mark.parametrize(("run", "text"), REPR.values(), ids=REPR)
def test_repr_is_the_trajectory_as_one_writes_it(run, text):
    assert repr(run) == text


TEXT = st.text(st.characters(exclude_categories=[])) | st.sampled_from(["\ud800", "", "\x00"])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXT | st.sampled_from([nan, 10**40, -(10**40)])
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
ARGUMENTS = st.none() | st.dictionaries(TEXT, JSON, max_size=3) | TEXT | st.dictionaries(TEXT, JSON).map(json.dumps)
CALLS = st.builds(
    ToolCall,
    TEXT.filter(bool),
    ARGUMENTS,
    id=st.none() | TEXT,
    status=st.sampled_from([None, "succeeded", "failed", "retried", "denied", "skipped", "interrupted", "pending"]),
    kind=st.sampled_from(["function", "native", "output"]),
    result=JSON,
)
SPOKEN = st.builds(
    Message,
    TEXT | st.sampled_from(["user", "assistant", "human"]),
    JSON,
    st.lists(CALLS, max_size=3),
    answers=st.sampled_from([None, 0]),
    feedback=st.booleans(),
)
NOTES = st.lists(TEXT, max_size=2)
RUNS = st.builds(
    lambda messages, notes: Trajectory([says(A), *messages], notes=notes), st.lists(SPOKEN, max_size=3), NOTES
)
LATE = st.builds(
    late,
    st.lists(SPOKEN, max_size=3).map(lambda messages: [says(A), *messages]),
)
LISTS = st.builds(lambda calls, notes: Trajectory(calls=calls, notes=notes), st.lists(CALLS, max_size=3), NOTES)


@given(RUNS | LATE | LISTS)
def test_json_gives_the_trajectory_back(run):
    assert Trajectory.from_json(run.to_json()) == run


@given(LISTS)
def test_json_gives_ids_and_results_back(run):
    again = Trajectory.from_json(run.to_json().encode())
    assert json.dumps([(made.id, made.result) for made in again.calls]) == json.dumps(
        [(made.id, made.result) for made in run.calls]
    )


@given(RUNS)
def test_turns_hold_all_messages_and_calls(run):
    assert [made for turn in run.turns for made in turn.calls] == list(run.calls)
    assert sum(len(turn.messages) for turn in run.turns) == len(run.messages)


@given(RUNS | LISTS)
def test_changing_nothing_changes_nothing(run):
    assert run.map_calls(lambda made: made) == run


def test_messages_and_calls_are_one_or_the_other():
    with pytest.raises(ConversionError, match="made of messages"):
        Trajectory([], calls=[A])


@pytest.mark.parametrize("build", [lambda: Trajectory(["x"]), lambda: Trajectory(calls=["x"]), lambda: says("x")])
def test_what_is_no_message_or_call_is_refused(build):
    with pytest.raises(ConversionError, match="item 0 must be a"):
        build()

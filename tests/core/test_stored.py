import json
from datetime import date
from decimal import Decimal
from math import isnan

import pytest
from pydantic import TypeAdapter, ValidationError

from trajmatch import ConversionError, Message, ToolCall, Trajectory, call
from trajmatch._stored import call_form, plain

RUN = Trajectory(
    [
        Message("user", "Hi"),
        Message(
            "assistant",
            None,
            [ToolCall("a", {"x": 1}, id="1", status="succeeded", result="ok"), ToolCall("b", "[1]")],
        ),
        Message("tool", "ok", answers=0),
        Message("user", "Look", feedback=True),
    ],
    notes=["a note"],
)
STORED = {
    "notes": ["a note"],
    "messages": [
        {"role": "user", "content": "Hi"},
        {
            "role": "assistant",
            "tool_calls": [
                {"name": "a", "arguments": {"x": 1}, "id": "1", "status": "succeeded", "result": "ok"},
                {"name": "b", "raw_arguments": "[1]"},
            ],
        },
        {"role": "tool", "content": "ok", "answers": 0},
        {"role": "user", "content": "Look", "feedback": True},
    ],
}


def test_what_is_not_stated_is_left_out():
    assert json.loads(RUN.to_json()) == STORED


def test_the_stored_form_is_read():
    assert Trajectory.from_json(json.dumps(STORED)) == RUN


def test_a_list_of_calls_is_stored_as_calls():
    assert json.loads(Trajectory.from_calls(["a"]).to_json()) == {"notes": [], "calls": [{"name": "a"}]}


CALL_FORMS = {
    "open": (ToolCall("a"), {"name": "a"}),
    "no arguments": (call("a"), {"name": "a", "arguments": {}}),
    "text": (ToolCall("a", '{"x": 1}'), {"name": "a", "arguments": {"x": 1}}),
    "a kind": (ToolCall("a", kind="output"), {"name": "a", "kind": "output"}),
    "a result": (ToolCall("a", result=[Decimal("0.5")]), {"name": "a", "result": [0.5]}),
    "a result without a form": (ToolCall("a", result=1j), {"name": "a", "result": "1j"}),
}


@pytest.mark.parametrize(("made", "form"), CALL_FORMS.values(), ids=CALL_FORMS)
def test_a_call_is_stored_as(made, form):
    assert call_form(made) == form


PLAIN = {
    "a date": (date(2024, 1, 2), "2024-01-02"),
    "a tuple": ((1, "a"), [1, "a"]),
    "a set, in a fixed order": ({3, 1, 2}, [1, 2, 3]),
    "a set of tuples": ({(2, "b"), (1, "a")}, [[1, "a"], [2, "b"]]),
    "keys": ({1: {None: ()}}, {"1": {"null": []}}),
    "scalars": ([None, True, 1, 1.5, "a"], [None, True, 1, 1.5, "a"]),
    "what is unknown": ([1j], ["1j"]),
}


@pytest.mark.parametrize(("value", "form"), PLAIN.values(), ids=PLAIN)
def test_a_value_is_given_in_the_types_of_json(value, form):
    assert plain(value, str) == form


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def cyclic():
    value = {}
    value["self"] = value
    return value


UNWRITABLE = {
    "no form": (call("a", x=1j), "complex has no JSON form: 1j"),
    "a Decimal that no float is": (
        call("a", x=Decimal("0.12345678901234567890")),
        "Decimal has no JSON form",
    ),
    "too deep": (call("a", x=nested(100_000)), "recursion"),
    "a cycle": (call("a", x=cyclic()), "recursion"),
    "an integer that is too long": (call("a", x=10**5_000), "digits"),
}


@pytest.mark.parametrize(("made", "text"), UNWRITABLE.values(), ids=UNWRITABLE)
def test_what_has_no_json_form_is_refused(made, text):
    with pytest.raises(ConversionError, match=f"cannot be written as JSON: .*{text}"):
        Trajectory(calls=[made]).to_json()


def test_content_without_a_json_form_is_stored_as_text():
    assert Trajectory.from_json(Trajectory([Message("user", 1j)]).to_json()).messages[0].content == "1j"


def messages(*given):
    return json.dumps({"messages": given})


UNREADABLE = {
    "no JSON": "{",
    "no object": "[]",
    "empty": "",
    "no UTF-8": b"\xff\xfe\xfd",
    "too deep": "[" * 200_000,
    "neither messages nor calls": "{}",
    "both": '{"messages": [], "calls": []}',
    "a wrong key": '{"calls": [], "note": []}',
    "a wrong key of a message": messages({"role": "user", "text": "Hi"}),
    "a wrong key of a call": '{"calls": [{"name": "a", "args": {}}]}',
    "no role": messages({"content": "Hi"}),
    "no name": '{"calls": [{"arguments": {}}]}',
    "an empty name": '{"calls": [{"name": ""}]}',
    "a name of another type": '{"calls": [{"name": 1}]}',
    "arguments of another type": '{"calls": [{"name": "a", "arguments": []}]}',
    "an unknown status": '{"calls": [{"name": "a", "status": "ok"}]}',
    "an unknown kind": '{"calls": [{"name": "a", "kind": "magic"}]}',
    "feedback of another type": messages({"role": "user", "feedback": 1}),
    "an answer to no call": messages({"role": "tool", "answers": 0}),
    "an answer to a negative call": messages(STORED["messages"][1], {"role": "tool", "answers": -1}),
    "a bool for an answer": messages(STORED["messages"][1], {"role": "tool", "answers": False}),
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_no_stored_trajectory_is_refused(text):
    with pytest.raises(ConversionError):
        Trajectory.from_json(text)


FOREIGN = {
    "messages": ([{"role": "user"}], "got list; to_trajectory reads messages"),
    "messages as text": ('[{"role": "user"}]', "got list; to_trajectory reads messages"),
    "a number": (3, "got int; to_trajectory"),
    "text for a message": (
        '{"messages": ["Hi"]}',
        r"this is no stored trajectory: messages.0: Input should be a valid dictionary$",
    ),
}


@pytest.mark.parametrize(("given", "text"), FOREIGN.values(), ids=FOREIGN)
def test_what_is_no_stored_trajectory_is_told_in_words_of_its_reader(given, text):
    with pytest.raises(ConversionError, match=text):
        Trajectory.from_json(given)


def test_an_answer_to_no_call_is_named():
    with pytest.raises(ConversionError, match="message 1: there is no call 5") as caught:
        Trajectory.from_json(messages({"role": "user"}, {"role": "tool", "answers": 5}))
    assert caught.value.index == 1


def test_nan_and_large_integers_are_stored():
    again = Trajectory.from_json(Trajectory.from_calls([call("a", x=float("nan"), y=10**40)]).to_json())
    assert isnan(again.calls[0].arguments["x"]) and again.calls[0].arguments["y"] == 10**40


def test_lone_surrogates_are_stored():
    run = Trajectory(
        [Message("\ud800", "\ud801", [ToolCall("\ud802", {"\ud803": "\ud804"}, id="\ud805")])],
        notes=["\ud806"],
    )
    assert Trajectory.from_json(run.to_json()) == run


@pytest.mark.parametrize("given", [RUN, RUN.to_json(), json.loads(RUN.to_json())], ids=["itself", "text", "parsed"])
def test_pydantic_reads_a_trajectory_and_what_to_json_wrote(given):
    form = TypeAdapter(Trajectory)
    run = form.validate_python(given)
    assert run == RUN
    assert form.validate_json(form.dump_json(run)) == RUN


def test_pydantic_refuses_what_is_no_stored_trajectory():
    with pytest.raises(ValidationError, match="got list; to_trajectory reads messages"):
        TypeAdapter(Trajectory).validate_python([{"role": "user"}])


def test_pydantic_gives_the_schema_of_stored_trajectories():
    schema = TypeAdapter(Trajectory).json_schema()
    assert [*schema["properties"]] == ["messages", "calls", "notes"]
    assert {"StoredCall", "StoredMessage"} <= {*schema["$defs"]}

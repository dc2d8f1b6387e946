"""Hostile values and histories end in a result or in an error of the library, and nothing else."""

import copy
import json
from array import array
from contextlib import suppress
from dataclasses import dataclass, field
from unittest.mock import MagicMock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mutated import mutated
from tests.strategies import history
from trajmatch import (
    ConversionError,
    Message,
    RuleError,
    ToolCall,
    Trajectory,
    TrajmatchError,
    call,
    check_arguments,
    check_forbidden,
    check_limits,
    match,
    to_trajectory,
)


def nested(levels, value=1):
    for _ in range(levels):
        value = {"k": value}
    return value


def shared(levels, value=()):
    value = [*value]
    for _ in range(levels):
        value = [value, value]
    return value


def cycle():
    value = []
    value.append(value)
    return value


class Rude:
    def __eq__(self, other):
        raise ZeroDivisionError

    __hash__ = None

    def __repr__(self):
        raise KeyError

    __bool__ = __eq__


@dataclass
class Late:
    x: int = field(init=False)


class Mute:
    def __str__(self):
        raise ZeroDivisionError

    __repr__ = __str__


class Shy(dict):
    def keys(self):
        raise ZeroDivisionError

    __iter__ = keys


class Odd(int):
    def __int__(self):
        raise ZeroDivisionError


class Endless(list):
    def __iter__(self):
        raise ZeroDivisionError


VALUES = {
    "a field that was never set": Late(),
    "a key without a text": {Mute(): 1},
    "a dict without keys": Shy(a=1),
    "an integer that is none": Odd(1),
    "a list without items": Endless([1]),
    "deep": nested(10_000),
    "shared": shared(40),
    "cyclic": cycle(),
    "nan": float("nan"),
    "infinity": float("-inf"),
    "huge integer": 10**5000,
    "lone surrogate": "\ud800",
    "control characters": "\x1b[31m\u202e\n\r\t",
    "long text": "x" * 1_000_000,
    "rude": Rude(),
    "no text for a key": {10**5000: 1},
    "set": {1, 2},
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize(
    ("copies", "rule"), [(1, "exact"), (1, "subset"), (1, ["x"]), (1, ["x.k"]), (9, "exact"), (9, "superset")], ids=str
)
def test_a_hostile_argument_gives_a_result_or_an_error_that_names_the_place(copies, rule, value):
    for actual, expected in [(value, 1), (1, value), (value, value)]:
        try:
            result = match(
                [call("f", x=actual)] * copies, [call("f", x=expected)] * copies, mode="any_order", args=rule
            )
            text = f"{result.reason}\n{result.render()}"
        except RuleError as error:
            text = str(error)
        else:
            json.loads(result.to_json())
        assert "\x1b" not in text and "\u202e" not in text
        assert len(text) < 10_000


@pytest.mark.parametrize("mode", ["exact", "unordered"])
@pytest.mark.parametrize("copies", [1, 9])
@pytest.mark.parametrize("leaf", [[], [1], [True]], ids=str)
def test_lists_that_share_their_parts_are_not_walked_for_ever(leaf, copies, mode):
    calls, others = ([call("f", x=shared(40, leaf))] * copies for leaf in ([1], leaf))
    assert match(calls, others, mode=mode).passed is (leaf == [1] and leaf[0] is not True)


def folded(levels, value):
    for _ in range(levels):
        value = frozenset([value, frozenset([value])]) if levels < 30 else frozenset([value])
    return value


@pytest.mark.parametrize("mode", ["exact", "unordered"])
@pytest.mark.parametrize("levels", [20, 100])
def test_sets_in_sets_are_not_walked_for_ever(levels, mode):
    calls, equal, other = ([call("f", x=folded(levels, leaf))] for leaf in (1, 1, 2))
    assert match(calls, equal, mode=mode) and not match(calls, other, mode=mode)


class Key:
    def __hash__(self):
        return 1

    def __eq__(self, other):
        raise RuntimeError


HOSTILE_CALLS = {
    "a key with an equality of its own": ToolCall("f", {Key(): 1}),
    "numbers of one type in an array": ToolCall("f", {"x": array("i", [1065353216])}),
}


@pytest.mark.parametrize("mode", ["exact", "unordered", "in_order"])
@pytest.mark.parametrize("other", [{Key(): 1}, {"x": array("f", [1.0])}], ids=["key", "array"])
@pytest.mark.parametrize("made", HOSTILE_CALLS.values(), ids=HOSTILE_CALLS)
def test_what_cannot_be_compared_is_never_the_same(made, other, mode):
    with suppress(RuleError):
        assert not match([made], [ToolCall("f", other)], mode=mode)


def test_any_call_can_be_shown():
    assert "dict" in repr(Trajectory(calls=[call("f", x=10**5000)]))
    assert "Message('user', <" in repr(Message("user", Rude()))


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_a_trajectory_with_a_hostile_argument_is_stored_or_refused(value):
    try:
        stored = Trajectory.from_calls([call("f", x=value)]).to_json()
    except ConversionError:
        return
    assert Trajectory.from_json(stored).calls[0].name == "f"


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_every_text_about_a_hostile_argument_is_a_text_or_an_error_of_the_library(value):
    run = [call("f", x=value)]
    texts = [
        lambda: match(run, []).reason,
        lambda: match(run, []).render(),
        lambda: match(run, []).to_json(),
        lambda: match(run, run).render(),
        lambda: match(run, run).to_json(),
        lambda: match(run, [call("f", x=1)], args=["x.y"]).reason,
        lambda: check_arguments(run, "f", {"x": 2}).reason,
        lambda: check_forbidden(run, [call("f", x=2)]).reason,
        lambda: check_forbidden(run, ["f"]).reason,
        lambda: check_limits(run * 2, max_identical_calls=1).reason,
    ]
    for text in texts:
        with suppress(TrajmatchError):
            assert isinstance(text(), str)


def test_results_and_contents_of_any_kind_are_stored():
    for run in (Trajectory([Message("user", Mute())]), Trajectory(calls=[ToolCall("f", {}, result=Mute())])):
        assert "<Mute>" in run.to_json()


class Lies(dict):
    def __eq__(self, other):
        return True

    __hash__ = None


class Raises(dict):
    def __eq__(self, other):
        raise ZeroDivisionError

    __hash__ = None


@pytest.mark.parametrize("mode", ["exact", "unordered", "in_order"])
@pytest.mark.parametrize("kind", [Lies, Raises])
def test_arguments_are_compared_as_objects_whatever_their_type(kind, mode):
    other = ToolCall("f", {"x": 2})
    assert match([ToolCall("f", kind(x=1))], [call("f", x=1)], mode=mode).passed
    for actual, expected in [
        ([other], [ToolCall("f", kind(x=1))]),
        ([other, other], [ToolCall("f", kind(x=1)), other]),
    ]:
        result = match(actual, expected, mode=mode)
        assert (result.passed, len(result.pairs)) == (False, len(actual) - 1)


def test_arguments_that_cannot_be_read_are_refused():
    with pytest.raises(ConversionError, match="arguments of 'f' cannot be read"):
        ToolCall("f", Shy(a=1))


def deeper(frames, act):
    return deeper(frames - 1, act) if frames else act()


@pytest.mark.parametrize("mode", ["exact", "unordered"])
def test_texts_that_were_parsed_compare_at_any_depth_of_the_stack(mode):
    text = '{"x": ' + "[" * 500 + "]" * 500 + "}"
    actual, expected = Trajectory(calls=[ToolCall("f", text)]), Trajectory(calls=[ToolCall("f", text + " ")])
    assert [call.raw_arguments for call in (*actual.calls, *expected.calls)] == [None, None]
    for frames in range(100, 700, 50):
        assert deeper(frames, lambda: match(actual, expected, mode=mode).passed)


NAMES = ["a\x1b[31m\nb", "\u202e", "\ud800", "e" + "\u0301" * 100_000, "<script>"]


@pytest.mark.parametrize("name", NAMES, ids=["controls", "direction", "surrogate", "marks", "markup"])
def test_hostile_names_are_shown_escaped_and_short(name):
    texts = [match([call(name, {name: 1})], [call(name, {name: 2})], mode="in_order").render()]
    texts.append(match([call(name)], [], mode="in_order").reason)
    texts.append(match(Trajectory([Message(name, "x")]), Trajectory(()), mode="strict").render())
    texts.append(check_forbidden([call(name)], [name]).reason)
    for text in texts:
        assert text.replace("\n", "").isprintable()
        assert len(text) < 3_000


OBJECTS = {
    "a mock": MagicMock(),
    "a list of a mock": [MagicMock()],
    "wrappers 5,000 deep": nested(5_000, {"messages": []}),
    "a key that is a list": [{"role": ["user"], "content": "x"}],
    "an argument that is no JSON": [
        {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": [{(1,): 2}]}}]}
    ],
    "a rude message": [Rude()],
    "a rude role": [{"role": Rude(), "content": "x"}],
    "a rude id": [{"role": "assistant", "tool_calls": [{"id": Rude(), "function": {"name": "f", "arguments": "{}"}}]}],
    "calls that are no list": [{"type": "ai", "content": "", "tool_calls": {"0": {"name": "f", "args": {}}}}],
    "text that is a number": [{"kind": "response", "parts": [{"part_kind": "text", "content": 5}]}],
}


@pytest.mark.parametrize("given", OBJECTS.values(), ids=OBJECTS)
def test_a_hostile_history_gives_a_trajectory_or_a_conversion_error(given):
    try:
        read = to_trajectory(given)
    except ConversionError:
        return
    assert read.calls


MESSAGES = [
    *history([[call("a", x=1), call("b")], [call("c")]]),
    {"type": "ai", "content": "", "tool_calls": [{"name": "d", "args": {}, "id": "1"}]},
    {"type": "tool", "content": "x", "tool_call_id": "1", "status": "error"},
    {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "x"}]},
    {"kind": "response", "parts": [{"part_kind": "tool-call", "tool_name": "e", "args": "{}", "tool_call_id": "2"}]},
    {"kind": "request", "parts": [{"part_kind": "tool-return", "tool_name": "e", "content": 1, "tool_call_id": "2"}]},
]


@given(data=st.data())
def test_a_mutated_history_gives_a_trajectory_or_a_conversion_error(data):
    messages = data.draw(mutated([data.draw(st.lists(st.sampled_from(MESSAGES), min_size=1, max_size=4))]))
    before = copy.deepcopy(messages)
    try:
        read = to_trajectory(messages)
    except ConversionError:
        return
    finally:
        assert messages == before
    assert match(read, read)
    assert Trajectory.from_json(read.to_json()) == read


WRONG = {
    "threshold": lambda: match([], [], mode="in_order", threshold=10**400),
    "limit": lambda: check_limits([], max_tool_calls=-(10**400)),
    "format": lambda: to_trajectory([], format=[]),
    "option of a trajectory": lambda: to_trajectory(Trajectory(()), format="opnai"),
    "names": lambda: to_trajectory([], format="langchain", output_tools=5),
    "no text": lambda: Trajectory.from_json(None),
    "arguments twice": lambda: Trajectory.from_json({"calls": [{"name": "f", "arguments": {}, "raw_arguments": "x"}]}),
    "no role": lambda: Message(5),
    "a call": lambda: ToolCall(""),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_wrong_options_are_errors_of_the_library(wrong):
    with pytest.raises(TrajmatchError):
        wrong()

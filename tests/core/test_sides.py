"""What the two sides of a match may be."""

import json
import re

import pytest

from tests.strategies import history
from trajmatch import (
    ConversionError,
    Message,
    ToolCall,
    Trajectory,
    any_of,
    call,
    forbidden,
    match,
    seq,
    to_expectation,
)

RUN = history([[call("a", x=1)], [call("b")]])
EXPECTED = {
    "names": ["a", "b"],
    "a tuple of names": ("a", "b"),
    "a generator": (name for name in "ab"),
    "calls": [call("a", x=1), ToolCall("b")],
    "dicts": [{"name": "a", "arguments": {"x": 1}}, {"name": "b", "args": None}],
    "LangChain's calls": [{"name": "a", "args": {"x": 1}, "id": "9", "type": "tool_call"}, "b"],
    "OpenAI's calls": [
        {"id": "9", "type": "function", "function": {"name": "a", "arguments": '{"x": 1}'}},
        {"id": "8", "type": "function", "function": {"name": "b", "arguments": None}},
    ],
    "a history": history([[call("a", x=1), call("b")]]),
    "a wrapped history": {"messages": history([[call("a", x=1), call("b")]])},
    "a stored trajectory, parsed": json.loads(Trajectory.from_calls(["a", "b"]).to_json()),
    "OpenAI's calls with a status": [{"function": {"name": "a", "arguments": {"x": 1}}, "status": "failed"}, "b"],
    "a trajectory": Trajectory.from_calls(["a", "b"]),
}
WRONG = {
    "none": (None, "a history is missing"),
    "a name": ("book_flight", "expected: one name in place of a list of calls; write ['book_flight']"),
    "text": ("Book a flight.", "a history is a list of messages, got str 'Book a flight.'"),
    "JSON text": ('[{"name":"a"}]', "parse JSON text with json.loads first"),
    "empty text": ("", "a history is a list of messages, got str ''"),
    "another word for the name": ([{"tool": "search"}], "'tool' is no key of a call; there are 'name', 'arguments'"),
    "no name": ([{"args": {"x": 1}}], "a call needs the name of its tool"),
    "an empty name": ([""], "the name of its tool is ''"),
    "one call": (call("a"), "one call in place of a list"),
    "one dict": ({"name": "a"}, "one call in place of a list"),
    "one message": ({"role": "user", "content": "x"}, "one message in place of a list"),
    "a tuple": ([("a", {"x": 1})], "write call('name', key=value)"),
    "a misspelt key": ([{"name": "a", "argments": {}}], "did you mean 'arguments'"),
    "a misspelt wire key": ([{"function": {"name": "a", "argumets": "{}"}}], "did you mean 'arguments'"),
    "an unknown wire key": ([{"function": {"name": "a"}, "staus": 1}], "did you mean 'status'"),
    "arguments twice": ([{"name": "a", "arguments": {}, "args": {}}], "its arguments are written twice"),
    "a tuple of text": ([("a", '{"x": 1}')], "write call('name', key=value)"),
    "a tuple of one": ([("a",)], "write call('name', key=value)"),
    "a number": ([3], "no format reads it"),
    "a name among messages": ([*RUN, "a"], "call 0"),
    "a message among dicts": ([{"name": "a", "content": "x", "type": "nope"}], "is no key of a call"),
    "an unreadable message": ([{"role": "user", "content": "x"}, {"foo": 1}], "message 1"),
}
ONE_SIDED = {
    "names": (["a"], "names of tools are an expectation"),
    "one call": (call("a"), "one call in place of a list"),
    "none": (None, "a history is missing"),
    "a name": ("search", "actual: a history is a list of messages, got str 'search'; hand over the run, and not its"),
}


@pytest.mark.parametrize("expected", EXPECTED.values(), ids=EXPECTED)
def test_an_expectation_may_be_written_as(expected):
    assert match(RUN, expected)


@pytest.mark.parametrize(("expected", "text"), WRONG.values(), ids=WRONG)
def test_an_expectation_that_cannot_be_read_says_what_to_write(expected, text):
    with pytest.raises(ConversionError, match=re.escape(text)) as raised:
        match(RUN, expected)
    assert raised.value.__context__ is None or raised.value.__suppress_context__


@pytest.mark.parametrize(("actual", "text"), ONE_SIDED.values(), ids=ONE_SIDED)
def test_what_an_agent_did_is_no_expectation(actual, text):
    with pytest.raises(ConversionError, match=re.escape(text)):
        match(actual, ["a"])


def test_a_stored_trajectory_keeps_what_became_of_its_calls():
    stored = json.loads(Trajectory([Message("assistant", None, [ToolCall("pay", {}, status="failed")])]).to_json())
    assert not match(stored, ["pay"], calls="succeeded")


@pytest.mark.parametrize(("actual", "expected", "side"), [(None, [], "actual"), ([], None, "expected")])
def test_an_error_names_the_side(actual, expected, side):
    with pytest.raises(ConversionError, match=f"^{side}: a history is missing"):
        match(actual, expected)


def test_a_list_of_calls_is_what_an_agent_did():
    assert match([{"name": "a", "arguments": {"x": 1}}], [call("a", x=1)])


@pytest.mark.parametrize("written", [None, "ab", {"seq": ["a"]}, 3])
def test_alternatives_as_data_are_a_list(written):
    with pytest.raises(ConversionError, match="any_of: a list is needed"):
        to_expectation({"any_of": written})


def test_the_run_comes_first():
    for expected in (seq("a"), any_of(["a"])):
        with pytest.raises(ConversionError, match="the run comes first"):
            match(expected, [call("a")])


def test_an_alternative_that_only_forbids_is_refused():
    with pytest.raises(ConversionError, match="who does nothing at all meets what only forbids"):
        any_of(["a"], forbidden("b"))


def test_pairs_of_a_method_and_what_it_gave_are_a_history():
    events = [{"type": "agent.custom_tool_use", "id": "1", "name": "a", "input": {}}]
    recorded = [["client.beta.sessions.events.list", {"data": events}]]
    assert match(recorded, recorded) and match(recorded, ["a"])


def test_lists_in_a_list_are_refused_with_what_to_write():
    with pytest.raises(ConversionError, match="per_turn=True, for alternatives any_of"):
        match([call("a")], [["a"], ["b"]])
    with pytest.raises(ConversionError, match=r"seq\[0\]: a list where one call is meant; write seq"):
        seq(["a", "b"])

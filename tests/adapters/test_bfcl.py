import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.breaking import broken, stands
from trajmatch import ArgumentRule, ConversionError, ToolCall, call, expect, match, seq, to_expectation, to_trajectory
from trajmatch_adapters.histories.bfcl import classify, expected, expected_turns

NO_RESULTS = "the format does not say what came back, nor what the user asked"
NO_PYTHON = "a text that is no call as Python is taken for what the model says"
NAMES = {"sort": ["file", "reverse"]}


def answer(*calls):
    return {"id": "simple_0", "ground_truth": [*calls]}


def entry(result, **more):
    return {"id": "simple_0", "result": result, "latency": 0.5, "input_token_count": 7} | more


ANSWERS = {
    "one value": ({"f": {"x": [5]}}, ToolCall("f", {"x": 5})),
    "several": ({"f": {"x": ["a", "b"]}}, ToolCall("f", {"x": expect.one_of("a", "b")})),
    "no arguments": ({"f": {}}, ToolCall("f", {})),
    "a list": ({"f": {"x": [[1, 2]]}}, ToolCall("f", {"x": [1, 2]})),
    "an empty list": ({"f": {"x": [[]]}}, ToolCall("f", {"x": []})),
    "lists": ({"f": {"x": [[1], [2]]}}, ToolCall("f", {"x": expect.one_of([1], [2])})),
    "null": ({"f": {"x": [None]}}, ToolCall("f", {"x": None})),
    "a text that may be absent": (
        {"f": {"x": ["a", ""]}},
        ToolCall("f", {"x": expect.one_of("a", "")}).under(ArgumentRule(defaults={("x",): ""})),
    ),
    "a number that may be absent": (
        {"f": {"x": ["", 5]}},
        ToolCall("f", {"x": 5}).under(ArgumentRule(defaults={("x",): 5})),
    ),
    "one that must be absent": (
        {"f": {"x": [""]}},
        ToolCall("f", {"x": ""}).under(ArgumentRule(defaults={("x",): ""})),
    ),
    "an object": (
        {"f": {"x": [{"a": [1], "b": ["p", "q"], "c": "literal"}]}},
        ToolCall("f", {"x": {"a": 1, "b": expect.one_of("p", "q"), "c": "literal"}}),
    ),
    "a key that may be absent": (
        {"f": {"x": [{"a": [1], "b": ["p", ""]}]}},
        ToolCall("f", {"x": {"a": 1, "b": expect.one_of("p", "")}}).under(ArgumentRule(defaults={("x", "b"): ""})),
    ),
    "an object that may be absent": (
        {"f": {"x": ["", {"a": [1, 2], "b": 3}]}},
        ToolCall("f", {"x": {"a": expect.one_of(1, 2), "b": 3}}).under(
            ArgumentRule(defaults={("x",): {"a": 1, "b": 3}})
        ),
    ),
    "what is deeper stands as it is": ({"f": {"x": [{"a": [{"b": [1]}]}]}}, ToolCall("f", {"x": {"a": {"b": [1]}}})),
    "objects": (
        {"f": {"x": [{"a": [1]}, {"a": [2, 3]}]}},
        ToolCall("f", {"x": expect.one_of({"a": 1}, {"a": expect.one_of(2, 3)})}),
    ),
    "a list of objects": (
        {"f": {"x": [[{"a": [1], "b": ["", "y"]}, {"a": [2]}]]}},
        ToolCall("f", {"x": [{"a": 1, "b": expect.one_of("y", "")}, {"a": 2}]}).under(
            ArgumentRule(defaults={("x", "0", "b"): ""})
        ),
    ),
    "a key with a dollar": (
        {"f": {"x": [{"$gt": [1]}, {"$gt": [2]}], "$y": [1]}},
        ToolCall("f", {"x": expect.one_of({"$$gt": 1}, {"$$gt": 2}), "$$y": 1}),
    ),
    "Python": ("f(x=1, y=['a', {'b': None}])", ToolCall("f", {"x": 1, "y": ["a", {"b": None}]})),
    "Python in a list": ("[f(x=1)]", ToolCall("f", {"x": 1})),
    "Python with a dotted name": ("a.b.f(x=-1.5)", ToolCall("a.b.f", {"x": -1.5})),
    "Python without names": ("sort('a', reverse=True)", ToolCall("sort", {"file": "a", "reverse": True})),
}


@pytest.mark.parametrize(("written", "made"), ANSWERS.values(), ids=ANSWERS)
def test_a_possible_answer_is_an_expected_call(written, made):
    before = copy.deepcopy(written)
    assert expected(answer(written), parameters=NAMES) == expected([written], parameters=NAMES) == [made]
    assert written == before


TAKEN = {
    "an allowed value": ({"f": {"x": ["a", "b"]}}, {"x": "b"}, True),
    "another value": ({"f": {"x": ["a", "b"]}}, {"x": "c"}, False),
    "an argument that is not listed": ({"f": {"x": ["a"]}}, {"x": "a", "y": 1}, False),
    "an argument that is missing": ({"f": {"x": ["a"]}}, {}, False),
    "one that may be absent": ({"f": {"x": ["a", ""]}}, {}, True),
    "one that may be absent, as an empty text": ({"f": {"x": ["a", ""]}}, {"x": ""}, True),
    "a number that may be absent": ({"f": {"x": [5, ""]}}, {}, True),
    "a number as an empty text": ({"f": {"x": [5, ""]}}, {"x": ""}, False),
    "one that may be absent, with another value": ({"f": {"x": [5, ""]}}, {"x": 6}, False),
    "null in place of nothing": ({"f": {"x": [5, ""]}}, {"x": None}, False),
    "one that must be absent": ({"f": {"x": [""]}}, {"x": "a"}, False),
    "an integer for a float": ({"f": {"x": [5.0]}}, {"x": 5}, True),
    "an object without what may be absent": ({"f": {"x": [{"a": [1], "b": ["", True]}]}}, {"x": {"a": 1}}, True),
    "an object with too much": ({"f": {"x": [{"a": [1]}]}}, {"x": {"a": 1, "b": 2}}, False),
    "an object that is absent": ({"f": {"x": ["", {"a": [1], "b": [""]}]}}, {}, True),
    "a list of objects": ({"f": {"x": [[{"a": [1], "b": ["", "y"]}]]}}, {"x": [{"a": 1}]}, True),
    "a list of too many": ({"f": {"x": [[{"a": [1]}]]}}, {"x": [{"a": 1}, {"a": 1}]}, False),
}


@pytest.mark.parametrize(("written", "arguments", "passes"), TAKEN.values(), ids=TAKEN)
def test_what_is_allowed_passes(written, arguments, passes):
    assert match([call("f", arguments)], expected([written])).passed is passes


def test_parallel_calls_may_come_in_any_order():
    wanted = expected(answer({"f": {"x": [1, 2]}}, {"f": {"x": [1]}}))
    assert match([call("f", x=1), call("f", x=2)], wanted, mode="unordered")
    assert not match([call("f", x=2), call("f", x=2)], wanted, mode="unordered")


@pytest.mark.parametrize("name", ANSWERS)
def test_expected_calls_have_a_data_form(name):
    wanted = seq(*expected([ANSWERS[name][0]], parameters=NAMES))
    assert to_expectation(wanted.to_data()) == wanted


NO_ANSWERS = {
    "a text": ("Michael", "possible answers are an entry with a list under 'ground_truth', got 'Michael'"),
    "nothing": (None, "possible answers are an entry with a list"),
    "a fact": (["Michael"], "answer 0: 'Michael' is no call as Python"),
    "turns": ([["f()"]], "these are calls for several turns; write expected_turns"),
    "two tools in one": ([{"f": {}, "g": {}}], "answer 0: neither an object of one tool nor a call"),
    "a number": ([{"f": {}}, 7], "answer 1: neither an object of one tool nor a call as Python, got 7"),
    "no object of arguments": ([{"f": [1]}], r"answer 0: a tool has an object of arguments, got 'f': \[1\]"),
    "no name": ([{"": {}}], "answer 0: a tool has an object of arguments, got ''"),
    "no list of values": ([{"f": {"x": 1}}], "answer 0: x allows no value, got 1"),
    "no value": ([{"f": {"x": []}}], r"answer 0: x allows no value, got \[\]"),
    "no value inside": ([{"f": {"x": [{"y": []}]}}], r"answer 0: x.y allows no value, got \[\]"),
    "absent in one of several": (
        [{"f": {"x": [{"y": [1, ""]}, {"z": [1]}]}}],
        "answer 0: x.y may be absent in one of several values",
    ),
    "an argument without a name": (["f(1)"], r"arguments without a name; write parameters=\{'f': "),
    "too many without a name": (["sort(1, 2, 3)"], "arguments without a name"),
    "one argument twice": (["sort(1, file=2)"], "arguments without a name"),
    "a variable": (["f(x=y)"], r"answer 0: 'f\(x=y\)' is no call as Python"),
    "words in a dict": (["f(**x)"], "is no call as Python"),
    "a call of a call": (["f()()"], "is no call as Python"),
    "an operation": (["1 + 1"], "is no call as Python"),
    "a broken text": (["f(x='Today's')"], "is no call as Python"),
    "a key that cannot be one": (["f(x={[]: 1})"], "is no call as Python"),
    "a text without end": (["f(" * 9_000], "is no call as Python"),
}


@pytest.mark.parametrize(("written", "text"), NO_ANSWERS.values(), ids=NO_ANSWERS)
def test_what_is_no_possible_answer_is_refused(written, text):
    with pytest.raises(ConversionError, match=text):
        expected(written, parameters=NAMES)


def test_calls_of_several_turns():
    turns = expected_turns(answer(["f(x=1)", "sort('a')"], []), parameters=NAMES)
    assert turns == [[ToolCall("f", {"x": 1}), ToolCall("sort", {"file": "a"})], []]


def test_a_turn_is_a_list():
    with pytest.raises(ConversionError, match=r"turn 1: a list of calls is needed, got 'f\(\)'"):
        expected_turns(answer(["f()"], "f()"))


def test_an_error_names_the_turn():
    with pytest.raises(ConversionError, match="turn 1, call 0: 'x' is no call as Python"):
        expected_turns(answer(["f()"], ["x"]))


RESULTS = {
    "objects": ([{"f": '{"x": 1}'}, {"g": "{}"}], [("f", {"x": 1}), ("g", {})], ["user", "assistant"], set()),
    "arguments as an object": ([{"f": {"x": 1}}], [("f", {"x": 1})], ["user", "assistant"], set()),
    "one object": ({"f": "{}"}, [("f", {})], ["user", "assistant"], set()),
    "no calls": ([], [], ["user", "assistant"], set()),
    "Python": ("[f(x=1), g()]", [("f", {"x": 1}), ("g", {})], ["user", "assistant"], set()),
    "Python without names": ("sort('a')", [("sort", {"file": "a"})], ["user", "assistant"], set()),
    "words": ("I cannot.", [], ["user", "assistant"], set()),
    "words with a call": ("Let me call f(x=1).", [], ["user", "assistant"], {NO_PYTHON}),
    "turns": (
        [[[{"f": "{}"}], "Done."], ["[g()]", [{"h": "{}"}]]],
        [("f", {}), ("g", {}), ("h", {})],
        ["user", "assistant", "assistant", "user", "assistant", "assistant"],
        set(),
    ),
}


@pytest.mark.parametrize(("result", "calls", "roles", "notes"), RESULTS.values(), ids=RESULTS)
def test_a_result_is_read(result, calls, roles, notes):
    run = to_trajectory(entry(result), format="bfcl", parameters=NAMES)
    assert [(made.name, made.arguments) for made in run.calls] == calls
    assert [message.role for message in run.messages] == roles
    assert {*run.notes} == notes | {NO_RESULTS}
    assert {made.status for made in run.calls} <= {None}


def test_a_result_is_recognised():
    result = match(entry([{"f": '{"x": 2}'}]), expected(answer({"f": {"x": [1, 2]}})))
    assert result.passed


def test_turns_are_matched_one_by_one():
    run = entry([[[{"cd": '{"folder": "a"}'}]], ["[ls()]", "Done."]])
    assert match(run, expected_turns(answer(["cd(folder='a')"], ["ls()"])), per_turn=True)


def test_what_has_no_name_stays_text():
    (made,) = to_trajectory(entry("f(1, x=2)")).calls
    assert (made.arguments, made.raw_arguments) == (None, "f(1, x=2)")


REFUSED = {
    "possible answers": (
        answer({"f": {}}),
        "message 0: possible answers, which say what to expect; write bfcl.expected",
    ),
    "two results": ([entry([]), entry([])], "message 1: a result beside others; match each on its own"),
    "a number": (entry([[1]]), "message 0: a response that is no call, 1"),
    "calls that are none": (entry([{"f": "{}"}, 7]), "message 0: a response that is no call"),
    "a call without a name": (entry([{"": "{}"}]), "message 0: a call without the name of its tool"),
    "nothing": (entry(None), "message 0: a response that is no call, None"),
}


@pytest.mark.parametrize(("history", "text"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_lost_is_refused(history, text):
    with pytest.raises(ConversionError, match=text):
        to_trajectory(history)


def test_possible_answers_as_expectation_say_what_to_write():
    with pytest.raises(ConversionError, match="expected: message 0: possible answers"):
        match([call("f")], answer({"f": {}}))


OTHERS = {
    "a result alone": {"id": "1", "result": []},
    "a measured message": {"role": "user", "content": "x", "latency": 1},
    "one true answer": {"question": "?", "ground_truth": "Rome"},
    "milestones": {"ground_truth": [{}], "mile_stone": []},
    "a message": {"role": "user", "content": "Hi"},
    "nothing": None,
}


@pytest.mark.parametrize("item", OTHERS.values(), ids=OTHERS)
def test_messages_of_others_are_none(item):
    assert classify(item) == "no"


STORED = [json.dumps(entry(result)) for result, *_ in RESULTS.values()]


@given(stored=st.sampled_from(STORED), data=st.data())
def test_a_broken_history_is_read_or_refused(stored, data):
    history = broken(data, stored)
    assert stands(history, format="bfcl")
    assert stands(history)


@given(written=st.sampled_from([json.dumps(answer(written)) for written, _ in ANSWERS.values()]), data=st.data())
def test_broken_answers_are_read_or_refused(written, data):
    given = broken(data, written)
    before = copy.deepcopy(given)
    try:
        assert to_expectation(expected(given, parameters=NAMES))
    except ConversionError as error:
        assert str(error).startswith(("answer", "possible answers", "these are calls"))
    assert given == before

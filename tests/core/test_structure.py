"""Structures as values: how they are built, written as data, shown, and refused."""

import json
import pickle
import re

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator
from pydantic import BaseModel, TypeAdapter, ValidationError

from tests.strategies import STRUCTURES
from trajmatch import (
    ConversionError,
    Structure,
    ToolCall,
    any_of,
    any_order,
    batched,
    call,
    expect,
    forbidden,
    one_of,
    optional,
    plan,
    repeat,
    seq,
    step,
    to_expectation,
)
from trajmatch._elements import read_structure, refuse_misspelt
from trajmatch._structure import KINDS

ADAPTER = TypeAdapter(Structure)
SCHEMA = Draft202012Validator(ADAPTER.json_schema())
PAY = {"name": "pay", "arguments": {"amount": {"$lte": 10}}, "rule": "subset"}
FORMS = {
    "seq": (seq("a", "b"), {"seq": ["a", "b"]}, "seq('a', 'b')"),
    "nothing": (seq(), {"seq": []}, "seq()"),
    "any_order": (any_order("a", call("b")), {"any_order": ["a", {"name": "b", "arguments": {}}]}, None),
    "optional": (optional("a"), {"optional": "a"}, "optional('a')"),
    "one_of": (one_of("a", seq("b")), {"one_of": ["a", {"seq": ["b"]}]}, "one_of('a', seq('b'))"),
    "repeat": (repeat("a"), {"repeat": "a", "min": 1, "max": None}, "repeat('a', min=1, max=None)"),
    "repeat, bounds": (repeat("a", 0, 3), {"repeat": "a", "min": 0, "max": 3}, "repeat('a', min=0, max=3)"),
    "forbidden": (forbidden("a"), {"forbidden": "a"}, "forbidden('a')"),
    "forbidden, with arguments": (
        forbidden(call("a", x=1)),
        {"forbidden": {"name": "a", "arguments": {"x": 1}, "rule": "superset"}},
        None,
    ),
    "batched": (batched("a", "b"), {"batched": ["a", "b"]}, "batched('a', 'b')"),
    "plan": (
        plan(step("one", "a"), step("two", seq("b"), after=["one"]), step("three", "c", after=("one", "two"))),
        {
            "plan": [
                {"step": "one", "call": "a", "after": []},
                {"step": "two", "call": {"seq": ["b"]}, "after": ["one"]},
                {"step": "three", "call": "c", "after": ["one", "two"]},
            ]
        },
        "plan(step('one', 'a'), step('two', seq('b'), after=['one']), step('three', 'c', after=['one', 'two']))",
    ),
    "no steps": (plan(), {"plan": []}, "plan()"),
    "own rules and operators": (
        any_order(call("pay", amount=expect.lte(10)).under("subset")),
        {"any_order": [PAY]},
        None,
    ),
    "deep": (
        seq("a", repeat(any_order("b", optional(one_of("c", batched("d", "e")))), 1, 2), forbidden("f")),
        {
            "seq": [
                "a",
                {
                    "repeat": {"any_order": ["b", {"optional": {"one_of": ["c", {"batched": ["d", "e"]}]}}]},
                    "min": 1,
                    "max": 2,
                },
                {"forbidden": "f"},
            ]
        },
        "seq('a', repeat(any_order('b', optional(one_of('c', batched('d', 'e')))), min=1, max=2), forbidden('f'))",
    ),
}
SHORT = {
    "repeat without bounds": ({"repeat": "a"}, repeat("a")),
    "repeat with one bound": ({"max": 2, "repeat": "a"}, repeat("a", max=2)),
    "steps without after": ({"plan": [{"step": "x", "call": "a"}]}, plan(step("x", "a"))),
    "after one step": (
        {"plan": [{"step": "x", "call": "a"}, {"step": "y", "call": "b", "after": "x"}]},
        plan(step("x", "a"), step("y", "b", after="x")),
    ),
    "a call of the wire": (
        {"seq": [{"type": "function", "function": {"name": "a", "arguments": "{}"}}]},
        seq(call("a")),
    ),
    "a tuple": ({"seq": ("a", "b")}, seq("a", "b")),
    "parts as data": (seq({"optional": "a"}, {"name": "b"}), seq(optional("a"), "b")),
}


@pytest.mark.parametrize(("made", "data", "text"), FORMS.values(), ids=FORMS)
def test_a_structure_and_its_data_are_the_same(made, data, text):
    assert made.to_data() == data
    assert to_expectation(data) == made == ADAPTER.validate_python(data) == ADAPTER.validate_json(json.dumps(data))
    assert ADAPTER.dump_python(made) == json.loads(ADAPTER.dump_json(made)) == data
    assert [*SCHEMA.iter_errors(data)] == []
    assert repr(to_expectation(data)) == repr(made) == (text or repr(made))


@pytest.mark.parametrize(("written", "made"), SHORT.values(), ids=SHORT)
def test_a_structure_may_be_written_shorter(written, made):
    assert to_expectation(written) == made


def evaluated(text):
    words = [any_order, batched, forbidden, one_of, optional, plan, repeat, seq, step, ToolCall]
    return eval(text, {word.__name__: word for word in words})


@given(STRUCTURES)
def test_every_structure_reads_as_it_was_written(made):
    assert to_expectation(made.to_data()) == evaluated(repr(made)) == pickle.loads(pickle.dumps(made)) == made
    assert SCHEMA.is_valid(made.to_data())


def test_all_kinds_are_tried_and_described():
    assert {made.kind for made, _, _ in FORMS.values()} == {*KINDS}
    described = {key for form in ADAPTER.json_schema()["$defs"].values() for key in form.get("properties", ())}
    assert {*KINDS} <= described


def test_a_field_of_a_model_holds_a_structure():
    class Task(BaseModel):
        expected: Structure

    task = Task.model_validate({"expected": {"seq": ["a", {"optional": "b"}]}})
    assert task.expected == Task(expected=seq("a", optional("b"))).expected
    assert Task.model_validate_json(task.model_dump_json()) == task
    with pytest.raises(ValidationError, match="did you mean 'optional'"):
        Task.model_validate({"expected": {"seq": [{"optinal": "b"}]}})


def test_structures_are_values():
    assert seq("a", "b") == seq(ToolCall("a"), {"name": "b"})
    assert seq("a") != any_order("a")
    assert repeat("a", 1, 2) != repeat("a", 1, 3)
    assert plan(step("x", "a")) != plan(step("y", "a"))


STATES = {
    "a state of a graph": {"messages": [{"role": "user", "content": "Go."}], "plan": ["a"]},
    "a message": [{"role": "user", "content": "Go.", "plan": ["a"]}],
}


@pytest.mark.parametrize("history", STATES.values(), ids=STATES)
def test_a_history_that_holds_such_a_key_is_no_structure(history):
    assert to_expectation(history).messages[0].content == "Go."


# --- what is refused --------------------------------------------------------------------------------


def deep(levels):
    data = "a"
    for _ in range(levels):
        data = {"seq": [data]}
    return data


def itself(kind):
    parts = []
    parts.append({kind: parts})
    return parts[0]


def steps(*named):
    return {"plan": [{"step": name, "call": "a", "after": [*after]} for name, *after in named]}


ALIKE = {
    "one_of nothing": ({"one_of": []}, "one_of: there is nothing to choose from"),
    "batched alone": ({"batched": ["a"]}, "batched: at least two calls, got 1"),
    "batched structures": ({"batched": ["a", {"seq": ["b"]}]}, "batched: it holds calls alone, got seq('b')"),
    "forbidden structure": ({"forbidden": {"seq": ["b"]}}, "forbidden: it holds calls alone, got seq('b')"),
    "optional forbidden": (
        {"optional": {"forbidden": "a"}},
        "write it beside, as in seq(optional(...), forbidden(...)), got",
    ),
    "one_of forbidden": ({"one_of": ["b", {"forbidden": "a"}]}, "one_of: what is forbidden is so in any case"),
    "repeated forbidden": ({"repeat": {"forbidden": "a"}}, "repeat: what is forbidden is so in any case"),
    "a forbidden step": ({"plan": [{"step": "x", "call": {"forbidden": "a"}}]}, "plan: what is forbidden"),
    "repeat never": (
        {"repeat": "a", "min": 0, "max": 0},
        "repeat: max is at least 1 and not below min, got min=0 and max=0",
    ),
    "repeat less than none": ({"repeat": "a", "min": -1}, "repeat: min is a number from 0, got -1"),
    "repeat true": ({"repeat": "a", "max": True}, "repeat: max is a number from 0, got True"),
    "repeat a text": ({"repeat": "a", "min": "1"}, "repeat: min is a number from 0, got '1'"),
    "repeat from none": ({"repeat": "a", "min": None}, "repeat: min is a number from 0, got None"),
    "a step of no name": (steps(("",)), "plan: the name of a step is text, got ''"),
    "a step of a number": (steps((1,)), "plan: the name of a step is text, got 1"),
    "after a number": (steps(("x", 1)), "plan: the name of a step is text, got 1"),
    "an empty name": ({"seq": [""]}, "seq[0]: "),
    "a number": ({"seq": ["a", 1]}, "seq[1]: "),
    "a key of a call": ({"seq": [{"name": "a", "argumens": {}}]}, "did you mean 'arguments'"),
    "a place inside": ({"seq": ["a", {"any_order": ["b", {"name": ""}]}]}, "seq[1]: any_order[1]: "),
}
NOT_IN_THE_SCHEMA = {
    "repeat the other way round": (
        {"repeat": "a", "min": 3, "max": 2},
        "max is at least 1 and not below min, got min=3 and max=2",
    ),
    "two steps of one name": (steps(("x",), ("x",)), "plan: two steps have the name 'x'"),
    "an unknown step": (
        steps(("search",), ("x", "serch")),
        "step 'x' comes after 'serch', which is no step; did you mean 'search'",
    ),
    "a circle": (
        steps(("w",), ("x", "y", "w"), ("y", "z"), ("z", "x")),
        "plan: these steps wait for each other: 'x', 'y', 'z'",
    ),
    "a step after itself": (steps(("x", "x")), "plan: these steps wait for each other: 'x'"),
    "a step inside": ({"plan": [{"step": "x", "call": {"seq": [{"one_of": []}]}}]}, "plan: step 'x': seq[0]: one_of: "),
    "too deep": (deep(60), "seq: structures are nested at most 50 deep"),
    "much too deep": (deep(5_000), "seq[0]: "),
}
DATA_ALONE = {
    "no list": ({"seq": "a"}, "seq: a list is needed, got 'a'"),
    "no steps": ({"plan": {"a": "b"}}, "plan: a list is needed, got {'a': 'b'}"),
    "a bare step": ({"plan": ["a"]}, "plan[0]: a step is an object with 'step' and 'call', got 'a'"),
    "half a step": ({"plan": [{"step": "a"}]}, "plan[0]: a step is an object with 'step' and 'call'"),
    "a step with more": (
        {"plan": [{"step": "a", "call": "b", "aftr": []}]},
        "plan[0]: 'aftr' is no key of a step; did you mean 'after'",
    ),
    "after nothing": ({"plan": [{"step": "a", "call": "b", "after": None}]}, "plan[0]: 'after' is a list of names"),
    "after an object": ({"plan": [{"step": "a", "call": "b", "after": {}}]}, "plan[0]: 'after' is a list of names"),
    "two kinds": ({"seq": [], "any_order": []}, "a structure is an object with one of 'seq', 'any_order'"),
    "a key beside": ({"seq": [], "min": 1}, "seq: 'min' cannot stand beside it"),
    "a bound misspelt": ({"repeat": "a", "mn": 1}, "repeat: 'mn' cannot stand beside it; did you mean 'min'"),
    "a kind misspelt": ({"sequ": ["a"]}, "'sequ' is no structure; did you mean 'seq'"),
    "a kind misspelt, inside": ({"seq": [{"one_off": ["a"]}]}, "seq[0]: 'one_off' is no structure; did you mean"),
    "any_of inside": ({"seq": [{"any_off": ["a"]}]}, "did you mean 'any_of'"),
}


@pytest.mark.parametrize(("data", "text"), (ALIKE | DATA_ALONE).values(), ids=ALIKE | DATA_ALONE)
def test_what_the_reader_refuses_the_schema_refuses(data, text):
    with pytest.raises(ConversionError, match=re.escape(text)):
        to_expectation(data)
    with pytest.raises(ValidationError):
        ADAPTER.validate_python(data)
    assert not SCHEMA.is_valid(data)


@pytest.mark.parametrize(("data", "text"), NOT_IN_THE_SCHEMA.values(), ids=NOT_IN_THE_SCHEMA)
def test_what_no_schema_can_say_the_reader_says(data, text):
    with pytest.raises(ConversionError, match=re.escape(text)):
        to_expectation(data)
    with pytest.raises(ValidationError):
        ADAPTER.validate_python(data)


def deep_in_python(levels):
    made = seq("a")
    for _ in range(levels):
        made = plan(step("x", made))
    return made


BUILT = {
    "one_of nothing": (one_of, "one_of: there is nothing to choose from"),
    "batched alone": (lambda: batched("a"), "at least two calls, got 1"),
    "batched nothing": (batched, "at least two calls, got 0"),
    "a call inside": (lambda: seq("a", {"name": "b", "argumens": 1}), "seq[1]: "),
    "no step": (lambda: plan("a"), "plan: it holds steps alone, step(name, call, after=[...]), got 'a'"),
    "a tuple": (lambda: plan(("x", "a")), "plan: it holds steps alone"),
    "after a number": (lambda: plan(step("x", "a", after=1)), "plan: step 'x' comes after a list of names, got 1"),
    "too deep": (lambda: deep_in_python(60), "plan: structures are nested at most 50 deep"),
    "data that holds itself": (lambda: seq(itself("seq")), "seq[0]: "),
    "any_of that holds itself": (lambda: any_of(itself("any_of")), "it is nested too deep, or holds itself"),
    "any_of nothing": (any_of, "any_of: there is nothing to choose from"),
}


@pytest.mark.parametrize(("build", "text"), BUILT.values(), ids=BUILT)
def test_a_structure_that_cannot_be_fails_when_it_is_built(build, text):
    with pytest.raises(ConversionError, match=re.escape(text)):
        build()


def test_50_levels_are_fine():
    assert to_expectation(deep(50)).to_data() == deep(50)


@pytest.mark.parametrize("given", [[seq("a")], ["a", {"optional": "b"}]], ids=["made", "data"])
def test_a_list_with_structures_is_told_how_it_is_written(given):
    with pytest.raises(ConversionError, match=re.escape("write seq(...) or {'seq': [...]}")):
        to_expectation(given)


def test_an_error_that_goes_deep_stays_short():
    with pytest.raises(ConversionError) as raised:
        to_expectation(deep(5_000))
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (seq("a"), True),
        ({"seq": []}, True),
        ({"name": "seq"}, False),
        ({"plan": [], "output": "a"}, False),
        ("a", False),
    ],
    ids=repr,
)
def test_what_is_a_structure_can_be_asked(given, written):
    assert Structure.is_written(given) is written


class Unshowable:
    def __repr__(self):
        raise ValueError


def test_what_cannot_be_shown_is_refused_all_the_same():
    odd = Unshowable()
    for make in (
        lambda: repeat("a", odd),
        lambda: repeat("a", 10**5000, 5),
        lambda: plan(step(odd, "a")),
        lambda: plan(step("a", "x", after=[odd])),
        lambda: read_structure({"repeat": "a", odd: 1}),
        lambda: refuse_misspelt({"repet": 1}),
    ):
        with pytest.raises(ConversionError):
            make()
    assert "max=None" in repr(repeat("a", 10**5000))

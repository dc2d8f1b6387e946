"""Expected calls and rules as data: what pydantic takes and writes, and the JSON Schema that it publishes."""

import json
import re
from datetime import date
from decimal import Decimal
from unittest.mock import ANY

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import BaseModel, TypeAdapter, ValidationError

from tests.names import unplaced
from trajmatch import (
    ArgumentRule,
    ArgumentRuleData,
    ArgumentsRule,
    ConversionError,
    ExpectedCall,
    OptionError,
    ToolCall,
    Trajectory,
    TrajmatchError,
    call,
    expect,
    match,
    to_expectation,
)
from trajmatch._argument_rule import read_rule
from trajmatch._data_form import _OPERANDS
from trajmatch._operators import OPERATORS
from trajmatch._rules import parse_rule

CALLS = TypeAdapter(list[ExpectedCall])
RULE = TypeAdapter(ArgumentsRule)
CALL_SCHEMA, RULE_SCHEMA = (Draft202012Validator(adapter.json_schema()) for adapter in (CALLS, RULE))


class Expectation(BaseModel):
    expected: list[ExpectedCall]
    args: ArgumentsRule = "exact"
    rule: ArgumentRule | None = None


def f(value):
    return [{"name": "f", "arguments": {"x": value}}]


RIGHT = {
    "a bare name": ["f"],
    "nothing": [],
    "open arguments": [{"name": "f", "arguments": None}],
    "no arguments": [{"name": "f", "args": {}}],
    "arguments as text": [{"name": "f", "arguments": '{"x": 1}'}],
    "arguments that are no object": [{"name": "f", "raw_arguments": "[1"}],
    "every field": [{"name": "f", "arguments": {}, "id": "1", "kind": "native", "status": "failed", "result": [1]}],
    "a wire form": [{"type": "function", "id": "1", "function": {"name": "f", "arguments": "{}"}}],
    "a wire form of text": [{"type": "custom", "id": "1", "custom": {"name": "f", "input": "x"}}],
    "a wire form with an index": [{"index": 0, "function": {"name": "f", "args": {}}}],
    "an id that is a number": [{"name": "f", "id": 5}],
    "fields of null": [{"name": "f", "id": None, "kind": None, "status": None, "rule": None}],
    "a rule by its name": [{"name": "f", "rule": "superset"}],
    "a rule of paths": [{"name": "f", "rule": ["a.b", ["c", 0]]}],
    "a rule of options": [{"name": "f", "rule": {"mode": "subset", "deep": True, "tolerance": {"rel": 0.1}}}],
    "any": f({"$any": True}),
    "regex": f({"$regex": "a+"}),
    "approx": f({"$approx": 1}),
    "approx, with more": f({"$approx": 1.5, "abs": 0, "rel": 0.1}),
    "one of": f({"$one_of": [1, {"$gt": 3}]}),
    "a type": f({"$type": "integer"}),
    "types": f({"$type": ["integer", "null"]}),
    "contains": f({"$contains": {"a": [None]}}),
    "starts with": f({"$starts_with": "a"}),
    "gt": f({"$gt": 1}),
    "gte": f({"$gte": "a"}),
    "lt": f({"$lt": 1.5}),
    "lte": f({"$lte": 0}),
    "not": f({"$not": None}),
    "all": f({"$all": [{"$gt": 1}, {"$not": {"$one_of": [2]}}]}),
    "an operator inside": f([{"a": {"$any": True}}]),
    "a key with a dollar": f({"$$any": 3, "": 1, "a$": 2}),
    "a top key with a dollar": [{"name": "f", "arguments": {"$$x": 1}}],
}
WRONG = {
    "no list": {"name": "f"},
    "an empty name": [""],
    "no name": [{"arguments": {}}],
    "a name that is no text": [{"name": 1}],
    "a key that is none": [{"name": "f", "argumens": {}}],
    "a kind that is none": [{"function": {"name": "f"}, "kind": "tool"}],
    "a custom tool without a name": [{"custom": {"input": "x"}}],
    "a status that is none": [{"name": "f", "status": "fine"}],
    "a rule that is none": [{"name": "f", "rule": "exat"}],
    "an option that is none": [{"name": "f", "rule": {"ignored": ["a"]}}],
    "a mode that is none": [{"name": "f", "rule": {"mode": "ignore"}}],
    "no paths": [{"name": "f", "rule": []}],
    "a tolerance below 0": [{"name": "f", "rule": {"tolerance": -1}}],
    "an operator for all arguments": [{"name": "f", "arguments": {"$any": True}}],
    "an operator that is none": f({"$gtee": 1}),
    "an operator that is none, inside": f({"$not": [{"$is": 1}]}),
    "two operators": f({"$gt": 1, "$lt": 3}),
    "a key beside": f({"$gt": 1, "abs": 3}),
    "any, with false": f({"$any": False}),
    "a pattern that is no text": f({"$regex": 1}),
    "approx a text": f({"$approx": "1"}),
    "approx true": f({"$approx": True}),
    "a tolerance of approx below 0": f({"$approx": 1, "abs": -1}),
    "one of none": f({"$one_of": []}),
    "one of a text": f({"$one_of": "ab"}),
    "a type that is none": f({"$type": "int"}),
    "no types": f({"$type": []}),
    "starts with a number": f({"$starts_with": 1}),
    "more than null": f({"$gt": None}),
    "more than true": f({"$gt": True}),
    "all of none": f({"$all": []}),
}


@pytest.mark.parametrize("written", RIGHT.values(), ids=RIGHT)
def test_what_the_readers_take_the_schema_allows(written):
    calls = CALLS.validate_python(written)
    assert tuple(calls) == to_expectation(written).calls
    assert CALLS.validate_json(json.dumps(written)) == calls
    assert [*CALL_SCHEMA.iter_errors(written)] == []


@pytest.mark.parametrize("written", WRONG.values(), ids=WRONG)
def test_what_the_readers_refuse_the_schema_refuses(written):
    with pytest.raises(ConversionError):
        to_expectation(written)
    with pytest.raises(ValidationError):
        CALLS.validate_python(written)
    assert [*CALL_SCHEMA.iter_errors(written)] != []


LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["a", "$gt", "integer", 0.5]))
KEYS = st.sampled_from([*OPERATORS, "$$x", "x", "abs", "rel", "$is", "$"])
VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=2)), max_leaves=6
)


@given(VALUES)
def test_the_schema_and_the_reader_of_operators_agree(value):
    written = f(value)
    try:
        to_expectation(written)
    except ConversionError:
        assert not CALL_SCHEMA.is_valid(written)
    else:
        assert CALL_SCHEMA.is_valid(written)


@pytest.mark.parametrize("rule", ["exact", "ignore", ["a.b"], [["a.b", 0]], {"mode": "superset", "only": ["a.*"]}, {}])
def test_a_rule_is_taken_and_written_as_data(rule):
    assert RULE.dump_python(RULE.validate_python(rule), mode="json") == rule
    assert RULE_SCHEMA.is_valid(rule)


DEFAULTS = {
    "a key with a dot": ({("a.b",): 1}, [[["a.b"], 1]]),
    "a key with a dot, and another": ({("a.b",): 1, "c": 2}, [[["a.b"], 1], ["c", 2]]),
    "pairs that are not needed": ([("a.b", 1)], {"a.b": 1}),
    "bytes": ({"a": b"x"}, {"a": "x"}),
    "a date": ({"a": [date(2024, 1, 2)]}, {"a": ["2024-01-02"]}),
    "a tuple": ({"a": (1, 2)}, {"a": [1, 2]}),
}


@pytest.mark.parametrize(("defaults", "data"), DEFAULTS.values(), ids=DEFAULTS)
def test_defaults_are_written_as_data_of_the_same_meaning(defaults, data):
    rule = ArgumentRule(defaults=defaults)
    written = json.loads(RULE.dump_json(rule))
    assert written == {"defaults": data}
    assert RULE_SCHEMA.is_valid(written)
    again = parse_rule(RULE.validate_python(written), "args")
    assert again.written == rule
    assert again.text == repr(rule)


@pytest.mark.parametrize(
    "value", [{1, 2}, float("nan"), float("-inf"), ANY, Decimal("0.12345678901234567890")], ids=repr
)
def test_a_default_that_no_text_holds_is_not_written(value):
    with pytest.raises(ValueError, match=f"{re.escape(repr(value))} has no data form"):
        RULE.dump_json(ArgumentRule(defaults={"a": [value]}))


def test_a_rule_of_one_call_is_stored_as_it_is_or_not_at_all():
    stored = Trajectory(calls=[call("f").under({"defaults": {"a": float("nan")}})])
    assert Trajectory.from_json(stored.to_json()) == stored
    with pytest.raises(ConversionError, match="has no data form"):
        Trajectory(calls=[call("f").under({"defaults": {"a": {1, 2}}})]).to_json()


@pytest.mark.parametrize("rule", ["exat", [], [[]], {"ignored": []}, {"unordered": 1}, None, 3])
def test_a_wrong_rule_is_refused(rule):
    with pytest.raises(ValidationError):
        RULE.validate_python(rule)
    assert not RULE_SCHEMA.is_valid(rule)


def test_the_schema_names_every_operator_and_every_option():
    definitions = CALLS.json_schema()["$defs"]
    assert [*_OPERANDS] == [*OPERATORS]
    assert {f"${name}" for name in definitions} >= {*OPERATORS}
    assert [*definitions["ArgumentRule"]["properties"]] == [*ArgumentRuleData.__annotations__]


def test_a_model_holds_expectations():
    written = {
        "expected": ["search", {"name": "pay", "arguments": {"amount": {"$lte": 10}}, "rule": {"ignore": ["id"]}}],
        "args": {"mode": "superset"},
        "rule": {"tolerance": 1},
    }
    model = Expectation.model_validate(written)
    assert match([call("search"), call("pay", amount=9, id=3)], model.expected, args=model.args).passed
    assert model.rule == ArgumentRule(tolerance=1)
    assert json.loads(model.model_dump_json()) == model.model_dump(mode="json") == written
    assert Draft202012Validator(Expectation.model_json_schema()).is_valid(written)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ({"expected": [{"name": "b", "argumens": {}}]}, "did you mean 'arguments'"),
        ({"expected": f({"$gtee": 5})}, "no operator '$gtee'; did you mean '$gte'"),
        ({"expected": [], "args": "exat"}, "'exat' is no rule; did you mean 'exact'"),
        ({"expected": [], "rule": {"ignor": ["a"]}}, "no option 'ignor'; did you mean 'ignore'"),
        ({"expected": [], "rule": 3}, "an ArgumentRule, or an object of its options, got 3"),
    ],
)
def test_pydantic_says_what_the_readers_say(written, text):
    with pytest.raises(ValidationError, match=re.escape(text)):
        Expectation.model_validate(written)


AS_DATA = {
    "a name": (ToolCall("f"), "f"),
    "no arguments": (call("f"), {"name": "f", "arguments": {}}),
    "text that is no object": (ToolCall("f", "[1"), {"name": "f", "raw_arguments": "[1"}),
    "text": (ToolCall("f", '{"x": 1}'), {"name": "f", "arguments": {"x": 1}}),
    "a kind": (ToolCall("f", kind="output"), {"name": "f", "kind": "output"}),
    "a date": (call("f", x=date(2024, 1, 2)), f("2024-01-02")[0]),
    "operators": (
        call("f", x=expect.one_of(1, [expect.gt(2), expect.approx(1, abs=2)])),
        f({"$one_of": [1, [{"$gt": 2}, {"$approx": 1, "abs": 2}]]})[0],
    ),
    "a pattern": (call("f", x=re.compile("a+")), f({"$regex": "a+"})[0]),
    "a pattern with flags": (call("f", x=re.compile("a+", re.I | re.S)), f({"$regex": "(?is)a+"})[0]),
    "a pattern of the engine": (call("f", x=expect.regex(regex.compile("a+", regex.X))), f({"$regex": "(?x)a+"})[0]),
    "a pattern in ASCII": (call("f", x=re.compile(r"\w", re.A)), f({"$regex": r"(?a)\w"})[0]),
    "a pattern with braces": (call("f", x=re.compile("user{s}")), f({"$regex": r"user\{s}"})[0]),
    "a pattern of the engine with its flags": (
        call("f", x=regex.compile("a", regex.V1 | regex.I)),
        f({"$regex": "(?ifV1)a"})[0],
    ),
    "a key with a dollar": (call("f", x={"$$a": 1}), f({"$$a": 1})[0]),
    "a decimal": (call("f", x=expect.lte(Decimal("10"))), f({"$lte": 10})[0]),
    "a rule": (call("f").under(ArgumentRule(only=["a"])), {"name": "f", "arguments": {}, "rule": {"only": ["a"]}}),
    "a rule by name": (ToolCall("f", rule="ignore"), {"name": "f", "rule": "ignore"}),
}


@pytest.mark.parametrize(("written", "data"), AS_DATA.values(), ids=AS_DATA)
def test_a_call_is_written_as_data(written, data):
    calls = CALLS.validate_python([written])
    assert CALLS.dump_python(calls) == [data]
    assert repr(CALLS.validate_python([data])) == repr(CALLS.validate_json(CALLS.dump_json(calls)))


def nested():
    value = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    "made",
    [
        call("f", x=ANY),
        call("f", x=nested()),
        ToolCall("f", rule=lambda actual, expected: True),
        call("f", x=object()),
        call("f", x=float("inf")),
        call("f", x=[float("nan")]),
        call("f", x={1, 2}),
        call("f", x=Decimal("0.12345678901234567890")),
        call("f", x=expect.regex(regex.compile(r"\L<word>", word=["a"]))),
        call("f").under(ArgumentRule(defaults={"a": float("nan")})),
        call("f").under(ArgumentRule(defaults={"a": {1, 2}})),
    ],
    ids=unplaced,
)
def test_what_has_no_data_form_is_not_written(made):
    with pytest.raises(Exception, match="Error calling function") as raised:
        CALLS.dump_python([made])
    assert isinstance(raised.value.__cause__ or raised.value, (TrajmatchError, ValueError))


@given(VALUES)
def test_what_is_written_is_read_as_the_same(value):
    try:
        calls = CALLS.validate_python(f(value))
    except ValidationError:
        return
    again = CALLS.validate_python(CALLS.dump_python(calls))
    assert again == calls
    assert match(f(value), again).passed == match(f(value), calls).passed


def test_a_function_has_no_data_form():
    with pytest.raises(TrajmatchError, match="cannot be written as data"):
        _ = parse_rule(lambda actual, expected: True, "args").data


def test_an_error_of_a_rule_that_is_no_data_holds_it():
    with pytest.raises(OptionError) as written:
        _ = parse_rule(nested, "args").data
    with pytest.raises(OptionError) as read:
        read_rule(3)
    assert [(one.value.option, one.value.value) for one in (written, read)] == [("rule", nested), ("rule", 3)]

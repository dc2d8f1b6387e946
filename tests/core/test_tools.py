"""The definitions of tools: defaults, lists that are sets, invented arguments, and calls that no tool can have."""

import json
import pickle
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import Enum
from hashlib import sha256
from itertools import permutations
from operator import eq, ge, le
from typing import Annotated, Literal
from unittest.mock import ANY

import pytest
from dirty_equals import IsStr
from google.genai.types import FunctionDeclaration
from google.genai.types import Tool as GeminiTool
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.tools import BaseTool, InjectedToolArg, InjectedToolCallId, StructuredTool, tool
from langchain_core.tools import Tool as LangChainTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.prebuilt import InjectedState
from openai.types.chat import ChatCompletionFunctionTool
from openai.types.responses import FunctionTool
from pydantic import BaseModel, Field
from pydantic_ai import Agent, RunContext, Tool
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.tools import ToolDefinition

from trajmatch import (
    ArgumentRule,
    ConversionError,
    Matcher,
    Message,
    OptionError,
    RuleError,
    ToolCall,
    Trajectory,
    call,
    expect,
    match,
)
from trajmatch._naming import parse_naming
from trajmatch._rules import parse_rule
from trajmatch._tool_schema import ToolSchema
from trajmatch._tools import parse_tools
from trajmatch._values import Unfreezable, json_equal

CALL_MODES = ["exact", "unordered", "subset", "superset", "in_order", "any_order"]


def obj(properties=None, **more):
    return {"type": "object", "properties": properties or {}, **more}


def seq(items=None, **more):
    return {"type": "array", **({"items": items} if items else {}), **more}


SET = seq(uniqueItems=True)
LIMIT = obj({"q": {}, "limit": {"default": 10}})
INNER = obj({"op": {"default": "eq"}, "value": {}})
KINDS = {
    "oneOf": [
        obj({"kind": {"const": "city"}, "radius": {"default": 5}}),
        obj({"kind": {"enum": ["point", "spot"]}, "height": {"default": 0}}),
    ]
}
TREE = {"$defs": {"node": obj({"op": {"default": "or"}, "inner": seq({"$ref": "#/$defs/node"})})}, **obj()}
TREE["properties"] = {"root": {"$ref": "#/$defs/node"}}


def equal(actual, expected):
    return json_equal(actual, expected)


SAME = {
    "a default": (LIMIT, "exact", {"q": 1}, {"q": 1, "limit": 10}),
    "a default of actual": (LIMIT, "exact", {"q": 1, "limit": 10.0}, {"q": 1}),
    "a default of null": (obj({"q": {"default": None}}), "exact", {}, {"q": None}),
    "a default of both": (LIMIT, "exact", {"q": 1}, {"q": 1}),
    "a default, superset": (LIMIT, "superset", {"q": 1}, {"limit": 10}),
    "no default in expected, superset": (LIMIT, "superset", {"q": 1, "limit": 5}, {"q": 1}),
    "no default in expected, superset, nothing given": (LIMIT, "superset", {}, {}),
    "a default, subset": (LIMIT, "subset", {"limit": 10}, {"q": 1}),
    "no default in actual, subset": (LIMIT, "subset", {"q": 1}, {"q": 1, "limit": 5}),
    "a default, paths": (LIMIT, ["limit"], {"q": 1}, {"q": 2, "limit": 10}),
    "a default, a function": (LIMIT, equal, {"q": 1}, {"q": 1, "limit": 10}),
    "a default, ignore": (LIMIT, "ignore", {"q": 1}, {"q": 2}),
    "a default, an ArgumentRule": (LIMIT, ArgumentRule(ignore_case=True), {"q": "X"}, {"q": "x", "limit": 10}),
    "a default of the rule": (LIMIT, {"defaults": {"q": 1}}, {}, {"q": 1, "limit": 10}),
    "a default that is ignored": (LIMIT, {"ignore": ["limit"]}, {"q": 1}, {"q": 1, "limit": 5}),
    "a default, only": (LIMIT, {"only": ["limit"]}, {"q": 1}, {"limit": 10}),
    "a default, tolerance": (LIMIT, {"tolerance": 1}, {"q": 1}, {"q": 1, "limit": 11}),
    "a default inside": (obj({"f": INNER}), "exact", {"f": {}}, {"f": {"op": "eq"}}),
    "a default inside, superset": (obj({"f": INNER}), "superset", {"f": {"op": "eq"}, "x": 1}, {"f": {}}),
    "a default inside of both, superset": (obj({"f": INNER}), "superset", {"f": {}}, {"f": {}}),
    "a default inside of both, subset": (obj({"f": INNER}), "subset", {"f": {}}, {"f": {}}),
    "a default inside, deep": (obj({"f": INNER}), {"mode": "superset", "deep": True}, {"f": {"op": "ne"}}, {"f": {}}),
    "a default inside a default": (obj({"f": {**INNER, "default": {}}}), "exact", {}, {"f": {"op": "eq"}}),
    "a default inside, a path": (obj({"f": INNER}), ["f.op"], {"f": {"value": 1}}, {"f": {"op": "eq"}}),
    "a default in items": (
        obj({"f": seq(INNER)}),
        "exact",
        {"f": [{}, {"op": "ne"}]},
        {"f": [{"op": "eq"}, {"op": "ne"}]},
    ),
    "a default in a tuple": (
        obj({"f": {"type": "array", "prefixItems": [{}, INNER]}}),
        "exact",
        {"f": [{}, {}]},
        {"f": [{}, {"op": "eq"}]},
    ),
    "a default after a tuple": (
        obj({"f": {"type": "array", "prefixItems": [{}], "items": INNER}}),
        "exact",
        {"f": [{}, {}]},
        {"f": [{}, {"op": "eq"}]},
    ),
    "a default in other keys": (
        obj({"a": {}}, additionalProperties=INNER),
        "exact",
        {"a": {}, "b": {}},
        {"a": {}, "b": {"op": "eq"}},
    ),
    "a reference": (
        obj({"f": {"$ref": "#/$defs/x"}}, **{"$defs": {"x": INNER}}),
        "exact",
        {"f": {}},
        {"f": {"op": "eq"}},
    ),
    "a default of a reference": (
        obj({"f": {"$ref": "#/$defs/x"}}, **{"$defs": {"x": {"default": 1}}}),
        "exact",
        {},
        {"f": 1},
    ),
    "a default beside a reference": (
        obj({"f": {"$ref": "#/$defs/x", "default": 2}}, **{"$defs": {"x": {"default": 1}}}),
        "exact",
        {},
        {"f": 2},
    ),
    "the older word for it": (
        obj({"f": {"$ref": "#/definitions/x"}}, definitions={"x": INNER}),
        "exact",
        {"f": {}},
        {"f": {"op": "eq"}},
    ),
    "a reference that comes back": (
        TREE,
        "exact",
        {"root": {"inner": [{"op": "or"}, {}]}},
        {"root": {"op": "or", "inner": [{}, {"op": "or"}]}},
    ),
    "all of": (obj({}, allOf=[LIMIT, obj({"page": {"default": 1}})]), "exact", {}, {"limit": 10, "page": 1}),
    "any of, by its type": (
        obj({"f": {"anyOf": [INNER, {"type": "null"}, {"type": "string"}]}}),
        "exact",
        {"f": {}},
        {"f": {"op": "eq"}},
    ),
    "any of, several types in one": (
        obj({"f": {"anyOf": [INNER, {"type": ["null", "array"]}]}}),
        "exact",
        {"f": {}},
        {"f": {"op": "eq"}},
    ),
    "one of, by a key of one value": (
        obj({"at": KINDS}),
        "exact",
        {"at": {"kind": "city"}},
        {"at": {"kind": "city", "radius": 5}},
    ),
    "one of, by a key of few values": (
        obj({"at": KINDS}),
        "exact",
        {"at": {"kind": "spot"}},
        {"at": {"kind": "spot", "height": 0}},
    ),
    "any of, with what never fits": (obj({"f": {"anyOf": [False, INNER]}}), "exact", {"f": {}}, {"f": {"op": "eq"}}),
    "any of, with a key of anything": (
        obj({"f": {"anyOf": [obj({"x": True, "op": {"default": "eq"}}), {"type": "null"}]}}),
        "exact",
        {"f": {"x": 1}},
        {"f": {"x": 1, "op": "eq"}},
    ),
    "an alternative within an alternative": (
        obj({"f": {"anyOf": [{"type": "null"}, {"oneOf": [INNER, {"type": "array"}]}]}}),
        "exact",
        {"f": {}},
        {"f": {"op": "eq"}},
    ),
    "a set in another order": (obj({"s": SET}), "exact", {"s": [1, 2]}, {"s": [2, 1]}),
    "a set with an item twice": (obj({"s": SET}), "exact", {"s": [1, 2, 1.0]}, {"s": [2, 1]}),
    "a set of objects": (obj({"s": SET}), "exact", {"s": [{"a": 1}, {"b": 1}, {"a": 1}]}, {"s": [{"b": 1}, {"a": 1}]}),
    "a set of objects with defaults": (
        obj({"s": seq(INNER, uniqueItems=True)}),
        "exact",
        {"s": [{"op": "eq"}, {"value": 1}, {}]},
        {"s": [{"value": 1, "op": "eq"}, {}]},
    ),
    "a set of Python": (obj({"s": SET}), "exact", {"s": [2, 1, 1]}, {"s": {1, 2}}),
    "a tuple": (obj({"s": SET}), "exact", {"s": (1, 2)}, {"s": [2, 1]}),
    "a set, superset": (obj({"s": SET}), "superset", {"s": [1, 2], "a": 1}, {"s": [2, 1]}),
    "a set, subset": (obj({"s": SET}), "subset", {"s": [1, 2]}, {"s": [2, 1], "a": 1}),
    "a set at a path": (obj({"s": SET}), ["s"], {"s": [1, 2]}, {"s": [2, 1]}),
    "a set above a path": (obj({"f": obj({"s": SET})}), ["f"], {"f": {"s": [1, 2]}}, {"f": {"s": [2, 1]}}),
    "a set of a function": (obj({"s": SET}), equal, {"s": [2, 1, 2]}, {"s": [1, 2]}),
    "a set, an ArgumentRule": (obj({"s": SET}), {"ignore_case": True}, {"s": ["a", "B"]}, {"s": ["b", "A"]}),
    "a set of near numbers": (obj({"s": SET}), {"tolerance": 1}, {"s": [1, 5]}, {"s": [6, 2]}),
    "a set, deep": (obj({"s": SET}), {"mode": "superset", "deep": True}, {"s": [3, 2, 1]}, {"s": [1, 3]}),
    "sets in a set": (obj({"s": seq(SET, uniqueItems=True)}), "exact", {"s": [[1, 2], [3]]}, {"s": [[3], [2, 1]]}),
    "sets in objects in a set": (
        obj({"s": seq(obj({"d": SET}), uniqueItems=True)}),
        "exact",
        {"s": [{"d": [1, 2]}, {"d": [2, 1]}, {"d": [3]}]},
        {"s": [{"d": [3]}, {"d": [1, 2]}]},
    ),
    "a default in a tuple of an older draft": (
        obj({"f": seq([{}, INNER])}, **{"$schema": "http://json-schema.org/draft-07/schema#"}),
        "exact",
        {"f": [{}, {}]},
        {"f": [{}, {"op": "eq"}]},
    ),
    "a default beside words that an older draft does not know": (
        {
            "$schema": "http://json-schema.org/draft-03/schema#",
            "allOf": 5,
            "anyOf": 5,
            "oneOf": {},
            "properties": {"a": {"default": 1}, "b": {"prefixItems": 5}},
        },
        "exact",
        {"b": [1]},
        {"a": 1, "b": [1]},
    ),
    "a default of another base": (
        obj(
            {"f": {"$ref": "http://e.x/a"}},
            **{"$defs": {"a": {"$id": "http://e.x/a", "$ref": "#/$defs/b", "$defs": {"b": INNER}}, "b": {}}},
        ),
        "exact",
        {"f": {}},
        {"f": {"op": "eq"}},
    ),
    "a default behind an unknown word": (
        obj({"f": {"$ref": "#/components/x"}}, components={"x": INNER}),
        "exact",
        {"f": {}},
        {"f": {"op": "eq"}},
    ),
    "defaults without an end": (
        obj({"child": {"$ref": "#", "default": {}}, "limit": {"default": 10}}),
        "exact",
        {"child": {}},
        {"child": {"limit": 10}, "limit": 10},
    ),
    "a set that may be absent": (obj({"s": {"anyOf": [SET, {"type": "null"}]}}), "exact", {"s": [1, 2]}, {"s": [2, 1]}),
    "values that decide in a set": (obj({"s": SET}), "exact", {"s": [1, "a"]}, {"s": [IsStr(), 1]}),
    "values that decide": (LIMIT, "exact", {"q": "a"}, {"q": IsStr(), "limit": ANY}),
    "a model with text keys": (LIMIT, "exact", {"q": 1, 2: 3}, {"q": 1, "2": 3, "limit": 10}),
}
NOT_SAME = {
    "a default without an end": (obj({"f": {"$ref": "#", "default": {}}}), "exact", {}, {"f": {}}),
    "a default": (LIMIT, "exact", {"q": 1}, {"q": 1, "limit": 5}),
    "a default, and null": (LIMIT, "exact", {"limit": None}, {}),
    "a default, superset": (LIMIT, "superset", {"q": 1}, {"limit": 5}),
    "a default of expected, superset": (LIMIT, "superset", {}, {"q": 1}),
    "a default, subset": (LIMIT, "subset", {"limit": 5}, {"q": 1}),
    "a default, paths": (LIMIT, ["limit"], {"q": 1, "limit": 5}, {"q": 1}),
    "a default, a function": (LIMIT, equal, {"q": 1}, {"q": 1, "limit": 5}),
    "no default": (obj({"q": {}}), "exact", {}, {"q": None}),
    "a default inside": (obj({"f": INNER}), "exact", {"f": {}}, {"f": {"op": "ne"}}),
    "a default inside what is absent": (obj({"f": INNER}), "exact", {}, {"f": {"op": "eq"}}),
    "a default inside, superset": (obj({"f": INNER}), "superset", {"f": {"op": "ne"}}, {"f": {}}),
    "a default in items alone": (obj({"f": seq(INNER)}), "exact", {"f": {"op": "eq"}}, {"f": []}),
    "a default in a tuple": (
        obj({"f": {"type": "array", "prefixItems": [{}, INNER]}}),
        "exact",
        {"f": [{}, {}]},
        {"f": [{"op": "eq"}, {}]},
    ),
    "any of, where several fit": (
        obj({"f": {"anyOf": [INNER, obj({"op": {"default": "ne"}})]}}),
        "exact",
        {"f": {}},
        {"f": {"op": "eq"}},
    ),
    "any of, where none fits": (obj({"f": {"anyOf": [{"type": "null"}]}}), "exact", {"f": {"op": "eq"}}, {"f": None}),
    "one of, of another kind": (
        obj({"at": KINDS}),
        "exact",
        {"at": {"kind": "point"}},
        {"at": {"kind": "point", "radius": 5}},
    ),
    "a list in another order": (obj({"s": seq()}), "exact", {"s": [1, 2]}, {"s": [2, 1]}),
    "a list that need not be a set": (
        obj({"s": {"type": "array", "uniqueItems": False}}),
        "exact",
        {"s": [1, 2]},
        {"s": [2, 1]},
    ),
    "a set of others": (obj({"s": SET}), "exact", {"s": [1, 2]}, {"s": [1, 3]}),
    "a set of more": (obj({"s": SET}), "exact", {"s": [1, 2]}, {"s": [1]}),
    "a set of true": (obj({"s": SET}), "exact", {"s": [1, 2]}, {"s": [True, 2]}),
    "a set of more, superset": (obj({"s": SET}), "superset", {"s": [1, 2]}, {"s": [1]}),
    "a set at a path": (obj({"s": SET}), ["s"], {"s": [1, 2]}, {"s": [2, 3]}),
    "true at a path": (obj({"s": SET}), ["s"], {"s": [1, 2]}, {"s": [2, True]}),
    "a set above a path": (
        obj({"f": obj({"s": SET})}),
        ["f"],
        {"f": {"s": [1, 2], "n": 1}},
        {"f": {"s": [2, 1], "n": 2}},
    ),
    "a set of a function": (obj({"s": SET}), equal, {"s": [1, 2]}, {"s": [2, 3]}),
}


def verdicts(schema, rule, actual, expected):
    """The verdict in all modes."""
    options = {"tools": {"f": schema}}
    ours, theirs = [ToolCall("f", actual)], [ToolCall("f", expected)]
    message = [Trajectory([Message("assistant", None, side)]) for side in (ours, theirs)]
    history = Trajectory(calls=theirs), Trajectory([Message("assistant", None, theirs)])
    return [
        *(match(ours, side, mode=mode, args=rule, **options).passed for mode in CALL_MODES for side in history),
        match(*message, mode="strict", args=rule, **options).passed,
        match(ours, history[0], overrides={"f": rule}, **options).passed,
        match(ours, [theirs[0].under(rule)], **options).passed,
        match(ours, theirs, args=rule, tools=[{"name": "f", "parameters": schema}]).passed,
    ]


@pytest.mark.parametrize(("schema", "rule", "actual", "expected"), SAME.values(), ids=SAME)
def test_same(schema, rule, actual, expected):
    assert set(verdicts(schema, rule, actual, expected)) == {True}


@pytest.mark.parametrize(("schema", "rule", "actual", "expected"), NOT_SAME.values(), ids=NOT_SAME)
def test_not_the_same(schema, rule, actual, expected):
    assert set(verdicts(schema, rule, actual, expected)) == {False}
    for theirs in (ToolCall("f", expected), ToolCall("f", expected, rule=rule)):
        result = match([ToolCall("f", actual)], [theirs], args=rule, tools={"f": schema})
        assert result.to_dict()["near_misses"][0]["differences"]


@pytest.mark.parametrize("rule", [["f"], "exact", "superset", {"ignore_case": True}], ids=str)
def test_differences_leave_out_what_is_the_same(rule):
    schema = obj({"f": obj({"s": SET, "limit": {"default": 10}, "n": {}})})
    actual, expected = [call("f", f={"s": [1, 2], "n": 1})], [call("f", f={"s": [2, 1], "n": 2, "limit": 10})]
    assert match(actual, expected, args=rule, tools={"f": schema}).reason == (
        "exact: FAIL; 0 paired, 1 near miss; actual[0] f for expected[0]: f.n: expected 2, got 1"
    )


VALUES = st.one_of(st.integers(0, 2), st.sampled_from(["x", "X", True, None, 1.0]))
LISTS = st.lists(VALUES, max_size=3)
OBJECTS = st.dictionaries(st.sampled_from("de"), VALUES | LISTS, max_size=2)
ITEMS = st.lists(OBJECTS | VALUES, max_size=2)
ARGUMENTS = st.dictionaries(st.sampled_from("abc"), VALUES | LISTS | OBJECTS | ITEMS, max_size=3)
WITH_DEFAULT = st.just({}) | VALUES.map(lambda value: {"default": value})
OBJECT = st.dictionaries(st.sampled_from("de"), WITH_DEFAULT | st.just(SET), max_size=2).map(obj)
FIELD = st.one_of(
    WITH_DEFAULT,
    st.just(SET),
    OBJECT,
    OBJECT.map(lambda item: seq(item, uniqueItems=True)),
    OBJECT.map(seq),
    OBJECT.map(lambda item: {**item, "default": {}}),
)
SCHEMAS = st.dictionaries(st.sampled_from("abc"), FIELD, max_size=3).map(obj)
RULES = st.sampled_from(
    [
        "exact",
        "subset",
        "superset",
        ["a", "b.d"],
        ["c.0.d", "a"],
        {"ignore": ["a.d"]},
        {"only": ["a.d", "b"]},
        {"ignore_case": True},
        {"unordered": True},
        {"mode": "subset", "unordered": ["a"]},
        {"mode": "superset", "ignore": ["b.*.d"]},
        {"mode": "superset", "deep": True},
        {"mode": "subset", "deep": True},
        {"tolerance": 1},
        {"defaults": {"a": 1}, "mode": "superset"},
    ]
)


def filled(schema, value, *, whole=True):
    """A value with its defaults, in the plainest way; without those of its own keys unless it is whole."""
    if isinstance(value, dict):
        known = schema.get("properties", {})
        more = {key: inner["default"] for key, inner in known.items() if "default" in inner and key not in value}
        return {key: filled(known.get(key, {}), item) for key, item in {**value, **(more if whole else {})}.items()}
    if isinstance(value, list):
        return [filled(schema.get("items", {}), item) for item in value]
    return value


def normal(schema, value):
    """A value of which two are equal exactly where they are the same, in the plainest way."""
    if isinstance(value, dict):
        return "object", frozenset(
            (key, normal(schema.get("properties", {}).get(key, {}), item)) for key, item in value.items()
        )
    if isinstance(value, list):
        items = [normal(schema.get("items", {}), item) for item in value]
        return "list", frozenset(items) if schema.get("uniqueItems") else tuple(items)
    return "true or false" if isinstance(value, bool) else "value", value


def of_keys(schema, value):
    return {key: normal(schema["properties"].get(key, {}), item) for key, item in value.items()}


@given(schema=SCHEMAS, actual=ARGUMENTS, expected=ARGUMENTS, rule=st.sampled_from(["exact", "subset", "superset"]))
def test_the_verdict_is_that_of_the_reference(schema, actual, expected, rule):
    ours = of_keys(schema, filled(schema, actual, whole=rule != "subset"))
    theirs = of_keys(schema, filled(schema, expected, whole=rule != "superset"))
    same = {
        "exact": ours == theirs,
        "subset": ours.items() <= theirs.items(),
        "superset": ours.items() >= theirs.items(),
    }
    assert parse_rule(rule, "args").with_schema(ToolSchema(schema)).same(actual, expected) is same[rule]


@given(schema=SCHEMAS, actual=ARGUMENTS, expected=ARGUMENTS | st.none(), rule=RULES)
def test_the_ways_to_a_verdict_agree(schema, actual, expected, rule):
    expected = actual if expected is None else expected
    rule = parse_rule(rule, "args").with_schema(ToolSchema(schema))
    same = rule.same(actual, expected)
    if rule.differing:
        assert same is not any(rule.differing(actual, expected))
    try:
        keys = rule.key and (rule.key(actual), (rule.expected_key or rule.key)(expected))
    except Unfreezable:
        keys = None
    if keys:
        ours, theirs = keys
        assert same is {"equal": eq, "within": le, "contains": ge}[rule.relates](ours, theirs)


@given(schema=SCHEMAS, actual=ARGUMENTS, expected=ARGUMENTS, rule=RULES | st.just(equal))
def test_a_difference_is_listed_exactly_where_the_verdict_says_so(schema, actual, expected, rule):
    wanted = Trajectory([Message("assistant", None, [call("f", expected)])])
    result = match([call("f", actual)], wanted, args=rule, tools={"f": schema})
    differences = [found for near in result.to_dict()["near_misses"] for found in near["differences"]]
    assert result.passed is not bool(differences)


@given(schema=SCHEMAS, arguments=ARGUMENTS, rule=RULES | st.just(equal))
def test_arguments_are_the_same_as_themselves(schema, arguments, rule):
    assert parse_rule(rule, "args").with_schema(ToolSchema(schema)).same(arguments, arguments)


@given(schema=SCHEMAS, arguments=ARGUMENTS)
def test_the_callers_objects_are_not_changed(schema, arguments):
    before = repr(arguments), repr(schema)
    ToolSchema(schema).prepared(arguments)
    assert (repr(arguments), repr(schema)) == before


DEFAULTS = st.dictionaries(st.sampled_from("xyz"), st.integers(0, 1), min_size=1)
FLAT = st.dictionaries(st.sampled_from("xyz"), st.integers(0, 1), max_size=3)
RUN = st.lists(FLAT.map(lambda arguments: call("f", arguments)), min_size=1, max_size=4)
OPEN = st.lists(st.builds(ToolCall, st.sampled_from("fg"), st.none() | FLAT), max_size=4)


def told(result):
    pairs = [(pair.actual_index, pair.expected_index) for pair in result.pairs]
    return result.passed, result.score, result.precision, result.recall, pairs


@given(
    defaults=DEFAULTS,
    actual=OPEN,
    expected=OPEN,
    mode=st.sampled_from(CALL_MODES),
    rule=st.sampled_from(["exact", "subset", "superset"]),
)
def test_a_schema_of_flat_defaults_is_a_rule_of_defaults(defaults, actual, expected, mode, rule):
    tools = dict.fromkeys("fg", obj({key: {"default": value} for key, value in defaults.items()}))
    of_rule = match(actual, expected, mode=mode, args=ArgumentRule(mode=rule, defaults=defaults))
    assert told(match(actual, expected, mode=mode, args=rule, tools=tools)) == told(of_rule)


@given(
    defaults=st.just({"x": 1}) | DEFAULTS,
    actual=RUN,
    expected=RUN,
    rule=st.sampled_from(["exact", "subset", "superset"]),
)
def test_equal_calls_pair_in_the_best_way(defaults, actual, expected, rule):
    tools = {"f": obj({key: {"default": value} for key, value in defaults.items()})}

    def same(a, e):
        ours = a.arguments if rule == "subset" else {**defaults, **a.arguments}
        theirs = e.arguments if rule == "superset" else {**defaults, **e.arguments}
        within = rule != "superset" and not ours.items() <= theirs.items()
        return a.name == e.name and not within and (rule == "subset" or theirs.items() <= ours.items())

    few, many = sorted((actual, expected), key=len)
    ways = permutations(many, len(few))
    most = max(
        sum(same(*((b, a) if few is expected else (a, b))) for a, b in zip(few, way, strict=True)) for way in ways
    )
    assert len(match(actual, expected, mode="any_order", args=rule, tools=tools).pairs) == most
    assert match(actual, expected, mode="unordered", args=rule, tools=tools).passed is (
        most == len(actual) == len(expected)
    )


COSTLY = {
    "superset": ([call("f"), call("f", limit=5)], [call("f"), call("f", limit=10)]),
    "subset": ([call("f"), call("f", limit=10)], [call("f"), call("f", limit=5)]),
}


@pytest.mark.parametrize(("rule", "sides"), COSTLY.items(), ids=COSTLY)
def test_equal_calls_do_not_pair_early_where_that_costs_a_pair(rule, sides):
    result = match(*sides, mode="unordered", args=rule, tools={"f": LIMIT})
    assert result.passed
    assert told(result)[-1] == [(0, 1), (1, 0)]


@pytest.mark.parametrize("mode", ["unordered", "subset", "superset", "any_order"])
@given(data=st.data(), schema=SCHEMAS, rule=RULES)
def test_the_order_of_either_side_changes_no_order_free_score(mode, data, schema, rule):
    sides = [data.draw(st.lists(ARGUMENTS, max_size=4)) for _ in range(2)]
    shuffled = [data.draw(st.permutations(side)) for side in sides]

    def score(actual, expected):
        ours, theirs = ([call("f", arguments) for arguments in side] for side in (actual, expected))
        wanted = Trajectory([Message("assistant", None, theirs)])
        return match(ours, wanted, mode=mode, args=rule, tools={"f": schema}).score

    assert score(*sides) == score(*shuffled)


INVENTED = {
    "a key": (LIMIT, {"q": 1, "limt": 2}, ["limt is invented; did you mean 'limit'?"]),
    "a key like no other": (LIMIT, {"zzz": 2}, ["zzz is invented"]),
    "several": (obj({"a": {}}), {"x": 1, "a": 2, "y": 3}, ["x is invented", "y is invented"]),
    "inside": (obj({"f": INNER}), {"f": {"valeu": 1}}, ["f.valeu is invented; did you mean 'value'?"]),
    "inside an item": (
        obj({"f": seq(INNER)}),
        {"f": [{}, {"valeu": 1}]},
        ["f.1.valeu is invented; did you mean 'value'?"],
    ),
    "inside a tuple": (
        obj({"f": {"type": "array", "prefixItems": [{}, INNER]}}),
        {"f": [{"x": 1}, {"x": 1}]},
        ["f.1.x is invented"],
    ),
    "inside another key": (obj({}, additionalProperties=INNER), {"f": {"x": 1}}, ["f.x is invented"]),
    "inside a set": (obj({"f": seq(INNER, uniqueItems=True)}), {"f": [{"x": 1}]}, ["f.0.x is invented"]),
    "a key with a dot": (obj({"a": {}}), {"a.b": 1}, ["('a.b',) is invented; did you mean 'a'?"]),
    "a key that is no text": (obj({"a": {}}), {1: 1}, ["1 is invented"]),
    "no keys at all": (obj({}), {"a": 1}, ["a is invented"]),
    "no keys, said in words": ({"additionalProperties": False}, {"a": 1}, ["a is invented"]),
    "a reference": (obj({"f": {"$ref": "#/$defs/x"}}, **{"$defs": {"x": INNER}}), {"f": {"x": 1}}, ["f.x is invented"]),
    "all of": (
        obj({"a": {}}, allOf=[obj({"beta": {}})]),
        {"a": 1, "bet": 1},
        ["bet is invented; did you mean 'beta'?"],
    ),
    "the alternative that fits": (
        obj({"at": KINDS}),
        {"at": {"kind": "city", "height": 1, "radius": 1}},
        ["at.height is invented"],
    ),
    "where there are other keys": (obj({"a": {}}, additionalProperties=True), {"b": 1}, []),
    "where there are other keys, of a kind": (obj({"a": {}}, additionalProperties={"type": "integer"}), {"b": 1}, []),
    "where keys have a pattern": (obj({"a": {}}, patternProperties={"^x": {}}), {"xa": 1}, []),
    "where conditions may add keys": (obj({"a": {}}, **{"if": {}, "then": obj({"b": {}})}), {"b": 1}, []),
    "where several alternatives fit": (obj({"f": {"anyOf": [INNER, obj({"x": {}})]}}), {"f": {"y": 1}}, []),
    "where several alternatives add keys": (obj({"a": {}}, anyOf=[obj({"b": {}}), obj({"c": {}})]), {"b": 1}, []),
    "where nothing is said of keys": (obj({"f": {"type": "object"}}), {"f": {"x": 1}}, []),
    "where nothing is said": ({}, {"x": 1}, []),
    "in what is not known": (obj({"a": {}}), {"x": {"y": 1}}, ["x is invented"]),
    "in what is known to be anything": (obj({"a": True}), {"a": {"y": 1}}, []),
    "in a value of another type": (obj({"f": INNER}), {"f": "x"}, []),
}


@pytest.mark.parametrize(("schema", "arguments", "notes"), INVENTED.values(), ids=INVENTED)
def test_keys_that_a_schema_does_not_know_are_noted(schema, arguments, notes):
    history = Trajectory([Message("assistant", None, [call("f", arguments)])])
    assert [*match([call("g"), call("f", arguments)], [], tools={"f": schema, "g": {}}).notes] == [
        f"actual[1] f: {note}" for note in notes
    ]
    assert [*match([], history, tools={"f": schema}).notes] == [f"expected[0] f: {note}" for note in notes]
    assert match([call("f", arguments)], history, tools={"f": schema}).passed
    assert match([call("f", arguments)], history).notes == ()


UNKNOWN = {
    "a tool": (call("serach"), ["actual[0] serach is none of the tools; did you mean 'search'?"]),
    "like no other": (call("xyz"), ["actual[0] xyz is none of the tools"]),
    "a known one": (call("search"), []),
    "one that the provider runs": (ToolCall("web", {}, kind="native"), []),
    "arguments that are no object": (ToolCall("search", "[1]"), []),
    "arguments that are not stated": (ToolCall("search"), []),
}


@pytest.mark.parametrize(("made", "notes"), UNKNOWN.values(), ids=UNKNOWN)
def test_tools_that_no_definition_knows_are_noted(made, notes):
    assert [*match([made], [], tools={"search": obj(), "book": obj()}).notes] == notes
    assert match([made], []).notes == ()


def test_a_few_of_many_are_noted():
    result = match([call("f", x=n) for n in range(5)], ["g"], tools={"f": obj()})
    assert result.notes == (
        *(f"actual[{n}] f: x is invented" for n in range(3)),
        "and 2 more",
        "expected[0] g is none of the tools",
    )


TYPED = obj(
    {
        "q": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1, "default": 10},
        "unit": {"enum": ["C", "F"]},
        "f": {"anyOf": [{"$ref": "#/$defs/f"}, {"type": "null"}]},
        "ids": {"type": "array", "items": {"type": "integer"}, "maxItems": 2},
    },
    required=["q"],
    additionalProperties=False,
    **{"$defs": {"f": obj({"op": {"type": "string"}, "n": {"type": "number"}}, required=["op"])}},
)
REFUSED = {
    "another type": ("exact", {"q": 1}, "q: 1 is not of type 'string'"),
    "true for a number": ("exact", {"q": "a", "limit": True}, "limit: True is not of type 'integer'"),
    "too small": ("exact", {"q": "a", "limit": 0}, "limit: 0 is less than the minimum of 1"),
    "none of the values": ("exact", {"q": "a", "unit": "K"}, "unit: 'K' is not one of ['C', 'F']"),
    "an item": ("exact", {"q": "a", "ids": [1, "b"]}, "ids.1: 'b' is not of type 'integer'"),
    "an item beside one that decides": ("exact", {"q": "a", "ids": [ANY, "b"]}, "ids.1: 'b' is not of type 'integer'"),
    "too many": ("exact", {"q": "a", "ids": [1, 2, 3]}, "ids: [1, 2, 3] is too long"),
    "a key too many": (
        "exact",
        {"q": "a", "limt": 1},
        "the arguments: Additional properties are not allowed ('limt' was unexpected)",
    ),
    "a key too many beside values that decide": (
        "exact",
        {"q": ANY, "limt": expect.gt(1)},
        "the arguments: Additional properties are not allowed ('limt' was unexpected)",
    ),
    "a key too few beside one that decides": ("exact", {"limit": ANY}, "the arguments: 'q' is a required property"),
    "a key too few": ("exact", {}, "the arguments: 'q' is a required property"),
    "a key too few, subset": ("subset", {"limit": 1}, "the arguments: 'q' is a required property"),
    "a key too few, an ArgumentRule": ({"ignore_case": True}, {}, "the arguments: 'q' is a required property"),
    "a key too few, inside": ("exact", {"q": "a", "f": {"n": 1}}, "f: 'op' is a required property"),
    "the alternative that comes closest": ("exact", {"q": "a", "f": {"op": 1}}, "f.op: 1 is not of type 'string'"),
    "a value that is not ignored": ({"ignore": ["q"]}, {"q": 1, "limit": "x"}, "limit: 'x' is not of type 'integer'"),
    "an item that is not ignored": ({"ignore": ["ids.0"]}, {"ids": ["a", "b"]}, "ids.1: 'b' is not of type 'integer'"),
    "inside what is compared": (
        {"only": ["f"], "ignore": ["f.n"]},
        {"f": {"op": 1}},
        "f.op: 1 is not of type 'string'",
    ),
    "only": ({"only": ["ids.*"]}, {"q": 1, "ids": ["b"]}, "ids.0: 'b' is not of type 'integer'"),
    "superset": ("superset", {"limit": "x"}, "limit: 'x' is not of type 'integer'"),
    "paths": (["q"], {"q": 1}, "q: 1 is not of type 'string'"),
    "two": ("superset", {"q": 1, "unit": "K"}, "q: 1 is not of type 'string'; unit: 'K' is not one of ['C', 'F']"),
}
ALLOWED = {
    "as it should be": ("exact", {"q": "a", "limit": 5, "f": {"op": "eq"}, "ids": [1]}),
    "null for one alternative": ("exact", {"q": "a", "f": None}),
    "a default left out": ("exact", {"q": "a"}),
    "operators": ("exact", {"q": expect.regex("a"), "limit": expect.gt(5), "unit": {"$one_of": ["C", "F"]}}),
    "operators inside": ("exact", {"q": "a", "f": {"op": expect.any_value(), "n": {"$gt": 1}}, "ids": [{"$gt": 1}]}),
    "values of others": ("exact", {"q": IsStr(), "limit": ANY, "ids": [ANY, 2]}),
    "an operator for a whole list": ("exact", {"q": "a", "ids": expect.contains(1)}),
    "a key too few, superset": ("superset", {"limit": 1}),
    "a key too few, superset as data": ({"mode": "superset"}, {"limit": 1}),
    "a key too few, only": ({"only": ["limit"]}, {"limit": 1}),
    "a key too few, that has a default": ({"defaults": {"q": "a"}}, {"limit": 1}),
    "a key too few, ignored": ({"ignore": ["q"]}, {"limit": 1}),
    "a value that is ignored": ({"ignore": ["q", "f.n"]}, {"q": 1, "f": {"op": "a", "n": "?"}}),
    "a key too many that is ignored": ({"ignore": ["id"]}, {"q": "a", "id": 1}),
    "an item that is ignored": ({"ignore": ["ids.*"]}, {"q": "a", "ids": ["?", "?"]}),
    "a value of another key, only": ({"only": ["q", "f.op.x"]}, {"q": "a", "limit": "?", "id": 1, "f": {"op": 1}}),
    "a value of another key, paths": (["q"], {"q": "a", "limit": "?"}),
    "a key too few, paths": (["limit"], {"limit": 1}),
    "a key too few, a function": (equal, {"limit": 1}),
    "a key too few inside, deep": ({"mode": "superset", "deep": True}, {"f": {"n": 1}}),
    "ignore": ("ignore", {"q": 1}),
    "open": ("exact", None),
    "no object": ("exact", "[1]"),
    "a date for a text": ("exact", {"q": date(2026, 1, 2)}),
    "a tuple for a list": ("exact", {"q": "a", "ids": (1, 2)}),
}


@pytest.mark.parametrize(("rule", "arguments", "text"), REFUSED.values(), ids=REFUSED)
def test_an_expected_call_that_its_tool_cannot_have_is_refused(rule, arguments, text):
    expected = ["f", ToolCall("f", arguments)]
    ways = [{"args": rule}, {"overrides": {"f": rule}, "args": "ignore"}, {"overrides": {"f": "ignore"}, "own": rule}]
    for options in ways:
        own = options.pop("own", None)
        with pytest.raises(ConversionError) as caught:
            match([], [expected[0], expected[1].replace(rule=own)], tools={"f": TYPED}, **options)
        assert str(caught.value) == f"expected: call 1 'f' is not as the schema of its tool asks: {text}"
        assert caught.value.index == 1


@pytest.mark.parametrize(("rule", "arguments"), ALLOWED.values(), ids=ALLOWED)
def test_an_expected_call_is_allowed(rule, arguments):
    match([], [ToolCall("f", arguments)], args=rule, tools={"f": TYPED})
    match([], [ToolCall("f", arguments).under(rule)], tools={"f": TYPED})


PATTERNS = obj(
    {
        "letters": {"type": "string", "pattern": r"^\p{L}+$"},
        "year": {"type": "string", "pattern": r"^(?<year>\d{4})$"},
        "open": {"pattern": "("},
        "slow": {"pattern": "^(a|a)*$"},
        "n": {"type": "integer"},
    },
    patternProperties={"^x_": {"type": "integer"}, "[": {"type": "null"}},
    additionalProperties=False,
)
SLOW = "a" * 40 + "!"
OF_PATTERNS = {
    "a letter": ({"letters": "é", "year": "2026", "open": "x", "slow": "aa"}, None),
    "no letter": ({"letters": "1"}, r"letters: '1' does not match '^\\p{L}+$'"),
    "no year": ({"year": "26"}, r"year: '26' does not match '^(?<year>\\d{4})$'"),
    "no text": ({"slow": 5}, None),
    "a key of a pattern": ({"x_a": 1}, None),
    "a key of a pattern, of another type": ({"x_a": "1"}, "x_a: '1' is not of type 'integer'"),
    "a key that a pattern nobody knows may mean": ({"y": 1}, None),
    "too long": ({"slow": SLOW, "n": "x"}, "n: 'x' is not of type 'integer'"),
}


@pytest.mark.parametrize(("arguments", "text"), OF_PATTERNS.values(), ids=OF_PATTERNS)
def test_patterns_of_schemas_are_matched_as_those_of_operators(arguments, text):
    tools = {"f": PATTERNS}
    if text is None:
        assert match([], [call("f", arguments)], mode="subset", tools=tools).passed
        return
    with pytest.raises(ConversionError) as caught:
        match([], [call("f", arguments)], tools=tools)
    assert str(caught.value) == f"expected: call 0 'f' is not as the schema of its tool asks: {text}"


def test_keys_beside_patterns_that_the_engine_knows():
    known = obj({"n": {}}, patternProperties={"^x_": {}}, additionalProperties=False)
    with pytest.raises(ConversionError, match=r"the arguments: .*\('y' was unexpected\)"):
        match([], [call("f", x_a=1, y=1, n=1)], tools={"f": known})
    for words in ({"additionalProperties": False}, {"unevaluatedProperties": False}):
        of_letters = {"patternProperties": {r"^\p{L}": {}}, **words}
        match([], [call("f", y=1)], mode="subset", tools={"f": of_letters})
        match([], [ToolCall("f", "[1]")], tools={"f": of_letters})
    nested = obj({"a": {"patternProperties": {"^x": {}}, "additionalProperties": False}})
    match([], [call("f", a=5)], tools={"f": nested})


def twice(depth):
    """A schema that refers to the next twice, so often that nobody can go all ways."""
    levels = {str(n): {"allOf": [{"$ref": f"#/$defs/{n + 1}"}] * 2} for n in range(depth)}
    return obj({"x": {"$ref": "#/$defs/0"}}, **{"$defs": {**levels, str(depth): obj({"k": {"default": 1}})}})


def test_nothing_is_said_where_a_check_takes_too_long():
    tools = {"f": twice(25)}
    assert match([call("f", x={})], [call("f", x={"k": 1})], tools=tools).passed
    match([], [call("f", x=5)], tools=tools)
    with pytest.raises(ConversionError, match="x: 5 is not of type 'object'"):
        match([], [call("f", x=5)], tools={"f": twice(3)})
    slow = {"f": obj({"x": seq({"pattern": "^(a|a)*$"}), "y": {"type": "integer"}})}
    match([], [call("f", x=[SLOW] * 4, y="no")], tools=slow)


def test_a_whole_history_is_not_checked():
    run = Trajectory([Message("assistant", None, [call("f", q=1)])])
    assert match(run, run, mode="strict", tools={"f": TYPED}).passed
    assert match(run, run, tools={"f": TYPED}).passed
    assert match([call("f", q=1)], [], mode="superset", tools={"f": TYPED}).passed


ALTERNATIVES = {
    "one of several keys": {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
    "exactly one": {"oneOf": [obj({"kind": {}}, required=["a"]), obj({"kind": {}}, required=["b"])]},
    "not together": {"not": {"required": ["a", "b"]}},
    "a condition": {"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}},
    "dependent": {"dependentRequired": {"kind": ["b"]}},
    "so many": {"minProperties": 3},
    "all of": {"allOf": [{"required": ["a"]}]},
}


@pytest.mark.parametrize("schema", ALTERNATIVES.values(), ids=ALTERNATIVES)
def test_no_key_is_asked_for_where_others_may_be_there(schema):
    match([], [call("f", kind=1)], args="superset", tools={"f": schema})


def search(query: str, limit: int = 10, tags: set[str] | None = None) -> str:
    """Search."""
    return "nothing found"


class Search(BaseModel):
    query: str
    limit: int = 10
    tags: set[str] | None = None


class SearchTool(BaseTool):
    name: str = "search"
    description: str = "Search."
    args_schema: type[BaseModel] = Search

    def _run(self, **arguments):
        return "nothing found"


def search_for(context: RunContext[str], query: str, limit: int = 10, tags: set[str] | None = None) -> str:
    """Search for somebody."""
    return context.deps


def search_with_state(
    query: str, state: Annotated[dict, InjectedToolArg], limit: int = 10, tags: set[str] | None = None
):
    """Search with what the model is not told of."""


@dataclass
class McpTool:
    """The fields of `Tool` in MCP."""

    name: str
    inputSchema: dict
    description: str | None = None


SEARCH = Search.model_json_schema()
CHAT = convert_to_openai_tool(tool(search))
DEFINITIONS = {
    "LangChain, a function": [tool(search)],
    "LangChain, a structured tool": [StructuredTool.from_function(search)],
    "LangChain, a class": [SearchTool()],
    "LangChain, a schema": [StructuredTool(name="search", description="Search.", args_schema=SEARCH, func=search)],
    "LangChain, with injected arguments": [tool("search")(search_with_state)],
    "Pydantic AI": [Tool(search)],
    "Pydantic AI, with a context": [Tool(search_for, name="search")],
    "Pydantic AI, its definition": [Tool(search).tool_def],
    "Pydantic AI, a definition": (ToolDefinition(name="search", parameters_json_schema=SEARCH),),
    "Chat Completions": [CHAT],
    "Chat Completions, an object": [ChatCompletionFunctionTool.model_validate(CHAT)],
    "Responses": [{"type": "function", "name": "search", "parameters": SEARCH, "strict": False}],
    "Responses, an object": [FunctionTool(type="function", name="search", parameters=SEARCH)],
    "Anthropic": [{"name": "search", "description": "Search.", "input_schema": SEARCH}],
    "MCP": [{"name": "search", "inputSchema": SEARCH}],
    "MCP, an object": [McpTool("search", SEARCH)],
    "a schema by its name": {"search": SEARCH},
    "a model by its name": {"search": Search},
}


@pytest.mark.parametrize("tools", DEFINITIONS.values(), ids=DEFINITIONS)
def test_a_definition_is_read(tools):
    actual = [call("search", query="lamp", tags=["red", "blue"]), call("search", qury="lamp"), call("serch")]
    expected = [call("search", query="lamp", limit=10, tags=["blue", "red"])]
    result = match(actual, expected, mode="superset", tools=tools)
    assert result.passed
    assert result.notes == (
        "actual[1] search: qury is invented; did you mean 'query'?",
        "actual[2] serch is none of the tools; did you mean 'search'?",
    )
    with pytest.raises(ConversionError, match="limit: 'ten' is not of type 'integer'"):
        match(actual, [call("search", query="lamp", limit="ten")], tools=tools)


UNIT = {"type": "STRING", "enum": ["C", "F"], "nullable": True}
GEMINI = {"type": "OBJECT", "properties": {"unit": UNIT, "days": {"type": "INTEGER", "default": 1}}}
OF_GEMINI = {
    "a dict": {"name": "weather", "parameters": GEMINI},
    "a dict of several": {"functionDeclarations": [{"name": "weather", "parameters": GEMINI}]},
    "an object": FunctionDeclaration(name="weather", parameters=GEMINI),
    "an object of several": GeminiTool(function_declarations=[{"name": "weather", "parameters": GEMINI}]),
    "a JSON Schema": FunctionDeclaration(name="weather", parameters_json_schema={**GEMINI, "type": "object"}),
}


@pytest.mark.parametrize("definition", OF_GEMINI.values(), ids=OF_GEMINI)
def test_a_definition_of_gemini_is_read(definition):
    actual = [call("weather", unit=None, days=1), call("weather", day=1)]
    assert match(actual, [call("weather", unit=None)], mode="superset", tools=[definition]).notes == (
        "actual[1] weather: day is invented; did you mean 'days'?",
    )
    for wrong in (5, "K"):
        with pytest.raises(ConversionError, match=f"unit: {wrong!r} is not"):
            match([], [call("weather", unit=wrong)], tools=[definition])


async def search_later(query: str, limit: int = 10) -> str:
    """Search."""
    return "nothing found"


def search_with_all(
    query: str,
    user: Annotated[str, InjectedToolArg],
    state: Annotated[dict, InjectedState],
    call_id: Annotated[str, InjectedToolCallId],
    limit: int = 10,
) -> str:
    """Search."""
    return "nothing found"


class BareTool(BaseTool):
    name: str = "search"
    description: str = "Search."

    def _run(self, query: str, limit: int = 10) -> str:
        return "nothing found"


class OneText(BareTool):
    def _run(self, tool_input: str) -> str:
        return "nothing found"


OF_LANGCHAIN = {
    "one text": LangChainTool(name="search", func=str, description="Search."),
    "one text, with a schema": LangChainTool(name="search", func=str, description="Search.", args_schema=Search),
    "one text, of a class": OneText(),
    "a function": tool(search),
    "an async function": tool(search_later),
    "a function with a schema": tool(args_schema=Search)(search),
    "injected arguments": tool(search_with_all),
    "a structured tool": StructuredTool.from_function(search),
    "an async structured tool": StructuredTool.from_function(coroutine=search_later),
    "a schema": StructuredTool(name="search", description="Search.", args_schema=SEARCH, func=search),
    "a class with a schema": SearchTool(),
    "a class": BareTool(),
}


@pytest.mark.parametrize("made", OF_LANGCHAIN.values(), ids=OF_LANGCHAIN)
def test_a_tool_of_langchain_has_the_arguments_that_a_model_is_told_of(made):
    told = convert_to_openai_tool(made)["function"]["parameters"]
    [(_, schema)] = [*parse_tools([made], parse_naming(None, ())).items()]
    right = dict.fromkeys(told["required"], "x")
    assert schema.invented(dict.fromkeys([*told["properties"], "other"], 1)) == [(("other",), [*told["properties"]])]
    assert faults(schema, right) == []
    for key in right:
        assert faults(schema, {k: v for k, v in right.items() if k != key}) == [
            f"the arguments: {key!r} is a required property"
        ]


def faults(schema, arguments):
    return schema.faults(arguments, whole=True, compared=lambda form: form)


@tool
def ping() -> str:
    """Ping."""
    return "pong"


WITHOUT_ARGUMENTS = {
    "LangChain": ping,
    "Pydantic AI": Tool(lambda: "pong", name="ping"),
    "Chat Completions": {"type": "function", "function": {"name": "ping"}},
    "Responses": {"type": "function", "name": "ping", "parameters": None},
    "Responses, an object": FunctionTool(type="function", name="ping"),
    "MCP": {"name": "ping", "inputSchema": {"type": "object", "properties": {}}},
}


@pytest.mark.parametrize("definition", WITHOUT_ARGUMENTS.values(), ids=WITHOUT_ARGUMENTS)
def test_a_tool_may_have_no_arguments(definition):
    result = match([call("ping"), call("ping", x=1)], [call("ping")], mode="superset", tools=[definition])
    assert result.passed
    assert result.notes == ("actual[1] ping: x is invented",)


class Uncommon(BaseModel):
    key: Callable[[int], int]


def uncommon(key: Callable[[int], int]) -> str:
    """Do what no schema can say."""
    return ""


def holding_itself():
    schema = obj()
    schema["properties"]["f"] = schema
    return schema


WRONG = {
    "one definition": ({"name": "f", "parameters": {}}, "one definition in place of a list of them; got"),
    "one tool": (ping, "a list of definitions, or JSON Schemas by the names of tools; got"),
    "a name": ("f", "a list of definitions, or JSON Schemas by the names of tools; got 'f'"),
    "names": (["f"], "a definition has the schema of its arguments in one of 'parameters_json_schema', "),
    "no schema": (
        [{"name": "f", "params": {}}],
        "a definition has the schema of its arguments in one of 'parameters_json_schema', 'tool_call_schema', "
        "'args_schema', 'parameters', 'input_schema', 'inputSchema'; got {'name': 'f', 'params': {}} with the keys "
        "'name', 'params'",
    ),
    "no name": ([{"parameters": {}}], "the name of a tool is None; got {'parameters': {}} with the keys 'parameters'"),
    "an empty name": ({"": {}}, "the name of a tool is ''; got {'': {}} with the keys ''"),
    "a schema that is none": ({"f": 1}, "neither a JSON Schema nor a pydantic model; got 1"),
    "a class that is no model": ({"f": int}, "neither a JSON Schema nor a pydantic model; got <class 'int'>"),
    "a function": ([search], "a definition has the schema of its arguments in one of"),
    "two of one name": ([ping, {"name": "ping", "parameters": {}}], "two definitions of 'ping'"),
    "no JSON Schema": ({"f": {"type": "objekt"}}, "the schema of 'f' is no JSON Schema: 'objekt' is not "),
    "a list for properties": ({"f": {"properties": []}}, "the schema of 'f' is no JSON Schema: [] is not of type"),
    "a reference to nothing": (
        {"f": obj({"a": {"$ref": "#/$defs/x"}})},
        "the schema of 'f' is no JSON Schema: it refers to '#/$defs/x', which is not in it",
    ),
    "an anchor that is not there": (
        {"f": obj({"a": {"$ref": "#x"}})},
        "the schema of 'f' is no JSON Schema: it refers to '#x', which is not in it",
    ),
    "a reference into a list": (
        {"f": obj({"a": {"$ref": "#/allOf/x"}}, allOf=[{}])},
        "the schema of 'f' is no JSON Schema: it refers to '#/allOf/x', which is not in it",
    ),
    "a remote reference": (
        {"f": obj({"a": {"$ref": "https://example.com/a.json"}})},
        "the schema of 'f' is no JSON Schema: it refers to 'https://example.com/a.json', which is not in it",
    ),
    "a draft that is no text": ({"f": {"$schema": 5}}, "the schema of 'f' is no JSON Schema: its $schema is 5"),
    "an identifier that is no text": (
        {"f": obj({"a": {"$ref": "#/components/x"}}, components={"x": {"items": {"$id": 5}}})},
        "the schema of 'f' is no JSON Schema: ",
    ),
    "a model without a schema": (
        {"f": Uncommon},
        "its schema cannot be made: Cannot generate a JsonSchema for core_schema.CallableSchema; got <class",
    ),
    "a tool without a schema": (
        [StructuredTool.from_function(uncommon)],
        "its schema cannot be made: Cannot generate a JsonSchema for core_schema.CallableSchema; got",
    ),
    "a schema that holds itself": ({"f": holding_itself()}, "the schema of 'f' is no JSON Schema: Circular reference"),
}


@pytest.mark.parametrize(("tools", "text"), WRONG.values(), ids=WRONG)
def test_a_wrong_definition_is_refused(tools, text, monkeypatch):
    monkeypatch.setattr("socket.socket.connect", pytest.fail)
    monkeypatch.setattr("socket.getaddrinfo", pytest.fail)
    with pytest.raises(OptionError) as caught:
        Matcher(tools=tools)
    assert str(caught.value).startswith(f"tools: {text}")
    assert caught.value.option == "tools"


@pytest.mark.parametrize("word", ["default", "const", "enum", "examples"])
def test_data_that_looks_like_a_reference_is_none(word):
    pet = {"$ref": "#/components/Pet"}
    tools = {"f": obj({"x": {word: [pet] if word in ("enum", "examples") else pet}})}
    assert match([call("f", x=pet)], ["f"], tools=tools).reason == "exact: PASS; 1 paired"


def test_a_reference_within_a_nested_base_is_checked():
    a = {"$id": "http://e.x/a", "$defs": {"b": {"type": "integer"}}, "$ref": "#/$defs/b"}
    tools = {"f": obj({"x": {"$ref": "http://e.x/a"}}, **{"$defs": {"a": a}})}
    with pytest.raises(ConversionError, match="x: 'no' is not of type 'integer'"):
        match([], [call("f", x="no")], tools=tools)


def test_a_draft_is_that_of_the_whole():
    schema = obj({"f": {"$ref": "#"}, "q": {"pattern": "^(a|a)*$"}}, required=["q"])
    for words in ({}, {"$schema": "https://json-schema.org/draft/2020-12/schema"}):
        match([], [call("f", f={"f": {}})], args="superset", tools={"f": {**schema, **words}})
        match([], [call("f", f={"q": SLOW}, q="a")], tools={"f": {**schema, **words}})


def test_names_of_definitions_are_read():
    options = {"aliases": {"find": "search"}, "prefixes": ["mcp__"]}
    actual, expected = [call("mcp__search", q=1)], [call("find", q=1, limit=10)]
    for name in ("search", "find", "mcp__search", "mcp__find"):
        assert match(actual, expected, tools={name: LIMIT}, **options).notes == ()
        assert match(actual, expected, tools={name: LIMIT}, **options).passed
    with pytest.raises(OptionError, match="tools: two definitions of 'search'"):
        Matcher(tools={"find": LIMIT, "search": LIMIT}, **options)
    with pytest.raises(ConversionError, match="expected: call 0 'find' is not as the schema of its tool asks: q: 1 is"):
        match(actual, expected, tools={"search": TYPED}, **options)


NO_TOOLS = {"none": None, "an empty list": [], "an empty mapping": {}}


@pytest.mark.parametrize("tools", NO_TOOLS.values(), ids=NO_TOOLS)
def test_no_definitions_say_nothing(tools):
    assert match([call("f")], ["g"], tools=tools).to_dict() == match([call("f")], ["g"]).to_dict()


def test_the_signature_carries_the_schemas_that_matter():
    tools = {"a": obj({"q": {"type": "string"}}), "b": LIMIT, "c": obj({"s": SET})}
    said = Matcher(tools=tools).signature
    b, c = (sha256(json.dumps(tools[name], sort_keys=True).encode()).hexdigest()[:8] for name in "bc")
    assert said == f"mode:exact|args:exact|calls:all|tools:b={b},c={c}|semantics:1"
    assert Matcher(tools={"a": tools["a"]}).signature == Matcher().signature
    reordered = {"properties": LIMIT["properties"], "type": "object"}
    assert Matcher(tools={"b": reordered}).signature == Matcher(tools={"b": LIMIT}).signature


SIGNED = {
    "a property that is named as a word": (obj({"default": {}, "uniqueItems": {"type": "string"}}), False),
    "a value that is named as a word": (obj({"a": {"enum": [{"default": 1}]}}), False),
    "a list that need not be a set": (obj({"a": {"uniqueItems": False}}), False),
    "a default within an alternative": (obj({"a": {"anyOf": [obj({"b": {"default": 1}})]}}), True),
}


@pytest.mark.parametrize(("schema", "matters"), SIGNED.values(), ids=SIGNED)
def test_the_signature_names_a_tool_where_its_schema_can_change_a_score(schema, matters):
    assert ("tools:f=" in Matcher(tools={"f": schema}).signature) is matters


def test_the_signature_leaves_out_what_people_are_told_and_no_data():
    def signature(**words):
        return Matcher(tools={"f": obj({"title": {"type": "string", "default": "x"}, "doc": words})}).signature

    assert signature(title="A", description="B") == signature()
    assert signature(default={"title": "A"}) != signature(default={"title": "B"})


def test_arguments_are_prepared_once(monkeypatch):
    asked = []
    prepared = ToolSchema.prepared
    monkeypatch.setattr(ToolSchema, "prepared", lambda schema, given: asked.append(given) or prepared(schema, given))
    run = [call("f", q=n) for n in range(10)]
    assert match(run, run[::-1], mode="unordered", args=equal, tools={"f": LIMIT}).passed
    assert len(asked) <= 2 * len(run) + 2


def test_advice_keeps_what_the_schemas_say():
    result = match([call("f", q=1, x=1)], [call("f", q=1, limit=10)], tools={"f": LIMIT})
    assert result.render().splitlines()[-2:] == [
        "note: actual[0] f: x is invented",
        'closest: overrides={"f": "superset"} passes',
    ]


def test_a_matcher_with_tools_can_be_pickled():
    matcher = Matcher(tools={"f": LIMIT}, overrides={"f": ["limit"]})
    same = pickle.loads(pickle.dumps(matcher))
    assert same([call("f")], [call("f", limit=10)]).passed
    assert same.signature == matcher.signature


@pytest.mark.parametrize("draft", [{}, {"$schema": "http://json-schema.org/draft-07/schema#"}], ids=["", "a draft"])
def test_a_result_with_tools_can_be_pickled(draft):
    result = match([call("f")], [call("f", limit=5)], tools={"f": {**LIMIT, **draft}})
    same = pickle.loads(pickle.dumps(result))
    assert (same.render(), same.to_dict()) == (result.render(), result.to_dict())


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def cyclic():
    value = []
    value.append(value)
    return value


def shared():
    value = [1]
    for _ in range(40):
        value = [value, value]
    return value


class Hostile:
    def __eq__(self, other):
        raise ValueError("no")

    __hash__ = None


NODES = {
    "$defs": {"node": seq({"$ref": "#/$defs/node"})},
    **obj({"b": {"default": 1}, "kind": {}}),
}
NODES["properties"]["a"] = {"$ref": "#/$defs/node"}
PLAIN_NODES = {**NODES, "properties": {"a": NODES["properties"]["a"], "kind": {"enum": ["x"]}}}
HOSTILE = {
    "deep": lambda: {"a": nested(10_000)},
    "rather deep": lambda: {"a": nested(150)},
    "cyclic": lambda: {"a": cyclic()},
    "shared": lambda: {"a": shared()},
    "raising": lambda: {"kind": Hostile(), "a": [Hostile()]},
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("schema", [NODES, PLAIN_NODES], ids=["defaults", "no defaults"])
def test_hostile_arguments_are_compared_or_an_error_that_names_the_place(make, schema):
    history = Trajectory([Message("assistant", None, [call("f", make())])])
    for expected in ([call("f", make())], history):
        try:
            match([call("f", make())], expected, tools={"f": schema})
        except RuleError as error:
            assert (error.tool, error.actual_index, error.expected_index) == ("f", 0, 0)
    for result in (match([call("f", make())], [], tools={"f": schema}), match([], history, tools={"f": schema})):
        assert result.notes == ()


def test_a_value_that_decides_may_be_anything_even_if_it_raises():
    schema = obj({"kind": {"const": "x"}, "n": {"type": "integer"}}, required=["n"])
    with pytest.raises(RuleError):
        match([call("f", kind="x")], [call("f", kind=Hostile())], tools={"f": schema})


UNITS = Enum("Unit", {"C": "celsius", "F": "fahrenheit"}, type=str)


class City(BaseModel):
    kind: Literal["city"]
    name: str
    radius: int = 5


class Point(BaseModel):
    kind: Literal["point"]
    height: float = 0.0


def weather(
    at: Annotated[City | Point, Field(discriminator="kind")], unit: UNITS = UNITS.C, days: tuple[int, ...] = (1,)
) -> str:
    """Tell the weather."""
    return "sunny"


@pytest.mark.parametrize("definition", [tool(weather), Tool(weather)], ids=["LangChain", "Pydantic AI"])
def test_what_frameworks_say_of_rich_types_is_read(definition):
    actual = [call("weather", at={"kind": "city", "name": "Rome", "hight": 1}), call("weather", at={"kind": "point"})]
    expected = [
        {"name": "weather", "arguments": {"at": {"kind": "city", "name": {"$regex": "R.*"}}, "unit": "celsius"}},
        call("weather", at={"kind": "point", "height": 0}, unit=UNITS.C, days=[1]),
    ]
    result = match(actual, expected, mode="any_order", args={"ignore": ["at.hight"]}, tools=[definition])
    assert result.passed
    assert result.notes == ("actual[0] weather: at.hight is invented",)
    with pytest.raises(ConversionError, match="call 0 'weather' is not as the schema of its tool asks: at"):
        match(actual, [call("weather", at={"kind": "town"})], tools=[definition])


def test_a_real_run_is_matched_beside_its_tools():
    def script(messages, info):
        if len(messages) > 1:
            return ModelResponse([TextPart("Done.")])
        return ModelResponse([ToolCallPart("search", {"query": "lamp", "tags": ["red", "blue"]}, "1")])

    tools = [Tool(search)]
    run = Agent(FunctionModel(script), tools=tools).run_sync("Find me a lamp.")
    expected = [call("search", query=IsStr(), limit=10, tags=["blue", "red"])]
    assert match(run, expected, tools=tools).reason == "exact: PASS; 1 paired"
    assert not match(run, expected).passed


def test_a_default_of_the_rule_goes_before_that_of_the_schema():
    tools = {"f": obj({"unit": {"default": "EUR"}})}
    assert match([call("f")], [call("f", unit="USD")], tools=tools, args={"defaults": {"unit": "USD"}}).passed
    assert not match([call("f")], [call("f", unit="EUR")], tools=tools, args={"defaults": {"unit": "USD"}}).passed


@pytest.mark.parametrize("native", [{"type": "web_search"}, {"type": "web_search_20250305", "name": "web_search"}])
def test_a_tool_that_the_provider_executes_is_passed_over(native):
    tools = [native, {"name": "f", "parameters": obj({"a": {}})}]
    assert match([call("f", a=1)], [call("f", a=1)], tools=tools).notes == ()


def test_the_signature_does_not_depend_on_the_order_of_the_tools():
    tools = {"g": obj({"a": {"default": 1}}), "f": obj({"b": {"default": 2}})}
    assert Matcher(tools=tools).signature == Matcher(tools=dict(reversed(tools.items()))).signature

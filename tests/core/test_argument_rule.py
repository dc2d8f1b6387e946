"""`ArgumentRule`: what each option takes for the same, and what not."""

import copy
import pickle
from collections import OrderedDict
from contextlib import suppress
from decimal import Decimal
from itertools import combinations, permutations
from unittest.mock import ANY

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from trajmatch import ArgumentRule, Matcher, OptionError, RuleError, ToolCall, call, check_arguments, expect, match
from trajmatch import _walk as walk
from trajmatch._rules import parse_rule
from trajmatch._values import Unfreezable, json_equal


def nested(depth, value):
    for _ in range(depth):
        value = [value]
    return value


def shared(levels):
    value = [1]
    for _ in range(levels):
        value = [value, value]
    return value


def cyclic():
    value = []
    value.append(value)
    return value


FINE = Decimal("0.12345678901234567890")
SAME = {
    "nothing said": ({}, {"a": 1, "b": [1]}, {"b": [1.0], "a": 1}),
    "subset": ({"mode": "subset"}, {"a": 1}, {"a": 1, "b": 2}),
    "superset": ({"mode": "superset"}, {"a": 1, "b": 2}, {"a": 1}),
    "deep subset": ({"mode": "subset", "deep": True}, {"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}),
    "deep superset": ({"mode": "superset", "deep": True}, {"a": {"b": 1, "c": 2}, "d": 1}, {"a": {"b": 1}}),
    "deep in items": ({"mode": "superset", "deep": True}, {"a": [{"b": 1, "c": 2}]}, {"a": [{"b": 1}]}),
    "more items": ({"mode": "superset", "deep": True}, {"a": [1, 2, 3]}, {"a": [1, 3]}),
    "fewer items": ({"mode": "subset", "deep": True}, {"a": [1, 3]}, {"a": [1, 2, 3]}),
    "items out of order": (
        {"mode": "superset", "deep": True, "unordered": True},
        {"a": [{"x": 1, "y": 2}, {"x": 1}]},
        {"a": [{"x": 1}, {"y": 2}]},
    ),
    "only": ({"only": ["a"]}, {"a": 1, "b": 2}, {"a": 1}),
    "only, inside": ({"only": ["a.b"]}, {"a": {"b": 1, "c": 2}}, {"a": {"b": 1}, "d": 3}),
    "only, absent on both sides": ({"only": ["a.b"]}, {"a": {"c": 2}}, {}),
    "only, an item": ({"only": ["a.1"]}, {"a": [1, 2]}, {"a": [3, 2, 4]}),
    "only, of each item": ({"only": ["a.*.id"]}, {"a": [{"id": 1, "n": 2}, {}]}, {"a": [{"id": 1}, {"n": 3}]}),
    "only, of each item and of one": (
        {"only": ["a.*.id", "a.0.n"]},
        {"a": [{"id": 1, "n": 2}, {"n": 4}]},
        {"a": [{"id": 1, "n": 2}, {"n": 3}]},
    ),
    "only, of no items": ({"only": ["a.*.id"]}, {"a": []}, {}),
    "ignore": ({"ignore": ["id"]}, {"id": 1, "a": 2}, {"id": 3, "a": 2}),
    "ignore, on one side": ({"ignore": ["id"]}, {"id": 1, "a": 2}, {"a": 2}),
    "ignore, inside": ({"ignore": ["a.id"]}, {"a": {"id": 1, "b": 2}}, {"a": {"b": 2}}),
    "ignore, of each item": ({"ignore": ["a.*.id"]}, {"a": [{"id": 1}, {"id": 2, "b": 3}]}, {"a": [{}, {"b": 3}]}),
    "ignore, an item": ({"ignore": ["a.0"]}, {"a": [1, 2]}, {"a": [3, 2]}),
    "ignore, all items": ({"ignore": ["a.*"]}, {"a": [1, 2]}, {"a": [3]}),
    "ignore, a key with a dot": ({"ignore": [["a.b"]]}, {"a.b": 1}, {"a.b": 2}),
    "ignore, a key with a star": ({"ignore": [["*"]]}, {"*": 1}, {"*": 2}),
    "ignore, a number as a key": ({"ignore": ["a.0"]}, {"a": {"0": 1, "1": 2}}, {"a": {"1": 2}}),
    "only and ignore": ({"only": ["a"], "ignore": ["a.id"]}, {"a": {"id": 1, "b": 2}, "c": 3}, {"a": {"b": 2}}),
    "a default": ({"defaults": {"limit": 10}}, {"q": "x"}, {"q": "x", "limit": 10}),
    "a default on both sides": ({"defaults": {"limit": 10}}, {"limit": 10}, {}),
    "a default inside": (
        {"defaults": {"a.*.op": "eq"}},
        {"a": [{}, {"op": "ne"}]},
        {"a": [{"op": "eq"}, {"op": "ne"}]},
    ),
    "a default, of a container": ({"defaults": {"page": {"size": 5}}}, {}, {"page": {"size": 5}}),
    "a default, then a default inside": ({"defaults": {"page": {}, "page.size": 5}}, {}, {"page": {"size": 5}}),
    "a default asks for nothing, superset": ({"mode": "superset", "defaults": {"limit": 10}}, {}, {}),
    "a default in actual alone, superset": ({"mode": "superset", "defaults": {"n": 1}}, {"q": "x"}, {"q": "x", "n": 1}),
    "no default in expected, superset": ({"mode": "superset", "defaults": {"n": 1}}, {"q": "x", "n": 2}, {"q": "x"}),
    "a default asks for nothing, subset": ({"mode": "subset", "defaults": {"limit": 10}}, {}, {}),
    "a default in expected alone, subset": ({"mode": "subset", "defaults": {"n": 1}}, {"q": "x", "n": 1}, {"q": "x"}),
    "no default in actual, subset": ({"mode": "subset", "defaults": {"n": 1}}, {"q": "x"}, {"q": "x", "n": 2}),
    "a default inside, superset": ({"mode": "superset", "defaults": {"a.b": 1}}, {"a": {"b": 1}, "c": 2}, {"a": {}}),
    "a default inside, of both, superset": ({"mode": "superset", "defaults": {"a.b": 1}}, {"a": {}}, {"a": {}}),
    "a default inside, of both, subset": ({"mode": "subset", "defaults": {"a.b": 1}}, {"a": {}}, {"a": {}, "c": 2}),
    "a default inside a default, superset": (
        {"mode": "superset", "defaults": {"a": {}, "a.b": 1}},
        {},
        {"a": {}},
    ),
    "a default inside, deep": (
        {"mode": "superset", "deep": True, "defaults": {"a.b": 1}},
        {"a": {"b": 2}},
        {"a": {}},
    ),
    "a default inside, deep, in actual": (
        {"mode": "superset", "deep": True, "defaults": {"a.b": 1}},
        {"a": {}},
        {"a": {"b": 1}},
    ),
    "a default inside, written before what holds it": ({"defaults": {"a.b": 1, "a": {}}}, {}, {"a": {"b": 1}}),
    "a default of a key with a dot": ({"defaults": {("a.b",): 1, "c": 2}}, {"a.b": 1}, {"c": 2}),
    "defaults in pairs": ({"defaults": [[["a.b"], 1], ["c", 2]]}, {"a.b": 1}, {"c": 2}),
    "ignore, in a set": ({"ignore": ["a.*.0"]}, {"a": {(1, 2)}}, {"a": {(3, 2)}}),
    "only, in a set": ({"only": ["a.*.1"]}, {"a": {(1, 2)}}, {"a": {(3, 2)}}),
    "only, a value above decides": ({"only": ["a.b"]}, {"a": {"b": 1}}, {"a": ANY}),
    "only, a value above decides of the whole": ({"only": ["a.b"]}, {"a": "xy", "c": 1}, {"a": expect.contains("x")}),
    "only, an item decides": (
        {"only": ["a.*.id"]},
        {"a": [{"id": 1, "n": 2}, {"id": 3, "n": 4}]},
        {"a": [{"id": 1}, expect.not_({"id": 3})]},
    ),
    "tolerance": ({"tolerance": 0.5}, {"a": 1}, {"a": [1.5][0]}),
    "tolerance, decimals": ({"tolerance": Decimal("0.1")}, {"a": FINE, "b": 0.1}, {"a": 0.2, "b": FINE}),
    "tolerance, inside": ({"tolerance": 0.5}, {"a": [{"b": 1}]}, {"a": [{"b": 1.25}]}),
    "tolerance, of a part": ({"tolerance": {"rel": 0.1}}, {"a": 110}, {"a": 100}),
    "tolerance, the larger counts": ({"tolerance": {"abs": 1, "rel": 0.001}}, {"a": 101}, {"a": 100}),
    "tolerance, large": ({"tolerance": 1}, {"a": 10**400}, {"a": 10**400 + 1}),
    "tolerance, of a large part": ({"tolerance": {"rel": 0.1}}, {"a": 10**400 + 10**399}, {"a": 10**400}),
    "tolerance, NaN": ({"tolerance": 1}, {"a": float("nan")}, {"a": float("nan")}),
    "tolerance, infinite": ({"tolerance": 1}, {"a": float("inf")}, {"a": float("inf")}),
    "case": ({"ignore_case": True}, {"a": "STRASSE"}, {"a": "straße"}),
    "case, inside": ({"ignore_case": True}, {"a": [{"b": "X"}]}, {"a": [{"b": "x"}]}),
    "white space": ({"ignore_whitespace": True}, {"a": " x\n y"}, {"a": "x y"}),
    "case and white space": ({"ignore_case": True, "ignore_whitespace": True}, {"a": " X\n y"}, {"a": "x y"}),
    "unordered": ({"unordered": True}, {"a": [1, [2, 3]]}, {"a": [[3, 2], 1]}),
    "unordered at a path": ({"unordered": ["a"]}, {"a": [1, 2, 2], "b": [1, 2]}, {"a": [2, 1, 2], "b": [1, 2]}),
    "unordered in each item": ({"unordered": ["a.*.t"]}, {"a": [{"t": [1, 2]}]}, {"a": [{"t": [2, 1]}]}),
    "unordered, of the items that count": (
        {"unordered": ["a"], "only": ["a.*.id"]},
        {"a": [{"id": 1, "n": 1}, {"id": 2, "n": 2}]},
        {"a": [{"id": 2}, {"id": 1}]},
    ),
    "unordered, near numbers": ({"unordered": True, "tolerance": 1}, {"a": [1, 2]}, {"a": [3, 2]}),
    "numbers in text": ({"coerce_numbers": True}, {"a": "5", "b": 5, "c": "-1.5e1"}, {"a": 5.0, "b": "5.0", "c": -15}),
    "numbers in text, near": ({"coerce_numbers": True, "tolerance": 1}, {"a": "5"}, {"a": 6}),
    "numbers in text, of many digits": ({"coerce_numbers": True}, {"a": "1" * 400}, {"a": int("1" * 400)}),
    "numbers in text, and white space": (
        {"coerce_numbers": True, "ignore_whitespace": True},
        {"a": " 5 ", "b": " 6"},
        {"a": "5", "b": 6},
    ),
    "numbers in text, and case": ({"coerce_numbers": True, "ignore_case": True}, {"a": "1E400"}, {"a": "1e400"}),
    "unordered, in a set": ({"unordered": True}, {"a": {(1, 2)}}, {"a": [[2, 1]]}),
    "unordered, inside one another": (
        {"unordered": ["a", "a.*.t"]},
        {"a": [{"t": [1, 2]}, {"t": [3]}]},
        {"a": [{"t": [3]}, {"t": [2, 1]}]},
    ),
    "unordered, an item inside": (
        {"unordered": ["a", "a.0"]},
        {"a": [[1, 2], [3]]},
        {"a": [[2, 1], [3]]},
    ),
    "unordered, beside values that decide": ({"unordered": True}, {"a": [1, 2, 2]}, {"a": [expect.gt(1), 2, ANY]}),
    "a set": ({"ignore_case": True}, {"a": {"X", "y"}}, {"a": ["Y", "x"]}),
    "keys that are no text": ({"ignore": ["1"]}, {1: "a", 2: "b"}, {"2": "b"}),
}
NOT_SAME = {
    "more inside, in a shallow superset": (
        {"mode": "superset", "ignore_case": True},
        {"a": {"x": "y", "z": 1}},
        {"a": {"x": "Y"}},
    ),
    "more in a list, in a shallow superset": ({"mode": "superset", "ignore_case": True}, {"a": [1, 2]}, {"a": [1]}),
    "less in a list, in a shallow subset": ({"mode": "subset", "ignore_case": True}, {"a": [1]}, {"a": [1, 2]}),
    "nothing said": ({}, {"a": 1}, {"a": True}),
    "subset": ({"mode": "subset"}, {"a": 1, "b": 2}, {"a": 1}),
    "superset": ({"mode": "superset"}, {"a": 1}, {"a": 1, "b": 2}),
    "not deep": ({"mode": "superset"}, {"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}),
    "deep subset": ({"mode": "subset", "deep": True}, {"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}),
    "more items, out of order": ({"mode": "superset", "deep": True}, {"a": [1, 2, 3]}, {"a": [3, 1]}),
    "more items needed": ({"mode": "superset", "deep": True}, {"a": [1]}, {"a": [1, 1]}),
    "more items given": ({"mode": "subset", "deep": True}, {"a": [1, 1]}, {"a": [1]}),
    "more items, exact": ({"ignore_case": True}, {"a": [1, 2]}, {"a": [1]}),
    "only": ({"only": ["a"]}, {"a": 1, "b": 2}, {"a": 2, "b": 2}),
    "only, on one side": ({"only": ["a"]}, {}, {"a": None}),
    "only, of more items": ({"only": ["a.*.id"]}, {"a": [{"id": 1}, {}]}, {"a": [{"id": 1}]}),
    "ignore": ({"ignore": ["id"]}, {"id": 1, "a": 2}, {"id": 1, "a": 3}),
    "ignore, another level": ({"ignore": ["id"]}, {"a": {"id": 1}}, {"a": {"id": 2}}),
    "ignore, of each item of what is no list": ({"ignore": ["a.*.id"]}, {"a": {"x": {"id": 1}}}, {"a": {"x": {}}}),
    "a default": ({"defaults": {"limit": 10}}, {"q": "x", "limit": 5}, {"q": "x"}),
    "a default, and null": ({"defaults": {"limit": 10}}, {"limit": None}, {}),
    "a default, and more": ({"defaults": {"limit": 10}}, {"other": 1}, {}),
    "a default is not expected of actual, superset": (
        {"mode": "superset", "defaults": {"limit": 10}},
        {},
        {"limit": 5},
    ),
    "a default is not given to expected, subset": ({"mode": "subset", "defaults": {"limit": 10}}, {"limit": 5}, {}),
    "a default inside, superset": ({"mode": "superset", "defaults": {"a.b": 1}}, {"a": {"b": 2}}, {"a": {}}),
    "a default inside, subset": ({"mode": "subset", "defaults": {"a.b": 1}}, {"a": {}}, {"a": {"b": 2}}),
    "a default inside what is absent": ({"defaults": {"page.size": 5}}, {}, {"page": {"size": 5}}),
    "tolerance": ({"tolerance": 0.5}, {"a": 1}, {"a": 1.75}),
    "tolerance, of a part": ({"tolerance": {"rel": 0.1}}, {"a": 120}, {"a": 100}),
    "only, a value above decides": ({"only": ["a.b"]}, {"a": {"b": 1}}, {"a": expect.not_({"b": 1})}),
    "only, an item decides": ({"only": ["a.*.id"]}, {"a": [{"id": 1}, {}]}, {"a": [expect.type_of("null"), {}]}),
    "tolerance, a decimal beyond any float": ({"tolerance": 1}, {"a": Decimal("1E5000")}, {"a": 1}),
    "tolerance, bool": ({"tolerance": 1}, {"a": True}, {"a": 1}),
    "tolerance, text": ({"tolerance": 1}, {"a": "1"}, {"a": 1}),
    "tolerance, infinite": ({"tolerance": {"rel": 1}}, {"a": 1}, {"a": float("inf")}),
    "tolerance, NaN": ({"tolerance": 1}, {"a": float("nan")}, {"a": 0}),
    "tolerance, beyond any float": ({"tolerance": {"rel": 0.5}}, {"a": 10**400}, {"a": 10**300}),
    "case of keys": ({"ignore_case": True}, {"A": 1}, {"a": 1}),
    "white space inside a word": ({"ignore_whitespace": True}, {"a": "x y"}, {"a": "xy"}),
    "unordered": ({"unordered": True}, {"a": [1, 2, 2]}, {"a": [1, 1, 2]}),
    "unordered at a path": ({"unordered": ["a"]}, {"b": [1, 2], "a": []}, {"b": [2, 1], "a": []}),
    "numbers in text": ({"coerce_numbers": True}, {"a": "5x"}, {"a": 5}),
    "numbers in text, no JSON": ({"coerce_numbers": True}, {"a": "05"}, {"a": 5}),
    "numbers in text, of many digits": ({"coerce_numbers": True}, {"a": "1" * 400}, {"a": "2" * 400}),
    "unordered, beside values that decide": ({"unordered": True}, {"a": [1, 1, 2]}, {"a": [expect.gt(1), 2, ANY]}),
    "ignore, at a place of a set": ({"ignore": ["a.0"]}, {"a": {1}}, {"a": {2}}),
    "numbers in text, infinite": ({"coerce_numbers": True}, {"a": "1e999"}, {"a": float("inf")}),
    "numbers in text, and true": ({"coerce_numbers": True}, {"a": "1"}, {"a": True}),
    "an object for a list": ({"ignore_case": True}, {"a": {"0": 1}}, {"a": [1]}),
}


def verdicts(options, actual, expected):
    """The verdict on every way to it."""
    rule = ArgumentRule(**options)
    sides = [ToolCall("f", actual)], [ToolCall("f", expected)]
    modes = ["exact", "unordered", "in_order", "any_order"]
    crowd = [call("f", other=n) for n in range(9)]
    return [
        *(match(*sides, mode=mode, args=rule).passed for mode in modes),
        match(*sides, args=options).passed,
        match(*sides, overrides={"f": rule}).passed,
        match([*sides[0], *crowd], [*crowd, *sides[1]], mode="unordered", args=rule, overrides={}).f1 == 1.0
        if options.get("mode", "exact") == "exact" and "only" not in options
        else match(*sides, args=rule).passed,
    ]


@pytest.mark.parametrize(("options", "actual", "expected"), SAME.values(), ids=SAME)
def test_same(options, actual, expected):
    assert set(verdicts(options, actual, expected)) == {True}


@pytest.mark.parametrize(("options", "actual", "expected"), NOT_SAME.values(), ids=NOT_SAME)
def test_not_the_same(options, actual, expected):
    assert set(verdicts(options, actual, expected)) == {False}


LEAVES = st.one_of(
    st.sampled_from(["x", "X", " x", "1", "1.0", "", True, None, 1, 1.0, 2, 1.25, float("nan")]), st.integers(0, 2)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
        st.sets(LEAVES, max_size=2),
    ),
    max_leaves=5,
)
ARGUMENTS = st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3)
FLAG = st.booleans()
PATHS = st.lists(st.sampled_from(["a", "a.b", "b.*", "a.*.c", "c.0"]), min_size=1, max_size=2)


def with_effect(options):
    """Options without those that could have no effect beside the others."""
    given = options if options.get("mode", "exact") != "exact" else {**options, "deep": False}
    for left_out in ("", "only", "ignore"):
        given = {name: value for name, value in given.items() if name != left_out}
        with suppress(OptionError):
            return ArgumentRule(**given).options
    raise AssertionError(given)


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "mode": st.sampled_from(["exact", "subset", "superset"]),
        "deep": FLAG,
        "only": PATHS,
        "ignore": PATHS,
        "defaults": st.dictionaries(st.sampled_from(["a", "b", "a.b"]), LEAVES, min_size=1, max_size=2),
        "tolerance": st.sampled_from([0.5, {"rel": 0.5}]),
        "ignore_case": FLAG,
        "ignore_whitespace": FLAG,
        "unordered": st.one_of(FLAG, PATHS),
        "coerce_numbers": FLAG,
    },
).map(with_effect)


@given(OPTIONS, ARGUMENTS, ARGUMENTS)
def test_the_ways_to_a_verdict_agree(options, actual, expected):
    rule = parse_rule(options, "args")
    before = copy.deepcopy([actual, expected])
    same = rule.same(actual, expected)
    assert same is not any(rule.differing(actual, expected))
    assert json_equal([actual, expected], before)
    try:
        keys = rule.key and (rule.key(actual), (rule.expected_key or rule.key)(expected))
    except Unfreezable:
        keys = None
    if keys:
        ours, theirs = keys
        assert same is {"equal": ours == theirs, "within": ours <= theirs, "contains": ours >= theirs}[rule.relates]


@given(OPTIONS, ARGUMENTS)
def test_arguments_are_the_same_as_themselves(options, arguments):
    assert parse_rule(options, "args").same(arguments, copy.deepcopy(arguments))


RELAXED = {
    "deep": {"deep": True},
    "ignore": {"ignore": ["a.b"]},
    "only": {"only": ["b"]},
    "defaults": {"defaults": {"a": 1, "b.a": "x", "c.*.b": None, "d": {}, "d.e": 2}},
    "tolerance": {"tolerance": 1},
    "case": {"ignore_case": True},
    "white space": {"ignore_whitespace": True},
    "unordered": {"unordered": True},
    "numbers": {"coerce_numbers": True},
}


@pytest.mark.parametrize("more", RELAXED.values(), ids=RELAXED)
@given(mode=st.sampled_from(["exact", "subset", "superset"]), actual=ARGUMENTS, expected=ARGUMENTS | st.none())
@example(mode="superset", actual={"b": {}, "d": {}}, expected=None)
def test_relaxing_takes_more_for_the_same(more, mode, actual, expected):
    if expected is None:
        expected = copy.deepcopy(actual)
    if mode == "exact" and "deep" in more:
        mode = "superset"
    deep = {"deep": True} if mode != "exact" and "defaults" in more else {}
    sides = [ToolCall("f", actual)], [ToolCall("f", expected)]
    for same in ({}, deep, {"ignore_case": True, "ignore_whitespace": True}):
        strict, loose = ArgumentRule(mode=mode, **same), ArgumentRule(**{"mode": mode, **same, **more})
        assert match(*sides, args=strict).score <= match(*sides, args=loose).score


def reference(options, actual, expected, mode=None):
    """The verdict on values, by trying everything; for the options that name no paths."""
    if mode is None:
        mode = options.get("mode", "exact")
        return reference(options, dict(actual), dict(expected), mode)
    inner = mode if options.get("deep") else "exact"
    if isinstance(actual, dict) and isinstance(expected, dict):
        if mode != "superset" and not actual.keys() <= expected.keys():
            return False
        if mode != "subset" and not actual.keys() >= expected.keys():
            return False
        return all(reference(options, actual[key], expected[key], inner) for key in actual.keys() & expected.keys())
    lists = (list, set)
    if isinstance(actual, lists) and isinstance(expected, lists):
        free = options.get("unordered") or isinstance(actual, set) or isinstance(expected, set)
        short, long = sorted([[*actual], [*expected]], key=len)
        if len(actual) != len(expected) and mode != ("subset" if len(actual) < len(expected) else "superset"):
            return False
        swapped = len(actual) > len(expected)
        return any(
            all(reference(options, *((y, x) if swapped else (x, y)), inner) for x, y in zip(short, chosen, strict=True))
            for chosen in (permutations if free else combinations)(long, len(short))
        )
    return leaf(options, actual, expected)


def leaf(options, actual, expected):
    def read(value):
        if isinstance(value, str):
            if options.get("coerce_numbers") and value in ("1", "1.0"):
                return 1
            value = " ".join(value.split()) if options.get("ignore_whitespace") else value
            return value.lower() if options.get("ignore_case") else value
        return value

    a, e = read(actual), read(expected)
    if "tolerance" in options and type(a) in (int, float) and type(e) in (int, float) and a == a and e == e:
        return abs(a - e) <= (0.5 if options["tolerance"] == 0.5 else 0.5 * abs(e))
    return json_equal(a, e)


@given(OPTIONS, ARGUMENTS, ARGUMENTS)
def test_the_verdict_is_that_of_the_reference(options, actual, expected):
    for option in ("only", "ignore", "defaults"):
        options.pop(option, None)
    if options.get("unordered") is not True:
        options.pop("unordered", None)
    assert parse_rule(options, "args").same(actual, expected) is reference(options, actual, expected)


WRONG = {
    "an unknown option": ({"ignored": ["a"]}, "no option 'ignored'; did you mean 'ignore'?"),
    "an unknown mode": ({"mode": "supreset"}, "did you mean 'superset'?"),
    "no mode": ({"mode": None}, "mode: 'exact', 'subset', 'superset', got None"),
    "a flag": ({"deep": 1}, "deep: True or False, got 1"),
    "deep without effect": ({"deep": True}, "deep has no effect in the mode 'exact'"),
    "one path": ({"ignore": "id"}, "ignore: a list of key paths, got 'id'"),
    "no paths": ({"only": []}, "only: a list of key paths, got []"),
    "an empty segment": ({"only": ["a..b"]}, "empty segment"),
    "another path language": ({"only": ["a[0]"]}, "or all of them, 'items.*.id'"),
    "a star inside a segment": ({"only": ["a.b*"]}, "'*' in the key path"),
    "no order": ({"unordered": "a"}, "unordered: a list of key paths, got 'a'"),
    "no defaults": ({"defaults": {}}, "defaults: values by their key paths"),
    "a list of defaults": ({"defaults": ["a"]}, "defaults: values by their key paths"),
    "a default of items": ({"defaults": {"a.*": 1}}, "'a.*' ends in none"),
    "a negative tolerance": ({"tolerance": -1}, "tolerance: a number from 0, or an object of 'abs' and 'rel', got -1"),
    "a tolerance that is a flag": ({"tolerance": True}, "got True"),
    "an infinite tolerance": ({"tolerance": float("inf")}, "got inf"),
    "a tolerance of another word": ({"tolerance": {"relative": 0.1}}, "got {'relative': 0.1}"),
    "no tolerance": ({"tolerance": {}}, "got {}"),
    "a tolerance beyond any float": ({"tolerance": 10**400}, "tolerance: a number from 0, or an object of 'abs' and"),
    "defaults that are no pairs": ({"defaults": [["a"], ["b", 1]]}, "defaults: values by their key paths"),
    "a default that is too deep": ({"defaults": {"a": nested(10_000, 1)}}, "defaults: a value cannot be read"),
    "a default that is too large": ({"defaults": {"a": shared(40)}}, "a value cannot be read: more than 100000 values"),
    "a default that is ignored": (
        {"defaults": {"a.b": 1}, "ignore": ["a"]},
        "'a.b' has no effect, since it is ignored",
    ),
    "no order of what is ignored": ({"unordered": ["a.*.b"], "ignore": ["a.*"]}, "has no effect, since it is ignored"),
    "only what is ignored": ({"only": ["a"], "ignore": ["a"]}, "only: 'a' has no effect, since it is ignored"),
    "ignore beside only": ({"ignore": ["b"], "only": ["a"]}, "ignore: 'b' has no effect, since it is not in only"),
    "a default beside only": (
        {"defaults": {"a.c": 1}, "only": ["a.b"]},
        "'a.c' has no effect, since it is not in only",
    ),
}
NO_WRONG = {
    "values that are those by default": {"mode": "exact", "deep": False, "tolerance": 0, "unordered": False},
    "a default above what is ignored": {"defaults": {"a": {}}, "ignore": ["a.b"]},
    "a default above what is compared": {"defaults": {"a": {}}, "only": ["a.b"]},
    "an item and all items": {"ignore": ["a.0.b"], "only": ["a.*"]},
    "an item in two forms": {"ignore": [["a", 0, "b"]], "only": ["a.0"]},
}


@pytest.mark.parametrize(("options", "text"), WRONG.values(), ids=WRONG)
def test_a_wrong_option_is_refused(options, text):
    with pytest.raises(OptionError) as caught:
        ArgumentRule(**options)
    assert text in str(caught.value)
    assert caught.value.option == next(iter(options))
    if "effect" not in text:  # which is no matter of one value
        assert (caught.value.value is None) == (options[caught.value.option] is None)
    with pytest.raises(OptionError) as caught:
        match([], [], overrides={"f": options})
    assert str(caught.value).startswith("overrides['f']: ")


@pytest.mark.parametrize("options", NO_WRONG.values(), ids=NO_WRONG)
def test_options_that_have_an_effect_or_their_default_are_taken(options):
    assert ArgumentRule(**options).options == options


def test_a_key_that_is_no_text_is_no_option():
    with pytest.raises(OptionError, match="args: an ArgumentRule has no option 1; it has 'mode'"):
        Matcher(args={1: 2})


def test_it_prints_as_it_was_written():
    rule = ArgumentRule(ignore=["id"], mode="subset", tolerance={"abs": 1})
    assert repr(rule) == "ArgumentRule(ignore=['id'], mode='subset', tolerance={'abs': 1})"
    assert match([], [], args=rule).signature == f"mode:exact|args:{rule!r}|calls:all|semantics:1"
    assert match([], [], args=rule).signature == match([], [], args=rule.options).signature


def test_it_is_a_value():
    rule = ArgumentRule(ignore=["id"])
    assert rule == ArgumentRule(ignore=[("id",)]) != ArgumentRule(ignore=["ids"])
    assert rule != {"ignore": ["id"]}
    assert pickle.loads(pickle.dumps(rule)) == rule


EQUAL = {
    "paths in two forms": ({"ignore": ["id"]}, {"ignore": (("id",),)}),
    "numbers of two types": ({"tolerance": 1}, {"tolerance": {"abs": 1.0}}),
    "equal defaults": ({"defaults": {"a": [1, float("nan")]}}, {"defaults": {"a": (1.0, float("nan"))}}),
    "another order": ({"defaults": {"a": {}, "a.b": 1}}, {"defaults": [("a.b", 1), ("a", OrderedDict())]}),
}


@pytest.mark.parametrize(("one", "other"), EQUAL.values(), ids=EQUAL)
def test_equal_rules_have_equal_hashes(one, other):
    one, other = ArgumentRule(**one), ArgumentRule(**other)
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == other


@pytest.mark.parametrize("other", [{"a": True}, {"a": 2}, {"b": 1}, {"a": 1, "b": 1}], ids=str)
def test_other_defaults_are_another_rule(other):
    assert ArgumentRule(defaults={"a": 1}) != ArgumentRule(defaults=other)
    assert call("f").under({"defaults": {"a": 1}}) != call("f").under({"defaults": other})


def test_nothing_outside_changes_it():
    paths, default, tolerance = ["id"], {"b": [1]}, {"abs": 1}
    rule = ArgumentRule(ignore=paths, defaults={"a": default}, tolerance=tolerance)
    before = repr(rule)
    paths.append("x")
    default["b"].append(2)
    tolerance["abs"] = 2
    rule.options["mode"] = "subset"
    rule.options["defaults"]["a"]["b"].append(3)
    assert repr(rule) == before
    assert match([call("f")], [call("f", a={"b": [1]})], args=rule).passed


THOUSAND = [*range(1_000)]
MANY = {
    "unordered": ({"unordered": True}, THOUSAND[::-1]),
    "unordered, of objects": ({"unordered": ["a"]}, [{"a": n} for n in THOUSAND]),
    "deep": ({"mode": "superset", "deep": True}, THOUSAND[1:]),
    "numbers near": ({"unordered": True, "tolerance": 0.25}, THOUSAND[::-1]),
}


@pytest.mark.parametrize(("options", "expected"), MANY.values(), ids=MANY)
def test_a_thousand_items_are_compared(options, expected):
    actual = [{"a": n} for n in THOUSAND] if isinstance(expected[0], dict) else THOUSAND
    assert check_arguments([call("f", a=actual)], "f", {"a": expected}, args=options)


def test_more_comparisons_than_that_are_an_error(monkeypatch):
    rule = ArgumentRule(unordered=True, tolerance=0.25)
    run = [call("f", a=THOUSAND[:40])]
    monkeypatch.setattr(walk, "_QUICKLY", 100)
    monkeypatch.setattr(walk, "_COMPARISONS", 1_000)
    with pytest.raises(RuleError, match="more than 1000 comparisons of two values"):
        match(run, run, args=rule)
    monkeypatch.setattr(walk, "_COMPARISONS", 2_000)
    assert match(run, run, args=rule).passed


def test_what_cannot_be_listed_is_one_whole_difference(monkeypatch):
    rule = ArgumentRule(ignore_case=True)
    result = match([call("f", a=THOUSAND)] * 3, [call("f", a=THOUSAND[1:])] * 3, args=rule)
    monkeypatch.setattr(walk, "_QUICKLY", 0)
    monkeypatch.setattr(walk, "_COMPARISONS", 0)
    assert "actual[0] f for expected[0]: arguments: ArgumentRule(ignore_case=True) says they differ" in repr(result)


def test_a_path_that_occurs_nowhere_is_noted():
    calls = [call("f", items=[{"id": 1}, {"at": 2}])]
    rule = ArgumentRule(ignore=["items.*.at", "items.*.idd", "rows.*.id"], unordered=["items"], defaults={"new": 1})
    notes = match(calls, calls, args=rule).notes
    assert [*notes] == [
        "the key path 'items.*.idd' occurs in no call",
        "the key path 'rows.*.id' occurs in no call",
    ]


HOSTILE = {"deep": lambda: nested(10_000, 1), "cyclic": cyclic, "shared": lambda: shared(40)}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize(
    "options", [{"ignore": ["b"]}, {"ignore_case": True}, {"unordered": True}, {"tolerance": 1}], ids=str
)
def test_what_cannot_be_compared_is_an_error_that_names_the_place(make, options):
    try:
        assert match([call("f", a=make())], [call("f", a=make())], args=options).passed
    except RuleError as error:
        assert str(error).startswith(
            f"comparing the arguments of 'f', actual[0] with expected[0], under {ArgumentRule(**options)}"
        )
        assert (error.tool, error.actual_index, error.expected_index) == ("f", 0, 0)


PICTURES = {
    "a tolerance": ({"tolerance": 0.5}, {"n": 1}, {"n": 2}, "n: expected 2, got 1"),
    "the values as they were written": (
        {"ignore_case": True},
        {"n": "Rome"},
        {"n": "PARIS"},
        'n: expected "PARIS", got "Rome"',
    ),
    "a default": ({"defaults": {"n": 10}}, {"n": 5}, {}, "n: expected 10, got 5"),
    "a key inside": ({"ignore": ["a.x"]}, {"a": {"b": 1}}, {"a": {"x": 2}}, "a.b: not expected, got 1"),
    "an item too few": ({"mode": "superset", "deep": True}, {"a": [1]}, {"a": [1, 2]}, "a.1: expected 2, absent"),
    "an item out of order": (
        {"unordered": True},
        {"a": [1, 3]},
        {"a": [2, 1]},
        "a.1: not expected, got 3; a.0: expected 2, absent",
    ),
}


@pytest.mark.parametrize(("options", "actual", "expected", "text"), PICTURES.values(), ids=PICTURES)
def test_the_reason_names_the_place(options, actual, expected, text):
    result = match([ToolCall("f", actual)], [ToolCall("f", expected)], args=options)
    assert result.reason == f"exact: FAIL; 0 paired, 1 near miss; actual[0] f for expected[0]: {text}"


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_what_cannot_be_compared_has_no_key(make):
    rule = parse_rule({"ignore_case": True}, "args")
    with pytest.raises(Unfreezable):
        rule.key({"a": make()})


def test_bags_have_keys():
    key = parse_rule({"unordered": ["a"]}, "args").key
    assert key({"a": [1, {"b": 2}, 1]}) == key({"a": [{"b": 2}, 1, 1]}) != key({"a": [{"b": 2}, {"b": 2}, 1]})
    assert key({"b": [1, 2]}) != key({"b": [2, 1]})


def test_pydantic_takes_and_gives_a_rule_as_data():
    adapter = TypeAdapter(ArgumentRule)
    rule = ArgumentRule(ignore=["id"], tolerance=0.5)
    assert adapter.validate_json('{"ignore": ["id"], "tolerance": 0.5}') == rule
    assert adapter.validate_python(rule) is rule
    assert adapter.dump_python(rule) == {"ignore": ["id"], "tolerance": 0.5}
    assert adapter.json_schema()["type"] == "object"
    with pytest.raises(ValidationError, match="no option 'ignored'; did you mean 'ignore'"):
        adapter.validate_json('{"ignored": ["id"]}')

"""Values that decide for themselves: what each operator takes, and what not, in Python and as data."""

import json
import pickle
import re
from collections import OrderedDict, UserDict
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from unittest.mock import ANY

import pytest
import regex
from dirty_equals import IsPositive
from hypothesis import given
from hypothesis import strategies as st

from trajmatch import (
    ArgumentRule,
    ConversionError,
    ToolCall,
    _patterns,
    call,
    check_arguments,
    check_forbidden,
    expect,
    match,
    to_expectation,
)
from trajmatch import _operators as module
from trajmatch.reading import literal

NAN = float("nan")
FINE = Decimal("0.12345678901234567890")

TAKEN = {
    "any": (expect.any_value(), {"$any": True}, [None, 1, "", [], {"x": 1}, True, NAN]),
    "regex": (expect.regex("a+"), {"$regex": "a+"}, ["a", "aaa"]),
    "regex, flags inside": (expect.regex("(?i)a+"), {"$regex": "(?i)a+"}, ["A", "aA"]),
    "approx": (expect.approx(100), {"$approx": 100}, [100, 100.00001, 100.0]),
    "approx zero": (expect.approx(0), {"$approx": 0}, [0, 1e-13, -0.0]),
    "approx, abs": (expect.approx(100, abs=1), {"$approx": 100, "abs": 1}, [99, 101.0]),
    "approx, rel": (expect.approx(100, rel=0.1), {"$approx": 100, "rel": 0.1}, [90, 110]),
    "approx, both": (expect.approx(100, abs=20, rel=0.1), {"$approx": 100, "abs": 20, "rel": 0.1}, [80, 120]),
    "one of": (expect.one_of("a", 1, [2]), {"$one_of": ["a", 1, [2]]}, ["a", 1.0, [2]]),
    "one of, nested": (expect.one_of(1, expect.gt(5)), {"$one_of": [1, {"$gt": 5}]}, [1, 6]),
    "type string": (expect.type_of("string"), {"$type": "string"}, ["", "a", date(2026, 1, 2)]),
    "type number": (expect.type_of("number"), {"$type": "number"}, [1, 1.5, NAN, FINE]),
    "type integer": (expect.type_of("integer"), {"$type": "integer"}, [1, 1.0, 10**400, Decimal("1E5000")]),
    "type boolean": (expect.type_of("boolean"), {"$type": "boolean"}, [True, False]),
    "type object": (expect.type_of("object"), {"$type": "object"}, [{}, {"a": 1}]),
    "type array": (expect.type_of("array"), {"$type": "array"}, [[], (1,), {1}]),
    "type null": (expect.type_of("null"), {"$type": "null"}, [None]),
    "types": (expect.type_of("null", "string"), {"$type": ["null", "string"]}, [None, "a"]),
    "contains a text": (expect.contains("b"), {"$contains": "b"}, ["abc", "b", ["b"], ["a", "b"]]),
    "contains an item": (expect.contains({"id": 1}), {"$contains": {"id": 1}}, [[{"id": 1.0}]]),
    "contains, nested": (expect.contains(expect.gt(5)), {"$contains": {"$gt": 5}}, [[1, 6]]),
    "starts with": (expect.starts_with("ab"), {"$starts_with": "ab"}, ["ab", "abc"]),
    "gt": (expect.gt(5), {"$gt": 5}, [5.5, 6, float("inf")]),
    "gte": (expect.gte(5), {"$gte": 5}, [5, 5.0]),
    "lt": (expect.lt("b"), {"$lt": "b"}, ["a", ""]),
    "lte": (expect.lte(5), {"$lte": 5}, [5, -1, FINE]),
    "lte a decimal": (expect.lte(Decimal("5")), {"$lte": 5}, [5, FINE]),
    "approx a decimal": (expect.approx(Decimal("0.5"), abs=1), {"$approx": 0.5, "abs": 1}, [1, FINE]),
    "lte a date": (expect.lte(date(2026, 1, 1)), {"$lte": "2026-01-01"}, [date(2025, 12, 31), "2025"]),
    "not": (expect.not_(5), {"$not": 5}, [6, "5", True, None]),
    "not, nested": (expect.not_(expect.gt(5)), {"$not": {"$gt": 5}}, [5, "a"]),
    "all": (expect.all_of(expect.gte(1), expect.lt(3)), {"$all": [{"$gte": 1}, {"$lt": 3}]}, [1, 2.9]),
}
NOT_TAKEN = {
    "approx, by a part alone": (expect.approx(10, rel=0.001), {"$approx": 10, "rel": 0.001}, [10.5]),
    "approx, by an amount alone": (expect.approx(10, abs=0.001), {"$approx": 10, "abs": 0.001}, [10.005]),
    "any": (expect.any_value(), {"$any": True}, []),
    "regex": (expect.regex("a+"), {"$regex": "a+"}, ["", "ab", "ba", "a\n", 1, None, ["a"]]),
    "approx": (expect.approx(100), {"$approx": 100}, [100.01, "100", True, None, NAN, float("inf")]),
    "approx, abs alone": (expect.approx(10**9, abs=1), {"$approx": 10**9, "abs": 1}, [10**9 + 2]),
    "approx one": (expect.approx(1), {"$approx": 1}, [True]),
    "one of": (expect.one_of("a", 1), {"$one_of": ["a", 1]}, ["b", True, ["a"], None]),
    "type string": (expect.type_of("string"), {"$type": "string"}, [1, None, ["a"]]),
    "type number": (expect.type_of("number"), {"$type": "number"}, [True, "1", None]),
    "type integer": (expect.type_of("integer"), {"$type": "integer"}, [1.5, True, "1", NAN, float("inf"), FINE]),
    "type boolean": (expect.type_of("boolean"), {"$type": "boolean"}, [0, 1, "true"]),
    "type object": (expect.type_of("object"), {"$type": "object"}, [[], "{}"]),
    "type array": (expect.type_of("array"), {"$type": "array"}, [{}, "[]"]),
    "type null": (expect.type_of("null"), {"$type": "null"}, [0, "", False]),
    "contains": (expect.contains("b"), {"$contains": "b"}, ["a", ["ab"], {"b": 1}, None]),
    "contains a number": (expect.contains(1), {"$contains": 1}, ["1", [True], ["1"]]),
    "starts with": (expect.starts_with("ab"), {"$starts_with": "ab"}, ["a", "cab", 1, ["ab"]]),
    "gt": (expect.gt(5), {"$gt": 5}, [5, 4, "6", NAN, None]),
    "gt true": (expect.gt(0), {"$gt": 0}, [True]),
    "gte": (expect.gte("b"), {"$gte": "b"}, ["a", 1]),
    "lt": (expect.lt(5), {"$lt": 5}, [5, 6, False]),
    "lte": (expect.lte(5), {"$lte": 5}, [5.1, "1"]),
    "not": (expect.not_(1), {"$not": 1}, [1, 1.0]),
    "all": (expect.all_of(expect.gte(1), expect.lt(3)), {"$all": [{"$gte": 1}, {"$lt": 3}]}, [0, 3, "2"]),
}


def results(operator, data, actual):
    """The results of both forms, alone and inside, in every place where an expectation is written."""
    expected = [operator, data]
    written = [
        *([call("f", a=value)] for value in expected),
        *([{"name": "f", "arguments": {"a": value}}] for value in expected),
    ]
    alone = [match([call("f", a=actual)], side) for side in written]
    inside = [match([call("f", a={"b": [actual]})], [call("f", a={"b": [value]})]) for value in expected]
    return [*alone, *inside]


@pytest.mark.parametrize(("operator", "data", "values"), TAKEN.values(), ids=TAKEN)
def test_an_operator_takes(operator, data, values):
    for actual in values:
        assert [result.passed for result in results(operator, data, actual)] == [True] * 6


@pytest.mark.parametrize(("operator", "data", "values"), NOT_TAKEN.values(), ids=NOT_TAKEN)
def test_an_operator_does_not_take(operator, data, values):
    for actual in values:
        found = results(operator, data, actual)
        assert [result.passed for result in found] == [False] * 6
        assert len({result.reason for result in found[:4]}) == 1
        assert f"a: expected {operator!r:.20}" in found[0].reason


OPERANDS = st.one_of(st.integers(-3, 3), st.sampled_from(["a", "b", "ab", None, True, 1.5]))


@given(st.sampled_from([*module.OPERATORS]), OPERANDS, OPERANDS)
def test_an_operator_and_its_negation_part_all_values(name, operand, actual):
    given = [operand] if name in ("$one_of", "$all") else operand
    try:
        data = module.with_operators({name: given})
    except ConversionError:
        return
    passed = match([call("f", a=actual)], [call("f", a=data)]).passed
    assert match([call("f", a=actual)], [call("f", a={"$not": data})]).passed is not passed


WRONG = {
    "unknown": ({"$regx": "a"}, "there is no operator '$regx'; did you mean '$regex'?"),
    "near to nothing": ({"$eq": 1}, "there is no operator '$eq'; there are '$any'"),
    "in a dict of another type": (OrderedDict({"$lteq": 1}), "there is no operator '$lteq'"),
    "how a key is written": ({"$schema": "a"}, "a key that begins so is written '$$schema'"),
    "two operators": ({"$gt": 1, "$lt": 2}, 'for several at once write {"$all": [{"$gt": ...}, {"$lt": ...}]}'),
    "an operator and a key": ({"$gt": 1, "x": 2}, "'x' cannot stand beside '$gt'"),
    "any": ({"$any": 1}, "$any takes true, got 1"),
    "a pattern that is none": ({"$regex": "("}, "$regex takes a pattern, got '(': missing ) at position 1"),
    "a pattern that is no text": ({"$regex": 1}, "$regex takes a pattern, got 1"),
    "a pattern of bytes": (re.compile(b"a"), "$regex takes a pattern, got re.compile(b'a')"),
    "approx": ({"$approx": "1"}, "$approx takes a number, got '1'"),
    "approx, a negative tolerance": ({"$approx": 1, "abs": -1}, "'abs' beside '$approx' is a number from 0, got -1"),
    "one of nothing": ({"$one_of": []}, "$one_of takes a list that is not empty, got []"),
    "one of a text": ({"$one_of": "ab"}, "$one_of takes a list that is not empty, got 'ab'"),
    "a type": ({"$type": "int"}, "$type takes one or several of 'string', 'number'"),
    "no types": ({"$type": []}, "$type takes one or several of"),
    "starts with": ({"$starts_with": 1}, "$starts_with takes a text, got 1"),
    "an order of lists": ({"$gt": [1]}, "$gt takes a number or a text, got [1]"),
    "an order of truth": ({"$gt": True}, "$gt takes a number or a text, got True"),
    "inside": ([{"x": {"$all": [{"$lg": 1}]}}], ".0.x.$all.0: there is no operator '$lg'"),
}


@pytest.mark.parametrize(("data", "text"), WRONG.values(), ids=WRONG)
def test_a_wrong_operator_is_refused(data, text):
    with pytest.raises(ConversionError) as caught:
        match([], [call("f", a=data)])
    assert str(caught.value).startswith("expected: f: a")
    assert text in str(caught.value)
    for check in (check_forbidden, lambda run, calls: check_arguments(run, "f", calls[0].arguments)):
        with pytest.raises(ConversionError) as caught:
            check([], [call("f", a=data)])
        assert re.search(r"\ba(\.0.*)?: ", str(caught.value))
        assert text in str(caught.value)


def test_an_operator_does_not_stand_for_all_arguments():
    with pytest.raises(ConversionError, match=r"stands for one argument, not for all of them.*'\$\$any'"):
        match([], [{"name": "f", "arguments": {"$any": True}}])


def test_a_key_may_begin_with_a_dollar():
    actual = [call("f", {"$top": 5, "inner": {"$$x": 1, "y": 2}})]
    assert match(actual, [call("f", {"$$top": 5, "inner": {"$$$x": 1, "y": 2}})]).passed
    assert not match(actual, [call("f", {"$$top": 6, "inner": {"$$$x": 1, "y": 2}})]).passed


def test_what_a_run_holds_is_no_operator():
    given = {"a": {"$gt": 1}, "$b": {"$nonsense": 2}}
    history = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": given}}]},
    ]
    assert match(history, history).passed
    assert not match(history, [call("f", {"a": 2, "$$b": {"$$nonsense": 2}})]).passed
    assert match(history, [call("f", {"a": {"$$gt": 1}, "$$b": {"$$nonsense": 2}})]).passed
    assert match([call("f", a={"$gt": 1})], [ToolCall("f", '{"a": {"$gt": 1}}')]).passed


@pytest.mark.parametrize("kind", [OrderedDict, UserDict, MappingProxyType])
def test_an_operator_may_stand_in_any_mapping(kind):
    expected = [call("f", a=kind({"$lte": 10}), b=kind({"c": kind({"$gt": 1})}))]
    assert match([call("f", a=5, b={"c": 2})], expected).passed
    assert not match([call("f", a=11, b={"c": 2})], expected).passed
    assert match([call("f", a={"b": 1})], [call("f", a=kind({"b": 1}))]).passed


def test_the_callers_objects_are_not_changed():
    given = {"a": [{"$gt": 1}, {"$$x": 1}], "b": {"c": (1, 2)}}
    expected = [call("f", given)]
    match([call("f", a=1)], expected)
    assert given == {"a": [{"$gt": 1}, {"$$x": 1}], "b": {"c": (1, 2)}}
    assert expected[0].arguments is not given or expected[0].arguments == given


def test_what_holds_itself_or_is_deep_is_read():
    held, deep = [], []
    held.append(held)
    for _ in range(10_000):
        deep = [deep]
    assert match([call("f", a=held, b=1)], [call("f", a=held, b={"$gt": 0})]).passed
    assert match([call("f", a=deep)], [call("f", a=deep)]).passed


PATTERNS = {
    "full": (re.compile("a+"), "aa", "aab"),
    "flags": (re.compile("a.b", re.I | re.S), "A\nB", "A\nB\n"),
    "ASCII": (re.compile(r"\w", re.ASCII), "a", "é"),
    "verbose": (re.compile("a b # c", re.VERBOSE), "ab", "a b"),
    "braces": (re.compile("user{s}"), "user{s}", "useX"),
    "braces and repetition": (re.compile(r"{a{2}b{,1}{}\{c\N{COMMA}"), "{aab{}{c,", "{aabb{}{c,"),
    "braces in a class": (re.compile("[{a}]{2,3}"), "{a}", "{b}"),
    "of regex": (regex.compile(r"\p{Lu}+"), "AB", "Ab"),
    "of regex, a fuzzy one": (regex.compile("(?:user){s<=1}"), "useX", "usXX"),
    "of regex, with flags": (regex.compile("straße", regex.I | regex.V1), "STRASSE", "STRASE"),
    "of regex, with words": (regex.compile(r"\L<word>", word=["a", "b"]), "b", "c"),
}


@pytest.mark.parametrize(("pattern", "matched", "other"), PATTERNS.values(), ids=PATTERNS)
def test_a_compiled_pattern_matches_in_full_and_is_shown_as_written(pattern, matched, other):
    assert match([call("f", a=matched)], [call("f", a=pattern)]).passed
    assert match([call("f", a=matched)], [call("f", a=expect.regex(pattern))]).passed
    result = match([call("f", a=other)], [call("f", a=pattern)])
    assert f"a: expected {pattern!r:.30}" in result.reason
    assert json.dumps(repr(pattern))[1:-1] in result.to_json()


def test_a_pattern_that_takes_too_long_is_a_mismatch_that_says_so(monkeypatch):
    monkeypatch.setattr(_patterns, "TIMEOUT", 0.01)
    result = match([call("f", a="a" * 40 + "cb")], [call("f", a={"$regex": "(a|a)+b"})])
    assert not result.passed
    assert result.reason.endswith("… (the pattern took over 0.01 s)")


def test_a_pattern_that_takes_too_long_takes_so_once(monkeypatch):
    monkeypatch.setattr(_patterns, "TIMEOUT", 0.01)
    expected = to_expectation([call("f", a={"$regex": "(a|a)+b"})])
    result = match([call("f", a="a" * 40 + "cb")], expected)
    assert not result.passed
    monkeypatch.setattr(_patterns, "TIMEOUT", 60)
    assert result.reason.endswith("… (the pattern took over 60 s)")
    assert "the pattern took over 60 s" in repr(match([call("f", a="a" * 40 + "cb")], expected))


def test_values_of_others_decide_beside_operators():
    expected = [call("f", a=ANY, b=IsPositive(), c=pytest.approx(1, abs=0.1), d={"$gt": 1})]
    assert match([call("f", a=1, b=2, c=1.05, d=2)], expected).passed
    picture = match([call("f", a=1, b=-2, c=1.5, d=1)], expected).render()
    assert "b: expected IsPositive(), got -2" in picture
    assert "c: expected 1 ± 0.1, got 1.5" in picture
    assert "d: expected {'$gt': 1}, got 1" in picture


@pytest.mark.parametrize(
    "options", [{"ignore": ["id"]}, {"ignore_case": True}, {"tolerance": 1}, {"unordered": True}], ids=str
)
def test_an_operator_decides_under_an_argument_rule(options):
    rule = ArgumentRule(**options)
    actual = [call("f", a="Rome", b=[3, 1])]
    assert match(actual, [call("f", a={"$starts_with": "Ro"}, b=[{"$gt": 2}, {"$lt": 2}])], args=rule).passed
    assert not match(actual, [call("f", a={"$starts_with": "ro"}, b=[{"$gt": 2}, {"$lt": 2}])], args=rule).passed


PLAINLY = {
    "one of, true": ([1], expect.one_of([True]), False),
    "one of, in order": ([2, 1], expect.one_of([1, 2]), False),
    "one of, NaN": ([NAN], expect.one_of([float("nan")]), True),
    "not, true": ([1], expect.not_([True]), True),
    "not, in order": ([2, 1], expect.not_([1, 2]), True),
    "all, in order": ([2, 1], expect.all_of([1, 2]), False),
    "contains, in order": ([[2, 1]], expect.contains([1, 2]), False),
    "contains, inside": ({"b": [[2, 1]]}, expect.one_of({"b": [[1, 2]]}), False),
}
SETS = {"f": {"properties": {"a": {"uniqueItems": True}}}}


@pytest.mark.parametrize(("actual", "operator", "passed"), PLAINLY.values(), ids=PLAINLY)
def test_an_operator_sees_the_order_of_lists_whatever_the_rule(actual, operator, passed):
    rules = ["exact", ["a"], {"unordered": True}, {"unordered": ["a"]}]
    sides = [call("f", a=actual)], [call("f", a=operator)]
    assert {match(*sides, args=rule).passed for rule in rules} == {passed}
    assert match(*sides, tools=SETS).passed is passed


def test_an_operator_decides_above_a_key_path():
    sides = [call("f", a={"b": 1})] * 9, [call("f", a=operator) for operator in [ANY, expect.type_of("object")] * 4]
    assert match(*sides, args=["a.b"], mode="subset").missing == ()
    assert match(sides[0][:1], [call("f", a=expect.not_({"b": 1}))], args=["a.b"]).passed is False
    assert match([call("f", a=5)], sides[1][:1], args=["a.b"]).passed


def test_operators_in_any_order_pair_in_the_best_way():
    actual = [call("f", n=1), call("f", n=5), call("f", n=9)]
    expected = [call("f", n={"$gt": 0}), call("f", n={"$gt": 4}), call("f", n={"$gt": 8})]
    assert match(actual, expected, mode="unordered").passed
    assert match(actual[::-1], expected, mode="any_order").score == 1.0


def test_an_operator_is_a_value():
    assert expect.gt(5) == module.with_operators({"$gt": 5}) != expect.gt(6)
    assert expect.approx(1, abs=1) != expect.approx(1)
    assert pickle.loads(pickle.dumps(expect.one_of(1, expect.gt(2)))) == expect.one_of(1, expect.gt(2))
    pattern = expect.regex(re.compile("a", re.I))
    assert pickle.loads(pickle.dumps(pattern)) == pattern != expect.regex("a")
    assert repr(expect.all_of(expect.approx(1, abs=2), "x")) == "{'$all': [{'$approx': 1, 'abs': 2}, 'x']}"
    with pytest.raises(TypeError):
        hash(expect.gt(5))


LITERAL = {
    "a key that is an operator's": {"$gte": 5},
    "a key that looks like one": {"$top": 5, "x": 1},
    "two of them": {"$$x": 1},
    "deeper": {"filter": [{"$gte": 5}, ({"$in": [1]},)]},
    "a key that is no text": {1: {"$gte": 5}},
    "plain": {"x": [1, None, "a", {"y": True}]},
}


@pytest.mark.parametrize("arguments", LITERAL.values(), ids=LITERAL)
def test_what_is_literal_is_expected_as_it_is(arguments):
    assert match([call("f", arguments)], [call("f", literal(arguments))])
    assert not match([call("f", {"other": 9})], [call("f", literal(arguments))])


def test_what_holds_itself_is_not_literal():
    arguments = {}
    arguments["x"] = arguments
    with pytest.raises(ConversionError, match="a value is nested too deep, or holds itself"):
        literal(arguments)

"""What differs, where, and in which words."""

from dataclasses import dataclass
from datetime import date
from math import nan
from operator import eq
from unittest.mock import ANY

import pytest
from dirty_equals import IsPositive
from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_relation import ARGUMENTS, RULES
from trajmatch import ToolCall, call
from trajmatch import _differences as module
from trajmatch._differences import difference_text, differences
from trajmatch._relation import same_arguments
from trajmatch._rules import parse_rule


@dataclass
class Guest:
    name: str


def never(actual, expected):
    return False


def deep(value, levels=5000):
    for _ in range(levels):
        value = {"k": value}
    return value


def cycle(*more):
    value = [*more]
    value.append(value)
    return value


LARGE = [[] for _ in range(10_000)]
TEXTS = {
    "value": ("exact", {"city": "LA"}, {"city": "SF"}, ['city: expected "SF", got "LA"']),
    "type": ("exact", {"n": True}, {"n": 1}, ["n: expected 1, got true"]),
    "numbers as written": ("exact", {"n": 1.5}, {"n": 2.0}, ["n: expected 2.0, got 1.5"]),
    "absent": ("exact", {}, {"n": 1}, ["n: expected 1, absent"]),
    "not expected": ("exact", {"n": 1}, {}, ["n: not expected, got 1"]),
    "nested": ("exact", {"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, ["a.b.1: expected 3, got 2"]),
    "list too long": ("exact", {"a": [1, 2]}, {"a": [1]}, ["a.1: not expected, got 2"]),
    "list too short": ("exact", {"a": []}, {"a": [None]}, ["a.0: expected null, absent"]),
    "a private key": ("exact", {"__a": 1, "b": 1}, {"__a": 2, "b": 1}, ["__a: expected 2, got 1"]),
    "the end of a long text": (
        "exact",
        {"q": "x" * 50 + "1"},
        {"q": "x" * 50 + "2"},
        ['q: expected …xxxxxxxxxxx2", got …xxxxxxxxxxx1"'],
    ),
    "in the last third of a long text": (
        "exact",
        {"q": "x" * 22 + "1" * 40},
        {"q": "x" * 22 + "2" * 40},
        [f"q: expected …{'x' * 11}{'2' * 21}…, got …{'x' * 11}{'1' * 21}…"],
    ),
    "in the first two thirds of a long text": (
        "exact",
        {"q": "x" * 21 + "1" * 40},
        {"q": "x" * 21 + "2" * 40},
        [f'q: expected "{"x" * 21}{"2" * 11}…, got "{"x" * 21}{"1" * 11}…'],
    ),
    "far behind in a very long text": (
        "exact",
        {"q": "x" * 5_000 + "1"},
        {"q": "x" * 5_000 + "2"},
        ['q: expected …xxxxxxxxxxx2", got …xxxxxxxxxxx1"'],
    ),
    "the end of a text that fits": (
        "exact",
        {"q": "x" * 31 + "1"},
        {"q": "x" * 31 + "2"},
        [f'q: expected "{"x" * 31}2", got "{"x" * 31}1"'],
    ),
    "a long value": ("exact", {}, {"n": 10**40}, [f"n: expected 1{'0' * 32}…, absent"]),
    "a number that begins as the other": ("exact", {"n": 12}, {"n": 1}, ["n: expected 1, got 12"]),
    "an item less at the front": (
        "exact",
        {"a": [1, 2, 3]},
        {"a": [2, 3]},
        ["a.0: expected 2, got 1", "a.1: expected 3, got 2", "a.2: not expected, got 3"],
    ),
    "no JSON beside JSON": ("exact", {"a": {"b": ANY, "c": 1}}, {"a": {"b": ANY, "c": 2}}, ["a.c: expected 2, got 1"]),
    "absent is not anything": ("superset", {}, {"a": ANY}, ["a: expected <ANY>, absent"]),
    "several": ("exact", {"a": 1, "b": 2}, {"a": 2, "b": 3}, ["a: expected 2, got 1", "b: expected 3, got 2"]),
    "few keys in common": (
        "exact",
        {"u": 1, "v": 1, "w": 1, "x": 1},
        {"b": 2},
        ["b: expected 2, absent", *(f"{key}: not expected, got 1" for key in "uvwx")],
    ),
    "date": ("exact", {"d": "2024-01-01"}, {"d": date(2024, 1, 2)}, ['d: expected "2024-01-02", got "2024-01-01"']),
    "dataclass": ("exact", {"g": {"name": "bob"}}, {"g": Guest("ann")}, ['g.name: expected "ann", got "bob"']),
    "matcher that agrees": ("exact", {"a": 1, "b": 2}, {"a": ANY, "b": 3}, ["b: expected 3, got 2"]),
    "matcher that does not": ("exact", {"a": -1}, {"a": IsPositive}, ["a: expected IsPositive, got -1"]),
    "subset": ("subset", {"a": 1, "b": 2}, {"b": 3, "c": 4}, ["a: not expected, got 1", "b: expected 3, got 2"]),
    "superset": ("superset", {"a": 1, "b": 2}, {"b": 3, "c": 4}, ["b: expected 3, got 2", "c: expected 4, absent"]),
    "paths": (["a.0", "z"], {"a": [1], "b": 1}, {"a": [2], "b": 2}, ["a.0: expected 2, got 1"]),
    "path absent": (["a"], {}, {"a": 2}, ["a: expected 2, absent"]),
    "function that agrees": (eq, {"a": 1}, {"a": 1}, []),
    "function": (never, {"a": 1}, {"a": 1}, ["arguments: never() says they differ"]),
    "raw": ("exact", "no", {"a": 1}, ['arguments: expected {"a": 1}, got "no"']),
    "raw expected": ("exact", {"a": 1}, "no", ['arguments: expected "no", got {"a": 1}']),
    "other raw": ("exact", "no", "on", ['arguments: expected "on", got "no"']),
    "not captured": ("exact", None, {"a": 1}, ['arguments: expected {"a": 1}, not captured']),
    "too deep": ("exact", {"a": deep(1)}, {"a": deep(2)}, ["arguments: expected <dict>, got <dict>"]),
    "too large": (
        "exact",
        {"a": LARGE, "b": 1},
        {"a": 1, "b": 2},
        ['arguments: expected {"a": 1, "b": 2}, got <dict>'],
    ),
    "too large an expectation": (
        "exact",
        {"a": 1, "b": 1},
        {"a": LARGE, "b": 2},
        ['arguments: expected <dict>, got {"a": 1, "b": 1}'],
    ),
    "cyclic": ("exact", {"a": cycle(1)}, {"a": cycle(2)}, ["arguments: expected <dict>, got <dict>"]),
}


@pytest.mark.parametrize(("rule", "actual", "expected", "texts"), TEXTS.values(), ids=TEXTS)
def test_differences_in_words(rule, actual, expected, texts):
    found = differences(ToolCall("f", actual), ToolCall("f", expected), parse_rule(rule, "args"))
    assert [difference_text(difference) for difference in found] == texts


def test_a_difference_that_a_function_sees_holds_both_sides():
    found = differences(call("f", a=1), call("f", a=2), parse_rule(never, "args"))
    assert found == [((), {"a": 1}, {"a": 2}, "never()")]


@pytest.mark.parametrize(
    "rule", [*RULES, never, lambda a, e: True], ids=lambda rule: getattr(rule, "__name__", str(rule))
)
@given(actual=ARGUMENTS, expected=ARGUMENTS)
def test_a_difference_is_listed_exactly_where_the_rule_says_different(rule, actual, expected):
    calls, record = (ToolCall("f", actual), ToolCall("f", expected)), parse_rule(rule, "args")
    assert bool(differences(*calls, record)) != same_arguments((0, calls[0]), (0, calls[1]), record)


@given(actual=ARGUMENTS, expected=ARGUMENTS)
def test_differences_of_objects_name_paths_and_not_the_whole(actual, expected):
    calls = ToolCall("f", actual), ToolCall("f", expected)
    found = differences(*calls, parse_rule("exact", "args"))
    assert all(difference.path for difference in found) or None in (calls[0].arguments, calls[1].arguments)


NESTED = st.recursive(
    st.sampled_from([0, 1, 1.0, True, None, "x", "a\nb", nan]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b.c", "__d"]), inner, max_size=3)
    ),
    max_leaves=6,
)
WHOLE = st.dictionaries(st.sampled_from("xy"), NESTED, max_size=2).map(lambda arguments: call("f", arguments))


@given(actual=WHOLE, expected=WHOLE)
def test_plain_values_differ_where_deepdiff_says_so(actual, expected):
    found = differences(actual, expected, parse_rule("exact", "args"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "all_plain", lambda values: False)
        assert differences(actual, expected, parse_rule("exact", "args")) == found


def test_plain_values_are_compared_without_deepdiff(monkeypatch):
    monkeypatch.setattr(module, "_inner", None)
    found = differences(
        call("f", a={"b": [1, {"c": 2}]}), call("f", a={"b": [1, {"c": 3}]}), parse_rule("exact", "args")
    )
    assert [(place.path, place.actual, place.expected) for place in found] == [(("a", "b", 1, "c"), 2, 3)]

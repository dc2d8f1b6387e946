"""The relation is the same, however many calls a group has and on whatever way it is found."""

import json
from datetime import date
from unittest.mock import ANY

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import placed
from trajmatch import ToolCall
from trajmatch import _relation as module
from trajmatch._relation import relation, same_arguments
from trajmatch._rules import parse_rule
from trajmatch._tool_rules import Rules

VALUES = st.one_of(st.none(), st.booleans(), st.integers(0, 2), st.just(1.0), st.just(float("nan")), st.just("1"))
NESTED = st.one_of(VALUES, st.lists(VALUES, max_size=2), st.sets(st.integers(0, 2), max_size=2))
ARGUMENTS = st.one_of(
    st.none(),
    st.sampled_from(["[1]", "no", '{"x": 1}', '{"x": true}', ""]),
    st.dictionaries(st.sampled_from("xyz"), NESTED, max_size=3),
)
CALLS = st.lists(st.builds(ToolCall, st.sampled_from("fg"), ARGUMENTS), max_size=6)
RULES = ["exact", "ignore", "subset", "superset", ["x"], ["x.0", "y"]]


def plainly(actual, expected, rules):
    return [
        sum(
            (a.name == e.name and same_arguments((i, a), (j, e), rules.of(a.name))) << j for j, e in enumerate(expected)
        )
        for i, a in enumerate(actual)
    ]


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("pairwise", [0, 64], ids=["by key", "by pairs"])
@given(actual=CALLS, expected=CALLS)
def test_rows_are_what_each_pair_says(rule, pairwise, actual, expected):
    rules = Rules(parse_rule(rule, "args"), {})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PAIRWISE", pairwise)
        found = relation(placed(actual), placed(expected), rules)
    assert found == plainly(actual, expected, rules)


TEXTS = st.one_of(
    st.dictionaries(st.sampled_from("xyz"), NESTED.filter(lambda value: not isinstance(value, set)), max_size=3).map(
        json.dumps
    ),
    st.sampled_from(["[1]", "no", "", '{"x": "1"}', '{"x": "1", "y": 2}', '{"y": 2.0, "x": "1"}', '{"x": NaN}']),
)
PARSED = st.lists(st.builds(ToolCall, st.sampled_from("fg"), TEXTS), max_size=6)


@pytest.mark.parametrize("pairwise", [0, 64], ids=["by key", "by pairs"])
@given(actual=PARSED, expected=PARSED)
def test_rows_of_parsed_texts_are_what_each_pair_says(pairwise, actual, expected):
    rules = Rules(parse_rule("exact", "args"), {})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_PAIRWISE", pairwise)
        found = relation(placed(actual), placed(expected), rules)
    assert found == plainly(actual, expected, rules)


def calls_of(*arguments):
    return [ToolCall("f", given) for given in arguments]


def of_one_size(actual, expected):
    return len(actual) == len(expected)


PLAIN = [
    {},
    {"x": 1},
    {"y": 2},
    {"x": 1, "y": 2},
    {"x": 1.0, "y": 3},
    {"x": 3, "y": 2},
    {"x": True, "y": 2},
    {"x": [1, 2]},
    {"x": [2, 1]},
]
NO_OBJECTS = ["[1]", "[1]", "no"]
MANY = {
    "texts": calls_of(*map(json.dumps, PLAIN), *NO_OBJECTS, '{"y":2.0, "x":1}', '{"x": NaN}', '{"x":NaN}'),
    "objects": calls_of(
        *PLAIN, *NO_OBJECTS, None, {"x": {1, 2}}, {"x": {1, 2}, "y": 2}, {"x": ANY}, {"x": ANY, "y": 2}
    ),
}


@pytest.mark.parametrize("rule", [*RULES, of_one_size], ids=lambda rule: getattr(rule, "__name__", str(rule)))
@pytest.mark.parametrize("expected", MANY.values(), ids=MANY)
@pytest.mark.parametrize("actual", MANY.values(), ids=MANY)
def test_rows_of_many_calls_are_what_each_pair_says(rule, actual, expected):
    rules = Rules(parse_rule(rule, "args"), {})
    expected = [*expected[::-1], ToolCall("g", expected[0].given)]
    assert relation(placed(actual), placed(expected), rules) == plainly(actual, expected, rules)


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_rows_of_a_selection_are_those_of_its_calls_alone(rule):
    rules = Rules(parse_rule(rule, "args"), {})
    calls = calls_of("[1]", {"x": 1}, "no", {"x": ANY}, None)
    selected = placed([ToolCall("f", "[0]"), *calls])[1:]
    assert relation(selected, selected, rules) == plainly(calls, calls, rules)


EQUALS_TEXT = {
    "a matcher": ({"x": "a"}, {"x": ANY}),
    "a date": ({"x": "2024-01-02"}, {"x": date(2024, 1, 2)}),
    "the last of two keys that become one": ({"1": "b"}, {1: "a", "1": "b"}),
}


@pytest.mark.parametrize(("text", "other"), EQUALS_TEXT.values(), ids=EQUALS_TEXT)
def test_what_equals_text_is_related_to_it_in_large_groups(text, other):
    ours, theirs = (placed(calls_of(*[{"n": n, **side} for n in range(5)])) for side in (text, other))
    rules = Rules(parse_rule("exact", "args"), {})
    assert relation(ours, theirs, rules) == relation(theirs, ours, rules) == [1 << n for n in range(5)]


@pytest.mark.parametrize("rule", RULES, ids=str)
@given(calls=CALLS)
def test_every_call_may_stand_for_itself(rule, calls):
    rules = Rules(parse_rule(rule, "args"), {})
    assert all(row >> i & 1 for i, row in enumerate(relation(placed(calls), placed(calls), rules)))


@pytest.mark.parametrize(
    ("looser", "stricter"),
    [("subset", "exact"), ("superset", "exact"), ("ignore", "subset"), ("ignore", "superset")],
)
@given(actual=CALLS, expected=CALLS)
def test_a_looser_rule_relates_more(looser, stricter, actual, expected):
    strict, loose = (
        relation(placed(actual), placed(expected), Rules(parse_rule(rule, "args"), {})) for rule in (stricter, looser)
    )
    assert all(row & more == row for row, more in zip(strict, loose, strict=True))


def test_rules_of_calls_that_say_the_same_are_asked_at_once():
    keys = []
    expected = [ToolCall("f", {"x": n}, rule=rule) for n in range(20) for rule in ({"ignore": ["y"]}, ["x"])]
    for at, call in enumerate(expected):
        rule = call.own_rule._replace(key=lambda arguments, at=at: keys.append(at) or arguments["x"])
        call._own_rule = rule
    run = calls_of(*({"x": n} for n in range(20)))
    assert relation(placed(run), placed(expected), Rules(parse_rule("exact", "args"), {})) == [
        3 << 2 * n for n in range(20)
    ]
    assert len({*keys}) == 2

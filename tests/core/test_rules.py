"""Tables: which arguments are the same under which rule, and which rules are refused."""

import re
from datetime import date
from functools import partial
from unittest.mock import ANY

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmatch import OptionError, RuleError, ToolCall, call, match
from trajmatch._rules import parse_rule

NEAR = {"x": 1, "y": {"z": [1, 2]}}


def same(rule, actual, expected):
    return match([ToolCall("f", actual)], [ToolCall("f", expected)], args=rule).passed


SAME = {
    "exact: key order": ("exact", {"x": 1, "y": 2}, {"y": 2, "x": 1}),
    "exact: 1 and 1.0": ("exact", {"x": 1}, {"x": 1.0}),
    "exact: nan": ("exact", {"x": float("nan")}, {"x": float("nan")}),
    "exact: nothing": ("exact", {}, {}),
    "exact: open": ("exact", {"x": 1}, None),
    "exact: both not stated": ("exact", None, None),
    "exact: equal raw text": ("exact", "[1]", "[1]"),
    "exact: a matcher": ("exact", {"x": 1}, {"x": ANY}),
    "exact: a date as text": ("exact", {"x": "2024-01-02"}, {"x": date(2024, 1, 2)}),
    "ignore: all": ("ignore", {"x": 1}, {"y": 2}),
    "ignore: raw": ("ignore", "no", {"y": 2}),
    "ignore: not captured": ("ignore", None, {"y": 2}),
    "ignore: raw expected": ("ignore", {"x": 1}, "no"),
    "subset: fewer": ("subset", {"x": 1}, {"x": 1, "y": 2}),
    "subset: none": ("subset", {}, {"x": 1}),
    "superset: more": ("superset", {"x": 1, "y": 2}, {"x": 1}),
    "superset: to none": ("superset", {"x": 1}, {}),
    "path": (["x"], {"x": 1, "y": 2}, {"x": 1, "y": 3}),
    "path: nested with index": (["y.z.1"], {"y": {"z": [0, 2]}}, NEAR),
    "path: digits as a key": (["y.0"], {"y": {"0": 1}}, {"y": {"0": 1, "z": 2}}),
    "path: absent on both": (["q.r"], {"x": 1}, {"x": 2}),
    "path: under no container": (["x.r"], {"x": 1}, {"x": 2}),
    "path: literal dot": ([("a.b",)], {"a.b": 1, "x": 1}, {"a.b": 1}),
    "path: literal dot as a list": ([["a.b"]], {"a.b": 1, "x": 1}, {"a.b": 1}),
    "path: several": (("x", "y"), {"x": 1, "y": 2, "z": 3}, {"x": 1, "y": 2}),
    "path: numbers": ([("y", 0)], {"y": [1]}, {"y": [1, 2]}),
    "function": (lambda a, e: a["x"] >= e["x"], {"x": 2}, {"x": 1}),
}
DIFFERENT = {
    "exact: True and 1": ("exact", {"x": True}, {"x": 1}),
    "exact: text and number": ("exact", {"x": "1"}, {"x": 1}),
    "exact: null and absent": ("exact", {"x": None}, {}),
    "exact: list order": ("exact", {"x": [1, 2]}, {"x": [2, 1]}),
    "exact: not captured": ("exact", None, {"x": 1}),
    "exact: raw and object": ("exact", "[1]", {"x": 1}),
    "exact: other raw text": ("exact", "[1]", "[ 1]"),
    "exact: object and raw": ("exact", {}, "[1]"),
    "subset: one more": ("subset", {"x": 1, "y": 2}, {"x": 1}),
    "subset: other value": ("subset", {"x": 1}, {"x": 2, "y": 1}),
    "subset: top level only": ("subset", {"x": {}}, {"x": {"y": 1}}),
    "subset: raw": ("subset", "[1]", {"x": 1}),
    "subset: no arguments and raw": ("subset", {}, "[1]"),
    "superset: one less": ("superset", {"x": 1}, {"x": 1, "y": 2}),
    "superset: null and absent": ("superset", {}, {"x": None}),
    "superset: absent is not anything": ("superset", {}, {"x": ANY}),
    "superset: not captured": ("superset", None, {}),
    "path: other value": (["x"], {"x": 1}, {"x": 2}),
    "path: True and 1": (["x"], {"x": True}, {"x": 1}),
    "path: absent on one side": (["x"], {}, {"x": None}),
    "path: index out of range": (["x.1"], {"x": [1]}, {"x": [1, 2]}),
    "path: literal dot": ([("a.b",)], {"a.b": 1}, {"a": {"b": 1}}),
    "path: raw": (["x"], "[1]", {"x": 1}),
    "function": (lambda a, e: a["x"] >= e["x"], {"x": 0}, {"x": 1}),
    "function: raw": (lambda a, e: True, "[1]", {"x": 1}),
}
WRONG = {
    "typo": ("exat", "did you mean 'exact'"),
    "case": ("Subset", "did you mean 'subset'"),
    "none": (None, "got None"),
    "no path": ([], "say 'ignore'"),
    "no path in a tuple": ((), "say 'ignore'"),
    "empty path": ([""], "empty segment"),
    "empty segment": (["a..b"], "empty segment"),
    "empty literal path": ([()], "empty segment"),
    "no path at all": ([1], "got 1"),
    "a bool as a segment": ([(True,)], "texts and integers, got True"),
    "a number": (3, "got 3"),
    "a class": (dict, "got <class 'dict'>"),
    "a set": ({"x"}, "got {'x'}"),
}


@pytest.mark.parametrize(("rule", "actual", "expected"), SAME.values(), ids=SAME)
def test_arguments_are_the_same(rule, actual, expected):
    assert same(rule, actual, expected)


@pytest.mark.parametrize(("rule", "actual", "expected"), DIFFERENT.values(), ids=DIFFERENT)
def test_arguments_are_different(rule, actual, expected):
    assert not same(rule, actual, expected)


@pytest.mark.parametrize(("rule", "text"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("option", ["args", "overrides"])
def test_a_wrong_rule_fails_when_the_matcher_is_built(rule, text, option):
    with pytest.raises(OptionError, match=re.escape(text)):
        match([], [], **{option: rule if option == "args" else {"f": rule}})


async def _later(actual, expected):
    return True


class _CalledLater:
    async def __call__(self, actual, expected):
        return True


@pytest.mark.parametrize("rule", [_later, _CalledLater(), partial(_later)], ids=["function", "object", "partial"])
def test_an_async_rule_is_refused(rule):
    with pytest.raises(OptionError, match="cannot be async"):
        match([], [], args=rule)


@pytest.mark.parametrize("answer", [1, None, "yes"], ids=repr)
def test_a_rule_that_gives_no_bool_is_an_error(answer):
    with pytest.raises(RuleError, match=re.escape(f"got {answer!r}")) as caught:
        match([call("f"), call("g")], [call("x"), call("g")], args=lambda a, e: answer)
    assert (caught.value.tool, caught.value.actual_index, caught.value.expected_index) == ("g", 1, 1)


def test_a_rule_that_raises_is_an_error_that_names_the_place_and_keeps_the_cause():
    with pytest.raises(RuleError, match=r"'f', actual\[0\] with expected\[0\].*KeyError: 'q'") as caught:
        match([call("f")], [call("f")], args=lambda a, e: a["q"] == e["q"])
    assert isinstance(caught.value.__cause__, KeyError)


class _Touchy:
    def __eq__(self, other):
        raise ZeroDivisionError("no")

    __hash__ = None


@pytest.mark.parametrize("rule", ["exact", "subset", "superset", ["x"]], ids=str)
def test_a_value_whose_equality_raises_is_an_error_that_names_the_place(rule):
    with pytest.raises(RuleError, match=r"actual\[0\] with expected\[0\].*ZeroDivisionError"):
        match([call("f", x=1)], [call("f", x=_Touchy())], args=rule)


class _Answering:
    def __init__(self, answer):
        self.answer = answer

    def __eq__(self, other):
        return self.answer

    __hash__ = None


@pytest.mark.parametrize("value", [1, [1]], ids=str)
@pytest.mark.parametrize("answer", ["x > 1", None, 1, [True]], ids=str)
def test_a_value_whose_equality_gives_no_bool_is_an_error(value, answer):
    with pytest.raises(RuleError, match=re.escape(f"== gave {answer!r}, no bool")):
        match([call("f", x=value)], [call("f", x=_Answering(answer))])


@pytest.mark.parametrize("answer", [True, False])
def test_a_value_may_answer_with_the_bool_of_numpy(answer):
    bool_ = type("bool_", (), {"__bool__": lambda self: answer})
    assert match([call("f", x=1)], [call("f", x=_Answering(bool_()))]).passed is answer


def test_a_rule_is_called_with_actual_before_expected_in_every_mode():
    seen = []
    for mode in ("exact", "unordered", "subset", "superset", "in_order", "any_order"):
        match([call("f", n=1)], [call("f", n=2)], mode=mode, args=lambda a, e: seen.append((a["n"], e["n"])) or True)
    assert set(seen) == {(1, 2)}


def test_an_override_is_for_one_tool():
    actual, expected = [call("f", x=1), call("g", x=1)], [call("f", x=2), call("g", x=2)]
    assert [c.name for c in match(actual, expected, overrides={"f": "ignore"}).missing] == ["g"]


@pytest.mark.parametrize("mode", ["exact", "unordered", "in_order", "any_order"])
def test_an_override_by_a_function_decides_about_equal_calls_too(mode):
    assert not match([call("f", x=1)], [call("f", x=1)], mode=mode, overrides={"f": lambda a, e: False})


@pytest.mark.parametrize("name", ["exact", "ignore", "subset", "superset"])
@given(
    actual=st.dictionaries(st.sampled_from("xy"), st.booleans()),
    expected=st.dictionaries(st.sampled_from("xy"), st.booleans()),
)
def test_a_rule_says_same_where_its_parts_are_equal(name, actual, expected):
    rule = parse_rule(name, "args")
    assert rule.same(actual, expected) == all(a == e for _, a, e in rule.parts(actual, expected))


def test_a_callable_object_is_a_rule():
    assert match([call("f", x=1)], [call("f", x=2)], args=partial(lambda flag, a, e: flag, True)).passed

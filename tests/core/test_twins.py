"""Equal calls against their keys: the k-th pairs with the k-th, whichever way finds them."""

import json
from math import nan
from unittest.mock import ANY

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import placed
from trajmatch import ToolCall, call
from trajmatch import _twins as module
from trajmatch._twins import alike, equal_rows, json_alone, twins

VALUES = st.recursive(
    st.sampled_from([0, 1, 1.0, True, False, None, "x", "nan", nan]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=3,
)
OBJECTS = st.dictionaries(st.sampled_from("xy"), VALUES, max_size=2)
TEXTS = st.builds(json.dumps, OBJECTS, indent=st.sampled_from([None, 1])) | st.sampled_from(
    ["", "[1]", '{"x": 1', "no"]
)
SIDES = [st.lists(st.builds(ToolCall, st.sampled_from("ab"), form), max_size=6) for form in (TEXTS, OBJECTS)]
MIXED = st.lists(st.builds(ToolCall, st.sampled_from("ab"), TEXTS | OBJECTS | st.none()), max_size=6)


def by_keys(actual, expected):
    """The k-th with the k-th of the calls that share a key."""
    free, pairs = -1, []
    rows = [sum(1 << j for j, tool in enumerate(expected.names) if tool == name) for name in actual.names]
    for i, row in enumerate(equal_rows(actual, expected, rows)):
        if fits := row & free:
            pairs.append((i, (fits & -fits).bit_length() - 1))
            free ^= fits & -fits
    return pairs


@pytest.mark.parametrize("searched", [0, 10_000], ids=["by key", "by search"])
@pytest.mark.parametrize("form", [*SIDES, MIXED], ids=["texts", "objects", "mixed"])
@given(data=st.data())
def test_twins_are_the_kth_with_the_kth_of_equal_calls(searched, form, data):
    actual, expected = placed(data.draw(form)), placed(data.draw(form))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_SEARCHED", searched)
        assert sorted(twins(actual, expected)) == by_keys(actual, expected)


@pytest.mark.parametrize("form", [*SIDES, MIXED], ids=["texts", "objects", "mixed"])
@given(data=st.data())
def test_calls_are_alike_where_one_by_one_they_are_twins(form, data):
    actual, expected = data.draw(form), data.draw(form)
    length = range(min(len(actual), len(expected)))
    found = alike(placed(actual), length, placed(expected), length)
    assert found == [twins(placed([actual[at]]), placed([expected[at]])) == [(0, 0)] for at in length]


def test_calls_of_the_same_texts_are_not_read(monkeypatch):
    calls = [ToolCall("f", '{"x": 1}'), ToolCall("g", '{"x": 2}'), ToolCall("f", '{"x": 3}')]
    other = [*calls[:1], ToolCall("g", '{"x": 4}'), *calls[2:]]
    read = []
    monkeypatch.setattr(module, "parsed_equal", lambda given, wanted, *both: read.append((given, wanted)) or False)
    assert sorted(twins(placed(calls), placed(other))) == [(0, 0), (2, 2)]
    assert alike(placed(calls), range(3), placed(other), range(3)) == [True, False, True]
    assert read == [('{"x": 2}', '{"x": 4}')]


def deep(levels):
    return "[" * levels + "]" * levels


JSON_ALONE = {
    "nothing": ([], True),
    "texts": (["{}", "no", ""], True),
    "objects": ([{"x": [1, None]}, None], True),
    "a long text": ([json.dumps({"x": "word " * 100})], True),
    "many brackets": ([json.dumps({"x": [[]] * 200})], True),
    "a long text that is none": (["no " * 100], True),
    "a deep text": ([f'{{"x": {deep(150)}}}'], False),
    "a deep text that is encoded twice": ([json.dumps(f'{{"x": {deep(150)}}}').replace("[", "\\u005b")], False),
    "a value that decides": ([{"x": ANY}], False),
    "a set": ([{"x": {1}}], False),
}


@pytest.mark.parametrize(("given", "alone"), JSON_ALONE.values(), ids=JSON_ALONE)
def test_calls_hold_json_alone_where_each_has_a_key_and_none_decides(given, alone):
    assert json_alone(placed([ToolCall("f", arguments) for arguments in given])) is alone


def test_what_is_not_stated_has_no_twin():
    assert twins(placed([ToolCall("f"), call("f")]), placed([ToolCall("f"), ToolCall("f")])) == []


def test_integers_that_are_too_long_to_be_written_have_twins():
    actual, expected = [call("f", x=10**5_000), call("f", x=1)], [call("f", x=2), call("f", x=10.0**300)]
    assert twins(placed(actual), placed(expected)) == []
    assert twins(placed(actual), placed([*expected, *actual])) == [(0, 2), (1, 3)]

import json
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmatch._arguments import encoded_twice, parse_arguments

OBJECTS = {
    "empty text": ("", {}),
    "an empty object": ("{}", {}),
    "an object": ('{"q": "cats"}', {"q": "cats"}),
    "space around": (' \n{"q": 1}\t', {"q": 1}),
    "space behind": ('{"q": 1} ', {"q": 1}),
    "a key twice: the last counts": ('{"q": 1, "q": 2}', {"q": 2}),
    "a large integer": (
        '{"n": 1234567890123456789012345678901234567890}',
        {"n": 1234567890123456789012345678901234567890},
    ),
    "infinity": ('{"n": 1e400}', {"n": float("inf")}),
    "a lone surrogate": ('{"q": "\\ud800"}', {"q": "\ud800"}),
    "encoded twice": (json.dumps('{"q": 1}'), {"q": 1}),
    "encoded twice, space around": (" " + json.dumps(' {"q": 1}'), {"q": 1}),
}
RAW = {
    "blank": "  ",
    "null": "null",
    "a list": "[1]",
    "a number": "3",
    "true": "true",
    "plain text": "cats",
    "text": '"cats"',
    "empty text in text": '""',
    "a list encoded twice": '"[1]"',
    "an object encoded three times": json.dumps(json.dumps("{}")),
    "unfinished": '{"q": "ca',
    "no value": '{"q": }',
    "two objects": '{"q": 1}{"q": 2}',
    "single quotes": "{'q': 1}",
    "a comma too many": '{"q": 1,}',
    "a byte order mark": "\ufeff{}",
    "a control character": '{"q": "\n"}',
    "nested too deep": '{"q": ' + "[" * 200_000 + "]" * 200_000 + "}",
    "an integer too long": '{"n": ' + "9" * 5_000 + "}",
}


@pytest.mark.parametrize(("text", "value"), OBJECTS.values(), ids=OBJECTS)
def test_an_object_is_read(text, value):
    assert parse_arguments(text) == value


@pytest.mark.parametrize("text", RAW.values(), ids=RAW)
def test_other_text_holds_no_object(text):
    assert parse_arguments(text) is None


def test_nan_is_read():
    assert isnan(parse_arguments('{"n": NaN}')["n"])


@given(st.text())
def test_no_text_raises(text):
    value = parse_arguments(text)
    assert value is None or isinstance(value, dict)


@given(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers())))
def test_an_object_comes_back_from_its_text(value):
    assert parse_arguments(json.dumps(value)) == value


TWICE = {
    "once": ('{"q": 1}', False),
    "twice": (json.dumps("{}"), True),
    "twice, space before": (" " + json.dumps("{}"), True),
    "a list, twice": ('"[1]"', False),
    "text": ('"cats"', False),
    "empty": ("", False),
}


@pytest.mark.parametrize(("text", "answer"), TWICE.values(), ids=TWICE)
def test_an_object_in_a_string_is_encoded_twice(text, answer):
    assert encoded_twice(text) is answer

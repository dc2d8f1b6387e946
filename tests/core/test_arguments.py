import json
from math import isnan

import pydantic_core
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmatch import _arguments
from trajmatch._arguments import encoded_twice, parse_all, parse_arguments

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


@pytest.fixture(params=[{}, {"pydantic_core": pydantic_core}], ids=["json", "pydantic_core"], autouse=True)
def loaded(request, monkeypatch):
    """Each test runs with either parser."""
    monkeypatch.setattr(_arguments, "modules", request.param)


@pytest.mark.parametrize(("text", "value"), OBJECTS.values(), ids=OBJECTS)
def test_an_object_is_read(text, value):
    assert parse_arguments(text) == value


@pytest.mark.parametrize("text", RAW.values(), ids=RAW)
def test_other_text_holds_no_object(text):
    assert parse_arguments(text) is None


def test_nan_is_read():
    assert isnan(parse_arguments('{"n": NaN}')["n"])


def by(modules, text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_arguments, "modules", modules)
        return parse_arguments(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
OBJECT = st.dictionaries(st.text(), JSON, max_size=4)
NUMBERS = st.from_regex(r"[-+]?[0-9_]{0,30}(\.[0-9]{0,30})?([eE][-+]?[0-9]{0,3})?|-?(Infinity|NaN|inf)", fullmatch=True)
CUT = st.builds(lambda value, at: json.dumps(value, ensure_ascii=at % 2 == 0)[:at], OBJECT, st.integers(0, 60))
TEXTS = st.one_of(
    st.text(),
    st.text().map(lambda text: f'{{"q": "{text}"}}'),
    st.text('{}[]":,0123456789.eE+-\\untrfalsNI \n\ud800é').map(lambda text: "{" + text),
    NUMBERS.map(lambda number: f'{{"n": {number}}}'),
    OBJECT.map(json.dumps),
    CUT,
)


@given(TEXTS)
def test_both_parsers_read_the_same(text):
    value = by({}, text)
    assert value is None or isinstance(value, dict)
    assert repr(by({"pydantic_core": pydantic_core}, text)) == repr(value)


@given(OBJECT)
def test_an_object_comes_back_from_its_text(value):
    for modules in ({}, {"pydantic_core": pydantic_core}):
        assert repr(by(modules, json.dumps(value))) == repr(value)


def test_texts_are_parsed_together_as_one_by_one():
    texts = ["", "{}", '{"q": 1}', *(text for text, _ in OBJECTS.values()), *RAW.values(), '{"q": "\ud800"}']
    assert parse_all(texts) == [parse_arguments(text) for text in texts]
    assert parse_all([]) == []


def test_a_parser_that_is_half_loaded_is_no_harm():
    assert by({"pydantic_core": object()}, '{"q": 1}') == {"q": 1}


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

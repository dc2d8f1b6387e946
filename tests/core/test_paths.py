"""Key paths, as text and as they are looked up."""

from dataclasses import dataclass

import pytest

from trajmatch import OptionError
from trajmatch._paths import ABSENT, look_up, parse_path, path_text


@dataclass
class Guest:
    name: str


FOUND = {
    "key": ({"a": 1}, "a", 1),
    "nested": ({"a": {"b": 2}}, "a.b", 2),
    "index": ({"a": [5, 6]}, "a.1", 6),
    "tuple": ({"a": (5, 6)}, "a.1", 6),
    "dataclass": ({"a": Guest("ann")}, "a.name", "ann"),
    "null": ({"a": None}, "a", None),
    "number as key": ({"a": {7: 1}}, "a.7", 1),
    "absent": ({"a": 1}, "b", ABSENT),
    "below text": ({"a": "text"}, "a.0", ABSENT),
    "negative index": ({"a": [1]}, ("a", -1), ABSENT),
    "index out of range": ({"a": [1]}, "a.1", ABSENT),
    "superscript digit": ({"a": [1, 2]}, "a.²", ABSENT),
    "long index": ({"a": [1]}, "a." + "9" * 5000, ABSENT),
    "item of a set": ({"a": {5}}, "a.0", ABSENT),
    "below absent": ({"a": {}}, "a.b.c", ABSENT),
}
TEXTS = {
    "": (),
    "a": ("a",),
    "a.b": ("a", "b"),
    "a.0.b": ("a", 0, "b"),
    "1": (1,),
    "('a.b',)": ("a.b",),
    "('a.b', 'c')": ("a.b", "c"),
}
FOREIGN = ["bins[1]", "a.*.b", "$.a", "a.-1"]


@pytest.mark.parametrize(("value", "path", "answer"), FOUND.values(), ids=FOUND)
def test_a_path_finds_its_value(value, path, answer):
    assert look_up(value, parse_path(path, "args")) is answer or look_up(value, parse_path(path, "args")) == answer


@pytest.mark.parametrize(("text", "path"), TEXTS.items(), ids=TEXTS)
def test_a_path_is_shown_as_it_is_read(text, path):
    assert path_text(path) == text


@pytest.mark.parametrize("path", FOREIGN)
def test_the_words_of_other_path_languages_are_refused(path):
    with pytest.raises(OptionError, match="the items of a list are numbers"):
        parse_path(path, "args")
    assert parse_path((path,), "args") == (path,)


def test_what_is_absent_says_so():
    assert repr(ABSENT) == "absent"

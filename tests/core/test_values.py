import json
from collections import OrderedDict, UserDict, namedtuple
from dataclasses import InitVar, dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from math import inf, nan
from types import MappingProxyType
from typing import ClassVar
from unittest.mock import ANY
from uuid import UUID

import pytest
from dirty_equals import IsApprox, IsInt, IsPartialDict, IsStr
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, RootModel

from trajmatch import ToolCall, match
from trajmatch import _values as module
from trajmatch._json_form import json_form, text_key
from trajmatch._values import Unfreezable, all_plain, freeze, json_equal, parsed_equal, plainly_equal


@dataclass
class Point:
    x: int
    y: object = None
    kind: ClassVar[str] = "point"
    seed: InitVar[int] = 0


@dataclass(slots=True, frozen=True)
class Slotted:
    x: int


class Hotel(BaseModel):
    name: str
    opened: date | None = None


class Tags(RootModel[list[str]]):
    pass


class Trip(BaseModel):
    stops: list[int]


class Color(Enum):
    RED = "red"


class Size(IntEnum):
    BIG = 3


class Mood(StrEnum):
    CALM = "calm"


class Named(str):
    def __str__(self):
        return "not the text"


class Odd:
    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, Odd) and self.value == other.value

    __hash__ = None


class Above:
    def __init__(self, least):
        self.least = least

    def __eq__(self, other):
        return other > self.least

    def __hash__(self):
        return 0


Pair = namedtuple("Pair", "x y")
ID = "12345678-1234-5678-1234-567812345678"
ODD = Odd(1)
PART = [1]


def nested(depth, innermost, wrap=lambda inner: [inner]):
    value = innermost
    for _ in range(depth):
        value = wrap(value)
    return value


def shared(depth):
    value = []
    for _ in range(depth):
        value = [value, value]
    return value


def cyclic(**extra):
    value = {**extra}
    value["self"] = value
    return value


EQUAL = {
    "null": (None, None),
    "text": ("a", "a"),
    "an integer and a float": (1, 1.0),
    "zero and minus zero": (0.0, -0.0),
    "a large integer and the float that is it": (10**22, 1e22),
    "large integers": (2**70, 2**70),
    "NaN": (nan, float("nan")),
    "NaN inside": ({"x": [nan]}, {"x": [float("nan")]}),
    "infinity": (inf, inf),
    "another order of keys": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    "empty objects": ({}, {}),
    "a lone surrogate": ("\ud800", "\ud800"),
    "a tuple and a list": ((1, 2), [1, 2]),
    "a named tuple and a list": (Pair(1, 2), [1, 2]),
    "a set and a list in another order": ({1, 2}, [2, 1]),
    "sets of tuples": ({(1, 2), (3, 4)}, {(3, 4), (1, 2)}),
    "a list with twins and a set form": ([1, 1.0], [1.0, 1]),
    "frozen sets": (frozenset("ab"), {"a", "b"}),
    "sets of frozen sets": ({frozenset("ab"), frozenset("c")}, [["c"], ["b", "a"]]),
    "a date": (date(2024, 1, 2), "2024-01-02"),
    "a datetime": (datetime(2024, 1, 2, 3, 4, tzinfo=UTC), "2024-01-02T03:04:00Z"),
    "a time": (time(3, 4), "03:04:00"),
    "a duration": (timedelta(hours=1), "PT1H"),
    "a UUID": (UUID(ID), ID),
    "an integral Decimal": (Decimal("2.00"), 2),
    "a Decimal and its float": (Decimal("0.1"), 0.1),
    "a Decimal NaN": (Decimal("NaN"), nan),
    "a signalling NaN with a payload": (Decimal("-sNaN123"), nan),
    "an infinite Decimal": (Decimal("-Infinity"), -inf),
    "long Decimals": (Decimal("0.12345678901234567890"), Decimal("0.1234567890123456789")),
    "enums": (Color.RED, "red"),
    "an integer enum": (Size.BIG, 3),
    "a text enum": (Mood.CALM, "calm"),
    "bytes": (b"abc", "abc"),
    "a byte array": (bytearray(b"abc"), b"abc"),
    "bytes that are no text": (b"\xff", b"\xff"),
    "text of a subclass": (Named("a"), "a"),
    "a dataclass": (Point(1, [Color.RED]), {"x": 1, "y": ["red"]}),
    "a slotted dataclass": (Slotted(1), {"x": 1}),
    "a pydantic model": (
        Hotel(name="Ritz", opened=date(1898, 6, 1)),
        {"name": "Ritz", "opened": "1898-06-01"},
    ),
    "a root model": (Tags(["a"]), ["a"]),
    "an ordered dict": (OrderedDict(a=1), {"a": 1}),
    "a user's mapping": (UserDict(a=1), {"a": 1}),
    "a mapping proxy": (MappingProxyType({"a": 1}), {"a": 1}),
    "keys as JSON writes them": ({1: "a", None: "c"}, {"null": "c", "1": "a"}),
    "enum keys": ({Color.RED: 1}, {"red": 1}),
    "text keys of a subclass": ({Named("a"): 1}, {"a": 1}),
    "an unknown value by its own ==": (Odd(1), Odd(1)),
    "the same unknown value": (ODD, ODD),
    "10,000 lists": (nested(10_000, 1), nested(10_000, 1.0)),
    "10,000 objects": (nested(10_000, 1, lambda v: {"a": v}), nested(10_000, 1, lambda v: {"a": v})),
    "10,000 dataclasses": (nested(10_000, 1, Slotted), nested(10_000, 1, lambda v: {"x": v})),
    "lists that share their parts": (shared(60), shared(60)),
    "cycles": (cyclic(x=1), cyclic(x=1.0)),
}

DIFFERENT = {
    "true and one": (True, 1),
    "false and zero": (False, 0.0),
    "true and one, beside a date": ([date(2024, 1, 2), True], [date(2024, 1, 2), 1]),
    "false and zero, beside a date": ([date(2024, 1, 2), False], [date(2024, 1, 2), 0.0]),
    "what comes before equal lists": ([1, date(2024, 1, 2), [3]], [2, date(2024, 1, 2), [3]]),
    "a part that stands for two": ([PART, PART, date(2024, 1, 2)], [[2], [1], date(2024, 1, 2)]),
    "models whose parts are made anew": ([Trip(stops=[1])] * 9, [Trip(stops=[2]), *[Trip(stops=[1])] * 8]),
    "true and its text": (True, "true"),
    "true and false": (True, False),
    "a bool and a list": (True, [True]),
    "text and a number": ("1", 1),
    "null and an empty text": (None, ""),
    "null and NaN": (None, nan),
    "NaN and a number": (nan, 1.0),
    "a number and NaN": (1.0, nan),
    "neighbours among large integers": (2**70, 2**70 + 1),
    "an integer that no float is": (2**53 + 1, float(2**53)),
    "a missing key and null": ({}, {"a": None}),
    "null and a missing key": ({"a": None}, {}),
    "other keys": ({"a": 1}, {"b": 1}),
    "lists in another order": ([1, 2], [2, 1]),
    "lists of other lengths": ([1], [1, 1]),
    "an empty list and an empty object": ([], {}),
    "an object and a list of pairs": ({"a": 1}, [["a", 1]]),
    "a list and text": (["a"], "a"),
    "composed and decomposed letters": ("\u00e9", "e\u0301"),
    "sets of other sizes": ({1, 2}, {1}),
    "a set and a list with twins": ({1, 2}, [1, 1]),
    "sets with a bool": ({True}, {1}),
    "a Decimal and its text": (Decimal("1"), "1"),
    "a Decimal that no float is": (Decimal("0.12345678901234567890"), 0.12345678901234568),
    "a Decimal too large for a float": (Decimal("1e999999"), 10),
    "dataclasses": (Point(1), Point(2)),
    "a pydantic model": (Hotel(name="Ritz"), {"name": "Ritz"}),
    "a number for a key and a bool": ({1: "a"}, {True: "a"}),
    "keys that are one in Python but not in JSON": ({1: "a"}, {1.0: "a"}),
    "unknown values by their own ==": (Odd(1), Odd(2)),
    "an unknown value and a number": (Odd(1), 1),
    "10,000 lists": (nested(10_000, 1), nested(10_000, 2)),
    "10,000 lists and one more": (nested(10_000, 1), nested(10_001, 1)),
    "lists that share their parts": (shared(60), shared(61)),
    "cycles": (cyclic(x=1), cyclic(x=2)),
    "a cycle and its copy once unrolled": (cyclic(), {"self": {"self": None}}),
}

MATCHING = {
    "ANY": (3, ANY),
    "ANY for a bool": (True, ANY),
    "ANY for a container": ({"a": [1]}, ANY),
    "ANY inside": ({"a": [1, "x"]}, {"a": [ANY, "x"]}),
    "a matcher in a set": ([2, 1], {Above(1), 1}),
    "approx": (0.1 + 0.2, pytest.approx(0.3)),
    "approx of an object": ({"a": 0.1 + 0.2}, pytest.approx({"a": 0.3})),
    "an approximate number": (99.7, IsApprox(100, delta=1)),
    "a class of matchers": ("x", IsStr),
    "a matcher of text": ({"q": "cats"}, {"q": IsStr(regex="c.*")}),
    "a matcher of objects": ({"a": 1, "b": 2}, IsPartialDict(a=1)),
    "a matcher of the JSON form": (date(2024, 1, 2), IsStr),
}

NOT_MATCHING = {
    "beside a matcher": ({"a": 1, "b": 2}, {"a": ANY, "b": 3}),
    "approx": (0.4, pytest.approx(0.3)),
    "a bool for an integer": (True, IsInt),
    "a matcher of text": ({"q": "dogs"}, {"q": IsStr(regex="c.*")}),
    "a matcher in a set": ([2, 2], {Above(2), 2}),
}


def table(cases):
    return pytest.mark.parametrize(("actual", "expected"), list(cases.values()), ids=list(cases))


@table(EQUAL)
def test_same_as_json(actual, expected):
    assert json_equal(actual, expected)


@table(EQUAL)
def test_same_as_json_in_both_directions(actual, expected):
    assert json_equal(expected, actual)


@table(DIFFERENT)
def test_different_as_json(actual, expected):
    assert not json_equal(actual, expected)


@table(DIFFERENT)
def test_different_as_json_in_both_directions(actual, expected):
    assert not json_equal(expected, actual)


@table(MATCHING)
def test_an_expected_matcher_decides_by_its_own_equality(actual, expected):
    assert json_equal(actual, expected)


@table(NOT_MATCHING)
def test_an_expected_matcher_can_refuse(actual, expected):
    assert not json_equal(actual, expected)


class Raising:
    def __eq__(self, other):
        raise RuntimeError("no opinion")

    def __hash__(self):
        return 0


@pytest.mark.parametrize("actual", [1, True, "a", [1], {"a": 1}, None])
def test_what_a_matcher_raises_is_not_swallowed(actual):
    with pytest.raises(RuntimeError, match="no opinion"):
        json_equal([actual], [Raising()])


class NoBool:
    def __ne__(self, other):
        raise RuntimeError("never asked")

    def __eq__(self, other):
        return False

    __hash__ = object.__hash__


def test_an_unknown_actual_value_is_asked_for_equality_only():
    assert not json_equal(NoBool(), 1.0)


def test_an_unknown_actual_value_may_equal_a_bool():
    assert json_equal(Above(0), True)
    assert not json_equal(Above(0), False)


WITHOUT_A_WALK = {
    "numbers of two types": ({"a": [1, {"b": [2.0]}]}, {"a": [1.0, {"b": [2]}]}, True),
    "every type, keys in another order": (
        {"a": [None, True, "x", nan], "b": nan},
        {"b": -nan, "a": [None, True, "x", -nan]},
        True,
    ),
    "empty": ([{}, []], [{}, []], True),
    "another value": ({"a": 1, "b": "x"}, {"a": 1, "b": "y"}, False),
    "another item": ([[1], [2]], [[1], [3]], False),
    "another item that is deeper": ({"a": {"b": [[1]]}}, {"a": {"b": [[2]]}}, False),
    "another type": ({"a": [True]}, {"a": [1]}, False),
    "another container": ([[]], [{}], False),
    "another key": ({"a": 1}, {"b": 1}, False),
    "more items": ([1], [1, 1], False),
    "a NaN and a number": ({"a": nan}, {"a": 1.0}, False),
    "1,000 containers": ([[] for _ in range(999)], [[] for _ in range(999)], True),
    "50 levels": (nested(50, 1), nested(50, 1.0), True),
}


@pytest.mark.parametrize(("actual", "expected", "same"), WITHOUT_A_WALK.values(), ids=WITHOUT_A_WALK)
def test_plain_values_are_compared_without_a_walk(monkeypatch, actual, expected, same):
    monkeypatch.setattr(module, "_walked", None)
    assert json_equal(actual, expected) is same
    assert json_equal(expected, actual) is same


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([0, 1, 1.0, True, "1", nan, 10**22, 1e22])
)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc") | st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)
PYTHON = st.recursive(
    SCALARS | st.dates() | st.decimals() | st.binary(max_size=3) | st.sampled_from(Color),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.sampled_from([1, 1.0, True, "1", "true", None, Color.RED]), inner, max_size=3)
        | st.builds(Point, inner, inner)
    ),
    max_leaves=6,
)


def same_key(a, b):
    try:
        return freeze(a) == freeze(b)
    except Unfreezable:
        return json_equal(a, b)


@given(JSON, JSON)
def test_keys_are_equal_exactly_where_values_are(a, b):
    assert (freeze(a) == freeze(b)) == json_equal(a, b)


@given(PYTHON, PYTHON)
def test_keys_are_equal_exactly_where_values_with_a_json_form_are(a, b):
    assert same_key(a, b) == json_equal(a, b)


@given(JSON)
def test_every_value_equals_itself_after_a_trip_through_text(value):
    assert json_equal(json.loads(json.dumps(value)), value)


@given(JSON, JSON)
def test_equality_is_symmetric(a, b):
    assert json_equal(a, b) == json_equal(b, a)


@given(JSON)
def test_equal_keys_have_equal_hashes(value):
    assert hash(freeze(value)) == hash(freeze(json.loads(json.dumps(value))))


UNFREEZABLE = {
    "a set": {1},
    "a set inside": {"a": [{1}]},
    "ANY": ANY,
    "a matcher": [IsStr],
    "a Decimal that no float is": Decimal("0.12345678901234567890"),
    "101 levels": nested(101, 1),
    "101 levels of objects": nested(101, 1, lambda inner: {"a": inner}),
    "10,001 containers": [[] for _ in range(10_000)],
    "a cycle": cyclic(),
    "parts shared too often": shared(40),
}


@pytest.mark.parametrize("value", UNFREEZABLE.values(), ids=UNFREEZABLE)
def test_a_value_without_a_key_is_refused(value):
    with pytest.raises(Unfreezable):
        freeze(value)


FREEZABLE = {
    "100 levels": (nested(100, 1), nested(100, 1.0)),
    "100 levels of objects": (nested(100, 1, lambda v: {"a": v}), nested(100, 1.0, lambda v: {"a": v})),
    "10,000 containers": ([[] for _ in range(9_999)], [[] for _ in range(9_999)]),
    "a date": (date(2024, 1, 2), "2024-01-02"),
    "a tuple": ((1, 2), [1, 2]),
    "a dataclass": (Point(1, [Color.RED]), {"x": 1, "y": ["red"]}),
}


@pytest.mark.parametrize(("one", "other"), FREEZABLE.values(), ids=FREEZABLE)
def test_equal_values_have_one_key(one, other):
    assert freeze(one) == freeze(other)


TEXT_KEYS = {
    "text": ("a", "a"),
    "text of a subclass": (Named("a"), "a"),
    "an integer": (1, "1"),
    "a float": (1.0, "1.0"),
    "true": (True, "true"),
    "null": (None, "null"),
    "an enum": (Color.RED, "red"),
    "a date": (date(2024, 1, 2), "2024-01-02"),
    "a tuple": ((1, 2), "[1, 2]"),
    "a tuple too deep for JSON text": (nested(3000, 1, lambda inner: (inner,)), "<list>"),
    "another value": (Decimal("0.12345678901234567890"), '"0.12345678901234567890"'),
}


@pytest.mark.parametrize(("key", "text"), TEXT_KEYS.values(), ids=TEXT_KEYS)
def test_a_key_is_the_text_that_json_would_hold(key, text):
    assert text_key(key) == text


@pytest.mark.parametrize(
    "value", [1, "a", None, True, 1.5, [1], {"a": 1}, ODD, ANY], ids=lambda value: type(value).__name__
)
def test_what_needs_no_form_is_its_own_form(value):
    assert json_form(value) is value


def test_keys_that_become_one_hold_the_last_value_in_both_ways_to_compare():
    twice = {1: "a", "1": "b"}
    assert json_equal(twice, {"1": "b"})
    assert freeze(twice) == freeze({"1": "b"})


def test_a_model_with_values_of_the_wrong_type_is_compared_without_a_warning():
    assert json_equal(Hotel.model_construct(name=7), {"name": 7, "opened": None})


PLAINLY = {
    "equal": ({"a": [1, "x", None, True, {"b": 1.5}]}, {"a": [1, "x", None, True, {"b": 1.5}]}, True),
    "key order": ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
    "unequal": ({"a": 1}, {"a": 2}, False),
    "True and 1": ({"a": True}, {"a": 1}, False),
    "two types of number": ({"a": 1.0}, {"a": 1}, False),
    "nan": ({"a": float("nan")}, {"a": float("nan")}, False),
    "another key": ({"a": 1}, {"b": 1}, False),
    "equal items": ({"a": [1, "x", None]}, {"a": [1, "x", None]}, True),
    "unequal items": ({"a": [1, "x"]}, {"a": [2, "x"]}, False),
    "true and one in a list": ({"a": [True]}, {"a": [1]}, False),
    "more items": ({"a": [{}]}, {"a": [{}, {}]}, False),
    "inner types": ({"a": [1, {"b": True}]}, {"a": [1, {"b": 1}]}, False),
    "an inner list and an object": ({"a": [[]]}, {"a": [{}]}, False),
    "a set": ({"a": {1}}, {"a": {1}}, False),
    "a matcher": ({"a": 1}, {"a": ANY}, False),
    "null and a matcher": ({"a": None}, {"a": ANY}, False),
    "a matcher on both sides": ({"a": ANY}, {"a": ANY}, False),
    "a key that is no text": ({1: "a"}, {1: "a"}, False),
    "keys that raise": ({Raising(): 1}, {Raising(): 1}, False),
    "large": ({"a": [[] for _ in range(2000)]}, {"a": [[] for _ in range(2000)]}, False),
    "deep": (nested(3000, 1), nested(3000, 1), False),
}


@pytest.mark.parametrize(("actual", "expected", "same"), PLAINLY.values(), ids=PLAINLY)
def test_plainly_equal_says_no_where_it_is_not_sure(actual, expected, same):
    assert plainly_equal(actual, expected) is same


PLAIN = {
    "nothing": ([], True),
    "null": ([None], True),
    "every type": ([{"a": [1, "x", None, True, nan, {"b": 1.5}]}, {}], True),
    "a set": ([{"a": 1}, {"a": [{1}]}], False),
    "a matcher": ([{"a": {"b": ANY}}], False),
    "a tuple": ([{"a": ()}], False),
    "an inner key that is no text": ([{"a": {1: "a"}}], False),
    "wide": ([[0] * 1_100], True),
    "too wide": ([[0] * 1_101], False),
    "a level that is wider": ([[0] * 700, [0] * 500], True),
    "deep": ([nested(48, 1)], True),
    "too deep": ([nested(50, 1)], False),
}


@pytest.mark.parametrize(("values", "plain"), PLAIN.values(), ids=PLAIN)
def test_values_of_json_types_throughout_are_plain(values, plain):
    assert all_plain(values) is plain


def test_a_value_that_holds_itself_many_times_is_not_plain():
    value = []
    for _ in range(40):
        value = [value, value]
    assert not all_plain([value])
    assert not plainly_equal(value, [*value])


ESCAPED = {
    "true": ('"{\\"a\\": \\u0074rue}"', '{"a": 1}', False),
    "NaN": ('"{\\"a\\": N\\u0061N}"', '{"a": NaN}', True),
}


@pytest.mark.parametrize("mode", ["exact", "unordered"])
@pytest.mark.parametrize(("text", "other", "same"), ESCAPED.values(), ids=ESCAPED)
def test_words_may_be_escaped_in_text_that_is_encoded_twice(text, other, same, mode):
    sides = [ToolCall("f", text)], [ToolCall("f", other)]
    assert match(*sides, mode=mode).passed is same
    assert match(*sides[::-1], mode=mode).passed is same


TEXTS = {
    "objects": '{"a": 1, "b": "x"}',
    "the same, written otherwise": '{"b":"x","a":1.0}',
    "another number": '{"a": 2, "b": "x"}',
    "true": '{"a": true, "b": "x"}',
    "true, written otherwise": '{"b":"x","a":true}',
    "false": '{"a": false, "b": "x"}',
    "zero": '{"a": 0, "b": "x"}',
    "true inside": '{"a": [true]}',
    "true inside, written otherwise": '{"a":[true]}',
    "one inside": '{"a": [1]}',
    "false inside": '{"a": {"b": false}}',
    "zero inside": '{"a": {"b": 0}}',
    "the word true": '{"a": 1, "b": "true"}',
    "the word true, and true": '{"a": true, "b": "true"}',
    "NaN": '{"a": NaN}',
    "NaN, written otherwise": '{"a":NaN}',
    "NaN and more": '{"a": NaN, "b": 1}',
    "the word NaN": '{"a": "NaN"}',
    "nothing": "{}",
    "null": '{"a": null}',
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_was_parsed_is_equal_as_json(text):
    for wanted in TEXTS.values():
        actual, expected = (json.loads(side, parse_constant=float) for side in (text, wanted))  # a new NaN each
        assert parsed_equal(text, wanted, actual, expected) is json_equal(actual, expected)


def test_what_was_parsed_is_mostly_settled_without_a_walk(monkeypatch):
    monkeypatch.setattr(module, "json_equal", None)
    one, same, other = '{"a": 1, "b": "x"}', '{"b":"x","a":1.0}', '{"a": 2, "b": "x"}'
    assert parsed_equal(one, same, json.loads(one), json.loads(same))
    assert not parsed_equal(one, other, json.loads(one), json.loads(other))
    assert parsed_equal('{"a": true}', '{"a":true}', {"a": True}, {"a": True})


@pytest.mark.parametrize("hold", [lambda flag: flag, lambda flag: [flag], lambda flag: {"a": flag}])
def test_keys_tell_flags_apart(hold):
    assert len({freeze(hold(flag)) for flag in (True, False, 1, 0)}) == 4

import copy
import pickle
from enum import StrEnum
from types import MappingProxyType
from unittest.mock import ANY

import pytest

import trajmatch._model
from trajmatch import ConversionError, ToolCall, call


class Name(StrEnum):
    SEARCH = "search"


class Text(str):
    pass


GIVEN = {"q": "cats"}
UNREADABLE = '{"q": '

ARGUMENTS = {
    "not stated": (None, None, None),
    "none": ({}, {}, None),
    "an object": ({"q": 1}, {"q": 1}, None),
    "a mapping": (MappingProxyType({"q": 1}), {"q": 1}, None),
    "text": ('{"q": 1}', {"q": 1}, None),
    "text of a subclass": (Text('{"q": 1}'), {"q": 1}, None),
    "empty text": ("", {}, None),
    "no JSON": (UNREADABLE, None, UNREADABLE),
    "another type": ("[1]", None, "[1]"),
    "null": ("null", None, "null"),
}


@pytest.mark.parametrize(("given", "arguments", "raw"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_arguments_have_three_states(given, arguments, raw):
    made = ToolCall("search", given)
    assert (made.arguments, made.raw_arguments) == (arguments, raw)
    assert type(made.arguments) is type(arguments)


@pytest.mark.parametrize(("given", "arguments", "raw"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_raw_arguments_may_be_asked_for_first(given, arguments, raw):
    made = ToolCall("search", given)
    assert (made.raw_arguments, made.arguments) == (raw, arguments)


def test_an_object_is_shared_and_not_copied():
    assert ToolCall("search", GIVEN).arguments is GIVEN


def test_text_is_parsed_once():
    made = ToolCall("search", '{"q": 1}')
    assert made.arguments is made.arguments


def test_the_text_is_kept():
    assert (ToolCall("a", "{}").text, ToolCall("a", {}).text, ToolCall("a").text) == ("{}", None, None)


def test_fields_read_as_given():
    made = ToolCall("a", {}, id="1", status="failed", kind="native", result=[1])
    assert (made.name, made.id, made.status, made.kind, made.result) == ("a", "1", "failed", "native", [1])


def test_what_is_not_given_is_not_stated():
    made = ToolCall("a")
    assert (made.id, made.status, made.kind, made.result) == (None, None, "function", None)


def test_the_name_is_plain_text():
    assert type(ToolCall(Name.SEARCH).name) is str


@pytest.mark.parametrize("field", ["name", "arguments", "raw_arguments", "id", "status", "kind", "result", "text", "x"])
def test_a_call_cannot_be_changed(field):
    with pytest.raises(AttributeError):
        setattr(ToolCall("a"), field, None)


WRONG = {
    "an empty name": (lambda: ToolCall(""), "needs the name of its tool"),
    "a name that is no text": (lambda: ToolCall(None), "name of a tool is text, got None"),
    "a list of arguments": (
        lambda: ToolCall("a", [1]),
        "arguments of 'a' are an object, its JSON text or None, got list",
    ),
    "bytes": (lambda: ToolCall("a", b"{}"), "got bytes"),
    "an id that is no text": (lambda: ToolCall("a", id=5), "the id of a call is text or None, got 5"),
    "an unknown kind": (lambda: ToolCall("a", kind="magic"), "kind must be one of .*'output'.* got 'magic'"),
    "a kind of another type": (lambda: ToolCall("a", kind=[]), r"got \[\]"),
    "an unknown status": (
        lambda: ToolCall("a", status="ok"),
        "status must be None or one of .*'pending'.* got 'ok'",
    ),
    "a status of another type": (lambda: ToolCall("a", status={}), "got {}"),
    "call: an empty name": (lambda: call(""), "needs the name of its tool"),
    "call: a key twice": (lambda: call("a", {"x": 1, "y": 1}, y=2), "a: argument 'y' is given twice"),
    "call: text": (lambda: call("a", "cats"), "got str"),
    "call: empty text": (lambda: call("a", ""), "got str"),
    "call: a list": (lambda: call("a", []), "the arguments of 'a' are .* got list"),
}


@pytest.mark.parametrize(("make", "text"), WRONG.values(), ids=WRONG)
def test_a_wrong_call_says_what_is_wrong(make, text):
    with pytest.raises(ConversionError, match=text):
        make()


EQUAL = {
    "the same": (ToolCall("a", {"x": 1}), ToolCall("a", {"x": 1})),
    "an object and its text": (ToolCall("a", {"x": 1}), ToolCall("a", ' {"x": 1.0}')),
    "other ids and results": (ToolCall("a", id="1", result=1), ToolCall("a", id="2", result=2)),
    "the same unreadable text": (ToolCall("a", UNREADABLE), ToolCall("a", UNREADABLE)),
    "a matcher": (ToolCall("a", {"x": 1}), ToolCall("a", {"x": ANY})),
    "call": (call("a", x=1), ToolCall("a", {"x": 1})),
}
DIFFERENT = {
    "names": (ToolCall("a"), ToolCall("b")),
    "arguments": (call("a", x=1), call("a", x=2)),
    "a bool and a number": (call("a", x=1), call("a", x=True)),
    "open and none": (ToolCall("a"), ToolCall("a", {})),
    "unreadable and open": (ToolCall("a", "null"), ToolCall("a")),
    "unreadable texts": (ToolCall("a", "[1]"), ToolCall("a", "[1 ]")),
    "kinds": (ToolCall("a"), ToolCall("a", kind="output")),
    "statuses": (ToolCall("a"), ToolCall("a", status="succeeded")),
    "something else": (ToolCall("a"), "a"),
}


@pytest.mark.parametrize(("a", "b"), EQUAL.values(), ids=EQUAL)
def test_calls_are_equal_as_json(a, b):
    assert a == b and b == a and hash(a) == hash(b)


@pytest.mark.parametrize(("a", "b"), DIFFERENT.values(), ids=DIFFERENT)
def test_calls_differ_as_json(a, b):
    assert a != b and b != a


REPR = {
    "open": (ToolCall("a"), "ToolCall('a')"),
    "no arguments": (call("a"), "ToolCall('a', {})"),
    "an object": (ToolCall("a", '{"x":1}'), "ToolCall('a', {'x': 1})"),
    "raw": (ToolCall("a", "[1]"), "ToolCall('a', '[1]')"),
    "all": (
        ToolCall("a", {}, id="1", status="failed", kind="native", result=1),
        "ToolCall('a', {}, id='1', status='failed', kind='native')",
    ),
}


@pytest.mark.parametrize(("made", "text"), REPR.values(), ids=REPR)
def test_repr_is_the_call_as_one_writes_it(made, text):
    assert repr(made) == text


CALLS = {
    "no arguments": (call("ping"), {}),
    "by name": (call("book", hotel="Ritz"), {"hotel": "Ritz"}),
    "an object": (call("f", {"user-id": 1}), {"user-id": 1}),
    "both": (call("f", {"user-id": 1}, n=2), {"user-id": 1, "n": 2}),
    "a mapping": (call("f", MappingProxyType({"n": 1})), {"n": 1}),
    "no object": (call("f", None), {}),
    "the names of the parameters": (call("f", name="x", arguments="y"), {"name": "x", "arguments": "y"}),
}


@pytest.mark.parametrize(("made", "arguments"), CALLS.values(), ids=CALLS)
def test_call_is_written_as_in_python(made, arguments):
    assert made.arguments == arguments


FULL = ToolCall("a", {"x": 1}, id="1", status="failed", kind="native", result=[1])
CHANGES = {
    "name": ({"name": "b"}, "ToolCall('b', {'x': 1}, id='1', status='failed', kind='native')"),
    "arguments": ({"arguments": None}, "ToolCall('a', id='1', status='failed', kind='native')"),
    "id": ({"id": None}, "ToolCall('a', {'x': 1}, status='failed', kind='native')"),
    "status": ({"status": None}, "ToolCall('a', {'x': 1}, id='1', kind='native')"),
    "kind": ({"kind": "function"}, "ToolCall('a', {'x': 1}, id='1', status='failed')"),
}


@pytest.mark.parametrize(("changes", "text"), CHANGES.values(), ids=CHANGES)
def test_replace_changes_what_is_named(changes, text):
    assert repr(FULL.replace(**changes)) == text


def test_replace_keeps_result_and_text():
    made = ToolCall("a", "[1]", result=3).replace(name="b")
    assert (made.result, made.text, made.raw_arguments) == (3, "[1]", "[1]")


def test_replace_refuses_other_names():
    with pytest.raises(TypeError):
        FULL.replace(nome="b")


COPIES = [
    copy.copy,
    copy.deepcopy,
    lambda made: pickle.loads(pickle.dumps(made)),
    lambda made: made.__replace__(),
]


@pytest.mark.parametrize("made", [FULL, ToolCall("a", "[1]"), ToolCall("a", "{}"), ToolCall("a")], ids=repr)
@pytest.mark.parametrize("again", COPIES, ids=["copy", "deepcopy", "pickle", "replace"])
def test_a_copy_is_equal(made, again):
    assert again(made) == made


def test_a_call_is_small():
    assert not hasattr(FULL, "__dict__")


def test_kinds_and_statuses_are_those_of_the_types():
    assert set(trajmatch._model.KINDS) == {"function", "native", "output"}
    assert len(set(trajmatch._model.STATUSES)) == 7

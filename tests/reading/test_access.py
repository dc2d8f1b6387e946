from dataclasses import dataclass
from types import MappingProxyType, SimpleNamespace

import pytest
from openai.types.chat import ChatCompletionMessage

from trajmatch import ConversionError
from trajmatch.reading import (
    call_id,
    first,
    get,
    is_mapping,
    keys_of,
    listed,
    tool_name,
    unreadable,
    wire_arguments,
    wire_call,
)


@dataclass(slots=True)
class Slotted:
    role: str
    _hidden: int = 0


class Text(str):
    pass


DICT, OBJECT = {"role": "user", "content": None}, SimpleNamespace(role="user", content=None)


@pytest.mark.parametrize("item", [DICT, OBJECT, MappingProxyType(DICT), Slotted("user")], ids=repr)
def test_get_reads_keys_and_attributes(item):
    assert (get(item, "role"), get(item, "nothing"), get(item, "nothing", 3)) == ("user", None, 3)


def test_get_reads_the_key_and_not_the_method_of_a_dict():
    assert (get({"items": 1}, "items"), get({}, "items")) == (1, None)


FIRST = {
    "the first": ({"a": 1, "b": 2}, 1),
    "null is passed over": ({"a": None, "b": 2}, 2),
    "false is not": ({"a": False, "b": 2}, False),
    "an attribute": (SimpleNamespace(b=2), 2),
    "none": ({}, None),
}


@pytest.mark.parametrize(("item", "value"), FIRST.values(), ids=FIRST)
def test_first_is_the_first_that_is_there(item, value):
    assert first(item, "a", "b") is value


@pytest.mark.parametrize(
    ("item", "answer"), [(DICT, True), (MappingProxyType({}), True), (OBJECT, False), ([], False)], ids=repr
)
def test_a_mapping_has_keys(item, answer):
    assert is_mapping(item) is answer


LISTED = {
    "a list": ([1], [1]),
    "a tuple": ((1,), [1]),
    "null": (None, []),
    "text": ("ab", []),
    "an object": ({"a": 1}, []),
}


@pytest.mark.parametrize(("value", "items"), LISTED.values(), ids=LISTED)
def test_only_lists_and_tuples_are_gone_through(value, items):
    assert list(listed(value)) == items


KEYS = {
    "a dict": (DICT, ("role", "content")),
    "keys that are no text": ({1: 2}, ("1",)),
    "attributes": (OBJECT, ("role", "content")),
    "slots": (Slotted("user"), ("role",)),
    "text": ("Hi", ()),
    "null": (None, ()),
    "a list": ([1], ()),
}


@pytest.mark.parametrize(("item", "keys"), KEYS.values(), ids=KEYS)
def test_keys_and_public_attributes_are_seen(item, keys):
    assert keys_of(item) == keys


def test_fields_of_a_model_are_seen():
    assert {"role", "content"} <= set(keys_of(ChatCompletionMessage(role="assistant")))


WIRE = {
    "null": (None, {}),
    "an object": ({"x": 1}, {"x": 1}),
    "text": ('{"x": 1}', '{"x": 1}'),
    "text of a subclass": (Text("{}"), "{}"),
    "empty text": ("", ""),
    "a mapping": (MappingProxyType({"x": 1}), {"x": 1}),
    "a list": ([1], "[1]"),
    "a number": (0, "0"),
    "something else": ([OBJECT], "[\"namespace(role='user', content=None)\"]"),
}


@pytest.mark.parametrize(("value", "arguments"), WIRE.values(), ids=WIRE)
def test_arguments_on_the_wire_are_an_object_or_text(value, arguments):
    assert wire_arguments(value) == arguments


WIRE_CALLS = {
    "under parameters": ({"name": "a", "parameters": {"x": 1}}, ("a", {"x": 1})),
    "under function": ({"function": {"name": "a", "arguments": "{}"}}, ("a", "{}")),
    "under custom": ({"custom": {"name": "a", "input": "text"}}, ("a", "text")),
    "beside the name": ({"name": "a", "arguments": "{}"}, ("a", "{}")),
    "args": ({"name": "a", "args": {"x": 1}}, ("a", {"x": 1})),
    "function is the name": ({"function": "a", "args": {"x": 1}}, ("a", {"x": 1})),
    "attributes": (SimpleNamespace(function=SimpleNamespace(name="a", arguments="{}")), ("a", "{}")),
    "no arguments": ({"function": {"name": "a"}}, ("a", {})),
    "no name": ({"function": {}}, (None, {})),
    "nothing": ({}, (None, {})),
}


@pytest.mark.parametrize(("call", "read"), WIRE_CALLS.values(), ids=WIRE_CALLS)
def test_a_call_on_the_wire_has_a_name_and_arguments(call, read):
    assert wire_call(call) == read


IDS = {"text": ("1", "1"), "empty": ("", ""), "a number": (7, "7"), "zero": (0, "0"), "null": (None, None)}


@pytest.mark.parametrize(("value", "id"), IDS.values(), ids=IDS)
def test_an_id_is_text(value, id):
    assert call_id({"id": value}, "call_id", "id") == id


UNREADABLE = {
    "a dict": (DICT, "message 2: no; saw dict with keys ['role', 'content']", ("role", "content")),
    "an object": (Slotted("user"), "message 2: no; saw Slotted with keys ['role']", ("role",)),
    "text": ("Hi", "message 2: no; saw str with 'Hi'", ()),
    "long text": ("x" * 200, "message 2: no; saw str with '" + "x" * 78 + "…", ()),
}


@pytest.mark.parametrize(("item", "text", "keys"), UNREADABLE.values(), ids=UNREADABLE)
def test_an_error_says_where_and_what_was_seen(item, text, keys):
    error = unreadable(2, item, "no")
    assert (str(error), error.index, error.keys) == (text, 2, keys)


def test_a_tool_has_a_name():
    assert tool_name(0, {}, "a") == "a"


@pytest.mark.parametrize("name", [None, "", 3, ["a"]], ids=repr)
def test_a_tool_without_a_name_is_an_error(name):
    with pytest.raises(ConversionError, match="message 2: a call without the name of its tool"):
        tool_name(2, {"id": "1"}, name)

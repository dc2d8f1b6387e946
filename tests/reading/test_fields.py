from enum import Enum
from types import SimpleNamespace as Object

import pytest

from trajmatch import ConversionError, OptionError
from trajmatch.reading import (
    Answered,
    Called,
    camel,
    field,
    flag,
    has,
    is_list,
    list_of_calls,
    read_call,
    type_of,
    with_outputs,
    word,
)


class Kind(str, Enum):  # noqa: UP042 as the SDK of AG-UI has them
    CALL = "call"


TYPES = [
    ({"type": "text"}, "text"),
    (Object(type="text"), "text"),
    ({"type": Kind.CALL}, "call"),
    ({"type": 3}, ""),
    ({}, ""),
    (None, ""),
]


@pytest.mark.parametrize(("item", "kind"), TYPES, ids=str)
def test_a_type_is_text_or_nothing(item, kind):
    assert type_of(item) == kind


@pytest.mark.parametrize(("value", "answer"), [([], True), ((), True), ("x", False), ({}, False), (None, False)])
def test_a_list_is_a_list_or_a_tuple(value, answer):
    assert is_list(value) is answer


@pytest.mark.parametrize("item", [{"a": None}, Object(a=None)], ids=str)
def test_what_an_item_has_may_be_nothing(item):
    assert (has(item, "a"), has(item, "b")) == (True, False)


@pytest.mark.parametrize("item", [{"tool_call_id": "1"}, {"toolCallId": "1"}, Object(toolCallId="1")], ids=str)
def test_a_field_is_found_in_either_spelling(item):
    assert (camel("tool_call_id"), field(item, "tool_call_id"), field(item, "name")) == ("toolCallId", "1", None)


@pytest.mark.parametrize(("given", "calls"), [(None, []), ([], []), ([{"name": "a"}], [{"name": "a"}])], ids=str)
def test_the_calls_of_a_message_are_a_list(given, calls):
    assert [*list_of_calls(1, {}, given)] == calls


@pytest.mark.parametrize("given", ["[]", {"name": "a"}, 3], ids=str)
def test_calls_that_are_no_list_are_refused(given):
    with pytest.raises(ConversionError, match="message 1: tool_calls that are no list"):
        list_of_calls(1, {"tool_calls": given}, given)


def test_a_call_is_read_with_its_id():
    made = {"id": 7, "function": {"name": "a", "arguments": '{"x": 1}'}}
    assert read_call(0, made) == Called("a", '{"x": 1}', "7")


def test_a_call_without_a_name_is_refused():
    with pytest.raises(ConversionError, match="message 2: a call without the name of its tool"):
        read_call(2, {"id": "1", "function": {"arguments": "{}"}})


def test_calls_of_tools_that_return_output_are_marked():
    events = [Called("a"), Called("b"), Called("a", kind="native"), Answered("x", name="a")]
    assert [*with_outputs(events, {"a"})] == [events[0]._replace(kind="output"), *events[1:]]


@pytest.mark.parametrize("given", [True, False])
def test_a_flag_is_true_or_false(given):
    assert flag("nested", given) is given


@pytest.mark.parametrize("given", [None, 1, "yes"], ids=str)
def test_any_other_flag_is_refused(given):
    with pytest.raises(OptionError, match=f"nested must be True or False, got {given!r}") as caught:
        flag("nested", given)
    assert (caught.value.option, caught.value.value) == ("nested", given)


def test_a_word_is_one_of_those_that_there_are():
    assert word("messages", "all", ("new", "all")) == "all"


@pytest.mark.parametrize("given", ["nwe", ["new"], None], ids=str)
def test_any_other_word_is_refused(given):
    with pytest.raises(OptionError, match="messages must be 'new', 'old' or 'all', got ") as caught:
        word("messages", given, ("new", "old", "all"))
    assert (caught.value.option, caught.value.value) == ("messages", given)
    assert ("did you mean 'new'" in str(caught.value)) == (given == "nwe")

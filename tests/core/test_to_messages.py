"""`to_messages`: which writer, what is refused, and that nothing is lost or changed on the way."""

import sys
from datetime import date
from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest

import trajmatch._recognise as recognise
from trajmatch import ConversionError, Message, OptionError, ToolCall, Trajectory, call, expect, to_messages
from trajmatch._registered import load
from trajmatch.reading import Called, Said

RUN = Trajectory([Message("user", "A lamp?"), Message("assistant", None, [call("search", q="lamp")])])


@pytest.mark.parametrize("format", ["openia", "tau2", None, [], 1, ""])
def test_a_format_that_is_not_written_is_an_error_that_names_those_that_are(format):
    with pytest.raises(OptionError, match="there are 'anthropic', 'langchain', 'openai', 'pydantic_ai'") as caught:
        to_messages(RUN, format)
    assert (caught.value.option, caught.value.value) == ("format", format)


def test_a_typo_gets_the_nearest_word():
    with pytest.raises(OptionError, match="'openia' is not written; did you mean 'openai'"):
        to_messages(RUN, "openia")


def test_a_history_is_read_first():
    messages = to_messages(RUN, "openai")
    assert to_messages({"messages": messages}, "anthropic") == to_messages(RUN, "anthropic")
    with pytest.raises(ConversionError, match="got None"):
        to_messages(None, "openai")


def test_an_empty_run_is_no_message():
    assert to_messages(Trajectory([]), "openai") == []


def test_each_call_of_a_list_is_a_message_of_its_own_with_what_came_of_it():
    calls = [call("a"), ToolCall("b", {}, id="x", status="succeeded", result="ok"), ToolCall("c", {}, status="pending")]
    written = to_messages(calls, "openai")
    assert [message["role"] for message in written] == ["assistant", "assistant", "tool", "assistant"]
    assert (written[2]["tool_call_id"], written[2]["content"]) == ("x", "ok")


def holding(value):
    return Trajectory([Message("user", "Hi"), Message("assistant", None, [call("a"), call("b", x=value)])])


def test_values_become_json():
    function = to_messages(holding(date(2026, 3, 1)), "openai")[1]["tool_calls"][1]["function"]
    assert function == {"name": "b", "arguments": '{"x": "2026-03-01"}'}


def deep():
    value = []
    for _ in range(10_000):
        value = [value]
    return value


def endless():
    value = []
    value.append(value)
    return value


VALUES = {
    "an object": (object(), r"call 1: in the arguments of 'b', object has no JSON form: <object"),
    "an operator": (expect.lte(5), "call 1: in the arguments of 'b', .* has no JSON form"),
    "deep": (deep(), "cannot be written as 'openai'"),
    "endless": (endless(), "cannot be written as 'openai': RecursionError"),
    "a number that is too long": (10**5000, "cannot be written as 'openai': ValueError"),
}


@pytest.mark.parametrize(("value", "text"), VALUES.values(), ids=VALUES)
def test_a_value_that_is_no_json_is_an_error(value, text):
    with pytest.raises(ConversionError, match=text):
        to_messages(holding(value), "openai")


def test_open_arguments_are_an_error_that_says_how_to_state_them():
    with pytest.raises(ConversionError, match=r"call 1: the arguments of 'b' are not stated.*as call\('b', ...\)") as e:
        to_messages(Trajectory.from_calls([call("a"), "b"]), "openai")
    assert e.value.index == 1


def test_a_rule_is_no_part_of_a_message():
    with pytest.raises(ConversionError, match="call 1 of 'b' cannot be written as 'openai': it has a rule"):
        to_messages(Trajectory.from_calls([call("a"), call("b").under("superset")]), "openai")


@pytest.fixture
def writer(monkeypatch):
    """Writers as other packages register them: what one gives is read as a list of `[tool, arguments]` or text."""

    def read(history):
        for item in history:
            yield Said("assistant", item if isinstance(item, str) else None)
            if not isinstance(item, str):
                yield Called(*item)

    def register(write):
        adapter = SimpleNamespace(classify=lambda message: "no", read=read, write=write)
        monkeypatch.setitem(sys.modules, "diary_package", adapter)
        entry = EntryPoint("diary", "diary_package", "trajmatch.adapters")
        monkeypatch.setattr(recognise, "_entries", lambda: {"diary": entry})
        load.cache_clear()

    return register


def told(events):
    return [[event.name, event.arguments] for event in events if isinstance(event, Called)]


def test_a_registered_adapter_may_write(writer):
    writer(told)
    assert to_messages(RUN, "diary") == [["search", {"q": "lamp"}]]


def test_a_registered_writer_is_named_among_those_that_there_are(writer):
    writer(told)
    with pytest.raises(OptionError, match=r"did you mean 'diary'.*'pydantic_ai', 'diary'"):
        to_messages(RUN, "dairy")


LOSSES = {
    "lost": (lambda events: ["Hi"], "call 0 of 'search' cannot be written as 'diary': it would be lost"),
    "renamed": (lambda events: [["find", {"q": "lamp"}]], "call 0 of 'search' .*: it would be lost"),
    "changed": (lambda events: [["search", {"q": "lmap"}]], "call 0 of 'search' .*: its arguments would change"),
    "added": (lambda events: [*told(events), ["pay", {}]], "written as 'diary', a call of 'pay' would be added"),
    "raised": (lambda events: 1 / 0, "cannot be written as 'diary': ZeroDivisionError"),
    "no messages": (
        lambda events: [1],
        "cannot be written as 'diary': format 'diary': this history cannot be read: TypeError",
    ),
}


@pytest.mark.parametrize(("write", "text"), LOSSES.values(), ids=LOSSES)
def test_what_a_writer_loses_or_changes_is_an_error(writer, write, text):
    writer(write)
    with pytest.raises(ConversionError, match=text):
        to_messages(RUN, "diary")

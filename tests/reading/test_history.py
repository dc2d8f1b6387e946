from collections import deque, namedtuple
from dataclasses import dataclass
from types import MappingProxyType, SimpleNamespace

import pytest

from trajmatch import ConversionError
from trajmatch.reading import messages_in

HI = {"role": "user", "content": "Hi"}


@dataclass
class State:
    messages: object


class Result:
    def messages(self):
        return [HI]


Run = namedtuple("Run", "output messages")
HISTORIES = {
    "a list": [HI],
    "a tuple": (HI,),
    "an iterator": iter([HI]),
    "a generator": (message for message in [HI]),
    "a deque": deque([HI]),
    "a dict with messages": {"messages": [HI], "output": "Bye"},
    "a mapping with messages": MappingProxyType({"messages": (HI,)}),
    "an object with messages": State([HI]),
    "an object with a tuple of messages": State((HI,)),
    "a named tuple with messages": Run("Bye", [HI]),
    "a dict with output": {"output": [HI]},
    "output with messages": {"output": {"messages": [HI]}},
    "a state in a state": {"messages": State([HI])},
}


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
def test_messages_are_found(history):
    assert messages_in(history) == [HI]


@pytest.mark.parametrize(
    "history", [[], (), iter(()), {"messages": []}, {"output": []}, State([])], ids=lambda h: type(h).__name__
)
def test_an_empty_history_has_no_messages(history):
    assert messages_in(history) == []


def test_a_list_is_copied():
    history = [HI]
    assert messages_in(history) is not history


ALONE = {
    "an object that an adapter may know": Result(),
    "a number": 3,
    "an empty dict": {},
    "a dict of something else": {"answer": "Hi"},
    "output in a typed dict": {"output": "ok", "type": "function_call_output"},
}


@pytest.mark.parametrize("history", ALONE.values(), ids=ALONE)
def test_any_other_object_is_the_only_item(history):
    assert messages_in(history) == [history]


WRONG = {
    "None": (None, "got None; an agent that did nothing is an empty list"),
    "a set": (frozenset({"a"}), r"a list is needed, got frozenset frozenset\({'a'}\); write \[...\]"),
    "a range": (range(3), r"a list is needed, got range range\(0, 3\)"),
    "messages are None": ({"messages": None}, "got None"),
    "output is None": ({"output": None}, "got None"),
    "text": ("search", r"got str 'search'; parse text with json.loads first, .*\['search'\]"),
    "bytes": (b"[]", "got bytes b'\\[\\]'"),
    "output is text": ({"output": "Bye"}, "got str 'Bye'"),
    "one message": (HI, r"write \[message\]; saw \['role', 'content'\]"),
    "one message of another format": ({"type": "human", "content": "Hi"}, r"write \[message\]"),
    "one message as an object": (SimpleNamespace(role="user"), r"write \[message\]; saw \['role'\]"),
    "one message with parts": ({"kind": "request", "parts": []}, r"write \[message\]"),
    "one message under messages": ({"messages": HI}, r"write \[message\]"),
}


@pytest.mark.parametrize(("history", "text"), WRONG.values(), ids=WRONG)
def test_what_is_no_history_is_an_error(history, text):
    with pytest.raises(ConversionError, match=text):
        messages_in(history)

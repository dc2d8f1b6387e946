from collections import deque, namedtuple
from dataclasses import dataclass
from inspect import CORO_CLOSED, getcoroutinestate
from io import StringIO
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from unittest.mock import Mock

import pytest
from langgraph.graph import StateGraph
from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel

from trajmatch import ConversionError
from trajmatch.reading import messages_in

HI = {"role": "user", "content": "Hi"}


@dataclass
class State:
    messages: object


class Result:
    def messages(self):
        return [HI]


async def run():
    return [HI]


async def stream():
    yield HI


class Later:
    def __await__(self):
        yield


GRAPH = StateGraph(dict).add_node("a", lambda state: state).set_entry_point("a").compile()
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


def test_a_response_that_shows_the_parts_of_its_first_candidate_is_no_message():
    response = SimpleNamespace(candidates=[HI], parts=["Hi"])
    assert messages_in(response) == [response]


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


def test_a_coroutine_is_refused_and_closed_so_that_python_does_not_warn():
    later = run()
    with pytest.raises(ConversionError, match="got something to await, coroutine; await it"):
        messages_in(later)
    assert getcoroutinestate(later) == CORO_CLOSED


def test_what_has_messages_may_have_methods_of_an_agent():
    assert messages_in(Mock(messages=[HI])) == [HI]


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
    "text": ("Bye.", "got str 'Bye.'; hand over the run, and not its output; parse JSON text with json.loads first"),
    "bytes": (b"[]", "got bytes b'\\[\\]'"),
    "output is text": ({"output": "Bye"}, "got str 'Bye'"),
    "one message": (HI, r"write \[message\]; saw \['role', 'content'\]"),
    "one message of another format": ({"type": "human", "content": "Hi"}, r"write \[message\]"),
    "one message as an object": (SimpleNamespace(role="user"), r"write \[message\]; saw \['role'\]"),
    "one message with parts": ({"kind": "request", "parts": []}, r"write \[message\]"),
    "a task": (Later(), "got something to await, Later; await it"),
    "an asynchronous generator": (
        stream(),
        r"got an asynchronous generator, async_generator; collect it: \[item async",
    ),
    "a path": (Path("run.json"), r"got a file, PosixPath; read and parse it: json.loads\(path.read_text\(\)\)"),
    "an open file": (StringIO("[]"), "got a file, StringIO; read and parse it"),
    "an agent of LangGraph": (GRAPH, "got an agent, CompiledStateGraph; hand over what its `invoke` gave$"),
    "an agent of Pydantic AI": (Agent(TestModel()), "got an agent, Agent; hand over what its `run_sync` gave$"),
    "one message under messages": ({"messages": HI}, r"write \[message\]"),
}


@pytest.mark.parametrize(("history", "text"), WRONG.values(), ids=WRONG)
def test_what_is_no_history_is_an_error(history, text):
    with pytest.raises(ConversionError, match=text):
        messages_in(history)

"""No call is lost: what no adapter reads is refused or noted, whatever the framework."""

import json
import re
from types import SimpleNamespace as Object

import pytest
from langchain_core.messages import AIMessage
from openai.types.chat import ChatCompletionMessage

from tests.strategies import history
from trajmatch import ConversionError, Trajectory, call, to_trajectory

RUN, OTHER = history([[call("search")]]), history([[call("book")]])
CALL = {"id": "1", "function": {"name": "delete", "arguments": "{}"}}
PART = {"toolName": "delete", "input": {}}
GEMINI = [{"function_call": {"name": "delete", "args": {}}}]


class Properties:
    """A message that holds nothing under the names that it shows."""

    def __init__(self, role, content=None, parts=None):
        self._all = role, content, parts

    role = property(lambda self: self._all[0])
    content = property(lambda self: self._all[1])
    parts = property(lambda self: self._all[2])


REFUSED = {
    "two histories": ([RUN, OTHER], "does not go on with"),
    "two states": ([{"messages": RUN}, {"messages": OTHER}], "does not go on with"),
    "a response beside its request": (
        {"request": {"messages": RUN}, "response": {"role": "assistant", "tool_calls": [CALL]}},
        "no format reads it",
    ),
    "choices beside a request": ({"request": {"messages": RUN}, "response": {"choices": []}}, "no format reads it"),
    "calls under another key": ([{"role": "assistant", "toolCalls": [PART]}], "calls under the key 'toolCalls'"),
    "one call under another key": ([{"role": "assistant", "tool": CALL["function"]}], "under the key 'tool'"),
    "a part of another format": (
        [{"role": "assistant", "content": [{"type": "tool-request", **PART}]}],
        "unknown type 'tool-request'",
    ),
    "parts after a message without": (
        [{"role": "model", "content": "", "parts": None}, {"role": "model", "content": None, "parts": GEMINI}],
        "no format reads it",
    ),
    "parts behind properties": ([Properties("user", "q"), Properties("model", parts=GEMINI)], "no format reads it"),
    "calls of an object under another format's name": (
        [
            Object(role="assistant", content="", additional_kwargs=None),
            Object(role="assistant", content="", additional_kwargs={"tool_calls": [CALL]}),
        ],
        "no format reads it",
    ),
    "calls of an object": (
        [Object(role="assistant", content=None, toolCalls=[PART])],
        "calls under the key 'toolCalls'",
    ),
    "calls of a typed object": ([Object(type="ai", content="", calls=[Object(**PART)])], "under the key 'calls'"),
    "calls of an OpenAI model": (
        [ChatCompletionMessage.model_validate({"role": "assistant", "toolCalls": [PART]})],
        "calls under the key 'toolCalls'",
    ),
    "calls of a LangChain model": ([AIMessage("", toolCalls=[PART])], "under the key 'toolCalls'"),
    "a part whose type is no text": (
        [AIMessage([{"type": [], "name": "delete", "input": {}}])],
        "a part of the unknown type ''",
    ),
    "such a part of a user": ([{"role": "user", "content": [{"type": "tool-request", **PART}]}], "unknown type"),
}
READ = {
    "calls of a user": [{"role": "user", "tool_calls": [CALL]}],
    "a block of a user": [{"role": "user", "content": [{"type": "tool_use", "name": "delete", "input": {}}]}],
}
FAILED = {
    "error": ({"error": "no"}, "failed"),
    "no error": ({"error": None}, "succeeded"),
    "error is false": ({"error": False}, "succeeded"),
    "is_error": ({"is_error": True}, "failed"),
}


@pytest.mark.parametrize(("given", "text"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_lost_is_refused(given, text):
    with pytest.raises(ConversionError, match=re.escape(text)):
        to_trajectory(given)


@pytest.mark.parametrize("given", READ.values(), ids=READ)
def test_calls_in_odd_places_are_read(given):
    assert [made.name for made in to_trajectory(given).calls] == ["delete"]


@pytest.mark.parametrize(("more", "status"), FAILED.values(), ids=FAILED)
def test_what_recorders_write_beside_a_result(more, status):
    answered = [{"role": "assistant", "tool_calls": [CALL]}, {"role": "tool", "tool_call_id": "1", **more}]
    assert to_trajectory(answered).calls[0].status == status


def test_a_part_of_an_unknown_type_is_noted():
    run = to_trajectory([{"role": "assistant", "content": [{"type": "hologram"}]}])
    assert run.notes == ("a part of the unknown type 'hologram' is passed over",)


def test_a_stored_trajectory_that_was_parsed_is_read_as_what_it_is():
    run = to_trajectory(RUN)
    assert to_trajectory(json.loads(run.to_json())) == run
    assert to_trajectory(json.loads(Trajectory.from_calls(["a"]).to_json())) == Trajectory.from_calls(["a"])

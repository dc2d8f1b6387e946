import copy
import pickle

import pytest

from trajmatch import ConversionError, Message, ToolCall, call
from trajmatch._message import fold_role

ROLES = {
    "system": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "human": "user",
    "ai": "assistant",
    "model": "assistant",
    "developer": "system",
    "function": "tool",
    "critic": "critic",
    "Human": "Human",
}


@pytest.mark.parametrize(("word", "role"), ROLES.items())
def test_roles_are_folded(word, role):
    assert Message(word).role == fold_role(word) == role


def test_fields_read_as_given():
    made = Message("ai", "Hi", iter([call("a")]), answers=1, feedback=True)
    assert (made.content, made.tool_calls, made.answers, made.feedback) == ("Hi", (call("a"),), 1, True)


def test_what_is_not_given_is_empty():
    made = Message("user")
    assert (made.content, made.tool_calls, made.answers, made.feedback) == (None, (), None, False)


def test_content_is_shared_and_not_copied():
    parts = [{"type": "text"}]
    assert Message("user", parts).content is parts


@pytest.mark.parametrize("field", ["role", "content", "tool_calls", "answers", "feedback", "x"])
def test_a_message_cannot_be_changed(field):
    with pytest.raises(AttributeError):
        setattr(Message("user"), field, None)


FULL = Message("assistant", "Hi", [call("a", x=1)], answers=1, feedback=True)
EQUAL = {
    "folded roles": (Message("human", "Hi"), Message("user", "Hi")),
    "content as JSON": (Message("user", [1, {"a": 1}]), Message("user", (1.0, {"a": 1}))),
    "calls": (
        Message("ai", None, [call("a", x=1)]),
        Message("ai", None, [ToolCall("a", '{"x": 1}', id="1")]),
    ),
}
DIFFERENT = {
    "roles": (Message("user"), Message("system")),
    "content": (Message("user", 1), Message("user", True)),
    "calls": (Message("ai", "", [call("a")]), Message("ai", "", [call("b")])),
    "answers": (Message("tool", "", answers=0), Message("tool", "", answers=1)),
    "feedback": (Message("user", ""), Message("user", "", feedback=True)),
    "name": (Message("tool", ""), Message("tool", "", name="a")),
    "something else": (Message("user"), "user"),
}


@pytest.mark.parametrize(("a", "b"), EQUAL.values(), ids=EQUAL)
def test_messages_are_equal_as_json(a, b):
    assert a == b and b == a and hash(a) == hash(b)


@pytest.mark.parametrize(("a", "b"), DIFFERENT.values(), ids=DIFFERENT)
def test_messages_differ_as_json(a, b):
    assert a != b and b != a


REPR = {
    "a role": (Message("ai"), "Message('assistant')"),
    "content": (Message("ai", "Hi"), "Message('assistant', 'Hi')"),
    "calls": (Message("ai", None, [ToolCall("a")]), "Message('assistant', None, [ToolCall('a')])"),
    "name": (Message("tool", "x", name="a"), "Message('tool', 'x', name='a')"),
    "all": (FULL, "Message('assistant', 'Hi', [ToolCall('a', {'x': 1})], answers=1, feedback=True)"),
}


@pytest.mark.parametrize(("made", "text"), REPR.values(), ids=REPR)
def test_repr_is_the_message_as_one_writes_it(made, text):
    assert repr(made) == text


def test_replace_changes_what_is_named():
    assert FULL.replace(content="Bye", feedback=False) == Message("assistant", "Bye", [call("a", x=1)], answers=1)


COPIES = [
    copy.copy,
    copy.deepcopy,
    lambda made: pickle.loads(pickle.dumps(made)),
    lambda made: made.__replace__(),
]


@pytest.mark.parametrize("again", COPIES, ids=["copy", "deepcopy", "pickle", "replace"])
def test_a_copy_is_equal(again):
    assert again(FULL) == FULL


def test_the_name_of_a_tool_is_text():
    with pytest.raises(ConversionError, match="name of a tool is text, got 0"):
        Message("tool", "x", name=0)

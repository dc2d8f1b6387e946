"""Messages that hold text alone are read as every format reads them that could be theirs."""

import pytest

from trajmatch import to_trajectory
from trajmatch._claims import best
from trajmatch._recognise import _built_in
from trajmatch.reading import build
from trajmatch.reading._plain import read_plain

PART = {"type": "text", "text": "Hi"}


def says(content="Hi", role="user", **more):
    return {"role": role, "content": content, **more}


PLAIN = {
    "text": [says(), says("", "assistant"), says(role="system"), says(role="developer")],
    "a name": [says(name="ann"), says(role="assistant")],
    "ids": [says(id="1"), says(role="assistant", id="2")],
    "parts": [says([PART]), says([PART, PART], "assistant")],
}
MORE = {
    "nothing": [],
    "an object": [says(), object()],
    "another key": [says(), says(tool_calls=[])],
    "another role": [says(role="human")],
    "a role that is no text": [says(role=["user"])],
    "no content": [says(None)],
    "no parts": [says([])],
    "text as a part": [says(["Hi"])],
    "an image": [says([{"type": "image", "text": "x"}])],
    "more in a part": [says([{**PART, "id": "1"}])],
    "a part without text": [says([{"type": "text", "text": None}])],
    "one id twice": [says(role="assistant", id="1"), says(role="assistant", id="1")],
    "an id that is no text": [says(id=1)],
}


@pytest.mark.parametrize("history", PLAIN.values(), ids=PLAIN)
def test_plain_text_is_read_as_all_formats_read_it(history):
    run, claimed = read_plain(history), best(history, _built_in())
    assert len(claimed) > 1
    assert {name for name, adapter in claimed.items() if build(adapter.read(history)).messages != run.messages} == set()
    assert (to_trajectory(history).messages, run.calls, run.notes) == (run.messages, (), ())


@pytest.mark.parametrize("history", MORE.values(), ids=MORE)
def test_what_holds_more_is_left_to_the_formats(history):
    assert read_plain(history) is None

from types import SimpleNamespace as Object

import pytest
from openai.types.chat import ChatCompletionMessage

from trajmatch.reading import own_words


class Computed:
    parts = property(lambda self: [])


class Asked:
    def __getattr__(self, name):
        return "x" if name == "tool_plan" else None


FOUND = {
    "no words": ({"role": "user", "content": "Hi"}, set()),
    "a key": ({"role": "user", "parts": []}, {"parts"}),
    "several keys": ({"toolCallId": "1", "requestor": "user", "x": 1}, {"requestor", "toolCallId"}),
    "a key that holds nothing": ({"function_call": None}, set()),
    "an attribute": (Object(turn_idx=0), {"turn_idx"}),
    "an attribute that holds nothing": (Object(turn_idx=None), set()),
    "a field beside those of a model": (
        ChatCompletionMessage.model_validate({"role": "assistant", "toolCalls": []}),
        {"toolCalls"},
    ),
    "a field of a model that holds nothing": (ChatCompletionMessage(role="assistant"), set()),
    "a property": (Computed(), {"parts"}),
    "what an object computes": (Asked(), {"tool_plan"}),
    "in a part": ({"content": ["text", {"toolUse": {}}]}, {"toolUse"}),
    "in a call": ({"tool_calls": [{"name": "a"}, {"requestor": "user"}]}, {"requestor"}),
    "a word of messages in a part": ({"content": [{"parts": []}]}, set()),
    "text": ("parts", set()),
    "nothing": (None, set()),
}


@pytest.mark.parametrize(("message", "found"), FOUND.values(), ids=FOUND)
def test_the_words_that_few_formats_have_are_found(message, found):
    assert own_words(message) == found

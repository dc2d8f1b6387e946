"""Completions of a model as histories."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from trajmatch import ConversionError
from trajmatch.reading import get, is_mapping, listed

__all__ = ["as_messages", "tagged_calls"]

_OPENINGS = ("<tool_call>", "<|tool_call", "<function=", "[TOOL_CALLS]", "<|python_tag|>")
"""How models begin a call."""
_TAG = re.compile(r"<(think|tool_call|tool_response)>(.*?)(</\1>|\Z)", re.DOTALL)
_KEYS = {"name", "arguments", "id"}


def as_messages(completion: object) -> object:
    """Give a completion that is a list of messages as it is.

    Raises:
        ConversionError: In the text of a message a call begins, which the trainer could not parse.
    """
    for index, message in enumerate(listed(completion)):
        text = _said(message)
        if opening := next((opening for opening in _OPENINGS if opening in text), None):
            raise ConversionError(f"message {index}: a call that was not parsed: {opening!r} in its text", index=index)
    return completion


def tagged_calls(completion: object) -> object:
    """Give a completion as messages, with the calls that stand in its text in the tags of Hermes and Qwen.

    Such a call is `<tool_call>{"name": "search", "arguments": {"q": "lamp"}}</tool_call>`. What stands in `<think>` and
    in `<tool_response>` makes no call.

    Args:
        completion: Text, or messages, of which those without calls of their own are read.

    Raises:
        ConversionError: A tag that is not closed, or holds no call.

    >>> from trajmatch_adapters.rewards import tagged_calls
    >>> to_trajectory(tagged_calls('<tool_call>{"name": "search", "arguments": {"q": "lamp"}}</tool_call>')).calls
    (ToolCall('search', {'q': 'lamp'}),)
    """
    if isinstance(completion, str):
        return [_with_calls({"role": "assistant", "content": completion})]
    return [*map(_with_calls, cast("list[object]", completion))] if isinstance(completion, list) else completion


def _with_calls(message: object) -> object:
    if not is_mapping(message) or message.get("tool_calls"):
        return message
    calls = [{"type": "function", "function": call} for call in _tagged(_said(message))]
    return {**message, "tool_calls": calls} if calls else message


def _said(message: object) -> str:
    """The text of a message of the model."""
    if get(message, "role") != "assistant":
        return ""
    content = get(message, "content")
    parts = [content] if isinstance(content, str) else listed(content)
    texts = [get(part, "text", part) for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def _tagged(text: str) -> Iterator[dict[str, Any]]:
    before, _, after = text.partition("</think>")
    if after and "<think>" not in before:  # a thought that the prompt began
        text = after
    for tag, inside, end in _TAG.findall(text):
        if tag == "tool_call":
            yield _call(inside, closed=bool(end))


def _call(text: str, *, closed: bool) -> dict[str, Any]:
    try:
        call = json.loads(text)
    except (ValueError, RecursionError):
        call = None
    if closed and isinstance(call, dict) and {*cast("dict[str, Any]", call)} <= _KEYS:
        return cast("dict[str, Any]", call)
    raise ConversionError(f"<tool_call> holds no call: {text!r:.80}; it is JSON with 'name' and 'arguments'")

"""The quick way through messages that hold text, calls of functions and results, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from trajmatch.reading import UNMARKED, Row, Skimmed

__all__ = ["skim"]

_EMPTY = frozenset({"annotations", "audio", "function_call", "reasoning_content", "refusal", "tool_calls"})
_KEYS = frozenset({"id", "type", "function", "index"})
_SPEECH = frozenset({"role", "content", "name"})
_SPOKEN = frozenset({"assistant", "developer", "system", "user"})


def skim(messages: Sequence[Any]) -> Skimmed | None:
    """Read messages that hold text, calls of functions and results, and nothing else."""
    kinds: set[type] = {*map(type, messages)}
    if kinds != {dict} or "role" not in messages[0]:
        return None
    found = Skimmed()
    said, called, answered = found.said, found.called, found.answered
    for message in cast("Sequence[dict[str, Any]]", messages):
        role, content = message["role"], message["content"]
        if role == "tool":
            if len(message) != 3 and not _is_plain(message, "tool_call_id"):
                return None
            answered.append((len(said), content, message["tool_call_id"], "succeeded", message.get("name")))
            said.append(None)
            continue
        if content is not None and type(content) is not str:
            return None
        calls = message.get("tool_calls") if role == "assistant" else None
        if calls:
            if len(message) != 3 and not _is_plain(message, "tool_calls"):
                return None
            _add(called, calls, len(said))
        elif role not in _SPOKEN or (len(message) != 2 and not _is_plain(message)):
            return None
        said.append((role, content))
    if answered:
        found.notes.append(UNMARKED)
    return found if called or answered or all(len(message) == 2 for message in messages) else None


def _add(called: list[Row], calls: list[dict[str, Any]], place: int) -> None:
    if type(calls) is not list:
        raise TypeError(calls)
    for call in calls:
        if type(call) is not dict or not ((len(call) == 3 and "type" in call) or _KEYS.issuperset(call)):
            raise TypeError(call)
        function = call["function"]
        called.append((function["name"], function["arguments"], call["id"], "function", place))


def _is_plain(message: Mapping[str, Any], *keys: str) -> bool:
    """Whether a message has no more keys than these, a name, and what is often there and empty."""
    return all(key in _SPEECH or key in keys or (key in _EMPTY and not value) for key, value in message.items())

"""The words by which a message with a role shows whose it is, since many formats have such messages."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import lru_cache
from typing import Any

from trajmatch._access import get, holds_fields, is_mapping, listed

__all__ = ["own_words"]

_OF_MESSAGES = frozenset(
    {
        *("additional_kwargs", "invalid_tool_calls", "response_metadata", "tool_call_chunks"),  # LangChain
        *("function_call", "tool_call"),  # the older OpenAI, and AgentDojo
        *("function", "parts", "tool_plan"),  # Inspect; Gemini, OpenTelemetry and the AI SDK; Cohere
        *("toolCallId", "toolCalls", "toolInvocations"),  # AG-UI, and the AI SDK
        *("requestor", "tool_messages", "turn_idx"),  # tau2-bench
    }
)
_OF_PARTS = frozenset({"requestor", "toolCallId", "toolResult", "toolUse"})
"""What a call, or a part of a content, has."""


def own_words(message: object) -> Set[str]:
    """Give the keys or attributes of a message, and of its calls and parts, that few formats have.

    An adapter of messages with a role says "no" where some of them are not its own, since it would not read them.
    """
    found = _held(message, _OF_MESSAGES)
    for name in ("content", "tool_calls"):
        for part in listed(get(message, name)):
            found |= _held(part, _OF_PARTS)
    return found


def _held(item: object, words: frozenset[str]) -> frozenset[str]:
    """The words under which something stands."""
    some = words.intersection(item) if is_mapping(item) else _shown(item, words)
    return frozenset(word for word in some if get(item, word) is not None) if some else some


def _shown(item: object, words: frozenset[str]) -> frozenset[str]:
    """The words that may be attributes of an object: to ask a model for one that it lacks takes long."""
    kind: type = type(item)
    if not _shows_its_keys(kind):
        return words
    own: Mapping[str, Any] = getattr(item, "__dict__", {})
    more: Mapping[str, Any] | None = getattr(item, "model_extra", None)
    return words.intersection(own) | words.intersection(more or ())


@lru_cache(maxsize=1024)
def _shows_its_keys(kind: type) -> bool:
    """Whether the objects of a type hold in `__dict__` and `model_extra` all that they show under the words."""
    computed = hasattr(kind, "__getattr__") and not hasattr(kind, "model_extra")
    return not computed and holds_fields(kind, _OF_MESSAGES | _OF_PARTS)

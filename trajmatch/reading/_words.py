"""The words by which a message with a role shows whose it is, since many formats have such messages."""

from __future__ import annotations

from functools import lru_cache

from trajmatch._access import get, holds_fields, is_mapping, keys_of, listed

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


def own_words(message: object) -> set[str]:
    """Give the keys or attributes of a message, and of its calls and parts, that few formats have.

    An adapter of messages with a role says "no" where some of them are not its own, since it would not read them.
    """
    found = _held(message, _OF_MESSAGES)
    for name in ("content", "tool_calls"):
        for part in listed(get(message, name)):
            found |= _held(part, _OF_PARTS)
    return found


def _held(item: object, words: frozenset[str]) -> set[str]:
    """The words under which something stands."""
    kind: type = type(item)
    if is_mapping(item):
        words = words.intersection(item)
    elif _shows_its_keys(kind):  # to ask a model for an attribute that it does not have takes long
        words = words.intersection(keys_of(item))
    return {word for word in words if get(item, word) is not None}


@lru_cache(maxsize=1024)
def _shows_its_keys(kind: type) -> bool:
    """Whether the objects of a type have none of the words but those that `keys_of` gives."""
    computed = hasattr(kind, "__getattr__") and not hasattr(kind, "model_extra")
    return not computed and holds_fields(kind, _OF_MESSAGES | _OF_PARTS)

"""Anthropic Messages: message dicts as they are sent, the SDK's `Message` objects, and both in one list.

What this format does differently:
- calls and results are blocks of the content: `tool_use` of the assistant, `tool_result` of the user; no message has
  the role of a tool, and no call stands beside the content;
- the results of one batch stand in one user's message; what it holds beside them is a turn of the user where it is
  text, and belongs to the results otherwise;
- arguments are objects; `is_error` says that a tool failed, and its absence that it did not;
- `server_tool_use` and `mcp_tool_use` were executed by the provider, which answers in the assistant's own message, or
  in the next one where a long turn was paused; an error is a content whose type ends in `_error`;
- the system prompt stands in the request, beside the messages;
- a refusal by a reviewer, and an interruption, are results like any other: nothing tells them.
"""

from __future__ import annotations

from collections.abc import Iterator

from trajmatch.reading import (
    Event,
    Recognised,
    Said,
    fields,
    first,
    get,
    is_list,
    listed,
    messages_in,
    own_words,
    read_blocks,
    read_user,
    unreadable,
)
from trajmatch_adapters.histories.anthropic._write import write

__all__ = ["classify", "read", "write"]

_ROLES = ("assistant", "system", "user")
_READ = ("role", "content")
_OWN = frozenset(
    {"compaction", "container_upload", "fallback", "mcp_tool_listing", "mcp_tool_use", "redacted_thinking"}
    | {"server_tool_use", "thinking", "tool_addition", "tool_removal", "tool_result", "tool_use"}
)
_SHARED = frozenset({"document", "image", "search_result", "text"})
_RESULT = "_tool_result"


def classify(message: object) -> Recognised:
    """Say whether a message is one of Anthropic's: its content is text, or a list of blocks that Anthropic has."""
    content = get(message, "content")
    if get(message, "role") not in _ROLES or get(message, "tool_calls") or get(message, "tool_call_id"):
        return "no"
    if own_words(message):
        return "no"
    if isinstance(content, str):
        return "could_be"
    if not is_list(content) or any(get(block, "tool_type") is not None for block in listed(content)):
        return "no"
    kinds = {str(get(block, "type")) for block in listed(content)}
    if kinds & _OWN or any(kind.endswith(_RESULT) for kind in kinds) or _is_response(message):
        return "certain"
    return "could_be" if kinds <= _SHARED else "no"


def _is_response(message: object) -> bool:
    return get(message, "type") == "message" and first(message, "stop_reason", "usage") is not None


def read(history: object) -> Iterator[Event]:
    """Give the events of a history of Anthropic Messages."""
    for index, given in enumerate(messages_in(history)):
        message = fields(given, _READ)
        role, content = message.get("role"), message.get("content")
        if role not in _ROLES:
            raise unreadable(index, given, "a message that is none of the user, the assistant or the system")
        if content is not None and not isinstance(content, str) and not is_list(content):
            raise unreadable(index, given, "a content that is neither text nor a list of blocks")
        if role == "user":
            yield from read_user(index, content)
        else:
            yield Said(role, content)
            yield from read_blocks(index, content)

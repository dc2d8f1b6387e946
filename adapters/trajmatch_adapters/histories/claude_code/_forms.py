"""The forms of one item: a record that holds a message, a message of the Agent SDK, a record without one."""

from __future__ import annotations

from trajmatch.reading import Recognised, first, get, is_mapping, listed

__all__ = ["classify", "is_message", "is_silent", "message_in", "records_in", "typed"]

_HOLDER = "loglines"
_ROLES = ("assistant", "user")
_SILENT = frozenset(
    {"attachment", "file-history-snapshot", "progress", "queue-operation", "rate_limit_event", "result"}
    | {"stream_event", "summary", "system"}
)
"""Kinds of record that hold no message; new ones come with each version, and name their session."""
_SERVER = "srvtoolu_"
"""How ids of calls begin that Anthropic's servers executed."""


def classify(item: object) -> Recognised:
    """Say whether an item is a record, a message of the Agent SDK, or holds a list of records."""
    if _holds_records(item) or message_in(item, get(item, "type")) is not None or is_message(item):
        return "certain"
    return "could_be" if is_silent(item) else "no"


def records_in(items: list[object]) -> list[object]:
    """Give the records that the only item of a history holds, or else the items."""
    return [*listed(get(items[0], _HOLDER))] if len(items) == 1 and _holds_records(items[0]) else items


def message_in(record: object, role: object) -> object:
    """Give the message of Anthropic's API that a record of this role holds; `None` where it holds none."""
    message = get(record, "message")
    return message if role in _ROLES and get(record, "role") is None and _has(message, "content") else None


def is_message(item: object) -> bool:
    """Say whether this is a message of the Agent SDK."""
    return _has(item, "content") and _has(item, "parent_tool_use_id") and first(item, "role", "type") is None


def _holds_records(item: object) -> bool:
    return is_mapping(item) and isinstance(item.get(_HOLDER), (list, tuple))


def is_silent(item: object) -> bool:
    """Say whether this is a record without a message, or an object of the Agent SDK that is none."""
    kind = first(item, "type", "subtype", "event", "new_conversation_id", "rate_limit_info")
    if kind is None or first(item, "role", "parts") is not None:
        return False
    named = first(item, "sessionId", "session_id") is not None
    return named or str(kind) in _SILENT or (_has(item, "subtype") and is_mapping(get(item, "data")))


def _has(item: object, name: str) -> bool:
    return name in item if is_mapping(item) else hasattr(item, name)


def typed(block: object) -> object:
    """Give a block of the Agent SDK with its type, which its attributes tell."""
    id = first(block, "tool_use_id", "id")
    native = "server_" if isinstance(id, str) and id.startswith(_SERVER) else ""
    if get(block, "type") is not None:
        return block
    if get(block, "tool_use_id") is not None:
        content, failed = get(block, "content"), get(block, "is_error")
        return {"type": f"{native}tool_result", "tool_use_id": id, "content": content, "is_error": failed}
    if get(block, "name") is not None:
        return {"type": f"{native}tool_use", "id": id, "name": get(block, "name"), "input": get(block, "input")}
    for kind in ("text", "thinking"):
        if isinstance(get(block, kind), str):
            return {"type": kind, kind: get(block, kind)}
    return block

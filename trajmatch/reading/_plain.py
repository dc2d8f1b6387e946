"""Text with a role, which is the same in many formats and is read alike by all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from trajmatch._trajectory import Trajectory
from trajmatch.reading._skim import Skimmed

__all__ = ["read_plain"]

_KEYS = frozenset({"role", "content", "name", "id"})
_ROLES = frozenset({"assistant", "developer", "system", "user"})
_PART = {"type", "text"}
_TEXT = frozenset({str})
_List: type[list[Any]] = list


def read_plain(items: Sequence[object]) -> Trajectory | None:
    """Give the run of messages that hold text and nothing else; `None` where one holds more.

    To ask all formats about such messages, and to see that they agree, would take longer than everything else.
    """
    if not items or {*map(type, items)} != {dict}:
        return None
    found, ids = Skimmed(), list[object]()
    for message in cast("Sequence[dict[str, Any]]", items):
        role, content = message.get("role"), message.get("content")
        if type(role) is not str or role not in _ROLES or not _is_text(content) or not message.keys() <= _KEYS:
            return None
        if "id" in message:
            ids.append(message["id"])
        found.said.append((role, content))
    if not _TEXT.issuperset(map(type, ids)) or len({*ids}) < len(ids):  # pieces of one message may share an id
        return None
    return found.trajectory()


def _is_text(content: object) -> bool:
    """Whether this is text, or a list of parts that are text."""
    if type(content) is not _List:
        return type(content) is str
    return bool(content) and all(
        type(part) is dict and part.keys() == _PART and part["type"] == "text" and type(part["text"]) is str
        for part in content
    )

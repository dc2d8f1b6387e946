"""What was said, and what came back, as lines of text."""

from __future__ import annotations

from typing import Any, cast

from trajmatch.reading import get, is_call_block, is_result_block
from trajmatch_adapters.cli._texts import printable, value_text

__all__ = ["content_lines"]

_TAB = 4


def content_lines(content: object, *, calling: bool = False) -> list[str]:
    """Give content as printable lines: text as it is, other parts as JSON.

    Args:
        content: Text, parts, or whatever a tool gave back.
        calling: It stands beside calls, so that the parts which hold these are left out.
    """
    if content is None:
        return []
    if not isinstance(content, (list, tuple)):
        return _part(content)
    parts = cast("list[Any]", content)
    if not all(isinstance(part, str) or get(part, "type") is not None for part in parts):
        return [value_text(parts)]
    return [line for part in parts if not (calling and _is_shown(part)) for line in _part(part)]


def _is_shown(part: object) -> bool:
    """Whether a part is a call, or the result of one, which are shown as such."""
    return is_call_block(part) or is_result_block(part)


def _part(part: object) -> list[str]:
    text = part if isinstance(part, str) else get(part, "text") if str(get(part, "type", "")).endswith("text") else None
    if not isinstance(text, str):
        return [value_text(part)]
    return [printable(line.expandtabs(_TAB)) for line in text.splitlines()]

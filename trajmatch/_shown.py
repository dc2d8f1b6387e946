"""Showing any value in an error, whatever its own `repr` does."""

from __future__ import annotations

__all__ = ["shown", "whole"]


def shown(value: object, width: int = 80) -> str:
    """Give the `repr` of a value, cut to a length; its type where that raises."""
    text = whole(value)
    return text if len(text) <= width else text[: width - 1] + "…"


def whole(value: object) -> str:
    """Give the `repr` of a value; its type where that raises."""
    try:
        return repr(value)
    except Exception:  # a hostile value is named, not obeyed
        return f"<{type(value).__name__}>"

"""Showing any value in an error, whatever its own `repr` does."""

from __future__ import annotations

__all__ = ["shown"]


def shown(value: object, width: int = 80) -> str:
    """Give the `repr` of a value, cut to a length; its type where that raises."""
    try:
        text = repr(value)
    except Exception:  # a hostile value is named, not obeyed
        text = f"<{type(value).__name__}>"
    return text if len(text) <= width else text[: width - 1] + "…"

"""Showing any value in an error, whatever its own `repr` does, and any text without what disturbs its reader."""

from __future__ import annotations

__all__ = ["printable", "shown", "whole"]


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


def printable(text: str, kept: str = "") -> str:
    """Escape control characters, marks of direction, lone surrogates and odd spaces, save those that are kept."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in kept else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape", "surrogatepass").decode()

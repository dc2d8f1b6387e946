"""Reasons as a report prints them."""

from __future__ import annotations

from importlib.metadata import version

from rich.markup import escape

__all__ = ["shown"]

_ESCAPES = (2, 55)
"""The first version of Pydantic Evals whose reports escape reasons; those before take `[a]` for markup."""


def shown(reason: str) -> str:
    """Give a reason so that a report prints it as it is."""
    return reason if _RELEASE >= _ESCAPES else escape(reason)


_RELEASE = tuple(int(part) for part in version("pydantic-evals").split(".")[:2])

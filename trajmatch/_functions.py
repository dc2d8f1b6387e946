"""Functions of the user: which are refused, and how they are named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trajmatch.errors import OptionError

__all__ = ["function_text", "refuse_async"]


def refuse_async(function: Callable[..., Any], option: str) -> None:
    """Refuse a function, or an object, whose call must be awaited.

    Raises:
        OptionError: It is one.
    """
    from inspect import iscoroutinefunction  # takes long to import

    called = getattr(function, "__call__", None)  # noqa: B004 - an object whose call is async
    if iscoroutinefunction(function) or iscoroutinefunction(called):
        raise OptionError(f"{option}: the function cannot be async, got {function!r}", option=option, value=function)


def function_text(function: Callable[..., Any]) -> str:
    """Give the name of a function as a call, with its line where it has none of its own."""
    name: str = getattr(function, "__qualname__", type(function).__qualname__)
    code = getattr(function, "__code__", None)
    return f"{name}:{code.co_firstlineno}()" if code and name.endswith("<lambda>") else f"{name}()"

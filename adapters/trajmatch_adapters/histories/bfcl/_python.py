"""Calls that are written as Python: `cd(folder='a')`, or several in a list."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["Parameters", "PythonCall", "arguments_of", "python_calls"]

Parameters = Mapping[str, Sequence[str]]
"""The names of the parameters of each tool, in their order, for arguments that are written without a name."""


class PythonCall(NamedTuple):
    """A call: the name of its tool, the arguments without a name, those with one, and how all were written."""

    name: str
    unnamed: list[Any]
    named: dict[str, Any]
    text: str


def python_calls(text: str) -> list[PythonCall] | None:
    """Give the calls that a text holds and nothing else; `None` where there are other things."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is odd in it is not the reader's
            body = ast.parse(text.strip(), mode="eval").body
        return [*map(_call, body.elts if isinstance(body, (ast.List, ast.Tuple)) else [body])]
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        return None


def _call(given: ast.expr) -> PythonCall:
    if not isinstance(given, ast.Call) or not isinstance(given.func, (ast.Name, ast.Attribute)):
        raise ValueError
    named = {word.arg: ast.literal_eval(word.value) for word in given.keywords if word.arg is not None}
    if len(named) < len(given.keywords):
        raise ValueError
    unnamed = [*map(ast.literal_eval, given.args)]
    return PythonCall(ast.unparse(given.func), unnamed, named, ast.unparse(given))


def arguments_of(call: PythonCall, parameters: Parameters) -> dict[str, Any] | None:
    """Give all arguments with their names; `None` where a name is not known, or two have the same."""
    names = parameters.get(call.name, ())[: len(call.unnamed)]
    if len(names) < len(call.unnamed) or not call.named.keys().isdisjoint(names):
        return None
    return {**dict(zip(names, call.unnamed, strict=True)), **call.named}

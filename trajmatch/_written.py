"""Expected calls as data: what `to_expectation` reads, written."""

from __future__ import annotations

import re
from typing import Any

from trajmatch._json_form import is_dict, is_list, json_form, with_text_keys
from trajmatch._model import ToolCall
from trajmatch._operators import Operator
from trajmatch._stored import call_form
from trajmatch.errors import ConversionError

__all__ = ["call_data"]

_FLAGS = {"a": re.ASCII, "i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE}
"""The flags of a pattern, as it may say them itself."""


def call_data(call: ToolCall) -> str | dict[str, Any]:
    """Give an expected call as data: a bare name, or an object in which operators and keys with a `$` are written out.

    Raises:
        ConversionError: A value, or a rule, that has no data form, or one that is too deep or holds itself.
    """
    try:
        arguments = call.given if call.arguments is None else _data(call.arguments)
        form = call_form(call.replace(arguments=arguments))
    except RecursionError as error:
        raise ConversionError(f"the call of {call.name!r} cannot be written as data: {error}") from error
    return call.name if [*form] == ["name"] else form


def _data(value: object) -> Any:
    if isinstance(value, Operator):
        return {value.name: _operand(value.operand), **value.options}
    form = json_form(value)
    if is_dict(form):
        return {f"${key}" if key.startswith("$") else key: _data(item) for key, item in with_text_keys(form).items()}
    return type(form)(map(_data, form)) if is_list(form) else form


def _operand(operand: Any) -> Any:
    """What an operator was given; a compiled pattern says its flags itself."""
    if not hasattr(operand, "pattern"):
        return _data(operand)
    flags = "".join(letter for letter, flag in _FLAGS.items() if operand.flags & flag)
    return f"(?{flags}){operand.pattern}" if flags else operand.pattern

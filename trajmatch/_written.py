"""Expected calls as data: what `to_expectation` reads, written."""

from __future__ import annotations

from typing import Any

from trajmatch._json_form import Unordered, is_dict, is_list, json_form, with_text_keys
from trajmatch._model import ToolCall
from trajmatch._operators import Operator
from trajmatch._patterns import Pattern
from trajmatch._shown import shown
from trajmatch._stored import call_form
from trajmatch.errors import ConversionError

__all__ = ["call_data"]


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
        return {value.name: _data(value.operand), **value.options}
    if isinstance(value, Pattern):
        return value.data
    form = json_form(value)
    if is_dict(form):
        return {f"${key}" if key.startswith("$") else key: _data(item) for key, item in with_text_keys(form).items()}
    if isinstance(form, Unordered):
        raise ConversionError(f"{shown(value)} has no data form, in which a list has an order")
    return [*map(_data, form)] if is_list(form) else form

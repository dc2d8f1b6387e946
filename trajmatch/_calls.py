"""Calls as people write them: names, `call(...)`s, and dicts in the words of several wire formats."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, cast

from trajmatch._access import call_id, first, get, is_mapping, keys_of, wire_arguments, wire_call
from trajmatch._model import ToolCall
from trajmatch._nearest import choose, did_you_mean
from trajmatch._operators import arguments_with_operators
from trajmatch._shown import shown
from trajmatch.errors import ConversionError, OptionError

__all__ = ["CALL_WORDS", "expected_calls", "is_call", "one_call_refused", "one_name_refused", "read_calls"]

CALL_WORDS = ("name", "tool", "tool_name", "toolName", "arguments", "args")
"""The keys of a dict that is meant as a call."""
_KEYS = ("name", "arguments", "args", "id", "kind", "status", "type", "raw_arguments", "result", "rule")
_WIRE_KEYS = ("function", "custom", "id", "kind", "status", "type", "index", "args", "placeholder_args")
_NAME = re.compile(r"[^\s\[{]\S*")
"""What may be the name of a tool, and is neither JSON nor prose."""
_FUNCTION_KEYS = ("name", "arguments", "args", "input")


def is_call(item: object) -> bool:
    """Say whether an item is a call and no message: a `ToolCall`, or a dict of the words for one."""
    if isinstance(item, ToolCall):
        return True
    if is_mapping(item) and "name" in item:
        return item.keys() <= set(_KEYS)
    return _is_wire(item) and get(item, "role") is None


def one_call_refused(items: object) -> object:
    """Give back what should be a list.

    Raises:
        ConversionError: It is one call.
    """
    if is_call(items):
        raise ConversionError(f"one call in place of a list of calls; write [{shown(items, 60)}]", keys=keys_of(items))
    return items


def one_name_refused(items: object) -> object:
    """Give back what should be a list.

    Raises:
        ConversionError: It is one name; any other text is left to those who read it.
    """
    if isinstance(items, str) and _NAME.fullmatch(items):
        raise ConversionError(f"one name in place of a list of calls; write [{shown(items, 60)}]")
    return items


def _is_wire(item: object) -> bool:
    return first(item, "function", "custom") is not None


def read_calls(items: object) -> list[ToolCall]:
    """Read a list of calls.

    A bare name leaves the arguments open, and so do `null` arguments in a dict with `name`; in a wire form (with
    `function`, `custom` or `type`) they mean none.

    Raises:
        ConversionError: Something else than a list, or an item that is no call, with its index and what to write
            instead.
    """
    given = one_call_refused(one_name_refused(items))
    if isinstance(items, (str, bytes, Mapping)) or not isinstance(items, Iterable):
        raise ConversionError(f"a list of calls is needed, got {shown(given)}; write one call as a list, too: [...]")
    return [_read(index, item) for index, item in enumerate(cast("Iterable[object]", items))]


def expected_calls(items: object) -> list[ToolCall]:
    """Read a list of expected calls, in which what is written as data is an operator.

    Raises:
        ConversionError: As `read_calls` does, and for an operator that is wrong.
    """
    return [*map(_with_operators, read_calls(items))]


def _with_operators(call: ToolCall) -> ToolCall:
    """Read the operators among the arguments; a text is what a model wrote, and has none."""
    given = call.given
    if not isinstance(given, dict):
        return call
    try:
        arguments = arguments_with_operators(given)
    except ConversionError as error:
        error.args = (f"{call.name}: {error}",)
        raise
    return call if arguments is given else call.replace(arguments=arguments)


def _read(index: int, item: object) -> ToolCall:
    if isinstance(item, ToolCall):
        return item
    if isinstance(item, str):
        return ToolCall(_name(index, item, item))
    if type(item) is tuple:
        raise _wrong(index, cast("object", item), "a tuple is no call; write call('name', key=value)")
    if _is_wire(item):
        return _wire(index, item)
    if not is_mapping(item):
        raise _wrong(index, item, "neither a name, nor call(...), nor a dict with 'name' and 'arguments'")
    _check_keys(index, item, _KEYS)
    if len(item.keys() & {"arguments", "args", "raw_arguments"}) > 1:
        raise _wrong(index, item, "its arguments are written twice")
    try:
        return _flat(item)
    except (ConversionError, OptionError) as error:
        raise _wrong(index, item, str(error)) from None


def _check_keys(index: int, item: object, known: Collection[str]) -> None:
    for key in item if is_mapping(item) else ():
        if key not in known:
            raise _wrong(
                index, item, f"{key!r} is no key of a call{did_you_mean(key, known)}; there are {choose(known)}"
            )


def _wire(index: int, item: object) -> ToolCall:
    _check_keys(index, item, _WIRE_KEYS)
    _check_keys(index, get(item, "function"), _FUNCTION_KEYS)
    name, arguments = wire_call(item)
    return ToolCall(
        _name(index, item, name),
        arguments,
        id=call_id(item, "id"),
        status=get(item, "status"),
        kind=get(item, "kind") or "function",
    )


def _flat(item: Mapping[str, Any]) -> ToolCall:
    arguments = first(item, "arguments", "args", "raw_arguments")
    return ToolCall(
        item.get("name") or "",
        None if arguments is None and "type" not in item else wire_arguments(arguments),
        id=call_id(item, "id"),
        status=item.get("status"),
        kind=item.get("kind") or "function",
        result=item.get("result"),
        rule=item.get("rule"),
    )


def _name(index: int, item: object, name: object) -> str:
    if isinstance(name, str) and name:
        return name
    raise _wrong(index, item, f"the name of its tool is {name!r}")


def _wrong(index: int, item: object, what: str) -> ConversionError:
    return ConversionError(f"call {index}: {what}; got {shown(item)}", index=index, keys=keys_of(item))

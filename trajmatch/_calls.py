"""Calls as people write them: names, `call(...)`s, and dicts in the words of several wire formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from trajmatch._model import ToolCall
from trajmatch._nearest import did_you_mean
from trajmatch.errors import ConversionError
from trajmatch.reading import first, get, keys_of, wire_arguments

__all__ = ["is_call", "read_calls"]

_KEYS = ("name", "arguments", "args", "id", "kind", "status", "type", "function", "raw_arguments", "result")


def is_call(item: object) -> bool:
    """Say whether an item is a call and no message: a `ToolCall`, or a dict of the words for one."""
    if isinstance(item, ToolCall):
        return True
    if isinstance(item, Mapping):
        keys = cast("Mapping[str, object]", item).keys()
        return bool(keys & {"name", "function"}) and keys <= set(_KEYS)
    return get(item, "function") is not None and get(item, "role") is None


def read_calls(items: Iterable[object]) -> list[ToolCall]:
    """Read a list of calls.

    A bare name leaves the arguments open, and so do `null` arguments in a dict with `name`; in a wire form (with
    `function` or `type`) they mean none.

    Raises:
        ConversionError: An item that is no call, with its index and what to write instead.
    """
    return [_read(index, item) for index, item in enumerate(items)]


def _read(index: int, item: object) -> ToolCall:
    if isinstance(item, ToolCall):
        return item
    if isinstance(item, str):
        return ToolCall(item)
    if isinstance(item, tuple):
        raise _wrong(index, item, "a tuple is no call; write call('name', key=value)")
    function = get(item, "function")
    if function is not None and not isinstance(function, str):
        return _wire(index, function, get(item, "id"))
    if not isinstance(item, Mapping):
        raise _wrong(index, item, "neither a name, nor call(...), nor a dict with 'name' and 'arguments'")
    written = cast("Mapping[str, Any]", item)
    for key in written:
        if key not in _KEYS:
            raise _wrong(index, item, f"{key!r} is no key of a call{did_you_mean(key, _KEYS)}")
    if "type" in written:
        return _wire(index, written, written.get("id"))
    arguments = first(written, "arguments", "args", "raw_arguments")
    return ToolCall(
        _name(index, item, written.get("name")),
        None if arguments is None else wire_arguments(arguments),
        id=written.get("id"),
        status=written.get("status"),
        kind=written.get("kind") or "function",
        result=written.get("result"),
    )


def _wire(index: int, item: object, id: object) -> ToolCall:
    arguments = wire_arguments(first(item, "arguments", "args"))
    return ToolCall(_name(index, item, get(item, "name")), arguments, id=cast("str | None", id))


def _name(index: int, item: object, name: object) -> str:
    if isinstance(name, str) and name:
        return name
    raise _wrong(index, item, f"the name of its tool is {name!r}")


def _wrong(index: int, item: object, what: str) -> ConversionError:
    return ConversionError(f"call {index}: {what}; got {item!r:.80}", index=index, keys=keys_of(item))

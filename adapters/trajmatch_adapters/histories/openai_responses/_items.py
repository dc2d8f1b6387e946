"""The types of item, as tables: what a call is called, where its arguments and its result stand, who executes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from trajmatch.reading import Kind, first, get, keys_of, listed, wire_arguments

__all__ = ["CALLS", "OUTPUTS", "SILENT", "CallRow", "kind_of", "type_of"]

Arguments = Mapping[str, Any] | str | None


class CallRow(NamedTuple):
    """How a call stands in an item.

    Attributes:
        arguments: Gives its arguments.
        kind: Who executes it; where that depends on the item, the kind unless `native` says otherwise.
        result: Gives the result that the item holds itself; `None` where an output follows.
        named: The item names the tool; otherwise its type does.
    """

    arguments: Callable[[object], Arguments]
    kind: Kind = "function"
    result: Callable[[object], object] | None = None
    named: bool = False
    native: Callable[[object], bool] | None = None


def type_of(item: object) -> str:
    """Give the type of an item; a message may have none."""
    kind = get(item, "type")
    return kind if isinstance(kind, str) else ""


def kind_of(item: object) -> Kind:
    """Say who executes a call, or executed what an output answers."""
    row = CALLS[OUTPUTS.get(type_of(item), type_of(item))]
    return "native" if row.native and row.native(item) else row.kind


def _written(key: str) -> Callable[[object], Arguments]:
    """What the model wrote: text, or an object."""
    return lambda item: wire_arguments(get(item, key))


def _objects(*names: str) -> Callable[[object], Arguments]:
    """The object under the first of these names that is there; several actions in a list stay in an object."""

    def arguments(item: object) -> Arguments:
        found = next((name for name in names if get(item, name)), None)
        if found is None:
            return None
        value = get(item, found)
        return {found: [*map(_object, actions)]} if (actions := listed(value)) else _object(value)

    return arguments


def _object(value: object) -> Mapping[str, Any] | str:
    """What OpenAI defines, without what is null: a live object has keys for all that could be there."""
    given = {key: get(value, key) for key in keys_of(value)}
    if not given:
        return wire_arguments(value)
    return {key: held for key, held in given.items() if held is not None and key != "sources"}


def _fields(*names: str) -> Callable[[object], Arguments]:
    """The fields of these names, as an object; without any, the arguments were not captured."""
    return lambda item: {name: get(item, name) for name in names if get(item, name) is not None} or None


def _under(*names: str) -> Callable[[object], object]:
    return lambda item: first(item, *names)


def _sources(item: object) -> object:
    """The pages that a search found, where they were asked for."""
    return get(get(item, "action"), "sources")


def _in_container(item: object) -> bool:
    return type_of(get(item, "environment")).startswith("container")


def _on_server(item: object) -> bool:
    return bool(get(item, "execution") != "client")


CALLS: dict[str, CallRow] = {
    "apply_patch_call": CallRow(_objects("operation")),
    "code_interpreter_call": CallRow(_fields("code"), "native", _under("outputs")),
    "computer_call": CallRow(_objects("actions", "action")),
    "custom_tool_call": CallRow(_written("input"), named=True),
    "file_search_call": CallRow(_fields("queries"), "native", _under("results")),
    "function_call": CallRow(_written("arguments"), named=True),
    "image_generation_call": CallRow(_fields(), "native", _under("result")),
    "local_shell_call": CallRow(_objects("action")),
    "mcp_call": CallRow(_written("arguments"), "native", _under("output"), named=True),
    "program": CallRow(_fields("code"), "native"),
    "shell_call": CallRow(_objects("action"), native=_in_container),
    "tool_search_call": CallRow(_written("arguments"), native=_on_server),
    "web_search_call": CallRow(_objects("action"), "native", _sources),
}

OUTPUTS: dict[str, str] = {
    "apply_patch_call_output": "apply_patch_call",
    "computer_call_output": "computer_call",
    "custom_tool_call_output": "custom_tool_call",
    "function_call_output": "function_call",
    "local_shell_call_output": "local_shell_call",
    "program_output": "program",
    "shell_call_output": "shell_call",
    "tool_search_output": "tool_search_call",
}
"""Which call an output answers."""

SILENT: dict[str, str | None] = {
    "additional_tools": None,
    "compaction": "what came before a compaction is not in this history",
    "compaction_trigger": None,
    "configuration_update": None,
    "context_compaction": "what came before a compaction is not in this history",
    "item_reference": "an item is only referred to by its id, and is not in this history",
    "mcp_approval_request": None,
    "mcp_approval_response": None,
    "mcp_list_tools": None,
}
"""Items that call nothing, and what is to be noted of them."""

"""The messages in what LangGraph gives: states, steps of a stream, commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from trajmatch.reading import (
    first,
    get,
    has,
    is_list,
    is_mapping,
    listed,
    unreadable,
)
from trajmatch_adapters.histories.langchain._forms import View, view_of
from trajmatch_adapters.histories.langchain._thread import Batch

__all__ = ["batches_of", "holds_messages", "is_step", "is_whole"]

_HOLDERS = (
    (("value", "interrupts"), "value"),  # GraphOutput
    (("values", "next"), "values"),  # StateSnapshot
    (("update", "goto"), "update"),  # Command
)
"""What wraps a state or an update: what it is recognised by, and where it holds it."""
_OVERWRITE = "__overwrite__"
_SILENT = ("__interrupt__", "__metadata__")
_MESSAGE_KEYS = frozenset({"role", "content", "kind", "parts", "type"})


def batches_of(index: int, item: object) -> Iterator[Batch]:
    """Give the messages of an item of a history: of a message itself, or of a step.

    Raises:
        ConversionError: It is neither, or holds something that is no message.
    """
    if view := view_of(index, item):
        return iter((Batch((view,)),))
    if _is_nested(item):
        return iter((Batch([_message(index, message) for message in listed(item)]),))
    if is_step(item):
        return _step(index, item, "")
    raise unreadable(index, item, "neither a message of LangChain nor a step of LangGraph")


def is_step(item: object) -> bool:
    """Say whether an item may be a step or a state."""
    return any(fits(item) for fits in _STEPS)


def is_whole(item: object) -> bool:
    """Say whether this is a list of messages or a state, and no step between two."""
    return _is_nested(item) or _holder(item) in ("value", "values") or (not listed(item) and has(item, "messages"))


def holds_messages(step: object) -> bool:
    """Say whether a step holds messages, or the list for them."""
    return next(batches_of(0, step), None) is not None


def _holder(item: object) -> str:
    """The name of the field that holds a state."""
    return next((field for names, field in _HOLDERS if all(has(item, name) for name in names)), "")


def _is_nested(item: object) -> bool:
    """Whether this is a list of messages in the list, as models take them in batches."""
    messages = [] if isinstance(item, tuple) else [*listed(item)]
    return messages != [] and all(view_of(0, message) for message in messages)


def _is_overwrite(value: object) -> bool:
    return get(value, "type") == _OVERWRITE or (is_mapping(value) and _OVERWRITE in value)


def _is_part(item: object) -> bool:
    """Whether this is a part of a stream of version 2, which names its mode."""
    return has(item, "ns") and has(item, "data") and get(item, "type") in _MODES


def _is_update(item: object) -> bool:
    """Whether this may be a state, or a dict of nodes and their updates."""
    if not is_mapping(item) or not item or not _MESSAGE_KEYS.isdisjoint(item):
        return False
    return "messages" in item or all(key in _SILENT or _may_update(value) for key, value in item.items())


def _may_update(value: object) -> bool:
    """Whether a node may have given this: nothing, an update, or several."""
    if is_list(value):
        return value != [] and all(has(update, "messages") or _holder(update) for update in value)
    if is_mapping(value):
        return view_of(0, value) is None and "choices" not in value
    return value is None or bool(_holder(value))


def _split(item: object) -> tuple[str, str, object] | None:
    """The namespace, the mode and the payload of a tuple that a stream gave."""
    parts = [*listed(item)]
    namespaced = bool(parts) and is_list(parts[0]) and all(isinstance(n, str) for n in listed(parts[0]))
    space = "|".join(cast("list[str]", parts.pop(0))) if namespaced else ""
    if len(parts) == 2 and isinstance(parts[0], str) and parts[0] in _MODES:
        return space, parts[0], parts[1]
    if len(parts) == 2 and is_mapping(parts[1]) and view_of(0, parts[0]) and not view_of(0, parts[1]):
        return space, "messages", parts
    if namespaced and len(parts) == 1 and (is_mapping(parts[0]) or _split(parts[0])):
        return space, "messages" if _split(parts[0]) else "updates", parts[0]
    return None


def _step(index: int, item: object, space: str) -> Iterator[Batch]:
    if split := _split(item):
        space, mode, payload = split
        return _MODES[mode](index, payload, space)
    if _is_part(item):
        return _MODES[get(item, "type")](index, get(item, "data"), "|".join(get(item, "ns") or ()))
    return _state(index, item, space)


def _streamed(index: int, pair: object, space: str) -> Iterator[Batch]:
    """A message and what is known of it; the task that it comes from keeps parallel responses apart."""
    message, known = _two(pair) or (pair, None)
    view = _message(index, message)
    lane = f"{space}/{get(known, 'langgraph_checkpoint_ns', '')}"
    yield Batch((view,), space, lane, update=not view.chunk)


def _state(index: int, value: object, space: str) -> Iterator[Batch]:
    """A state, an update, updates by node, or what wraps one of these."""
    if field := _holder(value):
        yield from _state(index, get(value, field), space)
    elif _is_overwrite(value):
        yield _channel(index, value, space)
    elif has(value, "messages") and not callable(get(value, "messages")):
        yield _channel(index, get(value, "messages"), space)
    elif is_mapping(value):
        for update in value.values():
            if not is_mapping(update) or "messages" in update or _holder(update):
                yield from _state(index, update, space)
    elif is_list(value):
        yield from _several(index, value, space)


def _several(index: int, values: Sequence[object], space: str) -> Iterator[Batch]:
    """Channels and their values, or updates."""
    for value in values:
        pair = _two(value)
        yield from _state(index, dict([pair]) if pair and isinstance(pair[0], str) else value, space)


def _two(value: object) -> tuple[object, object] | None:
    items = [*listed(value)]
    return (items[0], items[1]) if len(items) == 2 else None


def _channel(index: int, value: object, space: str) -> Batch:
    """The messages that are written to a state."""
    anew = _is_overwrite(value)
    if anew:
        value = first(value, _OVERWRITE, "value")
    several = is_list(value) and (not isinstance(value, tuple) or view_of(index, value) is None)
    messages: list[object] = [] if value is None else [*listed(value)] if several else [value]
    return Batch([_message(index, message) for message in messages], space, update=True, anew=anew)


def _message(index: int, message: object) -> View:
    """The view of what stands for a message inside a step; LangChain reads text there as a human's."""
    view = view_of(index, ("human", message) if isinstance(message, str) else message)
    if view is None:
        raise unreadable(index, message, "no message of LangChain")
    return view


_STEPS = (_is_nested, _holder, _is_overwrite, _is_part, _split, _is_update)


def _nothing(index: int, payload: object, space: str) -> Iterator[Batch]:
    return iter(())


_MODES: Mapping[str, Callable[[int, object, str], Iterator[Batch]]] = {
    **dict.fromkeys(("updates", "values"), _state),
    **dict.fromkeys(("checkpoints", "custom", "debug", "tasks"), _nothing),
    "messages": _streamed,
}
"""The modes of a stream; what the others hold stands in these, too, or is no message."""

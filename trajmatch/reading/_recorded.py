"""The values that recorders keep of a step: messages, arguments and times, in whatever form they were handed over."""

from __future__ import annotations

import json
from ast import literal_eval
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from trajmatch._access import call_id, first, get, is_mapping, listed, looks_like_call, wire_arguments, wire_call
from trajmatch.reading._events import Answered

__all__ = ["called_in", "moment", "parsed", "recorded_arguments", "recorded_messages", "recorded_result"]

_DEEPEST = 12
"""How deep messages are wrapped, at most."""
_HOLDERS = (
    "messages",
    "choices",
    "generations",
    "contents",
    "message",
    "content",
    "output",
    "outputs",
    "input",
    "inputs",
    "prompt",
    "prompts",
    "response",
    "text",
    "value",
)
"""Keys under which recorders write messages, the likeliest first."""
_CALLS = ("tool_calls", "toolCalls")
_SPOKEN = ("content", "parts", "tool_calls", "function_call", "toolCalls")
_SYSTEM = ("system", "instructions", "system_instruction")
_INNER = ("kwargs", "data")
"""Under what the forms of LangChain's messages hold their fields."""
_WRAPPED = frozenset({"kwargs", "output"})
"""What a recorder writes beside a result."""
_IDS = ("toolCallId", "tool_call_id", "call_id", "id")


def parsed(value: object) -> object:
    """Give what JSON text stands for, also where it is encoded more than once; any other text is given back."""
    for _ in range(3):
        if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "[", '"'):
            break
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            break
    return value


def recorded_messages(value: object, *, calls: bool = False) -> list[object] | str | None:
    """Give the messages in what a model or an agent took in or gave out; text, where it is that; or `None`.

    They are left in the format that they have, for `to_trajectory`.

    Args:
        value: Messages, what wraps them, or the JSON text of either.
        calls: Calls without a message become one of an assistant: a model gave them.
    """
    return _found(parsed(value), _DEEPEST, calls)


def _found(value: object, depth: int, calls: bool) -> list[object] | str | None:
    if isinstance(value, str) or value is None or not depth:
        return value if isinstance(value, str) else None
    if items := listed(value):
        return _in_list(items, depth, calls)
    if _is_message(value):
        return [value]
    made = next(filter(None, (listed(parsed(get(value, key))) for key in _CALLS)), ()) if calls else ()
    if made:
        text = first(value, "text", "content")
        return [{"role": "assistant", "content": text if isinstance(text, str) else None, **_made(made)}]
    return _in_holder(value, depth, calls)


def _in_list(items: Sequence[object], depth: int, calls: bool) -> list[object] | str | None:
    texts = [item for item in items if isinstance(item, str)]
    if len(texts) == len(items):
        return "\n".join(texts)
    if len(items) == 1 and not all(isinstance(item, str) for item in listed(items[0])):
        return _found(items[0], depth - 1, calls)
    if calls and all(map(_is_bare_call, items)):
        return [{"role": "assistant", "content": None, **_made(items)}]
    within = [get(item, "message") if not _is_message(item) else None for item in items]
    return [item if inner is None else inner for item, inner in zip(items, within, strict=True)]


def _in_holder(value: object, depth: int, calls: bool) -> list[object] | str | None:
    for key in _HOLDERS:
        held = parsed(get(value, key))
        if held is None or callable(held):
            continue
        found = _found(held, depth - 1, calls)
        if isinstance(found, list):
            system = first(value, *_SYSTEM) or first(get(value, "config"), *_SYSTEM)
            return [_system(key, system), *found] if isinstance(system, str) else found
        if found and key != "content":
            return found
    return None


def _system(key: str, text: str) -> dict[str, object]:
    """A system message in the form of the messages under a key; Gemini's have parts."""
    return {"role": "system", "parts": [{"text": text}]} if key == "contents" else {"role": "system", "content": text}


def _is_message(item: object) -> bool:
    """Whether this is a message of some format: it has a role, or is one of LangChain, or an item of a response."""
    if isinstance(get(item, "role"), str) and first(item, *_SPOKEN) is not None:
        return True
    kind = get(item, "type")
    held = "content" if isinstance(get(item, "content"), (str, list)) else "data"
    return (
        get(item, "lc") is not None
        or (isinstance(kind, str) and (get(item, held) is not None or get(item, "call_id") is not None))
        or get(item, "kind") in ("request", "response")
    )


def _is_bare_call(item: object) -> bool:
    return looks_like_call(item) and not isinstance(get(item, "role"), str) and get(item, "call_id") is None


def _made(calls: Sequence[object]) -> dict[str, object]:
    return {"tool_calls": [_wire(call) for call in calls]}


def _wire(call: object) -> dict[str, object]:
    name, arguments = wire_call(call)
    name = first(call, "toolName", "tool_name") if name is None else name
    return {"id": call_id(call, *_IDS), "function": {"name": name, "arguments": arguments}}


def called_in(value: object) -> Iterator[tuple[str, str | None]]:
    """Give name and id of whatever looks like a call, anywhere in a value that no format reads."""
    waiting: list[object] = [parsed(value)]
    seen: dict[int, object] = {}  # the values, too, so that no other takes the id of one
    while waiting:
        item = waiting.pop()
        if id(item) in seen:
            continue
        seen[id(item)] = item
        if looks_like_call(item):
            name = wire_call(item)[0] or first(item, "toolName", "tool_name")
            if isinstance(name, str):
                yield name, call_id(item, *_IDS)
        waiting += [parsed(inner) for inner in (item.values() if is_mapping(item) else listed(item))]


def recorded_arguments(value: object) -> Mapping[str, Any] | str | None:
    """Give the arguments that a tool was executed with: an object, its text, or `None` where they were not captured.

    Text that writes a Python dict, and text under the one key `input`, are what LangChain keeps of them; OpenLLMetry
    keeps them beside that text.
    """
    value = parsed(value)
    if is_mapping(value) and isinstance(value.get("input_str"), str) and is_mapping(inputs := value.get("inputs")):
        return inputs
    if is_mapping(value) and [*value] == ["input"] and isinstance(text := value["input"], str):
        inner = _object_in(text)
        return value if inner is None else inner
    if isinstance(value, str) and (inner := _object_in(value)) is not None:
        return inner
    return None if value is None else wire_arguments(value)


def _object_in(text: str) -> Mapping[str, Any] | None:
    for read in (json.loads, literal_eval):
        if text.lstrip()[:1] == "{" and len(text) < 1_000_000:
            try:
                value = read(text)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            return cast("Mapping[str, Any]", value) if isinstance(value, dict) else None
    return None


def moment(value: object) -> int | None:
    """Give a time as a whole number by which it can be sorted: of a number, a `datetime`, or the text of either."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        return next(read(value) for kind, read in _TIMES if isinstance(value, kind))
    except (StopIteration, ValueError, OverflowError):
        return None


def _of_datetime(value: datetime) -> int:
    aware = value if value.tzinfo else value.replace(tzinfo=UTC)
    return (aware - datetime(1970, 1, 1, tzinfo=UTC)) // datetime.resolution * 1_000


def _of_text(value: str) -> int:
    return int(value) if value.isdecimal() else _of_datetime(datetime.fromisoformat(value))


_TIMES: tuple[tuple[type, Callable[[Any], int]], ...] = (
    (int, int),
    (float, lambda value: int(value * 1_000_000_000)),
    (datetime, _of_datetime),
    (str, _of_text),
)


def recorded_result(value: object, id: str | None = None, *, failed: bool = False) -> Answered:
    """Give the result of a tool, which may be a message that says more: the id of its call, and whether it failed."""
    result = parsed(value)
    while is_mapping(result) and "output" in result and result.keys() <= _WRAPPED:
        result = parsed(result["output"])
    message = next((inner for key in _INNER if is_mapping(inner := get(result, key))), result)
    told = call_id(message, "tool_call_id")
    if told is None:
        return Answered(result, id, None, "failed" if failed else "succeeded")
    failed = failed or get(message, "status") == "error"
    return Answered(get(message, "content"), id or told, None, "failed" if failed else "succeeded")

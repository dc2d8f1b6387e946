"""Values and messages in the attributes of a span, which may be dotted names, one for each leaf, or nested."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from trajmatch.reading import call_id, first, get, is_mapping, listed, parsed
from trajmatch_adapters.histories.otel._forms import Span

__all__ = ["lookup", "message_events", "messages_at"]

_MESSAGE_EVENT = "gen_ai."
_CHOICE = "gen_ai.choice"
_EVENT_LISTS = ("events", "all_messages_events")


def lookup(attributes: Mapping[str, Any], *names: str) -> Any:
    """Give the first of several attributes that is there, under its dotted name or nested."""
    for name in names:
        value = attributes.get(name)
        if value is None and "." in name:
            value = _nested(attributes, name.split("."))
        if value is not None:
            return value
    return None


def _nested(attributes: object, path: Iterable[str]) -> Any:
    for segment in path:
        attributes = get(attributes, segment) if is_mapping(attributes) else None
    return attributes


def messages_at(attributes: Mapping[str, Any], name: str) -> list[object] | None:
    """Give the messages under a name: a list, its JSON text, or one attribute for each leaf."""
    value = parsed(lookup(attributes, name))
    if value is None:
        value = _gathered(attributes, f"{name}.")
    items = listed(value)
    return [_plain(item) for item in items] or None


def _gathered(attributes: Mapping[str, Any], prefix: str) -> object:
    """What the attributes with a prefix stand for."""
    tree = _Branch()
    for name, value in attributes.items():
        if name.startswith(prefix):
            tree.put(name.removeprefix(prefix).split("."), value)
    return tree.value()


class _Branch:
    """What dotted names have in common, and what follows it."""

    def __init__(self) -> None:
        self.branches: dict[str, _Branch] = {}
        self.leaves: dict[str, object] = {}

    def put(self, path: Sequence[str], value: object) -> None:
        """Put a value under a path."""
        at = self
        for segment in path[:-1]:
            at = at.branches.setdefault(segment, _Branch())
        at.leaves[path[-1]] = value

    def value(self) -> object:
        """Give a list where all names are numbers, or else an object; a leaf gives way to what follows its name."""
        held = self.leaves | {name: branch.value() for name, branch in self.branches.items()}
        if held and all(name.isdecimal() for name in held):
            return [held[name] for name in sorted(held, key=int)]
        return held


def _plain(item: object) -> object:
    """A message of OpenInference, or of one attribute for each leaf, as a message of Chat Completions."""
    message = get(item, "message") if is_mapping(get(item, "message")) else item
    if first(message, "parts", "role") is None or get(message, "parts") is not None:
        return message
    calls = [_call(get(call, "tool_call", call)) for call in listed(get(message, "tool_calls"))]
    content = [_block(block) for block in listed(first(message, "contents", "content"))] or get(message, "content")
    plain = {"role": get(message, "role"), "content": content}
    legacy = {"function_call": _legacy(message)} if get(message, "function_call_name") else {}
    id = call_id(message, "tool_call_id")
    return plain | ({"tool_calls": calls} if calls else {}) | ({"tool_call_id": id} if id else {}) | legacy


def _legacy(message: object) -> dict[str, object]:
    return {"name": get(message, "function_call_name"), "arguments": get(message, "function_call_arguments_json")}


def _call(call: object) -> dict[str, object]:
    function = get(call, "function", call)
    arguments = get(function, "arguments")
    return {"id": call_id(call, "id"), "function": {"name": get(function, "name"), "arguments": arguments}}


def _block(block: object) -> object:
    inner = get(block, "message_content", block)
    return {"type": "text", "text": inner} if isinstance(inner, str) else inner


def message_events(span: Span) -> tuple[list[object], list[object]]:
    """Give what the older events of a span say: the messages before the response, and the response."""
    before: list[object] = []
    after: list[object] = []
    for name, event in _told(span):
        if name == _CHOICE:
            message = parsed(first(event, "message", "content"))
            after.append(_said(message if is_mapping(message) else {"content": message}, "assistant"))
        elif name.startswith(_MESSAGE_EVENT) and name.endswith(".message"):
            before.append(_said(event, name.removeprefix(_MESSAGE_EVENT).removesuffix(".message")))
    return before, after


def _told(span: Span) -> Iterator[tuple[str, object]]:
    yield from span.events
    for name in _EVENT_LISTS:
        for event in listed(parsed(span.attributes.get(name))):
            yield str(get(event, "event.name")), event


def _said(event: object, role: str) -> object:
    content, calls = parsed(get(event, "content")), listed(parsed(get(event, "tool_calls")))
    said = {"role": str(get(event, "role") or role), "content": content}
    if calls:
        said["tool_calls"] = [*map(_call, calls)]
    if (id := call_id(event, "id", "tool_call_id")) and role == "tool":
        said["tool_call_id"] = id
    return said

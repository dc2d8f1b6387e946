"""Bedrock Converse messages, and those of Strands Agents, which are kept in the same form.

What this format does differently:
- a block of content has no type: its one key says what it is (`text`, `toolUse`, `toolResult`, `image`, ...);
- the results of one batch stand in one user's message; what it holds beside them is a turn of the user where it is
  text, and belongs to the results otherwise;
- arguments are objects; the `status` of a result, `success` or `error`, says whether the tool failed;
- what the provider executed has `"type": "server_tool_use"`, and its result stands in the assistant's own message;
- Strands asks for structured output through a tool, and only the text of its result tells: all calls of such a tool
  are `output`;
- Strands writes a fixed text where it sent a call back (`retried`: an unknown tool, wrong arguments), where a hook
  refused one (`denied`), and where the run ended before it (`interrupted`); a hook's own text is a failure;
- the sessions of Strands keep each message under `message`, and under `redact_message` what takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trajmatch.reading import (
    Answered,
    Called,
    Event,
    Kind,
    Noted,
    Recognised,
    Said,
    Status,
    call_id,
    first,
    get,
    is_list,
    is_mapping,
    keys_of,
    listed,
    looks_like_call,
    messages_in,
    tool_name,
    unreadable,
    wire_arguments,
    with_outputs,
)

__all__ = ["classify", "read"]

_ROLES = ("assistant", "system", "user")
_CALL, _RESULT = "toolUse", "toolResult"
_SILENT = frozenset(
    {"audio", "cachePoint", "citationsContent", "document", "guardContent", "image", "reasoningContent"}
    | {"searchResult", "text", "video"}
)
"""Blocks that are content and nothing else."""
_BLOCKS = _SILENT | {_CALL, _RESULT}


class _Text(NamedTuple):
    """A result that Strands wrote in place of a value.

    Attributes:
        given: The status that the result has.
        pattern: How its text begins; a group is the name of the tool that was called.
        status: What became of the call.
        kind: Whether the tool returns structured output.
    """

    given: Status
    pattern: re.Pattern[str]
    status: Status
    kind: Kind = "function"


_TEXTS = (
    _Text("failed", re.compile(r"tool cancelled by user\Z|Tool cancelled by hook\Z"), "denied"),
    _Text("failed", re.compile(r"Tool execution cancelled\Z|Tool was interrupted\.\Z"), "interrupted"),
    _Text("failed", re.compile(r"Unknown tool: (.+)\Z"), "retried"),
    _Text("failed", re.compile(r"Error: Validation failed for input parameters: "), "retried"),
    _Text("failed", re.compile(r"Validation failed for (.+?)\. Please fix the following errors:"), "retried", "output"),
    _Text("succeeded", re.compile(r"Successfully validated (.+) structured output\Z"), "succeeded", "output"),
)
_REDACTED = "calls of messages that were redacted are left out"
_ASKED_FOR_OUTPUT = "You must format the previous response as structured output."


def classify(message: object) -> Recognised:
    """Say whether a message is one of Converse: each block of its content has a key that says what it is."""
    message = _held(message)
    blocks = listed(get(message, "content"))
    if get(message, "role") not in _ROLES or get(message, "tool_calls") or not all(map(_is_block, blocks)):
        return "no"
    if blocks:
        return "certain"
    return "could_be" if is_list(get(message, "content")) else "no"


def _is_block(block: object) -> bool:
    return is_mapping(block) and "type" not in block and not _BLOCKS.isdisjoint(block)


def _held(item: object) -> object:
    """The message that an item of a session of Strands holds, or the item itself."""
    return item if get(item, "message_id") is None else first(item, "redact_message", "message")


def read(history: object) -> Iterator[Event]:
    """Give the events of a history of Converse or of Strands."""
    items = messages_in(history)
    events = [event for index, item in enumerate(items) for event in _events(index, _held(item))]
    calls = {event.id: event for event in events if isinstance(event, Called)}
    judged = [_judged(event, calls.get(event.id)) if isinstance(event, Answered) else event for event in events]
    outputs = {calls[event.id].name for event in judged if isinstance(event, Answered) and event.kind == "output"}
    yield from with_outputs(judged, outputs)
    if redacted := [event for index, item in enumerate(items) for event in _redacted(index, item)]:
        yield Noted(_REDACTED, redacted)


def _redacted(index: int, item: object) -> Iterator[Called]:
    """The calls of a message that another takes the place of, and that are not in that."""
    if get(item, "message_id") is not None and get(item, "redact_message") is not None:
        held = listed(get(_held(item), "content"))
        for block in listed(get(get(item, "message"), "content")):
            if block not in held:
                yield from (event for event in _tools(index, block) if isinstance(event, Called))


def _events(index: int, message: object) -> Iterator[Event]:
    role, content = get(message, "role"), get(message, "content")
    if role not in _ROLES or not is_list(content):
        raise unreadable(index, message, "a message without a role and a list of blocks")
    return (_user if role == "user" else _spoken)(index, role, listed(content))


def _spoken(index: int, role: str, blocks: Sequence[object]) -> Iterator[Event]:
    """What a message says, its calls, and the results that the provider put beside them."""
    yield Said(role, blocks)
    for block in blocks:
        yield from _tools(index, block)


def _user(index: int, role: str, blocks: Sequence[object]) -> Iterator[Event]:
    """The results in a user's message, then what it says beside them."""
    rest = [block for block in blocks if first(block, _CALL, _RESULT) is None]
    texts = [text for block in rest if isinstance(text := get(block, "text"), str) and text.strip()]
    alone = len(rest) == len(blocks)
    if alone:
        yield Said(role, blocks, feedback=texts == [_ASKED_FOR_OUTPUT])
    for block in blocks:
        yield from _tools(index, block)
    if rest and not alone:
        yield Said(role, rest, feedback=not texts)


def _tools(index: int, block: object) -> Iterator[Called | Answered | Noted]:
    """The call or the result that a block is, or a note where it is not known."""
    if (call := get(block, _CALL)) is not None:
        kind: Kind = "native" if get(call, "type") == "server_tool_use" else "function"
        name = tool_name(index, call, get(call, "name"))
        yield Called(name, wire_arguments(get(call, "input")), call_id(call, "toolUseId"), kind)
    elif (result := get(block, _RESULT)) is not None:
        status: Status = "failed" if get(result, "status") == "error" else "succeeded"
        yield Answered(get(result, "content"), call_id(result, "toolUseId"), status=status)
    elif _SILENT.isdisjoint(keys_of(block)):
        if any(map(looks_like_call, [block, *(get(block, key) for key in keys_of(block))])):
            raise unreadable(index, block, "a part of an unknown kind with a name and arguments")
        yield Noted(f"a part with the unknown keys {sorted(keys_of(block))} is passed over")


def _judged(answered: Answered, call: Called | None) -> Answered:
    """A result as its call and its text say, where Strands wrote that."""
    if call and call.kind == "native":
        return answered._replace(kind="native")
    texts = [get(part, "text") for part in listed(answered.result)]
    text, name = (texts[0] if len(texts) == 1 and isinstance(texts[0], str) else ""), call and call.name
    for row in _TEXTS:
        told = row.pattern.match(text) if row.given == answered.status else None
        if told and {*told.groups()} <= {name}:
            return answered._replace(status=row.status, kind=row.kind)
    return answered

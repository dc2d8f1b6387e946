"""The calls of one message, wherever it holds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from trajmatch import ToolCall
from trajmatch.reading import (
    Answered,
    Called,
    Event,
    Noted,
    get,
    is_mapping,
    listed,
    read_blocks,
    read_call,
    unreadable,
    wire_call,
)
from trajmatch_adapters.histories.langchain._forms import Fields

__all__ = ["blocks_of", "calls_of"]

_BARE: dict[str, tuple[str, dict[str, str]]] = {
    "functionCall": ("function_call", {}),
    "functionResponse": ("tool_result", {}),
    "function_call": ("function_call", {}),
    "function_response": ("tool_result", {}),
    "toolResult": ("tool_result", {"toolUseId": "tool_use_id"}),
    "toolUse": ("tool_use", {"toolUseId": "id"}),
}
"""Blocks without a type, by the one key that they have: their type, and the names of their keys elsewhere."""
_EDITED = "calls as the provider wrote them, which are no longer among those of their message, are left out"
_CHUNKS = {"server_tool_call_chunk": "server_tool_call", "tool_call_chunk": "tool_call"}


def calls_of(index: int, fields: Fields) -> Iterator[Event]:
    """Give the calls that a message holds, each once, and the results of native ones.

    Raises:
        ConversionError: A call without a name, or a block of an unknown type with a name and arguments.
    """
    chunks, parsed, invalid = map(fields.get, ("tool_call_chunks", "tool_calls", "invalid_tool_calls"))
    for value in (chunks, parsed, invalid):
        if value and not listed(value):
            raise unreadable(index, fields, "calls that are no list")
    own = [*listed(chunks)] or [*listed(parsed), *listed(invalid)]
    calls = [read_call(index, call) for call in own]
    extra, content = fields.get("additional_kwargs"), fields.get("content")
    if not extra and isinstance(content, str) and (calls or not fields.get("function_call")):
        return iter(calls)
    return _once(_sources(index, fields, extra, calls))


def _sources(index: int, fields: Fields, extra: object, calls: list[Called]) -> Iterator[Iterable[Event]]:
    """The places where a message may hold calls, the first first."""
    yield calls
    yield read_blocks(index, blocks_of(fields.get("content")))
    yield read_blocks(index, [*listed(get(extra, "tool_outputs"))])
    yield [read_call(index, call) for call in listed(get(extra, "invalid_tool_calls"))]
    legacy = get(extra, "function_call") or fields.get("function_call")
    given = [*listed(get(extra, "tool_calls")), *([legacy] if legacy else ())]
    if not calls:  # LangChain, too, looks at what the provider wrote only where it has parsed nothing
        yield [read_call(index, call) for call in given]
        return
    own = [read_call(index, call) for call in given if wire_call(call)[0]]
    if edited := [call for call in own if not any(_is_parsed(call, one) for one in calls)]:
        yield [Noted(_EDITED, edited)]


def _is_parsed(own: Called, call: Called) -> bool:
    """Whether a call is what LangChain made of one that the provider wrote."""
    return _is_same(own, call) and not _is_edited(own, call)


def _is_edited(own: Called, call: Called) -> bool:
    """Whether a call is another than the provider wrote; what the provider did not finish says nothing."""
    written, given = ToolCall(own.name, own.arguments).arguments, ToolCall(call.name, call.arguments).arguments
    return own.name != call.name or bool(
        written and given is not None and ToolCall(own.name, written) != ToolCall(own.name, given)
    )


def _once(sources: Iterable[Iterable[Event]]) -> Iterator[Event]:
    """Leave out what an earlier source holds: the k-th such call stands for the k-th there."""
    held, gone = list[Called](), set[str | None]()
    for source in sources:
        free, new = [*held], list[Called]()
        for event in source:
            if isinstance(event, Called):
                twin = next((i for i, call in enumerate(free) if _is_same(call, event)), None)
                if twin is not None:
                    kept = free.pop(twin)
                    gone.add(kept.id)
                    if _is_edited(event, kept):
                        yield Noted(_EDITED, [event])
                    continue
                new.append(event)
            elif isinstance(event, Answered) and event.kind == "native" and event.id in gone:
                continue
            yield event
        held += new


def _is_same(one: Called, other: Called) -> bool:
    named = one.id == other.id if one.id and other.id else one.name == other.name
    return named and (one.kind == "native") == (other.kind == "native")


def blocks_of(content: object) -> list[object]:
    """Give the parts of a content as typed blocks, in the words of `read_blocks`."""
    if is_mapping(content):
        return [] if _BARE.keys().isdisjoint(content) and "type" not in content else [_block(content)]
    return [_block(part) for part in listed(content)]


def _block(part: object) -> object:
    if not is_mapping(part):
        return part
    kind = part.get("type")
    if kind == "non_standard":
        return _block(part.get("value"))
    if kind is None:
        return _typed(part)
    if isinstance(kind, str) and kind in _CHUNKS:
        return {**part, "type": _CHUNKS[kind]}
    written = part.get("partial_json")  # what came in of a streamed block; its input stays empty
    return {**part, "input": written} if written else part


def _typed(block: Mapping[str, object]) -> Mapping[str, object]:
    for name, (kind, words) in _BARE.items():
        if is_mapping(fields := block.get(name)):
            return {words.get(key, key): value for key, value in fields.items()} | {"type": kind}
    return block

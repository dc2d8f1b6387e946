"""The content blocks that call a tool or hold a result, in the words of all formats that have blocks.

A message of any framework may carry blocks of any provider, so there is one table of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from trajmatch._access import (
    call_id,
    first,
    get,
    is_mapping,
    listed,
    looks_like_call,
    tool_name,
    unreadable,
    wire_arguments,
)
from trajmatch._model import Kind, Status
from trajmatch.reading._events import Answered, Called, Noted, Said

__all__ = ["is_call_block", "is_result_block", "read_blocks", "read_user"]

_CALLS: dict[str, Kind] = {
    "custom_tool_call": "function",
    "function_call": "function",
    "invalid_tool_call": "function",
    "mcp_call": "native",
    "mcp_tool_use": "native",
    "server_tool_call": "native",
    "server_tool_use": "native",
    "tool_call": "function",
    "tool_use": "function",
}
"""Blocks with a name and arguments."""

_SERVER_ITEMS = frozenset(
    f"{name}_call"
    for name in (
        "code_interpreter",
        "computer",
        "file_search",
        "image_generation",
        "local_shell",
        "shell",
        "web_search",
    )
)
"""What OpenAI's servers did: call and result in one block, named by its type."""

_RESULTS: dict[str, Kind] = {
    "custom_tool_call_output": "function",
    "function_call_output": "function",
    "server_tool_result": "native",
    "tool_call_response": "function",
    "tool_result": "function",
}
"""Blocks that answer a call; so do all others that end in `_tool_result`, which are Anthropic's servers'."""


_NO_CALLS = frozenset({"mcp_approval_request"})
"""Blocks that have a name and arguments, and call nothing."""

_SILENT = _NO_CALLS | {
    "",
    "audio",
    "compaction",
    "container_upload",
    "document",
    "fallback",
    "file",
    "image",
    "image_url",
    "input_audio",
    "input_file",
    "input_image",
    "input_text",
    "mcp_tool_listing",
    "media",
    "output_text",
    "reasoning",
    "reasoning_content",
    "redacted_thinking",
    "refusal",
    "search_result",
    "summary_text",
    "text",
    "text-plain",
    "thinking",
    "tool_addition",
    "tool_removal",
    "video",
    "video_url",
}
"""Blocks that are content and nothing else."""

_ARGUMENTS = ("arguments", "args", "input")


def _type(block: object) -> str:
    kind = get(block, "type")
    return kind if isinstance(kind, str) else ""


def is_call_block(block: object) -> bool:
    """Say whether the block calls a tool."""
    return _type(block) in _CALLS or _type(block) in _SERVER_ITEMS


def is_result_block(block: object) -> bool:
    """Say whether the block holds the result of a call."""
    return _type(block) in _RESULTS or _type(block).endswith("_tool_result")


def read_blocks(index: int, content: object, seen: Collection[str] = ()) -> Iterator[Called | Answered | Noted]:
    """Give the calls and results in the content of message `index`.

    Calls whose id is in `seen` are left out, since the message holds them elsewhere, too. Text, images, reasoning and
    other blocks that call nothing are passed over.

    Raises:
        ConversionError: A block of a type that is not known, with a name and arguments; a call without a name.
    """
    for block in listed(content):
        kind = _type(block)
        if kind in _CALLS:
            if (given := _call(index, block, kind)).id not in seen or not given.id:
                yield given
                yield from _own_answer(block, given)
        elif kind in _SERVER_ITEMS:
            given = Called(kind.removesuffix("_call"), get(block, "action"), call_id(block, "id", "call_id"), "native")
            yield given
            yield from _own_answer(block, given)
        elif is_result_block(block):
            yield _answer(block, _RESULTS.get(kind, "native"))
        elif kind not in _NO_CALLS and (looks_like_call(block) or (not kind and _wraps_call(block))):
            raise unreadable(index, block, f"a part of the unknown type {kind!r} with a name and arguments")
        elif kind not in _SILENT and not isinstance(block, str):
            yield Noted(f"a part of the unknown type {kind!r} is passed over")


def read_user(index: int, content: object, *, feedback: bool = False) -> Iterator[Said | Called | Answered | Noted]:
    """Give what a user message says, and the calls and results in its blocks, of which results come first.

    What stands beside results is a turn of the user where it holds text; otherwise, an image say, a tool gave it.
    """
    if isinstance(content, str) or not any(map(is_result_block, listed(content))):
        yield Said("user", content, feedback=feedback)
        yield from read_blocks(index, content)
        return
    yield from read_blocks(index, content)
    rest = [block for block in listed(content) if not is_result_block(block) and not is_call_block(block)]
    if rest:
        yield Said("user", rest, feedback=feedback or not any(map(_is_text, rest)))


def _is_text(block: object) -> bool:
    text = get(block, "text") if _type(block) == "text" else block
    return isinstance(text, str) and bool(text.strip())


def _wraps_call(block: object) -> bool:
    """Whether a block without a type holds a call under some key, as those of Bedrock and of Gemini do."""
    return is_mapping(block) and any(map(looks_like_call, block.values()))


def _call(index: int, block: object, kind: str) -> Called:
    extras = get(block, "extras")
    name = first(extras, "tool_name") if get(block, "name") == "remote_mcp" else get(block, "name")
    arguments = wire_arguments(first(block, *_ARGUMENTS))
    return Called(tool_name(index, block, name), arguments, call_id(block, "call_id", "id"), _CALLS[kind])


def _own_answer(block: object, call: Called) -> Iterator[Answered]:
    """The result that the block of a native call holds itself."""
    output, failed = first(block, "output", "result", "outputs"), get(block, "error") is not None
    if call.kind == "native" and (failed or output is not None or get(block, "status") in ("completed", "failed")):
        status: Status = "failed" if failed or get(block, "status") == "failed" else "succeeded"
        yield Answered(output, call.id, call.name, status, "native")


def _answer(block: object, kind: Kind) -> Answered:
    result = first(block, "content", "output", "response", "result")
    failed = (
        get(block, "is_error") is True
        or get(block, "status") == "error"
        or get(block, "error") is not None
        or (kind == "native" and _type(result).endswith("_error"))
    )
    id = call_id(block, "tool_use_id", "tool_call_id", "call_id", "id")
    return Answered(result, id, get(block, "name"), "failed" if failed else "succeeded", kind)

"""The parts of a content: what calls, what answers, and what is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import cast

from trajmatch.reading import (
    Answered,
    Called,
    Noted,
    Status,
    call_id,
    first,
    get,
    is_mapping,
    keys_of,
    listed,
    looks_like_call,
    tool_name,
    unreadable,
    wire_arguments,
)
from trajmatch_adapters.histories.gemini._fields import camel, field

__all__ = ["OUTPUT", "asks", "content_of", "is_answer", "is_part", "parts_of", "read_parts"]

OUTPUT = "set_model_response"
"""The tool through which ADK returns structured output beside other tools."""

_ASKED = "adk_request_"
"""How the calls begin by which ADK itself asks its user for an approval, a login or an input."""
_CODE = "code_execution"
_DENIED, _PENDING = "This tool call is rejected", "This tool call requires confirmation"
_NO_ERROR = (None, False, "")

_ANSWERS = ("function_response", "code_execution_result", "tool_response")
_SAID = frozenset({"text", "inline_data", "file_data"})
_BESIDE = frozenset(
    {
        *("thought", "thought_signature", "part_metadata", "media_resolution", "media_processing"),
        *("audio_metadata", "audio_transcription", "document_metadata", "speech_metadata"),
        *("spreadsheet_metadata", "video_metadata"),
    }
)
"""What stands in a part beside what it holds."""


def parts_of(content: object) -> Sequence[object] | None:
    """Give the parts of a content, of which the wire may hold one without a list; `None` where it has none."""
    parts = get(content, "parts")
    if is_mapping(parts):
        return [parts]
    return cast("Sequence[object]", parts) if isinstance(parts, (list, tuple)) else None


def is_part(part: object) -> bool:
    """Say whether a part is one that is known here."""
    return isinstance(part, str) or any(field(part, name) is not None for name in _KNOWN)


def content_of(parts: Sequence[object]) -> object:
    """Give what the parts say, without thoughts, calls and results: text where there is nothing else."""
    said = [_said(part) for part in parts if _says(part)]
    if all(isinstance(part, str) for part in said):
        return "".join(map(str, said)) if said else None
    return [{"type": "text", "text": part} if isinstance(part, str) else part for part in said]


def _says(part: object) -> bool:
    return isinstance(part, str) or (not get(part, "thought") and any(field(part, name) is not None for name in _SAID))


def _said(part: object) -> object:
    text = part if isinstance(part, str) else get(part, "text")
    return text if isinstance(text, str) else part


def is_answer(part: object) -> bool:
    """Say whether a part holds a result."""
    return any(field(part, name) is not None for name in _ANSWERS)


def asks(part: object) -> bool:
    """Say whether a part is ADK's own request to its user, or the answer to one."""
    given = first(part, "function_call", "functionCall", "function_response", "functionResponse")
    name = get(given, "name")
    return isinstance(name, str) and name.startswith(_ASKED)


def read_parts(index: int, parts: Sequence[object], *, event: bool = False) -> Iterator[Called | Answered | Noted]:
    """Give the calls and results of parts; of those of an ADK event, one tool returns structured output.

    Raises:
        ConversionError: A call without a name, or a part of an unknown kind with a name and arguments.
    """
    for part in parts:
        for name, read in _READERS.items():
            if (found := field(part, name)) is not None:
                yield _as_output(read(index, found)) if event else read(index, found)
        yield from _unknown(index, part)


def _as_output(given: Called | Answered) -> Called | Answered:
    return given._replace(kind="output") if isinstance(given, Called) and given.name == OUTPUT else given


def _unknown(index: int, part: object) -> Iterator[Noted]:
    if isinstance(part, str):
        return
    if looks_like_call(part):
        raise unreadable(index, part, "a part of an unknown kind with a name and arguments")
    for key in keys_of(part):
        if key in _SPELLED or (value := get(part, key)) is None:
            continue
        if looks_like_call(value):
            raise unreadable(index, part, f"a part of the unknown kind {key!r} with a name and arguments")
        yield Noted(f"a part of the unknown kind {key!r} is passed over")


def _function_call(index: int, call: object) -> Called:
    return Called(tool_name(index, call, get(call, "name")), wire_arguments(get(call, "args")), call_id(call, "id"))


def _function_response(_index: int, given: object) -> Answered:
    response, parts = get(given, "response"), listed(get(given, "parts"))
    result = [*([response] if response else []), *parts] if parts else response
    name = get(given, "name")
    return Answered(result, call_id(given, "id"), name if isinstance(name, str) else None, _status(response))


def _status(response: object) -> Status:
    """What became of a call: by convention, a failure stands under `error`; MCP has a flag."""
    error = get(response, "error")
    if isinstance(error, str) and error.startswith(_DENIED):
        return "denied"
    if isinstance(error, str) and error.startswith(_PENDING):
        return "pending"
    failed = error not in _NO_ERROR or field(response, "is_error") is True
    return "failed" if failed else "succeeded"


def _executable_code(_index: int, code: object) -> Called:
    stated = {name: value for name in ("language", "code") if (value := get(code, name)) is not None}
    return Called(_CODE, stated, call_id(code, "id"), "native")


def _code_execution_result(_index: int, result: object) -> Answered:
    ok = get(result, "outcome") in (None, "OUTCOME_OK", 1)
    return Answered(get(result, "output"), call_id(result, "id"), _CODE, "succeeded" if ok else "failed", "native")


def _tool_call(index: int, call: object) -> Called:
    return Called(_server_tool(index, call), wire_arguments(get(call, "args")), call_id(call, "id"), "native")


def _tool_response(index: int, given: object) -> Answered:
    response = get(given, "response")
    return Answered(response, call_id(given, "id"), _server_tool(index, given), _status(response), "native")


def _server_tool(index: int, item: object) -> str:
    """The name of a tool of Google's servers: `google_search_web` for `GOOGLE_SEARCH_WEB`."""
    kind = field(item, "tool_type")
    return tool_name(index, item, kind.lower() if isinstance(kind, str) else kind)


_READERS: dict[str, Callable[[int, object], Called | Answered]] = {
    "function_call": _function_call,
    "function_response": _function_response,
    "executable_code": _executable_code,
    "code_execution_result": _code_execution_result,
    "tool_call": _tool_call,
    "tool_response": _tool_response,
}
_KNOWN = (*_READERS, *sorted(_SAID | _BESIDE))
_SPELLED = frozenset({*_KNOWN, *map(camel, _KNOWN)})

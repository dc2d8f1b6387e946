"""A run as text that a model reads well: who said what, which calls were made, and what came of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from trajmatch._fitting import Body, Line, cut, fitting
from trajmatch._json_form import is_dict, is_list, is_tuple, text_key
from trajmatch._message import Message
from trajmatch._model import Kind, Status, ToolCall
from trajmatch._shown import printable, shown
from trajmatch._stored import plain
from trajmatch.errors import OptionError

__all__ = ["transcript"]

_STATUSES: dict[Status | None, str] = {
    None: "result",
    "succeeded": "result",
    "failed": "failed",
    "retried": "retried (rejected and sent back to the model)",
    "denied": "denied (not executed)",
    "skipped": "skipped (not executed)",
    "interrupted": "interrupted",
    "pending": "pending (no result)",
}
_KINDS: dict[Kind, str] = {"function": "", "native": ", run by the provider", "output": ", the output of the run"}
_SHOWN_AS_CALLS = (
    *("tool_use", "_call", "tool_result", "_call_output", "_call_response"),
    *("toolUse", "toolResult", "functionCall", "functionResponse"),
)
"""How the types of content blocks end that call a tool or hold a result."""

_BARE = re.compile(r"[\w.:/-]+")
"""Names that need no quotes."""
_KEPT = "\t\xa0\u2007\u2009\u200c\u200d\u202f\u3000"
"""Spaces and joiners of ordinary texts."""
_NAME = 200
_LONG = 1_000
"""Data that is longer than this is cut."""
_DATA = re.compile(r"[!-~]+\Z|.*[\ud800-\udfff]", re.DOTALL)
"""Text without a blank, or of bytes that are no text: an image, say."""
_CONTAINERS = 20_000
"""A value that has more, which one that holds itself reaches early, is shown by its type."""


def transcript(
    messages: Sequence[Message] | None, calls: Sequence[ToolCall], notes: Iterable[str], max_length: int | None = None
) -> str:
    """Give a run as text, of at most so many characters.

    Raises:
        OptionError: A length that is no integer from 1.
    """
    if max_length is not None and (type(max_length) is not int or max_length < 1):
        text = f"max_length: an integer from 1, or None, got {shown(max_length)}"
        raise OptionError(text, option="max_length", value=max_length)
    noted = (Line("[note: ", "text", _barred(note, ""), "]", word="note") for note in notes)
    return fitting([*_lines(messages, calls), *noted], max_length)


def _lines(messages: Sequence[Message] | None, calls: Sequence[ToolCall]) -> Iterator[Line]:
    results: dict[int, list[object]] = {}
    for message in messages or ():
        if _joins(message, calls):
            results.setdefault(cast("int", message.answers), []).append(message.content)
    if not (calls if messages is None else messages):
        yield Line("[no calls]" if messages is None else "[no messages]")
    at = 0
    for message in messages or ():
        if not _joins(message, calls):
            made = range(at, at := at + len(message.tool_calls))
            yield _said(message, made)
            for index in made:
                yield from _call(index, calls[index], results.get(index), "  ")
    for index, call in enumerate(calls if messages is None else ()):
        yield from _call(index, call, None, "")


def _joins(message: Message, calls: Sequence[ToolCall]) -> bool:
    """Whether a message is the result of a call, and is shown with it."""
    return message.role == "tool" and message.answers in range(len(calls)) and not message.tool_calls


def _said(message: Message, made: range) -> Line:
    orphan = message.role == "tool" and not made
    label = _name(message.role)
    label += f" {_name(message.name)}" if message.name else ""
    label += ", a result without its call" if orphan else ", added by the framework" if message.feedback else ""
    kind: Body = "result" if orphan else "text"
    text = _content(message.content, bool(made))
    return Line(f"{label}: ", kind, _barred(text, ""), calls=made) if text else Line(f"{label}:", calls=made)


def _call(index: int, call: ToolCall, results: list[object] | None, indent: str) -> Iterator[Line]:
    made = range(index, index + 1)
    start, arguments = f"{indent}call {index}{_KINDS[call.kind]}: {_name(call.name)}(", _arguments(call)
    yield Line(start, "arguments", arguments, ")", made)
    label, indent = _STATUSES[call.status], indent + "  "
    found = [call.result] if results is None and call.result is not None else results or ()
    for result in found:
        text = _content(result)
        yield Line(f"{indent}{label}: ", "result", _barred("null" if text is None else text, indent), calls=made)
    if not found and call.status is not None:
        yield Line(indent + ("succeeded" if call.status == "succeeded" else label), calls=made)


def _arguments(call: ToolCall) -> str:
    if call.arguments is not None:
        return f"{{{', '.join(f'{_json(text_key(key))}: {_json(value)}' for key, value in call.arguments.items())}}}"
    return "..." if call.raw_arguments is None else f"no JSON object: {_json(call.raw_arguments)}"


def _content(content: object, calling: bool = False) -> str | None:
    """Give content as text, without the blocks that a message which calls shows as its calls."""
    if content is None or isinstance(content, str):
        return content
    items = _items(content)
    if items is None:
        return _part(_form(content))
    parts = [_form(part) for part in items]
    if not any(_type(part) for part in parts):
        return _json(parts)
    texts = [_part(part) for part in parts if not (calling and _type(part).endswith(_SHOWN_AS_CALLS))]
    return "\n".join(texts) if texts else None


def _items(content: object) -> list[object] | None:
    if not (is_list(content) or is_tuple(content)):
        return None
    try:
        return [*content]
    except Exception:  # a list that raises when somebody looks into it
        return None


def _part(form: object) -> str:
    text = form.get("text") if is_dict(form) and _type(form).endswith("text") else form
    return text if isinstance(text, str) else _json(form)


def _type(form: object) -> str:
    """Give the type of a content block; some formats write it as the only key."""
    if not is_dict(form):
        return ""
    kind = form.get("type")
    if not isinstance(kind, str) and len(form) == 1:
        (kind,) = form
        return kind if kind.endswith(("text", *_SHOWN_AS_CALLS)) else ""
    return kind if isinstance(kind, str) else ""


def _form(value: object) -> object:
    """Give a value in the types of JSON, with data cut."""
    try:
        return _without_data(plain(value, shown, _CONTAINERS))
    except Exception:  # too deep, or a value that raises when somebody looks at it
        return f"<{type(value).__name__}>"


def _without_data(form: object) -> object:
    if is_dict(form):
        return {key: _without_data(value) for key, value in form.items()}
    if is_list(form):
        return [_without_data(item) for item in form]
    return cut(form, _LONG) if isinstance(form, str) and _DATA.match(form) else form


def _json(value: object) -> str:
    """Give a value as JSON; `<its type>` where it is nested too deep, holds itself, or is an endless number."""
    try:
        return _clean(json.dumps(plain(value, shown, _CONTAINERS), ensure_ascii=False))
    except Exception:  # too deep, or a value that raises when somebody looks at it
        return _clean(f"<{type(value).__name__}>")


def _name(name: str) -> str:
    """Give a name; in quotes where it could be read as something else."""
    return cut(name if _BARE.fullmatch(name) else _json(name), _NAME)


def _clean(text: str) -> str:
    return printable(text, _KEPT)


def _barred(text: str, indent: str) -> str:
    """Give text with a bar before each line but the first."""
    if not text.strip():
        return _json(text)
    return f"\n{indent}  | ".join(map(_clean, text.splitlines()))

"""What a message says, for those who write messages: text, and the parts that a format has."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import groupby
from typing import Any, cast

from trajmatch._access import first, get, is_mapping, listed
from trajmatch._nearest import choose
from trajmatch.errors import ConversionError
from trajmatch.reading._events import Answered, Said, Told

__all__ = ["feedback_beside_results", "known_role", "result_content", "said_content", "said_text", "with_part"]

_TEXTS = ("input_text", "output_text", "text", "text-content")
"""The words of the formats for a part that is text."""


def known_role(said: Said, roles: Collection[str]) -> str:
    """Give the role of a message that is to be written.

    Raises:
        ConversionError: The format does not have it.
    """
    if said.role in roles:
        return said.role
    there_are = f"the format has {choose(roles)}; message.replace(role=...) gives it another"
    raise ConversionError(f"a message of the role {said.role!r}: {there_are}")


def feedback_beside_results(events: Iterable[Told]) -> Iterator[Told]:
    """Give the events for a format that knows no feedback: what stands beside no result is a user's from now on.

    What is still feedback then belongs to results, and a match leaves it out.
    """
    groups = [[*group] for _, group in groupby(events, _is_feedback)]
    for before, group, after in zip([[], *groups], groups, [*groups[1:], []], strict=False):
        for event in group:
            alone = not any(map(_is_result, (*before[-1:], *after[:1])))
            yield event._replace(feedback=False) if isinstance(event, Said) and alone else event


def _is_feedback(event: Told) -> bool:
    return isinstance(event, Said) and event.feedback


def _is_result(event: Told) -> bool:
    return isinstance(event, Answered) and event.kind != "native"


def said_content(content: object, kept: Mapping[str, str]) -> str | list[dict[str, Any]] | None:
    """Give content as text or as parts; of parts that are no text, only those that the format has are kept.

    Args:
        content: What a message says, in the types of JSON.
        kept: The types of part that the format has, and the key that each needs, which may be a path: `source.type`.
    """
    if content is None or isinstance(content, str):
        return content
    if not listed(content):
        return json.dumps(content) if content else None
    return [part for given in listed(content) if (part := _part(given, kept))] or None


def said_text(content: object) -> str | None:
    """Give content as text, without the parts that are none."""
    said = said_content(content, {})
    return "\n\n".join(part["text"] for part in said) if isinstance(said, list) else said


def with_part(content: str | Sequence[object], part: object) -> list[object]:
    """Give content as a list of parts, with one more at its end."""
    if not isinstance(content, str):
        return [*content, part]
    return [{"type": "text", "text": content}, part] if content else [part]


def result_content(result: object, kept: Mapping[str, str]) -> str | list[dict[str, Any]]:
    """Give a result as text, or as parts where the format has all of them; anything else becomes JSON text."""
    if result is None or isinstance(result, str):
        return result or ""
    parts = [None if isinstance(given, str) else _part(given, kept) for given in listed(result)]
    whole = [part for part in parts if part]
    return whole if whole and len(whole) == len(parts) else json.dumps(result)


def _part(given: object, kept: Mapping[str, str]) -> dict[str, Any] | None:
    """The part as the format has it; `None` where it has none such."""
    if isinstance(given, str):
        return {"type": "text", "text": given} if given else None
    if not is_mapping(given):
        return None
    kind = first(given, "type", "kind")
    text = first(given, "text", "content")
    if isinstance(text, str) and (kind in _TEXTS or [*given] == ["text"]):
        return {"type": "text", "text": text} if text else None
    needed = kept.get(kind) if isinstance(kind, str) else None
    return dict(given) if needed and reduce(get, needed.split("."), cast("Any", given)) is not None else None

"""From the items of a history to its records: the messages, whatever form they are kept in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

from trajmatch.reading import (
    call_id,
    first,
    get,
    is_call_block,
    is_result_block,
    listed,
    messages_in,
    unreadable,
)
from trajmatch_adapters.histories.claude_code._forms import is_message, is_silent, message_in, records_in, typed

__all__ = ["Record", "items_of", "records_of", "went_back"]

_SYNTHETIC = "<synthetic>"
"""What stands for the model where the program wrote a message."""
_FLAGS = ("isMeta", "isCompactSummary", "isSynthetic", "isVisibleInTranscriptOnly")
_ORIGINS = ("auto-continuation", "coordinator", "observer", "observer-activity", "task-notification")
_BEGINNINGS = (
    "[Request interrupted by user",
    "<bash-stderr>",
    "<bash-stdout>",
    "<local-command-stderr>",
    "<local-command-stdout>",
    "<system-reminder>",
    "<task-notification>",
)
"""How texts begin that the program writes in the user's place."""


class Record(NamedTuple):
    """A message, whatever its form.

    Attributes:
        at: The index of the item that holds it, for errors.
        role: `user` or `assistant`.
        content: Text, or blocks with types.
        response: The id of the model's response that it is a part of.
        nested: It is a sub-agent's.
        written: The program wrote it, in the user's or the model's place.
        uuid: The name of the record.
        parent: The name of the record before it.
    """

    at: int
    role: str
    content: object
    response: str | None = None
    nested: bool = False
    written: bool = False
    uuid: object = None
    parent: object = None


def items_of(history: object) -> list[object]:
    """Give the items of a history."""
    return records_in(messages_in(history))


def records_of(items: list[object]) -> list[Record]:
    """Give the records that hold a message, each once.

    Raises:
        ConversionError: An item that is neither record nor message.
    """
    known: dict[str, list[object]] = {}
    records: list[Record] = []
    for index, item in enumerate(items):
        for record in _records(index, item):
            contents = known.setdefault(record.uuid, []) if isinstance(record.uuid, str) else []
            if record.content not in contents:
                contents.append(record.content)
                records.append(record)
    return records


def went_back(records: list[Record]) -> bool:
    """Say whether two prompts go on from the same record."""
    parents = [record.parent for record in records if isinstance(record.parent, str) and _is_prompt(record)]
    return len({*parents}) < len(parents)


def _is_prompt(record: Record) -> bool:
    answers = any(map(is_result_block, listed(record.content)))
    return record.role == "user" and not (record.nested or record.written or answers)


def _records(index: int, item: object) -> Iterator[Record]:
    if (message := message_in(item, get(item, "type"))) is not None:
        yield _wrapped(index, item, message)
    elif is_message(item):
        yield _plain(index, item)
    elif not is_silent(item):
        raise unreadable(index, item, "neither a record of a session nor a message of the Agent SDK")
    else:
        inner = get(get(item, "data"), "message")
        if (message := message_in(inner, get(get(inner, "message"), "role"))) is not None:
            yield _wrapped(index, inner, message)._replace(nested=True)
        elif any(map(_holds_calls, (item, get(item, "message"), inner))):
            raise unreadable(index, item, "calls in a record of an unknown type")


def _holds_calls(message: object) -> bool:
    return any(map(is_call_block, listed(get(message, "content"))))


def _wrapped(index: int, record: object, message: object) -> Record:
    """A record of a session, or a message of a stream."""
    role, content = first(record, "type") or get(message, "role"), get(message, "content")
    return Record(
        index,
        role,
        _checked(index, message, content),
        call_id(message, "id"),
        get(record, "isSidechain") is True or get(record, "parent_tool_use_id") is not None,
        _is_written(role, record, get(message, "model"), content),
        get(record, "uuid"),
        get(record, "parentUuid"),
    )


def _plain(index: int, message: object) -> Record:
    """A message of the Agent SDK, which is an assistant's where it has a model."""
    given, model = get(message, "content"), get(message, "model")
    content = [typed(block) for block in listed(given)] or _checked(index, message, given)
    role = "user" if model is None else "assistant"
    return Record(
        index,
        role,
        content,
        call_id(message, "message_id"),
        get(message, "parent_tool_use_id") is not None,
        _is_written(role, message, model, content),
        get(message, "uuid"),
    )


def _checked(index: int, message: object, content: object) -> object:
    """The content of a message.

    Raises:
        ConversionError: It is neither text nor a list, so calls might be lost.
    """
    if content is None or isinstance(content, (str, list, tuple)):
        return cast("object", content)
    raise unreadable(index, message, "a content that is neither text nor a list of blocks")


def _is_written(role: str, record: object, model: object, content: object) -> bool:
    """Whether the program wrote a message."""
    if role == "assistant":
        return model == _SYNTHETIC
    if any(get(record, flag) is True for flag in _FLAGS) or get(get(record, "origin"), "kind") in _ORIGINS:
        return True
    texts = [content] if isinstance(content, str) else [get(block, "text") for block in listed(content)]
    said = [text for text in texts if isinstance(text, str)]
    return bool(said) and all(text.startswith(_BEGINNINGS) for text in said)

"""A trajectory as JSON text, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from trajmatch._access import is_mapping
from trajmatch._json_form import Unordered, is_dict, is_list, json_data, json_form, text_key
from trajmatch._message import Message
from trajmatch._model import ToolCall
from trajmatch._shown import shown, whole
from trajmatch.errors import ConversionError, OptionError

if TYPE_CHECKING:
    from trajmatch._schema import StoredCall, StoredMessage

__all__ = ["as_text", "call_form", "dump", "is_stored", "load", "plain"]

Stored = TypeVar("Stored")
Read = TypeVar("Read")


def plain(value: object, unknown: Callable[[object], object], most: int = 1_000_000) -> Any:
    """Give a value in the types of the `json` module; `unknown` decides about what has no JSON form.

    Raises:
        ValueError: It has more than so many containers, which a value that holds one several times reaches early.
        RecursionError: It is nested too deep, or holds itself.
    """
    left = most

    def inner(value: object) -> Any:
        nonlocal left
        form = json_form(value)
        if is_dict(form) or is_list(form):
            left -= 1
            if left < 0:
                raise ValueError(f"more than {most} containers")
        if is_dict(form):
            return {text_key(key): inner(item) for key, item in form.items()}
        if is_list(form):
            items = [inner(item) for item in form]
            return sorted(items, key=json.dumps) if isinstance(form, Unordered) else items
        return form if form is None or isinstance(form, (str, int, float)) else unknown(form)

    return inner(value)


def as_text(value: object) -> str:
    """Give the text of a value that has no JSON form."""
    try:
        return str(value)
    except Exception:  # a hostile value is named, not obeyed
        return whole(value)


def _refuse(value: object) -> object:
    raise ConversionError(f"{type(value).__name__} has no JSON form: {shown(value)}")


def call_form(call: ToolCall, unknown: Callable[[object], object] = _refuse) -> dict[str, Any]:
    """Give the stored form of a call: what is not stated is left out."""
    form = {
        "name": call.name,
        "arguments": plain(call.arguments, unknown),
        "raw_arguments": call.raw_arguments,
        "id": call.id,
        "status": call.status,
        "kind": None if call.kind == "function" else call.kind,
        "result": plain(call.result, as_text),
        "rule": call.own_rule and json_data(call.own_rule.data, finite=False),
    }
    return {key: value for key, value in form.items() if value is not None}


def _message_form(message: Message) -> dict[str, Any]:
    form = {
        "role": message.role,
        "content": plain(message.content, as_text),
        "tool_calls": [call_form(call) for call in message.tool_calls] or None,
        "answers": message.answers,
        "name": message.name,
        "feedback": message.feedback or None,
    }
    return {key: value for key, value in form.items() if value is not None}


def dump(messages: Iterable[Message] | None, calls: Iterable[ToolCall], notes: Iterable[str]) -> str:
    """Give JSON text; the calls stand inside the messages where there are messages.

    Raises:
        ConversionError: An argument value without a JSON form, or one that is too deep or holds itself.
    """
    form: dict[str, Any] = {"notes": list(notes)}
    try:
        if messages is None:
            form["calls"] = [call_form(call) for call in calls]
        else:
            form["messages"] = [_message_form(message) for message in messages]
        return json.dumps(form)
    except Exception as error:  # too deep, or a value that raises when somebody looks at it
        raise ConversionError(f"the trajectory cannot be written as JSON: {error}") from error


def is_stored(form: object) -> TypeGuard[dict[str, object]]:
    """Say whether this is what `dump` wrote, parsed."""
    return is_dict(form) and set(form) in ({"notes", "messages"}, {"notes", "calls"})


def load(text: object) -> tuple[list[Message] | None, list[ToolCall] | None, list[str]]:
    """Give messages, calls and notes out of JSON text, or of what was parsed from it.

    Raises:
        ConversionError: Text that is no JSON, or not in the form that `dump` gives.
    """
    from pydantic import ValidationError

    from trajmatch._schema import StoredTrajectory

    try:
        stored = StoredTrajectory.model_validate(_parsed(text))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        told = first["msg"].partition(" or instance of ")[0]
        raise ConversionError(f"this is no stored trajectory: {place}: {told}".replace(": :", ":")) from error
    except (ValueError, RecursionError) as error:
        raise ConversionError(f"this is no stored trajectory: {error}") from error
    if (stored.messages is None) == (stored.calls is None):
        raise ConversionError("a stored trajectory holds either messages or calls")
    messages = None if stored.messages is None else _messages(stored.messages)
    calls = None if stored.calls is None else _each("call", _call, stored.calls)
    return messages, calls, stored.notes


def _each(what: str, read: Callable[[Stored], Read], stored: Iterable[Stored]) -> list[Read]:
    """Read items one by one, so that an error can say which has a rule that is none."""
    found: list[Read] = []
    for index, item in enumerate(stored):
        try:
            found.append(read(item))
        except OptionError as error:
            raise ConversionError(f"this is no stored trajectory: {what} {index}: {error}", index=index) from error
    return found


def _parsed(text: object) -> object:
    form: object = json.loads(text) if isinstance(text, (str, bytes)) else text
    if is_mapping(form):
        return form
    raise ValueError(
        f"that is an object, as to_json writes it, got {type(form).__name__}; to_trajectory reads messages"
    )


def _call(stored: StoredCall) -> ToolCall:
    if stored.arguments is not None and stored.raw_arguments is not None:
        raise ConversionError(f"{stored.name!r} has both arguments and raw_arguments")
    return ToolCall(
        stored.name,
        stored.raw_arguments if stored.arguments is None else stored.arguments,
        id=stored.id,
        status=stored.status,
        kind=stored.kind,
        result=stored.result,
        rule=stored.rule,
    )


def _messages(stored: list[StoredMessage]) -> list[Message]:
    messages = _each("message", _message, stored)
    count = sum(len(message.tool_calls) for message in messages)
    for index, message in enumerate(messages):
        if message.answers is not None and message.answers not in range(count):
            text = f"message {index}: there is no call {message.answers} that it could answer"
            raise ConversionError(text, index=index)
    return messages


def _message(stored: StoredMessage) -> Message:
    return Message(
        stored.role,
        stored.content,
        map(_call, stored.tool_calls),
        answers=stored.answers,
        name=stored.name,
        feedback=stored.feedback,
    )

"""The quick way through messages that hold text, parsed calls and results, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import Any

from trajmatch.reading import Row, Skimmed, Status, holds_fields
from trajmatch_adapters.histories.langchain._forms import KNOWN
from trajmatch_adapters.histories.langchain._texts import BEGINNINGS

__all__ = ["skim"]

_KEYS = KNOWN - {"function_call", "lc_attributes", "role", "tool_call_chunks"}
_INITIALS = frozenset(text[:1] for text in BEGINNINGS)
_EXTRA = attrgetter("__pydantic_extra__")
_READ_IN_KWARGS = frozenset(
    {"function_call", "invalid_tool_calls", "lc_source", "tool_call_id", "tool_calls", "tool_outputs"}
)
_NO_REFUSAL = {"refusal": None}
"""What models of OpenAI leave there in nearly each message."""
_PLAIN = frozenset({str, int, float, bool, type(None)})
_SPEAKERS = {"ai": "assistant", "human": "user", "system": "system"}


def skim(messages: Sequence[Any]) -> Skimmed | None:
    """Read messages as objects, as flat dicts, or as `messages_to_dict` gives them."""
    if type(messages[0]) is dict and "type" not in messages[0]:
        return None
    found = Skimmed()
    said, called, answered = found.said, found.called, found.answered
    for fields in _fields(messages):
        tag, content, kwargs = fields["type"], fields["content"], fields.get("additional_kwargs")
        if kwargs and kwargs != _NO_REFUSAL and _may_hold_calls(kwargs):
            return None
        if tag == "tool":
            id: str = fields["tool_call_id"]
            if not id or (isinstance(content, str) and content[:1] in _INITIALS and content.startswith(BEGINNINGS)):
                return None
            status: Status = "failed" if fields.get("status") == "error" else "succeeded"
            answered.append((len(said), content, id, status, fields.get("name")))
            said.append(None)
        elif type(content) is not str or fields.get("invalid_tool_calls"):
            return None
        else:
            if calls := fields.get("tool_calls"):
                if tag != "ai":
                    return None
                _add(called, calls, len(said))
            said.append((_SPEAKERS[tag], content))
    return found


def _add(called: list[Row], calls: list[dict[str, Any]], place: int) -> None:
    """Add calls that hold a name, arguments, an id and a type, and nothing else."""
    if type(calls) is not list:
        raise TypeError(calls)
    for call in calls:
        if type(call) is not dict or len(call) != 4 or "type" not in call:
            raise TypeError(call)
        called.append((call["name"], call["args"], call["id"], "function", place))


def _fields(messages: Sequence[Any]) -> list[dict[str, Any]]:
    """The fields of each message; raises `ValueError` where one may hold calls elsewhere."""
    kinds: set[type] = {*map(type, messages)}
    if kinds == {dict}:
        fields = [_inner(message) for message in messages] if "data" in messages[0] else [*messages]
        known = True
    else:
        fields = [message.__dict__ for message in messages]
        known = all(map(_is_model, kinds)) and not any(map(_EXTRA, messages))
    if known and _KEYS.issuperset(chain.from_iterable(fields)):
        return fields
    raise ValueError


def _inner(message: dict[str, Any]) -> dict[str, Any]:
    """What stands under `data`, beside nothing but the type."""
    kind, data = message["type"], message["data"]
    return {**data, "type": kind} if len(message) == 2 else message


def _may_hold_calls(kwargs: Mapping[str, Any]) -> bool:
    return not (_READ_IN_KWARGS.isdisjoint(kwargs) and _PLAIN.issuperset(map(type, kwargs.values())))


@lru_cache(maxsize=256)
def _is_model(kind: type) -> bool:
    """Whether objects of a type are models that hold what is read here in their `__dict__`."""
    fields: Mapping[str, object] = getattr(kind, "__pydantic_fields__", {})
    return "additional_kwargs" in fields and holds_fields(kind, _KEYS)

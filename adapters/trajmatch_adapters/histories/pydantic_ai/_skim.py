"""The quick way through messages that hold prompts, text, calls and results, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

from trajmatch.reading import Skimmed, Status, holds_fields, looks_like_call
from trajmatch_adapters.histories.pydantic_ai._results import DEFAULT_OUTPUT, TEXTS, meaning
from trajmatch_adapters.histories.pydantic_ai._run import PASSED_OVER, text_of

__all__ = ["skim"]

_FOREIGN = frozenset({"lc", "role", "type", "update", "value", "values"})
"""Keys of messages and steps of others."""
_READ = frozenset({"args", "content", "kind", "metadata", "outcome", "part_kind", "parts", "tool_call_id", "tool_name"})
_SUCCESS = "success"
_PROMPTS = {"system-prompt": "system", "user-prompt": "user"}


def skim(messages: Sequence[Any]) -> Skimmed | None:
    """Read messages as objects, or as they are stored."""
    found = Skimmed()
    kinds: set[type] = {*map(type, messages)}
    history: Iterable[dict[str, Any]] = messages
    if kinds != {dict}:
        history = map(_held, messages)
    elif not _FOREIGN.isdisjoint(chain.from_iterable(messages)):
        return None
    for fields in history:
        kind = fields["kind"]
        parts: list[Any] = fields["parts"]
        if type(parts) is not list:
            return None
        if kind == "response":
            _respond(found, parts)
        elif kind == "request":
            _request(found, parts)
        else:
            return None
    return found


def _held(message: Any) -> dict[str, Any]:
    """The fields of a message and of its parts, which are dataclasses; raises `TypeError` for anything else."""
    parts: list[Any] = message.parts
    kinds: set[type] = {type(message), *map(type, parts)}
    if not all(map(_is_dataclass, kinds)):
        raise TypeError(kinds)
    return {"kind": message.kind, "parts": [part.__dict__ for part in parts]}


@lru_cache(maxsize=256)
def _is_dataclass(kind: type) -> bool:
    return hasattr(kind, "__dataclass_fields__") and holds_fields(kind, _READ)


def _respond(found: Skimmed, parts: list[dict[str, Any]]) -> None:
    """A response: texts, and calls of tools that do not return the output of a run by their name."""
    text, texts, place = None, 0, len(found.said)
    for part in parts:
        kind = part["part_kind"] if type(part) is dict else None
        if kind == "tool-call":
            name, given = part["tool_name"], part["args"]
            if name.startswith(DEFAULT_OUTPUT):
                raise ValueError
            if given is None:
                given = _none()
            found.called.append((name, given, part["tool_call_id"], "function", place))
        elif kind == "text":
            text, texts = part["content"], texts + 1
        elif kind not in PASSED_OVER or looks_like_call(part) or "tool_name" in part:
            raise ValueError
    if texts > 1 or (texts and type(text) is not str):
        text = text_of(place, parts)
    found.said.append(("assistant", text or None))


def _none() -> dict[str, Any]:
    """The arguments of a call that has none."""
    return {}


def _request(found: Skimmed, parts: list[dict[str, Any]]) -> None:
    """A request: either results or prompts, since what stands beside results may be feedback."""
    said, answered = found.said, len(found.answered)
    for part in parts:
        kind, content = (part["part_kind"], part["content"]) if type(part) is dict else ("", None)
        if kind == "tool-return" or kind == "retry-prompt":
            name: str = part["tool_name"]
            status: Status = "succeeded"
            if not name or part.get("metadata"):
                raise ValueError
            if (
                kind != "tool-return"
                or part.get("outcome", _SUCCESS) != _SUCCESS
                or (isinstance(content, str) and content in TEXTS)
            ):
                status = _status(part)
            found.answered.append((len(said), content, part["tool_call_id"], status, name))
            said.append(None)
        else:
            said.append((_PROMPTS[kind], content))
    if len(found.answered) - answered not in (0, len(parts)):
        raise ValueError


def _status(part: dict[str, Any]) -> Status:
    """What became of the call that a result answers, if it does not return the output of a run."""
    said = meaning(part)
    if said is None or said.kind == "output":
        raise ValueError
    return said.status

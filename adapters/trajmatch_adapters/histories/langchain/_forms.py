"""The forms of one message: where its tag is written, and what has its fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from trajmatch.reading import Recognised, first, fold_role, get, is_mapping, keys_of, listed

__all__ = ["KNOWN", "Fields", "View", "is_list", "recognise", "view_of"]

Fields = Mapping[str, Any]

_NAMES = ("AI", "Chat", "Function", "Human", "System", "Tool")
_CHUNKS = {f"{name}MessageChunk": name.lower() for name in _NAMES}
_CLASSES = {f"{name}Message": name.lower() for name in _NAMES} | {"RemoveMessage": "remove"} | _CHUNKS
_PAIRS = frozenset({"ai", "assistant", "developer", "function", "human", "system", "tool", "user"})
_TYPES = {word: word for word in (*_PAIRS, "chat", "remove")} | _CHUNKS
_ROLES = {tag: fold_role(word) for tag, word in (_CLASSES | _TYPES).items()}
_OWN_TAGS = frozenset({"ai", "human", "remove", *_CHUNKS})
_OWN_KEYS = frozenset({"additional_kwargs", "invalid_tool_calls", "response_metadata", "tool_call_chunks"})
_READ = _OWN_KEYS | {
    "chunk_position",
    "content",
    "id",
    "name",
    "role",
    "status",
    "tool_call_id",
    "tool_calls",
}
KNOWN = _READ | {"artifact", "example", "function_call", "lc_attributes", "type", "usage_metadata"}
"""Keys of messages that are read, or hold no calls."""


class View(NamedTuple):
    """A message, whatever its form.

    Attributes:
        at: The index of the item that holds it, for errors.
        role: The common word for its role, any other role, or `remove`.
        fields: Its content, calls and so on.
        id: Its id.
        chunk: It is a chunk of a model's response, or a sum of chunks.
    """

    at: int
    role: str
    fields: Fields
    id: str | None
    chunk: bool


class _Form(NamedTuple):
    """One form: whether a message has it, its tag and fields, and whether no other format has it."""

    fits: Callable[[Any], bool]
    tag: Callable[[Any], str]
    fields: Callable[[Any], Fields]
    own: Callable[[Any], bool]


def is_list(value: object) -> TypeGuard[Sequence[object]]:
    """Say whether a value is a JSON array, or a tuple."""
    return isinstance(value, (list, tuple))


def _always(message: object) -> bool:
    return True


def _itself(message: Fields) -> Fields:
    return message


def _key(name: str) -> Callable[[object], Any]:
    return lambda message: get(message, name)


def _is_typed(message: object) -> bool:
    type = get(message, "type")
    return isinstance(type, str) and type in _TYPES


def _is_object(message: object) -> bool:
    return _is_typed(message) and hasattr(message, "content")


def _is_pair(message: object) -> bool:
    if not is_list(message) or len(message) != 2:
        return False
    role, content = message
    return isinstance(role, str) and role in _PAIRS and isinstance(content, (str, list))


def _has_role(message: Fields) -> bool:
    return isinstance(message.get("role"), str) and "parts" not in message


def _is_flat(message: Fields) -> bool:
    return _is_typed(message) and ("content" in message or message["type"] == "remove")


def _is_wrapped(message: Fields) -> bool:
    return _is_typed(message) and is_mapping(message.get("data"))


def _is_constructor(message: Fields) -> bool:
    return "lc" in message and is_mapping(message.get("kwargs")) and _class(message) in _CLASSES


def _class(message: Fields) -> str:
    """The last part of the path that names the class."""
    return str([*listed(message.get("id")), ""][-2:][0])


def _attributes(message: object) -> Fields:
    """The fields of an object; what LangChain's own models do not have takes long to ask for."""
    own: Fields = getattr(message, "__dict__", {})
    if "additional_kwargs" not in own:
        return {name: get(message, name) for name in (*_READ, *keys_of(message))}
    more: Fields | None = getattr(message, "model_extra", None)
    return {**own, **more} if more else own


def _pair_role(pair: Sequence[str]) -> str:
    return pair[0]


def _pair_fields(pair: Sequence[object]) -> Fields:
    return {"content": pair[1]}


def _has_own_words(message: Fields) -> bool:
    """Whether a dict has a tag, keys or calls that only LangChain's have."""
    calls = listed(message.get("tool_calls"))
    return (
        first(message, "role", "type") in _OWN_TAGS
        or not _OWN_KEYS.isdisjoint(message)
        or any(get(call, "name") and get(call, "args") is not None for call in calls)
    )


_WITH_ROLE = _Form(_has_role, _key("role"), _itself, _has_own_words)
_WITH_KEYS = (
    _WITH_ROLE,
    _Form(_is_wrapped, _key("type"), _key("data"), _always),
    _Form(_is_flat, _key("type"), _itself, _has_own_words),
    _Form(_is_constructor, _class, _key("kwargs"), _always),
)
_WITHOUT_KEYS = (
    _Form(_is_object, _key("type"), _attributes, _always),
    _Form(_is_pair, _pair_role, _pair_fields, _always),
)


def _form_of(message: object) -> _Form | None:
    for form in _WITH_KEYS if is_mapping(message) else _WITHOUT_KEYS:
        if form.fits(message):
            return form
    return None


def recognise(message: object) -> Recognised:
    """Say whether this is a message, and whether only LangChain has such."""
    form = _form_of(message)
    if form is None or (form is _WITH_ROLE and _is_of_bedrock(message)):
        return "no"
    return "certain" if form.own(message) else "could_be"


def _is_of_bedrock(message: object) -> bool:
    """Whether a role dict holds blocks as Bedrock's API has them; LangChain puts these into messages of its own."""
    blocks = listed(get(message, "content"))
    return any(get(block, "type") is None and first(block, "toolUse", "toolResult") is not None for block in blocks)


def view_of(at: int, message: object) -> View | None:
    """Give the view of a message; `None` where it is none."""
    form = _form_of(message)
    if form is None:
        return None
    tag, fields = form.tag(message), form.fields(message)
    role, id = _ROLES.get(tag, tag), fields.get("id")
    if role == "chat":
        role = fold_role(fields.get("role") or role)
    return View(at, role, fields, id if id is None else str(id), tag in _CHUNKS)

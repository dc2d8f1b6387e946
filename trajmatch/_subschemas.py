"""What stands where within a JSON Schema, so that data in it (`default`, `enum`) is never taken for a schema.

A word that has another shape than in JSON Schema 2020-12, as in other drafts, says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from trajmatch._json_form import is_dict, is_list
from trajmatch._values import json_equal

__all__ = [
    "Schema",
    "by_key",
    "fits",
    "in_json_schema",
    "is_closed",
    "is_set",
    "listed",
    "of_item",
    "of_key",
    "rebuilt",
    "subschemas",
    "untold",
]

Schema = dict[str, Any]

_HOLDING = frozenset(
    {
        *("additionalItems", "additionalProperties", "allOf", "anyOf", "contains", "contentSchema", "else", "if"),
        *("items", "not", "oneOf", "prefixItems", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"),
    }
)
"""What holds a schema, or a list of them."""
_BY_KEY = frozenset({"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"})
"""What holds schemas by keys."""


def subschemas(schema: Schema) -> Iterator[Any]:
    """Give what stands as a schema directly within a schema."""
    for word, value in schema.items():
        if word in _HOLDING:
            yield from value if is_list(value) else [value]
        elif word in _BY_KEY and is_dict(value):
            yield from value.values()


def rebuilt(schema: Any, change: Callable[[Schema], Schema]) -> Any:
    """Give a copy of a schema in which it and every schema within are changed."""
    if not is_dict(schema):
        return schema

    def inner(word: str, value: Any) -> Any:
        if word in _HOLDING:
            return [rebuilt(one, change) for one in value] if is_list(value) else rebuilt(value, change)
        if word in _BY_KEY and is_dict(value):
            return {key: rebuilt(one, change) for key, one in value.items()}
        return value

    return change({word: inner(word, value) for word, value in schema.items()})


def untold(schema: Schema) -> Schema:
    """Give a schema without what it tells people."""
    return {word: value for word, value in schema.items() if word not in ("title", "description")}


def in_json_schema(schema: Schema) -> Schema:
    """Give a schema of Gemini, which writes `"STRING"` and `nullable`, in the words of JSON Schema.

    The draft is left out, which is known of the whole.
    """
    kept = {word: value for word, value in schema.items() if word != "$schema"}
    kind = kept.get("type")
    if isinstance(kind, str):
        kind = kind.lower() if kind.isupper() else kind
        nullable = kept.get("nullable") is True
        kept["type"] = [kind, "null"] if nullable else kind
        if nullable and "enum" in kept:
            kept["enum"] = [*listed(kept, "enum"), None]
    return kept


def by_key(schema: Schema, word: str) -> dict[str, Any]:
    """Give the schemas that a word holds by keys."""
    return found if is_dict(found := schema.get(word)) else {}


def listed(schema: Schema, word: str) -> list[Any]:
    """Give what a word lists."""
    return found if is_list(found := schema.get(word)) else []


def is_set(schema: Schema) -> bool:
    """Say whether the items of a list are unique."""
    return schema.get("uniqueItems") is True


def fits(schema: Schema, form: Any) -> bool:
    """Say whether a list or an object may be meant, by its type and its keys of one value."""
    types = schema.get("type", ())
    if types and ("object" if is_dict(form) else "array") not in ([types] if isinstance(types, str) else types):
        return False
    if not is_dict(form):
        return True
    return all(
        any(json_equal(form[key], one) for one in values)
        for key, inner in by_key(schema, "properties").items()
        if key in form and (values := _values(inner))
    )


def _values(schema: Any) -> list[Any]:
    """The values that a schema lists, if it does."""
    if not is_dict(schema):
        return []
    return [schema["const"]] if "const" in schema else listed(schema, "enum")


def of_key(applied: list[Schema], key: str) -> list[Any]:
    """Give the schemas of the value of a key."""
    known = [by_key(schema, "properties") for schema in applied]
    named = [schemas[key] for schemas in known if key in schemas]
    return named or [more for schema in applied if (more := schema.get("additionalProperties", False)) is not False]


def of_item(applied: list[Schema], place: int) -> list[Any]:
    """Give the schemas of an item of a list."""
    first = [listed(schema, "prefixItems") or listed(schema, "items") for schema in applied]
    return [items[place] for items in first if place < len(items)] or [
        schema["items"] for schema in applied if "items" in schema
    ]


def is_closed(applied: list[Schema]) -> bool:
    """Say whether an object has no keys but those that are named."""
    return any("properties" in schema or schema.get("additionalProperties") is False for schema in applied)

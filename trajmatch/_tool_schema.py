"""What the JSON Schema of a tool says of its arguments: defaults, lists that are sets, and which keys there are.

Keywords are those of JSON Schema 2020-12 (https://json-schema.org/draft/2020-12). Of `anyOf` and `oneOf` the
alternative counts that alone fits a value, by its type and its keys of one value; where several fit, nothing is said.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, cast

from trajmatch._access import is_mapping
from trajmatch._json_form import SCALARS, Bag, Budget, is_dict, is_list, json_form, with_text_keys
from trajmatch._paths import ABSENT, Path, path_text
from trajmatch._shown import shown
from trajmatch._stored import plain
from trajmatch._values import Unfreezable, all_plain, freeze, json_equal

__all__ = ["ToolSchema"]

Schema = dict[str, Any]

_CONDITIONS = frozenset({"if", "dependentSchemas", "dependencies", "patternProperties", "$dynamicRef"})
"""What may add keys in a way that is not followed here."""
_OF_KEYS = frozenset({"required", "additionalProperties", "unevaluatedProperties", "dependentRequired"})
"""What looks at keys alone, whatever their values are."""
_OF_ALL_KEYS = ("required", "minProperties", "dependentRequired", "dependencies", "not", "if")
"""What asks for keys, or may turn on which there are; an expectation need not name all."""


class ToolSchema:
    """The schema of the arguments of one tool.

    Raises:
        ValueError: It is no JSON Schema, or refers to something that is not in it.
    """

    def __init__(self, schema: Schema) -> None:
        from jsonschema.exceptions import SchemaError
        from jsonschema.validators import Draft202012Validator, validator_for
        from referencing import Registry

        self._schema = schema
        self._registry = Registry[Any]()  # an empty one, which never asks the network
        try:
            kind = validator_for(schema, default=Draft202012Validator)
            kind.check_schema(schema)
        except SchemaError as error:
            raise ValueError(error.message) from error
        self._validator = kind(schema, registry=self._registry)
        self._targets = {ref: self._target(ref) for ref in _references(schema)}

    def _target(self, ref: str) -> object:
        """What a reference leads to.

        Raises:
            ValueError: Nothing in the schema.
        """
        from referencing.exceptions import Unresolvable
        from referencing.jsonschema import DRAFT202012

        resolver = self._registry.resolver_with_root(DRAFT202012.create_resource(self._schema))
        try:
            return resolver.lookup(ref).contents
        except (Unresolvable, ValueError) as error:
            raise ValueError(f"it refers to {ref!r}, which is not in it") from error

    @cached_property
    def matters(self) -> bool:
        """Whether it says something of how arguments compare."""
        text = json.dumps(self._schema)
        return '"default"' in text or '"uniqueItems"' in text

    @property
    def text(self) -> str:
        """The schema in short: eight digits of the SHA-256 of what it says to a machine."""
        from hashlib import sha256

        return sha256(json.dumps(_untold(self._schema), sort_keys=True).encode()).hexdigest()[:8]

    def filled(self, arguments: object) -> Any:
        """Give arguments in which absent keys have their defaults."""
        return self._changed(arguments, [self._schema], self._with_defaults, Budget())

    def with_sets(self, arguments: object) -> Any:
        """Give arguments in which lists of unique items have no order, and no item twice."""
        return self._changed(arguments, [self._schema], _as_set, Budget())

    def prepared(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Give arguments with both."""
        return cast("dict[str, Any]", self.with_sets(self.filled(arguments)))

    def _changed(
        self, value: object, schemas: list[Any], change: Callable[[Any, list[Schema]], Any], budget: Budget
    ) -> Any:
        budget.spend()
        form = json_form(value)
        if not schemas or not (is_dict(form) or is_list(form)):
            return value
        applied, _ = self._applied(form, schemas)
        if is_dict(form):
            fields = with_text_keys(change(form, applied))
            return {
                key: item if type(item) in SCALARS else self._changed(item, _of_key(applied, key), change, budget)
                for key, item in fields.items()
            }
        items = [self._changed(item, _of_item(applied, at), change, budget) for at, item in enumerate(form)]
        return change(type(form)(items), applied)

    def _with_defaults(self, form: Any, applied: list[Schema]) -> Any:
        if not is_dict(form):
            return form
        given = with_text_keys(form)
        more = {
            key: default
            for schema in applied
            for key, inner in schema.get("properties", {}).items()
            if key not in given and (default := self._default(inner)) is not ABSENT
        }
        return {**given, **more}

    def _default(self, schema: object) -> object:
        """The default of a key, where its schema or what that refers to has one."""
        for inner in self._flat([schema]):
            if "default" in inner:
                return inner["default"]
        return ABSENT

    def _flat(self, schemas: list[Any]) -> list[Schema]:
        """These schemas, those that they refer to and those that they are made of."""
        flat: list[Schema] = []
        pending = [*schemas]
        while pending:
            schema = pending.pop(0)
            if is_dict(schema) and not any(schema is other for other in flat):
                flat.append(schema)
                pending += [self._targets.get(schema.get("$ref", "")), *schema.get("allOf", ())]
        return flat

    def _applied(self, form: object, schemas: list[Any]) -> tuple[list[Schema], bool]:
        """The schemas that hold for a value, and whether these are all."""
        applied, decided = self._flat(schemas), True
        for schema in applied:  # which grows
            for word in ("anyOf", "oneOf"):
                if word in schema:
                    fitting = [choice for choice in schema[word] if self._admits(choice, form)]
                    decided = decided and len(fitting) == 1
                    if len(fitting) == 1:
                        applied += [new for new in self._flat(fitting) if not any(new is old for old in applied)]
        return applied, decided and not any(_CONDITIONS & schema.keys() for schema in applied)

    def _admits(self, choice: object, form: object) -> bool:
        """Whether a value may be meant by an alternative."""
        return choice is not False and all(_fits(schema, form) for schema in self._flat([choice]))

    def invented(self, arguments: object) -> list[tuple[Path, list[str]]]:
        """Give the paths of the keys that the schema does not know, where it names those that there are, and these.

        An object may have other keys where `additionalProperties` says so in words, and not by default.
        """
        try:
            return [*self._invented((), arguments, [self._schema], Budget())]
        except Exception:  # nested too deep, or a value that raises when somebody looks at it
            return []

    def _invented(
        self, path: Path, value: object, schemas: list[Any], budget: Budget
    ) -> Iterator[tuple[Path, list[str]]]:
        budget.spend()
        form = json_form(value)
        if not schemas or not (is_dict(form) or is_list(form)):
            return
        applied, decided = self._applied(form, schemas)
        closed = decided and is_dict(form) and _is_closed(applied)
        inner = with_text_keys(form).items() if is_dict(form) else enumerate(form)
        for key, item in inner:
            of_inner = _of_key(applied, key) if isinstance(key, str) else _of_item(applied, key)
            if closed and not of_inner:
                yield (*path, key), [name for schema in applied for name in schema.get("properties", ())]
            yield from self._invented((*path, key), item, of_inner, budget)

    def faults(self, arguments: object, *, whole: bool) -> list[str]:
        """Say where expected arguments are not as the schema asks; values that decide for themselves may be anything.

        Args:
            arguments: The arguments.
            whole: They are compared as a whole, so that required keys must be there.
        """
        validator = self._validator if whole else self._validator_of_parts
        try:
            form = plain(arguments, lambda value: value, 100_000)
            return [_fault(error) for error in validator.iter_errors(form) if _is_known(error)]
        except Exception:  # nested too deep, or a value that raises when somebody looks at it
            return []

    @cached_property
    def _validator_of_parts(self) -> Any:
        """One that asks for no key; of `oneOf` several may then fit."""
        from jsonschema import validators

        kind = type(self._validator)
        words = {**dict.fromkeys(_OF_ALL_KEYS, _no_error), "oneOf": kind.VALIDATORS.get("anyOf", _no_error)}
        return cast("Any", validators).extend(kind, words)(self._schema, registry=self._registry)


def _is_known(error: Any) -> bool:
    """Whether an error is none of a value that decides for itself."""
    return error.validator in _OF_KEYS or all_plain([error.instance])


def _fault(error: Any) -> str:
    """The error, or of alternatives the one that comes closest."""
    from jsonschema import exceptions

    inmost = cast("Any", exceptions).best_match([error])
    return f"{path_text(tuple(inmost.absolute_path)) or 'the arguments'}: {inmost.message}"


def _no_error(*args: object) -> tuple[()]:
    return ()


def _untold(schema: Any) -> Any:
    """A schema without what it tells people."""
    if is_dict(schema):
        told = [key for key in ("title", "description") if isinstance(schema.get(key), str)]
        return {key: _untold(value) for key, value in schema.items() if key not in told}
    return [*map(_untold, schema)] if is_list(schema) else schema


def _references(schema: Any) -> Iterator[str]:
    inner: Any = schema.values() if is_mapping(schema) else schema if is_list(schema) else ()
    if is_mapping(schema) and isinstance(ref := schema.get("$ref"), str):
        yield ref
    for item in inner:
        yield from _references(item)


def _fits(schema: Schema, form: Any) -> bool:
    types = schema.get("type", ())
    if types and ("object" if is_dict(form) else "array") not in ([types] if isinstance(types, str) else types):
        return False
    if not is_dict(form):
        return True
    return all(
        any(json_equal(form[key], one) for one in values)
        for key, inner in schema.get("properties", {}).items()
        if key in form and (values := _values(inner))
    )


def _values(schema: Any) -> list[Any]:
    """The values that a schema lists, if it does."""
    if not is_mapping(schema):
        return []
    return [schema["const"]] if "const" in schema else schema.get("enum", [])


def _of_key(applied: list[Schema], key: str) -> list[Any]:
    """The schemas of the value of a key."""
    named = [schema["properties"][key] for schema in applied if key in schema.get("properties", ())]
    return named or [more for schema in applied if (more := schema.get("additionalProperties", False)) is not False]


def _of_item(applied: list[Schema], place: int) -> list[Any]:
    """The schemas of an item of a list."""
    first = [schema["prefixItems"][place : place + 1] for schema in applied if "prefixItems" in schema]
    return [*(one for found in first for one in found)] or [schema["items"] for schema in applied if "items" in schema]


def _is_closed(applied: list[Schema]) -> bool:
    """Whether an object has no keys but those that are named."""
    return any("properties" in schema or schema.get("additionalProperties") is False for schema in applied)


def _as_set(form: Any, applied: list[Schema]) -> Any:
    if not is_list(form) or not any(schema.get("uniqueItems") for schema in applied):
        return form
    found: dict[object, object] = {}
    for place, item in enumerate(form):
        try:
            found.setdefault(freeze(item), item)
        except Unfreezable:
            found[place, shown] = item
    return Bag(found.values())

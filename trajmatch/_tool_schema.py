"""What the JSON Schema of a tool says of its arguments: defaults, lists that are sets, and which keys there are.

Keywords are those of JSON Schema 2020-12 (https://json-schema.org/draft/2020-12). Of `anyOf` and `oneOf` the
alternative counts that alone fits a value, by its type and its keys of one value; where several fit, nothing is said.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, cast

from trajmatch._comparison import Comparison
from trajmatch._json_form import SCALARS, Bag, Budget, is_dict, is_list, json_form, with_text_keys
from trajmatch._paths import ABSENT, Path
from trajmatch._shown import shown
from trajmatch._subschemas import (
    Schema,
    by_key,
    fits,
    in_json_schema,
    is_closed,
    is_set,
    listed,
    of_item,
    of_key,
    rebuilt,
    subschemas,
    untold,
)
from trajmatch._tool_faults import faults, kind_of, validator_of
from trajmatch._values import Unfreezable, freeze

__all__ = ["ToolSchema"]

_CONDITIONS = frozenset({"if", "dependentSchemas", "dependencies", "patternProperties", "$dynamicRef", "$recursiveRef"})
"""What may add keys in a way that is not followed here."""


class ToolSchema:
    """The schema of the arguments of one tool.

    Raises:
        ValueError: It is no JSON Schema, or refers to something that is not in it.
    """

    def __init__(self, schema: Schema) -> None:
        from jsonschema.exceptions import SchemaError
        from referencing import Registry

        self._given = schema
        self._schema: Schema = rebuilt(schema, in_json_schema)
        self._kind = kind_of(schema)
        try:
            self._kind.check_schema(self._schema, format_checker=None)  # patterns may be of another language
        except SchemaError as error:
            raise ValueError(error.message) from error
        self._registry = Registry[Any]()  # an empty one, which never asks the network
        self._validators: dict[bool, Any] = {}
        self._targets: dict[int, Any] = {}
        self._known = self._found()
        self._endless: set[int] = set()
        self._endless |= {at for at, inner in self._known.items() if "default" in inner and not self._ends(inner)}

    def __reduce__(self) -> tuple[object, ...]:
        return ToolSchema, (self._given,)

    def _found(self) -> dict[int, Schema]:
        """The schema, those within and those that they refer to, each by its `id`; where they refer to is kept.

        Raises:
            ValueError: Something refers to what is not there.
        """
        from referencing.exceptions import Unresolvable
        from referencing.jsonschema import DRAFT202012, specification_with

        draft = specification_with(self._kind.ID_OF(self._kind.META_SCHEMA), default=DRAFT202012)
        known: dict[int, Schema] = {}
        pending: list[tuple[Any, Any]] = [
            (self._schema, self._registry.resolver_with_root(draft.create_resource(self._schema)))
        ]
        while pending:
            schema, resolver = pending.pop()
            if not is_dict(schema) or id(schema) in known:
                continue
            known[id(schema)] = schema
            if isinstance(ref := schema.get("$ref"), str):
                try:
                    target = resolver.lookup(ref)
                except (Unresolvable, ValueError, TypeError) as error:
                    raise ValueError(f"it refers to {ref!r}, which is not in it") from error
                self._targets[id(schema)] = target.contents
                pending.append((target.contents, target.resolver))
            inner = [one for one in subschemas(schema) if is_dict(one)]
            pending += [(one, resolver.in_subresource(draft.create_resource(one))) for one in inner]
        return known

    def _ends(self, schema: Schema) -> bool:
        """Whether the default of a schema has an end when the defaults inside it are filled in."""
        try:
            self._changed(schema["default"], [schema], self._with_defaults, Budget())
        except (ValueError, RecursionError):
            return False
        return True

    @cached_property
    def matters(self) -> bool:
        """Whether it says something of how arguments compare."""
        return any("default" in schema or is_set(schema) for schema in self._known.values())

    @property
    def text(self) -> str:
        """The schema in short: eight digits of the SHA-256 of what it says to a machine."""
        from hashlib import sha256

        return sha256(json.dumps(rebuilt(self._schema, untold), sort_keys=True).encode()).hexdigest()[:8]

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
                key: item if type(item) in SCALARS else self._changed(item, of_key(applied, key), change, budget)
                for key, item in fields.items()
            }
        items = [self._changed(item, of_item(applied, at), change, budget) for at, item in enumerate(form)]
        return change(type(form)(items), applied)

    def _with_defaults(self, form: Any, applied: list[Schema]) -> Any:
        if not is_dict(form):
            return form
        given = with_text_keys(form)
        more = {
            key: default
            for schema in applied
            for key, inner in by_key(schema, "properties").items()
            if key not in given and (default := self._default(inner)) is not ABSENT
        }
        return {**given, **more}

    def _default(self, schema: object) -> object:
        """The default of a key, where its schema or what that refers to has one."""
        for inner in self._flat([schema]):
            if "default" in inner and id(inner) not in self._endless:
                return inner["default"]
        return ABSENT

    def _flat(self, schemas: list[Any]) -> list[Schema]:
        """These schemas, those that they refer to and those that they are made of."""
        flat: dict[int, Schema] = {}
        pending = deque(schemas)
        while pending:
            schema = pending.popleft()
            if is_dict(schema) and id(schema) not in flat:
                flat[id(schema)] = schema
                pending += [self._targets.get(id(schema)), *listed(schema, "allOf")]
        return [*flat.values()]

    def _applied(self, form: object, schemas: list[Any]) -> tuple[list[Schema], bool]:
        """The schemas that hold for a value, and whether these are all."""
        applied, decided = self._flat(schemas), True
        for schema in applied:  # which grows
            for word in ("anyOf", "oneOf"):
                if choices := listed(schema, word):
                    fitting = [choice for choice in choices if self._admits(choice, form)]
                    decided = decided and len(fitting) == 1
                    if len(fitting) == 1:
                        applied += [new for new in self._flat(fitting) if not any(new is old for old in applied)]
        return applied, decided and not any(_CONDITIONS & schema.keys() for schema in applied)

    def _admits(self, choice: object, form: object) -> bool:
        """Whether a value may be meant by an alternative."""
        return choice is not False and all(fits(schema, form) for schema in self._flat([choice]))

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
        closed = decided and is_dict(form) and is_closed(applied)
        inner = with_text_keys(form).items() if is_dict(form) else enumerate(form)
        for key, item in inner:
            of_inner = of_key(applied, key) if isinstance(key, str) else of_item(applied, key)
            if closed and not of_inner:
                yield (*path, key), [name for schema in applied for name in by_key(schema, "properties")]
            yield from self._invented((*path, key), item, of_inner, budget)

    def faults(self, arguments: object, *, whole: bool, compared: Callable[[Any], Any]) -> list[str]:
        """Say where expected arguments are not as the schema asks; values that decide for themselves may be anything.

        Args:
            arguments: The arguments.
            whole: They are compared as a whole, so that required keys must be there.
            compared: Gives what is compared of them, in the types of JSON.
        """
        if whole not in self._validators:
            patterned = any("patternProperties" in schema for schema in self._known.values())
            self._validators[whole] = validator_of(
                self._kind, self._schema, self._registry, whole=whole, patterned=patterned
            )
        return faults(self._validators[whole], arguments, compared)


_PLAINLY = Comparison()


def _as_set(form: Any, applied: list[Schema]) -> Any:
    if not is_list(form) or not any(map(is_set, applied)):
        return form
    found: dict[object, object] = {}
    for place, item in enumerate(form):
        try:
            found.setdefault(_key(item), item)
        except Unfreezable:
            found[place, shown] = item
    return Bag(found.values())


def _key(item: object) -> object:
    """A key of an item, in which there may be sets."""
    try:
        return freeze(item)
    except Unfreezable:
        return _PLAINLY.key({"": item}, "actual")

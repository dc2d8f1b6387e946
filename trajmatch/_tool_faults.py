"""Arguments beside a JSON Schema: where they are not as it asks.

jsonschema looks, but for patterns, which run in an engine that can be stopped. Where a look takes too long, nothing is
said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import lru_cache, partial
from typing import Any, cast

from trajmatch._json_form import Budget, is_dict
from trajmatch._paths import path_text
from trajmatch._patterns import TIMEOUT
from trajmatch._stored import plain
from trajmatch._subschemas import Schema
from trajmatch._values import all_plain

__all__ = ["faults", "kind_of", "validator_of"]

Word = Callable[[Any, Any, Any, Any], Any]
"""What jsonschema calls for a word of a schema: with the validator, the value of the word, a value, the schema."""

_OF_KEYS = frozenset({"required", "additionalProperties", "unevaluatedProperties", "dependentRequired"})
"""What looks at keys alone, whatever their values are."""
_OF_ALL_KEYS = ("required", "minProperties", "dependentRequired", "dependencies", "not", "if")
"""What asks for keys, or may turn on which there are; an expectation need not name all."""
_TOO_LONG = 30_000
"""A pattern that takes too long counts as so many words."""
_work: ContextVar[Budget] = ContextVar("work")


def kind_of(schema: Schema) -> Any:
    """Give the class that validates by the draft which a schema names, or by the newest.

    Raises:
        ValueError: What it names is no text.
    """
    from jsonschema.validators import Draft202012Validator, validator_for

    if not isinstance(draft := schema.get("$schema", ""), str):
        raise ValueError(f"its $schema is {draft!r}")
    return validator_for(schema, default=Draft202012Validator)


def validator_of(kind: Any, schema: Schema, registry: Any, *, whole: bool, patterned: bool) -> Any:
    """Give what validates by a schema.

    Args:
        kind: The class of its draft.
        schema: The schema.
        registry: Where references lead.
        whole: For whole arguments; if not, it asks for no key, and of `oneOf` several may fit.
        patterned: It has patterns for keys; then it does not say which are left over by `unevaluatedProperties`.
    """
    return _extended(kind, whole, patterned)(schema, registry=registry)


def faults(validator: Any, arguments: object, compared: Callable[[Any], Any]) -> list[str]:
    """Say where arguments are not as a schema asks; values that decide for themselves may be anything.

    Args:
        validator: What validates.
        arguments: The arguments.
        compared: Gives what is compared of them, in the types of JSON.
    """
    token = _work.set(Budget())
    try:
        form = compared(plain(arguments, lambda value: value, 100_000))
        return [_fault(error) for error in validator.iter_errors(form) if _is_known(error)]
    except Exception:  # it takes too long, is nested too deep, or a value raises when somebody looks at it
        return []
    finally:
        _work.reset(token)


@lru_cache
def _extended(kind: Any, whole: bool, patterned: bool) -> Any:
    from jsonschema import validators

    words: dict[str, Word] = {**kind.VALIDATORS, "pattern": _pattern, "patternProperties": _pattern_properties}
    words["additionalProperties"] = partial(_additional_properties, words["additionalProperties"])
    if patterned:
        words["unevaluatedProperties"] = _no_error
    if not whole:
        words |= {**dict.fromkeys(_OF_ALL_KEYS, _no_error), "oneOf": words.get("anyOf", _no_error)}
    return cast("Any", validators).extend(kind, {word: partial(_counted, look) for word, look in words.items()})


def _counted(look: Word, validator: Any, value: Any, instance: Any, schema: Any) -> Any:
    _work.get().spend()
    return look(validator, value, instance, schema)


def _no_error(*args: object) -> tuple[()]:
    return ()


def _pattern(validator: Any, pattern: Any, instance: Any, schema: Any) -> Iterator[Any]:
    from jsonschema.exceptions import ValidationError

    if isinstance(instance, str) and _found(pattern, instance) is False:
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Any, instance: Any, schema: Any) -> Iterator[Any]:
    for pattern, inner in patterns.items() if is_dict(instance) else ():
        for key, value in instance.items():
            if _found(pattern, key):
                yield from validator.descend(value, inner, path=key, schema_path=pattern)


def _additional_properties(look: Word, validator: Any, value: Any, instance: Any, schema: Any) -> Any:
    """Look at the keys for which no pattern stands, so that jsonschema does not search for patterns by itself."""
    patterns = schema.get("patternProperties")
    if not patterns or not is_dict(instance):
        return look(validator, value, instance, schema)
    rest = {word: inner for word, inner in schema.items() if word != "patternProperties"}
    left = {key: item for key, item in instance.items() if all(_found(pattern, key) is False for pattern in patterns)}
    return look(validator, value, left, rest)


def _found(pattern: str, text: str) -> bool | None:
    """Whether a text holds what a pattern describes; `None` where the engine does not know it, or takes too long."""
    import regex

    try:
        return regex.search(pattern, text, timeout=TIMEOUT) is not None
    except TimeoutError:
        _work.get().spend(_TOO_LONG)
    except regex.error:
        pass
    return None


def _is_known(error: Any) -> bool:
    """Whether an error is none of a value that decides for itself."""
    return error.validator in _OF_KEYS or all_plain([error.instance])


def _fault(error: Any) -> str:
    """The error, or of alternatives the one that comes closest."""
    from jsonschema import exceptions

    inmost = cast("Any", exceptions).best_match([error])
    return f"{path_text(tuple(inmost.absolute_path)) or 'the arguments'}: {inmost.message}"

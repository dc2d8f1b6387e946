"""The columns of a table that a scorer needs, and what they may be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from trajmatch._paths import Path, parse_path, path_text
from trajmatch.batch._pyarrow import needs
from trajmatch.batch._scorer import Scorer
from trajmatch.errors import OptionError

__all__ = ["Needed", "needed_columns"]

Needed: TypeAlias = dict[str, bool]
"""The names of columns, and whether a text there is JSON of which a part is wanted."""

_SIDES = ("actual", "expected")
_ARGUMENTS = frozenset(
    ("args", "arguments", "input", "inputs", "parameters", "rawInput", "raw_input", "tool_arguments", "tool_input")
)
"""The keys under which formats hold the arguments of a call."""


def needed_columns(schema: Any, scorer: Scorer) -> Needed:
    """Give the columns at which the key paths of a scorer begin; there may be none for the default id.

    Raises:
        OptionError: A column or a field is not there, or there twice; or it is a map, or holds arguments as a struct.
            In Arrow, all objects of a column have the same keys, and values of one type under each: what the arguments
            were cannot be told.
    """
    needed: Needed = {}
    for option, path in _paths(scorer).items():
        name = str(path[0])
        if name not in schema.names and (option, path) == ("id", ("id",)):
            continue
        _check(schema, option, path)
        needed[name] = needed.get(name, False) or len(path) > 1
    return needed


def _paths(scorer: Scorer) -> dict[str, Path]:
    given = {name: getattr(scorer, name) for name in (*_SIDES, "id", "group")}
    return {name: parse_path(path, name) for name, path in given.items() if path is not None}


def _check(schema: Any, option: str, path: Path) -> None:
    name = str(path[0])
    if (times := schema.names.count(name)) != 1:
        what = f"there are {times} columns {name!r}" if times else f"there is no column {name!r}"
        raise OptionError(f"{option}: {what}; there are {_listed(schema.names)}", option=option, value=name)
    found = _at(schema.field(name).type, option, path)
    lossy = next(_lossy(found, path_text(path)), None) if option in _SIDES else None
    if lossy:
        text = f"{option}: {lossy}, in which arguments are not kept as they were; store the column as JSON text"
        raise OptionError(text, option=option, value=path_text(path))


def _at(kind: Any, option: str, path: Path) -> Any:
    """The type at a path."""
    types = needs().types
    for place, segment in enumerate(path[1:], 1):
        kind = _plain(kind)
        if types.is_struct(kind):
            names = [field.name for field in kind]
            if str(segment) not in names:
                text = f"{option}: there is no field {str(segment)!r} in {path_text(path[:place])}"
                raise OptionError(f"{text}; there are {_listed(names)}", option=option, value=path_text(path))
            kind = kind.field(names.index(str(segment))).type
        elif kind.num_fields == 1 and not types.is_map(kind):  # a list of some kind
            kind = kind.field(0).type
    return kind


def _lossy(kind: Any, place: str, in_arguments: bool = False) -> Iterator[str]:
    """Say where in a type objects are, whose keys are those of a call's arguments, or of a map."""
    types, kind = needs().types, _plain(kind)
    if types.is_map(kind):
        yield f"{place} is a map"
    elif in_arguments and types.is_struct(kind):
        yield f"{place} is a struct"
    else:
        for field in map(kind.field, range(kind.num_fields)):
            inner = f"{place}.{field.name}" if types.is_struct(kind) else place
            yield from _lossy(field.type, inner, in_arguments or field.name in _ARGUMENTS)


def _plain(kind: Any) -> Any:
    """The type of the values, however they are encoded."""
    types = needs().types
    if isinstance(kind, needs().BaseExtensionType):
        return _plain(kind.storage_type)
    return _plain(kind.value_type) if types.is_dictionary(kind) or types.is_run_end_encoded(kind) else kind


def _listed(names: list[str]) -> str:
    return ", ".join(map(repr, names)) or "none"

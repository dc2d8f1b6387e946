"""The data form of expected calls, rules and runs, as types of which pydantic gives the JSON Schema.

They say to editors what the readers of this library take; what is read goes through these readers, whose errors name
the nearest word. This module is imported when pydantic asks for the schema of a type of this library.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Union, cast, get_type_hints

import typing_extensions
from pydantic import ConfigDict, Field

from trajmatch._argument_rule import ArgumentRuleData, Tolerance
from trajmatch._model import Kind, Status
from trajmatch._rules import RuleName
from trajmatch._schema import StoredTrajectory

__all__ = ["AnyRule", "Expected", "Rule", "StoredTrajectory", "Structure"]

_NotRequired: Any = typing_extensions.NotRequired


def _object(name: str, needed: dict[str, Any], more: dict[str, Any]) -> Any:
    """An object that has these keys, may have more, and has no others."""
    fields = needed | {key: _NotRequired[kind] for key, kind in more.items()}
    form = cast("Any", typing_extensions.TypedDict)(name, fields)
    form.__pydantic_config__ = ConfigDict(extra="forbid")
    return form


_Limit = Annotated[float, Field(ge=0)]
Rule = _object(
    "ArgumentRule",
    {},
    get_type_hints(ArgumentRuleData)
    | {"tolerance": _Limit | _object("Tolerance", {}, dict.fromkeys(get_type_hints(Tolerance), _Limit))},
)
_KeyPath = str | Annotated[list[str | int], Field(min_length=1)]
AnyRule: Any = RuleName | Annotated[list[_KeyPath], Field(min_length=1)] | Rule

Value: Any = cast("Any", typing_extensions.TypeAliasType)(
    "Value", "bool | float | str | list[Value] | _Operator | _Values | None"
)
_Values = Annotated[dict[str, Value], Field(json_schema_extra={"propertyNames": {"pattern": r"^([^$]|\$\$|$)"}})]
_Several = Annotated[list[Value], Field(min_length=1)]
_Type = Literal["string", "number", "integer", "boolean", "object", "array", "null"]
_OPERANDS: dict[str, Any] = {
    "$any": Literal[True],
    "$regex": str,
    "$approx": float,
    "$one_of": _Several,
    "$type": _Type | Annotated[list[_Type], Field(min_length=1)],
    "$contains": Value,
    "$starts_with": str,
    "$gt": float | str,
    "$gte": float | str,
    "$lt": float | str,
    "$lte": float | str,
    "$not": Value,
    "$all": _Several,
}
_BESIDE: dict[str, dict[str, Any]] = {"$approx": {"abs": _Limit, "rel": _Limit}}
_Operator: Any = Union[  # noqa: UP007 - of a tuple
    tuple(_object(name[1:], {name: operand}, _BESIDE.get(name, {})) for name, operand in _OPERANDS.items())
]

_Name = Annotated[str, Field(min_length=1)]
_Arguments = _Values | str | None
_More: dict[str, Any] = {"id": Any, "kind": Kind | None, "status": Status | None, "type": Any}
_Call = _object(
    "Call",
    {"name": _Name},
    {"arguments": _Arguments, "args": _Arguments, "raw_arguments": str | None, "result": Any, "rule": AnyRule | None}
    | _More,
)
_Function = _object("Function", {"name": _Name}, {"arguments": _Arguments, "args": _Arguments, "input": _Arguments})
_Custom = _object("Custom", {"name": _Name}, {"input": _Arguments})
_Wire: Any = Union[  # noqa: UP007 - of a tuple
    tuple(
        _object(name, {word: held}, _More | {"index": Any})
        for name, word, held in (("FunctionCall", "function", _Function), ("CustomCall", "custom", _Custom))
    )
]
Expected: Any = _Name | _Call | _Wire
"""One expected call."""

_Element: Any = cast("Any", typing_extensions.TypeAliasType)("Element", "_Name | _Call | _Wire | Structure")
_Needed: Any = cast("Any", typing_extensions.TypeAliasType)("Needed", "_Name | _Call | _Wire | _Asking")
_Elements = list[_Element]
_Calls = Annotated[list[Expected], Field(min_length=2)]
_Step: Any = _object("Step", {"step": _Name, "call": _Needed}, {"after": list[_Name] | _Name})
_Count: Any = Annotated[int, Field(ge=0)]
_Upper: Any = Annotated[int, Field(ge=1)]
_PARTS: dict[str, tuple[Any, dict[str, Any]]] = {
    "seq": (_Elements, {}),
    "any_order": (_Elements, {}),
    "optional": (_Needed, {}),
    "one_of": (Annotated[list[_Needed], Field(min_length=1)], {}),
    "repeat": (_Needed, {"min": _Count, "max": _Upper | None}),
    "forbidden": (Expected, {}),
    "batched": (_Calls, {}),
    "plan": (cast("Any", list)[_Step], {}),
}
_KINDS = {kind: _object(kind.title().replace("_", ""), {kind: part}, beside) for kind, (part, beside) in _PARTS.items()}
_Asking: Any = Union[tuple(form for kind, form in _KINDS.items() if kind != "forbidden")]  # noqa: UP007 - of a tuple
Structure: Any = _Asking | _KINDS["forbidden"]

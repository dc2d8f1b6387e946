"""Structures: expectations that are more than one list of calls.

A structure says which calls are needed, in which order, and what may be there or not. Its parts are calls, written as
in any expectation, or other structures. It is a value, with one data form: an object of one key that names its kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from trajmatch._access import is_mapping
from trajmatch._data_hook import DataForm
from trajmatch._model import ToolCall
from trajmatch._plan_order import Step
from trajmatch._shown import shown
from trajmatch._written import call_data

__all__ = ["KINDS", "Element", "Structure", "StructureKind", "Written", "calls_in", "is_structure"]

StructureKind = Literal["seq", "any_order", "optional", "one_of", "repeat", "forbidden", "batched", "plan"]
KINDS: tuple[StructureKind, ...] = get_args(StructureKind)
_HISTORY = ("messages", "output", "role")
"""Keys of what is no structure, whatever stands beside them."""


@dataclass(frozen=True, slots=True, repr=False)
class Structure:
    """An expectation of several calls; made by `seq`, `any_order`, `optional`, `one_of`, `repeat`, `plan` and the like.

    Attributes:
        kind: What it says of its parts.
        parts: Calls, and other structures.
        least: How often the part of a `repeat` must be there.
        most: How often it may be; `None` for any number.
        steps: The places of the parts of a `plan`.
        depth: How deep it is nested; 1 for calls alone.
        size: How many parts it has, with theirs.
    """

    kind: StructureKind
    parts: tuple[Element, ...]
    least: int = 1
    most: int | None = 1
    steps: tuple[Step, ...] = ()
    depth: int = field(init=False, compare=False)
    size: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        inner = [part for part in self.parts if isinstance(part, Structure)]
        object.__setattr__(self, "depth", 1 + max((part.depth for part in inner), default=0))
        object.__setattr__(self, "size", 1 + len(self.parts) + sum(part.size for part in inner))

    def to_data(self) -> dict[str, Any]:
        """Give the structure as data, which reads as the same.

        Raises:
            ConversionError: A value or a rule in it has no data form.

        >>> seq("search", repeat("book", max=2)).to_data()
        {'seq': ['search', {'repeat': 'book', 'min': 1, 'max': 2}]}
        """
        parts = [part.to_data() if isinstance(part, Structure) else call_data(part) for part in self.parts]
        if self.kind == "plan":
            steps = zip(self.steps, parts, strict=True)
            return {"plan": [{"step": name, "call": part, "after": [*after]} for (name, after), part in steps]}
        if self.kind == "repeat":
            return {"repeat": parts[0], "min": self.least, "max": self.most}
        return {self.kind: parts[0] if self.kind in ("optional", "forbidden") else parts}

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        """Let pydantic take a structure as it is, or as data, and write it as data."""
        from trajmatch._elements import read_structure

        return DataForm("Structure", read_structure, cls.to_data).__get_pydantic_core_schema__(source, handler)

    @staticmethod
    def is_written(given: object) -> bool:
        """Say whether something is a structure, or one as data."""
        return is_structure(given)

    def __repr__(self) -> str:
        written = [*map(_part_text, self.parts)]
        if self.kind == "plan":
            written = [
                f"step({name!r}, {part}" + (f", after={[*after]!r})" if after else ")")
                for (name, after), part in zip(self.steps, written, strict=True)
            ]
        if self.kind == "repeat":
            written += [f"min={shown(self.least)}", f"max={shown(self.most)}"]
        return f"{self.kind}({', '.join(written)})"


def _part_text(part: Element) -> str:
    return repr(part.name if isinstance(part, ToolCall) and part == ToolCall(part.name) else part)


Element = ToolCall | Structure
Written = str | Mapping[str, Any] | ToolCall | Structure
"""An element as it may be written: a name, a call, a structure, or one of these as data."""


def is_structure(written: object) -> bool:
    """Say whether something is a structure, or one as data; a message, or the state of a run, may hold such a key."""
    if isinstance(written, Structure) or not is_mapping(written):
        return isinstance(written, Structure)
    return written.keys().isdisjoint(_HISTORY) and not written.keys().isdisjoint(KINDS)


def calls_in(element: Element) -> Iterator[ToolCall]:
    """Give the calls of a structure, in the order in which they are written."""
    if isinstance(element, ToolCall):
        yield element
    else:
        for part in element.parts:
            yield from calls_in(part)

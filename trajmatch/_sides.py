"""The two sides of a match, from what a caller hands over."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeGuard, cast

from trajmatch._beside import alone
from trajmatch._calls import CALL_WORDS, expected_calls, is_call, one_call_refused, one_name_refused, read_calls
from trajmatch._data_hook import DataForm
from trajmatch._elements import read_structure, refuse_misspelt, seq
from trajmatch._model import ToolCall
from trajmatch._recognise import skimmed, to_trajectory
from trajmatch._shown import shown
from trajmatch._stored import is_stored
from trajmatch._structure import Structure, is_structure
from trajmatch._trajectory import Trajectory
from trajmatch._written import call_data
from trajmatch.errors import ConversionError
from trajmatch.reading import is_mapping, listed, messages_in

__all__ = [
    "AnyOf",
    "Expectation",
    "ExpectedCall",
    "actual_side",
    "any_of",
    "as_structure",
    "holds_structure",
    "is_any_of",
    "to_expectation",
]


_List: type[list[object]] = list
_DEEPEST = 50
"""`any_of` is nested so deep at most."""
_MOST = 10_000
"""It has so many alternatives at most, with those inside."""


def actual_side(history: object) -> Trajectory:
    """Read what an agent did: a history, or a list of calls.

    Raises:
        ConversionError: It cannot be read; a list of names, which says too little.
    """
    if run := skimmed(history):
        return run
    with _named("actual"):
        if isinstance(history, (Structure, AnyOf)):
            raise ConversionError("a structure says what is expected; the run comes first: match(run, structure)")
        run = to_trajectory(history)
        for index in run.columns.own_rules:
            raise ConversionError(f"call {index} has a rule of its own, which belongs to an expected call", index=index)
        return run


@dataclass(frozen=True, slots=True, repr=False)
class AnyOf:
    """Several whole expectations, of which one is to be met; made by `any_of`."""

    references: tuple[Expectation, ...]
    depth: int = field(init=False, compare=False)
    size: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        inner = [one for one in self.references if isinstance(one, AnyOf)]
        object.__setattr__(self, "depth", 1 + max((one.depth for one in inner), default=0))
        object.__setattr__(self, "size", len(self.references) + sum(one.size for one in inner))

    def __repr__(self) -> str:
        return f"any_of({', '.join(map(repr, self.references))})"


Expectation = Trajectory | Structure | AnyOf


def holds_structure(expected: Expectation) -> bool:
    """Say whether an expectation is a structure, or some alternative is one."""
    if isinstance(expected, AnyOf):
        return any(map(holds_structure, expected.references))
    return isinstance(expected, Structure)


def as_structure(expected: Expectation) -> Structure | AnyOf:
    """Give an expectation as a structure, in which a list of calls is a `seq`."""
    if isinstance(expected, AnyOf):
        return AnyOf(tuple(map(as_structure, expected.references)))
    return expected if isinstance(expected, Structure) else seq(*expected.calls)


def any_of(*references: object) -> AnyOf:
    """Several whole expectations, of which a run is to meet one; never half of one and half of another.

    Args:
        references: Each whatever an expectation may be: a list of calls, a structure, a history.

    Raises:
        ConversionError: There is none, one cannot be read, or one only forbids.

    >>> match([call("search"), call("book")], any_of(["book"], ["search", "book"]))
    exact: PASS; 2 paired; any_of[1] is met best; F1 of [0] is 0.667
    """
    if not references:
        raise ConversionError("any_of: there is nothing to choose from")
    read = [to_expectation(one, side=f"any_of[{at}]") for at, one in enumerate(references)]
    inner = [one for one in read if isinstance(one, AnyOf)]
    if any(one.depth >= _DEEPEST for one in inner) or len(read) + sum(one.size for one in inner) > _MOST:
        raise ConversionError(f"any_of: at most {_MOST:,} alternatives, nested at most {_DEEPEST} deep")
    for at, one in enumerate(read):
        if isinstance(one, Structure) and one.kind == "forbidden":
            raise ConversionError(
                f"any_of[{at}]: who does nothing at all meets what only forbids; write it into each alternative, as in "
                "seq(..., forbidden(...))"
            )
    return AnyOf(tuple(read))


def is_any_of(written: object) -> TypeGuard[Mapping[str, Any]]:
    """Say whether something is `any_of` as data."""
    return is_mapping(written) and [*written] == ["any_of"]


def to_expectation(expected: object, *, side: str = "expected") -> Expectation:
    """Read what an agent should have done, as `match` does: names, calls, dicts, a structure, or a whole history.

    In a list of calls, what is written as data becomes an operator, a rule or a call.

    Args:
        expected: The expectation.
        side: What it is called in errors.

    Raises:
        ConversionError: It cannot be read; the text names the side, and says what to write instead.

    >>> to_expectation(["search", {"name": "pay", "arguments": {"amount": {"$lte": 10}}}]).calls
    (ToolCall('search'), ToolCall('pay', {'amount': {'$lte': 10}}))
    """
    if isinstance(expected, (Trajectory, AnyOf)):
        return expected
    if run := skimmed(expected):
        return run
    with _named(side):
        if is_any_of(expected):
            if not isinstance(cast("object", expected["any_of"]), (list, tuple)):
                raise ConversionError(f"any_of: a list is needed, got {shown(expected['any_of'])}")
            return any_of(*listed(expected["any_of"]))
        if is_structure(expected):
            return read_structure(expected)
        refuse_misspelt(expected)
        if is_stored(expected):
            return to_trajectory(expected)
        items = messages_in(one_call_refused(one_name_refused(expected)))
        _refuse_expectations(items)
        if any(isinstance(item, str) or is_call(item) for item in items):
            return Trajectory(calls=expected_calls(items))
        try:
            return alone(expected, to_trajectory(items))
        except ConversionError as error:
            refused = error
        if refused.index is not None and _is_nearly_call(items[refused.index]):
            read_calls(items)  # says what is wrong with the call
        raise refused


def _refuse_expectations(items: list[object]) -> None:
    """Refuse what is no list of calls or messages, but of expectations.

    Raises:
        ConversionError: It is; with what to write instead.
    """
    if items and all(type(item) is _List and all(map(_is_expected, item)) for item in items):
        raise ConversionError(
            "a list of lists; for one expectation for each turn say per_turn=True, for alternatives any_of(...)"
        )
    if any(map(is_structure, items)):
        raise ConversionError("a list holds calls alone; with structures in it, write seq(...) or {'seq': [...]}")


def _is_expected(item: object) -> bool:
    """Whether this may stand in a list of expected calls."""
    return isinstance(item, str) or is_call(item) or is_structure(item)


def _one_expected(written: object) -> ToolCall:
    """Read one expected call.

    Raises:
        ConversionError: It is none.
    """
    return expected_calls([written])[0]


ExpectedCall = Annotated[ToolCall, DataForm("Expected", _one_expected, call_data)]
"""The type of an expected call for the fields of pydantic models: they take a name, a `ToolCall` or a dict, as an
expectation does, write it as data, and give its JSON Schema."""


@contextmanager
def _named(side: str) -> Generator[None]:
    """Say in errors which side cannot be read."""
    try:
        yield
    except ConversionError as error:
        error.args = (f"{side}: {error}",)
        raise
    except RecursionError:
        raise ConversionError(f"{side}: it is nested too deep, or holds itself") from None


def _is_nearly_call(item: object) -> bool:
    if is_mapping(item):
        return item.get("role") is None and any(item.get(key) is not None for key in CALL_WORDS)
    return type(item) is tuple

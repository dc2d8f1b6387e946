"""The elements of structures: functions that make them, and their data form.

An element is written as a call in any expectation, as another structure, or as data: an object of one key that names
the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, cast

from trajmatch._access import is_mapping
from trajmatch._calls import CALL_WORDS, expected_calls
from trajmatch._model import ToolCall
from trajmatch._nearest import choose, did_you_mean
from trajmatch._plan_order import Step, check_order
from trajmatch._shown import shown
from trajmatch._structure import KINDS, Element, Structure, StructureKind, Written, is_structure
from trajmatch.errors import ConversionError

__all__ = [
    "any_order",
    "batched",
    "forbidden",
    "one_of",
    "optional",
    "plan",
    "read_structure",
    "refuse_misspelt",
    "repeat",
    "seq",
    "step",
]

_DEEPEST = 50
"""Structures are nested so deep at most."""
_LARGEST = 300_000
"""A structure has so many parts at most."""
_LONG = 300
"""An error that is so long says no more where it is."""


def _element(written: object, where: str) -> Element:
    if isinstance(written, list):
        raise ConversionError(f"{where}: a list where one call is meant; write seq(...), or take off the brackets")
    try:
        if is_structure(written):
            return read_structure(written)
        refuse_misspelt(written)
        return expected_calls([written])[0]
    except ConversionError as error:
        text = str(error).removeprefix("call 0: ")
        error.args = (f"{where}: {text}" if len(text) < _LONG else text,)
        raise
    except RecursionError:
        raise ConversionError(f"{where}: it is nested too deep, or holds itself") from None


def refuse_misspelt(written: object) -> None:
    """Refuse an object of one key that is nearly the word for a structure.

    Raises:
        ConversionError: It is one.
    """
    if not is_mapping(written) or len(written) != 1 or (key := next(iter(written))) in CALL_WORDS:
        return
    words = (*KINDS, "any_of")
    if key not in words and (hint := did_you_mean(key, words)):
        raise ConversionError(f"{shown(key)} is no structure{hint}; there are {choose(words)}")


def _elements(kind: StructureKind, written: Iterable[object]) -> tuple[Element, ...]:
    return _not_deep(kind, tuple(_element(part, f"{kind}[{at}]") for at, part in enumerate(written)))


def _not_deep(kind: StructureKind, parts: tuple[Element, ...]) -> tuple[Element, ...]:
    inner = [part for part in parts if isinstance(part, Structure)]
    if any(part.depth >= _DEEPEST for part in inner):
        raise ConversionError(f"{kind}: structures are nested at most {_DEEPEST} deep")
    if len(parts) + sum(part.size for part in inner) > _LARGEST:
        raise ConversionError(f"{kind}: a structure has at most {_LARGEST:,} parts, with theirs")
    return parts


def _call_alone(kind: StructureKind, parts: tuple[Element, ...]) -> tuple[Element, ...]:
    for part in parts:
        if isinstance(part, Structure):
            raise ConversionError(f"{kind}: it holds calls alone, got {part!r:.80}")
    return parts


def _no_forbidden(kind: StructureKind, parts: tuple[Element, ...]) -> tuple[Element, ...]:
    for part in parts:
        if isinstance(part, Structure) and part.kind == "forbidden":
            raise ConversionError(
                f"{kind}: what is forbidden is so in any case; write it beside, as in "
                f"seq({kind}(...), forbidden(...)), got {part!r:.80}"
            )
    return parts


def seq(*parts: Written) -> Structure:
    """These, in this order.

    >>> match([call("search"), call("book")], seq("search", optional("compare"), "book"))
    structure: PASS, F1 1.000 = 2*2/(2+2); 2 paired
    """
    return Structure("seq", _elements("seq", parts))


def any_order(*parts: Written) -> Structure:
    """These, in any order, also interleaved."""
    return Structure("any_order", _elements("any_order", parts))


def batched(*parts: Written) -> Structure:
    """These calls, made in one parallel batch, in any order.

    Raises:
        ConversionError: Fewer than two, or something else than calls.
    """
    calls = _call_alone("batched", _elements("batched", parts))
    if len(calls) < 2:
        raise ConversionError(f"batched: at least two calls, got {len(calls)}")
    return Structure("batched", calls)


def optional(part: Written) -> Structure:
    """This or nothing: as a whole, where it is a structure.

    Raises:
        ConversionError: It is something that is forbidden.
    """
    return Structure("optional", _no_forbidden("optional", _elements("optional", [part])))


def one_of(*parts: Written) -> Structure:
    """One of these, as a whole.

    Raises:
        ConversionError: There is none, or one that only forbids.
    """
    if not parts:
        raise ConversionError("one_of: there is nothing to choose from")
    return Structure("one_of", _no_forbidden("one_of", _elements("one_of", parts)))


def repeat(part: Written, min: int = 1, max: int | None = None) -> Structure:
    """This several times, one after the other.

    Args:
        part: What is repeated.
        min: How often at least, from 0.
        max: How often at most; any number by default.

    Raises:
        ConversionError: Numbers that are none, or that no number is between.
    """
    for name, number in (("min", min), ("max", max)):
        wrong = not isinstance(cast("object", number), int) or isinstance(number, bool) or cast("int", number) < 0
        if wrong and not (name == "max" and number is None):
            raise ConversionError(f"repeat: {name} is a number from 0, got {shown(number)}")
    if max is not None and (max < min or max == 0):
        raise ConversionError(f"repeat: max is at least 1 and not below min, got min={shown(min)} and max={shown(max)}")
    return Structure("repeat", _no_forbidden("repeat", _elements("repeat", [part])), min, max)


def forbidden(part: Written) -> Structure:
    """A call that must not happen, wherever it is written: any that nothing else in the structure asks for.

    It is one that has all of these arguments, whatever else it has, unless it has a rule of its own. Arguments that
    were not captured, or are no JSON object, could be these.

    Raises:
        ConversionError: It is no call.
    """
    (call,) = _call_alone("forbidden", _elements("forbidden", [part]))
    if isinstance(call, ToolCall) and call.arguments is not None and call.own_rule is None:
        call = call.under("superset")
    return Structure("forbidden", (call,))


class step(NamedTuple):
    """A step of a plan.

    Attributes:
        name: Its name.
        part: What happens in it.
        after: The names of the steps that come before it.
    """

    name: str
    part: Written
    after: Iterable[str] = ()


def plan(*steps: step) -> Structure:
    """Steps in a partial order: each comes after those that it names, and otherwise anywhere.

    Raises:
        ConversionError: A name that is empty, used twice or unknown, or steps that wait for each other.

    >>> trip = plan(step("fly", "flight"), step("stay", "hotel"), step("tell", "notify", after=["fly", "stay"]))
    >>> match([call("hotel"), call("flight"), call("notify")], trip).passed
    True
    """
    for given in steps:
        if not isinstance(cast("object", given), step):
            raise ConversionError(f"plan: it holds steps alone, step(name, call, after=[...]), got {shown(given)}")
    places = [Step(given.name, _names(given)) for given in steps]
    check_order(places)
    parts = tuple(_element(given.part, f"plan: step {shown(given.name)}") for given in steps)
    return Structure("plan", _no_forbidden("plan", _not_deep("plan", parts)), steps=tuple(places))


def _names(given: step) -> tuple[str, ...]:
    if not isinstance(cast("object", given.after), Iterable):
        raise ConversionError(f"plan: step {shown(given.name)} comes after a list of names, got {shown(given.after)}")
    after = [given.after] if isinstance(given.after, str) else [*given.after]
    for name in (given.name, *after):
        if not isinstance(cast("object", name), str) or not name:
            raise ConversionError(f"plan: the name of a step is text, got {shown(name)}")
    return tuple(after)


_BESIDE: dict[str, tuple[str, ...]] = {"repeat": ("min", "max")}
_STEP_KEYS = ("step", "call", "after")


def read_structure(written: object) -> Structure:
    """Read a structure, or one as data: `{"seq": ["search", {"optional": "compare"}]}`.

    Raises:
        ConversionError: It is none; the text says where, and with the nearest word.
    """
    if isinstance(written, Structure):
        return written
    if not is_mapping(written) or len(kinds := [key for key in written if key in KINDS]) != 1:
        raise ConversionError(f"a structure is an object with one of {choose(KINDS)}, got {shown(written)}")
    kind = kinds[0]
    beside = {key: value for key, value in written.items() if key != kind}
    for key in beside:
        if key not in _BESIDE.get(kind, ()):
            raise ConversionError(
                f"{kind}: {shown(key)} cannot stand beside it{did_you_mean(key, _BESIDE.get(kind, ()))}"
            )
    return _READERS[kind](written[kind], beside)


def _listed(kind: str, written: object) -> list[Any]:
    if isinstance(written, (list, tuple)):
        return [*cast("Iterable[Any]", written)]
    raise ConversionError(f"{kind}: a list is needed, got {shown(written)}")


def _steps(written: object) -> Iterator[step]:
    for at, given in enumerate(_listed("plan", written)):
        if is_mapping(given) and not isinstance(given.get("after", ""), (str, list, tuple)):
            raise ConversionError(f"plan[{at}]: 'after' is a list of names, got {shown(given['after'])}")
        if not is_mapping(given) or not {"step", "call"} <= given.keys():
            raise ConversionError(f"plan[{at}]: a step is an object with 'step' and 'call', got {shown(given)}")
        for key in given:
            if key not in _STEP_KEYS:
                raise ConversionError(f"plan[{at}]: {shown(key)} is no key of a step{did_you_mean(key, _STEP_KEYS)}")
        yield step(given["step"], given["call"], given.get("after", ()))


_READERS: dict[str, Callable[[Any, dict[str, Any]], Structure]] = {
    "seq": lambda parts, _: seq(*_listed("seq", parts)),
    "any_order": lambda parts, _: any_order(*_listed("any_order", parts)),
    "batched": lambda parts, _: batched(*_listed("batched", parts)),
    "one_of": lambda parts, _: one_of(*_listed("one_of", parts)),
    "optional": lambda part, _: optional(part),
    "forbidden": lambda part, _: forbidden(part),
    "repeat": lambda part, beside: repeat(part, **beside),
    "plan": lambda steps, _: plan(*_steps(steps)),
}

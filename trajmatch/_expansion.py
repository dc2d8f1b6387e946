"""What a structure may stand for: its expansions, each a set of calls in a partial order.

An expansion settles every choice but two, which the solver weighs: a single call that is optional stays so, and one of
several calls is one place that any of them may take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, product
from typing import NamedTuple

from trajmatch._model import ToolCall
from trajmatch._pairing import bits
from trajmatch._structure import Element, Structure
from trajmatch._work import Work

__all__ = ["Expansion", "Scope", "expansions"]


class Expansion(NamedTuple):
    """One set of calls.

    Attributes:
        calls: The calls, in the order in which they are written; for each, those that may take its place.
        needed: Whether each of them must be there.
        before: For each, the mask of those that must come before it, with those before them.
        group: For each, the place of the first call of its batch, or -1.
        forbidden: The calls that must not happen.
    """

    calls: tuple[tuple[ToolCall, ...], ...] = ()
    needed: tuple[bool, ...] = ()
    before: tuple[int, ...] = ()
    group: tuple[int, ...] = ()
    forbidden: tuple[ToolCall, ...] = ()


class Scope(NamedTuple):
    """What expansions are made for.

    Attributes:
        most: How often an element may be of use: the number of actual calls that it can take a part in.
        work: What may be spent.
    """

    most: Callable[[Element], int]
    work: Work


def expansions(element: Element, scope: Scope) -> Iterator[Expansion]:
    """Give the expansions in the order in which they are written.

    Raises:
        Exhausted: There are too many.
    """
    if isinstance(element, ToolCall):
        return iter([_one((element,))])
    return _EXPANDED[element.kind](element, scope)


def _one(calls: tuple[ToolCall, ...], *, needed: bool = True) -> Expansion:
    return Expansion((calls,), (needed,), (0,), (-1,))


def _choice(element: Element) -> tuple[ToolCall, ...]:
    """The calls of which an element is one; none where it is more than one call."""
    if isinstance(element, ToolCall):
        return (element,)
    each = [_choice(part) for part in element.parts] if element.kind == "one_of" else []
    return tuple(chain.from_iterable(each)) if all(each) else ()


def _joined(parts: Sequence[Expansion], earlier: Sequence[int]) -> Expansion:
    """One expansion of several, of which each comes after those of a mask; the masks are closed."""
    starts, masks, start = list[int](), list[int](), 0
    for part in parts:
        starts.append(start)
        masks.append(((1 << len(part.calls)) - 1) << start)
        start += len(part.calls)
    before = [
        mask << start | above
        for part, start, above in zip(
            parts, starts, (sum(masks[one] for one in bits(mask)) for mask in earlier), strict=True
        )
        for mask in part.before
    ]
    return Expansion(
        tuple(chain.from_iterable(part.calls for part in parts)),
        tuple(chain.from_iterable(part.needed for part in parts)),
        tuple(before),
        tuple(g + start if g >= 0 else g for part, start in zip(parts, starts, strict=True) for g in part.group),
        tuple(chain.from_iterable(part.forbidden for part in parts)),
    )


def _in_any_order(structure: Structure, scope: Scope) -> Iterator[Expansion]:
    return _of_parts(structure, scope, [0] * len(structure.parts))


def _in_order(structure: Structure, scope: Scope) -> Iterator[Expansion]:
    return _of_parts(structure, scope, _line(len(structure.parts), scope))


def _line(count: int, scope: Scope) -> list[int]:
    """For each of so many parts, the mask of those before it."""
    scope.work.spend(count + count * count // 16)
    return [(1 << at) - 1 for at in range(count)]


def _of_parts(structure: Structure, scope: Scope, earlier: Sequence[int]) -> Iterator[Expansion]:
    each = [[*expansions(part, scope)] for part in structure.parts]
    ordered = sum(mask.bit_count() for mask in earlier) // 16
    for parts in product(*each):
        scope.work.spend(1 + sum(len(part.calls) for part in parts) + ordered)
        yield _joined(parts, earlier)


def _planned(structure: Structure, scope: Scope) -> Iterator[Expansion]:
    places = {step.name: at for at, step in enumerate(structure.steps)}
    after = [[places[name] for name in step.after] for step in structure.steps]
    edges, earlier, known = sum(map(len, after)), [0] * len(places), [-1]
    while earlier != known:  # once, where steps are written after those that they name
        scope.work.spend(len(places) + edges + edges * len(places) // 64)
        known = [*earlier]
        for at, named in enumerate(after):
            earlier[at] |= _with_earlier(earlier, named)
    return _of_parts(structure, scope, earlier)


def _with_earlier(earlier: Sequence[int], places: Sequence[int]) -> int:
    """The mask of these places and of those before them."""
    mask = 0
    for place in places:
        mask |= 1 << place | earlier[place]
    return mask


def _batched(structure: Structure, scope: Scope) -> Iterator[Expansion]:
    for whole in _in_any_order(structure, scope):
        yield whole._replace(group=(0,) * len(whole.calls))


def _optional(structure: Structure, scope: Scope) -> Iterator[Expansion]:
    (part,) = structure.parts
    if choice := _choice(part):
        return iter([_one(choice, needed=False)])
    return chain(expansions(part, scope), [Expansion()])


def _one_of(structure: Structure, scope: Scope) -> Iterator[Expansion]:
    if choice := _choice(structure):
        return iter([_one(choice)])
    return chain.from_iterable(expansions(part, scope) for part in structure.parts)


def _repeated(structure: Structure, scope: Scope) -> Iterator[Expansion]:
    (part,), least = structure.parts, structure.least
    most = scope.most(part)
    upper = max(least, most if structure.most is None else min(most, structure.most))
    if choice := _choice(part):
        line = _line(upper, scope)
        yield _joined([_one(choice, needed=at < least) for at in range(upper)], line)
        return
    for count in range(least, upper + 1):
        scope.work.spend(count)
        yield from _in_order(Structure("seq", (part,) * count), scope)


def _forbidden(structure: Structure, scope: Scope) -> Iterator[Expansion]:
    (part,) = structure.parts
    assert isinstance(part, ToolCall)  # as it was checked when it was made
    yield Expansion(forbidden=(part,))


_EXPANDED: dict[str, Callable[[Structure, Scope], Iterator[Expansion]]] = {
    "seq": _in_order,
    "any_order": _in_any_order,
    "batched": _batched,
    "optional": _optional,
    "one_of": _one_of,
    "repeat": _repeated,
    "forbidden": _forbidden,
    "plan": _planned,
}

"""What is set against what: each function gives the two sides of one comparison, ready to be called."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, partial
from math import isclose
from operator import eq
from typing import Any, NamedTuple

import histories
import peers
from relations import RELATIONS

from trajmatch import Matcher, Trajectory, _arguments, call, to_trajectory
from trajmatch._pairing import longest, maximum

__all__ = [
    "Contest",
    "Make",
    "by_json_alone",
    "conversion",
    "growth",
    "in_order",
    "in_order_core",
    "matched",
    "parsing",
    "relation",
    "ruled",
]


class Contest(NamedTuple):
    """Two functions to measure.

    Attributes:
        ours: What this library does.
        theirs: What it is set against; `None` where that is not installed.
        agree: Whether what the two gave is the same answer.
    """

    ours: Callable[[], Any]
    theirs: Callable[[], Any] | None = None
    agree: Callable[[Any, Any], bool] = eq


Make = Callable[[int], Contest]
"""A comparison for a number of calls."""


def _any(ours: object, theirs: object) -> bool:
    return True


def _dicts(sides: histories.Sides) -> tuple[Any, Any]:
    return histories.openai(sides.actual), histories.openai(sides.expected, respaced=sides.respaced)


def _live(sides: histories.Sides) -> tuple[Any, Any]:
    actual, expected = (peers.live_langchain(histories.langchain(side)) for side in sides[:2])
    return actual, expected


def _ours(mode: str, rule: str) -> Callable[[Any, Any], bool]:
    matcher = Matcher(mode=mode, args=rule)
    return lambda actual, expected: matcher(actual, expected).passed


def matched(library: str, shape: str, mode: str, rule: str = "exact", *, live: bool = False) -> Make:
    """The same two histories, through `Matcher` and through the evaluator of agentevals or openevals.

    Each has histories of its own, since agentevals writes into those it is given.
    """

    def make(count: int) -> Contest:
        sides = histories.SHAPES[shape](count)
        given = _live if live else _dicts
        evaluate = peers.trajectory_match(library, mode, rule)
        theirs = None if evaluate is None else partial(evaluate, *given(sides))
        return Contest(partial(_ours(mode, rule), *given(sides)), theirs)

    return make


def ruled(shape: str, **options: Any) -> Make:
    """A match with options, and one of the same histories without."""
    loose, plain = Matcher(mode="unordered", **options), Matcher(mode="unordered")

    def make(count: int) -> Contest:
        actual, expected = _dicts(histories.SHAPES[shape](count))
        return Contest(lambda: loose(actual, expected).score, lambda: plain(actual, expected).score, _any)

    return make


def by_json_alone(make: Make) -> Make:
    """A comparison in which we parse arguments as in a process that has not loaded pydantic_core."""

    def slower(count: int) -> Contest:
        contest = make(count)

        def ours() -> object:
            loaded, _arguments.modules = _arguments.modules, {}
            try:
                return contest.ours()
            finally:
                _arguments.modules = loaded

        return contest._replace(ours=ours)

    return slower


def parsing(shape: str, mode: str) -> Make:
    """A match of two histories, and `json.loads` of the two."""

    def make(count: int) -> Contest:
        both = _dicts(histories.SHAPES[shape](count))
        texts = [json.dumps(side) for side in both]
        return Contest(partial(_ours(mode, "exact"), *both), lambda: [json.loads(text) for text in texts], _any)

    return make


def conversion(form: str, *, live: bool = False, messages: bool = False, plain: bool = True) -> Make:
    """`to_trajectory` of a history, which may begin with a message in parts, and `json.loads` of its text."""
    write = getattr(histories, form)

    def make(count: int) -> Contest:
        stored = write(histories.SHAPES["identical texts"](count).actual)
        if not plain:
            stored.insert(0, {"role": "user", "content": [{"type": "text", "text": "Plan mine."}]})
        history = getattr(peers, f"live_{form}")(stored) if live else stored
        text = json.dumps(stored)

        def read() -> object:
            trajectory = to_trajectory(history)
            return trajectory.messages if messages else trajectory.calls

        return Contest(read, None if history is None else partial(json.loads, text), _any)

    return make


def in_order(count: int) -> Contest:
    """The score of two trajectories that were read before, and pydantic-evals' function on the lists of names."""
    ours, theirs = histories.names(count)
    actual = Trajectory.from_calls([call(name) for name in ours])
    matcher, expected = Matcher(mode="in_order"), Trajectory.from_calls(theirs)
    lcs = peers.lcs()
    return Contest(
        lambda: matcher(actual, expected).score,
        None if lcs is None else partial(lcs, ours, theirs),
        lambda score, length: isclose(score, length / count),
    )


def in_order_core(count: int) -> Contest:
    """The length alone, from the lists of names to the masks and through them."""
    ours, theirs = histories.names(count)

    def length() -> int:
        holders = dict[str, int]()
        for place, name in enumerate(theirs):
            holders[name] = holders.get(name, 0) | 1 << place
        return longest([holders.get(name, 0) for name in ours], count)

    lcs = peers.lcs()
    return Contest(length, None if lcs is None else partial(lcs, ours, theirs))


def relation(shape: str, function: str) -> Make:
    """The size of a largest pairing over a relation that is there already."""

    def make(count: int) -> Contest:
        rows = RELATIONS[shape](count)
        if function == "maximum":
            return Contest(lambda: maximum(rows)[0])
        return Contest(lambda: longest(rows, count))

    return make


def growth(shape: str, mode: str, rule: str, few: int, many: int) -> Contest:
    """A match of many calls, and the same of few."""
    run = _ours(mode, rule)
    return Contest(*(partial(run, *_kept(shape, count)) for count in (many, few)), _any)


@cache
def _kept(shape: str, count: int) -> tuple[Any, Any]:
    """Histories that only this library reads, which changes nothing in them."""
    return _dicts(histories.SHAPES[shape](count))

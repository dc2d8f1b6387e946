"""Structures and runs: a plan of steps of distinct names, a long sequence with choices, and what is too hard."""

from __future__ import annotations

import random
from collections.abc import Callable

from trajmatch import CostError, Matcher, ToolCall, Trajectory, call, one_of, optional, plan, repeat, seq, step

__all__ = ["STRUCTURES"]

STEPS, PRECEDENCES, CALLS = 30, 20, 60


def _solved(structure: object, run: list[ToolCall]) -> Callable[[], object]:
    matcher, actual = Matcher(allow_extra=True), Trajectory.from_calls(run)
    return lambda: matcher(actual, structure).score


def _steps(rng: random.Random, names: list[str]) -> object:
    """A plan of these names, in which some pairs of steps have an order."""
    after: dict[int, list[str]] = {}
    for _ in range(PRECEDENCES):
        first, second = sorted(rng.sample(range(len(names)), 2))
        after.setdefault(second, []).append(str(first))
    return plan(*(step(str(at), name, after=after.get(at, ())) for at, name in enumerate(names)))


def _distinct() -> Callable[[], object]:
    rng = random.Random(1)
    names = [f"tool_{at}" for at in range(STEPS)]
    return _solved(_steps(rng, names), [call(rng.choice(names)) for _ in range(CALLS)])


def _route() -> Callable[[], object]:
    rng = random.Random(2)
    names = [f"tool_{at}" for at in range(10)]
    parts = [one_of(*rng.sample(names, 2)) if at % 5 == 0 else rng.choice(names) for at in range(20)]
    structure = seq(*(optional(part) if at % 3 == 0 else part for at, part in enumerate(parts)), repeat("tool_0"))
    return _solved(structure, [call(rng.choice(names)) for _ in range(CALLS)])


def _equal() -> Callable[[], object]:
    rng = random.Random(3)
    solve = _solved(_steps(rng, ["search"] * STEPS), [call("search", q=number) for number in range(CALLS)])

    def refused() -> str:
        try:
            solve()
        except CostError:
            return "refused"
        return "solved"

    return refused


STRUCTURES: dict[str, tuple[Callable[[], Callable[[], object]], float]] = {
    f"a plan of {STEPS} distinct names, {PRECEDENCES} precedences": (_distinct, 0.050),
    "a sequence of 21 parts with options and choices": (_route, 0.100),
    f"a plan of {STEPS} equal names, {PRECEDENCES} precedences: refused": (_equal, 2.0),
}
"""What is solved against a run of 60 calls, and in how many seconds it has to be."""

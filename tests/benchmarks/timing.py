"""Interleaved rounds in one process; the median of each side."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

__all__ = ["FULL", "QUICK", "Effort", "interleaved"]


class Effort(NamedTuple):
    """How much is measured.

    Attributes:
        rounds: The most rounds of one comparison.
        fewest: The fewest, however long they take.
        budget: No further round begins after so many seconds.
        sample: A function is repeated until one sample lasts so many seconds.
    """

    rounds: int
    fewest: int
    budget: float
    sample: float


FULL = Effort(rounds=11, fewest=3, budget=2.0, sample=0.004)
QUICK = Effort(rounds=3, fewest=1, budget=0.25, sample=0.002)


_LONG = 0.2
"""Seconds from which on a function is not called once more to see how long it takes."""


def _accept(*answers: object) -> None:
    pass


def interleaved(
    functions: Sequence[Callable[[], Any]], effort: Effort, check: Callable[..., None] = _accept
) -> list[float]:
    """Give the median seconds of each function; every round calls all of them, one after the other.

    A first round warms up; `check` sees its answers, and it counts where there is no time for another. What a first
    call loads is not taken for the time of one.
    """
    begin = perf_counter()
    warm = [_first(function) for function in functions]
    check(*(answer for _, answer in warm))
    both = zip(functions, warm, strict=True)
    twice = [taken if taken > _LONG else _first(function)[0] for function, (taken, _) in both]
    times = [max(1, math.ceil(effort.sample / taken)) for taken in twice]
    samples: list[list[float]] = [[] for _ in functions]
    if effort.fewest == 1 and perf_counter() - begin > effort.budget:
        return [taken for taken, _ in warm]
    for number in range(effort.rounds):
        if number >= effort.fewest and perf_counter() - begin > effort.budget:
            break
        for function, repeat, taken in zip(functions, times, samples, strict=True):
            taken.append(_mean(function, repeat))
    return [median(taken) for taken in samples]


def _first(function: Callable[[], Any]) -> tuple[float, Any]:
    begin = perf_counter()
    answer = function()
    return perf_counter() - begin, answer


def _mean(function: Callable[[], Any], times: int) -> float:
    gc.collect()
    begin = perf_counter()
    for _ in range(times):
        function()
    return (perf_counter() - begin) / times

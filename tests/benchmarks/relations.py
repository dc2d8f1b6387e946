"""Relations of so many calls with so many, as the masks that `trajmatch._pairing` takes; first fit errs in most."""

from __future__ import annotations

import random
from collections.abc import Callable

__all__ = ["RELATIONS"]


def _sparse(count: int) -> list[int]:
    rng = random.Random(count)
    return [sum(1 << column for column in rng.sample(range(count), 3)) for _ in range(count)]


def _half(count: int) -> list[int]:
    rng = random.Random(count)
    return [rng.getrandbits(count) for _ in range(count)]


def _chain(length: int, start: int = 0) -> list[int]:
    """Every row takes the next two columns and the last the first alone: one path goes through all of them."""
    return [3 << (start + row) for row in range(length - 1)] + [1 << start]


def _chains(count: int) -> list[int]:
    """A chain of every length from 1 on: each length takes a phase of its own."""
    rows, length = list[int](), 1
    while len(rows) < count:
        rows += _chain(min(length, count - len(rows)), len(rows))
        length += 1
    return rows


def _shuffled_chain(count: int) -> list[int]:
    return random.Random(count).sample(_chain(count), count)


def _too_many(count: int) -> list[int]:
    """Two thirds of the rows share one third of the columns."""
    third = (1 << count // 3) - 1
    return [third if row % 3 else (1 << count) - 1 for row in range(count)]


RELATIONS: dict[str, Callable[[int], list[int]]] = {
    "diagonal": lambda count: [1 << row for row in range(count)],
    "reversed": lambda count: [1 << row for row in reversed(range(count))],
    "everything": lambda count: [(1 << count) - 1] * count,
    "nested, narrow first": lambda count: [(2 << row) - 1 for row in range(count)],
    "nested, wide first": lambda count: [(2 << row) - 1 for row in reversed(range(count))],
    "3 a row": _sparse,
    "random half": _half,
    "one chain": _chain,
    "one chain, shuffled": _shuffled_chain,
    "chains of every length": _chains,
    "too many for too few": _too_many,
}

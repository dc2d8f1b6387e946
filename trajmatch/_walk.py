"""Walking through the arguments of two calls: where they differ under an `ArgumentRule`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import Any

from trajmatch._comparison import Comparison, Part
from trajmatch._edits import all_bags
from trajmatch._json_form import SCALARS, Budget, Unordered, is_dict, is_list, json_form, with_text_keys
from trajmatch._numbers import is_near, is_number
from trajmatch._pairing import longest_pairs, maximum
from trajmatch._paths import ABSENT, Path
from trajmatch._values import Unfreezable, json_equal

__all__ = ["between", "differing"]

_QUICKLY, _COMPARISONS = 100_000, 2_500_000
"""So many comparisons of two values inside arguments are made, and so many where neither side has too many values."""


def differing(comparison: Comparison, actual: dict[str, Any], expected: dict[str, Any]) -> Iterator[Part]:
    """Give the places where arguments differ; none where they are the same.

    Raises:
        ValueError: The values are too large to be compared.
        RecursionError: They are nested too deep, or hold themselves.
    """
    return between(comparison, *comparison.both(actual, expected))


def between(comparison: Comparison, actual: Any, expected: Any) -> Iterator[Part]:
    """Give the places where prepared arguments differ; raises as `differing` does."""
    return _Walk(comparison, (actual, expected)).between((), actual, expected, comparison.mode)


class _Walk:
    """One walk through two values."""

    def __init__(self, comparison: Comparison, sides: tuple[object, ...]) -> None:
        self._comparison = comparison
        self._inner = comparison.mode if comparison.deep else "exact"
        self._keyed = self._inner == "exact" and not comparison.tolerates
        self._sides, self._left = sides, _QUICKLY

    def _spend(self) -> None:
        """Count one comparison; after many, look whether the sides hold as few values as they may.

        Raises:
            ValueError: There are too many.
        """
        self._left -= 1
        if self._left >= 0:
            return
        if not self._sides:
            raise ValueError(f"more than {_COMPARISONS} comparisons of two values")
        for side in self._sides:
            all_bags(side, Budget())
        self._sides, self._left = (), _COMPARISONS

    def between(self, path: Path, actual: object, expected: object, mode: str) -> Iterator[Part]:
        self._spend()
        a, e = json_form(actual), json_form(expected)
        if is_dict(a) and is_dict(e):
            yield from self._objects(path, with_text_keys(a), with_text_keys(e), mode)
        elif is_list(a) and is_list(e):
            yield from self._lists(path, a, e, mode)
        elif not (self._same(a, e) if type(e) in SCALARS or is_number(e) else json_equal(actual, expected)):
            yield path, actual, expected

    def _objects(self, path: Path, actual: dict[str, Any], expected: dict[str, Any], mode: str) -> Iterator[Part]:
        for key in {**expected, **actual}:
            if key in actual and key in expected:
                a, e = actual[key], expected[key]
                if type(a) not in SCALARS or type(e) not in SCALARS:
                    yield from self.between((*path, key), a, e, self._inner)
                elif not self._same(a, e):
                    yield (*path, key), a, e
            elif mode != ("superset" if key in actual else "subset"):
                yield (*path, key), actual.get(key, ABSENT), expected.get(key, ABSENT)

    def _lists(self, path: Path, actual: list[Any], expected: list[Any], mode: str) -> Iterator[Part]:
        ordered = not isinstance(actual, Unordered) and not isinstance(expected, Unordered)
        if ordered and (mode == "exact" or len(actual) == len(expected)):
            for place, (a, e) in enumerate(zip(actual, expected, strict=False)):
                yield from self.between((*path, place), a, e, self._inner)
            shorter = min(len(actual), len(expected))
            yield from (((*path, shorter + place), a, ABSENT) for place, a in enumerate(actual[shorter:]))
            yield from (((*path, shorter + place), ABSENT, e) for place, e in enumerate(expected[shorter:]))
            return
        rows = self._rows(actual, expected)
        if ordered:
            pairs = longest_pairs(rows, len(expected), [0] * len(rows))
        else:
            pairs = [(i, j) for i, j in enumerate(maximum(rows)[1]) if j >= 0]
        found, needed = {i for i, _ in pairs}, {j for _, j in pairs}
        if mode != "superset":
            yield from (((*path, i), a, ABSENT) for i, a in enumerate(actual) if i not in found)
        if mode != "subset":
            yield from (((*path, j), ABSENT, e) for j, e in enumerate(expected) if j not in needed)

    def _rows(self, actual: list[Any], expected: list[Any]) -> list[int]:
        """For each actual item the mask of the expected ones that are the same: by keys where both have one."""
        masks: defaultdict[Hashable, int] = defaultdict(int)
        odd: list[int] = []
        for place, item in enumerate(expected):
            if (key := self._key(item)) is None:
                odd.append(place)
            else:
                masks[key] |= 1 << place
        rows: list[int] = []
        for item in actual:
            key = self._key(item)
            asked = range(len(expected)) if key is None else odd
            rows.append(sum((1 << j for j in asked if self._alike(item, expected[j])), masks.get(key, 0)))
        return rows

    def _key(self, item: object) -> tuple[Hashable] | None:
        if not self._keyed:
            return None
        try:
            return (self._comparison.frozen(item, Budget()),)
        except (ValueError, RecursionError, Unfreezable):
            return None

    def _alike(self, actual: object, expected: object) -> bool:
        if type(actual) in SCALARS and type(expected) in SCALARS:
            self._spend()
            return self._same(actual, expected)
        return next(self.between((), actual, expected, self._inner), None) is None

    def _same(self, actual: object, expected: object) -> bool:
        rule = self._comparison
        a, e = rule.leaf(actual), rule.leaf(expected)
        if rule.tolerates and is_number(a) and is_number(e):
            return is_near(a, e, rule.absolute, rule.relative)
        return json_equal(a, e)

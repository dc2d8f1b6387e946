"""Comparing arguments under an `ArgumentRule`: what both sides are prepared to, and where they then differ."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Hashable, Iterator
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from trajmatch._edits import edited, projected
from trajmatch._json_form import SCALARS, Bag, Budget, Unordered, is_dict, is_list, json_form, with_text_keys
from trajmatch._pairing import longest_pairs, maximum
from trajmatch._paths import ABSENT, Path
from trajmatch._values import Unfreezable, freeze, json_equal

if TYPE_CHECKING:
    from trajmatch._tool_schema import ToolSchema

__all__ = ["ArgumentMode", "Comparison", "Part", "Side", "is_near", "is_number"]

ArgumentMode = Literal["exact", "subset", "superset"]
Side = Literal["actual", "expected"]
_FILLS = {"actual": "superset", "expected": "subset"}
"""The mode in which the keys of a side are looked up while those of the other are not."""
Part = tuple[Path, object, object]
"""A path with its actual and its expected value, each possibly `ABSENT`."""

_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


class Comparison(NamedTuple):
    """What an `ArgumentRule` says, checked.

    Attributes:
        mode: Which keys may be left over.
        deep: The mode holds inside values, too.
        only: The paths that are compared; all where there are none.
        ignore: The paths that are not.
        defaults: Paths, with the value that a key has where it is absent.
        unordered: The paths of lists whose order does not count; `True` for all lists.
        absolute: By how much numbers may differ.
        relative: By what part of the expected number they may differ.
        ignore_case: Texts are the same in any case.
        ignore_whitespace: Any white space between words is one space, and none around them.
        coerce_numbers: Text that is a number is that number.
        schema: What the tool says of its arguments.
    """

    mode: ArgumentMode = "exact"
    deep: bool = False
    only: tuple[Path, ...] = ()
    ignore: tuple[Path, ...] = ()
    defaults: tuple[tuple[Path, object], ...] = ()
    unordered: Literal[True] | tuple[Path, ...] = ()
    absolute: float = 0.0
    relative: float = 0.0
    ignore_case: bool = False
    ignore_whitespace: bool = False
    coerce_numbers: bool = False
    schema: ToolSchema | None = None

    @property
    def exact_values(self) -> bool:
        """Whether prepared values are the same only where they are equal."""
        changed = self.ignore_case or self.ignore_whitespace or self.coerce_numbers
        return not (changed or self.unordered or self.tolerates or self.goes_deep or self.schema)

    @property
    def tolerates(self) -> bool:
        """Whether numbers may differ."""
        return bool(self.absolute or self.relative)

    @property
    def goes_deep(self) -> bool:
        """Whether something may be left over inside values."""
        return self.deep and self.mode != "exact"

    @property
    def lopsided(self) -> bool:
        """Whether one side has its defaults filled in, and the other has not."""
        return self.mode != "exact" and bool(self.defaults or self.schema)

    @property
    def paths(self) -> tuple[Path, ...]:
        """All paths that it names, but for those of defaults, which may lead nowhere."""
        return (*self.only, *self.ignore, *(() if self.unordered is True else self.unordered))

    def prepared(self, arguments: dict[str, Any], side: Side) -> Any:
        """Give the arguments with defaults filled in, with what is compared, and without what is ignored.

        A default stands in for a key that the other side has, so that nothing is asked for by default. Where values
        inside must be equal, they have their defaults on both sides.
        """
        value: Any = arguments
        if self.mode in ("exact", _FILLS[side]):
            value = self._filled(arguments)
        elif self.lopsided and not self.deep:
            given = with_text_keys(arguments)
            value = {key: item for key, item in self._filled(given).items() if key in given}
        if self.only:
            found = projected(value, self.only)
            value = {} if found is ABSENT else found
        for path in self.ignore:
            value = edited(value, path, _dropped)
        if self.schema:
            value = self.schema.with_sets(value)
        if self.unordered is True:
            return _all_bags(value, Budget())
        for path in self.unordered:
            value = edited(value, path, _bag)
        return value

    def _filled(self, arguments: object) -> Any:
        value: Any = arguments
        for path, default in self.defaults:
            value = edited(value, path, partial(_default, default))
        return self.schema.filled(value) if self.schema else value

    def key(self, arguments: dict[str, Any], side: Side) -> Hashable:
        """Give a hashable key; two keys of arguments are equal exactly where all prepared values are the same.

        Raises:
            Unfreezable: As `freeze` does.
        """
        try:
            return self._frozen(self.prepared(arguments, side), Budget())
        except (ValueError, RecursionError) as error:
            raise Unfreezable from error

    def _frozen(self, value: object, budget: Budget) -> Hashable:
        budget.spend()
        if isinstance(value, Bag):
            return frozenset(Counter(self._frozen(item, budget) for item in value).items())
        form = json_form(value)
        if is_dict(form):
            return frozenset([(key, self._frozen(item, budget)) for key, item in with_text_keys(form).items()])
        if is_list(form) and not isinstance(form, Unordered):
            return tuple([self._frozen(item, budget) for item in form])
        return freeze(self.leaf(form))

    def leaf(self, value: object) -> object:
        """A text as it is compared; anything else as it is."""
        if not isinstance(value, str):
            return value
        if self.coerce_numbers and _NUMBER.fullmatch(value) and len(value) < 4_000:
            number = json.loads(value)
            return number if isfinite(number) else value
        if self.ignore_whitespace:
            value = " ".join(value.split())
        return value.casefold() if self.ignore_case else value

    def differing(self, actual: dict[str, Any], expected: dict[str, Any]) -> Iterator[Part]:
        """Give the places where the arguments differ; none where they are the same.

        Raises:
            ValueError: The values are too large to be compared.
            RecursionError: They are nested too deep, or hold themselves.
        """
        return self.between(self.prepared(actual, "actual"), self.prepared(expected, "expected"))

    def between(self, actual: object, expected: object) -> Iterator[Part]:
        """Give the places where prepared arguments differ; raises as `differing` does."""
        return _Walk(self).between((), actual, expected, self.mode)


class _Walk:
    """One walk through two values."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._inner = comparison.mode if comparison.deep else "exact"
        self._budget = Budget()

    def between(self, path: Path, actual: object, expected: object, mode: str) -> Iterator[Part]:
        self._budget.spend()
        a, e = json_form(actual), json_form(expected)
        if is_dict(a) and is_dict(e):
            yield from self._objects(path, with_text_keys(a), with_text_keys(e), mode)
        elif is_list(a) and is_list(e):
            yield from self._lists(path, a, e, mode)
        elif not (self._same(a, e) if type(e) in SCALARS else json_equal(actual, expected)):
            yield path, actual, expected

    def _objects(self, path: Path, actual: dict[str, Any], expected: dict[str, Any], mode: str) -> Iterator[Part]:
        for key in {**expected, **actual}:
            if key in actual and key in expected:
                yield from self.between((*path, key), actual[key], expected[key], self._inner)
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
        rows = [sum(self._alike(a, e) << j for j, e in enumerate(expected)) for a in actual]
        if ordered:
            pairs = longest_pairs(rows, len(expected), [0] * len(rows))
        else:
            pairs = [(i, j) for i, j in enumerate(maximum(rows)[1]) if j >= 0]
        found, needed = {i for i, _ in pairs}, {j for _, j in pairs}
        if mode != "superset":
            yield from (((*path, i), a, ABSENT) for i, a in enumerate(actual) if i not in found)
        if mode != "subset":
            yield from (((*path, j), ABSENT, e) for j, e in enumerate(expected) if j not in needed)

    def _alike(self, actual: object, expected: object) -> bool:
        return next(self.between((), actual, expected, self._inner), None) is None

    def _same(self, actual: object, expected: object) -> bool:
        rule = self._comparison
        a, e = rule.leaf(actual), rule.leaf(expected)
        if rule.tolerates and is_number(a) and is_number(e):
            return is_near(a, e, rule.absolute, rule.relative)
        return json_equal(a, e)


def is_number(value: object) -> bool:
    """Say whether a value is a number, which no bool is."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_near(actual: Any, expected: Any, absolute: float, relative: float) -> bool:
    """Say whether a number differs from the expected one by at most this much, or this part of it."""
    if actual == expected or (actual != actual and expected != expected):
        return True
    if not all(isinstance(number, int) or isfinite(number) for number in (actual, expected)):
        return False
    try:
        return bool(abs(actual - expected) <= max(absolute, relative * abs(expected)))
    except OverflowError:  # integers beyond the largest float
        from fractions import Fraction

        a, e = Fraction(actual), Fraction(expected)
        return abs(a - e) <= max(Fraction(absolute), Fraction(relative) * abs(e))


def _default(default: object, value: object) -> object:
    return default if value is ABSENT else value


def _dropped(value: object) -> object:
    return ABSENT


def _bag(value: object) -> object:
    form = json_form(value)
    return Bag(form) if is_list(form) else value


def _all_bags(value: object, budget: Budget) -> Any:
    budget.spend()
    form = json_form(value)
    if is_dict(form):
        return {key: _all_bags(item, budget) for key, item in form.items()}
    if is_list(form) and not isinstance(form, Unordered):
        return Bag([_all_bags(item, budget) for item in form])
    return value

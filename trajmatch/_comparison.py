"""Comparing arguments under an `ArgumentRule`: what both sides are prepared to, and where they then differ."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Hashable
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from trajmatch._edits import all_bags, edited, projected
from trajmatch._json_form import Bag, Budget, Unordered, is_dict, is_list, json_form, with_text_keys
from trajmatch._paths import ABSENT, Path, decided
from trajmatch._values import Unfreezable, freeze, json_equal

if TYPE_CHECKING:
    from trajmatch._tool_schema import ToolSchema

__all__ = ["ArgumentMode", "Comparison", "Default", "Part", "Side"]

ArgumentMode = Literal["exact", "subset", "superset"]
Side = Literal["actual", "expected"]
_FILLS = {"actual": "superset", "expected": "subset"}
"""The mode in which the keys of a side are looked up while those of the other are not."""
Part = tuple[Path, object, object]
"""A path with its actual and its expected value, each possibly `ABSENT`."""

_LONGEST = 4_000
"""So many digits are no number any more."""
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)


class Default:
    """A key, by its path, with the value that it has where it is absent.

    Two are equal where their values are the same as JSON.
    """

    __slots__ = ("path", "value")

    def __init__(self, path: Path, value: object) -> None:
        self.path, self.value = path, value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Default) and self.path == other.path and json_equal(self.value, other.value)

    def __hash__(self) -> int:
        return hash(self.path)

    def fill(self, found: object) -> object:
        """Give what was found, or the default where nothing was."""
        return self.value if found is ABSENT else found


class Comparison(NamedTuple):
    """What an `ArgumentRule` says, checked.

    Attributes:
        mode: Which keys may be left over.
        deep: The mode holds inside values, too.
        only: The paths that are compared; all where there are none.
        ignore: The paths that are not.
        defaults: The keys that have a value where they are absent, outer ones first.
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
    defaults: tuple[Default, ...] = ()
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
            return all_bags(value, Budget())
        for path in sorted(self.unordered, key=len, reverse=True):  # in a list without order no item has a place
            value = edited(value, path, _bag)
        return value

    def _filled(self, arguments: object) -> Any:
        value: Any = arguments
        for default in self.defaults:
            value = edited(value, default.path, default.fill)
        return self.schema.filled(value) if self.schema else value

    def key(self, arguments: dict[str, Any], side: Side) -> Hashable:
        """Give a hashable key; two keys of arguments are equal exactly where all prepared values are the same.

        Raises:
            Unfreezable: As `freeze` does.
        """
        try:
            return self.frozen(self.prepared(arguments, side), Budget())
        except (ValueError, RecursionError) as error:
            raise Unfreezable from error

    def frozen(self, value: object, budget: Budget) -> Hashable:
        """Give a hashable key of a prepared value.

        Raises:
            Unfreezable: As `freeze` does.
            ValueError: It is too large.
            RecursionError: It is nested too deep, or holds itself.
        """
        budget.spend()
        if isinstance(value, Bag):
            return frozenset(Counter(self.frozen(item, budget) for item in value).items())
        form = json_form(value)
        if is_dict(form):
            return frozenset([(key, self.frozen(item, budget)) for key, item in with_text_keys(form).items()])
        if is_list(form) and not isinstance(form, Unordered):
            return tuple([self.frozen(item, budget) for item in form])
        return freeze(self.leaf(form))

    def leaf(self, value: object) -> object:
        """A text as it is compared; anything else as it is."""
        if not isinstance(value, str):
            return value
        if self.ignore_whitespace:
            value = " ".join(value.split())
        if self.ignore_case:
            value = value.casefold()
        return _number_in(value) if self.coerce_numbers else value

    def both(self, actual: dict[str, Any], expected: dict[str, Any]) -> tuple[Any, Any]:
        """Give both sides prepared; where an expected value decides for itself, the whole is compared with it."""
        rule = self
        if whole := self.only and [place for path in self.only for place in decided(expected, path)]:
            rule = self._replace(only=(*self.only, *whole))
        return rule.prepared(actual, "actual"), rule.prepared(expected, "expected")


def _dropped(value: object) -> object:
    return ABSENT


def _bag(value: object) -> object:
    form = json_form(value)
    return Bag(form) if is_list(form) else value


def _number_in(text: str) -> object:
    """The number that a text is in JSON; the text where it is none, or one beyond all floats."""
    if len(text) >= _LONGEST or not _NUMBER.fullmatch(text):
        return text
    number: int | float = json.loads(text)
    return number if isinstance(number, int) or isfinite(number) else text

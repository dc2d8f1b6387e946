"""`ArgumentRule`: a rule for arguments that says exactly what may differ, in Python and as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack, cast

from trajmatch._access import is_mapping
from trajmatch._comparison import ArgumentMode, Comparison
from trajmatch._data_hook import DataForm
from trajmatch._paths import KeyPath
from trajmatch._rule_options import copied, known_option, read_options
from trajmatch.errors import OptionError

__all__ = ["ArgumentRule", "ArgumentRuleData", "Tolerance", "read_rule"]


class Tolerance(TypedDict, total=False):
    """By how much numbers may differ: the larger of the two counts.

    Attributes:
        abs: By this much.
        rel: By this part of the expected number.
    """

    abs: float
    rel: float


class ArgumentRuleData(TypedDict, total=False):
    """An `ArgumentRule` as data.

    Attributes:
        mode: `exact` by default; `subset`: every actual key is in expected; `superset`: every expected key is in
            actual.
        deep: `subset` and `superset` hold inside nested objects and lists, too: what one side has and the other has
            not may be left over at every level, and the items of a list pair in order.
        only: The key paths that are compared, in place of all. In a key path, `*` stands for each item of a list; a
            list that a path goes through so has as many items on both sides.
        ignore: Key paths that are not compared.
        defaults: Values by key path: where the key is absent, it has this value. In `subset` and `superset` a default
            stands in for a key that the other side has, and none is asked for. A path that is no text, for a key with a
            dot, stands in JSON beside its value in a list of such pairs: `[[["http.port"], 80]]`.
        tolerance: By how much numbers may differ: a number, or `abs` and `rel`.
        ignore_case: Texts are the same in upper and lower case.
        ignore_whitespace: White space between words counts as one space, and around a text as none.
        unordered: Lists whose order does not count: `True` for all, or their key paths.
        coerce_numbers: A text that is a number in JSON counts as that number.
    """

    mode: ArgumentMode
    deep: bool
    only: Sequence[KeyPath]
    ignore: Sequence[KeyPath]
    defaults: Mapping[Any, Any] | Sequence[tuple[KeyPath, Any]]
    tolerance: float | Tolerance
    ignore_case: bool
    ignore_whitespace: bool
    unordered: bool | Sequence[KeyPath]
    coerce_numbers: bool


class ArgumentRule:
    """A rule for arguments that says exactly what may differ; for `args`, for `overrides`, and for one expected call.

    As data it is an object of its options: `{"mode": "subset", "ignore": ["request_id"]}`.

    Args:
        options: See `ArgumentRuleData`.

    Raises:
        OptionError: An option that does not exist, has a wrong value, or could have no effect.

    >>> rule = ArgumentRule(ignore=["request_id"], tolerance=0.5)
    >>> match([call("pay", amount=9.9, request_id="x1")], [call("pay", amount=10)], args=rule)
    exact: PASS; 1 paired
    """

    __slots__ = ("_comparison", "_options")

    def __init__(self, **options: Unpack[ArgumentRuleData]) -> None:
        self._options, self._comparison = read_options(options)

    @property
    def comparison(self) -> Comparison:
        """What it says, checked."""
        return self._comparison

    @property
    def options(self) -> ArgumentRuleData:
        """The rule as data: a copy of its options."""
        return cast("ArgumentRuleData", copied(self._options))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        """Let pydantic take a rule as it is, or as data, and write it as data."""
        return DataForm("Rule", read_rule, _written).__get_pydantic_core_schema__(source, handler)

    def __repr__(self) -> str:
        return f"ArgumentRule({', '.join(f'{name}={value!r}' for name, value in self._options.items())})"

    def __eq__(self, other: object) -> bool:
        return self._comparison == other._comparison if isinstance(other, ArgumentRule) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._comparison)

    def __reduce__(self) -> tuple[object, ...]:
        return _from_options, (self._options,)


def _from_options(options: Mapping[str, Any]) -> ArgumentRule:
    return ArgumentRule(**cast("ArgumentRuleData", options))


def read_rule(written: object) -> ArgumentRule:
    """Give a rule as it is, or from data.

    Raises:
        OptionError: It is neither.
    """
    if isinstance(written, ArgumentRule):
        return written
    if is_mapping(written):
        return _from_options({known_option(name, value): value for name, value in written.items()})
    raise OptionError(f"an ArgumentRule, or an object of its options, got {written!r}", option="rule", value=written)


def _written(rule: ArgumentRule) -> ArgumentRuleData:
    return rule.options

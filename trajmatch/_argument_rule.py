"""`ArgumentRule`: a rule for arguments that says exactly what may differ, in Python and as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any, TypedDict, Unpack, cast, get_args

from trajmatch._access import is_mapping
from trajmatch._comparison import ArgumentMode, Comparison
from trajmatch._data_hook import DataForm
from trajmatch._nearest import choose, did_you_mean
from trajmatch._paths import EACH, KeyPath, parse_path, path_text
from trajmatch.errors import OptionError

__all__ = ["ArgumentRule", "ArgumentRuleData", "Tolerance"]


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
            stands in for a key that the other side has, and none is asked for.
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
    defaults: Mapping[str, Any]
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
        self._options = options
        self._comparison = _comparison(options)

    @property
    def comparison(self) -> Comparison:
        """What it says, checked."""
        return self._comparison

    @property
    def options(self) -> ArgumentRuleData:
        """The rule as data."""
        return self._options

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        """Let pydantic take a rule as it is, or as data, and write it as data."""
        return DataForm("Rule", _read, _written).__get_pydantic_core_schema__(source, handler)

    def __repr__(self) -> str:
        return f"ArgumentRule({', '.join(f'{name}={value!r}' for name, value in self._options.items())})"

    def __eq__(self, other: object) -> bool:
        return self._comparison == other._comparison if isinstance(other, ArgumentRule) else NotImplemented

    def __hash__(self) -> int:
        return hash(repr(self))

    def __reduce__(self) -> tuple[object, ...]:
        return _from_data, (self._options,)


def _from_data(options: ArgumentRuleData) -> ArgumentRule:
    return ArgumentRule(**options)


def _read(written: object) -> ArgumentRule:
    """A rule as it is, or from data.

    Raises:
        OptionError: It is neither.
    """
    if isinstance(written, ArgumentRule):
        return written
    if is_mapping(written):
        return ArgumentRule(**cast("ArgumentRuleData", written))
    raise OptionError(f"an ArgumentRule, or an object of its options, got {written!r}", option="rule", value=written)


def _written(rule: ArgumentRule) -> ArgumentRuleData:
    return rule.options


def _comparison(options: ArgumentRuleData) -> Comparison:
    fields: dict[str, Any] = {}
    for name, value in options.items():
        if name not in _FIELDS:
            raise OptionError(
                f"an ArgumentRule has no option {name!r}{did_you_mean(name, _FIELDS)}; it has {choose(_FIELDS)}",
                option=name,
                value=value,
            )
        fields |= _FIELDS[name](name, value)
    comparison = Comparison(**fields)
    if comparison.deep and not comparison.goes_deep:
        raise OptionError("deep has no effect in the mode 'exact'; it belongs to 'subset', 'superset'", option="deep")
    return comparison


def _mode(name: str, value: object) -> dict[str, object]:
    modes = get_args(ArgumentMode)
    if isinstance(value, str) and value in modes:
        return {name: value}
    raise OptionError(f"{name}: {choose(modes)}, got {value!r}{did_you_mean(value, modes)}", option=name, value=value)


def _flag(name: str, value: object) -> dict[str, object]:
    if isinstance(value, bool):
        return {name: value}
    raise OptionError(f"{name}: True or False, got {value!r}", option=name, value=value)


def _paths(name: str, given: object) -> dict[str, object]:
    value = given
    if isinstance(value, (list, tuple)) and value:
        return {name: tuple(parse_path(path, name, each=True) for path in cast("Sequence[object]", value))}
    raise OptionError(f"{name}: a list of key paths, got {given!r}", option=name, value=given)


def _unordered(name: str, value: object) -> dict[str, object]:
    return ({name: True} if value else {}) if isinstance(value, bool) else _paths(name, value)


def _defaults(name: str, value: object) -> dict[str, object]:
    if not is_mapping(value) or not value:
        raise OptionError(f"{name}: values by their key paths, got {value!r}", option=name, value=value)
    read = [(parse_path(path, name, each=True), default) for path, default in cast("Any", value.items())]
    if ends := [path_text(path) for path, _ in read if path[-1] is EACH]:
        raise OptionError(f"{name}: a default belongs to a key, and {ends[0]!r} ends in none", option=name, value=value)
    return {name: tuple(read)}


def _tolerance(name: str, value: object) -> dict[str, object]:
    limits: Mapping[str, Any] = value if is_mapping(value) else {"abs": value}
    known = {"abs": "absolute", "rel": "relative"}
    if limits and limits.keys() <= known.keys() and all(map(_is_limit, limits.values())):
        return {known[limit]: float(number) for limit, number in limits.items()}
    raise OptionError(
        f"{name}: a number from 0, or an object of 'abs' and 'rel', got {value!r}", option=name, value=value
    )


def _is_limit(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < inf


_FIELDS: dict[str, Callable[[str, object], dict[str, object]]] = {
    "mode": _mode,
    "deep": _flag,
    "only": _paths,
    "ignore": _paths,
    "defaults": _defaults,
    "tolerance": _tolerance,
    "ignore_case": _flag,
    "ignore_whitespace": _flag,
    "unordered": _unordered,
    "coerce_numbers": _flag,
}
"""How each option is read: to fields of a `Comparison`."""

"""The options of an `ArgumentRule`: how each is read, and what they may not say together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from sys import float_info
from typing import Any, get_args

from trajmatch._access import is_mapping
from trajmatch._comparison import ArgumentMode, Comparison, Default
from trajmatch._json_form import Budget, Unordered, decides, is_dict, is_list, is_tuple, json_form, with_text_keys
from trajmatch._nearest import choose, did_you_mean
from trajmatch._numbers import is_number
from trajmatch._paths import EACH, Path, parse_path, path_data, path_text
from trajmatch.errors import OptionError

__all__ = ["copied", "known_option", "read_options"]


def read_options(options: Mapping[str, Any]) -> tuple[Any, Comparison]:
    """Give a copy of the options in the form of data, and what they say.

    Raises:
        OptionError: An option that does not exist, has a wrong value, or could have no effect.
    """
    written: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    for name, value in options.items():
        written[name], fields_of_option = _OPTIONS[known_option(name, value)](name, value)
        fields |= fields_of_option
    comparison = Comparison(**fields)
    if comparison.deep and not comparison.goes_deep:
        raise OptionError("deep has no effect in the mode 'exact'; it belongs to 'subset', 'superset'", option="deep")
    _check_effect(comparison)
    return written, comparison


def known_option(name: object, value: object) -> str:
    """Give the name of an option.

    Raises:
        OptionError: There is no such option.
    """
    if isinstance(name, str) and name in _OPTIONS:
        return name
    raise OptionError(
        f"an ArgumentRule has no option {name!r}{did_you_mean(name, _OPTIONS)}; it has {choose(_OPTIONS)}",
        option=str(name),
        value=value,
    )


def copied(value: object, budget: Budget | None = None) -> Any:
    """Give a copy of a value in the types of JSON, in which sets and what decides for itself are as they were.

    Raises:
        ValueError: It has too many values.
        RecursionError: It is nested too deep, or holds itself.
    """
    budget = budget or Budget()
    budget.spend()
    form = json_form(value)
    if is_dict(form):
        return {key: copied(item, budget) for key, item in with_text_keys(form).items()}
    if isinstance(form, Unordered) or decides(form):
        return value
    return [copied(item, budget) for item in form] if is_list(form) else form


def _check_effect(comparison: Comparison) -> None:
    """Refuse paths below what is ignored, and beside all that is compared.

    Raises:
        OptionError: There is one.
    """
    unordered = () if comparison.unordered is True else comparison.unordered
    named = {"only": comparison.only, "unordered": unordered, "defaults": [d.path for d in comparison.defaults]}
    for name, paths in named.items():
        for path, above in product(paths, comparison.ignore):
            if path[: len(above)] == above:
                raise OptionError(f"{name}: {path_text(path)!r} has no effect, since it is ignored", option=name)
    for name, paths in {"ignore": comparison.ignore, **named}.items():
        for path in paths if comparison.only else ():
            if not any(_meet(path, other) for other in comparison.only):
                raise OptionError(f"{name}: {path_text(path)!r} has no effect, since it is not in only", option=name)


def _meet(path: Path, other: Path) -> bool:
    """Whether one of two paths may lead through the end of the other."""
    return all(EACH in (a, b) or str(a) == str(b) for a, b in zip(path, other, strict=False))


_Read = tuple[object, dict[str, object]]
"""An option as data, and fields of a `Comparison`."""


def _mode(name: str, value: object) -> _Read:
    modes = get_args(ArgumentMode)
    if isinstance(value, str) and value in modes:
        return value, {name: value}
    raise OptionError(f"{name}: {choose(modes)}, got {value!r}{did_you_mean(value, modes)}", option=name, value=value)


def _flag(name: str, value: object) -> _Read:
    if isinstance(value, bool):
        return value, {name: value}
    raise OptionError(f"{name}: True or False, got {value!r}", option=name, value=value)


def _paths(name: str, value: object) -> _Read:
    if (is_list(value) or is_tuple(value)) and value:
        paths = tuple(parse_path(path, name, each=True) for path in value)
        return [*map(path_data, value)], {name: paths}
    raise OptionError(f"{name}: a list of key paths, got {value!r}", option=name, value=value)


def _unordered(name: str, value: object) -> _Read:
    return (value, {name: True} if value else {}) if isinstance(value, bool) else _paths(name, value)


def _defaults(name: str, value: object) -> _Read:
    pairs = _pairs(value)
    if not pairs:
        raise OptionError(f"{name}: values by their key paths, got {value!r}", option=name, value=value)
    defaults = [Default(parse_path(path, name, each=True), _default(name, item)) for path, item in pairs]
    for default in defaults:
        if default.path[-1] is EACH:
            text = f"{name}: a default belongs to a key, and {path_text(default.path)!r} ends in none"
            raise OptionError(text, option=name, value=value)
    written: list[Any] = [[path_data(path), default.value] for (path, _), default in zip(pairs, defaults, strict=True)]
    as_object = all(isinstance(path, str) for path, _ in pairs)
    outer_first = tuple(sorted(defaults, key=lambda default: len(default.path)))
    return dict(written) if as_object else written, {name: outer_first}


def _pairs(value: object) -> list[tuple[object, object]]:
    """The paths and values of defaults; none where they are something else."""
    if is_mapping(value):
        return [*value.items()]
    pairs = value if is_list(value) or is_tuple(value) else ()
    read = [tuple(pair) for pair in pairs if (is_list(pair) or is_tuple(pair)) and len(pair) == 2]
    return read if len(read) == len(pairs) else []


def _default(name: str, value: object) -> object:
    try:
        return copied(value)
    except Exception as error:  # too deep, or a value that raises when somebody looks at it
        raise OptionError(f"{name}: a value cannot be read: {error}", option=name, value=value) from error


def _tolerance(name: str, value: object) -> _Read:
    limits: Mapping[str, Any] = value if is_mapping(value) else {"abs": value}
    known = {"abs": "absolute", "rel": "relative"}
    if limits and limits.keys() <= known.keys() and all(map(_is_limit, limits.values())):
        return copied(value), {known[limit]: float(number) for limit, number in limits.items()}
    raise OptionError(
        f"{name}: a number from 0, or an object of 'abs' and 'rel', got {value!r}", option=name, value=value
    )


def _is_limit(value: Any) -> bool:
    return is_number(value) and bool(0 <= value <= float_info.max)


_OPTIONS: dict[str, Callable[[str, object], _Read]] = {
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
"""How each option is read."""

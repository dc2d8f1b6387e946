"""Calls beside the definitions of their tools: what no tool can be called with, and what an agent invents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from trajmatch._columns import Calls, Columns
from trajmatch._json_form import is_dict, is_list
from trajmatch._nearest import did_you_mean
from trajmatch._outcome import Outcome
from trajmatch._paths import ABSENT, EACH, Path, path_text
from trajmatch._rules import Rule
from trajmatch._settings import Settings
from trajmatch._structure import Structure, calls_in
from trajmatch._text import first_few, name_text
from trajmatch._trajectory import Trajectory
from trajmatch.errors import ConversionError

__all__ = ["refuse_impossible", "unknown_to_tools"]

_NAMED = 3
"""So many calls are named on each side."""


def refuse_impossible(settings: Settings, expected: Trajectory | Structure) -> None:
    """Check expected calls against the schemas of their tools; a whole history was not written by hand, and may be so.

    Raises:
        ConversionError: The first call with arguments that its schema does not allow.
    """
    if isinstance(expected, Trajectory) and expected.spoken is not None:
        return
    calls = calls_in(expected) if isinstance(expected, Structure) else expected.calls
    for index, call in enumerate(calls):
        tool = settings.naming.read(call.name)
        rule, schema = settings.rules.stated(tool, call.own_rule), settings.tools.get(tool)
        if schema is None or call.arguments is None or not rule.consults:
            continue
        compared = partial(_compared, **_compared_paths(rule))
        if faults := schema.faults(call.arguments, whole=_compares_all(rule), compared=compared):
            raise ConversionError(
                f"expected: call {index} {call.name!r} is not as the schema of its tool asks: {'; '.join(faults)}",
                index=index,
            )


def _compares_all(rule: Rule) -> bool:
    """Whether an expected call must have all arguments that an actual one has."""
    comparison = rule.comparison
    if comparison is None or comparison.mode == "superset":
        return False
    return not (comparison.only or comparison.ignore or comparison.defaults)


def _compared_paths(rule: Rule) -> dict[str, Sequence[Path]]:
    """The paths that are compared, which are one for all where there are none, and those that are ignored."""
    comparison = rule.comparison
    only, ignored = (comparison.only, comparison.ignore) if comparison else (rule.paths, ())
    return {"only": only or [()], "ignored": ignored}


class _Part(dict[Any, Any]):
    """An object of which not all keys are compared."""


class _NotCompared:
    """What stands for an item of a list that is not compared."""


def _compared(form: Any, only: Sequence[Path], ignored: Sequence[Path]) -> Any:
    """What is compared of a value in the types of JSON, or `ABSENT`."""
    if not only or () in ignored:
        return ABSENT
    if () in only and not ignored:
        return form
    if not is_dict(form) and not is_list(form):
        return form if () in only else ABSENT
    inner: Iterable[tuple[Any, Any]] = form.items() if is_dict(form) else enumerate(form)
    kept: dict[Any, Any] = {key: _compared(item, _after(only, key), _after(ignored, key)) for key, item in inner}
    if is_list(form):
        return [_NotCompared() if item is ABSENT else item for item in kept.values()]
    left = {key: item for key, item in kept.items() if item is not ABSENT}
    return left if len(left) == len(kept) else _Part(left)


def _after(paths: Sequence[Path], key: str | int) -> list[Path]:
    """What is left of paths behind a key, or behind a place in a list, where `*` leads to each item."""
    every = EACH if isinstance(key, int) else key
    return [path[1:] for path in paths if not path or path[0] is every or str(path[0]) == str(key)]


def unknown_to_tools(outcome: Outcome) -> Iterator[str]:
    """Note the tools, and the arguments, that no definition knows."""
    if outcome.settings.tools:
        sides = {"actual[{}]": outcome.alignment.actual, "expected[{}]": outcome.alignment.expected}
        if outcome.structure:  # also what it forbids, and what is absent
            written = Calls(Columns.of(tuple(calls_in(outcome.structure))))
            del sides["expected[{}]"]
            sides["the structure:"] = outcome.settings.naming.renamed(written)
        for side, calls in sides.items():
            yield from first_few([*_unknown(side, calls, outcome.settings)], _NAMED)


def _unknown(side: str, calls: Calls, settings: Settings) -> Iterator[str]:
    for tool, (index, call) in zip(calls.names, calls, strict=True):
        schema, place = settings.tools.get(tool), f"{side.format(index)} {name_text(call.name)}"
        if schema is None:
            if call.kind == "function":
                yield f"{place} is none of the tools{did_you_mean(tool, settings.tools)}"
        elif call.arguments is not None:
            for path, known in schema.invented(call.arguments):
                yield f"{place}: {name_text(path_text(path))} is invented{did_you_mean(path[-1], known)}"

"""Calls beside the definitions of their tools: what no tool can be called with, and what an agent invents."""

from __future__ import annotations

from collections.abc import Iterator

from trajmatch._columns import Calls
from trajmatch._nearest import did_you_mean
from trajmatch._outcome import Outcome
from trajmatch._paths import path_text
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
        if faults := schema.faults(call.arguments, whole=_compares_all(rule)):
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


def unknown_to_tools(outcome: Outcome) -> Iterator[str]:
    """Note the tools, and the arguments, that no definition knows."""
    if outcome.settings.tools:
        for side in ("actual", "expected"):
            yield from first_few([*_unknown(side, getattr(outcome.alignment, side), outcome.settings)], _NAMED)


def _unknown(side: str, calls: Calls, settings: Settings) -> Iterator[str]:
    for tool, (index, call) in zip(calls.names, calls, strict=True):
        schema, place = settings.tools.get(tool), f"{side}[{index}] {name_text(call.name)}"
        if schema is None:
            if call.kind == "function":
                yield f"{place} is none of the tools{did_you_mean(tool, settings.tools)}"
        elif call.arguments is not None:
            for path, known in schema.invented(call.arguments):
                yield f"{place}: {name_text(path_text(path))} is invented{did_you_mean(path[-1], known)}"

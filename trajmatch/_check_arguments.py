"""The check of the arguments with which a tool was called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from trajmatch._access import is_mapping
from trajmatch._check_result import CheckResult
from trajmatch._columns import Calls
from trajmatch._counting import CallsOption, parse_counting
from trajmatch._differences import difference_text, differences
from trajmatch._model import ToolCall
from trajmatch._nearest import choose, did_you_mean
from trajmatch._notes import idle_paths
from trajmatch._operators import arguments_with_operators
from trajmatch._relation import same_arguments
from trajmatch._rules import ArgumentsRule, Rule, parse_rule
from trajmatch._sides import actual_side
from trajmatch._text import call_text, first_few, shorten
from trajmatch._trajectory import Trajectory
from trajmatch.errors import OptionError

__all__ = ["Occurrence", "check_arguments"]

Occurrence = Literal["first", "last", "any", "all"] | int
"""Which of the calls of a tool is checked; a number counts from 0."""

_OCCURRENCES = ("first", "last", "any", "all")
_SHOWN = 3


def check_arguments(
    actual: object,
    tool: str,
    expected: Mapping[str, Any] | None,
    *,
    args: ArgumentsRule = "superset",
    occurrence: Occurrence = "first",
    calls: CallsOption = "all",
) -> CheckResult:
    """Check the arguments with which a tool was called. A tool that was never called fails.

    Args:
        actual: The history of a run, or a list of calls.
        tool: The tool; structured output counts, since it is named here.
        expected: The arguments; `None` asks only whether the tool was called.
        args: The rule; by default every expected key must be there, and others may be.
        occurrence: Which of its calls, among those that count.
        calls: Which calls count.

    Raises:
        OptionError: A wrong option.
        ConversionError: A history that cannot be read.
        RuleError: The rule raised or gave no bool.

    >>> check_arguments([call("refund", id=7, note="late")], "refund", {"id": 7})
    check_arguments: PASS; actual[0] refund(id=7, note="late")
    """
    rule, wanted = parse_rule(args, "args"), _wanted(tool, expected)
    _check_occurrence(occurrence)
    if expected is None and args != "superset":
        raise OptionError("args has no effect without expected arguments", option="args", value=args)
    counting, run = parse_counting(calls), actual_side(actual)
    counted = counting.of_actual(run, outputs=True)
    found = [(index, call) for index, call in counted if call.name == tool]
    asked = _asked(found, occurrence)
    if not asked:
        absence = _absence(tool, found, occurrence, run, counted)
        return CheckResult("check_arguments", False, absence, counting.notes(run))
    verdicts = [(item, same_arguments(item, (0, wanted), rule)) for item in asked]
    passed = any(same for _, same in verdicts) if occurrence == "any" else all(same for _, same in verdicts)
    shown = [item for item, same in verdicts if same == passed]
    notes = [*counting.notes(run), *idle_paths(rule, [wanted, *(call for _, call in asked)])]
    return CheckResult("check_arguments", passed, _told(shown, wanted, None if passed else rule), notes)


def _wanted(tool: object, expected: object) -> ToolCall:
    if not isinstance(tool, str) or not tool:
        raise OptionError(f"tool: the name of a tool, got {tool!r}", option="tool", value=tool)
    if expected is None or is_mapping(expected):
        return ToolCall(tool, expected and arguments_with_operators(dict(expected)))
    raise OptionError(f"expected: an object of arguments or None, got {expected!r}", option="expected", value=expected)


def _check_occurrence(occurrence: object) -> None:
    if isinstance(occurrence, str) and occurrence in _OCCURRENCES:
        return
    if isinstance(occurrence, int) and not isinstance(occurrence, bool) and occurrence >= 0:
        return
    raise OptionError(
        f"occurrence: {choose(_OCCURRENCES)} or a number from 0, got {occurrence!r}"
        f"{did_you_mean(occurrence, _OCCURRENCES)}",
        option="occurrence",
        value=occurrence,
    )


def _asked(found: list[tuple[int, ToolCall]], occurrence: Occurrence) -> list[tuple[int, ToolCall]]:
    if isinstance(occurrence, int):
        return found[occurrence : occurrence + 1]
    return {"first": found[:1], "last": found[-1:]}.get(occurrence, found)


def _absence(
    tool: str, found: list[tuple[int, ToolCall]], occurrence: Occurrence, run: Trajectory, counted: Calls
) -> str:
    if found:
        return f"{tool!r} was called {len(found)} times, so there is no occurrence {occurrence}"
    idle = [f"actual[{i}] {call.status or ''}".rstrip() for i, call in enumerate(run.calls) if call.name == tool]
    if idle:
        return f"no call of {tool!r} counts: {', '.join(idle)}"
    names = sorted({call.name for _, call in counted})
    return f"{tool!r} was never called; called were {choose(names) or 'no tools'}{did_you_mean(tool, names)}"


def _told(shown: list[tuple[int, ToolCall]], wanted: ToolCall, rule: Rule | None) -> str:
    """The calls that decided, with what differs where there is a rule to tell it."""
    return "; ".join(first_few([_one_told(index, call, wanted, rule) for index, call in shown], _SHOWN))


def _one_told(index: int, call: ToolCall, wanted: ToolCall, rule: Rule | None) -> str:
    text = f"actual[{index}] {shorten(call_text(call), 80)}"
    differing = "; ".join(difference_text(difference) for difference in differences(call, wanted, rule)) if rule else ""
    return f"{text}: {differing}" if differing else text

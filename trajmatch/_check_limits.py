"""The check of how much a run did."""

from __future__ import annotations

from collections.abc import Mapping

from trajmatch._check_result import CheckResult
from trajmatch._columns import Calls
from trajmatch._counting import CallsOption, parse_counting
from trajmatch._model import ToolCall
from trajmatch._relation import same_arguments
from trajmatch._rules import parse_rule
from trajmatch._sides import actual_side
from trajmatch._text import call_text, shorten
from trajmatch._trajectory import Trajectory
from trajmatch._values import Unfreezable, freeze
from trajmatch.errors import ConversionError, OptionError

__all__ = ["check_limits"]

_EXACT = parse_rule("exact", "args")


def check_limits(
    actual: object,
    *,
    max_tool_calls: int | None = None,
    max_model_requests: int | None = None,
    max_identical_calls: int | None = None,
    calls: CallsOption = "all",
) -> CheckResult:
    """Check that a run stayed within its limits; at least one must be given.

    Args:
        actual: The history of a run, or a list of calls.
        max_tool_calls: How many calls may count; structured output does not.
        max_model_requests: How many responses the model may have given.
        max_identical_calls: How often one call may be made with equal arguments, whether in a row or not. Arguments
            that were not captured are not known to be equal.
        calls: Which calls count.

    Raises:
        OptionError: No limit, a limit that is no integer from 0, `calls` where no calls are counted.
        ConversionError: A history that cannot be read; model requests of a list of calls.

    >>> check_limits([call("search"), call("search")], max_tool_calls=5, max_identical_calls=1)
    check_limits: FAIL; 2 tool calls, at most 5; 2 identical calls search(), more than 1
    """
    limits = {
        "max_tool_calls": max_tool_calls,
        "max_model_requests": max_model_requests,
        "max_identical_calls": max_identical_calls,
    }
    _check_limits(limits, calls)
    counting, run = parse_counting(calls), actual_side(actual)
    counted = counting.of_actual(run)
    found: list[tuple[int, str, int]] = []
    if max_tool_calls is not None:
        found.append((len(counted), "tool calls", max_tool_calls))
    if max_model_requests is not None:
        found.append((_model_requests(run), "model requests", max_model_requests))
    if max_identical_calls is not None:
        found.append((*_most_repeated(counted), max_identical_calls))
    texts = [f"{n} {what}, {'more than' if n > most else 'at most'} {most}" for n, what, most in found]
    return CheckResult("check_limits", all(n <= most for n, _, most in found), "; ".join(texts), counting.notes(run))


def _check_limits(limits: Mapping[str, object], calls: object) -> None:
    given = {name: limit for name, limit in limits.items() if limit is not None}
    if not given:
        raise OptionError("check_limits: no limit is given, so nothing would be checked", option="max_tool_calls")
    for name, limit in given.items():
        if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
            raise OptionError(f"{name}: an integer from 0, got {limit!r}", option=name, value=limit)
    if calls != "all" and [*given] == ["max_model_requests"]:
        raise OptionError("calls has no effect on the number of model requests", option="calls", value=calls)


def _model_requests(run: Trajectory) -> int:
    if run.messages is None:
        raise ConversionError("max_model_requests counts assistant messages; a list of calls has none")
    return sum(message.role == "assistant" for message in run.messages)


def _most_repeated(calls: Calls) -> tuple[int, str]:
    """How often the call that was made most often was made, and which it is."""
    known = [item for item in calls if item[1].arguments is not None or item[1].raw_arguments is not None]
    most = max(_identical(known), key=len, default=list[tuple[int, ToolCall]]())
    what = f"identical calls {shorten(call_text(most[0][1]), 60)}" if most else "identical calls"
    unknown = len(calls) - len(known)
    return len(most), f"{what} ({unknown} without captured arguments not compared)" if unknown else what


def _identical(calls: list[tuple[int, ToolCall]]) -> list[list[tuple[int, ToolCall]]]:
    """The calls in groups of equal name and arguments, each with all that equal its first."""
    groups, odd = dict[object, list[tuple[int, ToolCall]]](), list[list[tuple[int, ToolCall]]]()
    for item in calls:
        try:
            key = item[1].name, item[1].raw_arguments, freeze(item[1].arguments)
            groups.setdefault(key, []).append(item)
        except Unfreezable:
            odd.append([item])
    for group in odd:  # equal to some that are not equal to each other
        group += [item for item in calls if item is not group[0] and _same(group[0], item)]
    return [*groups.values(), *odd]


def _same(one: tuple[int, ToolCall], other: tuple[int, ToolCall]) -> bool:
    return one[1].name == other[1].name and same_arguments(other, one, _EXACT)

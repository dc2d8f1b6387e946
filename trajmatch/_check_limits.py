"""The check of how much a run did."""

from __future__ import annotations

from collections.abc import Mapping

from trajmatch._counting import CallsOption, parse_counting
from trajmatch._model import ToolCall
from trajmatch._relation import Calls
from trajmatch._result import CheckResult
from trajmatch._sides import actual_side
from trajmatch._text import call_text, shorten
from trajmatch._trajectory import Trajectory
from trajmatch._values import Unfreezable, freeze, json_equal
from trajmatch.errors import ConversionError, OptionError

__all__ = ["check_limits"]


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
    check_limits: FAIL; 2 tool calls, at most 5; 2 identical calls search(), at most 1
    """
    limits = {
        "max_tool_calls": max_tool_calls,
        "max_model_requests": max_model_requests,
        "max_identical_calls": max_identical_calls,
    }
    _check_limits(limits, calls)
    counting, run = parse_counting(calls), actual_side(actual)
    counted = counting.of_actual(run)
    found = list[tuple[str, int, int]]()
    if max_tool_calls is not None:
        found.append(("tool calls", len(counted), max_tool_calls))
    if max_model_requests is not None:
        found.append(("model requests", _model_requests(run), max_model_requests))
    if max_identical_calls is not None:
        found.append((*_most_repeated(counted), max_identical_calls))
    texts = [f"{number} {what}, at most {most}" for what, number, most in found]
    passed = all(number <= most for _, number, most in found)
    return CheckResult("check_limits", passed, "; ".join(texts), counting.notes(run))


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


def _most_repeated(calls: Calls) -> tuple[str, int]:
    """The call that was made most often, in words, and how often."""
    groups = list[list[ToolCall]]()
    by_key = dict[object, list[ToolCall]]()
    unknown = 0
    for _, call in calls:
        if call.arguments is None and call.raw_arguments is None:
            unknown += 1
            continue
        group = _group_of(call, groups, by_key)
        group.append(call)
    most = max(groups, key=len, default=list[ToolCall]())
    what = f"identical calls {shorten(call_text(most[0]), 60)}" if most else "identical calls"
    return (f"{what} ({unknown} without captured arguments not compared)" if unknown else what), len(most)


def _group_of(call: ToolCall, groups: list[list[ToolCall]], by_key: dict[object, list[ToolCall]]) -> list[ToolCall]:
    try:
        key = (call.name, call.raw_arguments, freeze(call.arguments))
        group = by_key.get(key)
    except Unfreezable:
        key = None
        group = next((g for g in groups if _identical(g[0], call)), None)
    if group is None:
        group = list[ToolCall]()
        groups.append(group)
        if key is not None:
            by_key[key] = group
    return group


def _identical(one: ToolCall, other: ToolCall) -> bool:
    return one.name == other.name and json_equal(one.arguments, other.arguments)

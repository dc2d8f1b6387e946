"""The check of what a run must not do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trajmatch._check_result import CheckResult
from trajmatch._counting import CallsOption, parse_counting
from trajmatch._model import ToolCall
from trajmatch._relation import same_arguments
from trajmatch._rules import ArgumentsRule, Rule, parse_rule
from trajmatch._sides import actual_side, to_expectation
from trajmatch._text import call_text, first_few, name_text, shorten
from trajmatch._trajectory import Trajectory
from trajmatch.errors import OptionError

__all__ = ["check_forbidden"]

_SHOWN = 3


def check_forbidden(
    actual: object, forbidden: object, *, args: ArgumentsRule = "superset", calls: CallsOption = "all"
) -> CheckResult:
    """Check that a run makes none of these calls.

    A call that was denied counts, and so does structured output, since it is named here. Arguments that were not
    captured, or are no JSON object, could be the forbidden ones, and so could the call of a result that stands alone,
    which was made before this history begins: they fail.

    Args:
        actual: The history of a run, or a list of calls.
        forbidden: Names, calls or dicts, as an expectation is written; a bare name forbids the tool as a whole.
        args: The rule; by default a call is forbidden where it has all of these arguments, whatever else it has. A
            forbidden call may have a rule of its own.
        calls: Which calls count.

    Raises:
        OptionError: Nothing is forbidden, or a wrong option.
        ConversionError: A side that cannot be read.
        RuleError: The rule raised or gave no bool.

    >>> check_forbidden([call("refund", id=7)], ["delete", call("refund", id=8)])
    check_forbidden: PASS; none of 1 calls is forbidden
    """
    rule, listed = parse_rule(args, "args"), to_expectation(forbidden, side="forbidden")
    if not isinstance(listed, Trajectory):
        raise OptionError("forbidden: a list of calls, each of which is forbidden, got a structure", option="forbidden")
    unwanted = listed.calls
    if not unwanted:
        raise OptionError("forbidden: nothing is forbidden, so nothing would be checked", option="forbidden")
    counting, run = parse_counting(calls), actual_side(actual)
    counted = counting.of_actual(run, outputs=True)
    found = [
        f"actual[{item[0]}] {shorten(call_text(item[1]), 60)} is forbidden[{place}]{why}"
        for item in counted
        for place, call in enumerate(unwanted)
        if (why := _hit(item, (place, call), rule)) is not None
    ]
    found += _alone(run, unwanted)
    if not found:
        return CheckResult("check_forbidden", True, f"none of {len(counted)} calls is forbidden", counting.notes(run))
    return CheckResult("check_forbidden", False, "; ".join(first_few(found, _SHOWN)), counting.notes(run))


def _hit(actual: tuple[int, ToolCall], forbidden: tuple[int, ToolCall], rule: Rule) -> str | None:
    """Why a call is the forbidden one, as an addition to the reason; `None` where it is not."""
    if actual[1].name != forbidden[1].name:
        return None
    if same_arguments(actual, forbidden, forbidden[1].own_rule or rule):
        return ""
    if actual[1].arguments is None:
        return ", as far as its arguments can be read"
    return None


def _alone(run: Trajectory, unwanted: Iterable[ToolCall]) -> Iterator[str]:
    """The results whose calls are not in the history, of tools that are forbidden."""
    places = {call.name: place for place, call in enumerate(unwanted)}
    for position, message in enumerate(run.messages or ()):
        if message.name in places:
            place = places[message.name]
            yield f"message {position} is a result of {name_text(message.name)}, forbidden[{place}], without its call"

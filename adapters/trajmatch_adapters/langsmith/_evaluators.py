"""The match and the three checks as evaluators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Unpack, cast

from trajmatch import (
    ArgumentsRule,
    CallsOption,
    CheckResult,
    Matcher,
    MatchOptions,
    Occurrence,
    Trajectory,
    check_arguments,
    check_forbidden,
    check_limits,
    to_expectation,
)
from trajmatch_adapters.langsmith._evaluator import Evaluator, evaluator, feedback
from trajmatch_adapters.langsmith._places import Place, flag_option, text_option

__all__ = ["arguments_evaluator", "forbidden_evaluator", "limits_evaluator", "trajectory_evaluator"]


def trajectory_evaluator(
    *,
    key: str | None = None,
    outputs_key: str | None = None,
    reference_outputs_key: str | None = None,
    any_of: Sequence[object] | None = None,
    measures: bool = False,
    **options: Unpack[MatchOptions],
) -> Evaluator:
    """Give an evaluator that matches the history in `outputs` against the expectation in `reference_outputs`.

    The score is a float in the graded modes and for structures, 0.0 where a forbidden call happened, and a bool in the
    others; the comment is the reason.

    Args:
        key: The feedback key; `trajectory_{mode}_match` by default, or `trajectory_match` without a mode.
        outputs_key: Where the history is; by default under `messages` or `output`, or the value itself.
        reference_outputs_key: The same for the expectation.
        any_of: Several whole expectations, of which a run is to meet one, in place of `reference_outputs`.
        measures: Give precision, recall and F1 as well, each as feedback of its own: `{key}_precision` and so on.
        options: The options of `match`.

    Raises:
        OptionError: A wrong option. The evaluator raises what `match` raises, and a `ConversionError` where there is
            no history or no expectation.

    >>> from trajmatch_adapters.langsmith import trajectory_evaluator
    >>> evaluate = trajectory_evaluator(mode="in_order", args="ignore")
    >>> evaluate(outputs={"messages": [call("search", q="cats")]}, reference_outputs={"output": ["search"]})["score"]
    1.0
    """
    matcher, wanted = Matcher(**options), None if any_of is None else to_expectation({"any_of": [*any_of]})
    if wanted is not None:
        matcher(Trajectory(()), wanted)  # says what does not go together, before there is a run
    stated = f"_{options['mode']}" if "mode" in options else ""  # what is expected may be a structure
    named = text_option("key", key) or f"trajectory{stated}_match"
    history = Place("outputs", text_option("outputs_key", outputs_key))
    expectation = Place("reference_outputs", text_option("reference_outputs_key", reference_outputs_key))
    added = ("precision", "recall", "f1") if flag_option("measures", measures) else ()

    def judge(outputs: object, reference_outputs: object) -> dict[str, Any]:
        expected = expectation.find(reference_outputs) if any_of is None else wanted
        result = matcher(history.find(outputs), expected)
        facts = {name: getattr(result, name) for name in ("passed", "precision", "recall", "f1", "signature")}
        graded = 0.0 if result.forbidden else result.score  # which no score outweighs
        main = feedback(named, graded if result.graded else result.passed, result.reason, facts)
        more = [feedback(f"{named}_{name}", facts[name], result.reason, facts) for name in added]
        return {"results": [main, *more]} if more else main

    return evaluator([named, *(f"{named}_{name}" for name in added)], judge)


def arguments_evaluator(
    tool: str,
    expected: Mapping[str, Any] | None,
    *,
    args: ArgumentsRule = "superset",
    occurrence: Occurrence = "first",
    calls: CallsOption = "all",
    key: str | None = None,
    outputs_key: str | None = None,
) -> Evaluator:
    """Give an evaluator that checks the arguments with which a tool was called.

    It takes what `check_arguments` takes, and a `key` and an `outputs_key` as `trajectory_evaluator` does; by default
    the feedback key is `check_arguments_{tool}`.

    Raises:
        OptionError: A wrong option.

    >>> from trajmatch_adapters.langsmith import arguments_evaluator
    >>> evaluate = arguments_evaluator("refund", {"id": 7})
    >>> evaluate(outputs={"messages": [call("refund", id=7)]})["comment"]
    'check_arguments: PASS; actual[0] refund(id=7)'
    """
    check = partial(check_arguments, tool=tool, expected=expected, args=args, occurrence=occurrence, calls=calls)
    return _checking(check, key, f"check_arguments_{tool}", outputs_key)


def limits_evaluator(
    *,
    max_tool_calls: int | None = None,
    max_model_requests: int | None = None,
    max_identical_calls: int | None = None,
    calls: CallsOption = "all",
    key: str | None = None,
    outputs_key: str | None = None,
) -> Evaluator:
    """Give an evaluator that checks how much a run did.

    It takes what `check_limits` takes, and a `key` and an `outputs_key` as `trajectory_evaluator` does; by default the
    feedback key is `check_limits`.

    Raises:
        OptionError: No limit, or a wrong option.

    >>> from trajmatch_adapters.langsmith import limits_evaluator
    >>> limits_evaluator(max_tool_calls=1)(outputs={"messages": [call("search"), call("search")]})["score"]
    False
    """
    check = partial(
        check_limits,
        max_tool_calls=max_tool_calls,
        max_model_requests=max_model_requests,
        max_identical_calls=max_identical_calls,
        calls=calls,
    )
    return _checking(check, key, "check_limits", outputs_key)


def forbidden_evaluator(
    forbidden: object,
    *,
    args: ArgumentsRule = "superset",
    calls: CallsOption = "all",
    key: str | None = None,
    outputs_key: str | None = None,
) -> Evaluator:
    """Give an evaluator that checks that a run makes none of these calls.

    It takes what `check_forbidden` takes, and a `key` and an `outputs_key` as `trajectory_evaluator` does; by default
    the feedback key is `check_forbidden`.

    Raises:
        OptionError: Nothing is forbidden, or a wrong option.
        ConversionError: What is forbidden cannot be read.

    >>> from trajmatch_adapters.langsmith import forbidden_evaluator
    >>> forbidden_evaluator(["delete"])(outputs={"messages": [call("search")]})["score"]
    True
    """
    unwanted = list(cast("Iterator[object]", forbidden)) if isinstance(forbidden, Iterator) else forbidden
    check = partial(check_forbidden, forbidden=unwanted, args=args, calls=calls)
    return _checking(check, key, "check_forbidden", outputs_key)


def _checking(check: Callable[[object], CheckResult], key: object, default: str, outputs_key: object) -> Evaluator:
    check(Trajectory(()))  # fails here where an option is wrong
    named, history = text_option("key", key) or default, Place("outputs", text_option("outputs_key", outputs_key))

    def judge(outputs: object, reference_outputs: object) -> dict[str, Any]:
        result = check(history.find(outputs))
        return feedback(named, result.passed, result.reason, {"passed": result.passed})

    return evaluator([named], judge)

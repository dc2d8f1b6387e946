"""Evaluators for LangSmith: plain functions of `outputs` and `reference_outputs`, named by their feedback key.

What is different here from a match in a test:

- the history is a part of `outputs`, and the expectation a part of `reference_outputs`: under `messages` or `output`,
  or the value itself, or under a key that you name; what is not found is an error, never a pass;
- feedback is a plain dict, since LangSmith refuses objects, other keys, and dicts that are false;
- LangSmith records an error under a key that it reads from the source of a function, and under the feedback key only
  for a `RunEvaluator`: see `as_run_evaluator`, which alone imports `langsmith`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Unpack, cast

from trajmatch import (
    ArgumentsRule,
    CallsOption,
    CheckResult,
    ConversionError,
    Matcher,
    MatchOptions,
    Occurrence,
    OptionError,
    Trajectory,
    check_arguments,
    check_forbidden,
    check_limits,
)
from trajmatch.reading import choose, get, is_mapping, keys_of

if TYPE_CHECKING:
    from langsmith.evaluation import RunEvaluator

__all__ = [
    "Evaluator",
    "arguments_evaluator",
    "as_run_evaluator",
    "forbidden_evaluator",
    "limits_evaluator",
    "trajectory_evaluator",
]

_PLACES = ("messages", "output")
_STORED = ({"notes", "messages"}, {"notes", "calls"})
"""The keys of a trajectory that was stored as JSON: the value itself."""
_NO_HISTORY = (type(None), str, bytes, int, float)
_GRADED = ("in_order", "any_order")


class Evaluator(Protocol):
    """A plain function, for `evaluators=[...]` of `evaluate` and `aevaluate`, and to call by yourself.

    Attributes:
        feedback_keys: The keys of the feedback that it gives; the first is its `__name__`.
    """

    __name__: str
    feedback_keys: tuple[str, ...]

    def __call__(self, outputs: object, reference_outputs: object = None, **kwargs: object) -> dict[str, Any]:
        """Give feedback: `key`, `score`, `comment` and `metadata`, or several such dicts under `results`."""
        ...


def trajectory_evaluator(
    *,
    key: str | None = None,
    outputs_key: str | None = None,
    reference_outputs_key: str | None = None,
    measures: bool = False,
    **options: Unpack[MatchOptions],
) -> Evaluator:
    """Give an evaluator that matches the history in `outputs` against the expectation in `reference_outputs`.

    The score is a float in the graded modes, and a bool in the others; the comment is the reason.

    Args:
        key: The feedback key; `trajectory_{mode}_match` by default.
        outputs_key: Where the history is; by default under `messages` or `output`, or the value itself.
        reference_outputs_key: The same for the expectation.
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
    matcher = Matcher(**options)
    mode = options.get("mode", "exact")
    named = _text("key", key) or f"trajectory_{mode}_match"
    history = _Place("outputs", _text("outputs_key", outputs_key))
    expectation = _Place("reference_outputs", _text("reference_outputs_key", reference_outputs_key))
    added = ("precision", "recall", "f1") if _flag("measures", measures) else ()

    def judge(outputs: object, reference_outputs: object) -> dict[str, Any]:
        result = matcher(history.find(outputs), expectation.find(reference_outputs))
        facts = {name: getattr(result, name) for name in ("passed", "precision", "recall", "f1", "signature")}
        main = _feedback(named, result.score if mode in _GRADED else result.passed, result.reason, facts)
        more = [_feedback(f"{named}_{name}", facts[name], result.reason, facts) for name in added]
        return {"results": [main, *more]} if more else main

    return _evaluator([named, *(f"{named}_{name}" for name in added)], judge)


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


def as_run_evaluator(evaluator: Evaluator) -> RunEvaluator:
    """Give one of these evaluators as a LangSmith `RunEvaluator`, so that its errors have its feedback keys, too.

    Raises:
        OptionError: Something else than an evaluator of this module.
        ImportError: LangSmith is not installed.
    """
    keys: tuple[str, ...] = getattr(evaluator, "feedback_keys", ())
    if not keys:
        raise OptionError(
            f"evaluator: one that this module gave, got {evaluator!r}", option="evaluator", value=evaluator
        )
    from langsmith.evaluation import RunEvaluator
    from langsmith.evaluation.evaluator import DynamicRunEvaluator

    traced = DynamicRunEvaluator(evaluator)

    class TrajectoryRunEvaluator(RunEvaluator):
        evaluator = SimpleNamespace(evaluation_name=keys[0])  # where LangSmith before 0.9 looks for the key

        @property
        def feedback_keys(self) -> list[str]:
            return list(keys)

        def evaluate_run(self, *args: Any, **kwargs: Any) -> Any:  # its parameters differ between versions
            return traced.evaluate_run(*args, **kwargs)

    return TrajectoryRunEvaluator()


class _Place(NamedTuple):
    """Where one side is found in what LangSmith hands over."""

    side: str
    key: str | None

    def find(self, given: object) -> object:
        """Give the side.

        Raises:
            ConversionError: It is not there, or could be in two places; with where it was looked for.
        """
        if self.key is not None:
            found = get(given, self.key)
            return self._missing(given, (self.key,)) if found is None else found
        if given is None or (is_mapping(given) and {*given} not in _STORED):
            return self._under(given or {})
        return given

    def _under(self, given: Mapping[str, Any]) -> object:
        held = [name for name in _PLACES if not isinstance(given.get(name), _NO_HISTORY)]
        if len(held) > 1:
            raise ConversionError(
                f"{self.side}: {choose(held)} could both be meant; say which: {self.side}_key={held[0]!r}", keys=given
            )
        return given[held[0]] if held else self._missing(given, _PLACES)

    def _missing(self, given: object, names: Sequence[str]) -> object:
        keys = keys_of(given)
        seen = ", ".join(f"{key!r} ({type(get(given, key)).__name__})" for key in keys)
        raise ConversionError(
            f"{self.side}: nothing to read under {choose(names)}; there is {seen or 'nothing'}; "
            f"say where it is: {self.side}_key='...'",
            keys=keys,
        )


def _text(option: str, value: object) -> str | None:
    if value is None or (isinstance(value, str) and value):
        return value
    raise OptionError(f"{option}: a text that is not empty, got {value!r}", option=option, value=value)


def _flag(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise OptionError(f"{name}: True or False, got {value!r}", option=name, value=value)


def _feedback(key: str, score: float, comment: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {"key": key, "score": score, "comment": comment, "metadata": dict(metadata)}


def _checking(check: Callable[[object], CheckResult], key: object, default: str, outputs_key: object) -> Evaluator:
    check(Trajectory(()))  # fails here where an option is wrong
    named, history = _text("key", key) or default, _Place("outputs", _text("outputs_key", outputs_key))

    def judge(outputs: object, reference_outputs: object) -> dict[str, Any]:
        result = check(history.find(outputs))
        return _feedback(named, result.passed, result.reason, {"passed": result.passed})

    return _evaluator([named], judge)


def _evaluator(keys: Sequence[str], judge: Callable[[object, object], dict[str, Any]]) -> Evaluator:
    def trajectory_evaluation(outputs: object, reference_outputs: object = None, **kwargs: object) -> dict[str, Any]:
        return judge(outputs, reference_outputs)

    made = cast("Evaluator", trajectory_evaluation)
    made.__name__ = keys[0]
    made.feedback_keys = tuple(keys)
    return made

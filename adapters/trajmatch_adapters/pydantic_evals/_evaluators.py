"""The evaluators: fields of plain data, checked when one is built, and a match or a check behind each."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorOutput

from trajmatch import (
    ArgumentsRule,
    CallsOption,
    CheckResult,
    Matcher,
    MatchOptions,
    ModeName,
    Occurrence,
    OptionError,
    Trajectory,
    check_arguments,
    check_forbidden,
    check_limits,
    to_expectation,
)
from trajmatch_adapters.pydantic_evals._messages import OnMessages
from trajmatch_adapters.pydantic_evals._places import (
    Context,
    Expectations,
    find_expectation,
    read_expectation,
    read_turns,
)
from trajmatch_adapters.pydantic_evals._shown import shown
from trajmatch_adapters.pydantic_evals._written import (
    Expectation,
    written_arguments,
    written_expectation,
    written_option,
)

__all__ = ["CheckArguments", "CheckForbidden", "CheckLimits", "MatchRun"]

_MEASURES = ("precision", "recall", "f1")


@dataclass(repr=False, kw_only=True)
class MatchRun(OnMessages, Evaluator[object, object, object]):
    """Match a run against the expectation.

    The result is an assertion, and in the graded modes and for structures a score, 0.0 where a forbidden call happened.
    With a `threshold`, and for structures, an assertion `{name}_pass` stands beside it.

    Args:
        expected: Names, calls, dicts, a structure, or a whole history. By default the expectation is what the metadata
            of the case holds under `expected_trajectory`, or else its expected output.
        mode: See `MatchOptions`, as for all options of a match; a structure carries its own order.
        any_of: Several whole expectations in place of `expected`, of which a run is to meet one.
        threshold: The score from which a graded mode passes; by default there is no verdict beside the score.
        measures: Give precision, recall and F1 as well, as scores of their own: `{name}_precision` and so on.
        expected_key: The key of the metadata, or the field of the expected output, that holds the expectation.

    Raises:
        OptionError: A wrong option.
        ConversionError: An expectation that cannot be read.

    >>> from pydantic_evals import Case, Dataset
    >>> from trajmatch_adapters.pydantic_evals import MatchRun
    >>> case = Case(inputs="Find a lamp.", evaluators=(MatchRun(["search"], mode="in_order"),))
    >>> def task(question):
    ...     return [call("search", query="lamp"), call("book")]
    >>> report = Dataset(name="lamps", cases=[case]).evaluate_sync(task, progress=False)
    >>> report.cases[0].scores["MatchRun"].value
    0.6666666666666666
    """

    expected: Expectation | None = field(default=None, kw_only=False)
    mode: ModeName | None = None
    args: ArgumentsRule = "exact"
    overrides: Mapping[str, ArgumentsRule] | None = None
    calls: CallsOption = "all"
    threshold: float | None = None
    allow_extra: bool = False
    allow_missing: bool = False
    ignore_roles: Sequence[str] = ("system",)
    aliases: Mapping[str, str] | None = None
    prefixes: Sequence[str] = ()
    tools: Sequence[object] | Mapping[str, object] | None = None
    any_of: Sequence[Expectation] | None = None
    per_turn: bool = False
    measures: bool = False
    expected_key: str | None = None
    history_key: str | None = None
    nested: bool = True
    evaluation_name: str | None = None

    def __post_init__(self) -> None:
        self._refuse_wrong_fields(texts=["expected_key"], flags=["measures", "per_turn"])
        self.expected = _kept(self.expected)
        matcher, given = self._matcher(), self._given()
        if given is None:
            return
        matcher(Trajectory(()), given)
        if self.expected_key is not None:
            raise OptionError(
                "expected_key has no effect beside expected", option="expected_key", value=self.expected_key
            )

    def evaluate(self, ctx: Context) -> EvaluatorOutput:
        """Match the run of a case."""
        expected = find_expectation(ctx, self._given(), self.expected_key, self._read)
        result = self._matcher()(self._history(ctx), expected)
        graded, name, reason = result.graded, self.get_default_evaluation_name(), shown(result.reason)
        score = 0.0 if result.forbidden else result.score  # which no score outweighs
        main = EvaluationReason(score if graded else result.passed, reason)
        more: dict[str, EvaluationReason] = {}
        if graded and (self.threshold is not None or result.mode == "structure"):
            more[f"{name}_pass"] = EvaluationReason(result.passed, reason)
        if self.measures:
            more |= {f"{name}_{measure}": EvaluationReason(getattr(result, measure)) for measure in _MEASURES}
        return {name: main, **more} if more else main

    def get_evaluator_version(self) -> str | None:
        """Give the signature of the match: only scores of one signature are comparable."""
        matcher, given = self._matcher(), self._given()
        return matcher.signature if given is None else matcher(Trajectory(()), given).signature

    def _given(self) -> object:
        """What the evaluator itself expects, if it does."""
        if self.any_of is None:
            return self.expected
        if self.expected is not None:
            raise OptionError("any_of stands in place of expected; give one of them", option="any_of")
        return {"any_of": self.any_of}

    def _read(self, value: object) -> Expectations | list[Expectations]:
        return (read_turns if self.per_turn else read_expectation)(value, nested=self.nested)

    def _matcher(self) -> Matcher:
        options: MatchOptions = {
            "args": self.args,
            "overrides": self.overrides,
            "calls": self.calls,
            "threshold": 1.0 if self.threshold is None else self.threshold,
            "allow_extra": self.allow_extra,
            "allow_missing": self.allow_missing,
            "ignore_roles": self.ignore_roles,
            "aliases": self.aliases,
            "prefixes": self.prefixes,
            "tools": self.tools,
            "per_turn": self.per_turn,
        }
        if self.mode is not None:  # a structure carries its own order
            options["mode"] = self.mode
        return Matcher(**options)

    def _written(self, name: str, value: object) -> object:
        if name == "expected":
            return written_expectation(name, value, self._read)
        if name == "any_of" and value is not None:
            return [written_expectation(name, one, self._read) for one in self.any_of or ()]
        return written_option(name, value)


class _Checking(OnMessages):
    """An evaluator that needs no expectation; its result is an assertion."""

    def __post_init__(self) -> None:
        self._refuse_wrong_fields()
        self._check(Trajectory(()))  # fails here where an option is wrong

    def evaluate(self, ctx: Context) -> EvaluationReason:
        """Check the run of a case."""
        result = self._check(self._history(ctx))
        return EvaluationReason(result.passed, shown(result.reason))

    @abstractmethod
    def _check(self, run: Trajectory) -> CheckResult: ...


@dataclass(repr=False, kw_only=True)
class CheckArguments(_Checking, Evaluator[object, object, object]):
    """Check the arguments with which a tool was called; it takes what `check_arguments` takes.

    Raises:
        OptionError: A wrong option.
    """

    tool: str = field(kw_only=False)
    expected: Mapping[str, Any] | None = field(default=None, kw_only=False)
    args: ArgumentsRule = "superset"
    occurrence: Occurrence = "first"
    calls: CallsOption = "all"
    history_key: str | None = None
    nested: bool = True
    evaluation_name: str | None = None

    def _check(self, run: Trajectory) -> CheckResult:
        return check_arguments(
            run, self.tool, self.expected, args=self.args, occurrence=self.occurrence, calls=self.calls
        )

    def _written(self, name: str, value: object) -> object:
        wanted = self.expected if name == "expected" else None
        return written_option(name, value) if wanted is None else written_arguments(name, wanted)


@dataclass(repr=False, kw_only=True)
class CheckLimits(_Checking, Evaluator[object, object, object]):
    """Check how much a run did; it takes what `check_limits` takes.

    Raises:
        OptionError: No limit, or a wrong option.
    """

    max_tool_calls: int | None = field(default=None, kw_only=False)
    max_model_requests: int | None = None
    max_identical_calls: int | None = None
    calls: CallsOption = "all"
    history_key: str | None = None
    nested: bool = True
    evaluation_name: str | None = None

    def _check(self, run: Trajectory) -> CheckResult:
        return check_limits(
            run,
            max_tool_calls=self.max_tool_calls,
            max_model_requests=self.max_model_requests,
            max_identical_calls=self.max_identical_calls,
            calls=self.calls,
        )


@dataclass(repr=False, kw_only=True)
class CheckForbidden(_Checking, Evaluator[object, object, object]):
    """Check that a run makes none of these calls; it takes what `check_forbidden` takes.

    Raises:
        OptionError: Nothing is forbidden, or a wrong option.
        ConversionError: What is forbidden cannot be read.
    """

    forbidden: Expectation = field(kw_only=False)
    args: ArgumentsRule = "superset"
    calls: CallsOption = "all"
    history_key: str | None = None
    nested: bool = True
    evaluation_name: str | None = None

    def __post_init__(self) -> None:
        self.forbidden = _kept(self.forbidden)
        super().__post_init__()

    def _check(self, run: Trajectory) -> CheckResult:
        return check_forbidden(run, self.forbidden, args=self.args, calls=self.calls)

    def _written(self, name: str, value: object) -> object:
        return written_expectation(name, value, to_expectation) if name == "forbidden" else written_option(name, value)


def _kept(value: object) -> object:
    """A value that can be read as often as there are cases."""
    return list(cast("Iterator[object]", value)) if isinstance(value, Iterator) else value

"""An evaluator: a function of two runs, and its async twin."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Protocol, TypedDict

from trajmatch import OptionError, Trajectory
from trajmatch.reading import get
from trajmatch_adapters.agentevals._matchers import OPTIONS, Matchers
from trajmatch_adapters.agentevals._sides import Reader, read_reference, read_side

__all__ = ["AsyncTrajectoryEvaluator", "EvaluatorResult", "TrajectoryEvaluator", "awaited", "evaluator"]


class EvaluatorResult(TypedDict):
    """What an evaluator gives: the verdict as a bool, and the reason of the match as the comment."""

    key: str
    score: bool
    comment: str | None
    metadata: dict[str, Any] | None


class TrajectoryEvaluator(Protocol):
    """A function of two runs; what a harness hands over beside them is ignored."""

    def __call__(self, *, outputs: object, reference_outputs: object, **kwargs: object) -> EvaluatorResult:
        """Say whether the run did what the reference did."""
        ...


class AsyncTrajectoryEvaluator(Protocol):
    """A `TrajectoryEvaluator` to await."""

    async def __call__(self, *, outputs: object, reference_outputs: object, **kwargs: object) -> EvaluatorResult:
        """Say whether the run did what the reference did."""
        ...


def evaluator(key: str, matchers: Matchers, read: Reader[Trajectory]) -> TrajectoryEvaluator:
    """Give an evaluator with this key, whose runs are read by a function."""

    def trajectory_match(*, outputs: object, reference_outputs: object, **kwargs: object) -> EvaluatorResult:
        _refuse_options(kwargs)
        actual = read_side("outputs", outputs, read)
        expected = read_side("reference_outputs", reference_outputs, partial(read_reference, read=read))
        result = matchers.match(actual, expected)
        return {"key": key, "score": result.passed, "comment": result.reason, "metadata": None}

    trajectory_match.__name__ = key
    return trajectory_match


def awaited(evaluator: TrajectoryEvaluator) -> AsyncTrajectoryEvaluator:
    """Give the same evaluator, to await; it waits for nothing."""

    async def trajectory_match(*, outputs: object, reference_outputs: object, **kwargs: object) -> EvaluatorResult:
        return evaluator(outputs=outputs, reference_outputs=reference_outputs, **kwargs)

    trajectory_match.__name__ = get(evaluator, "__name__")
    return trajectory_match


def _refuse_options(given: Mapping[str, object]) -> None:
    for option in OPTIONS:
        if option in given:
            raise OptionError(
                f"{option} has no effect on an evaluator that is built; options go to what builds it",
                option=option,
                value=given[option],
            )

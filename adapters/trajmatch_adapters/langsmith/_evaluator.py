"""An evaluator: a plain function that is named by its feedback key."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, cast

__all__ = ["AsyncEvaluator", "Evaluator", "evaluator", "feedback", "named"]


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


class AsyncEvaluator(Protocol):
    """An `Evaluator` to await, for `evaluate` and `aevaluate` as well.

    Attributes:
        feedback_keys: As that of an `Evaluator`.
    """

    __name__: str
    feedback_keys: tuple[str, ...]

    def __call__(
        self, outputs: object, reference_outputs: object = None, **kwargs: object
    ) -> Awaitable[dict[str, Any]]:
        """Give feedback: `key`, `score` and `comment`."""
        ...


def feedback(key: str, score: float, comment: str, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Give feedback in the words of LangSmith."""
    return {"key": key, "score": score, "comment": comment, "metadata": dict(metadata)}


def evaluator(keys: Sequence[str], judge: Callable[[object, object], dict[str, Any]]) -> Evaluator:
    """Give a function of both sides as an evaluator with these keys."""

    def trajectory_evaluation(outputs: object, reference_outputs: object = None, **kwargs: object) -> dict[str, Any]:
        return judge(outputs, reference_outputs)

    return cast("Evaluator", named(trajectory_evaluation, keys))


def named(function: Callable[..., Any], keys: Sequence[str]) -> Callable[..., Any]:
    """Give a function the name of its first key, and its keys."""
    function.__name__ = keys[0]
    cast("Any", function).feedback_keys = tuple(keys)
    return function

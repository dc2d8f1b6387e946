"""The `RunEvaluator` form, which alone imports `langsmith`."""

from __future__ import annotations

from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from trajmatch import OptionError
from trajmatch_adapters.langsmith._evaluator import AsyncEvaluator, Evaluator

if TYPE_CHECKING:
    from langsmith.evaluation import RunEvaluator

__all__ = ["as_run_evaluator"]


def as_run_evaluator(evaluator: Evaluator | AsyncEvaluator) -> RunEvaluator:
    """Give one of these evaluators as a LangSmith `RunEvaluator`, so that its errors have its feedback keys, too.

    Raises:
        OptionError: Something else than an evaluator of this module.
        ImportError: LangSmith is not installed.
    """
    keys: tuple[str, ...] = getattr(evaluator, "feedback_keys", ())
    if not keys:
        raise OptionError(
            f"evaluator: one that this module gave, got {evaluator!r}{_hint(evaluator)}",
            option="evaluator",
            value=evaluator,
        )
    try:
        from langsmith.evaluation import RunEvaluator
        from langsmith.evaluation.evaluator import DynamicRunEvaluator
    except ImportError as error:
        text = "as_run_evaluator needs langsmith: pip install 'trajmatch[langsmith]'"
        raise ImportError(text, name="langsmith") from error

    traced = DynamicRunEvaluator(evaluator)

    class TrajectoryRunEvaluator(RunEvaluator):
        evaluator = SimpleNamespace(evaluation_name=keys[0])  # where LangSmith before 0.9 looks for the key

        @property
        def feedback_keys(self) -> list[str]:
            return list(keys)

        def evaluate_run(self, *args: Any, **kwargs: Any) -> Any:  # its parameters differ between versions
            return traced.evaluate_run(*args, **kwargs)

        async def aevaluate_run(self, *args: Any, **kwargs: Any) -> Any:
            return await traced.aevaluate_run(*args, **kwargs)

    return TrajectoryRunEvaluator()


def _hint(given: object) -> str:
    """What to write where one of the functions that make evaluators was handed over itself."""
    if isinstance(given, FunctionType) and given.__module__.startswith("trajmatch_adapters.langsmith."):
        return f"; call it: as_run_evaluator({given.__name__}(...))"
    return ""

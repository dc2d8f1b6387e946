"""The evaluators as a type checker sees them, also where Pydantic Evals takes them."""

from __future__ import annotations

from typing import Any, assert_type

from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel
from pydantic_ai.run import AgentRunResult
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

from trajmatch import Trajectory, call
from trajmatch_adapters.pydantic_evals import (
    EVALUATORS,
    CheckArguments,
    CheckForbidden,
    CheckLimits,
    JudgeRun,
    MatchRun,
)


def near(actual: dict[str, Any], expected: dict[str, Any]) -> bool:
    return actual == expected


def evaluators(run: AgentRunResult[str]) -> list[Evaluator[object, object, object]]:
    graded = MatchRun(["search", call("book")], mode="in_order", threshold=0.5, overrides={"book": near, "a": ["b.c"]})
    assert_type(graded.get_evaluator_version(), str | None)
    assert_type(graded.mode == "exact", bool)
    return [
        graded,
        MatchRun(run, mode="strict", ignore_roles=["system", "user"], nested=False),
        MatchRun(Trajectory(()), calls=lambda each: each.kind != "native", measures=True),
        CheckArguments("refund", {"id": 7}, args=["id"], occurrence=0, calls="succeeded"),
        CheckLimits(3, max_model_requests=2),
        CheckForbidden(["delete"], history_key="run"),
        JudgeRun("It is polite.", model=TestModel(), include_expected=True, score=True),
    ]


def judged(context: EvaluatorContext[object, object, object]) -> None:
    assert_type(CheckLimits(3).evaluate(context), EvaluationReason)


def handed_over(agent: Agent[None, str], run: AgentRunResult[str]) -> None:
    dataset = Dataset[str, AgentRunResult[str], Any](
        name="runs",
        cases=[Case(inputs="Cats?", metadata={"expected_trajectory": ["search"]}, evaluators=(MatchRun(),))],
        evaluators=evaluators(run),
    )
    dataset.evaluate_sync(agent.run)
    dataset.to_file("runs.yaml", custom_evaluator_types=EVALUATORS)
    Dataset[str, AgentRunResult[str], Any].from_file("runs.yaml", custom_evaluator_types=EVALUATORS)

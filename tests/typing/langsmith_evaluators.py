"""The evaluators as a type checker sees them, also where LangSmith takes them, whose own types are partly unknown."""
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from typing import Any, assert_type

from langsmith import Client, RunEvaluator
from langsmith.schemas import Example

from trajmatch_adapters.langsmith import (
    Evaluator,
    arguments_evaluator,
    as_run_evaluator,
    forbidden_evaluator,
    limits_evaluator,
    trajectory_evaluator,
)


def evaluators() -> list[Evaluator]:
    graded = trajectory_evaluator(mode="in_order", threshold=0.5, key="tools", measures=True, outputs_key="run")
    assert_type(graded, Evaluator)
    assert_type(graded.__name__, str)
    assert_type(graded.feedback_keys, tuple[str, ...])
    assert_type(graded(outputs={"run": []}, reference_outputs=[]), dict[str, Any])
    assert_type(as_run_evaluator(graded), RunEvaluator)
    return [
        graded,
        arguments_evaluator("refund", {"id": 7}, args=["id"], occurrence=0, calls="succeeded"),
        limits_evaluator(max_tool_calls=3),
        forbidden_evaluator(["delete"]),
    ]


def target(inputs: dict[str, Any]) -> dict[str, Any]:
    return {"messages": [inputs]}


def handed_over(client: Client, data: list[Example]) -> None:
    functions = evaluators()
    client.evaluate(target, data=data, evaluators=functions)
    client.evaluate(target, data=data, evaluators=[as_run_evaluator(each) for each in functions])

"""The evaluators as a type checker sees them, also where LangSmith takes them, whose own types are partly unknown."""
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from typing import Any, assert_type

from langchain_core.language_models import BaseChatModel
from langchain_core.prompts import ChatPromptTemplate
from langsmith import Client, RunEvaluator
from langsmith.schemas import Example

from trajmatch_adapters.langsmith import (
    AsyncEvaluator,
    Evaluator,
    JudgeOptions,
    arguments_evaluator,
    as_run_evaluator,
    async_judge_evaluator,
    forbidden_evaluator,
    judge_evaluator,
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


def as_messages(**given: object) -> list[dict[str, object]]:
    return [{"role": "user", "content": given["outputs"]}]


def judges(prompt: ChatPromptTemplate, model: BaseChatModel) -> list[Evaluator | AsyncEvaluator]:
    options: JudgeOptions = {"judge": model, "choices": [0, 1], "system": "Be strict."}
    asynchronous = async_judge_evaluator(prompt="{outputs}{reference_outputs}", reference=True, **options)
    assert_type(asynchronous, AsyncEvaluator)
    assert_type(asynchronous.feedback_keys, tuple[str, ...])
    assert_type(as_run_evaluator(asynchronous), RunEvaluator)
    assert_type(judge_evaluator(prompt=prompt, model="provider:name", max_length=9), Evaluator)
    return [asynchronous, judge_evaluator(prompt=as_messages, judge=model, continuous=True, key="kind")]


async def awaited(evaluator: AsyncEvaluator) -> None:
    assert_type(await evaluator(outputs=[], reference_outputs=[]), dict[str, Any])


def target(inputs: dict[str, Any]) -> dict[str, Any]:
    return {"messages": [inputs]}


def handed_over(client: Client, data: list[Example]) -> None:
    functions = evaluators()
    client.evaluate(target, data=data, evaluators=functions)
    client.evaluate(target, data=data, evaluators=[as_run_evaluator(each) for each in functions])


async def awaited_target(inputs: dict[str, Any]) -> dict[str, Any]:
    return {"messages": [inputs]}


async def handed_over_async(client: Client, data: list[Example], judges: list[Evaluator | AsyncEvaluator]) -> None:
    await client.aevaluate(awaited_target, data=data, evaluators=[as_run_evaluator(each) for each in judges])

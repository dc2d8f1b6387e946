"""The libraries that are measured beside this one, each of them optional, with their tracing off."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
from collections.abc import Callable
from typing import Any

__all__ = ["LIBRARIES", "lcs", "live_langchain", "live_pydantic_ai", "load", "trajectory_match", "version"]

os.environ |= {"LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": "false", "LANGSMITH_TEST_TRACKING": "false"}

LIBRARIES = ("agentevals", "openevals", "pydantic-evals", "langchain-core", "pydantic-ai-slim")


def version(library: str) -> str:
    """Give the version of a library, or say that it is not installed."""
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _get(module: str, name: str) -> Any:
    """Give what a module holds; `None` where it is not installed."""
    try:
        return getattr(importlib.import_module(module), name)
    except ImportError:
        return None


def load() -> None:
    """Import all that are installed, so that no import falls into a measurement."""
    for library in ("agentevals", "openevals"):
        trajectory_match(library, "strict", "exact")
    lcs()
    live_langchain([])
    live_pydantic_ai([])


def trajectory_match(library: str, mode: str, rule: str) -> Callable[[Any, Any], bool] | None:
    """Give the evaluator of agentevals, or its copy in openevals, as a function of the two histories."""
    create = _get(f"{library}.trajectory.match", "create_trajectory_match_evaluator")
    if create is None:
        return None
    evaluate = create(trajectory_match_mode=mode, tool_args_match_mode=rule)
    return lambda actual, expected: evaluate(outputs=actual, reference_outputs=expected)["score"]


def lcs() -> Callable[[list[str], list[str]], int] | None:
    """Give the function with which pydantic-evals finds the longest common subsequence."""
    return _get("pydantic_evals.evaluators.agentic", "_longest_common_subsequence_length")


def live_langchain(messages: list[dict[str, Any]]) -> list[Any] | None:
    """Give LangChain's message objects."""
    module = "langchain_core.messages"
    kinds = {"system": "SystemMessage", "human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}
    classes = {kind: _get(module, name) for kind, name in kinds.items()}
    return None if None in classes.values() else [classes[message["type"]](**message) for message in messages]


def live_pydantic_ai(messages: list[dict[str, Any]]) -> list[Any] | None:
    """Give Pydantic AI's message objects."""
    adapter = _get("pydantic_ai.messages", "ModelMessagesTypeAdapter")
    return None if adapter is None else adapter.validate_python(messages)

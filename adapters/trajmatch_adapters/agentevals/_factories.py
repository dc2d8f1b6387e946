"""What builds evaluators, by the names of agentevals."""

from __future__ import annotations

from trajmatch_adapters.agentevals._evaluator import (
    AsyncTrajectoryEvaluator,
    EvaluatorResult,
    TrajectoryEvaluator,
    awaited,
    evaluator,
)
from trajmatch_adapters.agentevals._matchers import (
    ToolArgsMatchMode,
    ToolArgsMatchOverrides,
    TrajectoryMatchMode,
    matchers_of,
)
from trajmatch_adapters.agentevals._sides import graph_trajectory, read_history

__all__ = [
    "create_async_graph_trajectory_match_evaluator",
    "create_async_trajectory_match_evaluator",
    "create_graph_trajectory_match_evaluator",
    "create_trajectory_match_evaluator",
    "graph_trajectory_strict_match",
    "graph_trajectory_strict_match_async",
]


def create_trajectory_match_evaluator(
    *,
    trajectory_match_mode: TrajectoryMatchMode = "strict",
    tool_args_match_mode: ToolArgsMatchMode = "exact",
    tool_args_match_overrides: ToolArgsMatchOverrides | None = None,
) -> TrajectoryEvaluator:
    """Give a function that matches the messages of a run with those of a reference run.

    Args:
        trajectory_match_mode: See `TrajectoryMatchMode`.
        tool_args_match_mode: When the arguments of two calls are the same; see `ToolArgsMatchMode`.
        tool_args_match_overrides: Rules for single tools; see `ToolArgsMatchOverrides`.

    Raises:
        OptionError: A mode or a rule that does not exist, or an async function.

    >>> from trajmatch_adapters.agentevals import create_trajectory_match_evaluator
    >>> evaluator = create_trajectory_match_evaluator(trajectory_match_mode="superset")
    >>> run = [{"role": "assistant", "tool_calls": [{"function": {"name": "search", "arguments": "{}"}}]}]
    >>> evaluator(outputs=run, reference_outputs={"messages": run})["comment"]
    'superset: PASS; 1 paired'
    """
    matchers = matchers_of(trajectory_match_mode, tool_args_match_mode, tool_args_match_overrides)
    return evaluator(f"trajectory_{trajectory_match_mode}_match", matchers, read_history)


def create_async_trajectory_match_evaluator(
    *,
    trajectory_match_mode: TrajectoryMatchMode = "strict",
    tool_args_match_mode: ToolArgsMatchMode = "exact",
    tool_args_match_overrides: ToolArgsMatchOverrides | None = None,
) -> AsyncTrajectoryEvaluator:
    """Give what `create_trajectory_match_evaluator` gives, to await; it waits for nothing."""
    return awaited(
        create_trajectory_match_evaluator(
            trajectory_match_mode=trajectory_match_mode,
            tool_args_match_mode=tool_args_match_mode,
            tool_args_match_overrides=tool_args_match_overrides,
        )
    )


def create_graph_trajectory_match_evaluator(
    *, trajectory_match_mode: TrajectoryMatchMode = "strict"
) -> TrajectoryEvaluator:
    """Give a function that matches the nodes of a LangGraph thread with those of a reference thread.

    `strict` compares step by step, in order; the other modes compare the nodes of all steps, in any order.

    Raises:
        OptionError: A mode that does not exist.

    >>> from trajmatch_adapters.agentevals import create_graph_trajectory_match_evaluator
    >>> evaluator = create_graph_trajectory_match_evaluator(trajectory_match_mode="superset")
    >>> evaluator(outputs={"steps": [["agent", "tools"]]}, reference_outputs={"steps": [["tools"]]})["score"]
    True
    """
    matchers = matchers_of(trajectory_match_mode, "exact", None)
    return evaluator(f"graph_trajectory_{trajectory_match_mode}_match", matchers, graph_trajectory)


def create_async_graph_trajectory_match_evaluator(
    *, trajectory_match_mode: TrajectoryMatchMode = "strict"
) -> AsyncTrajectoryEvaluator:
    """Give what `create_graph_trajectory_match_evaluator` gives, to await; it waits for nothing."""
    return awaited(create_graph_trajectory_match_evaluator(trajectory_match_mode=trajectory_match_mode))


def graph_trajectory_strict_match(*, outputs: object, reference_outputs: object, **kwargs: object) -> EvaluatorResult:
    """Say whether two LangGraph threads went through the same nodes in the same order, step by step."""
    evaluator = create_graph_trajectory_match_evaluator()
    return evaluator(outputs=outputs, reference_outputs=reference_outputs, **kwargs)


async def graph_trajectory_strict_match_async(
    *, outputs: object, reference_outputs: object, **kwargs: object
) -> EvaluatorResult:
    """Give what `graph_trajectory_strict_match` gives, to await; it waits for nothing."""
    return graph_trajectory_strict_match(outputs=outputs, reference_outputs=reference_outputs, **kwargs)

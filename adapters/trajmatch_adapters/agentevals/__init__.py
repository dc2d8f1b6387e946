"""The match evaluators of agentevals 0.0.9, by their names, parameters and results; `agentevals` is not imported.

A matcher decides, with the meanings that words have in this library. What is done to keep the verdicts of agentevals:

- both sides are histories, and one message may stand in place of a list;
- in `strict` the system messages count, so `ignore_roles` is empty here;
- calls that give structured output count like all others;
- the nodes of a graph count in their order.

The reference may be a structure as well, which carries its own order, or `any_of` several references.

What differs on purpose: `subset` is always *actual within expected*, also for arguments; pairings are optimal; values
are equal as JSON; options are checked when an evaluator is built; what is missing or unreadable is an error and never
an empty run; the comment holds the reason.
"""

from trajmatch_adapters.agentevals._evaluator import AsyncTrajectoryEvaluator, EvaluatorResult, TrajectoryEvaluator
from trajmatch_adapters.agentevals._factories import (
    create_async_graph_trajectory_match_evaluator,
    create_async_trajectory_match_evaluator,
    create_graph_trajectory_match_evaluator,
    create_trajectory_match_evaluator,
    graph_trajectory_strict_match,
    graph_trajectory_strict_match_async,
)
from trajmatch_adapters.agentevals._matchers import (
    ToolArgsMatchMode,
    ToolArgsMatchOverrides,
    TrajectoryMatchMode,
)
from trajmatch_adapters.agentevals._sides import graph_trajectory

__all__ = [
    "AsyncTrajectoryEvaluator",
    "EvaluatorResult",
    "ToolArgsMatchMode",
    "ToolArgsMatchOverrides",
    "TrajectoryEvaluator",
    "TrajectoryMatchMode",
    "create_async_graph_trajectory_match_evaluator",
    "create_async_trajectory_match_evaluator",
    "create_graph_trajectory_match_evaluator",
    "create_trajectory_match_evaluator",
    "graph_trajectory",
    "graph_trajectory_strict_match",
    "graph_trajectory_strict_match_async",
]

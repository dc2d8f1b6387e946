"""Evaluators for LangSmith: plain functions of `outputs` and `reference_outputs`, named by their feedback key.

What is different here from a match in a test:

- the history is a part of `outputs`, and the expectation a part of `reference_outputs`: under `messages` or `output`,
  or the value itself, or under a key that you name; what is not found is an error, never a pass;
- feedback is a plain dict, since LangSmith refuses objects, other keys, and dicts that are false;
- LangSmith records an error under a key that it reads from the source of a function, and under the feedback key only
  for a `RunEvaluator`: see `as_run_evaluator`, which alone imports `langsmith`.
"""

from trajmatch_adapters.langsmith._evaluator import Evaluator
from trajmatch_adapters.langsmith._evaluators import (
    arguments_evaluator,
    forbidden_evaluator,
    limits_evaluator,
    trajectory_evaluator,
)
from trajmatch_adapters.langsmith._run_evaluator import as_run_evaluator

__all__ = [
    "Evaluator",
    "arguments_evaluator",
    "as_run_evaluator",
    "forbidden_evaluator",
    "limits_evaluator",
    "trajectory_evaluator",
]

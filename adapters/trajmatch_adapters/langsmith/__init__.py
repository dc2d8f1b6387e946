"""Evaluators for LangSmith: plain functions of `outputs` and `reference_outputs`, named by their feedback key.

What is different here from a match in a test:

- the history is a part of `outputs`, and the expectation a part of `reference_outputs`: under `messages` or `output`,
  or the value itself, or under a key that you name; what is not found is an error, never a pass;
- feedback is a plain dict, since LangSmith refuses objects, other keys, and dicts that are false;
- LangSmith records an error under a key that it reads from the source of a function, and under the feedback key only
  for a `RunEvaluator`: see `as_run_evaluator`, which alone imports `langsmith`;
- what no rule decides, a model of yours judges through openevals, which is imported when a judge is made.
"""

from trajmatch_adapters.langsmith._evaluator import AsyncEvaluator, Evaluator
from trajmatch_adapters.langsmith._evaluators import (
    arguments_evaluator,
    forbidden_evaluator,
    limits_evaluator,
    trajectory_evaluator,
)
from trajmatch_adapters.langsmith._judge_options import JudgeOptions
from trajmatch_adapters.langsmith._judges import async_judge_evaluator, judge_evaluator
from trajmatch_adapters.langsmith._run_evaluator import as_run_evaluator

__all__ = [
    "AsyncEvaluator",
    "Evaluator",
    "JudgeOptions",
    "arguments_evaluator",
    "as_run_evaluator",
    "async_judge_evaluator",
    "forbidden_evaluator",
    "judge_evaluator",
    "limits_evaluator",
    "trajectory_evaluator",
]

"""Evaluators for Pydantic Evals: dataclasses for `Dataset(evaluators=[...])`, in Python, YAML and JSON.

What is different here from a match in a test:

- the history is the output of the task (a run result, a list of messages), or an attribute that the task set, or a
  field of the output that you name; what is not found is an evaluator failure, never a pass;
- the expectation stands in the evaluator, in the metadata of the case, or in its expected output;
- runs that tools hand over are read, as a span-based evaluator would see them; `nested=False` leaves them out;
- what a file can hold goes through `to_file` and `from_file` unchanged, and what it cannot hold is refused there;
- reasons are escaped for the versions whose reports take square brackets for markup.
"""

from importlib import import_module

try:
    import_module("pydantic_evals")
except ImportError as error:
    raise ImportError(
        "these evaluators need Pydantic Evals: pip install 'trajmatch[pydantic-evals]'", name="pydantic_evals"
    ) from error

from trajmatch_adapters.pydantic_evals._evaluators import CheckArguments, CheckForbidden, CheckLimits, MatchRun
from trajmatch_adapters.pydantic_evals._judge import JudgeRun

__all__ = ["EVALUATORS", "CheckArguments", "CheckForbidden", "CheckLimits", "JudgeRun", "MatchRun"]

EVALUATORS = (MatchRun, CheckArguments, CheckLimits, CheckForbidden, JudgeRun)
"""The types to register: `custom_evaluator_types=EVALUATORS`."""

"""The evaluator that asks a model: the run as text, and a rubric, to the judges of Pydantic Evals."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import cast

from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings
from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorOutput
from pydantic_evals.evaluators.llm_as_a_judge import (
    GradingOutput,
    judge_input_output,
    judge_input_output_expected,
    judge_output,
    judge_output_expected,
)

from trajmatch import OptionError, Trajectory
from trajmatch_adapters.pydantic_evals._messages import OnMessages
from trajmatch_adapters.pydantic_evals._places import Context, Expectations, find_expectation, read_expectation
from trajmatch_adapters.pydantic_evals._shown import shown
from trajmatch_adapters.pydantic_evals._written import Unwritable, written_option

__all__ = ["JudgeRun"]

_JUDGES: dict[tuple[bool, bool], Callable[..., Awaitable[GradingOutput]]] = {
    (False, False): judge_output,
    (True, False): judge_input_output,
    (False, True): judge_output_expected,
    (True, True): judge_input_output_expected,
}
"""The judge by what it sees beside the run: the inputs, the expectation."""

_KINDS = {"model": ("a model, its name", (Model, str)), "model_settings": ("an object", (Mapping,))}
"""What stands in fields that are neither text nor flag."""


@dataclass(repr=False, kw_only=True)
class JudgeRun(OnMessages, Evaluator[object, object, object]):
    """Let a model judge a run, which it reads as text: who said what, each call, and what came of it.

    The result is an assertion with the reason of the judge.

    Args:
        rubric: What must be true of the run.
        model: The model that judges; by default that of Pydantic Evals, see `set_default_judge_model`.
        model_settings: Its settings.
        include_input: Show it the inputs of the case, too.
        include_expected: Show it the expectation, too: where `MatchRun` finds it, save in the evaluator.
        expected_key: As for `MatchRun`.
        max_length: So many characters of the run at most; see `Trajectory.to_text`.
        score: Give its score as well: `{name}_score`.

    Raises:
        OptionError: A wrong option.
    """

    rubric: str = field(kw_only=False)
    model: Model | str | None = None
    model_settings: ModelSettings | None = None
    include_input: bool = False
    include_expected: bool = False
    expected_key: str | None = None
    max_length: int | None = None
    score: bool = False
    history_key: str | None = None
    nested: bool = True
    evaluation_name: str | None = None

    def __post_init__(self) -> None:
        self._refuse_wrong_fields(
            texts=["rubric", "expected_key"], flags=["include_input", "include_expected", "score"]
        )
        if cast("object", self.rubric) is None:
            raise OptionError("rubric: a text that is not empty, got None", option="rubric")
        for name, (words, kinds) in _KINDS.items():
            value: object = getattr(self, name)
            if value is not None and not isinstance(value, kinds):
                raise OptionError(f"{name}: {words} or None, got {value!r}", option=name, value=value)
        if self.expected_key is not None and not self.include_expected:
            raise OptionError("expected_key has no effect without include_expected", option="expected_key")
        Trajectory(()).to_text(max_length=self.max_length)  # fails here where the length is wrong

    async def evaluate(self, ctx: Context) -> EvaluatorOutput:
        """Let the model judge the run of a case."""
        shows: dict[str, object] = {"output": self._text(self._history(ctx))}
        if self.include_input:
            shows["inputs"] = ctx.inputs
        if self.include_expected:
            shows["expected_output"] = self._text(find_expectation(ctx, None, self.expected_key, self._read))
        judge = _JUDGES[self.include_input, self.include_expected]
        found = await judge(**shows, rubric=self.rubric, model=self.model, model_settings=self.model_settings)
        verdict = EvaluationReason(found.pass_, shown(found.reason))
        if not self.score:
            return verdict
        if not isfinite(found.score):  # which old versions take for a score
            raise ValueError(f"the judge gave the score {found.score}, which is no number")
        name = self.get_default_evaluation_name()
        return {name: verdict, f"{name}_score": found.score}

    def _read(self, value: object) -> Expectations:
        return read_expectation(value, nested=self.nested)

    def _text(self, run: Expectations) -> str:
        return run.to_text(max_length=self.max_length) if isinstance(run, Trajectory) else repr(run)

    def _written(self, name: str, value: object) -> object:
        if not isinstance(value, Model):
            return written_option(name, value)
        text = f"{value.system}:{value.model_name}"
        return Unwritable(option=name, text=text, why="it is an object, and a file holds the name of a model")

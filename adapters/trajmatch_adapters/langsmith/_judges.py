"""The judge of openevals as an evaluator: your model and your prompt, and the text of the run."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack, cast

from trajmatch import ConversionError, OptionError, Trajectory, to_trajectory
from trajmatch.reading import choose, get, is_mapping, listed
from trajmatch_adapters.langsmith._evaluator import AsyncEvaluator, Evaluator, named
from trajmatch_adapters.langsmith._judge_options import (
    JudgeOptions,
    Scale,
    checked_options,
    fields_of,
    openevals_llm,
    scale_of,
)
from trajmatch_adapters.langsmith._places import Place, flag_option, text_option

if TYPE_CHECKING:
    from trajmatch_adapters.langsmith._judge_options import Prompt

__all__ = ["async_judge_evaluator", "judge_evaluator"]


def judge_evaluator(
    *,
    prompt: Prompt,
    reference: bool = False,
    key: str | None = None,
    outputs_key: str | None = None,
    reference_outputs_key: str | None = None,
    max_length: int | None = None,
    **options: Unpack[JudgeOptions],
) -> Evaluator:
    """Give an evaluator that has a model of yours judge the run in `outputs`, through openevals.

    The comment is the reasoning of the judge.

    Args:
        prompt: What the judge is asked: a template in which `{outputs}` stands for the text of the run,
            `{reference_outputs}` for that of the expectation, and `{inputs}` for the inputs; a function that gives
            chat messages; or a prompt of LangChain.
        reference: Whether the judge sees the expectation in `reference_outputs`.
        key: The feedback key; `trajectory_judge` by default.
        outputs_key: Where the history is; by default under `messages` or `output`, or the value itself.
        reference_outputs_key: The same for the expectation.
        max_length: How long the text of each may be; see `Trajectory.to_text`.
        options: What `create_llm_as_judge` of openevals takes: `judge` (a chat model) or `model` (its name), `system`,
            `continuous`, `choices`, `use_reasoning`, `few_shot_examples`.

    Raises:
        OptionError: A wrong option, or a prompt that would not show the judge what it is to judge. The evaluator
            raises a `ConversionError` where there is no history, no expectation, or no score in what the judge says.
        ImportError: openevals is not installed.
    """
    made = _Judge.of(prompt, reference, key, outputs_key, reference_outputs_key, max_length)
    ask, scale = _openevals("create_llm_as_judge", made, prompt, options)

    def trajectory_evaluation(
        outputs: object, reference_outputs: object = None, inputs: object = None, **kwargs: object
    ) -> dict[str, Any]:
        question = made.question(outputs, reference_outputs, inputs, kwargs)
        with made.asking():
            answer = ask(**question)
        return made.feedback(answer, scale)

    return cast("Evaluator", named(trajectory_evaluation, [made.key]))


def async_judge_evaluator(
    *,
    prompt: Prompt,
    reference: bool = False,
    key: str | None = None,
    outputs_key: str | None = None,
    reference_outputs_key: str | None = None,
    max_length: int | None = None,
    **options: Unpack[JudgeOptions],
) -> AsyncEvaluator:
    """Give the evaluator of `judge_evaluator`, to await.

    Raises:
        OptionError: As `judge_evaluator` does.
        ImportError: openevals is not installed.
    """
    made = _Judge.of(prompt, reference, key, outputs_key, reference_outputs_key, max_length)
    ask, scale = _openevals("create_async_llm_as_judge", made, prompt, options)

    async def trajectory_evaluation(
        outputs: object, reference_outputs: object = None, inputs: object = None, **kwargs: object
    ) -> dict[str, Any]:
        question = made.question(outputs, reference_outputs, inputs, kwargs)
        with made.asking():
            answer = await ask(**question)
        return made.feedback(answer, scale)

    return cast("AsyncEvaluator", named(trajectory_evaluation, [made.key]))


def _openevals(
    factory: str, made: _Judge, prompt: object, options: Mapping[str, Any]
) -> tuple[Callable[..., Any], Scale]:
    llm = openevals_llm()
    checked = checked_options(llm, prompt, options)
    return getattr(llm, factory)(prompt=prompt, feedback_key=made.key, **checked), scale_of(checked)


class _Judge(NamedTuple):
    """What is done before and after the model is asked."""

    key: str
    fields: frozenset[str] | None
    history: Place
    expectation: Place | None
    max_length: int | None

    @classmethod
    def of(
        cls,
        prompt: object,
        reference: object,
        key: object,
        outputs_key: object,
        reference_outputs_key: object,
        max_length: int | None,
    ) -> _Judge:
        """Give a judge whose options have been checked.

        Raises:
            OptionError: A wrong option; a prompt that does not show the sides that it should, or another.
        """
        shown = flag_option("reference", reference)
        fields = fields_of(prompt)
        for field, asked in (("outputs", True), ("reference_outputs", shown)):
            if fields is not None and (field in fields) is not asked:
                raise OptionError(_seen(field, asked), option="prompt", value=prompt)
        where = text_option("reference_outputs_key", reference_outputs_key)
        if where and not shown:
            text = "reference_outputs_key has no effect without reference=True"
            raise OptionError(text, option="reference_outputs_key", value=where)
        Trajectory(()).to_text(max_length=max_length)  # fails here where it is wrong
        return cls(
            text_option("key", key) or "trajectory_judge",
            fields,
            Place("outputs", text_option("outputs_key", outputs_key)),
            Place("reference_outputs", where) if shown else None,
            max_length,
        )

    def question(
        self, outputs: object, reference_outputs: object, inputs: object, more: Mapping[str, object]
    ) -> dict[str, object]:
        """Give what the prompt is filled with.

        Raises:
            ConversionError: There is no run, no expectation, or nothing for another place of the prompt.
        """
        question = {**more, "outputs": self._text(self.history, to_trajectory, outputs)}
        if self.expectation is not None:
            question["reference_outputs"] = self._text(self.expectation, _expected, reference_outputs)
        if inputs is not None and (self.fields is None or "inputs" in self.fields):
            question["inputs"] = dict(inputs) if is_mapping(inputs) else inputs  # openevals writes into a dict
        missing = sorted(field for field in self.fields or () if question.get(field) is None)
        if missing:
            raise ConversionError(f"{self.key}: the prompt asks for {choose(missing)}, and nothing is there for it")
        return question

    def _text(self, place: Place, read: Callable[[object], Trajectory], given: object) -> str:
        found = place.find(given)
        try:
            return read(found).to_text(max_length=self.max_length)
        except ConversionError as error:
            error.args = (f"{place.side}: {error}",)
            raise

    @contextmanager
    def asking(self) -> Generator[None]:
        """Turn what openevals raises over an answer that is none into an error that says so.

        Where an evaluation uploads nothing, LangChain would send the traces of the model all the same, so it is not
        traced then.

        Raises:
            ConversionError: The judge gave no score.
        """
        try:
            with _untraced() if _stays_local() else nullcontext():
                yield
        except (LookupError, TypeError, ValueError) as error:
            text = f"{self.key}: the judge gave no score that can be read: {type(error).__name__}: {error}"
            raise ConversionError(text) from error

    def feedback(self, answer: object, scale: Scale) -> dict[str, Any]:
        """Give what the judge said as feedback.

        Raises:
            ConversionError: The score is none of those that were asked for, or the reasoning is no text.
        """
        score, comment = get(answer, "score"), get(answer, "comment")
        if not scale.holds(score):
            raise ConversionError(f"{self.key}: the score of the judge is {scale.text}, got {score!r:.80}")
        if not isinstance(comment, (str, type(None))):
            raise ConversionError(f"{self.key}: the reasoning of the judge is text, got {comment!r:.80}")
        return {"key": self.key, "score": score, "comment": comment}


def _expected(found: object) -> Trajectory:
    """Read an expectation, which may be a list with bare names."""
    named = any(isinstance(item, str) for item in listed(found))
    return Trajectory.from_calls(listed(found)) if named else to_trajectory(found)


def _seen(field: str, asked: bool) -> str:
    if asked:
        return f"prompt: it has no {{{field}}}, so the judge would not see what it is to judge"
    return f"prompt: it has {{{field}}}, which the judge sees with reference=True alone"


def _stays_local() -> bool:
    from langsmith import utils

    enabled: object = cast("Any", utils).tracing_is_enabled()
    return enabled == "local"


def _untraced() -> AbstractContextManager[None]:
    import langsmith

    untraced: AbstractContextManager[None] = cast("Any", langsmith).tracing_context(enabled=False)
    return untraced

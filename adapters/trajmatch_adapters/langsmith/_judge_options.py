"""The options of a judge, checked when it is made: openevals looks at most of them when it asks the model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from inspect import signature
from string import Formatter
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, TypeGuard, cast

from trajmatch import OptionError
from trajmatch.reading import choose, did_you_mean, get
from trajmatch_adapters.langsmith._places import flag_option, text_option

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable

    Prompt = str | Callable[..., Sequence[Any]] | Runnable[Any, Any]
    """A template with `{outputs}`, a function that gives chat messages, or a prompt of LangChain."""

__all__ = ["JudgeOptions", "Scale", "checked_options", "fields_of", "openevals_llm", "scale_of"]


class JudgeOptions(TypedDict, total=False):
    """What openevals takes for its judge, beside the prompt and the key."""

    judge: object
    """A chat model of LangChain, or a client of OpenAI."""
    model: str
    """The name of a model, where no chat model is given."""
    system: str
    continuous: bool
    choices: Sequence[float]
    use_reasoning: bool
    few_shot_examples: Sequence[Mapping[str, Any]]
    structured_output_kwargs: Mapping[str, Any]


class Scale(NamedTuple):
    """What a score may be."""

    text: str
    holds: Callable[[object], bool]


def openevals_llm() -> ModuleType:
    """Give the module of openevals that holds its judge.

    Raises:
        ImportError: openevals is not installed.
    """
    try:
        from openevals import llm
    except ImportError as error:
        raise ImportError("a judge needs openevals: pip install 'trajmatch[judge]'", name="openevals") from error
    return llm


def fields_of(prompt: object) -> frozenset[str] | None:
    """Give what a prompt has a place for; `None` for a function, which takes what it gets.

    Raises:
        OptionError: It is no prompt, or one with an output schema of its own, which gives no feedback.
    """
    if get(prompt, "schema_") is not None:
        raise _wrong("prompt", "one without an output schema, which would give something else than feedback", prompt)
    if isinstance(prompt, str):
        return frozenset(_template_fields(prompt))
    if (named := get(prompt, "input_variables")) is not None:
        return frozenset(cast("Iterable[str]", named))
    if callable(prompt) or hasattr(prompt, "invoke"):
        return None
    raise _wrong("prompt", "a template, a function that gives chat messages, or a prompt of LangChain", prompt)


def _template_fields(prompt: str) -> list[str]:
    try:
        found = [field for _, field, _, _ in Formatter().parse(prompt) if field is not None]
    except ValueError as error:
        raise _wrong("prompt", f"a template, whose braces are doubled where they are meant ({error})", prompt) from None
    return [re.split(r"[.\[]", field)[0] for field in found]


def checked_options(llm: ModuleType, prompt: object, options: Mapping[str, Any]) -> dict[str, Any]:
    """Give the options that say something.

    Raises:
        OptionError: An option that openevals does not take, has a wrong value, or could have no effect.
    """
    given = {name: value for name, value in options.items() if value is not None}
    known = signature(llm.create_llm_as_judge).parameters.keys() - {"prompt", "feedback_key", "output_schema"}
    for name in given:
        if name not in known:
            text = f"there is no option {name!r}{did_you_mean(name, known)}; there are {choose(sorted(known))}"
            raise OptionError(text, option=name, value=given[name])
    for name, check in _CHECKS.items():
        if name in given:
            check(name, given[name])
    if given.get("continuous") and "choices" in given:
        raise _wrong("continuous", "has no effect beside choices", True, "")
    if "system" in given and not isinstance(prompt, str):
        raise _wrong("system", "has no effect beside a prompt that is no template", given["system"], "")
    _check_model(llm, given)
    return given


def _check_model(llm: ModuleType, given: Mapping[str, Any]) -> None:
    judge, model = given.get("judge"), given.get("model")
    if judge is None and model is None:
        raise _wrong("judge", "a chat model, or model='provider:name'", None)
    if judge is None or isinstance(judge, llm.BaseChatModel):
        return
    if not isinstance(judge, llm.ModelClient):
        raise _wrong("judge", "a chat model of LangChain, or a client of OpenAI", judge)
    if model is None:
        raise _wrong("model", "the name of a model for the client", None)


def _check_choices(name: str, choices: Sequence[object]) -> None:
    if not isinstance(choices, (list, tuple)) or not choices or not all(map(_is_number, choices)):
        raise _wrong(name, "a list of numbers", choices)


_CHECKS: dict[str, Callable[[str, Any], object]] = {
    "model": text_option,
    "system": text_option,
    "continuous": flag_option,
    "use_reasoning": flag_option,
    "choices": _check_choices,
}


def scale_of(options: Mapping[str, Any]) -> Scale:
    """Give what a score may be under these options."""
    if choices := options.get("choices"):
        return Scale(f"one of {[*choices]}", partial(_is_choice, choices))
    if options.get("continuous"):
        return Scale("a number from 0 to 1", _is_share)
    return Scale("True or False", _is_bool)


def _is_choice(choices: Sequence[float], score: object) -> bool:
    return _is_number(score) and score in choices


def _is_share(score: object) -> bool:
    return _is_number(score) and 0 <= score <= 1


def _is_bool(score: object) -> bool:
    return isinstance(score, bool)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _wrong(option: str, what: str, value: object, got: str | None = None) -> OptionError:
    text = f"{option}: {what}, got {value!r:.80}" if got is None else f"{option} {what}"
    return OptionError(text, option=option, value=value)

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

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, Protocol, TypedDict, TypeVar, cast

from trajmatch import (
    AnyOf,
    ConversionError,
    Matcher,
    MatchResult,
    Message,
    OptionError,
    Structure,
    ToolCall,
    Trajectory,
    any_of,
    to_expectation,
    to_trajectory,
)
from trajmatch.reading import choose, did_you_mean, first, get, is_mapping, keys_of, listed

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

TrajectoryMatchMode = Literal["strict", "unordered", "subset", "superset"]
"""The modes of agentevals; those of `match` with these names."""

ToolArgsMatchMode = Literal["exact", "ignore", "subset", "superset"]
"""The rules for arguments; those of `match` with these names."""

ToolArgsMatchOverrides = Mapping[str, ToolArgsMatchMode | list[str] | Callable[[dict[str, Any], dict[str, Any]], bool]]
"""Rules for single tools: a name, a list of key paths, or a function of the actual and the expected arguments."""


class EvaluatorResult(TypedDict):
    """What an evaluator gives: the verdict as a bool, and the reason of the match as the comment."""

    key: str
    score: bool
    comment: str | None
    metadata: dict[str, Any] | None


class TrajectoryEvaluator(Protocol):
    """A function of two runs; what a harness hands over beside them is ignored."""

    def __call__(self, *, outputs: object, reference_outputs: object, **kwargs: object) -> EvaluatorResult:
        """Say whether the run did what the reference did."""
        ...


class AsyncTrajectoryEvaluator(Protocol):
    """A `TrajectoryEvaluator` to await."""

    async def __call__(self, *, outputs: object, reference_outputs: object, **kwargs: object) -> EvaluatorResult:
        """Say whether the run did what the reference did."""
        ...


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
    matchers = _matchers(trajectory_match_mode, tool_args_match_mode, tool_args_match_overrides)
    return _evaluator(f"trajectory_{trajectory_match_mode}_match", matchers, _history)


def create_async_trajectory_match_evaluator(
    *,
    trajectory_match_mode: TrajectoryMatchMode = "strict",
    tool_args_match_mode: ToolArgsMatchMode = "exact",
    tool_args_match_overrides: ToolArgsMatchOverrides | None = None,
) -> AsyncTrajectoryEvaluator:
    """Give what `create_trajectory_match_evaluator` gives, to await; it waits for nothing."""
    return _async(
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
    matchers = _matchers(trajectory_match_mode, "exact", None)
    return _evaluator(f"graph_trajectory_{trajectory_match_mode}_match", matchers, graph_trajectory)


def create_async_graph_trajectory_match_evaluator(
    *, trajectory_match_mode: TrajectoryMatchMode = "strict"
) -> AsyncTrajectoryEvaluator:
    """Give what `create_graph_trajectory_match_evaluator` gives, to await; it waits for nothing."""
    return _async(create_graph_trajectory_match_evaluator(trajectory_match_mode=trajectory_match_mode))


def graph_trajectory_strict_match(*, outputs: object, reference_outputs: object, **kwargs: object) -> EvaluatorResult:
    """Say whether two LangGraph threads went through the same nodes in the same order, step by step."""
    evaluator = create_graph_trajectory_match_evaluator()
    return evaluator(outputs=outputs, reference_outputs=reference_outputs, **kwargs)


async def graph_trajectory_strict_match_async(
    *, outputs: object, reference_outputs: object, **kwargs: object
) -> EvaluatorResult:
    """Give what `graph_trajectory_strict_match` gives, to await; it waits for nothing."""
    return graph_trajectory_strict_match(outputs=outputs, reference_outputs=reference_outputs, **kwargs)


def graph_trajectory(graph: object) -> Trajectory:
    """Read the steps of a LangGraph thread as a trajectory, for `match` and its checks.

    A step is one run of the graph, up to its end or an interrupt, and is read as a turn. A node is read as a response
    with one call, whose arguments are not stated: the nodes of a step stand in the order in which they are listed.

    Args:
        graph: A mapping with `steps`, or one that holds it under `outputs`, as it is extracted from a thread.

    Raises:
        ConversionError: There are no steps, or one is no list of names.

    >>> from trajmatch_adapters.agentevals import graph_trajectory
    >>> graph_trajectory({"steps": [["agent", "tools"], ["agent"]]}).calls
    (ToolCall('agent'), ToolCall('tools'), ToolCall('agent'))
    """
    steps = get(get(graph, "outputs") or graph, "steps")
    if not isinstance(steps, (list, tuple)):
        keys = keys_of(graph)
        raise ConversionError(
            f"a graph trajectory is a mapping whose 'steps' are lists of names, got {graph!r:.60}", keys=keys
        )
    messages: list[Message] = []
    for index, step in enumerate(cast("Sequence[object]", steps)):
        messages.append(Message("user"))
        messages += [Message("assistant", None, [ToolCall(node)]) for node in _nodes(index, step)]
    return Trajectory(messages)


def _nodes(index: int, step: object) -> Sequence[str]:
    nodes = cast("Sequence[object]", step) if isinstance(step, (list, tuple)) else [None]
    names = [node for node in nodes if isinstance(node, str) and node]
    if len(names) < len(nodes):
        raise ConversionError(
            f"step {index}: a step is a list of names of nodes, as in [['agent', 'tools']], got {step!r:.60}",
            index=index,
        )
    return names


_MODES: Mapping[str, Callable[..., Matcher]] = {
    "strict": partial(Matcher, mode="strict", ignore_roles=()),
    "unordered": partial(Matcher, mode="unordered"),
    "subset": partial(Matcher, mode="subset"),
    "superset": partial(Matcher, mode="superset"),
}

_DEFAULT = "strict"
_Reference = Trajectory | Structure | AnyOf
_T = TypeVar("_T")
_Read = Callable[[object], _T]

_WORDS = {"args": "tool_args_match_mode", "overrides": "tool_args_match_overrides"}
"""What the options of a matcher are called here."""


class _Matchers(NamedTuple):
    """What matches a run with another run, and with a structure, which carries its own order."""

    mode: str
    runs: Matcher
    structures: Matcher

    def match(self, actual: Trajectory, expected: _Reference) -> MatchResult:
        if not _holds_structure(expected):
            return self.runs(actual, expected)
        if self.mode != _DEFAULT:
            raise OptionError(
                "trajectory_match_mode has no effect beside a structure, which carries its own order; leave it out",
                option="trajectory_match_mode",
                value=self.mode,
            )
        return self.structures(actual, expected)


def _matchers(mode: object, args: object, overrides: object) -> _Matchers:
    if not isinstance(mode, str) or mode not in _MODES:
        raise OptionError(
            f"trajectory_match_mode: {mode!r} is no mode{did_you_mean(mode, _MODES)}; there are {choose(_MODES)}",
            option="trajectory_match_mode",
            value=mode,
        )
    try:
        build: Sequence[Callable[..., Matcher]] = (_MODES[mode], Matcher)
        return _Matchers(mode, *(each(args=args, overrides=overrides) for each in build))
    except OptionError as error:
        word = error.option.partition("[")[0]
        option, text = (written.replace(word, _WORDS[word], 1) for written in (error.option, str(error)))
        raise OptionError(text, option=option, value=error.value) from None


def _evaluator(key: str, matchers: _Matchers, read: _Read[Trajectory]) -> TrajectoryEvaluator:
    def trajectory_match(*, outputs: object, reference_outputs: object, **kwargs: object) -> EvaluatorResult:
        _refuse_options(kwargs)
        actual = _side("outputs", outputs, read)
        expected = _side("reference_outputs", reference_outputs, partial(_reference, read=read))
        result = matchers.match(actual, expected)
        return {"key": key, "score": result.passed, "comment": result.reason, "metadata": None}

    trajectory_match.__name__ = key
    return trajectory_match


def _async(evaluator: TrajectoryEvaluator) -> AsyncTrajectoryEvaluator:
    async def trajectory_match(*, outputs: object, reference_outputs: object, **kwargs: object) -> EvaluatorResult:
        return evaluator(outputs=outputs, reference_outputs=reference_outputs, **kwargs)

    trajectory_match.__name__ = get(evaluator, "__name__")
    return trajectory_match


_OPTIONS = ("trajectory_match_mode", *_WORDS.values(), "feedback_key")


def _refuse_options(given: Mapping[str, object]) -> None:
    for option in _OPTIONS:
        if option in given:
            raise OptionError(
                f"{option} has no effect on an evaluator that is built; options go to what builds it",
                option=option,
                value=given[option],
            )


def _reference(given: object, read: _Read[Trajectory]) -> _Reference:
    """Read a reference: a run, a structure, or several of these."""
    if isinstance(given, AnyOf):
        return any_of(*(_reference(one, read) for one in given.references))
    if is_mapping(given) and [*given] == ["any_of"]:
        return any_of(*(_reference(one, read) for one in listed(given["any_of"])))
    return to_expectation(given) if Structure.is_written(given) else read(given)


def _holds_structure(expected: _Reference) -> bool:
    if isinstance(expected, AnyOf):
        return any(map(_holds_structure, expected.references))
    return isinstance(expected, Structure)


def _side(parameter: str, given: object, read: _Read[_T]) -> _T:
    """Read one side, and say in errors which it is."""
    try:
        return read(given)
    except ConversionError as error:
        error.args = (f"{parameter}: {error}",)
        raise


def _history(given: object) -> Trajectory:
    """Read a history, or one message, in which structured output is a call like all others."""
    history = get(given, "messages") if is_mapping(given) and "messages" in given else given
    one = first(history, "role", "content") is not None and get(history, "messages") is None
    run = to_trajectory([history] if one else history)
    if any(call.kind == "output" for call in run.calls):
        return run.map_calls(lambda call: call.replace(kind="function") if call.kind == "output" else call)
    return run

"""The two sides as agentevals hands them over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from trajmatch import (
    AnyOf,
    ConversionError,
    Message,
    Structure,
    ToolCall,
    Trajectory,
    any_of,
    to_expectation,
    to_trajectory,
)
from trajmatch.reading import first, get, is_mapping, keys_of, listed

__all__ = ["Reader", "Reference", "graph_trajectory", "read_history", "read_reference", "read_side"]

Reference = Trajectory | Structure | AnyOf
_T = TypeVar("_T")
Reader = Callable[[object], _T]


def read_side(parameter: str, given: object, read: Reader[_T]) -> _T:
    """Read one side, and say in errors which it is."""
    try:
        return read(given)
    except ConversionError as error:
        error.args = (f"{parameter}: {error}",)
        raise


def read_reference(given: object, read: Reader[Trajectory]) -> Reference:
    """Read a reference: a run, a structure, or several of these."""
    if isinstance(given, AnyOf):
        return any_of(*(read_reference(one, read) for one in given.references))
    if is_mapping(given) and [*given] == ["any_of"]:
        return any_of(*(read_reference(one, read) for one in listed(given["any_of"])))
    return to_expectation(given) if Structure.is_written(given) else read(given)


def read_history(given: object) -> Trajectory:
    """Read a history, or one message, in which structured output is a call like all others."""
    history = get(given, "messages") if is_mapping(given) and "messages" in given else given
    one = first(history, "role", "content") is not None and get(history, "messages") is None
    run = to_trajectory([history] if one else history)
    if any(call.kind == "output" for call in run.calls):
        return run.map_calls(lambda call: call.replace(kind="function") if call.kind == "output" else call)
    return run


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

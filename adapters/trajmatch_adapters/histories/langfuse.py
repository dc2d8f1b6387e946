"""Langfuse traces: what its API and its SDK give, and exported traces with their observations.

What this format does differently:
- observations come in any order, and are sorted by start; they stand beside the trace or in it, or alone;
- their fields are in camel case where they are stored, and in snake case in objects of the SDK;
- input and output are JSON text or values, and messages in them are in the format of whoever was traced, with or
  without what wraps them: a list of messages, one message, a prompt, or only the calls of a response;
- a `GENERATION` is a request to a model, a `TOOL` executed a call, and anything else holds others. A generation that
  holds one is one request with it;
- each request repeats the messages before it, and an agent those of its requests: all count once;
- a tool says no id of its call, unless its metadata does; the observation's own id stands for it, and it joins the call
  of a message by name and arguments;
- the level `ERROR` says that a tool failed.
"""

from __future__ import annotations

from collections.abc import Iterator

from trajmatch import to_trajectory
from trajmatch.reading import (
    Answered,
    Event,
    Recognised,
    Step,
    StepKind,
    call_id,
    executed,
    first,
    get,
    listed,
    messages_in,
    moment,
    parsed,
    read_trace,
    recorded_result,
    tool_name,
)

__all__ = ["classify", "read"]

_KINDS: dict[str, StepKind] = {
    "GENERATION": "model",
    "TOOL": "tool",
    **dict.fromkeys(("AGENT", "CHAIN", "EMBEDDING", "EVALUATOR", "EVENT", "GUARDRAIL", "RETRIEVER", "SPAN"), "other"),
}
_STARTS = ("startTime", "start_time")
_ENDS = ("endTime", "end_time")
_PARENTS = ("parentObservationId", "parent_observation_id")
_CALL_IDS = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id", "tool_call_id", "toolCallId")
_TRACE = "trace"


def classify(message: object) -> Recognised:
    """Say whether an item is an observation, or a trace with its observations."""
    return "certain" if _is_observation(message) or _is_trace(message) else "no"


def read(history: object, *, nested: bool = True) -> Iterator[Event]:
    """Give the events of the observations of one trace, or of messages.

    Args:
        history: A trace with its observations, or a list of observations, or of messages as a generation took them in.
        nested: Read what goes on inside the execution of a tool, an agent that a tool runs say.

    Raises:
        OptionError: `nested` is no bool.
        ConversionError: Messages with calls that no format reads; a trace without messages and calls.
    """
    items = messages_in(history)
    steps: list[Step] = []
    for item in items:
        if _is_observation(item):
            steps.append(_step(len(steps), item))
        elif _is_trace(item):
            steps += _whole(len(steps), item)
        else:
            steps = [Step("the history", "model", inputs=items)]
            break
    yield from read_trace(steps, to_trajectory, nested=nested)


def _is_observation(item: object) -> bool:
    kind = get(item, "type")
    return isinstance(kind, str) and kind in _KINDS and first(item, *_STARTS, *_PARENTS) is not None


def _is_trace(item: object) -> bool:
    observations = listed(get(item, "observations"))
    return bool(observations) and all(map(_is_observation, observations))


def _whole(before: int, item: object) -> Iterator[Step]:
    """The observations of a trace, and the trace as what holds them."""
    steps = [_step(before + index, one) for index, one in enumerate(listed(get(item, "observations")))]
    starts = [step.start for step in steps if step.start is not None]
    trace = get(item, "trace", item)
    yield Step(
        f"trace {get(trace, 'name')!r:.60}",
        id=_TRACE,
        start=min(starts, default=None),
        inputs=get(trace, "input"),
        outputs=get(trace, "output"),
    )
    for step in steps:
        yield step if step.parent else step._replace(parent=_TRACE)


def _step(index: int, item: object) -> Step:
    kind, name = _KINDS[get(item, "type")], get(item, "name")
    id, parent = call_id(item, "id"), call_id(item, *_PARENTS)
    trace, start = call_id(item, "traceId", "trace_id"), moment(first(item, *_STARTS))
    step = Step(f"observation {index} {name!r:.60}", kind, id, parent, trace, start)
    if kind != "tool":
        return step._replace(inputs=get(item, "input"), outputs=get(item, "output"))
    return executed(step, tool_name(index, item, name), get(item, "input"), _answer(item), _own_id(item))


def _own_id(item: object) -> str | None:
    """The id of the call, where the metadata says it."""
    metadata = parsed(get(item, "metadata"))
    return call_id(parsed(get(metadata, "attributes")), *_CALL_IDS) or call_id(metadata, *_CALL_IDS)


def _answer(item: object) -> Answered | None:
    failed, output = get(item, "level") == "ERROR", get(item, "output")
    if output is None and not failed and first(item, *_ENDS) is None:
        return None
    message = first(item, "statusMessage", "status_message") if output is None else output
    return recorded_result(message, failed=failed)

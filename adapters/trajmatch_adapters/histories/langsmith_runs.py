"""LangSmith runs: `Run` and `RunTree` objects, exported runs, and the batches that are sent to the API.

What this format does differently:
- a trace is a list of runs in any order, or one run with its `child_runs`; they are sorted by start;
- a batch holds the begin of a run under `post` and its end under `patch`, which are one run;
- a run of the type `llm` is a request to a model. Its messages are in the format of whoever was traced: LangChain's
  `lc` constructors under `messages` and `generations`, a response of OpenAI under `choices` or `output`, one of
  Anthropic;
- each request repeats the messages before it, and a chain those of its requests: all count once;
- a run of the type `tool` executed a call. It names no id, unless its result is a tool message; the run's own id stands
  for it, and it joins the call of a message by name and arguments;
- LangChain writes the arguments of a tool as the text of a Python dict;
- an `error` says that a tool failed, and that of an interrupt that it waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trajmatch import to_trajectory
from trajmatch.reading import (
    SHARED_ID,
    Answered,
    Event,
    Ids,
    Noted,
    Recognised,
    Step,
    StepKind,
    call_id,
    executed,
    get,
    is_mapping,
    listed,
    messages_in,
    moment,
    read_trace,
    recorded_result,
    tool_name,
    unreadable,
)

__all__ = ["classify", "read"]

_KINDS: dict[str, StepKind] = {"llm": "model", "tool": "tool"}
_PARTS = ("post", "patch")
_FIELDS = (
    "dotted_order",
    "end_time",
    "error",
    "id",
    "inputs",
    "name",
    "outputs",
    "parent_run_id",
    "run_type",
    "start_time",
    "trace_id",
)
_WAITS = "GraphInterrupt("


def classify(message: object) -> Recognised:
    """Say whether an item is a run of LangSmith, or a batch of them."""
    return "certain" if _is_run(message) or _is_batch(message) else "no"


def read(history: object, *, nested: bool = True) -> Iterator[Event]:
    """Give the events of the runs of one trace.

    Args:
        history: A run with its children, a list or iterator of runs, or a batch of them.
        nested: Read what goes on inside the execution of a tool, an agent that a tool runs say.

    Raises:
        OptionError: `nested` is no bool.
        ConversionError: An item that is no run; messages with calls that no format reads; a trace without messages and
            calls.
    """
    runs: dict[str, Mapping[str, Any]] = {}
    ids = Ids()
    for index, item in enumerate(messages_in(history)):
        if classify(item) == "no":
            raise unreadable(index, item, "no run of LangSmith")
        for place, run in enumerate(_within(item, None)):
            id, name = str(run.get("id") or f"{index}.{place}"), run.get("name")
            id = ids.of(id, name if "run_type" in run and isinstance(name, str) else None)
            runs[id] = _patched(runs.get(id, {}), run)
    steps = [_step(index, id, run) for index, (id, run) in enumerate(runs.items())]
    yield from read_trace(steps, to_trajectory, nested=nested)
    if ids.shared:
        yield Noted(SHARED_ID)


def _is_run(item: object) -> bool:
    kind = get(item, "run_type")
    return isinstance(kind, str) and any(get(item, name) is not None for name in ("id", "trace_id", "start_time"))


def _is_batch(item: object) -> bool:
    if not is_mapping(item) or not any(listed(item.get(part)) for part in _PARTS):
        return False
    return all(get(run, "id") is not None for part in _PARTS for run in listed(item.get(part)))


def _within(item: object, parent: str | None) -> Iterator[Mapping[str, Any]]:
    """The run that an item is and those below it, or the runs of a batch."""
    if _is_batch(item):
        for part in _PARTS:
            for run in listed(get(item, part)):
                yield from _within(run, None)
        return
    run = {name: value for name in _FIELDS if (value := get(item, name)) is not None}
    yield run if parent is None else {"parent_run_id": parent, **run}
    for child in listed(get(item, "child_runs")):
        yield from _within(child, str(run.get("id") or "") or None)


def _patched(before: Mapping[str, Any], after: Mapping[str, Any]) -> Mapping[str, Any]:
    """A run of which two records are known; an empty field does not take back what was told."""
    return {**before, **{name: value for name, value in after.items() if value or name not in before}}


def _step(index: int, id: str, run: Mapping[str, Any]) -> Step:
    name, kind = run.get("name"), _KINDS.get(str(run.get("run_type")), "other")
    parent = run.get("parent_run_id")
    step = Step(
        f"run {index} {name!r:.60}",
        kind,
        id,
        None if parent is None else str(parent),
        call_id(run, "trace_id"),
        moment(run.get("start_time")),
    )
    if kind != "tool":
        return step._replace(inputs=run.get("inputs"), outputs=run.get("outputs"))
    return executed(step, tool_name(index, run, name), run.get("inputs"), _answer(run))


def _answer(run: Mapping[str, Any]) -> Answered | None:
    """What became of a tool; nothing where it goes on, or waits for somebody."""
    error, outputs = run.get("error"), run.get("outputs")
    if str(error).startswith(_WAITS) or (error is None and outputs is None and run.get("end_time") is None):
        return None
    return recorded_result(outputs or error, failed=error is not None)

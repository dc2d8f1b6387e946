"""ATIF, the Agent Trajectory Interchange Format, versions 1.0 to 1.8: a whole document, its steps, or their objects.

What this format does differently:
- what an agent says, what it calls and what it gets back stand in one step;
- nothing says whether a tool failed;
- a result without `source_call_id` is that of its step: of its call, or of all its calls where it is the only one;
  in a step without calls it is what the framework tells the model, and no turn of the user;
- steps that were copied from an earlier run (`is_copied_context`) happened there: `copied=True` reads them;
- the runs of sub-agents are documents of their own, inside the one whose results refer to them: `nested=True` reads
  them between the call and its result, with its id before theirs;
- a run may go on in another document, as `continued_trajectory_ref` says: a list of such documents is one run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from trajmatch.reading import (
    Answered,
    Called,
    Event,
    Noted,
    Recognised,
    Said,
    flag,
    get,
    listed,
    messages_in,
    unreadable,
)
from trajmatch_adapters.histories.atif._step import calls_of, events_of, role_of

__all__ = ["classify", "read"]

_COPIED = "steps that were copied from an earlier run are left out; copied=True reads them"
_GOES_ON = "the run goes on in another document, which is not read"


class _Reading(NamedTuple):
    """The options, and the runs of sub-agents.

    Attributes:
        nested: Read them.
        copied: Read what was copied from an earlier run.
        runs: Those that no result has referred to so far, by their ids.
        seen: All of them, since an object might hold itself.
    """

    nested: bool
    copied: bool
    runs: dict[str, list[object]]
    seen: set[int]


def classify(message: object) -> Recognised:
    """Say whether an item is a document or a step of ATIF."""
    return "certain" if _is_document(message) or _is_step(message) else "no"


def _is_document(item: object) -> bool:
    version = get(item, "schema_version")
    return isinstance(version, str) and version.startswith("ATIF") and isinstance(get(item, "steps"), (list, tuple))


def _is_step(item: object) -> bool:
    return role_of(item) is not None and isinstance(get(item, "step_id"), int) and get(item, "role") is None


def read(history: object, *, nested: bool = False, copied: bool = False) -> Iterator[Event]:
    """Give the events of a run in ATIF.

    Args:
        history: A document, its steps, or documents of which each goes on with the one before.
        nested: Read the runs of sub-agents that are inside the document.
        copied: Read the steps that were copied from an earlier run, too.

    Raises:
        OptionError: An option that is neither `True` nor `False`.
        ConversionError: Something that is neither a document nor a step, or documents of several runs.
    """
    reading = _Reading(flag("nested", nested), flag("copied", copied), {}, set())
    return _read(messages_in(history), reading)


def _read(items: list[object], reading: _Reading) -> Iterator[Event]:
    whole = [*map(_is_document, items)]
    if not any(whole):
        yield from _steps(items, reading)
    for index, document in enumerate(items if any(whole) else ()):
        if not whole[index]:
            raise unreadable(index, document, "a step beside whole trajectories")
        if index and get(items[index - 1], "continued_trajectory_ref") is None:
            raise unreadable(index, document, "a trajectory beside others; match each on its own")
        yield from _document(document, reading if index == 0 else reading._replace(copied=False))
    if whole[-1:] == [True] and get(items[-1], "continued_trajectory_ref") is not None:
        yield Noted(_GOES_ON)
    while left := [runs for runs in reading.runs.values() if runs]:
        yield Noted("runs of sub-agents that no result refers to are read last")
        yield from _nested(left[0].pop(0), None, reading)


def _document(document: object, reading: _Reading) -> Iterator[Event]:
    for run in listed(get(document, "subagent_trajectories")):
        if not reading.nested:
            yield Noted("runs of sub-agents are left out; nested=True reads them")
        elif not _is_document(run):
            raise unreadable(0, run, "a run of a sub-agent that is no trajectory")
        elif id(run) not in reading.seen:
            reading.seen.add(id(run))
            reading.runs.setdefault(str(get(run, "trajectory_id")), []).append(run)
    yield from _steps(listed(get(document, "steps")), reading)


def _steps(steps: Sequence[object], reading: _Reading) -> Iterator[Event]:
    for index, step in enumerate(steps):
        role = role_of(step)
        if role is None:
            raise unreadable(index, step, "no step of the user, the system or the agent")
        if get(step, "is_copied_context") is True and not reading.copied:
            yield Noted(_COPIED, calls_of(index, step))
        else:
            yield from events_of(index, step, role, partial(_runs, reading))


def _runs(reading: _Reading, result: object, parent: str | None) -> Iterator[Event]:
    """The runs that a result refers to."""
    given = get(result, "subagent_trajectory_ref")
    for reference in listed(given) or ([] if given is None else [given]):
        known = reading.runs.get(str(get(reference, "trajectory_id")))
        if known:
            yield from _nested(known.pop(0), parent, reading)
        elif reading.nested:
            yield Noted("results refer to runs of sub-agents that are not in the document")
        else:
            yield Noted("results refer to runs of sub-agents, which are left out")


def _nested(document: object, parent: str | None, reading: _Reading) -> Iterator[Event]:
    """A run of a sub-agent: its prompts start no turn, and its ids are told from those of others."""
    prefix = get(document, "trajectory_id") if parent is None else parent
    for event in _document(document, reading):
        if isinstance(event, (Called, Answered)):
            yield event._replace(id=f"{prefix}__{event.id or ''}")
        elif isinstance(event, Said) and event.role == "user":
            yield event._replace(feedback=True)
        else:
            yield event

"""LangChain messages and LangGraph runs: live objects, and every form that they are stored in.

What this format does differently:
- one message has many forms: objects, `messages_to_dict`, flat dicts, `lc` constructors, `(role, text)`
  pairs, and plain role dicts, which are read as `convert_to_messages` reads them;
- a call may stand in several places of a message: `tool_calls`, `invalid_tool_calls` (text that is no JSON
  object), content blocks and `additional_kwargs`. Each call counts once; the provider's own `tool_calls` and
  `function_call` in `additional_kwargs` count only where LangChain has parsed none;
- chunks of one response are merged before their arguments are read, and LangChain's completion of unfinished
  arguments is not used: what the model did not finish stays text;
- `RemoveMessage` takes its message out; in the steps of a LangGraph stream a message takes the place of one
  with its id;
- the `status` of a tool message says that the tool failed; a reviewer's refusal is `denied`;
- structured output through `ToolStrategy` looks like any other tool, but for the text of its result: all
  calls of a tool that ever gets such a text are `output`, and those that were sent back are `retried`;
- `tool_result` blocks in a human message are results. What stands beside them is a user's turn where it holds
  text, and belongs to the results otherwise;
- human messages that a framework adds (`lc_source`) start no turn;
- some recorders write the name of the tool as the role of its result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from trajmatch.reading import (
    Answered,
    Called,
    Event,
    Noted,
    Recognised,
    Said,
    get,
    is_mapping,
    listed,
    messages_in,
    names_of_tools,
    unreadable,
    with_outputs,
)
from trajmatch_adapters.histories.langchain._calls import calls_of
from trajmatch_adapters.histories.langchain._events import events_of
from trajmatch_adapters.histories.langchain._forms import View, recognise, view_of
from trajmatch_adapters.histories.langchain._skim import skim
from trajmatch_adapters.histories.langchain._steps import batches_of, holds_messages, is_step, is_whole
from trajmatch_adapters.histories.langchain._thread import Thread
from trajmatch_adapters.histories.langchain._write import write

__all__ = ["classify", "read", "skim", "write"]

_REMOVED = "calls of messages that were removed are left out"
_ROLES = frozenset({"assistant", "system", "tool", "user"})


def classify(message: object) -> Recognised:
    """Say whether an item is a message in one of LangChain's forms, or a step or state of LangGraph."""
    said = recognise(message)
    if said == "no" and is_step(message):
        return "certain" if holds_messages(message) else "could_be"
    return said


def read(history: object, *, output_tools: Collection[str] = ()) -> Iterator[Event]:
    """Give the events of a history of LangChain.

    Args:
        history: Messages in any form; a state, `GraphOutput`, `StateSnapshot` or `Command`; what `stream`
            gave in the modes `updates`, `values` and `messages`, with or without subgraphs.
        output_tools: Tools that return structured output, beside those that the texts of their results tell:
            for a `ToolStrategy` with a `tool_message_content` or error texts of its own.

    Raises:
        ConversionError: An item that is neither message nor step, a call without the name of its tool, or a
            run whose steps hold no messages.
        OptionError: One name in place of a collection of names.
    """
    named = names_of_tools("output_tools", output_tools)
    views, notes = _views(messages_in(history))
    events: list[Event] = []
    for view in views:
        events += events_of(view) if view.role in _ROLES else [_by_tool(e, events) for e in events_of(view)]
    yield from notes
    for tool in sorted(named.difference(event.name for event in events if isinstance(event, Called))):
        yield Noted(f"output_tools: no call of {tool!r}")
    yield from with_outputs(events, named.union(_output_tools(events)))


def _views(items: list[object]) -> tuple[Iterable[View], Iterable[Noted]]:
    """The messages of the run, and what is to be noted."""
    plain = [view_of(index, item) for index, item in enumerate(items)]
    views = [view for view in plain if view and not view.chunk and view.role != "remove"]
    if len(views) == len(items):
        return views, ()
    if len(items) == 1 and is_mapping(items[0]) and sum(map(_states, items[0].values())) > 1:
        raise unreadable(0, items[0], "several runs or nodes in one dict; hand over one of them, or a list of steps")
    thread, held = Thread(), False
    before: set[str | None] = set()
    for index, item in enumerate(items):
        batches = [*batches_of(index, item)]
        if is_whole(item):
            ids = {view.id for batch in batches for view in batch.views}
            if len(items) > 1 and (None in ids or (before and ids and before.isdisjoint(ids))):
                raise unreadable(index, item, "a run or state beside others that it does not go on with")
            before = ids
        for batch in batches:
            thread.add(batch)
            held = True
    if not held:
        raise unreadable(0, items[0], "a run whose steps hold no messages")
    views = [*thread.views()]
    return views, [*map(Noted, thread.notes), *_removed(thread.removed, views)]


def _removed(removed: Iterable[View], views: Iterable[View]) -> Iterator[Noted]:
    """A note of the calls in messages that were taken out, and did not come back."""
    if gone := _called(removed):
        left = _called(views)
        if lost := [call for call in gone if call not in left]:
            yield Noted(_REMOVED, lost)


def _called(views: Iterable[View]) -> list[Called]:
    return [event for view in views for event in calls_of(view.at, view.fields) if isinstance(event, Called)]


def _states(value: object) -> int:
    """How many states a value of a dict holds; of several updates of one node those that are runs by themselves."""
    return sum(map(_is_run, listed(value))) or (is_mapping(value) and "messages" in value)


def _is_run(update: object) -> bool:
    """Whether an update begins with a prompt, and goes on with what the model said."""
    roles = [view.role for message in listed(get(update, "messages")) if (view := view_of(0, message))]
    return roles[:1] in (["system"], ["user"]) and "assistant" in roles


def _by_tool(event: Event, before: Iterable[Event]) -> Event:
    """What a message says, or the result that it is where its role is a tool called before."""
    if isinstance(event, Said) and any(isinstance(e, Called) and e.name == event.role for e in before):
        return Answered(event.content, name=event.role)
    return event


def _output_tools(events: list[Event]) -> Iterator[str]:
    """The tools that got a text of structured output as their result."""
    names = {event.id: event.name for event in events if isinstance(event, Called) and event.id}
    for event in events:
        if isinstance(event, Answered) and event.kind == "output" and (name := event.name or names.get(event.id or "")):
            yield name

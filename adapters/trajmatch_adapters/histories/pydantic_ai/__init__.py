"""Pydantic AI: run results, message objects, and the JSON that they are stored as.

What this format does differently:
- a message is a `request` or a `response` and holds parts; each part of a request is a message of the model,
  and a response is one, even an empty one; `instructions` are none;
- before 2.60, a `retry-prompt` answers a rejected call; since then, a `tool-return` with an `outcome` does;
- whether a call was skipped, or returned the output of the run, only the text of its result says;
- feedback for the model (`retry-feedback`, a `retry-prompt` without a tool) and what a tool adds beside its
  result, an image say, stand among the user's parts; beside a result that a repair put in, the user speaks;
- the arguments are an object or its JSON text as the model sent them, and not what was executed;
- a run result knows which messages are of this run: `messages="all"` reads those before it, too;
- runs inside a tool are seen only where the tool hands them over in the `metadata` of its result;
  `nested=True` reads them as messages of their own, between the parent call and its result. The parent's id
  goes before theirs, and their prompts start no turn. The calls of code mode become one message.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import cast, get_args

from trajmatch.reading import (
    Called,
    Event,
    Noted,
    flag,
    listed,
    messages_in,
    names_of_tools,
    unreadable,
    word,
)
from trajmatch_adapters.histories.pydantic_ai._recognise import Messages, classify, is_run
from trajmatch_adapters.histories.pydantic_ai._run import Reading, events_of
from trajmatch_adapters.histories.pydantic_ai._skim import skim
from trajmatch_adapters.histories.pydantic_ai._write import write

__all__ = ["classify", "read", "skim", "write"]


def read(
    history: object,
    *,
    messages: Messages = "new",
    output_tools: Collection[str] | None = None,
    nested: bool = False,
) -> Iterator[Event]:
    """Give the events of a history of Pydantic AI.

    Args:
        history: A run result, a list of messages, or their JSON as Python objects.
        messages: Which messages of a run result to read; a list has no such boundary and is read whole.
        output_tools: The names of the tools that return the output of a run. By default the texts of their
            results say so; a `final_result` or `final_result_...` is one, too, unless a result shows it to be
            an ordinary tool.
        nested: Read the calls of code mode, and the runs that a tool hands over in what it returns:
            `ToolReturn(..., metadata={"messages": run.new_messages()})`.

    Raises:
        OptionError: A wrong value of an option.
        ConversionError: A message or a part that cannot be read.
    """
    which = word("messages", messages, get_args(Messages))
    names = None if output_tools is None else names_of_tools("output_tools", output_tools)
    reading = Reading(names, flag("nested", nested))
    return _read(_messages(history, which), reading)


def _messages(history: object, which: Messages) -> list[object]:
    items = messages_in(history)
    if len(items) == 1 and is_run(items[0]):
        messages: object = getattr(items[0], f"{which}_messages")()
        if not isinstance(messages, (list, tuple)):
            raise unreadable(0, items[0], f"{which}_messages() gives no list")
        return [*listed(cast("object", messages))]
    for index, item in enumerate(items):
        if is_run(item):
            raise unreadable(index, item, "a run beside others; match each on its own")
    return items


def _read(messages: list[object], reading: Reading) -> Iterator[Event]:
    """The events of a run, and a note for each output tool that does not occur in it."""
    unseen = set(reading.output_tools or ())
    for event in events_of(messages, reading):
        if isinstance(event, Called):
            unseen.discard(event.name)
        yield event
    for name in sorted(unseen):
        yield Noted(f"output_tools: no call of {name!r}")

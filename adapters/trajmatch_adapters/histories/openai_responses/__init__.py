"""OpenAI Responses: items as they are sent and stored, responses, and the runs of the OpenAI Agents SDK.

What this format does differently:
- a history is a flat list of items; messages, reasoning, calls and their outputs stand side by side. Items that the
  model wrote and nothing came between are one response; where responses are handed over whole, each is one;
- an item has an `id`, a call a `call_id`, too, and only that joins it and its output;
- the arguments of a function are JSON text, the input of a custom tool is free text;
- what OpenAI's servers execute has its result in the item itself and a `status`; it is called by its type, without
  `_call`, and so are the tools that OpenAI defines and the application executes (computer, shell, apply_patch);
- whether a function failed, only the texts of the Agents SDK say; shells give exit codes, patches a status;
- a request for approval is a call only where none follows: denied, or waiting;
- a run of the Agents SDK wraps items (`raw_item`), and its stored state holds one call up to five times;
- Codex records each item under `payload`; a stream gives each item, when it is done, in an event.
"""

from __future__ import annotations

from collections.abc import Iterator

from trajmatch.reading import Event, Recognised
from trajmatch_adapters.histories.openai_responses._entries import Messages, checked, entries_in
from trajmatch_adapters.histories.openai_responses._events import events_of
from trajmatch_adapters.histories.openai_responses._recognise import recognise

__all__ = ["classify", "read"]


def classify(message: object) -> Recognised:
    """Say whether something is an item of the Responses API, or what holds items: a response, a run, a run's state."""
    return recognise(message)


def read(history: object, *, messages: Messages = "new") -> Iterator[Event]:
    """Give the events of a history of items.

    Args:
        history: Items, responses, or both in one list; a result or a state of the Agents SDK.
        messages: Which messages of a run to read: those since its last prompt, or those before it in its input, too. A
            list of items has no such boundary and is read whole.

    Raises:
        OptionError: A wrong value of the option.
        ConversionError: Something that is no item, a call without a name, a run beside others, or one that still
            streams.
    """
    return events_of(entries_in(history, checked(messages)))

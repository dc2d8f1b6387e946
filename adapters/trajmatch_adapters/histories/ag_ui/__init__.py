"""AG-UI: the events that an agent streams to its user interface, and the messages that the interface keeps.

What this format does differently:
- a call comes in pieces: its arguments are the deltas put together, whatever else came between them;
- `parentMessageId` says which message a call belongs to; where it is missing, calls that follow each other are taken
  for one response, with a note;
- a snapshot of the messages, and the input of a run, repeat what was said before, and take its place;
- `rawEvent` repeats the calls of a whole response on each event, and is not looked at;
- an event with a result has no error; a message with one has, in `error`;
- calls without a result are `interrupted` where the run ended with an error, was cancelled, or breaks off in their
  arguments;
- messages are much like OpenAI's, with `toolCalls` and `toolCallId`; the objects of the SDK say `tool_calls`, and have
  an id, which those of OpenAI's have not;
- activities and reasoning are shown to the user, and are no messages here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trajmatch.reading import Event, Recognised, get, listed, messages_in
from trajmatch_adapters.histories.ag_ui._forms import is_event, is_stream, recognise
from trajmatch_adapters.histories.ag_ui._messages import read_message
from trajmatch_adapters.histories.ag_ui._stream import Stream

__all__ = ["classify", "read"]


def classify(message: object) -> Recognised:
    """Say whether an item is an event or a message of AG-UI."""
    return recognise(message)


def read(history: object) -> Iterator[Event]:
    """Give the events of a run of AG-UI.

    Args:
        history: Events, also of several runs of one thread; messages, or the input of a run that holds them.

    Raises:
        ConversionError: An item that is neither event nor message, arguments of a call that did not begin, a call
            without the name of its tool, or an event of an unknown type with a name and arguments.
    """
    items = [inner for item in messages_in(history) for inner in _opened(item)]
    if not any(map(is_event, items)):
        for index, item in enumerate(items):
            yield from read_message(index, item)
        return
    stream = Stream()
    for index, item in enumerate(items):
        if is_event(item):
            stream.add(index, item)
        else:
            stream.message(index, item)
    yield from stream.events()


def _opened(item: object) -> Sequence[object]:
    return listed(get(item, "events")) if is_stream(item) else [item]

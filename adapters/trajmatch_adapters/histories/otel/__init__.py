"""OpenTelemetry: GenAI messages, and the spans of a trace, as the SDK, an exporter or Pydantic Evals gives them.

What this format does differently:
- a message has `parts` with a `type`: `text`, `tool_call` (its arguments an object, or JSON text) and
  `tool_call_response`; a result stands in a message of a tool or of a user;
- arguments that are absent were not captured, since content is recorded only where somebody asked for it;
- spans come in the order in which they ended, or in any: they are sorted by start;
- messages stand in the attributes of a span or of its event, as JSON text or as values, in the words of the GenAI
  conventions, of OpenInference (one attribute for each leaf, `llm.input_messages.0.message.role`), of Google ADK
  (Gemini's), of the Vercel AI SDK, or of the older events `gen_ai.user.message` and `gen_ai.choice`;
- each request repeats the messages before it, and the span of an agent those of its requests: all count once;
- a call stands in a message and in the span that executed it, and counts once; without ids they join by the name and
  arguments;
- calls that only a span holds, of an agent inside a tool say, are calls of the run, each in a message of its own;
- the status of a span says that a tool failed. Pydantic AI adds that a call is to be made again, or was deferred, and
  which tools return structured output.
"""

from __future__ import annotations

from collections.abc import Iterator

from trajmatch import to_trajectory
from trajmatch.reading import Called, Event, Recognised, messages_in, read_trace, unreadable
from trajmatch_adapters.histories.otel._forms import Span, spans_of
from trajmatch_adapters.histories.otel._messages import events_of, is_message, recognise
from trajmatch_adapters.histories.otel._steps import output_tools, step_of

__all__ = ["classify", "read"]


def classify(message: object) -> Recognised:
    """Say whether an item is a message of the GenAI conventions, a span, or what holds spans."""
    return recognise(message) if is_message(message) else "certain" if spans_of(message) is not None else "no"


def read(history: object, *, nested: bool = True) -> Iterator[Event]:
    """Give the events of messages, or of the spans of one trace.

    Args:
        history: A list of messages, or of spans; a span tree; what an exporter wrote.
        nested: Read what goes on inside the execution of a tool, an agent that a tool runs say.

    Raises:
        OptionError: `nested` is no bool.
        ConversionError: An item that is neither, or both in one list; a call without the name of its tool; a trace
            without messages and calls.
    """
    items = messages_in(history)
    if all(map(is_message, items)):
        yield from events_of(items)
        return
    spans: list[Span] = []
    for index, item in enumerate(items):
        found = spans_of(item)
        if found is None:
            raise unreadable(index, item, "neither a message of the GenAI conventions nor a span")
        spans += found
    steps = [step_of(index, span) for index, span in enumerate(spans)]
    outputs = frozenset(name for span in spans for name in output_tools(span))
    for event in read_trace(steps, to_trajectory, nested=nested):
        yield event._replace(kind="output") if isinstance(event, Called) and event.name in outputs else event

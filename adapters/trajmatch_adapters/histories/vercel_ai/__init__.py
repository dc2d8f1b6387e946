"""The AI SDK of Vercel: UI messages, model messages, the steps of a result, and the spans of its telemetry.

What this format does differently:
- a UI message of an assistant holds a whole turn: each `step-start` begins a response;
- there, a call and its result are one part, `tool-NAME` or `dynamic-tool`, and its `state` says what became of the
  call: refused is `denied`; broken off in its input, or with a preliminary output alone, is `interrupted`;
- in model messages they are two, `tool-call` and `tool-result`, and the type of the output says whether it failed;
- an approval is a part of its own; one that was refused is the result of its call, unless another follows;
- what the provider executed is `native`, wherever its result stands;
- the input is an object, in telemetry its JSON text; what could not be parsed is `rawInput`;
- version 4 says `args` and `result`, and has `tool-invocation` parts; version 3 keeps calls beside the text;
- a span of a request to the model holds all messages before it: the last one is the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trajmatch.reading import Event, Recognised, get, is_mapping, listed, messages_in, unreadable
from trajmatch_adapters.histories.vercel_ai._forms import form_of, last_request, recognise
from trajmatch_adapters.histories.vercel_ai._model import Approvals, parts_of_step, read_message, read_step
from trajmatch_adapters.histories.vercel_ai._ui import read_ui

__all__ = ["classify", "read"]


def classify(message: object) -> Recognised:
    """Say whether an item is a message, a step, a result, a span or a trace of the AI SDK."""
    return recognise(message)


def read(history: object) -> Iterator[Event]:
    """Give the events of a run of the AI SDK.

    Args:
        history: UI messages or model messages, the steps or the result of `generateText`, or spans of its telemetry.

    Raises:
        ConversionError: An item that is none of these, several traces, a call without the name of its tool, or a part
            of an unknown type with a name and arguments.
    """
    items = _opened(messages_in(history))
    parts = [part for item in items for part in (listed(get(item, "content")) or parts_of_step(item))]
    approvals = Approvals(parts)
    for index, item in enumerate(items):
        if form_of(item) == "step":
            yield from read_step(index, item, approvals)
        elif not isinstance(get(item, "role"), str):
            raise unreadable(index, item, "neither a message, a step, a result nor a span of the AI SDK")
        elif form_of(item) == "ui" or listed(get(item, "parts")):
            yield from read_ui(index, item)
        else:
            yield from read_message(index, item, approvals)


def _opened(items: Sequence[object]) -> list[object]:
    """The messages and steps of a run, out of what holds them."""
    if items and all(form_of(item) == "span" for item in items):
        return _of_span(last_request(items))
    opened: list[object] = []
    for index, item in enumerate(items):
        form = form_of(item)
        if form == "trace" and len(items) == 1:
            return _of_span(last_request(listed(get(item, "llmSpans"))))
        if form in ("trace", "span"):
            raise unreadable(index, item, "a trace beside something else; hand over one run")
        opened += listed(get(item, "steps")) if form == "result" else [item]
    return opened


def _of_span(span: object) -> list[object]:
    """The messages that went into a request to the model, and the response."""
    given, output = get(span, "input"), get(span, "output")
    before = listed(given) or listed(get(given, "messages"))
    if not before and isinstance(prompt := get(given, "prompt"), str):
        before = [{"role": "user", "content": prompt}]
    calls = listed(output) or listed(get(output, "toolCalls"))
    made = [{**call, "type": "tool-call"} if is_mapping(call) and "type" not in call else call for call in calls]
    text = output if isinstance(output, str) else get(output, "text")
    said = [{"type": "text", "text": text}] if isinstance(text, str) and made else []
    return [*before, {"role": "assistant", "content": [*said, *made] or text}]

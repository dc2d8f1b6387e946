"""From a span to a step of the run: in the words of the conventions that instrumentations follow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from trajmatch.reading import (
    Answered,
    Called,
    Kind,
    Status,
    Step,
    StepKind,
    get,
    is_mapping,
    listed,
    moment,
    parsed,
    recorded_arguments,
    recorded_result,
)
from trajmatch_adapters.histories.otel._attributes import lookup, message_events, messages_at
from trajmatch_adapters.histories.otel._forms import Span

__all__ = ["output_tools", "step_of"]

_OPERATIONS: dict[str, StepKind] = {
    "ai.generateObject.doGenerate": "model",
    "ai.generateText.doGenerate": "model",
    "ai.streamText.doStream": "model",
    "ai.toolCall": "tool",
    "chat": "model",
    "execute_tool": "tool",
    "generate_content": "model",
    "generation": "model",
    "llm": "model",
    "text_completion": "model",
    "tool": "tool",
}
_KINDS = (
    "langfuse.observation.type",
    "langsmith.span.kind",
    "openinference.span.kind",
    "gen_ai.operation.name",
    "ai.operationId",
    "traceloop.span.kind",
)
_NAMES = ("gen_ai.tool.name", "tool.name", "tool_call.function.name", "ai.toolCall.name", "traceloop.entity.name")
_IDS = ("gen_ai.tool.call.id", "tool_call.id", "tool.id", "ai.toolCall.id")
_ARGUMENTS = (
    "gen_ai.tool.call.arguments",
    "tool_arguments",
    "gcp.vertex.agent.tool_call_args",
    "tool_call.function.arguments",
    "ai.toolCall.args",
    "input.value",
    "tool.parameters",
    "langfuse.observation.input",
    "traceloop.entity.input",
)
_RESULTS = (
    "gen_ai.tool.call.result",
    "tool_response",
    "gcp.vertex.agent.tool_response",
    "ai.toolCall.result",
    "output.value",
    "langfuse.observation.output",
    "traceloop.entity.output",
)
_INPUTS = ("gen_ai.input.messages", "llm.input_messages", "gen_ai.prompt", "ai.prompt.messages")
_OUTPUTS = ("gen_ai.output.messages", "llm.output_messages", "gen_ai.completion", "pydantic_ai.all_messages")
_RAW_INPUTS = (
    "gcp.vertex.agent.llm_request",
    "ai.prompt",
    "langfuse.observation.input",
    "gen_ai.prompt",
    "input.value",
    "traceloop.entity.input",
)
_RAW_OUTPUTS = (
    "gcp.vertex.agent.llm_response",
    "ai.response.text",
    "langfuse.observation.output",
    "gen_ai.completion",
    "output.value",
    "traceloop.entity.output",
)
_AI_RESPONSE = "ai.response.toolCalls"
_RETRIED = "pydantic_ai.tool.retry.cause"
_DEFERRED = "pydantic_ai.tool.deferral.name"
_OUTPUT_FUNCTION = "running output function"


def step_of(index: int, span: Span) -> Step:
    """Give a span as a step of the run."""
    kind, name = _kind(span), _tool(span)
    known = Step(f"span {index} {span.name!r:.60}", kind, span.id, span.parent, span.trace, moment(span.start))
    if kind == "tool" and name:
        call = _call(span, name)
        return known._replace(call=call, answer=_answer(span, call))
    inputs, outputs = _messages(span, _INPUTS, _RAW_INPUTS), _messages(span, _OUTPUTS, _RAW_OUTPUTS)
    said, given = message_events(span)
    return known._replace(kind="other" if kind == "tool" else kind, inputs=said or inputs, outputs=given or outputs)


def _kind(span: Span) -> StepKind:
    said = str(lookup(span.attributes, *_KINDS)).removesuffix("_SPAN")
    if said in _OPERATIONS or said.lower() in _OPERATIONS:
        return _OPERATIONS.get(said) or _OPERATIONS[said.lower()]
    if span.name == "running tool" or span.name.startswith("execute_tool "):
        return "tool"
    told = lookup(span.attributes, "gcp.vertex.agent.llm_response", "gen_ai.completion.0.role")
    return "model" if told is not None else "other"


def _tool(span: Span) -> str:
    name = lookup(span.attributes, *_NAMES)
    return name if isinstance(name, str) and name else span.name.removeprefix("execute_tool ")


def _call(span: Span, name: str) -> Called:
    """The executed call."""
    output = str(span.attributes.get("logfire.msg")).startswith(_OUTPUT_FUNCTION) or span.name == _OUTPUT_FUNCTION
    kind: Kind = "output" if output else "function"
    id = lookup(span.attributes, *_IDS) or _result(span).id
    return Called(name, recorded_arguments(lookup(span.attributes, *_ARGUMENTS)), str(id) if id else None, kind)


def _result(span: Span, id: str | None = None) -> Answered:
    failed = span.failed or lookup(span.attributes, "error.type") is not None
    return recorded_result(lookup(span.attributes, *_RESULTS), id, failed=failed)


def _answer(span: Span, call: Called) -> Answered | None:
    """What became of the call; nothing where it goes on, or somebody is to execute it later."""
    answer = _result(span, call.id)
    if lookup(span.attributes, _DEFERRED) is not None or (answer.result is None and not span.ended):
        return None
    retried: Status = "retried" if lookup(span.attributes, _RETRIED) is not None else answer.status
    return answer._replace(status=retried, kind=call.kind)


def _messages(span: Span, names: Sequence[str], raw: Sequence[str]) -> object:
    """The messages under the first of the names that holds some, or a value in which they may be found."""
    for attributes in (span.attributes, *(inner for _, inner in span.events)):
        for name in names:
            if found := messages_at(attributes, name):
                return [*_instructions(attributes, name), *found]
    return _response(span) if raw is _RAW_OUTPUTS and _AI_RESPONSE in span.attributes else lookup(span.attributes, *raw)


def _response(span: Span) -> object:
    """What the AI SDK keeps of a response: its text, and its calls without a message."""
    return {"text": lookup(span.attributes, "ai.response.text"), "toolCalls": lookup(span.attributes, _AI_RESPONSE)}


def _instructions(attributes: Any, name: str) -> Iterator[object]:
    """The system message that the conventions keep apart."""
    given = parsed(lookup(attributes, "gen_ai.system_instructions")) if name == "gen_ai.input.messages" else None
    if listed(given) and all(is_mapping(part) for part in listed(given)):
        yield {"role": "system", "parts": given}


def output_tools(span: Span) -> Iterator[str]:
    """Give the tools that return structured output, as Pydantic AI tells them."""
    for tool in listed(get(parsed(lookup(span.attributes, "model_request_parameters")), "output_tools")):
        if isinstance(name := get(tool, "name"), str):
            yield name

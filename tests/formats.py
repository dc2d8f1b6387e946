"""The steps of a run as each format keeps them, written by hand.

A step is what the model says, or the calls of one response, each with its name, its arguments and how it ends.
"""

import json
from collections.abc import Callable
from typing import NamedTuple

OK, FAILS, PENDING = "ok", "not ok", "absent"
ASKED, RESULT = "Please.", "x"


class Made(NamedTuple):
    """A call."""

    id: str
    name: str
    arguments: dict
    end: str

    @property
    def fails(self):
        return self.end == FAILS


class Wording(NamedTuple):
    """How a format writes a run: the question, what the model says, the calls of a response, and their results."""

    asks: list
    says: Callable[[str], list]
    calls: Callable[[list], list]
    answers: Callable[[list], list]
    unmarked: bool = False
    """Nothing says whether a tool failed."""
    wrap: Callable[[list], object] = list
    """What holds the items."""

    def write(self, steps):
        items = [*self.asks]
        for number, step in enumerate(steps):
            if isinstance(step, str):
                items += self.says(step)
            else:
                made = [Made(f"{number}.{place}", *call) for place, call in enumerate(step)]
                items += self.calls(made)
                items += self.answers([call for call in made if call.end != PENDING])
        return self.wrap(items)


def each(write):
    """An item for each call."""
    return lambda made: [write(call) for call in made]


def together(write, hold):
    """One item for all calls, if there are any."""
    return lambda made: [hold([write(call) for call in made])] if made else []


def several(*writes):
    """Items in the order of the writers, each for all calls."""
    return lambda made: [item for write in writes for item in write(made)]


def nothing(made):
    return []


def of(role, key="content", **more):
    """A message of a role with a content, under its key."""
    return lambda content: {"role": role, key: content, **more}


def one(write):
    return lambda text: [write(text)]


def text(value):
    return {"type": "text", "text": value}


def wire(call):
    function = {"name": call.name, "arguments": json.dumps(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def replies(call, **more):
    return {"role": "tool", "tool_call_id": call.id, "content": RESULT, **more}


def refused(call):
    """Beside a result, its error."""
    return {"error": "refused"} if call.fails else {}


PLAIN = {"asks": [{"role": "user", "content": ASKED}], "says": one(of("assistant"))}
OPENAI = Wording(
    **PLAIN,
    calls=together(wire, of("assistant", "tool_calls", content=None)),
    answers=each(lambda call: replies(call, **refused(call))),
)
COHERE = OPENAI._replace(calls=together(wire, of("assistant", "tool_calls", tool_plan="")))
COHERE_1 = Wording(
    [{"role": "USER", "message": ASKED}],
    one(of("CHATBOT", "message")),
    together(lambda c: {"name": c.name, "parameters": c.arguments}, of("CHATBOT", "tool_calls", message="")),
    together(
        lambda c: {"call": {"name": c.name, "parameters": c.arguments}, "outputs": [{"text": RESULT}]},
        of("TOOL", "tool_results"),
    ),
    unmarked=True,
)
MISTRAL = Wording(
    [{"type": "message.input", **of("user")(ASKED)}],
    one(of("assistant", type="message.output")),
    each(
        lambda c: {
            "type": "function.call",
            "tool_call_id": c.id,
            "name": c.name,
            "arguments": json.dumps(c.arguments),
        }
    ),
    each(
        lambda c: {
            "type": "function.result",
            "tool_call_id": c.id,
            "result": f"Error while executing {c.name}: no" if c.fails else RESULT,
        }
    ),
)
RESPONSES = Wording(
    [{"type": "message", **of("user")(ASKED)}],
    lambda said: [of("assistant", type="message")([{"type": "output_text", "text": said}])],
    each(
        lambda c: {"type": "function_call", "call_id": c.id, "name": c.name, "arguments": json.dumps(c.arguments)},
    ),
    each(
        lambda c: {
            "type": "function_call_output",
            "call_id": c.id,
            "output": "An error occurred while running the tool. Please try again. Error: no" if c.fails else RESULT,
        }
    ),
)


def event_of_codex(kind):
    def write(call):
        status = "in_progress" if kind == "item.started" else "failed" if call.fails else "completed"
        told = {"type": "mcp_tool_call", "tool": call.name, "arguments": call.arguments, "status": status}
        return {"type": kind, "item": {"id": call.id, **told}}

    return each(write)


CODEX = Wording(
    [{"type": "thread.started"}, {"type": "turn.started"}],
    lambda said: [{"type": "item.completed", "item": {"id": said, "type": "agent_message", "text": said}}],
    event_of_codex("item.started"),
    event_of_codex("item.completed"),
)
ANTHROPIC = Wording(
    **PLAIN,
    calls=together(lambda c: {"type": "tool_use", "id": c.id, "name": c.name, "input": c.arguments}, of("assistant")),
    answers=together(
        lambda c: {"type": "tool_result", "tool_use_id": c.id, "content": RESULT, "is_error": c.fails}, of("user")
    ),
)


def records(messages):
    """A record for each block, as Claude Code keeps them."""
    found = []
    for number, message in enumerate(messages):
        blocks = message["content"] if isinstance(message["content"], list) else [message["content"]]
        contents = [block if isinstance(block, str) else [block] for block in blocks]
        found += [{"type": message["role"], "message": {**message, "id": f"m{number}", "content": c}} for c in contents]
    return found


MANAGED_AGENTS = Wording(
    [{"type": "user.message", "content": [text(ASKED)]}],
    lambda said: [{"type": "agent.message", "content": [text(said)]}],
    each(lambda c: {"type": "agent.custom_tool_use", "id": c.id, "name": c.name, "input": c.arguments}),
    each(
        lambda c: {
            "type": "user.custom_tool_result",
            "custom_tool_use_id": c.id,
            "content": [],
            "is_error": c.fails,
        }
    ),
)
BEDROCK = Wording(
    [of("user")([{"text": ASKED}])],
    lambda said: [of("assistant")([{"text": said}])],
    together(
        lambda c: {"toolUse": {"toolUseId": c.id, "name": c.name, "input": c.arguments}},
        of("assistant"),
    ),
    together(
        lambda c: {
            "toolResult": {
                "toolUseId": c.id,
                "content": [{"text": RESULT}],
                "status": "error" if c.fails else "success",
            }
        },
        of("user"),
    ),
)
GEMINI = Wording(
    [of("user", "parts")([{"text": ASKED}])],
    lambda said: [of("model", "parts")([{"text": said}])],
    together(lambda c: {"functionCall": {"id": c.id, "name": c.name, "args": c.arguments}}, of("model", "parts")),
    together(
        lambda c: {
            "functionResponse": {
                "id": c.id,
                "name": c.name,
                "response": {"error" if c.fails else "result": RESULT},
            }
        },
        of("user", "parts"),
    ),
)
LANGCHAIN = Wording(
    [{"type": "human", "data": {"content": ASKED}}],
    lambda said: [{"type": "ai", "data": {"content": said}}],
    together(
        lambda c: {"name": c.name, "args": c.arguments, "id": c.id, "type": "tool_call"},
        lambda calls: {"type": "ai", "data": {"content": "", "tool_calls": calls}},
    ),
    each(
        lambda c: {
            "type": "tool",
            "data": {"content": RESULT, "tool_call_id": c.id, "status": "error" if c.fails else "success"},
        }
    ),
)
PYDANTIC_AI = Wording(
    [{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": ASKED}]}],
    lambda said: [{"kind": "response", "parts": [{"part_kind": "text", "content": said}]}],
    together(
        lambda c: {"part_kind": "tool-call", "tool_name": c.name, "args": c.arguments, "tool_call_id": c.id},
        lambda parts: {"kind": "response", "parts": parts},
    ),
    together(
        lambda c: {
            "part_kind": "retry-prompt" if c.fails else "tool-return",
            "tool_name": c.name,
            "content": RESULT,
            "tool_call_id": c.id,
        },
        lambda parts: {"kind": "request", "parts": parts},
    ),
)
VERCEL_AI = Wording(
    **PLAIN,
    calls=together(
        lambda c: {"type": "tool-call", "toolCallId": c.id, "toolName": c.name, "input": c.arguments}, of("assistant")
    ),
    answers=together(
        lambda c: {
            "type": "tool-result",
            "toolCallId": c.id,
            "toolName": c.name,
            "output": {"type": "error-text" if c.fails else "text", "value": RESULT},
        },
        of("tool"),
    ),
)


def part_of_ui(call):
    states = {OK: "output-available", FAILS: "output-error", PENDING: "input-available"}
    ends = {OK: {"output": RESULT}, FAILS: {"errorText": "refused"}, PENDING: {}}
    told = {"type": f"tool-{call.name}", "toolCallId": call.id, "state": states[call.end], "input": call.arguments}
    return {**told, **ends[call.end]}


VERCEL_UI = Wording(
    [],
    lambda said: [{"type": "step-start"}, text(said)],
    several(lambda made: [{"type": "step-start"}], each(part_of_ui)),
    nothing,
    wrap=lambda parts: [
        {"id": "1", "role": "user", "parts": [text(ASKED)]},
        {"id": "2", "role": "assistant", "parts": parts},
    ],
)
AG_UI = Wording(
    [{"id": "u", **of("user")(ASKED)}],
    one(of("assistant", id="s")),
    together(wire, lambda calls: {"id": f"of {calls[0]['id']}", "role": "assistant", "toolCalls": calls}),
    each(lambda c: {"id": c.id, "role": "tool", "toolCallId": c.id, "content": RESULT, **refused(c)}),
)


def event(kind, **fields):
    return {"type": kind, **fields}


def events_of_call(made):
    parent = f"message of {made[0].id}"
    for call in made:
        yield event("TOOL_CALL_START", toolCallId=call.id, toolCallName=call.name, parentMessageId=parent)
        yield event("TOOL_CALL_ARGS", toolCallId=call.id, delta=json.dumps(call.arguments))
        yield event("TOOL_CALL_END", toolCallId=call.id)


AG_UI_EVENTS = Wording(
    [event("MESSAGES_SNAPSHOT", messages=AG_UI.asks)],
    lambda said: [
        event("TEXT_MESSAGE_START", messageId=said, role="assistant"),
        event("TEXT_MESSAGE_CONTENT", messageId=said, delta=said),
        event("TEXT_MESSAGE_END", messageId=said),
    ],
    lambda made: [*events_of_call(made)],
    each(lambda c: event("TOOL_CALL_RESULT", messageId=c.id, toolCallId=c.id, content=RESULT)),
    unmarked=True,
)
INSPECT_AI = Wording(
    **PLAIN,
    calls=together(
        lambda c: {"id": c.id, "function": c.name, "arguments": c.arguments},
        of("assistant", "tool_calls", content=""),
    ),
    answers=each(
        lambda c: replies(c, function=c.name, error={"type": "unknown", "message": "no"} if c.fails else None)
    ),
)
TAU2 = Wording(
    **PLAIN,
    calls=together(
        lambda c: {"id": c.id, "name": c.name, "arguments": c.arguments, "requestor": "assistant"},
        of("assistant", "tool_calls", content=None),
    ),
    answers=each(lambda c: {"role": "tool", "id": c.id, "content": RESULT, "requestor": "assistant", "error": c.fails}),
)


def step_of_atif(made):
    calls = [{"tool_call_id": c.id, "function_name": c.name, "arguments": c.arguments} for c in made]
    results = [{"source_call_id": c.id, "content": RESULT} for c in made if c.end != PENDING]
    return [{"source": "agent", "message": "", "tool_calls": calls, "observation": {"results": results}}]


ATIF = Wording(
    [{"source": "user", "message": ASKED}],
    lambda said: [{"source": "agent", "message": said}],
    step_of_atif,
    nothing,
    unmarked=True,
    wrap=lambda steps: {
        "schema_version": "ATIF-v1.4",
        "steps": [{"step_id": number, **step} for number, step in enumerate(steps, 1)],
    },
)
OTEL = Wording(
    [of("user", "parts")([{"type": "text", "content": ASKED}])],
    lambda said: [of("assistant", "parts")([{"type": "text", "content": said}])],
    together(
        lambda c: {"type": "tool_call", "id": c.id, "name": c.name, "arguments": c.arguments},
        of("assistant", "parts"),
    ),
    together(lambda c: {"type": "tool_call_response", "id": c.id, "result": RESULT}, of("tool", "parts")),
    unmarked=True,
)

FORMATS = {
    "ag_ui": AG_UI,
    "ag_ui events": AG_UI_EVENTS,
    "anthropic": ANTHROPIC,
    "atif": ATIF,
    "bedrock": BEDROCK,
    "claude_code": ANTHROPIC._replace(wrap=records),
    "codex": CODEX,
    "cohere": COHERE,
    "cohere 1": COHERE_1,
    "gemini": GEMINI,
    "inspect_ai": INSPECT_AI,
    "langchain": LANGCHAIN,
    "managed_agents": MANAGED_AGENTS,
    "mistral": MISTRAL,
    "openai": OPENAI,
    "openai_responses": RESPONSES,
    "otel": OTEL,
    "pydantic_ai": PYDANTIC_AI,
    "tau2": TAU2,
    "vercel_ai": VERCEL_AI,
    "vercel_ai UI": VERCEL_UI,
}

import json
from pathlib import Path

import pytest
from pydantic_ai.ui.vercel_ai.request_types import UIMessage

from trajmatch import ConversionError, to_trajectory
from trajmatch.reading import build
from trajmatch_adapters.histories.openai import classify as by_openai
from trajmatch_adapters.histories.vercel_ai import classify, read

OLD = "a message of an old version does not say which text stood beside its calls"


def text(said):
    return {"type": "text", "text": said}


def ui(*parts, role="assistant", **more):
    return {"id": "m", "role": role, "parts": [*parts], **more}


def tool(state, name="a", id="1", **more):
    return {"type": f"tool-{name}", "toolCallId": id, "state": state, "input": {"x": 1}, **more}


def old(state, name="a", id="1", **more):
    invocation = {"state": state, "toolCallId": id, "toolName": name, "args": {"x": 1}, **more}
    return {"type": "tool-invocation", "toolInvocation": invocation}


def message(role, *parts, **more):
    return {"role": role, "content": [*parts], **more}


def call(name="a", id="1", **more):
    return {"type": "tool-call", "toolCallId": id, "toolName": name, "input": {"x": 1}, **more}


def result(output=None, name="a", id="1", **more):
    output = {"type": "json", "value": 2} if output is None else output
    return {"type": "tool-result", "toolCallId": id, "toolName": name, "output": output, **more}


def asked(id="1"):
    return {"type": "tool-approval-request", "approvalId": "p", "toolCallId": id}


def responded(approved, **more):
    return {"type": "tool-approval-response", "approvalId": "p", "approved": approved, **more}


def facts(run):
    """Each call: its name, what it was given, what became of it, and what it gave."""
    return [
        (made.name, made.raw_arguments if made.arguments is None else made.arguments, made.status, made.result)
        for made in run.calls
    ]


def shape(run):
    return [(message.role, message.content, [made.name for made in message.tool_calls]) for message in run.messages]


STEP = {"type": "step-start"}
HI = ui(text("Hi"), role="user")
OTHER = tool("output-available", "b", "2", output=3)
X = {"x": 1}
STATES = {
    "input-streaming": (tool("input-streaming", input=None, rawInput='{"x'), ("a", '{"x', "interrupted", None)),
    "input-available": (tool("input-available"), ("a", X, "pending", None)),
    "approval-requested": (tool("approval-requested", approval={"id": "p"}), ("a", X, "pending", None)),
    "approval-responded, yes": (
        tool("approval-responded", approval={"id": "p", "approved": True}),
        ("a", X, "pending", None),
    ),
    "approval-responded, no": (
        tool("approval-responded", approval={"id": "p", "approved": False, "reason": "No."}),
        ("a", X, "denied", "No."),
    ),
    "output-available": (tool("output-available", output=2), ("a", X, "succeeded", 2)),
    "output-available, null": (tool("output-available", output=None), ("a", X, "succeeded", None)),
    "output-available, preliminary": (
        tool("output-available", output=2, preliminary=True),
        ("a", X, "interrupted", 2),
    ),
    "output-error": (tool("output-error", errorText="no"), ("a", X, "failed", "no")),
    "output-error, of the input": (
        tool("output-error", input=None, rawInput='{"x', errorText="no"),
        ("a", '{"x', "failed", "no"),
    ),
    "output-denied": (tool("output-denied", approval={"id": "p", "reason": "No."}), ("a", X, "denied", "No.")),
    "a dynamic tool": (
        {**tool("output-available", output=2), "type": "dynamic-tool", "toolName": "a"},
        ("a", X, "succeeded", 2),
    ),
    "a name with dashes": (tool("output-available", "tool-x-y", output=2), ("tool-x-y", X, "succeeded", 2)),
    "no input": (tool("output-available", input=None, output=2), ("a", {}, "succeeded", 2)),
    "version 4, called": (old("call"), ("a", X, "pending", None)),
    "version 4, called in part": (old("partial-call"), ("a", X, "interrupted", None)),
    "version 4, answered": (old("result", result=2), ("a", X, "succeeded", 2)),
    "a tool of the name invocation": (
        tool("output-available", "invocation", output=2),
        ("invocation", X, "succeeded", 2),
    ),
    "an unknown state": (tool("levitating"), ("a", X, "pending", None)),
    "no text as a state": (tool(["x"]), ("a", X, "pending", None)),
}


@pytest.mark.parametrize(("part", "made"), STATES.values(), ids=STATES)
@pytest.mark.parametrize("options", [{}, {"format": "vercel_ai"}], ids=["recognised", "named"])
def test_the_state_of_a_part_says_what_became_of_the_call(part, made, options):
    assert facts(to_trajectory([HI, ui(part, OTHER)], **options)) == [made, ("b", X, "succeeded", 3)]


def test_an_unknown_state_is_noted():
    assert to_trajectory([ui(tool("levitating"))]).notes == ("a call is in the unknown state 'levitating'",)


MESSAGES = {
    "roles": (
        [ui(text("S"), role="system"), HI, ui(text("Ho"))],
        [("system", "S", []), ("user", "Hi", []), ("assistant", "Ho", [])],
    ),
    "each step is a response": (
        [ui(STEP, text("Wait"), tool("output-available", output=2), OTHER, STEP, text("Do"), text("ne"))],
        [("assistant", "Wait", ["a", "b"]), ("tool", 2, []), ("tool", 3, []), ("assistant", "Done", [])],
    ),
    "without a mark": (
        [ui(text("Wait"), tool("input-available"))],
        [("assistant", "Wait", ["a"])],
    ),
    "without a mark, text behind a result": (
        [ui(text("Wait"), tool("output-available", output=2), OTHER, text("Done"))],
        [("assistant", "Wait", ["a", "b"]), ("tool", 2, []), ("tool", 3, []), ("assistant", "Done", [])],
    ),
    "with marks, text behind a result": (
        [ui(STEP, tool("output-available", output=2), text("Done"))],
        [("assistant", "Done", ["a"]), ("tool", 2, [])],
    ),
    "a step that says nothing": ([HI, ui(STEP)], [("user", "Hi", []), ("assistant", None, [])]),
    "nothing at all": ([HI, ui()], [("user", "Hi", []), ("assistant", None, [])]),
    "the steps of version 4": (
        [ui(old("result", step=0, result=2), old("result", "b", "2", step=0, result=3), old("call", "c", "3", step=1))],
        [("assistant", None, ["a", "b"]), ("tool", 2, []), ("tool", 3, []), ("assistant", None, ["c"])],
    ),
    "text beside the calls of version 4": (
        [ui(text("Wait"), old("call", step=0), old("call", "b", "2", step=0))],
        [("assistant", "Wait", ["a", "b"])],
    ),
    "what is shown and not said": (
        [ui({"type": "reasoning", "text": "Hm"}, {"type": "data-weather", "data": {}}, text("Ho"))],
        [("assistant", "Ho", [])],
    ),
    "a file": (
        [ui(text("Look"), {"type": "file", "mediaType": "image/png", "url": "data:"}, role="user")],
        [("user", [text("Look"), {"type": "file", "mediaType": "image/png", "url": "data:"}], [])],
    ),
    "what the provider executed": (
        [ui(tool("output-available", output=2, providerExecuted=True), text("Ho"))],
        [("assistant", "Ho", ["a"])],
    ),
    "version 3": (
        [{"role": "assistant", "content": "Done", "toolInvocations": [old("result", result=2)["toolInvocation"]]}],
        [("assistant", None, ["a"]), ("tool", 2, []), ("assistant", "Done", [])],
    ),
    "version 3, without text": (
        [{"role": "assistant", "content": "", "toolInvocations": [old("call")["toolInvocation"]]}],
        [("assistant", None, ["a"])],
    ),
    "version 4, in both places": (
        [ui(old("call"), content="x", toolInvocations=[old("call")["toolInvocation"]])],
        [("assistant", None, ["a"])],
    ),
    "model messages": (
        [
            message("system", text("S")),
            message("user", text("Hi")),
            message("assistant", text("Wait"), call(), call("b", "2")),
            message("tool", result(), result(name="b", id="2")),
            message("assistant", text("Done")),
        ],
        [
            ("system", [text("S")], []),
            ("user", [text("Hi")], []),
            ("assistant", "Wait", ["a", "b"]),
            ("tool", 2, []),
            ("tool", 2, []),
            ("assistant", [text("Done")], []),
        ],
    ),
    "text that is no list": (
        [{"role": "user", "content": "Hi"}, message("assistant", call())],
        [("user", "Hi", []), ("assistant", None, ["a"])],
    ),
    "results of the provider": (
        [message("assistant", call(providerExecuted=True), result(), text("Ho"))],
        [("assistant", "Ho", ["a"])],
    ),
    "results of the provider in another message": (
        [message("assistant", call(providerExecuted=True)), message("tool", result())],
        [("assistant", None, ["a"])],
    ),
}


@pytest.mark.parametrize(("history", "messages"), MESSAGES.values(), ids=MESSAGES)
def test_messages_are_read(history, messages):
    assert shape(to_trajectory(history)) == messages
    assert shape(build(read(history))) == messages


def test_what_the_provider_executed_is_native():
    for parts in ([call(providerExecuted=True), result()], [call(providerExecuted=True)]):
        assert [made.kind for made in to_trajectory([message("assistant", *parts)]).calls] == ["native"]
    (made,) = to_trajectory([ui(tool("output-available", output=2, providerExecuted=True))]).calls
    assert (made.kind, made.status, made.result) == ("native", "succeeded", 2)


def test_a_message_of_version_3_cannot_say_which_text_stood_beside_its_calls():
    history, _ = MESSAGES["version 3"]
    assert to_trajectory(history).notes == (OLD,)


OUTPUTS = {
    "json": ({"type": "json", "value": {"y": 1}}, ("succeeded", {"y": 1})),
    "text": ({"type": "text", "value": "ok"}, ("succeeded", "ok")),
    "content": ({"type": "content", "value": [text("ok")]}, ("succeeded", [text("ok")])),
    "error-text": ({"type": "error-text", "value": "no"}, ("failed", "no")),
    "error-json": ({"type": "error-json", "value": {"y": 1}}, ("failed", {"y": 1})),
    "execution-denied": ({"type": "execution-denied", "reason": "No."}, ("denied", "No.")),
    "execution-denied, without a reason": ({"type": "execution-denied"}, ("denied", None)),
    "an object of the tool": ({"type": "json"}, ("succeeded", {"type": "json"})),
    "an object of another type": ({"type": "lamp", "value": 1}, ("succeeded", {"type": "lamp", "value": 1})),
    "text of the tool": ("ok", ("succeeded", "ok")),
}


@pytest.mark.parametrize(("output", "became"), OUTPUTS.values(), ids=OUTPUTS)
def test_the_type_of_an_output_says_what_became_of_the_call(output, became):
    (made,) = to_trajectory([message("assistant", call()), message("tool", result(output))]).calls
    assert (made.status, made.result) == became


SAID_NO = {"type": "error-text", "value": "No."}
OLD_RESULT = {**result(), "output": None, "result": 2}
PARTS = {
    "version 4": (
        [message("assistant", call(input=None, args=X)), message("tool", OLD_RESULT)],
        ("succeeded", 2),
    ),
    "version 4, failed": (
        [message("assistant", call()), message("tool", {**OLD_RESULT, "isError": True})],
        ("failed", 2),
    ),
    "an approval, refused": (
        [message("assistant", call(), asked()), message("tool", responded(False, reason="No."))],
        ("denied", "No."),
    ),
    "an approval, refused, with a result": (
        [message("assistant", call(), asked()), message("tool", responded(False), result(SAID_NO))],
        ("denied", "No."),
    ),
    "an approval, given": (
        [message("assistant", call(), asked()), message("tool", responded(True), result())],
        ("succeeded", 2),
    ),
    "an error of the tool": (
        [message("assistant", call(), {"type": "tool-error", "toolCallId": "1", "toolName": "a", "error": "no"})],
        ("failed", "no"),
    ),
    "a result without the name of its tool": (
        [message("assistant", call()), message("tool", {**result(), "toolName": None})],
        ("succeeded", 2),
    ),
    "an id that is a number": (
        [message("assistant", call(id=1)), message("tool", result(id=1))],
        ("succeeded", 2),
    ),
}


@pytest.mark.parametrize(("history", "became"), PARTS.values(), ids=PARTS)
def test_parts_of_model_messages_are_read(history, became):
    (made,) = to_trajectory(history).calls
    assert (made.name, made.arguments, made.status, made.result) == ("a", X, *became)


UNKNOWN = {"type": "hologram"}


def step(*parts, **more):
    return {"content": [*parts], "finishReason": "stop", **more}


LOOP = [("assistant", "Wait", ["a"]), ("tool", 2, []), ("assistant", "Done", [])]
STEPS = [step(text("Wait"), call(), result()), step(text("Done"))]
TOLD = {"toolCallId": "1", "toolName": "a", "input": '{"x": 1}'}
SPAN = {"name": "ai.generateText.doGenerate", "input": [message("user", text("Hi"))], "output": [TOLD]}
USER = ("user", [text("Hi")], [])
LAST = {
    **SPAN,
    "input": [message("user", text("Hi")), message("assistant", text("Wait"), call()), message("tool", result())],
    "output": "Done",
}
HELD = {
    "steps": (STEPS, LOOP),
    "a result": ({"steps": STEPS, "totalUsage": {}}, LOOP),
    "a result behind what was asked": ([message("user", text("Hi")), {"steps": STEPS}], [USER, *LOOP]),
    "the steps of version 4": (
        [
            {"text": "Wait", "toolCalls": [TOLD], "toolResults": [OLD_RESULT], "finishReason": "stop"},
            {"text": "", "toolCalls": [], "toolResults": [], "finishReason": "stop"},
        ],
        [("assistant", "Wait", ["a"]), ("tool", 2, []), ("assistant", None, [])],
    ),
    "a span": (SPAN, [("user", [text("Hi")], []), ("assistant", None, ["a"])]),
    "a span of text": ({**SPAN, "output": "Ho"}, [("user", [text("Hi")], []), ("assistant", "Ho", [])]),
    "a span of an object": (
        {**SPAN, "output": {"text": "Ho", "toolCalls": [call()]}},
        [("user", [text("Hi")], []), ("assistant", "Ho", ["a"])],
    ),
    "a span with a prompt": (
        {"name": "ai.generateText", "input": {"prompt": "Hi"}, "output": "Ho"},
        [("user", "Hi", []), ("assistant", "Ho", [])],
    ),
    "a span with messages": (
        {"name": "ai.streamText", "input": {"messages": [message("user", text("Hi"))]}, "output": "Ho"},
        [("user", [text("Hi")], []), ("assistant", "Ho", [])],
    ),
    "a span without an input": ({"name": "ai.streamText", "output": "Ho"}, [("assistant", "Ho", [])]),
    "of several spans the last request": (
        [SPAN, LAST, {"name": "ai.toolCall", "output": 2}],
        [USER, *LOOP],
    ),
    "of several spans without a request the last": (
        [{"name": "ai.embed", "output": "A"}, {"name": "ai.generateText", "output": "B"}],
        [("assistant", "B", [])],
    ),
    "a trace": ({"llmSpans": [SPAN, LAST], "toolSpans": []}, [USER, *LOOP]),
}


@pytest.mark.parametrize(("history", "messages"), HELD.values(), ids=HELD)
def test_what_holds_a_run_is_read(history, messages):
    run = to_trajectory(history)
    assert shape(run) == messages
    assert all(made.arguments == X for made in run.calls)


RECORDED = {
    "calls in parallel, then text": [("search", {"q": "lamp"}, "succeeded"), ("search", {"q": "table"}, "succeeded")],
    "a tool that fails": [("pay", {"amount": 3}, "failed")],
    "input that breaks off": [("search", '{"q": "la', "failed")],
    "input that does not fit": [("search", {"query": 1}, "failed")],
    "a tool that is not there": [("fly", {"to": "Rome"}, "failed")],
    "a call that waits for an approval": [("remove", {"id": 7}, None)],
    "a call that the client executes": [("ask", {}, "pending"), ("search", {"q": "lamp"}, "succeeded")],
    "what the provider executes": [("web", {"q": "news"}, "succeeded")],
}
LOST = {("input that breaks off", "messages"): [("search", {}, "failed")]}
"""The SDK puts no arguments into the model message of a call whose input breaks off."""
RECORDINGS = sorted((Path(__file__).parents[1] / "recordings" / "vercel_ai").glob("*.json"))


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.stem)
@pytest.mark.parametrize("name", RECORDED)
def test_what_the_sdk_writes_is_one_run_in_each_of_its_forms(recording, name):
    for form, held in json.loads(recording.read_text())[name].items():
        run = to_trajectory([held] if form == "ui" else held)
        assert [made[:3] for made in facts(run)] == LOST.get((name, form), RECORDED[name])
        assert not run.notes


def test_objects_of_pydantic_ai_for_ui_messages_are_read_alike():
    history = [
        HI,
        ui(STEP, text("Wait"), tool("output-available", output=2), tool("output-error", "b", "2", errorText="no")),
    ]
    live = to_trajectory([UIMessage.model_validate(message) for message in history])
    assert live == to_trajectory(history)
    assert [made[2:] for made in facts(live)] == [("succeeded", 2), ("failed", "no")]


REFUSED = {
    "a call without a name": ([ui({**tool("call"), "type": "dynamic-tool"})], "message 0: a call without the name"),
    "a call of version 4 without a name": ([ui(old("call", toolName=None))], "message 0: a call without the name"),
    "a tool without a name": ([ui(tool("call", ""))], "message 0: a call without the name"),
    "a model message without a name": ([message("assistant", call(toolName=""))], "message 0: a call without the name"),
    "a trace beside a message": (
        [{"role": "user", "content": "Hi"}, {"llmSpans": [SPAN]}],
        "a trace beside something else",
    ),
    "a span beside a message": ([message("assistant", call()), SPAN], "a trace beside something else"),
    "calls under an unknown key": (
        [message("assistant", call(), calls=[{"name": "b", "args": {}}])],
        "message 0: no format reads it .* calls under the key 'calls'",
    ),
}
MCP = {"type": "mcp", "name": "a", "arguments": {}}
NAMED = {
    "an unknown part that calls": (
        [ui({"type": "mcp", "name": "a", "arguments": {}})],
        "unknown type 'mcp' with a name",
    ),
    "an unknown part of a model message": (
        [message("assistant", {"type": "mcp", "name": "a", "arguments": {}})],
        "unknown type 'mcp' with a name",
    ),
    "another format": ([{"kind": "request", "parts": []}], "message 0: neither a message, a step"),
    "unknown keys": (REFUSED["calls under an unknown key"][0], "message 0: calls under the key .*calls'"),
}


@pytest.mark.parametrize(("history", "error"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_lost_is_refused(history, error):
    with pytest.raises(ConversionError, match=error):
        to_trajectory(history)


@pytest.mark.parametrize(("history", "error"), NAMED.values(), ids=NAMED)
def test_what_would_be_lost_is_refused_where_the_format_is_named(history, error):
    with pytest.raises(ConversionError, match=error):
        to_trajectory(history, format="vercel_ai")


@pytest.mark.parametrize(
    "history", [[ui({"type": "hologram"})], [message("user", {"type": "hologram"})]], ids=["ui", "model"]
)
def test_an_unknown_part_is_noted(history):
    run = to_trajectory(history, format="vercel_ai")
    assert run.notes == ("a part of the unknown type 'hologram' is passed over",)


def test_an_unknown_part_beside_others_is_noted_where_the_format_is_recognised():
    run = to_trajectory([ui(text("Hi"), UNKNOWN)])
    assert (shape(run), len(run.notes)) == ([("assistant", "Hi", [])], 1)


CLASSIFIED = {
    "certain": [
        ui(tool("call")),
        HI,
        message("tool", result()),
        STEPS[0],
        {"steps": STEPS},
        SPAN,
        {"llmSpans": [SPAN]},
    ],
    "could_be": [
        {"role": "user", "content": "Hi"},
        message("user", text("Hi")),
        ui(),
        message("assistant", {"type": "reasoning"}),
    ],
    "no": [
        {"role": "tool", "content": "Hi"},
        {"role": "assistant", "content": "Hi", "tool_calls": []},
        {"role": "critic", "content": "Hi"},
        {"role": "assistant", "content": [{"type": "tool_use", "name": "a", "input": {}}]},
        message("tool", text("Hi")),
        {"role": "user", "content": []},
        {"role": "user", "parts": [{"text": "Hi"}]},
        {"role": "user", "parts": []},
        ui(UNKNOWN),
        ui(text("Hi"), {"x": 1}),
        {"role": "user", "parts": [{"type": "text", "content": "Hi"}]},
        {"role": "assistant", "parts": [{"type": "tool_call", "name": "a"}]},
        {"role": "user", "kind": "message", "parts": [{"type": "text", "text": "Hi"}]},
        {"steps": [{"step_id": 1, "source": "agent"}]},
        {"steps": []},
        {"finishReason": "stop"},
        {"name": "ai.generateText"},
        {"name": "search", "output": 1},
        {"llmSpans": [{"name": "gpt", "output": "x"}]},
        None,
        "Hi",
    ],
}


@pytest.mark.parametrize(("said", "item"), [(said, item) for said, items in CLASSIFIED.items() for item in items])
def test_how_sure_the_adapter_is(said, item):
    assert classify(item) == said


@pytest.mark.parametrize("history", [message("tool", result()), message("assistant", call())])
def test_openai_leaves_them_alone(history):
    assert by_openai(history) == "no"


HISTORIES = [
    *[[HI, ui(part, OTHER)] for part, _ in STATES.values()],
    *[history for table in (MESSAGES, PARTS, HELD) for history, _ in table.values()],
]

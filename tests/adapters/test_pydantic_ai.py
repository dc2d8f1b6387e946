from __future__ import annotations

import ast
import asyncio
import copy
import importlib.util
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pydantic_ai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import Agent, messages
from pydantic_ai.models.function import DeltaToolCall, FunctionModel
from pydantic_ai.models.test import TestModel

from trajmatch import ConversionError, OptionError, Trajectory, to_trajectory
from trajmatch.reading import Called, Noted, Said, build
from trajmatch_adapters.histories.pydantic_ai import classify, read
from trajmatch_adapters.histories.pydantic_ai._results import TEXTS

RECORDINGS = Path(__file__).parents[1] / "recordings"
VERSIONS = ("1.0.0", "1.107.10", "2.0.0", "2.58.0", "2.68.0")
SYNTHESIZED = {"pydantic_ai_synthesized_tool_return": True}


def _recorder() -> Any:
    spec = importlib.util.spec_from_file_location("record_pydantic_ai", RECORDINGS / "record_pydantic_ai.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


recorder = _recorder()


def trajectory(history: object, **options: Any) -> Trajectory:
    return build(read(history, **options))


def calls(run: Trajectory) -> str:
    """The calls with their kinds and statuses: `add:succeeded final_result:output:retried`."""
    return " ".join(
        ":".join([call.name, *([] if call.kind == "function" else [call.kind]), str(call.status)]) for call in run.calls
    )


def roles(run: Trajectory) -> str:
    """The roles by their first letters, feedback in capitals."""
    return "".join(m.role[0].upper() if m.feedback else m.role[0] for m in run.messages or ())


def request(*parts: object) -> dict[str, Any]:
    return {"kind": "request", "parts": list(parts)}


def response(*parts: object) -> dict[str, Any]:
    return {"kind": "response", "parts": list(parts)}


def part(kind: str, **fields: Any) -> dict[str, Any]:
    return {"part_kind": kind, **fields}


def called(name: str = "f", args: Any = None, id: str = "1", kind: str = "tool-call") -> dict[str, Any]:
    return part(kind, tool_name=name, args=args, tool_call_id=id)


def returned(content: Any = "x", name: str = "f", id: str = "1", kind: str = "tool-return", **more: Any) -> Any:
    return part(kind, tool_name=name, content=content, tool_call_id=id, **more)


def said(text: str) -> dict[str, Any]:
    return part("text", content=text)


USER = part("user-prompt", content="go")


# Recorded runs: what a scenario gives from each version on; `None` where there is no such scenario.

RECORDED: dict[str, dict[str, str | None]] = {
    "success": {"1.0.0": "add:succeeded"},
    "arguments_as_text": {"1.0.0": "add:succeeded"},
    "parallel": {"1.0.0": "add:succeeded find:succeeded"},
    "model_retry": {"1.0.0": "find:retried find:succeeded"},
    "validation_error": {"1.0.0": "add:retried add:succeeded"},
    "malformed_arguments": {"1.0.0": "add:retried add:succeeded"},
    "unknown_tool": {"1.0.0": "nope:retried"},
    "retries_exhausted": {"1.0.0": "find:retried find:pending"},
    "tool_raises": {"1.0.0": "add:None boom:None", "2.0.0": "add:succeeded boom:pending"},
    "failed": {"1.0.0": None, "2.16.0": "down:failed"},
    "denied": {"1.0.0": "remove:denied"},
    "denied_with_a_reason": {"1.0.0": "remove:succeeded", "1.67.0": "remove:denied"},
    "approved": {"1.0.0": "remove:succeeded"},
    "awaiting_approval": {"1.0.0": "remove:None"},
    "deferred": {"1.0.0": "add:succeeded later:pending"},
    "deferred_then_answered": {"1.0.0": "later:succeeded"},
    "output": {"1.0.0": "add:succeeded final_result:output:succeeded"},
    "output_union": {"1.0.0": "final_result_Right:output:succeeded"},
    "output_rejected_then_accepted": {"1.0.0": "final_result:output:retried final_result:output:succeeded"},
    "output_only_rejected": {"1.0.0": "final_result:output:retried final_result:output:pending"},
    "ordinary_final_result": {"1.0.0": "final_result:succeeded"},
    "early": {"1.0.0": "add:skipped final_result:output:succeeded add:skipped final_result:output:skipped"},
    "graceful": {"1.0.0": "add:succeeded final_result:output:succeeded add:succeeded final_result:output:skipped"},
    "exhaustive": {
        "1.0.0": "add:succeeded final_result:output:succeeded add:succeeded final_result:output:skipped",
        "1.107.10": "add:succeeded final_result:output:succeeded add:succeeded final_result:output:succeeded",
    },
    "retry_beside_an_output": {
        "1.0.0": "find:retried final_result:output:succeeded",
        "2.0.0": "find:retried final_result:output:retried final_result:output:succeeded",
    },
    "text_in_place_of_an_output": {"1.0.0": "final_result:output:succeeded"},
    "empty_response": {"1.0.0": None, "1.107.10": ""},
    "image": {"1.0.0": "picture:succeeded"},
    "native": {"1.0.0": "web_search:native:succeeded"},
    "nested": {"1.0.0": "ask:succeeded"},
    "duplicate_ids": {"1.0.0": "add:succeeded add:succeeded", "2.58.0": None},
    "two_turns_with_one_id": {"1.0.0": "add:succeeded add:succeeded"},
    "repaired": {"1.0.0": None, "2.58.0": "add:succeeded add:interrupted"},
    "instructions": {"1.0.0": "add:succeeded"},
}

ROLES: dict[str, dict[str, str]] = {
    "parallel": {"1.0.0": "uatta"},
    "early": {"1.0.0": "uatttt"},
    "deferred_then_answered": {"1.0.0": "uata"},
    "text_in_place_of_an_output": {"1.0.0": "uaUat"},
    "empty_response": {"1.107.10": "uaa", "2.58.0": "uaUa"},
    "image": {"1.0.0": "uatUa"},
    "native": {"1.0.0": "ua"},
    "two_turns_with_one_id": {"1.0.0": "uatauata"},
    "repaired": {"2.58.0": "uattu"},
    "instructions": {"1.0.0": "suata"},
}


def numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(".")[:3])


def since(rows: dict[str, Any], installed: str) -> Any:
    return next(rows[first] for first in reversed(rows) if numbers(first) <= numbers(installed))


def recorded(of: str) -> dict[str, Any]:
    return json.loads((RECORDINGS / "pydantic_ai" / f"{of}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("of", VERSIONS)
def test_each_version_records_the_same_scenarios_but_those_it_does_not_have(of: str) -> None:
    assert recorded(of).keys() == {name for name, rows in RECORDED.items() if since(rows, of) is not None}


@pytest.mark.parametrize("of", VERSIONS)
@pytest.mark.parametrize("scenario", RECORDED)
def test_recorded_calls_have_the_kind_and_status_of_the_table(scenario: str, of: str) -> None:
    history = recorded(of).get(scenario)
    assert (history and calls(trajectory(history))) == (since(RECORDED[scenario], of) if history else None)


@pytest.mark.parametrize("of", VERSIONS)
@pytest.mark.parametrize("scenario", ROLES)
def test_recorded_messages_have_the_roles_of_the_table(scenario: str, of: str) -> None:
    history = recorded(of).get(scenario)
    assert history is None or roles(trajectory(history)) == since(ROLES[scenario], of)


INSTALLED = version("pydantic-ai-slim")
LIVE = [name for name, rows in RECORDED.items() if since(rows, INSTALLED) is not None]


@pytest.mark.parametrize("scenario", LIVE)
def test_live_runs_and_their_json_read_as_the_table_says(scenario: str) -> None:
    history = recorder.SCENARIOS[scenario]()
    stored = messages.ModelMessagesTypeAdapter.dump_python(history, mode="json")
    live, dumped = trajectory(history), trajectory(stored)
    assert calls(live) == calls(dumped) == since(RECORDED[scenario], INSTALLED)
    assert (live.calls, roles(live), live.notes) == (dumped.calls, roles(dumped), dumped.notes)


@pytest.mark.parametrize("of", VERSIONS)
def test_reading_changes_nothing(of: str) -> None:
    histories = recorded(of)
    before = copy.deepcopy(histories)
    for history in histories.values():
        assert trajectory(history).messages is not None
    assert histories == before


def test_a_history_is_recognised_without_naming_the_format() -> None:
    assert to_trajectory(recorded("2.68.0")["success"]) == trajectory(recorded("2.68.0")["success"])


# Texts: one table in the code, checked against the source of the installed framework.

SOURCE = {path.name: path.read_text(encoding="utf-8") for path in Path(pydantic_ai.__file__).parent.rglob("*.py")}


since_2 = pytest.mark.skipif("_tool_execution.py" not in SOURCE, reason="version 1 does not have all of the texts")


@since_2
@pytest.mark.parametrize("text", TEXTS)
def test_the_installed_framework_still_writes_each_text(text: str) -> None:
    assert any(text in source for source in SOURCE.values())


@since_2
def test_no_text_that_the_installed_framework_writes_is_missing() -> None:
    values = [node.value for node in ast.parse(SOURCE["_tool_execution.py"]).body if isinstance(node, ast.Assign)]
    texts = {node.value for node in values if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    assert texts == TEXTS.keys() - {"The tool call was denied."}


def test_a_text_is_that_of_an_output_tool_if_it_says_so() -> None:
    assert {text for text, said in TEXTS.items() if said.kind == "output"} == {
        text for text in TEXTS if text.startswith(("Output", "Final"))
    }


# Statuses

STATUSES: dict[str, tuple[dict[str, Any], str]] = {
    "no outcome": (returned(), "f:succeeded"),
    "null outcome": (returned(outcome=None), "f:succeeded"),
    "success": (returned(outcome="success"), "f:succeeded"),
    "failed": (returned(outcome="failed"), "f:failed"),
    "denied": (returned(outcome="denied"), "f:denied"),
    "interrupted": (returned(outcome="interrupted"), "f:interrupted"),
    "retried": (returned(outcome="retried", retry={"cause": "model_retry"}), "f:retried"),
    "a repaired history": (returned(metadata=SYNTHESIZED), "f:interrupted"),
    "the user's own metadata": (returned(metadata={"k": 1}), "f:succeeded"),
    "legacy retry": (returned(kind="retry-prompt"), "f:retried"),
    "legacy validation errors": (returned([{"type": "missing"}], kind="retry-prompt"), "f:retried"),
    "legacy denial": (returned("The tool call was denied."), "f:denied"),
    "skipped": (returned("Tool not executed - a final result was already processed."), "f:skipped"),
    "final output": (returned("Final result processed."), "f:output:succeeded"),
    "output that is not the final one": (
        returned("Output tool processed, but its value will not be the final result of the agent run."),
        "f:output:succeeded",
    ),
    "output not used": (
        returned("Output tool not used - a final result was already processed."),
        "f:output:skipped",
    ),
    "output not valid": (returned("Output tool not used - output failed validation."), "f:output:failed"),
    "output function failed": (
        returned("Output tool not used - output function execution failed."),
        "f:output:failed",
    ),
    "output set aside for a retry": (
        returned("Output not used as the final result - addressing tool retries from this round first."),
        "f:output:retried",
    ),
    "a text inside a longer one": (returned("He said: Final result processed."), "f:succeeded"),
    "a failure with the text of an output": (
        returned("Final result processed.", outcome="failed"),
        "f:failed",
    ),
    "content that is no text": (returned({"a": [1]}), "f:succeeded"),
    "an unknown outcome": (returned(outcome="vanished"), "f:failed"),
    "no result, beside one": (returned(id="2"), "f:pending"),
}


@pytest.mark.parametrize(("result", "told"), STATUSES.values(), ids=STATUSES)
def test_a_result_says_what_became_of_its_call(result: dict[str, Any], told: str) -> None:
    assert calls(trajectory([response(called()), request(result)])) == told


def test_an_unknown_outcome_is_noted() -> None:
    notes = trajectory([response(called()), request(returned(outcome="vanished"))]).notes
    assert notes == ("the outcome 'vanished' of a result is not known, and taken for a failure",)


@pytest.mark.parametrize(
    ("result", "status"),
    [
        (returned(kind="builtin-tool-return"), "succeeded"),
        (returned(kind="builtin-tool-return", outcome="failed"), "failed"),
    ],
)
def test_a_native_result_joins_the_native_call_of_its_id(result: dict[str, Any], status: str) -> None:
    run = trajectory([response(called(), called(kind="builtin-tool-call"), result)])
    assert calls(run) == f"f:pending f:native:{status}"


def test_a_native_result_may_come_in_a_later_response() -> None:
    run = trajectory([response(called(kind="builtin-tool-call")), response(returned(kind="builtin-tool-return"))])
    assert (calls(run), roles(run)) == ("f:native:succeeded", "aa")


def test_the_content_of_a_result_is_kept_as_it_is() -> None:
    content = object()
    run = trajectory([response(called()), request(returned(content))])
    assert run.calls[0].result is content


# Output tools

REJECTED, ORDINARY = returned("no", "final_result", outcome="retried"), returned("x", "final_result")
DONE = returned("Final result processed.", "submit")

OUTPUTS: dict[str, tuple[list[Any], dict[str, Any], str]] = {
    "the default name, never answered": ([response(called("final_result"))], {}, "output"),
    "the default name of a union": ([response(called("final_result_Left"))], {}, "output"),
    "the default name, only rejected": ([response(called("final_result")), request(REJECTED)], {}, "output"),
    "the default name, repaired": (
        [response(called("final_result")), request(returned("-", "final_result", metadata=SYNTHESIZED))],
        {},
        "output",
    ),
    "the default name with an ordinary result": (
        [response(called("final_result")), request(ORDINARY)],
        {},
        "function",
    ),
    "the default name, skipped as functions are": (
        [
            response(called("final_result")),
            request(returned("Tool not executed - a final result was already processed.", "final_result")),
        ],
        {},
        "function",
    ),
    "a name that only begins alike": ([response(called("final_results"))], {}, "function"),
    "another name, by the text of its result": ([response(called("submit")), request(DONE)], {}, "output"),
    "another name, only rejected": (
        [response(called("submit")), request(returned("no", "submit"))],
        {},
        "function",
    ),
    "another name, by the option": ([response(called("submit"))], {"output_tools": ["submit"]}, "output"),
    "an ordinary result, by the option": (
        [response(called("final_result")), request(ORDINARY)],
        {"output_tools": {"final_result"}},
        "output",
    ),
    "the option decides alone": (
        [response(called("submit")), request(DONE)],
        {"output_tools": ()},
        "function",
    ),
    "a native call of the name": (
        [response(called("final_result", kind="builtin-tool-call"))],
        {"output_tools": ["final_result"]},
        "native",
    ),
}


@pytest.mark.parametrize(("history", "options", "kind"), OUTPUTS.values(), ids=OUTPUTS)
def test_results_or_the_option_say_which_tools_return_output(
    history: list[Any], options: dict[str, Any], kind: str
) -> None:
    assert [call.kind for call in trajectory(history, **options).calls] == [kind]


def test_every_attempt_of_an_output_tool_is_output() -> None:
    run = trajectory(
        [
            response(called("submit", id="1")),
            request(returned("no", "submit", "1", outcome="retried")),
            response(called("submit", id="2")),
            request(returned("Final result processed.", "submit", "2")),
        ]
    )
    assert calls(run) == "submit:output:retried submit:output:succeeded"


def test_an_output_tool_that_is_never_called_is_noted() -> None:
    assert trajectory([response(called())], output_tools=["g"]).notes == ("output_tools: no call of 'g'",)


# Requests

SAID: dict[str, tuple[list[Any], list[Said]]] = {
    "system": ([part("system-prompt", content="s")], [Said("system", "s")]),
    "user": ([USER], [Said("user", "go")]),
    "a user's parts": ([part("user-prompt", content=["a", {"kind": "image-url"}])], [
        Said("user", ["a", {"kind": "image-url"}])
    ]),
    "speech": ([part("speech", speaker="user", transcript="hello")], [Said("user", "hello")]),
    "one message per part": ([part("system-prompt", content="s"), USER, USER], [
        Said("system", "s"), Said("user", "go"), Said("user", "go")
    ]),
    "feedback": ([part("retry-feedback", content="more")], [Said("user", "more", feedback=True)]),
    "legacy feedback": ([part("retry-prompt", content="more", tool_name=None, tool_call_id="x")], [
        Said("user", "more", feedback=True)
    ]),
    "no parts": ([], []),
    "parts that say nothing": ([part("instruction-delta"), part("tool-availability-delta")], []),
    "an unknown part": ([part("mood", level=3)], [Noted("a part of the unknown kind 'mood' is left out")]),
}  # fmt: skip


@pytest.mark.parametrize(("parts", "events"), SAID.values(), ids=SAID)
@pytest.mark.parametrize("form", [list, tuple])
def test_each_part_of_a_request_is_a_message(form: type, parts: list[Any], events: list[Any]) -> None:
    assert list(read([{"kind": "request", "parts": form(parts), "instructions": "be brief"}])) == events


@pytest.mark.parametrize(
    ("parts", "feedback"),
    [
        ([USER], False),
        ([returned(), USER], True),
        ([USER, returned()], True),
        ([returned(kind="retry-prompt"), USER], True),
        ([returned(metadata=SYNTHESIZED), USER], False),
        ([returned(id="1"), returned(id="2", metadata=SYNTHESIZED), USER], False),
        ([part("retry-prompt", content="more", tool_name=None), USER], False),
    ],
)
def test_what_stands_beside_results_was_added_by_a_tool(parts: list[Any], feedback: bool) -> None:
    history = [response(called()), request(*parts)]
    assert [event.feedback for event in read(history) if event == Said("user", "go", None, feedback)] == [feedback]


def test_feedback_starts_no_turn() -> None:
    run = trajectory([request(USER), response(), request(part("retry-feedback", content="more")), response()])
    assert [roles(turn) for turn in run.turns] == ["uaUa"]


# Responses

SPOKEN: dict[str, tuple[list[Any], str | None]] = {
    "nothing": ([], None),
    "empty text": ([said("")], None),
    "text": ([said("a")], "a"),
    "pieces of one text": ([said("a"), said("b")], "ab"),
    "texts around a call": ([said("a"), called(), said("b")], "a\n\nb"),
    "texts around nothing said": ([said("a"), part("thinking", content="hm"), said("")], "a"),
    "speech": ([part("speech", speaker="assistant", transcript="a")], "a"),
    "speech without a transcript": ([part("speech", speaker="assistant", transcript=None)], None),
    "thinking, a file, a summary": ([part("thinking", content="hm"), part("file"), part("compaction")], None),
}


@pytest.mark.parametrize(("parts", "content"), SPOKEN.values(), ids=SPOKEN)
def test_a_response_is_one_assistant_message_with_its_text(parts: list[Any], content: str | None) -> None:
    run = trajectory([response(*parts)])
    assert [(m.role, m.content) for m in run.messages or ()] == [("assistant", content)]
    assert run.notes == ()


@pytest.mark.parametrize(
    ("args", "arguments", "raw"),
    [
        (None, {}, None),
        ("", {}, None),
        ("{}", {}, None),
        ({"a": 1}, {"a": 1}, None),
        ('{"a": 1}', {"a": 1}, None),
        ('{"a": 1, "a": 2}', {"a": 2}, None),
        ('{"a": 1', None, '{"a": 1'),
        ("[1]", None, "[1]"),
        ("null", None, "null"),
        ("  ", None, "  "),
    ],
    ids=str,
)
def test_arguments_are_kept_as_the_model_wrote_them(args: Any, arguments: Any, raw: str | None) -> None:
    (call,) = trajectory([response(called(args=args))]).calls
    assert (call.arguments, call.raw_arguments) == (arguments, raw)


def test_live_parts_keep_malformed_arguments_too() -> None:
    (call,) = trajectory([messages.ModelResponse([messages.ToolCallPart("f", '{"a"', "1")])]).calls
    assert call.raw_arguments == '{"a"'


def test_results_in_two_requests_join_their_calls() -> None:
    batch = response(called("f", id="1"), called("g", id="2"))
    run = trajectory([batch, request(returned(id="2", name="g")), request(returned(outcome="failed"))])
    assert calls(run) == "f:failed g:succeeded"


def test_ids_may_repeat_or_be_empty() -> None:
    run = trajectory(
        [
            response(called("f", id="1"), called("f", id="1")),
            request(returned(id="1"), returned(id="1", outcome="failed")),
            response(called("f", id="1"), called("g", id="")),
            request(returned(id="", name="g", outcome="denied")),
        ]
    )
    assert calls(run) == "f:succeeded f:failed f:pending g:denied"


def test_a_result_without_a_call_is_kept_and_noted() -> None:
    run = trajectory([request(returned()), response(said("ok"))])
    assert (calls(run), roles(run), run.notes) == ("", "ta", ("a result has no call",))


# What cannot be read


@pytest.mark.parametrize(
    ("history", "text"),
    [
        (
            [request(USER), response(part("robot-call", tool_name="f", args=None))],
            "message 1: .*'robot-call'.*args",
        ),
        ([request("text")], "message 0: a part of the unknown kind 'None'"),
        ([response(part("new", name="f", arguments={}))], "message 0: a part of the unknown kind 'new'"),
        ([response(called(name=""))], "message 0: a call without the name of its tool"),
        ([{"kind": "event", "parts": []}], "message 0: neither a request nor a response"),
        ([{"kind": "request", "parts": "text"}], "message 0: neither a request nor a response"),
        ([{"kind": "request"}], "message 0: neither a request nor a response"),
        ([{"role": "user", "content": "x"}], "message 0: neither a request nor a response"),
        (None, "a history is missing"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_says_where(history: Any, text: str) -> None:
    with pytest.raises(ConversionError, match=text):
        trajectory(history)


def test_the_error_for_a_call_that_nobody_knows_names_its_keys() -> None:
    with pytest.raises(ConversionError) as caught:
        trajectory([response(part("robot-call", tool_name="f", args={}))])
    assert (caught.value.index, caught.value.keys) == (0, ("part_kind", "tool_name", "args"))


# Recognition

RECOGNISED: dict[str, tuple[object, str]] = {
    "a live request": (messages.ModelRequest([messages.UserPromptPart("x")]), "certain"),
    "a live response": (messages.ModelResponse([messages.TextPart("x")]), "certain"),
    "a request": (request(USER), "certain"),
    "a response": (response(said("x")), "certain"),
    "a tuple of parts": ({"kind": "request", "parts": (USER,)}, "certain"),
    "a request without parts": (request(), "certain"),
    "no parts": ({"kind": "request"}, "no"),
    "parts that are no list": ({"kind": "request", "parts": "x"}, "no"),
    "another kind": ({"kind": "message", "parts": []}, "no"),
    "Gemini": ({"role": "user", "parts": [{"text": "x"}]}, "no"),
    "OpenAI": ({"role": "user", "content": "x"}, "no"),
    "a part": (USER, "no"),
    "text": ("x", "no"),
    "nothing": (None, "no"),
}


@pytest.mark.parametrize(("message", "answer"), RECOGNISED.values(), ids=RECOGNISED)
def test_requests_and_responses_are_recognised(message: object, answer: str) -> None:
    assert classify(message) == answer


# Run results


def two_runs() -> Any:
    agent = recorder.agent(
        [recorder.called("add", {"a": 1})],
        [recorder.said("ok")],
        [recorder.called("find", {"q": "x"})],
        [recorder.said("ok")],
    )
    return agent.run_sync("more", message_history=agent.run_sync("go").all_messages())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "find:succeeded"),
        ({"messages": "new"}, "find:succeeded"),
        ({"messages": "all"}, "add:succeeded find:succeeded"),
    ],
    ids=str,
)
def test_a_run_result_gives_the_messages_of_its_run_or_all(options: dict[str, Any], told: str) -> None:
    result = two_runs()
    assert classify(result) == "certain"
    assert calls(trajectory(result, **options)) == told


def test_a_run_result_is_recognised_without_naming_the_format() -> None:
    assert calls(to_trajectory(two_runs())) == "find:succeeded"


def test_a_run_that_gives_no_list_is_refused() -> None:
    run = SimpleNamespace(new_messages=lambda: "x", all_messages=list)
    with pytest.raises(ConversionError, match=r"message 0: new_messages\(\) gives no list"):
        trajectory([run])


def test_several_runs_in_a_list_are_refused() -> None:
    one = Agent(TestModel()).run_sync("x")
    with pytest.raises(ConversionError, match="a run beside others; match each on its own"):
        trajectory([one, one])


def test_a_list_of_messages_is_read_whole() -> None:
    assert calls(trajectory(two_runs().all_messages())) == "add:succeeded find:succeeded"


def test_a_run_with_the_test_model_is_read() -> None:
    agent = Agent(TestModel(), output_type=[recorder.Left])
    agent.tool_plain(recorder.add)
    assert calls(trajectory(agent.run_sync("go"))) == "add:succeeded final_result:output:succeeded"


async def streamed() -> Any:
    async def stream(history: list[Any], _info: object) -> AsyncIterator[Any]:
        if len(history) == 1:
            yield {0: DeltaToolCall("add", '{"a"', tool_call_id="c1")}
            yield {0: DeltaToolCall(json_args=": 1}")}
        else:
            yield "o"
            yield "k"

    agent = Agent(FunctionModel(stream_function=stream))
    agent.tool_plain(recorder.add)
    async with agent.run_stream("go") as result:
        await result.get_output()
        return result


async def iterated() -> Any:
    agent = recorder.agent([recorder.called("add", {"a": 1})], [recorder.said("ok")])
    async with agent.iter("go") as run:
        async for _ in run:
            pass
        return run


@pytest.mark.parametrize("run", [streamed, iterated])
def test_a_streamed_result_and_an_agent_run_are_read(run: Any, loop: asyncio.AbstractEventLoop) -> None:
    result = loop.run_until_complete(run())
    assert classify(result) == "certain"
    assert calls(trajectory(result)) == "add:succeeded"
    assert trajectory(result).calls[0].arguments == {"a": 1}


# Runs inside a tool

INNER = [
    request(USER),
    response(called("g", id="1")),
    request(returned(name="g", id="1")),
    response(said("ok")),
]


def outer(metadata: object, **fields: Any) -> list[Any]:
    return [request(USER), response(called("ask"), called("h", id="2")), request(
        returned(name="ask", metadata=metadata, **fields), returned(name="h", id="2")
    )]  # fmt: skip


CODE = {
    "code_mode": True,
    "tool_calls": {"1__0": called("g", {"a": 1}, "1__0"), "1__1": called("k", {}, "1__1")},
    "tool_returns": {
        "1__0": returned(name="g", id="1__0"),
        "1__1": returned(name="k", id="1__1", outcome="failed"),
    },
}

NESTED: dict[str, tuple[object, str, str, list[str | None]]] = {
    "messages": ({"messages": INNER}, "ask h g", "uaUatatt", ["1", "2", "1__1"]),
    "a tuple of messages": ({"messages": tuple(INNER)}, "ask h g", "uaUatatt", ["1", "2", "1__1"]),
    "code mode": (CODE, "ask h g k", "uaatttt", ["1", "2", "1__0", "1__1"]),
    "code mode without calls": ({"code_mode": True, "tool_calls": {}}, "ask h", "uatt", ["1", "2"]),
    "two levels": (
        {"messages": outer({"messages": INNER})},
        "ask h ask h g",
        "uaUaUatatttt",
        ["1", "2", "1__1", "1__2", "1__1__1"],
    ),
    "no messages": ({"messages": ["go"]}, "ask h", "uatt", ["1", "2"]),
    "an empty list": ({"messages": []}, "ask h", "uatt", ["1", "2"]),
    "metadata of another kind": ("text", "ask h", "uatt", ["1", "2"]),
}


@pytest.mark.parametrize(("metadata", "names", "told", "ids"), NESTED.values(), ids=NESTED)
def test_runs_inside_a_tool_are_messages_between_the_call_and_its_result(
    metadata: object, names: str, told: str, ids: list[str]
) -> None:
    run = trajectory(outer(metadata), nested=True)
    assert (" ".join(call.name for call in run.calls), [call.id for call in run.calls]) == (names, ids)
    assert (roles(run), len(run.turns), run.notes) == (told, 1, ())


def test_nested_calls_keep_their_statuses_and_leave_their_parent_its_own() -> None:
    assert calls(trajectory(outer(CODE, outcome="retried"), nested=True)) == (
        "ask:retried h:succeeded g:succeeded k:failed"
    )


def test_nested_output_tools_are_output() -> None:
    inner = [response(called("submit")), request(returned("Final result processed.", "submit"))]
    run = trajectory(outer({"messages": inner}), nested=True)
    assert calls(run) == "ask:succeeded h:succeeded submit:output:succeeded"


def test_the_parts_of_the_model_in_a_nested_run_are_noted_too() -> None:
    assert Noted("a part of the unknown kind 'mood' is left out") in read(
        outer({"messages": [request(part("mood"))]}), nested=True
    )


@pytest.mark.parametrize("metadata", [{"messages": INNER}, CODE], ids=["messages", "code mode"])
def test_runs_inside_a_tool_are_left_out_by_default_and_noted(metadata: object) -> None:
    run = trajectory(outer(metadata))
    assert calls(run) == "ask:succeeded h:succeeded"
    assert run.notes == ("results hand over runs inside their tools, which are left out; nested=True reads them",)


@pytest.mark.parametrize("of", VERSIONS)
def test_a_recorded_run_inside_a_tool_is_read(of: str) -> None:
    run = trajectory(recorded(of)["nested"], nested=True)
    assert (calls(run), roles(run)) == ("ask:succeeded add:succeeded", "uaUatata")


# Options


@pytest.mark.parametrize(
    ("options", "option", "text"),
    [
        ({"messages": "al"}, "messages", "did you mean 'all'"),
        ({"messages": "New"}, "messages", "did you mean 'new'"),
        ({"messages": "latest run"}, "messages", "must be 'new' or 'all', got 'latest run'$"),
        ({"messages": None}, "messages", "got None"),
        ({"output_tools": "submit"}, "output_tools", "a list of names of tools, got 'submit'"),
        ({"output_tools": b"submit"}, "output_tools", "a list of names of tools"),
        ({"output_tools": [1]}, "output_tools", "a list of names of tools"),
        ({"output_tools": [""]}, "output_tools", "a list of names of tools"),
        ({"output_tools": 3}, "output_tools", "a list of names of tools, got 3"),
        ({"nested": 1}, "nested", "nested must be True or False, got 1"),
    ],
    ids=str,
)
def test_a_wrong_option_fails_before_anything_is_read(options: dict[str, Any], option: str, text: str) -> None:
    with pytest.raises(OptionError, match=text) as caught:
        read([], **options)
    assert (caught.value.option, caught.value.value) == (option, options[option])


# Laws

IDS = st.sampled_from(["", "1", "2"])
NAMES = st.sampled_from(["f", "g", "final_result"])
PARTS = st.one_of(
    st.just(USER),
    st.builds(said, st.text(max_size=2)),
    st.builds(called, NAMES, st.sampled_from([None, {}, "{", "{}"]), IDS),
    st.builds(called, NAMES, st.none(), IDS, st.just("builtin-tool-call")),
    st.builds(returned, st.sampled_from(["x", None, *TEXTS]), NAMES, IDS),
    st.builds(returned, st.just("no"), st.none() | NAMES, IDS, st.just("retry-prompt")),
    st.builds(returned, st.just("x"), NAMES, IDS, st.just("builtin-tool-return")),
)
HISTORIES = st.lists(st.builds(lambda kind, parts: kind(*parts), st.sampled_from([request, response]), st.lists(PARTS)))


def call_parts(history: list[Any]) -> Iterator[Any]:
    return (p for p in chain.from_iterable(m["parts"] for m in history) if p["part_kind"].endswith("tool-call"))


@given(HISTORIES)
def test_no_call_is_lost_and_none_counts_twice(history: list[Any]) -> None:
    wanted = [(p["tool_name"], p["tool_call_id"]) for p in call_parts(history)]
    assert [(event.name, event.id) for event in read(history) if isinstance(event, Called)] == wanted
    assert len(trajectory(history).calls) == len(wanted)


@given(HISTORIES)
def test_every_response_is_one_assistant_message(history: list[Any]) -> None:
    spoken = [event for event in read(history) if isinstance(event, Said) and event.role == "assistant"]
    assert len(spoken) == sum(message["kind"] == "response" for message in history)


def test_the_adapter_does_not_import_the_framework() -> None:
    code = "import sys, trajmatch_adapters.histories.pydantic_ai; assert 'pydantic_ai' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)

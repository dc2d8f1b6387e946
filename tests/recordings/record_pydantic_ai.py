"""Records a fixed set of runs of the installed Pydantic AI: `python record_pydantic_ai.py`.

Writes `pydantic_ai/<version>.json` beside this file: an object from the name of a scenario to its messages,
without those that the version does not have. It needs an environment with `pydantic-ai-slim` of that version
alone; 1.0.0 wants `opentelemetry-api<1.36`, too.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_ai import Agent, CallDeferred, ModelRetry, capture_run_messages, exceptions, messages, tools
from pydantic_ai.models.function import FunctionModel

NOISE = {
    "canonical_system",
    "conversation_id",
    "failed_attempts",
    "finish_reason",
    "history_digest",
    "model_id",
    "model_name",
    "provider_details",
    "provider_name",
    "provider_response_id",
    "provider_url",
    "run_id",
    "timestamp",
    "usage",
    "workspace_ref",
}

Native = getattr(messages, "NativeToolCallPart", None) or messages.BuiltinToolCallPart
NativeReturn = getattr(messages, "NativeToolReturnPart", None) or messages.BuiltinToolReturnPart


class Left(BaseModel):
    left: int


class Right(BaseModel):
    right: int


def called(name: str, arguments: Any = None, id: str = "c1") -> Any:
    return messages.ToolCallPart(name, arguments, id)


def said(text: str) -> Any:
    return messages.TextPart(text)


def agent(*responses: Sequence[Any], **options: Any) -> Agent[None, Any]:
    """An agent whose model gives these responses, one after the other, and the tools of all scenarios."""

    def answer(history: list[Any], _info: object) -> Any:
        return messages.ModelResponse(list(responses[sum(m.kind == "response" for m in history)]))

    made = Agent(FunctionModel(answer), **options)
    for tool in (add, find, later, boom, picture):
        made.tool_plain(tool)
    if tools.DeferredToolRequests in options.get("output_type", ()):
        made.tool_plain(requires_approval=True)(remove)
    return made


def add(a: int, b: int = 0) -> int:
    return a + b


def find(q: str) -> str:
    if q == "bad":
        raise ModelRetry("no such q")
    return f"found {q}"


def later(q: str) -> str:
    raise CallDeferred


def boom() -> str:
    raise RuntimeError("boom")


def remove(path: str) -> str:
    return f"removed {path}"


def picture() -> messages.ToolReturn:
    image = messages.BinaryContent(data=b"1", media_type="image/png")
    return messages.ToolReturn(return_value="see below", content=["the image", image])


def run(*responses: Sequence[Any], **options: Any) -> list[Any]:
    return agent(*responses, **options).run_sync("go").all_messages()


def broken(*responses: Sequence[Any], **options: Any) -> list[Any]:
    """A run that ends in an error."""
    with capture_run_messages() as history, suppress(exceptions.AgentRunError, RuntimeError):
        agent(*responses, **options).run_sync("go")
    return list(history)


def deferred(made: Agent[None, Any], **results: Any) -> list[Any]:
    before = made.run_sync("go").all_messages()
    answers = tools.DeferredToolResults(**results)
    return made.run_sync(message_history=before, deferred_tool_results=answers).all_messages()


def removing(answer: Any) -> list[Any]:
    made = agent([called("remove", {"path": "a"})], OK, output_type=[str, tools.DeferredToolRequests])
    return deferred(made, approvals={"c1": answer})


def final(value: int, id: str) -> Any:
    return called("final_result", {"left": value}, id)


def both(strategy: str) -> list[Any]:
    batch = [called("add", {"a": 1}, "c1"), final(1, "c2"), called("add", {"a": 2}, "c3"), final(2, "c4")]
    return run(batch, output_type=[Left], end_strategy=strategy)


def ordinary_final_result() -> list[Any]:
    made = agent([called("final_result", {"q": "x"})], [said("ok")])
    made.tool_plain(name="final_result")(find)
    return made.run_sync("go").all_messages()


def nested() -> list[Any]:
    inner, outer = agent([called("add", {"a": 1})], [said("inner")]), agent([called("ask")], [said("ok")])

    async def ask() -> messages.ToolReturn:
        result = await inner.run("sum")
        return messages.ToolReturn(return_value="asked", metadata={"messages": result.new_messages()})

    outer.tool_plain(ask)
    return outer.run_sync("go").all_messages()


def failed() -> list[Any]:
    made = agent([called("down")], [said("ok")])

    @made.tool_plain
    def down() -> str:
        raise exceptions.ToolFailed("out of order")

    return made.run_sync("go").all_messages()


def repaired() -> list[Any]:
    batch = [called("add", {"a": 1}, "c1"), called("add", {"a": 2}, "c2")]
    stopped = [
        messages.ModelRequest([messages.UserPromptPart("go")]),
        messages.ModelResponse(batch),
        messages.ModelRequest([messages.ToolReturnPart("add", 1, "c1")]),
        messages.ModelRequest([messages.UserPromptPart("again")]),
    ]
    return messages.repair_messages(stopped)


def two_turns() -> list[Any]:
    made = agent([called("add", {"a": 1})], [said("ok")], [called("add", {"a": 2})], [said("ok")])
    return made.run_sync("more", message_history=made.run_sync("go").all_messages()).all_messages()


def native() -> list[Any]:
    pair = [Native("web_search", {"q": "x"}, "n1"), NativeReturn("web_search", {"hits": 1}, "n1")]
    return run([*pair, said("found")])


ADD, OK = called("add", {"a": 1, "b": 2}), [said("ok")]

SCENARIOS: dict[str, Callable[[], list[Any]]] = {
    "success": lambda: run([ADD], OK),
    "arguments_as_text": lambda: run([called("add", '{"a": 1}')], OK),
    "parallel": lambda: run([said("both"), called("add", {"a": 1}), called("find", {"q": "x"}, "c2")], OK),
    "model_retry": lambda: run([called("find", {"q": "bad"})], [called("find", {"q": "x"}, "c2")], OK),
    "validation_error": lambda: run([called("add", {"a": "x"})], [called("add", {"a": 1}, "c2")], OK),
    "malformed_arguments": lambda: run([called("add", '{"a": 1')], [called("add", {"a": 1}, "c2")], OK),
    "unknown_tool": lambda: run([called("nope", {})], OK),
    "retries_exhausted": lambda: broken([called("find", {"q": "bad"})], [called("find", {"q": "bad"}, "c2")]),
    "tool_raises": lambda: broken([called("add", {"a": 1}), called("boom", {}, "c2")]),
    "failed": failed,
    "denied": lambda: removing(False),
    "denied_with_a_reason": lambda: removing(tools.ToolDenied("not yours")),
    "approved": lambda: removing(True),
    "awaiting_approval": lambda: run([called("remove", {"path": "a"})], output_type=[str, tools.DeferredToolRequests]),
    "deferred": lambda: run(
        [called("add", {"a": 1}), called("later", {"q": "x"}, "c2")],
        output_type=[str, tools.DeferredToolRequests],
    ),
    "deferred_then_answered": lambda: deferred(
        agent([called("later", {"q": "x"})], OK, output_type=[str, tools.DeferredToolRequests]),
        calls={"c1": "late"},
    ),
    "output": lambda: run([ADD], [final(1, "c2")], output_type=[Left]),
    "output_union": lambda: run([called("final_result_Right", {"right": 1})], output_type=[Left, Right]),
    "output_rejected_then_accepted": lambda: run(
        [called("final_result", {"left": "x"})], [final(1, "c2")], output_type=[Left]
    ),
    "output_only_rejected": lambda: broken(
        [called("final_result", {"left": "x"})],
        [called("final_result", {"left": "y"}, "c2")],
        output_type=[Left],
    ),
    "ordinary_final_result": ordinary_final_result,
    "early": lambda: both("early"),
    "graceful": lambda: both("graceful"),
    "exhaustive": lambda: both("exhaustive"),
    "retry_beside_an_output": lambda: run(
        [called("find", {"q": "bad"}), final(1, "c2")],
        [final(2, "c3")],
        output_type=[Left],
        end_strategy="graceful",
    ),
    "text_in_place_of_an_output": lambda: run([said("one")], [final(1, "c1")], output_type=[Left]),
    "empty_response": lambda: run([], OK),
    "image": lambda: run([called("picture")], OK),
    "native": native,
    "nested": nested,
    "duplicate_ids": lambda: run([called("add", {"a": 1}), called("add", {"a": 2})], OK),
    "two_turns_with_one_id": two_turns,
    "repaired": repaired,
    "instructions": lambda: run([ADD], OK, instructions="be brief", system_prompt="you add"),
}


def quiet(value: Any) -> Any:
    """The value without what differs from run to run, and without what is not set."""
    if isinstance(value, list):
        return [quiet(item) for item in value]
    if not isinstance(value, dict):
        return "generated" if isinstance(value, str) and value.startswith("pyd_ai_") else value
    kept = {key: item for key, item in value.items() if key not in NOISE and (item is not None or key == "tool_name")}
    return {key: quiet(item) for key, item in kept.items()}


def record() -> dict[str, Any]:
    recorded = dict[str, Any]()
    for name, scenario in SCENARIOS.items():
        try:
            history = scenario()
        except (AttributeError, exceptions.UserError, exceptions.UnexpectedModelBehavior) as error:
            print(f"{name}: left out, {error!r}")
        else:
            recorded[name] = quiet(messages.ModelMessagesTypeAdapter.dump_python(history, mode="json"))
    return recorded


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    folder = Path(__file__).parent / "pydantic_ai"
    folder.mkdir(exist_ok=True)
    lines = [f"{json.dumps(name)}: {json.dumps(history)}" for name, history in record().items()]
    target = folder / f"{version('pydantic-ai-slim')}.json"
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")

"""Records a fixed set of runs of the installed Strands Agents: `python record_strands.py`.

Writes `strands/<version>.json` beside this file: an object from the name of a scenario to its messages. It needs an
environment with `strands-agents` alone.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from strands import Agent, tool
from strands.hooks import BeforeToolCallEvent
from strands.models import Model
from strands.types.session import SessionMessage

NOISE = {"metadata", "tracking_id", "created_at", "updated_at"}


class Trip(BaseModel):
    """The output of a run."""

    days: int


class Script(Model):
    """A model that gives these responses, one after the other."""

    def __init__(self, *responses: Sequence[dict[str, Any]]) -> None:
        self._responses = iter(responses)

    def update_config(self, **config: Any) -> None: ...

    def get_config(self) -> dict[str, Any]:
        return {}

    def structured_output(self, *args: Any, **options: Any) -> Any:
        raise NotImplementedError

    async def stream(self, *args: Any, **options: Any) -> AsyncIterator[dict[str, Any]]:
        blocks = next(self._responses)
        yield {"messageStart": {"role": "assistant"}}
        for block in blocks:
            call = block.get("toolUse")
            start = {"toolUse": {"name": call["name"], "toolUseId": call["toolUseId"]}} if call else {}
            delta = {"toolUse": {"input": json.dumps(call["input"])}} if call else block
            yield {"contentBlockStart": {"start": start}}
            yield {"contentBlockDelta": {"delta": delta}}
            yield {"contentBlockStop": {}}
        calls = any("toolUse" in block for block in blocks)
        yield {"messageStop": {"stopReason": "tool_use" if calls else "end_turn"}}


@tool
def add(a: int, b: int = 0) -> int:
    """Add."""
    return a + b


@tool
def boom() -> str:
    """Fail."""
    raise RuntimeError("boom")


def called(name: str, id: str = "c1", **given: Any) -> dict[str, Any]:
    return {"toolUse": {"name": name, "toolUseId": id, "input": given}}


def agent(*responses: Sequence[dict[str, Any]], **options: Any) -> Agent:
    return Agent(model=Script(*responses), tools=[add, boom], callback_handler=None, **options)


def run(*responses: Sequence[dict[str, Any]], **options: Any) -> list[Any]:
    made = agent(*responses)
    made("go", **options)
    return made.messages


def refused(answer: str | bool) -> list[Any]:
    made = agent([called("add", a=1)], OK)

    def refuse(event: BeforeToolCallEvent) -> None:
        event.cancel_tool = answer

    made.hooks.add_callback(BeforeToolCallEvent, refuse)
    made("go")
    return made.messages


def continued() -> list[Any]:
    """A run that goes on from a call whose result was never written."""
    before = [{"role": "user", "content": [{"text": "go"}]}, {"role": "assistant", "content": [called("add", a=1)]}]
    made = agent(OK, messages=before)
    made("again")
    return made.messages


def stored() -> list[Any]:
    messages = run([called("add", a=1)], OK)
    return [SessionMessage.from_message(message, index).to_dict() for index, message in enumerate(messages)]


def without_noise(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_noise(inner) for key, inner in value.items() if key not in NOISE}
    return [without_noise(inner) for inner in value] if isinstance(value, list) else value


OK = [{"text": "ok"}]
SCENARIOS: dict[str, Callable[[], list[Any]]] = {
    "success": lambda: run([called("add", a=1, b=2)], OK),
    "parallel": lambda: run([{"text": "both"}, called("add", a=1), called("add", "c2", a=2)], OK),
    "tool_raises": lambda: run([called("boom")], OK),
    "unknown_tool": lambda: run([called("nope")], OK),
    "validation_error": lambda: run([called("add", a="x")], OK),
    "denied": lambda: refused(True),
    "denied_with_a_reason": lambda: refused("not yours"),
    "interrupted": continued,
    "output": lambda: run([called("Trip", days=3)], structured_output_model=Trip),
    "output_that_was_asked_for": lambda: run(OK, [called("Trip", days=3)], structured_output_model=Trip),
    "output_after_a_retry": lambda: run(
        [called("Trip", days="x")], [called("Trip", "c2", days=3)], structured_output_model=Trip
    ),
    "session": stored,
}

if __name__ == "__main__":
    recorded = {name: without_noise(json.loads(json.dumps(scenario()))) for name, scenario in SCENARIOS.items()}
    file = Path(__file__).parent / "strands" / f"{version('strands-agents')}.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")

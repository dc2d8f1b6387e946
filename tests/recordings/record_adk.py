"""Records a fixed set of runs of the installed Google ADK: `python record_adk.py`.

Writes `adk/<version>.json` beside this file: an object from the name of a scenario to its session. It needs an
environment with `google-adk` of that version alone. A script takes the place of the model.
"""

from __future__ import annotations

import asyncio
import json
import warnings
from collections.abc import AsyncGenerator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools import FunctionTool, LongRunningFunctionTool
from google.genai import types
from pydantic import BaseModel

warnings.simplefilter("ignore")
NOISE = {"timestamp", "usageMetadata", "lastUpdateTime", "state", "nodeInfo"}


def called(name: str, **arguments: Any) -> types.Part:
    return types.Part.from_function_call(name=name, args=arguments)


def said(text: str) -> types.Part:
    return types.Part(text=text)


class Script(BaseLlm):
    """Gives the responses of a list, one for each request; where it streams, a word at a time before the whole."""

    responses: list[list[types.Part]]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        parts = self.responses.pop(0)
        for part in parts if stream else ():
            for word in (part.text or "").split():
                yield LlmResponse(content=types.ModelContent(said(word)), partial=True)
        yield LlmResponse(content=types.ModelContent(parts))


def search(q: str) -> dict[str, str]:
    """Search."""
    return {"found": q}


def fail(q: str) -> dict[str, str]:
    """Fail."""
    return {"error": "no connection"}


def pay(amount: int) -> str:
    """Pay."""
    return f"paid {amount}"


def later(job: str) -> dict[str, str]:
    """Begin a job."""
    return {"status": "begun"}


class Answer(BaseModel):
    """What the agent returns."""

    price: int


def agent(*responses: list[types.Part], **options: Any) -> LlmAgent:
    tools = [search, fail, FunctionTool(pay, require_confirmation=True), LongRunningFunctionTool(later)]
    return LlmAgent(name="shop", model=Script(model="script", responses=[*responses]), **{"tools": tools, **options})


async def run(root: LlmAgent, *answers: Any, **options: Any) -> Any:
    """Run an agent; each answer takes the session and gives what its user sends next."""
    runner = InMemoryRunner(agent=root, app_name="shop")
    service = runner.session_service
    session = await service.create_session(app_name="shop", user_id="ann")
    for answer in (lambda _: types.UserContent("Help me."), *answers):
        session = await service.get_session(app_name="shop", user_id="ann", session_id=session.id)
        message = answer(session)
        async for _ in runner.run_async(
            user_id="ann", session_id=session.id, new_message=message, run_config=RunConfig(**options)
        ):
            pass
    return await service.get_session(app_name="shop", user_id="ann", session_id=session.id)


def answering(name: str, **response: Any) -> Any:
    """What answers the last call of a function."""

    def answer(session: Any) -> types.Content:
        calls = [call for event in session.events for call in event.get_function_calls() if call.name == name]
        given = types.FunctionResponse(id=calls[-1].id, name=name, response=response)
        return types.UserContent(types.Part(function_response=given))

    return answer


CONFIRM = "adk_request_confirmation"
SCENARIOS = {
    "calls in parallel, one fails": lambda: run(
        agent([said("One moment."), called("search", q="lamp"), called("fail", q="table")], [said("A lamp.")])
    ),
    "an argument is missing": lambda: run(agent([called("search")], [said("Sorry.")])),
    "nobody has approved it yet": lambda: run(agent([called("pay", amount=3)])),
    "approved": lambda: run(agent([called("pay", amount=3)], [said("Paid.")]), answering(CONFIRM, confirmed=True)),
    "refused": lambda: run(agent([called("pay", amount=3)], [said("Not paid.")]), answering(CONFIRM, confirmed=False)),
    "a long tool": lambda: run(
        agent([called("later", job="x")], [said("It runs.")], [said("Done.")]), answering("later", result="finished")
    ),
    "structured output": lambda: run(
        agent([called("search", q="lamp")], [called("set_model_response", price=40)], output_schema=Answer)
    ),
    "another agent": lambda: run(
        agent(
            [called("transfer_to_agent", agent_name="helper")],
            sub_agents=[
                LlmAgent(
                    name="helper",
                    tools=[search],
                    model=Script(model="script", responses=[[called("search", q="lamp")], [said("A lamp.")]]),
                )
            ],
        )
    ),
}


async def streamed() -> Any:
    """The events of a run that streams, which a session does not keep whole."""
    root = agent([said("One moment."), called("search", q="lamp")], [said("A lamp.")])
    runner = InMemoryRunner(agent=root, app_name="shop")
    session = await runner.session_service.create_session(app_name="shop", user_id="ann")
    config = RunConfig(streaming_mode=StreamingMode.SSE)
    message = types.UserContent("Help me.")
    return [
        event
        async for event in runner.run_async(
            user_id="ann", session_id=session.id, new_message=message, run_config=config
        )
    ]


def plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return plain(value.model_dump(mode="json", by_alias=True, exclude_none=True))
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key not in NOISE}
    return [plain(item) for item in value] if isinstance(value, list) else value


async def main() -> None:
    recorded = {name: plain(await scenario()) for name, scenario in SCENARIOS.items()}
    recorded["a stream"] = plain(await streamed())
    folder = Path(__file__).parent / "adk"
    folder.mkdir(exist_ok=True)
    (folder / f"{version('google-adk')}.json").write_text(json.dumps(recorded, indent=1) + "\n")


if __name__ == "__main__":
    asyncio.run(main())

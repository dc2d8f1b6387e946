"""A Pydantic AI agent that follows a script, offline: Pydantic AI's own function model, and real tools."""

from __future__ import annotations

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from shop import QUESTION, TOOLS


def response(step):
    if isinstance(step, str):
        return ModelResponse(parts=[TextPart(step)])
    return ModelResponse(parts=[ToolCallPart(name, args) for name, args in step])


def run(script):
    """Run the agent and give its result."""
    steps = iter(script)
    model = FunctionModel(lambda messages, info: response(next(steps)))
    agent = Agent(model, tools=TOOLS, system_prompt="You help customers of a shop.")
    return agent.run_sync(QUESTION)

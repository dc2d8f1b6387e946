"""A LangChain agent that follows a script, offline: LangChain's own fake model, and real tools."""

from __future__ import annotations

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from shop import QUESTION, TOOLS


class ScriptedModel(GenericFakeChatModel):
    """The fake model says what it is told; all it lacks is that tools can be bound to it."""

    def bind_tools(self, tools, **kwargs):
        return self


def message(number, step):
    if isinstance(step, str):
        return AIMessage(step)
    calls = [{"name": name, "args": args, "id": f"{number}.{place}"} for place, (name, args) in enumerate(step)]
    return AIMessage("", tool_calls=calls)


def run(script):
    """Run the agent and give its final state."""
    messages = iter([message(number, step) for number, step in enumerate(script)])
    agent = create_agent(ScriptedModel(messages=messages), TOOLS, system_prompt="You help customers of a shop.")
    return agent.invoke({"messages": [("user", QUESTION)]})

"""One scenario, run in each framework, gives the same trajectory."""

import json
from itertools import combinations

import pytest
from agents import Agent as Shop
from agents import Runner, function_tool, set_tracing_disabled
from agents.testing import ScriptedModel as ScriptedResponses
from agents.testing import assistant_message, function_call
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import StructuredTool, ToolException
from langgraph.checkpoint.memory import InMemorySaver
from pydantic_ai import Agent, ModelRetry, Tool
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.tools import DeferredToolRequests

from trajmatch import match, to_trajectory


def look_up(order: int) -> str:
    """Look up an order."""
    return f"order {order}"


def cancel(order: int) -> str:
    """Cancel an order, which this shop never does."""
    raise NotImplementedError


def refund(order: int, items: list[str]) -> str:
    """Refund items."""
    return "refunded"


OK, FAILS, PENDING = "ok", "not ok", "absent"
STEPS = [
    [("look_up", {"order": 7}, OK), ("look_up", {"order": 8}, OK)],
    [("cancel", {"order": 7}, FAILS), ("refund", {"order": 7, "items": ["lamp", "Türe"]}, OK)],
    "Done.",
]
SCENARIOS = {
    "two batches": STEPS,
    "text only": ["Hello."],
    "one call": [[("look_up", {"order": 1}, OK)], "Yes."],
    "left open": [[("look_up", {"order": 1}, OK)], [("approve", {"order": 1}, PENDING)]],
}
ENDS = {"succeeded": OK, "failed": FAILS, "retried": FAILS, "pending": PENDING}


def in_openai(steps):
    messages = [{"role": "system", "content": "Help."}, {"role": "user", "content": "Please."}]
    for number, step in enumerate(steps):
        if isinstance(step, str):
            messages.append({"role": "assistant", "content": step})
            continue
        calls = [
            {"id": f"{number}.{place}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
            for place, (name, args, _) in enumerate(step)
        ]
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        for place, (_, _, end) in enumerate(step):
            error = {"error": "refused"} if end == FAILS else {}
            result = {"role": "tool", "tool_call_id": f"{number}.{place}", "content": "x", **error}
            messages += [] if end == PENDING else [result]
    return messages


class ScriptedModel(GenericFakeChatModel):
    def bind_tools(self, tools, **kwargs):
        return self


def in_langchain(steps):
    def message(number, step):
        if isinstance(step, str):
            return AIMessage(step)
        calls = [{"name": name, "args": args, "id": f"{number}.{n}"} for n, (name, args, _) in enumerate(step)]
        return AIMessage("", tool_calls=calls)

    def refuse(order: int) -> str:
        raise ToolException("refused")

    refusing = StructuredTool.from_function(refuse, name="cancel", description="Cancel.", handle_tool_error=True)
    waiting = StructuredTool.from_function(cancel, name="approve", description="Approve.")
    waits = isinstance(steps[-1], list)
    agent = create_agent(
        ScriptedModel(messages=iter([message(*item) for item in enumerate(steps)])),
        [look_up, refusing, refund, waiting],
        system_prompt="Help.",
        interrupt_before=["tools"] if waits else None,
        checkpointer=InMemorySaver(),
    )
    config = {"configurable": {"thread_id": "1"}}
    state = agent.invoke({"messages": [("user", "Please.")]}, config)
    for _ in steps[:-1] if waits else ():
        state = agent.invoke(None, config)
    return state


def in_pydantic_ai(steps):
    def refuse(order: int) -> str:
        raise ModelRetry("refused")

    def respond(messages, info):
        step = next(script)
        if isinstance(step, str):
            return ModelResponse(parts=[TextPart(step)])
        return ModelResponse(parts=[ToolCallPart(name, args) for name, args, _ in step])

    script = iter(steps)
    agent = Agent(
        FunctionModel(respond),
        system_prompt="Help.",
        output_type=[str, DeferredToolRequests],
        tools=[
            Tool(look_up),
            Tool(refuse, name="cancel"),
            Tool(refund),
            Tool(cancel, name="approve", requires_approval=True),
        ],
    )
    return agent.run_sync("Please.")


def in_agents_sdk(steps):
    def refuse(order: int) -> str:
        """Cancel."""
        raise ValueError("refused")

    def step(number, given):
        if isinstance(given, str):
            return [assistant_message(given)]
        return [function_call(name, args, call_id=f"{number}.{place}") for place, (name, args, _) in enumerate(given)]

    set_tracing_disabled(True)
    tools = [
        function_tool(look_up),
        function_tool(refuse, name_override="cancel"),
        function_tool(refund),
        function_tool(cancel, name_override="approve", needs_approval=True),
    ]
    model = ScriptedResponses([step(*item) for item in enumerate(steps)])
    return Runner.run_sync(Shop(name="shop", instructions="Help.", tools=tools, model=model), "Please.")


FRAMEWORKS = {
    "openai": in_openai,
    "langchain": in_langchain,
    "pydantic_ai": in_pydantic_ai,
    "agents_sdk": in_agents_sdk,
}


@pytest.fixture(params=SCENARIOS.values(), ids=SCENARIOS)
def runs(request):
    return {name: run(request.param) for name, run in FRAMEWORKS.items()}, request.param


def test_the_same_calls_in_the_same_batches_come_to_the_same_end(runs):
    runs, steps = runs
    expected = [step for step in steps if isinstance(step, list)]
    for run in runs.values():
        batches = to_trajectory(run).batches
        assert [[(c.name, c.arguments, ENDS[c.status]) for c in batch] for batch in batches] == expected


def test_each_run_matches_each_other_strictly(runs):
    for one, other in combinations(runs[0].values(), 2):
        assert match(one, other, mode="strict")
        assert match(other, one, mode="strict")

"""One scenario, run in each framework and written in each format, gives the same trajectory."""

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

from tests.formats import FAILS, FORMATS, OK, PENDING
from trajmatch import match, to_messages, to_trajectory
from trajmatch._recognise import _built_in


def look_up(order: int) -> str:
    """Look up an order."""
    return f"order {order}"


def cancel(order: int) -> str:
    """Cancel an order, which this shop never does."""
    raise NotImplementedError


def refund(order: int, items: list[str]) -> str:
    """Refund items."""
    return "refunded"


TWO_BATCHES = [
    [("look_up", {"order": 7}, OK), ("look_up", {"order": 8}, OK)],
    [("cancel", {"order": 7}, FAILS), ("refund", {"order": 7, "items": ["lamp", "Türe"]}, OK)],
    "Done.",
]
SCENARIOS = {
    "two batches": TWO_BATCHES,
    "text only": ["Hello."],
    "one call": [[("look_up", {"order": 1}, OK)], "Yes."],
    "left open": [[("look_up", {"order": 1}, OK)], [("approve", {"order": 1}, PENDING)]],
}
ENDS = {"succeeded": OK, "failed": FAILS, "retried": FAILS, "pending": PENDING}


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


FRAMEWORKS = {"LangChain": in_langchain, "Pydantic AI": in_pydantic_ai, "Agents SDK": in_agents_sdk}
STEPS = pytest.mark.parametrize("steps", SCENARIOS.values(), ids=SCENARIOS)


def ends(run):
    return [[(c.name, c.arguments, ENDS[c.status]) for c in batch] for batch in to_trajectory(run).batches]


def expected(steps, unmarked=False):
    """The calls of the steps; where nothing says that one failed, all that have a result are well."""
    return [
        [(name, arguments, OK if unmarked and end == FAILS else end) for name, arguments, end in step]
        for step in steps
        if isinstance(step, list)
    ]


@STEPS
@pytest.mark.parametrize("framework", FRAMEWORKS.values(), ids=FRAMEWORKS)
def test_a_framework_comes_to_the_same_end_and_matches_what_is_written(framework, steps):
    run, written = framework(steps), FORMATS["openai"].write(steps)
    assert ends(run) == expected(steps)
    assert match(run, written, mode="strict") and match(written, run, mode="strict")


@STEPS
@pytest.mark.parametrize("wording", FORMATS.values(), ids=FORMATS)
def test_a_format_says_the_same_as_each_other(wording, steps):
    run = wording.write(steps)
    assert ends(run) == expected(steps, wording.unmarked)
    assert [name for name, other in FORMATS.items() if not match(run, other.write(steps), mode="strict")] == []


@STEPS
@pytest.mark.parametrize("name", FORMATS)
def test_the_format_is_recognised(name, steps):
    run = FORMATS[name].write(steps)
    assert to_trajectory(run) == to_trajectory(run, format=name.split()[0])


def test_each_adapter_of_whole_runs_is_among_them():
    """BFCL keeps calls alone; a trace keeps the messages of other formats."""
    assert _built_in().keys() - {name.split()[0] for name in FORMATS} == {"bfcl", "langfuse", "langsmith_runs"}


@STEPS
@pytest.mark.parametrize("format", ["anthropic", "langchain", "openai", "pydantic_ai"])
@pytest.mark.parametrize("framework", FRAMEWORKS.values(), ids=FRAMEWORKS)
def test_a_run_in_the_messages_of_another_is_the_reference_of_each(framework, format, steps):
    written = to_messages(framework(steps), format)
    assert [name for name, other in FORMATS.items() if not match(other.write(steps), written, mode="strict")] == []

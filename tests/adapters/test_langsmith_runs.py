import copy
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import ToolException, tool
from langchain_core.tracers.run_collector import RunCollectorCallbackHandler
from langsmith.run_trees import RunTree
from langsmith.schemas import Run

from trajmatch import ConversionError, OptionError, to_trajectory
from trajmatch.reading import SHARED_ID
from trajmatch_adapters.histories.langsmith_runs import classify

ALONE = "a call stands in no message of the model, and is a message of its own"
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
HI, BYE = {"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Bye"}
CALL = {"id": "1", "type": "function", "function": {"name": "a", "arguments": '{"x": 1}'}}
ASKS = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "1", "content": "ok"}


def run(at, kind, name="m", inputs=None, outputs=None, parent=None, **more):
    return {
        "id": str(UUID(int=at)),
        "trace_id": str(UUID(int=1)),
        "name": name,
        "run_type": kind,
        "start_time": (NOON + timedelta(seconds=at)).isoformat(),
        "end_time": (NOON + timedelta(seconds=at + 1)).isoformat(),
        "parent_run_id": parent and str(UUID(int=parent)),
        "inputs": inputs or {},
        "outputs": outputs,
        **more,
    }


def choice(message):
    return {"id": "r", "choices": [{"index": 0, "message": message}]}


ROOT = run(1, "chain", "agent", {"messages": [HI]}, {"messages": [HI, ASKS, RESULT, BYE]})
FIRST = run(2, "llm", "m", {"messages": [HI], "model": "m"}, choice(ASKS), 1)
EXECUTED = run(3, "tool", "a", {"x": 1}, {"output": "ok"}, 1)
SECOND = run(4, "llm", "m", {"messages": [HI, ASKS, RESULT]}, choice(BYE), 1)
TRACE = [SECOND, EXECUTED, ROOT, FIRST]


def begun(given):
    return {key: value for key, value in given.items() if key not in ("outputs", "end_time")} | {"outputs": {}}


def ended(given):
    kept = ("id", "trace_id", "name", "outputs", "end_time", "parent_run_id")
    return {key: given[key] for key in kept} | {"error": None, "events": []}


def tree(given, children=()):
    made = RunTree(
        **{key: given[key] for key in ("id", "name", "run_type", "inputs", "outputs", "start_time", "end_time")}
    )
    made.child_runs = [tree(child) for child in children]
    return made


FORMS = {
    "exported runs": TRACE,
    "an iterator": lambda: iter(TRACE),
    "one run with its children": {**ROOT, "child_runs": [SECOND, EXECUTED, FIRST]},
    "the root alone": [ROOT],
    "a batch": {"post": [begun(one) for one in TRACE], "patch": [ended(one) for one in TRACE]},
    "batches": [{"post": [begun(one)]} for one in TRACE] + [{"patch": [ended(one)]} for one in TRACE],
    "runs of the client": lambda: [Run(**one) for one in TRACE],
    "a tree": lambda: tree(ROOT, [FIRST, EXECUTED, SECOND]),
    "runs of which one came twice": [*TRACE, FIRST],
}
LC_CALL = {"name": "a", "args": {"x": 1}, "id": "1", "type": "tool_call"}


def lc(name, **kwargs):
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", name], "kwargs": kwargs}


WRITTEN = {
    "LangChain": (
        {"messages": [[lc("HumanMessage", content="Hi", type="human")]]},
        {"generations": [[{"text": "", "message": lc("AIMessage", content="", type="ai", tool_calls=[LC_CALL])}]]},
    ),
    "OpenAI": ({"messages": [HI]}, choice(ASKS)),
    "a message alone": ({"messages": [HI]}, ASKS),
    "Anthropic": (
        {"messages": [HI], "max_tokens": 9},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "a", "input": {"x": 1}}]},
    ),
    "a prompt": ({"prompt": "Hi"}, {"output": ASKS}),
}
TOOLS = {
    "keywords": ({"x": 1}, {"output": "ok"}),
    "a Python dict as text": ({"input": "{'x': 1}"}, {"output": "ok"}),
    "a tool message": ({"x": 1}, {"output": {"type": "tool", "content": "ok", "tool_call_id": "1"}}),
    "a constructor": ({"x": 1}, {"output": lc("ToolMessage", content="ok", tool_call_id="1", type="tool")}),
}
ENDS = {
    "succeeded": (EXECUTED, "succeeded"),
    "an error": (EXECUTED | {"error": "ValueError('no')", "outputs": None}, "failed"),
    "a message that says so": (
        EXECUTED | {"outputs": {"output": {"content": "no", "tool_call_id": "1", "status": "error"}}},
        "failed",
    ),
    "an interrupt": (EXECUTED | {"error": "GraphInterrupt((Interrupt(value=1),))", "outputs": None}, "pending"),
    "unfinished": (EXECUTED | {"end_time": None, "outputs": None}, "pending"),
    "nothing given back": (EXECUTED | {"outputs": None}, "succeeded"),
}
OTHERS = {
    "OpenAI": HI,
    "an observation of Langfuse": {"id": "1", "type": "SPAN", "name": "m", "startTime": "2026-01-01T00:00:00Z"},
    "a span": {"name": "m", "span_id": "1", "attributes": {}},
    "other posts": {"post": [{"title": "x"}]},
    "a kind of run alone": {"run_type": "llm"},
    "nothing": None,
}


def facts(given):
    return [(made.name, made.arguments, made.id, made.status) for made in given.calls]


def roles(given):
    return [message.role for message in given.messages]


ONE, ALL = [("a", {"x": 1}, "1", "succeeded")], ["user", "assistant", "tool", "assistant"]


@pytest.mark.parametrize("options", [{}, {"format": "langsmith_runs"}], ids=["recognised", "named"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_trace_is_read_in_each_of_its_forms(form, options):
    given = form() if callable(form) else copy.deepcopy(form)
    run_ = to_trajectory(given, **options)
    assert (facts(run_), roles(run_)) == (ONE, ALL)
    assert callable(form) or given == form


@pytest.mark.parametrize(("inputs", "outputs"), WRITTEN.values(), ids=WRITTEN)
def test_messages_are_read_in_the_format_of_whoever_was_traced(inputs, outputs):
    read = to_trajectory([run(1, "llm", "m", inputs, outputs)])
    assert (facts(read), roles(read)) == ([("a", {"x": 1}, "1", None)], ["user", "assistant"])


@pytest.mark.parametrize(("inputs", "outputs"), TOOLS.values(), ids=TOOLS)
def test_a_run_of_a_tool_joins_its_call(inputs, outputs):
    read = to_trajectory([FIRST, run(3, "tool", "a", inputs, outputs)])
    assert (facts(read), read.messages[-1].content, read.notes) == (ONE, "ok", ())


@pytest.mark.parametrize(("given", "status"), ENDS.values(), ids=ENDS)
def test_a_run_says_what_became_of_its_call(given, status):
    other = run(5, "tool", "b", {"y": 1}, {"output": "ok"})
    assert to_trajectory([FIRST, given, other]).calls[0].status == status


def test_the_error_of_a_tool_is_its_result():
    assert to_trajectory([FIRST, ENDS["an error"][0]]).messages[-1].content == "ValueError('no')"


def test_a_run_of_a_tool_that_no_message_calls_is_a_call_with_the_id_of_the_run():
    read = to_trajectory([EXECUTED])
    assert (facts(read), read.notes) == ([("a", {"x": 1}, EXECUTED["id"], "succeeded")], (ALONE,))


def test_runs_without_ids_are_runs_each():
    given = [{key: value for key, value in one.items() if key != "id"} for one in (FIRST, EXECUTED, SECOND)]
    assert (facts(to_trajectory(given)), roles(to_trajectory(given))) == (ONE, ALL)


def test_one_id_with_two_names_is_two_runs():
    given = to_trajectory([*TRACE, {**EXECUTED, "name": "b"}])
    assert [made.name for made in given.calls] == ["a", "b"]
    assert SHARED_ID in given.notes


def test_the_end_of_a_run_may_give_it_another_name():
    batch = {"post": [begun(FIRST)], "patch": [{**ended(FIRST), "name": "renamed"}]}
    given = to_trajectory([batch, EXECUTED])
    assert ([made.name for made in given.calls], given.notes) == (["a"], ())


def test_what_a_tool_runs_can_be_left_out():
    inner = run(5, "tool", "b", {}, {"output": "ok"}, 3)
    counts = [len(to_trajectory([*TRACE, inner], format="langsmith_runs", nested=n).calls) for n in (True, False)]
    assert counts == [2, 1]


def test_a_wrong_option_is_refused():
    with pytest.raises(OptionError, match="nested must be True or False"):
        to_trajectory(TRACE, format="langsmith_runs", nested=None)


@pytest.mark.parametrize("item", OTHERS.values(), ids=OTHERS)
def test_items_of_others_are_not_claimed(item):
    assert classify(item) == "no"


def test_what_is_no_run_is_refused():
    with pytest.raises(ConversionError, match="message 1: no run of LangSmith"):
        to_trajectory([FIRST, HI], format="langsmith_runs")


def test_a_tool_without_a_name_is_refused():
    with pytest.raises(ConversionError, match="a call without the name of its tool"):
        to_trajectory([FIRST, EXECUTED | {"name": None}])


class Model(GenericFakeChatModel):
    def bind_tools(self, tools, **kwargs):
        return self


@tool
def search(q: str) -> str:
    """Search."""
    return f"found {q}"


@tool
def fails(q: str) -> str:
    """Fail."""
    raise ToolException("no")


def test_the_runs_that_langchain_traces_are_read_as_its_messages():
    fails.handle_tool_error = True
    asked = [
        {"name": "search", "args": {"q": "a"}, "id": "1"},
        {"name": "search", "args": {"q": "b"}, "id": "2"},
        {"name": "fails", "args": {"q": "c"}, "id": "3"},
    ]
    model = Model(messages=iter([AIMessage("", tool_calls=asked), AIMessage("Bye")]))
    traced = RunCollectorCallbackHandler()
    agent = create_agent(model, [search, fails])
    state = agent.invoke({"messages": [HumanMessage("Hi")]}, config={"callbacks": [traced]})
    direct, read = to_trajectory(state), to_trajectory(traced.traced_runs[0])
    assert [call.status for call in read.calls] == ["succeeded", "succeeded", "failed"]
    assert (facts(read), roles(read)) == (facts(direct), roles(direct))


HISTORIES = [form for form in FORMS.values() if not callable(form)]

import pytest

from trajmatch import ConversionError, Message, to_trajectory
from trajmatch.reading import SHARED_ID, build
from trajmatch_adapters.histories.codex import classify, read

BY_RESULTS = "nothing says which calls one response made; a result ends it"
TURN = {"type": "turn.started"}
DONE = {"type": "turn.completed", "usage": {"input_tokens": 1}}


def started(kind, id="item_0", **more):
    return {"type": "item.started", "item": {"id": id, "type": kind, "status": "in_progress", **more}}


def completed(kind, id="item_0", **more):
    return {"type": "item.completed", "item": {"id": id, "type": kind, **more}}


def said(text="Hm", id="item_9"):
    return completed("agent_message", id, text=text)


def ran(id="item_0", status="completed", exit_code=0, **more):
    begun = started("command_execution", id, command="ls", aggregated_output="", exit_code=None)
    ended = completed("command_execution", id, command="ls", aggregated_output="a", exit_code=exit_code, status=status)
    return [begun, ended]


def facts(run):
    return [(c.name, c.raw_arguments if c.arguments is None else c.arguments, c.status, c.kind) for c in run.calls]


def batches(run):
    return [[made.id for made in message.tool_calls] for message in run.messages if message.role == "assistant"]


SHELL = ("command_execution", {"command": "ls"}, "succeeded", "function")
HISTORIES = {
    "a command": ([TURN, said(), *ran(), DONE], [SHELL]),
    "a command that failed": (ran(status="failed", exit_code=2), [(*SHELL[:2], "failed", "function")]),
    "a command that a person declined": (ran(status="declined"), [(*SHELL[:2], "denied", "function")]),
    "a command that was broken off": ([*ran(), *ran("item_1")[:1]], [SHELL, (*SHELL[:2], "pending", "function")]),
    "a command that is only completed": (ran()[1:], [SHELL]),
    "an item of old": (
        [{"type": "item.completed", "item": {"id": "1", "item_type": "command_execution", "command": "ls"}}],
        [SHELL],
    ),
    "MCP": (
        [
            started("mcp_tool_call", server="s", tool="search", arguments={"q": "x"}),
            completed("mcp_tool_call", server="s", tool="search", arguments={"q": "x"}, result={}, status="completed"),
        ],
        [("search", {"q": "x"}, "succeeded", "function")],
    ),
    "MCP with arguments in text": (
        [completed("mcp_tool_call", tool="search", arguments="x", status="failed", error={"message": "no"})],
        [("search", "x", "failed", "function")],
    ),
    "a change of files": (
        [completed("file_change", changes=[{"path": "a", "kind": "add"}], status="completed")],
        [("file_change", {"changes": [{"path": "a", "kind": "add"}]}, "succeeded", "function")],
    ),
    "a search knows its query when it is completed": (
        [started("web_search", query=""), completed("web_search", query="lamp")],
        [("web_search", {"query": "lamp"}, "succeeded", "native")],
    ),
    "another agent": (
        [completed("collab_tool_call", tool="spawn_agent", prompt="Go", agents_states={}, status="completed")],
        [("spawn_agent", {"prompt": "Go"}, "succeeded", "function")],
    ),
    "an item that changes": (
        [ran()[0], {**ran()[0], "type": "item.updated"}, ran()[1]],
        [SHELL],
    ),
    "ids begin anew with a turn": ([TURN, *ran(), TURN, *ran()], [SHELL, SHELL]),
    "ids begin anew with a thread": ([*ran(), {"type": "thread.started", "thread_id": "t"}, *ran()], [SHELL, SHELL]),
    "under events": ({"events": [TURN, *ran()]}, [SHELL]),
}
NAMED = pytest.mark.parametrize("options", [{}, {"format": "codex"}], ids=["recognised", "named"])


@pytest.mark.parametrize(("history", "calls"), HISTORIES.values(), ids=HISTORIES)
@NAMED
def test_calls_are_read(history, calls, options):
    run = to_trajectory(history, **options)
    assert (facts(run), run.notes) == (calls, (BY_RESULTS,))


BATCHES = {
    "text beside a call": ([said(), *ran("1")], [["1"]]),
    "one after the other": ([*ran("1"), *ran("2"), said()], [["1"], ["2"], []]),
    "in parallel": ([ran("1")[0], ran("2")[0], ran("1")[1], ran("2")[1]], [["1", "2"]]),
    "a search ends no response": ([completed("web_search", "1", query="x"), *ran("2")], [["1", "2"]]),
    "turns": ([TURN, said(), TURN, *ran("1")], [[], ["1"]]),
}


@pytest.mark.parametrize(("history", "expected"), BATCHES.values(), ids=BATCHES)
def test_a_result_ends_a_response(history, expected):
    assert batches(build(read(history))) == expected


def test_messages_are_read():
    messages = build(read([{"type": "thread.started"}, TURN, said("Hi"), DONE])).messages
    assert messages == (Message("user"), Message("assistant", "Hi"))


def test_items_without_ids_are_calls_of_their_own():
    assert facts(to_trajectory([ran(None)[1], ran(None)[1]])) == [SHELL, SHELL]


def test_one_id_with_two_tools_is_two_calls():
    others = [completed("mcp_tool_call", tool=name, arguments={}) for name in "ab"]
    run = to_trajectory([*ran(), *others])
    assert [made.name for made in run.calls] == ["command_execution", "a", "b"]
    assert SHARED_ID in run.notes


def test_the_tool_of_an_item_may_be_told_late():
    run = to_trajectory([started("mcp_tool_call"), completed("mcp_tool_call", tool="a", arguments={})])
    assert [made.name for made in run.calls] == ["a"]


def test_results_are_read():
    assert [made.result for made in to_trajectory([*ran()]).calls] == ["a"]


NOTED = {
    "the to-do list": (
        completed("todo_list", items=[]),
        ("the calls that keep the to-do list are not in this history",),
    ),
    "reasoning": (completed("reasoning", text="Hm"), ()),
    "a message that is not completed": (started("agent_message", text="H"), ()),
    "an unknown item": (completed("hologram"), ("an item of the unknown type 'hologram' is passed over",)),
    "an error": ({"type": "error", "message": "no"}, ()),
}


@pytest.mark.parametrize(("event", "notes"), NOTED.values(), ids=NOTED)
def test_what_calls_nothing_is_noted_where_something_may_be_lost(event, notes):
    assert to_trajectory([TURN, event], format="codex").notes == notes


WRONG = {
    "text": ("Hi", "no event of Codex"),
    "another event": ({"type": "x"}, "no event of Codex"),
    "an event without an item": ({"type": "item.completed"}, "no event of Codex"),
    "a call without a name": (completed("mcp_tool_call", arguments={}), "a call without the name of its tool"),
    "an unknown call": (completed("magic", tool="a"), "an item of the unknown type 'magic' with a tool"),
    "a call of another format": (completed("magic", name="a", input={}), "an item of the unknown type 'magic'"),
}


@pytest.mark.parametrize(("event", "text"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_is_an_error_that_says_where(event, text):
    with pytest.raises(ConversionError, match=f"message 1: {text}") as caught:
        to_trajectory([TURN, event], format="codex")
    assert caught.value.index == 1


CLASSES = {
    "an item": (said(), "certain"),
    "an item without a type": ({"type": "item.completed", "item": {}}, "no"),
    "a turn": (TURN, "could_be"),
    "what holds events": ({"events": [TURN, said()]}, "certain"),
    "events of others": ({"events": [TURN, {"type": "x"}]}, "no"),
    "no events": ({"events": []}, "no"),
    "an item of the Responses API": ({"type": "reasoning", "summary": []}, "no"),
    "text": ("Hi", "no"),
}


@pytest.mark.parametrize(("message", "answer"), CLASSES.values(), ids=CLASSES)
def test_events_are_classified(message, answer):
    assert classify(message) == answer

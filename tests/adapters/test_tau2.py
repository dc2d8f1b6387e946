import copy
from types import SimpleNamespace as Object

import pytest
from hypothesis import given

from tests.mutated import mutated
from trajmatch import ConversionError, OptionError, ToolCall, call, check_limits, match, to_trajectory
from trajmatch_adapters.histories.tau2 import classify, expected


def tool(name="a", id="1", by="assistant", **arguments):
    return {"id": id, "name": name, "arguments": arguments, "requestor": by}


def says(*calls, content=None, role="assistant", **more):
    return {"role": role, "content": content, "tool_calls": [*calls] or None, "turn_idx": 1, "cost": 0.0, **more}


def asks(content="Hi"):
    return says(content=content, role="user")


def does(*calls, content=None):
    return says(*(made | {"requestor": "user"} for made in calls), content=content, role="user")


def answer(id="1", by="assistant", content="ok", error=False):
    return {"id": id, "role": "tool", "content": content, "requestor": by, "error": error, "turn_idx": 2}


def facts(run):
    return [(made.name, made.arguments, made.status) for made in run.calls]


RUNS = {
    "a call": ([asks(), says(tool(x=1)), answer()], [("a", {"x": 1}, "succeeded")]),
    "an error": ([says(tool()), answer(error=True)], [("a", {}, "failed")]),
    "in parallel": (
        [says(tool("a"), tool("b", "2")), answer("2", content="B"), answer()],
        [("a", {}, "succeeded"), ("b", {}, "succeeded")],
    ),
    "results in one message": (
        [says(tool("a"), tool("b", "2")), {"role": "tool", "tool_messages": [answer(), answer("2", error=True)]}],
        [("a", {}, "succeeded"), ("b", {}, "failed")],
    ),
    "no results": ([says(tool())], [("a", {}, None)]),
    "one without a result": (
        [says(tool("a"), tool("b", "2")), answer()],
        [("a", {}, "succeeded"), ("b", {}, "pending")],
    ),
    "of the user": (
        [asks(), does(tool("check")), answer(by="user"), asks("Done."), says(tool("a", "2")), answer("2")],
        [("check", {}, "succeeded"), ("a", {}, "succeeded")],
    ),
    "text beside": ([says(tool(), content="Let me see")], [("a", {}, None)]),
    "arguments as text": ([says(tool() | {"arguments": '{"x": 1}'})], [("a", {"x": 1}, None)]),
    "what the provider sent beside": (
        [says(tool(), raw_data={"name": "a", "arguments": {}}, usage={"name": "a", "args": {}})],
        [("a", {}, None)],
    ),
    "a system message": ([{"role": "system", "content": "S", "turn_idx": None}, says(tool())], [("a", {}, None)]),
    "no calls": ([says(content="Hi"), asks()], []),
    "nothing": ([], []),
}


@pytest.mark.parametrize(("history", "calls"), RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("options", [{}, {"format": "tau2"}], ids=["recognised", "named"])
def test_a_run_is_read(history, calls, options):
    before = copy.deepcopy(history)
    run = to_trajectory(history, **options)
    assert (facts(run), run.notes) == (calls, ())
    assert history == before


def live(value):
    """Objects in place of dicts, but for arguments, as those of tau2 are."""
    if isinstance(value, dict):
        return Object(**{key: item if key in ("arguments", "raw_data") else live(item) for key, item in value.items()})
    return [*map(live, value)] if isinstance(value, list) else value


@pytest.mark.parametrize("name", RUNS)
def test_objects_are_read_as_their_json_is(name):
    history, calls = RUNS[name]
    assert facts(to_trajectory(live(history))) == calls


BOTH = [
    asks(),
    does(tool("check")),
    answer(by="user"),
    asks("So."),
    says(tool("a", "2")),
    answer("2"),
    says(content="?"),
]
REQUESTORS = {"all": ["check", "a"], "assistant": ["a"], "user": ["check"]}


@pytest.mark.parametrize(("requestor", "names"), REQUESTORS.items())
def test_calls_of_one_requestor_are_read(requestor, names):
    run = to_trajectory(BOTH, format="tau2", requestor=requestor)
    assert [made.name for made in run.calls] == names
    assert (len(run.turns), run.notes) == (2, ())


def test_a_call_without_a_requestor_is_that_of_its_message():
    made = {key: value for key, value in tool("check").items() if key != "requestor"}
    assert not to_trajectory([does(), says(made, role="user")], format="tau2", requestor="assistant").calls


def test_what_the_user_does_is_no_request_of_the_model_and_no_turn():
    run = to_trajectory(BOTH)
    assert [message.role for message in run.messages][:4] == ["user", "user_tools", "tool", "user"]
    assert check_limits(run, max_model_requests=2)


def test_what_the_user_says_beside_a_call_is_a_turn():
    assert [message.role for message in to_trajectory([does(tool(), content="Look.")]).messages] == [
        "user",
        "user_tools",
    ]


RUN = {"task_id": "1", "termination_reason": "user_stop", "messages": [says(tool()), answer()]}
WHOLE = {
    "a simulation": RUN,
    "a list of one": [live(RUN)],
    "results": {"info": {}, "tasks": [], "simulations": [RUN]},
    "results as an object": Object(tasks=[], simulations=[live(RUN)]),
    "a simulation as an object": live(RUN),
}


@pytest.mark.parametrize("history", WHOLE.values(), ids=WHOLE)
def test_what_holds_one_run_is_read(history):
    assert facts(to_trajectory(history)) == [("a", {}, "succeeded")]


def test_a_list_of_one_simulation_could_be_a_state_of_langgraph():
    with pytest.raises(ConversionError, match="say which it is"):
        to_trajectory([RUN])
    assert facts(to_trajectory([RUN], format="tau2")) == [("a", {}, "succeeded")]


TASK = {"id": "1", "evaluation_criteria": {"actions": [{"name": "a", "arguments": {}}]}}
REFUSED = {
    "several simulations": ([live(RUN)] * 2, "message 0: a simulation beside others; match each on its own"),
    "results of several": ({"simulations": [RUN, RUN]}, "message 0: a simulation beside others"),
    "a message beside a simulation": ([says(), RUN], "message 1: a simulation beside others"),
    "a task": (TASK, "message 0: a task, which says what to expect"),
    "calls that are no list": ([says(), says(tool_calls="a")], "message 1: tool_calls that are no list"),
    "a call without a name": ([says(), says(tool(""))], "message 1: a call without the name of its tool"),
    "calls under another key": ([says(calls=[{"name": "a", "args": {}}])], "calls under the key .*calls'"),
    "a part of another format": (
        [says(content=[{"type": "tool-call", "toolName": "a", "input": {}}])],
        "message 0: no format reads it",
    ),
}


@pytest.mark.parametrize(("history", "text"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_lost_is_refused(history, text):
    with pytest.raises(ConversionError, match=text):
        to_trajectory(history)


def test_a_message_without_a_role_is_refused():
    with pytest.raises(ConversionError, match="message 1: a message without a role"):
        to_trajectory([says(), {"content": "x"}], format="tau2")


@pytest.mark.parametrize(
    "ask", [lambda one: to_trajectory([], format="tau2", requestor=one), lambda one: expected([], requestor=one)]
)
def test_another_requestor_is_refused(ask):
    with pytest.raises(OptionError, match="requestor must be 'all', 'assistant' or 'user', got 'agent'"):
        ask("agent")


OTHERS = {
    "a call of Chat Completions": {"role": "assistant", "tool_calls": [{"function": {"name": "a"}}]},
    "a call of LangChain": {"role": "assistant", "content": "", "tool_calls": [{"name": "a", "args": {}}]},
    "a result of Chat Completions": {"role": "tool", "tool_call_id": "1", "content": "x"},
    "parts": {"role": "user", "parts": [{"text": "x"}]},
    "another role": {"role": "critic", "content": "x"},
    "no message": {"kind": "request", "parts": []},
    "nothing": None,
}


@pytest.mark.parametrize("item", OTHERS.values(), ids=OTHERS)
def test_messages_of_others_are_none(item):
    assert classify(item) == "no"


def test_a_message_as_others_have_it_could_be():
    assert classify({"role": "user", "content": "Hi"}) == "could_be"


def action(name="pay", compare=None, by="assistant", **arguments):
    return {"action_id": "x", "name": name, "arguments": arguments, "compare_args": compare, "requestor": by}


ACTIONS = {
    "all arguments": (action(x=1), ToolCall("pay", {"x": 1})),
    "some": (action(x=1, y=2, compare=["x"]), ToolCall("pay", {"x": 1, "y": 2}).under([("x",)])),
    "one with a dot": (action(compare=["a.b"], **{"a.b": 1}), ToolCall("pay", {"a.b": 1}).under([("a.b",)])),
    "none": (action(x=1, compare=[]), ToolCall("pay", {"x": 1}).under("ignore")),
    "a key with a dollar": (action(**{"$gt": 1}), ToolCall("pay", {"$$gt": 1})),
    "an object": (Object(name="pay", arguments={"x": 1}), ToolCall("pay", {"x": 1})),
}


@pytest.mark.parametrize(("given", "made"), ACTIONS.values(), ids=ACTIONS)
def test_an_action_is_an_expected_call(given, made):
    assert expected([given]) == [made]


def test_the_arguments_that_count_decide():
    run = [call("pay", amount=7, note="for the lamp"), call("look")]
    wanted = expected([action(amount=7, note="lamp", compare=["amount"])])
    assert match(run, wanted, mode="superset")
    assert not match(run, expected([action(amount=7, note="lamp")]), mode="superset")
    assert not match([call("pay", amount=8, note="lamp")], wanted, mode="superset")


FORMS = {
    "a task": TASK,
    "its criteria": TASK["evaluation_criteria"],
    "a list": TASK["evaluation_criteria"]["actions"],
    "an object": live(TASK),
}


@pytest.mark.parametrize("task", FORMS.values(), ids=FORMS)
def test_actions_are_found(task):
    assert expected(task) == [ToolCall("a", {})]


@pytest.mark.parametrize(("requestor", "names"), {"all": ["a", "b"], "assistant": ["a"], "user": ["b"]}.items())
def test_actions_of_one_requestor_are_expected(requestor, names):
    assert [made.name for made in expected([action("a"), action("b", by="user")], requestor=requestor)] == names


NO_ACTIONS = {
    "no actions": ({"evaluation_criteria": {"actions": None}}, "a task without a list of actions"),
    "nothing": (None, "a task without a list of actions"),
    "no name": ([action(), {"arguments": {}}], "action 1: an action has a name and an object of arguments"),
    "no arguments": ([{"name": "a"}], "action 0: an action has a name and an object of arguments"),
    "a word": ([action(compare="x")], "action 0: compare_args is a list of names, got 'x'"),
    "a number": ([action(compare=[1])], r"action 0: compare_args is a list of names, got \[1\]"),
}


@pytest.mark.parametrize(("task", "text"), NO_ACTIONS.values(), ids=NO_ACTIONS)
def test_what_is_no_action_is_refused(task, text):
    with pytest.raises(ConversionError, match=text):
        expected(task)


HISTORIES = [*[history for history, _ in RUNS.values()], WHOLE["results"], RUN]
ACTIONS = {"actions": [action(x=1, compare=["x"]), action()]}


@given(task=mutated([TASK | {"evaluation_criteria": ACTIONS}]))
def test_a_broken_task_is_read_or_refused(task):
    before = copy.deepcopy(task)
    try:
        assert all(isinstance(made, ToolCall) for made in expected(task))
    except ConversionError as error:
        assert str(error).startswith(("action", "a task"))
    assert task == before

import copy

import pytest
from atif import Trajectory as Document

from trajmatch import ConversionError, OptionError, check_limits, match, to_trajectory
from trajmatch_adapters.histories.atif import classify

UNMARKED = "nothing says whether a tool failed; a result counts as succeeded"
ORDER = "results without an id are joined to the calls of their step, in order"
SHARED = "one result without an id stands for all calls of its step"
COUNTED = "a step for which the model was asked not once, or several times, counts as one model request"
COPIED = "steps that were copied from an earlier run are left out; copied=True reads them"
INSIDE = "runs of sub-agents are left out; nested=True reads them"
REFERRED = "results refer to runs of sub-agents, which are left out"
ELSEWHERE = "results refer to runs of sub-agents that are not in the document"
LAST = "runs of sub-agents that no result refers to are read last"
GOES_ON = "the run goes on in another document, which is not read"


def tool(name="a", id="1", **arguments):
    return {"tool_call_id": id, "function_name": name, "arguments": arguments}


def result(content="ok", id="1", *runs, **more):
    refs = {"subagent_trajectory_ref": [{"trajectory_id": run} for run in runs]} if runs else {}
    return {"source_call_id": id, "content": content, **refs, **more}


def agent(*calls, results=(), message="", **more):
    made = {"tool_calls": list(calls)} if calls else {}
    seen = {"observation": {"results": list(results)}} if results else {}
    return {"source": "agent", "message": message, **made, **seen, **more}


def user(message="Hi", **more):
    return {"source": "user", "message": message, **more}


def system(message="S", **more):
    return {"source": "system", "message": message, **more}


def document(*steps, version="ATIF-v1.8", **more):
    numbered = [{"step_id": at, **step} for at, step in enumerate(steps, 1)]
    return {"schema_version": version, "agent": {"name": "x", "version": "1"}, "steps": numbered, **more}


def facts(run):
    return [(made.name, made.arguments, made.status) for made in run.calls]


RUNS = {
    "a call": (document(user(), agent(tool(x=1), results=[result()])), [("a", {"x": 1}, "succeeded")], {UNMARKED}),
    "the first version": (document(agent(tool()), version="ATIF-v1.4"), [("a", {}, None)], set()),
    "calls in parallel": (
        document(agent(tool("a"), tool("b", "2"), results=[result("B", "2"), result("A", "1")])),
        [("a", {}, "succeeded"), ("b", {}, "succeeded")],
        {UNMARKED},
    ),
    "one without a result": (
        document(agent(tool("a"), tool("b", "2"), results=[result()])),
        [("a", {}, "succeeded"), ("b", {}, "pending")],
        {UNMARKED},
    ),
    "a result in a later step": (
        document(agent(tool()), system(observation={"results": [result()]})),
        [("a", {}, "succeeded")],
        {UNMARKED},
    ),
    "a result without an id": (
        document(agent(tool(), results=[result(id=None)])),
        [("a", {}, "succeeded")],
        {UNMARKED, ORDER},
    ),
    "one result without an id for all calls": (
        document(agent(tool("a"), tool("b", "2"), results=[result(id=None)])),
        [("a", {}, "succeeded"), ("b", {}, "succeeded")],
        {UNMARKED, SHARED},
    ),
    "results without ids": (
        document(agent(tool("a"), tool("b", "2"), tool("c", "3"), results=[result("A", None), result("B", None)])),
        [("a", {}, "succeeded"), ("b", {}, "succeeded"), ("c", {}, "pending")],
        {UNMARKED, ORDER},
    ),
    "one with an id, one without": (
        document(agent(tool("a"), tool("b", "2"), results=[result("B", None), result("A", "1")])),
        [("a", {}, "succeeded"), ("b", {}, "succeeded")],
        {UNMARKED, ORDER},
    ),
    "calls without ids": (
        document(agent(tool("a", None), tool("b", None), results=[result("A", None), result("B", None)])),
        [("a", {}, "succeeded"), ("b", {}, "succeeded")],
        {UNMARKED, ORDER, "results are joined to calls by their order, since ids are missing"},
    ),
    "arguments as text": (document(agent({**tool(), "arguments": '{"x": 1}'})), [("a", {"x": 1}, None)], set()),
    "arguments null": (document(agent({**tool(), "arguments": None})), [("a", {}, None)], set()),
    "calls null": (document(agent(message="Bye") | {"tool_calls": None, "observation": None}), [], set()),
    "parts": (
        document(user([{"type": "text", "text": "Hi"}, {"type": "image", "source": {}}]), agent(tool())),
        [("a", {}, None)],
        set(),
    ),
    "a call in a part": (
        document(agent(message=[{"type": "tool_use", "id": "1", "name": "a", "input": {"x": 1}}])),
        [("a", {"x": 1}, None)],
        set(),
    ),
    "metadata with names and arguments": (
        document(agent(tool(), extra={"ancestry": {"function_name": "a", "name": "a", "arguments": {}}})),
        [("a", {}, None)],
        set(),
    ),
    "no model was asked": (document(agent(tool(), llm_call_count=0)), [("a", {}, None)], {COUNTED}),
    "asked once": (document(agent(tool(), llm_call_count=1)), [("a", {}, None)], set()),
    "asked twice": (document(agent(tool(), llm_call_count=2)), [("a", {}, None)], {COUNTED}),
    "copied steps": (
        document(
            user(is_copied_context=True),
            agent(tool("b"), results=[result()], is_copied_context=True),
            agent(tool(), is_copied_context=False),
        ),
        [("a", {}, None)],
        {COPIED},
    ),
    "a run inside": (
        document(agent(tool(), results=[result(None, "1", "s")]), subagent_trajectories=[document(trajectory_id="s")]),
        [("a", {}, "succeeded")],
        {UNMARKED, INSIDE, REFERRED},
    ),
    "it goes on": (document(agent(tool()), continued_trajectory_ref="2.json"), [("a", {}, None)], {GOES_ON}),
    "two documents": (
        [
            document(agent(tool("a")), continued_trajectory_ref="2.json"),
            document(agent(tool("a"), is_copied_context=True), agent(tool("b"))),
        ],
        [("a", {}, None), ("b", {}, None)],
        {COPIED},
    ),
    "steps": (document(user(), agent(tool()))["steps"], [("a", {}, None)], set()),
    "no steps": (document(), [], set()),
}


@pytest.mark.parametrize(("history", "calls", "notes"), RUNS.values(), ids=RUNS)
@pytest.mark.parametrize("options", [{}, {"format": "atif"}], ids=["recognised", "named"])
def test_a_run_is_read(history, calls, notes, options):
    before = copy.deepcopy(history)
    run = to_trajectory(history, **options)
    assert (facts(run), {*run.notes}) == (calls, notes)
    assert history == before


NO_MODELS = {"calls without ids", "arguments as text", "arguments null", "a call in a part", "two documents", "steps"}


@pytest.mark.parametrize("name", [name for name in RUNS if name not in NO_MODELS])
def test_objects_are_read_as_their_json_is(name):
    history = RUNS[name][0]
    if name == "parts":
        history["steps"][0]["message"][1]["source"] = {"media_type": "image/png", "path": "x.png"}
    run = to_trajectory(Document.model_validate(history))
    assert (facts(run), run.notes) == (facts(to_trajectory(history)), to_trajectory(history).notes)


def test_each_step_is_a_message_and_each_result():
    run = to_trajectory(
        document(system(), user(), agent(tool("a"), tool("b", "2"), results=[result(), result(id="2")]))
    )
    assert [message.role for message in run.messages] == ["system", "user", "assistant", "tool", "tool"]
    assert check_limits(run, max_model_requests=1)


def test_what_is_no_result_of_a_call_is_no_turn_of_the_user():
    run = to_trajectory(document(user(), agent(message="x", results=[result("no JSON", None)]), agent(tool())))
    assert [(message.role, message.feedback) for message in run.messages][2] == ("user", True)
    assert (len(run.turns), run.calls[0].status, run.notes) == (1, None, ())


def test_a_result_too_many_is_no_result():
    run = to_trajectory(document(agent(tool(), results=[result("A", "1"), result("more", None)])))
    assert [message.role for message in run.messages] == ["assistant", "tool", "user"]


def test_copied_steps_are_read_when_asked_for():
    history = document(agent(tool("b"), is_copied_context=True), agent(tool("a")))
    assert match(to_trajectory(history, format="atif", copied=True), ["b", "a"])


def test_what_a_document_repeats_of_the_one_before_is_never_read():
    one = document(agent(tool("a"), is_copied_context=True), continued_trajectory_ref="2.json")
    two = document(agent(tool("a"), is_copied_context=True), agent(tool("b")))
    assert match(to_trajectory([one, two], format="atif", copied=True), ["a", "b"])


INNER = document(user(), agent(tool("x"), results=[result("X")]), trajectory_id="s")
NESTED = {
    "between its call and the result": (
        document(agent(tool("a"), tool("b", "2"), results=[result("A", "1", "s"), result("B", "2")])),
        [INNER],
        [("a", "1"), ("b", "2"), ("x", "1__1")],
        {UNMARKED},
    ),
    "a single reference": (
        document(agent(tool("a"), results=[result(subagent_trajectory_ref={"trajectory_id": "s"})])),
        [INNER],
        [("a", "1"), ("x", "1__1")],
        {UNMARKED},
    ),
    "a result without an id": (
        document(agent(tool("a"), results=[result("A", None, "s")])),
        [INNER],
        [("a", "1"), ("x", "1__1")],
        {UNMARKED, ORDER},
    ),
    "without a call": (
        document(agent(results=[result("A", None, "s")])),
        [INNER],
        [("x", "s__1")],
        {UNMARKED},
    ),
    "no result refers to it": (
        document(agent(tool("a"), results=[result()])),
        [INNER],
        [("a", "1"), ("x", "s__1")],
        {UNMARKED, LAST},
    ),
    "it is somewhere else": (
        document(agent(tool("a"), results=[result("A", "1", "t")])),
        [],
        [("a", "1")],
        {UNMARKED, ELSEWHERE},
    ),
    "a run inside a run": (
        document(agent(tool("a"), results=[result("A", "1", "t")])),
        [document(agent(tool("c"), results=[result("C", "1", "s")]), trajectory_id="t", subagent_trajectories=[INNER])],
        [("a", "1"), ("c", "1__1"), ("x", "1__1__1")],
        {UNMARKED},
    ),
    "one that two results refer to": (
        document(agent(tool("a"), tool("b", "2"), results=[result("A", "1", "s"), result("B", "2", "s")])),
        [INNER],
        [("a", "1"), ("b", "2"), ("x", "1__1")],
        {UNMARKED, ELSEWHERE},
    ),
    "two of one name": (
        document(agent(tool("a"), tool("b", "2"), results=[result("A", "1", "s"), result("B", "2", "s")])),
        [INNER, INNER | {"steps": document(agent(tool("y")))["steps"]}],
        [("a", "1"), ("b", "2"), ("x", "1__1"), ("y", "2__1")],
        {UNMARKED},
    ),
}


@pytest.mark.parametrize(("history", "runs", "calls", "notes"), NESTED.values(), ids=NESTED)
def test_runs_of_sub_agents_are_read_when_asked_for(history, runs, calls, notes):
    run = to_trajectory({**history, "subagent_trajectories": runs}, format="atif", nested=True)
    assert [(made.name, made.id) for made in run.calls] == calls
    assert {*run.notes} == notes
    assert len(run.turns) <= 1


def test_a_run_that_holds_itself_is_read_once():
    history = document(agent(tool("a"), results=[result("A", "1", "s")]), trajectory_id="s")
    history["subagent_trajectories"] = [history]
    assert [made.name for made in to_trajectory(history, format="atif", nested=True).calls] == ["a", "a"]


REFUSED = {
    "two runs": ([document(), document()], "message 1: a trajectory beside others; match each on its own"),
    "a step beside a run": ([document(), {"step_id": 1, **user()}], "message 1: a step beside whole trajectories"),
    "an unknown source": (document({"source": "env", "message": ""}), "message 0: no step of the user"),
    "a source that is no text": (document({"source": [], "message": ""}), "message 0: no step of the user"),
    "no step": (document() | {"steps": [None]}, "message 0: no step of the user"),
    "calls that are no list": (document(agent(tool_calls="a")), "message 0: tool_calls that are no list"),
    "a call without a name": (document(user(), agent(tool(None))), "message 1: a call without the name of its tool"),
    "an observation as text": (document(agent(observation="ok")), "message 0: an observation without a list"),
    "results as text": (document(agent(observation={"results": "x"})), "message 0: an observation without a list"),
    "calls under another key": (document(agent(calls=[{"name": "a", "args": {}}])), "calls under the key .*calls'"),
    "a part of another format": (
        document(agent(message=[{"type": "tool-call", "toolName": "a", "input": {}}])),
        "unknown type 'tool-call'",
    ),
}


@pytest.mark.parametrize(("history", "text"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_lost_is_refused(history, text):
    with pytest.raises(ConversionError, match=text):
        to_trajectory(history)


def test_a_sub_agent_without_steps_is_refused():
    with pytest.raises(ConversionError, match="a run of a sub-agent that is no trajectory"):
        to_trajectory(document(subagent_trajectories=[{"trajectory_id": "s"}]), format="atif", nested=True)


@pytest.mark.parametrize("option", ["nested", "copied"])
def test_options_are_true_or_false(option):
    with pytest.raises(OptionError, match=f"{option} must be True or False, got 1"):
        to_trajectory(document(), format="atif", **{option: 1})


OTHERS = {
    "a message": {"role": "user", "content": "Hi"},
    "an event with a source": {"source": "agent", "action": "run", "args": {}, "id": 1},
    "a numbered message": {"role": "user", "source": "user", "step_id": 1, "content": "Hi"},
    "steps of something else": {"steps": [{"tool": "a"}]},
    "another version": {"schema_version": "1.0", "steps": []},
    "a version alone": {"schema_version": "ATIF-v1.8"},
    "nothing": None,
}


@pytest.mark.parametrize("item", OTHERS.values(), ids=OTHERS)
def test_messages_of_others_are_none(item):
    assert classify(item) == "no"


HISTORIES = [history for history, _, _ in RUNS.values()]
HISTORIES += [{**history, "subagent_trajectories": runs} for history, runs, _, _ in NESTED.values()]

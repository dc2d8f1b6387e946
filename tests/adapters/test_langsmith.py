"""LangSmith runs the evaluators itself here: the real package, and a network that refuses."""

import asyncio
import json
import os
import re
import subprocess
import sys
from types import SimpleNamespace
from uuid import uuid4

import pytest
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langsmith import RunEvaluator, aevaluate, evaluate, tracing_context
from langsmith._internal._serde import dumps_json
from langsmith.evaluation import EvaluationResult
from langsmith.schemas import Example
from pydantic_ai import Agent
from pydantic_ai.models.test import TestModel

from trajmatch import ConversionError, OptionError, RuleError, Trajectory, call, match, optional, seq, to_trajectory
from trajmatch._modes import MODES
from trajmatch_adapters.langsmith import (
    arguments_evaluator,
    as_run_evaluator,
    forbidden_evaluator,
    limits_evaluator,
    trajectory_evaluator,
)

LIVE = [
    HumanMessage("Cats?"),
    AIMessage("", tool_calls=[{"name": "search", "args": {"q": "cats"}, "id": "1"}]),
    ToolMessage("found", tool_call_id="1"),
    AIMessage("Here."),
]
STORED = json.loads(dumps_json(LIVE))
OPENAI = [
    {"role": "user", "content": "Cats?"},
    {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "search", "arguments": '{"q": "cats"}'}}]},
]
CALLS = [call("search", q="cats")]
TRAJECTORY = Trajectory.from_calls(CALLS)
DONE = {"messages": LIVE}


def run_in_pydantic_ai():
    agent = Agent(TestModel())
    agent.tool_plain(search)
    return agent.run_sync("Cats?")


def search(q: str) -> str:
    """Search."""
    return "found"


class ScriptedModel(GenericFakeChatModel):
    def bind_tools(self, tools, **kwargs):
        return self


# --- where the two sides are ----------------------------------------------------------------------


HISTORIES = {
    "messages": {"messages": LIVE},
    "messages and more": {"messages": LIVE, "remaining_steps": 3, "output": "Here."},
    "messages beside no output": {"messages": LIVE, "output": None},
    "output": {"output": LIVE},
    "output and more": {"output": LIVE, "seconds": 1.5},
    "output beside no messages": {"messages": None, "output": LIVE},
    "a state under output": {"output": {"messages": LIVE}},
    "an object under output": {"output": SimpleNamespace(messages=LIVE)},
    "the list itself": LIVE,
    "the tuple itself": tuple(LIVE),
    "the object itself": SimpleNamespace(messages=LIVE),
    "calls": {"output": CALLS},
    "call dicts": {"output": [{"name": "search", "args": {"q": "cats"}}]},
    "stored messages": {"messages": STORED},
    "stored output": {"output": STORED},
    "a stored state under output": json.loads(dumps_json({"output": {"messages": LIVE}})),
    "OpenAI messages": {"messages": OPENAI},
    "a trajectory": TRAJECTORY,
    "a trajectory under output": {"output": TRAJECTORY},
    "a stored trajectory": json.loads(TRAJECTORY.to_json()),
    "a stored trajectory of messages": json.loads(to_trajectory(LIVE).to_json()),
    "a stored trajectory under output": {"output": json.loads(TRAJECTORY.to_json())},
}


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
def test_a_history_is_found_where_targets_put_it(history):
    assert trajectory_evaluator()(outputs=history, reference_outputs={"output": CALLS})["score"] is True
    assert trajectory_evaluator()(outputs=history, reference_outputs={"output": ["book"]})["score"] is False


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
def test_an_expectation_is_found_in_the_same_places(history):
    assert trajectory_evaluator()(outputs=DONE, reference_outputs=history)["score"] is True
    assert trajectory_evaluator()(outputs={"output": [call("book")]}, reference_outputs=history)["score"] is False


NAMED = {
    "a key": {"run": LIVE, "messages": [], "output": []},
    "a key with a state": {"run": {"messages": LIVE}},
    "an attribute": SimpleNamespace(run=LIVE),
}


@pytest.mark.parametrize("given", NAMED.values(), ids=NAMED)
def test_a_key_that_is_named_is_the_only_place(given):
    evaluator = trajectory_evaluator(outputs_key="run", reference_outputs_key="run")
    assert evaluator(outputs=given, reference_outputs={"run": ["search"]})["score"] is True
    assert evaluator(outputs={"run": CALLS}, reference_outputs=given)["score"] is True


def test_a_run_of_pydantic_ai_is_read_as_it_is():
    run = run_in_pydantic_ai()
    for outputs in ({"output": run}, {"messages": run.new_messages()}, run):
        assert trajectory_evaluator()(outputs=outputs, reference_outputs={"output": ["search"]})["score"] is True


NOWHERE = {
    "None": ({}, None, "nothing to read under 'messages', 'output'; there is nothing; say where it is: {}_key='...'"),
    "nothing": ({}, {}, "nothing to read under 'messages', 'output'; there is nothing; say where it is: {}_key='...'"),
    "a target that failed": ({}, {"output": None}, "there is 'output' (NoneType)"),
    "an answer alone": ({}, {"output": "Here."}, "there is 'output' (str)"),
    "a number": ({}, {"output": 3, "messages": True}, "there is 'output' (int), 'messages' (bool)"),
    "another key": ({}, {"trajectory": LIVE}, "there is 'trajectory' (list)"),
    "two places": ({}, {"messages": LIVE, "output": {"messages": LIVE}}, "'messages', 'output' could both be meant"),
    "two places, and how to say which": ({}, {"messages": [], "output": []}, "say which: {}_key='messages'"),
    "a named key": ("run", DONE, "nothing to read under 'run'; there is 'messages' (list)"),
    "a named key that is None": ("run", {"run": None}, "nothing to read under 'run'; there is 'run' (NoneType)"),
    "a named key of a list": ("run", LIVE, "nothing to read under 'run'; there is nothing"),
    "a named key of None": ("run", None, "nothing to read under 'run'; there is nothing"),
    "a named attribute": ("run", SimpleNamespace(messages=LIVE), "there is 'messages' (list)"),
}


@pytest.mark.parametrize(("key", "given", "text"), NOWHERE.values(), ids=NOWHERE)
def test_what_is_nowhere_is_an_error_that_says_where_it_was_looked_for(key, given, text):
    options = {"outputs_key": key, "reference_outputs_key": key} if key else {}
    found = {"run": CALLS} if key else {"output": CALLS}
    for side, sides in {"outputs": (given, found), "reference_outputs": (found, given)}.items():
        with pytest.raises(ConversionError, match=re.escape(text.format(side))) as raised:
            trajectory_evaluator(mode="subset", **options)(*sides)
        assert str(raised.value).startswith(f"{side}: ")


def test_the_error_holds_the_keys_that_were_seen():
    with pytest.raises(ConversionError) as missing:
        limits_evaluator(max_tool_calls=1)(outputs={"answer": 1, "output": "x"})
    with pytest.raises(ConversionError) as twice:
        limits_evaluator(max_tool_calls=1)(outputs={"messages": [], "output": []})
    assert (missing.value.keys, twice.value.keys) == (("answer", "output"), ("messages", "output"))


@pytest.mark.parametrize("outputs", ["Here.", {"output": [3]}, {"messages": "Here.", "output": ["search"]}])
def test_a_history_that_cannot_be_read_is_the_error_of_a_match(outputs):
    with pytest.raises(ConversionError, match=r"^actual: "):
        trajectory_evaluator()(outputs, ["search"])


def test_a_run_that_did_nothing_is_no_missing_history():
    assert trajectory_evaluator()(outputs={"output": []}, reference_outputs={"output": []})["score"] is True
    assert trajectory_evaluator()(outputs={"messages": []}, reference_outputs={"output": ["a"]})["score"] is False


# --- feedback -------------------------------------------------------------------------------------


def test_feedback_is_a_plain_dict_of_keys_that_langsmith_knows():
    failed = trajectory_evaluator()(outputs=DONE, reference_outputs={"output": ["book"]})
    assert type(failed) is dict
    assert failed == {
        "key": "trajectory_match",
        "score": False,
        "comment": match(LIVE, ["book"]).reason,
        "metadata": {
            "passed": False,
            "precision": 0.0,
            "recall": 0.0,
            "f1": 0.0,
            "signature": "mode:exact|args:exact|calls:all|semantics:1",
        },
    }
    assert EvaluationResult(**failed).score is False


@pytest.mark.parametrize("mode", MODES)
def test_the_score_is_a_float_in_the_graded_modes_and_a_bool_in_the_others(mode):
    feedback = trajectory_evaluator(mode=mode)(outputs=DONE, reference_outputs=DONE)
    assert type(feedback["score"]) is (float if MODES[mode].graded else bool)
    assert feedback["key"] == f"trajectory_{mode}_match"
    assert feedback["comment"].startswith(f"{mode}: PASS")


def test_the_options_are_those_of_a_match():
    expected = [call("search", q="dogs"), "book"]
    options = {"mode": "any_order", "threshold": 0.5, "overrides": {"search": "ignore"}, "allow_missing": True}
    feedback = trajectory_evaluator(**options)(outputs=DONE, reference_outputs={"output": expected})
    result = match(LIVE, expected, **options)
    assert (feedback["score"], feedback["comment"]) == (1.0, result.reason)
    assert feedback["metadata"]["signature"] == result.signature


def test_precision_recall_and_f1_are_feedback_of_their_own_on_request():
    evaluator = trajectory_evaluator(mode="unordered", measures=True, key="tools")
    given = evaluator(outputs=DONE, reference_outputs={"output": ["search", "book", "pay"]})
    assert [*given] == ["results"]
    scores = {feedback["key"]: feedback["score"] for feedback in given["results"]}
    assert scores == {"tools": False, "tools_precision": 1.0, "tools_recall": 1 / 3, "tools_f1": 0.5}
    assert evaluator.feedback_keys == (*scores,)
    assert len({feedback["comment"] for feedback in given["results"]}) == 1


CHECKS = {
    "arguments": (arguments_evaluator("search", {"q": "cats"}), "check_arguments_search", True),
    "other arguments": (arguments_evaluator("search", {"q": "dogs"}), "check_arguments_search", False),
    "called at all": (arguments_evaluator("book", None), "check_arguments_book", False),
    "arguments, all options": (
        arguments_evaluator("search", {}, args="ignore", occurrence="last", calls="succeeded", key="k"),
        "k",
        True,
    ),
    "limits": (limits_evaluator(max_tool_calls=1, max_model_requests=2, max_identical_calls=1), "check_limits", True),
    "too many calls": (limits_evaluator(max_tool_calls=0, calls="succeeded", key="k"), "k", False),
    "too many requests": (limits_evaluator(max_model_requests=1), "check_limits", False),
    "forbidden": (forbidden_evaluator(["search"]), "check_forbidden", False),
    "not forbidden": (forbidden_evaluator(["book"]), "check_forbidden", True),
    "forbidden, all options": (
        forbidden_evaluator([call("search", q="dogs")], args="ignore", calls="succeeded", key="k"),
        "k",
        False,
    ),
    "forbidden by an iterator": (forbidden_evaluator(iter(["search"])), "check_forbidden", False),
}


@pytest.mark.parametrize(("evaluator", "key", "passes"), CHECKS.values(), ids=CHECKS)
def test_a_check_gives_feedback_without_a_reference(evaluator, key, passes):
    for _ in range(2):
        feedback = evaluator(outputs=DONE)
        assert (feedback["key"], feedback["score"], feedback["metadata"]) == (key, passes, {"passed": passes})
        assert feedback["comment"].startswith("check_") and ("PASS" in feedback["comment"]) is passes
    assert (evaluator.__name__, evaluator.feedback_keys) == (key, (key,))
    assert evaluator(outputs=DONE, reference_outputs=None, inputs={}) == feedback


def test_a_check_looks_where_it_is_told():
    for made in (
        arguments_evaluator("search", None, outputs_key="run"),
        limits_evaluator(max_tool_calls=1, outputs_key="run"),
        forbidden_evaluator(["book"], outputs_key="run"),
    ):
        assert made(outputs={"run": LIVE, "output": "Here."})["score"] is True
        with pytest.raises(ConversionError, match="nothing to read under 'run'"):
            made(outputs=DONE)


@pytest.mark.parametrize("key", [None, "tools"])
def test_an_evaluator_is_a_function_named_by_its_feedback_key(key):
    evaluator = trajectory_evaluator(mode="superset", key=key)
    named = key or "trajectory_superset_match"
    assert type(evaluator) is type(search)
    assert (evaluator.__name__, evaluator.feedback_keys) == (named, (named,))
    assert evaluator(DONE, ["search"], inputs={"x": 1})["key"] == named


# --- wrong options --------------------------------------------------------------------------------


WRONG = {
    "a mode": (lambda: trajectory_evaluator(mode="exat"), "mode", "did you mean 'exact'?"),
    "an option": (lambda: trajectory_evaluator(tresholds=1), "tresholds", "there is no option"),
    "an idle option": (lambda: trajectory_evaluator(mode="exact", threshold=0.5), "threshold", "threshold"),
    "a rule": (lambda: trajectory_evaluator(overrides={"a": "exat"}), "overrides['a']", "did you mean"),
    "key": (lambda: trajectory_evaluator(key=""), "key", "key: a text that is not empty, got ''"),
    "key of a check": (lambda: limits_evaluator(max_tool_calls=1, key=7), "key", "got 7"),
    "outputs_key": (lambda: trajectory_evaluator(outputs_key=["a"]), "outputs_key", "got ['a']"),
    "outputs_key of a check": (lambda: forbidden_evaluator(["a"], outputs_key=""), "outputs_key", "got ''"),
    "reference_outputs_key": (lambda: trajectory_evaluator(reference_outputs_key=""), "reference_outputs_key", "''"),
    "measures": (lambda: trajectory_evaluator(measures="f1"), "measures", "True or False, got 'f1'"),
    "a tool": (lambda: arguments_evaluator("", {}), "tool", "the name of a tool"),
    "arguments": (lambda: arguments_evaluator("a", ["q"]), "expected", "an object of arguments"),
    "an occurrence": (lambda: arguments_evaluator("a", {}, occurrence="frist"), "occurrence", "did you mean 'first'?"),
    "no limit": (lambda: limits_evaluator(), "max_tool_calls", "no limit is given"),
    "a limit": (lambda: limits_evaluator(max_model_requests=-1), "max_model_requests", "an integer from 0"),
    "calls": (lambda: limits_evaluator(max_tool_calls=1, calls="suceeded"), "calls", "did you mean 'succeeded'?"),
    "nothing forbidden": (lambda: forbidden_evaluator([]), "forbidden", "nothing is forbidden"),
    "args": (lambda: forbidden_evaluator(["a"], args="supreset"), "args", "did you mean 'superset'?"),
    "a function of another": (lambda: as_run_evaluator(search), "evaluator", "one that this module gave"),
    "an evaluator that is not made yet": (
        lambda: as_run_evaluator(trajectory_evaluator),
        "evaluator",
        "; call it: as_run_evaluator(trajectory_evaluator(...))",
    ),
}


@pytest.mark.parametrize(("make", "option", "text"), WRONG.values(), ids=WRONG)
def test_a_wrong_option_fails_when_the_evaluator_is_made(make, option, text):
    with pytest.raises(OptionError, match=re.escape(text)) as raised:
        make()
    assert raised.value.option == option


def test_forbidden_calls_that_cannot_be_read_fail_when_the_evaluator_is_made():
    with pytest.raises(ConversionError, match=r"^forbidden: "):
        forbidden_evaluator("search")


def test_calls_beside_messages_are_not_lost():
    for evaluator in (forbidden_evaluator(["delete"]), trajectory_evaluator(mode="subset")):
        with pytest.raises(ConversionError, match="beside 'messages' there are calls under 'response'"):
            evaluator(outputs={"messages": [], "response": LIVE}, reference_outputs={"output": []})


# --- run by LangSmith -----------------------------------------------------------------------------


EXAMPLES = [
    Example(id=uuid4(), inputs={"q": "cats"}, outputs={"output": ["search"]}),
    Example(id=uuid4(), inputs={"q": "dogs"}, outputs={"messages": STORED}),
    Example(id=uuid4(), inputs={"q": "none"}, outputs=None),
]
EVALUATORS = [
    trajectory_evaluator(),
    trajectory_evaluator(mode="in_order", measures=True, key="order"),
    arguments_evaluator("search", {"q": "cats"}),
    limits_evaluator(max_tool_calls=1),
    forbidden_evaluator(["book"]),
]


def agent(inputs: dict) -> dict:
    asked = AIMessage("", tool_calls=[{"name": "search", "args": inputs, "id": "1"}])
    return {"messages": [HumanMessage("Please."), asked, *LIVE[2:]]}


async def async_agent(inputs: dict) -> dict:
    return agent(inputs)


def scores(rows):
    """The scores of each example by feedback key; for an error, its text."""
    return {
        row["example"].inputs["q"]: {
            given.key: given.comment if given.score is None else given.score
            for given in row["evaluation_results"]["results"]
        }
        for row in rows
    }


MISSING = "ConversionError(\"reference_outputs: nothing to read under 'messages', 'output'; there is nothing; "
MATCHED = {"trajectory_match": 1, "order": 1.0, "order_precision": 1.0, "order_recall": 1.0, "order_f1": 1.0}
DIFFERS = dict.fromkeys(MATCHED, 0)
CHECKED = {"check_limits": 1, "check_forbidden": 1}


def is_as_it_should_be(found, *, keys_of_errors):
    assert found["cats"] == {**MATCHED, "check_arguments_search": 1, **CHECKED}
    assert found["dogs"] == {**DIFFERS, "check_arguments_search": 0, **CHECKED}
    errors = {key: text for key, text in found["none"].items() if isinstance(text, str)}
    assert {*errors} == {*keys_of_errors}
    assert all(text.startswith(MISSING) for text in errors.values())
    assert found["none"].items() >= {"check_arguments_search": 0, **CHECKED}.items()


def test_evaluate_runs_the_functions(offline):
    found = scores(evaluate(agent, data=EXAMPLES, evaluators=EVALUATORS, **offline))
    is_as_it_should_be(found, keys_of_errors=["trajectory_evaluation"])


def test_evaluate_runs_the_run_evaluators_and_files_errors_under_their_keys(offline):
    found = scores(evaluate(agent, data=EXAMPLES, evaluators=[*map(as_run_evaluator, EVALUATORS)], **offline))
    is_as_it_should_be(found, keys_of_errors=MATCHED)


@pytest.mark.parametrize(("form", "keys"), [(lambda e: e, ["trajectory_evaluation"]), (as_run_evaluator, MATCHED)])
def test_aevaluate_runs_both_forms(offline, loop, form, keys):
    async def run():
        rows = await aevaluate(async_agent, data=EXAMPLES, evaluators=[*map(form, EVALUATORS)], **offline)
        return scores([row async for row in rows])

    is_as_it_should_be(loop.run_until_complete(run()), keys_of_errors=keys)


def test_the_state_of_an_agent_is_read_as_the_target_gives_it(offline):
    def target(inputs: dict) -> dict:
        asked = AIMessage("", tool_calls=[{"name": "search", "args": inputs, "id": "1"}])
        model = ScriptedModel(messages=iter([asked, AIMessage("Here.")]))
        with tracing_context(enabled=False):  # LangChain sends its traces otherwise, whatever `upload_results` says
            return create_agent(model, [tool(search)]).invoke({"messages": [("user", "Please.")]})

    evaluators = [trajectory_evaluator(calls="succeeded"), limits_evaluator(max_model_requests=2)]
    found = scores(evaluate(target, data=EXAMPLES[:2], evaluators=evaluators, **offline))
    assert found == {
        "cats": {"trajectory_match": 1, "check_limits": 1},
        "dogs": {"trajectory_match": 0, "check_limits": 1},
    }


def test_a_target_that_fails_or_gives_a_list_is_told_apart(offline):
    def target(inputs: dict) -> list:
        return agent(inputs)["messages"] if inputs["q"] == "cats" else 1 / 0

    evaluator = as_run_evaluator(forbidden_evaluator(["book"]))
    found = scores(evaluate(target, data=EXAMPLES[:2], evaluators=[evaluator], **offline))
    assert found["cats"] == {"check_forbidden": 1}
    assert "ConversionError" in found["dogs"]["check_forbidden"]


def test_a_rule_that_raises_is_recorded_and_no_score(offline):
    evaluator = trajectory_evaluator(args=lambda actual, expected: actual["x"] == 1)
    with pytest.raises(RuleError):
        evaluator(outputs=DONE, reference_outputs=DONE)
    rows = evaluate(agent, data=EXAMPLES[1:2], evaluators=[as_run_evaluator(evaluator)], **offline)
    assert "RuleError" in scores(rows)["dogs"]["trajectory_match"]


def test_a_run_evaluator_says_its_keys_in_the_words_of_old_and_new_versions():
    made = as_run_evaluator(trajectory_evaluator(measures=True, key="tools"))
    assert isinstance(made, RunEvaluator)
    assert made.feedback_keys == ["tools", "tools_precision", "tools_recall", "tools_f1"]
    assert RunEvaluator.feedback_keys.fget(made) == ["tools"]


def test_a_run_evaluator_runs_by_itself():
    run = SimpleNamespace(id=uuid4(), outputs=DONE)
    made = as_run_evaluator(trajectory_evaluator())
    assert made.evaluate_run(run, EXAMPLES[0]).score == 1
    assert made.evaluate_run(run, EXAMPLES[0], evaluator_run_id=(number := uuid4())).source_run_id == number
    assert asyncio.run(made.aevaluate_run(run, EXAMPLES[1])).score == 1


SUITE = """
import os, socket

import pytest
from langsmith import testing as t

from trajmatch import call
from trajmatch_adapters.langsmith import limits_evaluator, trajectory_evaluator


def refuse(*args, **kwargs):
    print("no network for", args)
    os._exit(9)


socket.socket.connect = socket.getaddrinfo = refuse
matches = trajectory_evaluator(mode="in_order", threshold=0.5, measures=True)
within = limits_evaluator(max_tool_calls=1)


@pytest.mark.langsmith
@pytest.mark.parametrize("tools", [["search"], ["search", "book"], ["book"]])
def test_agent(tools):
    t.log_inputs({"question": "Cats?"})
    outputs = {"output": [call(tool) for tool in tools]}
    t.log_outputs({"tools": tools})
    t.log_reference_outputs({"output": ["search"]})
    feedback = [*matches(outputs, ["search"])["results"], within(outputs)]
    for given in feedback:
        t.log_feedback(key=given["key"], score=given["score"], comment=given["comment"])
    assert feedback[0]["metadata"]["passed"], feedback[0]["comment"]


@pytest.mark.langsmith
def test_an_agent_that_did_nothing():
    t.log_feedback(key="x", score=within({"output": []})["score"])
"""


def test_a_pytest_suite_logs_feedback_with_tracking_off(tmp_path):
    (tmp_path / "test_suite.py").write_text(SUITE, encoding="utf-8")
    env = {name: value for name, value in os.environ.items() if not name.startswith(("LANGSMITH", "LANGCHAIN"))}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:cov", "--strict-markers"]
    env["LANGSMITH_TEST_TRACKING"] = "false"
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert "1 failed, 3 passed" in done.stdout, done.stdout + done.stderr
    assert "AssertionError: in_order: FAIL, F1 0.000" in done.stdout


# --- what is imported -----------------------------------------------------------------------------


def test_without_langsmith_the_error_names_the_extra(monkeypatch):
    for module in ("langsmith", "langsmith.evaluation"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"pip install 'trajmatch\[langsmith\]'") as raised:
        as_run_evaluator(trajectory_evaluator())
    assert raised.value.name == "langsmith"


def test_langsmith_is_imported_for_a_run_evaluator_alone():
    code = (
        "import sys; from trajmatch_adapters import langsmith as ours\n"
        "evaluator = ours.trajectory_evaluator()\n"
        "evaluator([{'name': 'a'}], ['a']); ours.limits_evaluator(max_tool_calls=1)({'output': []})\n"
        "print('langsmith' in sys.modules); ours.as_run_evaluator(evaluator); print('langsmith' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


ROUTES = [["search", "pay"], {"seq": ["search", {"optional": "redeem"}, "confirm"]}]


@pytest.mark.parametrize(("names", "chosen"), [(["search", "pay"], 0), (["search", "confirm"], 1)])
def test_any_of_whole_references_stands_in_place_of_the_reference(names, chosen):
    evaluate = trajectory_evaluator(any_of=ROUTES)
    result = evaluate(outputs={"messages": [call(name) for name in names]}, reference_outputs=None)
    assert result["score"] == 1
    assert f"any_of[{chosen}] is met best" in result["comment"]


@pytest.mark.parametrize("written", [{"any_of": ROUTES}, {"output": {"any_of": ROUTES}}])
def test_a_reference_may_hold_whole_alternatives(written):
    result = trajectory_evaluator()(
        outputs=[call("search"), call("redeem"), call("confirm")], reference_outputs=written
    )
    assert (result["score"], "any_of[1]" in result["comment"]) == (1.0, True)


@pytest.mark.parametrize("key", [None, "wanted"])
def test_a_reference_may_be_a_structure(key):
    data = {"seq": ["search", {"optional": "compare"}, {"forbidden": "cancel"}]}
    given = data if key is None else {key: data}
    evaluate = trajectory_evaluator(reference_outputs_key=key)
    assert evaluate(outputs=[call("search")], reference_outputs=given)["score"] == 1.0
    failed = evaluate(outputs=[call("search"), call("cancel")], reference_outputs=given)
    assert (failed["score"], "1 forbidden" in failed["comment"]) == (0.0, True)


STRUCTURE = {"seq": ["search", {"optional": "compare"}, "pay"]}


@pytest.mark.parametrize(
    "reference",
    [STRUCTURE, {"output": STRUCTURE}, seq("search", optional("compare"), "pay"), {"output": seq("search", "pay")}],
    ids=["data", "data under output", "made", "made under output"],
)
def test_a_structure_gives_a_graded_score_and_its_reason(reference):
    evaluate = trajectory_evaluator(key="route", threshold=0.5)
    result = evaluate(outputs={"messages": [call("search"), call("look")]}, reference_outputs=reference)
    assert (result["key"], result["score"]) == ("route", 0.5)
    assert result["comment"].startswith("structure: PASS, F1 0.500 = 2*1/(2+2) >= 0.5; 1 paired")


@pytest.mark.parametrize(
    "wanted", [[["search"], ["pay"]], [seq("search"), {"seq": ["pay"]}]], ids=["lists", "structures"]
)
def test_a_reference_may_hold_one_expectation_for_each_turn(wanted):
    asked = {"role": "user", "content": "?"}
    search, pay = ({"role": "assistant", "tool_calls": [{"function": {"name": name}}]} for name in ("search", "pay"))
    evaluate = trajectory_evaluator(per_turn=True)
    assert (
        evaluate(outputs={"messages": [asked, search, asked, pay]}, reference_outputs={"output": wanted})["score"] == 1
    )
    moved = evaluate(outputs={"messages": [asked, search, pay]}, reference_outputs={"output": wanted})
    assert not moved["metadata"]["passed"]


@pytest.mark.parametrize("side", ["messages", "output"])
def test_a_plan_in_a_state_is_no_structure(side):
    state = {side: LIVE, "plan": ["search"], "optional": None}
    assert trajectory_evaluator()(outputs=state, reference_outputs=state)["score"] is True


def test_a_mode_beside_a_structure_is_refused():
    with pytest.raises(OptionError, match="mode has no effect beside a structure"):
        trajectory_evaluator(mode="in_order")(outputs=CALLS, reference_outputs=STRUCTURE)
    with pytest.raises(OptionError, match="mode has no effect beside a structure"):
        trajectory_evaluator(mode="in_order", any_of=[["search"], STRUCTURE])


def test_a_reference_that_is_nearly_a_structure_is_told_the_word():
    with pytest.raises(ConversionError, match=re.escape("seq[0]: 'optinal' is no structure; did you mean 'optional'")):
        trajectory_evaluator()(outputs=CALLS, reference_outputs={"seq": [{"optinal": "search"}]})


def test_evaluate_runs_structures_of_a_data_set(offline):
    examples = [
        Example(id=uuid4(), dataset_id=uuid4(), inputs={"q": "Cats?"}, outputs=outputs)
        for outputs in ({"seq": ["search"]}, {"any_of": [["book"], {"seq": ["search", "pay"]}]})
    ]
    rows = evaluate(
        lambda inputs: {"messages": LIVE},
        data=examples,
        evaluators=[trajectory_evaluator(key="route")],
        **offline,
    )
    assert sorted(row["evaluation_results"]["results"][0].score for row in rows) == [2 / 3, 1.0]


@pytest.mark.parametrize("held", [{"seq": ["search"]}, {"any_of": [["pay"], ["search"]]}])
def test_messages_may_hold_an_expectation(held):
    assert trajectory_evaluator()(outputs=[call("search")], reference_outputs={"messages": held})["score"] == 1

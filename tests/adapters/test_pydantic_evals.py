"""Pydantic Evals runs the evaluators itself here: the real package, and agents whose models say what they are told."""

import asyncio
import json
import re
import sys
from contextlib import closing
from dataclasses import dataclass, replace
from decimal import Decimal
from importlib import import_module
from inspect import signature
from io import StringIO
from types import SimpleNamespace
from typing import Any
from unittest.mock import ANY

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.messages import (
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturn,
    UserPromptPart,
)
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_core import PydanticSerializationError, to_json
from pydantic_evals import Case, Dataset
from pydantic_evals.dataset import set_eval_attribute
from pydantic_evals.evaluators import EqualsExpected, EvaluationReason, EvaluatorContext
from pydantic_evals.evaluators.common import DEFAULT_EVALUATORS
from rich.console import Console

from trajmatch import (
    ArgumentRule,
    ArgumentRuleData,
    ConversionError,
    OptionError,
    ToolCall,
    Trajectory,
    any_of,
    call,
    expect,
    forbidden,
    match,
    optional,
    seq,
    to_trajectory,
)
from trajmatch._modes import MODES
from trajmatch._operators import OPERATORS
from trajmatch_adapters.pydantic_evals import (
    EVALUATORS,
    CheckArguments,
    CheckForbidden,
    CheckLimits,
    JudgeRun,
    MatchRun,
)

NAMED = {"name": "runs"} if "name" in signature(Dataset.__init__).parameters else {}


def scripted(*parts):
    """A model that says these parts, one a response."""
    script = iter(parts)
    return FunctionModel(lambda messages, info: ModelResponse(parts=[next(script)]))


def search(q: str) -> str:
    """Search."""
    return "found"


def agent_that(*parts, tools=(search,)):
    return Agent(scripted(*parts), tools=list(tools))


def run_of(*parts, tools=(search,)):
    with closing(asyncio.new_event_loop()) as loop:
        return loop.run_until_complete(agent_that(*parts, tools=tools).run("Cats?"))


RUN = run_of(ToolCallPart("search", {"q": "cats"}), TextPart("Here."))
LIVE = RUN.all_messages()
STORED = ModelMessagesTypeAdapter.dump_python(LIVE, mode="json")
CALLS = [call("search", q="cats")]
TRAJECTORY = to_trajectory(LIVE)
OPENAI = [
    {"role": "user", "content": "Cats?"},
    {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "search", "arguments": '{"q": "cats"}'}}]},
]


def dataset(*cases, evaluators=()):
    return Dataset[Any, Any, Any](cases=list(cases), evaluators=list(evaluators), **NAMED)


def values(case):
    """The results of a case by name; for a failure, its text."""
    found = {name: result.value for name, result in {**case.assertions, **case.scores}.items()}
    return found | {failure.name: failure.error_message for failure in case.evaluator_failures}


def judged(evaluator, output, *, attributes=(), **case):
    """What an evaluator gives where Pydantic Evals runs it on this output of a task."""

    def task(inputs):
        for name, value in dict(attributes).items():
            set_eval_attribute(name, value)
        return output

    report = dataset(Case(name="a", inputs="q", evaluators=(evaluator,), **case)).evaluate_sync(task, progress=False)
    return values(report.cases[0])


def reasons(evaluator, output, **case):
    report = dataset(Case(name="a", inputs="q", evaluators=(evaluator,), **case)).evaluate_sync(
        lambda inputs: output, progress=False
    )
    return {name: result.reason for name, result in {**report.cases[0].assertions, **report.cases[0].scores}.items()}


# --- what the evaluators give ---------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_a_match_is_a_score_in_the_graded_modes_and_an_assertion_in_the_others(mode):
    expected = TRAJECTORY if mode == "strict" else CALLS
    report = dataset(Case(inputs="q", evaluators=(MatchRun(expected, mode=mode),))).evaluate_sync(
        lambda inputs: RUN, progress=False
    )
    kinds = report.cases[0].scores if MODES[mode].graded else report.cases[0].assertions
    assert type(kinds["MatchRun"].value) is (float if MODES[mode].graded else bool)
    assert kinds["MatchRun"].value == 1
    assert kinds["MatchRun"].reason == match(LIVE, expected, mode=mode).reason


WANTED = {"seq": ["search", {"optional": "compare"}, "book"]}
STRUCTURES = {
    "in Python": ({"expected": seq("search", optional("compare"), "book")}, {}),
    "as data": ({"expected": WANTED}, {}),
    "metadata": ({}, {"metadata": {"expected_trajectory": WANTED}}),
    "metadata, a key": ({"expected_key": "route"}, {"metadata": {"route": seq("search", "book")}}),
    "expected output": ({}, {"expected_output": WANTED}),
    "expected output, a key": ({"expected_key": "route"}, {"expected_output": {"route": WANTED}}),
    "twice the same": ({"expected": WANTED}, {"expected_output": WANTED}),
    "any_of in the metadata": ({}, {"metadata": {"expected_trajectory": {"any_of": [WANTED, {"seq": ["pay"]}]}}}),
    "any_of": ({"any_of": [{"seq": ["pay"]}, WANTED]}, {}),
    "beside an answer with a plan": ({"expected": WANTED}, {"expected_output": {"plan": "gold"}}),
}


@pytest.mark.parametrize(("given", "case"), STRUCTURES.values(), ids=STRUCTURES)
def test_a_structure_is_taken_wherever_an_expectation_is_and_gives_a_score(given, case):
    assert judged(MatchRun(**given), RUN, **case) == {"MatchRun": 2 / 3, "MatchRun_pass": False}
    with_verdict = judged(MatchRun(**given, threshold=0.5), RUN, **case)
    assert with_verdict == {"MatchRun_pass": True, "MatchRun": 2 / 3}


TURNS = [[call("search", q="cats")], {"seq": [{"optional": "compare"}, "book"]}]
IN_TURNS = {
    "of the evaluator": ({"expected": TURNS}, {}),
    "metadata": ({}, {"metadata": {"expected_trajectory": TURNS}}),
    "expected output": ({}, {"expected_output": TURNS}),
    "a history": ({"expected": [*LIVE, *LIVE]}, {}),
    "twice the same": ({"expected": TURNS}, {"expected_output": TURNS}),
}


@pytest.mark.parametrize(("given", "case"), IN_TURNS.values(), ids=IN_TURNS)
def test_one_expectation_for_each_turn(given, case):
    evaluator = MatchRun(**given, per_turn=True)
    told = reasons(evaluator, [*LIVE, *LIVE], **case)
    wanted = given.get("expected") or TURNS
    assert told["MatchRun"] == match([*LIVE, *LIVE], wanted, per_turn=True).reason
    assert "turns: [0] " in told["MatchRun"] and ", [1] " in told["MatchRun"]


def test_expectations_for_turns_are_checked_when_the_evaluator_is_made():
    with pytest.raises(ConversionError, match="per_turn needs one expectation for each turn"):
        MatchRun(["search"], per_turn=True)
    with pytest.raises(ConversionError, match="per_turn needs one expectation for each turn"):
        MatchRun(any_of=[["search"]], per_turn=True)


def test_what_a_structure_refuses_fails_when_the_evaluator_is_made():
    with pytest.raises(OptionError, match="mode has no effect beside a structure"):
        MatchRun(seq("search"), mode="exact")
    with pytest.raises(ConversionError, match="'optinal' is no structure; did you mean 'optional'"):
        MatchRun({"seq": [{"optinal": "search"}]})
    with pytest.raises(OptionError, match="mode has no effect beside a structure"):
        MatchRun(any_of=[["book"], seq("search")], mode="in_order")


def test_a_threshold_adds_a_verdict_to_a_score():
    expected = ["search", "book"]
    found = {threshold: judged(MatchRun(expected, mode="in_order", threshold=threshold), RUN) for threshold in (0.5, 1)}
    assert found == {0.5: {"MatchRun_pass": True, "MatchRun": 2 / 3}, 1: {"MatchRun_pass": False, "MatchRun": 2 / 3}}
    told = reasons(MatchRun(expected, mode="in_order", threshold=0.5), RUN)
    assert told["MatchRun"] == told["MatchRun_pass"] == match(RUN, expected, mode="in_order", threshold=0.5).reason


def test_the_default_threshold_says_nothing_in_the_modes_that_are_not_graded():
    assert judged(MatchRun(CALLS, threshold=1.0), RUN) == {"MatchRun": True}


def test_precision_recall_and_f1_are_scores_of_their_own_on_request():
    evaluator = MatchRun(["search", "book", "pay"], mode="unordered", measures=True, evaluation_name="tools")
    assert judged(evaluator, RUN) == {
        "tools": False,
        "tools_precision": 1.0,
        "tools_recall": 1 / 3,
        "tools_f1": 0.5,
    }


def test_the_options_are_those_of_a_match():
    options = {"overrides": {"search": "ignore"}, "allow_missing": True, "calls": "succeeded"}
    expected = [call("search", q="dogs"), "book"]
    evaluator = MatchRun(expected, mode="any_order", **options)
    assert judged(evaluator, RUN) == {"MatchRun": match(RUN, expected, mode="any_order", **options).score}
    assert judged(MatchRun([call("search", q="dogs")], args=lambda a, e: True), RUN) == {"MatchRun": True}
    assert judged(MatchRun([], calls=lambda made: made.name != "search"), RUN) == {"MatchRun": True}
    roles = MatchRun(TRAJECTORY, mode="strict", ignore_roles=["user"])
    assert judged(roles, LIVE[1:]) == {"MatchRun": True}


def test_the_version_of_a_match_is_its_signature():
    assert MatchRun(mode="in_order").get_evaluator_version() == match([], [], mode="in_order").signature
    assert MatchRun(seq("a")).get_evaluator_version() == match([], seq("a")).signature


CHECKS = {
    "arguments": (CheckArguments("search", {"q": "cats"}), True),
    "other arguments": (CheckArguments("search", {"q": "dogs"}), False),
    "called at all": (CheckArguments("book"), False),
    "arguments, all options": (CheckArguments("search", {}, args="ignore", occurrence="last", calls="succeeded"), True),
    "tool calls": (CheckLimits(0), False),
    "model requests": (CheckLimits(max_model_requests=1), False),
    "identical calls": (CheckLimits(max_identical_calls=1), True),
    "limits": (CheckLimits(1, max_model_requests=2, max_identical_calls=1, calls="succeeded"), True),
    "forbidden": (CheckForbidden(["search"]), False),
    "not forbidden": (CheckForbidden([call("search", q="dogs"), "book"]), True),
    "forbidden, all options": (CheckForbidden([call("search", q="dogs")], args="ignore", calls="succeeded"), False),
    "forbidden by an iterator": (CheckForbidden(iter(["search"])), False),
}


@pytest.mark.parametrize(("evaluator", "passes"), CHECKS.values(), ids=CHECKS)
def test_a_check_is_an_assertion_that_needs_no_expectation(evaluator, passes):
    name = type(evaluator).__name__
    for named in (evaluator, replace(evaluator, evaluation_name="mine")):
        given = judged(named, RUN)
        assert given == {("mine" if named.evaluation_name else name): passes}
    words = re.sub(r"(?<=\w)([A-Z])", r"_\1", name).lower()
    assert reasons(evaluator, RUN)[name].startswith(f"{words}: {'PASS' if passes else 'FAIL'}")


def test_an_expectation_from_an_iterator_is_read_for_every_case():
    evaluator = MatchRun(iter(["search"]))
    report = dataset(Case(inputs=1), Case(inputs=2), evaluators=[evaluator]).evaluate_sync(
        lambda q: RUN, progress=False
    )
    assert [values(case) for case in report.cases] == [{"MatchRun": True}] * 2


def test_an_evaluator_prints_what_differs_from_its_defaults():
    assert repr(MatchRun(["a"], mode="subset")) == "MatchRun(expected=['a'], mode='subset')"
    assert repr(CheckLimits(3)) == "CheckLimits(max_tool_calls=3)"


def test_the_names_are_those_of_no_built_in_evaluator():
    ours = {evaluator.get_serialization_name() for evaluator in EVALUATORS}
    assert ours == {"MatchRun", "CheckArguments", "CheckLimits", "CheckForbidden", "JudgeRun"}
    assert not ours & {evaluator.get_serialization_name() for evaluator in DEFAULT_EVALUATORS}


# --- wrong options --------------------------------------------------------------------------------


WRONG = {
    "two expectations": (lambda: MatchRun(["a"], any_of=[["b"]]), "any_of", "stands in place of expected"),
    "a mode": (lambda: MatchRun(mode="exat"), "mode", "did you mean 'exact'?"),
    "an idle option": (lambda: MatchRun(mode="exact", threshold=0.5), "threshold", "threshold has no effect"),
    "a threshold": (lambda: MatchRun(mode="in_order", threshold=2), "threshold", "from 0 to 1, got 2"),
    "a rule": (lambda: MatchRun(args="exat"), "args", "did you mean 'exact'?"),
    "an override": (lambda: MatchRun(overrides={"a": "exat"}), "overrides['a']", "did you mean 'exact'?"),
    "calls": (lambda: MatchRun(calls="suceeded"), "calls", "did you mean 'succeeded'?"),
    "two allowances": (
        lambda: MatchRun(mode="in_order", allow_extra=True, allow_missing=True),
        "allow_extra",
        "one of",
    ),
    "roles": (lambda: MatchRun(mode="strict", ignore_roles="user"), "ignore_roles", "a list of roles"),
    "measures": (lambda: MatchRun(measures="f1"), "measures", "measures: True or False, got 'f1'"),
    "per_turn": (lambda: MatchRun(per_turn=1), "per_turn", "per_turn: True or False, got 1"),
    "nested": (lambda: MatchRun(nested=None), "nested", "nested: True or False, got None"),
    "nested of a check": (lambda: CheckLimits(1, nested=1), "nested", "nested: True or False, got 1"),
    "a name": (lambda: MatchRun(evaluation_name=""), "evaluation_name", "a text that is not empty, got ''"),
    "a name of a check": (lambda: CheckLimits(1, evaluation_name=7), "evaluation_name", "got 7"),
    "history_key": (lambda: MatchRun(history_key=["a"]), "history_key", "got ['a']"),
    "history_key of a check": (lambda: CheckForbidden(["a"], history_key=""), "history_key", "got ''"),
    "expected_key": (lambda: MatchRun(expected_key=""), "expected_key", "got ''"),
    "an idle expected_key": (lambda: MatchRun(["a"], expected_key="b"), "expected_key", "no effect beside expected"),
    "a tool": (lambda: CheckArguments(""), "tool", "the name of a tool"),
    "arguments": (lambda: CheckArguments("a", ["q"]), "expected", "an object of arguments"),
    "an occurrence": (lambda: CheckArguments("a", {}, occurrence="frist"), "occurrence", "did you mean 'first'?"),
    "no limit": (lambda: CheckLimits(), "max_tool_calls", "no limit is given"),
    "a limit": (lambda: CheckLimits(max_model_requests="3"), "max_model_requests", "an integer from 0, got '3'"),
    "nothing forbidden": (lambda: CheckForbidden([]), "forbidden", "nothing is forbidden"),
    "args of a check": (lambda: CheckForbidden(["a"], args="supreset"), "args", "did you mean 'superset'?"),
    "a rubric": (lambda: JudgeRun(""), "rubric", "a text that is not empty, got ''"),
    "no rubric": (lambda: JudgeRun(None), "rubric", "a text that is not empty, got None"),
    "include_input": (lambda: JudgeRun("x", include_input=1), "include_input", "True or False, got 1"),
    "score": (lambda: JudgeRun("x", score={}), "score", "True or False, got {}"),
    "a model": (lambda: JudgeRun("x", model=3), "model", "model: a model, its name or None, got 3"),
    "model_settings": (lambda: JudgeRun("x", model_settings=[1]), "model_settings", "an object or None, got [1]"),
    "max_length": (lambda: JudgeRun("x", max_length=0), "max_length", "max_length"),
    "an idle key of the judge": (lambda: JudgeRun("x", expected_key="a"), "expected_key", "without include_expected"),
}


@pytest.mark.parametrize(("make", "option", "text"), WRONG.values(), ids=WRONG)
def test_a_wrong_option_fails_when_the_evaluator_is_made(make, option, text):
    with pytest.raises(OptionError, match=re.escape(text)) as raised:
        make()
    assert raised.value.option == option


UNREADABLE = {
    "a text": lambda: MatchRun("search"),
    "a call with a typo": lambda: MatchRun([{"name": "search", "argumets": {}}]),
    "calls in strict": lambda: MatchRun(["search"], mode="strict"),
    "a forbidden text": lambda: CheckForbidden("search"),
}


@pytest.mark.parametrize("make", UNREADABLE.values(), ids=UNREADABLE)
def test_an_expectation_that_cannot_be_read_fails_when_the_evaluator_is_made(make):
    with pytest.raises(ConversionError):
        make()


# --- where the history is -------------------------------------------------------------------------


class Answer(BaseModel, arbitrary_types_allowed=True):
    text: str
    run: Any = None


@dataclass
class Reply:
    text: str
    messages: Any


HISTORIES = {
    "a run result": RUN,
    "messages": LIVE,
    "a tuple of messages": tuple(LIVE),
    "stored messages": STORED,
    "an object with messages": Reply("Here.", LIVE),
    "a dict with messages": {"text": "Here.", "messages": STORED},
    "OpenAI messages": OPENAI,
    "calls": CALLS,
    "call dicts": [{"name": "search", "args": {"q": "cats"}}],
    "a trajectory": TRAJECTORY,
    "a stored trajectory": json.loads(TRAJECTORY.to_json()),
}


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
def test_a_history_is_the_output_or_the_attribute_or_what_is_named(history):
    evaluators = {
        "output": (MatchRun(CALLS), history, {}),
        "attribute": (MatchRun(CALLS), "Here.", {"messages": history}),
        "a named attribute": (MatchRun(CALLS, history_key="run"), RUN.output, {"run": history, "messages": []}),
        "a named field": (MatchRun(CALLS, history_key="run"), Answer(text="Here.", run=history), {"messages": []}),
        "a named key": (MatchRun(CALLS, history_key="run"), {"run": history, "messages": []}, {}),
    }
    for evaluator, output, attributes in evaluators.values():
        assert judged(evaluator, output, attributes=attributes) == {"MatchRun": True}
        other = replace(evaluator, expected=["book"])
        assert judged(other, output, attributes=attributes) == {"MatchRun": False}


def test_the_run_of_an_agent_is_evaluated_as_it_is():
    agent = Agent(TestModel(), tools=[search])
    evaluators = [MatchRun(["search"]), CheckLimits(max_model_requests=2), CheckForbidden(["book"])]
    report = dataset(Case(inputs="Cats?"), evaluators=evaluators).evaluate_sync(agent.run, progress=False)
    assert values(report.cases[0]) == {"MatchRun": True, "CheckLimits": True, "CheckForbidden": True}


def test_a_run_result_counts_before_the_attribute_and_the_attribute_before_another_output():
    attributes = {"messages": []}
    assert judged(MatchRun(CALLS), RUN, attributes=attributes) == {"MatchRun": True}
    assert judged(MatchRun([]), LIVE, attributes=attributes) == {"MatchRun": True}


def test_of_a_run_result_the_messages_of_this_run_count():
    second = agent_that(TextPart("Yes.")).run_sync("Sure?", message_history=LIVE)
    assert judged(MatchRun([]), second) == {"MatchRun": True}
    assert judged(MatchRun(CALLS), "Yes.", attributes={"messages": second.all_messages()}) == {"MatchRun": True}


HOW = (
    "evaluate the run itself: dataset.evaluate(agent.run); or record it in the task: "
    "set_eval_attribute('messages', result.new_messages()); or name the attribute or the field of the output "
    "that holds it: history_key='...'"
)
NOWHERE = {
    "text": (
        {},
        "Here.",
        {},
        "no history: the output is of the type str, attributes: none, fields of the output: none",
    ),
    "None": ({}, None, {}, "no history: the output is missing"),
    "a number": ({}, 3, {"seconds": 3}, "the output is of the type int, attributes: 'seconds', fields"),
    "an iterator": ({}, iter(LIVE), {}, "the output is of the type list_iterator"),
    "another object": ({}, Answer(text="a"), {}, "the output cannot be read: "),
    "the fields of another object": ({}, Answer(text="a"), {}, "fields of the output: 'text', 'run'"),
    "names": ({}, ["search"], {}, "the output cannot be read: message 0 is the text 'search'"),
    "an attribute that is no history": ({}, "a", {"messages": 3}, "the attribute 'messages' is of the type int"),
    "an attribute that cannot be read": ({}, "a", {"messages": [3]}, "the attribute 'messages' cannot be read: "),
    "a key that is nowhere": ({"history_key": "run"}, {"x": LIVE}, {}, "history_key='run' is missing"),
    "a key of None": ({"history_key": "run"}, {"run": None}, {}, "history_key='run' is missing"),
    "a key of a text": ({"history_key": "run"}, "a", {"run": "b"}, "history_key='run' is of the type str"),
}


@pytest.mark.parametrize(("options", "output", "attributes", "text"), NOWHERE.values(), ids=NOWHERE)
def test_a_missing_history_is_a_failure_that_says_what_to_do(options, output, attributes, text):
    for evaluator in (MatchRun(mode="subset", **options), CheckForbidden(["book"], **options)):
        given = judged(evaluator, output, attributes=attributes, metadata={"expected_trajectory": []})
        [failure] = given.values()
        assert failure.startswith("ConversionError: no history: ") and failure.endswith(HOW)
        assert text in failure


def test_a_run_that_did_nothing_is_no_missing_history():
    assert judged(MatchRun([]), []) == {"MatchRun": True}
    assert judged(CheckLimits(0), run_of(TextPart("Hello."))) == {"CheckLimits": True}


# --- where the expectation is ---------------------------------------------------------------------


@dataclass
class Meta:
    expected_trajectory: Any


EXPECTATIONS = {
    "the evaluator": ({"expected": ["search"]}, {}),
    "the metadata": ({}, {"metadata": {"expected_trajectory": ["search"]}}),
    "the metadata as an object": ({}, {"metadata": Meta(["search"])}),
    "the expected output": ({}, {"expected_output": ["search"]}),
    "messages": ({}, {"expected_output": LIVE}),
    "a run result": ({}, {"expected_output": RUN}),
    "a stored trajectory": ({}, {"metadata": {"expected_trajectory": json.loads(TRAJECTORY.to_json())}}),
    "a named key of the metadata": ({"expected_key": "tools"}, {"metadata": {"tools": CALLS}, "expected_output": []}),
    "a named key of the output": ({"expected_key": "tools"}, {"expected_output": {"tools": CALLS}}),
    "beside an answer": ({}, {"metadata": {"expected_trajectory": ["search"]}, "expected_output": "Here."}),
    "beside another object": ({"expected": ["search"]}, {"expected_output": Answer(text="Here.")}),
    "twice the same": ({"expected": ["search"]}, {"metadata": {"expected_trajectory": ["search"]}}),
    "twice the same, written otherwise": (
        {"expected": CALLS},
        {"expected_output": [{"name": "search", "arguments": {"q": "cats"}}]},
    ),
}


@pytest.mark.parametrize(("options", "case"), EXPECTATIONS.values(), ids=EXPECTATIONS)
def test_the_expectation_is_in_the_evaluator_or_the_metadata_or_the_expected_output(options, case):
    assert judged(MatchRun(**options), RUN, **case) == {"MatchRun": True}
    assert judged(MatchRun(**options), [call("book")], **case) == {"MatchRun": False}


TWICE = {
    "evaluator and metadata": (
        {"expected": ["search"]},
        {"metadata": {"expected_trajectory": ["book"]}},
        "the evaluator's expected and metadata 'expected_trajectory'",
    ),
    "evaluator and expected output": (
        {"expected": ["search"]},
        {"expected_output": [call("search")]},
        "the evaluator's expected and expected_output",
    ),
    "metadata and expected output": (
        {},
        {"metadata": {"expected_trajectory": ["search"]}, "expected_output": []},
        "metadata 'expected_trajectory' and expected_output",
    ),
    "under a key": (
        {"expected_key": "tools"},
        {"metadata": {"tools": ["search"]}, "expected_output": {"tools": ["book"]}},
        "metadata 'tools' and expected_output 'tools'",
    ),
}


@pytest.mark.parametrize(("options", "case", "text"), TWICE.values(), ids=TWICE)
def test_two_expectations_that_differ_are_a_failure(options, case, text):
    failure = judged(MatchRun(**options), RUN, **case)["MatchRun"]
    assert failure.startswith(f"ConversionError: two expectations that differ: {text}; leave one of them")


def test_a_key_says_which_of_two_expectations_is_meant():
    case = {"metadata": {"expected_trajectory": ["search"]}, "expected_output": ["Rome", "Oslo"]}
    assert "two expectations that differ" in judged(MatchRun(), RUN, **case)["MatchRun"]
    assert judged(MatchRun(expected_key="expected_trajectory"), RUN, **case) == {"MatchRun": True}


NO_EXPECTATION = {
    "nothing": (
        {},
        {},
        "the evaluator has none, the metadata has no 'expected_trajectory', and expected_output is missing",
    ),
    "an answer": ({}, {"expected_output": "Here."}, "expected_output is of the type str; write it there, or name"),
    "a key": ({"expected_key": "tools"}, {"metadata": {}}, "the metadata has no 'tools', and expected_output 'tools'"),
    "what cannot be read": ({}, {"expected_output": [{"nam": "a"}]}, "expected_output cannot be read: expected: "),
    "metadata that cannot be read": ({}, {"metadata": {"expected_trajectory": "search"}}, "metadata 'expected_traj"),
}


@pytest.mark.parametrize(("options", "case", "text"), NO_EXPECTATION.values(), ids=NO_EXPECTATION)
def test_a_missing_expectation_is_a_failure_that_says_where_it_was_looked_for(options, case, text):
    failure = judged(MatchRun(mode="superset", **options), RUN, **case)["MatchRun"]
    assert failure.startswith("ConversionError: ") and text in failure


# --- sub-agents -----------------------------------------------------------------------------------


def desk_and_buyer():
    buyer = agent_that(ToolCallPart("search", {"q": "lamp"}), TextPart("40."))

    async def ask_buyer(question: str) -> ToolReturn:
        """Ask."""
        run = await buyer.run(question)
        return ToolReturn(run.output, metadata={"messages": run.new_messages()})

    return run_of(ToolCallPart("ask_buyer", {"question": "A lamp?"}), TextPart("It is 40."), tools=[ask_buyer])


def test_calls_of_sub_agents_are_seen_where_their_messages_were_handed_over():
    run = desk_and_buyer()
    for history in (run, run.all_messages(), {"messages": run.all_messages()}):
        assert judged(MatchRun(["ask_buyer", "search"]), history) == {"MatchRun": True}
        assert judged(MatchRun(["ask_buyer"], nested=False), history) == {"MatchRun": True}
        assert judged(CheckForbidden(["search"]), history) == {"CheckForbidden": False}
        assert judged(CheckForbidden(["search"], nested=False), history) == {"CheckForbidden": True}
        assert judged(CheckLimits(max_tool_calls=2, max_model_requests=4), history) == {"CheckLimits": True}
        assert judged(CheckArguments("search", {"q": "lamp"}), history) == {"CheckArguments": True}
    assert judged(MatchRun(run), desk_and_buyer()) == {"MatchRun": True}
    assert judged(MatchRun(run), desk_and_buyer().all_messages()) == {"MatchRun": True}


# --- files ----------------------------------------------------------------------------------------


def every_evaluator():
    expected = ["search", call("book", {"user-id": 1}, hotel="Ritz"), ToolCall("out", {}, kind="output"), call("ping")]
    return (
        MatchRun(["search"]),
        MatchRun(expected, mode="in_order", threshold=0.3, measures=True, evaluation_name="order"),
        MatchRun(CALLS, args=[("q",), "filter.city"], overrides={"book": "ignore", "pay": ["id"]}, calls="succeeded"),
        MatchRun(LIVE, mode="strict", ignore_roles={"user"}, evaluation_name="strict"),
        MatchRun(desk_and_buyer(), evaluation_name="run"),
        MatchRun(TRAJECTORY, mode="any_order", allow_extra=True, nested=False, evaluation_name="stored"),
        MatchRun([], mode="any_order", allow_missing=True, evaluation_name="nothing"),
        MatchRun([call("search", big=10**40)], history_key="messages", evaluation_name="big"),
        MatchRun([call("search", q=expect.starts_with("c")).under("superset")], evaluation_name="python"),
        MatchRun([{"name": "find", "args": {"q": {"$regex": "c.*"}}}], aliases={"search": "find"}, evaluation_name="d"),
        MatchRun(
            ["seek"], prefixes=["x_"], tools={"seek": {"properties": {"q": {"default": 1}}}}, evaluation_name="tools"
        ),
        MatchRun(seq("search", optional(call("find", q=expect.gt(1)))), evaluation_name="structure"),
        MatchRun(any_of=[["book"], {"seq": ["search"]}, LIVE], evaluation_name="alternatives"),
        MatchRun(any_of(["book"], seq("search")), evaluation_name="either"),
        MatchRun([["search"], seq("book"), LIVE], per_turn=True, evaluation_name="turns"),
        CheckArguments("search", {"q": "cats"}, args=["q"], occurrence=0, calls="succeeded"),
        CheckArguments("search"),
        CheckLimits(1),
        CheckLimits(max_model_requests=1, max_identical_calls=1, evaluation_name="requests"),
        CheckForbidden(["book", call("search", q="dogs")], args="exact"),
        CheckForbidden([call("search", q="cats")], evaluation_name="cats"),
        CheckArguments("search", {"q": "CATS"}, args=ArgumentRule(ignore_case=True), evaluation_name="case"),
        CheckArguments("search", {"q": {"$regex": "c.*"}}, args={"mode": "superset"}, evaluation_name="pattern"),
    )


def cases():
    return [
        Case(name="own", inputs="q", evaluators=every_evaluator()),
        Case(name="metadata", inputs="q", metadata={"expected_trajectory": [{"name": "search", "arguments": {}}]}),
        Case(name="expected", inputs="q", expected_output=["search"]),
        Case(name="history", inputs="q", expected_output=LIVE),
    ]


def task(inputs):
    set_eval_attribute("messages", LIVE)
    return "Here."


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_a_data_set_goes_through_a_file_and_scores_the_same(tmp_path, suffix):
    before = dataset(*cases(), evaluators=[MatchRun(mode="unordered", expected_key=None, evaluation_name="all")])
    file = tmp_path / f"runs.{suffix}"
    before.to_file(file, custom_evaluator_types=EVALUATORS)
    after = Dataset[Any, Any, Any].from_file(file, custom_evaluator_types=EVALUATORS)
    first, second = (each.evaluate_sync(task, progress=False) for each in (before, after))
    found = [values(case) for case in first.cases]
    assert found == [values(case) for case in second.cases]
    assert [each["all"] for each in found[1:]] == [False, True, True]
    assert {name: value for name, value in found[0].items() if name != "all"} == {
        "MatchRun": True,
        "MatchRun_2": True,
        "order": 0.4,
        "order_pass": True,
        "order_precision": 1.0,
        "order_recall": 0.25,
        "order_f1": 0.4,
        "strict": True,
        "run": False,
        "stored": 1.0,
        "nothing": 0.0,
        "big": False,
        "python": True,
        "structure": 1.0,
        "structure_pass": True,
        "alternatives": 1.0,
        "alternatives_pass": True,
        "either": 1.0,
        "either_pass": True,
        "turns": 0.5,
        "turns_pass": False,
        "d": True,
        "tools": False,
        "CheckArguments": True,
        "CheckArguments_2": True,
        "CheckLimits": True,
        "requests": False,
        "CheckForbidden": True,
        "cats": False,
        "case": True,
        "pattern": True,
    }


def test_what_is_written_is_short_and_names_every_field(tmp_path):
    evaluators = (MatchRun(["search", call("ping"), ToolCall("book", status="succeeded")]), CheckForbidden(["a"]))
    dataset(Case(inputs="q", evaluators=evaluators)).to_file(tmp_path / "runs.yaml", custom_evaluator_types=EVALUATORS)
    assert """\
  - MatchRun:
      expected:
      - search
      - name: ping
        arguments: {}
      - name: book
        status: succeeded
  - CheckForbidden:
      forbidden:
      - a
""" in (tmp_path / "runs.yaml").read_text(encoding="utf-8")


SHORT = """
name: runs
cases:
- inputs: q
  metadata: {expected_trajectory: [search]}
  evaluators: [MatchRun, {CheckLimits: 1}, {CheckForbidden: [book]}, {CheckArguments: search}, {JudgeRun: Polite}]
- inputs: q
  evaluators: [{MatchRun: [search]}, {CheckLimits: {max_model_requests: 1}}]
"""


def test_what_is_written_by_hand_may_be_short():
    text = SHORT if NAMED else SHORT.replace("name: runs\n", "")
    loaded = Dataset[Any, Any, Any].from_text(text, custom_evaluator_types=EVALUATORS)
    assert loaded.cases[0].evaluators == [
        MatchRun(),
        CheckLimits(1),
        CheckForbidden(["book"]),
        CheckArguments("search"),
        JudgeRun("Polite"),
    ]
    assert loaded.cases[1].evaluators == [MatchRun(["search"]), CheckLimits(max_model_requests=1)]


BROKEN = {
    "an option": ("{MatchRun: {mode: exat}}", "mode: 'exat' is no mode; did you mean 'exact'?"),
    "a field": ("{MatchRun: {expectd: [a]}}", "unexpected keyword argument 'expectd'"),
    "an expectation": ("{MatchRun: search}", "expected: one name in place of a list of calls; write ['search']"),
    "a number as text": ("{CheckLimits: '3'}", "max_tool_calls: an integer from 0, got '3'"),
}


@pytest.mark.parametrize(("written", "text"), BROKEN.values(), ids=BROKEN)
def test_a_wrong_option_in_a_file_fails_when_it_is_read(written, text):
    file = f"{'name: runs' if NAMED else ''}\ncases:\n- inputs: q\n  evaluators: [{written}]\n"
    with pytest.raises(ExceptionGroup) as raised:
        Dataset[Any, Any, Any].from_text(file, custom_evaluator_types=EVALUATORS)
    assert text in str(raised.value.exceptions[0])


def test_the_schema_knows_the_evaluators_and_the_words_of_their_options():
    schema = Dataset[Any, Any, Any].model_json_schema_with_evaluators(EVALUATORS)
    fields = {name.rpartition("_params_")[2]: form.get("properties", {}) for name, form in schema["$defs"].items()}
    assert fields["MatchRun"]["mode"]["anyOf"][0]["enum"] == [*MODES]
    words = {"enum": ["exact", "ignore", "subset", "superset"], "type": "string"}
    rules = [words, ANY, {"$ref": "#/$defs/ArgumentRule"}]
    assert fields["MatchRun"]["args"]["anyOf"] == rules
    assert fields["MatchRun"]["overrides"]["anyOf"][0]["additionalProperties"]["anyOf"] == rules
    assert fields["MatchRun"]["calls"]["enum"] == ["all", "succeeded"]
    forms = fields["MatchRun"]["expected"]["anyOf"]
    assert [form["type"] for form in forms if "type" in form] == ["array", "array", "object", "null"]
    assert {"$ref": "#/$defs/Seq"} in forms
    assert {"$ref": "#/$defs/Call"} in fields["MatchRun"]["expected"]["anyOf"][0]["items"]["anyOf"]
    assert {*schema["$defs"]["ArgumentRule"]["properties"]} == {*ArgumentRuleData.__annotations__}
    assert {f"${name}" for name in schema["$defs"]} >= {*OPERATORS}
    assert {*fields["JudgeRun"]} >= {"rubric", "model", "include_expected", "max_length"}
    assert "CheckLimits" in json.dumps(schema["$defs"]["Case"])


def test_a_forbidden_call_leaves_no_score():
    expected = seq("search", forbidden("cancel"))
    found = judged(MatchRun(expected, allow_extra=True), [call("search"), call("cancel")])
    assert found == {"MatchRun": 0.0, "MatchRun_pass": False}


def is_right(actual, expected):
    return True


UNWRITABLE = {
    "a rule": (MatchRun([], args=is_right), "args: a file cannot hold the function is_right", "the function is_right"),
    "an override": (
        MatchRun([], overrides={"a": is_right}),
        "overrides['a']: a file cannot hold the function",
        {"a": "the function is_right"},
    ),
    "a set in a rule": (
        MatchRun([], args=ArgumentRule(defaults={"a": {1}})),
        "args: a file cannot hold ArgumentRule(defaults={'a': {1}}): {1} has no data form",
        "ArgumentRule(defaults={'a': {1}})",
    ),
    "no number in a rule as data": (
        MatchRun([], overrides={"a": {"defaults": {"b": float("nan")}}}),
        "overrides['a']: a file cannot hold {'defaults': {'b': nan}}: nan has no data form",
        {"a": "{'defaults': {'b': nan}}"},
    ),
    "calls": (CheckLimits(1, calls=callable), "calls: a file cannot hold the function callable", ANY),
    "a matcher of values": (MatchRun([call("a", x=ANY)]), "expected: a file cannot hold [ToolCall('a', {'x'", ANY),
    "arguments": (CheckArguments("a", {"x": ANY}), "expected: a file cannot hold {'x': <ANY>}: ", "{'x': <ANY>}"),
    "forbidden": (CheckForbidden([call("a", x=ANY)]), "forbidden: a file cannot hold [ToolCall(", ANY),
    "no number": (MatchRun([call("a", x=float("nan"))]), "expected: a file cannot hold [ToolCall(", ANY),
    "settings of a model": (
        JudgeRun("x", model="test", model_settings={"timeout": Decimal(1)}),
        "model_settings['timeout']: a file cannot hold Decimal('1'): it has no JSON form",
        {"timeout": "Decimal('1')"},
    ),
    "an object for a model": (
        JudgeRun("x", model=TestModel(custom_output_args={"reason": "r", "pass": True, "score": 1})),
        "model: a file cannot hold test:test: it is an object, and a file holds the name of a model",
        "test:test",
    ),
    "infinity": (CheckArguments("a", {"x": float("inf")}), "expected: a file cannot hold {'x': inf}", "{'x': inf}"),
}


@pytest.mark.parametrize(("evaluator", "text", "shown"), UNWRITABLE.values(), ids=UNWRITABLE)
@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_what_a_file_cannot_hold_is_refused_there_and_named_in_a_report(tmp_path, suffix, evaluator, text, shown):
    made = dataset(Case(inputs="q", evaluators=(evaluator,)))
    with pytest.raises(PydanticSerializationError, match=re.escape(text)):
        made.to_file(tmp_path / f"runs.{suffix}", custom_evaluator_types=EVALUATORS)
    assert not (tmp_path / f"runs.{suffix}").exists()
    report = made.evaluate_sync(lambda inputs: CALLS, progress=False)
    [result] = report.cases[0].assertions.values()
    assert shown in json.loads(to_json(result.source))["arguments"].values()


KEPT = {
    "paths in tuples": ArgumentRule(ignore=("id", ("a.b",))),
    "a list of paths": [("http.port",)],
    "a default of a key with a dot": ArgumentRule(defaults={("http.port",): 80, "b": [1]}),
    "a default of bytes": {"defaults": {"a": b"x"}},
}


@pytest.mark.parametrize("rule", KEPT.values(), ids=KEPT)
@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_a_file_keeps_what_a_rule_says(tmp_path, suffix, rule):
    made = MatchRun([], args=rule, overrides={"f": rule})
    dataset(Case(inputs="q", evaluators=(made,))).to_file(tmp_path / f"r.{suffix}", custom_evaluator_types=EVALUATORS)
    read = Dataset[Any, Any, Any].from_file(tmp_path / f"r.{suffix}", custom_evaluator_types=EVALUATORS)
    [again] = read.cases[0].evaluators
    assert again.get_evaluator_version() == made.get_evaluator_version()


def test_without_pydantic_evals_the_error_names_the_extra(monkeypatch):
    for module in [name for name in sys.modules if name.startswith("trajmatch_adapters.pydantic_evals")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "pydantic_evals", None)
    with pytest.raises(ImportError, match=r"pip install 'trajmatch\[pydantic-evals\]'") as raised:
        import_module("trajmatch_adapters.pydantic_evals")
    assert raised.value.name == "pydantic_evals"


# --- reports --------------------------------------------------------------------------------------


def printed(report, **options):
    text = StringIO()
    console = Console(file=text, width=400, no_color=True)
    console.print(report.console_table(include_reasons=True, **options))
    return text.getvalue()


BRACKETS = ["[/foo]", "[red]x[/red]", "[link=x]", "\\[a]", "a\\", "[[b]]", "[0]"]


@pytest.mark.parametrize("text", BRACKETS)
def test_a_report_prints_reasons_with_brackets_as_they_are(text):
    evaluators = (MatchRun([call("search", q=text)]), CheckArguments("search", {"q": text}))
    report = dataset(Case(name="a", inputs="q", evaluators=evaluators)).evaluate_sync(
        lambda inputs: [call("search", q=text, n=1)], progress=False
    )
    table = printed(report)
    for reason in (
        match([call("search", q=text, n=1)], [call("search", q=text)]).reason,
        f"search(q={json.dumps(text)}, ",
    ):
        assert reason in table


def test_a_report_shows_failures_and_averages():
    cases = [Case(name="a", inputs="q", expected_output=["search"]), Case(name="b", inputs="q")]
    evaluators = [MatchRun(mode="any_order", evaluation_name="order"), CheckLimits(1)]
    table = printed(dataset(*cases, evaluators=evaluators).evaluate_sync(lambda q: RUN, progress=False))
    assert "order: 1.00" in table and "CheckLimits: ✔" in table
    assert "order: ConversionError: no expectation" in table


def test_a_report_goes_through_json():
    report = dataset(Case(name="a", inputs="q", evaluators=every_evaluator())).evaluate_sync(task, progress=False)
    sources = json.loads(to_json([result.source for result in report.cases[0].assertions.values()]))
    assert {"name": "CheckLimits", "arguments": {"max_tool_calls": 1}} in sources


def test_they_stand_beside_the_evaluators_of_pydantic_evals():
    case = Case(inputs="q", expected_output="Here.", metadata={"expected_trajectory": ["search"]})
    report = dataset(case, evaluators=[EqualsExpected(), MatchRun()]).evaluate_sync(task, progress=False)
    assert values(report.cases[0]) == {"EqualsExpected": True, "MatchRun": True}


def test_an_evaluator_is_called_by_itself():
    context = EvaluatorContext(
        name=None,
        inputs="q",
        metadata=None,
        expected_output=None,
        output=RUN,
        duration=0.1,
        _span_tree=SimpleNamespace(),
        attributes={},
        metrics={},
    )
    assert MatchRun(CALLS).evaluate_sync(context) == EvaluationReason(True, "exact: PASS; 1 paired")


# --- online ---------------------------------------------------------------------------------------


def test_a_live_function_is_evaluated_online(loop):
    from pydantic_evals.online import OnlineEvaluator, evaluate, wait_for_evaluations

    seen = []
    sink = lambda results, failures, context: seen.extend([*results, *failures])  # noqa: E731
    evaluators = [
        MatchRun(["search"]),
        CheckForbidden(["search"]),
        MatchRun(history_key="nowhere", evaluation_name="x"),
    ]

    @evaluate(*(OnlineEvaluator(evaluator=each, sink=sink) for each in evaluators))
    async def answer(question: str) -> object:
        return await agent_that(ToolCallPart("search", {"q": question}), TextPart("Here.")).run(question)

    async def served():
        await answer("cats")
        await wait_for_evaluations()

    loop.run_until_complete(served())
    found = {each.name: getattr(each, "value", None) for each in seen}
    assert found == {"MatchRun": True, "CheckForbidden": False, "x": None}
    versions = {each.name: each.evaluator_version for each in seen}
    assert versions == {"MatchRun": MatchRun().get_evaluator_version(), "CheckForbidden": None, "x": ANY}


def test_an_agent_that_records_its_messages_is_evaluated_online(loop):
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_evals.online import OnlineEvaluator, wait_for_evaluations
    from pydantic_evals.online_capability import OnlineEvaluation

    class RecordMessages(AbstractCapability):
        async def wrap_run(self, ctx, *, handler):
            result = await handler()
            set_eval_attribute("messages", result.new_messages())
            return result

    seen = []
    sink = lambda results, failures, context: seen.extend([*results, *failures])  # noqa: E731
    online = OnlineEvaluation(evaluators=[OnlineEvaluator(evaluator=MatchRun(["search"]), sink=sink)])
    said = [ToolCallPart("search", {"q": "cats"}), TextPart("Here.")]

    async def served(*capabilities):
        await Agent(scripted(*said), tools=[search], capabilities=[online, *capabilities]).run("Cats?")
        await wait_for_evaluations()

    loop.run_until_complete(served(RecordMessages()))
    loop.run_until_complete(served())
    assert seen[0].value is True
    assert "no history: the output is of the type str" in seen[1].error_message


# --- a model as judge -----------------------------------------------------------------------------


def grading(reason="It is polite.", passes=True, score=0.75):
    """A judge, and what it was asked."""
    asked = []

    def respond(messages, info):
        asked.append(messages)
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, given)])

    given = {"reason": reason, "pass": passes, "score": score}
    return FunctionModel(respond), asked


def prompt(messages):
    [part] = [part for part in messages[0].parts if isinstance(part, UserPromptPart)]
    return part.content if isinstance(part.content, str) else "".join(map(str, part.content))


def test_a_judge_reads_the_run_as_text_and_gives_an_assertion_with_its_reason():
    model, asked = grading()
    evaluator = JudgeRun("The agent searches.", model=model)
    assert reasons(evaluator, RUN) == {"JudgeRun": "It is polite."}
    assert to_trajectory(RUN).to_text() in prompt(asked[0])
    assert "The agent searches." in prompt(asked[0])
    assert judged(evaluator, RUN) == {"JudgeRun": True}
    failing = JudgeRun("x", model=grading(passes=False)[0], evaluation_name="polite")
    assert judged(failing, "Here.", attributes={"messages": LIVE}) == {"polite": False}


def test_a_judge_gives_its_score_on_request():
    assert judged(JudgeRun("x", model=grading()[0], score=True), RUN) == {"JudgeRun": True, "JudgeRun_score": 0.75}


@pytest.mark.parametrize("include_input", [True, False])
@pytest.mark.parametrize("include_expected", [True, False])
def test_a_judge_sees_the_inputs_and_the_expectation_on_request(include_input, include_expected):
    model, asked = grading()
    evaluator = JudgeRun("x", model=model, include_input=include_input, include_expected=include_expected)
    assert judged(evaluator, RUN, metadata={"expected_trajectory": ["book_a_room"]}) == {"JudgeRun": True}
    assert ("<Input>" in prompt(asked[0])) is include_input
    assert ("book_a_room" in prompt(asked[0])) is include_expected


def test_a_judge_takes_the_expectation_from_a_key_and_reads_so_much():
    model, asked = grading()
    evaluator = JudgeRun("x", model=model, include_expected=True, expected_key="tools", max_length=60)
    assert judged(evaluator, RUN, metadata={"tools": ["book_a_room"]}) == {"JudgeRun": True}
    assert to_trajectory(RUN).to_text(max_length=60) in prompt(asked[0])
    assert "book_a_room" in prompt(asked[0])


def test_a_judge_sees_the_calls_of_sub_agents():
    model, asked = grading()
    judged(JudgeRun("x", model=model), desk_and_buyer())
    judged(JudgeRun("x", model=model, nested=False), desk_and_buyer())
    assert ["search" in prompt(messages) for messages in asked] == [True, False]


NONSENSE = {
    "text": TextPart("I like cats."),
    "another object": {"verdict": "fine"},
    "words for a verdict": {"reason": "r", "pass": "perhaps", "score": 1.0},
    "a score that is no number": {"reason": "r", "pass": True, "score": "high"},
}


@pytest.mark.parametrize("said", NONSENSE.values(), ids=NONSENSE)
def test_a_judge_that_answers_nonsense_is_a_failure_and_no_verdict(said):
    def respond(messages, info):
        return ModelResponse(
            parts=[said if isinstance(said, TextPart) else ToolCallPart(info.output_tools[0].name, said)]
        )

    given = judged(JudgeRun("x", model=FunctionModel(respond), score=True), RUN)
    assert given["JudgeRun"].startswith("UnexpectedModelBehavior: ") and [*given] == ["JudgeRun"]


@pytest.mark.parametrize("score", ["NaN", "Infinity"])
def test_a_score_that_is_not_finite_is_a_failure_and_no_verdict(score):
    def respond(messages, info):
        arguments = f'{{"reason": "r", "pass": true, "score": {score}}}'
        return ModelResponse(parts=[ToolCallPart(info.output_tools[0].name, arguments)])

    [given] = judged(JudgeRun("x", model=FunctionModel(respond), score=True), RUN).values()
    assert given == f"ValueError: the judge gave the score {float(score)}, which is no number"


def test_a_judge_without_a_history_is_not_asked():
    model, asked = grading()
    assert "no history" in judged(JudgeRun("x", model=model), "Here.")["JudgeRun"]
    assert "no expectation" in judged(JudgeRun("x", model=model, include_expected=True), RUN)["JudgeRun"]
    assert asked == []


def test_a_judge_goes_through_a_file(tmp_path):
    evaluators = (
        JudgeRun("Is it polite?", model="test", model_settings={"temperature": 0.0}, max_length=500),
        JudgeRun("x", model="test", include_expected=True, expected_key="tools"),
    )
    dataset(Case(inputs="q", evaluators=evaluators)).to_file(tmp_path / "a.yaml", custom_evaluator_types=EVALUATORS)
    loaded = Dataset[Any, Any, Any].from_file(tmp_path / "a.yaml", custom_evaluator_types=EVALUATORS)
    assert loaded.cases[0].evaluators == [*evaluators]


def test_a_judge_may_be_the_test_model():
    given = judged(JudgeRun("x", model=TestModel(custom_output_args={"reason": "r", "pass": True, "score": 1})), RUN)
    assert given == {"JudgeRun": True}


def test_a_request_alone_is_a_run_that_did_nothing():
    assert judged(MatchRun([]), [ModelRequest(parts=[UserPromptPart("Hi.")])]) == {"MatchRun": True}


def test_an_expectation_of_a_trajectory_of_calls_is_a_list_in_a_file():
    assert MatchRun(Trajectory.from_calls(["a"])).as_spec().arguments == {"expected": ["a"]}

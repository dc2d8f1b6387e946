"""Judges, asked through the real openevals: the models are LangChain's fakes, and OpenAI's client without a network."""

import asyncio
import json
import re
import subprocess
import sys
from inspect import iscoroutinefunction
from types import SimpleNamespace
from uuid import uuid4

import httpx
import pytest
from langchain_core._api.beta_decorator import suppress_langchain_beta_warning
from langchain_core.language_models.fake_chat_models import FakeListChatModel, GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.prompts.structured import StructuredPrompt
from langsmith import aevaluate, evaluate
from langsmith.evaluation import EvaluationResult
from langsmith.schemas import Example
from openai import AsyncOpenAI, OpenAI

from tests.adapters.test_langsmith import DONE, EXAMPLES, HISTORIES, NOWHERE, agent, async_agent, scores
from trajmatch import ConversionError, OptionError, Trajectory, call, to_trajectory
from trajmatch_adapters.langsmith import as_run_evaluator, async_judge_evaluator, judge_evaluator

RUN = to_trajectory(DONE["messages"])
TEXT = """\
user: Cats?
assistant:
  call 0: search({"q": "cats"})
    result: found
assistant: Here."""


class Judge(GenericFakeChatModel):
    """Calls the tool of its structured output with what the script says, and keeps what it was asked."""

    asked: list = []

    def bind_tools(self, tools, **kwargs):
        return self

    def _generate(self, messages, *args, **kwargs):
        self.asked.append([(message.type, message.content) for message in messages])
        return super()._generate(messages, *args, **kwargs)


def answers(*given):
    """A model that gives these answers, again and again: arguments of the score, or a message."""
    script = [
        one if isinstance(one, AIMessage) else AIMessage("", tool_calls=[{"name": "score", "args": one, "id": "1"}])
        for one in given
    ]
    return Judge(messages=iter(script * 20), asked=[])


GOOD = {"reasoning": "It searched.", "score": True}


def sync(**options):
    return judge_evaluator(**options)


def awaited(**options):
    made = async_judge_evaluator(**options)
    assert iscoroutinefunction(made)

    def ask(*sides, **more):
        return asyncio.run(made(*sides, **more))

    ask.__name__, ask.feedback_keys = made.__name__, made.feedback_keys
    return ask


both = pytest.mark.parametrize("make", [sync, awaited])


# --- what the judge is asked ----------------------------------------------------------------------


@both
def test_the_judge_reads_the_text_of_the_run(make):
    model = answers(GOOD)
    feedback = make(prompt="Was it {{right}}?\n{outputs}", judge=model)(outputs=DONE)
    assert feedback == {"key": "trajectory_judge", "score": True, "comment": "It searched."}
    assert model.asked == [[("human", f"Was it {{right}}?\n{TEXT}")]]
    assert EvaluationResult(**feedback).score is True


@both
def test_with_a_reference_the_judge_reads_its_text_too(make):
    model = answers(GOOD)
    evaluator = make(prompt="{outputs}\n---\n{reference_outputs}", reference=True, judge=model)
    assert evaluator(DONE, {"output": ["search", call("book", day=1)]})["score"] is True
    assert evaluator(outputs=DONE, reference_outputs=DONE)["score"] is True
    expected = 'call 0: search(...)\ncall 1: book({"day": 1})'
    assert model.asked == [[("human", f"{TEXT}\n---\n{expected}")], [("human", f"{TEXT}\n---\n{TEXT}")]]


@both
def test_inputs_and_whatever_else_the_prompt_asks_for_are_handed_on(make):
    model, inputs = answers(GOOD), {"messages": [HumanMessage("Cats?")]}
    evaluator = make(prompt="{inputs} {rubric} {outputs}", judge=model)
    assert evaluator(outputs=[], inputs=inputs, rubric="Be kind.")["score"] is True
    asked = '{"messages": [{"role": "user", "content": "Cats?"}]} Be kind. [no messages]'
    assert model.asked == [[("human", asked)]]
    assert inputs == {"messages": [HumanMessage("Cats?")]}
    assert make(prompt="{inputs} {outputs}", judge=model)(outputs=[], inputs="Cats?")["score"] is True


@both
def test_inputs_that_the_prompt_does_not_ask_for_are_not_looked_at(make):
    assert make(prompt="{outputs}", judge=answers(GOOD))(outputs=[], inputs={"x": {1}})["score"] is True


def as_messages(*, outputs, reference_outputs=None, inputs=None):
    return [{"role": "user", "content": f"{inputs} {outputs} {reference_outputs}"}]


PROMPTS = {
    "a template": "None {outputs} {reference_outputs}",
    "a function": as_messages,
    "a prompt of LangChain": ChatPromptTemplate([("user", "None {outputs} {reference_outputs}")]),
    "a part of a prompt": ChatPromptTemplate([("user", "None {outputs} {reference_outputs}")]) | (lambda asked: asked),
}


@both
@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS)
def test_a_prompt_may_be_of_any_kind_that_openevals_takes(make, prompt):
    model = answers(GOOD)
    feedback = make(prompt=prompt, reference=True, judge=model)(outputs=[], reference_outputs=["a"])
    assert feedback["score"] is True
    assert model.asked == [[("human", "None [no messages] call 0: a(...)")]]


@both
def test_a_long_run_is_shortened(make):
    model = answers(GOOD)
    run = Trajectory.from_calls([call("f").replace(status="succeeded", result="x" * 5_000)] * 3)
    make(prompt="{outputs}{reference_outputs}", reference=True, judge=model, max_length=500)(run, run)
    (((_, asked),),) = model.asked
    assert asked == 2 * run.to_text(max_length=500)


@both
def test_the_options_of_openevals_are_handed_on(make):
    model = answers({"score": 0.5})
    feedback = make(
        prompt="{outputs}",
        judge=model,
        system="You are strict.",
        continuous=True,
        use_reasoning=False,
        few_shot_examples=[{"inputs": "a", "outputs": "b", "score": 1}],
        key="kind",
    )(outputs=[])
    assert feedback == {"key": "kind", "score": 0.5, "comment": None}
    ((system, user),) = model.asked
    assert system == ("system", "You are strict.")
    assert "<input>a</input>" in user[1]


@both
def test_an_evaluator_is_a_function_named_by_its_feedback_key(make):
    for key in (None, "kind"):
        made = make(prompt="{outputs}", judge=answers(GOOD), key=key)
        assert (made.__name__, made.feedback_keys) == (key or "trajectory_judge", (key or "trajectory_judge",))


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
def test_both_sides_are_found_where_they_are_found_for_a_match(history):
    model = answers(GOOD)
    judge_evaluator(prompt="{outputs}|{reference_outputs}", reference=True, judge=model)(history, history)
    (((_, asked),),) = model.asked
    actual, expected = asked.split("|")
    assert 'search({"q": "cats"})' in actual and actual == expected


# --- what is missing ------------------------------------------------------------------------------


@both
@pytest.mark.parametrize(("key", "given", "text"), NOWHERE.values(), ids=NOWHERE)
def test_what_is_nowhere_is_an_error_and_no_question(make, key, given, text):
    model, options = answers(GOOD), {"outputs_key": key, "reference_outputs_key": key} if key else {}
    evaluator = make(prompt="{outputs}{reference_outputs}", reference=True, judge=model, **options)
    found = {"run": ["a"]} if key else {"output": [call("a")]}
    for side, sides in {"outputs": (given, found), "reference_outputs": (found, given)}.items():
        sides = [{"run": [call("a")]} if one is found and key else one for one in sides]
        with pytest.raises(ConversionError, match=re.escape(text.format(side))) as raised:
            evaluator(*sides)
        assert str(raised.value).startswith(f"{side}: ")
    assert model.asked == []


UNREADABLE = {
    "names as a run": ({"output": ["search"]}, ["search"], r"^outputs: "),
    "text as a run": ("Here.", ["search"], r"^outputs: "),
    "text as an expectation": ({"output": []}, "search", r"^reference_outputs: "),
    "a name beside a message": ({"output": []}, ["search", {"role": "user"}], r"^reference_outputs: "),
}


@both
@pytest.mark.parametrize(("outputs", "expected", "text"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_an_error_that_names_its_side(make, outputs, expected, text):
    model = answers(GOOD)
    with pytest.raises(ConversionError, match=text):
        make(prompt="{outputs}{reference_outputs}", reference=True, judge=model)(outputs, expected)
    assert model.asked == []


@both
@pytest.mark.parametrize(
    "prompt",
    ["{outputs} {inputs[q]} {rubric.x}", ChatPromptTemplate([("user", "{outputs} {inputs} {rubric}")])],
    ids=["template", "prompt"],
)
def test_a_place_of_the_prompt_without_anything_for_it_is_an_error(make, prompt):
    with pytest.raises(ConversionError, match=r"trajectory_judge: the prompt asks for 'inputs', 'rubric', and nothing"):
        make(prompt=prompt, judge=answers(GOOD))(outputs=[])


# --- a judge that answers nonsense ----------------------------------------------------------------

NONSENSE = {
    "text": (AIMessage("I think it went quite well."), {}, "no score that can be read: TypeError"),
    "nothing": (AIMessage(""), {}, "no score that can be read: TypeError"),
    "another tool": (AIMessage("", tool_calls=[{"name": "search", "args": GOOD, "id": "1"}]), {}, "TypeError"),
    "no score": ({"reasoning": "Fine."}, {}, "no score that can be read: KeyError: 'score'"),
    "no reasoning": ({"score": True}, {}, "no score that can be read: KeyError: 'reasoning'"),
    "a reasoning that is no text": ({"score": True, "reasoning": ["Fine."]}, {}, "reasoning of the judge is text"),
    "None": ({"score": None, "reasoning": "Fine."}, {}, "is True or False, got None"),
    "a word": ({"score": "true", "reasoning": "Fine."}, {}, "is True or False, got 'true'"),
    "a number for a bool": ({"score": 1, "reasoning": "Fine."}, {}, "is True or False, got 1"),
    "a list": ({"score": [True], "reasoning": "Fine."}, {}, "is True or False, got [True]"),
    "a bool for a number": ({"score": True, "reasoning": ""}, {"continuous": True}, "from 0 to 1, got True"),
    "too much": ({"score": 7, "reasoning": ""}, {"continuous": True}, "a number from 0 to 1, got 7"),
    "too little": ({"score": -0.1, "reasoning": ""}, {"continuous": True}, "a number from 0 to 1, got -0.1"),
    "NaN": ({"score": float("nan"), "reasoning": ""}, {"continuous": True}, "a number from 0 to 1, got nan"),
    "no number": ({"score": "0.5", "reasoning": ""}, {"continuous": True}, "a number from 0 to 1, got '0.5'"),
    "no choice": ({"score": 2, "reasoning": ""}, {"choices": [0, 0.5, 1]}, "is one of [0, 0.5, 1], got 2"),
    "a bool for a choice": ({"score": True, "reasoning": ""}, {"choices": (0, 1)}, "is one of [0, 1], got True"),
    "a word without reasoning": ({"score": "yes"}, {"use_reasoning": False}, "is True or False, got 'yes'"),
}


@both
@pytest.mark.parametrize(("answer", "options", "text"), NONSENSE.values(), ids=NONSENSE)
def test_nonsense_is_an_error_and_no_score(make, answer, options, text):
    with pytest.raises(ConversionError, match=re.escape(text)) as raised:
        make(prompt="{outputs}", judge=answers(answer), **options)(outputs=DONE)
    assert str(raised.value).startswith("trajectory_judge: the ")


SENSE = {
    "False": (False, {}),
    "0": (0, {"continuous": True}),
    "1.0": (1.0, {"continuous": True}),
    "a choice": (0.5, {"choices": [0, 0.5, 1]}),
    "an integer for a choice": (1, {"choices": [0.0, 1.0]}),
}


@both
@pytest.mark.parametrize(("score", "options"), SENSE.values(), ids=SENSE)
def test_the_score_is_what_the_judge_said(make, score, options):
    model = answers({"score": score, "reasoning": "So."})
    feedback = make(prompt="{outputs}", judge=model, **options)(outputs=DONE)
    assert (feedback["score"], type(feedback["score"])) == (score, type(score))


@both
def test_what_the_model_itself_raises_is_passed_on(make):
    with pytest.raises(NotImplementedError):
        make(prompt="{outputs}", judge=FakeListChatModel(responses=["so"]))(outputs=DONE)


def completion(content):
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
    return {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def without_network(content):
    """What a client of OpenAI sends goes to a function, which answers this."""
    return httpx.MockTransport(lambda request: httpx.Response(200, json=completion(content)))


CLIENTS = {
    sync: lambda content: OpenAI(api_key="unused", http_client=httpx.Client(transport=without_network(content))),
    awaited: lambda content: AsyncOpenAI(
        api_key="unused", http_client=httpx.AsyncClient(transport=without_network(content))
    ),
}


@both
def test_a_client_of_openai_may_be_the_judge(make):
    feedback = make(prompt="{outputs}", judge=CLIENTS[make](json.dumps(GOOD)), model="m")(outputs=DONE)
    assert feedback == {"key": "trajectory_judge", "score": True, "comment": "It searched."}


@both
@pytest.mark.parametrize(
    "content", ["Fine.", "", None, "[]", "3", '{"score": true}', '{"score": "yes", "reasoning": ""}']
)
def test_nonsense_from_a_client_is_an_error_and_no_score(make, content):
    with pytest.raises(ConversionError, match=r"^trajectory_judge: the "):
        make(prompt="{outputs}", judge=CLIENTS[make](content), model="m")(outputs=DONE)


# --- wrong options --------------------------------------------------------------------------------


class Answer:
    pass


with suppress_langchain_beta_warning():
    STRUCTURED = StructuredPrompt([("user", "{outputs}")], {"title": "s", "type": "object", "properties": {}})

WRONG = {
    "no run": ({"prompt": "Was it right?"}, "prompt", "it has no {outputs}, so the judge would not see"),
    "no run in a prompt of LangChain": ({"prompt": ChatPromptTemplate(["Hi"])}, "prompt", "it has no {outputs}"),
    "no reference": ({"reference": True}, "prompt", "it has no {reference_outputs}"),
    "an unasked reference": ({"prompt": "{outputs}{reference_outputs}"}, "prompt", "with reference=True alone"),
    "a template with braces": ({"prompt": '{outputs} {"a": 1'}, "prompt", "whose braces are doubled"),
    "a prompt with a schema": ({"prompt": STRUCTURED}, "prompt", "one without an output schema"),
    "no prompt": ({"prompt": None}, "prompt", "a template, a function that gives chat messages, or"),
    "an empty prompt": ({"prompt": ""}, "prompt", "it has no {outputs}"),
    "reference": ({"reference": "yes"}, "reference", "True or False, got 'yes'"),
    "key": ({"key": ""}, "key", "a text that is not empty"),
    "outputs_key": ({"outputs_key": 7}, "outputs_key", "got 7"),
    "reference_outputs_key": (
        {"reference": True, "prompt": "{outputs}{reference_outputs}", "reference_outputs_key": ""},
        "reference_outputs_key",
        "got ''",
    ),
    "an idle key": ({"reference_outputs_key": "x"}, "reference_outputs_key", "has no effect without reference=True"),
    "max_length": ({"max_length": 0}, "max_length", "an integer from 1"),
    "no model": ({"judge": None}, "judge", "a chat model, or model='provider:name', got None"),
    "no chat model": ({"judge": Answer()}, "judge", "a chat model of LangChain, or a client of OpenAI"),
    "a client without a model": ({"judge": OpenAI(api_key="unused")}, "model", "the name of a model for the client"),
    "model": ({"model": ""}, "model", "a text that is not empty"),
    "system": ({"system": 7}, "system", "a text that is not empty, got 7"),
    "an idle system": ({"system": "x", "prompt": as_messages}, "system", "beside a prompt that is no template"),
    "continuous": ({"continuous": 1}, "continuous", "True or False, got 1"),
    "use_reasoning": ({"use_reasoning": "no"}, "use_reasoning", "True or False, got 'no'"),
    "choices": ({"choices": []}, "choices", "a list of numbers, got []"),
    "choices that are words": ({"choices": ["good"]}, "choices", "a list of numbers"),
    "choices that are no list": ({"choices": "01"}, "choices", "a list of numbers"),
    "choices that are bools": ({"choices": [True, False]}, "choices", "a list of numbers"),
    "two scales": ({"choices": [0, 1], "continuous": True}, "continuous", "has no effect beside choices"),
    "an option": ({"contiuous": True}, "contiuous", "did you mean 'continuous'?"),
    "a schema": ({"output_schema": {}}, "output_schema", "there is no option 'output_schema'"),
    "the key of openevals": ({"feedback_key": "x"}, "feedback_key", "there is no option 'feedback_key'"),
}


@pytest.mark.parametrize("make", [judge_evaluator, async_judge_evaluator])
@pytest.mark.parametrize(("options", "option", "text"), WRONG.values(), ids=WRONG)
def test_a_wrong_option_fails_when_the_judge_is_made(make, options, option, text):
    with pytest.raises(OptionError, match=re.escape(text)) as raised:
        make(**{"prompt": "{outputs}", "judge": answers(GOOD), **options})
    assert raised.value.option == option


def test_an_option_that_is_none_is_not_given():
    made = judge_evaluator(prompt="{outputs}", judge=answers(GOOD), model=None, choices=None, system=None)
    assert made(outputs=[])["score"] is True


def test_a_model_may_be_named():
    assert judge_evaluator(prompt="{outputs}", model="provider:name").__name__ == "trajectory_judge"


# --- run by LangSmith -----------------------------------------------------------------------------


def judges(answer):
    prompt = "{inputs} {outputs} {reference_outputs}"
    return [
        judge_evaluator(prompt="{outputs}", judge=answers(answer), key="alone"),
        async_judge_evaluator(prompt="{outputs}", judge=answers(answer), key="alone_async"),
        judge_evaluator(prompt=prompt, reference=True, judge=answers(answer), key="beside"),
        async_judge_evaluator(prompt=prompt, reference=True, judge=answers(answer), key="beside_async"),
    ]


ALONE, BESIDE = ("alone", "alone_async"), ("beside", "beside_async")


def evaluated(evaluators, offline):
    return scores(evaluate(agent, data=EXAMPLES, evaluators=evaluators, **offline))


def aevaluated(evaluators, offline):
    async def run():
        rows = await aevaluate(async_agent, data=EXAMPLES, evaluators=evaluators, **offline)
        return scores([row async for row in rows])

    return asyncio.run(run())


run_by = pytest.mark.parametrize("run", [evaluated, aevaluated])


@run_by
def test_langsmith_runs_the_functions(offline, run):
    found = run(judges(GOOD), offline)
    for question in ("cats", "dogs"):
        assert found[question] == dict.fromkeys((*ALONE, *BESIDE), 1)
    missing = found["none"].pop("trajectory_evaluation")
    assert found["none"] == dict.fromkeys(ALONE, 1)
    assert "reference_outputs: nothing to read" in missing


@run_by
def test_langsmith_runs_the_run_evaluators_and_files_errors_under_their_keys(offline, run):
    found = run([*map(as_run_evaluator, judges(GOOD))], offline)
    for question in ("cats", "dogs"):
        assert found[question] == dict.fromkeys((*ALONE, *BESIDE), 1)
    assert {**found["none"], **dict.fromkeys(BESIDE)} == {**dict.fromkeys(ALONE, 1), **dict.fromkeys(BESIDE)}
    assert all("reference_outputs: nothing to read" in found["none"][key] for key in BESIDE)


@run_by
@pytest.mark.parametrize("answer", [AIMessage("Fine."), {"score": "yes", "reasoning": "Fine."}], ids=["text", "a word"])
def test_nonsense_is_recorded_as_an_error(offline, run, answer):
    found = run([*map(as_run_evaluator, judges(answer))], offline)
    for question in ("cats", "dogs"):
        assert {*found[question]} == {*ALONE, *BESIDE}
        assert all(text.startswith("ConversionError") for text in found[question].values())


def test_an_async_run_evaluator_runs_by_itself():
    made = as_run_evaluator(async_judge_evaluator(prompt="{outputs}", judge=answers(GOOD)))
    run, example = SimpleNamespace(id=uuid4(), outputs=DONE, inputs={}), Example(id=uuid4(), inputs={}, outputs={})
    assert made.feedback_keys == ["trajectory_judge"]
    assert asyncio.run(made.aevaluate_run(run, example)).score == 1


# --- what is imported -----------------------------------------------------------------------------


def test_openevals_is_imported_when_a_judge_is_made():
    code = (
        "import sys; from trajmatch_adapters import langsmith as ours\n"
        "print('openevals' in sys.modules)\n"
        "ours.judge_evaluator(prompt='{outputs}', model='a:b'); print('openevals' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.parametrize("make", [judge_evaluator, async_judge_evaluator])
def test_without_openevals_the_error_names_the_extra(monkeypatch, make):
    for module in ("openevals", "openevals.llm"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=r"pip install 'trajmatch\[judge\]'") as raised:
        make(prompt="{outputs}", judge=answers(GOOD))
    assert raised.value.name == "openevals"

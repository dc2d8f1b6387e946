import asyncio
import copy
import inspect
import json
from datetime import date
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langsmith import Client, RunTree
from langsmith.evaluation.evaluator import DynamicRunEvaluator
from langsmith.schemas import Example

from tests.strategies import HISTORIES
from trajmatch import (
    ConversionError,
    Message,
    OptionError,
    RuleError,
    ToolCall,
    Trajectory,
    any_of,
    call,
    match,
    one_of,
    optional,
    seq,
)
from trajmatch_adapters.agentevals import (
    create_async_graph_trajectory_match_evaluator,
    create_async_trajectory_match_evaluator,
    create_graph_trajectory_match_evaluator,
    create_trajectory_match_evaluator,
    graph_trajectory,
    graph_trajectory_strict_match,
    graph_trajectory_strict_match_async,
)

MODES = ["strict", "unordered", "subset", "superset"]
USER, SYSTEM, DONE = ({"role": role, "content": role} for role in ("user", "system", "assistant"))


def says(*calls):
    wire = [{"function": {"name": made.name, "arguments": json.dumps(made.arguments)}} for made in calls]
    return {"role": "assistant", "content": "", "tool_calls": wire}


def run(*calls):
    return [USER, says(*calls), DONE]


def passes(mode, outputs, reference, args="exact", **overrides):
    evaluator = create_trajectory_match_evaluator(
        trajectory_match_mode=mode, tool_args_match_mode=args, tool_args_match_overrides=overrides or None
    )
    return evaluator(outputs=outputs, reference_outputs=reference)["score"]


def test_the_parameters_are_those_of_agentevals():
    for create in (create_trajectory_match_evaluator, create_async_trajectory_match_evaluator):
        parameters = inspect.signature(create).parameters.values()
        assert {each.kind for each in parameters} == {inspect.Parameter.KEYWORD_ONLY}
        assert {each.name: each.default for each in parameters} == {
            "trajectory_match_mode": "strict",
            "tool_args_match_mode": "exact",
            "tool_args_match_overrides": None,
        }


def test_the_result_is_a_plain_dict_whose_comment_is_the_reason():
    evaluator = create_trajectory_match_evaluator(trajectory_match_mode="unordered")
    assert evaluator(outputs=run(call("a")), reference_outputs=run(call("b"))) == {
        "key": "trajectory_unordered_match",
        "score": False,
        "comment": "unordered: FAIL; 0 paired, 1 missing, 1 extra; missing expected[0] b(); extra actual[0] a()",
        "metadata": None,
    }


@pytest.mark.parametrize("mode", MODES)
def test_key_and_name_of_an_evaluator_tell_its_mode(mode):
    for create, key in {
        create_trajectory_match_evaluator: f"trajectory_{mode}_match",
        create_async_trajectory_match_evaluator: f"trajectory_{mode}_match",
        create_graph_trajectory_match_evaluator: f"graph_trajectory_{mode}_match",
        create_async_graph_trajectory_match_evaluator: f"graph_trajectory_{mode}_match",
    }.items():
        assert create(trajectory_match_mode=mode).__name__ == key
    assert create_trajectory_match_evaluator(trajectory_match_mode=mode)(outputs=[], reference_outputs=[])["score"]


a, b, x, xy = call("a"), call("b"), call("a", x=1), call("a", x=1, y=2)
VERDICTS = {  # strict, unordered, subset, superset
    "the same": (run(a, b), run(a, b), "TTTT"),
    "one batch in another order": (run(b, a), run(a, b), "TTTT"),
    "two batches in another order": ([says(b), says(a)], [says(a), says(b)], "FTTT"),
    "one after the other, or in parallel": ([says(a), says(b)], [says(a, b)], "FTTT"),
    "an extra call": (run(a, b), run(a), "FFFT"),
    "a missing call": (run(a), run(a, b), "FFTF"),
    "a repeated call": (run(a, a), run(a), "FFFT"),
    "other arguments": (run(x), run(a), "FFFF"),
    "another text": ([USER, DONE], [USER, {**DONE, "content": "Bye"}], "TTTT"),
    "a message more": ([USER, DONE, USER], [USER, DONE], "FTTT"),
    "another role": ([USER, DONE], [USER, USER], "FTTT"),
    "a system message more": ([SYSTEM, *run(a)], run(a), "FTTT"),
    "another system message": ([SYSTEM, *run(a)], [{**SYSTEM, "content": "Be brief."}, *run(a)], "TTTT"),
    "the words of LangChain for roles": (
        [{"role": "human", "content": "user"}, {"role": "ai", "content": "", "tool_calls": says(a)["tool_calls"]}],
        [USER, says(a)],
        "TTTT",
    ),
    "true and 1": (run(call("a", x=True)), run(x), "FFFF"),
    "1.0 and 1": (run(call("a", x=1.0)), run(x), "TTTT"),
    "nothing": ([], [], "TTTT"),
    "nothing is called": ([USER, DONE], run(a), "FFTF"),
}


@pytest.mark.parametrize("case", VERDICTS.values(), ids=VERDICTS)
def test_the_verdict_in_each_mode(case):
    outputs, reference, verdicts = case
    assert "".join("FT"[passes(mode, outputs, reference)] for mode in MODES) == verdicts


ARGUMENTS = {
    "subset, the actual call has less": ("subset", run(x), run(xy), True),
    "subset, the actual call has more": ("subset", run(xy), run(x), False),
    "superset, the actual call has more": ("superset", run(xy), run(x), True),
    "superset, the actual call has less": ("superset", run(x), run(xy), False),
    "superset, where the first fit is the wrong one": ("superset", run(xy, x), run(x, xy), True),
    "ignore": ("ignore", run(xy), run(call("a", z=3)), True),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", ARGUMENTS.values(), ids=ARGUMENTS)
def test_a_rule_for_arguments_means_the_same_in_every_mode(case, mode):
    rule, outputs, reference, verdict = case
    assert passes(mode, outputs, reference, rule) is verdict


OVERRIDES = {
    "a name": ("ignore", call("a", x=2), True),
    "a path that is equal": (["x"], call("a", x=1, z=3), True),
    "a path that differs": (["x"], call("a", x=2), False),
    "a path that is null on one side": (["x"], call("a", x=None), False),
    "a function": (lambda actual, expected: actual["x"] > expected["x"], call("a", x=2), True),
    "a function, the other way round": (lambda actual, expected: actual["x"] < expected["x"], call("a", x=2), False),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", OVERRIDES.values(), ids=OVERRIDES)
def test_a_rule_for_one_tool(case, mode):
    rule, made, verdict = case
    reference = x if made.arguments["x"] else call("a")
    assert passes(mode, run(made, b), run(reference, b), a=rule) is verdict


async def later(actual, expected):
    raise NotImplementedError


WRONG = {
    "a mode": (
        {"trajectory_match_mode": "strickt"},
        "trajectory_match_mode",
        "trajectory_match_mode: 'strickt' is no mode; did you mean 'strict'?",
    ),
    "a mode of another type": ({"trajectory_match_mode": None}, "trajectory_match_mode", "None is no mode"),
    "a mode of match": ({"trajectory_match_mode": "in_order"}, "trajectory_match_mode", "'in_order' is no mode"),
    "a rule": (
        {"tool_args_match_mode": "exat"},
        "tool_args_match_mode",
        "tool_args_match_mode: 'exat' is no rule; did you mean 'exact'?",
    ),
    "an override": (
        {"tool_args_match_overrides": {"a": "Exact"}},
        "tool_args_match_overrides['a']",
        "tool_args_match_overrides['a']: 'Exact' is no rule; did you mean 'exact'?",
    ),
    "no override": (
        {"tool_args_match_overrides": {"a": None}},
        "tool_args_match_overrides['a']",
        "tool_args_match_overrides['a']: a rule is",
    ),
    "no paths": (
        {"tool_args_match_overrides": {"a": []}},
        "tool_args_match_overrides['a']",
        "tool_args_match_overrides['a']: no key path is given; to compare nothing say 'ignore'",
    ),
    "a path in another notation": (
        {"tool_args_match_overrides": {"a": ["x[0]"]}},
        "tool_args_match_overrides['a']",
        "tool_args_match_overrides['a']:",
    ),
    "an async function": (
        {"tool_args_match_overrides": {"args": later}},
        "tool_args_match_overrides['args']",
        "tool_args_match_overrides['args']: the function cannot be async",
    ),
    "no mapping": ({"tool_args_match_overrides": ["a"]}, "tool_args_match_overrides", "a mapping of tools to rules"),
}


@pytest.mark.parametrize("create", [create_trajectory_match_evaluator, create_async_trajectory_match_evaluator])
@pytest.mark.parametrize("case", WRONG.values(), ids=WRONG)
def test_a_wrong_option_fails_when_the_evaluator_is_built(case, create):
    options, option, text = case
    with pytest.raises(OptionError) as caught:
        create(**options)
    assert caught.value.option == option and text in str(caught.value)


def test_a_graph_evaluator_checks_its_mode():
    with pytest.raises(OptionError, match="'sub' is no mode"):
        create_graph_trajectory_match_evaluator(trajectory_match_mode="sub")


def test_a_function_that_raises_is_reported_with_its_tool():
    with pytest.raises(RuleError, match="'a'"):
        passes("strict", run(x), run(a), a=lambda actual, expected: expected["x"])


INPUTS = {
    "a list": [says(x)],
    "a tuple": (says(x),),
    "a dict with messages": {"messages": [says(x)]},
    "a dict with messages and more": {"messages": [says(x)], "llm_calls": 1},
    "a dict with one message": {"messages": says(x)},
    "one message": says(x),
    "LangChain messages": [AIMessage("", tool_calls=[{"name": "a", "args": {"x": 1}, "id": "1"}])],
    "a state": {"messages": [AIMessage("", tool_calls=[{"name": "a", "args": {"x": 1}, "id": "1"}])]},
    "one LangChain message": AIMessage("", tool_calls=[{"name": "a", "args": {"x": 1}, "id": "1"}]),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("history", INPUTS.values(), ids=INPUTS)
def test_what_goes_in_on_either_side(history, mode):
    assert passes(mode, history, [says(x)]) and passes(mode, [says(x)], history)
    assert not passes("strict", history, [says(a)]) and not passes("strict", [says(a)], history)


def test_arguments_without_a_json_type_are_compared():
    made = AIMessage("", tool_calls=[{"name": "a", "args": {"on": date(2026, 1, 2)}, "id": "1"}])
    assert passes("strict", [made], [says(call("a", on="2026-01-02"))])


REFUSED = {
    "None": (None, "got None"),
    "no messages": ({"messages": None}, "got None"),
    "a failed target": ({"output": None}, "got None"),
    "an empty dict": ({}, "message 0"),
    "text": ("Hello.", "a list of messages, got str"),
    "a name": (["a"], "names of tools are an expectation"),
    "a message that hides its call": (
        [{"role": "assistant", "content": "", "toolCalls": [{"name": "a", "args": {}}]}],
        "calls under the unknown key 'toolCalls'",
    ),
}


@pytest.mark.parametrize("side", ["outputs", "reference_outputs"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_what_is_missing_or_unreadable_is_an_error(case, mode, side):
    given, text = case
    evaluator = create_trajectory_match_evaluator(trajectory_match_mode=mode)
    with pytest.raises(ConversionError) as caught:
        evaluator(**{"outputs": [], "reference_outputs": [], side: given})
    assert str(caught.value).startswith(f"{side}: ") and text in str(caught.value)


def test_arguments_that_are_no_json_differ_and_raise_nothing():
    cut = {"role": "assistant", "tool_calls": [{"function": {"name": "a", "arguments": '{"x": 1'}}]}
    assert not passes("strict", [cut], [says(x)])
    assert passes("strict", [cut], [says(x)], "ignore")


HIDDEN = {
    "a content block": {"role": "ai", "content": [{"type": "tool_call", "name": "b", "args": {}, "id": "1"}]},
    "a legacy call": {"role": "assistant", "content": None, "function_call": {"name": "b", "arguments": "{}"}},
    "messages_to_dict": {
        "type": "ai",
        "data": {"content": "", "tool_calls": [{"name": "b", "args": {}, "id": "1", "type": "tool_call"}]},
    },
    "an invalid call": AIMessage(
        "", invalid_tool_calls=[{"name": "b", "args": "{", "id": "1", "error": None, "type": "invalid_tool_call"}]
    ),
    "a native call": {
        "role": "assistant",
        "content": [{"type": "server_tool_use", "id": "1", "name": "b", "input": {}}],
    },
}


@pytest.mark.parametrize("message", HIDDEN.values(), ids=HIDDEN)
def test_a_call_is_seen_wherever_a_message_holds_it(message):
    assert not passes("subset", [message], [says(a)])
    assert not passes("subset", [message], [{"role": "assistant", "content": "Done."}])


def offers(price, text="Returning structured response: ..."):
    return [
        HumanMessage("How much?"),
        AIMessage("", tool_calls=[{"name": "Offer", "args": {"price": price}, "id": "1"}]),
        ToolMessage(text, tool_call_id="1", name="Offer"),
    ]


@pytest.mark.parametrize("mode", MODES)
def test_structured_output_is_a_call_like_all_others(mode):
    assert passes(mode, offers(40), offers(40))
    assert passes(mode, offers(40), offers(40, "ok")) and passes(mode, offers(40, "ok"), offers(40))
    assert not passes(mode, offers(40), offers(30))


def test_a_call_beside_structured_output_is_kept():
    both = AIMessage("", tool_calls=[*offers(40)[1].tool_calls, {"name": "a", "args": {}, "id": "2"}])
    history = [HumanMessage("How much?"), both, offers(40)[2]]
    assert passes("strict", history, history)
    assert not passes("subset", history, offers(40))


def test_a_system_message_of_langchain_counts():
    assert not passes("strict", [SystemMessage("Be brief."), HumanMessage("Hi")], [HumanMessage("Hi")])


def test_the_sides_are_given_by_keyword():
    evaluator = create_trajectory_match_evaluator()
    with pytest.raises(TypeError):
        evaluator([], [])
    with pytest.raises(TypeError):
        evaluator(outputs=[])


def test_what_a_harness_hands_over_beside_the_sides_is_ignored():
    more = {"inputs": {"question": "Hi"}, "run": object(), "example": object(), "attachments": {}}
    assert create_trajectory_match_evaluator()(outputs=[], reference_outputs=[], **more)["score"] is True
    assert graph_trajectory_strict_match(outputs={"steps": []}, reference_outputs={"steps": []}, **more)["score"]


def test_langsmith_takes_an_evaluator():
    evaluator = DynamicRunEvaluator(create_trajectory_match_evaluator())
    outputs, reference = {"messages": run(a)}, {"messages": run(b)}
    tree = RunTree(name="target", inputs={}, outputs=outputs, client=Client(api_key="none", auto_batch_tracing=False))
    example = Example(id=uuid4(), inputs={}, outputs=reference)
    found = evaluator.evaluate_run(tree, example)
    assert (found.key, found.score) == ("trajectory_strict_match", False)
    assert found.comment.startswith("strict: FAIL")


@pytest.mark.parametrize(
    "option", ["trajectory_match_mode", "tool_args_match_mode", "tool_args_match_overrides", "feedback_key"]
)
def test_an_option_that_comes_too_late_is_an_error(option):
    with pytest.raises(OptionError, match=f"{option} has no effect on an evaluator that is built") as caught:
        create_trajectory_match_evaluator()(outputs=[], reference_outputs=[], **{option: "ignore"})
    assert (caught.value.option, caught.value.value) == (option, "ignore")


def test_an_async_evaluator_gives_what_the_other_gives():
    options = {"trajectory_match_mode": "superset", "tool_args_match_mode": "ignore"}
    sides = {"outputs": run(a, x), "reference_outputs": run(xy)}
    awaited = asyncio.run(create_async_trajectory_match_evaluator(**options)(**sides, inputs="Hi"))
    assert awaited == create_trajectory_match_evaluator(**options)(**sides)
    assert awaited["score"] is True


@given(HISTORIES, HISTORIES, st.sampled_from(MODES), st.sampled_from(["exact", "ignore", "subset", "superset"]))
def test_the_verdict_is_that_of_match_and_nothing_is_changed(outputs, reference, mode, rule):
    before = copy.deepcopy((outputs, reference))
    roles = {"ignore_roles": ()} if mode == "strict" else {}
    assert passes(mode, outputs, reference, rule) is match(outputs, reference, mode=mode, args=rule, **roles).passed
    assert (outputs, reference) == before


GRAPHS = {  # strict, unordered, subset, superset
    "the same": ([["a", "b"], ["a"]], [["a", "b"], ["a"]], "TTTT"),
    "another order in a step": ([["b", "a"]], [["a", "b"]], "FTTT"),
    "cut into steps elsewhere": ([["a", "b"], ["a"]], [["a"], ["b", "a"]], "FTTT"),
    "steps in another order": ([["a"], ["b"]], [["b"], ["a"]], "FTTT"),
    "an extra node": ([["a", "b", "a"]], [["a", "b"]], "FFFT"),
    "a missing node": ([["a"]], [["a", "b"]], "FFTF"),
    "another node": ([["a"]], [["c"]], "FFFF"),
    "a step without nodes": ([["a"], []], [["a"]], "FTTT"),
    "a node of a subgraph": ([["sub:a"]], [["a"]], "FFFF"),
    "tuples": ((("a", "b"),), [["a", "b"]], "TTTT"),
    "nothing": ([], [], "TTTT"),
}


@pytest.mark.parametrize("case", GRAPHS.values(), ids=GRAPHS)
def test_the_verdict_on_graphs_in_each_mode(case):
    steps, reference, verdicts = case
    sides = {
        "outputs": {"inputs": [], "results": [{}], "steps": steps},
        "reference_outputs": {"results": [], "steps": reference},
    }
    evaluators = [create_graph_trajectory_match_evaluator(trajectory_match_mode=mode) for mode in MODES]
    assert "".join("FT"[evaluator(**sides)["score"]] for evaluator in evaluators) == verdicts
    assert graph_trajectory_strict_match(**sides) == evaluators[0](**sides)
    for mode, evaluator in zip(MODES, evaluators, strict=True):
        awaited = create_async_graph_trajectory_match_evaluator(trajectory_match_mode=mode)
        assert asyncio.run(awaited(**sides)) == evaluator(**sides)
    assert asyncio.run(graph_trajectory_strict_match_async(**sides)) == evaluators[0](**sides)


def test_a_graph_evaluator_says_which_nodes_differ():
    result = graph_trajectory_strict_match(
        outputs={"steps": [["agent", "tools"]]}, reference_outputs={"steps": [["agent"]]}
    )
    assert result == {
        "key": "graph_trajectory_strict_match",
        "score": False,
        "comment": "strict: FAIL; messages: 2 paired, 1 extra; calls: 1 paired, 1 extra; extra actual[1] tools",
        "metadata": None,
    }


def test_a_step_is_a_turn_and_a_node_a_response_with_one_call():
    thread = {"inputs": [], "outputs": {"inputs": [], "results": [], "steps": [["a", "b"], ["c"]]}}
    read = graph_trajectory(thread)
    assert read == graph_trajectory(thread["outputs"])
    assert [[made.name for made in turn.calls] for turn in read.turns] == [["a", "b"], ["c"]]
    assert read.messages[:2] == (Message("user"), Message("assistant", None, [ToolCall("a")]))
    assert match(read, ["a", "c"], mode="in_order", allow_extra=True)


NO_GRAPH = {
    "None": (None, None, "a mapping whose 'steps' are lists of names, got None"),
    "no steps": ({"results": []}, None, "got {'results': []}"),
    "a list": ([["a"]], None, "a mapping whose 'steps'"),
    "text for steps": ({"steps": "ab"}, None, "a mapping whose 'steps'"),
    "a node for a step": ({"steps": [["a"], "b"]}, 1, "step 1: a step is a list of names of nodes"),
    "a node that is no name": ({"steps": [["a", ["b"]]]}, 0, "got ['a', ['b']]"),
    "an empty name": ({"steps": [[""]]}, 0, "step 0"),
}


@pytest.mark.parametrize("case", NO_GRAPH.values(), ids=NO_GRAPH)
def test_what_is_no_graph_is_an_error(case):
    graph, index, text = case
    with pytest.raises(ConversionError) as caught:
        graph_trajectory_strict_match(outputs=graph, reference_outputs={"steps": []})
    assert caught.value.index == index
    assert str(caught.value).startswith("outputs: ") and text in str(caught.value)


def test_the_keys_that_were_seen_are_a_fact_of_the_error():
    with pytest.raises(ConversionError) as caught:
        graph_trajectory({"results": [], "nodes": []})
    assert caught.value.keys == ("results", "nodes")


STEPS = st.lists(st.lists(st.sampled_from("ab"), max_size=3), max_size=3)


@given(STEPS, STEPS)
def test_graphs_match_strictly_where_their_steps_are_equal(steps, reference):
    score = graph_trajectory_strict_match(outputs={"steps": steps}, reference_outputs={"steps": reference})["score"]
    assert score is (steps == reference)


# --- structures -----------------------------------------------------------------------------------

ROUTE = seq(call("search"), optional("look"), one_of("pay", "redeem"))
WHOLES = {
    "a structure": (ROUTE, [True, False]),
    "one as data": ({"seq": ["search", {"optional": "look"}, {"one_of": ["pay", "redeem"]}]}, [True, False]),
    "whole references": (any_of(run(call("x")), run(call("search"), call("redeem"))), [True, False]),
    "whole references as data": ({"any_of": [run(call("x")), {"messages": run(call("search"))}]}, [False, True]),
    "references and structures": ({"any_of": [run(call("search")), ROUTE]}, [True, True]),
}


@pytest.mark.parametrize(("reference", "scores"), WHOLES.values(), ids=WHOLES)
def test_a_reference_may_be_a_structure_or_several_references(reference, scores):
    evaluator = create_trajectory_match_evaluator()
    runs = run(call("search"), call("redeem")), run(call("search"))
    assert [evaluator(outputs=each, reference_outputs=reference)["score"] for each in runs] == scores


def test_structured_output_counts_like_all_calls_beside_a_structure():
    outputs = Trajectory([Message("assistant", None, [ToolCall("answer", {}, kind="output")])])
    assert create_trajectory_match_evaluator()(outputs=outputs, reference_outputs=seq("answer"))["score"]


def test_the_nodes_of_a_graph_may_be_a_structure():
    graph = {"steps": [["agent", "tools"], ["agent"]]}
    reference = seq("agent", optional("tools"), "agent")
    assert graph_trajectory_strict_match(outputs=graph, reference_outputs=reference)["score"]
    assert not graph_trajectory_strict_match(outputs={"steps": [["tools"]]}, reference_outputs=reference)["score"]


def test_a_mode_beside_a_structure_is_refused():
    evaluator = create_trajectory_match_evaluator(trajectory_match_mode="subset")
    with pytest.raises(OptionError, match="trajectory_match_mode has no effect beside a structure") as raised:
        evaluator(outputs=run(), reference_outputs=ROUTE)
    assert (raised.value.option, raised.value.value) == ("trajectory_match_mode", "subset")


def test_a_structure_that_cannot_be_read_is_named_by_its_side():
    with pytest.raises(ConversionError, match=r"reference_outputs: .*there is nothing to choose from"):
        create_trajectory_match_evaluator()(outputs=run(), reference_outputs={"one_of": []})

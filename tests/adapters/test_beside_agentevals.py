"""The evaluators beside those of agentevals itself, which the extra `bench` installs.

`pytest tests/adapters/test_beside_agentevals.py` runs them alone.
"""

import copy
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmatch_adapters import agentevals as ours

os.environ |= {"LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": "false"}
theirs = pytest.importorskip(
    "agentevals.trajectory.match", reason="agentevals is not installed: pip install '.[bench]'"
)
graphs = pytest.importorskip("agentevals.graph_trajectory.strict")

MODES = ["strict", "unordered", "subset", "superset"]
RULES = ["exact", "ignore", "subset", "superset"]
VALUES = st.integers(0, 1) | st.sampled_from(["x", None])  # no bool, which Python equates with a number
ARGUMENTS = st.dictionaries(st.sampled_from("xy"), VALUES, max_size=2)


def wire(name, arguments):
    return {"function": {"name": name, "arguments": json.dumps(arguments)}, "id": name, "type": "function"}


def says(*calls):
    return {"role": "assistant", "content": "", "tool_calls": list(calls)}


def answers(*calls):
    return [{"role": "tool", "tool_call_id": made["id"], "content": "ok"} for made in calls]


TEXTS = st.sampled_from(["system", "user", "assistant"]).map(lambda role: [{"role": role, "content": role}])
CALLS = st.builds(wire, st.sampled_from("ab"), ARGUMENTS)
BATCHES = st.lists(CALLS, min_size=1, max_size=3).map(lambda calls: [says(*calls), *answers(*calls)])
RUNS = st.lists(TEXTS | BATCHES, max_size=4)
ONE_CALL_A_TOOL = st.dictionaries(st.sampled_from("abc"), ARGUMENTS).map(
    lambda made: [[says(wire(*each)), *answers(wire(*each))] for each in made.items()]
)


def joined(parts):
    return [message for part in parts for message in part]


def pairs(runs):
    """Two runs: any two, one twice, or one and its parts in another order."""
    alike = runs.flatmap(lambda parts: st.tuples(st.just(parts), st.permutations(parts)))
    return st.one_of(st.tuples(runs, runs), runs.map(lambda run: (run, run)), alike).map(
        lambda both: (joined(both[0]), joined(both[1]))
    )


def score(package, mode, rule, outputs, reference, overrides=None):
    evaluator = package.create_trajectory_match_evaluator(
        trajectory_match_mode=mode, tool_args_match_mode=rule, tool_args_match_overrides=overrides
    )
    sides = copy.deepcopy({"outputs": outputs, "reference_outputs": reference})
    return evaluator(**sides)["score"]


def agree(outputs, reference, mode, rule, overrides=None):
    arguments = (mode, rule, outputs, reference, overrides)
    return score(ours, *arguments) is score(theirs, *arguments)


def test_the_results_have_the_same_keys():
    results = [
        package.create_trajectory_match_evaluator()(outputs=[], reference_outputs=[]) for package in (ours, theirs)
    ]
    assert {**results[0], "comment": None} == results[1]


@given(pairs(RUNS), st.sampled_from(MODES), st.sampled_from(["exact", "ignore"]))
def test_the_verdicts_agree_where_equal_arguments_are_asked_for_or_none(both, mode, rule):
    assert agree(*both, mode, rule)


@given(pairs(RUNS), st.sampled_from(MODES), st.sampled_from(["exact", "ignore"]))
def test_the_verdicts_agree_with_an_override_by_name(both, mode, rule):
    assert agree(*both, mode, "exact", {"a": rule})


@given(pairs(ONE_CALL_A_TOOL), st.sampled_from(["strict", "superset"]), st.sampled_from(RULES))
def test_the_verdicts_agree_where_a_tool_is_called_once_and_the_direction_is_not_swapped(both, mode, rule):
    assert agree(*both, mode, rule)


FLIPPED = {"subset": "superset", "superset": "subset"}


@given(pairs(ONE_CALL_A_TOOL), st.sampled_from([*FLIPPED]))
def test_in_subset_the_rule_of_agentevals_is_the_other_one_here(both, rule):
    assert score(theirs, "subset", rule, *both) is score(ours, "subset", FLIPPED[rule], *both)


@given(pairs(ONE_CALL_A_TOOL), st.sampled_from([*FLIPPED]))
def test_in_unordered_both_rules_of_agentevals_mean_exact(both, rule):
    assert score(theirs, "unordered", rule, *both) is score(ours, "unordered", "exact", *both)


STEPS = st.lists(st.lists(st.sampled_from("ab"), max_size=3), max_size=3).map(
    lambda steps: {"inputs": [], "results": [], "steps": steps}
)


@given(STEPS, STEPS)
def test_graphs_get_the_same_verdict(outputs, reference):
    results = [
        match(outputs=outputs, reference_outputs=reference)
        for match in (ours.graph_trajectory_strict_match, graphs.graph_trajectory_strict_match)
    ]
    assert {**results[0], "comment": None} == results[1]


def run(*calls):
    return [{"role": "user", "content": "go"}, says(*calls)]


X, XY = wire("a", {"x": 1}), wire("a", {"x": 1, "y": 2})
DIFFERENT = {  # what docs/agentevals.md says of both
    "the direction in subset": (("subset", "subset", run(XY), run(X)), True, False),
    "the direction in subset, the other rule": (("subset", "superset", run(XY), run(X)), False, True),
    "the direction in unordered": (("unordered", "superset", run(XY), run(X)), False, True),
    "the first fit": (("superset", "superset", run(XY, X), run(X, XY)), False, True),
    "true and 1": (("strict", "exact", run(wire("a", {"x": True})), run(X)), True, False),
    "a path that is null on one side": (
        ("strict", "exact", run(wire("a", {})), run(wire("a", {"x": None})), {"a": ["x"]}),
        True,
        False,
    ),
    "a path into a list": (
        ("strict", "exact", run(wire("a", {"x": [1]})), run(wire("a", {"x": [2]})), {"a": ["x.0"]}),
        True,
        False,
    ),
    "a content block": (
        ("subset", "exact", [{"role": "ai", "content": [{"type": "tool_call", "name": "b", "args": {}}]}], []),
        True,
        False,
    ),
    "developer and system": (
        ("strict", "exact", [{"role": "developer", "content": "x"}], [{"role": "system", "content": "x"}]),
        False,
        True,
    ),
}


@pytest.mark.parametrize("case", DIFFERENT.values(), ids=DIFFERENT)
def test_the_verdicts_differ_where_the_page_says_so(case):
    arguments, of_agentevals, of_this_library = case
    assert (score(theirs, *arguments), score(ours, *arguments)) == (of_agentevals, of_this_library)


@pytest.mark.parametrize("mode", MODES)
def test_a_missing_run_passes_there_and_is_an_error_here(mode):
    assert score(theirs, mode, "exact", None, []) is True
    with pytest.raises(ValueError, match="outputs: a history is missing"):
        score(ours, mode, "exact", None, [])


def test_an_override_with_a_typo_means_ignore_there_and_is_an_error_here():
    arguments = ("strict", "exact", run(wire("a", {"x": 2})), run(X), {"a": "exat"})
    assert score(theirs, *arguments) is True
    with pytest.raises(ValueError, match="did you mean 'exact'"):
        score(ours, *arguments)

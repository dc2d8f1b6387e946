"""The edit script: what became of each call, in order, and what it costs."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import CALLS, HISTORIES, OPEN, history
from trajmatch import ToolCall, call, forbidden, match, optional, seq


def run(names):
    return [call(name) for name in names]


def went(name, status, **arguments):
    return ToolCall(name, arguments, status=status)


AGAIN = [
    went("a", "failed", x=1),
    went("a", "succeeded", x=1),
    went("b", "succeeded"),
    went("b", "succeeded"),
    went("a", "interrupted", x=1),
]
SCRIPTS = {
    "nothing": ("ab", ["a", "b"], {"mode": "in_order"}, []),
    "all at once": (
        [call("s"), call("look"), call("pay", amount=20), call("x")],
        ["s", call("pay", amount=10), "mail"],
        {"mode": "in_order"},
        [("extra", 1, None, "1/7"), ("near miss", 2, 1, "2/7"), ("missing", None, 2, "1/7"), ("extra", 3, None, "1/7")],
    ),
    "moved": ("ba", ["a", "b"], {"mode": "in_order"}, [("moved", 0, 1, "1/2")]),
    "in any order nothing moves": ("ba", ["a", "b"], {"mode": "any_order"}, []),
    "in any order the extra ones are last": (
        "xby",
        ["a", "b"],
        {"mode": "any_order"},
        [("missing", None, 0, "1/5"), ("extra", 0, None, "1/5"), ("extra", 2, None, "1/5")],
    ),
    "recall": (
        "xb",
        ["a", "b"],
        {"mode": "in_order", "allow_extra": True},
        [("missing", None, 0, "1/2"), ("extra", 0, None, "0")],
    ),
    "precision": (
        "xb",
        ["a", "b"],
        {"mode": "in_order", "allow_missing": True},
        [("missing", None, 0, "0"), ("extra", 0, None, "1/2")],
    ),
    "recall of nothing": ("x", [], {"mode": "in_order", "allow_extra": True}, [("extra", 0, None, "0")]),
    "precision of nothing": ("", ["a"], {"mode": "in_order", "allow_missing": True}, [("missing", None, 0, "0")]),
    "exact has no costs": ("b", ["a", "b"], {}, [("missing", None, 0, None)]),
    "strict": (
        history([run("ab"), run("c")]),
        history([run("a"), run("cb")]),
        {"mode": "strict"},
        [("moved", 0, 0, None), ("moved", 2, 1, None), ("moved", 1, 2, None)],
    ),
    "retried": (
        AGAIN,
        [call("a", x=1), "b"],
        {"mode": "in_order"},
        [("retried", 1, None, "1/7"), ("extra", 3, None, "1/7"), ("retried", 4, None, "1/7")],
    ),
    "forbidden": (
        AGAIN,
        seq("a", forbidden("b"), optional("c")),
        {},
        [
            ("retried", 1, None, "1/6"),
            ("forbidden", 2, None, "1/6"),
            ("forbidden", 3, None, "1/6"),
            ("retried", 4, None, "1/6"),
        ],
    ),
}


@pytest.mark.parametrize(("actual", "expected", "options", "edits"), SCRIPTS.values(), ids=SCRIPTS)
def test_edits_with_their_costs(actual, expected, options, edits):
    result = match(run(actual) if isinstance(actual, str) else actual, expected, **options)
    found = [
        (edit.kind, edit.actual_index, edit.expected_index, edit.cost if edit.cost is None else str(edit.cost))
        for edit in result.edits
    ]
    assert found == edits


def test_an_edit_holds_its_calls():
    result = match([call("pay", amount=20)], [call("pay", amount=10), "mail"], mode="in_order")
    near, missing = result.edits
    assert (near.actual, near.expected) == (call("pay", amount=20), call("pay", amount=10))
    assert (missing.actual, missing.expected) == (None, ToolCall("mail"))
    assert result.to_dict()["edits"] == [
        {"kind": "near miss", "actual": 0, "expected": 0, "cost": 2 / 3},
        {"kind": "missing", "expected": 1, "cost": 1 / 3},
    ]


def test_an_edit_that_costs_nothing_is_written_with_0():
    result = match(run("ab"), ["a"], mode="in_order", allow_extra=True)
    assert json.loads(result.to_json())["edits"] == [{"kind": "extra", "actual": 1, "cost": 0.0}]


def test_an_edit_without_a_cost_is_written_without_one():
    assert match(run("b"), []).to_dict()["edits"] == [{"kind": "extra", "actual": 0}]


RETRIES = {
    "after a failure": ([went("a", "failed"), went("a", "succeeded")], ["retried", "retried"]),
    "after a retry": ([went("a", "retried"), went("a", "succeeded")], ["retried", "retried"]),
    "before": ([went("x", "failed"), went("a", "failed"), went("a", "failed")], ["extra", "retried", "retried"]),
    "between": ([went("a", "failed"), went("b", "succeeded"), went("a", None)], ["retried", "extra", "retried"]),
    "both succeeded": ([went("a", "succeeded"), went("a", "succeeded")], ["extra", "extra"]),
    "a denied call was not tried": ([went("a", "denied"), went("a", "succeeded")], ["extra", "extra"]),
    "other arguments": ([went("a", "failed", x=1), went("a", "succeeded", x=2)], ["extra", "extra"]),
    "the same as JSON": ([went("a", "failed", x=1), went("a", "succeeded", x=1.0)], ["retried", "retried"]),
    "another tool": ([went("a", "failed"), went("b", "succeeded")], ["extra", "extra"]),
    "text that is no object": (
        [ToolCall("a", "[1", status="failed"), ToolCall("a", "[2", status="failed"), ToolCall("a", "[1")],
        ["retried", "extra", "retried"],
    ),
}


@pytest.mark.parametrize(("actual", "kinds"), RETRIES.values(), ids=RETRIES)
def test_what_is_retried(actual, kinds):
    assert [edit.kind for edit in match(actual, []).edits] == kinds


def test_aliases_count_for_a_retry():
    actual = [went("search_v2", "failed"), went("search", "succeeded")]
    result = match(actual, ["search"], aliases={"search_v2": "search"})
    assert [edit.kind for edit in result.edits] == ["retried"]


GRADED = st.sampled_from(
    [{"mode": mode, **more} for mode in ("in_order", "any_order") for more in ({}, {"allow_extra": True})]
    + [{"mode": "in_order", "allow_missing": True}]
)


@given(CALLS, OPEN, GRADED)
def test_the_costs_of_a_graded_score_add_up_to_what_it_lacks(actual, expected, options):
    result = match(actual, expected, **options)
    lacking = sum((edit.cost for edit in result.edits), Fraction(0))
    pairs = Fraction(len(result.pairs))
    whole = {"allow_extra": len(expected), "allow_missing": len(actual)}
    size = next((whole[name] for name in whole if name in options), None)
    if size is None:
        size, pairs = len(actual) + len(expected), 2 * pairs
    assert 1 - lacking == (pairs / size if size else 1)


@given(HISTORIES, HISTORIES, st.sampled_from(["exact", "strict", "unordered", "subset", "superset", "in_order"]))
def test_each_call_without_a_pair_is_in_one_edit(actual, expected, mode):
    result = match(actual, expected, mode=mode)
    for side, left in (("actual", result.extra), ("expected", result.missing)):
        seen = [edit for edit in result.edits if getattr(edit, f"{side}_index") is not None]
        assert len({getattr(edit, f"{side}_index") for edit in seen}) == len(seen) == len(left)

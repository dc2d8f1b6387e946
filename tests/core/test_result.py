"""The result: one value, from which everything is read."""

import json
import pickle
from operator import eq

import pytest
from hypothesis import given

from tests.strategies import CALLS, OPEN, history
from trajmatch import (
    CheckResult,
    Matcher,
    MatchFailure,
    Pair,
    ToolCall,
    Trajectory,
    TrajmatchError,
    assert_match,
    call,
    match,
)
from trajmatch._alignment import CallAlignment
from trajmatch._columns import Columns
from trajmatch._messages import MessageAlignment
from trajmatch._settings import Settings

ACTUAL = [call("a"), call("b", x=1), call("d", y=1)]
EXPECTED = ["a", call("b", x=2), "c"]


def test_a_result_holds_what_the_design_names():
    result = match(ACTUAL, EXPECTED, mode="in_order", threshold=0.3)
    assert (result.passed, result.score, result.mode) == (True, 1 / 3, "in_order")
    assert (result.precision, result.recall, result.f1) == (1 / 3, 1 / 3, 1 / 3)
    assert result.pairs == (Pair(ACTUAL[0], ToolCall("a"), 0, 0),)
    assert result.missing == (call("b", x=2), ToolCall("c"))
    assert result.extra == (call("b", x=1), call("d", y=1))
    assert bool(result) is True
    assert repr(result) == result.reason
    assert result.notes == ()


def test_a_result_as_json():
    result = match(ACTUAL, EXPECTED)
    assert json.loads(result.to_json()) == {
        "passed": False,
        "score": 0.0,
        "precision": 1 / 3,
        "recall": 1 / 3,
        "f1": 1 / 3,
        "graded": False,
        "mode": "exact",
        "signature": "mode:exact|args:exact|calls:all|semantics:1",
        "reason": "exact: FAIL; 1 paired, 1 near miss, 1 missing, 1 extra; actual[1] b for expected[1]: "
        "x: expected 2, got 1; missing expected[2] c; extra actual[2] d(y=1)",
        "pairs": [{"actual": 0, "expected": 0}],
        "moved": [],
        "near_misses": [
            {
                "actual": {"index": 1, "name": "b", "arguments": {"x": 1}},
                "expected": {"index": 1, "name": "b", "arguments": {"x": 2}},
                "differences": [{"path": ["x"], "text": "x", "actual": 1, "expected": 2}],
            }
        ],
        "missing": [{"index": 1, "name": "b", "arguments": {"x": 2}}, {"index": 2, "name": "c"}],
        "extra": [
            {"index": 1, "name": "b", "arguments": {"x": 1}},
            {"index": 2, "name": "d", "arguments": {"y": 1}},
        ],
        "forbidden": [],
        "chosen": None,
        "turns": [],
        "edits": [
            {"kind": "near miss", "actual": 1, "expected": 1},
            {"kind": "missing", "expected": 2},
            {"kind": "extra", "actual": 2},
        ],
        "notes": [],
        "picture": result.picture.to_dict(),
    }


def test_an_absent_value_is_left_out_of_the_json_and_a_matcher_is_shown_as_written():
    result = match([call("f", a=1)], [call("f", b=pytest.approx(2))], args="superset")
    assert result.to_dict()["near_misses"][0]["differences"] == [
        {"path": ["b"], "text": "b", "expected": repr(pytest.approx(2))}
    ]


def test_moved_calls_are_in_the_json():
    assert match([call("b"), call("a")], ["a", "b"]).to_dict()["moved"] == [{"actual": 0, "expected": 1}]


@given(actual=CALLS, expected=OPEN)
def test_a_call_is_paired_or_left_over_and_then_in_one_view_at_most(actual, expected):
    found = match(actual, expected, mode="in_order").to_dict()
    left = {item["index"] for item in found["missing"]}
    views = [item["expected"] for item in found["moved"]] + [n["expected"]["index"] for n in found["near_misses"]]
    assert len(views) == len({*views}) and {*views} <= left
    seen = [*left, *(item["expected"] for item in found["pairs"])]
    assert sorted(seen) == [*range(len(expected))]


@given(actual=CALLS, expected=OPEN)
def test_the_score_can_be_recomputed_from_the_reason(actual, expected):
    result = match(actual, expected, mode="any_order")
    formula = result.reason.split(" = ")[1].split(";")[0]
    assert result.score == (eval(formula) if formula != "nothing to compare" else 1.0)


DEEP = {"k": 1}
for _ in range(3000):
    DEEP = {"k": DEEP}


@pytest.mark.parametrize("value", [DEEP, 10**5000, object(), "\ud800"], ids=["deep", "huge", "object", "surrogate"])
def test_values_that_json_cannot_hold_are_shown_as_text(value):
    result = match([call("f", x=value), call("g", y=value)], [call("f", x=2), call("h", y=value)])
    assert json.loads(result.to_json())["passed"] is False
    assert result.render()


@pytest.mark.parametrize("options", [{}, {"args": ["x"], "overrides": {"f": "subset"}, "calls": "all"}, {"args": eq}])
def test_matchers_and_results_can_be_sent_to_another_process(options):
    matcher = pickle.loads(pickle.dumps(Matcher(**options)))
    result = pickle.loads(pickle.dumps(matcher(history([[call("a")]]), ["a"])))
    assert (result.passed, result.signature) == (True, Matcher(**options).signature)


ERRORS = {
    "conversion": lambda: match([], None),
    "option": lambda: match([], [], mode="exat"),
    "rule": lambda: match([call("a")], [call("a")], args=lambda a, e: 1),
    "failure": lambda: assert_match([], ["a"]),
}


@pytest.mark.parametrize("raises", ERRORS.values(), ids=ERRORS)
def test_errors_can_be_sent_to_another_process(raises):
    with pytest.raises(TrajmatchError) as caught:
        raises()
    received = pickle.loads(pickle.dumps(caught.value))
    assert (type(received), str(received)) == (type(caught.value), str(caught.value))
    assert received.__dict__.keys() == caught.value.__dict__.keys()


def test_near_misses_of_a_crowd_are_found_in_order():
    actual, expected = [call("f", x=n) for n in range(300)], [call("f", x=-n - 1) for n in range(201)]
    assert len(match(actual, expected).to_dict()["near_misses"]) == 201


def test_an_assertion_passes_silently():
    assert assert_match(ACTUAL, ["a", "b", "d"]) is None


def test_an_assertion_that_fails_shows_the_picture_and_holds_the_result():
    with pytest.raises(AssertionError) as caught:
        assert_match(ACTUAL, EXPECTED)
    assert isinstance(caught.value, MatchFailure)
    assert str(caught.value) == caught.value.result.render()


def test_a_matcher_prints_as_it_was_written_and_serves_many_runs():
    matcher = Matcher(mode="superset", args="ignore")
    assert repr(matcher) == "Matcher(mode='superset', args='ignore')"
    assert [matcher(ACTUAL, names).passed for names in (["b"], ["z"])] == [True, False]


def test_notes_of_the_formats_are_shown_where_statuses_decide():
    run = Trajectory.from_calls([ToolCall("a", {}, status="succeeded")])
    noted = Trajectory(calls=run.calls, notes=["ids are missing"])
    assert match(noted, noted, calls="succeeded").notes == ("actual: ids are missing", "expected: ids are missing")
    assert match(noted, noted).notes == ()


ALL = [call("a", x=1), call("b", y=[2]), call("a", x=2)]


@pytest.mark.parametrize("mode", ["exact", "strict", "unordered", "subset", "superset", "in_order", "any_order"])
def test_the_reason_of_a_match_that_leaves_nothing_over_makes_no_call_and_no_pair(monkeypatch, mode):
    for kind, lazy in [(Columns, "calls"), (Columns, "joined"), (CallAlignment, "pairs"), (MessageAlignment, "pairs")]:
        if mode != "strict" or lazy != "joined":  # which reads the messages anyway
            monkeypatch.setattr(kind, lazy, None)
    one, other = history([ALL]), history([[ToolCall(c.name, json.dumps(c.arguments, indent=1)) for c in ALL]])
    assert [match(one, run, mode=mode).reason.split("; ")[-1] for run in (one, other)] == [
        "calls: 3 paired" if mode == "strict" else "3 paired"
    ] * 2


def test_a_signature_is_written_once(monkeypatch):
    matcher = Matcher(mode="unordered")
    first = matcher([], []).signature
    monkeypatch.setattr(Settings, "signature_with", None)
    assert matcher(ACTUAL, EXPECTED).signature is matcher.signature is first


def test_an_ignored_role_that_occurs_nowhere_is_a_note():
    result = match([{"role": "user", "content": "x"}], [], mode="strict", ignore_roles=["user", "critic"])
    assert result.notes == ("the role 'critic' in ignore_roles occurs on neither side",)


def test_a_check_is_true_where_it_passed_and_shown_as_its_reason():
    result = CheckResult("check", False, "no")
    assert (bool(result), result.passed, repr(result), result.to_dict()) == (
        False,
        False,
        "check: FAIL; no",
        {"passed": False, "reason": "check: FAIL; no"},
    )

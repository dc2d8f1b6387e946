"""The laws that hold between modes, rules and options, as properties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import CALLS, HISTORIES, OPEN
from trajmatch import Trajectory, call, check_forbidden, match, to_trajectory

RULES = ["exact", "ignore", "subset", "superset", ["x"]]
CALL_MODES = ["exact", "unordered", "subset", "superset", "in_order", "any_order"]
LOOSER_MODES = [
    ("exact", "in_order"),
    ("in_order", "any_order"),
    ("exact", "unordered"),
    ("unordered", "subset"),
    ("unordered", "superset"),
]
LOOSER_RULES = [("exact", "subset"), ("exact", "superset"), ("subset", "ignore"), ("superset", "ignore")]


@pytest.mark.parametrize(("strict", "loose"), LOOSER_MODES)
@given(actual=CALLS, expected=OPEN, args=st.sampled_from(RULES))
def test_a_looser_mode_never_lowers_a_score(strict, loose, actual, expected, args):
    assert match(actual, expected, mode=strict, args=args).score <= match(actual, expected, mode=loose, args=args).score


@given(actual=HISTORIES, expected=HISTORIES, args=st.sampled_from(RULES))
def test_what_passes_strict_passes_unordered(actual, expected, args):
    strict = match(actual, expected, mode="strict", args=args)
    assert strict.score <= match(actual, expected, mode="unordered", args=args).score


@pytest.mark.parametrize(("strict", "loose"), LOOSER_RULES)
@given(actual=CALLS, expected=OPEN, mode=st.sampled_from(CALL_MODES))
def test_a_looser_rule_never_lowers_a_score(strict, loose, actual, expected, mode):
    assert match(actual, expected, mode=mode, args=strict).score <= match(actual, expected, mode=mode, args=loose).score


@given(actual=CALLS, expected=OPEN, allow=st.sampled_from(["allow_extra", "allow_missing"]))
def test_what_passes_goes_on_passing_when_more_is_allowed(actual, expected, allow):
    for mode in ("in_order", "any_order"):
        assert match(actual, expected, mode=mode).passed <= match(actual, expected, mode=mode, **{allow: True}).passed


@pytest.mark.parametrize("mode", ["unordered", "subset", "superset", "any_order"])
@given(data=st.data(), actual=CALLS, expected=OPEN, args=st.sampled_from(RULES))
def test_the_order_of_either_side_changes_no_order_free_score(mode, data, actual, expected, args):
    shuffled = data.draw(st.permutations(actual)), data.draw(st.permutations(expected))
    assert match(actual, expected, mode=mode, args=args).score == match(*shuffled, mode=mode, args=args).score


@pytest.mark.parametrize("args", RULES, ids=str)
@pytest.mark.parametrize("mode", [*CALL_MODES, "strict"])
@given(run=HISTORIES)
def test_every_run_matches_itself(mode, args, run):
    assert match(run, run, mode=mode, args=args).score == 1.0


@given(actual=CALLS, expected=CALLS, rules=st.sampled_from([("subset", "superset"), ("exact", "exact")]))
def test_superset_is_subset_the_other_way_round(actual, expected, rules):
    superset = match(actual, expected, mode="superset", args=rules[0])
    assert superset.passed == match(expected, actual, mode="subset", args=rules[1]).passed


@given(actual=CALLS, expected=OPEN)
def test_superset_is_the_verdict_of_any_order_with_extras(actual, expected):
    graded = match(actual, expected, mode="any_order", allow_extra=True)
    assert graded.passed == match(actual, expected, mode="superset").passed
    assert graded.score == graded.recall


@given(actual=CALLS, expected=OPEN)
def test_subset_is_the_verdict_of_any_order_with_gaps(actual, expected):
    graded = match(actual, expected, mode="any_order", allow_missing=True)
    assert graded.passed == match(actual, expected, mode="subset").passed
    assert graded.score == graded.precision


@given(actual=CALLS, expected=OPEN, args=st.sampled_from(RULES))
def test_exact_is_position_by_position(actual, expected, args):
    pairs = zip(actual, expected, strict=False)
    by_position = len(actual) == len(expected) and all(match([a], [e], args=args).passed for a, e in pairs)
    assert match(actual, expected, args=args).passed == by_position


@given(actual=CALLS, forbidden=CALLS.filter(bool))
def test_a_forbidden_call_more_never_helps(actual, forbidden):
    before = check_forbidden(actual, forbidden).passed
    assert check_forbidden([*actual, forbidden[0]], forbidden).passed is False
    assert before >= check_forbidden([*actual, call("a")], forbidden).passed


@given(run=HISTORIES)
def test_a_run_matches_its_stored_form_strictly(run):
    stored = Trajectory.from_json(to_trajectory(run).to_json())
    assert match(stored, run, mode="strict")

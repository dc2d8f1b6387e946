"""What rows come to: counts, rates, divergence, and that parts add up in every order."""

import json
import math
import pickle
import random
from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.proportion import proportion_confint

from tests.batch.rows import ROWS
from trajmatch import ConversionError, OptionError
from trajmatch.batch import ResultRow, Summary


def scored(passed=True, score=1.0, group=None, *calls, **more):
    return ResultRow(passed=passed, score=score, group=group, calls=calls or None, **more)


def grouped(*runs):
    """The divergence of runs of one group, each written as its calls with spaces between them."""
    return Summary.of(ResultRow(group="g", calls=tuple(run.split())) for run in runs).groups["g"].divergence


ERROR = ResultRow(id="7", group="g", line=3, error="ConversionError", reason="no calls")
ROWS_OF_A_FILE = [
    scored(True, 1.0, "g", "a:1", signature="s"),
    scored(False, 0.5, "g", "b:1", signature="s", differences=("missing a", "extra b")),
    ERROR,
    scored(False, 0.25, "h", "a:1", signature="t", differences=("missing a",)),
    scored(True, 1.0, None, signature="s"),
]


def test_what_rows_come_to():
    summary = Summary.of(ROWS_OF_A_FILE)
    assert (summary.runs, summary.passed, summary.pass_rate, summary.mean_score) == (5, 2, 0.4, 0.55)
    assert (summary.errors, summary.signatures) == ({"ConversionError": 1}, ("s", "t"))
    assert summary.differences.most_common() == [("missing a", 2), ("extra b", 1)]
    assert repr(summary) == "<Summary: 2 of 5 passed, 2 groups>"


def test_what_the_rows_of_a_group_come_to():
    group = Summary.of(ROWS_OF_A_FILE).groups["g"]
    assert (group.runs, group.passed, group.pass_rate, group.mean_score) == (3, 1, 1 / 3, 0.5)
    assert (group.errors, group.signatures, str(group.divergence)) == (
        {"ConversionError": 1},
        ("s",),
        "[0] 1 a, 1 b",
    )


def test_an_error_counts_as_not_passed_with_a_score_of_0():
    summary = Summary.of([ERROR._replace(passed=True, score=1.0)])
    assert (summary.pass_rate, summary.mean_score) == (0.0, 0.0)


def test_there_is_no_rate_of_no_runs():
    nothing = Summary()
    assert (nothing.pass_rate, nothing.mean_score, nothing.wilson()) == (None, None, (0.0, 1.0))
    assert nothing.pass_hat(1).rate is None


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan, math.inf])
def test_a_score_that_is_none_is_an_error(score):
    summary = Summary()
    with pytest.raises(OptionError, match="rows: line 4: a score is from 0 to 1, got"):
        summary.add(ResultRow(line=4, passed=False, score=score))
    assert summary == Summary()


FREQUENT = {
    "a difference": (["missing a"], ["ValueError"], "0.250  missing a (1)"),
    "errors alone": ([], ["RuleError", "ValueError", "ValueError"], "0.125  ValueError (2)"),
    "nothing": ([], [], "0.500"),
}


@pytest.mark.parametrize(("differences", "errors", "text"), FREQUENT.values(), ids=FREQUENT)
def test_a_group_without_differences_shows_its_most_frequent_error(differences, errors, text):
    rows = [scored(False, 0.5, "g", differences=tuple(differences))]
    rows += [ResultRow(group="g", error=error) for error in errors]
    assert Summary.of(rows).render().endswith(f"0.000       {text}")


# --- parts add up


def split(rows, cuts):
    """The rows in parts, cut at these places."""
    at = [0, *sorted(cut % (len(rows) + 1) for cut in cuts), len(rows)]
    return [rows[start:stop] for start, stop in pairwise(at)]


@given(ROWS, st.lists(st.integers(0, 99), max_size=4), st.randoms(use_true_random=False))
def test_parts_are_merged_in_any_order_and_grouping(rows, cuts, chance):
    parts = [Summary.of(part) for part in split(rows, cuts)]
    while len(parts) > 1:
        one = parts.pop(chance.randrange(len(parts)))
        parts[chance.randrange(len(parts))].merge(one)
    assert parts[0] == Summary.of(rows)


@given(ROWS, ROWS, ROWS)
def test_merging_is_associative_and_commutative(a, b, c):
    def of(rows):
        return Summary.of(rows)

    assert of(a).merge(of(b)).merge(of(c)) == of(a).merge(of(b).merge(of(c))) == of(c).merge(of(a)).merge(of(b))


@given(ROWS, ROWS)
def test_what_is_merged_stays_as_it_is(a, b):
    one, other = Summary.of(a), Summary.of(b)
    one.merge(other).merge(Summary.of(a))
    for row in a:
        one.add(row)
    assert other == Summary.of(b)


@given(ROWS)
def test_a_summary_can_be_merged_with_itself_and_with_nothing(rows):
    summary = Summary.of(rows)
    assert summary.merge(summary) == Summary.of([*rows, *rows])
    assert Summary().merge(summary) == summary == summary.merge(Summary())


@given(ROWS)
def test_a_summary_is_stored_and_sent(rows):
    summary = Summary.of(rows)
    assert Summary.from_dict(json.loads(json.dumps(summary.to_dict()))) == summary
    assert pickle.loads(pickle.dumps(summary)) == summary


def listings(summary):
    groups = [(name, group.differences.most_common(), group.divergence.names) for name, group in summary.worst(9)]
    return json.dumps([summary.to_dict(), summary.differences.most_common(), summary.errors.most_common(), groups])


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_rows_is_seen_nowhere(rows, chance):
    mixed = chance.sample(rows, len(rows))
    assert listings(Summary.of(rows)) == listings(Summary.of(mixed))
    assert [Summary.of(rows).pass_hat(k) for k in (1, 2, 3)] == [Summary.of(mixed).pass_hat(k) for k in (1, 2, 3)]


def test_scores_are_added_exactly():
    scores = [random.Random(1).choice([0.1, 1 / 3, 2 / 7, 1.0, 0.0, 0.7]) for _ in range(1000)]
    exact = sum(map(Fraction, scores)) / len(scores)
    assert Summary.of(scored(score=score) for score in scores).mean_score == float(exact)


# --- against other sources


# Newcombe, Statistics in Medicine 17 (1998), table I, method 3
WILSON = {(81, 263): (0.2553, 0.3662), (15, 148): (0.0624, 0.1605), (0, 20): (0, 0.1611), (1, 29): (0.0061, 0.1718)}


@pytest.mark.parametrize(("counts", "interval"), WILSON.items(), ids=map(str, WILSON))
def test_the_interval_is_that_of_a_published_table(counts, interval):
    passed, runs = counts
    found = Summary.of(scored(at < passed) for at in range(runs)).wilson()
    assert found == pytest.approx(interval, abs=5e-5)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
def test_the_interval_is_that_of_statsmodels_and_scipy(confidence):
    for runs in (1, 2, 7, 40):
        for passed in range(runs + 1):
            found = Summary.of(scored(at < passed) for at in range(runs)).wilson(confidence)
            other = binomtest(passed, runs).proportion_ci(confidence, method="wilson")
            assert found == pytest.approx(proportion_confint(passed, runs, 1 - confidence, "wilson"), abs=1e-12)
            assert found == pytest.approx((other.low, other.high), abs=1e-12)
            assert 0 <= found[0] <= passed / runs <= found[1] <= 1


def test_the_interval_ends_where_rates_do():
    assert Summary.of([scored(False)] * 7).wilson()[0] == 0.0
    assert Summary.of([scored(True)] * 7).wilson()[1] == 1.0


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95, math.nan, None, True])
def test_a_confidence_is_between_0_and_1(confidence):
    with pytest.raises(OptionError, match=r"confidence: a number between 0 and 1, like 0\.95, got"):
        Summary().wilson(confidence)


def of_groups(groups):
    """A summary of groups, each as how many of its runs passed, and how many there are."""
    return Summary.of(scored(at < c, group=f"{name}") for name, (c, n) in enumerate(groups) for at in range(n))


def drawn(passed, runs, k):
    """How often k runs that are drawn from all runs without putting any back all passed."""
    draws = [*combinations(range(runs), k)]
    return sum(all(run < passed for run in draw) for draw in draws) / len(draws)


PASS_HAT = {
    # groups as (passed, runs), k, the rate by hand, groups, left out
    "one run": ([(1, 1), (0, 1)], 1, 0.5, 2, 0),
    "k is 1: the mean of the rates of the groups": ([(3, 4), (1, 2)], 1, (3 / 4 + 1 / 2) / 2, 2, 0),
    "k is 2": ([(3, 4), (1, 2)], 2, (3 / 6 + 0) / 2, 2, 0),
    "k is all runs": ([(4, 4), (3, 4)], 4, 0.5, 2, 0),
    "short groups are left out": ([(4, 4), (1, 1), (2, 3)], 4, 1.0, 1, 2),
    "no group is long enough": ([(1, 1)], 2, None, 0, 1),
}


@pytest.mark.parametrize(("groups", "k", "rate", "counted", "left_out"), PASS_HAT.values(), ids=PASS_HAT)
def test_pass_hat(groups, k, rate, counted, left_out):
    assert of_groups(groups).pass_hat(k) == (k, rate, counted, left_out)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5)).filter(lambda group: group[0] <= group[1]), min_size=1))
def test_pass_hat_is_what_drawing_runs_gives(groups):
    for k in range(1, 6):
        found = [drawn(passed, runs, k) for passed, runs in groups if runs >= k]
        rate = math.fsum(found) / len(found) if found else None
        assert of_groups(groups).pass_hat(k) == (k, rate and pytest.approx(rate), len(found), len(groups) - len(found))


@pytest.mark.parametrize("k", [0, -1, 1.0, True, None])
def test_pass_hat_is_of_a_number_of_runs(k):
    with pytest.raises(OptionError, match="k: a number of runs from 1 on, got"):
        Summary().pass_hat(k)


# --- where runs part

DIVERGENCE = {
    "one run": (["a:1 b:1"], None, ""),
    "equal runs": (["a:1 b:1", "a:1 b:1"], None, ""),
    "no calls": (["", ""], None, ""),
    "another tool": (["a:1 b:1", "a:1 c:1"], 1, "[1] 1 b, 1 c"),
    "from the start": (["b:1", "a:1", "a:1"], 0, "[0] 2 a, 1 b"),
    "an end": (["a:1", "a:1 b:1", "a:1 b:1"], 1, "[1] 2 b, 1 (end)"),
    "an end at once": (["", "a:1"], 0, "[0] 1 (end), 1 a"),
    "other arguments": (["a:1 b:1", "a:1 b:2", "a:1 b:2"], 1, "[1] 2 b, 1 b (other arguments)"),
    "many arguments": (["b:1", "b:2", "b:3", "c:1"], 0, "[0] 1 b, 2 b (other arguments), 1 c"),
    "the beginning gets shorter": (
        ["a:1 b:1 c:1", "a:1 b:1 c:1", "a:1 b:1 d:1", "a:2"],
        0,
        "[0] 3 a, 1 a (other arguments)",
    ),
    "a colon in a name": (["a:b:1", "c:1"], 0, "[0] 1 a:b, 1 c"),
    "no digest": (["a", "b:1"], 0, "[0] 1 a, 1 b"),
}


@pytest.mark.parametrize(("runs", "index", "text"), DIVERGENCE.values(), ids=DIVERGENCE)
def test_the_first_divergence(runs, index, text):
    found = grouped(*runs)
    assert (found.index, str(found)) == (index, text)


def test_calls_that_are_written_oddly_are_kept_apart():
    odd = Summary.of(ResultRow(group="g", calls=calls) for calls in (("a\nb:1",), ("a", "b:1"), ("",), ()))
    assert str(odd.groups["g"].divergence) == r"[0] 1 (end), 1 :, 1 a, 1 a\nb"


@given(ROWS)
def test_the_divergence_is_what_all_runs_say(rows):
    for name, group in Summary.of(rows).groups.items():
        runs = [row.calls for row in rows if row.group == name and row.calls is not None]
        length = next((at for at in range(9) if len({run[at : at + 1] for run in runs}) != 1), None)
        assert group.divergence.index == (length if len({*runs}) > 1 else None)
        assert sum(count for _, count in group.divergence.names) == len(runs)
        if group.divergence.index is not None:
            names = [call.partition(":")[0] for run in runs for call in run[length : length + 1]]
            found = dict.fromkeys("ab", 0)
            for shown, count in group.divergence.names:
                found[shown[0]] = found.get(shown[0], 0) + count
            assert (found["a"], found["b"]) == (names.count("a"), names.count("b"))


# --- the worst groups, and examples of errors


def test_the_worst_groups_come_first():
    rows = [scored(True, 1.0, "d"), scored(False, 0.5, "c"), scored(False, 0.5, "b"), scored(False, 0.0, "a2")]
    assert [name for name, _ in Summary.of(rows).worst(3)] == ["a2", "b", "c"]


def test_the_errors_of_the_lowest_lines_are_kept():
    rows = [
        ResultRow(line=line, id=id, error="E", reason="r") for line, id in [(None, "x"), (9, "y"), (4, None), (4, "a")]
    ]
    assert [example[:2] for example in Summary.of(rows).error_examples["E"]] == [(4, "a"), (4, None), (9, "y")]


# --- what is stored may be anything

GIVEN = Summary.of(ROWS_OF_A_FILE).to_dict()
STORED = {
    "no counts": ({"runs": -1}, "'runs' is a whole number from 0 on, got -1"),
    "a bool": ({"runs": True}, "'runs' is a whole number"),
    "a number as text": ({"units": "1e3"}, "'units' is a whole number"),
    "a long number": ({"units": "1" * 5000}, "'units' is a whole number"),
    "more passed": ({"passed": 9}, "of 5 runs, 9 passed"),
    "a high score": ({"units": str(6 << 60)}, "of 5 runs"),
    "a list": ({"errors": []}, r"'errors' is an object, got \[\]"),
    "a key that is no text": ({"errors": {1: 1}}, "'errors' is an object"),
    "no text": ({"signatures": [1]}, "'signatures' is a list of texts"),
    "no list": ({"signatures": "s"}, "'signatures' is a list of texts"),
    "a group": ({"groups": {"g": None}}, "'g' is an object, got None"),
    "no divergence": ({"groups": {"g": GIVEN["groups"]["g"] | {"divergence": None}}}, "'divergence' is an object"),
    "no shared calls": ({"groups": {"g": GIVEN["groups"]["g"] | {"divergence": {}}}}, "'shared' is text"),
    "examples": ({"error_examples": {"E": {}}}, "'E' is a list of objects"),
    "an example": ({"error_examples": {"E": [{"line": 1, "id": None}]}}, "'reason' is text"),
}


@pytest.mark.parametrize(("wrong", "text"), STORED.values(), ids=STORED)
def test_a_stored_summary_that_is_none_is_an_error(wrong, text):
    with pytest.raises(ConversionError, match=f"a stored summary: {text}"):
        Summary.from_dict(GIVEN | wrong)


def test_a_stored_summary_is_whole():
    for key in {*GIVEN} - {"pass_rate", "mean_score", "wilson", "pass_hat"}:
        with pytest.raises(ConversionError, match=key):
            Summary.from_dict({name: value for name, value in GIVEN.items() if name != key})


# --- what is printed


def test_a_summary_of_scores_that_are_not_comparable_says_so():
    text = Summary.of(scored(signature=f"s{at}") for at in range(4)).render()
    assert "note: 4 signatures, whose scores are not comparable: s0; s1; s2; …" in text
    assert "not comparable: s0; s1\n" in Summary.of(scored(signature=f"s{at % 2}") for at in range(4)).render() + "\n"


def test_the_most_frequent_differences_are_listed():
    rows = [scored(False, 0.5, differences=(f"missing {chr(97 + at)}", "extra z")) for at in range(12)]
    lines = Summary.of(rows).render().split("\n")
    assert lines[-12].split() == ["differences", "runs"]
    assert lines[-11].split() == ["extra", "z", "12"]
    assert lines[-10].split() == ["missing", "a", "1"]
    assert lines[-1] == "  and 3 more"


def test_nothing_is_printed_of_no_runs():
    assert Summary().render().split("\n") == [
        "0 runs, 0 passed, 0 errors",
        "  pass rate   -  95 % Wilson interval 0.000 to 1.000",
        "  mean score  -",
    ]


def test_errors_without_a_line_are_listed():
    text = Summary.of([ResultRow(error="RuleError", reason="a rule\nraised \x1b[31m")]).render()
    assert "  RuleError  1  a rule raised \\x1b[31m" in text


def test_of_many_signatures_the_first_are_kept_in_any_order():
    rows = [ResultRow(passed=True, score=1.0, signature=f"rule {number:03}") for number in range(100)]
    parts = [Summary.of(rows[start::7]) for start in range(7)]
    merged = parts[0]
    for part in parts[:0:-1]:
        merged.merge(part)
    assert merged.signatures == Summary.of(reversed(rows)).signatures == tuple(f"rule {at:03}" for at in range(20))

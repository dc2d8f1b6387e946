"""Two lots of rows: what got better and worse, and whether that may be chance."""

import json
import math
import sys
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.descriptivestats import sign_test

from trajmatch import OptionError
from trajmatch.batch import ResultRow, compare_results


def runs(**tasks):
    """A row for each score of each task; a score of 1.0 passes, and no score is an error."""
    for name, scores in tasks.items():
        for score in scores if isinstance(scores, list) else [scores]:
            yield run(name, score)


def run(name, score, **more):
    if score is None:
        return ResultRow(id=name, error="ConversionError", **more)
    return ResultRow(id=name, passed=score == 1.0, score=score, signature="s", **more)


def in_groups(rows):
    return [row._replace(group=row.id, id=None) for row in rows]


def many(better=0, worse=0, same=0):
    """The rows of both sides for so many tasks."""
    scores = [(0.0, 1.0)] * better + [(1.0, 0.0)] * worse + [(1.0, 1.0)] * same
    return [[run(f"t{at:03}", pair[side]) for at, pair in enumerate(scores)] for side in (0, 1)]


CHANGE = {
    # base, new, what became of the verdict and of the score
    "the same": (1.0, 1.0, None),
    "passes now": (0.5, 1.0, ("better", "better")),
    "fails now": (1.0, 0.5, ("worse", "worse")),
    "a lower score": (0.5, 0.25, ("same", "worse")),
    "a higher score": (0.25, 0.5, ("same", "better")),
    "an error is a score of 0.0": (None, 0.0, None),
    "an error now": (1.0, None, ("worse", "worse")),
    "a higher pass rate and a lower score": ([1.0, 0.9, 0.9], [1.0, 1.0, 0.0], ("better", "worse")),
    "a mean that only floats tell from another": ([0.1, 0.2], [0.15, 0.15], None),
    "a mean of thirds": ([1 / 3] * 3, [0.0, 0.5, 0.5], None),
}


@pytest.mark.parametrize(("base", "new", "change"), CHANGE.values(), ids=CHANGE)
def test_a_task_gets_better_or_worse(base, new, change):
    found = compare_results(in_groups(runs(task=base)), in_groups(runs(task=new)))
    assert [(task.verdict, task.score) for task in found.changed] == ([change] if change else [])
    for shift, at in ((found.verdicts, 0), (found.scores, 1)):
        told = change[at] if change else "same"
        assert {told: 1} == {name: count for name, count in shift._asdict().items() if count and name != "p_value"}


def test_a_change_names_the_task_and_its_rates():
    (change,) = compare_results(in_groups(runs(a=[1.0, 0.5], b=1.0)), in_groups(runs(a=[0.5, 0.5], b=1.0))).changed
    assert change == ("a", "worse", "worse", 0.5, 0.0, 0.75, 0.5)
    assert (change.change, change.gain) == ("worse", (-0.5, -0.25))


# --- chance

EXACT = {  # better, worse: 2 * sum of C(n, i) for i up to the smaller, / 2 ** n, and at most 1
    (0, 0): 1.0,
    (0, 1): 1.0,
    (0, 5): 2 / 32,
    (0, 6): 2 / 64,
    (6, 0): 2 / 64,
    (1, 9): 2 * (1 + 10) / 1024,
    (3, 3): 1.0,
    (2, 8): 2 * (1 + 10 + 45) / 1024,
}


@pytest.mark.parametrize(("counts", "p"), EXACT.items(), ids=map(str, EXACT))
def test_the_p_value_is_that_of_an_exact_binomial_test(counts, p):
    found = compare_results(*many(*counts, same=4))
    assert (found.verdicts, found.scores) == ((*counts, 4, pytest.approx(p)),) * 2


@given(st.integers(0, 40), st.integers(0, 40))
def test_the_p_value_is_that_of_statsmodels(better, worse):
    found = compare_results(*many(better, worse, same=1))
    table = [[1, worse], [better, 0]]  # passed and failed in BASE, by passed and failed in NEW
    assert found.verdicts.p_value == pytest.approx(mcnemar(table, exact=True).pvalue, abs=1e-12)
    if better + worse:
        _, p = sign_test([1.0] * better + [-1.0] * worse)
        assert found.scores.p_value == pytest.approx(p, abs=1e-12)
        n, k = better + worse, min(better, worse)
        by_hand = min(1.0, 2 * sum(comb(n, i) for i in range(k + 1)) / 2**n)
        assert found.verdicts.p_value == pytest.approx(by_hand, abs=1e-12)


REGRESSION = {
    # better, worse, alpha, is it a regression
    "no change": (0, 0, 0.05, False),
    "five of five may be chance": (0, 5, 0.05, False),
    "six of six are not": (0, 6, 0.05, True),
    "six of six may be, for a smaller alpha": (0, 6, 0.01, False),
    "better is none": (6, 0, 0.05, False),
    "p is alpha": (0, 2, 0.5, False),
    "p is below alpha": (0, 2, 0.51, True),
}


@pytest.mark.parametrize(("better", "worse", "alpha", "answer"), REGRESSION.values(), ids=REGRESSION)
def test_a_regression_is_hardly_chance(better, worse, alpha, answer):
    assert compare_results(*many(better, worse, same=3), alpha=alpha).regression is answer


def test_scores_alone_can_be_a_regression():
    base, new = [run(f"{at}", 0.9) for at in range(6)], [run(f"{at}", 0.8) for at in range(6)]
    assert compare_results(base, new).reasons == ("6 scores got worse and 0 better, p 0.031 < 0.05",)


def test_verdicts_alone_can_be_a_regression():
    base = in_groups(row for at in range(6) for row in runs(**{f"t{at}": [1.0, 0.0]}))
    new = in_groups(row for at in range(6) for row in runs(**{f"t{at}": [0.5, 0.5]}))
    assert compare_results(base, new).reasons == ("6 verdicts got worse and 0 better, p 0.031 < 0.05",)


def drawn(random, runs, tasks=30, rate=0.9):
    """The rows of tasks that all pass as often."""
    scores = {f"t{at}": [float(random.random() < rate) for _ in range(runs)] for at in range(tasks)}
    return in_groups(row for name, found in scores.items() for row in map(run, [name] * runs, found))


@pytest.mark.parametrize(("runs", "rate"), [(1, 0.9), (4, 0.9), (5, 0.5), (4, 0.97)])
def test_where_nothing_changed_one_comparison_in_forty_finds_a_regression_at_most(runs, rate):
    random = Random(7)
    found = [compare_results(drawn(random, runs, rate=rate), drawn(random, runs, rate=rate)) for _ in range(80)]
    assert sum(comparison.verdicts.is_regression(0.05) for comparison in found) <= 80 / 40
    assert sum(comparison.scores.is_regression(0.05) for comparison in found) <= 80 / 40


# --- tasks with another number of runs


@pytest.mark.parametrize(("base", "new"), [(1, 4), (5, 4)])
def test_a_task_with_another_number_of_runs_is_left_out_of_both_tests(base, new):
    random = Random(7)
    even = in_groups(runs(even=[1.0, 0.0]))
    found = compare_results([*even, *drawn(random, base)], [*even, *drawn(random, new)], allow_missing_tasks=True)
    assert found.verdicts == found.scores == (0, 0, 1, 1.0)
    assert (found.tasks, len(found.uneven), found.changed, found.regression) == (1, 30, (), False)
    assert set(found.uneven) == {(f"t{at}", base, new) for at in range(30)}


UNEVEN = {
    # runs in BASE and NEW, options, reasons
    "NEW lost a run": (2, 1, {}, ("1 task with fewer runs in NEW",)),
    "NEW may lack runs": (2, 1, {"allow_missing_tasks": True}, ()),
    "NEW has more": (2, 4, {}, ()),
}


@pytest.mark.parametrize(("base", "new", "options", "reasons"), UNEVEN.values(), ids=UNEVEN)
def test_fewer_runs_are_a_regression(base, new, options, reasons):
    found = compare_results(*(in_groups(runs(a=1.0, b=[1.0] * number)) for number in (base, new)), **options)
    assert (found.uneven, found.reasons) == ((("b", base, new),), reasons)


@pytest.mark.parametrize("new", [2, 8])
def test_there_is_nothing_to_compare_where_every_task_has_another_number_of_runs(new):
    sides = [in_groups(runs(a=1.0, **{name: [1.0] * number for name in "bcde"})) for number in (4, new)]
    text = rf"no task has as many runs in NEW as in BASE: 'b' 4 → {new}, 'c' 4 → {new}, 'd' 4 → {new}, and 1 more;"
    with pytest.raises(OptionError, match=text):
        compare_results(sides[0][1:], sides[1][1:])


# --- which rows are of one task


def test_tasks_are_groups_where_there_are_groups():
    rows = [run("1", 1.0, group="a"), run("2", 0.0, group="a")]
    found = compare_results(rows, reversed(rows))
    assert (found.by, found.tasks) == ("group", 1)


def test_tasks_are_ids_where_there_are_no_groups():
    found = compare_results(runs(a=1.0, b=1.0), runs(b=1.0, a=1.0))
    assert (found.by, found.tasks) == ("id", 2)


def test_tasks_are_lines_where_there_is_nothing_else():
    rows = [run(None, 1.0, line=line) for line in (1, 2, 10)]
    found = compare_results(rows, [*rows[:1], run(None, None, line=2), run(None, 0.0, line=10)])
    assert (found.by, found.tasks) == ("line", 3)
    assert [change.task for change in found.changed] == ["2", "10"]


def test_by_chooses():
    rows = [run("1", 1.0, group="a", line=1), run("2", 0.0, group="a", line=2)]
    assert [compare_results(rows, rows, by=by).tasks for by in ("group", "id", "line")] == [1, 2, 2]


def test_lines_of_which_nothing_can_be_read_wait_for_others():
    broken = [run(None, None, line=1)]
    assert compare_results(broken, broken).by == "line"
    found = compare_results([*broken, *runs(a=1.0)], [*runs(a=1.0), *broken])
    assert (found.by, found.tasks, found.unnamed, found.regression) == ("id", 1, (1, 1), False)


ERRORS = [run("e", None, line=1), run(None, None, line=2)]


@pytest.mark.parametrize("by", [None, "group"])
@pytest.mark.parametrize("first", [True, False])
def test_an_error_without_a_group_is_of_no_known_task(by, first):
    base = [run("1", 1.0, group="g", line=3), run("2", None, group="g", line=4)]
    new = [*ERRORS, *base] if first else [*base, *ERRORS]
    found = compare_results(new, base, by=by)
    assert (found.by, found.tasks, found.unnamed, found.regression) == ("group", 1, (2, 0), False)
    assert compare_results(base, new, by=by).reasons == ("2 errors of no known task in NEW, 0 in BASE",)


def test_errors_with_ids_before_runs_with_ids_count_for_their_tasks():
    found = compare_results([*ERRORS, *runs(a=1.0)], runs(e=1.0, a=1.0))
    assert (found.by, found.tasks, found.verdicts.better, found.unnamed) == ("id", 2, 1, (1, 0))


def test_where_all_have_errors_tasks_are_ids():
    found = compare_results(ERRORS, ERRORS)
    assert (found.by, found.tasks, found.unnamed) == ("id", 1, (1, 1))


def test_an_error_that_has_an_id_counts_for_its_task():
    found = compare_results([run("a", None), run("b", 1.0)], runs(a=1.0, b=1.0))
    assert (found.tasks, found.verdicts.better, found.base.errors.total()) == (2, 1, 1)


UNCLEAR = {
    "an id twice": (runs(a=1.0), runs(a=[1.0, 1.0]), {}, "the id 'a' stands in NEW twice.*score the runs"),
    "an id twice, and groups": (
        [run("a", 1.0, group="g", line=1), run("a", 1.0, group="g", line=2)],
        [],
        {"by": "id"},
        "the id 'a' stands in BASE twice, the second time on line 2; compare by=",
    ),
    "a line twice": ([run(None, 1.0, line=1)] * 2, [], {}, "line 1 stands in BASE twice; give the runs an id"),
    "no id beside ids": (
        [run("a", 1.0, line=1), run(None, 1.0, line=2)],
        [],
        {},
        '^by: line 2 of BASE was scored and has no id; score every run with one, or compare by="line"$',
    ),
    "an id beside lines": (
        [run(None, 1.0, line=1)],
        [run("a", 1.0, line=3)],
        {},
        "line 3 of NEW names its task by its id, and line 1 of BASE by its line",
    ),
    "a group beside ids": (runs(a=1.0), [run("a", 1.0, group="g", line=1)], {}, "by its group, and line None of BASE"),
    "no group": (runs(a=1.0), [], {"by": "group"}, 'BASE was scored and has no group; .* or compare by="id"$'),
    "no group beside groups": (
        [run("a", 1.0, group="g")],
        [run("a", 1.0, line=3)],
        {},
        '^by: line 3 of NEW was scored and has no group; score every run with one, or compare by="id"$',
    ),
    "an error with an id beside lines": (
        [run(None, 1.0, line=1), run("a", None, line=2)],
        [],
        {},
        "line 2 of BASE names its task by its id, and line 1 of BASE by its line",
    ),
    "no line": ([run(None, 1.0)], [], {}, "line None of BASE was scored and has no line; read the rows from a file"),
    "nothing in common": (runs(a=1.0, b=1.0), runs(c=1.0), {}, "there is no task in both.*: 'a', 'b' against 'c'"),
    "nothing at all": ([], [], {}, "there is no task in both of BASE and NEW, by line: none against none"),
    "a wrong word": ([], [], {"by": "task"}, "by: 'task' is none; there are 'group', 'id', 'line'"),
    "no alpha": ([], [], {"alpha": 5}, "alpha: a number between 0 and 1, like 0.05, got 5"),
    "a high alpha": ([], [], {"alpha": 1.0}, "alpha: a number between 0 and 1"),
    "NaN": ([], [], {"alpha": math.nan}, "alpha: a number between 0 and 1"),
    "a score": ([run("a", 7.0, line=2)], [], {}, "rows: line 2: a score is from 0 to 1, got 7.0"),
}


@pytest.mark.parametrize(("base", "new", "options", "text"), UNCLEAR.values(), ids=UNCLEAR)
def test_rows_that_cannot_be_compared_are_an_error(base, new, options, text):
    with pytest.raises(OptionError, match=text):
        compare_results([*base], [*new], **options)


def test_without_scipy_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(OptionError, match=r"pip install 'trajmatch\[stats\]'"):
        compare_results([], [])


# --- what does not fit


def test_missing_tasks_are_a_regression():
    found = compare_results(runs(a=1.0, b=1.0, c=1.0), runs(a=1.0))
    assert (found.missing, found.reasons) == (("b", "c"), ("2 tasks of BASE not in NEW",))
    assert not compare_results(runs(a=1.0, b=1.0), runs(a=1.0), allow_missing_tasks=True).regression


def test_added_tasks_are_none():
    found = compare_results(runs(a=1.0), runs(c=0.0, b=0.0, a=1.0))
    assert (found.added, found.regression) == (("b", "c"), False)


def test_more_errors_of_which_no_task_is_known_are_a_regression():
    broken = in_groups([run(None, None, line=9)])
    base = new = in_groups(runs(a=[1.0, 1.0]))
    assert compare_results(base, [*new, *broken]).reasons == ("1 error of no known task in NEW, 0 in BASE",)
    assert not compare_results([*base, *broken], new).regression
    assert not compare_results(base, [*new, *broken], allow_missing_tasks=True).regression


SIGNATURES = {
    # base, new, are they comparable
    "the same": ("s", "s", True),
    "others": ("s", "t", False),
    "an error has none": ("s", "-", True),
    "some runs have errors": ("st", "s-", True),
    "one is other": ("st", "su", False),
}


@pytest.mark.parametrize(("base", "new", "answer"), SIGNATURES.values(), ids=SIGNATURES)
def test_the_scores_of_a_task_depend_on_the_same_options(base, new, answer):
    def of(signatures):
        return [run("a", 1.0, group="g")._replace(signature=None if s == "-" else s) for s in signatures]

    if not answer:
        with pytest.raises(OptionError, match=r"group 'g': .* in BASE and .* in NEW: these scores are not comparable"):
            compare_results(of(base), of(new))
    assert not compare_results(of(base), of(new), allow_other_signatures=True).regression
    assert not answer or not compare_results(of(base), of(new)).regression


# --- what is printed and stored


def sides():
    base = runs(**{"same": 1.0, "lost": 1.0, "up": 0.0, "down": 1.0, "a bit": 0.5, "crash\n": 1.0})
    new = runs(**{"same": 1.0, "new": 1.0, "up": 1.0, "down": 0.25, "a bit": 0.25, "crash\n": None})
    return [*base], [*new, run(None, None, line=7)]


WIDTHS = {"compare": 100, "compare in 60 columns": 60, "compare in 40 columns": 20}


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_the_text_fits(golden, width):
    text = compare_results(*sides()).render(width)
    assert max(map(len, text.split("\n"))) <= max(width, 40)
    golden(text)


def test_a_comparison_without_a_change_is_short():
    rows = in_groups(runs(a=1.0, b=[1.0, 0.0]))
    head, *table = compare_results(rows, rows).render().split("\n")
    assert (head, len(table)) == ("compare: PASS; 2 tasks by group", 5)
    assert table[3] == "  pass rate   0.667  0.667  0 worse, 0 better, 2 same; p 1, sign test"


def test_tasks_with_another_number_of_runs_are_named(golden):
    base = in_groups(runs(same=[1.0, 0.0], rome=[1.0, 1.0, 0.0, 0.0], oslo=1.0))
    new = in_groups(runs(same=[1.0, 0.0], rome=[1.0, 1.0], oslo=[1.0] * 1200))
    golden(compare_results(base, new).render())
    assert "1 task has another number of runs, and is left out" in compare_results(base, new[:4] + base[-1:]).render()
    assert compare_results(base, new).to_dict()["uneven"][0] == {"task": "oslo", "base_runs": 1, "new_runs": 1200}


def test_long_lists_are_cut():
    base, new = many(better=23, worse=25)
    text = compare_results([*base, *runs(**{f"lost{at}": 1.0 for at in range(21)})], new).render()
    assert [line for line in text.split("\n") if "more" in line] == ["  and 5 more", "  and 3 more", "  and 1 more"]


def test_the_worst_and_the_best_come_first_and_equal_ones_by_name():
    base, new = runs(d=1.0, c=0.5, b=0.5, a=0.5, e=0.0), runs(a=0.4, b=0.4, c=0.3, d=0.0, e=0.1)
    assert [change.task for change in compare_results(base, new).changed] == ["d", "c", "a", "b", "e"]
    base, new = runs(a=0.5, b=0.5, c=0.5), runs(c=0.6, b=0.6, a=1.0)
    listed = compare_results(base, new).render().split("3 tasks better")[1].split()
    assert [word for word in listed if word in ("a", "b", "c")] == ["a", "b", "c"]


def test_the_order_of_rows_is_not_seen():
    base, new = sides()
    assert compare_results(base[::-1], new[::-1]) == compare_results(base, new)


def test_a_comparison_is_stored():
    form = json.loads(json.dumps(compare_results(*sides()).to_dict()))
    assert (form["by"], form["alpha"], form["regression"], form["tasks"]) == ("id", 0.05, True, 5)
    assert form["verdicts"] == {"better": 1, "worse": 2, "same": 2, "p_value": 1.0}
    assert form["base"] == {
        "runs": 6,
        "passed": 4,
        "pass_rate": 4 / 6,
        "mean_score": 4.5 / 6,
        "errors": {},
        "signatures": ["s"],
    }
    assert (form["missing"], form["added"], form["unnamed"]) == (["lost"], ["new"], {"base": 0, "new": 1})
    assert form["changed"][0]["task"] == "crash\n"
    assert form["scores"]["p_value"] == binomtest(1, 4).pvalue

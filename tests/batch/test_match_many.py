"""Many pairs from Python, in this process and in others."""

import pytest

from tests.batch.rules import kill_this_process, same_city
from trajmatch import ArgumentRule, Matcher, OptionError, TrajmatchError, call
from trajmatch.batch import match_many

PAIRS = [
    ([call("f", x=1)], ["f"]),
    ("b", [call("f", x=1)], [call("f", x=2)]),
    ["c", None, []],
    (7, [], []),
]


def test_each_pair_gives_a_row():
    rows = [*match_many(PAIRS)]
    assert [(row.line, row.id, row.passed) for row in rows] == [
        (1, None, True),
        (2, "b", False),
        (3, "c", None),
        (4, "7", True),
    ]
    assert rows[2].reason.startswith("actual: a history is missing")


@pytest.mark.parametrize("workers", [2, 3])
def test_other_processes_give_the_same_rows_in_order(workers):
    many, matcher = PAIRS * 60, Matcher(args=same_city, overrides={"g": ArgumentRule(ignore=["x"])})
    assert [*match_many(many, matcher, workers=workers)] == [*match_many(many, matcher)]


def test_no_pairs_give_no_rows():
    assert [*match_many([], workers=2)] == [*match_many(())] == []


@pytest.mark.parametrize(("workers", "most"), [(1, 2), (2, 400)])
def test_pairs_are_read_as_rows_are_asked_for(workers, most):
    read = []

    def endless():
        while True:
            read.append(1)
            yield PAIRS[0]

    rows = match_many(endless(), workers=workers)
    assert not read
    assert [next(rows).passed for _ in range(2)] == [True, True]
    assert len(read) <= most
    rows.close()


REFUSED = {
    "a number": (3, r"pairs\[1\]: \(actual, expected\) or \(id, actual, expected\), got 3"),
    "one side": (([],), r"pairs\[1\]: "),
    "four": ((1, 2, 3, 4), r"pairs\[1\]: "),
    "text": ("ab", r"pairs\[1\]: "),
}


@pytest.mark.parametrize(("pair", "text"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_no_pair_is_refused(pair, text, workers):
    with pytest.raises(OptionError, match=text):
        [*match_many([PAIRS[0], pair], workers=workers)]


LOCAL = {
    "args": ({"args": lambda actual, expected: True}, "args: <function <lambda>"),
    "an override": ({"overrides": {"f": lambda actual, expected: True}}, r"overrides\['f'\]: <function <lambda>"),
    "calls": ({"calls": lambda call: True}, "calls: <function <lambda>"),
}


@pytest.mark.parametrize(("options", "text"), LOCAL.values(), ids=LOCAL)
def test_a_rule_that_cannot_be_sent_is_named_before_anything_is_read(options, text):
    with pytest.raises(OptionError, match=f"{text}.* cannot be sent to a worker: .*define it in a module") as raised:
        match_many(PAIRS, Matcher(**options), workers=2)
    assert raised.value.option.startswith(text.split(":")[0].replace("\\", ""))


@pytest.mark.parametrize("options", [options for options, _ in LOCAL.values()])
def test_one_process_takes_any_rule(options):
    assert next(match_many(PAIRS, Matcher(**options))).passed


def test_a_pair_that_cannot_be_sent_is_named():
    pair = ([call("f", x=1)], [call("f", x=lambda: 1)])
    with pytest.raises(OptionError, match=r"pairs\[1\]: it cannot be sent to a worker: "):
        [*match_many([PAIRS[0], pair], workers=2)]


@pytest.mark.parametrize("workers", [0, -1, True, 2.0, "2", None])
def test_a_number_of_workers_that_is_none_is_refused(workers):
    with pytest.raises(OptionError, match="workers: a number of processes from 1 on, got"):
        match_many([], workers=workers)


def test_a_worker_that_is_killed_is_an_error():
    pairs = [([call("f", x=1)], [call("f", x=2)])] * 10
    with pytest.raises(TrajmatchError, match="a worker was killed from outside"):
        [*match_many(pairs, Matcher(args=kill_this_process), workers=2)]

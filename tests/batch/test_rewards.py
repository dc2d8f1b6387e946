"""Rewards: what runs are worth, and whose fault it is where one cannot be scored."""

import json
import math
import pickle

import pytest

from trajmatch import ConversionError, CostError, OptionError, RuleError, any_of, call, forbidden, one_of, repeat, seq
from trajmatch.batch import Reward, rewards

RUN = [call("search", q="lamp"), call("book", item=7)]
CALLED = {
    "role": "assistant",
    "tool_calls": [{"id": "1", "function": {"name": "search", "arguments": '{"q": "lamp"}'}}],
}
BOTH = [{"name": "search", "arguments": {"q": "lamp"}}, {"name": "book", "arguments": {"item": 7}}]
NO_HISTORY = [{"role": "assistant", "tool_calls": [{"function": {"name": "", "arguments": "{}"}}]}]

WORTH = {
    "all calls": (RUN, ["search", "book"], {}, 1.0),
    "an extra call": (RUN, ["search"], {}, 2 / 3),
    "another order": (RUN, ["book", "search"], {}, 0.5),
    "no order": (RUN, ["book", "search"], {"mode": "any_order"}, 1.0),
    "a mode that is not graded": (RUN, ["search"], {"mode": "exact"}, 0.0),
    "extra calls are free": (RUN, ["search"], {"allow_extra": True}, 1.0),
    "no calls, as expected": ([], [], {}, 1.0),
    "other arguments": (RUN, [call("search", q="desk"), "book"], {}, 0.5),
    "arguments that do not matter": (RUN, [call("search", q="desk"), "book"], {"args": "ignore"}, 1.0),
    "JSON text": (RUN, json.dumps(BOTH), {}, 1.0),
    "a structure": (RUN, seq("search", "pay"), {}, 0.5),
    "a structure as data": (RUN, {"seq": ["search", "book"]}, {}, 1.0),
    "alternatives": (RUN, any_of(["pay"], ["search", "book"]), {}, 1.0),
    "alternatives with a structure": (RUN, {"any_of": [["pay"], {"seq": ["search", "book"]}]}, {}, 1.0),
    "a forbidden call": (RUN, seq("search", forbidden("book")), {}, 0.0),
    "turn by turn": ([{"role": "user", "content": "Hi"}, CALLED], [["search"]], {"per_turn": True}, 1.0),
    "a structure for a turn": ([CALLED], [seq("search")], {"per_turn": True}, 1.0),
    "messages": ([CALLED], ["search"], {}, 1.0),
    "messages, strict": ([CALLED], [CALLED], {"mode": "strict"}, 1.0),
    "an unreadable run": (NO_HISTORY, ["search"], {}, 0.0),
    "an unreadable run, at a price": (NO_HISTORY, ["search"], {"unreadable": -1}, -1.0),
    "an unreadable run, left out": (NO_HISTORY, ["search"], {"unreadable": math.nan}, math.nan),
    "an item that is no message": ([{}], [], {}, 0.0),
    "no results to succeed": ([CALLED], ["search"], {"calls": "succeeded", "unreadable": -1}, -1.0),
}


@pytest.mark.parametrize(("run", "expected", "options", "worth"), WORTH.values(), ids=WORTH)
def test_a_run_is_worth_its_score(run, expected, options, worth):
    assert Reward(**options)(run, expected) == pytest.approx(worth, nan_ok=True)


FAULTS = {
    "text for a run": ("search", ["search"], {}, ConversionError, "a run is a list of messages or calls, got 'search'"),
    "no run": (None, ["search"], {}, ConversionError, "got None"),
    "a reader that gives text": ([], [], {"read": lambda run: "text"}, ConversionError, "got 'text'"),
    "no expectation": (RUN, None, {}, ConversionError, "expected: a history is missing"),
    "a typo in an expectation": (RUN, [{"name": "a", "argumens": {}}], {}, ConversionError, "did you mean 'arguments'"),
    "text that is no JSON": (RUN, "search", {}, ConversionError, "expected: it is text, and no JSON: .*'search'"),
    "JSON nested too deep": (RUN, "[" * 10**5, {}, ConversionError, "expected: it is text, and no JSON"),
    "calls in strict": ([CALLED], ["search"], {"mode": "strict"}, ConversionError, "expected is a list of calls"),
    "a structure beside a mode": (RUN, seq("a"), {"mode": "exact"}, OptionError, "mode has no effect"),
    "a broken expectation beside a broken run": (NO_HISTORY, ["", "b"], {}, ConversionError, "expected"),
    "calls in strict beside a broken run": (
        NO_HISTORY,
        ["b"],
        {"mode": "strict"},
        ConversionError,
        "expected is a list",
    ),
    "what is too hard for every run": (RUN, repeat("a", 10**9), {}, CostError, "'a'"),
    "a rule that raises": (RUN, RUN, {"args": lambda a, e: a["no"]}, RuleError, "KeyError"),
    "a function of calls that raises": (RUN, RUN, {"calls": lambda made: made.no}, OptionError, "AttributeError"),
}


@pytest.mark.parametrize(("run", "expected", "options", "kind", "text"), FAULTS.values(), ids=FAULTS)
def test_what_is_no_fault_of_the_model_is_an_error(run, expected, options, kind, text):
    with pytest.raises(kind, match=text):
        Reward(**options)(run, expected)


OPTIONS = {
    "no number": ({"unreadable": "0"}, "unreadable: a number, got '0'"),
    "a bool": ({"unreadable": True}, "unreadable: a number, got True"),
    "no function": ({"read": "json"}, "read: a function of a run, got 'json'"),
    "a threshold": ({"threshold": 0.5}, "threshold has no effect on a reward"),
    "a typo": ({"mod": "exact"}, "did you mean 'mode'"),
    "an option of another mode": ({"mode": "exact", "allow_extra": True}, "allow_extra has no effect"),
}


@pytest.mark.parametrize(("options", "text"), OPTIONS.values(), ids=OPTIONS)
def test_a_wrong_option_fails_when_it_is_given(options, text):
    with pytest.raises(OptionError, match=text):
        Reward(**options)
    with pytest.raises(OptionError, match=text):
        rewards([], [], **options)


def test_the_default_threshold_is_no_error():
    assert Reward(threshold=1.0)(RUN, ["search", "book"]) == 1.0


def test_a_run_that_takes_too_long_to_match_is_unreadable():
    worth = Reward(unreadable=-1)
    hard = repeat(one_of(seq("a"), "b"))
    assert [worth([call("a")], hard), worth([call(name) for name in "ab" * 20], hard)] == [1.0, -1.0]


def read_names(text):
    if not text:
        raise ConversionError("no names")
    return [call(name) for name in text.split()]


def test_a_reader_makes_a_history_and_says_what_is_unreadable():
    worth = Reward(read=read_names, unreadable=-1)
    assert [worth(text, ["search", "book"]) for text in ("search book", "book", "")] == [
        1.0,
        pytest.approx(2 / 3),
        -1.0,
    ]


def test_a_pickled_reward_gives_the_same():
    worth = Reward(read=read_names, unreadable=-1, mode="any_order")
    again = pickle.loads(pickle.dumps(worth))
    assert [again("b a", ["a", "b"]), again("", [])] == [worth("b a", ["a", "b"]), worth("", [])] == [1.0, -1.0]


def test_many_runs_have_their_rewards_in_order():
    runs = (run for run in [RUN, [], NO_HISTORY])
    assert rewards(runs, iter([["search"], [], []]), unreadable=-1) == [pytest.approx(2 / 3), 1.0, -1.0]


def test_nothing_is_changed():
    runs, expected = [[CALLED]], [BOTH]
    before = json.dumps([runs, expected])
    rewards(runs, expected)
    assert json.dumps([runs, expected]) == before


def test_an_error_says_which_run_it_is():
    with pytest.raises(ConversionError, match=r"^run 1: expected: it is text"):
        rewards([RUN, RUN], [["search"], "search"])


def test_each_run_needs_an_expectation():
    with pytest.raises(ConversionError, match="there are 2 runs and 1 expectations"):
        rewards([RUN, RUN], [["search"]])

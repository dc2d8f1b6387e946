"""The short ways to the pairs against the long one, and how little they compare."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import CALLS, HISTORIES, OPEN
from trajmatch import ToolCall, call, match
from trajmatch import _alignment as alignment
from trajmatch import _early as module
from trajmatch import _messages as messages
from trajmatch._relation import relation

MODES = ["exact", "unordered", "subset", "superset", "in_order", "any_order"]
RULES = ["exact", "ignore", "subset", "superset", ["x"], {"ignore_case": True}]


def told(actual, expected, **options):
    result = match(actual, expected, **options)
    return result.to_dict(), result.render()


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("mode", MODES)
@given(actual=CALLS, expected=OPEN, shared=CALLS, data=st.data())
def test_the_short_way_gives_what_the_long_way_gives(mode, rule, actual, expected, shared, data):
    start, end = shared[:2], shared[2:]
    sides = [*start, *actual, *end], [*start, *expected, *end]
    short = told(*sides, mode=mode, args=rule)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(alignment, "json_alone", lambda calls: False)
        assert told(*sides, mode=mode, args=rule) == short


@pytest.mark.parametrize("rule", RULES, ids=str)
@given(actual=HISTORIES, expected=HISTORIES)
def test_the_short_way_through_messages_gives_what_the_long_way_gives(rule, actual, expected):
    short = told(actual, expected, mode="strict", args=rule)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(messages, "json_alone", lambda calls: False)
        assert told(actual, expected, mode="strict", args=rule) == short


F, G, H = (call(tool, x=1) for tool in "fgh")
COMPARED = {
    "nothing left over": ("unordered", "superset", [F, G, H], [H, G, F], []),
    "a call more": ("unordered", "superset", [F, F, G], [F, G], []),
    "a near miss that is compared by equality": ("unordered", "exact", [F, G, H], [F, call("g", x=2), H], []),
    "a near miss": ("unordered", "superset", [F, G, H], [F, call("g", x=2), H], [(1, 1)]),
    "a near miss in order": ("in_order", "exact", [F, G, H], [F, call("g", x=2), H], [(1, 1)]),
    "a near miss among calls of its tool": ("in_order", "exact", [F, G, F], [F, call("f", x=2), F], [(1, 1), (1, 1)]),
    "a call more in order": ("in_order", "exact", [F, G, H], [F, H], []),
    "calls at the end that may stand for others": ("in_order", "ignore", [G, F, H], [F, F, H], [(2, 1), (3, 3)]),
}


@pytest.mark.parametrize(("mode", "rule", "actual", "expected", "sizes"), COMPARED.values(), ids=COMPARED)
def test_equal_calls_are_compared_with_little_else(monkeypatch, mode, rule, actual, expected, sizes):
    compared = []

    def counting(ours, theirs, rules):
        compared.append((len(ours), len(theirs)))
        return relation(ours, theirs, rules)

    result = match(actual, expected, mode=mode, args=rule)
    monkeypatch.setattr(module, "relation", counting)
    assert len(result.pairs) == len(actual) * result.precision
    assert compared == sizes


def test_the_earliest_of_equal_calls_pairs_though_the_last_stands_at_the_end():
    (pair,) = match([F, F], [F], mode="in_order").pairs
    (other,) = match([ToolCall("f", "[1]"), F, F], [G, F], mode="in_order").pairs
    assert (pair.actual_index, other.actual_index) == (0, 1)

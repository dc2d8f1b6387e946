"""Pairings against an exhaustive oracle: their number, and which of them is chosen."""

import json
from collections import OrderedDict
from datetime import date
from itertools import combinations
from unittest.mock import ANY

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import CALLS, OPEN, placed
from trajmatch import Message, RuleError, ToolCall, Trajectory, call, match
from trajmatch import _alignment as module
from trajmatch._pairing import longest, maximum
from trajmatch._relation import relation
from trajmatch._rules import parse_rule
from trajmatch._tool_rules import Rules


def near(actual, expected):
    return abs(len(str(actual)) - len(str(expected))) <= 1


RULES = ["exact", "ignore", "subset", "superset", ["x"], near]


def same(rule, actual, expected):
    return match([actual], [expected], args=rule).passed if actual.name == expected.name else False


def pairings(related, actual, expected, *, ordered):
    """All pairings, by trying each."""
    found = [[]]
    for i in range(actual):
        found += [
            [*pairs, (i, j)]
            for pairs in found
            for j in range(expected)
            if related[i][j] and all(j != b for _, b in pairs) and not (ordered and any(b > j for _, b in pairs))
        ]
    return found


def chosen(all_pairings, equal, expected, *, ordered):
    """The pairing that the design chooses among the largest: equal calls first, then the earliest with the earliest."""
    most = max(map(len, all_pairings))
    best = [pairs for pairs in all_pairings if len(pairs) == most]
    if ordered:
        most_equal = max(len(equal & {*pairs}) for pairs in best)
        best = [pairs for pairs in best if len(equal & {*pairs}) == most_equal]
    else:
        for pair in sorted(equal):
            best = [pairs for pairs in best if pair in pairs] or best
    return sorted(min(best, key=lambda pairs: [{j: i for i, j in pairs}.get(j, 99) for j in range(expected)]))


def kth_with_kth(equal):
    pairs = []
    for i, j in sorted(equal):
        if all(i != a and j != b for a, b in pairs):
            pairs.append((i, j))
    return {*pairs}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: getattr(rule, "__name__", str(rule)))
@pytest.mark.parametrize("mode", ["in_order", "any_order"])
@given(actual=CALLS, expected=OPEN)
def test_pairs_are_those_of_the_exhaustive_oracle(mode, rule, actual, expected):
    ordered = mode == "in_order"
    related = [[same(rule, a, e) for e in expected] for a in actual]
    equal = {
        (i, j)
        for i, a in enumerate(actual)
        for j, e in enumerate(expected)
        if related[i][j] and e.arguments is not None and same("exact", a, e)
    }
    result = match(actual, expected, mode=mode, args=rule)
    found = [(pair.actual_index, pair.expected_index) for pair in result.pairs]
    every = pairings(related, len(actual), len(expected), ordered=ordered)
    assert found == chosen(every, equal if ordered else kth_with_kth(equal), len(expected), ordered=ordered)
    assert result.f1 == (2 * len(found) / (len(actual) + len(expected)) if actual or expected else 1.0)


@pytest.mark.parametrize("mode", ["exact", "unordered", "subset", "superset", "in_order", "any_order"])
@given(actual=CALLS, expected=CALLS)
def test_the_number_of_pairs_is_the_same_on_the_short_way(mode, actual, expected):
    result = match(actual, expected, mode=mode)
    assert result.precision == (len(result.pairs) / len(actual) if actual else 1.0)
    assert len(result.missing) == len(expected) - len(result.pairs)
    assert len(result.extra) == len(actual) - len(result.pairs)


def test_beyond_the_limit_any_maximum_pairing_is_taken_under_a_function(monkeypatch):
    monkeypatch.setattr(module, "_LARGE", 2)
    monkeypatch.setattr(module, "earliest_matching", None)
    actual, expected = [call("f", x=10**n) for n in (1, 0, 2)], [call("f", x=10**n) for n in (0, 2, 3)]
    assert len(match(actual, expected, mode="any_order", args=near).pairs) == 3


def contains(actual, expected):
    return expected.items() <= actual.items()


WITHIN_THE_LIMIT = {
    "a function, as many calls as the limit": (3, {"args": contains}),
    "a rule by its name": (1, {"args": "superset"}),
    "a rule by its name for the tool": (1, {"args": contains, "overrides": {"f": "superset"}}),
}


@pytest.mark.parametrize(("limit", "options"), WITHIN_THE_LIMIT.values(), ids=WITHIN_THE_LIMIT)
def test_the_earliest_expected_calls_get_the_earliest_actual_ones_within_the_limit(monkeypatch, limit, options):
    monkeypatch.setattr(module, "_LARGE", limit)
    actual = [call("f", x=1, n=1), call("f", y=1, n=1), call("f", y=1, n=2)]
    result = match(actual, [call("f"), call("f", x=1), call("f", y=1)], mode="any_order", **options)
    assert [(pair.actual_index, pair.expected_index) for pair in result.pairs] == [(0, 1), (1, 0), (2, 2)]


F, G, H = (call(tool, n=n) for tool, n in [("f", 0), ("g", 0), ("g", 1)])


@pytest.mark.parametrize(("others", "moved"), [([], 0), ([F, F], 2)], ids=["alone", "beside another tool"])
def test_equal_calls_pair_first_under_a_function(others, moved):
    result = match([*others, H, G], [G, H, *others], mode="any_order", overrides={"g": lambda a, e: True})
    found = {(pair.actual_index, pair.expected_index) for pair in result.pairs}
    assert found >= {(moved, 1), (moved + 1, 0)}


NO_OBJECTS = {
    "one text that is no object": ([ToolCall("f", "[1]")] * 2, [ToolCall("f"), ToolCall("f", "[1]")], [(0, 1), (1, 0)]),
    "what is not stated equals nothing": ([call("f"), ToolCall("f")], [ToolCall("f")] * 2, [(0, 0), (1, 1)]),
}


@pytest.mark.parametrize(("actual", "expected", "pairs"), NO_OBJECTS.values(), ids=NO_OBJECTS)
def test_calls_without_an_object_pair_first_where_their_texts_are_equal(actual, expected, pairs):
    result = match(actual, expected, mode="any_order")
    assert [(pair.actual_index, pair.expected_index) for pair in result.pairs] == pairs


@pytest.mark.parametrize("mode", ["in_order", "any_order"])
def test_the_call_that_is_equal_pairs_first_under_a_looser_rule(mode):
    (pair,) = match([call("f", x=3), call("f", x=1)], [call("f", x=1)], mode=mode, args="ignore").pairs
    assert pair.actual_index == 1


OVERRIDDEN = {"stricter": ("ignore", "exact", False), "looser": ("exact", "ignore", True)}


@pytest.mark.parametrize(("args", "override", "same"), OVERRIDDEN.values(), ids=OVERRIDDEN)
@pytest.mark.parametrize("mode", ["exact", "strict", "unordered", "subset", "superset", "in_order", "any_order"])
def test_the_rule_of_the_tool_decides_in_every_mode(mode, args, override, same):
    actual, expected = ([Message("assistant", None, [call("f", x=n)])] for n in (1, 2))
    result = match(Trajectory(actual), Trajectory(expected), mode=mode, args=args, overrides={"f": override})
    assert (result.passed, len(result.pairs)) == (same, same)


def test_an_equal_pair_yields_to_more_pairs_under_a_function_for_its_tool():
    ones = [call("f", n=n) for n in (1, 0)], [call("f", n=n) for n in (1, 2)]
    assert len(match(*ones, mode="any_order", overrides={"f": lambda a, e: abs(a["n"] - e["n"]) <= 1}).pairs) == 2


GREEDY_FAILS = {
    "superset": ("superset", [call("a", x=1, y=1), call("a", x=1)], [call("a", x=1), call("a", x=1, y=1)]),
    "function": (
        lambda a, e: e["q"] in a["q"],
        [call("a", q="weather in paris"), call("a", q="weather")],
        [call("a", q="weather"), call("a", q="paris")],
    ),
    "tolerance": (
        lambda a, e: abs(a["n"] - e["n"]) <= 1,
        [call("a", n=1), call("a", n=0)],
        [call("a", n=0), call("a", n=2)],
    ),
}


@pytest.mark.parametrize(("rule", "actual", "expected"), GREEDY_FAILS.values(), ids=GREEDY_FAILS)
@pytest.mark.parametrize("mode", ["unordered", "subset", "superset"])
def test_a_pairing_that_first_fit_misses_is_found(mode, rule, actual, expected):
    assert match(actual, expected, mode=mode, args=rule)
    assert match(actual[::-1], expected, mode=mode, args=rule)


UNEQUAL_TO_EACH_OTHER = {
    "a matcher": ([call("f", x=1), call("f", x=2)], [call("f", x=ANY), call("f", x=1)]),
    "a matcher beside texts": (
        [ToolCall("f", '{"x": 1}'), ToolCall("f", '{"x": 2}')],
        [call("f", x=ANY), call("f", x=1)],
    ),
    "a set": ([call("f", x=[1, 2]), call("f", x=[2, 1])], [call("f", x={1, 2}), call("f", x=[1, 2])]),
    "a set on both sides": ([call("f", x={1, 2}), call("f", x=[2, 1])], [call("f", x={1, 2}), call("f", x=[1, 2])]),
}


@pytest.mark.parametrize(("actual", "expected"), UNEQUAL_TO_EACH_OTHER.values(), ids=UNEQUAL_TO_EACH_OTHER)
@pytest.mark.parametrize("mode", ["unordered", "subset", "superset", "any_order"])
def test_what_is_equal_to_unequal_things_pairs_nothing_early(mode, actual, expected):
    for side in (actual, actual[::-1]):
        assert len(match(side, expected, mode=mode).pairs) == 2
        assert match(side, expected, mode=mode).score == 1.0
    batch = Trajectory([Message("assistant", None, actual)]), Trajectory([Message("assistant", None, expected)])
    assert len(match(*batch, mode="strict").pairs) == 2


OF_OTHER_TYPES = {
    "an ordered dict": (OrderedDict(x=1), OrderedDict(x=2)),
    "a date": ({"x": date(2024, 1, 2)}, {"x": date(2024, 1, 3)}),
    "numbers of two types": ({"x": 1}, {"x": 2.0}),
    "text and an object": ('{"x": 1}', {"x": 2}),
    "no object": ("[1]", "[2]"),
}


@pytest.mark.parametrize(("one", "other"), OF_OTHER_TYPES.values(), ids=OF_OTHER_TYPES)
@pytest.mark.parametrize("mode", ["unordered", "subset", "superset", "any_order"])
def test_arguments_of_every_type_pair_wherever_they_stand(mode, one, other):
    g, f, unlike = call("g"), ToolCall("f", one), ToolCall("f", other)
    assert match([g, f], [f, g], mode=mode).score == 1.0
    assert match([g, f], [unlike, g], mode=mode).score < 1.0
    assert match([g, f, unlike], [unlike, f, g], mode=mode).score == 1.0


@pytest.mark.parametrize("mode", ["exact", "unordered", "subset", "superset", "in_order", "any_order"])
def test_an_ordered_dict_is_matched_as_any_dict(mode):
    plain, ordered = (
        match([ToolCall("f", kind(x=1)), call("g", x=1)], [call("g", x=2), ToolCall("f", kind(x=1))], mode=mode)
        for kind in (dict, OrderedDict)
    )
    assert ordered.render() == plain.render()
    assert ordered.to_json() == plain.to_json()


ALONE = {
    "texts": ('{"x": 1}', '{"x": 1.0}', '{"x": 2}'),
    "texts with a bool": ('{"x": true}', '{"x":true}', '{"x": 1}'),
    "texts that are no objects": ("[1]", "[1]", "[1 ]"),
    "a text and an object": ('{"x": 1}', {"x": 1.0}, {"x": True}),
    "dates": ({"x": date(2024, 1, 2)}, {"x": "2024-01-02"}, {"x": date(2024, 1, 3)}),
    "an object and a text": ({"x": True}, '{"x": true}', '{"x": 1}'),
}


@pytest.mark.parametrize(("one", "same", "other"), ALONE.values(), ids=ALONE)
@pytest.mark.parametrize("mode", ["exact", "unordered", "subset", "superset", "in_order", "any_order"])
def test_a_side_of_one_type_is_as_good_as_another(mode, one, same, other):
    f, alike, unlike = (ToolCall("f", arguments) for arguments in (one, same, other))
    g = ToolCall("g", "{}" if isinstance(one, str) else {}), ToolCall("g", "{}" if isinstance(same, str) else {})
    assert match([f, g[0]], [alike, g[1]], mode=mode).score == 1.0
    assert match([f, g[0]], [unlike, g[1]], mode=mode).score < 1.0
    if mode not in {"exact", "in_order"}:
        assert match([f, g[0]], [g[1], alike], mode=mode).score == 1.0
        assert match([f, g[0]], [g[1], unlike], mode=mode).score < 1.0


@pytest.mark.parametrize("mode", ["unordered", "subset", "superset", "any_order"])
def test_a_call_pairs_once_though_its_text_is_written_in_two_ways(mode):
    actual, expected = (
        [ToolCall("f", text) for text in side] for side in (['{"x": 1}', '{"x":1}'], ['{"x": 1}', "{}"])
    )
    for ours, theirs in ((actual, expected), (expected, actual)):
        result = match(ours, theirs, mode=mode)
        assert (result.passed, result.precision, len(result.pairs)) == (False, 0.5, 1)


@pytest.mark.parametrize("mode", ["exact", "unordered", "superset"])
@pytest.mark.parametrize("copies", [1, 12])
def test_keys_that_are_no_text_are_those_of_json_on_every_way(mode, copies):
    actual, expected = [ToolCall("f", {1: "a"})] * copies, [ToolCall("f", {"1": "a"})] * copies
    for rule in ("exact", "subset", "superset"):
        result = match(actual, expected, mode=mode, args=rule)
        assert (result.passed, len(result.pairs)) == (True, copies)


def test_a_run_of_thousands_of_calls_needs_no_recursion():
    actual = [ToolCall("f", {"x": n}) for n in range(3000)]
    assert match(actual[::-1], actual, mode="unordered", args="superset")
    assert match(actual, actual, mode="in_order").f1 == 1.0
    assert len(match(actual[1:], actual, mode="in_order").pairs) == 2999


@given(actual=CALLS, expected=CALLS)
def test_stripping_ends_loses_nothing(actual, expected):
    best = max(
        n
        for n in range(min(len(actual), len(expected)) + 1)
        for left in combinations(actual, n)
        if left in {*combinations(expected, n)} or n == 0
    )
    assert len(match(actual, expected, mode="in_order").pairs) == best


class Only:
    """Equal to numbers of one type, so that it tells apart what equals the same call."""

    def __init__(self, kind):
        self.kind = kind

    def __eq__(self, other):
        return type(other) is self.kind

    __hash__ = None


VALUES = st.sampled_from([1, 1.0, True, "1", None, (1,), {1}, [1]])
ACTUAL = st.lists(st.builds(lambda value: call("f", x=value), VALUES), max_size=6)
WANTED = st.lists(
    st.builds(lambda value: call("f", x=value), VALUES | st.sampled_from([Only(int), Only(float), ANY])), max_size=6
)


@pytest.mark.parametrize("mode", ["exact", "unordered", "subset", "superset", "in_order", "any_order"])
@pytest.mark.parametrize("rule", ["exact", "subset", ["x"]], ids=str)
@given(actual=ACTUAL, expected=WANTED)
def test_values_with_an_equality_of_their_own_cost_no_pair(rule, mode, actual, expected):
    result = match(actual, expected, mode=mode, args=rule)
    rows = relation(placed(actual), placed(expected), Rules(parse_rule(rule, "args"), {}))
    ordered = mode in ("exact", "in_order")
    most = longest(rows, len(expected)) if ordered else maximum(rows)[0]
    assert len(result.pairs) == most
    assert result.precision == (most / len(actual) if actual else 1.0)
    assert all(rows[pair.actual_index] >> pair.expected_index & 1 for pair in result.pairs)


def batch(*values):
    return Trajectory([Message("assistant", "", [call("f", x=value) for value in values])])


@pytest.mark.parametrize(("wanted", "pairs"), [(int, 2), (float, 2), (str, 0)])
def test_a_batch_is_matched_in_strict_as_in_unordered(wanted, pairs):
    result = match(batch(1, 1.0), batch(1, Only(wanted)), mode="strict")
    assert (result.passed, len(result.pairs)) == (pairs == 2, pairs)


@pytest.mark.parametrize(("wanted", "pairs"), [(int, 2), (float, 2), (str, 1)])
def test_an_equal_call_is_left_to_what_takes_it_alone(wanted, pairs):
    sides = [call("f", x=1), call("f", x=1.0)], [call("f", x=1), call("f", x=Only(wanted))]
    result = match(*sides, mode="any_order")
    assert (len(result.pairs), result.precision) == (pairs, pairs / 2)


COMPARED = {
    "objects in another order": ([{"x": 1}, {"x": 2}], [{"x": 2}, {"x": 1}], []),
    "texts that are no objects": (["[1]", "[2]"], ["[2]", "[1]"], []),
    "as many objects as are searched": ([{"x": n} for n in range(3)], [{"x": n} for n in (2, 1, 0)], []),
    "more objects": ([{"x": n} for n in range(4)], [{"x": n} for n in (3, 2, 1, 0)], [(4, 4)]),
    "all of one side": ([{"x": 1}, {"x": 2}], [{"x": 2}], []),
    "behind another object": ([{"x": 3}, {"x": 1}], [{"x": 1}, {"x": 2}], [(1, 1)]),
    "behind what is no object": (["[0]", {"x": 1}], [{"x": 1}, "[2]"], [(1, 1)]),
}


@pytest.mark.parametrize(("actual", "expected", "sizes"), COMPARED.values(), ids=COMPARED)
def test_what_is_equal_is_compared_with_nothing_else(monkeypatch, actual, expected, sizes):
    compared = []

    def counting(ours, theirs, rules):
        compared.append((len(ours), len(theirs)))
        return relation(ours, theirs, rules)

    monkeypatch.setattr(module, "_FEW", 0)
    monkeypatch.setattr(module, "_SEARCHED", 3)
    monkeypatch.setattr(module, "relation", counting)
    ours, theirs = ([ToolCall("f", arguments) for arguments in side] for side in (actual, expected))
    assert match(ours, theirs, mode="unordered").passed is (ours[0] in theirs)
    assert compared == sizes


@pytest.mark.parametrize("written", [json.dumps, dict], ids=["texts", "objects"])
@pytest.mark.parametrize(
    ("few", "searched"), [(0, 0), (0, 256), (2_500, 256)], ids=["by key", "by search", "by their twins"]
)
def test_true_does_not_take_the_place_of_one(monkeypatch, written, few, searched):
    monkeypatch.setattr(module, "_FEW", few)
    monkeypatch.setattr(module, "_SEARCHED", searched)
    actual = [ToolCall("f", written(given)) for given in ({"a": True}, {"a": 1, "b": 2}, {"a": 1})]
    expected = [ToolCall("f", written(given)) for given in ({"a": 1}, {"b": 2, "a": 1.0}, {"a": 1})]
    result = match(actual, expected, mode="any_order")
    assert result.score == 2 / 3
    assert [(pair.actual_index, pair.expected_index) for pair in result.pairs] == [(1, 1), (2, 0)]


class Raises:
    def __eq__(self, other):
        raise ValueError("never compared")

    __hash__ = None


def test_an_equality_that_raises_is_named_though_others_pair_first():
    actual = [call("f", a=2), call("f", a=1)]
    with pytest.raises(RuleError, match="never compared"):
        match(actual, [call("f", a=Raises()), call("f", a=1)], mode="unordered").passed  # noqa: B018

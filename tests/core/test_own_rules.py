"""A rule of one expected call: it goes before those of the match, in every mode, and stays with the call."""

import copy
import json
import pickle
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import ARGUMENTS, CALLS, HISTORIES, OPEN
from trajmatch import (
    ArgumentRule,
    ConversionError,
    Message,
    OptionError,
    RuleError,
    ToolCall,
    Trajectory,
    call,
    check_arguments,
    check_forbidden,
    check_limits,
    match,
    one_of,
    optional,
    seq,
    to_trajectory,
)
from trajmatch._values import json_equal

CALL_MODES = ["exact", "unordered", "subset", "superset", "in_order", "any_order"]


def as_many(actual, expected):
    return len(actual) == len(expected)


RULES = {
    "exact": "exact",
    "ignore": "ignore",
    "subset": "subset",
    "superset": "superset",
    "paths": ["x"],
    "two paths": ["y", ("x",)],
    "an ArgumentRule": ArgumentRule(ignore=["x"]),
    "a lopsided one": ArgumentRule(mode="superset", defaults={"x": 1}),
    "one that tolerates": ArgumentRule(tolerance=1),
    "data": {"mode": "subset", "only": ["y"]},
    "a function": as_many,
}
ROME = {"city": "Rome", "stars": 4}
SAME = {
    "by its name": ("superset", ROME, {"city": "Rome"}),
    "paths": (["city"], ROME, {"city": "Rome", "stars": 5}),
    "an ArgumentRule": (ArgumentRule(tolerance=1), ROME, {"city": "Rome", "stars": 5}),
    "data": ({"ignore_case": True}, ROME, {"city": "ROME", "stars": 4}),
    "a function": (as_many, ROME, {"a": 1, "b": 2}),
    "ignore, not captured": ("ignore", None, ROME),
    "open": ("exact", ROME, None),
}
NOT_SAME = {
    "by its name": ("subset", ROME, {"city": "Rome"}),
    "paths": (["stars"], ROME, {"city": "Rome", "stars": 5}),
    "an ArgumentRule": (ArgumentRule(tolerance=1), ROME, {"city": "Rome", "stars": 6}),
    "data": ({"mode": "superset"}, ROME, {"city": "ROME"}),
    "a function": (as_many, ROME, {"city": "Rome"}),
    "not captured": ("superset", None, {}),
}


def verdicts(rule, actual, expected):
    """The verdict in all modes, however loose or strict the rules beside it are."""
    ours, theirs = [ToolCall("f", actual)], [ToolCall("f", expected, rule=rule)]
    message = [Message("assistant", None, ours)], [Message("assistant", None, theirs)]
    others = [{}, {"args": "ignore"}, {"args": ["none"]}, {"overrides": {"f": "exact"}}, {"overrides": {"f": "ignore"}}]
    return [
        *(match(ours, theirs, mode=mode, **other).passed for mode in CALL_MODES for other in others),
        *(match(*map(Trajectory, message), mode="strict", **other).passed for other in others),
        match(ours, [ToolCall("f", expected).under(rule)]).passed,
        match(ours, [{"name": "f", "arguments": expected, "rule": rule}]).passed,
        not check_forbidden(ours, theirs, args="exact").passed if actual is not None else match(ours, theirs).passed,
    ]


@pytest.mark.parametrize(("rule", "actual", "expected"), SAME.values(), ids=SAME)
def test_same(rule, actual, expected):
    assert set(verdicts(rule, actual, expected)) == {True}


@pytest.mark.parametrize(("rule", "actual", "expected"), NOT_SAME.values(), ids=NOT_SAME)
def test_not_the_same(rule, actual, expected):
    assert set(verdicts(rule, actual, expected)) == {False}


def told(result):
    pairs = [(pair.actual_index, pair.expected_index) for pair in result.pairs]
    return result.passed, result.score, result.precision, result.recall, pairs


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@given(actual=OPEN, expected=OPEN, mode=st.sampled_from(CALL_MODES), args=st.sampled_from(["exact", "ignore"]))
def test_a_rule_on_every_call_is_that_of_the_match(rule, actual, expected, mode, args):
    own = [call.under(rule) for call in expected]
    assert told(match(actual, own, mode=mode, args=args)) == told(match(actual, expected, mode=mode, args=rule))


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
@given(actual=HISTORIES, expected=HISTORIES)
def test_a_rule_on_every_call_is_that_of_the_match_in_strict(rule, actual, expected):
    own = to_trajectory(expected).map_calls(lambda call: call.under(rule))
    of_match = match(actual, expected, mode="strict", args=rule)
    assert told(match(actual, own, mode="strict")) == told(of_match)


BUILT_IN = ["exact", "ignore", "subset", "superset", ["x"]]
RULED = st.builds(ToolCall, st.sampled_from("ab"), ARGUMENTS, rule=st.none() | st.sampled_from(BUILT_IN))


def may_pair(actual, expected, args):
    """Whether two calls pair, in the plainest way."""
    rule, a, e = expected.rule or args, actual.arguments, expected.arguments
    asked = {"exact": {*a, *e}, "ignore": (), "subset": a, "superset": e}.get(rule if isinstance(rule, str) else "")
    keys = rule if asked is None else asked
    same = all((key in a) == (key in e) and json_equal(a.get(key), e.get(key)) for key in keys)
    return actual.name == expected.name and same


def most(actual, expected, args, *, ordered):
    """The largest number of pairs, by trying every way."""
    swapped = len(actual) > len(expected)
    few, many = (expected, actual) if swapped else (actual, expected)
    ways = combinations if ordered else permutations
    for size in range(len(few), 0, -1):
        for chosen in combinations(few, size):
            for others in ways(many, size):
                pairs = [(y, x) if swapped else (x, y) for x, y in zip(chosen, others, strict=True)]
                if all(may_pair(a, e, args) for a, e in pairs):
                    return size
    return 0


@given(
    actual=CALLS.filter(lambda calls: len(calls) < 5),
    expected=st.lists(RULED, max_size=4),
    args=st.sampled_from(BUILT_IN),
    ordered=st.booleans(),
)
def test_mixed_rules_pair_in_the_best_way(actual, expected, args, ordered):
    paired = most(actual, expected, args, ordered=ordered)
    graded = match(actual, expected, mode="in_order" if ordered else "any_order", args=args)
    assert len(graded.pairs) == paired
    assert graded.score == (2 * paired / (len(actual) + len(expected)) if actual or expected else 1.0)
    whole = match(actual, expected, mode="exact" if ordered else "unordered", args=args)
    assert whole.passed is (paired == len(actual) == len(expected))


def test_equal_calls_do_not_pair_early_where_that_costs_a_pair():
    actual = [call("f", a=1), call("f", a=2)]
    expected = [call("f", a=1).under("ignore"), call("f", a=1)]
    assert match(actual, expected, mode="unordered").passed
    assert [(p.actual_index, p.expected_index) for p in match(actual, expected, mode="unordered").pairs] == [
        (0, 1),
        (1, 0),
    ]


def test_batches_of_strict_pair_in_the_best_way():
    actual = Trajectory([Message("assistant", None, [call("f", a=2), call("f", a=1)])])
    expected = Trajectory([Message("assistant", None, [call("f", a=1).under("ignore"), call("f", a=1)])])
    assert match(actual, expected, mode="strict").passed


@given(actual=CALLS, expected=st.lists(RULED, max_size=4), args=st.sampled_from(BUILT_IN))
def test_what_differs_is_told_under_the_rule_of_the_call(actual, expected, args):
    for a in actual:
        for e in expected:
            near = match([a], [e], args=args).to_dict()["near_misses"]
            differs = [difference for miss in near for difference in miss["differences"]]
            assert bool(differs) is (a.name == e.name and not may_pair(a, e, args))


def test_the_reason_tells_what_differs_under_the_rule_of_the_call():
    result = match([call("book", hotel="Plaza", nights=2)], [call("book", hotel="Ritz").under("superset")])
    assert result.reason == (
        'exact: FAIL; 0 paired, 1 near miss; actual[0] book for expected[0]: hotel: expected "Ritz", got "Plaza"'
    )


def test_the_signature_carries_the_rules_of_calls():
    expected = [call("a").under("superset"), "b", call("c").under(["x"]), call("d").under(ArgumentRule(ignore=["id"]))]
    assert match([], expected).signature == (
        "mode:exact|args:exact,expected[0]=superset,expected[2]=['x'],expected[3]=ArgumentRule(ignore=['id'])"
        "|calls:all|semantics:1"
    )
    assert match([], ["b"]).signature == "mode:exact|args:exact|calls:all|semantics:1"
    with_overrides = match([], [call("a").under("ignore")], args="subset", overrides={"a": "superset"})
    assert with_overrides.signature == "mode:exact|args:subset,a=superset,expected[0]=ignore|calls:all|semantics:1"


def test_a_forbidden_call_may_have_a_rule():
    run = [call("refund", id=7, note="late")]
    assert check_forbidden(run, [call("refund", id=7).under("exact")]).passed
    assert not check_forbidden(run, [call("refund", id=8).under("ignore")]).passed
    assert not check_forbidden(run, [{"name": "refund", "arguments": {"ID": 7}, "rule": ["note2"]}]).passed


def test_a_path_that_occurs_in_no_call_of_its_tool_is_noted():
    run = [call("f", a=1), call("g", b=1)]
    notes = match(run, [call("f", a=1).under(ArgumentRule(ignore=["b"])), call("g", b=1).under(["b"])]).notes
    assert notes == ("the key path 'b' occurs in no call",)
    notes = match(run, run, args=["a"], overrides={"f": "exact"}).notes
    assert notes == ("the key path 'a' occurs in no call",)


def test_a_rule_that_raises_names_the_call():
    def broken(actual, expected):
        raise ValueError("no")

    with pytest.raises(RuleError) as caught:
        match([call("f"), call("f", a=1)], ["f", call("f", a=2).under(broken)])
    assert str(caught.value) == (
        "comparing the arguments of 'f', actual[0] with expected[1], under "
        "test_a_rule_that_raises_names_the_call.<locals>.broken(): ValueError: no"
    )
    assert (caught.value.actual_index, caught.value.expected_index) == (0, 1)


LOOSE = call("f", a=1).under("superset")
ON_THE_ACTUAL_SIDE = {
    "a list": [call("f"), LOOSE],
    "dicts": [{"name": "f"}, {"name": "f", "rule": "superset"}],
    "a trajectory of calls": Trajectory(calls=[call("f"), LOOSE]),
    "a trajectory of messages": Trajectory([Message("assistant", None, [call("f"), LOOSE])]),
    "a stored one": json.loads(Trajectory(calls=[call("f"), LOOSE]).to_json()),
}
CHECKS = {
    "match": lambda run: match(run, ["f", "f"]),
    "check_arguments": lambda run: check_arguments(run, "f", {}),
    "check_forbidden": lambda run: check_forbidden(run, ["g"]),
    "check_limits": lambda run: check_limits(run, max_tool_calls=3),
}


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
@pytest.mark.parametrize("run", ON_THE_ACTUAL_SIDE.values(), ids=ON_THE_ACTUAL_SIDE)
def test_an_actual_call_has_no_rule(run, check):
    with pytest.raises(ConversionError) as caught:
        check(run)
    assert str(caught.value) == "actual: call 1 has a rule of its own, which belongs to an expected call"
    assert caught.value.index == 1


SHOWN = {
    "exact": "ToolCall('f', {'a': 1}, rule='exact')",
    "paths": "ToolCall('f', {'a': 1}, rule=['x'])",
    "an ArgumentRule": "ToolCall('f', {'a': 1}, rule=ArgumentRule(ignore=['x']))",
    "data": "ToolCall('f', {'a': 1}, rule=ArgumentRule(mode='subset', only=['y']))",
}


@pytest.mark.parametrize(("name", "text"), SHOWN.items(), ids=SHOWN)
def test_a_call_shows_its_rule(name, text):
    assert repr(call("f", a=1).under(RULES[name])) == text


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_call_keeps_its_rule(rule):
    one = call("f", a=1).under(rule)
    kept = [
        pickle.loads(pickle.dumps(one)),
        copy.deepcopy(one),
        one.replace(id="1").replace(id=None),
        one.replace(rule=one.rule),
        Trajectory(calls=[one]).map_calls(lambda call: call.replace(name="g")).calls[0].replace(name="f"),
        pickle.loads(pickle.dumps(Trajectory(calls=[one]))).calls[0],
    ]
    assert all(other == one and other.rule == one.rule for other in kept)
    assert one != call("f", a=1) == one.replace(rule=None)
    assert call("f", a=1).rule is None
    assert one != one.under("ignore" if rule != "ignore" else "exact")


@pytest.mark.parametrize("rule", [rule for rule in RULES.values() if not callable(rule)], ids=str)
def test_the_stored_form_keeps_a_rule(rule):
    one = call("f", a=1).under(rule)
    for run in (Trajectory(calls=[one]), Trajectory([Message("assistant", None, [one])])):
        read = Trajectory.from_json(run.to_json())
        assert read.calls == run.calls
        assert read.calls[0].rule == (["y", ["x"]] if rule == RULES["two paths"] else one.rule)


ALIKE = {
    "paths": (["a"], ("a",)),
    "segments": ([("a.b",)], [["a.b"]]),
    "data": ({"ignore": ["a"]}, ArgumentRule(ignore=[["a"]])),
    "a name, and an ArgumentRule that says the same": ("subset", ArgumentRule(mode="subset")),
    "functions": (as_many, as_many),
}
UNLIKE = {
    "paths": (["a"], ["b"]),
    "names": ("ignore", "exact"),
    "functions": (as_many, lambda actual, expected: True),
    "none": ("exact", None),
}


@pytest.mark.parametrize(("one", "other"), ALIKE.values(), ids=ALIKE)
def test_calls_are_equal_whose_rules_say_the_same(one, other):
    assert call("f", a=1).under(one) == call("f", a=1).under(other)


@pytest.mark.parametrize(("one", "other"), UNLIKE.values(), ids=UNLIKE)
def test_calls_differ_whose_rules_do(one, other):
    assert call("f", a=1).under(one) != call("f", a=1).replace(rule=other)


def test_a_rule_is_written_as_data():
    rules = ["subset", ["a.b"], {"ignore": ["id"], "tolerance": 0.5}]
    run = Trajectory(calls=[call("f").under(rule) for rule in rules])
    assert [form["rule"] for form in json.loads(run.to_json())["calls"]] == rules


def test_a_function_cannot_be_written():
    run = Trajectory(calls=[call("f").under(as_many)])
    with pytest.raises(
        ConversionError, match=r"cannot be written as JSON: the function as_many\(\) cannot be written as data"
    ):
        run.to_json()
    assert match([call("f")], run).to_dict()["signature"] == (
        "mode:exact|args:exact,expected[0]=as_many()|calls:all|semantics:1"
    )


WRONG = {
    "a typo": ("supreset", "rule: 'supreset' is no rule; did you mean 'superset'?; write 'exact', 'ignore', 'subset'"),
    "no paths": ([], "rule: no key path is given; to compare nothing say 'ignore'"),
    "a wrong path": (["a[0]"], "rule: '[' in the key path 'a[0]'"),
    "an unknown option": ({"ignored": ["a"]}, "rule: an ArgumentRule has no option 'ignored'; did you mean 'ignore'?"),
    "a number": (
        1,
        "rule: a rule is 'exact', 'ignore', 'subset', 'superset', a list of key paths, an ArgumentRule, an "
        "object of its options, or a function, got",
    ),
}


@pytest.mark.parametrize(("rule", "text"), WRONG.values(), ids=WRONG)
def test_a_wrong_rule_is_refused(rule, text):
    for make in (lambda: ToolCall("f", rule=rule), lambda: call("f").under(rule), lambda: call("f").replace(rule=rule)):
        with pytest.raises(OptionError) as caught:
            make()
        assert str(caught.value).startswith(text)
        assert caught.value.option == "rule"
    with pytest.raises(ConversionError) as caught:
        match([], ["f", {"name": "f", "rule": rule}])
    assert str(caught.value).startswith(f"expected: call 1: {text}")
    assert caught.value.index == 1
    calls, message = [{"name": "f"}, {"name": "f", "rule": rule}], {"role": "assistant", "content": None}
    stored = {"call 1": {"calls": calls}, "message 1": {"messages": [message, {**message, "tool_calls": calls}]}}
    for place, form in stored.items():
        with pytest.raises(ConversionError) as caught:
            Trajectory.from_json({"notes": [], **form})
        assert str(caught.value).startswith(f"this is no stored trajectory: {place}: {text}")
        assert caught.value.index == 1


def test_a_function_is_asked_once_for_each_pair_of_calls():
    asked = []

    def rule(actual, expected):
        asked.append((actual["n"], expected["n"]))
        return True

    match([call("f", n=1), call("f", n=2)], [call("f", n=3).under(rule), call("f", n=2)], mode="unordered")
    assert sorted(asked) == [(1, 3), (2, 3)]


def test_the_signature_of_a_structure_does_not_depend_on_the_run():
    expected = one_of(seq("a", call("b").under("superset")), call("b").under("subset"))
    runs = [[call("a"), call("b")], [call("b")], []]
    part = seq(optional(call("c").under("ignore")), call("b").under("superset"))
    assert len({match(run, part).signature for run in runs}) == 1
    assert match([call("b")], part).signature == (
        "mode:structure|args:exact,expected[0]=ignore,expected[1]=superset|calls:all|semantics:1"
    )
    assert match(runs[0], expected).passed


def test_a_rule_with_a_number_that_is_not_finite_is_stored_wherever_it_stands():
    made = call("f", x=1).under({"defaults": {"y": [float("nan"), {"z": [float("inf")]}]}})
    stored = Trajectory.from_json(Trajectory.from_calls([made]).to_json())
    assert repr(stored.calls[0].own_rule.data) == repr(made.own_rule.data)


def never(actual, expected):
    return False


def always(actual, expected):
    return True


@pytest.mark.parametrize("rules", [*permutations([never, always])])
@pytest.mark.parametrize("mode", ["in_order", "any_order"])
def test_each_function_is_asked_for_its_own_call(mode, rules):
    expected = [call("f", x=0).under(rule) for rule in rules]
    result = match([call("f", x=1)], expected, mode=mode)
    assert [pair.expected_index for pair in result.pairs] == [rules.index(always)]

"""Matching with structures: tables of what each element asks for, and the best of all there is to choose from."""

from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import CALLS, OPEN, RUNS, STRUCTURES, history, placed
from trajmatch import (
    ConversionError,
    CostError,
    Message,
    OptionError,
    RuleError,
    ToolCall,
    Trajectory,
    any_of,
    any_order,
    batched,
    call,
    check_forbidden,
    forbidden,
    match,
    one_of,
    optional,
    plan,
    repeat,
    seq,
    step,
)
from trajmatch._rules import parse_rule
from trajmatch._structure import calls_in
from trajmatch._structure_match import Grading, Search
from trajmatch._tool_rules import Rules


def run(names):
    """The calls of these names, one letter each."""
    return [call(name) for name in names]


CHAIN = plan(step("x", "a"), step("y", "b", ["x"]), step("z", "c", ["y"]))
FORK = plan(step("x", "a"), step("y", "b", ["x"]), step("z", "c", ["x"]), step("end", "d", ["y", "z"]))
PASSES = {
    "seq": (seq("a", "b"), ["ab"]),
    "seq of nothing": (seq(), [""]),
    "any_order": (any_order("a", "b", "b"), ["abb", "bab", "bba"]),
    "any_order, interleaved": (any_order(seq("a", "b"), seq("c", "d")), ["abcd", "acbd", "cdab", "cadb"]),
    "optional": (seq("a", optional("b"), "c"), ["abc", "ac"]),
    "optional as a whole": (seq("a", optional(seq("b", "c"))), ["a", "abc"]),
    "one_of": (seq("a", one_of("b", seq("c", "d"))), ["ab", "acd"]),
    "one_of at the top": (one_of("a", seq("b", "c")), ["a", "bc"]),
    "repeat": (repeat("a"), ["a", "aa", "aaaaaa"]),
    "repeat, bounds": (repeat("a", 2, 3), ["aa", "aaa"]),
    "repeat, from none": (seq(repeat("a", 0), "b"), ["b", "ab", "aaab"]),
    "repeat a structure": (repeat(seq("a", optional("b"))), ["a", "ab", "aab", "abaab"]),
    "repeat a choice": (repeat(one_of("a", "b"), max=3), ["a", "b", "abb", "bab"]),
    "repeat a repeat": (repeat(seq(repeat("a"), "b")), ["ab", "aabab"]),
    "forbidden": (seq("a", forbidden("x")), ["a"]),
    "forbidden but asked for": (seq("a", forbidden("a")), ["a"]),
    "forbidden but optional": (seq(optional("a"), "b", forbidden("a")), ["ab", "b"]),
    "plan of nothing": (plan(), [""]),
    "plan in a line": (CHAIN, ["abc"]),
    "plan with a fork": (FORK, ["abcd", "acbd"]),
    "plan of structures": (
        plan(step("x", seq("a", "b")), step("y", optional("c")), step("z", "d", ["x"])),
        ["abd", "cabd", "abdc", "acbd"],
    ),
    "plan written backwards": (plan(step("y", "b", ["x"]), step("x", "a")), ["ab"]),
}
FAILS = {
    "seq turned": (seq("a", "b"), "ba", Fraction(1, 2)),
    "seq, missing": (seq("a", "b"), "a", Fraction(2, 3)),
    "seq, extra": (seq("a", "b"), "acb", Fraction(4, 5)),
    "seq of nothing": (seq(), "a", Fraction(0)),
    "any_order, missing": (any_order("a", "b", "b"), "ba", Fraction(4, 5)),
    "any_order, order within": (any_order(seq("a", "b"), seq("c", "d")), "badc", Fraction(1, 2)),
    "optional twice": (seq("a", optional("b")), "abb", Fraction(4, 5)),
    "optional out of place": (seq("a", optional("b")), "ba", Fraction(2, 3)),
    "half of an optional whole": (seq("a", optional(seq("b", "c", "d"))), "ab", Fraction(2, 3)),
    "more than half of it": (seq("a", optional(seq("b", "c", "d"))), "abc", Fraction(6, 7)),
    "half of one, half of another": (one_of(seq("a", "b"), seq("c", "d")), "ad", Fraction(1, 2)),
    "both of one_of": (seq(one_of("a", "b")), "ab", Fraction(2, 3)),
    "repeat, none": (repeat("a"), "", Fraction(0)),
    "repeat, too few": (repeat("a", 3), "aa", Fraction(4, 5)),
    "repeat, too many": (repeat("a", 1, 2), "aaa", Fraction(4, 5)),
    "forbidden": (seq("a", forbidden("x")), "ax", Fraction(2, 3)),
    "forbidden and missing": (seq("a", forbidden("x")), "x", Fraction(0)),
    "forbidden once more": (seq("a", forbidden("a")), "aa", Fraction(2, 3)),
    "plan in a line": (CHAIN, "acb", Fraction(2, 3)),
    "plan with a fork": (FORK, "abdc", Fraction(3, 4)),
}
TWO = history([[call("a")], [call("b"), call("c")], [call("c"), call("a")]])
BATCHES = {
    "one batch": (any_order("a", "c", batched("c", "b"), "a"), Fraction(1)),
    "one batch, twice": (seq("a", batched("b", "c"), batched("a", "c")), Fraction(1)),
    "two batches": (any_order("a", "b", batched("c", "c"), "a"), Fraction(4, 5)),
    "more than there is": (seq("a", batched("a", "b", "c"), "a"), Fraction(4, 5)),
    "a repeated batch": (seq("a", repeat(batched("c", ToolCall("b"))), "c", "a"), Fraction(1)),
}


@pytest.mark.parametrize(("structure", "names"), [(s, n) for s, every in PASSES.values() for n in every])
def test_what_is_asked_for_passes(structure, names):
    result = match(run(names), structure)
    assert result.passed
    assert result.score == 1
    assert result.edits == result.missing == result.extra == ()


@pytest.mark.parametrize(("structure", "names", "score"), FAILS.values(), ids=FAILS)
def test_what_is_not_asked_for_fails_with_a_score(structure, names, score):
    result = match(run(names), structure)
    assert not result.passed
    assert result.score == result.f1 == float(score)
    assert 1 - sum(edit.cost for edit in result.edits) == score


@pytest.mark.parametrize(("structure", "score"), BATCHES.values(), ids=BATCHES)
def test_a_batch_stands_in_one_message(structure, score):
    result = match(TWO, structure)
    assert result.score == float(score)
    assert result.passed == (score == 1)


def test_in_a_list_of_calls_each_is_a_batch():
    result = match(run("ab"), seq(batched("a", "b")))
    assert result.score == 0.5
    assert result.notes == (
        "actual is a list of calls, which does not say which were made in parallel, as batched asks for",
    )
    assert match(run("ab"), any_order("a", "b")).notes == match(TWO, batched("a", "b")).notes == ()


GRADED = {
    "recall": ("axb", seq("a", "b"), {"allow_extra": True}, 1.0, True),
    "recall, missing": ("ax", seq("a", "b"), {"allow_extra": True}, 0.5, False),
    "recall, optional": ("ab", seq("a", optional("b"), "c"), {"allow_extra": True}, 2 / 3, False),
    "recall of nothing": ("x", seq(optional("a")), {"allow_extra": True}, 1.0, True),
    "precision": ("a", seq("a", "b"), {"allow_missing": True}, 1.0, True),
    "precision, extra": ("ax", seq("a", "b"), {"allow_missing": True}, 0.5, False),
    "precision of nothing": ("", seq("a"), {"allow_missing": True}, 1.0, True),
    "a threshold": ("ax", seq("a"), {"threshold": 0.6}, 2 / 3, True),
    "a threshold, not reached": ("ax", seq("a"), {"threshold": 0.7}, 2 / 3, False),
    "forbidden beside a threshold": ("ax", seq("a", forbidden("x")), {"threshold": 0}, 2 / 3, False),
    "forbidden where more is allowed": ("ax", seq("a", forbidden("x")), {"allow_extra": True}, 1.0, False),
    "a pass before a score": (
        "aax",
        any_order(one_of(seq("a", "a"), seq("x")), forbidden("x")),
        {"threshold": 0.4},
        0.5,
        True,
    ),
}


REFUND = call("refund", order=8)
BARRED = {
    "more arguments": (call("refund", order=8, amount=2), forbidden(REFUND), True),
    "no arguments asked for": (call("refund", order=8), forbidden(call("refund")), True),
    "a name": (call("refund", order=8), forbidden("refund"), True),
    "another argument": (call("refund", order=7), forbidden(REFUND), False),
    "fewer arguments": (call("refund"), forbidden(REFUND), False),
    "another tool": (call("pay", order=8), forbidden(REFUND), False),
    "unreadable arguments": (ToolCall("refund", '{"order": 8'), forbidden(REFUND), True),
    "arguments that were not captured": (ToolCall("refund"), forbidden(REFUND), True),
    "a rule of its own": (call("refund", order=8, amount=2), forbidden(REFUND.under("exact")), False),
    "unreadable arguments of another tool": (ToolCall("pay", '{"order": 8'), forbidden(REFUND), False),
}


@pytest.mark.parametrize("args", ["exact", "ignore", "subset"])
@pytest.mark.parametrize(("made", "barred", "hit"), BARRED.values(), ids=BARRED)
def test_a_call_is_forbidden_as_check_forbidden_says_whatever_the_rule_of_the_match(made, barred, hit, args):
    result = match([call("a"), made], seq("a", barred), allow_extra=True, args=args)
    assert (result.forbidden == (made,)) == hit == (not result.passed)
    assert check_forbidden([made], [*barred.parts]).passed == (not hit)


def test_what_is_forbidden_and_does_not_count_is_noted():
    output = match([call("a"), ToolCall("delete", {}, kind="output")], seq("a", forbidden("delete")))
    assert "'delete' at actual[1] does not count (structured output" in output.notes[0]
    said = [Message("assistant", None, [call("a")]), Message("tool", "done", name="delete")]
    alone = match(Trajectory(said), seq("a", forbidden("delete")))
    assert alone.notes == ("message 1 is a result of 'delete' without its call",)


def test_what_is_forbidden_and_asked_for_may_be_unreadable():
    assert match([ToolCall("refund", "{")], seq("refund", forbidden(REFUND))).passed


def test_the_name_of_a_call_that_is_nearly_made_is_noted():
    barred = match([call("a"), call("delete_account")], seq("a", forbidden("delete_acount")), allow_extra=True)
    assert barred.notes == ("'delete_acount' is never called; did you mean 'delete_account'?",)
    assert match([call("a")], seq("a", forbidden("b"), optional("delete"))).notes == ()


def test_calls_that_could_have_taken_a_place_are_named_where_none_does():
    result = match([call("x")], seq(one_of("fly", one_of("drive", "fly"))), allow_extra=True)
    assert "missing expected[0] fly (or drive)" in result.reason
    assert result.picture.rows[0].remarks == ("missing (or drive)",)


def test_a_batch_that_was_not_one_is_told():
    said = [Message("assistant", None, [call(name)]) for name in "abc"]
    told = match(Trajectory(said), any_order(batched("a", "b"), "c"))
    assert told.picture.rows[1].remarks == ("was not made in one batch with the calls that share it",)
    assert str(told.ladder).endswith("b was not made in one batch with the calls that share it")
    late = match(Trajectory([said[2], Message("assistant", None, [call("a"), call("b")])]), seq(batched("a", "b"), "c"))
    assert "batch" not in late.reason


FORBIDDEN = {
    "alone": ({}, "FAIL for a forbidden call, F1 0.667", "it passes without the forbidden call"),
    "beside others": ({"threshold": 0.9}, "FAIL, F1 0.667", "allow_extra scores 1.000"),
}


@pytest.mark.parametrize(("options", "head", "closest"), FORBIDDEN.values(), ids=FORBIDDEN)
def test_a_forbidden_call_that_alone_makes_it_fail_is_told(options, head, closest):
    result = match(run("ax"), seq("a", forbidden("x")), **{"threshold": 0.5, **options})
    assert result.reason.startswith(f"structure: {head}")
    assert f"closest: {closest}" in result.render()


@pytest.mark.parametrize(("names", "structure", "options", "score", "passed"), GRADED.values(), ids=GRADED)
def test_a_graded_score(names, structure, options, score, passed):
    result = match(run(names), structure, **options)
    assert (result.score, result.passed) == (score, passed)


def test_of_equals_less_is_left_over_and_then_the_first_written_is_taken():
    whole = seq(one_of(seq("a", "b"), seq("a")))
    assert [pair.expected.name for pair in match(run("ax"), whole, allow_missing=True).pairs] == ["a"]
    assert match(run("ax"), whole, allow_missing=True).missing == ()
    first = match(run("a"), seq(one_of(ToolCall("a", rule="subset"), "a")))
    assert first.pairs[0].expected.own_rule is not None
    optional_first = match(run("ab"), any_order("b", optional("a")), allow_extra=True)
    assert optional_first.extra == ()


@pytest.mark.parametrize(
    ("names", "structure", "pairs"),
    [
        ("ba", seq(one_of("a", "b")), [(1, "a")]),
        ("ba", seq(one_of("a", "b"), one_of("a", "b")), [(0, "b"), (1, "a")]),
        ("bab", seq(one_of("a", "b"), one_of("a", "b")), [(1, "a"), (2, "b")]),
        ("ab", any_order(one_of("b", "a"), one_of("b", "a")), [(0, "a"), (1, "b")]),
        ("ba", seq(optional(one_of("a", "b"))), [(1, "a")]),
        ("ba", repeat(one_of("a", "b"), max=1), [(1, "a")]),
        ("b", seq(one_of("a", one_of("c", "b"))), [(0, "b")]),
    ],
)
def test_of_choices_that_are_equally_good_the_first_written_is_taken(names, structure, pairs):
    found = match(run(names), structure).pairs
    assert [(pair.actual_index, pair.expected.name) for pair in found] == pairs


def test_a_choice_that_is_not_met_is_missing_as_its_first():
    assert match(run("x"), seq(one_of("a", "b"))).missing == (ToolCall("a"),)


def test_early_parts_get_early_calls():
    pairs = match(run("aba"), any_order("a", "b")).pairs
    assert [(pair.actual_index, pair.expected_index) for pair in pairs] == [(0, 0), (1, 1)]
    crossed = match([call("a", x=1), call("a", x=2)], any_order(call("a", x=2), "a")).pairs
    assert [(pair.actual_index, pair.expected_index) for pair in crossed] == [(0, 1), (1, 0)]


# --- options, as for a list -------------------------------------------------------------------------


def test_names_rules_and_tools_work_as_in_a_list():
    actual = [call("mcp__search", q="x", page=1), call("pay", amount=3)]
    structure = seq(call("find", q="x").under("superset"), one_of("cash", call("pay", amount=4)))
    options = {"aliases": {"search": "find"}, "prefixes": ["mcp__"], "overrides": {"pay": "ignore"}}
    assert match(actual, structure, **options).passed
    assert not match(actual, structure, **options | {"overrides": {}}).passed
    assert not match(actual, structure, **options | {"aliases": {}}).passed


def test_the_calls_of_a_structure_are_checked_beside_the_tools():
    tool = {"name": "pay", "parameters": {"type": "object", "properties": {"amount": {"type": "integer"}}}}
    assert match([call("pay", amount=1)], seq(optional(call("pay", amount=1))), tools=[tool])
    with pytest.raises(ConversionError, match="is not as the schema of its tool asks"):
        match([call("pay", amount=1)], seq("pay", optional(call("pay", amount="much"))), tools=[tool])


def test_only_calls_that_count_are_matched():
    actual = [ToolCall("a", {}, status="failed"), ToolCall("a", {}, status="succeeded")]
    assert match(actual, seq("a"), calls="succeeded").passed
    assert not match(actual, seq("a")).passed
    assert match(actual, seq("a"), calls=lambda one: one.status == "failed").passed
    assert match(actual, seq("a", forbidden("a")), calls="succeeded").passed


def test_structured_output_counts_where_it_is_asked_for():
    actual = [call("a"), ToolCall("Trip", {}, kind="output")]
    assert match(actual, seq("a")).passed
    assert match(actual, seq("a", ToolCall("Trip", kind="output"))).passed


def test_a_rule_of_ones_own_decides_and_may_raise():
    def more(actual, expected):
        return actual["x"] > expected["x"]

    assert match([call("a", x=2)], seq(call("a", x=1)), args=more).passed
    with pytest.raises(RuleError):
        match([call("a")], seq(call("a", x=1)), args=more)


@pytest.mark.parametrize("mode", ["exact", "in_order"])
@pytest.mark.parametrize("structure", [seq("a"), {"seq": ["a"]}, any_of(["b"], seq("a"))], ids=["made", "data", "any"])
def test_a_mode_beside_a_structure_is_refused(mode, structure):
    with pytest.raises(
        OptionError, match="mode has no effect beside a structure, which carries its own order"
    ) as error:
        match(run("a"), structure, mode=mode)
    assert (error.value.option, error.value.value) == ("mode", mode)


def test_options_of_a_list_have_no_effect_beside_a_structure_and_the_other_way_round():
    with pytest.raises(OptionError, match="ignore_roles has no effect"):
        match(run("a"), seq("a"), ignore_roles=["user"])
    with pytest.raises(OptionError, match="threshold has no effect in the mode 'exact'"):
        match(run("a"), ["a"], threshold=0.5)
    with pytest.raises(OptionError, match="one of them"):
        match(run("a"), seq("a"), allow_extra=True, allow_missing=True)


# --- whole alternatives -----------------------------------------------------------------------------


WHOLE = {
    "lists": (any_of(["b"], ["a", "b"]), {}, 1, "exact: PASS; 2 paired; any_of[1] is met best; F1 of [0] is 0.667"),
    "lists, in a mode": (
        {"any_of": [["b", "a"], ["c"]]},
        {"mode": "any_order"},
        0,
        "any_order: PASS, F1 1.000 = 2*2/(2+2); 2 paired; any_of[0] is met best; F1 of [1] is 0.000",
    ),
    "structures": (
        any_of(seq("b"), seq("a", "b")),
        {},
        1,
        "structure: PASS, F1 1.000 = 2*2/(2+2); 2 paired; any_of[1] is met best; F1 of [0] is 0.667",
    ),
    "a list and a structure": (
        any_of(["a"], seq("b", "a")),
        {},
        0,
        "structure: FAIL, F1 0.667 = 2*1/(2+1); 1 paired, 1 extra; any_of[0] is met best; F1 of [1] is 0.500; "
        "extra actual[1] b()",
    ),
    "a history": (
        any_of(["c"], history([[call("a"), call("b")]])),
        {},
        1,
        "exact: PASS; 2 paired; any_of[1] is met best; F1 of [0] is 0.000",
    ),
    "one_of at the top": (
        one_of("a", "c", seq("b", "a"), seq("a", optional("x"), "b")),
        {},
        3,
        "structure: PASS, F1 1.000 = 2*2/(2+2); 2 paired; one_of[3] is met best; "
        "F1 of [0] is 0.667; F1 of [1] is 0.000; F1 of [2] is 0.500",
    ),
    "the first of equals": (any_of(["a", "b"], ["a", "b"]), {}, 0, None),
    "one alone": (any_of(["a", "b"]), {}, 0, "exact: PASS; 2 paired; any_of[0] is met best"),
    "no choice": (["a", "b"], {}, None, "exact: PASS; 2 paired"),
    "none of them": (one_of("x", "y"), {}, 0, None),
}


@pytest.mark.parametrize(("expected", "options", "chosen", "reason"), WHOLE.values(), ids=WHOLE)
def test_one_of_several_wholes_is_chosen(expected, options, chosen, reason):
    result = match(run("ab"), expected, **options)
    assert result.chosen == result.to_dict()["chosen"] == chosen
    assert result.reason == (reason or result.reason)


def test_the_picture_names_the_choice():
    lines = match(run("ab"), any_of(["b"], ["a", "c"])).render().splitlines()
    assert "any_of[0] is met best; F1 of [1] is 0.500" in lines


def test_any_of_shows_and_nests():
    whole = any_of(["a"], any_of(seq("b"), one_of("c", "d")))
    assert repr(any_of(seq("a"), one_of("b", "c"))) == "any_of(seq('a'), one_of('b', 'c'))"
    assert match(run("d"), whole).chosen == 1
    with pytest.raises(ConversionError, match=r"any_of\[1\]: call 0"):
        any_of(["a"], [{"name": "b", "argumens": {}}])


# --- everything there is to choose from -------------------------------------------------------------


def joined(parts, earlier):
    """Lists of (calls, order, batches, forbidden) as one, where some parts come after others."""
    calls, order, batches, never, spans = [], set(), [], [], []
    for number, (own_calls, own_order, own_batches, own_never) in enumerate(parts):
        start = len(calls)
        spans.append(range(start, start + len(own_calls)))
        order |= {(x + start, y + start) for x, y in own_order}
        batches += [one and (number, one) for one in own_batches]
        calls, never = calls + own_calls, never + own_never
    for one, other in earlier:
        order |= set(product(spans[one], spans[other]))
    return calls, order, batches, never


def line(size):
    return {(x, y) for y in range(size) for x in range(y)}


def closed(order):
    more = order | {(w, z) for w, x in order for y, z in order if x == y}
    return order if more == order else closed(more)


def expanded(element, size):
    """All that an element may stand for in a run of so many calls, with each option settled."""
    if isinstance(element, ToolCall):
        return [([element], set(), [None], [])]
    parts = element.parts
    match element.kind:
        case "forbidden":
            return [([], set(), [], [*parts])]
        case "optional":
            return [*expanded(parts[0], size), ([], set(), [], [])]
        case "one_of":
            return [one for part in parts for one in expanded(part, size)]
        case "repeat":
            most = max(element.least, size if element.most is None else min(size, element.most))
            each = expanded(parts[0], size)
            counts = range(element.least, most + 1)
            return [joined(times, line(count)) for count in counts for times in product(each, repeat=count)]
        case "plan":
            at = {name: place for place, (name, _) in enumerate(element.steps)}
            earlier = closed({(at[other], at[name]) for name, after in element.steps for other in after})
        case "seq":
            earlier = line(len(parts))
        case _:
            earlier = set()
    whole = [joined(chosen, earlier) for chosen in product(*(expanded(part, size) for part in parts))]
    if element.kind == "batched":
        return [(calls, order, ["batch"] * len(calls), never) for calls, order, _, never in whole]
    return whole


def same(actual, expected):
    return actual.name == expected.name and expected.arguments in (None, actual.arguments)


def assignments(actual, batches, expansion, leaf=0):
    """All ways to pair the calls of an expansion, as a dict of its calls to the run's."""
    calls, order, groups, _ = expansion
    if leaf == len(calls):
        return [{}]
    rest = assignments(actual, batches, expansion, leaf + 1)

    def fits(chosen, place):
        return all(
            place != other
            and ((leaf, later) not in order or place < other)
            and ((later, leaf) not in order or other < place)
            and (not groups[leaf] or groups[leaf] != groups[later] or batches[place] == batches[other])
            for later, other in chosen.items()
        )

    return rest + [
        {leaf: place, **chosen}
        for place in range(len(actual))
        if same(actual[place], calls[leaf])
        for chosen in rest
        if fits(chosen, place)
    ]


def ranks(actual, batches, structure, grading):
    for expansion in expanded(structure, len(actual)):
        calls, _, _, never = expansion
        for chosen in assignments(actual, batches, expansion):
            pairs, expected = len(chosen), len(calls)
            part, whole = 2 * pairs, len(actual) + expected
            if grading.allow_extra:
                part, whole = pairs, expected
            elif grading.allow_missing:
                part, whole = pairs, len(actual)
            score = float(Fraction(part, whole)) if whole else 1.0
            left = {*range(len(actual))}.difference(chosen.values())
            hit = any(same(actual[place], one) for place in left for one in never)
            yield score >= grading.threshold and not hit, score, 2 * pairs - len(actual) - expected


GRADINGS = st.builds(
    lambda allowed, threshold: Grading(*allowed, threshold),
    st.sampled_from([(False, False), (False, False), (True, False), (False, True)]),
    st.sampled_from([1.0, 0.5]),
)


@given(RUNS, STRUCTURES, GRADINGS, st.lists(st.integers(0, 2), min_size=4, max_size=4).map(sorted))
def test_what_is_found_is_the_best_there_is(actual, structure, grading, batches):
    every = expanded(structure, len(actual))
    assume(len(every) <= 100 and max(len(calls) for calls, *_ in every) <= 6)
    expected = placed({id(one): one for one in calls_in(structure)}.values())
    search = Search(placed(actual), expected, Rules(parse_rule("exact", "args"), {}), grading, batches)
    assert search.best(structure).rank == max(ranks(actual, batches, structure, grading))


# --- laws -------------------------------------------------------------------------------------------


def score(actual, structure, **options):
    return match(actual, structure, **options).score


OPTIONS = st.sampled_from([{}, {"allow_extra": True}, {"allow_missing": True}, {"threshold": 0.5}])


@given(CALLS, OPEN, OPTIONS)
def test_seq_of_calls_is_in_order_and_any_order_is_any_order(actual, expected, options):
    for structure, mode in ((seq(*expected), "in_order"), (any_order(*expected), "any_order")):
        as_list, made = match(actual, expected, mode=mode, **options), match(actual, structure, **options)
        assert (made.passed, made.score, made.f1) == (as_list.passed, as_list.score, as_list.f1)
        assert len(made.pairs) == len(as_list.pairs)


@given(st.data(), RUNS, st.lists(STRUCTURES, min_size=1, max_size=3), st.sampled_from([any_order, one_of]))
def test_the_order_in_which_parts_are_written_changes_no_score(data, actual, parts, kind):
    assume(kind is any_order or all(part.kind != "forbidden" for part in parts))
    shuffled = data.draw(st.permutations(parts))
    one, other = match(actual, seq(kind(*parts))), match(actual, seq(kind(*shuffled)))
    assert (one.passed, one.score) == (other.passed, other.score)


@given(RUNS, STRUCTURES, OPTIONS)
def test_optional_is_once_or_never(actual, structure, options):
    assume(structure.kind != "forbidden")
    one, other = match(actual, optional(structure), **options), match(actual, repeat(structure, 0, 1), **options)
    assert (one.passed, one.score) == (other.passed, other.score)


@given(RUNS, OPEN, OPTIONS)
def test_a_plan_in_a_line_is_a_seq(actual, calls, options):
    chain = plan(*(step(str(at), one, [str(at - 1)] if at else []) for at, one in enumerate(calls)))
    one, other = match(actual, chain, **options), match(actual, seq(*calls), **options)
    assert (one.passed, one.score, one.pairs) == (other.passed, other.score, other.pairs)


def graded(actual, structure, options):
    """What one match is better by than another."""
    result = match(actual, structure, **options)
    return result.passed, result.score


@given(RUNS, st.lists(STRUCTURES, min_size=1, max_size=3), OPTIONS)
def test_a_looser_order_never_hurts(actual, parts, options):
    assert graded(actual, seq(*parts), options) <= graded(actual, any_order(*parts), options)


@given(RUNS, STRUCTURES, OPTIONS)
def test_what_is_optional_never_hurts(actual, structure, options):
    assume(structure.kind != "forbidden")
    assert graded(actual, structure, options) <= graded(actual, optional(structure), options)


@given(RUNS, STRUCTURES, STRUCTURES, OPTIONS)
def test_one_more_choice_never_hurts(actual, structure, other, options):
    assume("forbidden" not in (structure.kind, other.kind))
    assert graded(actual, seq(structure), options) <= graded(actual, seq(one_of(structure, other)), options)


@given(RUNS, STRUCTURES)
def test_where_all_must_be_there_the_score_alone_never_falls(actual, structure):
    assume(structure.kind != "forbidden")
    assert score(actual, structure) <= score(actual, optional(structure))


def test_below_a_threshold_a_looser_structure_may_pass_with_a_lower_score():
    whole = seq("b", one_of(seq("a", "a", forbidden("x"))))
    loose = seq("b", optional(whole.parts[1]))
    strict, passing = (match(run("baax"), one, threshold=0.4) for one in (whole, loose))
    assert (strict.passed, strict.score) == (False, 6 / 7)
    assert (passing.passed, passing.score) == (True, 2 / 5)


@given(RUNS, STRUCTURES)
def test_a_forbidden_call_more_never_helps(actual, structure):
    assert match(actual, any_order(structure, forbidden("b"))).passed <= match(actual, structure).passed


@given(RUNS, OPEN)
def test_pairs_of_a_seq_keep_the_order(actual, expected):
    pairs = match(actual, seq(*expected)).pairs
    assert all(
        one.actual_index < other.actual_index and one.expected_index < other.expected_index
        for one, other in pairwise(pairs)
    )


@given(RUNS, STRUCTURES, OPTIONS)
def test_costs_add_up(actual, structure, options):
    result = match(actual, structure, **options)
    assert float(1 - sum(edit.cost for edit in result.edits)) == pytest.approx(result.score)


@given(RUNS, STRUCTURES)
def test_data_gives_the_same_result(actual, structure):
    assert match(actual, structure.to_data()).to_dict() == match(actual, structure).to_dict()


# --- work -------------------------------------------------------------------------------------------


def large_plan(names):
    """A plan of 30 steps and 20 precedences, whose steps have so many names."""
    rng = Random(3)
    pairs = [sorted(rng.sample(range(30), 2)) for _ in range(20)]
    return plan(*(step(f"s{x}", f"t{x % names}", [f"s{y}" for y, z in pairs if z == x]) for x in range(30)))


def wandering(names, size=60):
    rng = Random(5)
    return [call(f"t{rng.randrange(names)}") for _ in range(size)]


def test_a_large_plan_of_distinct_names_is_solved():
    everything = [call(f"t{x}") for x in range(30)]
    assert match(everything, large_plan(30)).passed
    wandered = match([*everything, *wandering(30, 30)], large_plan(30), allow_extra=True)
    assert (wandered.passed, len(wandered.extra)) == (True, 30)
    assert 0 < match(wandering(30), large_plan(30)).score < 1


LONG = {
    "a loop": (run("c") * 200, repeat("c")),
    "a loop between": (run("a" + "c" * 100 + "b"), seq("a", repeat("c"), "b")),
    "a loop beside": (run("c" * 100 + "a"), any_order("a", repeat("c"), forbidden("x"))),
    "a loop of two": (run("ab" * 15), repeat(seq("a", "b"))),
    "equals in any order": (run("a" * 200), any_order(*["a"] * 200)),
    "options": (run("abc" * 10), any_order(*map(optional, "abc" * 10))),
    "a repeat of choices": (run("ab" * 100), repeat(one_of("a", "b"))),
    "many choices": (run("ab" * 40), seq(*[one_of("a", one_of("c", "b"))] * 80)),
    "choices in any order": (run("ab" * 10), any_order(*[one_of("a", "b")] * 20)),
    "optional choices": (run("ab" * 10), seq(*[optional(one_of("b", "a"))] * 20)),
}


@pytest.mark.parametrize(("actual", "structure"), LONG.values(), ids=LONG)
def test_what_is_long_but_not_hard_is_solved(actual, structure):
    assert match(actual, structure).passed


HARD = {
    "a plan of one name": (wandering(1), large_plan(1), "60 calls of 't0' may stand for 30 parts in many ways"),
    "a plan of three names": (wandering(3), large_plan(3), "parts in many ways"),
    "a repeat of choices of structures": (
        run("ab" * 20),
        repeat(one_of(seq("a"), "b")),
        "20 calls of 'a' may stand for 1 parts",
    ),
    "many choices of structures": (
        run("ab" * 10),
        seq(*[one_of("a", seq("b"))] * 20),
        "10 calls of 'a' may stand for 20 parts",
    ),
    "a long repeat": (run("a"), repeat("a", 10**9), "1 calls of 'a'"),
    "a long repeat of a structure": (run("a"), repeat(seq("a"), 10**9), "1 calls of 'a'"),
    "a long repeat of nothing": (run("a"), repeat(seq(), 10**9), "it repeats what holds no call"),
}


@pytest.mark.parametrize(("actual", "structure", "text"), HARD.values(), ids=HARD)
def test_what_is_too_hard_is_an_error_that_names_the_tool(actual, structure, text):
    with pytest.raises(CostError, match=text):
        match(actual, structure)


def test_of_lists_and_structures_together_the_lists_are_sequences_and_options_hold_for_both():
    either = any_of(["a", "b"], seq("x"))
    both = any_of(seq("a", "b"), seq("x"))
    assert repr(match(run("a"), either, threshold=0.6)) == repr(match(run("a"), both, threshold=0.6))
    assert str(match(run("acb"), either, allow_extra=True)).startswith("structure: PASS, recall 1.000")


def test_the_ladder_of_alternatives_tries_each():
    result = match(run("aaaa"), one_of(seq("a", "b"), seq()))
    assert "structure with allow_extra" in result.ladder.passes


def doubled(make, times):
    element = "a"
    for _ in range(times):
        element = make(element, element)
    return element


HUGE = {
    "one_of": lambda: doubled(one_of, 30),
    "seq": lambda: doubled(seq, 30),
    "any_of": lambda: doubled(lambda one, _: any_of(["a"] if one == "a" else one), 60),
    "any_of, wide": lambda: any_of(*[any_of(*[["a"]] * 200)] * 200),
}


@pytest.mark.parametrize("make", HUGE.values(), ids=HUGE)
def test_what_is_far_too_large_is_refused_when_it_is_made(make):
    with pytest.raises(ConversionError, match="at most"):
        make()


def test_a_dense_plan_is_solved_or_refused_soon():
    dense = [step(f"s{at}", f"t{at}", [f"s{other}" for other in range(at)]) for at in range(100)]
    assert match([call(f"t{at}") for at in range(100)], plan(*dense)).passed
    assert match([call(f"t{at}") for at in range(100)], plan(*reversed(dense))).passed


def test_an_ungraded_alternative_is_as_close_as_its_f1():
    run = [call("search"), call("redeem")]
    result = match(run, any_of(["search", "redeem", "confirm"], seq("search", "cash", "x")))
    assert (result.chosen, result.f1) == (0, 0.8)


def test_calls_in_two_messages_are_no_batch():
    def called(name):
        made = {"id": name, "function": {"name": name, "arguments": "{}"}}
        return {"role": "assistant", "content": None, "tool_calls": [made]}

    result = match([called("a"), called("b")], batched("a", "b"))
    assert not result.passed
    assert "within one batch" not in result.reason + result.render()


UNKNOWN = {
    "what is forbidden": (seq("search", forbidden("cancl")), "cancl is none of the tools; did you mean 'cancel'?"),
    "what is optional": (seq("search", optional("cancl")), "cancl is none of the tools; did you mean 'cancel'?"),
    "another route": (seq("search", one_of(seq(), seq("cancl"))), "cancl is none of the tools"),
    "an argument": (seq("search", forbidden(call("cancel", id_=1))), "id_ is invented; did you mean 'id'?"),
}


@pytest.mark.parametrize(("structure", "note"), UNKNOWN.values(), ids=UNKNOWN)
def test_every_call_in_a_structure_is_looked_up_among_the_tools(structure, note):
    tools = {"search": {"type": "object"}, "cancel": {"properties": {"id": {"type": "integer"}}}}
    assert note in " ".join(match([call("search")], structure, tools=tools).notes)


CLOSER = {
    "by F1, where the score is 1 or 0": ("abc", {}, ["abcwxyz", "a"]),
    "by the score, where that is graded": ("abc", {"mode": "any_order", "allow_extra": True}, ["ax", "abxyz"]),
    "by what is missing": ("abc", {"mode": "unordered"}, ["x", "xy"]),
    "by what is extra": ("abcd", {"mode": "any_order", "allow_extra": True}, ["abcdxy", "abx"]),
}


@pytest.mark.parametrize(("names", "options", "references"), CLOSER.values(), ids=CLOSER)
def test_the_closest_alternative_is_chosen(names, options, references):
    closer, other = map(list, references)
    assert match(run(names), any_of(closer, other), **options).chosen == 0
    assert match(run(names), any_of(other, closer), **options).chosen == 1

"""Aliases and prefixes: which different names mean one tool."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import ARGUMENTS, history
from trajmatch import Matcher, Message, OptionError, ToolCall, Trajectory, assert_match, call, match, to_trajectory
from trajmatch.errors import MatchFailure

CALL_MODES = ["exact", "unordered", "subset", "superset", "in_order", "any_order"]
ALIAS = {"aliases": {"search_v2": "search"}}
PREFIX = {"prefixes": ["mcp__web__"]}
BOTH = ALIAS | PREFIX
SAME = {
    "an alias": (ALIAS, "search_v2", "search"),
    "on the other side": (ALIAS, "search", "search_v2"),
    "an alias on both sides": (ALIAS, "search_v2", "search_v2"),
    "two aliases of one tool": ({"aliases": {"a": "t", "b": "t"}}, "a", "b"),
    "an alias for a tool that nobody calls so": ({"aliases": {"a": "t"}}, "a", "a"),
    "a prefix": (PREFIX, "mcp__web__search", "search"),
    "a prefix on both sides": (PREFIX, "mcp__web__search", "mcp__web__search"),
    "two prefixes": ({"prefixes": ["a.", "b."]}, "a.t", "b.t"),
    "the longest prefix": ({"prefixes": ["mcp__", "mcp__web__"]}, "mcp__web__search", "search"),
    "the longest prefix, whichever is first": ({"prefixes": ["mcp__web__", "mcp__"]}, "mcp__web__search", "search"),
    "an alias of the rest": (BOTH, "mcp__web__search_v2", "search"),
    "an alias as a whole, before a prefix": (
        {"aliases": {"mcp__web__search": "find"}, "prefixes": ["mcp__web__"]},
        "mcp__web__search",
        "find",
    ),
    "an alias for a name with a prefix": (
        {"aliases": {"v2": "mcp__web__search"}, "prefixes": ["mcp__web__"]},
        "v2",
        "mcp__web__search",
    ),
    "nothing but the prefix": ({"prefixes": ["search"]}, "search", "search"),
    "an alias that is the prefix": ({"aliases": {"a_": "t"}, "prefixes": ["a_"]}, "a_", "t"),
    "a tuple of prefixes": ({"prefixes": ("a.",)}, "a.t", "t"),
}
NOT_SAME = {
    "without": ({}, "search_v2", "search"),
    "none": ({"aliases": {}, "prefixes": []}, "search_v2", "search"),
    "another tool": (ALIAS, "search_v2", "find"),
    "another case": (ALIAS, "Search_v2", "search"),
    "a part of an alias": (ALIAS, "search_v22", "search"),
    "a prefix elsewhere": ({"prefixes": ["web"]}, "searchweb", "search"),
    "one prefix alone goes": ({"prefixes": ["a.", "b."]}, "a.b.t", "t"),
    "the longest prefix, not a shorter one": ({"prefixes": ["mcp__", "mcp__web__"]}, "mcp__web__search", "web__search"),
    "an alias as a whole goes before a prefix": (
        {"aliases": {"mcp__web__search": "find"}, "prefixes": ["mcp__web__"]},
        "mcp__web__search",
        "search",
    ),
    "nothing would be left of both": ({"prefixes": ["a.", "b."]}, "a.", "b."),
    "nothing would be left": ({"prefixes": ["search", "sea"]}, "search", "rch"),
}


def verdicts(options, actual, expected):
    """The verdict in all modes, both ways."""
    sides = [call(actual, q=1)], [call(expected, q=1)]
    messages = [Trajectory([Message("assistant", None, side)]) for side in sides]
    return [
        *(match(*sides, mode=mode, **options).passed for mode in CALL_MODES),
        match(*sides[::-1], **options).passed,
        match(*messages, mode="strict", **options).passed,
        match(sides[0], [expected], **options).passed,
        match([call("t0"), *sides[0]], [call("t0").under("exact"), *sides[1]], **options).passed,
    ]


@pytest.mark.parametrize(("options", "actual", "expected"), SAME.values(), ids=SAME)
def test_same(options, actual, expected):
    assert set(verdicts(options, actual, expected)) == {True}


@pytest.mark.parametrize(("options", "actual", "expected"), NOT_SAME.values(), ids=NOT_SAME)
def test_not_the_same(options, actual, expected):
    assert set(verdicts(options, actual, expected)) == {False}


NAMES = ["a", "b", "p.a", "p.q.a", "p.q.b", "p.", "q.a", "c"]
RUN = st.lists(st.builds(ToolCall, st.sampled_from(NAMES), st.none() | ARGUMENTS), max_size=5)
BATCHES = st.lists(st.lists(st.builds(ToolCall, st.sampled_from(NAMES), ARGUMENTS), min_size=1, max_size=2), max_size=3)
ALIASES = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["a", "b", "z", "p.a"]), max_size=3).filter(
    lambda aliases: not any(tool in aliases for tool in aliases.values())
)
NAMING = st.fixed_dictionaries(
    {"aliases": ALIASES, "prefixes": st.lists(st.sampled_from(["p.", "p.q.", "q."]), max_size=3)}
)
RULES = st.sampled_from(["exact", "subset", "superset", "ignore", ["x"]])


def renamed(run, aliases, prefixes):
    """The same run with the names that are compared, in the plainest way."""

    def change(call):
        name = aliases.get(call.name, call.name)
        starts = [start for start in prefixes if name.startswith(start)]
        longest = max(starts, key=len, default="")
        bare = name[len(longest) :] if len(longest) < len(name) else name
        return call.replace(name=aliases.get(bare, bare))

    return to_trajectory(run).map_calls(change)


def told(result):
    pairs = [(pair.actual_index, pair.expected_index) for pair in result.pairs]
    return result.passed, result.score, result.precision, result.recall, pairs


@given(actual=RUN, expected=RUN, naming=NAMING, mode=st.sampled_from(CALL_MODES), args=RULES)
def test_names_are_read_as_if_they_were_written_so(actual, expected, naming, mode, args):
    before = [renamed(Trajectory(calls=side), **naming) for side in (actual, expected)]
    assert told(match(actual, expected, mode=mode, args=args, **naming)) == told(match(*before, mode=mode, args=args))


@given(actual=BATCHES.map(history), expected=BATCHES.map(history), naming=NAMING, args=RULES)
def test_names_are_read_as_if_they_were_written_so_in_strict(actual, expected, naming, args):
    before = [renamed(side, **naming) for side in (actual, expected)]
    as_it_is = match(actual, expected, mode="strict", args=args, **naming)
    assert told(as_it_is) == told(match(*before, mode="strict", args=args))


@given(run=RUN, naming=NAMING)
def test_every_run_matches_itself(run, naming):
    expected = [call.under("ignore") if call.arguments is None else call for call in run]
    assert match(run, expected, **naming).passed


def test_overrides_are_read_too():
    actual, expected = [call("mcp__web__search_v2", q=1, n=2)], [call("search", q=1)]
    for name in ("search", "search_v2", "mcp__web__search", "mcp__web__search_v2"):
        result = match(actual, expected, overrides={name: "superset"}, **BOTH)
        assert result.passed
        assert result.notes == ()
    assert not match(actual, expected, overrides={"mcp__web__search": "superset"}, **ALIAS).passed


def test_results_show_calls_as_they_were_written():
    actual = [call("mcp__web__search_v2", q=1), call("mcp__web__book", hotel="Plaza"), call("mcp__web__pay")]
    expected = [call("search", q=1), call("book", hotel="Ritz"), "missing"]
    result = match(actual, expected, **BOTH)
    assert [(pair.actual.name, pair.expected.name) for pair in result.pairs] == [("mcp__web__search_v2", "search")]
    assert result.render() == (
        "exact: FAIL; 1 paired, 1 near miss, 1 missing, 1 extra\n"
        "    expected                actual\n"
        "  = [0] search(q=1)         [0] mcp__web__search_v2(q=1)\n"
        '  ~ [1] book(hotel="Ritz")  [1] mcp__web__book(hotel="Plaza")  hotel: expected "Ritz", got "Plaza"\n'
        "  - [2] missing                                                missing\n"
        "  +                         [2] mcp__web__pay()                extra\n"
        "closest: in_order scores 0.333; no single change tried makes it pass"
    )


def test_advice_names_the_tool_that_is_compared():
    result = match([call("p.f", a=1)], [call("f", a=2)], prefixes=["p."])
    assert result.render().endswith('closest: overrides={"f": "ignore"} passes')
    assert match([call("p.f", a=1)], [call("f", a=2)], prefixes=["p."], overrides={"f": "ignore"}).passed


SIGNATURES = {
    "aliases": (ALIAS, "aliases:search_v2=search"),
    "prefixes": (PREFIX, "prefixes:mcp__web__"),
    "both, in one order": (
        {"aliases": {"d": "c", "b": "a"}, "prefixes": ["z.", "mcp.", "z."]},
        "aliases:b=a,d=c|prefixes:mcp.,z.",
    ),
}


@pytest.mark.parametrize(("options", "part"), SIGNATURES.values(), ids=SIGNATURES)
def test_the_signature_carries_them(options, part):
    assert match([], [], **options).signature == f"mode:exact|args:exact|calls:all|{part}|semantics:1"
    assert Matcher(**options).signature == f"mode:exact|args:exact|calls:all|{part}|semantics:1"


def test_none_are_the_default():
    assert match([], [], aliases={}, prefixes=[]).signature == match([], []).signature
    assert match([], [], aliases=None, prefixes=()).signature == match([], []).signature


IDLE = {
    "an alias": ({"aliases": {"x": "f"}}, ("the alias 'x' occurs on neither side",)),
    "a prefix": ({"prefixes": ["x."]}, ("the prefix 'x.' occurs on neither side",)),
    "several": (
        {"aliases": {"f": "g", "x": "g", "y": "g"}, "prefixes": ["x.", "p."]},
        (
            "the alias 'x' occurs on neither side",
            "the alias 'y' occurs on neither side",
            "the prefix 'x.' occurs on neither side",
        ),
    ),
    "used after a prefix": ({"aliases": {"h": "g"}, "prefixes": ["p."]}, ()),
    "used in expected": ({"aliases": {"e": "g"}}, ()),
}


@pytest.mark.parametrize(("options", "notes"), IDLE.values(), ids=IDLE)
def test_what_occurs_on_neither_side_is_noted_where_the_match_fails(options, notes):
    actual = [call("f"), call("p.h")]
    assert match(actual, ["e"], **options).notes == notes
    assert match(actual, actual, **options).notes == ()


def test_a_call_that_does_not_count_has_a_name():
    run = to_trajectory(
        [
            {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "p.f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "1", "content": "x", "error": "no"},
        ]
    )
    notes = match(run, ["f"], calls="succeeded", prefixes=["p."]).notes
    assert notes == ("'p.f' at actual[0] does not count (failed)",)


WRONG = {
    "a list of aliases": ({"aliases": ["a"]}, "aliases: a mapping of names to names of tools, got ['a']"),
    "an empty alias": ({"aliases": {"": "a"}}, "aliases: '' is no name of a tool"),
    "an alias for nothing": ({"aliases": {"a": ""}}, "aliases: '' is no name of a tool"),
    "an alias that is no name": ({"aliases": {1: "a"}}, "aliases: 1 is no name of a tool"),
    "an alias for no name": ({"aliases": {"a": None}}, "aliases: None is no name of a tool"),
    "several tools": ({"aliases": {"a": ["b", "c"]}}, "aliases: ['b', 'c'] is no name of a tool"),
    "an alias for itself": (
        {"aliases": {"a": "a"}},
        "aliases: 'a' means 'a', which is an alias itself; name the tool that both mean",
    ),
    "an alias for an alias": (
        {"aliases": {"a": "b", "b": "c"}},
        "aliases: 'a' means 'b', which is an alias itself; name the tool that both mean",
    ),
    "one prefix": ({"prefixes": "a."}, "prefixes: a list of texts that are not empty, got 'a.'"),
    "bytes": ({"prefixes": b"a."}, "prefixes: a list of texts that are not empty, got b'a.'"),
    "an empty prefix": ({"prefixes": ["a.", ""]}, "prefixes: a list of texts that are not empty, got ['a.', '']"),
    "a prefix that is no text": ({"prefixes": [1]}, "prefixes: a list of texts that are not empty, got [1]"),
    "prefixes without an order": ({"prefixes": None}, "prefixes: a list of texts that are not empty, got None"),
    "two rules for one tool": (
        {"aliases": {"a": "b"}, "overrides": {"a": "ignore", "b": "exact"}},
        "overrides: two rules for the tool 'b'",
    ),
}


@pytest.mark.parametrize(("options", "text"), WRONG.values(), ids=WRONG)
def test_a_wrong_value_is_refused(options, text):
    with pytest.raises(OptionError) as caught:
        Matcher(**options)
    assert str(caught.value) == text
    assert caught.value.option == text.partition(":")[0]


def test_a_matcher_with_names_can_be_pickled():
    matcher = pickle.loads(pickle.dumps(Matcher(**BOTH)))
    assert matcher([call("mcp__web__search_v2")], [call("search")]).passed


def test_an_assertion_takes_them():
    assert_match([call("search_v2")], ["search"], **ALIAS)
    with pytest.raises(MatchFailure):
        assert_match([call("search_v2")], ["search"], **PREFIX)


def test_other_names_count_behind_calls_that_are_equal():
    actual = [call("a"), call("old", x=1), call("other"), call("z")]
    expected = [call("a"), call("extra"), call("new", x=1), call("z")]
    assert match(actual, expected, mode="in_order", aliases={"old": "new"}).score == 2 * 3 / 8

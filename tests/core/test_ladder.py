"""The ladder: the strictest standards that a run meets, and the loosest that it fails."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import CALLS, OPEN, RUNS, STRUCTURES, history
from trajmatch import ToolCall, any_of, batched, call, forbidden, match, seq
from trajmatch._explain import APART
from trajmatch._ladder import _LISTS, _STRUCTURES


def run(names):
    return [call(name) for name in names]


LADDERS = {
    "everything": ("ab", ["a", "b"], "passes exact"),
    "nothing on either side": ("", [], "passes strict, exact"),
    "an extra call": (
        "axb",
        ["a", "b"],
        "passes in_order with allow_extra; fails subset ignoring arguments: extra actual[1] x()",
    ),
    "a missing call": (
        "",
        ["a"],
        "passes in_order with allow_missing; fails superset ignoring arguments: missing expected[0] a",
    ),
    "both": (
        "ax",
        ["a", "b"],
        "passes nothing; fails superset ignoring arguments: missing expected[1] b; "
        "fails subset ignoring arguments: extra actual[1] x()",
    ),
    "another order": (
        "ba",
        ["a", "b"],
        "passes unordered; fails in_order with allow_extra ignoring arguments: b came before a; "
        "fails in_order with allow_missing ignoring arguments: b came before a",
    ),
    "other arguments": (
        [call("a", x=1), call("b")],
        [call("a", x=2), "b"],
        "passes exact ignoring arguments; fails superset: actual[0] a for expected[0]: x: expected 2, got 1; "
        "fails subset: actual[0] a for expected[0]: x: expected 2, got 1",
    ),
    "histories": (history([run("ab")]), history([run("ab")]), "passes strict, exact"),
    "another order within a batch": (
        history([run("ab")]),
        history([run("ba")]),
        "passes strict; fails in_order with allow_extra ignoring arguments: a came before b; "
        "fails in_order with allow_missing ignoring arguments: a came before b",
    ),
    "other batches": (
        history([run("a"), run("b")]),
        history([run("ab")]),
        "passes exact; fails strict ignoring arguments: calls stand in messages that differ",
    ),
    "a structure": ("ab", seq("a", "b"), "passes structure"),
    "a structure, extra": (
        "axb",
        seq("a", "b"),
        "passes structure with allow_extra; fails structure with allow_missing ignoring arguments: extra actual[1] x()",
    ),
    "a structure, other arguments": (
        [call("a", x=1)],
        seq(call("a", x=2)),
        "passes structure ignoring arguments; "
        "fails structure with allow_extra: actual[0] a for expected[0]: x: expected 2, got 1; "
        "fails structure with allow_missing: actual[0] a for expected[0]: x: expected 2, got 1",
    ),
    "a structure, forbidden": (
        "ax",
        seq("a", forbidden("x")),
        "passes nothing; fails structure with allow_extra ignoring arguments: forbidden actual[1] x(); "
        "fails structure with allow_missing ignoring arguments: forbidden actual[1] x()",
    ),
    "a structure, batches": (
        "ab",
        batched("a", "b"),
        f"passes nothing; fails structure with allow_extra ignoring arguments: b {APART}; "
        f"fails structure with allow_missing ignoring arguments: b {APART}",
    ),
    "the chosen one of several": (
        "axb",
        any_of(["b"], ["a", "b"]),
        "passes in_order with allow_extra; fails subset ignoring arguments: extra actual[1] x()",
    ),
}


@pytest.mark.parametrize(("actual", "expected", "text"), LADDERS.values(), ids=LADDERS)
def test_a_ladder_reads_as_agreed(actual, expected, text):
    assert str(match(run(actual) if isinstance(actual, str) else actual, expected).ladder) == text


@pytest.mark.parametrize("mode", ["exact", "unordered", "subset", "superset", "in_order", "any_order"])
def test_the_mode_of_the_match_changes_nothing(mode):
    assert match(run("axb"), ["a", "b"], mode=mode).ladder == match(run("axb"), ["a", "b"]).ladder


def test_the_options_hold_on_every_step():
    actual = [ToolCall("a", {"x": 1}, status="succeeded"), ToolCall("b", {}, status="failed")]
    assert match(actual, [call("a", x=2)], args="ignore", calls="succeeded").ladder.passes == ("exact",)


def test_a_ladder_is_a_value():
    ladder = match(run("ba"), ["a", "b"]).ladder
    assert ladder.passes == ("unordered",)
    assert [name for name, _ in ladder.fails] == [
        "in_order with allow_extra ignoring arguments",
        "in_order with allow_missing ignoring arguments",
    ]


def looser(ways, name):
    """All standards that are looser than one."""
    way, bare = name.removesuffix(" ignoring arguments"), name.endswith(" ignoring arguments")
    found = {way} if bare else {way, f"{way} ignoring arguments"}
    for other in ways[way].looser:
        found |= {other, *looser(ways, f"{other} ignoring arguments" if bare else other)}
    return {f"{one.removesuffix(' ignoring arguments')} ignoring arguments" if bare else one for one in found}


def meets(actual, expected, ways, name):
    way = ways[name.removesuffix(" ignoring arguments")]
    options = {"allow_extra": True} if way.allow_extra else {"allow_missing": True} if way.allow_missing else {}
    if way.mode != "structure":
        options["mode"] = way.mode
    if name.endswith(" ignoring arguments"):
        options["args"] = "ignore"
    return match(actual, expected, **options).passed


@given(
    st.one_of(
        st.tuples(CALLS, OPEN, st.just({way: _LISTS[way] for way in _LISTS if way != "strict"})),
        st.tuples(RUNS, STRUCTURES.filter(lambda made: made.kind != "one_of"), st.just(_STRUCTURES)),
    )
)
def test_what_passes_is_met_with_all_below_and_what_fails_is_not(case):
    actual, expected, ways = case
    assume(actual or expected or ways is _STRUCTURES)  # an empty list is a history, too
    ladder = match(actual, expected).ladder
    names = [f"{way}{rule}" for way in ways for rule in ("", " ignoring arguments")]
    met = {name for name in names if meets(actual, expected, ways, name)}
    below = {name: looser(ways, name) - {name} for name in names}
    assert {*ladder.passes} == met - {other for name in met for other in below[name]}
    assert {name for name, _ in ladder.fails} == {name for name in names if name not in met and below[name] <= met}

"""Matching turn by turn."""

import json

import pytest

from trajmatch import (
    ConversionError,
    Matcher,
    TrajmatchError,
    any_of,
    any_order,
    call,
    match,
    one_of,
    optional,
    seq,
    to_trajectory,
)


def asked(text="?"):
    return {"role": "user", "content": text}


def called(*names):
    made = [{"id": name, "type": "function", "function": {"name": name, "arguments": "{}"}} for name in names]
    return {"role": "assistant", "content": None, "tool_calls": made}


RUN = [asked(), called("search"), asked(), called("book", "pay"), asked(), called("mail")]

MET = {
    "lists": [["search"], ["book", "pay"], ["mail"]],
    "a tuple": (["search"], ("book", "pay"), ["mail"]),
    "structures": [seq("search"), any_order("pay", "book"), seq(optional("log"), "mail")],
    "structures as data": [{"seq": ["search"]}, {"any_order": ["pay", "book"]}, {"one_of": ["log", "mail"]}],
    "alternatives": [any_of(["x"], ["search"]), ["book", "pay"], {"any_of": [["mail"], ["log"]]}],
    "histories": [RUN[:2], {"messages": RUN[2:4]}, to_trajectory(RUN[4:])],
    "stored": [json.loads(to_trajectory(RUN[at : at + 2]).to_json()) for at in (0, 2, 4)],
    "a history": RUN,
    "a trajectory": to_trajectory(RUN),
}


@pytest.mark.parametrize("expected", MET.values(), ids=MET)
def test_every_turn_is_met(expected):
    result = match(RUN, expected, per_turn=True)
    assert (result.passed, result.score, [turn.passed for turn in result.turns]) == (True, 1.0, [True] * 3)
    assert [pair.actual_index for pair in result.pairs] == [0, 1, 2, 3]
    assert "turns: [0] PASS, [1] PASS, [2] PASS" in result.reason
    assert result.notes == ()


DIFFERENT = {
    "calls in another turn": ([["search", "book"], ["pay"], ["mail"]], [False, False, True], 3),
    "a turn too few": ([["search"], ["book", "pay"]], [True, True, False], 3),
    "a turn too many": ([["search"], ["book", "pay"], ["mail"], ["log"]], [True, True, True, False], 4),
    "a structure": ([seq("search"), seq("pay", "book"), seq("mail")], [True, False, True], 3),
}


@pytest.mark.parametrize(("expected", "turns", "pairs"), DIFFERENT.values(), ids=DIFFERENT)
def test_a_turn_is_not_met(expected, turns, pairs):
    result = match(RUN, expected, per_turn=True)
    assert not result.passed
    assert [turn.passed for turn in result.turns] == turns == result.to_dict()["turns"]
    assert len(result.pairs) == pairs


@pytest.mark.parametrize("mode", ["exact", "strict", "unordered", "subset", "superset"])
def test_all_turns_must_pass(mode):
    assert match(RUN, RUN, mode=mode, per_turn=True).passed
    moved = [*RUN[:1], called("search", "book"), RUN[2], called("pay"), *RUN[4:]]
    assert not match(moved, RUN, mode=mode, per_turn=True).passed


@pytest.mark.parametrize("mode", ["in_order", "any_order"])
def test_the_score_is_that_of_all_turns(mode):
    result = match(RUN, [["search"], ["pay"], ["log"]], mode=mode, per_turn=True, threshold=0.5)
    assert (result.score, result.passed) == (2 * 2 / 7, True)
    assert sum(edit.cost for edit in result.edits) == pytest.approx(1 - result.score)


def test_no_turns_may_be_expected():
    assert match([], [], per_turn=True).passed
    assert not match(RUN, [], per_turn=True).passed


def test_numbers_of_turns_that_differ_are_noted():
    fewer = match(RUN, [["search"], ["book", "pay"]], per_turn=True)
    assert fewer.notes == ("turn [2] is not expected",)
    more = match(RUN, [["search"], ["book", "pay"], ["mail"], []], per_turn=True)
    assert (more.passed, more.notes) == (True, ("the run has 3 turns, and 4 are expected",))


def test_the_picture_shows_calls_of_another_turn(golden):
    golden(match(RUN, [["search", "book"], ["pay"], ["mail"]], per_turn=True).render())


def test_one_forbidden_call_fails_the_run():
    result = match(
        RUN, [seq("search"), seq("book", {"forbidden": "pay"}), seq("mail")], per_turn=True, allow_extra=True
    )
    assert (result.passed, result.score, [made.name for made in result.forbidden]) == (False, 1.0, ["pay"])


def test_a_choice_is_made_for_each_turn():
    result = match(RUN, [one_of("x", "search"), ["book", "pay"], any_of(["mail"], ["log"])], per_turn=True)
    assert [turn.chosen for turn in result.turns] == [1, None, 0]


@pytest.mark.parametrize("expected", [["search"], "search", {"seq": ["search"]}, [["search"], "book"]])
def test_what_does_not_say_which_turn_is_meant_is_refused(expected):
    with pytest.raises(TrajmatchError):
        match(RUN, expected, per_turn=True)


def test_a_list_of_calls_has_no_turns():
    with pytest.raises(ConversionError, match="a list of calls has no turns"):
        match([call("search")], [["search"]], per_turn=True)


def test_a_history_without_calls_is_matched_too():
    assert match([asked()], [[]], per_turn=True).passed
    assert not match([], [["search"]], per_turn=True).passed


def test_the_signature_says_so():
    assert Matcher(per_turn=True).signature == "mode:exact|args:exact|calls:all|per_turn|semantics:1"


def test_the_ladder_is_that_of_all_turns():
    result = match(RUN, [["search"], ["pay", "book"], ["mail"]], per_turn=True)
    assert result.ladder.passes == ("unordered",)


def test_a_turn_too_many_beside_structures_is_told_under_every_option():
    for options in ({}, {"allow_extra": True}, {"threshold": 0.5}, {"allow_missing": True}):
        result = match(RUN, [seq("search"), ["book", "pay"]], per_turn=True, **options)
        assert "turn [2] is not expected" in result.notes
        assert len(result.turns) == 3


def test_the_ladder_of_turns_with_structures_is_that_of_structures():
    ladder = match(RUN, [seq("search"), any_order("pay", "book"), ["mail"]], per_turn=True).ladder
    assert ladder.passes == ("structure",)


def test_positions_are_those_in_the_whole_run_where_some_calls_do_not_count():
    run = [asked(), called("log", "search"), asked(), called("log"), asked(), called("log", "mail", "pay")]
    result = match(run, [["search"], [], ["mail"]], per_turn=True, calls=lambda call: call.name != "log")
    assert [(pair.actual_index, pair.expected_index) for pair in result.pairs] == [(1, 0), (4, 1)]
    assert [edit.actual_index for edit in result.edits if edit.kind == "extra"] == [5]


@pytest.mark.parametrize("expected", [[["search"], ["book", "pay"], ["log"]], seq("search")], ids=["turns", "one"])
def test_a_name_that_occurs_nowhere_is_a_note(expected):
    result = match(RUN, expected, per_turn=isinstance(expected, list), aliases={"srch": "search", "log_v2": "log"})
    assert "log_v2" in " ".join(result.notes)


@pytest.mark.parametrize("expected", [[["search"], ["book", "pay"], ["log_v2"]], seq("log_v2")], ids=["turns", "one"])
def test_a_name_that_is_expected_occurs(expected):
    result = match(RUN, expected, per_turn=isinstance(expected, list), aliases={"log_v2": "log"})
    assert not result.passed
    assert "neither side" not in " ".join(result.notes)


def test_a_turn_that_differs_in_its_messages_alone_is_not_met():
    result = match([*RUN, {"role": "assistant", "content": "Done."}], RUN, mode="strict", per_turn=True)
    assert (result.passed, [turn.passed for turn in result.turns]) == (False, [True, True, False])
    assert (result.extra, result.missing) == ((), ())

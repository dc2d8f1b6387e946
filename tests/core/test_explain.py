"""Reasons, where the pictures do not show them."""

from trajmatch import Message, ToolCall, Trajectory, call, match

FIRST = Message("assistant", "hello")
ASK = Message("user", "go")


def test_a_message_that_nothing_stands_for_is_named_on_either_side():
    assert match(Trajectory([ASK, FIRST]), Trajectory([FIRST, ASK]), mode="strict").reason == (
        "strict: FAIL; messages: 1 paired, 1 missing, 1 extra; calls: no calls on either side; "
        'missing expected message (1) user "go"; extra actual message (0) user "go"'
    )


def test_an_expected_call_that_does_not_count_is_a_note():
    booked = [ToolCall("book", {}, status="failed")]
    result = match(Trajectory(()), Trajectory([Message("assistant", None, booked)]), calls="succeeded")
    assert (result.passed, result.notes) == (True, ("'book' at expected[0] does not count (failed)",))


def test_a_run_that_makes_calls_one_by_one_says_so_in_strict():
    both = Message("assistant", None, [call("a"), call("b")])
    apart = [Message("assistant", None, [call("a")]), Message("assistant", None, [call("b")])]
    assert "b is in another message" in match(Trajectory(apart), Trajectory([both]), mode="strict").render()
    assert "b is expected in another message" in match(Trajectory([both]), Trajectory(apart), mode="strict").render()


def test_a_moved_call_is_counted_among_those_on_both_sides():
    picture = match([*[call("junk")] * 12, call("b"), call("a")], ["a", "b"]).render()
    assert "> [1] b     [12] b()     moved: 1 earlier" in picture
    assert "... 9 more extra" in picture


def test_a_call_between_two_that_change_places_has_moved_nowhere():
    assert "> [1] b     [1] b()  moved\n" in match([call(n) for n in "cba"], [*"abc"]).render()


def test_an_override_of_a_tool_that_is_called_is_no_note():
    assert match([call("a")], ["a"], overrides={"a": "ignore"}).notes == ()


def test_a_key_path_that_occurs_nowhere_is_a_note_that_cannot_hide_a_typo():
    result = match([call("a", x=1)], [call("a", x=2)], overrides={"a": ["y"]})
    assert (result.passed, result.notes) == (True, ("the key path 'y' occurs in no call",))


def test_a_call_that_counts_elsewhere_is_no_note():
    run = [ToolCall("a", {}, status="failed"), ToolCall("a", {}, status="succeeded")]
    assert match(run, ["a", "a"], calls="succeeded").notes == ()


def test_what_cannot_be_said_together_is_no_advice():
    picture = match([call("a"), call("b")], ["a"], mode="in_order", allow_missing=True).render()
    assert picture.endswith("closest: no single change tried makes it pass")


def test_a_run_that_only_does_more_passes_as_a_superset():
    assert match([call("a"), call("b")], ["a"]).render().endswith("closest: superset passes")

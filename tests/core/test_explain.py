"""Reasons, where the pictures do not show them."""

from trajmatch import Message, ToolCall, Trajectory, call, match

FIRST = Message("assistant", "hello")
ASK = Message("user", "go")


def test_a_message_that_nothing_stands_for_is_named_on_either_side():
    result = match(Trajectory([ASK, FIRST]), Trajectory([FIRST, ASK]), mode="strict")
    assert 'missing expected message (1) user "go"' in result.reason or "extra actual message" in result.reason
    assert "messages: 1 paired, 1 missing, 1 extra" in result.reason


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

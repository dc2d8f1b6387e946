"""Reasons, where the pictures do not show them."""

from trajmatch import Message, ToolCall, Trajectory, call, match

FIRST = Message("assistant", "hello")
ASK = Message("user", "go")


def test_a_message_that_nothing_stands_for_is_named_on_either_side():
    result = match(Trajectory([ASK, FIRST]), Trajectory([FIRST, ASK]), mode="strict")
    assert 'missing expected message (1) user "go"' in result.reason or "extra actual message" in result.reason
    assert "messages: 1 paired, 1 missing, 1 extra" in result.reason


def test_a_call_that_is_as_far_as_before_but_out_of_order_has_moved():
    assert "moved" in match([call(n) for n in "xcba"], [*"abcy"]).render()


def test_a_call_that_counts_elsewhere_is_no_note():
    run = [ToolCall("a", {}, status="failed"), ToolCall("a", {}, status="succeeded")]
    assert match(run, ["a", "a"], calls="succeeded").notes == ()

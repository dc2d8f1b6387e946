"""Which calls count, on both sides."""

import re

import pytest

from trajmatch import Message, OptionError, ToolCall, Trajectory, call, match


def run(**statuses):
    return Trajectory.from_calls([ToolCall(name, {}, status=status) for name, status in statuses.items()])


MIXED = run(a="succeeded", b="failed", c="retried", d="denied", e="skipped", f="interrupted", g="pending")
WITH_OUTPUT = Trajectory.from_calls(
    [ToolCall("a", {}, status="succeeded"), ToolCall("final", {}, status="succeeded", kind="output")]
)
PASSES = {
    "all, whatever became of them": (MIXED, [*"abcdefg"], "all"),
    "succeeded": (MIXED, ["a"], "succeeded"),
    "a function": (MIXED, ["a", "b"], lambda c: c.name < "c"),
    "expected without status": (run(a="succeeded"), run(a=None), "succeeded"),
    "expected pending": (run(a="succeeded"), run(a="pending"), "succeeded"),
    "expected failed is left out": (run(a="succeeded"), run(a="succeeded", b="failed"), "succeeded"),
    "expected failed counts under all": (run(a="succeeded", b="failed"), run(a=None, b="failed"), "all"),
    "output is left out": (WITH_OUTPUT, ["a"], "all"),
    "output is left out of succeeded": (WITH_OUTPUT, ["a"], "succeeded"),
    "output is left out on both sides": (
        [call("a")],
        Trajectory([Message("assistant", None, WITH_OUTPUT.calls)]),
        "all",
    ),
    "output that an expected call asks for": (WITH_OUTPUT, WITH_OUTPUT.calls, "all"),
    "output that a function asks for": (WITH_OUTPUT, ["a", "final"], lambda c: True),
    "output that a function leaves out": (WITH_OUTPUT, ["a"], lambda c: c.kind != "output"),
    "expected output that a function leaves out": ([call("a")], WITH_OUTPUT.calls, lambda c: c.kind != "output"),
    "no call at all, succeeded": ([{"role": "user", "content": "hi"}], [], "succeeded"),
    "only output, succeeded": (Trajectory.from_calls([ToolCall("final", {}, kind="output")]), [], "succeeded"),
}
REFUSED = {
    "a call list": ([call("a")], "succeeded", "actual[0] 'a'"),
    "no results": (
        [{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "a"}}]}],
        "succeeded",
        "no results",
    ),
    "no bool": ([call("a")], lambda c: 1, "True or False, got 1"),
    "raises": ([call("a")], lambda c: c.nope, "AttributeError"),
}


@pytest.mark.parametrize(("actual", "expected", "calls"), PASSES.values(), ids=PASSES)
def test_calls_that_count(actual, expected, calls):
    assert match(actual, expected, calls=calls)


@pytest.mark.parametrize(("actual", "calls", "text"), REFUSED.values(), ids=REFUSED)
def test_calls_that_cannot_be_counted(actual, calls, text):
    with pytest.raises(OptionError, match=re.escape(text)):
        match(actual, ["a"], calls=calls)


async def _later(counted):
    return True


def test_an_async_function_is_refused():
    with pytest.raises(OptionError, match="cannot be async"):
        match([], [], calls=_later)


def test_a_function_is_not_asked_about_expected_calls_that_are_no_output():
    assert [c.name for c in match(MIXED, ["z"], calls=lambda c: c.name == "a").missing] == ["z"]


def test_output_that_an_expected_call_asks_for_may_be_missing():
    assert [c.name for c in match([call("a")], WITH_OUTPUT.calls).missing] == ["final"]


def test_positions_are_those_before_counting():
    pair = match(MIXED, ["b"], calls=lambda c: c.name == "b").pairs[0]
    assert (pair.actual_index, pair.expected_index) == (1, 0)

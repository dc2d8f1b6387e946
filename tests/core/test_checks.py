"""The three checks: what passes, what fails and why, what is refused."""

import re

import pytest

from trajmatch import (
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
)

RUN = [call("refund", id=1, note="x"), call("search", q="a"), call("refund", id=2), ToolCall("odd", "[1]")]
STATUSES = [ToolCall("refund", {"id": n}, status=s) for n, s in enumerate(["failed", "succeeded", "denied"])]
LONG = call("a", x=10**90 - 1)
OUTPUT = [ToolCall("final", {"x": 1}, kind="output")]
CHAT = Trajectory(
    [
        Message("user", "go"),
        Message("assistant", None, [call("a")]),
        Message("tool", "ok", answers=0),
        Message("assistant", None, OUTPUT),
    ]
)

ARGUMENTS = {
    "first": (RUN, "refund", {"id": 1}, {}, True),
    "first is another": (RUN, "refund", {"id": 2}, {}, False),
    "last": (RUN, "refund", {"id": 2}, {"occurrence": "last"}, True),
    "any": (RUN, "refund", {"id": 2}, {"occurrence": "any"}, True),
    "any of none": (RUN, "refund", {"id": 3}, {"occurrence": "any"}, False),
    "all": (RUN, "refund", {}, {"occurrence": "all"}, True),
    "all but one": (RUN, "refund", {"id": 1}, {"occurrence": "all"}, False),
    "index": (RUN, "refund", {"id": 2}, {"occurrence": 1}, True),
    "index, whatever follows": (RUN, "refund", {"id": 1}, {"occurrence": 0}, True),
    "last of three": (STATUSES, "refund", {"id": 2}, {"occurrence": "last"}, True),
    "index beyond": (RUN, "refund", {"id": 2}, {"occurrence": 2}, False),
    "exact": (RUN, "refund", {"id": 1}, {"args": "exact"}, False),
    "paths": (RUN, "refund", {"id": 1}, {"args": ["id"]}, True),
    "function": (RUN, "refund", {"id": 0}, {"args": lambda a, e: a["id"] > e["id"]}, True),
    "called at all": (RUN, "refund", None, {}, True),
    "never called": (RUN, "cancel", None, {}, False),
    "never called, all": (RUN, "cancel", {"id": 1}, {"occurrence": "all"}, False),
    "no calls": ([], "cancel", {"id": 1}, {}, False),
    "succeeded": (STATUSES, "refund", {"id": 1}, {"calls": "succeeded"}, True),
    "index among those that count": (STATUSES, "refund", {"id": 1}, {"calls": "succeeded", "occurrence": 0}, True),
    "unreadable": (RUN, "odd", {}, {}, False),
    "output": (OUTPUT, "final", {"x": 1}, {}, True),
}
LIMITS = {
    "calls": (RUN, {"max_tool_calls": 4}, True),
    "too many calls": (RUN, {"max_tool_calls": 3}, False),
    "none allowed": ([], {"max_tool_calls": 0}, True),
    "requests": (CHAT, {"max_model_requests": 2}, True),
    "too many requests": (CHAT, {"max_model_requests": 1}, False),
    "requests are messages of the assistant": (Trajectory(CHAT.messages[:3]), {"max_model_requests": 1}, True),
    "output is no tool call": (CHAT, {"max_tool_calls": 1}, True),
    "identical": ([call("a", x=1), call("b"), call("a", x=1.0)], {"max_identical_calls": 1}, False),
    "not identical": ([call("a", x=1), call("a", x=True)], {"max_identical_calls": 1}, True),
    "identical text": ([ToolCall("a", "[1]")] * 2, {"max_identical_calls": 1}, False),
    "identical sets": ([call("a", x={1, 2}), call("a", x={2, 1})], {"max_identical_calls": 1}, False),
    "identical to a set": ([call("a", x=[1, 2]), call("a", x={2, 1})], {"max_identical_calls": 1}, False),
    "other sets": ([call("a", x={1, 2}), call("a", x={2, 3})], {"max_identical_calls": 1}, True),
    "not captured": ([ToolCall("a")] * 2, {"max_identical_calls": 1}, True),
    "no call to compare": ([], {"max_identical_calls": 0}, True),
    "calls that count": (STATUSES, {"max_tool_calls": 1, "calls": "succeeded"}, True),
    "one limit of two": (RUN, {"max_tool_calls": 9, "max_identical_calls": 0}, False),
}
FORBIDDEN = {
    "name": (RUN, ["search"], {}, False),
    "another name": (RUN, ["delete"], {}, True),
    "arguments": (RUN, [call("refund", id=2)], {}, False),
    "other arguments": (RUN, [call("refund", id=3)], {}, True),
    "more arguments": (RUN, [call("refund", note="x")], {}, False),
    "exactly": (RUN, [call("refund", note="x")], {"args": "exact"}, True),
    "denied": (STATUSES, [call("refund", id=2)], {}, False),
    "not counted": (STATUSES, [call("refund", id=2)], {"calls": "succeeded"}, True),
    "unreadable": (RUN, [call("odd", x=1)], {}, False),
    "not captured": ([ToolCall("a")], [call("a", x=1)], {}, False),
    "output": (OUTPUT, ["final"], {}, False),
    "no calls": ([], ["final"], {}, True),
    "a result without its call": (Trajectory([Message("tool", "done", name="delete")]), ["delete"], {}, False),
    "a result of another tool": (Trajectory([Message("tool", "done", name="look")]), ["delete"], {}, True),
}
REASONS = {
    "arguments pass": (
        lambda: check_arguments(RUN, "search", {"q": "a"}),
        'check_arguments: PASS; actual[1] search(q="a")',
    ),
    "arguments differ": (
        lambda: check_arguments(RUN, "refund", {"id": 3}, occurrence="all"),
        'check_arguments: FAIL; actual[0] refund(id=1, note="x"): id: expected 3, got 1; '
        "actual[2] refund(id=2): id: expected 3, got 2",
    ),
    "several differences": (
        lambda: check_arguments(RUN, "refund", {"id": 3, "note": "y"}),
        'id: expected 3, got 1; note: expected "y", got "x"',
    ),
    "a long call": (lambda: check_arguments([LONG], "a", None), f"PASS; actual[0] a(x={'9' * 74}…)"),
    "a long call, limits": (
        lambda: check_limits([LONG], max_identical_calls=1),
        f"1 identical calls a(x={'9' * 54}…), at most 1",
    ),
    "a long call, forbidden": (
        lambda: check_forbidden([LONG], ["a"]),
        f"FAIL; actual[0] a(x={'9' * 54}…) is forbidden[0]",
    ),
    "many": (lambda: check_arguments([call("a")] * 5, "a", None, occurrence="all"), "actual[2] a(); and 2 more"),
    "never called": (lambda: check_arguments(RUN, "refnd", None), "'search'; did you mean 'refund'?"),
    "filtered out": (
        lambda: check_arguments(STATUSES, "refund", None, calls=lambda c: False),
        "no call of 'refund' counts: actual[0] failed, actual[1] succeeded, actual[2] denied",
    ),
    "filtered out, without statuses": (
        lambda: check_arguments([call("a")] * 2, "a", None, calls=lambda c: False),
        "no call of 'a' counts: actual[0], actual[1]",
    ),
    "a key path that occurs nowhere": (
        lambda: check_arguments(RUN, "refund", {"id": 9}, args=["idd"]),
        "PASS; actual[0] refund(id=1, note=\"x\"); note: the key path 'idd' occurs in no call",
    ),
    "orphan": (
        lambda: check_forbidden(Trajectory((), notes=["a result has no call", "ids are missing"]), ["a"]),
        "check_forbidden: PASS; none of 0 calls is forbidden; note: a result has no call",
    ),
    "orphan, limits": (
        lambda: check_limits(Trajectory((), notes=["a result has no call", "ids are missing"]), max_tool_calls=1),
        "check_limits: PASS; 0 tool calls, at most 1; note: a result has no call",
    ),
    "orphan, no tools": (
        lambda: check_arguments(Trajectory((), notes=["a result has no call", "ids are missing"]), "a", None),
        "check_arguments: FAIL; 'a' was never called; called were no tools; note: a result has no call",
    ),
    "orphan, forbidden": (
        lambda: check_forbidden(Trajectory(calls=[call("a")], notes=["a result has no call"]), ["a"]),
        "check_forbidden: FAIL; actual[0] a() is forbidden[0]; note: a result has no call",
    ),
    "no tools": (lambda: check_arguments([], "a", None), "'a' was never called; called were no tools"),
    "no occurrence": (
        lambda: check_arguments(RUN, "refund", None, occurrence=5),
        "called 2 times, so there is no occurrence 5",
    ),
    "limits": (
        lambda: check_limits(CHAT, max_tool_calls=0, max_model_requests=9, max_identical_calls=1),
        "check_limits: FAIL; 1 tool calls, more than 0; 2 model requests, at most 9; 1 identical calls a(), at most 1",
    ),
    "unknown": (
        lambda: check_limits([ToolCall("a")] * 2, max_identical_calls=1),
        "0 identical calls (2 without captured arguments not compared), at most 1",
    ),
    "forbidden": (
        lambda: check_forbidden(RUN, ["search", "odd"]),
        'check_forbidden: FAIL; actual[1] search(q="a") is forbidden[0]; '
        'actual[3] odd(not an object: "[1]") is forbidden[1]',
    ),
    "alone": (
        lambda: check_forbidden(Trajectory([Message("tool", "done", name="delete")]), [call("delete", id=1)]),
        "check_forbidden: FAIL; message 0 is a result of delete, forbidden[0], without its call",
    ),
    "closed": (
        lambda: check_forbidden([ToolCall("a")], [call("a", x=1)]),
        " is forbidden[0], as far as its arguments can be read",
    ),
    "many forbidden": (lambda: check_forbidden([call("a")] * 5, ["a"]), "; and 2 more"),
}
REFUSED = {
    "occurrence negative": (lambda: check_arguments(RUN, "a", {}, occurrence=-1), "a number from 0, got -1"),
    "occurrence bool": (lambda: check_arguments(RUN, "a", {}, occurrence=True), "got True"),
    "occurrence typo": (lambda: check_arguments(RUN, "a", {}, occurrence="frist"), "did you mean 'first'"),
    "arguments rule": (lambda: check_arguments(RUN, "a", {}, args="exat"), "did you mean 'exact'"),
    "rule without arguments": (lambda: check_arguments(RUN, "a", None, args="exact"), "args has no effect"),
    "arguments list": (lambda: check_arguments(RUN, "a", [1]), "an object of arguments or None"),
    "no tool": (lambda: check_arguments(RUN, "", {}), "the name of a tool"),
    "calls typo": (lambda: check_arguments(RUN, "a", {}, calls="succeded"), "did you mean 'succeeded'"),
    "no limit": (lambda: check_limits(RUN), "no limit is given"),
    "limit negative": (lambda: check_limits(RUN, max_tool_calls=-1), "max_tool_calls: an integer from 0"),
    "limit bool": (lambda: check_limits(RUN, max_identical_calls=True), "got True"),
    "limit text": (lambda: check_limits(RUN, max_model_requests="3"), "got '3'"),
    "calls without calls": (lambda: check_limits(CHAT, max_model_requests=1, calls="succeeded"), "calls has no effect"),
    "a structure forbidden": (
        lambda: check_forbidden(RUN, {"seq": ["a"]}),
        "a list of calls, each of which is forbidden",
    ),
    "nothing forbidden": (lambda: check_forbidden(RUN, []), "nothing is forbidden"),
    "forbidden rule": (lambda: check_forbidden(RUN, ["a"], args=[]), "say 'ignore'"),
}


@pytest.mark.parametrize(("run", "tool", "expected", "options", "passes"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_arguments(run, tool, expected, options, passes):
    assert check_arguments(run, tool, expected, **options).passed is passes


@pytest.mark.parametrize(("run", "options", "passes"), LIMITS.values(), ids=LIMITS)
def test_limits(run, options, passes):
    assert check_limits(run, **options).passed is passes


@pytest.mark.parametrize(("run", "forbidden", "options", "passes"), FORBIDDEN.values(), ids=FORBIDDEN)
def test_forbidden(run, forbidden, options, passes):
    assert check_forbidden(run, forbidden, **options).passed is passes


@pytest.mark.parametrize(("check", "text"), REASONS.values(), ids=REASONS)
def test_a_reason_says_what_was_found(check, text):
    assert text in check().reason


@pytest.mark.parametrize(("check", "text"), REFUSED.values(), ids=REFUSED)
def test_a_check_that_could_check_nothing_is_refused(check, text):
    with pytest.raises(OptionError, match=re.escape(text)):
        check()


def test_a_rule_that_raises_names_the_place():
    with pytest.raises(RuleError) as caught:
        check_arguments(RUN, "search", {}, args=lambda a, e: 1)
    assert (caught.value.tool, caught.value.actual_index, caught.value.expected_index) == ("search", 1, 0)


def test_a_call_list_has_no_model_requests():
    with pytest.raises(ConversionError, match="a list of calls has none"):
        check_limits(RUN, max_model_requests=3)


@pytest.mark.parametrize("forbidden", ["search", None])
def test_forbidden_is_a_list(forbidden):
    with pytest.raises(ConversionError, match=r"^forbidden: (one name|a history is|one call)"):
        check_forbidden(RUN, forbidden)

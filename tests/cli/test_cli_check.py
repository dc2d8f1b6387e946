"""`trajmatch check`: budgets, forbidden calls, required arguments."""

import json

import pytest

ANSWERS = {
    "a budget that holds": (["--max-tool-calls", "3"], 0, "check_limits: PASS; 3 tool calls, at most 3"),
    "a budget that does not": (["--max-tool-calls", "2"], 1, "check_limits: FAIL; 3 tool calls, more than 2"),
    "requests": (["--max-model-requests", "2"], 1, "check_limits: FAIL; 3 model requests, more than 2"),
    "identical calls": (["--max-identical-calls", "1"], 0, "check_limits: PASS; 1 identical calls"),
    "none at all": (["--max-tool-calls", "0"], 1, "more than 0"),
    "a forbidden tool": (["--forbid", "book"], 1, "check_forbidden: FAIL; actual[2] book("),
    "a tool with arguments": (["--forbid", 'book={"hotel": "Plaza"}'], 1, "check_forbidden: FAIL; actual[2] book("),
    "several": (["--forbid", "pay", "--forbid", "refund"], 0, "check_forbidden: PASS; none of 3 calls is forbidden"),
    "a forbidden call": (["--forbid", '{"name": "book", "arguments": {"nights": 3}}'], 0, "check_forbidden: PASS"),
    "a rule": (["--forbid", '{"name": "book", "args": {"nights": 3}}', "--args", "ignore"], 1, "check_forbidden: FAIL"),
    "a required tool": (["--require", "book"], 0, "check_arguments: PASS; actual[2] book("),
    "a tool that was not called": (["--require", "pay"], 1, "'pay' was never called"),
    "required arguments": (["--require", 'book={"hotel": "Plaza"}'], 0, "check_arguments: PASS"),
    "other arguments": (["--require", 'book={"hotel": "Ritz"}'], 1, 'hotel: expected "Ritz", got "Plaza"'),
    "an exact rule": (["--require", 'book={"hotel": "Plaza"}', "--args", "exact"], 1, "nights: not expected, got 2"),
    "an occurrence": (["--require", "book", "--occurrence", "1"], 1, "'book' was called 1 times"),
    "the last": (["--require", "book", "--occurrence", "last"], 0, "check_arguments: PASS"),
    "what succeeded": (["--require", "book", "--calls", "succeeded"], 0, "check_arguments: PASS"),
    "calls beside requests and more": (
        ["--max-model-requests", "9", "--forbid", "pay", "--calls", "succeeded"],
        0,
        "check_limits: PASS",
    ),
}


@pytest.mark.parametrize(("arguments", "status", "text"), ANSWERS.values(), ids=ANSWERS)
def test_a_check_says_why(command, arguments, status, text):
    found, out, err = command("check", "run.json", *arguments)
    assert (found, err) == (status, "")
    assert text in out


def test_each_check_has_its_line_and_one_that_fails_is_enough(command):
    status, out, _ = command(
        "check", "run.json", "--max-tool-calls", "9", "--forbid", "pay", "--require", "x", "--require", "book"
    )
    assert status == 1
    assert [line.split(";")[0] for line in out.splitlines()] == [
        "check_limits: PASS",
        "check_forbidden: PASS",
        "check_arguments: FAIL",
        "check_arguments: PASS",
    ]


def test_json_lists_the_checks(command):
    status, out, _ = command("check", "run.json", "--max-tool-calls", "9", "--require", "x", "--json")
    form = json.loads(out)
    assert (status, form["passed"], [one["passed"] for one in form["checks"]]) == (1, False, [True, False])


REFUSED = {
    "nothing": ([], "nothing is asked; write a limit, --forbid or --require"),
    "a limit": (["--max-tool-calls", "-1"], "max_tool_calls: an integer from 0, got -1"),
    "no integer": (["--max-tool-calls", "x"], "Invalid value for '--max-tool-calls': 'x' is not a valid int"),
    "a rule without effect": (["--max-tool-calls", "1", "--args", "exact"], "--args has no effect without"),
    "an occurrence without effect": (["--forbid", "x", "--occurrence", "last"], "--occurrence has no effect without"),
    "an occurrence": (["--require", "book", "--occurrence", "lst"], "occurrence"),
    "a negative occurrence": (["--require", "book", "--occurrence", "-1"], "occurrence"),
    "calls beside requests": (["--max-model-requests", "1", "--calls", "succeeded"], "calls has no effect"),
    "arguments": (["--require", "book={"], "--require book: '{' is no JSON"),
    "a list": (["--forbid", '["book"]'], "is no name of a tool; repeat --forbid for several"),
    "names with a comma": (["--forbid", "book,pay"], "is no name of a tool; repeat --forbid for several"),
    "a name with a space": (["--forbid", "book "], "is no name of a tool"),
    "no arguments": (["--forbid", "book=3x"], "is no JSON"),
    "a call": (["--forbid", "{"], "--forbid: '{' is no JSON"),
}


@pytest.mark.parametrize(("arguments", "text"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_checked_is_an_error(command, arguments, text):
    status, out, err = command("check", "run.json", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert text in err

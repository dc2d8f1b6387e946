"""Errors: their classes, their facts, and what they say."""

import re

import pytest

import trajmatch
from tests.core import test_checks, test_counting, test_paths, test_rules, test_settings
from trajmatch import Matcher, Trajectory, call, check_limits, match
from trajmatch._paths import parse_path
from trajmatch.errors import ConversionError, MatchFailure, OptionError, RuleError, TrajmatchError


class Result:
    def render(self):
        return "the picture"


RESULT = Result()
ERRORS = {
    "conversion": (
        ConversionError("text", index=2, keys=["role"], formats=iter(["openai"])),
        ValueError,
        {"index": 2, "keys": ("role",), "formats": ("openai",)},
    ),
    "conversion, the whole input": (
        ConversionError("text"),
        ValueError,
        {"index": None, "keys": (), "formats": ()},
    ),
    "option": (
        OptionError("text", option="mode", value="exat"),
        ValueError,
        {"option": "mode", "value": "exat"},
    ),
    "option without a value": (
        OptionError("text", option="mode"),
        ValueError,
        {"option": "mode", "value": None},
    ),
    "rule": (
        RuleError("text", tool="search", actual_index=1, expected_index=2),
        RuntimeError,
        {"tool": "search", "actual_index": 1, "expected_index": 2},
    ),
    "failure": (MatchFailure(RESULT), AssertionError, {"result": RESULT}),
}


def table(names):
    return pytest.mark.parametrize(names, list(ERRORS.values()), ids=list(ERRORS))


@table(("error", "builtin", "facts"))
def test_an_error_is_ours_and_the_builtin_it_refines(error, builtin, facts):
    assert isinstance(error, TrajmatchError) and isinstance(error, builtin)


@table(("error", "builtin", "facts"))
def test_facts_are_attributes(error, builtin, facts):
    assert {name: getattr(error, name) for name in facts} == facts


@table(("error", "builtin", "facts"))
def test_the_text_is_what_it_says(error, builtin, facts):
    assert str(error) == ("the picture" if isinstance(error, MatchFailure) else "text")


@pytest.mark.parametrize("name", trajmatch.errors.__all__)
def test_errors_stand_at_the_top(name):
    assert getattr(trajmatch, name) is getattr(trajmatch.errors, name)


def refused_options():
    yield from ((name, lambda o=o: Matcher(**o)) for name, (o, _) in test_settings.WRONG.items())


def refused_rules():
    yield from ((name, lambda r=r: Matcher(args=r)) for name, (r, _) in test_rules.WRONG.items())
    yield "async", lambda: Matcher(args=test_rules._later)
    yield from ((path, lambda p=path: parse_path(p, "args")) for path in test_paths.FOREIGN)


def refused_calls():
    yield from ((name, lambda a=a, c=c: match(a, ["a"], calls=c)) for name, (a, c, _) in test_counting.REFUSED.items())
    yield "async", lambda: match([], [], calls=test_counting._later)


def refused_checks():
    yield from ((name, check) for name, (check, _) in test_checks.REFUSED.items())


def refused_lists_of_calls():
    messages, calls = Trajectory([]), [call("a")]
    yield "strict, actual", lambda: match(calls, messages, mode="strict")
    yield "strict, expected", lambda: match(messages, calls, mode="strict")
    yield "model requests", lambda: check_limits(calls, max_model_requests=1)


REFUSALS = [refused_options, refused_rules, refused_calls, refused_checks, refused_lists_of_calls]


@pytest.mark.parametrize("refusals", REFUSALS, ids=lambda refusals: refusals.__name__.replace("_", " "))
def test_what_is_refused_reads_as_agreed(refusals, golden):
    lines = []
    for name, act in refusals():
        with pytest.raises(TrajmatchError) as caught:
            act()
        facts = ", ".join(f"{fact}={value!r}" for fact, value in vars(caught.value).items())
        lines += [f"{name}: {caught.value}", f"    {facts}"]
    golden(re.sub(r" at 0x\w+", "", "\n".join(lines)))

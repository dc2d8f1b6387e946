import pytest

import trajmatch
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

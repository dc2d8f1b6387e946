"""Failures in pytest: what a person sees, in real inner sessions."""

import re
import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]
ESCAPES = re.compile(r"\x1b\[[\d;]*m")
PICTURE = [
    "    expected                actual",
    '  = [0] search              [0] search(city="Rome")',
    '  ~ [1] book(hotel="Ritz")  [1] book(hotel="Plaza")  hotel: expected "Ritz", got "Plaza"',
    'closest: overrides={"book": "ignore"} passes',
]
HEAD = "exact: FAIL; 1 paired, 1 near miss"
BEGIN = """
import unittest
import pytest
from trajmatch import assert_match, call, check_limits, match

RUN = [call("search", city="Rome"), call("book", hotel="Plaza")]
WANT = ["search", call("book", hotel="Ritz")]
RESULT = match(RUN, WANT)
"""
ASSERT_MATCH = "def test():\n    assert_match(RUN, WANT)"


@pytest.fixture
def session(pytester, monkeypatch):
    """Run an inner session over the code of a test, and give its output, without and with its colours."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("COLUMNS", "150")

    def run(code, *options):
        pytester.makepyfile(test_it=f"{BEGIN}\n{code}")
        return pytester.runpytest_inprocess("-p", "no:langsmith_plugin", "-p", "no:cacheprovider", *options)

    return run


def lines(result):
    return [ESCAPES.sub("", line) for line in result.outlines]


def shown(result):
    """The lines of the failure, without what pytest puts before them."""
    return [line.removeprefix("E       ") for line in lines(result) if line.startswith("E ")]


def told(result):
    return "\n".join(lines(result))


def test_the_picture_stands_once_below_the_line_of_the_test(session):
    result = session(ASSERT_MATCH)
    result.assert_outcomes(failed=1)
    start = lines(result).index(">       assert_match(RUN, WANT)")
    assert lines(result)[start + 1 : start + 8] == [
        f"E       trajmatch.errors.MatchFailure: {HEAD}",
        *(f"E       {line}" for line in PICTURE),
        "",
        "test_it.py:10: MatchFailure",
    ]


@pytest.mark.parametrize("style", ["auto", "long", "short", "native"])
def test_every_style_of_traceback_shows_the_picture_once(session, style):
    assert [told(session(ASSERT_MATCH, f"--tb={style}")).count(line) for line in PICTURE] == [1, 1, 1, 1]


@pytest.mark.parametrize("style", ["auto", "long", "short", "line"])
def test_the_traceback_ends_in_the_test(session, style):
    assert "_matcher.py" not in told(session(ASSERT_MATCH, f"--tb={style}"))


def test_one_line_shows_the_verdict(session):
    assert any(line.endswith(f"MatchFailure: {HEAD}") for line in lines(session(ASSERT_MATCH, "--tb=line")))


def test_no_traceback_shows_no_picture(session):
    assert PICTURE[0] not in told(session(ASSERT_MATCH, "--tb=no"))


@pytest.mark.parametrize(
    "code",
    [
        "def test():\n    assert match(RUN, WANT)",
        "def test():\n    result = match(RUN, WANT)\n    assert result",
        "def test():\n    result = match(RUN, WANT)\n    assert result.passed, 'it differs'",
        "def test():\n    assert RESULT.passed",
        "def test():\n    assert (\n        RESULT.score\n        == 1\n    )",
        "def test():\n    assert match(RUN, RUN) and match(RUN, WANT)",
        "class Test(unittest.TestCase):\n    def test(self):\n        assert match(RUN, WANT)",
    ],
    ids=["match", "result", "passed", "global", "score", "and", "unittest"],
)
def test_a_bare_assertion_shows_the_reason_and_the_picture(session, code):
    result = session(code)
    result.assert_outcomes(failed=1)
    assert [told(result).count(line) for line in PICTURE] == [1, 1, 1, 1]
    assert HEAD in shown(result)
    assert 'actual[1] book for expected[1]: hotel: expected "Ritz", got "Plaza"' in told(result)


def test_an_assertion_that_two_runs_differ_shows_what_paired(session):
    result = session("def test():\n    assert not match(RUN, ['search', 'book'])")
    assert "assert not exact: PASS; 2 paired" in told(result)
    assert '  = [1] book    [1] book(hotel="Plaza")' in shown(result)


def test_a_reason_that_pytest_shortens_stands_whole_below(session):
    result = session("def test():\n    assert match([call(f'tool_{n}', text='x' * 50) for n in range(9)], [])")
    assert any(line.startswith("exact: FAIL; 0 paired, 9 extra; extra actual[0]") for line in shown(result))
    assert "..." not in next(line for line in shown(result) if line.startswith("exact: FAIL; 0 paired, 9 extra;"))


def test_a_check_shows_its_reason_and_no_picture(session):
    result = session("def test():\n    assert check_limits(RUN, max_tool_calls=1)")
    assert told(result).count("E       AssertionError: assert check_limits: FAIL; 2 tool calls, more than 1") == 1
    assert "expected   " not in told(result)


def test_other_assertions_stay_as_they_are(session):
    code = """
def test():
    passed = 1
    assert passed == 2

def test_raised():
    raise AssertionError(f"not {RESULT}")
"""
    result = session(code)
    result.assert_outcomes(failed=2)
    assert [told(result).count(line) for line in PICTURE] == [0, 0, 0, 0]


def test_an_assertion_without_rewriting_stays_as_it_is(session):
    result = session("def test():\n    assert match(RUN, WANT)", "--assert=plain")
    result.assert_outcomes(failed=1)


def test_what_explains_a_failure_does_not_take_its_place(session):
    code = """
def test_broken(monkeypatch):
    result = match(RUN, WANT)
    assert not result.notes
    del result._outcome
    assert result is None

def test_odd():
    class Odd:
        @property
        def __class__(self):
            raise RuntimeError
    odd = Odd()
    assert odd is None
"""
    result = session(code)
    result.assert_outcomes(failed=2)
    assert "INTERNALERROR" not in told(result)


def test_an_error_behind_another_keeps_its_picture(session):
    code = """
def test():
    try:
        assert_match(RUN, WANT)
    except AssertionError as error:
        raise ValueError("the agent is wrong") from error

def test_circle():
    one, two = ValueError("one"), ValueError("two")
    one.__cause__, two.__cause__ = two, one
    raise one
"""
    result = session(code, "--color=yes")
    result.assert_outcomes(failed=2)
    assert [told(result).count(line) for line in PICTURE] == [1, 1, 1, 1]
    assert any(line.endswith("\x1b[31m\x1b[1mexact: FAIL; 1 paired, 1 near miss\x1b[0m") for line in result.outlines)


def test_colours_follow_the_style_of_each_piece(session):
    painted = session(ASSERT_MATCH, "--color=yes").outlines
    before = "\x1b[1m\x1b[31mE       "
    assert f"{before}trajmatch.errors.MatchFailure: \x1b[0m\x1b[31m\x1b[1m{HEAD}\x1b[0m" in painted
    assert f"{before}\x1b[0m{PICTURE[0]}" in painted
    near = next(line for line in painted if "[1] book" in line)
    assert '\x1b[33m[1] book(hotel="Ritz")\x1b[0m' in near
    assert near.endswith('\x1b[1m  hotel: expected "Ritz", got "Plaza"\x1b[0m')


@pytest.mark.parametrize("options", [["--color=no"], []], ids=["no", "auto"])
def test_no_colours_where_pytest_has_none(session, options):
    assert "\x1b" not in session(ASSERT_MATCH, *options).stdout.str()


def test_colours_are_those_of_the_process_that_reports(session):
    painted = session(ASSERT_MATCH, "-n1", "--color=yes").outlines
    assert any('\x1b[33m[1] book(hotel="Ritz")\x1b[0m' in line for line in painted)


@pytest.mark.parametrize("plugin", ["trajmatch", "xdist"])
def test_the_picture_is_there_without_a_plugin(session, plugin):
    result = session(ASSERT_MATCH, "-p", f"no:{plugin}")
    assert [told(result).count(line) for line in PICTURE] == [1, 1, 1, 1]


def test_a_report_in_xml_holds_the_picture(session, pytester):
    session(ASSERT_MATCH, "--junitxml=report.xml")
    report = (pytester.path / "report.xml").read_text()
    assert report.count("  = [0] search ") == 2  # in the message, and in the text


def test_a_debugger_starts_at_the_line_of_the_test(pytester):
    file = pytester.makepyfile(f"{BEGIN}\n{ASSERT_MATCH}")
    command = [sys.executable, "-m", "pytest", "-p", "no:langsmith_plugin", "-x", "--pdb", file]
    done = subprocess.run(command, input="p WANT\nq\n", capture_output=True, text=True, check=False, timeout=60)
    assert f"MatchFailure: {HEAD}" in done.stdout
    assert "-> assert_match(RUN, WANT)" in done.stdout
    assert "(Pdb) ['search', ToolCall('book', {'hotel': 'Ritz'})]" in done.stdout


def test_a_setup_that_fails_shows_the_picture(session):
    result = session("@pytest.fixture\ndef run():\n    assert_match(RUN, WANT)\n\ndef test(run):\n    pass")
    result.assert_outcomes(errors=1)
    assert [told(result).count(line) for line in PICTURE] == [1, 1, 1, 1]


def test_a_report_without_a_traceback_stays_as_it_is(session):
    result = session("def test():\n    match(RUN, WANT)\n    pytest.fail('by hand', pytrace=False)")
    assert "by hand" in lines(result)


def test_the_plugin_runs_where_warnings_are_errors(session):
    session(ASSERT_MATCH, "-W", "error", "--strict-markers", "--strict-config").assert_outcomes(failed=1)

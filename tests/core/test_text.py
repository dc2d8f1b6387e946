"""Values and calls as a person reads them."""

from datetime import date
from unittest.mock import ANY

import pytest

from trajmatch import ToolCall, call
from trajmatch._paths import ABSENT
from trajmatch._text import call_text, fit, pad, shorten, value_text

VALUES = {
    "text": ("a", '"a"'),
    "umlaut": ("ä", '"ä"'),
    "control": ("\x1b[0m\n", '"\\u001b[0m\\n"'),
    "direction": ("\u202eabc", '"\\u202eabc"'),
    "surrogate": ("\ud800", '"\\ud800"'),
    "none": (None, "null"),
    "nan": (float("nan"), "NaN"),
    "nested": ({"a": [1, True, {"b": None}]}, '{"a": [1, true, {"b": null}]}'),
    "date": (date(2024, 1, 2), '"2024-01-02"'),
    "matcher": ([ANY], "[<ANY>]"),
    "absent": (ABSENT, "absent"),
    "set": ({2, 1}, "[1, 2]"),
    "huge integer": (10**5000, "<int>"),
}
CALLS = {
    "arguments": (call("f", a=1, b="x"), 'f(a=1, b="x")'),
    "none": (call("f"), "f()"),
    "not stated": (ToolCall("f"), "f"),
    "raw": (ToolCall("f", "[1]"), 'f(not an object: "[1]")'),
    "no identifier": (call("f", {"user-id": 1}), 'f("user-id"=1)'),
    "name": (ToolCall("a\nb"), "a\\nb"),
}
SHORT = {
    "fits": ("abc", 3, "abc"),
    "cut": ("abcdef", 4, "abc…"),
    "call": ("f(abcdef)", 6, "f(ab…)"),
    "wide": ("日本語", 5, "日本…"),
    "combining": ("e\u0301e\u0301", 2, "e\u0301e\u0301"),
}


@pytest.mark.parametrize(("value", "text"), VALUES.values(), ids=VALUES)
def test_a_value_as_text(value, text):
    assert value_text(value) == text


@pytest.mark.parametrize(("made", "text"), CALLS.values(), ids=CALLS)
def test_a_call_as_text(made, text):
    assert call_text(made) == text


@pytest.mark.parametrize(("text", "width", "short"), SHORT.values(), ids=SHORT)
def test_text_is_cut_to_columns(text, width, short):
    assert shorten(text, width) == short


def test_long_text_is_cut_before_it_is_looked_at():
    assert len(value_text("x" * 10_000_000)) < 3000


def test_columns_are_those_of_a_terminal():
    assert (pad("日", 4), fit(["日本", "abc"], 9), fit(["日本"], 3), fit([], 3)) == ("日  ", 4, 3, 0)

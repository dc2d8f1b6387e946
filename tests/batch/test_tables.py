"""Tables for a terminal."""

import pytest

from trajmatch.batch._tables import cell, counted, rate, table, table_with_remarks

ROWS = [("task", "runs"), ("a long name", "1,000")]
TABLES = {
    "as wide as it has to be": (80, ["  task          runs", "  a long name  1,000"]),
    "text is cut": (15, ["  task     runs", "  a lon…  1,000"]),
    "numbers are not": (3, ["  task   runs", "  a l…  1,000"]),
}


@pytest.mark.parametrize(("width", "lines"), TABLES.values(), ids=TABLES)
def test_a_table(width, lines):
    assert table(ROWS, "<>", width) == lines


def test_wide_characters_take_two_columns():
    assert table([("語語", "1"), ("abc", "22")], "<>", 80) == ["  語語   1", "  abc   22"]


REMARKS = {
    "beside": (80, 20, [["  task          runs  why   "], ["  a long name  1,000  so it is"]]),
    "cut": (27, 4, [["  task       runs  why"], ["  a long …  1,000  so it is"]]),
    "below": (26, 20, [["  task          runs", "      why"], ["  a long name  1,000", "      so it is"]]),
}


@pytest.mark.parametrize(("width", "least", "lines"), REMARKS.values(), ids=REMARKS)
def test_remarks_stand_beside_or_below(width, least, lines):
    found = table_with_remarks(ROWS, "<>", [("why",), ("so it is",)], width, least)
    assert [[line.rstrip() for line in row] for row in found] == [[line.rstrip() for line in row] for row in lines]


def test_a_cell_is_one_printable_line():
    assert cell("a\n\tb \x1b[31m \u202e") == "a b \\x1b[31m \\u202e"
    assert len(cell("x" * 10_000)) == 400


def test_numbers():
    assert (rate(None), rate(2 / 3), counted(1, "run"), counted(1200, "run")) == ("-", "0.667", "1 run", "1,200 runs")

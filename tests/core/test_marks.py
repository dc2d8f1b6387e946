"""What differs in the two sides of a row, and where they are cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trajmatch import call, match
from trajmatch._marks import marked
from trajmatch.picture import Row

TEXT = "lorem ipsum " * 60


def sides(actual, expected):
    """The arguments of both sides in pieces, where the calls are a near miss."""
    (row,) = match([call("f", **actual)], [call("f", **expected)]).picture.rows
    return [tuple(piece.removeprefix("[0] f(") for piece in side.pieces) for side in marked(row)]


MARKS = {
    "one value": ({"x": 1}, {"x": 2}, ("x=", "2", ")"), ("x=", "1", ")")),
    "two values": (
        {"x": 1, "long": "same", "y": 3},
        {"x": 2, "long": "same", "y": 4},
        ("x=", "2", ', long="same", y=', "4", ")"),
        ("x=", "1", ', long="same", y=', "3", ")"),
    ),
    "an id is one difference": (
        {"id": "f81d-4fae"},
        {"id": "a11c-9bbb"},
        ('id="', "a11c-9bbb", '")'),
        ('id="', "f81d-4fae", '")'),
    ),
    "an argument more": ({"x": 1}, {}, ("", "", ")"), ("", "x=1", ")")),
    "an argument less": ({}, {"x": 1}, ("", "x=1", ")"), ("", "", ")")),
    "a repeated end": ({"x": [1, 1]}, {"x": [1]}, ("x=[1", "", "])"), ("x=[1", ", 1", "])")),
    "too much to compare word by word": (
        {"x": [1, *range(200), 3]},
        {"x": [1, 3]},
        ("x=[1, ", "", "3])"),
        (
            "x=[1, ",
            f"{', '.join(map(str, range(200)))}, "[:300] + "…" + f"{', '.join(map(str, range(200)))}, "[-40:],
            "3])",
        ),
    ),
}


@pytest.mark.parametrize(("actual", "expected", "left", "right"), MARKS.values(), ids=MARKS)
def test_every_second_piece_of_a_near_miss_differs(actual, expected, left, right):
    assert sides(actual, expected) == [left, right]


def test_long_text_that_both_share_is_cut_around_the_difference():
    (row,) = match([call("f", x=TEXT + "a")], [call("f", x=TEXT + "b")]).picture.rows
    expected, actual = marked(row)
    same = f'[0] f(x="{TEXT}'
    assert expected.pieces == (f"{same[:60]}…{same[-40:]}", "b", '")')
    assert actual.pieces == (f"{same[:60]}…{same[-40:]}", "a", '")')
    assert (expected.whole, actual.whole) == (row.expected, row.actual)


def test_a_long_call_is_cut_where_nothing_is_compared():
    expected, actual = marked(Row("missing", "[0] f(" + "x" * 400 + ")", ""))
    assert expected.pieces == ("[0] f(" + "x" * 294 + "…" + "x" * 39 + ")",)
    assert expected.whole is not None
    assert (actual.pieces, actual.whole) == (("",), None)


def test_what_fits_is_not_cut():
    row = Row("pair", "a" * 341, "b" * 341)
    assert [(*side.pieces, side.whole) for side in marked(row)] == [(row.expected, None), (row.actual, None)]


@given(st.text("ab ,", max_size=40), st.text("ab ,", max_size=40))
def test_the_pieces_of_a_side_are_its_text_and_the_same_ones_are_shared(one, other):
    row = Row("near miss", f"[0] f({one})", f"[1] f({other})")
    expected, actual = marked(row)
    assert ("".join(expected.pieces), "".join(actual.pieces)) == (row.expected, row.actual)
    assert expected.pieces[2::2] == actual.pieces[2::2]
    assert expected.pieces[0].removeprefix("[0]") == actual.pieces[0].removeprefix("[1]")

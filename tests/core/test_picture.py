"""Golden pictures: what a person reads."""

import json
from unittest.mock import ANY

import pytest

from tests.strategies import history
from trajmatch import (
    Message,
    ToolCall,
    Trajectory,
    any_of,
    any_order,
    call,
    forbidden,
    match,
    one_of,
    optional,
    plan,
    repeat,
    seq,
    step,
)
from trajmatch._text import columns
from trajmatch.picture import Picture


def _never(actual, expected):
    return False


def _never_counts(counted):
    return False


DESIGN = [
    call("search", q="refund policy"),
    call("policy", id=1),
    call("policy", id=2),
    call("lookup", order=7),
    call("weather", city="SF"),
    call("notify", user="ann"),
    *(call("step", n=n) for n in range(6)),
]
ACTUAL = [
    DESIGN[0],
    DESIGN[3],
    *DESIGN[1:3],
    call("weather", city="LA"),
    *DESIGN[6:8],
    ToolCall("search", {"q": "again"}, status="retried"),
    *DESIGN[8:],
]
LONG = [call("step", n=n) for n in range(200)]
ODD = [
    ToolCall("raw", "{not json"),
    ToolCall("open"),
    call("markup", text="<script>\x1b[31m\u202e\n", **{"user-id": None}),
    call("wide", 日本=["語" * 40]),
    call("f", x=ANY, y={"a": [1, 2]}),
]
ODD_ACTUAL = [
    ToolCall("raw", {"x": 1}),
    ToolCall("open", None, status="failed"),
    call("markup", text="<b>", **{"user-id": 0}),
    call("wide", 日本=["話" * 40]),
    call("f", x=1, y={"a": [1, 3], "b": True}, z="new", v=1, w=2, u=3, t=4),
]
ASK = Message("user", "Find me a hotel")
DENIED = [("delete", "denied"), ("look", "succeeded"), ("delete", "failed")]
CHAT = Trajectory(
    [
        Message("user", "Book a room"),
        Message("assistant", None, [call("search", city="Rome"), call("weather", city="Rome")]),
        Message("tool", "ok", answers=0),
        Message("tool", "ok", answers=1),
        Message("assistant", "I found\nthree hotels."),
    ]
)
PICTURES = {
    "in_order": (ACTUAL, DESIGN, {"mode": "in_order"}),
    "any_order": (ACTUAL, DESIGN, {"mode": "any_order", "threshold": 0.8}),
    "superset passes": (ACTUAL[:5], ["lookup", "search"], {"mode": "superset"}),
    "subset passes": ([DESIGN[0]], DESIGN[:3], {"mode": "subset"}),
    "long": ([*LONG[:90], call("step", n=-1), *LONG[91:150], *LONG[151:]], LONG, {}),
    "odd values": (ODD_ACTUAL, ODD, {}),
    "nothing on either side": ([], [], {}),
    "nothing done": ([], ["search", "book"], {"mode": "in_order"}),
    "one batch": (history([[call("a"), call("b")]]), history([[call("b"), call("a")]]), {}),
    "a function": ([call("f", x=1)], [call("f", x=2)], {"args": _never}),
    "more succeed": (
        [ToolCall("f", {}, status="failed"), ToolCall("f", {}, status="succeeded")],
        ["f"],
        {},
    ),
    "allow extra": ([call("f"), call("g")], ["f"], {"mode": "in_order"}),
    "recall": ([call("f"), call("g")], ["f", "h"], {"mode": "in_order", "allow_extra": True}),
    "precision": ([call("f"), call("g")], ["f", "h"], {"mode": "any_order", "allow_missing": True, "threshold": 0.4}),
    "strict": (
        history([[call("search", q="x")], [call("book", day=2)]]),
        history([[call("search", q="x"), call("map")], [call("book", day=1)]]),
        {"mode": "strict"},
    ),
    "strict passes": (CHAT, CHAT, {"mode": "strict"}),
    "strict gaps": (
        Trajectory([ASK, Message("critic", ["no text"]), Message("assistant", None, [call("search", city="Roma")])]),
        Trajectory([ASK, Message("assistant", None, [call("search", city="Rome")]), Message("user", [])]),
        {"mode": "strict"},
    ),
    "strict crossed": (
        Trajectory([ASK, Message("assistant", None, [call("search"), call("map")]), Message("critic", "x")]),
        Trajectory([ASK, Message("critic", "x"), Message("critic", "y"), Message("assistant", "hm")]),
        {"mode": "strict"},
    ),
    "denied": (
        [
            ToolCall("delete", {}, status="denied"),
            ToolCall("look", {}, status="succeeded"),
            ToolCall("delete", {}, status="failed"),
        ],
        ["delete", "look"],
        {"calls": "succeeded"},
    ),
    "structured output": ([ToolCall("final_result", {}, kind="output")], ["final_result"], {"mode": "subset"}),
    "a function of calls": ([call("f")], ["f"], {"calls": _never_counts}),
    "strict text": (Trajectory([*CHAT.messages, Message("assistant", "Bye")]), CHAT, {"mode": "strict"}),
    "strict missing text": (Trajectory(CHAT.messages[:-1]), CHAT, {"mode": "strict"}),
    "notes": ([call("f", x=1)], ["f"], {"args": ["x", "y.z"], "overrides": {"g": "ignore"}}),
    "a structure": (
        [
            call("search", q="rooms"),
            ToolCall("hold", {"room": 7}, status="failed"),
            ToolCall("hold", {"room": 7}, status="succeeded"),
            call("confirm", day=2),
            call("mail"),
            call("cancel", room=7),
        ],
        seq(
            "search",
            optional("compare"),
            any_order(call("hold", room=7), one_of("pay", "bill")),
            call("confirm", day=1),
            repeat("mail", 2, 3),
            forbidden("cancel"),
        ),
        {"threshold": 0.5},
    ),
    "a plan": (
        [call("tell"), call("stay"), call("fly")],
        plan(step("fly", "fly"), step("stay", "stay"), step("tell", "tell", after=["fly", "stay"])),
        {"allow_extra": True},
    ),
    "whole alternatives": (
        [call("search"), call("pay", card="1234"), call("log")],
        any_of(["search"], seq("search", "pay"), ["search", "redeem"], one_of("search", "log"), seq("log")),
        {},
    ),
    "a structure passes": ([call("a"), call("c")], seq("a", optional("b"), "c"), {}),
    "moved away": ([call("b"), call("c"), call("a")], ["a", "b", "c"], {}),
    "moved in place": ([call(n) for n in "xcba"], [*"abcy"], {"mode": "in_order"}),
}


@pytest.mark.parametrize(("actual", "expected", "options"), PICTURES.values(), ids=PICTURES)
def test_a_picture_reads_as_agreed(golden, actual, expected, options):
    result = match(actual, expected, **options)
    golden(f"{result.reason}\n\n{result.render()}")


@pytest.mark.parametrize(("actual", "expected", "options"), PICTURES.values(), ids=PICTURES)
def test_a_picture_fits_in_100_columns_and_60_lines(actual, expected, options):
    lines = match(actual, expected, **options).render().splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) < 60


@pytest.mark.parametrize("width", [50, 73, 100, 200])
@pytest.mark.parametrize(("actual", "expected", "options"), PICTURES.values(), ids=PICTURES)
def test_a_picture_fits_in_the_columns_that_there_are(actual, expected, options, width):
    lines = match(actual, expected, **options).render(width).splitlines()
    assert max(map(columns, lines)) <= width


def test_a_picture_has_at_least_50_columns():
    result = match(ACTUAL, DESIGN)
    assert result.render(0) == result.render(50) != result.render(60)


@pytest.mark.parametrize(("actual", "expected", "options"), PICTURES.values(), ids=PICTURES)
def test_a_picture_is_read_back_from_its_data(actual, expected, options):
    picture = match(actual, expected, **options).picture
    assert Picture.from_dict(json.loads(json.dumps(picture.to_dict()))) == picture


def styles(result):
    return [(span.style, span.text.strip()) for line in result.picture.lines() for span in line if span.text.strip()]


def test_each_piece_of_a_line_says_what_it_is():
    result = match([call("a"), call("c", x=1)], ["b", call("c", x=2)], mode="in_order", args={"ignore_case": True})
    assert styles(result) == [
        ("head failed", "in_order: FAIL, F1 0.000 = 2*0/(2+2); 0 paired, 1 near miss, 1 missing, 1 extra"),
        ("", "expected    actual"),
        ("missing", "-"),
        ("missing", "[0] b"),
        ("remark", "missing"),
        ("extra", "+"),
        ("extra", "[0] a()"),
        ("remark", "extra"),
        ("near miss", "~"),
        ("near miss", "[1] c(x=2)"),
        ("near miss", "[1] c(x=1)"),
        ("remark", "x: expected 2, got 1"),
        ("note", 'closest: overrides={"c": "ignore"} scores 0.500; no single change tried makes it pass'),
    ]


@pytest.mark.parametrize(
    ("actual", "expected", "shown"),
    [
        ({"text": "a" * 90 + "b"}, {"text": "a" * 90 + "c"}, ('f(…aaaaaaaaaac")', 'f(…aaaaaaaaaab")')),
        ({"q": "x"}, {"q": "y" * 90}, ('f(q="yyyyyyyyyyyyyyyyyyyyyyyyy…)', 'f(q="x")')),
        ({"a": "s" * 40, "b": 1}, {"a": "s" * 40, "b": 2}, ('f(…sssss", b=2)', 'f(…sssss", b=1)')),
    ],
)
def test_a_long_near_miss_is_cut_around_the_first_difference(actual, expected, shown):
    (row,) = match([call("f", **actual)], [call("f", **expected)]).picture.lines()[2:3]
    assert [span.text.strip().removeprefix("[0] ") for span in row[1:4] if span.text.strip()] == [*shown]


def test_a_row_names_the_tools_that_are_called_in_it():
    rows = match([call("a"), call("b")], ["a", "c"]).picture.rows
    assert [(row.kind, row.tools) for row in rows] == [("pair", ("a",)), ("missing", ("c",)), ("extra", ("b",))]


def test_a_call_that_failed_names_the_one_that_was_made_again():
    made = [ToolCall("f", {"x": 1}, status="failed"), call("g"), ToolCall("f", {"x": 1}, status="succeeded")]
    rows = match(made, ["g", call("f", x=1)], mode="in_order").picture.rows
    assert [row.remarks for row in rows] == [("extra, failed", "made again as [2]"), (), ()]

"""`trajmatch show`: a run as a person reads it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from trajmatch import Message, ToolCall, Trajectory, call
from trajmatch.reading import Status
from trajmatch_adapters.cli._listing import listing
from trajmatch_adapters.cli._options import words

STATUSES = words(Status)
LONG = "x" * 300
EVERY = Trajectory(
    [
        Message("system", "You are a travel agent.\nBe brief."),
        Message("user", "\n".join(f"line {n}" for n in range(6))),
        Message("assistant", "Let me look.", [ToolCall(f"tool_{s}", {"n": 1}, status=s) for s in STATUSES]),
        *(Message("tool", "\n".join(f"{s} {n}" for n in range(8)), answers=i) for i, s in enumerate(STATUSES)),
        Message("user", [{"type": "text", "text": "An image:"}, {"type": "image", "url": "a.png"}], feedback=True),
        Message("user", "Again."),
        Message("tool", "left over", name="lookup"),
        Message("tool", "of nothing"),
        Message("a very long role", "says"),
        Message("assistant", None, [ToolCall("search", {"q": LONG, "語": "語" * 60, "n": [1, {"a": None}]})]),
        Message("tool", {"found": LONG}, answers=len(STATUSES)),
        Message("tool", None, answers=len(STATUSES)),
        Message("assistant", [{"type": "tool_use", "name": "raw"}, "Now."], [ToolCall("raw", "{not json")]),
        Message("assistant", None, [ToolCall("open"), ToolCall("web", {}, kind="native")]),
        Message(
            "assistant", None, [ToolCall("final", {str(n): n for n in range(30)}, kind="output", status="succeeded")]
        ),
    ],
    notes=["ids are missing", "a note " * 30],
)
HOSTILE = Trajectory(
    [
        Message("user", "[red]no markup[/red] :smile: \x1b[31mno colour\x1b[0m \u202eno bidi\ttab\x07"),
        Message(
            "assistant", None, [call("f\x1b[2J", {"k\x9b": "\x1b]0;title\x07", "lone": "\ud800", "e": "👩\u200d🚀"})]
        ),
        Message("tool", "日本語のテキスト" * 12 + "\nok\x85\u2028next", answers=0),
    ]
)
CALLS = Trajectory(calls=[call("search", q="lamp"), ToolCall("book", status="failed", result="sold out")])
SHOWN = {
    "show every kind": (EVERY, {}),
    "show every kind in full": (EVERY, {"full": True}),
    "show every kind in 60 columns": (EVERY, {"width": 60}),
    "show hostile text": (HOSTILE, {}),
    "show a list of calls": (CALLS, {}),
    "show no messages": (Trajectory([]), {}),
}


def _texts(lines):
    return ["".join(text for text, _ in line).rstrip() for line in lines]


@pytest.mark.parametrize(("run", "options"), SHOWN.values(), ids=SHOWN)
def test_a_run_reads_as_agreed(golden, run, options):
    golden("\n".join(_texts(listing(run, **{"width": 100} | options))))


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("width", [40, 60, 100])
@pytest.mark.parametrize(("run", "options"), SHOWN.values(), ids=SHOWN)
def test_no_line_is_wider_than_the_terminal(run, options, width, full):
    assert max(map(cell_len, _texts(listing(run, width=width, full=full)))) <= width


VALUES = st.recursive(st.text(max_size=60) | st.integers() | st.none(), lambda inner: st.lists(inner, max_size=3))
RUNS = st.builds(
    lambda name, arguments, said, result, status: Trajectory(
        [
            Message("user", said),
            Message("assistant", said, [ToolCall(name, arguments, status=status)] * 2),
            Message("tool", result, answers=1),
        ]
    ),
    st.text(min_size=1, max_size=80),
    st.dictionaries(st.text(max_size=20), VALUES, max_size=3),
    st.text() | st.lists(st.text(max_size=5), max_size=3),
    VALUES,
    st.sampled_from(STATUSES),
)


@given(RUNS, st.integers(40, 120), st.booleans())
def test_whatever_a_run_holds_is_printable_and_fits(run, width, full):
    for text in _texts(listing(run, width=width, full=full)):
        assert cell_len(text) <= width
        assert all(c.isprintable() or c in "\xa0\u2007\u2009\u200c\u200d\u202f\u3000" for c in text)


def test_no_text_argument_or_result_is_shortened_in_full():
    text = "".join(text.strip(" │└┌") for text in _texts(listing(EVERY, width=80, full=True)))
    assert LONG in text and "語" * 60 in text
    assert text.count("…") == len(["the sign of pending", "the long role"])


def test_what_is_nested_too_deep_is_shown_by_its_type():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert _texts(listing(Trajectory(calls=[ToolCall("f", {"x": deep})]), width=80))[0] == "    [0] f(x=<list>)"
    while deep:  # since Python gives such a list free by a recursion
        deep = deep[0]


def test_the_calls_of_all_turns_are_numbered_through():
    turn = [Message("user", "go"), Message("assistant", None, [call("f")]), Message("tool", "done", answers=0)]
    run = Trajectory([*turn, *turn[:2], turn[2].replace(answers=1)])
    numbered = [text for text in _texts(listing(run, width=80)) if "[" in text]
    assert numbered == ["    [0] f()", "    [1] f()"]


@pytest.mark.parametrize("file", ["run.json", "run.jsonl"])
def test_a_file_is_shown(command, file):
    status, out, err = command("show", file)
    assert (status, err) == (0, "")
    assert '  ┌ [0] ✓ succeeded  search(city="Rome")' in out.splitlines()


def test_the_width_is_that_of_the_terminal(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    assert max(map(len, command("show", "run.json")[1].splitlines())) <= 50


def test_full_shortens_nothing(command, folder):
    (folder / "long.json").write_text(f'[{{"name": "f", "arguments": {{"x": "{LONG}"}}}}]')
    assert "…" in command("show", "long.json")[1]
    assert "…" not in command("show", "long.json", "--full")[1]

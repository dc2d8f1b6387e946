"""Golden trajectories, in real inner sessions: what is said, what is written, and what is not."""

import json
import re
import sys
from itertools import takewhile

import pytest
from pydantic import TypeAdapter

from trajmatch import ExpectedCall

pytest_plugins = ["pytester"]
ESCAPES = re.compile(r"\x1b\[[\d;]*m")
LOADED = TypeAdapter(list[ExpectedCall])
"""An inner session forgets what it imported, and pydantic cannot be imported twice; so it is, here."""
TWO_PROCESSES = "-p", "xdist", "-n2"
PLUGIN = "-p", "trajmatch_adapters.pytest_plugin"
UPDATE = "--trajmatch-update"
BEGIN = """
import pytest
from trajmatch import Message, ToolCall, Trajectory, call, match
"""
TWO = """
def test_books(golden_trajectory):
    golden_trajectory([call("search", city="Rome"), call("book", hotel="Plaza", nights=3)])
"""


@pytest.fixture
def session(pytester, monkeypatch):
    """Run an inner session over the code of a test module, `test_shop.py`, and give its output."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("COLUMNS", "150")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # it takes longer than the session

    def run(code, *options, outcome=None):
        if code is not None:
            pytester.makepyfile(test_shop=f"{BEGIN}\n{code}")
        result = pytester.runpytest_inprocess(*PLUGIN, "-p", "no:cacheprovider", *options)
        result.assert_outcomes(**({"passed": 1} if outcome is None else outcome))
        return [ESCAPES.sub("", line) for line in result.outlines]

    return run


@pytest.fixture
def files(pytester):
    """The golden files of `test_shop.py`: the calls in each, by name."""
    folder = pytester.path / "golden_trajectories" / "test_shop"

    def read():
        return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))}

    return read


@pytest.fixture
def golden(pytester):
    """Put a golden file for a test of `test_shop.py` there, as a person would have left it."""

    def write(calls, name="test_books"):
        file = pytester.path / "golden_trajectories" / "test_shop" / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(calls if isinstance(calls, str) else json.dumps(calls), encoding="utf-8")
        return file

    return write


def compared(run, options=""):
    return f"def test_books(golden_trajectory):\n    golden_trajectory({run}{options and ', '}{options})"


def section(lines):
    """What stands under the headline of the plugin."""
    start = next((at for at, line in enumerate(lines) if "= golden trajectories =" in line), len(lines))
    return [line for line in takewhile(lambda line: not line.startswith("="), lines[start + 1 :]) if line]


def test_without_a_file_a_test_fails_with_what_it_would_hold_and_the_command(session, files):
    lines = session(TWO, outcome={"failed": 1})
    start = lines.index("there is no golden file golden_trajectories/test_shop/test_books.json; it would hold:")
    assert lines[start + 1 : start + 5] == [
        "    expected                           actual",
        '  = [0] search(city="Rome")            [0] search(city="Rome")',
        '  = [1] book(hotel="Plaza", nights=3)  [1] book(hotel="Plaza", nights=3)',
        "to create it: pytest test_shop.py::test_books --trajmatch-update",
    ]
    assert files() == {}


def test_the_option_creates_a_file_and_shows_it_first(session, files, pytester):
    lines = section(session(TWO, UPDATE))
    assert lines[:5] == [
        "golden_trajectories/test_shop/test_books.json is new",
        "    expected                           actual",
        '  = [0] search(city="Rome")            [0] search(city="Rome")',
        '  = [1] book(hotel="Plaza", nights=3)  [1] book(hotel="Plaza", nights=3)',
        "created",
    ]
    assert files() == {
        "test_books": [
            {"name": "search", "arguments": {"city": "Rome"}},
            {"name": "book", "arguments": {"hotel": "Plaza", "nights": 3}},
        ]
    }
    session(None)


def test_a_file_is_text_to_review(session, pytester):
    code = compared(
        '[call("pay", {"to": "Ünal", "$sum": 1, "id": "9b2d6f0e-41c4-4f0b-9f3e-0a4c7e6a5d11", "a": [2, 1]})]'
    )
    session(code, UPDATE)
    file = pytester.path / "golden_trajectories" / "test_shop" / "test_books.json"
    assert (
        file.read_bytes().decode()
        == """\
[
  {
    "name": "pay",
    "arguments": {
      "$$sum": 1,
      "a": [
        2,
        1
      ],
      "id": {"$any": true},
      "to": "Ünal"
    }
  }
]
"""
    )
    session(None)


@pytest.mark.parametrize("value", ["1", "true", "github"])
def test_a_run_in_ci_never_writes(session, files, pytester, monkeypatch, value):
    pytester.makepyfile(test_shop=BEGIN + TWO)
    monkeypatch.setenv("CI", value)
    result = pytester.runpytest_inprocess(*PLUGIN, UPDATE)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "which a CI run (CI is set) never does" in result.stderr.str()
    assert files() == {}


def test_a_difference_fails_with_the_picture_and_the_command(session, golden, files):
    file = golden(["search", {"name": "book", "arguments": {"hotel": "Ritz", "nights": 3}}])
    before = file.read_bytes()
    lines = session(TWO, outcome={"failed": 1})
    failure = [line.removeprefix("E       ") for line in lines if line.startswith("E ")]
    assert failure[0] == "trajmatch.errors.MatchFailure: exact: FAIL; 1 paired, 1 near miss"
    assert failure[-1] == (
        "golden: golden_trajectories/test_shop/test_books.json differs; "
        "to accept this run: pytest test_shop.py::test_books --trajmatch-update"
    )
    assert '        hotel: expected "Ritz", got "Plaza"' in failure
    assert not any("_golden.py" in line for line in lines)
    assert file.read_bytes() == before


def test_the_option_shows_the_difference_before_it_rewrites(session, golden, files):
    golden(["search", {"name": "book", "arguments": {"hotel": "Ritz", "nights": 3}}])
    lines = section(session(TWO, UPDATE))
    assert lines[:2] == [
        "golden_trajectories/test_shop/test_books.json differs from this run",
        "exact: FAIL; 1 paired, 1 near miss",
    ]
    assert lines.index('        hotel: expected "Ritz", got "Plaza"') < lines.index("rewritten")
    assert files()["test_books"][1]["arguments"] == {"hotel": "Plaza", "nights": 3}


def test_a_file_that_matches_is_left_alone(session, golden):
    file = golden('["search",\n "book"]')
    assert section(session(TWO, UPDATE)) == []
    assert file.read_text() == '["search",\n "book"]'


RULED = {"name": "book", "arguments": {"hotel": "Plaza"}, "rule": "superset"}
REWRITES = {
    "what matches stays as it is written": (
        ["search", RULED, {"name": "pay", "arguments": {"amount": 1}}],
        '[call("search", q=1), call("book", hotel="Plaza", n=2), call("pay", amount=2)]',
        "",
        ["search", RULED, {"name": "pay", "arguments": {"amount": 2}}],
    ),
    "operators stay where they hold": (
        [{"name": "pay", "arguments": {"amount": {"$lte": 10}, "id": {"$any": True}, "to": "Ann"}}],
        '[call("pay", amount=9, id="b7f3c9d2", to="Bo")]',
        "",
        [{"name": "pay", "arguments": {"amount": {"$lte": 10}, "id": {"$any": True}, "to": "Bo"}}],
    ),
    "an operator that does not hold gives way": (
        [{"name": "pay", "arguments": {"amount": {"$lte": 10}, "day": {"$regex": "x.*"}}}],
        '[call("pay", amount=11, day="2026-03-01")]',
        "",
        [{"name": "pay", "arguments": {"amount": 11, "day": {"$any": True}}}],
    ),
    "what was closed by hand stays closed": (
        [{"name": "pay", "arguments": {"day": "2026-03-01"}}],
        '[call("pay", day="2026-04-01")]',
        "",
        [{"name": "pay", "arguments": {"day": "2026-04-01"}}],
    ),
    "a rule and the arguments that it leaves out stay": (
        [RULED],
        '[call("book", hotel="Ritz", nights=2)]',
        "",
        [RULED | {"arguments": {"hotel": "Ritz"}}],
    ),
    "keys come and go": (
        [{"name": "f", "arguments": {"a": 1, "b": {"c": 1, "d": [1, 2, 3]}}}],
        '[call("f", a=1, b={"d": [1, 9], "e": 5}, g=[])]',
        "",
        [{"name": "f", "arguments": {"a": 1, "b": {"d": [1, 9], "e": 5}, "g": []}}],
    ),
    "lists grow": (
        [{"name": "f", "arguments": {"a": [1, {"$gte": 2}]}}],
        '[call("f", a=[1, 2, 3, 4])]',
        "",
        [{"name": "f", "arguments": {"a": [1, {"$gte": 2}, 3, 4]}}],
    ),
    "a call that moved keeps its entry": (
        ["b", {"name": "a", "arguments": {"x": {"$gt": 0}}}],
        '[call("a", x=1), call("b", y=2)]',
        "",
        [{"name": "a", "arguments": {"x": {"$gt": 0}}}, "b"],
    ),
    "missing calls go and extra ones come": (
        ["a", "b"],
        '[call("c"), call("b")]',
        "",
        [{"name": "c", "arguments": {}}, "b"],
    ),
    "extra calls stay out where they are free": (
        ["a", {"name": "b", "arguments": {"x": 1}}],
        '[call("a"), call("c"), call("b", x=2)]',
        'mode="superset"',
        ["a", {"name": "b", "arguments": {"x": 2}}],
    ),
    "extra calls stay out where they are allowed": (
        ["a", "b", "d"],
        '[call("a"), call("c"), call("b")]',
        'mode="in_order", allow_extra=True',
        ["a", "b"],
    ),
    "missing calls stay where they are free": (
        ["z", "a", "b"],
        '[call("b"), call("c")]',
        'mode="subset"',
        ["z", "a", "b", {"name": "c", "arguments": {}}],
    ),
    "an option that compares less keeps what a person left out": (
        [{"name": "f", "arguments": {"a": 1}}],
        '[call("f", a=2, b=3)]',
        'args="superset"',
        [{"name": "f", "arguments": {"a": 2}}],
    ),
    "an alias stays as it is written": (
        [{"name": "find", "arguments": {"q": 1}}],
        '[call("search", q=2)]',
        'aliases={"find": "search"}',
        [{"name": "find", "arguments": {"q": 2}}],
    ),
    "a rule stays with arguments that differ as a whole": (
        [{"name": "f", "raw_arguments": "{", "rule": "subset"}],
        '[call("f", a=2)]',
        "",
        [{"name": "f", "arguments": {"a": 2}, "rule": "subset"}],
    ),
    "lists without order that shrink and grow are replaced": (
        [{"name": "f", "arguments": {"a": [3, 1, 2]}, "rule": {"unordered": True}}],
        '[call("f", a=[1, 2, 4])]',
        "",
        [{"name": "f", "arguments": {"a": [1, 2, 4]}, "rule": {"unordered": True}}],
    ),
    "lists without order that grow at both ends are replaced": (
        [{"name": "f", "arguments": {"a": [1]}, "rule": {"unordered": True}}],
        '[call("f", a=[7, 1, 8])]',
        "",
        [{"name": "f", "arguments": {"a": [7, 1, 8]}, "rule": {"unordered": True}}],
    ),
    "a rule of the test decides": (
        [{"name": "f", "arguments": {"a": [1]}}],
        '[call("f", a={"b": 1})]',
        'args=lambda actual, expected: expected == {"a": {"b": 1}}',
        [{"name": "f", "arguments": {"a": {"b": 1}}}],
    ),
}


@pytest.mark.parametrize(("held", "run", "options", "written"), REWRITES.values(), ids=REWRITES)
def test_rewriting(session, golden, files, held, run, options, written):
    golden(held)
    assert "rewritten" in section(session(compared(run, options), UPDATE))
    assert files() == {"test_books": written}
    session(None)


WRITTEN = {
    "what became of a call does not count": (
        'ToolCall("f", {}, id="c1", status="failed", result="x", kind="native")',
        {"name": "f", "arguments": {}},
    ),
    "arguments that were not captured are open": ('ToolCall("f")', "f"),
    "arguments that cannot be read are kept": ("""ToolCall("f", '{"a": ')""", {"name": "f", "raw_arguments": '{"a": '}),
    "half a surrogate pair is escaped": ('call("f", a="\\ud800")', {"name": "f", "arguments": {"a": "\ud800"}}),
    "a tuple is a list": ('call("f", a=(1, 2))', {"name": "f", "arguments": {"a": [1, 2]}}),
    "large numbers are exact": ('call("f", a=10**30)', {"name": "f", "arguments": {"a": 10**30}}),
}


@pytest.mark.parametrize(("made", "written"), WRITTEN.values(), ids=WRITTEN)
def test_writing(session, files, made, written):
    session(compared(f"[{made}]"), UPDATE)
    assert files() == {"test_books": [written]}
    session(None)


def test_only_calls_that_count_are_written(session, files):
    run = '[ToolCall("a", {}, status="failed"), ToolCall("b", {}, status="succeeded")]'
    session(compared(run, 'calls="succeeded"'), UPDATE)
    assert files() == {"test_books": [{"name": "b", "arguments": {}}]}
    session(None)


def test_an_output_call_is_written_where_it_counts(session, files):
    session(compared('[ToolCall("Trip", {"to": "Rome"}, kind="output")]', "calls=lambda call: True"), UPDATE)
    assert files() == {"test_books": [{"name": "Trip", "arguments": {"to": "Rome"}, "kind": "output"}]}
    session(None)


def test_an_iterator_is_read_once(session, files):
    session(compared('iter([call("a"), call("b")])'), UPDATE)
    assert [entry["name"] for entry in files()["test_books"]] == ["a", "b"]


def test_what_is_open_is_proposed_with_what_it_was(session, files):
    lines = section(
        session(compared('[call("book", hotel="Ritz", booking={"ref_id": "b7f3c9d2", "on": "2026-03-01"})]'), UPDATE)
    )
    assert "open: book: booking.ref_id was 'b7f3c9d2', an id" in lines
    assert "open: book: booking.on was '2026-03-01', a date or time" in lines
    assert files()["test_books"][0]["arguments"]["booking"] == {"ref_id": {"$any": True}, "on": {"$any": True}}


def test_several_runs_of_a_test_have_a_file_each(session, files):
    code = """
class TestShop:
    @pytest.mark.parametrize("city", ["Rome", "a/b::c", "x" * 200])
    def test_books(self, golden_trajectory, city):
        golden_trajectory([call("first", city=city)])
        golden_trajectory([call("second")])
        golden_trajectory([call("third")], name="third: last")
"""
    session(code, UPDATE, outcome={"passed": 3})
    assert len(files()) == 9
    assert {name: entries[0]["name"] for name, entries in files().items() if "Rome" in name} == {
        "TestShop.test_books[Rome]": "first",
        "TestShop.test_books[Rome]--2": "second",
        "TestShop.test_books[Rome]--third- last-89bf608e": "third",
    }
    assert section(session(None, outcome={"passed": 3})) == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (compared("[]", 'mode="strict"'), "mode='strict' compares messages, and a golden trajectory holds calls"),
        (compared("[]", "per_turn=True"), "per_turn=True compares messages, and a golden trajectory holds calls"),
        (compared("[]", 'mode="exat"'), "'exat' is no mode"),
        (compared("None"), "a history is missing"),
        (compared('[call("f", a=float("nan"))]'), "to a golden file: ValueError: nan has no data form"),
        (compared('[call("f", a=object())]'), "to a golden file: ConversionError: object has no JSON"),
        ("def test(golden_trajectory):\n    a = []\n    a.append(a)\n    golden_trajectory([call('f', a=a)])",
         "the arguments of 'f' are nested too deep, or hold themselves"),
        ("def test(golden_trajectory):\n    for _ in 'ab':\n        golden_trajectory([], name='a')",
         "the name 'a' was used before in this test"),
        (compared('[call("f", a=1)]', "args=lambda a, e: False"), "the run does not match itself"),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_fails_and_writes_nothing(session, files, code, said):
    assert any(said in line for line in session(code, UPDATE, outcome={"failed": 1}))
    assert files() == {}


def test_a_run_that_cannot_match_rewrites_nothing(session, golden, files):
    golden([{"name": "f", "arguments": {"a": 1}}])
    lines = session(compared('[call("f", a=1)]', "args=lambda a, e: False"), UPDATE, outcome={"failed": 1})
    assert any("is not written: under these options the run does not match itself" in line for line in lines)
    assert files() == {"test_books": [{"name": "f", "arguments": {"a": 1}}]}


@pytest.mark.parametrize("option", [[], [UPDATE]], ids=["read", "update"])
@pytest.mark.parametrize(
    ("held", "said"),
    [
        ("<<<<<<< HEAD\n[", "this golden file cannot be read; mend or remove it"),
        ('["book", {"name": "f", "argument": {}}]', "'argument' is no key of a call; did you mean 'arguments'?"),
        ('[{"name": "f", "arguments": {"a": {"$lt3": 1}}}]', "there is no operator '$lt3'"),
        ("null", "a history is missing"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_told_and_kept(session, golden, held, said, option):
    file = golden(held)
    lines = session(TWO, *option, outcome={"failed": 1})
    assert any(said in line for line in lines)
    assert any("golden_trajectories/test_shop/test_books.json" in line for line in lines)
    assert file.read_text() == held


@pytest.mark.parametrize(
    "held", [{"seq": ["search", "pay"]}, {"any_of": [["pay"], ["search"]]}, {"notes": [], "calls": [{"name": "pay"}]}]
)
def test_what_a_person_wrote_instead_of_a_list_matches_and_is_never_rewritten(session, golden, held):
    file = golden(held)
    before = file.read_text()
    lines = session(TWO, UPDATE, outcome={"failed": 1})
    assert any("is no plain list of calls, and not written anew: edit it, or remove it" in line for line in lines)
    assert file.read_text() == before
    golden({"seq": ["search", "book"]})
    session(TWO)


def test_a_test_that_fails_after_all_writes_nothing(session, files):
    lines = section(session(TWO + "    assert False", UPDATE, outcome={"failed": 1}))
    assert "not written, since the test did not pass" in lines
    assert files() == {}


def test_a_folder_that_cannot_be_written_is_told(session, pytester):
    (pytester.path / "golden_trajectories").write_text("in the way")
    assert any(line.startswith("not written: [Errno ") for line in section(session(TWO, UPDATE)))


def test_processes_that_run_side_by_side_write_the_same_files(session, files):
    code = """
@pytest.mark.parametrize("n", range(8))
def test_books(golden_trajectory, n):
    golden_trajectory([call("f", n=n)])
"""
    lines = section(session(code, UPDATE, *TWO_PROCESSES, outcome={"passed": 8}))
    assert lines.count("created") == 8
    assert files() == {f"test_books[{n}]": [{"name": "f", "arguments": {"n": n}}] for n in range(8)}
    assert section(session(None, *TWO_PROCESSES, outcome={"passed": 8})) == []


def test_the_command_is_one_for_the_place_where_pytest_was_called(session, pytester, monkeypatch):
    monkeypatch.chdir(pytester.mkdir("inner"))
    code = '@pytest.mark.parametrize("n", ["a b"])\ndef test(golden_trajectory, n):\n    golden_trajectory([])'
    pytester.makepyfile(test_shop=f"{BEGIN}\n{code}")
    lines = session(None, f"--rootdir={pytester.path}", "..", outcome={"failed": 1})
    assert "to create it: pytest '../test_shop.py::test[a b]' --trajmatch-update" in lines


def test_files_are_written_without_a_summary(session, files):
    session(TWO, UPDATE, "--no-summary")
    assert [*files()] == ["test_books"]


def test_a_process_that_only_runs_tests_writes_nothing_and_tells_what_it_collected(session, orphaned, pytester, files):
    conftest = """
        def pytest_configure(config):
            config.workeroutput = {}

        def pytest_unconfigure(config):
            print(config.workeroutput)
    """
    pytester.makeconftest(conftest)
    lines = session(THREE.replace('city="Rome"', "city=1"), UPDATE, "-s", outcome={"passed": 2, "skipped": 1})
    (told,) = (line for line in lines if line.startswith("{'trajmatch': "))
    assert "'test_books': 'test_shop.py::test_books'" in told
    assert section(lines) == []
    assert [*files()] == ["test_books", "test_gone", "test_idle", "test_skipped--2"]


def test_a_session_without_the_library_does_not_load_it(session, pytester, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "trajmatch"]:
        monkeypatch.delitem(sys.modules, name)
    pytester.makepyfile(test_shop="import sys\n\n\ndef test():\n    assert 'trajmatch' in sys.modules")
    session(None, outcome={"failed": 1})


def test_a_result_comes_back(session, golden):
    golden(["search", "book"])
    code = """
def test_books(golden_trajectory):
    run = [call("search"), call("book"), call("pay")]
    assert golden_trajectory(run, mode="in_order", threshold=0.5).score == 0.8
"""
    session(code)


def test_the_type_of_the_fixture_can_be_named(session, golden):
    golden([])
    code = """
import trajmatch_adapters.pytest_plugin as plugin

def test_books(golden_trajectory: plugin.GoldenTrajectory):
    assert type(golden_trajectory) is plugin.GoldenTrajectory
    assert not hasattr(plugin, "Golden")
    golden_trajectory([])
"""
    session(code)


GONE = "golden_trajectories/test_shop/test_gone.json: orphaned: no test uses it; remove it, if that is meant"
IDLE = "golden_trajectories/test_shop/test_idle.json: orphaned: its test passed without it; remove it, if that is meant"
THREE = TWO + "def test_idle():\n    pass\n\ndef test_skipped(golden_trajectory):\n    pytest.skip()\n"


@pytest.fixture
def orphaned(golden):
    """Golden files of a test that is gone, of one that does not use it, of one that is skipped, of one that does."""
    golden([], "test_gone")
    golden([], "test_idle")
    golden([], "test_skipped--2")
    golden(["search", "book"], "test_books")


@pytest.mark.parametrize("options", [[], [*TWO_PROCESSES]], ids=["one process", "two processes"])
def test_orphans_are_told(session, orphaned, options):
    assert section(session(THREE, *options, outcome={"passed": 2, "skipped": 1})) == [GONE, IDLE]


def test_orphans_are_never_removed(session, orphaned, files):
    assert section(session(THREE, UPDATE, outcome={"passed": 2, "skipped": 1})) == [GONE, IDLE]
    assert [*files()] == ["test_books", "test_gone", "test_idle", "test_skipped--2"]


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        (["test_shop.py::test_books"], {"passed": 1}),
        (["--collect-only"], {}),
        (["--ignore=test_shop.py", "test_other.py"], {"passed": 1}),
    ],
)  # fmt: skip
def test_nothing_is_said_of_tests_that_were_not_collected(session, orphaned, pytester, options, outcome):
    pytester.makepyfile(test_other="def test():\n    pass")
    assert section(session(THREE, *options, outcome=outcome)) == []


@pytest.mark.parametrize(
    ("options", "outcome", "told"),
    [
        (["-k", "books"], {"passed": 1, "deselected": 2}, [GONE]),
        (["--deselect=test_shop.py::test_idle"], {"passed": 1, "skipped": 1, "deselected": 1}, [GONE]),
        (["-k", "idle"], {"passed": 1, "deselected": 2}, [GONE, IDLE]),
    ],
)  # fmt: skip
def test_a_test_that_was_not_run_keeps_its_files(session, orphaned, options, outcome, told):
    assert section(session(THREE, *options, outcome=outcome)) == told


def test_a_test_that_failed_keeps_its_files(session, orphaned):
    code = THREE.replace("    golden_trajectory([", "    assert False\n    golden_trajectory([")
    assert section(session(code, outcome={"passed": 1, "failed": 1, "skipped": 1})) == [GONE, IDLE]


def test_a_module_that_cannot_be_imported_keeps_its_files(session, orphaned):
    assert section(session("import nothing_of_this_name", outcome={"errors": 1})) == []


def test_the_files_of_a_module_that_is_gone_are_orphans(session, orphaned, pytester, files):
    pytester.makepyfile(test_other="def test():\n    pass")
    assert len(section(session(None, UPDATE))) == 4
    assert len([*files()]) == 4


def test_the_last_failed_say_nothing_of_others(orphaned, pytester, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    pytester.makepyfile(test_shop=BEGIN + THREE)
    result = pytester.runpytest_inprocess(*PLUGIN, "--lf")
    assert section(result.outlines) == []


UNWELL = {
    "its body, after a setup that compared": (
        """
@pytest.fixture
def compared(golden_trajectory):
    golden_trajectory([call("a")])

def test_x(compared):
    assert False
""",
        {"failed": 1},
    ),
    "its end": (
        """
@pytest.fixture
def ends():
    yield
    assert False

def test_x(ends, golden_trajectory):
    golden_trajectory([call("a")])
""",
        {"passed": 1, "errors": 1},
    ),
    "as was expected": (
        """
@pytest.mark.xfail
def test_x(golden_trajectory):
    golden_trajectory([call("a")])
    assert False
""",
        {"xfailed": 1},
    ),
    "by a skip": (
        """
def test_x(golden_trajectory):
    golden_trajectory([call("a")])
    pytest.skip()
""",
        {"skipped": 1},
    ),
}


@pytest.mark.parametrize(("code", "outcome"), UNWELL.values(), ids=UNWELL)
def test_a_test_that_does_not_pass_in_whatever_part_writes_nothing(session, files, code, outcome):
    lines = section(session(f"import pytest\n{code}", UPDATE, outcome=outcome))
    assert "not written, since the test did not pass" in lines
    assert [*files()] == []


def test_a_run_without_calls_may_come_to_have_some(session, golden, files):
    golden([])
    session("def test_books(golden_trajectory):\n    golden_trajectory([call('a')])", UPDATE)
    assert files()["test_books"] == [{"name": "a", "arguments": {}}]

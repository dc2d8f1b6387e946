"""The pytest plugin by itself: what it loads, what it takes for volatile, how it names files."""

import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from uuid import UUID

import pytest

from trajmatch.picture import EditKind, Style
from trajmatch_adapters.pytest_plugin._files import file_of, owns, shown, stem_of
from trajmatch_adapters.pytest_plugin._pictures import MARKUP
from trajmatch_adapters.pytest_plugin._volatile import opened, volatile

pytest_plugins = ["pytester"]
PLUGIN = "trajmatch_adapters.pytest_plugin"
HEAVY = ["trajmatch", "pydantic", "pydantic_core", "deepdiff", "langchain_core", "pydantic_ai", "openai"]
VOLATILE = {
    "a UUID": [
        ("x", "9b2d6f0e-41c4-4f0b-9f3e-0a4c7e6a5d11"),
        ("x", "9B2D6F0E41C44F0B9F3E0A4C7E6A5D11"),
        ("x", "urn:uuid:9b2d6f0e-41c4-4f0b-9f3e-0a4c7e6a5d11"),
        ("x", UUID(int=1)),
    ],
    "a date or time": [
        ("x", "2026-03-01"),
        ("x", "2026-03-01T10:31"),
        ("x", "2026-03-01 10:31:05.123456"),
        ("x", "2026-03-01T10:31:05Z"),
        ("x", "2026-03-01T10:31:05.1+02:00"),
        ("x", "10:31:05"),
        ("x", date(2026, 3, 1)),
        ("x", datetime(2026, 3, 1, tzinfo=UTC)),
    ],
    "a timestamp": [
        ("created_at", 1_772_356_265),
        ("timestamp", 1_772_356_265.5),
        ("expires", 1_772_356_265_000),
        ("startTime", 1_772_356_265),
    ],
    "a generated id": [
        ("x", "call_8f3kq2ab"),
        ("x", "chatcmpl-9xk2ab7q"),
        ("x", "run_step_8f3kq2ab"),
        ("x", "d2a84f4b8b650937"),
        ("x", "01JNB6Z9Q2X4Y8W0V3T5S7R9P1"),
    ],
    "an id": [
        ("id", 48213),
        ("booking_id", "b-48213"),
        ("bookingId", "b48213"),
        ("session-id", 1000),
        ("ids", "b48213"),
    ],
}
STABLE = [
    ("x", None),
    ("q", "lamp"),
    ("q", "hotels in Rome on 2026-03-01"),
    ("x", 1_772_356_265),
    ("timestamp", 7),
    ("timestamp", True),
    ("timestamp", float("nan")),
    ("timestamp", float("inf")),
    ("order", 48213),
    ("id", 7),
    ("id", True),
    ("id", 1.5),
    ("user_id", "ann"),
    ("user_id", "ann the 2nd"),
    ("user_id", "a1"),
    ("paid", 48213),
    ("x", "10:31"),
    ("x", "user_account_settings"),
    ("x", "deadbeefdeadbeef"),
    ("x", "2026"),
]


@pytest.mark.parametrize(("key", "value", "why"), [(*case, why) for why, cases in VOLATILE.items() for case in cases])
def test_what_changes_from_run_to_run_is_open(key, value, why):
    assert volatile(key, value) == why


@pytest.mark.parametrize(("key", "value"), STABLE)
def test_what_may_be_meant_stays_closed(key, value):
    assert volatile(key, value) is None


def test_what_is_open_is_named_by_its_place_and_the_arguments_stay_as_they_are():
    arguments = {"ids": ["b48213", "x"], "at": {"day": "2026-03-01", "n": (1, "2026-03-01")}}
    given, found = opened(arguments)
    assert [(one.path, one.value) for one in found] == [
        (("ids", 0), "b48213"),
        (("at", "day"), "2026-03-01"),
        (("at", "n", 1), "2026-03-01"),
    ]
    assert str(given) == "{'ids': [{'$any': True}, 'x'], 'at': {'day': {'$any': True}, 'n': [1, {'$any': True}]}}"
    assert arguments == {"ids": ["b48213", "x"], "at": {"day": "2026-03-01", "n": (1, "2026-03-01")}}


STEMS = {
    "test_shop.py::test_a": "test_a",
    "a/test_shop.py::TestA::test_b": "TestA.test_b",
    "test_shop.py::test_a[1.5-x y]": "test_a[1.5-x y]",
}


@pytest.mark.parametrize(("nodeid", "stem"), STEMS.items())
def test_a_file_is_named_after_its_test(nodeid, stem):
    assert stem_of(nodeid) == stem


ODD = [
    "[a/b]",
    "[a-b]",
    "[a\\b]",
    "[a--b]",
    "[a:b]",
    "[a|b]",
    "[ü]",
    "[a ]",
    "[.]",
    "[..]",
    "[a\nb]",
    "[\ud800]",
    "[" + "x" * 300,
]


def test_no_two_tests_share_a_file_and_every_system_takes_its_name():
    stems = [stem_of(f"test_shop.py::test{odd}") for odd in ODD]
    assert len({*map(str.lower, stems)}) == len(ODD)
    assert all(stem.isascii() and stem.isprintable() and len(stem) < 140 and "--" not in stem for stem in stems)
    assert not any(set(stem) & set('\\/:*?"<>|') for stem in stems)


def test_a_run_with_a_name_is_one_of_its_test():
    file = file_of(Path("tests/test_shop.py"), "tests/test_shop.py::test_a", "again")
    assert file == Path("tests/golden_trajectories/test_shop/test_a--again.json")
    assert owns("test_a", file)
    assert not owns("test", file)
    assert not owns("test_a--again.json", file)


def test_a_file_on_another_drive_is_shown_whole(pytestconfig, monkeypatch):
    def refused(*_):
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    monkeypatch.setattr("os.path.relpath", refused)
    assert shown(Path("/a/b.json"), pytestconfig) == str(Path("/a/b.json"))


def test_every_style_of_a_picture_has_its_look():
    kinds = {style for part in Style.__args__ for style in getattr(part, "__args__", [part])}
    assert {*MARKUP} == kinds >= {*EditKind.__args__}


def test_pytest_finds_the_plugin_by_its_entry_point():
    (found,) = importlib.metadata.entry_points(group="pytest11", name="trajmatch")
    assert found.value == "trajmatch_adapters.pytest_plugin"


SESSION = """
import sys, json, pytest
code = pytest.main(["-q", "-p", "no:cacheprovider", "-p", "trajmatch_adapters.pytest_plugin"])
print(json.dumps([code, sorted(sys.modules)]))
"""


def test_a_session_that_does_not_use_it_loads_nothing_but_the_hooks(pytester, monkeypatch):
    pytester.makepyfile("def test():\n    pass")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    done = subprocess.run([sys.executable, "-c", SESSION], capture_output=True, text=True, check=True)
    code, modules = json.loads(done.stdout.splitlines()[-1])
    ours = [name for name in modules if name.startswith("trajmatch")]
    assert code == 0
    assert ours == [
        "trajmatch_adapters",
        "trajmatch_adapters.pytest_plugin",
        "trajmatch_adapters.pytest_plugin._session",
    ]
    assert [name for name in HEAVY if name in modules] == []


def test_what_pytest_loads_at_every_start_is_the_option_the_hooks_and_the_fixture(monkeypatch):
    monkeypatch.delitem(sys.modules, PLUGIN)
    plugin = importlib.import_module(PLUGIN)
    monkeypatch.setattr("trajmatch_adapters.pytest_plugin", sys.modules[PLUGIN])
    hooks = [name for name in vars(plugin) if name.startswith("pytest_")]
    assert hooks == ["pytest_addoption", "pytest_configure"]
    assert plugin.OPTION == "--trajmatch-update"


@pytest.mark.parametrize("package", ["trajmatch", "trajmatch_adapters"])
def test_pytest_does_not_warn_of_a_package_that_was_imported_before_it(package):
    assert "PYTEST_DONT_REWRITE" in importlib.import_module(package).__doc__

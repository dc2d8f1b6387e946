"""The docs: every example runs and prints what it says, and every link leads somewhere.

`pytest tests/docs --update-examples` writes what the examples print anew.
"""

import doctest
import json
import re
import subprocess
import sys
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest
from pytest_examples import find_examples

import trajmatch
from trajmatch._recognise import _built_in

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]
EXAMPLES = list(find_examples(*PAGES))
ENGINES = ("ray.md", "spark.md")  # whose examples start processes: they run in one of their own
SOURCES = {ROOT: "trajmatch", ROOT / "adapters": "trajmatch_adapters"}
MODULES = [
    ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
    for root, package in SOURCES.items()
    for file in sorted((root / package).rglob("*.py"))
]
CODE_COLUMNS, PRINTED_COLUMNS = 100, 120


def _name(path):
    return path.relative_to(ROOT).as_posix()


def _prose(page):
    return re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def _headings(page):
    return re.findall(r"^#+ (.+)$", _prose(page), flags=re.MULTILINE)


def _anchors(page):
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in _headings(page)}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"{_name(e.path)}:{e.start_line}")
def test_an_example_runs_and_prints_what_it_says(example, eval_example, monkeypatch):
    monkeypatch.chdir(ROOT)  # where ruff finds the settings of the project
    eval_example.set_config(line_length=PRINTED_COLUMNS, target_version="py311", ruff_ignore=["D"])
    if example.path.name in ENGINES:
        eval_example.lint_ruff(example)
        said = re.findall("^ *#> (.*)$", example.source, flags=re.MULTILINE)
        done = subprocess.run([sys.executable, "-c", example.source], capture_output=True, text=True, timeout=300)
        assert said and done.stdout.splitlines() == said, done.stderr
    elif eval_example.update_examples:
        eval_example.run_print_update(example, rewrite_assertions=False)
    else:
        eval_example.lint_ruff(example)
        eval_example.run_print_check(example, rewrite_assertions=False)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"{_name(e.path)}:{e.start_line}")
def test_the_code_of_an_example_fits_in_100_columns(example):
    code = re.sub(r'^ *"""$.*?^ *"""$|^ *#> .*?$', "", example.source, flags=re.MULTILINE | re.DOTALL)
    assert max(map(len, code.splitlines())) <= CODE_COLUMNS


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """The file of runs that examples name, in the folder in which they run."""
    records = [
        {"id": name, "actual": [{"name": "search", "args": {}}], "expected": [tool]}
        for name, tool in [("lamp", "search"), ("shoe", "book"), ("sock", "search")]
    ]
    (tmp_path / "runs.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_docstrings_run(runs, module):
    names = {name: getattr(trajmatch, name) for name in trajmatch.__all__}
    assert doctest.testmod(import_module(module), globs=names).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_every_relative_link_leads_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", _prose(page)):
        target, _, anchor = link.partition("#")
        if not re.match(r"[a-z]+:", target):
            file = (page.parent / target).resolve() if target else page
            assert file.exists(), link
            assert not anchor or anchor in _anchors(file), link


@pytest.mark.parametrize("name", sorted({*trajmatch.__all__} - {"__version__"}))
def test_every_public_name_has_its_entry_in_the_reference(name):
    headings = " ".join(_headings(ROOT / "docs" / "reference.md"))
    assert name in re.findall(r"`(\w+)`", headings)


def test_the_example_to_try_runs_by_itself():
    command = [sys.executable, "docs/examples/try_it.py"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert "PASS" in ran.stdout and "FAIL" in ran.stdout


def _rows(page):
    """The cells of all tables of a page."""
    return [line.split("|")[1:-1] for line in _prose(ROOT / "docs" / page).splitlines() if line.startswith("|")]


def test_each_format_is_in_the_table_of_formats():
    assert {name for _, cell, _ in _rows("formats.md") for name in re.findall(r"`(\w+)`", cell)} == _built_in().keys()


def test_each_option_of_a_format_is_in_the_table_of_options():
    table = {
        (name, option.strip(" `"))
        for cell, option, *_ in (row for row in _rows("reference.md") if len(row) == 4)
        for name in re.findall(r"`(\w+)`", cell)
    }
    for name, adapter in _built_in().items():
        options = [p.name for p in signature(adapter.read).parameters.values() if p.kind is p.KEYWORD_ONLY]
        assert {(name, option) for option in options} <= table

"""Linters, type checkers and the rules of who may import whom run with the tests."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
TOOLS = {
    "lint": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "mypy": ["mypy"],
    "pyright": ["pyright", "--pythonpath", sys.executable],
    "imports": ["lint-imports"],
}


@pytest.mark.parametrize("command", TOOLS.values(), ids=TOOLS)
def test_the_tool_has_nothing_to_say(command):
    done = subprocess.run([BIN / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


ALLOWED = {"LICENSE", "README.md", "adapters", "docs", "mkdocs.yml", "pyproject.toml", "tests", "trajmatch"}


def test_the_top_level_holds_what_the_layout_names():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    top = {line.split("/")[0] for line in listed.splitlines()}
    assert "trajmatch" in top
    assert {name for name in top if not name.startswith(".")} <= ALLOWED


@pytest.mark.parametrize("folder", ["trajmatch", "adapters"])
def test_modules_stay_small(folder):
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / folder).rglob("*.py")}
    assert {path: length for path, length in lengths.items() if length > 300} == {}

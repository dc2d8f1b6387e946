"""The page on pytest: its commands run in order, and print what it says."""

import re
import shlex
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "pytest.md"
BLOCK = re.compile(r"^```(python|sh|text|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
pytest_plugins = ["pytester"]


def test_every_command_prints_what_the_page_says(pytester, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    golden = pytester.path / "golden_trajectories" / "test_shop" / "test_books_a_room.json"
    output, written, checked = "", False, 0
    for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "python":
            pytester.makepyfile(test_shop=text)
        elif kind == "sh":
            command = shlex.split(text)[1:]
            output = pytester.runpytest_subprocess("-p", "no:langsmith_plugin", *command).stdout.str()
            written = "--trajmatch-update" in command
        elif kind == "json" and written:
            assert golden.read_text(encoding="utf-8") == text
            written = False
        elif kind == "json":
            golden.write_text(text, encoding="utf-8")
        else:
            assert text in f"{output}\n"
            checked += 1
    assert checked > 8

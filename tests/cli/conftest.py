"""What the tests of the command share: files, and the command in this process and in one of its own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from trajmatch_adapters.cli import main

SCRIPT = shutil.which("trajmatch", path=Path(sys.executable).parent)


def said(role, content, *calls):
    """A message as Chat Completions write it; each call is an id, a name and arguments."""
    wire = [{"id": id, "function": {"name": name, "arguments": json.dumps(given)}} for id, name, given in calls]
    return {"role": role, "content": content} | ({"tool_calls": wire} if wire else {})


RUN = [
    said("user", "A room in Rome, please."),
    said("assistant", None, ("1", "search", {"city": "Rome"}), ("2", "weather", {"city": "Rome"})),
    {"role": "tool", "tool_call_id": "1", "content": "Ritz\nPlaza"},
    {"role": "tool", "tool_call_id": "2", "content": "sunny"},
    said("assistant", "The Plaza, then.", ("3", "book", {"hotel": "Plaza", "nights": 2})),
    {"role": "tool", "tool_call_id": "3", "content": "booked"},
    said("assistant", "Done."),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a run and expectations, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "COLUMNS", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    files = {
        "run.json": json.dumps(RUN),
        "run.jsonl": "\n".join(map(json.dumps, RUN)),
        "runs.jsonl": f"{json.dumps(RUN)}\n{json.dumps({'messages': RUN[:4]})}\n",
        "wrapped.json": json.dumps({"id": 7, "outputs": {"state": {"messages": RUN}}}),
        "expected.json": json.dumps(["search", {"name": "book", "arguments": {"hotel": "Ritz"}}]),
        "expected.yaml": "seq:\n- search\n- optional: weather\n- book\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def command(folder, capsys):
    """Run the command in this process, and give its status, and what it printed as result and as error."""

    def run(*arguments):
        status = main(arguments)
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.fixture
def script(folder):
    """Run the installed script in a process of its own."""

    def run(*arguments, env=None, **more):
        clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
        return subprocess.run(
            [SCRIPT, *arguments],
            cwd=folder,
            env=clean | (env or {}),
            capture_output=True,
            timeout=60,
            check=False,
            **more,
        )

    return run

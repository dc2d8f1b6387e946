"""What an import costs, in fresh processes, and what a plain match leaves in `sys.modules`.

The processes read compiled modules, as they do where a package is installed, from a folder of their own that the first
run fills: a tree under work may have none, and some environments forbid to write them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from tempfile import TemporaryDirectory

from timing import Effort, interleaved

__all__ = ["HEAVY", "above_bare", "loaded"]

HEAVY = ("pydantic", "pydantic_core", "deepdiff", "langchain_core", "langsmith", "pydantic_ai", "openai", "numpy")

PLAIN = """
import sys
import trajmatch
history = [
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "search", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "1", "content": "none"},
]
assert trajmatch.match(history, history, mode="unordered").passed
print(*(name for name in sys.argv[1:] if name in sys.modules))
"""


def _run(code: str, *arguments: str, compiled: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**kept, "PYTHONPYCACHEPREFIX": compiled},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def above_bare(modules: Sequence[str], effort: Effort) -> dict[str, float | None]:
    """Give the seconds that each import takes above `python -c pass`; `None` where it cannot be imported."""
    seconds: dict[str, float | None] = {}
    with TemporaryDirectory() as compiled:
        for module in modules:
            fresh = [partial(_run, code, compiled=compiled) for code in ("pass", f"import {module}")]
            try:
                fresh[1]()
            except subprocess.CalledProcessError:
                seconds[module] = None
                continue
            bare, whole = interleaved(fresh, effort)
            seconds[module] = whole - bare
    return seconds


def loaded() -> list[str]:
    """Give those of the heavy packages that a plain match of two histories loads."""
    with TemporaryDirectory() as compiled:
        return _run(PLAIN, *HEAVY, compiled=compiled).split()

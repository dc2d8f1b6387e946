"""The end of a session: what golden files will hold is shown, and they are written; those no test uses are named."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest

from trajmatch_adapters.pytest_plugin._events import Use
from trajmatch_adapters.pytest_plugin._files import shown
from trajmatch_adapters.pytest_plugin._orphans import Orphan, Owners, orphans, ran_in_part
from trajmatch_adapters.pytest_plugin._pictures import write_line

__all__ = ["settle"]


def settle(config: pytest.Config, uses: Mapping[str, Use], tests: Owners, passed: Collection[str]) -> None:
    """Show and write what is to be written, and name the orphans."""
    writes = [use for _, use in sorted(uses.items()) if use["text"] is not None]
    left = [] if ran_in_part(config) else [*orphans(tests, uses, passed)]
    if writes or left:
        config.get_terminal_writer().sep("=", "golden trajectories")
    for use in writes:
        _write(config, use)
    for orphan in left:
        _leave(config, orphan)


def _write(config: pytest.Config, use: Use) -> None:
    terminal, file = config.get_terminal_writer(), Path(use["file"])
    terminal.line(f"{shown(file, config)} {'is new' if use['created'] else 'differs from this run'}", bold=True)
    for line in use["picture"]:
        write_line(terminal, line)
    for text in use["opened"]:
        terminal.line(f"open: {text}", yellow=True)
    terminal.line(_written(file, use), bold=True)


def _written(file: Path, use: Use) -> str:
    """Write a file, and say so."""
    if use["failed"]:
        return "not written, since the test did not pass"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes((use["text"] or "").encode())
    except OSError as error:
        return f"not written: {error}"
    return "created" if use["created"] else "rewritten"


def _leave(config: pytest.Config, orphan: Orphan) -> None:
    """Name an orphan; nothing is removed, since a test may be hidden in more ways than can be known."""
    why = "its test passed without it" if orphan.has_test else "no test uses it"
    told = f"{shown(orphan.file, config)}: orphaned: {why}; remove it, if that is meant"
    config.get_terminal_writer().line(told, yellow=True)

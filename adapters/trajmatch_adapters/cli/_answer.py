"""What a command gives, and how it is printed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from typing import NamedTuple, cast

__all__ = ["Answer", "Line", "put", "width"]

Line = Sequence[tuple[str, str]]
"""A line in pieces, each a text and the word for its style."""

_STYLES = {
    # a match
    "head passed": "bold green",
    "head failed": "bold red",
    "pair": "green",
    "moved": "yellow",
    "near miss": "yellow",
    "missing": "red",
    "extra": "magenta",
    "retried": "magenta",
    "forbidden": "bold red",
    "remark": "dim",
    "note": "dim",
    # many runs
    "better": "green",
    "worse": "red",
    # a run
    "turn": "bold",
    "role": "bold cyan",
    "quiet": "dim",
    "tool": "bold",
    "succeeded": "green",
    "failed": "red",
    "denied": "red",
    "interrupted": "red",
    "skipped": "yellow",
    "pending": "yellow",
}
"""What the words for styles look like; the text says the same, so that nothing is told by colour alone."""
_WIDTH = 100
_NARROWEST = 40


class Answer(NamedTuple):
    """What a command gives: lines for a person, or text for a machine, and whether the run passed."""

    lines: Sequence[Line] = ()
    text: str | None = None
    passed: bool = True


def width() -> int:
    """Give the columns of the terminal; 100 where there is none."""
    return max(shutil.get_terminal_size((_WIDTH, 24)).columns, _NARROWEST)


def put(answer: Answer) -> None:
    """Print an answer, in colours where a person sees it."""
    if cast("object", sys.stdout) is None:
        raise OSError("the standard output is closed")
    if reconfigure := getattr(sys.stdout, "reconfigure", None):
        reconfigure(errors="backslashreplace")  # where the signs cannot be written
    if answer.text is not None:
        sys.stdout.write(f"{answer.text}\n")
    elif _coloured():
        _put_coloured(answer.lines)
    else:
        sys.stdout.writelines("".join(text for text, _ in line).rstrip() + "\n" for line in answer.lines)
    sys.stdout.flush()


def _coloured() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _put_coloured(lines: Sequence[Line]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout, highlight=False, force_terminal=True)
    for line in lines:
        spans = [(text, _STYLES.get(style, "")) for text, style in line]
        console.print(Text.assemble(*spans), soft_wrap=True)

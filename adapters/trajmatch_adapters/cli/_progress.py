"""How far a long command has got, on the error stream, where a person sees it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Self, cast

from trajmatch.batch import Progress

__all__ = ["ProgressBar", "told"]

_OFTEN = 0.1
"""Seconds between two pictures."""


def told(first: Progress, now: Progress, seconds: float) -> str:
    """Say how many rows there are, how fast they come, and how long the rest takes, from two places of a file.

    >>> from trajmatch.batch import Progress
    >>> from trajmatch_adapters.cli._progress import told
    >>> told(Progress(1000, 0.25), Progress(3000, 0.75), 10)
    '3,000 rows, 200 a second, 0:00:05 left'
    """
    rows, done = now.rows - first.rows, now.done - first.done
    if seconds <= 0 or done <= 0:
        return f"{now.rows:,} rows"
    left = round(seconds * max(0.0, 1 - now.done) / done)
    return f"{now.rows:,} rows, {rows / seconds:,.0f} a second, {left // 3600}:{left // 60 % 60:02}:{left % 60:02} left"


class ProgressBar:
    """A bar that is gone at the end; nothing where the error stream is no terminal.

    It has no thread, since the processes that a command starts must not begin with one.

    Attributes:
        rows: The rows that there are, once that is known.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.rows: int | None = None
        self._clock = clock
        self._stack = ExitStack()
        self._bar: Any = None
        self._first: tuple[float, Progress] | None = None
        self._shown = 0.0

    def __enter__(self) -> Self:
        stream = cast("Any", sys.stderr)
        if stream is not None and stream.isatty():
            from rich import progress
            from rich.console import Console

            shown = (progress.BarColumn(), progress.TaskProgressColumn(), progress.TextColumn("{task.description}"))
            bar = progress.Progress(*shown, console=Console(file=stream), transient=True, auto_refresh=False)
            self._bar = self._stack.enter_context(bar)
            self._task = bar.add_task("", total=1.0)
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Take the bar away."""
        self._stack.close()

    def show(self, progress: Progress) -> None:
        """Show how far it has got."""
        self.rows, now = progress.rows, self._clock()
        start, first = self._first = self._first or (now, progress)
        if self._bar is not None and (now - self._shown >= _OFTEN or progress.done >= 1):
            self._shown = now
            self._bar.update(self._task, completed=progress.done, description=told(first, progress, now - start))
            self._bar.refresh()

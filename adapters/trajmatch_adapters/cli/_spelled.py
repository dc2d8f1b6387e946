"""What the library says of its parameters, in the words of the command line."""

from __future__ import annotations

import re

__all__ = ["spelled"]

_WRITTEN = {
    "alpha": "--alpha",
    "by": "--by",
    "group": "--group",
    "id": "--id",
    "source": "RUNS",
    "target": "-o",
    "workers": "--workers",
}
"""The parameters of the functions of many runs, as they are written on the command line."""


def spelled(text: str) -> str:
    """Give an error of an option with the names that the command line has.

    >>> from trajmatch_adapters.cli._spelled import spelled
    >>> spelled('by: line 3 of NEW was scored and has no group; compare by="id"')
    '--by: line 3 of NEW was scored and has no group; compare --by id'
    """
    option, colon, rest = text.partition(":")
    return re.sub(r'\b(by|group)="(\w+)"', r"--\1 \2", f"{_WRITTEN.get(option, option)}{colon}{rest}")

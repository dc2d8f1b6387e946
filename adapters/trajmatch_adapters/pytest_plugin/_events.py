"""What a test tells the session, in types that one process can send to another."""

from __future__ import annotations

from typing import TypedDict

import pytest

__all__ = ["PICTURES", "USES", "Lines", "Told", "Use", "told"]

Lines = list[list[tuple[str, str]]]
"""A picture: its lines, in pieces of text with their style."""


class Use(TypedDict):
    """How a test used a golden file.

    Attributes:
        file: The path of the file.
        text: What is to be written; `None` where the run matched.
        created: Whether there was no such file.
        picture: How the run differs from the file; for a new one, what it will hold.
        opened: The values that were left open.
        test: The id of the test.
        failed: Whether the test did not pass after all, in its setup, its body or its end.
    """

    file: str
    text: str | None
    created: bool
    picture: Lines
    opened: list[str]
    test: str
    failed: bool


class Told(TypedDict):
    """What the report of a test carries under `trajmatch`.

    Attributes:
        pictures: The pictures in its failure.
        uses: The golden files that it used.
    """

    pictures: list[Lines]
    uses: list[Use]


PICTURES = pytest.StashKey[list[Lines]]()
USES = pytest.StashKey[list[Use]]()
"""Where a test keeps what its next report will carry."""


def told(item: pytest.Item) -> Told | None:
    """Give what a test has to tell, once."""
    pictures, uses = item.stash.setdefault(PICTURES, []), item.stash.setdefault(USES, [])
    item.stash[PICTURES], item.stash[USES] = [], []
    return {"pictures": pictures, "uses": uses} if pictures or uses else None

"""What is kept of one match among millions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["ResultRow"]

_LISTS = ("differences", "calls")


class ResultRow(NamedTuple):
    """What one run came to.

    Attributes:
        id: The id that stands beside the run, as text; `None` where there is none.
        group: The task of which this is one of several runs, where groups were asked for.
        line: The line of the run in its file, the row in its table, or its place among pairs, from 1.
        passed: The verdict; `None` where there is an error, and so the next five.
        score: The score of the match.
        precision: Pairs / actual calls.
        recall: Pairs / expected calls.
        signature: What the score depends on.
        error: The class of the error that stood in the way, like `ConversionError`; `None` where there is a verdict.
        reason: The reason of the verdict in one line, or what the error says.
        differences: What differs where a run does not score 1.0, each once: `missing book`, `near miss search`.
        calls: The calls of the run, where groups were asked for: name and digest of the arguments, `book:1f0a33c2`.
    """

    id: str | None = None
    group: str | None = None
    line: int | None = None
    passed: bool | None = None
    score: float | None = None
    precision: float | None = None
    recall: float | None = None
    signature: str | None = None
    error: str | None = None
    reason: str = ""
    differences: tuple[str, ...] = ()
    calls: tuple[str, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the row in the types of JSON, always with all keys."""
        form = self._asdict()
        return form | {key: [*form[key]] for key in _LISTS if form[key] is not None}

    def to_json(self) -> str:
        """Give the row as one line of JSON."""
        return json.dumps(self._asdict(), separators=(",", ":"))

    @classmethod
    def from_dict(cls, form: Mapping[str, Any]) -> ResultRow:
        """Give the row of which `to_dict` gave this; other keys are left alone.

        Raises:
            TypeError: A list that is none.
        """
        given: dict[str, Any] = {key: form[key] for key in cls._fields if key in form}
        given.update((key, tuple(given[key])) for key in _LISTS if given.get(key) is not None)
        return cls(**given)

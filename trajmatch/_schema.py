"""The stored form of a trajectory, as pydantic models: they check what comes from files and give its JSON Schema.

Text is checked for its type only, since pydantic refuses lone surrogates, which models do write. This module is
imported when the first stored trajectory is read.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, InstanceOf

from trajmatch._model import Kind, Status

__all__ = ["StoredCall", "StoredMessage", "StoredTrajectory"]

Text = InstanceOf[str]


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class StoredCall(_Stored):
    """One tool call; `raw_arguments` stands in for `arguments` that are no JSON object."""

    name: Text
    arguments: dict[Text, Any] | None = None
    raw_arguments: Text | None = None
    id: Text | None = None
    status: Status | None = None
    kind: Kind = "function"
    result: Any = None
    rule: Any = None


class StoredMessage(_Stored):
    """One message."""

    role: Text
    content: Any = None
    tool_calls: list[StoredCall] = []
    answers: int | None = None
    name: Text | None = None
    feedback: bool = False


class StoredTrajectory(_Stored):
    """A trajectory: its messages, or a list of calls."""

    messages: list[StoredMessage] | None = None
    calls: list[StoredCall] | None = None
    notes: list[Text] = []

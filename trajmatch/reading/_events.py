"""The four kinds of event that every adapter turns a history into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from trajmatch._model import Kind, Status

__all__ = ["UNMARKED", "Answered", "Called", "Event", "Noted", "Said", "Told"]

UNMARKED = "nothing says whether a tool failed; a result counts as succeeded"
"""What is noted of a format that has no error flag."""


class Said(NamedTuple):
    """A message begins; the calls that follow belong to it, if it is an assistant's.

    Attributes:
        role: Any word for the role; the builder folds the known ones.
        content: Text or parts, as the history holds them.
        response: The id of the model's response, where one response may be spread over several messages: these become
            one message.
        feedback: A framework added this, not a user. Beside results it belongs to them; alone it is a user message
            that starts no turn.
    """

    role: str
    content: object = None
    response: str | None = None
    feedback: bool = False


class Called(NamedTuple):
    """A tool was called.

    Attributes:
        name: The tool.
        arguments: An object or its JSON text, as the model wrote it; `None` where they were not captured. What a wire
            format holds goes through `wire_arguments` first.
        id: The id that joins the call and its result; empty or `None` where there is none.
        kind: See `trajmatch.ToolCall`. Ids of native calls are a space of their own.
    """

    name: str
    arguments: Mapping[str, Any] | str | None = None
    id: str | None = None
    kind: Kind = "function"


class Answered(NamedTuple):
    """A result came back.

    Attributes:
        result: What the tool gave back.
        id: The id of the call.
        name: The tool, where the result names it: it joins a result without an id. What is no text is no name.
        status: What became of the call; by default it succeeded.
        kind: `native` for the result of a native call, which makes no message of its own.
    """

    result: object = None
    id: str | None = None
    name: str | None = None
    status: Status = "succeeded"
    kind: Kind = "function"


class Noted(NamedTuple):
    """Something that the format could not say, for `Trajectory.notes`; equal notes are kept once.

    Attributes:
        text: What is noted.
        left_out: Calls of the history that the run lacks on purpose; any other that it lacks is an error.
    """

    text: str
    left_out: Sequence[Called] = ()


Event = Said | Called | Answered | Noted
"""What `read` of an adapter yields, in the order of the history."""
Told = Said | Called | Answered
"""What a writer takes."""

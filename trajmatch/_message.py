"""The common model, second half: one message."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self, TypeVar, cast

from trajmatch._model import ToolCall
from trajmatch._shown import whole
from trajmatch._values import json_equal
from trajmatch.errors import ConversionError

__all__ = ["Message", "all_of", "fold_role"]

Item = TypeVar("Item")

_ROLES = {
    "human": "user",
    "ai": "assistant",
    "model": "assistant",
    "developer": "system",
    "function": "tool",
}
"""The words of the frameworks for the four common roles; any other role is kept as it is."""


def fold_role(role: str) -> str:
    """Give the common word for a role."""
    return _ROLES.get(role, role)


def all_of(kind: type[Item], items: Iterable[Item]) -> tuple[Item, ...]:
    """Give the items as a tuple.

    Raises:
        ConversionError: One of them is something else.
    """
    given = tuple(items)
    for index, item in enumerate(given):
        if not isinstance(item, kind):
            raise ConversionError(f"item {index} must be a {kind.__name__}, got {item!r:.60}", index=index)
    return given


class Message:
    """One message: an assistant message per response of the model, a tool message per result.

    Args:
        role: `system`, `user`, `assistant` or `tool`; other words for these are folded in, other roles are kept.
        content: Text or parts, as the history holds them.
        tool_calls: The calls that the model made in this response, in parallel.
        answers: For a tool message, the index of its call in the trajectory's `calls`; `None` for a result whose call
            is not there.
        name: For a tool message whose call is not there, the tool that it names.
        feedback: The content was added by a framework and not by a user: an image that a tool returned, a request to
            try again. It starts no turn.
    """

    __slots__ = ("_answers", "_content", "_feedback", "_name", "_role", "_tool_calls")

    def __init__(
        self,
        role: str,
        content: object = None,
        tool_calls: Iterable[ToolCall] = (),
        *,
        answers: int | None = None,
        name: str | None = None,
        feedback: bool = False,
    ) -> None:
        if not isinstance(cast("object", role), str):
            raise ConversionError(f"the role of a message is text, got {role!r:.60}")
        if name is not None and not isinstance(cast("object", name), str):
            raise ConversionError(f"the name of a tool is text, got {name!r:.60}")
        self._role = fold_role(role)
        self._content = content
        self._tool_calls = all_of(ToolCall, tool_calls) if tool_calls else ()
        self._answers = answers
        self._name = name
        self._feedback = feedback

    @property
    def role(self) -> str:
        """Who speaks."""
        return self._role

    @property
    def content(self) -> object:
        """Text or parts."""
        return self._content

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The calls of this response."""
        return self._tool_calls

    @property
    def answers(self) -> int | None:
        """The index of the call that this tool message answers."""
        return self._answers

    @property
    def name(self) -> str | None:
        """The tool that gave this result, where its call is not there."""
        return self._name

    @property
    def feedback(self) -> bool:
        """Whether a framework, and not a user, added the content."""
        return self._feedback

    def replace(self, **changes: Any) -> Self:
        """Give a copy with some fields changed, by the names of the constructor."""
        names = ("role", "content", "tool_calls", "answers", "name", "feedback")
        return type(self)(**{name: getattr(self, name) for name in names} | changes)

    __replace__ = replace

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return (
            (self._role, self._answers, self._name, self._feedback)
            == (other._role, other._answers, other._name, other._feedback)
            and self._tool_calls == other._tool_calls
            and json_equal(self._content, other._content)
        )

    def __hash__(self) -> int:
        return hash((self._role, self._tool_calls))

    def __repr__(self) -> str:
        parts = [repr(self._role)]
        if self._content is not None or self._tool_calls:
            parts.append(whole(self._content))
        if self._tool_calls:
            parts.append(repr(list(self._tool_calls)))
        if self._answers is not None:
            parts.append(f"answers={self._answers}")
        if self._name is not None:
            parts.append(f"name={self._name!r}")
        if self._feedback:
            parts.append("feedback=True")
        return f"Message({', '.join(parts)})"

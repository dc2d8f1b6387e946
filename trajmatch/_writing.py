"""From a trajectory to the messages of a format: what readers take apart, put together again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, cast

from trajmatch._model import ToolCall
from trajmatch._nearest import choose, did_you_mean
from trajmatch._recognise import Writer, to_trajectory, writers
from trajmatch._trajectory import Trajectory
from trajmatch.errors import ConversionError, OptionError, TrajmatchError
from trajmatch.reading._retold import retell

__all__ = ["to_messages"]

_FIX = ", which its name or the words of its result say in this format; map_calls renames it"
_FIXES = {
    kind: f"; leave such calls out: run.map_calls(lambda call: None if call.kind == {kind!r} else call)"
    for kind in ("native", "output")
}
"""What to do with calls of a kind that a format does not have."""


def to_messages(trajectory: object, format: str) -> list[dict[str, Any]]:
    """Write a run as the messages of a format, in the plain data that its framework stores.

    What was written is read again before it is given: no call and no argument is lost or changed.

    Args:
        trajectory: A run in the common model, or anything that `to_trajectory` reads.
        format: The name of the format: `openai`, `anthropic`, `langchain`, `pydantic_ai`, or one that another package
            registered with a writer.

    Raises:
        ConversionError: A run that cannot be read; a call that the format cannot hold as it is, an argument without a
            JSON form, or a role that it does not have.
        OptionError: A format that is not known, or is only read.

    >>> run = Trajectory([Message("user", "A lamp?"), Message("assistant", None, [call("search", q="lamp")])])
    >>> to_messages(run, "anthropic")[1]["content"]
    [{'type': 'tool_use', 'id': 'call_0', 'name': 'search', 'input': {'q': 'lamp'}}]
    """
    writer = _writer(format)
    run = to_trajectory(trajectory)
    try:
        written = [*writer.write(retell(run))]
        again = to_trajectory(written, format=format)
    except TrajmatchError as error:
        error.args = (f"this run cannot be written as {format!r}: {error}",)
        raise
    except Exception as error:
        text = f"this run cannot be written as {format!r}: {type(error).__name__}: {error}"
        raise ConversionError(text) from error
    _refuse_losses(run, again, format)
    return written


def _writer(format: str) -> Writer:
    known = writers(format)
    if (writer := known.get(format) if isinstance(cast("object", format), str) else None) is not None:
        return writer
    raise OptionError(
        f"format {format!r:.60} is not written{did_you_mean(format, known)}; there are {choose(known)}",
        option="format",
        value=format,
    )


def _refuse_losses(run: Trajectory, again: Trajectory, format: str) -> None:
    index = 0
    for batch, others in zip_longest(run.batches, again.batches, fillvalue=()):
        left = [*map(_bare, others)]
        for call in batch:
            if _bare(call) not in left:
                raise ConversionError(_loss(index, call, left, format), index=index)
            left.remove(_bare(call))
            index += 1
        if left:
            raise ConversionError(f"written as {format!r}, a call of {left[0].name!r} would be added", index=index)


def _bare(call: ToolCall) -> ToolCall:
    return call.replace(status=None)


def _loss(index: int, call: ToolCall, left: Sequence[ToolCall], format: str) -> str:
    """Say what became of a call."""
    there = next((other for other in left if other.name == call.name), None)
    start = f"call {index} of {call.name!r} cannot be written as {format!r}: "
    if call.own_rule:
        return f"{start}it has a rule, which is of an expectation; messages say what was called"
    if there is None:
        return f"{start}it would be lost, or stand in another message"
    if there.kind != call.kind:
        return f"{start}its kind {call.kind!r} would become {there.kind!r}{_FIXES.get(call.kind, _FIX)}"
    return f"{start}its arguments would change"

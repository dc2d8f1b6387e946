"""Which calls count: the option `calls`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, cast

from trajmatch._columns import Calls
from trajmatch._functions import function_text, refuse_async
from trajmatch._model import ToolCall
from trajmatch._nearest import did_you_mean
from trajmatch._trajectory import ORPHAN, Trajectory
from trajmatch.errors import OptionError

__all__ = ["CallsOption", "Counting", "parse_counting"]

CallsOption = Literal["all", "succeeded"] | Callable[[ToolCall], bool]
"""Which calls of actual count: all, whatever became of them; those that succeeded; or those for which a function says
so. The function is also asked about `output` calls, which do not count otherwise."""


class Counting(NamedTuple):
    """What the option says.

    Attributes:
        text: The option as it was written.
        actual: Whether an actual call counts; `None` where all do.
        expected: Whether an expected call counts.
        outputs: Output calls are asked about like all others.
        by_status: The statuses of the actual calls are needed.
    """

    text: str
    actual: Callable[[ToolCall], bool] | None
    expected: Callable[[ToolCall], bool] | None
    outputs: bool = False
    by_status: bool = False

    def of_actual(self, trajectory: Trajectory, *, outputs: bool = False) -> Calls:
        """Give the actual calls that count; `outputs` adds the output calls.

        Raises:
            OptionError: Statuses are needed, and a call states none; the user's function raised or gave no bool.
        """
        calls = self._asked(trajectory, outputs)
        for index, call in calls if self.by_status else ():
            if call.status is None:
                raise OptionError(
                    f"calls={self.text!r} needs to know what became of actual[{index}] {call.name!r}: "
                    "the history records no results, or is a list of calls",
                    option="calls",
                    value=self.text,
                )
        return _filtered(calls, self.actual)

    def of_expected(self, trajectory: Trajectory, *, outputs: bool = False) -> Calls:
        """Give the expected calls that count."""
        return _filtered(self._asked(trajectory, outputs), self.expected)

    def notes(self, trajectory: Trajectory) -> list[str]:
        """Give the notes of a trajectory that bear on which calls count: how results were joined, unless all do."""
        if self is not _COUNTINGS["all"]:
            return [*trajectory.notes]
        return [] if trajectory.columns.surely_joined else [note for note in trajectory.notes if note == ORPHAN]

    def _asked(self, trajectory: Trajectory, outputs: bool) -> Calls:
        columns = trajectory.columns
        calls = Calls(columns)
        if outputs or self.outputs or not columns.outputs:
            return calls
        return calls.select(position for position in calls.positions if columns.kind(position) != "output")


def _filtered(calls: Calls, counts: Callable[[ToolCall], bool] | None) -> Calls:
    return calls if counts is None else calls.select(place for place, (_, call) in enumerate(calls) if counts(call))


def _succeeded(call: ToolCall) -> bool:
    return call.status == "succeeded"


def _not_known_to_fail(call: ToolCall) -> bool:
    return call.status in (None, "pending", "succeeded")


_COUNTINGS: dict[str, Counting] = {
    "all": Counting("all", None, None),
    "succeeded": Counting("succeeded", _succeeded, _not_known_to_fail, by_status=True),
}


def parse_counting(written: object) -> Counting:
    """Give the record of the option `calls`.

    Raises:
        OptionError: Neither a known word nor a function; an async function.
    """
    if isinstance(written, str) and written in _COUNTINGS:
        return _COUNTINGS[written]
    if callable(written) and not isinstance(written, type):
        return _by_function(cast("Callable[[ToolCall], Any]", written))
    raise OptionError(
        f"calls: 'all', 'succeeded' or a function of a call, got {written!r}{did_you_mean(written, _COUNTINGS)}",
        option="calls",
        value=written,
    )


def _by_function(function: Callable[[ToolCall], Any]) -> Counting:
    refuse_async(function, "calls")

    def counts(call: ToolCall) -> bool:
        try:
            answer: object = function(call)
        except Exception as error:
            raise OptionError(
                f"calls: the function raised on {call!r:.80}: {type(error).__name__}: {error}",
                option="calls",
                value=function,
            ) from error
        if not isinstance(answer, bool):
            raise OptionError(
                f"calls: the function returns True or False, got {answer!r} for {call!r:.80}",
                option="calls",
                value=function,
            )
        return answer

    def stays(call: ToolCall) -> bool:
        return call.kind != "output" or counts(call)

    return Counting(function_text(function), counts, stays, outputs=True)

"""The steps of a trace: their order, and which is a part of which."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from trajmatch.reading._events import Answered, Called
from trajmatch.reading._recorded import recorded_arguments, recorded_messages

__all__ = ["Step", "StepKind", "Steps", "executed"]

StepKind = Literal["model", "tool", "other"]
"""A request to a model; the execution of a tool; what holds other steps, an agent or a chain say."""


class Step(NamedTuple):
    """One step of a recorded run: a span, a run, an observation.

    Attributes:
        place: What errors call it.
        kind: See `StepKind`.
        id: Its id in the trace.
        parent: The id of the step that it is a part of.
        trace: The id of the trace.
        start: When it began, as `moment` gives it.
        inputs: What went in, in any form that `recorded_messages` reads.
        outputs: What came out.
        call: The call that a tool executed.
        answer: The result of that call, where there is one.
    """

    place: str
    kind: StepKind = "other"
    id: str | None = None
    parent: str | None = None
    trace: str | None = None
    start: int | None = None
    inputs: object = None
    outputs: object = None
    call: Called | None = None
    answer: Answered | None = None


def executed(step: Step, name: str, arguments: object, answer: Answered | None, id: str | None = None) -> Step:
    """Give the step of a tool, with the call that it executed and what came of it.

    Args:
        step: What is known of it.
        name: The tool.
        arguments: Its arguments in any form that recorders keep them in.
        answer: What came of the call; `None` where it goes on.
        id: The id of the call; by default the one that the result names.
    """
    own = id or (answer.id if answer else None)
    called = Called(name, recorded_arguments(arguments), own)
    return step._replace(call=called, answer=answer._replace(id=own) if answer else None)


class Steps:
    """The steps of a trace, by start, what holds others before them; in the given order where some has no start.

    A cycle of parents ends where it began. Without those that are `nested`, no step is a part of a tool.
    """

    def __init__(self, steps: Iterable[Step], *, nested: bool = True) -> None:
        given = [*steps]
        by_id = {step.id: place for place, step in enumerate(given) if step.id}
        self._parents: list[int | None] = [by_id.get(step.parent or "") for step in given]
        self.sorted = len(given) < 2 or all(step.start is not None for step in given)
        self._kinds = [step.kind for step in given]
        self._depths, self._tools = self._measured()
        order = [place for place in range(len(given)) if nested or self._tools[place] is None]
        if self.sorted:
            starts = [step.start or 0 for step in given]
            order.sort(key=lambda place: (starts[place], self._depths[place]))
        self.ordered = [given[place] for place in order]
        self._places: dict[int, tuple[int, int]] = {id(given[place]): (n, place) for n, place in enumerate(order)}
        self._order = {place: n for n, place in enumerate(order)}
        self._last = self._last_places(order)
        self._holding = self._above(place for place, step in enumerate(given) if _is_response(step))

    def place(self, step: Step) -> int:
        """Give the place of a step in the order."""
        return self._places[id(step)][0]

    def is_root(self, step: Step) -> bool:
        """Say whether a step is a part of no other."""
        return self._parents[self._given(step)] is None

    def is_nested(self, step: Step) -> bool:
        """Say whether a step is a part of the execution of a tool."""
        return self.tool_around(step) is not None

    def tool_around(self, step: Step) -> int | None:
        """Give the place of the innermost tool that a step is a part of."""
        tool = self._tools[self._given(step)]
        return None if tool is None else self._order[tool]

    def holds_requests(self, step: Step) -> bool:
        """Say whether some request to a model is a part of a step, not by way of a tool, and says what it gave."""
        return self._given(step) in self._holding

    def last_within(self, step: Step) -> int:
        """Give the place of the last step that is a part of a step, or its own."""
        return self._last[self._given(step)]

    def _given(self, step: Step) -> int:
        return self._places[id(step)][1]

    def _measured(self) -> tuple[list[int], list[int | None]]:
        """How many steps each is a part of, and the innermost of them that is a tool."""
        depths = [-1] * len(self._parents)
        tools: list[int | None] = [None] * len(self._parents)
        for start in range(len(self._parents)):
            path: list[int] = []
            at: int | None = start
            while at is not None and depths[at] < 0:
                depths[at] = 0
                path.append(at)
                at = self._parents[at]
            for place in reversed(path):
                if (parent := self._parents[place]) is not None:
                    depths[place] = depths[parent] + 1
                    tools[place] = parent if self._kinds[parent] == "tool" else tools[parent]
        return depths, tools

    def _last_places(self, order: list[int]) -> list[int]:
        last = [0] * len(self._parents)
        for n, place in reversed([*enumerate(order)]):
            last[place] = max(last[place], n)
            if (parent := self._parents[place]) is not None:
                last[parent] = max(last[parent], last[place])
        return last

    def _above(self, places: Iterable[int]) -> set[int]:
        """All that these are a part of, up to a tool."""
        found: set[int] = set()
        for place in places:
            at = self._parents[place]
            while at is not None and at not in found and self._kinds[at] != "tool":
                found.add(at)
                at = self._parents[at]
        return found


def _is_response(step: Step) -> bool:
    return step.kind == "model" and recorded_messages(step.outputs, calls=True) is not None

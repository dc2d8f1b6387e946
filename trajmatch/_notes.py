"""Notes: what could hide behind a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trajmatch._model import ToolCall
from trajmatch._outcome import Outcome
from trajmatch._paths import leads_somewhere, path_text
from trajmatch._rules import Rules
from trajmatch._settings import SYSTEM
from trajmatch._text import name_text
from trajmatch._trajectory import Trajectory

__all__ = ["idle_paths", "notes"]


def notes(outcome: Outcome) -> tuple[str, ...]:
    """Give what the options name and the match does not hold, what does not count, and what the formats cannot say."""
    return (*_unused(outcome), *_not_counted(outcome), *_of_formats(outcome))


def _unused(outcome: Outcome) -> Iterator[str]:
    settings, alignment = outcome.settings, outcome.alignment
    calls = [call for _, call in [*alignment.actual, *alignment.expected]]
    tools = {call.name for call in calls}
    for tool in settings.rules.overrides:
        if tool not in tools:
            yield f"{tool!r} in overrides is called on neither side"
    yield from idle_paths(settings.rules, calls)
    if settings.ignore_roles != SYSTEM:
        messages = [*(outcome.actual.messages or ()), *(outcome.expected.messages or ())]
        for role in sorted(settings.ignore_roles - {message.role for message in messages}):
            yield f"the role {name_text(repr(role))} in ignore_roles occurs on neither side"


def idle_paths(rules: Rules, calls: Iterable[ToolCall]) -> Iterator[str]:
    """Note the key paths that occur in no call of the tools that they are for."""
    stated = [call for call in calls if call.arguments is not None]
    for rule in (rules.default, *rules.overrides.values()):
        ruled = [call for call in stated if rules.of(call.name) is rule]
        for path in rule.paths:
            if not any(leads_somewhere(call.arguments, path) for call in ruled):
                yield f"the key path {path_text(path)!r} occurs in no call"


def _not_counted(outcome: Outcome) -> Iterator[str]:
    """Expected calls that do not count; and actual ones, of tools that are expected and not called otherwise."""
    counted = {call.name for _, call in outcome.alignment.actual}
    wanted = {call.name for _, call in outcome.alignment.expected} - counted
    yield from _idle("actual", outcome.actual, wanted)
    expected = {call.name for _, call in outcome.alignment.expected}
    yield from _idle("expected", outcome.expected, {call.name for call in outcome.expected.calls} - expected)


def _idle(side: str, trajectory: Trajectory, tools: set[str]) -> Iterator[str]:
    for tool in sorted(tools):
        idle = [(index, call) for index, call in enumerate(trajectory.calls) if call.name == tool]
        for index, call in idle[:1]:
            more = f", like {len(idle) - 1} more" if len(idle) > 1 else ""
            yield f"{name_text(repr(tool))} at {side}[{index}] does not count ({_why(call)}){more}"


def _why(call: ToolCall) -> str:
    if call.kind == "output":
        return f"structured output; to expect it, write ToolCall({call.name!r}, kind='output')"
    return call.status or "by calls="


def _of_formats(outcome: Outcome) -> Iterator[str]:
    for side, trajectory in (("actual", outcome.actual), ("expected", outcome.expected)):
        yield from (f"{side}: {note}" for note in outcome.settings.counting.notes(trajectory))

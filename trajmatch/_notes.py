"""Notes: what could hide behind a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trajmatch._model import ToolCall
from trajmatch._naming import AS_WRITTEN
from trajmatch._nearest import did_you_mean
from trajmatch._outcome import Outcome
from trajmatch._paths import leads_somewhere, path_text
from trajmatch._rules import Rule
from trajmatch._settings import SYSTEM
from trajmatch._structure import Element, Structure, calls_in
from trajmatch._text import name_text
from trajmatch._tool_checks import unknown_to_tools
from trajmatch._trajectory import Trajectory
from trajmatch._turns import NO_CALLS, NOTHING

__all__ = ["idle_paths", "notes"]


def notes(outcome: Outcome) -> tuple[str, ...]:
    """Give what the options name and the match does not hold, what does not count, and what the formats cannot say."""
    found = (_turns, _batches, _nearly_called, _unused, unknown_to_tools, _not_counted, _of_formats)
    return tuple(note for kind in found for note in kind(outcome))


def _turns(outcome: Outcome) -> Iterator[str]:
    if outcome.turns and (actual := len(outcome.actual.turns)) < len(outcome.turns):
        yield f"the run has {actual} turns, and {len(outcome.turns)} are expected"
    for at, turn in enumerate(outcome.turns):
        if turn.expected is NOTHING or turn.structure is NO_CALLS:
            yield f"turn [{at}] is not expected"


def _batches(outcome: Outcome) -> Iterator[str]:
    if outcome.structure and outcome.actual.spoken is None and _asks_for_a_batch(outcome.structure):
        yield "actual is a list of calls, which does not say which were made in parallel, as batched asks for"


def _nearly_called(outcome: Outcome) -> Iterator[str]:
    """Calls that a structure forbids or leaves open, and the run does not make, or only by a name much like theirs."""
    if not outcome.structure:
        return
    read, called = outcome.settings.naming.read, {*outcome.alignment.actual.names}
    written = {read(call.name) for call in calls_in(outcome.structure)}
    for name in sorted(written - called - {*outcome.alignment.expected.names}):
        if hint := did_you_mean(name, called - written, cutoff=0.85):
            yield f"{name_text(repr(name))} is never called{hint}"


def _asks_for_a_batch(element: Element) -> bool:
    return isinstance(element, Structure) and (element.kind == "batched" or any(map(_asks_for_a_batch, element.parts)))


def _unused(outcome: Outcome) -> Iterator[str]:
    settings, alignment = outcome.settings, outcome.alignment
    if settings.rules.overrides:
        tools = {*alignment.actual.names, *alignment.expected.names}
        idle = (tool for tool in settings.rules.overrides if tool not in tools)
        yield from (f"{tool!r} in overrides is called on neither side" for tool in idle)
    for rule, calls in _with_paths(outcome):
        yield from idle_paths(rule, calls)
    if settings.ignore_roles != SYSTEM:
        messages = [*(outcome.actual.messages or ()), *(outcome.expected.messages or ())]
        for role in sorted(settings.ignore_roles - {message.role for message in messages}):
            yield f"the role {name_text(repr(role))} in ignore_roles occurs on neither side"
    if settings.naming is not AS_WRITTEN and not outcome.passed:  # which a name that is misread cannot bring about
        names = {*outcome.actual.columns.names, *outcome.expected.columns.names}
        yield from (f"{name_text(what)} occurs on neither side" for what in settings.naming.unused(names))


def _with_paths(outcome: Outcome) -> Iterator[tuple[Rule, list[ToolCall]]]:
    """Each rule that names key paths, with the calls that it is for."""
    rules, sides = outcome.settings.rules, (outcome.alignment.actual, outcome.alignment.expected)
    own = sides[1].own_rules
    if not (rules.default.paths or rules.overrides or own):
        return
    written = rules.default, *rules.overrides.values()
    if not any(rule.paths for rule in (*written, *own.values())):
        return
    named = [(tool, call) for side in sides for tool, (_, call) in zip(side.names, side, strict=True)]
    for rule in written:
        yield rule, [call for tool, call in named if rules.stated(tool) is rule]
    for place, rule in own.items():
        tool = sides[1].names[place]
        yield rule, [call for name, call in named if name == tool]


def idle_paths(rule: Rule, calls: Iterable[ToolCall]) -> Iterator[str]:
    """Note the key paths of a rule that occur in none of the calls that it is for."""
    stated = [call for call in calls if call.arguments is not None]
    for path in rule.paths:
        if not any(leads_somewhere(call.arguments, path) for call in stated):
            yield f"the key path {path_text(path)!r} occurs in no call"


def _not_counted(outcome: Outcome) -> Iterator[str]:
    """Expected calls that do not count; and actual ones, of tools that are expected and not called otherwise."""
    read, ours, theirs = outcome.settings.naming.read, outcome.alignment.actual, outcome.alignment.expected
    written = {read(call.name) for call in calls_in(outcome.structure)} if outcome.structure else set[str]()
    if len(ours) < len(outcome.actual.columns):
        yield from _idle("actual", outcome.actual, {*theirs.names, *written}.difference(ours.names), read)
    uncalled = written.difference(ours.names)
    for position, message in enumerate(outcome.actual.messages or () if uncalled else ()):
        if message.name and read(message.name) in uncalled:
            yield f"message {position} is a result of {name_text(repr(message.name))} without its call"
    if len(theirs) < len(outcome.expected.columns):
        every = {*map(read, outcome.expected.columns.names)}
        yield from _idle("expected", outcome.expected, every.difference(theirs.names), read)


def _idle(side: str, trajectory: Trajectory, tools: set[str], read: Callable[[str], str]) -> Iterator[str]:
    names = [*map(read, trajectory.columns.names)]
    for tool in sorted(tools.intersection(names)):
        first, call = names.index(tool), trajectory.calls[names.index(tool)]
        more = f", like {names.count(tool) - 1} more" if names.count(tool) > 1 else ""
        yield f"{name_text(repr(call.name))} at {side}[{first}] does not count ({_why(call)}){more}"


def _why(call: ToolCall) -> str:
    if call.kind == "output":
        return f"structured output; to expect it, write ToolCall({call.name!r}, kind='output')"
    return call.status or "by calls="


def _of_formats(outcome: Outcome) -> Iterator[str]:
    for side, trajectory in (("actual", outcome.actual), ("expected", outcome.expected)):
        yield from (f"{side}: {note}" for note in outcome.settings.counting.notes(trajectory))

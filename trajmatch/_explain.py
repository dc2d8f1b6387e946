"""The reason: a verdict in one line, from which the score can be recomputed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from trajmatch._counting import parse_counting
from trajmatch._differences import difference_text, differences
from trajmatch._messages import MessageAlignment, Unit
from trajmatch._outcome import Outcome, solve
from trajmatch._paths import ABSENT, look_up, path_text
from trajmatch._rules import Rule, Rules, parse_rule
from trajmatch._settings import SYSTEM, Settings
from trajmatch._text import call_text, shorten, value_text
from trajmatch._trajectory import Trajectory
from trajmatch._views import Views, only_within_batches
from trajmatch.errors import TrajmatchError

__all__ = ["closest", "difference_texts", "headline", "message_text", "moved_text", "notes", "reason"]

_NAMED = 3
"""So many of the calls that are left over are named in a reason."""

_WORDS = {"moved": "moved", "near": "near miss", "missing": "missing", "extra": "extra"}
_STRICT_WORDS = {**_WORDS, "moved": "in a message that differs"}

_OTHER_MODES = {
    "exact": ("unordered", "superset", "subset", "in_order", "any_order"),
    "strict": ("exact", "unordered", "superset", "subset", "in_order", "any_order"),
    "unordered": ("superset", "subset", "any_order"),
    "in_order": ("any_order",),
}
"""Which other modes are tried for a run that fails in one."""

_LOOSER = ("superset", "subset", "ignore")


def headline(outcome: Outcome, seen: Views) -> str:
    """Give the verdict, the score with its formula, and the counts."""
    verdict = "PASS" if outcome.passed else "FAIL"
    return f"{outcome.settings.mode_name}: {verdict}{_formula(outcome)}; {_counts(outcome, seen)}"


def _formula(outcome: Outcome) -> str:
    settings, alignment = outcome.settings, outcome.alignment
    if not settings.mode.graded:
        return ""
    pairs, actual, expected = alignment.paired, len(alignment.actual), len(alignment.expected)
    if settings.allow_extra:
        text = f"recall {outcome.score:.3f} = " + (f"{pairs}/{expected}" if expected else "nothing expected")
    elif settings.allow_missing:
        text = f"precision {outcome.score:.3f} = " + (f"{pairs}/{actual}" if actual else "nothing called")
    else:
        formula = f"2*{pairs}/({actual}+{expected})" if actual or expected else "nothing to compare"
        text = f"F1 {outcome.score:.3f} = {formula}"
    sign = ">=" if outcome.passed else "<"
    return f", {text}" + (f" {sign} {settings.threshold:g}" if settings.threshold != 1.0 else "")


def _counts(outcome: Outcome, seen: Views) -> str:
    alignment = outcome.alignment
    found = [f"{alignment.paired} paired"]
    for name, word in (_STRICT_WORDS if outcome.settings.mode.by_message else _WORDS).items():
        if number := len(getattr(seen, name)):
            found.append(f"{number} {word}{'es' if name == 'near' and number > 1 else ''}")
    calls = ", ".join(found) if alignment.actual or alignment.expected else "no calls on either side"
    if not isinstance(alignment, MessageAlignment):
        return calls
    messages = [f"{alignment.size} paired"]
    messages += [f"{n} {word}" for word in ("missing", "extra") if (n := getattr(alignment, word))]
    return f"messages: {', '.join(messages)}; calls: {calls}"


def reason(outcome: Outcome, seen: Views) -> str:
    """Give the headline, the first calls that are left over, and the notes."""
    parts = [headline(outcome, seen)]
    if not outcome.passed:
        named = [*_named(outcome, seen)]
        parts += named[:_NAMED]
        if len(named) > _NAMED:
            parts.append(f"and {len(named) - _NAMED} more")
    return "; ".join([*parts, *(f"note: {note}" for note in notes(outcome))])


def _named(outcome: Outcome, seen: Views) -> Iterator[str]:
    """The calls that stand in the way, by their positions."""
    actual, expected = outcome.alignment.actual, outcome.alignment.expected
    if only_within_batches(outcome, seen) and outcome.settings.mode_name != "strict":
        yield "only the order of calls within one batch differs"
    for i, j in seen.near:
        texts = "; ".join(difference_texts(outcome, i, j)) or "the same arguments"
        yield f"actual[{actual[i][0]}] {shorten(actual[i][1].name, 40)} for expected[{expected[j][0]}]: {texts}"
    for j in seen.missing:
        yield f"missing expected[{expected[j][0]}] {shorten(call_text(expected[j][1]), 60)}"
    for i in seen.extra:
        yield f"extra actual[{actual[i][0]}] {shorten(call_text(actual[i][1]), 60)}"
    for i, j in () if outcome.settings.mode.by_message else seen.moved:
        name = shorten(actual[i][1].name, 40)
        yield f"{name} moved from expected[{expected[j][0]}] to actual[{actual[i][0]}]"
    if isinstance(outcome.alignment, MessageAlignment):
        yield from _named_messages(outcome, outcome.alignment)


def _named_messages(outcome: Outcome, alignment: MessageAlignment) -> Iterator[str]:
    """The messages without calls that stand in the way, in `strict`."""
    actual, expected = ({pair[n] for pair in alignment.unit_pairs} for n in (0, 1))
    for j, unit in enumerate(alignment.expected_units):
        if j not in expected and not unit.calls:
            yield f"missing expected message {message_text(outcome.expected, unit)}"
    for i, unit in enumerate(alignment.actual_units):
        if i not in actual and not unit.calls:
            yield f"extra actual message {message_text(outcome.actual, unit)}"


def message_text(trajectory: Trajectory, unit: Unit) -> str:
    """Give a message by its position, its role, and its calls or its text."""
    message = (trajectory.messages or ())[unit.position]
    said = [call_text(call) for call in message.tool_calls]
    if not said and isinstance(message.content, str) and message.content:
        said = [value_text(message.content)]
    return shorten(f"({unit.position}) {message.role} {', '.join(said)}".rstrip(), 60)


def moved_text(actual: int, expected: int) -> str:
    """Say how far a call has moved."""
    if actual == expected:
        return "moved"
    return f"moved: {abs(actual - expected)} {'earlier' if actual < expected else 'later'}"


def difference_texts(outcome: Outcome, i: int, j: int, most: int = 3) -> list[str]:
    """Say what differs between two calls, under the rule of their tool."""
    actual, expected = outcome.alignment.actual[i][1], outcome.alignment.expected[j][1]
    found = differences(actual, expected, outcome.settings.rules.of(actual.name))
    texts = [difference_text(difference) for difference in found[:most]]
    return [*texts, f"and {len(found) - most} more"] if len(found) > most else texts


def notes(outcome: Outcome) -> tuple[str, ...]:
    """Give what could hide: what the options name and the match does not hold, and what the formats could not say."""
    return (*_unused(outcome.settings, outcome), *_not_counted(outcome), *_of_formats(outcome))


def _unused(settings: Settings, outcome: Outcome) -> Iterator[str]:
    calls = [*outcome.actual.calls, *outcome.expected.calls]
    tools = {call.name for call in calls}
    for tool in settings.rules.overrides:
        if tool not in tools:
            yield f"{tool!r} in overrides is called on neither side"
    for path, rule in _paths(settings.rules):
        found = (call for call in calls if settings.rules.of(call.name) is rule and call.arguments is not None)
        if calls and all(look_up(call.arguments, path) is ABSENT for call in found):
            yield f"the key path {path_text(path)!r} occurs in no call"
    if settings.ignore_roles != SYSTEM:
        messages = [*(outcome.actual.messages or ()), *(outcome.expected.messages or ())]
        for role in sorted(settings.ignore_roles - {message.role for message in messages}):
            yield f"the role {role!r} in ignore_roles occurs on neither side"


def _paths(rules: Rules) -> Iterator[tuple[tuple[str | int, ...], Rule]]:
    for rule in (rules.default, *rules.overrides.values()):
        yield from ((path, rule) for path in rule.paths)


def _not_counted(outcome: Outcome) -> Iterator[str]:
    """Calls that do not count, of tools that are expected and not called otherwise."""
    counted = {call.name for _, call in outcome.alignment.actual}
    wanted = {call.name for _, call in outcome.alignment.expected} - counted
    for tool in sorted(wanted):
        idle = [(index, call) for index, call in enumerate(outcome.actual.calls) if call.name == tool]
        for index, call in idle[:1]:
            why = "structured output" if call.kind == "output" else call.status or "nothing is known of it"
            more = f", like {len(idle) - 1} more" if len(idle) > 1 else ""
            yield f"{tool!r} at actual[{index}] does not count ({why}){more}"


def _of_formats(outcome: Outcome) -> Iterator[str]:
    for side, trajectory in (("actual", outcome.actual), ("expected", outcome.expected)):
        yield from (f"{side}: {note}" for note in outcome.settings.counting.notes(trajectory))


def closest(outcome: Outcome, seen: Views) -> str:
    """Try single relaxations: name the first with which the match passes, or else the one that scores best."""
    best, best_name = outcome.score if outcome.settings.mode.graded else 0.0, ""
    for name, settings in _relaxations(outcome, seen):
        try:
            tried = solve(settings, outcome.actual, outcome.expected)
        except TrajmatchError:  # statuses that the history does not record, say
            continue
        if not tried.alignment.paired:
            continue  # what passes because nothing is compared is no advice
        if tried.passed:
            return f"closest: {name} passes"
        if settings.mode.graded and tried.score > best:
            best, best_name = tried.score, name
    scores = f"{best_name} scores {best:.3f}; " if best_name else ""
    return f"closest: {scores}no single option makes it pass"


def _relaxations(outcome: Outcome, seen: Views) -> Iterator[tuple[str, Settings]]:
    settings = outcome.settings
    if settings.counting.text == "all":
        yield 'calls="succeeded"', replace(settings, counting=parse_counting("succeeded"))
    lenient = settings.mode.graded and not (settings.allow_extra or settings.allow_missing)
    if lenient:
        yield "allow_extra", replace(settings, allow_extra=True)
    modes = _OTHER_MODES.get(settings.mode_name, ())
    yield from ((name, replace(settings, mode_name=name)) for name in modes if name != "subset")
    tools = sorted({outcome.alignment.actual[i][1].name for i, _ in seen.near})
    for word in _LOOSER if tools else ():
        looser = {tool: parse_rule(word, "overrides") for tool in tools}
        rules = Rules(settings.rules.default, settings.rules.overrides | looser)
        text = ", ".join(f'"{tool}": "{word}"' for tool in tools)
        yield f"overrides={{{text}}}", replace(settings, rules=rules)
    # what lets expected calls go comes last
    if lenient:
        yield "allow_missing", replace(settings, allow_missing=True)
    if "subset" in modes:
        yield "subset", replace(settings, mode_name="subset")

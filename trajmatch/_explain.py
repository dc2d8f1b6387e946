"""The reason: a verdict in one line, from which the score can be recomputed."""

from __future__ import annotations

from collections.abc import Iterator

from trajmatch._differences import difference_text, differences
from trajmatch._messages import MessageAlignment, Unit
from trajmatch._notes import notes
from trajmatch._outcome import Outcome
from trajmatch._structure_match import StructureAlignment
from trajmatch._text import call_text, first_few, name_text, shorten, value_text
from trajmatch._trajectory import Trajectory
from trajmatch._views import Views, only_within_batches

__all__ = [
    "APART",
    "choice_text",
    "difference_texts",
    "first_difference",
    "headline",
    "message_text",
    "moved_text",
    "or_text",
    "reason",
    "remark",
    "turns_text",
]

_NAMED = 3
"""So many of the calls that are left over are named in a reason."""

APART = "was not made in one batch with the calls that share it"
_WORDS = {"moved": "moved", "near": "near miss", "missing": "missing", "extra": "extra", "forbidden": "forbidden"}
_STRICT_WORDS = {**_WORDS, "moved": "in a message that differs"}


def headline(outcome: Outcome, seen: Views) -> str:
    """Give the verdict, the score with its formula, and the counts."""
    alone = outcome.forbidden and outcome.score >= outcome.settings.threshold
    verdict = "PASS" if outcome.passed else "FAIL for a forbidden call" if alone else "FAIL"
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
    sign = ">=" if outcome.score >= settings.threshold else "<"
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
    parts = [headline(outcome, seen), *choice_text(outcome), *turns_text(outcome)]
    if not outcome.passed:
        parts += [*remark(outcome, seen), *first_few([*_named(outcome, seen)], _NAMED)]
    return "; ".join([*parts, *(f"note: {note}" for note in notes(outcome))])


def choice_text(outcome: Outcome) -> list[str]:
    """Say which of several whole expectations was met best, and how near the others came."""
    if outcome.choice is None:
        return []
    word, chosen, outcomes = outcome.choice
    others = [f"F1 of [{at}] is {one.f1:.3f}" for at, one in enumerate(outcomes) if at != chosen]
    return [f"{word}[{chosen}] is met best" + "".join(f"; {text}" for text in first_few(others, _NAMED))]


def turns_text(outcome: Outcome) -> list[str]:
    """Say what became of each turn, and whether there are as many as expected."""
    if not outcome.turns:
        return []
    verdicts = ", ".join(f"[{at}] {'PASS' if turn.passed else 'FAIL'}" for at, turn in enumerate(outcome.turns))
    return [f"turns: {verdicts}"]


def remark(outcome: Outcome, seen: Views) -> list[str]:
    """Say it where nothing differs but the order of calls within their batch."""
    told_otherwise = outcome.settings.mode.by_message or outcome.structure
    if outcome.passed or told_otherwise or not only_within_batches(outcome, seen):
        return []
    return ["only the order of calls within one batch differs"]


def first_difference(outcome: Outcome, seen: Views) -> str:
    """Say in short what stands in the way first; of a moved call, beside which one it stands."""
    settings, alignment = outcome.settings, outcome.alignment
    if settings.mode.missing or settings.allow_missing:
        seen = seen._replace(missing=[])
    if settings.mode.extra or settings.allow_extra:
        seen = seen._replace(extra=[])
    for i, j in () if seen.near or seen.missing or seen.extra or seen.forbidden else seen.moved:
        if j in seen.apart:
            return f"{name_text(alignment.actual.names[i])} {APART}"
        for other_i, other_j in alignment.pairs:
            if (other_j > j) != (other_i > i):
                sides = ("after", "before") if other_j > j else ("before", "after")
                names = name_text(alignment.actual.names[i]), name_text(alignment.actual.names[other_i])
                return f"{names[0]} came {sides[0]} {names[1]}"
    return next(_named(outcome, seen), "calls stand in messages that differ")


def _named(outcome: Outcome, seen: Views) -> Iterator[str]:
    """The calls that stand in the way, by their positions."""
    ours, theirs = outcome.alignment.actual, outcome.alignment.expected
    actual, expected = ours.positions, theirs.positions
    for i in seen.forbidden:
        yield f"forbidden actual[{actual[i]}] {shorten(call_text(ours.called(i)), 60)}"
    for i, j in seen.near:
        texts = "; ".join(difference_texts(outcome, i, j)) or "the same arguments"
        yield f"actual[{actual[i]}] {name_text(ours.written(i))} for expected[{expected[j]}]: {texts}"
    for j in seen.missing:
        yield f"missing expected[{expected[j]}] {shorten(call_text(theirs.called(j)), 60)}{or_text(outcome, j)}"
    for i in seen.extra:
        yield f"extra actual[{actual[i]}] {shorten(call_text(ours.called(i)), 60)}"
    for i, j in () if outcome.settings.mode.by_message else seen.moved:
        if j in seen.apart:
            yield f"actual[{actual[i]}] {name_text(ours.written(i))} {APART}"
            continue
        where = "in another turn: " if outcome.turns else ""
        yield f"{name_text(ours.written(i))} moved {where}from expected[{expected[j]}] to actual[{actual[i]}]"
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
    return shorten(f"({unit.position}) {name_text(message.role)} {', '.join(said)}".rstrip(), 60)


def moved_text(steps: int) -> str:
    """Say how far a call has moved."""
    return f"moved: {abs(steps)} {'later' if steps > 0 else 'earlier'}" if steps else "moved"


def or_text(outcome: Outcome, j: int) -> str:
    """Name the other calls that could have taken the place of an expected one."""
    if not isinstance(outcome.alignment, StructureAlignment):
        return ""
    chosen = outcome.alignment.expected[j][1]
    others = [shorten(call_text(call), 40) for call in outcome.alignment.parts[j].choice if call != chosen]
    return f" (or {', '.join(first_few([*dict.fromkeys(others)], _NAMED))})" if others else ""


def difference_texts(outcome: Outcome, i: int, j: int, most: int = 3) -> list[str]:
    """Say what differs between two calls, under the rule of their tool."""
    actual, expected = outcome.alignment.actual.called(i), outcome.alignment.expected.called(j)
    found = differences(actual, expected, outcome.rule(j))
    return first_few([difference_text(difference) for difference in found], most)

"""What comes closest to passing: single relaxations of the options, tried one by one."""

from __future__ import annotations

from collections.abc import Iterator

from trajmatch._counting import parse_counting
from trajmatch._outcome import Outcome
from trajmatch._rules import parse_rule
from trajmatch._settings import Settings
from trajmatch._text import name_text
from trajmatch._views import Views
from trajmatch.errors import TrajmatchError

__all__ = ["closest"]

_LOOSER_RULES = ("superset", "subset", "ignore")


def closest(outcome: Outcome, seen: Views) -> str:
    """Try single relaxations: name the first with which the match passes, or else the one that scores best."""
    if outcome.forbidden and outcome.score >= outcome.settings.threshold:
        return "closest: it passes without the forbidden call; no option allows it"
    best, best_name = outcome.score if outcome.settings.mode.graded else 0.0, ""
    for name, settings in _relaxations(outcome, seen):
        try:
            tried = outcome.under(settings)
        except TrajmatchError:  # statuses that the history does not record, say
            continue
        if not tried.alignment.paired:
            continue  # what passes because nothing is compared is no advice
        if tried.passed:
            return f"closest: {name} passes"
        if settings.mode.graded and tried.score > best:
            best, best_name = tried.score, name
    scores = f"{best_name} scores {best:.3f}; " if best_name else ""
    return f"closest: {scores}no single change tried makes it pass"


def _relaxations(outcome: Outcome, seen: Views) -> Iterator[tuple[str, Settings]]:
    settings = outcome.settings
    if settings.counting.text == "all":
        yield 'calls="succeeded"', settings._replace(counting=parse_counting("succeeded"))
    if settings.mode.graded and not settings.allow_missing:
        yield "allow_extra", settings._replace(allow_extra=True)
    yield from ((name, settings._replace(mode_name=name)) for name in settings.mode.looser)
    tools = sorted({outcome.alignment.expected.names[j] for _, j in seen.near})
    for word in _LOOSER_RULES if tools else ():
        looser = {tool: parse_rule(word, "overrides") for tool in tools}
        rules = settings.rules.with_overrides(looser)
        text = ", ".join(f'"{name_text(tool)}": "{word}"' for tool in tools)
        yield f"overrides={{{text}}}", settings._replace(rules=rules)

"""The texts that tell the tool messages of LangChain itself from those of tools."""

from __future__ import annotations

from typing import NamedTuple

from trajmatch.reading import Answered

__all__ = ["BEGINNINGS", "TEXTS", "Text", "judged"]


class Text(NamedTuple):
    """How a tool message that LangChain writes begins and ends, and what it says of the call.

    Attributes:
        begins: Its first words.
        ends: Its last words.
        holds: Words between.
        answer: Its kind and status, on an answer with nothing else.
        error: Whether the `status` of the message is `error`; `None` where either may be.
    """

    begins: str
    ends: str
    answer: Answered
    error: bool | None = None
    holds: str = ""


_REJECTED = Answered(kind="output", status="retried")
_FIX = "\n Please fix your mistakes."

TEXTS = (
    Text("Returning structured response: ", "", Answered(kind="output"), error=False),
    Text("Error: Failed to parse structured output for tool '", _FIX, _REJECTED),
    Text(
        "Error: Model incorrectly returned multiple structured responses (",
        f" when only one is expected.{_FIX}",
        _REJECTED,
    ),
    Text("Error: ", "].", Answered(status="retried"), error=True, holds=" is not a valid tool, try one of ["),
    Text("Error invoking tool '", " Please fix the error and try again.", Answered(status="retried"), error=True),
    Text("User rejected the tool call for `", "", Answered(status="denied"), error=True),
)
BEGINNINGS = tuple(text.begins for text in TEXTS)


def judged(answered: Answered) -> Answered:
    """Give an answer with the kind and status that its text says, if it is one of LangChain's own."""
    said = answered.result
    if not isinstance(said, str) or not said.startswith(BEGINNINGS):
        return answered
    for text in TEXTS:
        fits = said.startswith(text.begins) and said.endswith(text.ends) and text.holds in said
        if fits and text.error in (None, answered.status == "failed"):
            return answered._replace(kind=text.answer.kind, status=text.answer.status)
    return answered

"""What became of a call: from the text of its result, and from what the program says beside it."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from trajmatch.reading import Answered, Called, Kind, Status, get, listed

__all__ = ["denied_in", "judged"]

_OUTPUT = "StructuredOutput"


class _Text(NamedTuple):
    """How results begin that the program writes in place of a tool, and what they say of the call."""

    begins: tuple[str, ...]
    status: Status
    kind: Kind = "function"


_FAILED = (
    _Text(
        (
            "The user doesn't want to proceed with this tool use.",
            "Claude requested permissions to ",
            "Permission to use ",
            "Permission for this action ",
            "This command requires approval",
            "This Bash command contains multiple operations.",
        ),
        "denied",
    ),
    _Text(
        (
            "The user doesn't want to take this action right now.",
            "[Request interrupted by user",
            "<tool_use_error>Cancelled: ",
        ),
        "interrupted",
    ),
    _Text(("<tool_use_error>InputValidationError: ", "<tool_use_error>Error: No such tool available: "), "retried"),
)
_RETURNED = (
    _Text(("Structured output provided successfully",), "succeeded", "output"),
    _Text(("Output does not match required schema: ",), "retried", "output"),
)
"""What the tool answers that returns the output of a run."""


def judged(answered: Answered, call: Called | None, denied: Collection[str]) -> Answered:
    """Give a result with the status and kind that its text, or what stands beside it, says."""
    if answered.kind == "native":
        return answered
    if answered.id in denied:
        return answered._replace(status="denied")
    returned = _RETURNED if call and call.name == _OUTPUT else ()
    text = _text(answered.result)
    for row in (*returned, *(_FAILED if answered.status == "failed" else ())):
        if text.startswith(row.begins):
            return answered._replace(status=row.status, kind=row.kind)
    return answered


def _text(result: object) -> str:
    parts = listed(result)
    text = get(parts[0], "text") if len(parts) == 1 else result
    return text if isinstance(text, str) else ""


def denied_in(item: object) -> set[str]:
    """Give the ids of the calls that an item says to have been refused: the end of a run, or a message of results."""
    refused = [get(denial, "tool_use_id") for denial in listed(get(item, "permission_denials"))]
    for about in listed(get(item, "tool_result_meta")):
        if str(get(about, "non_execution_kind")).startswith("permission"):
            refused.append(get(about, "id"))
    return {id for id in refused if isinstance(id, str)}

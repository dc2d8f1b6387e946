"""What became of a call, and which tools return the output of a run: both from the results alone."""

from __future__ import annotations

from collections.abc import Iterable

from trajmatch.reading import Answered, get
from trajmatch_adapters.histories.pydantic_ai._recognise import kind_of

__all__ = ["DEFAULT_OUTPUT", "TEXTS", "is_repaired", "is_result", "meaning", "output_tools"]

DEFAULT_OUTPUT = "final_result"
"""The name of an output tool, or how it begins, unless its user gave another."""

_RESULTS = frozenset({"tool-return", "builtin-tool-return", "retry-prompt"})
"""Parts that answer a call; a `retry-prompt` only where it names a tool."""

_OUTCOMES = {
    "denied": Answered(status="denied"),
    "failed": Answered(status="failed"),
    "interrupted": Answered(status="interrupted"),
    "retried": Answered(status="retried"),
}
"""What a result says by its `outcome`, where that is there and not `success`."""

TEXTS = {
    "Tool not executed - a final result was already processed.": Answered(status="skipped"),
    "The tool call was denied.": Answered(status="denied"),  # before 1.67 a result has no outcome
    "Final result processed.": Answered(kind="output"),
    "Output tool processed, but its value will not be the final result of the agent run.": Answered(kind="output"),
    "Output tool not used - a final result was already processed.": Answered(status="skipped", kind="output"),
    "Output tool not used - output failed validation.": Answered(status="failed", kind="output"),
    "Output tool not used - output function execution failed.": Answered(status="failed", kind="output"),
    "Output not used as the final result - addressing tool retries from this round first.": Answered(
        status="retried", kind="output"
    ),
}
"""What a result says by its text, which the framework wrote in place of a value."""

_REPAIRED = "pydantic_ai_synthesized_tool_return"
"""The key in the `metadata` of a result that a repair of the history put in for a call without one."""


def is_result(part: object) -> bool:
    """Say whether a part answers a call."""
    return kind_of(part) in _RESULTS and get(part, "tool_name") is not None


def is_repaired(part: object) -> bool:
    """Say whether a part is a result that a repair of the history put in."""
    return get(get(part, "metadata"), _REPAIRED) is True


def meaning(part: object) -> Answered | None:
    """Give the status of the call that a result answers, and whether the call is that of an output tool.

    `None` for an outcome that is not known.
    """
    outcome, content = get(part, "outcome") or "success", get(part, "content")
    if kind_of(part) == "retry-prompt":
        return _OUTCOMES["retried"]
    if is_repaired(part):
        return _OUTCOMES["interrupted"]
    if outcome != "success":
        return _OUTCOMES.get(str(outcome))
    return TEXTS.get(content if isinstance(content, str) else "", Answered())


def output_tools(parts: Iterable[object]) -> frozenset[str]:
    """Give the tools that a result shows to be output tools.

    Those of the default name are, too, unless a result shows them not to be.
    """
    called, output, ordinary = set[str](), set[str](), set[str]()
    for part in parts:
        name = str(get(part, "tool_name"))
        if kind_of(part) == "tool-call":
            called.add(name)
        elif kind_of(part) == "tool-return" and (said := meaning(part)):
            if said.kind == "output":
                output.add(name)
            elif said.status not in ("retried", "interrupted"):
                ordinary.add(name)
    default = {name for name in called if name == DEFAULT_OUTPUT or name.startswith(f"{DEFAULT_OUTPUT}_")}
    return frozenset(output | (default - ordinary))

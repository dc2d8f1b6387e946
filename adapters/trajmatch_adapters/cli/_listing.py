"""A run as lines for a person: turns, batches, calls, arguments, results, and what failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from rich.cells import cell_len

from trajmatch import Message, ToolCall, Trajectory
from trajmatch.reading import Kind, Status
from trajmatch_adapters.cli._answer import Line
from trajmatch_adapters.cli._content import content_lines
from trajmatch_adapters.cli._texts import counted, cut, pieces, printable, value_text

__all__ = ["listing"]

_SIGNS: dict[Status, str] = {
    "succeeded": "✓",
    "failed": "✗",
    "retried": "↻",
    "denied": "⊘",
    "skipped": "-",
    "interrupted": "⊗",
    "pending": "…",
}
_KINDS: dict[Kind, str] = {"function": "", "native": "provider's ", "output": "output "}
_ROLE = len("assistant")
_TEXT = _ROLE + 4
"""Where the text of a message begins."""
_SAID: dict[str, int] = {"user": 4, "assistant": 4}
_RESULT: dict[Status | None, int] = {"succeeded": 2, None: 2}
"""Lines that are shown; of other messages 1, of other results, which say what went wrong, 6."""
_ARGUMENTS = 12
_NAME = 60


class _Page(NamedTuple):
    """How a run is shown: so many columns, everything or the first lines of each text, the columns of parts."""

    width: int
    full: bool
    number: int
    status: int


def listing(run: Trajectory, *, width: int, full: bool = False) -> list[Line]:
    """Give a run as lines of at most so many columns; `full` shortens nothing, and breaks long lines."""
    status = max((len(call.status) + 4 for call in run.calls if call.status), default=0)
    page = _Page(width, full, len(f"[{len(run.calls) - 1}] "), status)
    turns = run.turns if run.messages else ()
    return [*(_calls(run.calls, page) if run.messages is None else _turns(turns, page)), *_below(run, turns, page)]


def _turns(turns: Sequence[Trajectory], page: _Page) -> Iterator[Line]:
    at = 0
    for number, turn in enumerate(turns, 1):
        yield [(f"turn {number}", "turn")]
        yield from _turn(turn, at, page)
        yield []
        at += len(turn.calls)


def _calls(calls: Sequence[ToolCall], page: _Page) -> Iterator[Line]:
    for index, call in enumerate(calls):
        yield from _call(index, call, [] if call.result is None else [call.result], "   ", page)
    yield []


def _turn(turn: Trajectory, first: int, page: _Page) -> Iterator[Line]:
    messages, at = turn.messages or (), 0
    results: dict[int, list[object]] = {}
    for message in messages:
        if _joins(message, turn):
            results.setdefault(message.answers or 0, []).append(message.content)
    for message in messages:
        if _joins(message, turn):
            continue
        yield from _said(message, page)
        for place, call in enumerate(message.tool_calls):
            frame = _frame(place, len(message.tool_calls))
            yield from _call(first + at, call, results.get(at, []), frame, page)
            at += 1


def _joins(message: Message, turn: Trajectory) -> bool:
    """Whether a message is the result of a call, and is shown with it."""
    return message.role == "tool" and not message.tool_calls and message.answers in range(len(turn.calls))


def _frame(place: int, many: int) -> str:
    """What joins the calls that were made in parallel."""
    if many == 1:
        return "   "
    return {0: " ┌ ", many - 1: " └ "}.get(place, " │ ")


def _said(message: Message, page: _Page) -> Iterator[Line]:
    lines = content_lines(message.content, calling=bool(message.tool_calls))
    texts = [*_shortened(lines, page.width - _TEXT, None if page.full else _SAID.get(message.role, 1))]
    shown: list[Line] = [[(text, style or ("quiet" if message.role == "system" else ""))] for text, style in texts]
    if remark := _remark(message):
        shown[:0] = [[(piece, "quiet")] for piece in _fitted(remark, page.width - _TEXT, page.full)]
    if len(message.tool_calls) > 1:
        shown.append([(f"{len(message.tool_calls)} calls in parallel", "quiet")])
    label = cut(printable(message.role), _ROLE)
    for line in shown or [[]]:
        yield [(f"  {label:{_ROLE}}  ", "role"), *line]
        label = ""


def _remark(message: Message) -> str:
    if message.feedback:
        return "added by the framework"
    if message.role == "tool" and not message.tool_calls:
        return f"a result without its call{f', of {printable(message.name)}' if message.name else ''}"
    return ""


def _call(index: int, call: ToolCall, results: list[object], frame: str, page: _Page) -> Iterator[Line]:
    number, status = f"{f'[{index}]':{page.number}}", call.status
    word = f"{_SIGNS[status]} {status}" if status else ""
    indent = len(frame) + 1 + len(number) + page.status
    head, *rest = _written(call, page.width - indent, page.full)
    yield [(f" {frame}", "quiet"), (number, ""), (f"{word:{page.status}}", status or ""), *head]
    margin = f" {frame.translate({ord('┌'): '│', ord('└'): ' '})}"
    blank = " " * (indent - len(margin))
    yield from ([(margin, "quiet"), (blank, ""), *line] for line in rest)
    style = "quiet" if status in ("succeeded", None) else status
    for result in results:
        lines = content_lines(result) or [value_text(result)]
        most = None if page.full else _RESULT.get(status, 6)
        for at, (text, told) in enumerate(_shortened(lines, page.width - indent - 2, most)):
            yield [(margin, "quiet"), (f"{blank}{' ' if at else '→'} {text}", told or style)]


def _written(call: ToolCall, width: int, full: bool) -> Iterator[Line]:
    """A call with its arguments: in one line where it fits, or else one line for each argument."""
    kind, name = _KINDS[call.kind], cut(printable(call.name), width - 12 if full else min(_NAME, width - 12))
    texts, left = _arguments(call), width - cell_len(kind + name) - 2
    start: Line = [(kind, "quiet"), (name, "tool")]
    if texts is None:
        yield start
    elif len(line := ", ".join(texts)) <= 4 * width and cell_len(line) <= left:
        yield [*start, (f"({line})", "")]
    else:
        yield [*start, ("(", "")]
        shown = texts if full else texts[:_ARGUMENTS]
        for text in shown:
            yield from ([(f"  {piece}", "")] for piece in _fitted(f"{text},", width - 2, full))
        if shown != texts:
            yield [(cut(f"  … {counted(len(texts) - len(shown), 'more argument')}", width), "quiet")]
        yield [(")", "")]


def _arguments(call: ToolCall) -> list[str] | None:
    if call.arguments is not None:
        return [f"{_key(key)}={value_text(value)}" for key, value in call.arguments.items()]
    return None if call.raw_arguments is None else [f"not an object: {value_text(call.raw_arguments)}"]


def _key(key: object) -> str:
    return printable(key) if isinstance(key, str) and key.isidentifier() else value_text(key)


def _shortened(lines: list[str], width: int, most: int | None) -> Iterator[tuple[str, str]]:
    """The first lines, each with a style of its own where it only says how many more there are; all without a limit."""
    shown = lines[:most]
    for line in shown:
        yield from ((piece, "") for piece in _fitted(line, width, most is None))
    if len(lines) > len(shown):
        yield f"… {counted(len(lines) - len(shown), 'more line')}", "quiet"


def _fitted(text: str, width: int, full: bool) -> list[str]:
    return pieces(text, width) if full else [cut(text, width)]


def _below(run: Trajectory, turns: Sequence[Trajectory], page: _Page) -> Iterator[Line]:
    """The totals, and what the format could not say."""
    statuses = Counter(call.status for call in run.calls if call.status)
    counts = [counted(len(run.calls), "call")]
    if run.messages is not None:
        requests = sum(message.role == "assistant" for message in run.messages)
        counts[:0] = [counted(len(turns), "turn"), counted(requests, "model request")]
    by_status = [f"{number} {status}" for status in _SIGNS if (number := statuses[status])]
    totals = ": ".join(filter(None, (", ".join(counts), ", ".join(by_status))))
    yield from ([(text, "turn")] for text in wrap(totals, page.width, subsequent_indent="    "))
    for note in run.notes:
        for text in wrap(printable(f"note: {note}"), page.width, subsequent_indent="    "):
            yield from ([(piece, "note")] for piece in pieces(text, page.width))

"""Runs of Google's Agent Development Kit: events, sessions, and eval cases, new and legacy."""

from __future__ import annotations

from collections.abc import Sequence

from trajmatch.reading import get, listed, unreadable
from trajmatch_adapters.histories.gemini._fields import field
from trajmatch_adapters.histories.gemini._parts import parts_of
from trajmatch_adapters.histories.gemini._thread import Entry, Thread, searched

__all__ = ["case", "cases", "events", "turn"]

_CUT = "a response was cut off while it was streamed"
_FLAT = "an eval case does not say which calls were made in parallel"
_MOCKED = "mock_tool_output"


def events(thread: Thread, given: Sequence[tuple[int, object]]) -> None:
    """Add events with their indices; the partial ones of a stream count only where no complete one follows."""
    streamed: list[tuple[int, object]] = []
    for index, event in given:
        if get(event, "partial") is True:
            streamed.append((index, event))
            continue
        if parts := parts_of(get(event, "content")):
            thread.add(_entry(index, event, parts))
            streamed.clear()
        thread.lost(field(event, "finish_reason"))
        thread.lost(field(event, "error_code"))
        if field(get(event, "actions"), "rewind_before_invocation_id") is not None:
            thread.notes.append("the session was rewound; what was taken back is still read")
    if streamed:
        thread.notes.append(_CUT)
        parts = [part for _, event in streamed for part in parts_of(get(event, "content")) or ()]
        thread.add(_entry(*streamed[0], parts))


def _entry(index: int, event: object, parts: Sequence[object]) -> Entry:
    return Entry(index, "user" if get(event, "author") == "user" else "assistant", parts, True, searched(event))


def cases(thread: Thread, index: int, given: object) -> None:
    """Add the one eval case of a set.

    Raises:
        ConversionError: There are several.
    """
    held = listed(field(given, "eval_cases"))
    if len(held) > 1:
        raise unreadable(index, given, "several eval cases, which are several runs; hand over one of `eval_cases`")
    for one in held:
        case(thread, index, one)


def case(thread: Thread, index: int, given: object) -> None:
    """Add the turns of an eval case."""
    for one in listed(get(given, "conversation")) or listed(get(given, "data")):
        turn(thread, index, one)


def turn(thread: Thread, index: int, given: object) -> None:
    """Add a turn of an eval case: what the user said, what was done, and the final response.

    Raises:
        ConversionError: A turn that holds what was expected and what was done, or an intermediate response that is no
            pair of author and parts.
    """
    if get(given, "query") is not None:
        _legacy(thread, index, given)
        return
    said, data, final = (field(given, name) for name in ("user_content", "intermediate_data", "final_response"))
    thread.add(Entry(index, "user", parts_of(said) or (), True))
    happened = listed(field(data, "invocation_events"))
    events(thread, [(index, event) for event in happened])
    made, came = listed(field(data, "tool_uses")), listed(field(data, "tool_responses"))
    _calls(thread, index, made, [{"function_response": response} for response in came])
    spoken = [_pair(index, response) for response in listed(field(data, "intermediate_responses"))]
    if final is not None and not any(get(event, "content") == final for event in happened[-1:]):
        spoken.append(parts_of(final) or ())
    for parts in spoken:
        rest = [part for part in parts if field(part, "function_call") not in made]
        if rest or not parts:
            thread.add(Entry(index, "assistant", rest, True))


def _pair(index: int, response: object) -> Sequence[object]:
    """The parts of an intermediate response, which stand behind its author."""
    if len(pair := listed(response)) != 2:
        raise unreadable(index, response, "an intermediate response that is no pair of author and parts")
    return listed(pair[1])


def _legacy(thread: Thread, index: int, given: object) -> None:
    if get(given, "actual_tool_use") is not None:
        raise unreadable(index, given, "a turn with what was expected and what was done; keep one of the two")
    used = listed(get(given, "expected_tool_use"))
    made = [{"name": get(use, "tool_name"), "args": get(use, "tool_input")} for use in used]
    came = [
        {"function_response": {"name": get(use, "tool_name"), "response": get(use, _MOCKED)}}
        for use in used
        if get(use, _MOCKED) is not None
    ]
    said = [get(response, "text") for response in listed(get(given, "expected_intermediate_agent_responses"))]
    thread.add(Entry(index, "user", [get(given, "query")], True))
    _calls(thread, index, made, came)
    for text in (*said, get(given, "reference")):
        if text is not None:
            thread.add(Entry(index, "assistant", [text], True))


def _calls(thread: Thread, index: int, made: Sequence[object], answers: Sequence[object]) -> None:
    if made:
        thread.add(Entry(index, "assistant", [{"function_call": call} for call in made], True))
    if len(made) > 1:
        thread.notes.append(_FLAT)
    if answers:
        thread.add(Entry(index, "user", answers, True))

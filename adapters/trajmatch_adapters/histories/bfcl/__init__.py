"""The Berkeley Function Calling Leaderboard: what models answered, and possible answers as expected calls.

What this format does differently:
- a result holds calls alone: objects of one key, a tool with its arguments as JSON text, or Python text; nothing says
  what came back, nor what was asked;
- in several turns, a result is a list of turns, and each is a list of responses;
- arguments without a name, in Python text, get it from `parameters`, or else stay text;
- a text that is no Python call is what the model says;
- possible answers are no history: for each argument they list the values that are right, see `expected`.
"""

from __future__ import annotations

from collections.abc import Iterator

from trajmatch.reading import (
    Called,
    Event,
    Noted,
    Recognised,
    Said,
    get,
    is_mapping,
    keys_of,
    listed,
    messages_in,
    tool_name,
    unreadable,
    wire_arguments,
)
from trajmatch_adapters.histories.bfcl._answers import expected, expected_turns
from trajmatch_adapters.histories.bfcl._python import Parameters, arguments_of, python_calls

__all__ = ["Parameters", "classify", "expected", "expected_turns", "read"]

_MEASURED = ("input_token_count", "latency", "output_token_count")
_UNMARKED = "the format does not say what came back, nor what the user asked"


def classify(message: object) -> Recognised:
    """Say whether an item is a result, or an entry of possible answers."""
    result = get(message, "result", message) is not message and any(get(message, key) is not None for key in _MEASURED)
    return "certain" if result or _is_answer(message) else "no"


def _is_answer(item: object) -> bool:
    return isinstance(get(item, "ground_truth"), (list, tuple)) and get(item, "mile_stone") is None


def read(history: object, *, parameters: Parameters | None = None) -> Iterator[Event]:
    """Give the events of a result.

    Args:
        history: A result: an entry of a file of results.
        parameters: The names of the parameters of tools, for arguments that are written without a name.

    Raises:
        ConversionError: Possible answers, which say what to expect; several results; a response that is no call.
    """
    items = messages_in(history)
    for index, item in enumerate(items):
        if _is_answer(item):
            raise unreadable(index, item, "possible answers, which say what to expect; write bfcl.expected(entry)")
        if index:
            raise unreadable(index, item, "a result beside others; match each on its own")
        yield from _result(item, get(item, "result"), parameters or {})


def _result(entry: object, result: object, parameters: Parameters) -> Iterator[Event]:
    turns = listed(result)
    if not turns or not all(isinstance(turn, (list, tuple)) for turn in turns):
        turns = [[result]]
    for turn in turns:
        yield Said("user")
        for response in listed(turn):
            yield from _response(entry, response, parameters)
    yield Noted(_UNMARKED)


def _response(entry: object, response: object, parameters: Parameters) -> Iterator[Event]:
    """One response of the model: calls, Python text of calls, or text."""
    if isinstance(response, str):
        yield from _text(response, parameters)
        return
    calls = [response] if is_mapping(response) else listed(response)
    if not isinstance(response, (dict, list, tuple)) or not all(map(is_mapping, calls)):
        raise unreadable(0, entry, f"a response that is no call, {response!r:.60}")
    yield Said("assistant")
    for call in calls:
        for name in keys_of(call):
            yield Called(tool_name(0, entry, name), wire_arguments(get(call, name)))


def _text(text: str, parameters: Parameters) -> Iterator[Event]:
    calls = python_calls(text)
    yield Said("assistant", text)
    for call in calls or ():
        arguments = arguments_of(call, parameters)
        yield Called(call.name, call.text if arguments is None else arguments)
    if calls is None and "(" in text:
        yield Noted("a text that is no call as Python is taken for what the model says")

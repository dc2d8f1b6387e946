"""tau2-bench: simulations, their messages, and the actions of a task as expected calls.

What this format does differently:
- the simulated user has tools of its own: calls stand in messages of the agent and of the user, and both they and
  their results say who asked (`requestor`). Calls of the user make no model request of the agent: their message has
  the role `user_tools`, and starts no turn;
- the result names its call by its own `id`, and says whether it is an `error`;
- several results may stand in one message, under `tool_messages`;
- what should have been done is a list of actions, each with the arguments that count: see `expected`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, cast, get_args

from trajmatch import ConversionError, ToolCall
from trajmatch.reading import (
    Answered,
    Called,
    Event,
    Recognised,
    Said,
    Status,
    call_id,
    first,
    get,
    is_mapping,
    list_of_calls,
    listed,
    literal,
    messages_in,
    own_words,
    read_blocks,
    tool_name,
    unreadable,
    wire_arguments,
    word,
)

__all__ = ["Requestor", "classify", "expected", "read"]

Requestor = Literal["all", "assistant", "user"]
"""Whose calls to read: those of both, of the agent, or of the simulated user."""

_ROLES = ("assistant", "system", "tool", "user")
_ASKING = ("assistant", "user")
_OWN = frozenset({"requestor", "tool_messages", "turn_idx"})
_OTHERS = ("tool_call_id", "type")


def classify(message: object) -> Recognised:
    """Say whether an item is a message of tau2, or what holds its messages or actions."""
    if _is_run(message) or _runs(message) or _is_task(message):
        return "certain"
    role = get(message, "role")
    spoken = isinstance(get(message, "content"), (str, type(None)))
    if role not in _ROLES or not spoken or first(message, *_OTHERS) is not None or own_words(message) - _OWN:
        return "no"
    asking = [get(call, "requestor") for call in listed(get(message, "tool_calls"))]
    if any(one not in _ASKING for one in asking):
        return "no"
    own = get(message, "turn_idx", message) is not message or get(message, "requestor") in _ASKING
    return "certain" if own or asking or listed(get(message, "tool_messages")) else "could_be"


def _is_run(item: object) -> bool:
    return isinstance(get(item, "messages"), (list, tuple)) and get(item, "termination_reason") is not None


def _runs(item: object) -> Sequence[object]:
    return listed(get(item, "simulations"))


def _is_task(item: object) -> bool:
    return get(item, "evaluation_criteria") is not None


def read(history: object, *, requestor: Requestor = "all") -> Iterator[Event]:
    """Give the events of a simulation.

    Args:
        history: A simulation, results that hold one, or messages.
        requestor: Whose calls to read: `all`, those of the `assistant`, or those of the `user`.

    Raises:
        OptionError: Another word for `requestor`.
        ConversionError: A message that cannot be read, several simulations, or a task.
    """
    return _read(_messages(messages_in(history)), word("requestor", requestor, get_args(Requestor)))


def _messages(items: list[object]) -> Sequence[object]:
    """The messages of the one simulation; those that are given as they are."""
    for index, item in enumerate(items):
        if _is_task(item):
            raise unreadable(index, item, "a task, which says what to expect; write tau2.expected(task)")
        if len(items) > 1 and (_is_run(item) or _runs(item)):
            raise unreadable(index, item, "a simulation beside others; match each on its own")
    if items and (runs := _runs(items[0])):
        return _messages([*runs])
    return listed(get(items[0], "messages")) if items and _is_run(items[0]) else items


def _read(messages: Sequence[object], requestor: Requestor) -> Iterator[Event]:
    for index, message in enumerate(messages):
        role = get(message, "role")
        if not isinstance(role, str):
            raise unreadable(index, message, "a message without a role")
        if role == "tool":
            yield from _answers(message, requestor)
        else:
            yield from _said(index, message, role, requestor)


def _said(index: int, message: object, role: str, requestor: Requestor) -> Iterator[Event]:
    given, content = get(message, "tool_calls"), get(message, "content")
    made = list_of_calls(index, message, given)
    if role != "user" or content or not given:
        yield Said(role, content)
        yield from read_blocks(index, content)
    calls = [_call(index, call) for call in made if requestor in ("all", get(call, "requestor") or role)]
    if role == "user" and calls:
        yield Said("user_tools")
    yield from calls


def _call(index: int, call: object) -> Called:
    arguments = wire_arguments(get(call, "arguments"))
    return Called(tool_name(index, call, get(call, "name")), arguments, call_id(call, "id"))


def _answers(message: object, requestor: Requestor) -> Iterator[Event]:
    for result in listed(get(message, "tool_messages")) or [message]:
        if requestor in ("all", get(result, "requestor") or "assistant"):
            status: Status = "failed" if get(result, "error") not in (None, False) else "succeeded"
            yield Answered(get(result, "content"), call_id(result, "id"), status=status)


def expected(task: object, *, requestor: Requestor = "all") -> list[ToolCall]:
    """Give the actions of a task as expected calls.

    An action with `compare_args` has a rule of its own: these arguments count, and none where the list is empty. The
    others count as the match says. Their order is free, and other calls may be there: match in the mode `superset`.

    Args:
        task: A task, its `evaluation_criteria`, or a list of actions.
        requestor: Whose actions: `all`, those of the `assistant`, or those of the `user`.

    Raises:
        OptionError: Another word for `requestor`.
        ConversionError: There are no actions, or one is none.

    >>> from trajmatch_adapters.histories import tau2
    >>> actions = [{"name": "pay", "arguments": {"amount": 7, "note": "x"}, "compare_args": ["amount"]}]
    >>> match([call("find"), call("pay", amount=7)], tau2.expected(actions), mode="superset")
    superset: PASS; 1 paired, 1 extra
    """
    word("requestor", requestor, get_args(Requestor))
    criteria = get(task, "evaluation_criteria")
    actions = get(task if criteria is None else criteria, "actions", task)
    if not isinstance(actions, (list, tuple)):
        raise ConversionError("a task without a list of actions says nothing of the calls to expect")
    given = [*enumerate(listed(cast("object", actions)))]
    return [
        _expected(index, action)
        for index, action in given
        if requestor in ("all", get(action, "requestor") or "assistant")
    ]


def _expected(index: int, action: object) -> ToolCall:
    name, arguments, compared = (get(action, key) for key in ("name", "arguments", "compare_args"))
    if not (isinstance(name, str) and name) or not is_mapping(arguments):
        raise ConversionError(f"action {index}: an action has a name and an object of arguments", index=index)
    call = ToolCall(name, literal(arguments))
    if compared is None:
        return call
    keys = [key for key in listed(compared) if isinstance(key, str) and key]
    if compared not in ([], ()) and (not keys or len(keys) < len(listed(compared))):
        raise ConversionError(f"action {index}: compare_args is a list of names, got {compared!r:.60}", index=index)
    return call.under([(key,) for key in keys] if keys else "ignore")

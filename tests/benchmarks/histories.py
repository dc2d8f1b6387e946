"""Made-up histories: system, user, assistants with one to three calls, results of 40 words, a final text.

The arguments of a call are some 106 bytes of JSON, and 45% of them are flat. Nothing is shared between two histories,
not even a text, since two histories that are read from files share nothing.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["SHAPES", "Batches", "Call", "Sides", "langchain", "names", "openai", "pydantic_ai"]

TOOLS = [f"{verb}_{noun}" for verb in ("search", "book", "cancel", "list") for noun in ("hotel", "flight", "table")]
WORDS = [
    "amber",
    "basil",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "haven",
    "inlet",
    "jetty",
    "knoll",
    "lotus",
    "maple",
    "north",
    "ocean",
    "plaza",
]


class Call(NamedTuple):
    """One call with its result."""

    name: str
    arguments: dict[str, Any]
    result: str


Batches = list[list[Call]]
"""The calls of a run by the message that makes them."""


class Sides(NamedTuple):
    """The calls of two runs that match, whatever their order.

    Attributes:
        respaced: The argument texts of the expected side have another spacing and order of keys.
    """

    actual: Batches
    expected: Batches
    respaced: bool = True


def _text(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(WORDS, k=words))


def _arguments(rng: random.Random, number: int) -> dict[str, Any]:
    if rng.random() < 0.45:
        return {
            "query": _text(rng, 4),
            "city": rng.choice(WORDS),
            "limit": number,
            "price": rng.randrange(9900) / 4,
            "sorted": rng.random() < 0.5,
        }
    return {
        "query": _text(rng, 2),
        "filter": {"city": rng.choice(WORDS), "stars": [rng.randrange(1, 6), 5]},
        "page": {"number": number, "size": rng.randrange(10, 99)},
    }


def _calls(count: int, tools: list[str]) -> list[Call]:
    rng = random.Random(count)
    return [Call(rng.choice(tools), _arguments(rng, number), _text(rng, 40)) for number in range(count)]


def _batches(calls: list[Call]) -> Batches:
    rng, left, batches = random.Random(len(calls)), calls, list[list[Call]]()
    while left:
        size = rng.randint(1, 3)
        batches.append(left[:size])
        left = left[size:]
    return batches


def _best(count: int) -> Sides:
    calls = _batches(_calls(count, TOOLS))
    return Sides(calls, calls, respaced=False)


def _spacing(count: int) -> Sides:
    return _best(count)._replace(respaced=True)


def _shuffled(count: int) -> Sides:
    calls = _calls(count, TOOLS)
    other = random.Random(0).sample(calls, count)
    return Sides(_batches(calls), _batches(other))


def _reversed(count: int) -> Sides:
    calls = _calls(count, TOOLS[:1])
    return Sides(_batches(calls), _batches(calls[::-1]))


def _wider(count: int) -> Sides:
    """Like `_reversed`, and every actual call has one argument more."""
    actual, expected, _ = _reversed(count)
    more = [[call._replace(arguments={**call.arguments, "note": "more"}) for call in batch] for batch in actual]
    return Sides(more, expected)


def _with_ids(sides: Sides) -> Sides:
    """The same calls, each of which has an id that nothing else has."""
    ids = (f"{number:08x}" for number in random.Random(1).sample(range(1 << 32), 10_000))

    def marked(batches: Batches) -> Batches:
        return [[one._replace(arguments={"request_id": next(ids), **one.arguments}) for one in b] for b in batches]

    return Sides(marked(sides.actual), marked(sides.expected))


def _one_message(count: int) -> Sides:
    calls = _calls(count, TOOLS[:1])
    return Sides([calls], [calls[::-1]])


SHAPES: dict[str, Callable[[int], Sides]] = {
    "identical texts": _best,
    "other spacing": _spacing,
    "shuffled": _shuffled,
    "one tool, reversed": _reversed,
    "one tool, reversed, one argument more": _wider,
    "one message, reversed": _one_message,
    "ids that differ": lambda count: _with_ids(_spacing(count)),
    "ids that differ, shuffled": lambda count: _with_ids(_shuffled(count)),
}


def names(count: int) -> tuple[list[str], list[str]]:
    """Give the names of two runs that differ."""
    rng = random.Random(count)
    return rng.choices(TOOLS, k=count), rng.choices(TOOLS, k=count)


def _respaced(arguments: dict[str, Any]) -> str:
    return json.dumps(dict(reversed(arguments.items())), separators=(",", ":"))


def openai(batches: Batches, *, respaced: bool = False) -> list[dict[str, Any]]:
    """Give the message dicts of OpenAI Chat Completions."""
    dumps, number = _respaced if respaced else json.dumps, 0
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You plan journeys."},
        {"role": "user", "content": "Plan mine."},
    ]
    for batch in batches:
        made, results = [], []
        for call in batch:
            number += 1
            function = {"name": call.name, "arguments": dumps(call.arguments)}
            made.append({"id": f"call_{number}", "type": "function", "function": function})
            results.append({"role": "tool", "tool_call_id": f"call_{number}", "content": call.result})
        messages += [{"role": "assistant", "content": "", "tool_calls": made}, *results]
    messages.append({"role": "assistant", "content": "All is planned."})
    return json.loads(json.dumps(messages))


def langchain(batches: Batches) -> list[dict[str, Any]]:
    """Give what `message.model_dump()` gives for LangChain's messages, short of empty fields."""
    return [_langchain(message) for message in openai(batches)]


def _langchain(message: dict[str, Any]) -> dict[str, Any]:
    kind = {"system": "system", "user": "human", "assistant": "ai", "tool": "tool"}[message["role"]]
    given = {"type": kind, "content": message["content"]}
    if kind == "tool":
        given |= {"tool_call_id": message["tool_call_id"], "status": "success"}
    if kind == "ai":
        given["tool_calls"] = [
            {
                "name": call["function"]["name"],
                "args": json.loads(call["function"]["arguments"]),
                "id": call["id"],
                "type": "tool_call",
            }
            for call in message.get("tool_calls", ())
        ]
    return given


def pydantic_ai(batches: Batches) -> list[dict[str, Any]]:
    """Give the JSON form of Pydantic AI's messages, short of what has a default."""
    asked = [
        {"part_kind": "system-prompt", "content": "You plan journeys."},
        {"part_kind": "user-prompt", "content": "Plan mine."},
    ]
    messages: list[dict[str, Any]] = [{"kind": "request", "parts": asked}]
    for message in openai(batches)[2:]:
        if message["role"] == "assistant":
            messages += [{"kind": "response", "parts": _response(message)}, {"kind": "request", "parts": []}]
        else:
            called = next(p for p in messages[-2]["parts"] if p["tool_call_id"] == message["tool_call_id"])
            joined = {"tool_name": called["tool_name"], "tool_call_id": called["tool_call_id"]}
            messages[-1]["parts"].append({"part_kind": "tool-return", "content": message["content"], **joined})
    return messages[:-1]


def _response(message: dict[str, Any]) -> list[dict[str, Any]]:
    if "tool_calls" not in message:
        return [{"part_kind": "text", "content": message["content"]}]
    return [
        {
            "part_kind": "tool-call",
            "tool_name": call["function"]["name"],
            "args": call["function"]["arguments"],
            "tool_call_id": call["id"],
        }
        for call in message["tool_calls"]
    ]

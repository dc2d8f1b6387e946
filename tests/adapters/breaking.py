"""Histories that are broken at random, for the tests of adapters."""

import copy
import json
import re

from hypothesis import strategies as st

from trajmatch import ConversionError, to_trajectory

VALUES = st.sampled_from(
    [None, "", 0, -1, True, [], {}, [None], {"a": 1}, "text", ["x"], [[]], 1.5, "tool", "user", "1", {"name": "f"}]
)
MORE = ["name", "arguments", "content", "role", "id", "type", "error", "tool_calls", "x"]
PLACE = re.compile(r"message \d+|a history|in place of a list|beside 'messages'|call \d+|the arguments of|the id of")


def places(value, path=()):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def broken(data, stored):
    """A history out of JSON text, in which up to three places are lost, or hold something else."""
    history = json.loads(stored)
    for _ in range(data.draw(st.integers(1, 3))):
        found = [*places(history)]
        if not found:
            break
        *path, last = data.draw(st.sampled_from(found))
        holder = history
        for key in path:
            holder = holder[key]
        inner, what = holder[last], data.draw(st.sampled_from(["lose", "set", "add"]))
        if what == "add" and isinstance(inner, dict):
            inner[data.draw(st.sampled_from(MORE))] = copy.deepcopy(data.draw(VALUES))
        elif what == "lose":
            del holder[last]
        else:
            holder[last] = copy.deepcopy(data.draw(VALUES))
    return history


def stands(history, **options):
    """Say whether a history ends in a trajectory or in an error, and stays as it was.

    Where the format is named, the error says where; otherwise another adapter may have read it.
    """
    before = copy.deepcopy(history)
    try:
        to_trajectory(history, **options).to_json()
    except ConversionError as error:
        assert PLACE.search(str(error)) or "format" not in options, error
    return history == before

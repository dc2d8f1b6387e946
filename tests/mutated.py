"""Histories of which a few values were changed, for the properties of adapters."""

import copy
import json

from hypothesis import strategies as st

VALUES = [None, "", 0, True, [], {}, [None], {"a": 1}, "text", ["x"], [[]], 1.5, "1", "{}", "user", "assistant"]


def places(value, path=()):
    """The paths of all that a value holds."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


@st.composite
def mutated(draw, histories, words):
    """One of the histories with up to three values replaced, keys added, or items taken out.

    `words` are the keys and the texts that mean something in the format.
    """
    history = copy.deepcopy(json.loads(draw(st.sampled_from([json.dumps(one) for one in histories]))))
    for _ in range(draw(st.integers(1, 3))):
        *path, last = draw(st.sampled_from([*places(history)] or [("empty",)]))
        holder = history
        for key in path:
            holder = holder[key]
        value = copy.deepcopy(draw(st.sampled_from([*VALUES, *words])))
        change = draw(st.sampled_from(["replace", "add", "take out"]))
        if change == "add" and isinstance(holder, dict):
            holder[draw(st.sampled_from(words))] = value
        elif change == "take out" and path:
            del holder[last]
        elif isinstance(holder, (dict, list)) and holder:
            holder[last] = value
    return history

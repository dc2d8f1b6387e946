"""Stored histories with something odd in them, for the tests of adapters."""

import copy

from hypothesis import strategies as st

from trajmatch import ConversionError, to_trajectory

VALUES = st.sampled_from([None, "", 0, True, [], {}, [None], {"a": 1}, "text", ["x"], [[]], 1.5, "user", "1", "{}"])
WHOLE = ("a history is missing", "a history is a list of messages", "one call in place of a list of calls")
"""How refusals of a whole history begin."""


def _places(value, path=()):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from _places(inner, (*path, key))


def mutated(data, history, keys):
    """A copy of a history in which up to three values are others, or are gone, or stand beside new ones."""
    history = copy.deepcopy(history)
    for _ in range(data.draw(st.integers(1, 3))):
        places = [*_places(history)]
        if not places:
            break
        *path, last = data.draw(st.sampled_from(places))
        holder = history
        for key in path:
            holder = holder[key]
        inner, how = holder[last], data.draw(st.sampled_from(["set", "drop", "add", "repeat"]))
        if how == "drop":
            del holder[last]
        elif how == "add" and isinstance(inner, dict):
            inner[data.draw(st.sampled_from(keys))] = copy.deepcopy(data.draw(VALUES))
        elif how == "repeat" and isinstance(holder, list):
            holder.insert(last, copy.deepcopy(inner))
        else:
            holder[last] = copy.deepcopy(data.draw(VALUES))
    return history


def outcome(history, **options):
    """Whether a history is read or refused; where the format is named, a refusal says where."""
    before = repr(history)
    try:
        run = to_trajectory(history, **options)
        assert run.to_json() and run.to_text()
        said = "read"
    except ConversionError as error:
        placed = error.index is not None or error.keys or error.formats or str(error).startswith(WHOLE)
        assert placed or not options, error
        said = "refused"
    assert repr(history) == before
    return said

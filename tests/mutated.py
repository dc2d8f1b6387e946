"""Histories that something happened to, for the fuzz of adapters."""

import copy
import json

from hypothesis import strategies as st

from trajmatch import ConversionError, Trajectory, to_trajectory

VALUES = [None, "", 0, -1, True, 1.5, [], {}, [None], [[]], ["x"], {"a": 1}, {"name": "f", "arguments": 1}, "text", "{"]
WHOLE = (
    "a history is a list of messages",
    "a history is missing",
    "a list is needed",
    "a response in place of a list",
    "a trace without messages",
    "one call in place of a list",
    "one message in place of a list",
)
"""How refusals of a whole history begin."""
STEP = ": its messages cannot be read: "
"""What stands behind the step of a trace that is refused."""


def mutated(histories):
    """One of the histories, in which up to three places are lost, doubled or swapped, or hold something else."""
    stored = [json.dumps(history) for history in histories]
    return _mutated(stored, sorted({*_words(json.loads(f"[{','.join(stored)}]"))}))


@st.composite
def _mutated(draw, stored, words):
    history = json.loads(draw(st.sampled_from(stored)))
    for _ in range(draw(st.integers(1, 3))):
        if not (found := [*places(history)]):
            break
        holder, last = draw(st.sampled_from(found))
        how = draw(st.sampled_from(["replace", "lose", "double", "swap", "add"]))
        if how == "lose":
            del holder[last]
        elif how == "double" and isinstance(holder, list):
            holder.insert(last, copy.deepcopy(holder[last]))
        elif how == "swap":
            other, there = draw(st.sampled_from(found))
            holder[last], other[there] = copy.deepcopy(other[there]), copy.deepcopy(holder[last])
        else:
            key = draw(st.sampled_from(words)) if how == "add" and isinstance(holder, dict) else last
            holder[key] = copy.deepcopy(draw(st.sampled_from([*VALUES, *words])))
    return history


def places(value):
    """All that a value holds: the holder, and the key or the index in it."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield value, key
        yield from places(inner)


def _words(value):
    """The keys, and the texts that may mean something."""
    for holder, key in places(value):
        yield from (word for word in (key, holder[key]) if isinstance(word, str) and len(word) < 25)


def is_read_or_refused(history, **options):
    """Say that a history ends in a trajectory that can be stored, or in an error that says where, and stays as it was.

    Where no format is named, an adapter of another format may have read it.
    """
    before = repr(history)
    try:
        run = to_trajectory(history, **options)
        assert run.to_text() is not None
        assert Trajectory.from_json(run.to_json()) == run
    except ConversionError as error:
        said = str(error)
        assert error.index is not None or error.keys or error.formats or said.startswith(WHOLE) or STEP in said, error
    return repr(history) == before

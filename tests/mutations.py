"""Histories with something wrong in them, for the fuzz tests of adapters."""

import copy
import re

from hypothesis import strategies as st

PLACED = re.compile(
    r"(message|call) \d+(: | is the text)|place of a list|read this history differently|^a history is |^a list is need"
)
"""What errors say of the place: its index, or that the history itself is no list, or is of two formats."""
JUNK = st.sampled_from([None, "", "x", 3, True, [], {}, [None], ["x"], {"type": "x"}, {"name": "a", "arguments": "{}"}])


def _places(value, path=()):
    """All places in a history that hold something."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, held in inner:
        yield from _places(held, (*path, key))


@st.composite
def mutated(draw, histories):
    """One of the histories, with up to three places put out, doubled, or holding something else."""
    history = copy.deepcopy(draw(st.sampled_from(histories)))
    for _ in range(draw(st.integers(1, 3))):
        places = [*_places(history)]
        if not places:
            break
        *path, last = draw(st.sampled_from(places))
        holder = history
        for key in path:
            holder = holder[key]
        change = draw(st.sampled_from(["delete", "double", "replace"]))
        if change == "delete":
            del holder[last]
        elif change == "double" and isinstance(holder, list):
            holder.append(copy.deepcopy(holder[last]))
        else:
            holder[last] = copy.deepcopy(draw(JUNK))
    return history

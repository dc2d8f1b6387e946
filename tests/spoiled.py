"""Histories that something happened to: the fuzz of the adapters."""

import copy

JUNK = (None, True, 7, 1.5, "", "x", "{", '{"a": [', [], {}, [None], [[]], {"role": 1}, {"name": "f", "arguments": 1})


def places(value):
    """Every key and index in a value, with what holds it."""
    found, waiting = [], [value]
    while waiting:
        held = waiting.pop()
        inner = held.items() if isinstance(held, dict) else enumerate(held) if isinstance(held, list) else ()
        for key, item in [*inner]:
            found.append((held, key))
            waiting.append(item)
    return found


def spoiled(value, random, times=3):
    """A copy in which values were replaced, taken out, doubled or swapped."""
    changed = copy.deepcopy(value)
    for _ in range(random.randint(1, times)):
        if not (found := places(changed)):
            break
        held, key = random.choice(found)
        what = random.choice(("replace", "remove", "double", "swap"))
        if what == "replace":
            held[key] = copy.deepcopy(random.choice(JUNK))
        elif what == "remove":
            del held[key]
        elif what == "double" and isinstance(held, list):
            held.insert(key, copy.deepcopy(held[key]))
        else:
            other, there = random.choice(found)
            held[key], other[there] = copy.deepcopy(other[there]), copy.deepcopy(held[key])
    return changed

"""Random runs, and histories of them, for the properties."""

import json

from hypothesis import strategies as st

from trajmatch import (
    Structure,
    ToolCall,
    any_order,
    batched,
    forbidden,
    one_of,
    optional,
    plan,
    repeat,
    seq,
    step,
)
from trajmatch._columns import Calls, Columns

VALUES = st.one_of(st.integers(0, 2), st.booleans(), st.just("x"))
ARGUMENTS = st.dictionaries(st.sampled_from("xy"), VALUES, max_size=2)
STATED = st.builds(ToolCall, st.sampled_from("ab"), ARGUMENTS)
CALLS = st.lists(STATED, max_size=5)
OPEN = st.lists(st.builds(ToolCall, st.sampled_from("ab"), st.none() | ARGUMENTS), max_size=5)


def history(batches):
    """A history of Chat Completions with these batches of calls, each call answered."""
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "go"}]
    for number, batch in enumerate(batches):
        ids = [f"c{number}.{place}" for place in range(len(batch))]
        wire = [
            {
                "id": id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.raw_arguments or json.dumps(call.arguments)},
            }
            for id, call in zip(ids, batch, strict=True)
        ]
        messages.append({"role": "assistant", "content": None, "tool_calls": wire})
        messages += [{"role": "tool", "tool_call_id": id, "content": "ok"} for id in ids]
    return [*messages, {"role": "assistant", "content": "done"}]


HISTORIES = st.lists(st.lists(STATED, min_size=1, max_size=3), max_size=3).map(history)


def placed(calls):
    """The calls of a list as the core takes them."""
    return Calls(Columns.of(tuple(calls)))


def _plans(part):
    """Plans of up to three steps, each after some of those written before it."""
    return st.lists(st.tuples(part, st.sets(st.integers(0, 1))), max_size=3).map(
        lambda steps: plan(
            *(
                step(str(at), written, sorted(str(other) for other in after if other < at))
                for at, (written, after) in enumerate(steps)
            )
        )
    )


def _forbids(part):
    return isinstance(part, Structure) and part.kind == "forbidden"


def _structures(inner):
    part = inner.filter(lambda one: not _forbids(one))
    several = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        several.map(lambda parts: seq(*parts)),
        several.map(lambda parts: any_order(*parts)),
        st.lists(part, min_size=1, max_size=3).map(lambda parts: one_of(*parts)),
        part.map(optional),
        st.builds(repeat, part, st.integers(0, 1), st.sampled_from([1, 2, None])),
        PART.map(forbidden),
        st.lists(PART, min_size=2, max_size=2).map(lambda parts: batched(*parts)),
        _plans(part),
    )


PART = st.builds(ToolCall, st.sampled_from("abc"), st.none() | st.fixed_dictionaries({"x": st.integers(0, 1)}))
STRUCTURES = st.recursive(PART, _structures, max_leaves=4).filter(lambda made: isinstance(made, Structure))
RUNS = st.lists(
    st.builds(ToolCall, st.sampled_from("abc"), st.fixed_dictionaries({"x": st.integers(0, 1)})), max_size=4
)

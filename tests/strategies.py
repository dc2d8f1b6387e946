"""Random runs, and histories of them, for the properties."""

import json

from hypothesis import strategies as st

from trajmatch import ToolCall
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

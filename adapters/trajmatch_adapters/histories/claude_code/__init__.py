"""Claude Code sessions and the messages of the Claude Agent SDK: live objects, stored JSON, records of a JSONL file.

What this format does differently:
- a record wraps a message of Anthropic's API; one response of the model is spread over several records, a block each,
  which have the `id` of its message in common, and results may stand between them;
- the objects of the Agent SDK have no role and no types: their attributes say what they and their blocks are;
- most kinds of record hold no message (`system`, `summary`, `result`, `stream_event`, snapshots, titles, ...);
- a resumed session repeats records: the same content under the same `uuid` counts once, and so does a call;
- records of a sub-agent stand among those of the session (`isSidechain`, `parent_tool_use_id`, or inside `progress`
  records). They are left out, and noted; `nested=True` reads them as messages whose prompts start no turn. A file
  with nothing else is the sub-agent's own, and is read as it is;
- what the program says in the user's place (`isMeta`, a summary, the output of a local command) starts no turn, and
  what it says in the model's place (the model is `<synthetic>`) is no response;
- `is_error` says that a call failed; only a text, or the `permission_denials` at the end, that it was refused
  (`denied`), stopped (`interrupted`), or sent back (`retried`);
- the tool `StructuredOutput` returns the output of a run, which the text of its result tells;
- who goes back in a session leaves records behind: all are read, since all was done, and that is noted.
"""

from __future__ import annotations

from collections.abc import Iterator

from trajmatch.reading import (
    Answered,
    Called,
    Event,
    Noted,
    Said,
    flag,
    read_blocks,
    read_user,
    unreadable,
    with_outputs,
)
from trajmatch_adapters.histories.claude_code._forms import classify
from trajmatch_adapters.histories.claude_code._records import Record, items_of, records_of, went_back
from trajmatch_adapters.histories.claude_code._results import denied_in, judged

__all__ = ["classify", "read"]

_LEFT_OUT = "the messages of sub-agents are left out; nested=True reads them"
_BACK = "somebody went back in this session; what was left behind is read, too"
_SYNTHETIC = "what the program wrote in the model's place is no response"


def read(history: object, *, nested: bool = False) -> Iterator[Event]:
    """Give the events of a session of Claude Code, or of a run of the Claude Agent SDK.

    Args:
        history: Records or messages, or an object that holds records under `loglines`.
        nested: Read the messages of sub-agents, too, where they stand.

    Raises:
        OptionError: `nested` is no bool.
        ConversionError: An item that is neither record nor message, a call without a name, or records without any
            message.
    """
    return _read(items_of(history), flag("nested", nested))


def _read(items: list[object], nested: bool) -> Iterator[Event]:
    records = records_of(items)
    if items and not records:
        raise unreadable(0, items[0], "no record holds a message")
    own = [record for record in records if not record.nested]
    if not own:  # a file of a sub-agent
        records = own = [record._replace(nested=False) for record in records]
    read = records if nested else own
    held: dict[str, set[str]] = {}
    events = [event for record in read for event in _events(record, held)]
    yield from _judged(events, {id for item in items for id in denied_in(item)})
    if len(read) < len(records):
        left = [event for record in records if record.nested for event in _events(record, held)]
        yield Noted(_LEFT_OUT, [event for event in left if isinstance(event, Called)])
    if went_back(read):
        yield Noted(_BACK)


def _events(record: Record, held: dict[str, set[str]]) -> Iterator[Event]:
    """What a record says and calls; `held` are the ids of the calls of each response that other records hold."""
    if record.role == "user":
        yield from read_user(record.at, record.content, feedback=record.nested or record.written)
        return
    if record.written:
        yield Noted(_SYNTHETIC)
    else:
        yield Said("assistant", record.content, record.response)
    seen = held.setdefault(record.response or "", set())
    blocks = [*read_blocks(record.at, record.content, seen)]
    yield from blocks
    if record.response:
        seen.update(block.id for block in blocks if isinstance(block, Called) and block.id)


def _judged(events: list[Event], denied: set[str]) -> Iterator[Event]:
    """The events, with what became of each call, and which calls return the output of the run."""
    calls = {event.id: event for event in events if isinstance(event, Called)}
    known = [judged(event, calls.get(event.id), denied) if isinstance(event, Answered) else event for event in events]
    outputs = {calls[event.id].name for event in known if isinstance(event, Answered) and event.kind == "output"}
    return with_outputs(known, outputs)

"""What every adapter needs, once: events, the builder, and the tables that formats share.

An adapter is a module with two functions: `classify(message)` says "no", "could_be" or "certain", and
`read(history, **options)` yields `Said`, `Called`, `Answered` and `Noted`. `build` makes a trajectory of them.

An adapter may have a third, `skim(messages)`: it reads a history in which nothing is odd into a `Skimmed`, without an
event for each thing, and gives `None`, or raises anything, wherever it is not sure; then `read` does the work. It takes
only what `read` gives the same trajectory for, and what no other format claims.

An adapter that writes its format, too, has `write(events)`: it takes `Said`, `Called` and `Answered`, and gives the
messages that `read` gives these events of.
"""

from trajmatch._access import (
    Recognised,
    call_id,
    fields,
    first,
    get,
    holds_fields,
    is_mapping,
    keys_of,
    listed,
    looks_like_call,
    tool_name,
    unreadable,
    wire_arguments,
    wire_call,
)
from trajmatch._message import fold_role
from trajmatch._model import Kind, Row, Status
from trajmatch._nearest import choose, did_you_mean
from trajmatch._operators import literal
from trajmatch.reading._blocks import is_call_block, is_result_block, read_blocks, read_user
from trajmatch.reading._build import build
from trajmatch.reading._calls import list_of_calls, read_call, with_outputs, wraps_its_name
from trajmatch.reading._content import (
    feedback_beside_results,
    known_role,
    result_content,
    said_content,
    said_text,
    with_part,
)
from trajmatch.reading._events import UNMARKED, Answered, Called, Event, Noted, Said, Told
from trajmatch.reading._fields import camel, field, has, is_list, type_of
from trajmatch.reading._history import messages_in
from trajmatch.reading._ids import SHARED_ID, Ids
from trajmatch.reading._options import flag, names_of_tools, word
from trajmatch.reading._recorded import moment, parsed, recorded_arguments, recorded_messages, recorded_result
from trajmatch.reading._skim import Skimmed
from trajmatch.reading._steps import Step, StepKind, executed
from trajmatch.reading._trace import read_trace
from trajmatch.reading._words import own_words

__all__ = [
    "SHARED_ID",
    "UNMARKED",
    "Answered",
    "Called",
    "Event",
    "Ids",
    "Kind",
    "Noted",
    "Recognised",
    "Row",
    "Said",
    "Skimmed",
    "Status",
    "Step",
    "StepKind",
    "Told",
    "build",
    "call_id",
    "camel",
    "choose",
    "did_you_mean",
    "executed",
    "feedback_beside_results",
    "field",
    "fields",
    "first",
    "flag",
    "fold_role",
    "get",
    "has",
    "holds_fields",
    "is_call_block",
    "is_list",
    "is_mapping",
    "is_result_block",
    "keys_of",
    "known_role",
    "list_of_calls",
    "listed",
    "literal",
    "looks_like_call",
    "messages_in",
    "moment",
    "names_of_tools",
    "own_words",
    "parsed",
    "read_blocks",
    "read_call",
    "read_trace",
    "read_user",
    "recorded_arguments",
    "recorded_messages",
    "recorded_result",
    "result_content",
    "said_content",
    "said_text",
    "tool_name",
    "type_of",
    "unreadable",
    "wire_arguments",
    "wire_call",
    "with_outputs",
    "with_part",
    "word",
    "wraps_its_name",
]

"""Records of runs, as lines of a file and as rows of a table, with what goes wrong in real ones."""

import json

import pyarrow as pa

from trajmatch import Matcher
from trajmatch.batch import Scorer

SCORER = Scorer(matcher=Matcher(mode="in_order", threshold=0.6), group="task")


def history(*calls):
    """The messages of a run in the form of OpenAI."""
    made = [
        {"id": str(place), "function": {"name": name, "arguments": json.dumps(arguments)}}
        for place, (name, arguments) in enumerate(calls)
    ]
    return [{"role": "user", "content": "Go."}, {"role": "assistant", "content": None, "tool_calls": made}]


def record(id, task, actual, expected):
    return {"id": id, "task": task, "actual": actual, "expected": expected}


SEARCHED = history(("search", {"q": "lamp", "limit": None}))
RECORDS = [
    record("equal", "lamp", SEARCHED, [{"name": "search", "arguments": {"q": "lamp", "limit": None}}]),
    record("other", "lamp", SEARCHED, [{"name": "search", "arguments": {"q": "desk"}}, "book"]),
    record("half", "lamp", history(("search", {"q": "lamp"}), ("pay", {})), ["search", "pay", "book"]),
    record("unreadable", "lamp", [{"role": "assistant", "tool_calls": [{"function": {}}]}], ["search"]),
    record("no run", None, None, []),
    record("nothing expected", "no group", SEARCHED, []),
    record("names", "ünïcode \u2028", history(("søk", {"q": "\ud800 \x00"})), ["søk"]),
    record(None, None, history(), []),
]
"""Runs that pass, fail, and cannot be read."""

LINES = [*map(json.dumps, RECORDS), "", "{no JSON", "[]", '{"actual": []}', '{"id": 7, "actual": [], "expected": []}']
"""The same and others, with lines that hold no record."""


def write_lines(path, lines=LINES):
    path.write_text("\n".join(lines) + "\n" if lines else "", encoding="utf-8")
    return path


def table(records=RECORDS):
    """Records as a table, with the two sides as JSON text."""
    texts = {side: [json.dumps(record[side]) for record in records] for side in ("actual", "expected")}
    plain = {key: [record[key] for record in records] for key in ("id", "task")}
    return pa.table({key: pa.array(values, pa.string()) for key, values in {**plain, **texts}.items()})


def local_rows(records=RECORDS, scorer=SCORER, *, numbered=True):
    return [scorer.row(record, line if numbered else None) for line, record in enumerate(records, 1)]

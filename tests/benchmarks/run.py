"""Measures this library beside its peers: `python tests/benchmarks/run.py [--quick] [--write docs/benchmarks.md]`.

Prints the tables of docs/benchmarks.md, or writes them between the marks in that page. Not a test: nothing here fails
for being slow. A peer that is not installed is shown as such (`pip install -e '.[bench]'` gets them).
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import perf_counter
from typing import Any

import histories
import peers
import report
from contests import (
    Contest,
    Make,
    by_json_alone,
    conversion,
    growth,
    in_order,
    in_order_core,
    matched,
    parsing,
    relation,
    ruled,
)
from imports import above_bare, loaded
from relations import RELATIONS
from structures import STRUCTURES
from timing import FULL, QUICK, Effort, interleaved

Targets = Mapping[int, float | None]
"""The target for each number of calls; `None` where the row only informs."""

ORDER_FREE = ("unordered", "subset", "superset")
MODES = ("exact", "strict", *ORDER_FREE, "in_order", "any_order")
RULES = ("exact", "ignore", "subset", "superset")
GROWN = ("other spacing", "shuffled", "one tool, reversed", "one message, reversed")
FEW, MANY = 500, 2000
GROWTH = FULL._replace(rounds=5, budget=0.5)
FACTOR = 6.0
PAIRING_MS = 50.0
IMPORT_MS = 40.0


@dataclass(frozen=True)
class Row:
    """One line of the table for each number of calls.

    Attributes:
        name: What is measured.
        peer: What it is set against.
        make: The comparison for a number of calls.
        targets: How many times as fast as the peer it has to be; with `cost`, how many times as slow it may be.
        cost: The ratio is our time by the peer's, and the lower the better.
    """

    name: str
    peer: str
    make: Make
    targets: Targets
    cost: bool = False


def _at(sizes: tuple[int, ...], target: float | None = None) -> Targets:
    return dict.fromkeys(sizes, target)


SIZES = (20, 100, 500)

SCHEMA = {"properties": {"filter": {"properties": {"stars": {"uniqueItems": True}}}, "unit": {"default": "EUR"}}}
RULED: dict[str, tuple[dict[str, Any], float | None]] = {
    "`ignore` paths": ({"args": {"ignore": ["request_id", "filter.city"]}}, 4.0),
    "`tolerance`": ({"args": {"tolerance": 0.5, "ignore": ["request_id"]}}, None),
    "`tools`": ({"args": {"ignore": ["request_id"]}, "tools": dict.fromkeys(histories.TOOLS, SCHEMA)}, None),
    "`prefixes`": ({"prefixes": ["mcp__web__"]}, None),
}
"""What a match may have beside `exact`, and how many times its time it may take."""

TABLE: dict[str, list[Row]] = {
    "Order-free modes, OpenAI dicts, exact arguments": [
        Row(f"{mode}, {shape}", "agentevals", matched("agentevals", shape, mode), _at(SIZES, target))
        for (shape, target), mode in product(
            {"identical texts": 30.0, "other spacing": 12.0, "shuffled": 8.0}.items(), ORDER_FREE
        )
    ]
    + [
        Row(f"unordered, {shape}", "openevals", matched("openevals", shape, "unordered"), _at(SIZES))
        for shape in ("identical texts", "other spacing", "shuffled")
    ]
    + [
        Row(
            f"unordered, {shape}, parsed by json",
            "agentevals",
            by_json_alone(matched("agentevals", shape, "unordered")),
            _at(SIZES),
        )
        for shape in ("other spacing", "shuffled")
    ],
    "Order-free modes, LangChain message objects, exact arguments": [
        Row(f"{mode}, {shape}", "agentevals", matched("agentevals", shape, mode, live=True), _at(SIZES, target))
        for (shape, target), mode in product({"identical texts": 9.0, "shuffled": 6.0}.items(), ORDER_FREE)
    ],
    "Rules `subset` and `superset`, OpenAI dicts": [
        *(
            Row(f"unordered, {rule}, other spacing", "agentevals", make, _at(SIZES, 10.0))
            for rule in ("subset", "superset")
            for make in (matched("agentevals", "other spacing", "unordered", rule),)
        ),
        *(
            Row(f"unordered, {rule}, one tool, reversed", "agentevals", make, _at((MANY,), 50.0))
            for rule in ("subset", "superset")
            for make in (matched("agentevals", "one tool, reversed", "unordered", rule),)
        ),
        Row(
            "superset, superset, one tool, reversed, one argument more",
            "agentevals",
            matched("agentevals", "one tool, reversed, one argument more", "superset", "superset"),
            _at((MANY,), 50.0),
        ),
    ],
    "Rules and schemas beside `exact`, OpenAI dicts": [
        *(
            Row(f"{name}, {shape}", "exact", ruled(shape, **options), _at(SIZES, target), cost=True)
            for name, (options, target) in RULED.items()
            for shape in ("other spacing", "shuffled", "ids that differ", "ids that differ, shuffled")
        ),
    ],
    "Mode `strict`, OpenAI dicts": [
        Row("strict, other spacing", "agentevals", matched("agentevals", "other spacing", "strict"), _at(SIZES, 10.0)),
        Row(
            "strict, one message, reversed",
            "agentevals",
            matched("agentevals", "one message, reversed", "strict"),
            _at((FEW,), 45.0),
        ),
    ],
    "Mode `in_order`, names only": [
        Row("in_order, trajectories ready", "pydantic-evals", in_order, {100: 40.0, 500: 200.0, 2000: 500.0}),
        Row("the length alone", "pydantic-evals", in_order_core, {100: 40.0, 500: 200.0, 2000: 500.0}),
    ],
    "Against the floor": [
        *(
            Row(f"unordered, {shape}", "json.loads of both", parsing(shape, "unordered"), _at(SIZES), cost=True)
            for shape in ("identical texts", "other spacing", "shuffled")
        ),
        Row("conversion, OpenAI dicts", "json.loads", conversion("openai"), _at(SIZES, 0.7), cost=True),
        Row(
            "conversion, OpenAI dicts, a message in parts",
            "json.loads",
            conversion("openai", plain=False),
            _at(SIZES),
            cost=True,
        ),
        Row("conversion, LangChain dicts", "json.loads", conversion("langchain"), _at(SIZES, 0.7), cost=True),
        Row("conversion, LangChain objects", "json.loads", conversion("langchain", live=True), _at(SIZES), cost=True),
        Row("conversion, Pydantic AI dicts", "json.loads", conversion("pydantic_ai"), _at(SIZES, 0.7), cost=True),
        Row(
            "conversion, Pydantic AI objects", "json.loads", conversion("pydantic_ai", live=True), _at(SIZES), cost=True
        ),
        Row(
            "conversion and messages, OpenAI dicts",
            "json.loads",
            conversion("openai", messages=True),
            _at(SIZES),
            cost=True,
        ),
    ],
}


def _measured(contest: Contest, effort: Effort) -> list[float]:
    """The seconds of both sides, once they have given the same answer."""
    if contest.theirs is None:
        return interleaved([contest.ours], effort)

    def check(ours: object, theirs: object) -> None:
        if not contest.agree(ours, theirs):
            raise SystemExit(f"the two sides disagree: {ours!r:.80} and {theirs!r:.80}")

    return interleaved([contest.ours, contest.theirs], effort, check)


def _lines(rows: list[Row], effort: Effort) -> Iterator[report.Line]:
    for row in rows:
        for count, target in row.targets.items():
            _say(f"{row.name}, {count} calls, {row.peer}")
            ours, *theirs = _measured(row.make(count), effort)
            ratio = None
            if theirs:
                ratio = ours / theirs[0] if row.cost else theirs[0] / ours
            yield report.Line(
                row.name, count, ours, row.peer, theirs[0] if theirs else None, ratio, target, at_most=row.cost
            )


def _grown(effort: Effort, rules: tuple[str, ...]) -> Iterator[report.Grown]:
    for mode, rule in product(MODES, rules):
        _say(f"growth, {mode}, {rule}")
        both = {shape: _measured(growth(shape, mode, rule, FEW, MANY), effort) for shape in GROWN}
        yield max((report.Grown(mode, rule, m / f, f, m, shape) for shape, (m, f) in both.items()), key=_factor)


def _factor(grown: report.Grown) -> float:
    return grown.factor


def _paired(effort: Effort) -> Iterator[report.Paired]:
    for shape in RELATIONS:
        _say(f"pairing, {shape}")
        both = [_measured(relation(shape, name)(MANY), effort)[0] for name in ("maximum", "longest")]
        yield report.Paired(shape, *both)


def _solved(effort: Effort) -> Iterator[tuple[str, tuple[float, float]]]:
    for name, (make, limit) in STRUCTURES.items():
        _say(name)
        yield name, (_measured(Contest(make()), effort)[0], limit)


def _say(text: str) -> None:
    print(f"\r{text:100.100}", end="", file=sys.stderr, flush=True)


def _sections(effort: Effort, *, quick: bool) -> Iterator[str]:
    yield report.machine()
    for title, rows in TABLE.items():
        yield report.table(title, list(_lines(rows, effort)))
    yield report.growths(list(_grown(effort if quick else GROWTH, ("subset",) if quick else RULES)), FEW, MANY, FACTOR)
    yield report.pairings(list(_paired(effort)), MANY, PAIRING_MS)
    yield report.structures(dict(_solved(effort)))
    _say("imports")
    modules = ("trajmatch",) if quick else ("trajmatch", "agentevals.trajectory.match", "pydantic_evals.evaluators")
    yield report.imports(above_bare(modules, effort), loaded(), IMPORT_MS)


def main() -> None:
    """Measure, and print or write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds and rules, for a first look")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write the tables between the marks in this page")
    given = parser.parse_args()
    begin = perf_counter()
    peers.load()
    gc.collect()
    gc.freeze()  # what the peers hold is no burden to anybody's garbage collection
    text = "\n\n".join(_sections(QUICK if given.quick else FULL, quick=given.quick))
    _say(f"{perf_counter() - begin:.0f} s")
    print(file=sys.stderr)
    if given.write:
        report.write(given.write, text)
    else:
        print(text)


if __name__ == "__main__":
    main()

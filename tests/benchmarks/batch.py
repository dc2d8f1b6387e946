"""Measures the scoring of many runs: `python tests/benchmarks/batch.py [--runs FILE] [--quick] [--write PAGE]`.

Prints the tables on many runs, or writes them between the marks in a page. `--runs` names a file of real runs, one a
line with `actual` and `group`, plain or with gzip: each is matched against the next of its group. Not a test: nothing
here fails for being slow.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

import histories
import peers
import report
from timing import FULL, QUICK, Effort, interleaved

from trajmatch import Matcher, ToolCall, match
from trajmatch.batch import Scorer, score_file
from trajmatch.batch._json_text import parsed

BEGIN, END = "<!-- many runs: begin -->", "<!-- many runs: end -->"
CALLS = 20
MODES = ("exact", "unordered", "superset", "in_order")
"""Those of which agentevals has the like are set against it, too."""
HEADS = (
    *("lines", "mode", "passed", "json.loads µs", "score µs", "≤ 2.5 json.loads", "≥ 10 agentevals"),
    *("row µs", "by json.loads", "by agentevals"),
)
LIKE = {"unordered": "unordered", "superset": "superset"}
FILE_LINES, FEW, MANY = 20_000, 10_000, 1_000_000
LARGE, TOOLS, AGREE = 100_000, 12, 0.9


class Lines(NamedTuple):
    """Lines that are scored: what they are, and their JSON text."""

    name: str
    texts: Sequence[bytes]


def made(shape: str, count: int = 40, failing: int = 4) -> Lines:
    """Give lines of two histories of 20 calls in the shape; of forty, four differ in one argument."""
    texts = list[bytes]()
    for number in range(count):
        sides = histories.SHAPES[shape](CALLS)
        actual, expected = histories.openai(sides.actual), histories.openai(sides.expected, respaced=sides.respaced)
        if number < failing:
            called = next(message for message in expected if message.get("tool_calls"))
            called["tool_calls"][0]["function"]["arguments"] = '{"query": "something else", "limit": 3}'
        texts.append(json.dumps({"id": number, "actual": actual, "expected": expected}).encode())
    return Lines(f"made up, {shape}", texts)


def real(path: Path) -> Lines:
    """Give lines of two real runs of one task."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else open(path, encoding="utf-8") as file:
        runs = [run for line in file if (run := json.loads(line))["group"]]
    tasks: dict[str, list[Any]] = {}
    for run in runs:
        tasks.setdefault(run["group"], []).append(run)
    pairs = [pair for task in tasks.values() for pair in pairwise(task)]
    records = [{"id": one["id"], "actual": one["actual"], "expected": two["actual"]} for one, two in pairs]
    return Lines("real runs of one task", [json.dumps(record).encode() for record in records])


def per_line(lines: Lines, mode: str, effort: Effort) -> Iterator[str]:
    """Give rows of the table: the time of a line, for the score alone and for a row, by `json.loads` and agentevals."""
    matcher = Matcher(mode=mode)
    scorer = Scorer(matcher=matcher)
    evaluate = peers.trajectory_match("agentevals", LIKE[mode], "exact") if mode in LIKE else None

    def floor() -> list[Any]:
        return [json.loads(text) for text in lines.texts]

    def scores() -> list[Any]:
        return [matcher((record := parsed(text))["actual"], record["expected"]).score for text in lines.texts]

    def rows() -> list[Any]:
        return [scorer.row_of_json(text) for text in lines.texts]

    def theirs() -> list[Any]:
        return [evaluate((record := json.loads(text))["actual"], record["expected"]) for text in lines.texts]

    passed = sum(bool(row.passed) for row in rows()) / len(lines.texts)
    functions = [floor, scores, rows, theirs] if evaluate else [floor, scores, rows]
    least, score, row, *other = (seconds / len(lines.texts) * 1e6 for seconds in interleaved(functions, effort))
    beside = [f"{other[0] / taken:.1f}" if other else "" for taken in (score, row)]
    cells = [f"{least:.0f}", f"{score:.0f}", f"{score / least:.2f}", beside[0], f"{row:.0f}", f"{row / least:.2f}"]
    yield f"| {' | '.join([lines.name, mode, f'{passed:.0%}', *cells, beside[1]])} |"


def workers(directory: Path, rounds: int) -> Iterator[str]:
    """Give the row of one worker beside two, over a file."""
    source, lines = directory / "workers.jsonl", made("other spacing").texts
    source.write_bytes(b"\n".join(lines[number % len(lines)] for number in range(FILE_LINES)))
    seconds: dict[int, list[float]] = {1: [], 2: []}
    for number in [1, 2] * rounds:
        begin = perf_counter()
        score_file(source, directory / "results.jsonl", Scorer(matcher=Matcher(mode="unordered")), workers=number)
        seconds[number].append(perf_counter() - begin)
    one, two = median(seconds[1]), median(seconds[2])
    yield f"| {FILE_LINES:,} | {FILE_LINES / one:,.0f} | {FILE_LINES / two:,.0f} | {one / two:.2f} |"


MEMORY = """
import re, resource, sys
from pathlib import Path
from trajmatch import Matcher
from trajmatch.batch import Scorer, score_file
from trajmatch.batch._json_text import parsed

if __name__ == "__main__":
    score_file(*sys.argv[1:3], Scorer(matcher=Matcher(mode="in_order")), workers=2)
    own = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]  # of this program alone
    print(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def memory(directory: Path, counts: Sequence[int]) -> Iterator[str]:
    """Give rows of the table: the most memory of the process that writes, and of its largest worker."""
    calls = [{"name": f"f{i}", "arguments": {"query": "amber basil", "limit": i}} for i in range(4)]
    line = json.dumps({"id": "run", "actual": calls, "expected": calls[:3]}) + "\n"
    for count in counts:
        source = directory / f"{count}.jsonl"
        with open(source, "w", encoding="utf-8") as file:
            file.writelines(line for _ in range(count))
        begin = perf_counter()
        command = [sys.executable, "-c", MEMORY, source, directory / "results.jsonl"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        own, largest = (int(number) / 1024 for number in done.stdout.split())
        yield f"| {count:,} | {own:.0f} | {largest:.0f} | {perf_counter() - begin:.0f} |"
        source.unlink()


def large() -> Iterator[str]:
    """Give rows of the table: a run of very many calls against another, in each order-free mode."""
    rng = random.Random(0)

    def one(number: int) -> ToolCall:
        return ToolCall(f"tool_{rng.randrange(TOOLS)}", {"query": f"q{rng.randrange(10**9)}", "limit": number % 50})

    actual = [one(number) for number in range(LARGE)]
    expected = [called if rng.random() < AGREE else one(0) for called in actual]
    rng.shuffle(expected)
    for mode in ("unordered", "subset", "superset", "any_order"):
        begin = perf_counter()
        result = match(actual, expected, mode=mode)
        row = (result.passed, result.score, result.precision, result.recall)
        yield f"| {mode} | {row[3]:.3f} | {perf_counter() - begin:.2f} |"


def tables(runs: Path | None, *, quick: bool) -> str:
    """Give all tables."""
    effort, found = QUICK if quick else FULL, [made("identical texts"), made("other spacing"), made("shuffled")]
    found += [] if runs is None else [real(runs)]
    peers.load()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        parts = [
            "One line: parsed and matched to the score, and the whole row with its reason; `json.loads` is the floor.",
            "",
            f"| {' | '.join(HEADS)} |",
            "|---|---|---|---|---|---|---|---|---|---|",
            *(row for lines in found for mode in MODES for row in per_line(lines, mode, effort)),
            "",
            "One worker beside two, each with its start and with what is written:",
            "",
            "| lines | a second, one worker | a second, two | two by one ≥ 1.75 |",
            "|---|---|---|---|",
            *workers(directory, 1 if quick else 5),
            "",
            "The most memory that two workers and the process that writes take, each by itself:",
            "",
            "| lines | writes, MB | a worker, MB | seconds |",
            "|---|---|---|---|",
            *memory(directory, [FEW] if quick else [FEW, MANY]),
            "",
            f"A run of {LARGE:,} calls of {TOOLS} tools against another in another order, nine of ten the same:",
            "",
            "| mode | recall | seconds < 5 |",
            "|---|---|---|",
            *large(),
        ]
    return "\n".join([report.machine(), "", *parts])


def main(arguments: Sequence[str]) -> None:
    """Measure, and print or write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, help="real runs")
    parser.add_argument("--quick", action="store_true", help="measure less")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write the tables into a page")
    options = parser.parse_args(arguments)
    text = tables(options.runs, quick=options.quick)
    if options.write is None:
        print(text)
    else:
        page = options.write.read_text(encoding="utf-8")
        before, after = page.split(BEGIN)[0], page.split(END)[1]
        options.write.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

"""The measurements as the tables of docs/benchmarks.md."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import peers

import trajmatch

__all__ = ["Grown", "Line", "Paired", "growths", "imports", "machine", "pairings", "structures", "table", "write"]

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


class Line(NamedTuple):
    """One comparison: the seconds of both sides, `None` where the peer is not installed."""

    name: str
    count: int
    ours: float
    peer: str
    theirs: float | None
    ratio: float | None
    target: float | None
    at_most: bool


class Grown(NamedTuple):
    """How a match of many calls compares with one of few, in the shape where it grows most."""

    mode: str
    rule: str
    factor: float
    few: float
    many: float
    shape: str


class Paired(NamedTuple):
    """The seconds of a matching and of a longest common subsequence, over one relation."""

    shape: str
    maximum: float
    longest: float


def machine() -> str:
    """Say where and with what the figures were measured."""
    versions = ", ".join(f"{name} {peers.version(name)}" for name in peers.LIBRARIES)
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return (
        f"{python}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores; "
        f"trajmatch {trajmatch.__version__}, {versions}."
    )


def table(title: str, lines: Iterable[Line]) -> str:
    """Give one group of comparisons."""
    heads = ("measured", "calls", "trajmatch", "peer", "peer's time", "ratio", "target", "")
    return _markdown(title, heads, [_cells(line) for line in lines])


def _cells(line: Line) -> list[str]:
    bound = "≤" if line.at_most else "≥"
    return [
        line.name,
        f"{line.count:,}",
        _time(line.ours),
        line.peer,
        "not installed" if line.theirs is None else _time(line.theirs),
        "-" if line.ratio is None else _ratio(line.ratio),
        "-" if line.target is None else f"{bound} {line.target:g}",
        _verdict(line.ratio, line.target, at_most=line.at_most),
    ]


def growths(grown: Sequence[Grown], few: int, many: int, target: float) -> str:
    """Give how each mode grows under each rule."""
    heads = ("mode", "rule", f"{few:,} calls", f"{many:,} calls", "factor", "target", "", "worst shape")
    rows = [
        [
            one.mode,
            one.rule,
            _time(one.few),
            _time(one.many),
            _ratio(one.factor),
            f"≤ {target:g}",
            _verdict(one.factor, target, at_most=True),
            one.shape,
        ]
        for one in grown
    ]
    return _markdown("Growth, OpenAI dicts", heads, rows)


def pairings(paired: Sequence[Paired], count: int, target: float) -> str:
    """Give what the pairing itself costs, over relations of all shapes."""
    heads = ("relation", "`maximum`", "`longest`", "target", "")
    rows = [
        [
            one.shape,
            _time(one.maximum),
            _time(one.longest),
            f"≤ {target:g} ms",
            _verdict(1e3 * max(one.maximum, one.longest), target, at_most=True),
        ]
        for one in paired
    ]
    return _markdown(f"Pairing {count:,} calls with {count:,}", heads, rows)


def structures(solved: Mapping[str, tuple[float, float]]) -> str:
    """Give what it takes to solve structures: the seconds, and how many it may take."""
    heads = ("structure, against a run of 60 calls", "this library", "target", "")
    rows = [
        [name, _time(taken), f"≤ {_time(limit)}", _verdict(taken, limit, at_most=True)]
        for name, (taken, limit) in solved.items()
    ]
    return _markdown("Structures", heads, rows)


def imports(seconds: Mapping[str, float | None], loaded: Sequence[str], target: float) -> str:
    """Give what imports cost above bare Python, and what a plain match loads."""
    rows = []
    for module, taken in seconds.items():
        own = target if module == "trajmatch" else None
        rows.append(
            [
                f"`import {module}`",
                "not installed" if taken is None else f"{1e3 * taken:.0f} ms",
                "-" if own is None else f"≤ {own:g} ms",
                _verdict(None if taken is None else 1e3 * taken, own, at_most=True),
            ]
        )
    heavy = ", ".join(loaded) or "none"
    rows.append(["heavy packages in `sys.modules` after a plain match", heavy, "none", "not met" if loaded else "met"])
    return _markdown("Imports, fresh processes", ("", "above bare Python", "target", ""), rows)


def _verdict(value: float | None, target: float | None, *, at_most: bool) -> str:
    if value is None or target is None:
        return "-"
    return "met" if (value <= target if at_most else value >= target) else "**not met**"


def _time(seconds: float) -> str:
    micro = 1e6 * seconds
    return f"{micro:,.0f} µs" if micro < 10_000 else f"{micro / 1e3:,.0f} ms"


def _ratio(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.1f}" if ratio >= 10 else f"{ratio:.2f}"


def _markdown(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join([f"### {title}", "", *(f"| {' | '.join(line)} |" for line in lines)])


def write(page: Path, text: str) -> None:
    """Put the tables between the marks of a page."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{page} has no line {BEGIN} before a line {END}")
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")

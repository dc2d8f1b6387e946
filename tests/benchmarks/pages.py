"""Measures a report of many matches in a real browser: `python tests/benchmarks/pages.py [--write docs/pictures.md]`.

Prints the table of docs/pictures.md, or writes it between the marks in that page. Not a test: nothing here fails for
being slow. It needs Playwright and the Chromium of this machine.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import report
from playwright.sync_api import Browser, CDPSession, sync_playwright

from trajmatch import MatchResult, ToolCall, call, match, report_html

MATCHES, CALLS, ROUNDS = 2_000, 12, 7
TOOLS = ["search_hotels", "get_weather", "book_room", "send_mail", "read_file", "list_orders", "refund", "update_order"]
WORDS = ["guest", "quiet", "room", "with", "two", "beds", "near", "station", "pays", "by", "card", "on", "arrival"]
TARGETS = dict.fromkeys(["filter", "by", "clear", "search", "search,", "end"], 200.0) | {"open": 2_000.0}
"""How many milliseconds what begins with these words may take."""
ARGUMENTS = ["--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-quic", "--disable-background-networking"]

OPENED = """addEventListener("load", () => requestAnimationFrame(() => setTimeout(() => {
    window.openedAfter = performance.now();
})))"""
PAINTED = """() => new Promise((resolve) => {
    const search = document.querySelector("#search");
    const type = (text) => {
        search.value = text;
        search.dispatchEvent(new Event("input"));
    };
    const click = (selector) => document.querySelector(selector).click();
    const begin = performance.now();
    %s;
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begin)));
})"""
ACTIONS = {
    "filter by verdict": "click('#verdict [value=failed]')",
    "by kind as well": "click('#kinds [value=missing]')",
    "by tool as well": "click('.tools tbody th button')",
    "clear the filters": "click('#clear')",
    "search, for the first time": "type('station 17')",
    "search once more": "type('station 1')",
    "end the search": "type('')",
    "show all open": "click('#open')",
}


def _call(chance: random.Random) -> ToolCall:
    text = " ".join(chance.choices(WORDS, k=12))
    return call(chance.choice(TOOLS), id=chance.randrange(10_000), note=text, options={"nights": chance.randrange(9)})


def _changed(chance: random.Random, calls: list[ToolCall]) -> list[ToolCall]:
    """What an agent made of it: some calls left out, added, moved, with other arguments."""
    made = [one for one in calls if chance.random() > 0.1]
    made = [call(one.name, **(one.arguments or {}) | {"id": 0}) if chance.random() < 0.1 else one for one in made]
    made.insert(chance.randrange(len(made) + 1), _call(chance))
    made.append(made.pop(chance.randrange(len(made))))
    return made


def results() -> list[MatchResult]:
    """Give the matches, of which half pass."""
    chance = random.Random(7)
    runs = [[_call(chance) for _ in range(CALLS)] for _ in range(MATCHES)]
    return [
        match(_changed(chance, run) if at % 2 else run, run, mode="in_order", threshold=0.9)
        for at, run in enumerate(runs)
    ]


def _taken(function: Callable[[], Any]) -> tuple[float, Any]:
    begin = perf_counter()
    given = function()
    return 1e3 * (perf_counter() - begin), given


class Taken(NamedTuple):
    """Milliseconds until something was painted, and those that the page itself was at work."""

    passed: float
    worked: float


def _visit(browser: Browser, file: Path) -> dict[str, Taken]:
    """Open the page once, and give what each thing took."""
    tab = browser.new_page(viewport={"width": 1200, "height": 900})
    meter = tab.context.new_cdp_session(tab)
    meter.send("Performance.enable", {"timeDomain": "threadTicks"})
    tab.add_init_script(OPENED)
    tab.goto(file.as_uri())
    while not tab.evaluate("window.openedAfter"):
        tab.wait_for_timeout(20)
    taken = {"open the page": Taken(tab.evaluate("window.openedAfter"), _worked(meter))}
    tab.wait_for_timeout(1_000)
    for name, action in ACTIONS.items():
        before = _worked(meter)
        passed = tab.evaluate(PAINTED % action)
        taken[name] = Taken(passed, _worked(meter) - before)
    tab.close()
    return taken


def _worked(meter: CDPSession) -> float:
    metrics = {each["name"]: each["value"] for each in meter.send("Performance.getMetrics")["metrics"]}
    return 1e3 * metrics["TaskDuration"]


def _in_browser(page: str) -> tuple[str, dict[str, Taken]]:
    """Give the version of the browser, and the medians of each thing."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "report.html"
        file.write_text(page, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        visits = [_visit(browser, file) for _ in range(ROUNDS)]
        version = browser.version
        browser.close()
    columns = {name: zip(*(visit[name] for visit in visits), strict=True) for name in visits[0]}
    return version, {name: Taken(*map(median, each)) for name, each in columns.items()}


def _measured() -> str:
    found = results()
    lines = [one.to_json() for one in found]
    written, page = _taken(lambda: report_html(found))
    read, _ = _taken(lambda: report_html(lines))
    version, taken = _in_browser(page)
    rows = [
        f"| write the page, from results | {_time(written)} | | - |",
        f"| write the page, from lines of JSON | {_time(read)} | | - |",
        *(
            f"| {name} | {_time(each.passed)} | {_time(each.worked)} | {_target(name, each)} |"
            for name, each in taken.items()
        ),
    ]
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, CPython {platform.python_version()}"
    load = f"at a load of {os.getloadavg()[0]:.0f}"
    told = f"{MATCHES:,} matches of {CALLS} calls, of which half differ; a page of {len(page) / 1e6:.1f} MB"
    heads = ["| what | until it was painted | the page's own work | target |", "| --- | --- | --- | --- |"]
    return "\n".join([f"{told}; Chromium {version}, {machine}, {load}.", "", *heads, *rows])


def _time(milliseconds: float) -> str:
    return f"{milliseconds:,.0f} ms"


def _target(name: str, taken: Taken) -> str:
    limit = TARGETS.get(name.split()[0])
    return "-" if limit is None else f"≤ {_time(limit)}: {'met' if taken.passed <= limit else 'not met'}"


def main() -> None:
    """Measure, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write the table between the marks in this page")
    given = parser.parse_args()
    text = _measured()
    if given.write:
        report.write(given.write, text)
    else:
        print(text)


if __name__ == "__main__":
    main()

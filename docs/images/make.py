"""Make the pictures of the docs from the example of the shop: `python docs/images/make.py`.

The picture of the terminal is drawn from the lines of a `Picture`; that of the report needs Playwright and Chromium.
"""

from __future__ import annotations

import shutil
import sys
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from trajmatch import MatchResult, ToolCall, call, check_limits, match, write_report
from trajmatch.picture import Picture

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "examples"))

from shop import BAD_RUN, GOOD_RUN  # noqa: E402

EXPECTED = [call("look_up_order", order_id=7), "read_policy", call("refund", order_id=7, amount=40)]
COLUMN, LINE, EDGE = 8.4, 21, 20
STYLES = {
    "back": ("#ffffff", "#16181d"),
    "edge": ("#e2e5e9", "#2c3138"),
    "text": ("#1c2024", "#e6e8eb"),
    "head-passed": ("#157038", "#6fce8f"),
    "head-failed": ("#b3261e", "#ff9a91"),
    "pair": ("#1c2024", "#e6e8eb"),
    "moved": ("#1d5fae", "#8fbcf5"),
    "near-miss": ("#855500", "#e9bd62"),
    "missing": ("#b3261e", "#ff9a91"),
    "extra": ("#7b3aa6", "#d0a3ef"),
    "retried": ("#7b3aa6", "#d0a3ef"),
    "forbidden": ("#b3261e", "#ff9a91"),
    "remark": ("#5b636d", "#a3abb5"),
    "note": ("#5b636d", "#a3abb5"),
}
"""The colours on light and on dark ground."""


def calls(run: list[object]) -> list[ToolCall]:
    """Give the calls of a run of the example."""
    return [call(name, **arguments) for step in run if isinstance(step, list) for name, arguments in step]


GOOD, BAD = calls(GOOD_RUN), calls(BAD_RUN)
RUNS = {
    "refund of a lamp": GOOD,
    "refund of a lamp, once more": [GOOD[1], GOOD[0], GOOD[2]],
    "refund of a desk, asked twice": BAD,
    "refund without the policy": [GOOD[0], GOOD[2]],
    "refund of too much": [*GOOD[:2], call("refund", order_id=7, amount=120)],
    "a customer who only asks": GOOD[:2],
    "refund of the wrong order": [call("look_up_order", order_id=8), GOOD[1], call("refund", order_id=8, amount=120)],
    "refund after a failure": [ToolCall("look_up_order", {"order_id": 7}, status="failed"), *GOOD],
}


def results() -> dict[str, object]:
    """Give what the report of the docs shows."""
    found: dict[str, object] = {name: match(run, EXPECTED, mode="in_order") for name, run in RUNS.items()}
    return found | {"a budget of five calls": check_limits(BAD, max_tool_calls=5)}


def shown() -> MatchResult:
    """Give the match that the picture of the terminal shows."""
    return match(BAD, EXPECTED, mode="in_order")


def terminal(picture: Picture, width: int = 100) -> str:
    """Draw the lines of a picture as an SVG for light and dark ground."""
    lines = picture.lines(width)
    wide = max(sum(len(span.text) for span in line) for line in lines)
    size = (2 * EDGE + COLUMN * wide, 2 * EDGE + LINE * len(lines))
    shades = ["".join(f".{name}{{fill:{both[at]}}}" for name, both in STYLES.items()) for at in (0, 1)]
    texts = [text for row, line in enumerate(lines) for text in _texts(row, line)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]:g} {size[1]}" width="{size[0]:g}">',
            f"<title>{escape(picture.above[0])}</title>",
            f"<style>text{{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre}}{shades[0]}"
            f"@media(prefers-color-scheme:dark){{{shades[1]}}}.head-failed,.head-passed{{font-weight:600}}</style>",
            f'<rect class="edge" width="{size[0]:g}" height="{size[1]}" rx="9"/>',
            f'<rect class="back" x="1" y="1" width="{size[0] - 2:g}" height="{size[1] - 2}" rx="8"/>',
            *texts,
            "</svg>\n",
        ]
    )


def _texts(row: int, line: tuple[tuple[str, str], ...]) -> list[str]:
    found, column = [], 0
    for text, style in line:
        start, kept = column + len(text) - len(text.lstrip()), text.strip()
        if kept:
            place = (
                f'x="{EDGE + COLUMN * start:.1f}" y="{EDGE + LINE * row + 15}" textLength="{COLUMN * len(kept):.1f}"'
            )
            found.append(f'<text class="{style.replace(" ", "-") or "text"}" {place}>{escape(kept)}</text>')
        column += len(text)
    return found


def photograph(target: Path) -> None:
    """Take a picture of the report in Chromium, with one match open."""
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "report.html"
        write_report(results(), file, title="Refunds in the shop")
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": 1080, "height": 800}, color_scheme="light")
        page.goto(f"{file.as_uri()}#open=3")
        page.locator(".trajmatch").wait_for()
        page.screenshot(path=target, full_page=True)
        chromium.close()


if __name__ == "__main__":
    (HERE / "terminal.svg").write_text(terminal(shown().picture), encoding="utf-8")
    photograph(HERE / "report.png")

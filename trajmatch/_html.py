"""The picture of a match as HTML."""

from __future__ import annotations

from collections.abc import Iterator

from trajmatch._marks import Side, marked
from trajmatch._markup import Markup, policy, resource, tag
from trajmatch.picture import Picture, Row, Stretch

__all__ = ["picture_html", "picture_page"]

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
{title}
<style>{styles}</style>
</head>
<body class="tm-page">
<main>{picture}</main>
</body>
</html>
"""
_HEADS = Markup(
    '<thead><tr><th class="tm-sign"><span class="tm-said">kind</span></th>'
    '<th scope="col">expected</th><th scope="col">actual</th></tr></thead>'
)


def picture_page(picture: Picture) -> str:
    """Give a page that shows a picture, and needs nothing else."""
    styles = resource("picture.css")
    title = tag("title", {}, *picture.above[:1])
    return _PAGE.format(policy=policy(styles), title=title, styles=styles, picture=_shown(picture))


def picture_html(picture: Picture) -> str:
    """Give a picture to stand in another page, with its styles, which touch nothing else."""
    return _shown(picture, Markup(f"<style>{resource('picture.css')}</style>"))


def _shown(picture: Picture, styles: str = Markup()) -> Markup:
    verdict = "tm-passed" if picture.passed else "tm-failed"
    above = [
        tag("p", {"class": f"tm-head {verdict}" if at == 0 else "tm-note"}, text)
        for at, text in enumerate(picture.above)
    ]
    rows = [tag("table", {"class": "tm-rows"}, _HEADS, *_stretches(picture))] if picture.rows else []
    below = [tag("p", {"class": "tm-note"}, text) for text in picture.below]
    return tag("div", {"class": "trajmatch"}, styles, *above, *rows, *below)


def _stretches(picture: Picture) -> Iterator[Markup]:
    for stretch in picture.stretches():
        yield tag("tbody", {}, *map(_row, stretch.first), *_folded(stretch), *map(_row, stretch.last))


def _folded(stretch: Stretch) -> Iterator[Markup]:
    if stretch.folded:
        told = tag("summary", {}, f"{len(stretch.folded)} more {stretch.word}")
        rows = tag("table", {"class": "tm-rows"}, tag("tbody", {}, *map(_row, stretch.folded)))
        yield tag("tr", {"class": "tm-fold"}, tag("td", {"colspan": "3"}, tag("details", {}, told, rows)))


def _row(row: Row) -> Markup:
    expected, actual = map(_side, marked(row))
    told = [tag("ul", {"class": "tm-remarks"}, *(tag("li", {}, text) for text in row.remarks))] if row.remarks else []
    (expected if actual and not expected else actual).extend(told)
    return tag(
        "tr",
        {"class": f"tm-{row.kind.replace(' ', '-')}"},
        tag("td", {"class": "tm-sign"}, row.sign, tag("span", {"class": "tm-said"}, f" {row.kind}")),
        tag("td", {"class": "tm-expected"}, *expected),
        tag("td", {"class": "tm-actual"}, *actual),
    )


def _side(side: Side) -> list[Markup]:
    """The text of a side, with what differs in marks; nothing where there is no call."""
    parts = [tag("mark", {}, piece) if at % 2 else piece for at, piece in enumerate(side.pieces) if piece]
    shown = [tag("code", {}, *parts)] if parts else []
    if side.whole is not None:
        whole = tag("summary", {}, "whole text"), tag("code", {}, side.whole)
        shown.append(tag("details", {"class": "tm-whole"}, *whole))
    return shown

"""The report: one page for many matches, which needs nothing else."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from trajmatch._reported import Reported, reported
from trajmatch._script import EditKind
from trajmatch.errors import OptionError
from trajmatch.picture import Row, Stretch

__all__ = ["report_html", "write_report"]

_TITLE = "Agent runs"
_STYLES = ("picture.css", "report.css")
_SCRIPTS = ("elements.js", "summary.js", "report.js")


def write_report(results: object, path: str | os.PathLike[str], *, title: str = _TITLE) -> None:
    """Write the page that `report_html` gives into a file.

    Raises:
        ConversionError: Something in the results is no result.
        OptionError: The file cannot be written.
    """
    page = report_html(results, title=title)
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(page)
    except (OSError, ValueError) as error:
        text = f"path: the report cannot be written: {error}; name a file in a folder that exists"
        raise OptionError(text, option="path", value=path) from error


def report_html(results: object, *, title: str = _TITLE) -> str:
    """Give one page for many matches: a summary, filters, search, and the picture of each.

    Args:
        results: What is shown: results of matches and checks, what their `to_dict` or `to_json` gave, lists of these,
            or an object of names to these.
        title: The title of the page.

    Raises:
        ConversionError: Something in the results is no result; the text says where.

    >>> page = report_html({"lamps": match([call("search")], ["search", "book"])})
    """
    from string import Template

    from trajmatch._markup import policy, resource, tag

    found = [*reported(results)]
    styles, script = ("".join(map(resource, names)) for names in (_STYLES, _SCRIPTS))
    return Template(resource("report.html")).substitute(
        policy=policy(styles, script),
        title=tag("title", {}, title),
        heading=tag("h1", {}, title),
        passed=_passed(found),
        styles=styles,
        script=script,
        data=_data(found),
    )


def _passed(found: list[Reported]) -> str:
    return f"{sum(one.passed for one in found):,} of {len(found):,} passed"


def _data(found: Iterable[Reported]) -> str:
    """The data of the page as JSON that cannot end the element it stands in."""
    signs = {kind: Row(kind, "", "").sign for kind in get_args(EditKind)}
    text = json.dumps({"signs": signs, "matches": [*map(_match, found)]}, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _match(one: Reported) -> dict[str, Any]:
    picture = one.picture
    return _stated(
        {
            "name": one.name,
            "passed": one.passed,
            "score": one.score,
            "signature": one.signature,
            "counts": Counter(row.kind for row in picture.rows),
            "tools": _tools(picture.rows),
            "above": picture.above,
            "stretches": [*map(_stretch, picture.stretches())],
            "below": picture.below,
        }
    )


def _tools(rows: Iterable[Row]) -> dict[str, list[str]]:
    """The tools of each kind of row."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        found.setdefault(row.kind, {}).update(dict.fromkeys(row.tools))
    return {kind: [*tools] for kind, tools in found.items()}


def _stretch(stretch: Stretch) -> dict[str, Any]:
    rows = {"first": stretch.first, "folded": stretch.folded, "last": stretch.last}
    return _stated({name: [*map(_row, each)] for name, each in rows.items()} | {"word": stretch.word})


def _row(row: Row) -> dict[str, Any]:
    from trajmatch._marks import marked

    expected, actual = (_stated(side._asdict()) if any(side.pieces) else None for side in marked(row))
    return _stated({"kind": row.kind, "expected": expected, "actual": actual, "remarks": row.remarks})


def _stated(form: Mapping[str, Any]) -> dict[str, Any]:
    """What says something."""
    return {key: value for key, value in form.items() if value not in (None, [], ())}

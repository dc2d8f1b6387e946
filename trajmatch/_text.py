"""Values and calls as a person reads them: short, on one line, with nothing that could disturb a terminal."""

from __future__ import annotations

import json
from unicodedata import category, east_asian_width

from trajmatch._json_form import is_dict, is_list
from trajmatch._model import ToolCall
from trajmatch._paths import ABSENT
from trajmatch._shown import printable, shown
from trajmatch._stored import plain

__all__ = [
    "call_text",
    "columns",
    "common",
    "first_few",
    "fit",
    "name_text",
    "opened",
    "pad",
    "readable",
    "shorten",
    "shorten_around",
    "value_text",
]

LONG = 2_000
"""Text beyond this many characters is cut before it is looked at."""

_encoded = json.JSONEncoder(ensure_ascii=False).encode


class _Literal(str):
    """Text that is shown as it is, without quotes."""


def value_text(value: object) -> str:
    """Give a value as JSON, and what has no JSON form as it was written."""
    try:
        return printable(_json(plain(value, _as_written, LONG)))
    except Exception:  # too deep, or a value that raises when somebody looks at it
        return printable(f"<{type(value).__name__}>")


def readable(value: object) -> object:
    """Give a value in the types of JSON, and what has no JSON form, or is nested too deep, as text."""
    try:
        form = plain(value, shown, 10 * LONG)
        json.dumps(form)
    except Exception:  # too deep, or a value that raises when somebody looks at it
        return value_text(value)
    return form


def _as_written(value: object) -> object:
    return _Literal("absent" if value is ABSENT else shown(value, LONG))


def _json(value: object) -> str:
    if isinstance(value, _Literal):
        return value
    if is_dict(value):
        return "{" + ", ".join(f"{_encoded(k)}: {_json(v)}" for k, v in value.items()) + "}"
    if is_list(value):
        return "[" + ", ".join(map(_json, value)) + "]"
    return _encoded(value[:LONG] if isinstance(value, str) else value)


def name_text(name: object, width: int = 40) -> str:
    """Give the name of a tool, a role or a path, short and printable."""
    return shorten(printable(str(name)[:LONG]), width)


def call_text(call: ToolCall) -> str:
    """Give `search(q="cats")`; a bare name where the arguments are not stated."""
    name, arguments = printable(call.name[:LONG]), call.arguments
    if arguments is None:
        return name if call.raw_arguments is None else f"{name}(not an object: {value_text(call.raw_arguments)})"
    return f"{name}({', '.join(f'{_key(key)}={value_text(value)}' for key, value in arguments.items())})"


def _key(key: object) -> str:
    return key if isinstance(key, str) and key.isidentifier() else value_text(key)


def opened(text: str) -> tuple[str, str]:
    """Give the position and the name of a numbered call, up to its arguments, and the rest."""
    start = text.find("(", 1) + 1
    return text[:start], text[start:]


def columns(text: str) -> int:
    """Count the columns of a terminal that text takes."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(c) in "WF" else category(c) not in ("Mn", "Me", "Cf") for c in text)


def shorten(text: str, width: int) -> str:
    """Cut text to so many columns of a terminal, with an ellipsis; the end of a call stays closed."""
    longest = 4 * width  # of characters, most of which take no column
    if columns(text) <= width and len(text) <= longest:
        return text
    end = "…)" if text.endswith(")") else "…"
    kept, left = 0, width - len(end)
    while kept < longest and (taken := columns(text[kept])) <= left:
        kept, left = kept + 1, left - taken
    return text[:kept] + end


def common(text: str, other: str) -> int:
    """Count the characters with which two texts begin alike."""
    return next((n for n, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))


def shorten_around(text: str, other: str, width: int) -> str:
    """Cut text so that the first place where it differs from another stays in sight."""
    same = common(text, other)
    if same > 2 * width // 3 and len(text) > width:
        text = f"…{text[same - width // 3 :]}"
    return shorten(text, width)


def first_few(texts: list[str], most: int) -> list[str]:
    """Give the first texts, and say how many more there are."""
    return [*texts[:most], f"and {len(texts) - most} more"] if len(texts) > most else texts


def pad(text: str, width: int) -> str:
    """Fill text up to so many columns of a terminal."""
    return text + " " * (width - columns(text))


def fit(texts: list[str], most: int) -> int:
    """Give the width of a column that holds these texts, and is not wider than `most`."""
    return min(max(map(columns, texts), default=0), most)

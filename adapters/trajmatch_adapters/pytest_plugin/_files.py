"""Golden files: where they lie, and how they are written.

`golden_trajectories/test_shop/test_books[Rome].json` lies beside `test_shop.py`; a second run of one test has `--2`, or
`--` and its name, before the suffix.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import pytest

from trajmatch_adapters.pytest_plugin._session import FOLDER

__all__ = ["as_text", "file_of", "folder_of", "owns", "shown", "stem_of", "stored"]

_UNSAFE = re.compile(r"[^\w.,=+@ \[\]-]|\s(?=[\].]|$)", re.ASCII)
"""What a file name had better not hold, on any system."""
_OPERATOR = re.compile(r'\{\n *("\$\w+": [^\n\[{]+)\n *\}')
"""An operator with a plain operand, over three lines; it is written in one. No text in JSON holds a line break."""
_LONGEST = 120
_APART = "--"
"""Stands between the test and the name of a run in it."""


def folder_of(module: Path) -> Path:
    """Give the folder of the golden files of a test module."""
    return module.parent / FOLDER / module.stem


def stem_of(nodeid: str) -> str:
    """Give the name of a test in a file name: `TestShop::test_books[Rome]` is `TestShop.test_books[Rome]`.

    Two tests never share it: where characters had to be replaced, a checksum of the whole follows.
    """
    names, bracket, parameters = nodeid.partition("::")[2].partition("[")
    return _safe(names.replace("::", ".") + bracket + parameters)


def shown(file: Path, config: pytest.Config) -> str:
    """Give a file as it is written on the command line: from where pytest was called."""
    try:
        return Path(os.path.relpath(file, config.invocation_params.dir)).as_posix()
    except ValueError:  # on another drive
        return str(file)


def _safe(text: str) -> str:
    safe = _UNSAFE.sub("-", text)
    if safe == text and len(text) <= _LONGEST and _APART not in text:
        return text
    checksum = f"{zlib.crc32(text.encode('utf-8', 'backslashreplace')):08x}"
    return f"{re.sub('-{2,}', '-', safe[:_LONGEST]).rstrip('-')}-{checksum}"


def file_of(module: Path, nodeid: str, name: str) -> Path:
    """Give the golden file of a run in a test; the only run of a test has no name."""
    more = f"{_APART}{_safe(name)}" if name else ""
    return folder_of(module) / f"{stem_of(nodeid)}{more}.json"


def owns(stem: str, file: Path) -> bool:
    """Say whether a file is one of the test with this stem."""
    return file.stem == stem or file.stem.startswith(stem + _APART)


def stored(file: Path) -> Any:
    """Give what a golden file holds.

    Raises:
        ConversionError: It cannot be read, or is no JSON.
    """
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        from trajmatch import ConversionError

        raise ConversionError(f"{file}: this golden file cannot be read; mend or remove it: {error}") from error


def as_text(calls: Iterable[object]) -> str:
    """Give calls as the text of a golden file: the name of a tool before its arguments, and these sorted."""
    entries = [_sorted_arguments(entry) for entry in calls]
    text = json.dumps(entries, indent=2, ensure_ascii=False)
    if not _is_unicode(text):
        text = json.dumps(entries, indent=2)
    return _OPERATOR.sub(r"{\1}", text) + "\n"


def _is_unicode(text: str) -> bool:
    """Say whether text can be written; half a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _sorted_arguments(entry: object) -> object:
    if not isinstance(entry, dict):
        return entry
    call = cast("dict[str, object]", entry)
    return call | {"arguments": _sorted(call["arguments"])} if "arguments" in call else call


def _sorted(value: object) -> object:
    if isinstance(value, dict):
        inside = cast("dict[str, object]", value)
        return {key: _sorted(inside[key]) for key in sorted(inside)}
    return [*map(_sorted, cast("list[object]", value))] if isinstance(value, list) else value

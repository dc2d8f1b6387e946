"""What is written on a command line: rules, pairs of names, calls and arguments."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trajmatch import OptionError
from trajmatch.reading import did_you_mean
from trajmatch_adapters.cli._answer import Answer
from trajmatch_adapters.cli._options import RULES

__all__ = ["call_of", "json_of", "pairs_of", "rule_of", "to_file"]


def rule_of(option: str, written: Sequence[str] | None) -> Any:
    """Give the rule that was written: a word, key paths with commas between them, or JSON; `None` where none was.

    Raises:
        OptionError: A word that is nearly a rule, since a typo is no key path; a rule beside something else; text that
            should be JSON.
    """
    if not written:
        return None
    if len(written) == 1 and written[0].lstrip()[:1] in ("[", "{"):
        return json_of(option, written[0])
    paths = [path.strip() for text in written for path in text.split(",")]
    if len(paths) == 1:
        return _one_word(option, paths[0])
    for path in paths:
        if path in RULES:
            raise OptionError(f"{option}: {path!r} is a rule and stands alone; beside it are {paths}", option=option)
    return paths


def _one_word(option: str, word: str) -> str | list[str]:
    """Give the rule that a word names, or the key path that it is."""
    if word not in RULES and (near := did_you_mean(word, RULES)):
        text = f"{option}: {word!r} is no rule{near}; as a key path it is written '{json.dumps([word])}'"
        raise OptionError(text, option=option, value=word)
    return word if word in RULES else [word]


def pairs_of(option: str, written: Sequence[str] | None, sides: str) -> dict[str, str]:
    """Give what was written as `name=value`, several times.

    Raises:
        OptionError: There is no `=`, or one name twice.
    """
    pairs: dict[str, str] = {}
    for text in written or ():
        name, sign, what = text.partition("=")
        if not sign:
            raise OptionError(f"{option}: write {sides}, got {text!r}", option=option, value=text)
        if name in pairs:
            raise OptionError(f"{option}: {name!r} is there twice", option=option, value=text)
        pairs[name] = what
    return pairs


def call_of(option: str, text: str) -> Any:
    """Give a call that was written as the name of a tool, or as JSON.

    Raises:
        OptionError: Text that should be JSON.
    """
    return json_of(option, text) if text.lstrip().startswith("{") else text


def json_of(option: str, text: str) -> Any:
    """Give what JSON text holds.

    Raises:
        OptionError: It is no JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise OptionError(f"{option}: {text!r:.80} is no JSON: {error}", option=option, value=text) from error


def to_file(output: str | None, text: str) -> Answer:
    """Give text as the answer, or write it to a file.

    Raises:
        OptionError: The file cannot be written.
    """
    if output is None:
        return Answer(text=text)
    try:
        Path(output).write_text(f"{text}\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        told = getattr(error, "strerror", None) or error
        raise OptionError(f"--output: {output!r} cannot be written: {told}", option="output", value=output) from error
    return Answer()

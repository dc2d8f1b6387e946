"""The options that commands share, from the library's own words, and how they are written on a command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from trajmatch import ArgumentsRule, CallsOption, FileKind, MatchOptions

__all__ = [
    "KINDS",
    "RULES",
    "ArgsOption",
    "AtOption",
    "CallsWord",
    "FileArgument",
    "FormatOption",
    "JsonOption",
    "KindOption",
    "LineOption",
    "OutputOption",
    "ToOption",
    "complete",
    "complete_format",
    "complete_written",
    "described",
    "words",
    "words_option",
]


def words(kind: object) -> tuple[str, ...]:
    """Give the words that a type of the library names.

    >>> from trajmatch_adapters.cli._options import words
    >>> words(CallsOption)
    ('all', 'succeeded')
    """
    if get_origin(kind) is Literal:
        return get_args(kind)
    return tuple(word for inner in get_args(kind) for word in words(inner))


def described(option: str) -> str:
    """Give what the library says of an option of a match.

    >>> from trajmatch_adapters.cli._options import described
    >>> described("calls")
    'Which calls of actual count; all by default.'
    """
    entries = re.findall(r"^ {8}(\w+): (.+?)(?=\n {8}\w|\n* *\Z)", MatchOptions.__doc__ or "", re.MULTILINE | re.DOTALL)
    text = " ".join(dict(entries).get(option, "").split())
    text = re.sub(r" See `\w+`\.|`", "", text)
    return re.sub(r'\("(\w+)",\)', r"\1", text)  # a tuple of one word


def complete(choices: Iterable[str]) -> Callable[[str], list[str]]:
    """Give what a shell asks for the words that begin with what was typed."""
    return lambda incomplete: [word for word in choices if word.startswith(incomplete)]


def words_option(name: str, choices: Iterable[str], text: str) -> Any:
    """Give an option that takes one of these words; a wrong one is left to the library, which knows the nearest."""
    shown = f"{text} [{', '.join(choices)}]"
    return typer.Option(name, help=shown, metavar="WORD", autocompletion=complete(choices))


def complete_format(incomplete: str) -> list[str]:
    """Give the formats that this distribution reads, and that begin with what was typed."""
    from pkgutil import iter_modules

    from trajmatch_adapters import histories

    return complete(sorted(module.name for module in iter_modules(histories.__path__)))(incomplete)


def complete_written(incomplete: str) -> list[str]:
    """Give the formats that this distribution writes, and that begin with what was typed."""
    from importlib import import_module

    package = "trajmatch_adapters.histories"
    return [name for name in complete_format(incomplete) if hasattr(import_module(f"{package}.{name}"), "write")]


RULES = words(ArgumentsRule)
"""The rules that have a name."""
KINDS = words(FileKind)
"""What a file may hold."""

FileArgument = Annotated[str, typer.Argument(metavar="FILE", help="The run: JSON, JSONL or YAML; - is standard input.")]
FormatOption = Annotated[
    str | None,
    typer.Option("--format", help="The format of the history, where it is not clear.", autocompletion=complete_format),
]
ToOption = Annotated[
    str | None,
    typer.Option(
        "--to", metavar="FORMAT", help="Print messages of this format, OpenAI's say.", autocompletion=complete_written
    ),
]
KindOption = Annotated[
    str | None, words_option("--kind", KINDS, "What the file holds, where its suffix does not say it.")
]
LineOption = Annotated[
    int | None,
    typer.Option("--line", metavar="N", help="Which run of a list of runs, or of a file of a run a line, from 1."),
]
AtOption = Annotated[
    str | None,
    typer.Option("--at", metavar="PATH", help="Where the run is in the file, as in outputs.messages."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
CallsWord = Annotated[str | None, words_option("--calls", words(CallsOption), described("calls"))]
ArgsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--args",
        help=f"{described('args')} [{', '.join(RULES)}, key paths with commas between them, or JSON]",
        metavar="RULE",
        autocompletion=complete(RULES),
    ),
]
OutputOption = Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file.")]

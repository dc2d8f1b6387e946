"""The application: its commands, and what becomes of their answers and errors."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated, Any, cast

import typer
from typer.main import get_command

from trajmatch_adapters.cli._answer import Answer, put
from trajmatch_adapters.cli._texts import one_line

__all__ = ["COMMANDS", "application", "run"]

COMMANDS = ("show", "match", "check", "score", "compare", "report", "convert", "schema")
"""The commands: `_show` holds the function `show`, whose docstring is its help."""

_CLOSED = 141
"""What shells give for a process that a closed pipe ended."""


def run(arguments: Sequence[str]) -> int:
    """Run the command, and give its exit status."""
    try:
        command = get_command(application(_needed(arguments)))
        return _status(command.main([*arguments] or ["--help"], prog_name="trajmatch", standalone_mode=False))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would complain when it ends
        return _CLOSED
    except Exception as error:
        if [*arguments][:1] == ["--debug"]:
            traceback.print_exc()
        elif cast("object", sys.stderr) is not None:
            sys.stderr.write(f"trajmatch: {_told(error)}\n")
        return 2


def _needed(arguments: Sequence[str]) -> Sequence[str]:
    """The commands whose modules are needed: the one that is asked for, or all, to name them."""
    if [*arguments] == ["--version"]:
        return ()
    word = next((argument for argument in arguments if not argument.startswith("-")), "")
    return (word,) if word in COMMANDS else COMMANDS


def application(commands: Iterable[str] = COMMANDS) -> typer.Typer:
    """Give the application with these commands."""
    app = typer.Typer(
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    for name in commands:
        app.command(name)(getattr(import_module(f"{__package__}._{name}"), name))
    return app


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"trajmatch {version('trajmatch')}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Let an error show where in the code it was raised.")] = False,
) -> None:
    """Tell whether an agent did the right thing, from its message history.

    Exit status: 0 passes, 1 differs, 2 could not be done.
    """


def _status(answer: Any) -> int:
    """Print what a command gave; what is no answer is the status of an option like --help."""
    if not isinstance(answer, Answer):
        return int(answer or 0)
    put(answer)
    return 0 if answer.passed else 1


def _told(error: Exception) -> str:
    """Say in one line what went wrong, and what helps."""
    from trajmatch import OptionError, TrajmatchError
    from trajmatch_adapters.cli._spelled import spelled

    if isinstance(error, OptionError):
        return one_line(spelled(str(error)))
    if isinstance(error, TrajmatchError):
        return one_line(str(error))
    if told := getattr(error, "format_message", None):  # a wrong use of the command
        context = getattr(error, "ctx", None)
        return one_line(f"{told()} See {context.command_path if context else 'trajmatch'} --help")
    if isinstance(error, OSError):
        return one_line(f"the answer cannot be written: {error.strerror or error}")
    return one_line(f"{type(error).__name__}: {error}; trajmatch --debug COMMAND shows where")

"""The options of `trajmatch match`, one for each option of a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

import typer

from trajmatch import MatchOptions, ModeName, load
from trajmatch_adapters.cli._options import described, words, words_option
from trajmatch_adapters.cli._written import pairs_of, rule_of

__all__ = [
    "Aliases",
    "AllowExtra",
    "AllowMissing",
    "IgnoreRoles",
    "Mode",
    "Overrides",
    "PerTurn",
    "Prefixes",
    "Threshold",
    "Tools",
    "match_options",
]


def _many(name: str, metavar: str, option: str) -> Any:
    return typer.Option(name, metavar=metavar, help=f"{described(option)} Repeat it.")


def _flag(name: str, option: str) -> Any:
    return typer.Option(name, help=described(option))


Mode = Annotated[str | None, words_option("--mode", words(ModeName), described("mode"))]
Overrides = Annotated[list[str] | None, _many("--override", "TOOL=RULE", "overrides")]
Threshold = Annotated[float | None, typer.Option(metavar="NUMBER", help=described("threshold"))]
AllowExtra = Annotated[bool, _flag("--allow-extra", "allow_extra")]
AllowMissing = Annotated[bool, _flag("--allow-missing", "allow_missing")]
IgnoreRoles = Annotated[list[str] | None, _many("--ignore-role", "ROLE", "ignore_roles")]
Aliases = Annotated[list[str] | None, _many("--alias", "OTHER=NAME", "aliases")]
Prefixes = Annotated[list[str] | None, _many("--prefix", "TEXT", "prefixes")]
Tools = Annotated[str | None, typer.Option("--tools", metavar="FILE", help=described("tools"))]
PerTurn = Annotated[bool, _flag("--per-turn", "per_turn")]


def match_options(written: Mapping[str, Any]) -> MatchOptions:
    """Give the options of a match from what was written; what was not is left out, and has its default.

    Raises:
        OptionError: Something that cannot be read.
        ConversionError: A file of tools that cannot be read.
    """
    rules = pairs_of("--override", written["overrides"], "TOOL=RULE")
    read: dict[str, Any] = {
        "args": rule_of("--args", written["args"]),
        "overrides": {tool: rule_of(f"--override {tool}", [rule]) for tool, rule in rules.items()} or None,
        "aliases": pairs_of("--alias", written["aliases"], "OTHER=NAME") or None,
        "tools": None if written["tools"] is None else load(written["tools"]),
        "prefixes": written["prefixes"] or None,
        "ignore_roles": written["ignore_roles"] or None,
    }
    given = {name: read.get(name, option) for name, option in written.items()}
    return cast(
        "MatchOptions", {name: option for name, option in given.items() if option is not None and option is not False}
    )

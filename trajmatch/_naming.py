"""Names of tools: which different names mean one tool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, cast

from trajmatch._access import is_mapping
from trajmatch._columns import Calls
from trajmatch.errors import OptionError

__all__ = ["AS_WRITTEN", "Naming", "parse_naming"]


class Naming(NamedTuple):
    """How the name of a tool is read before it is compared.

    Attributes:
        aliases: Names, with the name of the tool that they mean.
        prefixes: What a name may begin with that does not count, the longest first.
    """

    aliases: Mapping[str, str]
    prefixes: tuple[str, ...]

    def read(self, name: str) -> str:
        """Give the tool that a name means: what it is an alias for, without its prefix; the rest may be an alias."""
        meant = self.aliases.get(name, name)
        bare = next((meant.removeprefix(start) for start in self.prefixes if meant.startswith(start)), meant) or meant
        return self.aliases.get(bare, bare)

    def unused(self, names: Iterable[str]) -> list[str]:
        """Give the aliases and prefixes that none of these names has."""
        found = {*names}
        bare = {rest for name in found for start in self.prefixes if (rest := name.removeprefix(start)) != name}
        idle = [f"the alias {alias!r}" for alias in self.aliases if alias not in found | bare]
        return idle + [f"the prefix {p!r}" for p in self.prefixes if not any(n.startswith(p) for n in found)]

    def renamed(self, calls: Calls) -> Calls:
        """Give calls with the names of their tools read."""
        return calls.renamed(self.read) if self.aliases or self.prefixes else calls

    @property
    def signature(self) -> list[str]:
        """What a score depends on."""
        aliases = ",".join(f"{alias}={tool}" for alias, tool in sorted(self.aliases.items()))
        prefixes = ",".join(sorted(self.prefixes))
        return [f"{word}:{text}" for word, text in (("aliases", aliases), ("prefixes", prefixes)) if text]


AS_WRITTEN = Naming({}, ())
"""Names mean what they say."""


def parse_naming(aliases: object, prefixes: object) -> Naming:
    """Give the record of the options `aliases` and `prefixes`.

    Raises:
        OptionError: Something else than names, an alias for itself or for another alias, or a bare text of prefixes.
    """
    naming = Naming(_aliases(aliases), _prefixes(prefixes))
    return AS_WRITTEN if naming == AS_WRITTEN else naming


def _aliases(value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not is_mapping(value):
        raise OptionError(
            f"aliases: a mapping of names to names of tools, got {value!r}", option="aliases", value=value
        )
    for alias, tool in value.items():
        for name in (alias, tool):
            if not isinstance(cast("object", name), str) or not name:
                raise OptionError(f"aliases: {name!r} is no name of a tool", option="aliases", value=value)
        if tool in value:
            raise OptionError(
                f"aliases: {alias!r} means {tool!r}, which is an alias itself; name the tool that both mean",
                option="aliases",
                value=value,
            )
    return {**value}


def _prefixes(value: object) -> tuple[str, ...]:
    given = cast("Sequence[object]", value)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        words = [prefix for prefix in given if isinstance(prefix, str) and prefix]
        if len(words) == len(given):
            return tuple(sorted({*words}, key=len, reverse=True))
    raise OptionError(f"prefixes: a list of texts that are not empty, got {given!r}", option="prefixes", value=given)

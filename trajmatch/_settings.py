"""The options of a match, typed once and checked when a matcher is built."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypedDict, cast

from trajmatch._access import is_mapping
from trajmatch._counting import CallsOption, Counting, parse_counting
from trajmatch._message import fold_role
from trajmatch._modes import ALL_MODES, MODES, Mode, ModeName
from trajmatch._naming import Naming, parse_naming
from trajmatch._nearest import choose, did_you_mean
from trajmatch._rules import ArgumentsRule, Rule, parse_rule
from trajmatch._tool_rules import Rules
from trajmatch._tool_schema import ToolSchema
from trajmatch._tools import parse_tools
from trajmatch.errors import OptionError

__all__ = ["DEFAULTS", "SYSTEM", "MatchOptions", "Settings", "check_known", "parse_settings"]

SYSTEM = frozenset({"system"})
SEMANTICS = 1
"""Changes when a score can change."""


class MatchOptions(TypedDict, total=False):
    """The options of `match`, `Matcher` and `assert_match`.

    Attributes:
        mode: How the runs are matched; `exact` by default. See `ModeName`.
        args: When the arguments of two calls are the same; `exact` by default. See `ArgumentsRule`.
        overrides: Rules for single tools.
        calls: Which calls of actual count; `all` by default. See `CallsOption`.
        threshold: The score from which a graded mode passes, 0 to 1; 1.0 by default.
        allow_extra: In a graded mode, extra calls cost nothing: the score is the recall.
        allow_missing: In a graded mode, missing calls cost nothing: the score is the precision.
        ignore_roles: In `strict`, messages of these roles are left out; `("system",)` by default.
        aliases: Other names of tools, with the name that they mean, on both sides and in `overrides`.
        prefixes: What the name of a tool may begin with that does not count, like `mcp__web__`.
        tools: The definitions of the tools, whose JSON Schemas say more of their arguments: tools of LangChain and of
            Pydantic AI, the dicts that OpenAI, Anthropic and MCP know, or JSON Schemas and pydantic models by the names
            of the tools.
        per_turn: The expectation holds one for each turn of the run (a turn starts at a user message), and calls pair
            within their turn.
    """

    mode: ModeName
    args: ArgumentsRule
    overrides: Mapping[str, ArgumentsRule] | None
    calls: CallsOption
    threshold: float
    allow_extra: bool
    allow_missing: bool
    ignore_roles: Collection[str]
    aliases: Mapping[str, str] | None
    prefixes: Sequence[str]
    tools: Sequence[object] | Mapping[str, object] | None
    per_turn: bool


DEFAULTS: MatchOptions = {
    "mode": "exact",
    "args": "exact",
    "overrides": None,
    "calls": "all",
    "threshold": 1.0,
    "allow_extra": False,
    "allow_missing": False,
    "ignore_roles": ("system",),
    "aliases": None,
    "prefixes": (),
    "tools": None,
    "per_turn": False,
}


class _Checked(NamedTuple):
    """Options that were checked; `written` as the user gave them."""

    mode_name: str
    naming: Naming
    tools: Mapping[str, ToolSchema]
    rules: Rules
    counting: Counting
    threshold: float
    allow_extra: bool
    allow_missing: bool
    ignore_roles: frozenset[str]
    per_turn: bool
    written: MatchOptions


class Settings(_Checked):
    """Options that were checked, to be sent to another process as they were written; not slotted, to keep a text."""

    def __reduce__(self) -> tuple[object, ...]:
        return parse_settings, (self.written,)

    @property
    def mode(self) -> Mode:
        """The row of the table of modes."""
        return ALL_MODES[self.mode_name]

    def for_structure(self) -> Settings:
        """Give the settings for an expectation that is a structure.

        Raises:
            OptionError: A mode was given.
        """
        if "mode" in self.written:
            raise OptionError(
                "mode has no effect beside a structure, which carries its own order",
                option="mode",
                value=self.mode_name,
            )
        return self._replace(mode_name="structure")

    def check_effect(self, *, graded: bool) -> None:
        """Refuse what could have no effect in this mode.

        Args:
            graded: There is a graded score, or may be: without a mode the expectation may be a structure.

        Raises:
            OptionError: There is something.
        """
        mode = self.mode
        idle = {
            "threshold": not graded and self.threshold != 1.0,
            "allow_extra": not graded and self.allow_extra,
            "allow_missing": not graded and self.allow_missing,
            "ignore_roles": not mode.by_message and self.ignore_roles != SYSTEM,
        }
        for name, is_idle in idle.items():
            if is_idle:
                where = choose(n for n, m in MODES.items() if (m.by_message if name == "ignore_roles" else m.graded))
                raise OptionError(
                    f"{name} has no effect in the mode {self.mode_name!r}; it belongs to {where}",
                    option=name,
                    value=self.written.get(name),
                )
        if self.allow_extra and self.allow_missing:
            raise OptionError(
                "allow_extra and allow_missing: one of them; together everything passes",
                option="allow_extra",
                value=True,
            )
        if "assistant" in self.ignore_roles:
            raise OptionError(
                "ignore_roles: without assistant messages there is nothing to match",
                option="ignore_roles",
                value=self.written.get("ignore_roles"),
            )

    @cached_property
    def signature(self) -> str:
        """What a score depends on, so that two scores are comparable or visibly not."""
        return self.signature_with([])

    def signature_with(self, own: Iterable[str]) -> str:
        """Give the signature of a match in which expected calls have rules of their own."""
        overrides = [f"{tool}={rule.text}" for tool, rule in self.rules.overrides.items()]
        rules = [self.rules.default.text, *overrides, *own]
        parts = [f"mode:{self.mode_name}", f"args:{','.join(rules)}", f"calls:{self.counting.text}"]
        if self.allow_extra or self.allow_missing:
            parts.append("allow:extra" if self.allow_extra else "allow:missing")
        if self.ignore_roles != SYSTEM:
            parts.append(f"ignore_roles:{','.join(sorted(self.ignore_roles))}")
        if self.per_turn:
            parts.append("per_turn")
        if self.rules.schemas:
            known = sorted(self.rules.schemas.items())
            parts.append(f"tools:{','.join(f'{tool}={schema.text}' for tool, schema in known)}")
        return "|".join([*parts, *self.naming.signature, f"semantics:{SEMANTICS}"])


_ELSEWHERE = {
    "ignore_args": "args",
    "include_failed": "calls",
    "match_mode": "args",
    "order": "mode",
    "tool_args_match_mode": "args",
    "tool_args_match_overrides": "overrides",
    "trajectory_match_mode": "mode",
}
"""Words of other libraries for these options."""


def check_known(options: Mapping[str, object], known: Collection[str]) -> None:
    """Refuse options that do not exist.

    Raises:
        OptionError: With the nearest word.
    """
    for name, value in options.items():
        if name not in known:
            raise OptionError(
                f"there is no option {name!r}{did_you_mean(_ELSEWHERE.get(name, name), known)}; "
                f"there are {choose(known)}",
                option=name,
                value=value,
            )


def parse_settings(options: MatchOptions) -> Settings:
    """Check the options of a match.

    Raises:
        OptionError: An option that does not exist, has a wrong value, or could have no effect in this mode.
    """
    check_known(options, DEFAULTS)
    given = cast("dict[str, Any]", {**DEFAULTS, **options})
    naming = parse_naming(given["aliases"], given["prefixes"])
    tools = parse_tools(given["tools"], naming)
    telling = {tool: schema for tool, schema in tools.items() if schema.matters}
    settings = Settings(
        mode_name=_mode(given["mode"]),
        naming=naming,
        tools=tools,
        rules=Rules(parse_rule(given["args"], "args"), _overrides(given["overrides"], naming), telling),
        counting=parse_counting(given["calls"]),
        threshold=_threshold(given["threshold"]),
        allow_extra=_flag("allow_extra", given["allow_extra"]),
        allow_missing=_flag("allow_missing", given["allow_missing"]),
        ignore_roles=_roles(given["ignore_roles"]),
        per_turn=_flag("per_turn", given["per_turn"]),
        written=options,
    )
    settings.check_effect(graded=settings.mode.graded or "mode" not in options)
    return settings


def _mode(value: object) -> str:
    if isinstance(value, str) and value in MODES:
        return value
    raise OptionError(
        f"mode: {value!r} is no mode{did_you_mean(value, MODES)}; there are {choose(MODES)}", option="mode", value=value
    )


def _overrides(value: object, naming: Naming) -> dict[str, Rule]:
    if value is None:
        return {}
    if not is_mapping(value):
        raise OptionError(f"overrides: a mapping of tools to rules, got {value!r}", option="overrides", value=value)
    names: list[object] = [*value]
    for tool in names:
        if not isinstance(tool, str) or not tool:
            raise OptionError(f"overrides: {tool!r} is no name of a tool", option="overrides", value=value)
    rules: dict[str, Rule] = {}
    for written, rule in value.items():
        if (tool := naming.read(written)) in rules:
            raise OptionError(f"overrides: two rules for the tool {tool!r}", option="overrides", value=value)
        rules[tool] = parse_rule(rule, f"overrides[{written!r}]")
    return rules


def _threshold(value: object) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
        return float(value)
    raise OptionError(f"threshold: a number from 0 to 1, got {value!r}", option="threshold", value=value)


def _flag(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise OptionError(f"{name}: True or False, got {value!r}", option=name, value=value)


def _roles(value: object) -> frozenset[str]:
    given = cast("Collection[object]", value)
    if isinstance(value, Collection) and not isinstance(value, (str, bytes)):
        words = [role for role in given if isinstance(role, str) and role]
        if len(words) == len(given):
            return frozenset(map(fold_role, words))
    raise OptionError(f"ignore_roles: a list of roles, got {given!r}", option="ignore_roles", value=given)

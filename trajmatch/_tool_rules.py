"""The rules of a match: one for each tool, with what the schema of the tool says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trajmatch._rules import Rule
from trajmatch._tool_schema import ToolSchema
from trajmatch._values import json_equal

__all__ = ["Rules"]


class Rules:
    """The rule of each tool.

    Attributes:
        default: The rule where no other is given.
        overrides: The rules of single tools.
        schemas: The schemas of tools that say something of how arguments compare.
    """

    __slots__ = ("_known", "default", "overrides", "schemas")

    def __init__(
        self, default: Rule, overrides: Mapping[str, Rule], schemas: Mapping[str, ToolSchema] | None = None
    ) -> None:
        self.default = default
        self.overrides = dict(overrides)
        self.schemas: Mapping[str, ToolSchema] = schemas or {}
        self._known: dict[str, Rule] = {}

    def __reduce__(self) -> tuple[object, ...]:
        return Rules, (self.default, self.overrides, self.schemas)

    def stated(self, tool: str, own: Rule | None = None) -> Rule:
        """Give the rule that was written for a tool, or for an expected call of it that has a rule of its own."""
        return own or self.overrides.get(tool, self.default)

    def of(self, tool: str, own: Rule | None = None) -> Rule:
        """Give the rule for a tool, or for an expected call of it, with what its schema says."""
        rule, schema = self.stated(tool, own), self.schemas.get(tool)
        if schema is None:
            return rule
        if own:
            return own.with_schema(schema)
        if tool not in self._known:
            self._known[tool] = rule.with_schema(schema)
        return self._known[tool]

    def only(self, rule: Rule) -> Rules:
        """Give one rule for all tools."""
        return Rules(rule, {}, self.schemas)

    def with_overrides(self, rules: Mapping[str, Rule]) -> Rules:
        """Give these rules for single tools, and the others as they are."""
        return Rules(self.default, {**self.overrides, **rules}, self.schemas)

    @property
    def exact(self) -> bool:
        """Whether all arguments are compared by their equality as JSON, and by nothing else."""
        return self.default.same is json_equal and not self.overrides and not self.schemas

    def preorder(self, tools: Iterable[str]) -> bool:
        """Say whether the rules of all these tools are preorders."""
        if self.overrides or self.schemas:
            return all(self.of(tool).preorder for tool in tools)
        return self.default.preorder

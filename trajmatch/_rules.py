"""Rules: when the arguments of two calls of one tool count as the same.

A built-in rule names the parts of both sides that it compares, and says same when all of them are equal as JSON; what
differs is read from the same parts. Whether equal calls may be paired early, and how whole groups of calls are compared
at once, follow from the record.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Protocol, TypeVar, cast, runtime_checkable

from trajmatch._access import is_mapping
from trajmatch._argument_rule import ArgumentRule, read_rule
from trajmatch._comparison import ArgumentMode, Comparison, Part, Side
from trajmatch._data_hook import DataForm
from trajmatch._functions import function_text, refuse_async
from trajmatch._nearest import choose, did_you_mean
from trajmatch._parts import actual_keys, equal_parts, expected_keys, nothing, whole
from trajmatch._paths import ABSENT, KeyPath, Path, decided, look_up, parse_path, path_data
from trajmatch._values import Unfreezable, freeze, json_equal
from trajmatch._walk import between, differing
from trajmatch.errors import OptionError

if TYPE_CHECKING:
    from trajmatch._tool_schema import ToolSchema

__all__ = [
    "ArgumentsRule",
    "Relates",
    "Rule",
    "RuleFunction",
    "RuleName",
    "parse_rule",
]

RuleName = Literal["exact", "ignore", "subset", "superset"]
"""When the arguments of two calls are the same.

- `exact`: they are equal;
- `ignore`: always;
- `subset`: every actual key is in expected, with an equal value;
- `superset`: every expected key is in actual, with an equal value.
"""


@runtime_checkable  # so that pydantic can tell one where an option is the field of a model
class RuleFunction(Protocol):
    """A rule of your own: `rule(actual_arguments, expected_arguments) -> bool`."""

    def __call__(self, actual: dict[str, Any], expected: dict[str, Any], /) -> bool:
        """Say whether the two are the same; anything but a bool is an error."""
        ...


def _read(written: object) -> object:
    parse_rule(written, "rule")
    return written


def _written(rule: object) -> object:
    return parse_rule(rule, "rule").data


ArgumentsRule = Annotated[
    RuleName | Sequence[KeyPath] | ArgumentRule | Mapping[str, object] | RuleFunction,
    DataForm("AnyRule", _read, _written),
]
"""A rule by its name, a list of key paths that must be equal, an `ArgumentRule` or the same as data, or a function."""

Arguments = dict[str, Any]

Compared = TypeVar("Compared")

Relates = Literal["equal", "within", "contains"]
"""How the keys of two argument objects relate where the rule says same: `==`, `<=` or `>=`."""


class Steps(NamedTuple):
    """A rule in two steps, so that a call that is compared with many is prepared once.

    Attributes:
        prepared: What the arguments of a side are prepared to.
        same: Whether prepared arguments are the same.
    """

    prepared: Callable[[Arguments, Side], Any]
    same: Callable[[Any, Any], bool]


class Rule(NamedTuple):
    """One rule.

    Attributes:
        text: The rule as it was written.
        same: Whether the arguments of two calls are the same.
        parts: The parts that a rule compares by their equality; `None` where it compares otherwise.
        differing: The parts that are not the same, from an `ArgumentRule`.
        key: A hashable key of actual arguments; `None` for a function.
        expected_key: The same of expected arguments, where it is another.
        relates: How two keys relate where the rule says same.
        preorder: Whether it is reflexive and transitive, so that equal calls may be paired before all others.
        consults: Whether it looks at arguments at all.
        paths: The key paths, for a rule of paths.
        written: The rule as the user gave it, to send it to another process.
        comparison: What it says as an `ArgumentRule`, where it can be one.
        steps: `same` in two steps, where it prepares arguments.
    """

    text: str
    same: Callable[[Arguments, Arguments], bool]
    parts: Callable[[Arguments, Arguments], Iterable[Part]] | None = None
    differing: Callable[[Arguments, Arguments], Iterable[Part]] | None = None
    key: Callable[[Arguments], Hashable] | None = None
    expected_key: Callable[[Arguments], Hashable] | None = None
    relates: Relates = "equal"
    preorder: bool = True
    consults: bool = True
    paths: tuple[Path, ...] = ()
    written: object = None
    comparison: Comparison | None = None
    steps: Steps | None = None

    @property
    def data(self) -> object:
        """The rule as data.

        Raises:
            OptionError: It is a function, which has no data form.
        """
        if isinstance(self.written, ArgumentRule):
            return self.written.options
        if callable(self.written):
            raise OptionError(f"the function {self.text} cannot be written as data", option="rule", value=self.written)
        return self.written or self.text

    def __reduce__(self) -> tuple[object, ...]:
        return parse_rule, (self.written or self.text, "args")

    @property
    def meaning(self) -> object:
        """What two rules have in common that say the same, however they were written."""
        return self.comparison or self.paths or self.written or self.text

    def with_schema(self, schema: ToolSchema) -> Rule:
        """Give the rule for a tool of which the schema is known: it compares what the schema makes of arguments."""
        if self.comparison:
            return _compared(self.comparison._replace(schema=schema), self.text, self.written)
        return _on_prepared(self, schema.prepared)


def _by_keys(mode: ArgumentMode, parts: Callable[[Arguments, Arguments], Iterable[Part]], relates: Relates) -> Rule:
    return Rule(mode, equal_parts(parts), parts, key=freeze, relates=relates, comparison=Comparison(mode=mode))


_RULES: dict[str, Rule] = {
    "exact": Rule("exact", json_equal, whole, key=freeze, comparison=Comparison()),
    "ignore": Rule("ignore", equal_parts(nothing), nothing, consults=False),
    "subset": _by_keys("subset", actual_keys, "within"),
    "superset": _by_keys("superset", expected_keys, "contains"),
}


_WORDS = f"{choose(_RULES)}, a list of key paths, an ArgumentRule, an object of its options, or a function"


def parse_rule(rule: object, option: str) -> Rule:
    """Give the record of a rule that the user wrote.

    Raises:
        OptionError: A name that is no rule, an empty list of paths, an async function, or something else.
    """
    if isinstance(rule, str):
        if rule not in _RULES:
            raise OptionError(
                f"{option}: {rule!r} is no rule{did_you_mean(rule, _RULES)}; write {_WORDS}",
                option=option,
                value=rule,
            )
        return _RULES[rule]
    if is_mapping(rule):
        try:
            return parse_rule(read_rule(rule), option)
        except OptionError as error:
            raise OptionError(f"{option}: {error}", option=option, value=rule) from None
    if isinstance(rule, ArgumentRule):
        return _compared(rule.comparison, repr(rule), rule)
    if isinstance(rule, (list, tuple)):
        return _path_rule(cast("Sequence[object]", rule), option)
    if callable(rule) and not isinstance(rule, type):
        return _function_rule(rule, option)
    raise OptionError(
        f"{option}: a rule is {_WORDS}, got {rule!r}",
        option=option,
        value=rule,
    )


def _path_rule(written: Sequence[object], option: str) -> Rule:
    if not written:
        raise OptionError(
            f"{option}: no key path is given; to compare nothing say 'ignore'", option=option, value=written
        )
    paths = tuple(parse_path(path, option) for path in written)

    def parts(actual: Arguments, expected: Arguments) -> list[Part]:
        return [_part_at(path, actual, expected) for path in paths]

    def key(arguments: Arguments) -> Hashable:
        return tuple([_key_at(path, arguments) for path in paths])

    return Rule(repr([*map(path_data, written)]), equal_parts(parts), parts, key=key, paths=paths, written=written)


def _part_at(path: Path, actual: Arguments, expected: Arguments) -> Part:
    wanted = look_up(expected, path)
    if wanted is ABSENT and (above := next(decided(expected, path), None)) is not None:
        path, wanted = above, look_up(expected, above)
    return path, look_up(actual, path), wanted


def _key_at(path: Path, arguments: Arguments) -> Hashable:
    found: object = look_up(arguments, path)
    if found is ABSENT and [*decided(arguments, path)]:
        raise Unfreezable
    return ABSENT if found is ABSENT else freeze(found)


def _compared(comparison: Comparison, text: str, written: object) -> Rule:
    base = _RULES[comparison.mode]
    exact_values = comparison.exact_values

    prepared = comparison.prepared

    def alike(actual: Any, expected: Any) -> bool:
        return (
            base.same(actual, expected) if exact_values else next(between(comparison, actual, expected), None) is None
        )

    def same(actual: Arguments, expected: Arguments) -> bool:
        return alike(*comparison.both(actual, expected))

    def key_of(side: Side) -> Callable[[Arguments], Hashable]:
        if exact_values:
            return lambda arguments: freeze(prepared(arguments, side))
        return lambda arguments: comparison.key(arguments, side)

    keyed = not (comparison.tolerates or comparison.goes_deep)
    return Rule(
        text,
        same,
        differing=partial(differing, comparison),
        key=key_of("actual") if keyed else None,
        expected_key=key_of("expected") if keyed and comparison.lopsided else None,
        relates=base.relates,
        preorder=not (comparison.tolerates or comparison.lopsided),
        paths=comparison.paths,
        written=written,
        comparison=comparison,
        steps=None if comparison.only else Steps(prepared, alike),  # which may turn on both sides
    )


def _function_rule(function: Callable[..., Any], option: str) -> Rule:
    refuse_async(function, option)

    def same(actual: Arguments, expected: Arguments) -> bool:
        answer: object = function(actual, expected)
        if not isinstance(answer, bool):
            raise TypeError(f"a rule returns True or False, got {answer!r}")
        return answer

    return Rule(function_text(function), same, preorder=False, written=function)


def _on_prepared(rule: Rule, prepared: Callable[[Arguments], Arguments]) -> Rule:
    """A rule of paths, or a function, for what arguments are prepared to."""
    parts, key = rule.parts, rule.key

    def of_side(arguments: Arguments, side: Side) -> Arguments:
        return prepared(arguments)

    def key_of(arguments: Arguments) -> Hashable:
        return key(prepared(arguments)) if key else None

    def on_both(compare: Callable[[Arguments, Arguments], Compared]) -> Callable[[Arguments, Arguments], Compared]:
        return lambda actual, expected: compare(prepared(actual), prepared(expected))

    return rule._replace(
        same=on_both(rule.same),
        parts=parts and on_both(parts),
        key=key and key_of,
        steps=Steps(of_side, rule.same),
    )

"""What differs between the arguments of two calls, under the rule that compared them.

DeepDiff finds the places, over the form of the values that the verdict uses and with its equality; among plain JSON
types own code finds the same places, much quicker. Both are asked only about parts that are not the same, and where
DeepDiff cannot go that deep the part as a whole is the difference: so a difference is listed exactly where the rule
says that the arguments differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from trajmatch._json_form import is_dict, is_list
from trajmatch._model import ToolCall
from trajmatch._operators import Operator
from trajmatch._paths import ABSENT, Path, path_text
from trajmatch._rules import Rule
from trajmatch._stored import plain
from trajmatch._text import common, name_text, shorten_around, value_text
from trajmatch._values import all_plain, json_equal

__all__ = ["Difference", "difference_text", "differences"]

_BEFORE = 500
"""So many characters of long texts are looked at before the place where they begin to differ."""


class Difference(NamedTuple):
    """One place where arguments differ.

    Attributes:
        path: The place; empty for the arguments as a whole.
        actual: The actual value in its JSON form, or `ABSENT`.
        expected: The expected value.
        why: What says that they differ, where that is not their equality.
    """

    path: Path
    actual: object
    expected: object
    why: str | None = None


def differences(actual: ToolCall, expected: ToolCall, rule: Rule) -> list[Difference]:
    """List what differs between an actual and an expected call; nothing where the one may stand for the other."""
    a, e = actual.arguments, expected.arguments
    raw = expected.raw_arguments
    if not rule.consults or (e is None and (raw is None or raw == actual.raw_arguments)):
        return []
    if a is None or e is None:
        return [Difference((), _stated(actual), _stated(expected))]
    try:
        return [*_listed(a, e, rule)]
    except Exception:  # too large or too deep, or a value that raises when somebody looks at it
        return [Difference((), a, e, rule.text)]


def _listed(actual: dict[str, Any], expected: dict[str, Any], rule: Rule) -> Iterator[Difference]:
    if rule.differing is not None:
        yield from (Difference(*part) for part in rule.differing(actual, expected))
    elif rule.parts is not None:
        for part in rule.parts(actual, expected):
            yield from _in_part(*part)
    elif not rule.same(actual, expected):
        yield Difference((), actual, expected, rule.text)


def _stated(call: ToolCall) -> object:
    if call.arguments is not None:
        return call.arguments
    return ABSENT if call.raw_arguments is None else call.raw_arguments


def _in_part(path: Path, actual: object, expected: object) -> list[Difference]:
    if actual is ABSENT or expected is ABSENT:
        return [] if actual is expected else [Difference(path, actual, expected)]
    if json_equal(actual, expected):
        return []
    if all_plain([actual, expected]):
        return sorted(_plainly(path, actual, expected), key=lambda difference: difference.path)
    whole = Difference(path, actual, expected)
    try:
        inner = _inner(path, plain(actual, _itself, 10_000), plain(expected, _itself, 10_000))
    except Exception:  # nested too deep for DeepDiff, or holding itself: the part differs as a whole
        return [whole]
    return sorted(inner, key=lambda difference: difference.path) or [whole]


def _plainly(path: Path, actual: object, expected: object) -> Iterator[Difference]:
    """The places where two values of plain JSON types differ that are not the same."""
    ours, theirs = _inside(actual), _inside(expected)
    if ours is None or theirs is None or type(actual) is not type(expected):
        yield Difference(path, actual, expected)
        return
    for key in {**theirs, **ours}:
        one, other = ours.get(key, ABSENT), theirs.get(key, ABSENT)
        if one is ABSENT or other is ABSENT:
            yield Difference((*path, key), one, other)
        elif not json_equal(one, other):
            yield from _plainly((*path, key), one, other)


def _inside(value: object) -> dict[Any, Any] | None:
    """What a container holds, by its key or its place."""
    if is_list(value):
        return dict(enumerate(value))
    return value if is_dict(value) else None


def _itself(value: object) -> object:
    return value


class _JsonEquality:
    """Tells DeepDiff at every level what the verdict takes for the same."""

    def match(self, level: Any) -> bool:
        return True

    def give_up_diffing(self, level: Any, diff_instance: Any) -> bool:
        return json_equal(level.t1, level.t2)


def _inner(path: Path, actual: object, expected: object) -> list[Difference]:
    from deepdiff import DeepDiff
    from deepdiff.helper import notpresent

    found: Any = DeepDiff(
        actual,
        expected,
        view="tree",
        zip_ordered_iterables=True,
        ignore_private_variables=False,  # by default it does not see keys that begin with two underscores
        threshold_to_diff_deeper=0,  # by default it does not look into objects that share few keys
        custom_operators=[_JsonEquality()],
    )

    def value(given: object) -> object:
        return ABSENT if given is notpresent else given

    return [
        Difference((*path, *level.path(output_format="list")), value(level.t1), value(level.t2))
        for levels in found.values()
        for level in levels
    ]


def _near(actual: object, expected: object) -> tuple[object, object]:
    """Two values; of long texts the part where they begin to differ."""
    if isinstance(actual, str) and isinstance(expected, str):
        cut = common(actual, expected) - _BEFORE
        if cut > 0:
            return f"…{actual[cut:]}", f"…{expected[cut:]}"
    return actual, expected


def difference_text(difference: Difference, width: int = 34) -> str:
    """Say a difference in words: `city: expected "SF", got "LA"`."""
    path, actual, expected, why = difference
    where = name_text(path_text(path)) or "arguments"
    if why is not None:
        return f"{where}: {why} says they differ"
    ours, theirs = map(value_text, _near(actual, expected))
    a, e = shorten_around(ours, theirs, width), shorten_around(theirs, ours, width)
    if expected is ABSENT:
        return f"{where}: not expected, got {a}"
    if actual is ABSENT:
        return f"{where}: expected {e}, {'absent' if path else 'not captured'}"
    note = expected.note(actual) if isinstance(expected, Operator) else ""
    return f"{where}: expected {e}, got {a}" + (f" ({note})" if note else "")

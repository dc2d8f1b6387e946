"""What a report is made of: results as they are, or as they were stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from trajmatch._access import is_mapping
from trajmatch._check_result import CheckResult
from trajmatch._json_form import is_list
from trajmatch._result import MatchResult
from trajmatch._shown import printable, shown
from trajmatch.errors import ConversionError
from trajmatch.picture import Picture

__all__ = ["Reported", "reported"]

_DEEPEST = 4
"""How deep lists and objects of results may be nested."""
_FIX = "write results of match, or what their to_dict() or to_json() gave"


class Reported(NamedTuple):
    """One result in a report.

    Attributes:
        name: What it is called.
        passed: The verdict.
        score: The score, where it is graded.
        signature: What the score depends on, where there is one.
        picture: What is seen of it.
    """

    name: str
    passed: bool
    score: float | None
    signature: str | None
    picture: Picture


class _Place(NamedTuple):
    """Where a value was found, what it is called there, and how deep that is."""

    text: str
    name: str
    depth: int = 0
    named: bool = False

    def at(self, index: int) -> _Place:
        return _Place(f"{self.text}[{index}]", f"{self.name} {index + 1}", self.depth + 1)

    def below(self, key: object) -> _Place:
        return _Place(f"{self.text}[{shown(key)}]", str(key), self.depth + 1, True)


def reported(results: object) -> Iterator[Reported]:
    """Read results: one, many, or an object of names to results.

    Raises:
        ConversionError: Something in them is no result; the text says where.
    """
    return _read(results, _Place("results", "result"))


def _read(found: object, place: _Place) -> Iterator[Reported]:
    if place.depth > _DEEPEST:
        raise ConversionError(f"{place.text}: lists of results are nested too deep; {_FIX}")
    if isinstance(found, (MatchResult, CheckResult)):
        yield _live(found, printable(place.name))
    elif isinstance(found, str) and place.depth:
        yield from _read(_parsed(found, place), place._replace(depth=place.depth + 1))
    elif is_mapping(found):
        yield from _in_mapping(found, place)
    elif isinstance(found, Iterable) and not isinstance(found, (str, bytes)):
        for index, item in enumerate(cast("Iterable[object]", found)):
            yield from _read(item, place.at(index))
    else:
        raise ConversionError(f"{place.text}: this is no result: {shown(found)}; {_FIX}")


def _in_mapping(found: Mapping[str, Any], place: _Place) -> Iterator[Reported]:
    if "passed" in found and "checks" in found:
        yield from _read(found["checks"], place)
    elif "passed" in found:
        yield _stored(found, _called(found, place), place.text)
    elif "result" in found and {*found} <= {"id", "name", "result"}:
        inner = _Place(f"{place.text}['result']", _called(found, place), place.depth + 1, True)
        yield from _read(found["result"], inner)
    else:
        for key, item in found.items():
            yield from _read(item, place.below(key))


def _called(found: Mapping[str, Any], place: _Place) -> str:
    """The name that was given beside a result, or that it has itself, or that of its place."""
    own = next((found[key] for key in ("name", "id") if isinstance(found.get(key), (str, int))), None)
    return printable(place.name if own is None or place.named else str(own))


def _parsed(text: str, place: _Place) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConversionError(f"{place.text}: this is no result, and no JSON of one: {error}; {_FIX}") from error


def _live(result: MatchResult | CheckResult, name: str) -> Reported:
    if isinstance(result, CheckResult):
        return Reported(name, result.passed, None, None, Picture(result.passed, (printable(result.reason),), (), ()))
    return Reported(
        name, result.passed, result.score if result.graded else None, printable(result.signature), result.picture
    )


def _stored(form: Mapping[str, Any], name: str, place: str) -> Reported:
    from pydantic import ValidationError

    from trajmatch._report_schema import StoredResult

    try:
        result = StoredResult.model_validate(_cleaned(form))
    except (ValidationError, RecursionError) as error:
        raise ConversionError(f"{place}: {_told(error)}; {_FIX}") from error
    picture = Picture(result.passed, (result.reason,), (), ())
    if result.picture is not None:
        picture = Picture.from_dict(result.picture.model_dump() | {"passed": result.passed})
    return Reported(name, result.passed, result.score if result.graded else None, result.signature, picture)


def _told(error: Exception) -> str:
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        return "this is nested too deep"
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg'].partition(' or instance of ')[0]}"


_READ = ("passed", "reason", "score", "graded", "signature", "picture")


def _cleaned(form: Mapping[str, Any]) -> dict[str, Any]:
    """What a report reads of a stored result, with what disturbs a reader escaped in all texts."""
    cleaned: dict[str, Any] = {key: _printable(form[key]) for key in _READ if key in form}
    if cleaned.get("passed") is None and isinstance(form.get("error"), str):  # a row of a run that could not be matched
        cleaned |= {"passed": False, "signature": None}
    return cleaned


def _printable(value: object) -> object:
    if isinstance(value, str):
        return printable(value)
    if is_mapping(value):
        return {key: _printable(item) for key, item in value.items()}
    return [*map(_printable, value)] if is_list(value) else value

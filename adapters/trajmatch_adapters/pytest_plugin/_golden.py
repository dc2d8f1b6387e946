"""Golden trajectories: a run is matched with the file beside the test, which is written only under the option."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from trajmatch import (
    MatchFailure,
    MatchOptions,
    MatchResult,
    OptionError,
    Trajectory,
    match,
    to_expectation,
    to_trajectory,
)
from trajmatch_adapters.pytest_plugin import OPTION
from trajmatch_adapters.pytest_plugin._contents import Contents, fresh, rewritten
from trajmatch_adapters.pytest_plugin._events import USES, Lines
from trajmatch_adapters.pytest_plugin._files import as_text, file_of, shown, stored
from trajmatch_adapters.pytest_plugin._pictures import spans

if TYPE_CHECKING:
    from typing import Unpack

__all__ = ["GoldenTrajectory"]


class GoldenTrajectory:
    """What the fixture `golden_trajectory` gives: call it with a run."""

    def __init__(self, request: pytest.FixtureRequest) -> None:
        self._item: pytest.Item = request.node
        self._config = request.config
        self._names: set[str] = set()

    def __call__(self, actual: object, *, name: str = "", **options: Unpack[MatchOptions]) -> MatchResult:
        """Match a run with the golden trajectory of the test, and give the result where it passes.

        Args:
            actual: The run, as `match` takes it.
            name: Tells the runs of one test apart; without it, the second is `2`.
            options: See `MatchOptions`; modes that compare messages are refused, since the file holds calls.

        Raises:
            MatchFailure: The run differs, and the option to rewrite the file was not given.
            ConversionError: The run, or the file, cannot be read.
            OptionError: An option that is wrong, or a name that was used before in this test.
        """
        __tracebackhide__ = True
        _refuse_messages(options)
        file = file_of(self._item.path, self._item.nodeid, self._own(name))
        run = to_trajectory(actual)
        if not file.exists():
            return self._create(file, run, options)
        held = stored(file)
        expected = to_expectation(held, side=shown(file, self._config))
        result = match(run, expected, **options)
        if result:
            self._tell(file, None, False, [], [])
            return result
        if not self._config.getoption("trajmatch_update"):
            self._fail(result, f"differs; to accept this run: {self._command}", file)
        plain = isinstance(expected, Trajectory) and (not held or expected.messages is None)
        if not isinstance(held, list) or not plain:
            self._fail(result, "is no plain list of calls, and not written anew: edit it, or remove it", file)
        contents = rewritten(result, options)
        if not match(run, to_expectation(contents.calls), **options):
            contents = fresh(run, options)
        return self._write(file, run, contents, options, spans(result))

    def _create(self, file: Path, run: Trajectory, options: MatchOptions) -> MatchResult:
        """Plan a file, or fail with what it would hold."""
        __tracebackhide__ = True
        contents = fresh(run, options)
        if self._config.getoption("trajmatch_update"):
            return self._write(file, run, contents, options, None)
        result = match(run, to_expectation(contents.calls), **options)
        lines = [
            f"there is no golden file {shown(file, self._config)}; it would hold:",
            *result.render().splitlines()[1:],
            *(f"open: {text}" for text in contents.opened),
            f"to create it: {self._command}",
        ]
        self._tell(file, None, True, [], [])
        pytest.fail("\n".join(lines), pytrace=False)

    def _write(
        self, file: Path, run: Trajectory, contents: Contents, options: MatchOptions, before: Lines | None
    ) -> MatchResult:
        """Plan what a file will hold; what was there `before` is shown with it."""
        __tracebackhide__ = True
        result = match(run, to_expectation(contents.calls), **options)
        if not result:
            self._fail(result, "is not written: under these options the run does not match itself", file)
        picture = spans(result)[1:] if before is None else before
        self._tell(file, as_text(contents.calls), before is None, picture, contents.opened)
        return result

    def _fail(self, result: MatchResult, what: str, file: Path) -> NoReturn:
        __tracebackhide__ = True
        self._tell(file, None, False, [], [])
        failure = MatchFailure(result)
        failure.add_note(f"golden: {shown(file, self._config)} {what}")
        raise failure

    def _tell(self, file: Path, text: str | None, created: bool, picture: Lines, opened: list[str]) -> None:
        self._item.stash.setdefault(USES, []).append(
            {
                "file": str(file),
                "text": text,
                "created": created,
                "picture": picture,
                "opened": opened,
                "test": "",
                "failed": False,
            }
        )

    def _own(self, name: str) -> str:
        """Give the name of a run in its test; the first needs none."""
        if not name and self._names:
            name = str(len(self._names) + 1)
        if name in self._names:
            raise OptionError(f"the name {name!r} was used before in this test", option="name", value=name)
        self._names.add(name)
        return name

    @property
    def _command(self) -> str:
        test = f"{shown(self._item.path, self._config)}::{self._item.nodeid.partition('::')[2]}"
        return f"pytest {shlex.quote(test)} {OPTION}"


def _refuse_messages(options: MatchOptions) -> None:
    """Refuse what compares messages or turns, which a golden trajectory does not hold.

    Raises:
        OptionError: Such an option was given.
    """
    for name, value in (("mode", "strict"), ("per_turn", True)):
        if options.get(name) == value:
            raise OptionError(
                f"{name}={value!r} compares messages, and a golden trajectory holds calls", option=name, value=value
            )

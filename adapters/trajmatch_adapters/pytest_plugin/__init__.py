"""The pytest plugin: failures with their picture, in colour, and golden trajectories.

pytest loads it at every start: so it imports nothing but pytest, and what does the work is imported when a session, a
failure or a test asks for it. Storage is its own: a golden file is compared by a match, not as text, and is written by
one process alone, after its differences were shown.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from importlib.machinery import ModuleSpec, PathFinder
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from trajmatch_adapters.pytest_plugin._golden import GoldenTrajectory

__all__ = ["OPTION", "GoldenTrajectory", "golden_trajectory"]

OPTION = "--trajmatch-update"
_OWN = ("trajmatch", "trajmatch_adapters")


class _Finder:
    """Finds the modules of this library as Python does.

    pytest rewrites all modules of a distribution that has a plugin, for their assertions. There is none here for a test
    to see, and where no bytecode is written the import would take a fifth of a second longer in every session.
    """

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, target: object = None) -> ModuleSpec | None:
        return PathFinder.find_spec(name, path) if name.partition(".")[0] in _OWN else None


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Leave the modules of this library as they are, before any of them is imported."""
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    early_config.add_cleanup(partial(sys.meta_path.remove, finder))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the one option under which files are written."""
    parser.getgroup("trajmatch", "golden trajectories").addoption(
        OPTION,
        action="store_true",
        dest="trajmatch_update",
        help="create golden trajectories, and rewrite those that differ, after showing the differences",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Watch the session."""
    from trajmatch_adapters.pytest_plugin._session import Session

    config.pluginmanager.register(Session(config), "trajmatch_session")


@pytest.fixture
def golden_trajectory(request: pytest.FixtureRequest) -> GoldenTrajectory:
    """Compare a run with the golden trajectory beside the test: `golden_trajectory(run, mode="in_order")`.

    It takes the options of `match`, and a `name` where one test compares several runs. Under `--trajmatch-update` the
    file is created, or rewritten where the run differs.
    """
    from trajmatch_adapters.pytest_plugin._golden import GoldenTrajectory

    return GoldenTrajectory(request)


def __getattr__(name: str) -> object:
    """Give `GoldenTrajectory`, for annotations, when somebody asks for it."""
    if name != "GoldenTrajectory":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from trajmatch_adapters.pytest_plugin._golden import GoldenTrajectory

    return GoldenTrajectory

"""The pytest plugin: failures with their picture, in colour, and golden trajectories.

pytest loads it at every start: so it imports nothing but pytest, and what does the work is imported when a session, a
failure or a test asks for it. Storage is its own: a golden file is compared by a match, not as text, and is written by
one process alone, after its differences were shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from trajmatch_adapters.pytest_plugin._golden import GoldenTrajectory

__all__ = ["OPTION", "GoldenTrajectory", "golden_trajectory"]

OPTION = "--trajmatch-update"
"""The option of pytest under which golden files are written."""


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

"""The types of the fixture `golden_trajectory`; checked by mypy and pyright."""

from typing import assert_type

from trajmatch import MatchResult, call
from trajmatch_adapters.pytest_plugin import GoldenTrajectory


def test_books(golden_trajectory: GoldenTrajectory) -> None:
    run = [call("search"), call("book")]
    assert_type(golden_trajectory(run), MatchResult)
    assert_type(golden_trajectory(run, name="again", mode="in_order", threshold=0.5), MatchResult)

"""The types of rewards; checked by mypy and pyright."""

from __future__ import annotations

from typing import assert_type

from trajmatch import Trajectory, call
from trajmatch.batch import Reward, rewards
from trajmatch_adapters.rewards import TrajectoryReward, tagged_calls, trajectory_reward


def plain() -> None:
    worth = Reward(unreadable=-1.0, mode="any_order", args="superset")
    assert_type(worth([call("search")], ["search"]), float)
    assert_type(rewards([[call("search")], []], [["search"], "[]"], calls="succeeded"), list[float])


def as_trl_calls_it() -> None:
    reward = trajectory_reward(expected="calls", name="calls", unreadable=None, read=tagged_calls, args="ignore")
    assert_type(reward, TrajectoryReward)
    assert_type(reward.__name__, str)
    assert_type(reward(completions=[Trajectory(())], prompts=["Hi"], calls=[[]]), list[float | None])

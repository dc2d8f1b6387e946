"""Rewards for trainers: a reward function in the signature of TRL, and completions whose calls stand in their text.

What is different here from a match in a test:

- a reward function gets a whole batch at once, the completions and each column of the dataset as a list, and is named
  by its `__name__` in the log; other trainers have other signatures, for which `trajmatch.batch.Reward` is one line;
- a completion that cannot be read is the fault of the model, and worth 0.0; an expectation that cannot be read is that
  of the dataset, and stops the training;
- a completion holds the messages of the model and of its tools alone, without the prompt;
- a call that the trainer could not parse stays in the text of a message, and is never taken for no call at all.
"""

from trajmatch_adapters.rewards._completions import tagged_calls
from trajmatch_adapters.rewards._trajectory_reward import TrajectoryReward, trajectory_reward

__all__ = ["TrajectoryReward", "tagged_calls", "trajectory_reward"]

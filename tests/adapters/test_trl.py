"""The reward function under the real trainer of TRL; `training.py` trains."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = (1 + 2 / 3 + 0 + 0) / 4
"""One run is right, one has a call too much, one has none, and one cannot be read."""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    file = tmp_path_factory.mktemp("trl") / "found.json"
    command = [sys.executable, "-W", "ignore", "tests/adapters/training.py", file]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=1200)
    assert done.returncode == 0, done.stderr
    return json.loads(file.read_text(encoding="utf-8"))


def test_the_trainer_of_the_page_logs_our_rewards_of_runs_with_real_calls_and_learns(found):
    assert found["page"]["tools/call_frequency"] == 0.75  # three calls in four runs
    assert found["page"]["rewards/trajectory_reward/mean"] == pytest.approx(OURS)
    assert found["page"]["trajectory_reward/unreadable"] == 0.25
    assert found["page"]["learned"]


def test_the_trainer_hands_over_messages_without_the_prompt(found):
    completions, rewards = zip(*found["seen"], strict=True)
    assert rewards == (1.0, pytest.approx(2 / 3), 0.0, 0.0)
    assert [[message["role"] for message in completion] for completion in completions] == [
        ["assistant", "tool", "assistant"],
        ["assistant", "tool", "tool", "assistant"],
        ["assistant"],
        ["assistant"],
    ]
    assert completions[3][0]["content"] == '<tool_call>\n{"name": "sea'


def test_without_tools_the_trainer_parses_no_calls_and_tags_are_read(found):
    assert found["several"]["rewards/calls/mean"] == pytest.approx((1 + 2 / 3 + 0 - 1) / 4)
    assert found["several"]["rewards/unparsed/mean"] == -3 / 4
    assert found["several"]["unparsed/unreadable"] == 3 / 4


def test_a_reward_that_applies_to_no_row_takes_no_part(found):
    assert found["several"]["rewards/other/mean"] is None
    assert found["several"]["reward"] == pytest.approx(((1 + 2 / 3 + 0 - 1) - 3) / 4)


def test_completions_that_are_text_are_read_in_their_tags(found):
    assert found["text"]["rewards/trajectory_reward/mean"] == pytest.approx(OURS)


def test_a_model_that_says_anything_calls_nothing_or_cannot_be_read(found):
    log = found["any words"]
    assert log["rewards/trajectory_reward/mean"] == 1 - log["trajectory_reward/unreadable"]


ERRORS = {
    "broken": "row 0 ('Find'): expected: it is text, and no JSON",
    "unread text": "row 0 ('Find'): a run is a list of messages or calls",
    "nested": "row 0 ('Find'): expected.0.arguments.x is null",
}


@pytest.mark.parametrize(("name", "text"), ERRORS.items(), ids=ERRORS)
def test_what_is_no_fault_of_the_model_stops_the_training(found, name, text):
    assert found[name]["error"].startswith(text)

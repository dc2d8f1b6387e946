"""A real history of Codex, read in place from the collection beside a full checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import to_trajectory

SHARED = Path(__file__).parents[3] / "shared"
SAMPLES = sorted((SHARED / "data" / "formats" / "codex").glob("*.json"))

pytestmark = pytest.mark.shared


def native():
    (sample,) = SAMPLES
    return json.loads(sample.read_text())["native"]


@pytest.mark.parametrize("options", [{}, {"format": "codex"}], ids=["recognised", "named"])
def test_a_command_that_is_told_of_twice_counts_once(options):
    run = to_trajectory(native(), **options)
    assert [(made.name, made.id, made.status) for made in run.calls] == [("command_execution", "item_1", "succeeded")]
    assert run.calls[0].arguments["command"].startswith("/bin/bash -lc")
    assert [message.role for message in run.messages] == ["assistant", "tool", "assistant"]


def test_a_real_history_is_not_changed():
    events = native()
    assert to_trajectory(events).to_json()
    assert events == native()

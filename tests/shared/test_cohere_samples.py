"""Real histories of Cohere's chat API, read in place from the collection beside a full checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import to_trajectory

SHARED = Path(__file__).parents[3] / "shared"
SAMPLES = sorted((SHARED / "data" / "formats" / "cohere_chat_v2").glob("*.json"))

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())


def test_there_are_samples():
    assert len(SAMPLES) == 2


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[:20])
@pytest.mark.parametrize("options", [{}, {"format": "cohere"}], ids=["recognised", "named"])
def test_a_real_history_converts_to_its_calls(sample, options):
    native, calls = load(sample)["native"], load(sample)["calls_by_lib"]
    expected = [(made["name"], made["arguments"], made["id"]) for made in calls]
    assert [(c.name, c.arguments, c.id) for c in to_trajectory(native, **options).calls] == expected


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[:20])
def test_a_real_history_is_not_changed(sample):
    native = load(sample)["native"]
    assert to_trajectory(native, format="cohere").to_json()
    assert native == load(sample)["native"]

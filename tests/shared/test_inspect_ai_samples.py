"""Real samples of Inspect, read in place from the collection beside a full checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import to_trajectory

SAMPLES = sorted((Path(__file__).parents[3] / "shared" / "data" / "formats" / "inspect_ai").glob("*.json"))

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())


def facts(calls):
    return [(made["name"], made["arguments"], made["id"]) for made in calls]


def form(made):
    return {"name": made.name, "arguments": made.arguments, "id": made.id}


def test_there_are_samples():
    assert len(SAMPLES) >= 2


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[-30:])
@pytest.mark.parametrize("options", [{}, {"format": "inspect_ai"}], ids=["recognised", "named"])
def test_a_real_history_converts_to_its_calls(sample, options):
    native, calls = load(sample)["native"], load(sample)["calls_by_lib"]
    assert facts(map(form, to_trajectory(native, **options).calls)) == facts(calls)
    assert native == load(sample)["native"]


def test_results_without_their_calls_are_kept_as_messages():
    orphans = [run for run in (to_trajectory(load(sample)["native"]) for sample in SAMPLES) if not run.calls]
    assert [(len(run.messages), run.notes) for run in orphans] == [(11, ("a result has no call",))]

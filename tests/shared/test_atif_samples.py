"""Real documents in ATIF, read in place from the collection beside a full checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import to_trajectory

SAMPLES = sorted((Path(__file__).parents[3] / "shared" / "data" / "formats" / "atif").glob("*.json"))

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())


def facts(calls):
    return [(made["name"], made["arguments"], made["id"]) for made in calls]


def form(made):
    return {"name": made.name, "arguments": made.arguments, "id": made.id}


def test_there_are_samples():
    assert len(SAMPLES) >= 4


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[:30])
@pytest.mark.parametrize("options", [{}, {"format": "atif"}], ids=["recognised", "named"])
def test_a_real_history_converts_to_its_calls(sample, options):
    native, calls = load(sample)["native"], load(sample)["calls_by_lib"]
    assert facts(map(form, to_trajectory(native, **options).calls)) == facts(calls)
    assert native == load(sample)["native"]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[:30])
def test_a_real_history_says_that_it_has_no_error_flag(sample):
    assert to_trajectory(load(sample)["native"]).notes[-1].startswith("nothing says whether a tool failed")

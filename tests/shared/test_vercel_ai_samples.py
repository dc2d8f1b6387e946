"""Real records of the AI SDK, read in place from the collection beside a full checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import to_trajectory

DATA = Path(__file__).parents[3] / "shared" / "data" / "formats"
SAMPLES = sorted((DATA / "vercel_ai_sdk").glob("*.json"))
CALLS = {
    "02": ("getWeather", {"location": "San Francisco"}, "call_DgKARp7a7IhJPDczfifMp6Ra"),
    # its trace lists the call twice, under `toolsCalled`; the requests to the model show that there is one
    "03": ("get_weather", {"location": "San Francisco", "unit": "c"}, "call_kwNWpzdsBhareqXi1IuftKHn"),
}

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())


def test_there_are_samples():
    assert [sample.stem[:2] for sample in SAMPLES] == [*CALLS]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[:20])
@pytest.mark.parametrize("options", [{}, {"format": "vercel_ai"}], ids=["recognised", "named"])
def test_a_real_record_converts_to_its_calls(sample, options):
    (made,) = to_trajectory(load(sample)["native"], **options).calls
    assert (made.name, made.arguments, made.id) == CALLS[sample.stem[:2]]


def test_what_became_of_the_calls():
    before, after = (to_trajectory(load(sample)["native"]) for sample in SAMPLES)
    assert [made.status for run in (before, after) for made in run.calls] == [None, "succeeded"]
    assert [message.role for message in after.messages] == ["user", "assistant", "tool", "assistant"]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[:20])
def test_a_real_record_is_not_changed(sample):
    native = load(sample)["native"]
    assert to_trajectory(native).to_json()
    assert native == load(sample)["native"]

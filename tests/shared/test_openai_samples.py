"""Real histories of OpenAI Chat Completions, read in place from the collection beside a full checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import to_trajectory

SHARED = Path(__file__).parents[3] / "shared"
FORMATS = ("openai_chat", "openai_chat_dictargs", "openai_chat_dispatcher")
SAMPLES = [sample for name in FORMATS for sample in sorted((SHARED / "data" / "formats" / name).glob("*.json"))]

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())


def facts(calls):
    return [(made["name"], made["arguments"], made["id"]) for made in calls]


def form(made):
    return {"name": made.name, "arguments": made.arguments, "id": made.id}


def test_there_are_samples():
    assert len(SAMPLES) >= 9


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.parent.name}-{sample.stem[:20]}")
@pytest.mark.parametrize("options", [{}, {"format": "openai"}], ids=["recognised", "named"])
def test_a_real_history_converts_to_its_calls(sample, options):
    native, calls = load(sample)["native"], load(sample)["calls_by_lib"]
    assert facts(map(form, to_trajectory(native, **options).calls)) == facts({"id": None, **made} for made in calls)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.parent.name}-{sample.stem[:20]}")
def test_a_real_history_is_not_changed(sample):
    native = load(sample)["native"]
    assert to_trajectory(native).to_json()
    assert native == load(sample)["native"]

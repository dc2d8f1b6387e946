"""Real sessions of Claude Managed Agents, read in place from the collection beside a full checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import match, to_trajectory

FORMAT = Path(__file__).parents[3] / "shared" / "data" / "formats" / "anthropic_managed_agents_events"
SAMPLES = sorted(FORMAT.glob("*.json"))
EACH = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[:28])

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())["native"]


def payloads(native, kind):
    """The payloads of a type that the stream gave, read in the plainest way."""
    return [payload for _, payload in native if isinstance(payload, dict) and payload.get("type", "").endswith(kind)]


def test_there_are_samples():
    assert len(SAMPLES) == 2


@EACH
@pytest.mark.parametrize("options", [{}, {"format": "managed_agents"}], ids=["recognised", "named"])
@pytest.mark.parametrize(
    "form", [lambda native: native, lambda native: payloads(native, "")[1:]], ids=["pairs", "events"]
)
def test_a_real_session_converts_to_its_calls(sample, options, form):
    native = load(sample)
    run = to_trajectory(form(native), **options)
    assert [(c.name, c.arguments, c.id) for c in run.calls] == [
        (event["name"], event["input"], event["id"]) for event in payloads(native, "tool_use")
    ]
    assert [c.result for c in run.calls] == [event["content"] for event in payloads(native, "tool_result")]
    assert ({c.status for c in run.calls}, run.notes) == ({"succeeded"}, ())


@EACH
def test_each_request_of_the_model_is_a_message(sample):
    native = load(sample)
    said = [message.role for message in to_trajectory(native).messages]
    assert said.count("assistant") == len(payloads(native, "model_request_start"))
    assert said.count("user") == 1


@EACH
def test_a_real_session_is_not_changed_and_matches_itself(sample):
    native = load(sample)
    assert match(native, native).passed
    assert native == load(sample)

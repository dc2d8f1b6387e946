"""Real events and messages of AG-UI, read in place from the collection beside a full checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import ConversionError, to_trajectory

DATA = Path(__file__).parents[3] / "shared" / "data" / "formats"
SAMPLES = [sample for name in ("ag_ui_events", "ag_ui_messages") for sample in sorted((DATA / name).glob("*.json"))]
SEVERAL = [sample for sample in SAMPLES if "dart" in sample.stem]
"""Samples that hold several runs by name: none of them is a run, each of their values is."""
ONE = [sample for sample in SAMPLES if sample not in SEVERAL]

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())


def name(sample):
    return f"{sample.parent.name}-{sample.stem[:20]}"


def plainly(native):
    """The calls of messages, or of events with the deltas of their arguments, read in the plainest way."""
    if isinstance(native, dict):
        calls = [call for message in native["messages"] for call in message.get("toolCalls", ())]
        return [(call["id"], call["function"]["name"], json.loads(call["function"]["arguments"])) for call in calls]
    texts = {event["toolCallId"]: "" for event in native if event["type"] == "TOOL_CALL_START"}
    for event in native:
        if event["type"] == "TOOL_CALL_ARGS":
            texts[event["toolCallId"]] += event["delta"]
    names = {event["toolCallId"]: event["toolCallName"] for event in native if event["type"] == "TOOL_CALL_START"}
    snapshots = [event for event in native if event["type"] == "MESSAGES_SNAPSHOT"]
    return [call for snapshot in snapshots for call in plainly(snapshot)] + [
        (id, names[id], json.loads(text)) for id, text in texts.items()
    ]


def facts(run):
    return [(made.id, made.name, made.arguments) for made in run.calls]


def test_there_are_samples():
    assert (len(ONE), len(SEVERAL)) == (5, 1)


@pytest.mark.parametrize("sample", ONE, ids=name)
@pytest.mark.parametrize("options", [{}, {"format": "ag_ui"}], ids=["recognised", "named"])
def test_a_real_run_converts_to_its_calls(sample, options):
    native = load(sample)["native"]
    calls = facts(to_trajectory(native, **options))
    assert calls == plainly(native) and calls


@pytest.mark.parametrize("sample", SEVERAL, ids=name)
@pytest.mark.parametrize("options", [{}, {"format": "ag_ui"}], ids=["recognised", "named"])
def test_each_run_of_a_collection_converts(sample, options):
    runs = load(sample)["native"]
    found = {key: facts(to_trajectory(run, **options)) for key, run in runs.items()}
    assert found == {key: plainly(run) for key, run in runs.items()}
    assert sum(map(len, found.values())) == 2
    with pytest.raises(ConversionError):
        to_trajectory(runs, **options)


@pytest.mark.parametrize("sample", ONE, ids=name)
def test_a_real_run_is_not_changed(sample):
    native = load(sample)["native"]
    assert to_trajectory(native).to_json()
    assert native == load(sample)["native"]

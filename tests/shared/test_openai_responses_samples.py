"""Real histories of OpenAI Responses and its Agents SDK, read in place from the collection beside a full checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import to_trajectory

SHARED = Path(__file__).parents[3] / "shared"
FORMATS = ("openai_responses", "openai_agents_run_state")
SAMPLES = [sample for name in FORMATS for sample in sorted((SHARED / "data" / "formats" / name).glob("*.json"))]
SETTLED = {
    "01_st_openai_native_tool_search_with_deferred_capability_yaml_0": {
        0: ("tool_search", {"queries": ["get_weather"]}, "tsc_091af5051d4967d3006a72162109808196b47a7bc5b4b9ce94"),
        "why": "the arguments of a search for tools stand under 'arguments'; the list holds its status instead",
    },
}
"""Where the list of calls beside a sample is wrong: the right call, and the reason."""
STATES = {
    "01_v1_13_pending_tool_approval_json": [("historical_approval", {"account_id": "account-1"}, None)],
    "02_v1_13_programmatic_tool_calling_json": [
        ("program", {"code": "lookup()"}, "succeeded"),
        ("lookup", {}, "pending"),
    ],
    "04_v1_9_custom_tool_call_and_tool_origin_json": [("custom_lookup", "account-1", "succeeded")],
}
"""Samples without a list of calls: each call is in several lists of a state, and counts once."""
BATCHES = {
    "01_st_openai_native_tool_search_with_deferred_capability_yaml_0": [2, 1, 1, 0],
    "02_openai_responses_model_mcp_server_tool_with_connector_yaml_0": [2],
    "05_es_cassettes_test_responses_test_responses_tool_calls_yaml_0": [2],
    "07_Conversations_tool_call_first_message_response_json": [1],
}
OPTIONS = pytest.mark.parametrize("options", [{}, {"format": "openai_responses"}], ids=["recognised", "named"])

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())


def of(name):
    return [sample for sample in SAMPLES if sample.parent.name == name]


def stem(sample):
    return sample.stem[:20]


def test_there_are_samples():
    assert [len(of(name)) for name in FORMATS] == [4, 3]


@pytest.mark.parametrize("sample", of("openai_responses"), ids=stem)
@OPTIONS
def test_a_real_history_converts_to_its_calls(sample, options):
    listed = [(made["name"], made["arguments"], made["id"]) for made in load(sample)["calls_by_lib"]]
    expected = [SETTLED.get(sample.stem, {}).get(index, made) for index, made in enumerate(listed)]
    run = to_trajectory(load(sample)["native"], **options)
    assert [(made.name, made.arguments, made.id) for made in run.calls] == expected


@pytest.mark.parametrize("sample", of("openai_responses"), ids=stem)
def test_its_responses_are_told_apart(sample):
    messages = to_trajectory(load(sample)["native"]).messages
    assert [len(m.tool_calls) for m in messages if m.role == "assistant"] == BATCHES[sample.stem]


@pytest.mark.parametrize("sample", of("openai_agents_run_state"), ids=stem)
@OPTIONS
def test_a_stored_state_holds_each_call_once(sample, options):
    run = to_trajectory(load(sample)["native"], **options)
    calls = [(c.name, c.raw_arguments if c.arguments is None else c.arguments, c.status) for c in run.calls]
    assert calls == STATES[sample.stem]


@pytest.mark.parametrize("sample", SAMPLES, ids=stem)
def test_a_real_history_is_not_changed(sample):
    native = load(sample)["native"]
    assert to_trajectory(native).to_json()
    assert native == load(sample)["native"]


def test_pairs_convert_without_a_note_of_something_unknown():
    pairs = [json.loads(line) for line in (SHARED / "data" / "pairs.jsonl").read_text().splitlines()]
    sides = [pair["actual"] for pair in pairs if pair["format"] == "openai_responses"]
    sides += [pair["reference"] for pair in pairs if pair["reference_format"] == "openai_responses"]
    notes = {note for side in sides for note in to_trajectory(side).notes}
    assert len(sides) == 15 and not [note for note in notes if "unknown" in note]

"""Real histories of Bedrock Converse and of Strands Agents, read in place from the collection."""

import json
from pathlib import Path

import pytest

from trajmatch import ConversionError, match, to_trajectory

DATA = Path(__file__).parents[3] / "shared" / "data"
SAMPLES = sorted((DATA / "formats" / "bedrock_converse").glob("*.json"))
STRANDS = sorted((DATA / "formats" / "strands_messages").glob("*.json"))
OPTIONS = pytest.mark.parametrize("options", [{}, {"format": "bedrock"}], ids=["recognised", "named"])

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())


def sides():
    """The histories in the collection's pairs that are of this format."""
    rows = map(json.loads, (DATA / "pairs.jsonl").read_text().splitlines())
    formats = [("actual", "format"), ("reference", "reference_format")]
    return [row[side] for row in rows for side, name in formats if row[name] == "bedrock_converse"]


def runs():
    """The runs in the samples of Strands, each of which has several under their names."""
    return [run for sample in STRANDS for run in load(sample)["native"].values()]


def in_blocks(messages):
    """The calls in the blocks, read in the plainest way."""
    blocks = [block["toolUse"] for message in messages for block in message["content"] if "toolUse" in block]
    return [(block["name"], block["input"], block["toolUseId"]) for block in blocks]


def facts(run):
    return [(made.name, made.arguments, made.id) for made in run.calls]


def test_there_are_samples():
    assert (len(SAMPLES), len(runs()), len(sides())) == (3, 6, 3)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[:20])
@OPTIONS
def test_a_real_history_converts_to_its_calls(sample, options):
    native, calls = load(sample)["native"], load(sample)["calls_by_lib"]
    assert facts(to_trajectory(native, **options)) == [(made["name"], made["arguments"], made["id"]) for made in calls]


@OPTIONS
def test_the_histories_in_pairs_convert_to_their_calls(options):
    for native in sides():
        run = to_trajectory(native, **options)
        assert facts(run) == in_blocks(native)
        assert run.notes == ()


def test_what_the_provider_executed_is_native():
    for native in [load(sample)["native"] for sample in SAMPLES]:
        calls = to_trajectory(native).calls
        assert [made.kind == "native" for made in calls] == [made.name == "nova_code_interpreter" for made in calls]


@OPTIONS
def test_a_run_of_strands_converts_to_its_calls(options):
    for native in runs():
        run = to_trajectory(native, **options)
        assert facts(run) == in_blocks(native["messages"])
        assert {made.status for made in run.calls} == {"succeeded"}
        assert match(native, native).passed


@pytest.mark.parametrize("sample", STRANDS, ids=lambda sample: sample.stem[:20])
def test_several_runs_in_one_object_are_refused(sample):
    with pytest.raises(ConversionError, match="hand over one of them"):
        to_trajectory(load(sample)["native"])


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[:20])
def test_a_real_history_is_not_changed(sample):
    native = load(sample)["native"]
    assert to_trajectory(native).to_json()
    assert native == load(sample)["native"]

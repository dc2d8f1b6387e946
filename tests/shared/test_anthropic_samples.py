"""Real histories of Anthropic Messages, read in place from the collection beside a full checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import match, to_trajectory

DATA = Path(__file__).parents[3] / "shared" / "data"
SAMPLES = sorted((DATA / "formats" / "anthropic").glob("*.json"))

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())


def sides():
    """The histories in the collection's pairs that are of this format."""
    rows = map(json.loads, (DATA / "pairs.jsonl").read_text().splitlines())
    formats = [("actual", "format"), ("reference", "reference_format")]
    return [row[side] for row in rows for side, name in formats if row[name] == "anthropic"]


def in_blocks(native):
    """The calls in the blocks, read in the plainest way."""
    blocks = [block for message in native if isinstance(message["content"], list) for block in message["content"]]
    kinds = ("tool_use", "server_tool_use", "mcp_tool_use")
    return [(block["name"], block["input"], block["id"]) for block in blocks if block["type"] in kinds]


def facts(run):
    return [(made.name, made.arguments, made.id) for made in run.calls]


def test_there_are_samples():
    assert (len(SAMPLES), len(sides())) == (3, 22)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[:20])
@pytest.mark.parametrize("options", [{}, {"format": "anthropic"}], ids=["recognised", "named"])
def test_a_real_history_converts_to_its_calls(sample, options):
    native, calls = load(sample)["native"], load(sample)["calls_by_lib"]
    assert facts(to_trajectory(native, **options)) == [(made["name"], made["arguments"], made["id"]) for made in calls]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[:20])
def test_a_real_history_is_not_changed(sample):
    native = load(sample)["native"]
    assert to_trajectory(native).to_json()
    assert native == load(sample)["native"]


@pytest.mark.parametrize("options", [{}, {"format": "anthropic"}], ids=["recognised", "named"])
def test_the_histories_in_pairs_convert_to_their_calls(options):
    for native in sides():
        run = to_trajectory(native, **options)
        assert facts(run) == in_blocks(native)
        assert match(native, native).passed
        assert {made.kind for made in run.calls if made.id.startswith("srvtoolu_")} <= {"native"}
        assert run.notes == ()

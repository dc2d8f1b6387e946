"""Real sessions of Claude Code and a run of the Claude Agent SDK, read in place from the collection."""

import json
from pathlib import Path

import pytest

from trajmatch import match, to_trajectory

FORMATS = Path(__file__).parents[3] / "shared" / "data" / "formats"
SAMPLES = [s for name in ("claude_code_jsonl", "claude_agent_sdk") for s in sorted((FORMATS / name).glob("*.json"))]
EACH = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.parent.name}-{sample.stem[:12]}")

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())


def records(native):
    return native if isinstance(native, list) else native.get("loglines") or native["messages"]


def blocks(native, kind):
    """The blocks of a type, read in the plainest way."""
    contents = [record["message"]["content"] for record in records(native) if "message" in record]
    return [block for content in contents if isinstance(content, list) for block in content if block["type"] == kind]


def facts(run):
    return [(made.name, made.arguments, made.id) for made in run.calls]


def test_there_are_samples():
    assert len(SAMPLES) == 5


@EACH
@pytest.mark.parametrize("options", [{}, {"format": "claude_code"}], ids=["recognised", "named"])
def test_a_real_session_converts_to_its_calls(sample, options):
    native = load(sample)["native"]
    run = to_trajectory(native, **options)
    assert facts(run) == [(block["name"], block["input"], block["id"]) for block in blocks(native, "tool_use")]
    assert run.notes == ()


LISTED = [sample for sample in SAMPLES if load(sample)["calls_by_lib"] is not None]


@pytest.mark.parametrize("sample", LISTED, ids=lambda sample: sample.stem[:20])
def test_the_calls_are_those_that_the_collection_lists(sample):
    listed = load(sample)["calls_by_lib"]
    calls = to_trajectory(load(sample)["native"]).calls
    assert [(made.name, made.arguments, made.id) for made in calls] == [
        (made["name"], made["arguments"], made["id"]) for made in listed
    ]


@EACH
def test_the_failed_calls_are_those_whose_results_say_so(sample):
    native = load(sample)["native"]
    failed = [block["tool_use_id"] for block in blocks(native, "tool_result") if block.get("is_error")]
    calls = to_trajectory(native).calls
    assert [made.id for made in calls if made.status != "succeeded"] == failed


@EACH
def test_a_turn_starts_at_each_prompt(sample):
    native = load(sample)["native"]
    users = [r for r in records(native) if r["type"] == "user" and not r.get("isCompactSummary")]
    prompts = [r for r in users if not any(b in blocks([r], "tool_result") for b in r["message"]["content"])]
    assert len(to_trajectory(native).turns) == len(prompts)


@EACH
def test_a_real_session_is_not_changed_and_matches_itself(sample):
    native = load(sample)["native"]
    assert match(native, native).passed
    assert native == load(sample)["native"]

"""Real histories of LangChain, read in place from the collection beside a full checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import match, to_trajectory

DATA = Path(__file__).parents[3] / "shared" / "data"
SAMPLES = [
    sample
    for name in ("langchain_dict", "langchain_lc_constructor")
    for sample in sorted((DATA / "formats" / name).glob("*.json"))
]
ODD = sorted((DATA / "formats" / "langfuse_chatml_odd").glob("*.json"))
PAIRS = DATA / "pairs.jsonl"

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())


def pairs():
    rows = map(json.loads, PAIRS.read_text().splitlines())
    return [row for row in rows if "langchain_dict" in (row["format"], row["reference_format"])]


def facts(calls):
    return [(made.name, made.arguments, made.id) for made in calls]


def in_tool_calls(native):
    """What the parsed calls of stored messages say, read in the plainest way."""
    messages = [message.get("kwargs", message) for message in native]
    return [(c["name"], c["args"], c["id"]) for message in messages for c in message.get("tool_calls", ())]


def test_there_are_samples():
    assert (len(SAMPLES), len(ODD), len(pairs())) == (5, 2, 1)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[:20])
@pytest.mark.parametrize("options", [{}, {"format": "langchain"}], ids=["recognised", "named"])
def test_a_real_history_converts_to_its_calls(sample, options):
    native = load(sample)["native"]
    run = to_trajectory(native, **options)
    assert facts(run.calls) == in_tool_calls(native)
    assert {made.status for made in run.calls} <= {"succeeded"}


LISTED = [sample for sample in SAMPLES if load(sample)["calls_by_lib"] is not None]


@pytest.mark.parametrize("sample", LISTED, ids=lambda sample: sample.stem[:20])
def test_the_calls_are_those_that_the_collection_lists(sample):
    listed = load(sample)["calls_by_lib"]
    calls = to_trajectory(load(sample)["native"]).calls
    assert facts(calls) == [(made["name"], made["arguments"], made["id"]) for made in listed]


@pytest.mark.parametrize("sample", [*SAMPLES, *ODD], ids=lambda sample: sample.stem[:20])
def test_a_real_history_is_not_changed(sample):
    native = load(sample)["native"]
    assert to_trajectory(native, format="langchain").to_json()
    assert native == load(sample)["native"]


@pytest.mark.parametrize("sample", ODD, ids=lambda sample: sample.stem[:20])
def test_a_prompt_as_a_tracer_keeps_it_has_its_call_and_result(sample):
    (made,) = to_trajectory(load(sample)["native"], format="langchain").calls
    assert made.status == "succeeded"
    assert made.arguments and made.result


def test_pairs_convert_and_match_themselves():
    for row in pairs():
        assert match(row["actual"], row["actual"]).passed
        assert match(row["actual"], row["reference"], mode="superset").passed

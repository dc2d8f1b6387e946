"""Pairs of real histories: each side is read whatever its format, and the same runs match across formats."""

import json
from pathlib import Path

import pytest

from tests.shared.test_recognition_samples import ADAPTERS
from trajmatch import ToolCall, match, to_trajectory
from trajmatch_adapters.histories import tau2

FILE = Path(__file__).parents[3] / "shared" / "data" / "pairs.jsonl"
PAIRS = [*map(json.loads, FILE.read_text(encoding="utf-8").splitlines())] if FILE.exists() else []
LABELLED_WRONG = {
    "pydantic/pydantic-ai:tests/models/test_bedrock.py::test_bedrock_model_structured_output#0": (
        "Pydantic AI knows that 'final_result' returns the output of the run, which does not count; "
        "what was sent to Bedrock does not say so"
    ),
}
"""Pairs that are no match though they are labelled as identical, by how their ids begin: the reason."""

pytestmark = pytest.mark.shared


def sides(pair):
    return [(pair["format"], pair["actual"]), (pair["reference_format"], pair["reference"])]


def read(pair):
    """Both sides; actions of tau2-bench are no calls of a run, and say themselves which arguments count."""
    actual, reference = to_trajectory(pair["actual"]), pair["reference"]
    if (pair["format"], pair["reference_format"]) == ("tau2", "calls"):
        return actual, tau2.expected(reference)
    return actual, to_trajectory(reference)


def is_wrong(pair):
    return pair["id"].startswith(tuple(LABELLED_WRONG))


IDENTICAL = [pair for pair in PAIRS if pair["relation"] == "identical"]
EACH = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['format']}-{pair['id'][:30]}")


def test_there_are_pairs():
    assert (len(PAIRS), len(IDENTICAL), sum(map(is_wrong, IDENTICAL))) == (124, 20, len(LABELLED_WRONG))


@EACH
def test_each_side_is_read_as_its_own_adapter_reads_it(pair):
    for side, (format, native) in zip(read(pair), sides(pair), strict=True):
        assert format == "calls" or side == to_trajectory(native, format=ADAPTERS[format])


@EACH
def test_each_history_matches_itself_strictly(pair):
    for format, native in sides(pair):
        assert format == "calls" or match(native, native, mode="strict")


@pytest.mark.parametrize("pair", [pair for pair in IDENTICAL if not is_wrong(pair)], ids=lambda pair: pair["id"][:60])
def test_the_same_runs_match_in_any_order(pair):
    assert match(*read(pair), mode="unordered")


def as_output(call):
    return ToolCall(call.name, call.arguments, kind="output") if call.name == "final_result" else call


@pytest.mark.parametrize("pair", [*filter(is_wrong, IDENTICAL)], ids=lambda pair: pair["id"][:60])
def test_what_is_labelled_wrong_matches_where_both_sides_know_as_much(pair):
    actual, reference = read(pair)
    assert not match(actual, reference, mode="unordered")
    assert match(actual, reference.map_calls(as_output), mode="unordered")

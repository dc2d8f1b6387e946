"""Real histories of Gemini and of Google's ADK, read in place from the collection beside a full checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import ConversionError, match, to_trajectory

DATA = Path(__file__).parents[3] / "shared" / "data"
FORMATS = ("gemini", "adk_session", "adk_evalcase", "adk_legacy_eval", "gemini_cli_recording")
SAMPLES = [sample for name in FORMATS for sample in sorted((DATA / "formats" / name).glob("*.json"))]
SEVERAL = [sample for sample in SAMPLES if "load_skill" in sample.stem]
"""Samples that hold several runs by name: none of them is a run, each of their values is."""
ONE = [sample for sample in SAMPLES if sample not in SEVERAL]
PAIRS = DATA / "pairs.jsonl"

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())


def name(sample):
    return f"{sample.parent.name}-{sample.stem[:20]}"


def plainly(value):
    """The calls in stored JSON under any of the format's words, read in the plainest way, in their order."""
    found = []
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if key in ("functionCall", "function_call") and inner:
            found.append((inner["name"], inner["args"], inner.get("id")))
        elif key == "tool_uses":
            found += [(call["name"], call["args"], call.get("id")) for call in inner]
        elif key == "expected_tool_use":
            found += [(call["tool_name"], call["tool_input"], None) for call in inner]
        else:
            found += plainly(inner)
    return found


def facts(run):
    return [(made.name, made.arguments, made.id) for made in run.calls]


def pairs():
    rows = map(json.loads, PAIRS.read_text().splitlines())
    return [row for row in rows if "gemini" in (row["format"], row["reference_format"])]


def test_there_are_samples():
    assert (len(SAMPLES), len(SEVERAL), len(pairs())) == (16, 1, 8)


@pytest.mark.parametrize("sample", ONE, ids=name)
@pytest.mark.parametrize("options", [{}, {"format": "gemini"}], ids=["recognised", "named"])
def test_a_real_history_converts_to_its_calls(sample, options):
    native, listed = load(sample)["native"], load(sample)["calls_by_lib"]
    calls = facts(to_trajectory(native, **options))
    assert calls == plainly(native)
    assert listed is None or calls == [(made["name"], made["arguments"], made.get("id")) for made in listed]


@pytest.mark.parametrize("sample", SEVERAL, ids=name)
def test_each_run_of_a_collection_converts(sample):
    runs = load(sample)["native"]
    assert {key: [made.status for made in to_trajectory(run).calls] for key, run in runs.items()} == {
        "loaded": ["succeeded"],
        "not_found": ["failed"],
        "missing_arg": ["failed"],
    }
    with pytest.raises(ConversionError):
        to_trajectory(runs)


@pytest.mark.parametrize("sample", ONE, ids=name)
def test_a_real_history_is_not_changed(sample):
    native = load(sample)["native"]
    assert to_trajectory(native).to_json()
    assert native == load(sample)["native"]


def test_pairs_convert_and_match_themselves():
    for row in pairs():
        for side, format in (("actual", "format"), ("reference", "reference_format")):
            if row[format] == "gemini":
                assert match(row[side], row[side]).passed
                assert facts(to_trajectory(row[side])) == plainly(row[side])

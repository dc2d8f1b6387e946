"""Every real history of the collection that is written in a format is the same run there."""

import json
from pathlib import Path

import pytest

from trajmatch import ConversionError, match, to_messages, to_trajectory

FORMATS = Path(__file__).parents[3] / "shared" / "data" / "formats"
SAMPLES = sorted(FORMATS.glob("*/*.json"))

pytestmark = pytest.mark.shared


def read(sample):
    """The run of a sample; nothing where it is several runs, or an expectation."""
    try:
        return to_trajectory(json.loads(sample.read_text())["native"])
    except ConversionError:
        return None


RUNS = {f"{sample.parent.name}-{sample.stem[:20]}": run for sample in SAMPLES if (run := read(sample)) is not None}


def test_most_samples_are_runs():
    assert not SAMPLES or len(RUNS) > 80


@pytest.mark.parametrize("format", ["anthropic", "langchain", "openai", "pydantic_ai"])
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_a_real_history_is_written_and_matches_itself_strictly_or_is_refused_for_what_it_holds(run, format):
    try:
        written = to_messages(run, format)
    except ConversionError as error:
        assert f"cannot be written as {format!r}" in str(error)
        return
    assert to_trajectory(written).messages == to_trajectory(written, format=format).messages
    if run.messages is not None:
        assert match(written, run, mode="strict") and match(run, written, mode="strict")

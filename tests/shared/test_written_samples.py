"""Every real history of the collection that is written in a format is the same run there."""

import json
from pathlib import Path

import pytest

from trajmatch import ConversionError, match, to_messages, to_trajectory

FORMATS = Path(__file__).parents[3] / "shared" / "data" / "formats"
SAMPLES = sorted(FORMATS.glob("*/*.json"))

pytestmark = pytest.mark.shared


@pytest.mark.parametrize("format", ["anthropic", "langchain", "openai", "pydantic_ai"])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.parent.name}-{sample.stem[:20]}")
def test_a_real_history_that_is_written_matches_itself_strictly(sample, format):
    try:
        run = to_trajectory(json.loads(sample.read_text())["native"])
        written = to_messages(run, format)
    except ConversionError:
        pytest.skip("it is several runs, or holds what this format cannot say")
    assert to_trajectory(written).messages == to_trajectory(written, format=format).messages
    if run.messages is not None:
        assert match(written, run, mode="strict") and match(run, written, mode="strict")

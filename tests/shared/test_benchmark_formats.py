"""No sample of any format is claimed by two adapters that read it differently, as far as these adapters go."""

import json
from pathlib import Path

import pytest

from trajmatch import ConversionError, to_trajectory
from trajmatch.reading import messages_in
from trajmatch_adapters.histories import atif, bfcl, inspect_ai, tau2

FORMATS = Path(__file__).parents[3] / "shared" / "data" / "formats"
OURS = {"atif": atif, "bfcl": bfcl, "inspect_ai": inspect_ai, "tau2": tau2}
OWN = {"atif": "atif", "bfcl": "bfcl_possible_answer", "inspect_ai": "inspect_ai", "tau2": "tau2"}
SAMPLES = sorted(FORMATS.glob("*/*.json"))

pytestmark = pytest.mark.shared


def items(sample):
    try:
        return messages_in(json.loads(sample.read_text())["native"])
    except ConversionError:
        return []


def claims(adapter, sample):
    said = [OURS[adapter].classify(item) for item in items(sample)]
    return "no" not in said and "certain" in said


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.parent.name}-{sample.stem[:20]}")
def test_only_samples_of_a_format_are_certainly_of_it(sample):
    claimed = {adapter for adapter in OURS if claims(adapter, sample)}
    assert claimed == {adapter for adapter, folder in OWN.items() if folder == sample.parent.name}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.parent.name}-{sample.stem[:20]}")
def test_no_sample_is_read_in_two_ways(sample):
    """Where two adapters read a sample differently, these are not among them."""
    try:
        to_trajectory(json.loads(sample.read_text())["native"])
    except ConversionError as error:
        two = "read this history differently" in str(error)
        assert not (two and OURS.keys() & {*error.formats})

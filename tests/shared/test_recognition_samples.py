"""No real history of the collection is claimed by two adapters that read it differently."""

import json
from pathlib import Path

import pytest

from trajmatch import ConversionError
from trajmatch._recognise import _build, _built_in, _candidates
from trajmatch.reading import messages_in

FORMATS = Path(__file__).parents[3] / "shared" / "data" / "formats"
SAMPLES = sorted(FORMATS.glob("*/*.json"))
FAMILY = {
    "anthropic": "anthropic",
    "anthropic_managed_agents_events": "managed_agents",
    "bedrock_converse": "bedrock",
    "claude_agent_sdk": "claude_code",
    "claude_code_jsonl": "claude_code",
    "strands_messages": "bedrock",
}

pytestmark = pytest.mark.shared


def runs(sample):
    native = json.loads(sample.read_text())["native"]
    return native.values() if sample.parent.name == "strands_messages" else [native]


def readings(native):
    """What each adapter that claims a history makes of it."""
    try:
        items = messages_in(native)
    except ConversionError:
        return {}
    found = {}
    for name in _candidates(items, _built_in(), {}):
        try:
            found[name] = _build(_built_in()[name], items).messages
        except ConversionError:
            continue
    return found


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.parent.name}-{sample.stem[:20]}")
def test_all_who_claim_a_real_history_read_it_alike(sample):
    for native in runs(sample):
        found = [*readings(native).values()]
        assert all(messages == found[0] for messages in found)


@pytest.mark.parametrize("format", FAMILY)
def test_a_history_is_claimed_by_the_adapter_of_its_format(format):
    for sample in (FORMATS / format).glob("*.json"):
        for native in runs(sample):
            assert FAMILY[format] in readings(native)


OTHERS = [sample for sample in SAMPLES if sample.parent.name not in FAMILY]


@pytest.mark.parametrize("sample", OTHERS, ids=lambda sample: f"{sample.parent.name}-{sample.stem[:20]}")
def test_the_family_of_anthropic_claims_no_call_of_another_format(sample):
    for native in runs(sample):
        for name in {*FAMILY.values()} & readings(native).keys():
            assert not any(message.tool_calls for message in readings(native)[name])

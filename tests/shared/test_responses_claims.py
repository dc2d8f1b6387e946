"""What the adapters of OpenAI Responses, Codex, Mistral and Cohere claim of all the real histories: their own."""

import json
from pathlib import Path

import pytest

from trajmatch import ConversionError
from trajmatch.reading import messages_in
from trajmatch_adapters.histories import codex, cohere, mistral, openai_responses

FORMATS = Path(__file__).parents[3] / "shared" / "data" / "formats"
SAMPLES = sorted(FORMATS.glob("*/*.json"))
OWN = {
    codex: {"codex"},
    cohere: {"cohere_chat_v2"},
    mistral: {"mistral_chat"},
    openai_responses: {"openai_responses", "openai_agents_run_state"},
}

pytestmark = pytest.mark.shared


def messages(sample):
    native = json.loads(sample.read_text())["native"]
    try:
        return messages_in(native)
    except ConversionError:  # a wrapper of one message, or something that is no history
        return [native]


def claimed(adapter):
    return {sample.parent.name for sample in SAMPLES if "certain" in map(adapter.classify, messages(sample))}


@pytest.mark.parametrize(("adapter", "own"), OWN.items(), ids=lambda given: getattr(given, "__name__", ""))
def test_an_adapter_is_certain_of_no_history_of_another_format(adapter, own):
    assert claimed(adapter) == own

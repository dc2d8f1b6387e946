"""All real histories of the collection against all adapters: each is read by its own, and by no two differently."""

import json
from pathlib import Path

import pytest

from trajmatch import ConversionError, to_trajectory
from trajmatch._recognise import _build, _built_in
from trajmatch.reading import messages_in

FORMATS = Path(__file__).parents[3] / "shared" / "data" / "formats"
ADAPTERS = {
    "adk_evalcase": "gemini",
    "adk_legacy_eval": "gemini",
    "adk_session": "gemini",
    "ag_ui_events": "ag_ui",
    "ag_ui_messages": "ag_ui",
    "anthropic": "anthropic",
    "anthropic_managed_agents_events": "managed_agents",
    "atif": "atif",
    "bedrock_converse": "bedrock",
    "bfcl_possible_answer": "bfcl",  # what to expect, which is claimed and refused
    "claude_agent_sdk": "claude_code",
    "claude_code_jsonl": "claude_code",
    "codex": "codex",
    "cohere_chat_v2": "cohere",
    "gemini": "gemini",
    "gemini_cli_recording": "gemini",
    "inspect_ai": "inspect_ai",
    "langchain_dict": "langchain",
    "langchain_lc_constructor": "langchain",
    "langfuse_chatml_odd": "langchain",  # messages of LangChain, as they were traced
    "langfuse_trace": "langfuse",
    "langsmith_run_export": "langsmith_runs",
    "mini_swe_agent_traj": "openai",
    "mistral_chat": "mistral",
    "openai_agents_run_state": "openai_responses",
    "openai_chat": "openai",
    "openai_chat_dictargs": "openai",
    "openai_chat_dispatcher": "openai",
    "openai_responses": "openai_responses",
    "otel_genai_messages": "otel",
    "otel_spans": "otel",
    "pydantic_ai": "pydantic_ai",
    "strands_messages": "bedrock",
    "tau2": "tau2",
    "vercel_ai_sdk": "vercel_ai",
}
"""Who reads the samples of a format."""
UNREAD = {
    "acebench_possible_answer": "what to expect",
    "deepeval_trace": "spans of another tracer",
    "nestful_calls": "calls whose arguments refer to results",
    "openhands_events": "events of an agent",
    "patientagentbench": "scores of runs",
    "tooltalk": "calls that stand under a key of their own",
    "swe_agent_traj": "a run as thoughts and commands, or under a key of its own",
}
"""Formats without an adapter: what they are."""
SHARED = {"anthropic", "cohere", "inspect_ai", "langchain", "mistral", "openai"}
"""Adapters of messages with a role, which take each other's where they read them alike."""


def runs():
    """Each history of the collection, with the name of its format; some samples hold several."""
    for sample in sorted(FORMATS.glob("*/*.json")):
        native = json.loads(sample.read_text())["native"]
        several = sample.parent.name == "strands_messages" or "dart" in sample.stem or "load_skill" in sample.stem
        for key, run in native.items() if several else [("", native)]:
            yield pytest.param(sample.parent.name, run, id=f"{sample.parent.name}-{sample.stem[:20]}{key}")


RUNS = [*runs()]
KNOWN = [run for run in RUNS if run.values[0] in ADAPTERS]

pytestmark = pytest.mark.shared


def claims(native):
    """How many items each adapter is certain of that refuses none."""
    said = {name: [*map(adapter.classify, messages_in(native))] for name, adapter in _built_in().items()}
    return {name: words.count("certain") for name, words in said.items() if "no" not in words}


def reading(name, native):
    try:
        return _build(name, _built_in()[name], messages_in(native)).messages
    except ConversionError as error:
        return str(error)


def test_each_format_of_the_collection_is_in_the_table():
    assert {folder.name for folder in FORMATS.iterdir()} == {*ADAPTERS, *UNREAD}


@pytest.mark.parametrize(("format", "native"), KNOWN)
def test_all_who_claim_a_history_read_it_as_its_own_adapter_does(format, native):
    own = ADAPTERS[format]
    assert own in claims(native)
    assert {name for name in claims(native) if reading(name, native) != reading(own, native)} == set()


@pytest.mark.parametrize(("format", "native"), KNOWN)
def test_a_history_is_read_without_options_as_its_own_adapter_reads_it(format, native):
    if format == "bfcl_possible_answer":
        with pytest.raises(ConversionError, match=r"possible answers, which say what to expect"):
            to_trajectory(native)
    else:
        run, own = to_trajectory(native), to_trajectory(native, format=ADAPTERS[format])
        assert (run, run.notes) == (own, own.notes)


@pytest.mark.parametrize(("format", "native"), KNOWN)
def test_certain_of_a_history_is_its_own_adapter_alone(format, native):
    certain = {name for name, count in claims(native).items() if count}
    assert certain <= {ADAPTERS[format]} or {ADAPTERS[format], *certain} <= SHARED


@pytest.mark.parametrize(("format", "native"), [run for run in RUNS if run.values[0] in UNREAD])
def test_what_no_adapter_knows_is_refused(format, native):
    with pytest.raises(ConversionError, match=r"no format reads it|calls under the key 'apis.request'"):
        to_trajectory(native)

"""Real traces and messages of OpenTelemetry, LangSmith and Langfuse, read in place from the collection."""

import json
from pathlib import Path

import pytest

from trajmatch import to_trajectory

FORMATS = Path(__file__).parents[3] / "shared" / "data" / "formats"
ADAPTERS = {
    "langfuse_chatml_odd": "langfuse",
    "langfuse_trace": "langfuse",
    "langsmith_run_export": "langsmith_runs",
    "otel_genai_messages": "otel",
    "otel_spans": "otel",
}
SAMPLES = [sample for name in ADAPTERS for sample in sorted((FORMATS / name).glob("*.json"))]
WEATHER = "mcp__weather__get_weather"
SETTLED = {
    # in messages of the agent, and in the spans of its tools; the sub-agents' calls are in spans alone
    "otel_spans/04": ["Agent", "Agent", "Bash", "Bash", "Agent", "Bash"],
    "otel_spans/01": ["calculator"],
    "otel_spans/07": ["get_weather", "finish"],  # the first of them was never executed
    "otel_spans/08": ["get_weather", "get_weather"],  # the second of them failed
    "otel_spans/09": ["get_weather"],
    "langsmith_run_export/01": [],
    "langfuse_trace/01": [WEATHER, WEATHER],  # each in a generation, and again as a tool
    "langfuse_trace/04": ["getWeather"],  # in two generations, of which one holds the other, and as a tool
    "langfuse_trace/05": ["get_weather"],  # in an agent, in a generation, and as a tool
    "langfuse_chatml_odd/01": ["get_weather"],
    "langfuse_chatml_odd/02": ["Web-Search"],
}
"""The calls of samples of which no extractor made a list, as reading them shows."""
STATUSES = {
    "otel_spans/07": ["pending", "succeeded"],
    "otel_spans/08": ["succeeded", "failed"],
    "otel_genai_messages/03": [None],
}
"""Of all others, every call succeeded."""
MESSAGES = {
    "langfuse_chatml_odd/01": "uat",
    "langfuse_trace/01": "uaatata",
    "langfuse_trace/04": "uat",
    "langfuse_trace/05": "suata",
    "langsmith_run_export/01": "ua",
    "otel_genai_messages/02": "suata",
    "otel_genai_messages/03": "ua",
    "otel_spans/04": "uaaaattattaaatta",
    "otel_spans/07": "suauat",
    "otel_spans/08": "uatta",
    "otel_spans/09": "suata",
}
"""Who speaks, by the first letter, where no other format has a part in that."""

pytestmark = pytest.mark.shared


def title(sample):
    return f"{sample.parent.name}/{sample.stem[:2]}"


def load(sample, key="native"):
    return json.loads(sample.read_text())[key]


def expected(sample):
    listed = load(sample, "calls_by_lib")
    return SETTLED[title(sample)] if listed is None else [made["name"] for made in listed]


def test_there_are_samples():
    assert len(SAMPLES) >= 13


@pytest.mark.parametrize("sample", SAMPLES, ids=title)
@pytest.mark.parametrize("named", [False, True], ids=["recognised", "named"])
def test_a_real_trace_converts_to_its_calls(sample, named):
    native = load(sample)
    run = to_trajectory(native, format=ADAPTERS[sample.parent.name] if named else None)
    assert [made.name for made in run.calls] == expected(sample)
    assert [made.status for made in run.calls] == STATUSES.get(title(sample), ["succeeded"] * len(run.calls))
    assert all(made.arguments for made in run.calls)
    assert native == load(sample)


@pytest.mark.parametrize("sample", [one for one in SAMPLES if title(one) in MESSAGES], ids=title)
def test_each_message_of_a_real_trace_is_told_once(sample):
    assert "".join(message.role[0] for message in to_trajectory(load(sample)).messages) == MESSAGES[title(sample)]


@pytest.mark.parametrize("sample", [one for one in SAMPLES if load(one, "calls_by_lib")], ids=title)
def test_the_arguments_and_ids_are_those_that_were_listed(sample):
    made = [
        {"name": call.name, "arguments": call.arguments, "id": call.id} for call in to_trajectory(load(sample)).calls
    ]
    assert made == load(sample, "calls_by_lib")


@pytest.mark.parametrize("sample", sorted(FORMATS.glob("*/*.json")), ids=title)
def test_no_sample_of_another_format_is_claimed(sample):
    from trajmatch_adapters.histories import langfuse, langsmith_runs, otel

    native = load(sample)
    items = native if isinstance(native, list) else [native]
    own = ADAPTERS.get(sample.parent.name)
    claimed = {
        name
        for name, adapter in (("otel", otel), ("langfuse", langfuse), ("langsmith_runs", langsmith_runs))
        if all(adapter.classify(item) != "no" for item in items)
    }
    assert claimed == ({own} if own and sample.parent.name != "langfuse_chatml_odd" else set())

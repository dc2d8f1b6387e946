"""Real traces and messages of OpenTelemetry, LangSmith and Langfuse, read in place from the collection."""

import json
from pathlib import Path

import pytest

FORMATS = Path(__file__).parents[3] / "shared" / "data" / "formats"
ADAPTERS = {
    "otel_genai_messages": "otel",
    "otel_spans": "otel",
    "langsmith_run_export": "langsmith_runs",
    "langfuse_trace": "langfuse",
    "langfuse_chatml_odd": "langfuse",
}
SAMPLES = [sample for name in ADAPTERS for sample in sorted((FORMATS / name).glob("*.json"))]

pytestmark = pytest.mark.shared


def native(sample):
    return json.loads(sample.read_text())["native"]


def title(sample):
    return f"{sample.parent.name}-{sample.stem[:20]}"

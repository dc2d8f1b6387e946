"""Real simulations of tau2-bench, and actions of its tasks, read in place from the collection beside a checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import match, to_trajectory
from trajmatch_adapters.histories import tau2

DATA = Path(__file__).parents[3] / "shared" / "data"
SAMPLES = sorted((DATA / "formats" / "tau2").glob("*.json"))

pytestmark = pytest.mark.shared


def load(sample):
    return json.loads(sample.read_text())


def pairs(form):
    with (DATA / "pairs.jsonl").open(encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        return [row for row in rows if (row["format"], row["reference_format"]) == ("tau2", form)]


def facts(calls):
    return [(made["name"], made["arguments"], made["id"]) for made in calls]


def form(made):
    return {"name": made.name, "arguments": made.arguments, "id": made.id}


def test_there_are_samples():
    assert len(SAMPLES) >= 3


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem[27:])
@pytest.mark.parametrize("options", [{}, {"format": "tau2"}], ids=["recognised", "named"])
def test_a_real_history_converts_to_its_calls(sample, options):
    native, calls = load(sample)["native"], load(sample)["calls_by_lib"]
    run = to_trajectory(native, **options)
    assert facts(map(form, run.calls)) == facts(calls)
    assert ({made.status for made in run.calls}, run.notes) == ({"succeeded"}, ())
    assert native == load(sample)["native"]


DONE = {"extra": True, "extra+missing": False, "different_args": True, "missing": False, "identical": True}
"""Whether all actions were done, by how a run relates to them; other arguments differ where none are compared."""


@pytest.mark.parametrize("pair", pairs("calls") if SAMPLES else [], ids=lambda pair: pair["id"][26:40])
def test_real_actions_are_expectations(pair):
    result = match(pair["actual"], tau2.expected(pair["reference"]), mode="superset")
    assert (result.passed, result.notes) == (DONE[pair["relation"]], ())


@pytest.mark.parametrize("pair", pairs("tau2") if SAMPLES else [], ids=lambda pair: pair["relation"])
def test_two_real_simulations_are_matched(pair):
    result = match(pair["actual"], pair["reference"], mode="superset", args="ignore")
    assert result.passed == DONE.get(pair["relation"], False)

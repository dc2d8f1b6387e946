from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from trajmatch import ToolCall, to_trajectory

DATA = Path(__file__).parents[3] / "shared" / "data"
SAMPLES = sorted((DATA / "formats" / "pydantic_ai").glob("*.json"))

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not DATA.is_dir(), reason="the collection of real histories is not here"),
]


def stated(call: ToolCall) -> tuple[object, ...]:
    return call.name, call.raw_arguments if call.arguments is None else call.arguments, call.id


def parts_of(history: list[Any]) -> list[Any]:
    return [part for message in history for part in message["parts"]]


def named(history: list[Any]) -> list[str]:
    """The names of the calls as they stand in the stored parts."""
    return [part["tool_name"] for part in parts_of(history) if part["part_kind"].endswith("tool-call")]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_calls_of_a_sample_are_those_that_its_index_names(path: Path) -> None:
    sample = json.loads(path.read_text(encoding="utf-8"))
    wanted = [(call["name"], call["arguments"], call["id"]) for call in sample["calls_by_lib"]]
    assert [stated(call) for call in to_trajectory(sample["native"]).calls] == wanted


def test_the_actual_side_of_every_pair_is_read() -> None:
    lines = (DATA / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = [pair for pair in map(json.loads, lines) if pair["format"] == "pydantic_ai"]
    read = [[call.name for call in to_trajectory(pair["actual"]).calls] for pair in pairs]
    assert pairs and read == [named(pair["actual"]) for pair in pairs]


def test_every_run_is_read_without_losing_a_call_or_leaving_a_part_out() -> None:
    with gzip.open(DATA / "runs.jsonl.gz", "rt", encoding="utf-8") as lines:
        histories = [run["actual"] for run in map(json.loads, lines) if run["format"] == "pydantic_ai"]
    runs = [to_trajectory(history) for history in histories]
    assert [[call.name for call in run.calls] for run in runs] == [named(history) for history in histories]
    assert not {note for run in runs for note in run.notes if "unknown" in note}


def test_the_default_name_is_an_output_tool_in_every_run() -> None:
    with gzip.open(DATA / "runs.jsonl.gz", "rt", encoding="utf-8") as lines:
        histories = [run["actual"] for run in map(json.loads, lines) if run["format"] == "pydantic_ai"]
    calls = [call for history in histories for call in to_trajectory(history).calls]
    assert {call.kind for call in calls if call.name == "final_result"} == {"output"}

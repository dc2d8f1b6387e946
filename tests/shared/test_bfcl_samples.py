"""Real possible answers of BFCL, read in place from the collection beside a full checkout."""

import json
from pathlib import Path

import pytest

from trajmatch import ConversionError, call, match, to_trajectory
from trajmatch_adapters.histories import bfcl

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "formats" / "bfcl_possible_answer"

pytestmark = pytest.mark.shared

SINGLE = {
    "02": [
        call("calculate_em_force", b_field=5, area=2, d_time=10),
        call("calculate_em_force", b_field=5.0, area=2, d_time=4),
    ],
    "04": [call("triangle_properties.get", side1=5, side2=4, side3=3, get_angles=True)],
    "06": [
        call("get_current_weather", location="Beijing, China", unit="metric"),
        call("get_current_weather", location="Guangzhou, China", unit="metric"),
    ],
    "09": [call("validateUserInput", inputField="userInputField", isComplete=True)],
}
"""Calls that are right, in any order."""
TURNS = {"07": [3, 2, 1, 4], "08": [1, 4]}
"""How many calls each turn asks for."""
NAMES = {"sort": ["file_name"]}


def load(number):
    (sample,) = FOLDER.glob(f"{number}_*.json")
    return json.loads(sample.read_text())["native"]


def test_every_sample_is_looked_at():
    assert {file.name[:2] for file in FOLDER.glob("*.json")} == SINGLE.keys() | TURNS.keys()


@pytest.mark.parametrize(("number", "run"), SINGLE.items())
def test_right_calls_pass_and_others_do_not(number, run):
    native = load(number)
    wanted = bfcl.expected(native)
    assert match(run, wanted, mode="unordered")
    assert not match([*run[1:], run[0].replace(arguments={**run[0].arguments, "x": 1})], wanted, mode="unordered")
    assert not match(run[1:], wanted, mode="unordered")
    assert native == load(number)


@pytest.mark.parametrize(("number", "counts"), TURNS.items())
def test_calls_of_turns_are_expected(number, counts):
    turns = bfcl.expected_turns(load(number), parameters=NAMES)
    assert [len(turn) for turn in turns] == counts
    assert all(made.arguments for turn in turns for made in turn)


@pytest.mark.parametrize("number", [*SINGLE, *TURNS])
def test_possible_answers_are_no_history(number):
    with pytest.raises(ConversionError, match="possible answers, which say what to expect"):
        to_trajectory(load(number))

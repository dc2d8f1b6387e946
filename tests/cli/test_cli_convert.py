"""`trajmatch convert` and `trajmatch schema`: what is printed for other programs."""

import json

import jsonschema
import pytest

from trajmatch import Trajectory, load, to_messages, to_trajectory


def test_a_run_is_printed_in_the_common_model(command):
    status, out, err = command("convert", "run.json")
    assert (status, err) == (0, "")
    assert Trajectory.from_json(out) == to_trajectory(load("run.json"))
    assert len(out.splitlines()) > 1


def test_compact_is_one_line(command):
    out = command("convert", "run.json", "--compact")[1]
    assert out == to_trajectory(load("run.json")).to_json() + "\n"


def test_what_was_converted_is_read_again(command):
    assert command("convert", "run.json", "-o", "stored.json") == (0, "", "")
    assert command("match", "stored.json", "run.json", "--mode", "strict")[0] == 0


@pytest.mark.parametrize("format", ["anthropic", "langchain", "openai", "pydantic_ai"])
def test_a_run_is_printed_as_the_messages_of_a_format(command, format):
    status, out, err = command("convert", "run.json", "--to", format)
    assert (status, err) == (0, "")
    assert json.loads(out) == to_messages(load("run.json"), format)
    assert len(command("convert", "run.json", "--to", format, "--compact")[1].splitlines()) == 1


def test_a_format_that_is_not_written_is_an_error(command):
    status, out, err = command("convert", "run.json", "--to", "openia")
    assert (status, out) == (2, "")
    assert err.startswith("trajmatch: format 'openia' is not written; did you mean 'openai'?; there are 'anthropic'")


def test_a_file_that_cannot_be_written_is_an_error(command):
    status, _, err = command("convert", "run.json", "--output", "no/where.json")
    assert (status, err) == (2, "trajmatch: --output: 'no/where.json' cannot be written: No such file or directory\n")


def test_nan_and_large_integers_stay(command, folder):
    (folder / "odd.json").write_text('[{"name": "f", "arguments": {"x": NaN, "y": 123456789012345678901234567890}}]')
    assert "NaN" in (out := command("convert", "odd.json")[1])
    assert "123456789012345678901234567890" in out


CALL = {"name": "pay", "arguments": {"amount": {"$lte": 100}}}
VALID = {
    "expectation": [["search", CALL], {"seq": ["search", {"optional": "book"}]}, {"any_of": [["a"], {"seq": ["b"]}]}],
    "call": ["search", CALL],
    "structure": [{"seq": ["search"]}],
    "rule": ["exact", ["a.b"], {"ignore": ["id"]}],
    "trajectory": [{"notes": [], "calls": [{"name": "f"}]}],
}
INVALID = {
    "expectation": ["search", [{"nme": "f"}], {"any_of": []}, {"any_of": [["a"]], "x": 1}],
    "call": [{"name": ""}],
    "structure": [{"sq": []}],
    "rule": ["exat", {"ignroe": []}],
    "trajectory": [{"calls": [{"nme": "f"}]}],
}


@pytest.fixture
def valid(command):
    def ask(what, form):
        return jsonschema.Draft202012Validator(json.loads(command("schema", what)[1])).is_valid(form)

    return ask


@pytest.mark.parametrize("what", VALID)
def test_a_schema_takes_what_the_library_reads(valid, what):
    assert [form for form in VALID[what] if not valid(what, form)] == []


@pytest.mark.parametrize("what", INVALID)
def test_a_schema_refuses_what_the_library_refuses(valid, what):
    assert [form for form in INVALID[what] if valid(what, form)] == []


def test_the_schema_of_a_stored_run_takes_one(command, valid):
    assert valid("trajectory", json.loads(command("convert", "run.json")[1]))


def test_without_a_word_it_is_that_of_an_expectation(command):
    assert command("schema") == command("schema", "expectation")


def test_a_schema_is_written_to_a_file(command, folder):
    assert command("schema", "rule", "-o", "rule.json") == (0, "", "")
    assert json.loads((folder / "rule.json").read_text()) == json.loads(command("schema", "rule")[1])


def test_an_unknown_schema_is_an_error_with_the_nearest(command):
    status, _, err = command("schema", "rul")
    assert status == 2
    assert "there is none of 'rul'; did you mean 'rule'?; there are 'expectation', 'call'" in err

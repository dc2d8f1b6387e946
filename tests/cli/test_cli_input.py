"""Where a run comes from: files, standard input, a line or a key path of them."""

import io
import json
import sys

import pytest

from tests.cli.conftest import RUN

FOUND = {
    "a history": ["run.json"],
    "a message a line": ["run.jsonl"],
    "the first of several runs": ["runs.jsonl", "--line", "1"],
    "a key path": ["wrapped.json", "--at", "outputs.state.messages"],
    "an object that holds messages": ["wrapped.json", "--at", "outputs.state"],
    "a place in a list": ["runs.jsonl", "--at", "0"],
    "a line and a key path": ["deep.jsonl", "--line", "2", "--at", "runs.1"],
    "a format": ["run.json", "--format", "openai"],
    "a kind": ["run.txt", "--kind", "json"],
    "the argument itself": [json.dumps(RUN)],
}


@pytest.fixture(autouse=True)
def more_files(folder):
    (folder / "deep.jsonl").write_text("{}\n" + json.dumps({"runs": [[], RUN]}))
    (folder / "run.txt").write_text(json.dumps(RUN))


@pytest.mark.parametrize("arguments", FOUND.values(), ids=FOUND)
def test_a_run_is_found(command, arguments):
    status, out, err = command("convert", *arguments)
    assert (status, err) == (0, "")
    assert [call["name"] for message in json.loads(out)["messages"] for call in message.get("tool_calls", ())] == [
        "search",
        "weather",
        "book",
    ]


REFUSED = {
    "no such file": (["no.json"], "no.json: it cannot be read: No such file or directory"),
    "a directory": (["."], ".: it is a directory; name a file in it"),
    "another suffix": (["run.txt"], "its suffix '.txt' is not known; name it '.json'"),
    "an unknown kind": (["run.txt", "--kind", "jsn"], "kind: 'jsn' is none"),
    "an unknown format": (["run.json", "--format", "opnai"], "format 'opnai' is not known; did you mean 'openai'?"),
    "another format": (["run.json", "--format", "pydantic_ai"], "run.json: "),
    "an expectation": (["expected.json"], "expected.json: message 0 is the text 'search'; names of tools"),
    "a run a line": (["runs.jsonl"], "runs.jsonl: message 0"),
    "which line": (["runs.jsonl"], "; it is a list of runs: pick one with --line N, from 1 to 2"),
    "a wrapper": (["wrapped.json"], "; there is a run in it: pick it with --at outputs"),
    "a wrapper in a list": (["deep.jsonl"], "; there is a run in it: pick it with --at 1.runs"),
    "nothing at all": (["nothing.json"], "nothing.json: message 0: no format reads it"),
    "line 0": (["runs.jsonl", "--line", "0"], "runs.jsonl: --line: a number from 1 to 2, got 0"),
    "a line too many": (["runs.jsonl", "--line", "3"], "runs.jsonl: --line: a number from 1 to 2, got 3"),
    "a line of an object": (["wrapped.json", "--line", "1"], "this is an object with 'id', 'outputs'"),
    "a line of a number": (["nothing.json", "--at", "a", "--line", "1"], "this is an object with 'a', 'b'"),
    "a key": (["wrapped.json", "--at", "output"], "wrapped.json: --at output: there is no 'output' in an object with"),
    "a key of a list": (["runs.jsonl", "--at", "7"], "there is no '7' in a list of 2"),
    "a key of no list": (["nothing.json", "--at", "b.0"], "there is no '0' in a list of 0"),
    "a key of a number": (["nothing.json", "--at", "a.b.c"], "there is no 'b' in 3"),
    "a key of nothing": (["nothing.json", "--at", "c.b"], "there is no 'b' in an object with no keys"),
    "no JSON": (
        ["[1"],
        "Expecting ',' delimiter: line 1 column 3 (char 2); a file is written ./[1",
    ),
}


@pytest.mark.parametrize(("arguments", "text"), REFUSED.values(), ids=REFUSED)
def test_where_there_is_no_run_it_is_said_what_helps(command, folder, arguments, text):
    (folder / "nothing.json").write_text('{"a": 3, "b": [], "c": {}, "d.e": [1], "f": [{"x": 1}]}')
    status, out, err = command("show", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert text in err


class Stream(io.BytesIO):
    name = "<stdin>"


def _standard_input(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", content and io.TextIOWrapper(Stream(content)))


@pytest.mark.parametrize("text", [json.dumps(RUN), "\n".join(map(json.dumps, RUN))], ids=["json", "jsonl"])
def test_standard_input_is_json_or_a_message_a_line(command, monkeypatch, text):
    _standard_input(monkeypatch, b"\xef\xbb\xbf" + text.encode())
    assert command("match", "-", "run.json")[0] == 0


def test_standard_input_may_be_yaml(command, monkeypatch):
    _standard_input(monkeypatch, b"- search\n- weather\n- book\n")
    assert command("match", "run.json", "-", "--expected-kind", "yaml")[0] == 0


def test_what_standard_input_holds_is_named_by_it(command, monkeypatch):
    _standard_input(monkeypatch, b"[1,")
    assert command("show", "-")[2] == "trajmatch: <stdin>: line 1, column 4: no JSON: Expecting value\n"
    _standard_input(monkeypatch, b"3")
    assert command("show", "-")[2].startswith("trajmatch: <stdin>: message 0: ")


def test_a_closed_standard_input_is_an_error(command, monkeypatch):
    _standard_input(monkeypatch, None)
    assert command("show", "-")[2] == "trajmatch: <stdin>: the standard input is closed; name a file\n"

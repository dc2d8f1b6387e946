"""`trajmatch match`: every option of a match, verdicts and pictures."""

import json

import pytest

from trajmatch import MatchOptions
from trajmatch_adapters.cli._match_options import match_options
from trajmatch_adapters.cli._options import described

STATUS = {
    "equal": (["run.json", "run.json"], 0),
    "names": (["run.json", '["search", "weather", "book"]'], 0),
    "a missing call": (["run.json", '["search"]'], 1),
    "a mode": (["run.json", '["search"]', "--mode", "superset"], 0),
    "other arguments": (["run.json", "expected.json", "--mode", "superset"], 1),
    "no arguments": (["run.json", "expected.json", "--mode", "superset", "--args", "ignore"], 0),
    "a subset of arguments": (["run.json", '[{"name": "book", "args": {"hotel": "Plaza"}}]', "--mode", "superset"], 1),
    "a superset": (
        ["run.json", '[{"name": "book", "args": {"hotel": "Plaza"}}]', "--mode", "superset", "--args", "superset"],
        0,
    ),
    "key paths": (
        ["run.json", '[{"name": "book", "args": {"hotel": "Plaza"}}]', "--mode", "superset", "--args", "hotel, x.y"],
        0,
    ),
    "key paths one by one": (
        ["run.json", '[{"name": "book", "args": {"nights": 3}}]', "--mode=superset", "--args=hotel", "--args=nights"],
        1,
    ),
    "key paths as JSON": (["run.json", "run.json", "--args", '[["hotel"]]'], 0),
    "a rule as JSON": (
        ["run.json", "expected.json", "--mode", "superset", "--args", '{"ignore": ["hotel", "nights"]}'],
        0,
    ),
    "a rule for a tool": (["run.json", "expected.json", "--mode", "superset", "--override", "book=ignore"], 0),
    "paths for a tool": (["run.json", "expected.json", "--mode", "superset", "--override", "book=room"], 0),
    "a threshold": (["run.json", '["search"]', "--mode", "in_order", "--threshold", "0.5"], 0),
    "a threshold of 0": (["run.json", '["x"]', "--mode", "in_order", "--threshold", "0"], 0),
    "extra is free": (["run.json", '["search"]', "--mode", "in_order", "--allow-extra"], 0),
    "missing is free": (["run.json", '["search", "weather", "book", "x"]', "--mode", "in_order", "--allow-missing"], 0),
    "what succeeded": (["run.json", '["search", "weather", "book"]', "--calls", "succeeded"], 0),
    "roles": (["run.json", "run.json", "--mode", "strict", "--ignore-role", "user", "--ignore-role", "system"], 0),
    "aliases": (["run.json", '["find", "weather", "book"]', "--alias", "find=search"], 0),
    "prefixes": (["run.json", '["web__search", "weather", "book"]', "--prefix", "web__"], 0),
    "tools": (["run.json", '["search", "weather", "book"]', "--tools", "tools.json"], 0),
    "turn by turn": (["run.json", '[["search", "weather", "book"]]', "--per-turn"], 0),
    "a structure in YAML": (["run.json", "expected.yaml"], 0),
    "a structure": (["run.json", '{"seq": ["search", "book"]}'], 1),
    "alternatives": (["run.json", '{"any_of": [["search"], ["search", "weather", "book"]]}'], 0),
    "one call after the other": (["run.json", "--expect", "search", "--expect", "weather", "--expect", "book"], 0),
    "a call as JSON": (["run.json", "--expect", '{"name": "search"}'], 1),
    "no calls": (["run.json", "[]"], 1),
    "messages a line": (["run.jsonl", "run.json"], 0),
    "a run a line": (["runs.jsonl", "run.json", "--line", "1"], 0),
    "both from lines": (["runs.jsonl", "runs.jsonl", "--line", "2", "--expected-line", "2"], 0),
    "a key path": (["wrapped.json", "run.json", "--at", "outputs.state.messages"], 0),
    "a key path of both": (
        ["wrapped.json", "wrapped.json", "--at", "outputs.state", "--expected-at", "outputs.state"],
        0,
    ),
    "formats": (["run.json", "run.json", "--format", "openai", "--expected-format", "openai"], 0),
    "a kind": (["run.txt", "run.txt", "--kind", "json", "--expected-kind", "yaml"], 0),
    "another mode is known": (["run.json", "[]", "--mode", "in_ordr"], 2),
    "the tools are no file": (["run.json", "[]", "--tools", "no.json"], 2),
}


@pytest.fixture(autouse=True)
def more_files(folder):
    (folder / "tools.json").write_text('{"search": {"properties": {"city": {"type": "string"}}}}')
    (folder / "run.txt").write_text((folder / "run.json").read_text())


@pytest.mark.parametrize(("arguments", "status"), STATUS.values(), ids=STATUS)
def test_the_status_is_the_verdict(command, arguments, status):
    found, out, err = command("match", *arguments)
    assert found == status, out + err
    assert (err == "") == (status < 2)


def test_the_picture_is_printed(golden, command):
    golden(command("match", "run.json", "expected.json", "--mode", "in_order")[1])


def test_the_picture_has_the_width_of_the_terminal(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, command("match", "run.json", "expected.json")[1].splitlines())) <= 60


def test_json_is_the_result(command):
    status, out, _ = command("match", "run.json", "expected.json", "--json")
    form = json.loads(out)
    assert (status, form["passed"], form["mode"]) == (1, False, "exact")
    assert form["near_misses"]


REFUSED = {
    "a mode": (["[]", "--mode", "in_ordr"], "mode: 'in_ordr' is no mode; did you mean 'in_order'?"),
    "a mode beside a structure": (["expected.yaml", "--mode", "exact"], "mode has no effect beside a structure"),
    "a rule": (
        ["[]", "--args", "exat"],
        "--args: 'exat' is no rule; did you mean 'exact'?; as a key path it is written '[\"exat\"]'",
    ),
    "a rule of a tool": (["[]", "--override", "f=exat"], "--override f: 'exat' is no rule; did you mean 'exact'?"),
    "a rule beside paths": (["[]", "--args", "a.b,exact"], "--args: 'exact' is a rule and stands alone"),
    "an unknown rule": (["[]", "--args", '{"ignroe": []}'], "did you mean 'ignore'?"),
    "no paths": (["[]", "--args", "[]"], "args: no key path is given"),
    "a rule that is no JSON": (["[]", "--args", "{"], "--args: '{' is no JSON"),
    "a rule that is too deep": (["[]", "--args", "[" * 100_000], "is no JSON: maximum recursion depth exceeded"),
    "calls": (["[]", "--calls", "suceeded"], "got 'suceeded'; did you mean 'succeeded'?"),
    "an option without effect": (["[]", "--allow-extra"], "allow_extra has no effect in the mode 'exact'"),
    "an override": (["[]", "--override", "f"], "--override: write TOOL=RULE, got 'f'"),
    "an alias": (["[]", "--alias", "f"], "--alias: write OTHER=NAME, got 'f'"),
    "an alias twice": (["[]", "--alias", "f=g", "--alias", "f=h"], "--alias: 'f' is there twice"),
    "a prefix": (["[]", "--prefix", ""], "prefixes: a list of texts that are not empty"),
    "no number": (["[]", "--threshold", "x"], "Invalid value for '--threshold': 'x' is not a valid float."),
    "no threshold": (["[]", "--mode", "in_order", "--threshold", "2"], "threshold: a number from 0 to 1, got 2.0"),
    "nothing expected": ([], "write what was expected: EXPECTED, or --expect"),
    "two expectations": (["[]", "--expect", "f"], "write what was expected: EXPECTED, or --expect"),
    "expected JSON": (
        ['["a"'],
        "what begins with [ or { is JSON, and this is none: Expecting ',' delimiter",
    ),
    "a structure": (['{"sq": ["a"]}'], "expected: 'sq' is no structure; did you mean 'seq'?"),
    "an expected call": (["--expect", '{"nme": "f"}'], "'nme'"),
    "a file of expectations": (["wrapped.json"], "wrapped.json: message 0: no format reads it"),
    "runs where one is expected": (["runs.jsonl"], "pick one with --expected-line N, from 1 to 2"),
    "turns": (['["search"]', "--per-turn"], "per_turn needs one expectation for each turn"),
}


@pytest.mark.parametrize(("arguments", "text"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_said_in_one_line_with_the_fix(command, arguments, text):
    status, out, err = command("match", "run.json", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("trajmatch: ")
    assert text in err


def test_standard_input_serves_one_side(command):
    assert "the standard input is read once" in command("match", "-", "-")[2]


def test_every_option_of_a_match_can_be_written():
    written = dict.fromkeys(MatchOptions.__annotations__)
    assert match_options(written) == {}
    given = {
        "overrides": ["f=ignore"],
        "aliases": ["a=b"],
        "args": ["x"],
        "mode": "exact",
        "threshold": 0.0,
        "per_turn": False,
    }
    expected = {"overrides": {"f": "ignore"}, "aliases": {"a": "b"}, "args": ["x"], "mode": "exact", "threshold": 0.0}
    assert match_options(written | given) == expected


@pytest.mark.parametrize("option", MatchOptions.__annotations__)
def test_the_library_describes_its_options(command, option):
    assert described(option)
    printed = " ".join(command("match", "--help")[1].split())
    assert described(option).split(";")[0] in printed

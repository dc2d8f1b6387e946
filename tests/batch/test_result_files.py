"""Files of results: what was written is read, and what is none is told with its line."""

import json

import pytest

from trajmatch import ConversionError, OptionError
from trajmatch.batch import ResultRow, read_rows, write_parquet

ROWS = [
    ResultRow(id="a", group="g", line=1, passed=True, score=1.0, precision=1.0, recall=1.0, signature="s", calls=()),
    ResultRow(id="\ud800", line=2, passed=False, score=0.5, reason="r\n", differences=("missing a",), calls=("a:1",)),
    ResultRow(line=3, error="ConversionError", reason="no JSON"),
]
GOOD = ROWS[0].to_dict()


@pytest.fixture
def results(tmp_path):
    """Write text to a file of results, and give its path."""

    def write(text, name="results.jsonl"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("name", ["results.jsonl", "results.ndjson", "RESULTS.JSONL"])
def test_lines_are_read_as_they_were_written(results, name):
    text = "\n \n".join(row.to_json() for row in ROWS)
    assert [*read_rows(results(text, name))] == ROWS


def test_parquet_is_read_as_it_was_written(tmp_path):
    write_parquet(ROWS[::2], tmp_path / "results.parquet")
    assert [*read_rows(tmp_path / "results.parquet")] == ROWS[::2]


def test_rows_come_one_by_one(results):
    rows = read_rows(results(f"{ROWS[0].to_json()}\nno JSON\n"))
    assert next(rows) == ROWS[0]


def test_a_key_that_is_not_there_is_empty(results):
    (row,) = read_rows(results('{"passed": null, "score": null, "error": "E", "reason": "", "differences": []}'))
    assert row == ResultRow(error="E")


WRONG = {
    "no JSON": ("{", "line 2: Expecting property name"),
    "no text": ("\udcff", "line 2: "),
    "nested deep": ("[" * 100_000, "line 2: "),
    "a list": ("[]", r"line 2: no row of results, with 'passed', 'score' and 'error'; it holds \[\]"),
    "nothing": ("{}", "it holds no keys"),
    "a record": ('{"actual": [], "expected": []}', "it holds 'actual', 'expected'"),
    "an id": (json.dumps(GOOD | {"id": 1}), "line 2: 'id' is text or null, got 1"),
    "a score": (json.dumps(GOOD | {"score": 1.5}), "'score' is a number from 0 to 1, or null, got 1.5"),
    "NaN": (json.dumps(GOOD | {"score": float("nan")}), "'score' is a number from 0 to 1, or null, got nan"),
    "a bool": (json.dumps(GOOD | {"recall": True}), "'recall' is a number"),
    "a line": (json.dumps(GOOD | {"line": 0}), "'line' is a number from 1 on, or null, got 0"),
    "a verdict": (json.dumps(GOOD | {"passed": "yes"}), "'passed' is true, false or null, got 'yes'"),
    "a reason": (json.dumps(GOOD | {"reason": None}), "'reason' is text, got None"),
    "differences": (json.dumps(GOOD | {"differences": "abc"}), "'differences' is a list of texts, got 'abc'"),
    "calls": (json.dumps(GOOD | {"calls": [1]}), r"'calls' is a list of texts, or null, got \[1\]"),
}


@pytest.mark.parametrize(("line", "text"), WRONG.values(), ids=WRONG)
def test_what_is_no_row_is_told_with_its_line(tmp_path, line, text):
    path = tmp_path / "results.jsonl"
    path.write_bytes(f"{ROWS[0].to_json()}\n{line}\n".encode("utf-8", "surrogateescape"))
    with pytest.raises(ConversionError, match=f"results.jsonl: .*{text}"):
        [*read_rows(path)]


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(ConversionError, match=r"results\.jsonl: it cannot be read: No such file"):
        next(read_rows(tmp_path / "results.jsonl"))


def test_another_kind_of_file_is_an_error():
    with pytest.raises(OptionError, match=r"results: a file that ends in .*, got 'results\.csv'"):
        next(read_rows("results.csv"))

"""Ranges of a JSONL file: each line belongs to one."""

import itertools
import json
import random

import pytest

from trajmatch import OptionError
from trajmatch.batch import Scorer, match_lines
from trajmatch.batch._lines import line_ranges

RUN = {"actual": [{"name": "f"}], "expected": ["f"]}
LINES = [json.dumps(RUN | {"id": i, "pad": "ü" * (i % 7)}) for i in range(40)]
FILES = {
    "lines": "\n".join(LINES) + "\n",
    "no end of the last line": "\n".join(LINES),
    "blank lines": "\n\n" + "\n \n".join(LINES) + "\n\n",
    "the ends of Windows": "\r\n".join(LINES) + "\r\n",
    "broken lines": "{\n" + "\n[\n".join(LINES) + "\nx",
    "one line": LINES[0],
    "nothing": "",
    "blank": "\n\n\n",
}


@pytest.fixture(params=FILES.values(), ids=FILES)
def runs(request, tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_bytes(request.param.encode())
    return path


def expected(path):
    lines = enumerate(path.read_bytes().split(b"\n"), 1)
    return [Scorer().row_of_json(line, number) for number, line in lines if line.strip()]


def test_a_file_gives_a_row_for_each_line_that_is_not_blank(runs):
    assert [*match_lines(runs)] == expected(runs)


def test_parts_that_join_anywhere_miss_no_line_and_take_none_twice(runs):
    rng, size, rows = random.Random(0), runs.stat().st_size, expected(runs)
    for _ in range(60):
        cuts = sorted([0, *(rng.randint(0, size) for _ in range(3)), size])
        parts = itertools.pairwise(cuts)
        assert [row for start, stop in parts for row in match_lines(runs, start, stop)] == rows


@pytest.mark.parametrize("size", [1, 50, 1000, 1 << 20])
@pytest.mark.parametrize("after", [0, 1, 2, 17, 100])
def test_ranges_hold_whole_lines(runs, monkeypatch, size, after):
    monkeypatch.setattr("trajmatch.batch._lines._RANGE", size)
    ranges = [*line_ranges(runs, after)]
    rows = [row for part in ranges for row in part.rows(Scorer())]
    assert rows == [row for row in expected(runs) if row.line > after]
    assert [part.end for part in ranges[:-1]] == [part.start for part in ranges[1:]]
    assert all(part.end == runs.stat().st_size for part in ranges[-1:])


def test_the_number_of_the_first_line_may_be_given(tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_text(FILES["lines"])
    start = len(LINES[0]) + 1
    assert [row.line for row in match_lines(path, start, first_line=7)][:2] == [7, 8]
    assert [row.line for row in match_lines(path, start)][:2] == [2, 3]


@pytest.mark.parametrize("part", [(-1, None), (5, 4)])
def test_a_part_that_is_none_is_refused(tmp_path, part):
    with pytest.raises(OptionError, match="start, stop: a part of a file"):
        next(match_lines(tmp_path / "runs.jsonl", *part))


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        next(match_lines(tmp_path / "runs.jsonl"))

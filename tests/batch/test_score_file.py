"""A file of runs to a file of rows, whatever interrupts it."""

import json
import os
import random
import signal
import subprocess
import sys

import pytest

from tests.batch.rules import SCORER, kill_this_process, same_city
from trajmatch import Matcher, OptionError, TrajmatchError
from trajmatch.batch import Scorer, Summary, match_lines, score_file
from trajmatch.batch._parquet import parquet_rows

SEARCH = {"name": "search", "arguments": {"city": "Rome"}}
RUNS = [{"id": i, "task": i % 7, "actual": [SEARCH] * (i % 3), "expected": ["search"]} for i in range(300)]
LINES = [line for run in RUNS for line in (json.dumps(run), "" if run["id"] % 50 else "{")]


@pytest.fixture
def runs(tmp_path):
    path = tmp_path / "runs.jsonl"
    path.write_text("\n".join(LINES), encoding="utf-8")
    return path


@pytest.fixture
def small(monkeypatch):
    """Pieces of a few lines, so that there are many."""
    monkeypatch.setattr("trajmatch.batch._lines._RANGE", 1_000)


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def table(runs, tmp_path):
    """The same records as rows of a table, JSON text in each column."""
    import pyarrow
    from pyarrow import parquet

    records = [{key: json.dumps(value) for key, value in run.items()} for run in RUNS]
    parquet.write_table(pyarrow.Table.from_pylist(records), tmp_path / "runs.parquet", row_group_size=70)
    return tmp_path / "runs.parquet"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_table_gives_the_same_rows(table, tmp_path, workers):
    target, records = tmp_path / "results.jsonl", [json.dumps(run) for run in RUNS]
    score_file(table, target, SCORER, workers=workers)
    assert rows_of(target) == [SCORER.row_of_json(run, line).to_dict() for line, run in enumerate(records, 1)]


@pytest.mark.parametrize("source", ["runs", "table"])
def test_results_go_into_a_table(request, tmp_path, source):
    source, lines, target = request.getfixturevalue(source), tmp_path / "results.jsonl", tmp_path / "results.parquet"
    assert score_file(source, lines, SCORER) == score_file(source, target, SCORER)
    assert [row.to_dict() for row in parquet_rows(target)] == rows_of(lines)


@pytest.mark.parametrize("source", ["runs", "table"])
def test_a_table_is_the_same_after_an_interruption(request, tmp_path, small, source):
    source, whole, target = request.getfixturevalue(source), tmp_path / "whole.parquet", tmp_path / "results.parquet"
    score_file(source, whole, SCORER)
    for pieces in (1, 2):
        with pytest.raises(_Stop):
            score_file(source, target, SCORER, progress=interrupted_after(pieces))
    score_file(source, target, SCORER, workers=2)
    assert target.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_each_line_gives_a_row_in_order(runs, tmp_path, small, workers):
    target = tmp_path / "results.jsonl"
    summary = score_file(runs, target, SCORER, workers=workers)
    assert rows_of(target) == [row.to_dict() for row in match_lines(runs, scorer=SCORER)]
    assert summary == Summary.of(match_lines(runs, scorer=SCORER))
    assert {*tmp_path.iterdir()} == {runs, target}


def test_broken_lines_have_their_number(runs, tmp_path):
    score_file(runs, tmp_path / "results.jsonl", SCORER)
    errors = [row for row in rows_of(tmp_path / "results.jsonl") if row["error"]]
    assert [row["line"] for row in errors] == [at for at, line in enumerate(LINES, 1) if line == "{"]
    assert {row["reason"] for row in errors} == {
        "this line is no JSON: column 2: Expecting property name enclosed in double quotes"
    }


def test_without_a_target_runs_are_counted(runs, tmp_path):
    assert score_file(runs, scorer=SCORER) == Summary.of(match_lines(runs, scorer=SCORER))
    assert [*tmp_path.iterdir()] == [runs]


def test_the_options_have_defaults(runs):
    assert score_file(runs) == Summary.of(match_lines(runs))


def test_a_file_without_runs_gives_no_rows(tmp_path):
    (tmp_path / "runs.jsonl").write_text("")
    assert score_file(tmp_path / "runs.jsonl", tmp_path / "results.jsonl").runs == 0
    assert (tmp_path / "results.jsonl").read_text() == ""


def test_progress_is_told(runs, tmp_path, small):
    told = []
    score_file(runs, tmp_path / "results.jsonl", SCORER, progress=told.append)
    assert [each.rows for each in told] == sorted({each.rows for each in told})
    assert (told[-1].rows, told[-1].done) == (306, 1.0)
    assert all(0 < each.done <= 1 for each in told)


class _Stop(Exception):
    """What ends a run in between."""


def interrupted_after(pieces):
    told = []

    def progress(each):
        told.append(each)
        if len(told) == pieces:
            raise _Stop

    return progress


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("torn", [b"", b'{"id": "half a ro'])
def test_a_run_goes_on_where_it_stopped(runs, tmp_path, small, workers, torn):
    whole, target = tmp_path / "whole.jsonl", tmp_path / "results.jsonl"
    summary = score_file(runs, whole, SCORER)
    for pieces in (3, 1, 5):
        with pytest.raises(_Stop):
            score_file(runs, target, SCORER, workers=workers, progress=interrupted_after(pieces))
        with open(f"{target}.partial", "ab") as partial:
            partial.write(torn)
    told = []
    assert score_file(runs, target, SCORER, workers=workers, progress=told.append) == summary
    assert target.read_bytes() == whole.read_bytes()
    assert told[0].rows > 9 * 3
    assert not os.path.exists(f"{target}.partial")


def test_the_rows_of_a_piece_may_be_torn_anywhere(runs, tmp_path):
    whole, target = tmp_path / "whole.jsonl", tmp_path / "results.jsonl"
    score_file(runs, whole, SCORER)
    with pytest.raises(_Stop):
        score_file(runs, target, SCORER, progress=interrupted_after(1))
    kept = (tmp_path / "results.jsonl.partial").read_bytes()
    rng = random.Random(0)
    for _ in range(10):
        (tmp_path / "results.jsonl.partial").write_bytes(kept[: rng.randrange(len(kept))])
        score_file(runs, target, SCORER)
        assert target.read_bytes() == whole.read_bytes()


OTHERS = {
    "another mode": (Scorer(matcher=Matcher(mode="any_order"), group="task"), "mode"),
    "another option": (Scorer(matcher=Matcher(mode="in_order", args=same_city), group="task"), "args"),
    "another field": (Scorer(matcher=Matcher(mode="in_order")), "group"),
    "both": (Scorer(), "group and mode"),
}


@pytest.mark.parametrize(("scorer", "what"), OTHERS.values(), ids=OTHERS)
def test_rows_of_other_options_are_not_gone_on_with(runs, tmp_path, scorer, what):
    with pytest.raises(_Stop):
        score_file(runs, tmp_path / "results.jsonl", SCORER, progress=interrupted_after(1))
    with pytest.raises(OptionError, match=f"holds rows of a run with another {what}; remove it to begin anew"):
        score_file(runs, tmp_path / "results.jsonl", scorer)


def test_rows_of_other_runs_are_not_gone_on_with(runs, tmp_path):
    with pytest.raises(_Stop):
        score_file(runs, tmp_path / "results.jsonl", SCORER, progress=interrupted_after(1))
    runs.write_text("\n".join(LINES[:100]))
    with pytest.raises(OptionError, match="another source"):
        score_file(runs, tmp_path / "results.jsonl", SCORER)


STRANGE = {
    "no header": (b"hello\n", "another beginning"),
    "no row": (None, "holds what is no row: b'hello"),
}


@pytest.mark.parametrize(("held", "text"), STRANGE.values(), ids=STRANGE)
def test_a_file_that_holds_something_else_is_left_alone(runs, tmp_path, held, text):
    partial = tmp_path / "results.jsonl.partial"
    with pytest.raises(_Stop):
        score_file(runs, tmp_path / "results.jsonl", SCORER, progress=interrupted_after(1))
    before = held if held is not None else partial.read_bytes() + b"hello\n"
    partial.write_bytes(before)
    with pytest.raises(OptionError, match=text):
        score_file(runs, tmp_path / "results.jsonl", SCORER)
    assert partial.read_bytes() == before


def test_results_that_are_there_stay_until_the_new_ones_are_whole(runs, tmp_path, small):
    target = tmp_path / "results.jsonl"
    target.write_text("old")
    with pytest.raises(_Stop):
        score_file(runs, target, SCORER, progress=interrupted_after(2))
    assert target.read_text() == "old"
    score_file(runs, target, SCORER)
    assert len(rows_of(target)) == 306


REFUSED = {
    "a source of another kind": ("runs.json", "results.jsonl", "source: a file that ends in .*'.jsonl'"),
    "a target of another kind": ("runs.jsonl", "results.csv", "target: a file that ends in .*'.jsonl'"),
    "no folder": ("runs.jsonl", "no/results.jsonl", "target: .*; name a file in a folder that exists"),
}


@pytest.mark.parametrize(("source", "target", "text"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_file_is_refused(runs, tmp_path, source, target, text):
    with pytest.raises(OptionError, match=text):
        score_file(tmp_path / source, tmp_path / target)


def test_a_source_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        score_file(tmp_path / "runs.jsonl", tmp_path / "results.jsonl")
    assert not [*tmp_path.iterdir()]


def test_a_rule_that_cannot_be_sent_is_named(runs):
    with pytest.raises(OptionError, match=r"args: <function .* cannot be sent to a worker"):
        score_file(runs, scorer=Scorer(matcher=Matcher(args=lambda actual, expected: True)), workers=2)


def test_a_worker_that_is_killed_is_an_error_and_rows_are_kept(tmp_path, small):
    runs = tmp_path / "runs.jsonl"
    deadly = {"id": "x", "actual": [SEARCH], "expected": [SEARCH | {"arguments": {}}]}
    runs.write_text("\n".join([*LINES[:200], json.dumps(deadly)]))
    scorer = Scorer(matcher=Matcher(args=kill_this_process))
    with pytest.raises(TrajmatchError, match="a worker was killed"):
        score_file(runs, tmp_path / "results.jsonl", scorer, workers=2)
    assert len((tmp_path / "results.jsonl.partial").read_bytes().splitlines()) > 1
    assert not (tmp_path / "results.jsonl").exists()


SCRIPT = """
import sys
from tests.batch.rules import SCORER
from trajmatch.batch import _lines, score_file

_lines._RANGE = 1_500
if __name__ == "__main__":
    score_file(*sys.argv[1:3], SCORER, workers=int(sys.argv[3]), progress=lambda each: print(each.rows, flush=True))
"""


def start(runs, target, workers):
    command = [sys.executable, "-c", SCRIPT, runs, target, str(workers)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def test_two_processes_do_not_write_one_file(runs, tmp_path):
    with start(runs, tmp_path / "results.jsonl", 1) as first:
        first.stdout.readline()
        os.kill(first.pid, signal.SIGSTOP)
        try:
            with pytest.raises(OptionError, match=r"another process is writing .*results\.jsonl\.partial"):
                score_file(runs, tmp_path / "results.jsonl", SCORER)
        finally:
            os.kill(first.pid, signal.SIGCONT)


def test_killing_it_at_random_loses_nothing(runs, tmp_path):
    whole, target = tmp_path / "whole.jsonl", tmp_path / "results.jsonl"
    score_file(runs, whole, SCORER)
    rng, killed, left = random.Random(1), 0, True
    while left:
        workers, pieces = rng.choice([1, 2, 3]), rng.randint(1, 3)
        with start(runs, target, workers) as process:
            told = [process.stdout.readline() for _ in range(pieces)]
            if left := bool(told[-1]):
                process.send_signal(rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
                killed += 1
        assert not target.exists() or target.read_bytes() == whole.read_bytes()
    assert target.read_bytes() == whole.read_bytes()
    assert killed >= 5


def test_the_source_is_not_written_over(runs, tmp_path):
    (tmp_path / "other.jsonl").symlink_to(runs)
    before = runs.read_bytes()
    for target in (runs, tmp_path / "other.jsonl"):
        with pytest.raises(OptionError, match="is the source, which would be lost"):
            score_file(runs, target)
    assert runs.read_bytes() == before


def test_a_long_row_that_is_torn_is_cut_away(runs, tmp_path, small):
    whole, target = tmp_path / "whole.jsonl", tmp_path / "results.jsonl"
    score_file(runs, whole, SCORER)
    with pytest.raises(_Stop):
        score_file(runs, target, SCORER, progress=interrupted_after(3))
    with open(f"{target}.partial", "ab") as partial:
        partial.write(b"x" * 200_000)
    score_file(runs, target, SCORER)
    assert target.read_bytes() == whole.read_bytes()


def test_a_system_without_locks_does_without(runs, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcntl", None)
    assert score_file(runs, tmp_path / "results.jsonl", SCORER).runs == 306


def test_options_are_changed_before_there_is_a_row(runs, tmp_path, small):
    whole, target = tmp_path / "whole.jsonl", tmp_path / "results.jsonl"
    score_file(runs, whole, SCORER)
    with pytest.raises(_Stop):
        score_file(runs, target, Scorer(), progress=interrupted_after(1))
    partial = tmp_path / "results.jsonl.partial"
    partial.write_bytes(partial.read_bytes().partition(b"\n")[0] + b"\n")
    score_file(runs, target, SCORER)
    assert target.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("change", [lambda text: text[:-20], lambda text: text + b"\n{}", lambda text: text])
def test_a_source_that_changes_while_it_is_read_is_refused(runs, tmp_path, small, change):
    before = runs.read_bytes()

    def meddle(each):
        runs.write_bytes(change(before))
        os.utime(runs, (1, 1))

    with pytest.raises(OptionError, match=r"runs\.jsonl was changed while it was read; remove .*partial"):
        score_file(runs, tmp_path / "results.jsonl", SCORER, progress=meddle)
    assert not (tmp_path / "results.jsonl").exists()


def test_one_process_writes_a_file_once_at_a_time(runs, tmp_path, small):
    def again(each):
        with pytest.raises(OptionError, match="is being written by this process"):
            score_file(runs, tmp_path / "results.jsonl", SCORER)

    score_file(runs, tmp_path / "results.jsonl", SCORER, progress=again)
    assert len(rows_of(tmp_path / "results.jsonl")) == 306


def test_runs_of_another_folder_are_others(runs, tmp_path):
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "runs.jsonl"
    other.write_bytes(runs.read_bytes())
    for path in (runs, other):
        os.utime(path, (1, 1))
    with pytest.raises(_Stop):
        score_file(runs, tmp_path / "results.jsonl", SCORER, progress=interrupted_after(1))
    with pytest.raises(OptionError, match="another source"):
        score_file(other, tmp_path / "results.jsonl", SCORER)

"""`trajmatch score`: a file of runs, the table of what they come to, and its status."""

import io
import json
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.conftest import SCRIPT
from trajmatch import Matcher
from trajmatch.batch import Progress, Scorer, Summary, read_rows, score_file
from trajmatch_adapters.cli import _score, main
from trajmatch_adapters.cli._progress import ProgressBar, told


def record(id, task, *names, expected=("search", "book")):
    """A record of a run of calls without arguments, as its own file might hold it."""
    return {"id": id, "task": task, "run": [{"name": name, "args": {}} for name in names], "plan": [*expected]}


RECORDS = [
    record("1", "rome", "search", "book"),
    record("2", "rome", "search", "weather", "book"),
    record("3", "rome", "search", "book"),
    record("4", "oslo", "search"),
    record("5", "oslo", "cancel", "search"),
    record("6", "oslo", "search", "cancel"),
    record("7", "a task with a name that is long", "search", "book"),
]
NAMELESS = [{"run": record["run"], "plan": record["plan"]} for record in RECORDS]
FIELDS = ["--actual", "run", "--expected", "plan", "--group", "task", "--mode", "in_order"]


@pytest.fixture
def records(folder):
    """Write records to a file, and give its name."""

    def write(records, name="batch.jsonl", more=""):
        (folder / name).write_text("".join(json.dumps(record) + "\n" for record in records) + more, encoding="utf-8")
        return name

    return write


@pytest.fixture
def batch(records):
    return records(RECORDS)


WIDTHS = {"score": 100, "score in 60 columns": 60, "score in 40 columns": 40, "score in 160 columns": 160}


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_the_table_has_the_width_of_the_terminal(command, records, golden, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    status, out, _ = command("score", records([*RECORDS, record("8", None)], more="no JSON\n"), *FIELDS)
    assert (status, max(map(len, out.split("\n"))) <= width) == (1, True)
    golden(out.rstrip("\n"))


STATUS = {
    # records, what stands behind them, options, status
    "all were scored": (RECORDS, "", [], 0),
    "a line that is no JSON": (RECORDS, "{\n", [], 1),
    "a record without a run": ([*RECORDS, {"id": "9", "plan": []}], "", [], 1),
    "no runs": ([], "", [], 1),
    "the rate is high enough": (RECORDS, "", ["--fail-under", "0.4"], 0),
    "the rate is just enough": (RECORDS[:4], "", ["--fail-under", "0.5"], 0),
    "the rate is too low": (RECORDS, "", ["--fail-under", "0.5"], 1),
    "any rate will do": (RECORDS, "", ["--fail-under", "0"], 0),
    "no rate": ([], "", ["--fail-under", "0"], 1),
    "no number": (RECORDS, "", ["--fail-under", "nan"], 2),
    "no rate from 0 to 1": (RECORDS, "", ["--fail-under", "95"], 2),
    "no mode": (RECORDS, "", ["--mode", "exat"], 2),
    "no format": (RECORDS, "", ["--format", "opnai"], 1),
    "no worker": (RECORDS, "", ["--workers", "0"], 2),
    "no key path": (RECORDS, "", ["--id", ""], 2),
    "no groups": (RECORDS, "", ["--groups", "-1"], 2),
}


@pytest.mark.parametrize(("found", "more", "arguments", "status"), STATUS.values(), ids=STATUS)
def test_the_status_says_whether_all_were_scored_and_enough_passed(command, records, found, more, arguments, status):
    answered, out, err = command("score", records(found, more=more), *FIELDS, *arguments)
    assert (answered, err.count("\n")) == (status, status == 2), out + err


FAIL_UNDER = {"0.4": "pass rate 0.429 >= 0.4", "0.43": "pass rate 0.429 < 0.43"}


@pytest.mark.parametrize(("rate", "line"), FAIL_UNDER.items())
def test_the_last_line_says_what_fail_under_says(command, batch, rate, line):
    assert command("score", batch, *FIELDS, "--fail-under", rate)[1].split("\n")[-2:] == [line, ""]


def test_the_rows_are_written_as_the_library_writes_them(command, batch, folder):
    assert command("score", batch, *FIELDS, "-o", "results.jsonl", "--workers", "2")[0] == 0
    scorer = Scorer(matcher=Matcher(mode="in_order"), actual="run", expected="plan", group="task")
    summary = score_file(batch, "other.jsonl", scorer)
    assert (folder / "results.jsonl").read_bytes() == (folder / "other.jsonl").read_bytes()
    assert Summary.of(read_rows("results.jsonl")) == summary


def test_rows_can_be_parquet(command, batch, folder):
    assert command("score", batch, *FIELDS, "-o", "results.parquet")[0] == 0
    assert [row.id for row in read_rows("results.parquet")] == [*"1234567"]


def test_json_is_a_summary_that_can_be_added_to(command, batch):
    status, out, _ = command("score", batch, *FIELDS, "--json", "--fail-under", "0.9")
    form = json.loads(out)
    assert (status, form["pass_rate"], form["groups"]["oslo"]["divergence"]["index"]) == (1, 3 / 7, 0)
    assert Summary.from_dict(form).merge(Summary()).runs == 7


def test_every_option_of_a_match_is_taken(command, records):
    run = [record("1", "a", "find", expected=["search"])]
    options = ["--mode", "superset", "--args", "ignore", "--override", "x=subset", "--calls", "all"]
    options += ["--alias", "find=search", "--prefix", "mcp__"]
    assert command("score", records(run), *FIELDS[:4], *options)[0] == 0


@pytest.mark.parametrize(("groups", "shown"), [(0, 0), (1, 1), (2, 2), (9, 3)])
def test_so_many_groups_are_listed(command, batch, groups, shown):
    out = command("score", batch, *FIELDS, "--groups", str(groups))[1]
    assert sum(out.count(f"\n  {name}") for name in ("rome", "oslo", "a task")) == shown


WRONG = {
    "no file": (["no.jsonl"], "no.jsonl: it cannot be read: No such file"),
    "a kind": (["run.json"], "RUNS: a file that ends in"),
    "a kind of results": (["batch.jsonl", "-o", "results.csv"], "-o: a file that ends in"),
    "the source": (["batch.jsonl", "-o", "batch.jsonl"], "-o: batch.jsonl is the source"),
    "no worker": (["batch.jsonl", "--workers", "0"], "--workers: a number of processes"),
    "no key path": (["batch.jsonl", "--id", ""], "--id: "),
    "no folder": (["batch.jsonl", "-o", "no/results.jsonl"], "-o: "),
}


@pytest.mark.parametrize(("arguments", "text"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_done_is_told_in_one_line(command, batch, arguments, text):
    status, out, err = command("score", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert text in err


def test_a_full_disk_is_told(command, batch, monkeypatch):
    def full(*given, **more):
        raise OSError(28, "No space left on device", "results.jsonl.partial")

    monkeypatch.setattr(_score, "score_file", full)
    told = "trajmatch: results.jsonl.partial: it cannot be written: No space left on device\n"
    assert command("score", batch, "-o", "results.jsonl") == (2, "", told)


NOWHERE = {
    # options, lines, status
    "no group": (["--group", "tsak"], ["no run has a group: there is nothing at 'tsak'"], 1),
    "no id": (["--id", "nmae"], ["no run has an id: there is nothing at 'nmae'"], 1),
    "both": (["--id", "a", "--group", "b"], ["no run has an id: there is", "no run has a group: there is"], 1),
    "an id": (["--id", "id"], [], 0),
    "the id that nobody wrote": ([], [], 0),
}


@pytest.mark.parametrize(("arguments", "lines", "status"), NOWHERE.values(), ids=NOWHERE)
def test_a_field_that_no_record_has_is_told(command, records, arguments, lines, status):
    answered, out, err = command("score", records(RECORDS if arguments else NAMELESS), *FIELDS[:4], *arguments)
    assert (answered, err, out.count("no run has")) == (status, "", len(lines))
    assert all(f"note: {line}" in out for line in lines)


def test_json_tells_it_on_the_error_stream(command, batch):
    status, out, err = command("score", batch, *FIELDS[:4], "--group", "tsak", "--json")
    assert (status, json.loads(out)["groups"]) == (1, {})
    assert err == "trajmatch: no run has a group: there is nothing at 'tsak'\n"


def test_no_runs_have_no_field_that_is_missed(command, records):
    assert "no run has" not in command("score", records([]), *FIELDS, "--id", "nmae")[1]


# --- interrupted

INTERRUPTED = {
    "rows are kept": (["-o", "results.jsonl"], 1200, "interrupted; 1,200 rows are kept, and the same command goes on"),
    "at once": (["-o", "results.jsonl"], None, "interrupted; what was scored is kept, and the same command goes on"),
    "no file": ([], 1200, "interrupted; nothing is kept without --output"),
}


@pytest.mark.parametrize(("arguments", "rows", "text"), INTERRUPTED.values(), ids=INTERRUPTED)
def test_an_interruption_says_what_is_kept(command, batch, monkeypatch, arguments, rows, text):
    def interrupted(*given, progress, **more):
        if rows is not None:
            progress(Progress(rows, 0.5))
        raise KeyboardInterrupt

    monkeypatch.setattr(_score, "score_file", interrupted)
    status, out, err = command("score", batch, *arguments)
    assert (status, out, err.strip()) == (130, "", f"trajmatch: {text}")


def test_a_command_that_was_interrupted_goes_on(folder, records):
    batch = records(RECORDS * 6000)
    process = subprocess.Popen([SCRIPT, "score", batch, *FIELDS, "-o", "results.jsonl"], stderr=subprocess.PIPE)
    partial = folder / "results.jsonl.partial"
    while not partial.exists() or partial.stat().st_size < 10_000:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    error = process.communicate(timeout=60)[1].decode()
    assert (process.returncode, error.count("\n")) == (130, 1)
    assert " kept, and the same command goes on" in error
    assert not (folder / "results.jsonl").exists()
    assert main(["score", batch, *FIELDS, "-o", "results.jsonl", "--groups", "0"]) == 0
    assert sum(1 for _ in read_rows("results.jsonl")) == 42_000


# --- progress

TOLD = {
    "at first": (Progress(100, 0.1), Progress(100, 0.1), 0.0, "100 rows"),
    "half": (Progress(0, 0.0), Progress(5000, 0.5), 10.0, "5,000 rows, 500 a second, 0:00:10 left"),
    "gone on": (Progress(5000, 0.5), Progress(7500, 0.75), 5000.0, "7,500 rows, 0 a second, 1:23:20 left"),
    "done": (Progress(0, 0.0), Progress(10, 1.0), 2.0, "10 rows, 5 a second, 0:00:00 left"),
}


@pytest.mark.parametrize(("first", "now", "seconds", "text"), TOLD.values(), ids=TOLD)
def test_progress_says_rows_and_rate_and_the_time_left(first, now, seconds, text):
    assert told(first, now, seconds) == text


def test_there_is_no_bar_where_nobody_sees_it(capsys):
    with ProgressBar() as bar:
        bar.show(Progress(3, 1.0))
    assert (bar.rows, *capsys.readouterr()) == (3, "", "")


def test_there_is_no_bar_where_the_error_stream_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with ProgressBar() as bar:
        bar.show(Progress(3, 1.0))
    assert bar.rows == 3


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_shows_a_bar(monkeypatch):
    """The bar is drawn at most ten times a second, and is gone at the end."""
    seconds = iter([0.0, 0.05, 10.0, 10.02, 20.0])
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with ProgressBar(lambda: next(seconds)) as bar:
        for rows, done in ((0, 0.0), (10, 0.1), (500, 0.5), (510, 0.51), (1000, 1.0)):
            bar.show(Progress(rows, done))
    drawn = terminal.getvalue()
    assert "500 rows, 50 a second, 0:00:10 left" in drawn
    assert "1,000 rows, 50 a second, 0:00:00 left" in drawn
    assert "10 rows," not in drawn and "510 rows" not in drawn
    assert drawn.endswith("\x1b[2K")


@pytest.mark.parametrize("name", ["dumb", "unknown"])
def test_a_terminal_that_cannot_draw_shows_none(monkeypatch, name):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", name)
    with ProgressBar() as bar:
        for rows in (1, 2):
            bar.show(Progress(rows, 0.5))
    assert "\x1b[" not in terminal.getvalue()

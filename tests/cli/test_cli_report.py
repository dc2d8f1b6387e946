"""`trajmatch report`: a page of stored results."""

import json

import pytest

from trajmatch import report_html


@pytest.fixture
def results(command, folder):
    """A file with what two matches and two checks printed."""
    lines = [
        command("match", "run.json", "expected.json", "--json")[1],
        command("match", "run.json", "expected.yaml", "--json")[1],
        command("check", "run.json", "--max-tool-calls", "2", "--forbid", "book", "--json")[1],
    ]
    (folder / "results.jsonl").write_text("".join(lines), encoding="utf-8")
    return lines


def test_what_was_printed_becomes_a_page(command, folder, results):
    assert command("report", "results.jsonl", "-o", "report.html") == (0, "", "")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page == report_html({"results.jsonl": [*map(json.loads, results)]}) + "\n"
    assert "<noscript><p>1 of 4 passed" in page


def test_without_a_file_the_page_is_printed(command, results):
    status, out, err = command("report", "results.jsonl", "--title", "Rooms & more")
    assert (status, err) == (0, "")
    assert "<title>Rooms &amp; more</title>" in out


def test_files_of_several_kinds_stand_on_one_page(command, folder, results):
    (folder / "named.json").write_text(json.dumps({"first": json.loads(results[0])}), encoding="utf-8")
    (folder / "odd").write_text(results[1], encoding="utf-8")
    page = command("report", "results.jsonl", "named.json")[1]
    assert "<noscript><p>1 of 5 passed" in page
    assert '"name":"first"' in page
    assert '"name":"odd 1"' in command("report", "odd", "--kind", "jsonl")[1]


def test_standard_input_is_read(script, results):
    done = script("report", "-", input="".join(results).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'"name":"\\u003cstdin\\u003e 1"' in done.stdout


WRONG = {
    "no result": (["run.json"], "results['run.json'][0]['role']: this is no result, and no JSON of one"),
    "twice": (["run.json", "run.json"], "results: 'run.json' is there twice"),
    "not there": (["no.json"], "no.json: it cannot be read"),
    "no file": ([], "Missing argument 'RESULTS...'"),
    "no folder": (["[]", "-o", "no/where.html"], "--output: 'no/where.html' cannot be written"),
}


@pytest.mark.parametrize(("arguments", "text"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_done_is_told_in_one_line(command, arguments, text):
    status, out, err = command("report", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert text in err

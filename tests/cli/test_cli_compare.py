"""`trajmatch compare`: two files of results, and the status of a regression."""

import json

import pytest

from trajmatch.batch import ResultRow, compare_results, read_rows, write_parquet


def rows(*scores, **more):
    return [
        ResultRow(id=f"t{at}", line=at, passed=score == 1.0, score=score, signature="s", **more)
        for at, score in enumerate(scores, 1)
    ]


FILES = {
    "base": rows(1, 1, 1, 1, 1, 1, 0.5),
    "worse": rows(0, 0, 0.5, 0.5, 0.75, 0.75, 0.5),
    "chance": rows(0, 1, 1, 1, 1, 1, 1.0),
    "fewer": rows(1, 1, 1, 1, 1, 1),
    "more": rows(1, 1, 1, 1, 1, 1, 0.5, 0),
    "other": [row._replace(signature="t") for row in rows(1, 1, 1, 1, 1, 1, 0.5)],
    "groups": [row._replace(group="g") for row in rows(1, 1, 1, 1, 1, 1, 0.5)],
    "twice": rows(1) * 2,
    "nothing": [],
}


@pytest.fixture
def results(folder):
    for name, found in FILES.items():
        (folder / f"{name}.jsonl").write_text("".join(row.to_json() + "\n" for row in found), encoding="utf-8")
    write_parquet(FILES["base"], folder / "base.parquet")
    return folder


STATUS = {
    "the same": (["base.jsonl", "base.jsonl"], 0),
    "worse": (["base.jsonl", "worse.jsonl"], 1),
    "worse, but perhaps by chance": (["base.jsonl", "worse.jsonl", "--alpha", "0.01"], 0),
    "better": (["worse.jsonl", "base.jsonl"], 0),
    "as likely chance": (["base.jsonl", "chance.jsonl"], 0),
    "fewer tasks": (["base.jsonl", "fewer.jsonl"], 1),
    "fewer tasks, as was said": (["base.jsonl", "fewer.jsonl", "--allow-missing-tasks"], 0),
    "more tasks": (["base.jsonl", "more.jsonl"], 0),
    "other signatures": (["base.jsonl", "other.jsonl"], 2),
    "other signatures, as was said": (["base.jsonl", "other.jsonl", "--allow-other-signatures"], 0),
    "groups beside ids": (["base.jsonl", "groups.jsonl"], 2),
    "by id": (["base.jsonl", "groups.jsonl", "--by", "id"], 0),
    "Parquet": (["base.parquet", "worse.jsonl"], 1),
    "nothing": (["base.jsonl", "nothing.jsonl"], 2),
    "no file": (["base.jsonl", "no.jsonl"], 2),
    "no results": (["base.jsonl", "runs.jsonl"], 2),
    "another kind": (["base.jsonl", "run.json"], 2),
    "no word": (["base.jsonl", "base.jsonl", "--by", "task"], 2),
    "no alpha": (["base.jsonl", "base.jsonl", "--alpha", "5"], 2),
}


@pytest.mark.parametrize(("arguments", "status"), STATUS.values(), ids=STATUS)
def test_the_status_is_1_on_a_regression(command, results, arguments, status):
    answered, out, err = command("compare", *arguments)
    assert (answered, err.count("\n")) == (status, status == 2), out + err


SPELLED = {
    "group": (["base.jsonl", "base.jsonl", "--by", "group"], "--by: line 1 of BASE was scored and has no group;"),
    "what to do": (["base.jsonl", "base.jsonl", "--by", "group"], "score every run with one, or compare --by id\n"),
    "alpha": (["base.jsonl", "base.jsonl", "--alpha", "5"], "--alpha: a number between 0 and 1"),
    "twice": (["twice.jsonl", "base.jsonl"], "score the runs of one task with a group: --group id\n"),
    "groups beside ids": (["base.jsonl", "groups.jsonl"], "choose one, like --by id\n"),
}


@pytest.mark.parametrize(("arguments", "text"), SPELLED.values(), ids=SPELLED)
def test_errors_name_options_as_they_are_written(command, results, arguments, text):
    assert text in command("compare", *arguments)[2]


def test_the_text_is_that_of_the_library(command, results, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    comparison = compare_results(read_rows("base.jsonl"), read_rows("worse.jsonl"))
    assert command("compare", "base.jsonl", "worse.jsonl")[1] == comparison.render(80) + "\n"


def test_json_lists_every_change(command, results):
    status, out, _ = command("compare", "base.jsonl", "worse.jsonl", "--json")
    form = json.loads(out)
    assert (status, form["regression"], len(form["changed"])) == (1, True, 6)

"""What holds for every engine: its rows are those of one process.

A test of an engine gives a fixture `engine` with the functions of its adapter, `frame(*tables)`, where each table is a
part, and `table(results)`.
"""

import json

import pyarrow as pa
import pytest

from tests.batch.records import LINES, RECORDS, SCORER, local_rows, table, write_lines
from trajmatch import Matcher, OptionError
from trajmatch.batch import Scorer, Summary, match_lines, rows_of


def ordered(rows):
    return sorted(rows, key=lambda row: (row.line or 0, row.id or "", row.reason))


def rows(engine, results):
    return ordered(row for batch in engine.table(results).to_batches() for row in rows_of(batch))


class EngineRules:
    def test_a_table_has_the_rows_of_one_process(self, engine):
        results = engine.score(engine.frame(table(), table(RECORDS[:3])), SCORER)
        assert rows(engine, results) == ordered(local_rows(RECORDS + RECORDS[:3], numbered=False))

    def test_an_empty_part_changes_nothing(self, engine):
        results = engine.score(engine.frame(table([]), table(), table([])), SCORER)
        assert rows(engine, results) == ordered(local_rows(numbered=False))

    def test_no_records_have_no_rows(self, engine):
        results = engine.score(engine.frame(table([])), SCORER)
        assert (rows(engine, results), engine.summary(results)) == ([], Summary())

    def test_the_default_scorer_is_that_of_one_process(self, engine):
        results = engine.score(engine.frame(table()))
        assert rows(engine, results) == ordered(local_rows(scorer=Scorer(), numbered=False))

    def test_nested_values_are_the_same_as_text(self, engine):
        made = [record for record in RECORDS if record["id"] in ("equal", "half")]
        runs = [[message for message in record["actual"] if message["role"] == "assistant"] for record in made]
        nested = table(made).drop_columns(["actual"]).append_column("actual", pa.array(runs))
        assert rows(engine, engine.score(engine.frame(nested), SCORER)) == ordered(local_rows(made, numbered=False))

    def test_a_rule_may_be_a_function_of_no_module(self, engine):
        scorer = Scorer(matcher=Matcher(args=lambda actual, expected: True))
        results = engine.score(engine.frame(table()), scorer)
        assert rows(engine, results) == ordered(local_rows(scorer=scorer, numbered=False))

    def test_the_lines_of_a_table_of_texts_are_read(self, engine):
        lines = [json.dumps(record) for record in RECORDS]
        scorer = Scorer(actual="value.actual", expected="value.expected", id="value.id")
        results = engine.score(engine.frame(pa.table({"value": lines})), scorer)
        assert rows(engine, results) == ordered(local_rows(scorer=Scorer(), numbered=False))

    def test_a_column_that_is_not_there_is_refused_at_once(self, engine):
        with pytest.raises(OptionError, match="actual: there is no column 'run'; there are 'id', 'task'"):
            engine.score(engine.frame(table()), Scorer(actual="run"))

    def test_arguments_as_structs_are_refused_at_once(self, engine):
        runs = pa.array([[{"name": "search", "arguments": {"q": "lamp"}}]])
        with pytest.raises(OptionError, match=r"actual: actual\.arguments is a struct"):
            engine.score(engine.frame(pa.table({"actual": runs, "expected": ["[]"]})))

    @pytest.mark.parametrize("lines", [LINES, LINES * 30, []], ids=["some", "many", "none"])
    def test_lines_have_the_rows_and_numbers_of_one_process(self, engine, lines, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("trajmatch.batch._lines._RANGE", 20_000)
        path = write_lines(tmp_path / "runs.jsonl", lines)
        assert rows(engine, engine.score_lines("runs.jsonl", SCORER)) == [*match_lines(path, scorer=SCORER)]

    def test_the_summaries_of_parts_add_up(self, engine, tmp_path):
        path = write_lines(tmp_path / "runs.jsonl", LINES * 3)
        results = engine.score_lines(path, SCORER)
        assert engine.summary(results).to_dict() == Summary.of(match_lines(path, scorer=SCORER)).to_dict()

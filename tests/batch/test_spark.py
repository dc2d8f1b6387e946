"""Spark gives the rows of one process."""

import json
from types import SimpleNamespace

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql.functions import parse_json

from tests.batch.engine_rules import EngineRules, ordered, rows
from tests.batch.records import RECORDS, SCORER, local_rows, table, write_lines
from trajmatch.batch import Summary, line_ranges, match_lines, parquet_rows, rows_of
from trajmatch_adapters import spark as adapter

SETTINGS = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2"}


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    builder = SparkSession.builder.master("local[2]").config(map=SETTINGS)
    session = builder.config("spark.sql.warehouse.dir", tmp_path_factory.mktemp("warehouse")).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture
def engine(session):
    def frame(first, *others):
        found = session.createDataFrame(first)
        for other in others:
            found = found.unionAll(session.createDataFrame(other))
        return found

    return SimpleNamespace(
        score=adapter.score,
        score_lines=lambda path, scorer: adapter.score_lines(session, path, scorer),
        summary=adapter.summary,
        frame=frame,
        table=lambda results: results.toArrow(),
    )


class TestSpark(EngineRules):
    pass


def test_a_variant_is_the_json_that_it_holds(engine):
    made = [record for record in RECORDS if record["id"] != "names"]  # a variant holds no lone surrogate
    texts = engine.frame(table(made))
    variants = texts.withColumns({side: parse_json(side) for side in ("actual", "expected")})
    assert rows(engine, engine.score(variants, SCORER)) == ordered(local_rows(made, numbered=False))


def test_the_results_have_the_columns_of_rows_before_anything_runs(engine):
    assert dict(engine.score(engine.frame(table()), SCORER).dtypes) == {
        "id": "string",
        "group": "string",
        "line": "bigint",
        "passed": "boolean",
        "score": "double",
        "precision": "double",
        "recall": "double",
        "signature": "string",
        "error": "string",
        "reason": "string",
        "differences": "array<string>",
        "calls": "array<string>",
    }


def test_results_can_be_sorted_and_written(engine, tmp_path):
    path = write_lines(tmp_path / "runs.jsonl")
    engine.score_lines(path, SCORER).orderBy("line").coalesce(1).write.parquet(str(tmp_path / "results"))
    (file,) = (tmp_path / "results").glob("*.parquet")
    assert [*parquet_rows(file)] == [*match_lines(path, scorer=SCORER)]


# What the tasks do, in this process


def rows_in(batches):
    return [row for batch in batches for row in rows_of(batch)]


def test_a_task_scores_the_records_of_batches():
    assert rows_in(adapter._scored(SCORER, table().to_batches())) == local_rows(numbered=False)


def test_a_task_scores_the_lines_of_ranges(tmp_path):
    path = write_lines(tmp_path / "runs.jsonl")
    parts = pa.RecordBatch.from_pylist([part._asdict() | {"path": str(path)} for part in line_ranges(path)])
    assert rows_in(adapter._lines_scored(SCORER, [parts])) == [*match_lines(path, scorer=SCORER)]


def test_a_task_sums_up_results():
    (part,) = adapter._summed(adapter._scored(SCORER, table().to_batches()))
    assert json.loads(part["summary"][0].as_py()) == Summary.of(local_rows(numbered=False)).to_dict()

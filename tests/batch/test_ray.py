"""Ray Data gives the rows of one process."""

import json
from types import SimpleNamespace

import pyarrow as pa
import pytest
import ray
from ray import data

from tests.batch.engine_rules import EngineRules, ordered, rows
from tests.batch.records import RECORDS, SCORER, local_rows, table, write_lines
from trajmatch.batch import Scorer, Summary, line_ranges, match_lines, parquet_rows, rows_of
from trajmatch_adapters import ray as adapter


@pytest.fixture(scope="module")
def engine():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    data.DataContext.get_current().enable_progress_bars = False
    functions = {name: getattr(adapter, name) for name in adapter.__all__}
    yield SimpleNamespace(**functions, frame=frame, table=collected)
    ray.shutdown()


def frame(*tables):
    return data.from_arrow([*tables])


def collected(results):
    parts = [*results.iter_batches(batch_format="pyarrow")]
    return pa.concat_tables(parts) if parts else pa.table({})


class TestRay(EngineRules):
    pass


def test_options_of_map_batches_are_passed_on(engine):
    results = adapter.score(frame(table(RECORDS * 20)), SCORER, batch_size=50, num_cpus=0.5)
    assert adapter.summary(results).runs == len(RECORDS) * 20


def test_a_dataset_whose_columns_are_not_known_is_refused_by_its_first_task(engine):
    unknown = frame(table()).map_batches(lambda batch: batch, batch_format="pyarrow")
    with pytest.raises(ray.exceptions.RayTaskError, match="there is no column 'run'"):
        adapter.score(unknown, Scorer(actual="run")).take_all()


def test_a_dataset_of_pandas_has_the_rows_of_one_process(engine):
    made = [record for record in RECORDS if record["id"] and record["task"]]
    results = adapter.score(data.from_pandas(table(made).to_pandas()), SCORER)
    assert rows(engine, results) == ordered(local_rows(made, numbered=False))


def test_results_can_be_sorted_and_written(engine, tmp_path):
    path = write_lines(tmp_path / "runs.jsonl")
    adapter.score_lines(path, SCORER).sort("line").write_parquet(str(tmp_path / "results"))
    (file,) = (tmp_path / "results").iterdir()
    assert [*parquet_rows(file)] == [*match_lines(path, scorer=SCORER)]


# What the tasks do, in this process


def rows_in(tables):
    return [row for part in tables for batch in part.to_batches() for row in rows_of(batch)]


def test_a_task_scores_the_records_of_a_table():
    assert rows_in(adapter._scored(SCORER, table())) == local_rows(numbered=False)


def test_a_task_scores_the_lines_of_ranges(tmp_path):
    path = write_lines(tmp_path / "runs.jsonl")
    parts = pa.Table.from_pylist([part._asdict() | {"path": str(path)} for part in line_ranges(path)])
    assert rows_in(adapter._lines_scored(SCORER, parts)) == [*match_lines(path, scorer=SCORER)]


def test_a_task_sums_up_results():
    (part,) = adapter._summed(pa.concat_tables(adapter._scored(SCORER, table())))
    assert json.loads(part["summary"][0].as_py()) == Summary.of(local_rows(numbered=False)).to_dict()

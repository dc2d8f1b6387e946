"""Parquet files in and out: in pieces, from any place on, and the same bytes for the same rows."""

import hashlib
import pickle
from itertools import chain

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.batch.records import RECORDS, SCORER, local_rows, table
from trajmatch import ConversionError, OptionError
from trajmatch.batch import ResultRow, Scorer
from trajmatch.batch._arrow import result_schema
from trajmatch.batch._parquet import parquet_chunks, parquet_rows, parquet_size, write_parquet

COPIES = 40


@pytest.fixture(params=[1, 7, 64, 10_000], ids=lambda size: f"groups of {size}")
def runs(request, tmp_path):
    """A file of records in groups of so many rows."""
    more = pa.array(["x" * 1_000] * len(RECORDS) * COPIES)
    given = pa.concat_tables([table()] * COPIES).append_column("other", more)
    pq.write_table(given, tmp_path / "runs.parquet", row_group_size=request.param)
    return tmp_path / "runs.parquet"


def scored(path, after=0, scorer=SCORER):
    return [*chain.from_iterable(chunk.rows(scorer) for chunk in parquet_chunks(path, scorer, after))]


def test_the_records_of_a_file_are_scored_in_order(runs):
    assert scored(runs) == local_rows(RECORDS * COPIES)


def test_the_size_is_the_number_of_rows(runs):
    assert parquet_size(runs) == len(RECORDS) * COPIES


@pytest.mark.parametrize("after", [0, 1, 63, 64, 65, 128, 319, 320, 1_000])
def test_a_file_is_read_from_any_row_on(runs, after):
    assert scored(runs, after) == local_rows(RECORDS * COPIES)[after:]


def test_a_piece_says_where_it_ends(runs):
    ends = [chunk.end for chunk in parquet_chunks(runs, SCORER, 3)]
    assert ends == sorted(ends) and ends[-1] == parquet_size(runs)
    assert [chunk.first_line for chunk in parquet_chunks(runs, SCORER, 3)] == [4, *(end + 1 for end in ends[:-1])]


def test_a_piece_of_work_is_small_and_can_be_sent(runs):
    chunks = [*parquet_chunks(runs, SCORER)]
    assert max(len(pickle.dumps(chunk)) for chunk in chunks) < 64 * 1_000
    assert [*chain.from_iterable(pickle.loads(pickle.dumps(c)).rows(SCORER) for c in chunks)] == scored(runs)


def test_a_piece_of_work_holds_the_columns_that_are_needed(runs):
    assert next(parquet_chunks(runs, Scorer())).batch.schema.names == ["actual", "expected", "id"]


def test_a_file_without_rows_has_no_pieces(tmp_path):
    pq.write_table(table([]), tmp_path / "runs.parquet")
    assert (scored(tmp_path / "runs.parquet"), parquet_size(tmp_path / "runs.parquet")) == ([], 0)


def test_nested_columns_are_read_whole(tmp_path):
    nested = {"actual": [[{"name": "a", "arguments": "{}"}]], "actual.id": ["x"], "expected": [["a"]]}
    pq.write_table(pa.table(nested), tmp_path / "runs.parquet")
    assert [row.passed for row in scored(tmp_path / "runs.parquet", scorer=Scorer())] == [True]


# Rows of results

MANY = local_rows(RECORDS * 2_100)  # more than one group


def written(rows, path):
    write_parquet(rows, path)
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("rows", [[], [ResultRow()], local_rows(), MANY], ids=["none", "an empty one", "some", "many"])
def test_a_file_holds_the_rows_that_were_written(rows, tmp_path):
    write_parquet(rows, tmp_path / "results.parquet")
    assert [*parquet_rows(tmp_path / "results.parquet")] == rows


def test_the_same_rows_give_the_same_bytes_however_they_come(tmp_path):
    digests = {written(rows, tmp_path / "a.parquet") for rows in (MANY, iter(MANY), (row for row in MANY), tuple(MANY))}
    assert len(digests) == 1


def test_results_read_back_give_the_same_bytes(tmp_path):
    first = written(MANY, tmp_path / "a.parquet")
    assert written(parquet_rows(tmp_path / "a.parquet"), tmp_path / "b.parquet") == first


def test_a_file_of_results_has_the_schema_of_results_and_groups_of_one_size(tmp_path):
    write_parquet(MANY, tmp_path / "a.parquet")
    with pq.ParquetFile(tmp_path / "a.parquet") as file:
        sizes = [file.metadata.row_group(place).num_rows for place in range(file.metadata.num_row_groups)]
        assert (file.schema_arrow, sizes) == (result_schema(), [1 << 14, len(MANY) - (1 << 14)])


def broken_off(rows):
    yield from rows
    raise RuntimeError("no more")


def test_what_breaks_off_leaves_the_file_as_it_was(tmp_path):
    before = written(local_rows(), tmp_path / "a.parquet")
    with pytest.raises(RuntimeError, match="no more"):
        write_parquet(broken_off(MANY), tmp_path / "a.parquet")
    assert hashlib.sha256((tmp_path / "a.parquet").read_bytes()).hexdigest() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.parquet"]


def test_a_file_that_cannot_be_written_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_parquet([], tmp_path / "no folder" / "a.parquet")


# What is no Parquet


def test_a_file_that_is_not_there_is_an_error_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        parquet_size(tmp_path / "a.parquet")


@pytest.mark.parametrize("content", [b"", b"{}\n", b"PAR1" * 10], ids=["empty", "JSON", "no footer"])
def test_another_kind_of_file_is_named(content, tmp_path):
    (tmp_path / "a.parquet").write_bytes(content)
    for read in (parquet_size, lambda path: [*parquet_rows(path)], lambda path: parquet_chunks(path, SCORER)):
        with pytest.raises(ConversionError, match=r"a\.parquet: it (cannot be read as Parquet|is damaged): "):
            read(tmp_path / "a.parquet")


def test_a_damaged_file_is_named(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(table(), path, compression="none")
    content = path.read_bytes()
    path.write_bytes(content[:4] + b"\xff" * (len(content) // 3) + content[4 + len(content) // 3 :])
    with pytest.raises(ConversionError, match=r"a\.parquet: it (cannot be read as Parquet|is damaged): "):
        scored(path)


def test_a_column_that_is_not_there_is_named_before_anything_is_read(tmp_path):
    pq.write_table(table(), tmp_path / "a.parquet")
    with pytest.raises(OptionError, match="there is no column 'run'; there are 'id', 'task', 'actual', 'expected'"):
        parquet_chunks(tmp_path / "a.parquet", Scorer(actual="run"))


def test_a_file_of_something_else_holds_no_results(tmp_path):
    pq.write_table(table(), tmp_path / "a.parquet")
    with pytest.raises(ConversionError, match="results have a column 'group'; there are id, task, actual, expected"):
        [*parquet_rows(tmp_path / "a.parquet")]

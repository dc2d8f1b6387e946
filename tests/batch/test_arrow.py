"""Arrow holds what rows of results and records hold, and refuses what it would change."""

import json
import pickle
import sys

import pyarrow as pa
import pytest

from tests.batch.records import LINES, RECORDS, SCORER, SEARCHED, local_rows, table
from trajmatch import ConversionError, Matcher, OptionError
from trajmatch.batch import ResultRow, Scorer
from trajmatch.batch._arrow import RESULT_TYPES, ArrowChunk, batch_of, result_schema, rows_of
from trajmatch.batch._columns import needed_columns
from trajmatch.batch._parquet import parquet_size

SIDES = Scorer(id=None)


def scored(columns, scorer=SIDES, first_line=1):
    batch = pa.RecordBatch.from_pydict(columns) if isinstance(columns, dict) else columns
    return [*ArrowChunk(batch, first_line).rows(scorer)]


def whole(given):
    """A table as one batch."""
    (batch,) = given.combine_chunks().to_batches()
    return batch


# Rows of results


ROWS = {
    "none": [],
    "an empty one": [ResultRow()],
    "results": local_rows(),
    "without groups": local_rows(scorer=Scorer()),
    "one after another": [ResultRow(line=line) for line in range(200)],
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_a_batch_holds_the_rows_of_which_it_was_made(rows):
    assert [*rows_of(batch_of(rows))] == rows


def test_the_schema_has_the_fields_of_a_row_in_their_order():
    assert tuple(result_schema().names) == ResultRow._fields == tuple(RESULT_TYPES)


def test_no_rows_have_the_schema_of_rows():
    assert batch_of([]).schema == batch_of(local_rows()).schema == result_schema()


def test_what_is_no_unicode_is_escaped_in_every_text():
    row = ResultRow(id="a\ud800", reason="ü\udfff", differences=("missing \ud800",), calls=("\ud800:1",))
    (read,) = rows_of(batch_of([row]))
    assert read == ResultRow(id=r"a\ud800", reason=r"ü\udfff", differences=(r"missing \ud800",), calls=(r"\ud800:1",))


def test_other_columns_and_orders_are_left_alone():
    rows = local_rows()
    batch = batch_of(rows)
    turned = batch.select(batch.schema.names[::-1]).append_column("more", pa.array(range(len(rows))))
    assert [*rows_of(turned)] == rows


def test_null_where_a_row_has_a_text_or_a_list_is_the_default():
    columns = {name: pa.nulls(1, result_schema().field(name).type) for name in RESULT_TYPES}
    assert [*rows_of(pa.RecordBatch.from_pydict(columns))] == [ResultRow()]


def test_wide_types_of_others_are_read():
    rows = local_rows()
    kinds = [pa.large_string() if kind == "string" else None for kind in RESULT_TYPES.values()]
    schema = pa.schema(
        [field.with_type(kind or field.type) for field, kind in zip(result_schema(), kinds, strict=True)]
    )
    assert [*rows_of(whole(pa.Table.from_batches([batch_of(rows)]).cast(schema)))] == rows


NO_RESULTS = {
    "a column is missing": (batch_of([]).drop_columns(["passed"]), "a column 'passed'; there are id, group"),
    "there is none": (pa.RecordBatch.from_pydict({}), "there are none"),
    "another type": (
        batch_of([ResultRow()]).set_column(3, "passed", pa.array(["perhaps"])),
        "these columns are not those of results: .*perhaps",
    ),
    "a list of something else": (
        batch_of([ResultRow()]).set_column(10, "differences", pa.array([[{"a": 1}]])),
        "these columns are not those of results",
    ),
}


@pytest.mark.parametrize(("batch", "text"), NO_RESULTS.values(), ids=NO_RESULTS)
def test_what_is_no_result_is_refused(batch, text):
    with pytest.raises(ConversionError, match=text):
        rows_of(batch)


# Records


def test_rows_of_a_table_give_the_results_of_its_records():
    assert scored(whole(table()), SCORER) == local_rows()


@pytest.mark.parametrize("first", [1, 7])
def test_rows_are_numbered_from_the_first(first):
    assert [row.line for row in scored(whole(table()), SCORER, first)] == [*range(first, first + len(RECORDS))]


def test_rows_without_a_place_have_no_number():
    assert scored(whole(table()), SCORER, None) == local_rows(numbered=False)


def test_many_rows_are_scored_in_order():
    given = whole(pa.concat_tables([table()] * 30))
    assert scored(given, SCORER) == local_rows(RECORDS * 30)


def test_a_chunk_can_be_sent_to_another_process():
    chunk = ArrowChunk(whole(table()).slice(2, 3), 3)
    assert [*pickle.loads(pickle.dumps(chunk)).rows(SCORER)] == local_rows()[2:5]


TEXT, EXPECTED = json.dumps(SEARCHED), json.dumps(["search"])
ENCODED = {
    "string": pa.array([TEXT]),
    "large_string": pa.array([TEXT], pa.large_string()),
    "string_view": pa.array([TEXT], pa.string_view()),
    "binary": pa.array([TEXT.encode()], pa.binary()),
    "dictionary": pa.array([TEXT]).dictionary_encode(),
}
if hasattr(pa, "json_"):  # since pyarrow 19
    ENCODED["json"] = pa.ExtensionArray.from_storage(pa.json_(), pa.array([TEXT]))


@pytest.mark.parametrize("actual", ENCODED.values(), ids=ENCODED)
def test_text_is_read_in_every_type_for_it(actual):
    (row,) = scored({"actual": actual, "expected": [EXPECTED]})
    assert row.passed


def test_a_path_goes_on_into_json_text():
    lines = [line for line in LINES if line.startswith("{") and line != "{no JSON"]
    scorer = Scorer(actual="value.actual", expected="value.expected", id="value.id")
    expected = [Scorer().row_of_json(line) for line in lines]
    found = scored({"value": lines}, scorer, None)
    assert [row._replace(reason="") for row in found] == [row._replace(reason="") for row in expected]
    assert [row.reason for row in found if row.error is None] == [row.reason for row in expected if row.error is None]


NESTED = {
    "calls of OpenAI": ([{**SEARCHED[0]}, {**SEARCHED[1]}], ["search"]),
    "calls with text": ([{"name": "search", "arguments": '{"q": "lamp"}'}], [{"name": "search", "arguments": None}]),
    "blocks of Anthropic": (
        [{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "search", "input": '{"q": 1}'}]}],
        ["search"],
    ),
    "several messages with different keys": (
        [
            *SEARCHED,
            {"role": "tool", "tool_call_id": "0", "content": "lamp"},
            {"role": "assistant", "content": "Done."},
        ],
        ["search"],
    ),
}


@pytest.mark.parametrize(("actual", "expected"), NESTED.values(), ids=NESTED)
@pytest.mark.parametrize("scorer", [SIDES, Scorer(id=None, matcher=Matcher(mode="any_order", args="exact"))])
def test_nested_values_are_read_as_the_same_as_json(actual, expected, scorer):
    assert scored({"actual": [actual], "expected": [expected]}, scorer) == [
        scorer.row({"actual": actual, "expected": expected}, 1)
    ]


def test_a_null_in_a_struct_is_a_key_that_is_not_there():
    actual = [[{"name": "search"}], [{"name": "search", "status": "failed"}]]
    rows = scored({"actual": actual, "expected": [["search"]] * 2}, Scorer(id=None, matcher=Matcher(calls="succeeded")))
    assert [row.error or row.passed for row in rows] == ["OptionError", False]


def test_a_path_leads_through_structs_and_lists():
    outputs = [{"runs": [{"calls": [{"name": "a"}]}]}, {"runs": [{"calls": [{"name": "b"}]}]}, {"runs": []}]
    scorer = Scorer(actual="outputs.runs.0.calls", id=None)
    rows = scored({"outputs": outputs, "expected": [["a"]] * 3}, scorer)
    assert [row.passed for row in rows] == [True, False, None]


@pytest.mark.parametrize("kind", [pa.list_, pa.large_list, pa.list_view, lambda item: pa.list_(item, 1)])
def test_every_list_is_a_list(kind):
    column = pa.array([[{"name": "a"}]], kind(pa.struct({"name": pa.string()})))
    (row,) = scored({"actual": column, "expected": [["a"]]})
    assert row.passed


def test_ids_and_groups_are_text():
    rows = scored({"id": [7], "task": [[1, 2]], "actual": ["[]"], "expected": ["[]"]}, SCORER)
    assert [(row.id, row.group) for row in rows] == [("7", "[1, 2]")]


def test_a_table_need_not_have_the_default_id():
    (row,) = scored({"actual": ["[]"], "expected": ["[]"]}, Scorer())
    assert row.passed and row.id is None


def test_only_the_columns_that_paths_name_are_read():
    unreadable = pa.array([b"\xff"], pa.binary()).view(pa.string())
    (row,) = scored({"actual": ["[]"], "expected": ["[]"], "other": unreadable, "id": ["a"]}, Scorer())
    assert row.passed


# What cannot be read


BAD_TEXT = pa.array([b"\xff", b"[]"], pa.binary()).view(pa.string())
BAD_CELLS = {
    "text that is none": ("actual", BAD_TEXT, "'utf-8' codec"),
    "bytes that are no text": ("expected", pa.array([b"\xff", b"[]"], pa.binary()), "'utf-8' codec"),
    "a date beyond the calendar": ("id", pa.array([10**17, None], pa.timestamp("s")), "int"),
    "a text in an id": ("id", BAD_TEXT, "'utf-8' codec"),
}


@pytest.mark.parametrize(("name", "column", "text"), BAD_CELLS.values(), ids=BAD_CELLS)
def test_a_value_that_cannot_be_read_is_an_error_row_and_the_others_go_on(name, column, text):
    columns = {"id": ["a", "b"], "actual": ["[]", "[]"], "expected": ["[]", "[]"], name: column}
    bad, good = scored(columns, Scorer())
    assert (bad.line, bad.error, bad.passed, bad.score) == (1, "ConversionError", None, None)
    assert bad.reason.startswith(f"column {name!r}: ") and text in bad.reason
    assert bad.id == (None if name == "id" else "a")
    assert (good.line, good.passed, good.error) == (2, True, None)


DEEP = "[" * 100_000
BROKEN_JSON = {"no JSON": "{", "too deep": DEEP, "no object": "[]", "null": None}


@pytest.mark.parametrize("text", BROKEN_JSON.values(), ids=BROKEN_JSON)
def test_a_broken_text_is_an_error_row_and_the_others_go_on(text):
    good = '{"actual": [], "expected": []}'
    rows = scored({"v": [good, text, good]}, Scorer(actual="v.actual", expected="v.expected", id=None))
    assert [row.passed for row in rows] == [True, None, True]
    assert rows[1].error == "ConversionError"


def struct_of(**fields):
    return pa.struct([*fields.items()])


TEXTS, CALL = pa.string(), struct_of(name=pa.string(), arguments=struct_of(q=pa.string()))
REFUSED = {
    "arguments as a struct": (
        {"actual": pa.list_(CALL), "expected": TEXTS},
        SIDES,
        r"actual: actual\.arguments is a struct, .*; store the column as JSON text",
    ),
    "deep in the messages": (
        {"actual": TEXTS, "expected": pa.list_(struct_of(role=TEXTS, tool_calls=pa.list_(struct_of(function=CALL))))},
        SIDES,
        r"expected: expected\.tool_calls\.function\.arguments is a struct",
    ),
    "deep in arguments": (
        {"actual": pa.list_(struct_of(name=TEXTS, args=pa.list_(struct_of(a=TEXTS)))), "expected": TEXTS},
        SIDES,
        r"actual\.args is a struct",
    ),
    "a map": (
        {"actual": pa.list_(struct_of(name=TEXTS, arguments=pa.map_(TEXTS, TEXTS))), "expected": TEXTS},
        SIDES,
        r"actual\.arguments is a map",
    ),
    "a map on the way": (
        {"outputs": pa.map_(TEXTS, TEXTS), "expected": TEXTS},
        Scorer(actual="outputs.messages"),
        r"actual: outputs\.messages is a map",
    ),
    "behind an encoding": (
        {"actual": pa.dictionary(pa.int32(), pa.list_(CALL)), "expected": TEXTS},
        SIDES,
        r"actual\.arguments is a struct",
    ),
    "no such column": (
        {"run": TEXTS, "expected": TEXTS},
        SIDES,
        "actual: there is no column 'actual'; there are 'run', 'expected'",
    ),
    "no column at all": ({}, SIDES, "there are none"),
    "no such id": ({"id": TEXTS, "actual": TEXTS, "expected": TEXTS}, Scorer(id="task_id"), "no column 'task_id'"),
    "no such group": ({"actual": TEXTS, "expected": TEXTS}, Scorer(group="task"), "group: there is no column 'task'"),
    "no such field": (
        {"outputs": struct_of(messages=TEXTS, more=TEXTS), "expected": TEXTS},
        Scorer(actual="outputs.calls"),
        "actual: there is no field 'calls' in outputs; there are 'messages', 'more'",
    ),
}


@pytest.mark.parametrize(("columns", "scorer", "text"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_wrong_for_every_row_is_refused_at_once(columns, scorer, text):
    with pytest.raises(OptionError, match=text):
        needed_columns(pa.schema([*columns.items()]), scorer)


def test_a_name_that_two_columns_have_is_refused():
    with pytest.raises(OptionError, match="actual: there are 2 columns 'actual'"):
        needed_columns(pa.schema([("actual", TEXTS), ("actual", TEXTS), ("expected", TEXTS)]), SIDES)


def test_a_refusal_names_the_option_and_the_path():
    with pytest.raises(OptionError) as caught:
        needed_columns(pa.schema([("actual", pa.list_(CALL)), ("expected", TEXTS)]), SIDES)
    assert (caught.value.option, caught.value.value) == ("actual", "actual")


ALLOWED = {
    "a struct that holds the history under input": (
        {"input": struct_of(messages=pa.list_(struct_of(role=TEXTS, content=TEXTS))), "expected": TEXTS},
        Scorer(actual="input.messages"),
    ),
    "arguments as text": ({"actual": pa.list_(struct_of(name=TEXTS, arguments=TEXTS)), "expected": TEXTS}, SIDES),
    "a map beside the two sides": ({"actual": TEXTS, "expected": TEXTS, "id": pa.map_(TEXTS, TEXTS)}, Scorer()),
}


@pytest.mark.parametrize(("columns", "scorer"), ALLOWED.values(), ids=ALLOWED)
def test_what_keeps_the_arguments_is_allowed(columns, scorer):
    assert needed_columns(pa.schema([*columns.items()]), scorer)


# Without pyarrow


@pytest.mark.parametrize("work", [lambda: batch_of([]), lambda: parquet_size("a.parquet")], ids=["Arrow", "Parquet"])
def test_without_pyarrow_the_error_says_what_to_install(work, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(OptionError, match=r"need pyarrow: pip install 'trajmatch\[batch\]'"):
        work()

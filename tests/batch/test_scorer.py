"""One record to one row."""

import copy
import json
import pickle
from functools import partial

import pytest

from tests.batch.rules import raises, same_city
from trajmatch import ArgumentRule, Matcher, OptionError, call
from trajmatch.batch import ResultRow, Scorer

SEARCH = {"name": "search", "arguments": {"city": "Rome"}}
MESSAGE = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "search", "arguments": "{}"}}]}
PASSES = {"actual": [SEARCH], "expected": ["search"]}

FOUND = {
    "the usual names": ({}, PASSES | {"id": "a"}, (True, "a", None)),
    "no id": ({}, PASSES, (True, None, None)),
    "an id that is a number": ({}, PASSES | {"id": 7}, (True, "7", None)),
    "an id that is an object": ({}, PASSES | {"id": {"b": 1}}, (True, '{"b": 1}', None)),
    "an id that is null": ({}, PASSES | {"id": None}, (True, None, None)),
    "no id asked for": ({"id": None}, PASSES | {"id": "a"}, (True, None, None)),
    "key paths": (
        {"actual": "run.messages", "expected": "want.0", "id": "meta.id"},
        {"run": {"messages": [MESSAGE]}, "want": [["search"]], "meta": {"id": "b"}},
        (True, "b", None),
    ),
    "JSON text": ({}, {"actual": json.dumps([MESSAGE]), "expected": '["search"]'}, (True, None, None)),
    "a group": ({"group": "task"}, PASSES | {"task": 3}, (True, None, "3")),
    "no group": ({"group": "task"}, PASSES, (True, None, None)),
    "a structure": ({}, PASSES | {"expected": {"seq": ["search", {"optional": "book"}]}}, (True, None, None)),
    "a format": ({"format": "openai"}, PASSES | {"actual": [MESSAGE]}, (True, None, None)),
    "formats of both sides": (
        {"format": "openai", "expected_format": "openai"},
        {"actual": [MESSAGE], "expected": [MESSAGE]},
        (True, None, None),
    ),
    "a run that differs": ({}, PASSES | {"expected": ["book"], "id": "c"}, (False, "c", None)),
}


@pytest.mark.parametrize(("options", "record", "row"), FOUND.values(), ids=FOUND)
def test_both_sides_are_found(options, record, row):
    found = Scorer(**options).row(record)
    assert (found.passed, found.id, found.group) == row, found.reason


def test_a_row_says_what_the_match_says():
    matcher = Matcher(mode="in_order", args="superset", threshold=0.5)
    record = {"actual": [SEARCH, {"name": "look"}], "expected": ["search", "book"]}
    row, result = Scorer(matcher=matcher).row(record, 9), matcher(record["actual"], record["expected"])
    assert row == ResultRow(
        line=9,
        passed=True,
        score=0.5,
        precision=0.5,
        recall=0.5,
        signature=result.signature,
        reason=result.reason,
        differences=("extra look", "missing book"),
    )


ERRORS = {
    "no object": ([1], "ConversionError", "a record is an object with 'actual' and 'expected'"),
    "no run": ({"expected": []}, "ConversionError", "there is nothing at 'actual'; the record has 'expected'"),
    "nothing": ({}, "ConversionError", "there is nothing at 'actual'; the record has no keys"),
    "no expectation": ({"actual": []}, "ConversionError", "there is nothing at 'expected'; the record has 'actual'"),
    "text that is no JSON": ({"actual": "[", "expected": []}, "ConversionError", "'actual' is text, and no JSON: "),
    "null": ({"actual": None, "expected": []}, "ConversionError", "actual: a history is missing: got None"),
    "a list of names": ({"actual": ["search"], "expected": []}, "ConversionError", "actual: "),
}


@pytest.mark.parametrize(("record", "error", "reason"), ERRORS.values(), ids=ERRORS)
def test_what_is_wrong_with_a_record_is_the_reason_of_an_error_row(record, error, reason):
    row = Scorer().row(record, 4)
    assert (row.error, row.line, row.passed, row.score, row.precision, row.recall) == (error, 4, None, None, None, None)
    assert row.reason.startswith(reason), row.reason


def test_a_rule_that_raises_gives_an_error_row():
    row = Scorer(matcher=Matcher(args=raises)).row({"actual": [SEARCH], "expected": [SEARCH]})
    assert (row.error, "ZeroDivisionError" in row.reason) == ("RuleError", True)


def test_an_error_row_keeps_its_id_and_group():
    row = Scorer(group="task").row({"id": "a", "task": "t", "actual": 1, "expected": []})
    assert (row.id, row.group) == ("a", "t")


READ = {
    "a mark of the byte order": b"\xef\xbb\xbf",
    "white space": b" \r\n",
}


@pytest.mark.parametrize("before", READ.values(), ids=READ)
def test_a_line_may_begin_with(before):
    assert Scorer().row_of_json(before + json.dumps(PASSES).encode() + b"\r\n").passed


def test_a_line_may_hold_lone_surrogates_and_be_deep():
    deep = json.dumps({"name": "search", "arguments": {"x": json.loads("[" * 300 + "]" * 300)}})
    assert Scorer().row_of_json(f'{{"id": "\\ud800", "actual": [{deep}], "expected": ["search"]}}').id == "\ud800"


NO_JSON = [b"", b"{", b"[1", b"\xff\xfe\xff", "[" * 100_000, b'{"a": ' + b"1" * 5_000 + b"}"]


@pytest.mark.parametrize("text", NO_JSON, ids=map(str, range(len(NO_JSON))))
def test_a_line_that_is_no_json_is_an_error_row(text):
    row = Scorer().row_of_json(text, 3)
    assert (row.error, row.line) == ("ConversionError", 3)
    assert row.reason.startswith("this line is no JSON: ")


def test_a_reason_does_not_disturb_a_terminal():
    assert Scorer().row({"actual": [SEARCH], "\x1b[2J": 1}).reason.isprintable()


@pytest.mark.parametrize("name", ["actual", "expected", "id", "group"])
def test_a_key_path_that_is_none_is_refused_at_once(name):
    with pytest.raises(OptionError, match=f"{name}: the key path '' has an empty segment"):
        Scorer(**{name: ""})


def digests(*arguments):
    row = Scorer(group="task").row({"actual": [{"name": "f", "arguments": each} for each in arguments], "expected": []})
    return row.calls


def test_calls_that_are_equal_as_json_have_one_digest():
    first, *others = digests({"a": 1, "b": [1.5]}, {"b": [1.5], "a": 1.0}, {"a": 1, "b": [1.5]})
    assert {*others} == {first}
    assert first.startswith("f:")


def test_other_calls_have_other_digests():
    different = [{}, {"a": 1}, {"a": "1"}, {"a": True}, {"a": [1]}, {"a": {"b": 1}}, {"a": None}, "no JSON", None]
    assert len({*digests(*different)}) == len(different)


def test_calls_are_kept_where_groups_are_asked_for_alone():
    assert Scorer().row(PASSES).calls is None


RULES = {
    "a name": Matcher(args="superset"),
    "a function of a module": Matcher(args=same_city),
    "an override": Matcher(overrides={"search": ArgumentRule(ignore=["city"])}),
}


@pytest.mark.parametrize("matcher", RULES.values(), ids=RULES)
def test_a_scorer_can_be_sent(matcher):
    scorer = Scorer(matcher=matcher, group="task")
    record = PASSES | {"expected": [SEARCH | {"arguments": {"city": "Rome", "day": 1}}]}
    assert pickle.loads(pickle.dumps(scorer)).row(record) == scorer.row(record)


def test_a_description_names_functions():
    scorer = Scorer(matcher=Matcher(mode="unordered", args=same_city, overrides={"a": same_city}))
    described = scorer.described()
    assert described["args"] == described["overrides"]["a"] == "tests.batch.rules.same_city"
    assert (described["mode"], described["actual"]) == ("unordered", "actual")


def ignoring(last):
    return ArgumentRule(ignore=[*(f"key_{number}" for number in range(400)), last])


TOLD_APART = {
    "rules that are long": (ignoring("a"), ignoring("b")),
    "functions with arguments": (partial(same_city, key="a"), partial(same_city, key="b")),
}


@pytest.mark.parametrize(("one", "other"), TOLD_APART.values(), ids=TOLD_APART)
def test_a_description_tells_rules_apart_and_is_the_same_for_the_same(one, other):
    told = [Scorer(matcher=Matcher(args=rule)).described()["args"] for rule in (one, copy.deepcopy(one), other)]
    assert told[0] == told[1] != told[2]


def test_a_description_sorts_what_has_no_order_and_names_the_type_of_what_cannot_be_sent():
    matcher = Matcher(mode="strict", ignore_roles={"user", "system", "tool"}, args=Unsendable())
    assert Scorer(matcher=matcher).described()["ignore_roles"] == ["system", "tool", "user"]
    assert Scorer(matcher=matcher).described()["args"] == "Unsendable"


class Unsendable:
    def __call__(self, actual, expected):
        return True

    def __reduce__(self):
        raise TypeError


FORMS = [
    ResultRow(),
    ResultRow("a", "g", 3, True, 1.0, 1.0, 0.5, "mode", None, "why", ("missing a",), ("f:1", "g:2")),
    Scorer(group="task").row(PASSES | {"actual": [call("f")], "id": "\ud800"}, 1),
]


@pytest.mark.parametrize("row", FORMS)
def test_a_row_survives_json(row):
    assert ResultRow.from_dict(json.loads(row.to_json())) == row
    assert json.loads(row.to_json()) == row.to_dict() == json.loads(json.dumps(row.to_dict()))


def test_a_stored_row_may_have_other_keys():
    assert ResultRow.from_dict({"id": "a", "more": 1}) == ResultRow(id="a")


def test_a_matcher_that_is_none_is_refused_at_once():
    with pytest.raises(OptionError, match="matcher: a Matcher, got 'in_order'"):
        Scorer(matcher="in_order")

"""The calls of a run, field by field, and selections of them: made late, and with what was known before."""

import pytest

from tests.strategies import placed
from trajmatch import ToolCall, match, to_trajectory
from trajmatch._columns import Calls, Columns

F, G, H = ToolCall("f", {"x": 1}, id="1"), ToolCall("g", "[1]", kind="native"), ToolCall("h", kind="output")


def history(*texts):
    calls = [
        {"id": f"{number}", "type": "function", "function": {"name": "a", "arguments": text}}
        for number, text in enumerate(texts)
    ]
    return [{"role": "assistant", "content": None, "tool_calls": calls}]


def test_arguments_are_parsed_once_whoever_asks_first():
    columns = to_trajectory(history('{"x": 1}', "no")).columns
    before = columns.objects([0, 1])
    assert before == [{"x": 1}, None]
    assert columns.calls[0].arguments is before[0] is columns.objects([0])[0]
    assert columns.calls[1].raw_arguments == "no"


def test_a_call_that_was_looked_at_is_matched_as_it_is():
    run = to_trajectory(history('{"x": 1}'))
    run.calls[0].arguments["x"] = 2
    assert match(run, [ToolCall("a", {"x": 2})])


def test_objects_that_change_between_two_matches_are_matched_as_they_are():
    arguments = {"x": 1}
    run = to_trajectory([*history(arguments, {"y": 1}), {"role": "tool", "tool_call_id": "0", "content": "ok"}])
    expected = [ToolCall("a", {"y": 1}), ToolCall("a", {"x": 1})]
    assert match(run, expected, mode="unordered")
    arguments["x"] = 2
    assert not match(run, expected, mode="unordered")


def test_texts_beside_objects_are_parsed_once():
    columns = to_trajectory(history({"x": 1}, '{"x": 2}', {"x": 3}, '{"x": 4}')).columns
    (second,) = columns.objects([1])
    assert columns.objects([3, 2, 1, 0]) == [{"x": 4}, {"x": 3}, {"x": 2}, {"x": 1}]
    assert columns.objects([0, 1, 1])[1] is columns.objects([0, 1, 1])[2] is columns.calls[1].arguments is second


def test_fields_are_those_of_the_calls():
    columns = Columns.of((F, G, H), [0, 0, 2])
    assert [*columns.names] == ["f", "g", "h"]
    assert [*columns.given] == [{"x": 1}, "[1]", None]
    assert ([*columns.ids], [*columns.places]) == (["1", None, None], [0, 0, 2])
    assert [columns.kind(position) for position in range(len(columns))] == ["function", "native", "output"]
    assert (columns.outputs, columns.kinds) == (True, {dict, str, type(None)})


def test_calls_of_a_list_are_in_no_message():
    assert [*Columns.of((ToolCall("f"), ToolCall("g"))).places] == [0, 0]


def test_a_run_without_calls_has_empty_fields():
    columns = Columns.of(())
    assert [*columns.names, *columns.given, *columns.ids, *columns.places] == []
    assert (len(columns), columns.outputs, columns.kinds, columns.calls) == (0, False, set(), ())


ALL_TEXT = {
    "nothing": ([], True),
    "texts": (["{}", "[1]"], True),
    "an object": (["{}", {}], False),
    "not stated": (["{}", None], False),
}


@pytest.mark.parametrize(("given", "all_text"), ALL_TEXT.values(), ids=ALL_TEXT)
def test_a_run_knows_whether_all_arguments_are_text(given, all_text):
    assert placed([ToolCall("f", arguments) for arguments in given]).all_text is all_text


SELECTIONS = {
    "all": (lambda run: run[:], (F, G, H), [0, 1, 2]),
    "those from a place on": (lambda run: run[1:], (G, H), [1, 2]),
    "those at some places": (lambda run: run.select([0, 2]), (F, H), [0, 2]),
    "some of some": (lambda run: run[1:].select([1]), (H,), [2]),
    "none": (lambda run: run[3:], (), []),
}


@pytest.mark.parametrize(("select", "calls", "positions"), SELECTIONS.values(), ids=SELECTIONS)
def test_a_selection_is_of_calls_with_their_positions(select, calls, positions):
    selected = select(placed([F, G, H]))
    assert [*selected] == [*zip(positions, calls, strict=True)] == [selected[place] for place in range(len(selected))]
    assert [*selected.positions] == positions
    assert (*selected.calls,) == calls
    assert [*selected.names] == [call.name for call in calls]
    assert [*selected.given] == [call.given for call in calls]
    assert selected.objects(range(len(calls))) == [call.arguments for call in calls]


def test_a_call_is_shown_as_it_was_called_before_the_calls_are_made(monkeypatch):
    run = Calls(to_trajectory(history('{"x": 1}', "no", {"y": 2})).columns)
    with monkeypatch.context() as patch:
        patch.setattr(Columns, "calls", None)
        shown = [run.called(place) for place in range(3)]
    assert [(c.name, c.arguments, c.raw_arguments) for c in shown] == [
        ("a", {"x": 1}, None),
        ("a", None, "no"),
        ("a", {"y": 2}, None),
    ]
    assert [run.written(place) for place in range(3)] == ["a", "a", "a"]
    assert shown == [*run.calls]
    assert [run.called(place) is call for place, call in enumerate(run.calls)] == [True] * 3

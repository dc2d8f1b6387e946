"""Calls are made late, and hold what was known of them before."""

from trajmatch import ToolCall, match, to_trajectory
from trajmatch._columns import Calls, Columns


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


def test_a_selection_holds_the_fields_of_its_calls():
    calls = tuple(ToolCall(name, {"n": name}) for name in "abcd")
    chosen = Calls(Columns.of(calls)).select([1, 3])
    assert (chosen.names, [*chosen], chosen[1:][0]) == (["b", "d"], [(1, calls[1]), (3, calls[3])], (3, calls[3]))
    assert (chosen.calls, chosen.objects([1]), len(chosen)) == ([calls[1], calls[3]], [{"n": "d"}], 2)

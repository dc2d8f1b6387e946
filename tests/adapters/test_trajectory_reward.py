"""The reward function, called as TRL calls it, and completions whose calls stand in their text."""

import json
import pickle

import pytest

from tests.names import unplaced
from trajmatch import ConversionError, OptionError, RuleError, to_trajectory
from trajmatch_adapters.rewards import tagged_calls, trajectory_reward
from trajmatch_adapters.rewards._completions import as_messages

SEARCH = {"type": "function", "function": {"name": "search", "arguments": {"q": "lamp"}}}
BOOK = {"type": "function", "function": {"name": "book", "arguments": {}}}
DONE = {"role": "assistant", "content": "Done."}
RUN = [
    {"role": "assistant", "content": "", "tool_calls": [SEARCH]},
    {"role": "tool", "name": "search", "content": "lamp, 40"},
    DONE,
]
MALFORMED = [{"role": "assistant", "content": '<tool_call>\n{"name": "sea'}]
NAMELESS = [{"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": {"name": ""}}]}]
PROMPT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Find a lamp."}]
EXPECTED = '[{"name": "search", "arguments": {"q": "lamp"}}]'


def as_trl(reward, completions, log_metric=None, **columns):
    """What the trainer does: everything by name, and more than anybody asks for."""
    more = {"trainer_state": object(), "log_extra": print, "log_metric": log_metric or (lambda name, value: None)}
    prompts, ids = [PROMPT] * len(completions), [[1, 2]] * len(completions)
    return reward(prompts=prompts, completions=completions, completion_ids=ids, **columns, **more)


BATCHES = {
    "graded": (
        [RUN, [DONE], [*RUN, {"role": "assistant", "tool_calls": [BOOK]}]],
        [EXPECTED] * 3,
        {},
        [1.0, 0.0, 2 / 3],
    ),
    "nested, in place of JSON text": ([RUN], [[{"name": "search", "arguments": {"q": "lamp"}}]], {}, [1.0]),
    "open arguments": ([RUN], [[{"name": "search", "arguments": None}]], {}, [1.0]),
    "names": ([RUN], [["search"]], {}, [1.0]),
    "a structure": ([RUN], ['{"seq": ["search", {"optional": "book"}]}'], {}, [1.0]),
    "options": ([RUN], ['["search", "book"]'], {"allow_missing": True}, [1.0]),
    "nothing expected of one": ([RUN, RUN], [EXPECTED, None], {}, [1.0, None]),
    "nothing expected of any": ([RUN], [None], {}, [None]),
    "no calls expected": ([[DONE], RUN], ["[]", "[]"], {}, [1.0, 0.0]),
    "a malformed call": ([MALFORMED, MALFORMED], ["[]", EXPECTED], {}, [0.0, 0.0]),
    "a call without a name": ([NAMELESS], [EXPECTED], {}, [0.0]),
    "a price": ([MALFORMED, RUN], [EXPECTED, EXPECTED], {"unreadable": -0.5}, [-0.5, 1.0]),
    "left out": ([MALFORMED, RUN], [EXPECTED, EXPECTED], {"unreadable": None}, [None, 1.0]),
    "no batch at all": ([], [], {}, []),
    "what the model said in text": (
        ['<tool_call>{"name": "search", "arguments": {"q": "lamp"}}</tool_call>', "<tool_call>", "No."],
        [EXPECTED] * 3,
        {"read": tagged_calls, "unreadable": -1.0},
        [1.0, -1.0, 0.0],
    ),
}


@pytest.mark.parametrize(("completions", "expected", "options", "worth"), BATCHES.values(), ids=BATCHES)
def test_each_completion_has_its_reward(completions, expected, options, worth):
    reward = trajectory_reward(**options)
    assert as_trl(reward, completions, expected=expected) == [one and pytest.approx(one) for one in worth]


def test_the_column_is_named():
    assert as_trl(trajectory_reward(expected="calls"), [RUN], calls=[EXPECTED], expected=["broken"]) == [1.0]


def test_other_trainers_may_leave_out_what_is_not_needed():
    assert trajectory_reward()(completions=[RUN], expected=(EXPECTED,)) == [1.0]


def test_the_share_of_unreadable_completions_is_logged_under_the_name():
    logged = []
    reward = trajectory_reward(name="calls")
    as_trl(reward, [RUN, MALFORMED, RUN], lambda *metric: logged.append(metric), expected=[EXPECTED, EXPECTED, None])
    as_trl(reward, [RUN], lambda *metric: logged.append(metric), expected=[None])
    assert reward.__name__ == "calls"
    assert logged == [("calls/unreadable", 0.5)]


FAULTS = {
    "no column": (
        {"expcted": [EXPECTED]},
        {},
        ConversionError,
        "no column 'expected'; did you mean 'expcted'.*expected=",
    ),
    "a column too short": ({"expected": []}, {}, ConversionError, "the column 'expected' is no list of 1 expectations"),
    "no list": ({"expected": EXPECTED}, {}, ConversionError, "the column 'expected' is no list of 1 expectations"),
    "a broken expectation": (
        {"expected": ["[1"]},
        {},
        ConversionError,
        r"^row 0 \('Find a lamp\.'\): expected: it is text",
    ),
    "a typo": (
        {"expected": [[{"name": "a", "argumens": {}}]]},
        {},
        ConversionError,
        r"^row 0 .*did you mean 'arguments'",
    ),
    "null in text": ({"expected": ["null"]}, {}, ConversionError, "row 0 .*None"),
    "a rule that raises": ({"expected": [EXPECTED]}, {"args": lambda a, e: a["x"]}, RuleError, "row 0 .*KeyError"),
}


@pytest.mark.parametrize(("columns", "options", "kind", "text"), FAULTS.values(), ids=FAULTS)
def test_what_is_no_fault_of_the_model_stops_the_training_and_names_the_row(columns, options, kind, text):
    with pytest.raises(kind, match=text):
        as_trl(trajectory_reward(**options), [RUN], **columns)


def test_text_is_an_error_where_nothing_reads_it():
    with pytest.raises(ConversionError, match=r"row 0 \('Find a lamp\.'\): a run is a list of messages .*read="):
        trajectory_reward()(completions=["<tool_call>"], prompts=["Find a lamp."], expected=[EXPECTED])


PLACES = {"no prompts": None, "too few": [], "an empty one": [[]], "without text": [[{"content": None}]]}


@pytest.mark.parametrize("prompts", PLACES.values(), ids=PLACES)
def test_a_row_is_named_by_its_number_where_its_prompt_says_nothing(prompts):
    with pytest.raises(ConversionError, match=r"^row 0: expected"):
        trajectory_reward()(completions=[RUN], prompts=prompts, expected=["broken"])


NULLS = {
    "an argument": (
        [{"name": "search", "arguments": {"q": "lamp", "id": None}}],
        r"expected\.0\.arguments\.id is null",
    ),
    "deep inside": ([{"name": "a", "args": {"x": [{"y": None}]}}], r"expected\.0\.args\.x\.0\.y is null"),
    "in a history": (
        [{"role": "assistant", "tool_calls": [{"function": {"name": "a", "arguments": {"x": None}}}]}],
        r"expected\.0\.tool_calls\.0\.function\.arguments\.x is null",
    ),
    "in a structure": (
        {"seq": ["a", {"name": "b", "arguments": {"x": None}}]},
        r"expected\.seq\.1\.arguments\.x is null",
    ),
}


@pytest.mark.parametrize(("expected", "text"), NULLS.values(), ids=NULLS)
def test_a_null_in_a_nested_column_is_refused_since_tables_write_it_for_what_is_not_there(expected, text):
    with pytest.raises(ConversionError, match=f"row 0 .*{text}.*JSON text"):
        as_trl(trajectory_reward(), [RUN], expected=[expected])


def test_a_null_in_json_text_is_what_it_says():
    run = [{"role": "assistant", "tool_calls": [{"function": {"name": "a", "arguments": {"x": None}}}]}]
    assert as_trl(trajectory_reward(), [run], expected=['[{"name": "a", "arguments": {"x": null}}]']) == [1.0]


def test_an_expectation_that_holds_itself_is_an_error():
    expected = []
    expected.append({"arguments": expected})
    with pytest.raises(ConversionError, match=r"^row 0 .*nested too deep, or holds itself"):
        as_trl(trajectory_reward(), [RUN], expected=[expected])


OPTIONS = {
    "a column without a name": ({"expected": ""}, "expected: a text that is not empty"),
    "a column that is no text": ({"expected": ["search"]}, "expected: a text that is not empty"),
    "no name": ({"name": None}, "name: a text that is not empty, got None"),
    "no number": ({"unreadable": "0"}, "unreadable: a number, got '0'"),
    "a typo": ({"mod": "exact"}, "did you mean 'mode'"),
    "a threshold": ({"threshold": 0.5}, "threshold has no effect"),
}


@pytest.mark.parametrize(("options", "text"), OPTIONS.values(), ids=OPTIONS)
def test_a_wrong_option_fails_when_the_reward_is_made(options, text):
    with pytest.raises(OptionError, match=text):
        trajectory_reward(**options)


def test_a_pickled_reward_gives_the_same_under_the_same_name():
    reward = trajectory_reward(name="calls", read=tagged_calls, unreadable=-1.0, args="ignore")
    again = pickle.loads(pickle.dumps(reward))
    assert again.__name__ == "calls"
    assert as_trl(again, [RUN, MALFORMED], expected=[EXPECTED] * 2) == [1.0, -1.0]


def test_nothing_is_changed():
    columns = {"completions": [RUN, MALFORMED, ["x"]], "expected": [EXPECTED, [{"name": "a"}], ["a"]]}
    before = json.dumps(columns)
    as_trl(trajectory_reward(), **columns)
    as_trl(trajectory_reward(read=tagged_calls), **columns)
    assert json.dumps(columns) == before


TEXTS = {
    "no call": ("I do not know.", []),
    "one": ('Let me see.\n<tool_call>\n{"name": "a", "arguments": {"x": 1}}\n</tool_call>', [("a", {"x": 1})]),
    "several": (
        '<tool_call>{"name": "a"}</tool_call>\n<tool_call>{"name": "b", "id": "7"}</tool_call>',
        [("a", {}), ("b", {})],
    ),
    "arguments in text": ('<tool_call>{"name": "a", "arguments": "{\\"x\\": 1}"}</tool_call>', [("a", {"x": 1})]),
    "arguments that are no object": ('<tool_call>{"name": "a", "arguments": [1]}</tool_call>', [("a", None)]),
    "a thought": (
        '<think>Why not <tool_call>{"name": "a"}</tool_call>?</think><tool_call>{"name": "b"}</tool_call>',
        [("b", {})],
    ),
    "a thought that the prompt began": ('<tool_call>?\n</think><tool_call>{"name": "b"}</tool_call>', [("b", {})]),
    "a thought without an end": ('<think>Now <tool_call>{"name": "a"}</tool_call>', []),
    "what a tool said": ('<tool_response><tool_call>{"name": "a"}</tool_call></tool_response>', []),
    "a tag in an argument": (
        '<tool_call>{"name": "a", "arguments": {"x": "<think>"}}</tool_call>',
        [("a", {"x": "<think>"})],
    ),
}


@pytest.mark.parametrize(("text", "calls"), TEXTS.values(), ids=TEXTS)
def test_the_calls_of_a_text_are_those_in_its_tags(text, calls):
    for completion in (
        text,
        [{"role": "assistant", "content": text}],
        [{"role": "assistant", "content": [{"text": text}]}],
    ):
        assert [(call.name, call.arguments) for call in to_trajectory(tagged_calls(completion)).calls] == calls


BROKEN = {
    "cut off": '<tool_call>{"name": "a"}',
    "no JSON": "<tool_call>search(lamp)</tool_call>",
    "nested too deep": f"<tool_call>{'[' * 10**5}</tool_call>",
    "no object": '<tool_call>["a"]</tool_call>',
    "another key": '<tool_call>{"name": "a", "parameters": {"x": 1}}</tool_call>',
    "no name": "<tool_call>{}</tool_call>",
    "a name that is no text": '<tool_call>{"name": 7}</tool_call>',
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_tag_that_holds_no_call_makes_a_completion_unreadable(text):
    with pytest.raises(ConversionError, match="call"):
        to_trajectory(tagged_calls(text))


def test_messages_with_calls_of_their_own_and_of_others_are_left_as_they_are():
    others = [{"role": role, "content": '<tool_call>{"name": "a"}</tool_call>'} for role in ("user", "tool", "system")]
    messages = [*RUN, *others, None, 7]
    assert tagged_calls(messages) == messages
    assert as_messages(messages) is messages


@pytest.mark.parametrize(
    "opening", ["<tool_call>", "<|tool_call>call:a", "<function=a>", "[TOOL_CALLS]", "<|python_tag|>"]
)
def test_a_call_that_was_not_parsed_is_never_no_call(opening):
    with pytest.raises(ConversionError, match="message 1: a call that was not parsed"):
        as_messages([*RUN[:1], {"role": "assistant", "content": f"Well. {opening}", "tool_calls": [SEARCH]}])


ODD = [
    5,
    {"a": 1},
    [1, 2],
    [None],
    [{"type": "image", "image": object()}],
    None,
    b"x",
    {"text": "x"},
    "a\ud800",
    object(),
]


@pytest.mark.parametrize("content", ODD, ids=unplaced)
@pytest.mark.parametrize("read", [None, tagged_calls])
def test_odd_content_is_no_crash(content, read):
    completions = [[{"role": "assistant", "content": content}], [content], {"content": content}]
    assert as_trl(trajectory_reward(read=read), completions, expected=[["a"]] * 3) == [0.0] * 3

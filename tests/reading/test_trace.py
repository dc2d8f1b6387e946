"""From the steps of a trace to the run: what stands in several steps counts once."""

import random
import re

import pytest

from trajmatch import ConversionError, OptionError, ToolCall, to_trajectory
from trajmatch.reading import Answered, Called, Step, build, read_trace

ALONE = "a call stands in no message of the model, and is a message of its own"
SEVERAL = "the steps are of several traces, which are read as one run"
UNKNOWN = "a request holds what is in no format that is known"
UNSORTED = "the steps of the trace do not say when they began; they are read in the order given"
UNMARKED = "nothing says whether a tool failed; a result counts as succeeded"
BY_ORDER = "results are joined to calls by their order, since ids are missing"

SYSTEM, HI = {"role": "system", "content": "S"}, {"role": "user", "content": "Hi"}
BYE = {"role": "assistant", "content": "Bye"}


def says(*calls, content=None):
    wire = [{"id": id, "function": {"name": name, "arguments": arguments}} for id, name, arguments in calls]
    return {"role": "assistant", "content": content, "tool_calls": wire}


def result(id="1", content="ok", **more):
    return {"role": "tool", "tool_call_id": id, "content": content, **more}


A = says(("1", "a", {"x": 1}))
TOOL_CALL = {"part_kind": "tool-call", "tool_name": "a", "args": {"x": 1}, "tool_call_id": "1"}
NO_ID = says((None, "a", {"x": 1}))


def asks(inputs, *outputs, **more):
    return Step("a request", "model", inputs=inputs, outputs=[*outputs] or None, **more)


def does(name="a", arguments=None, id=None, result="ok", status="succeeded", **more):
    call = Called(name, {"x": 1} if arguments is None else arguments, id)
    return Step("a tool", "tool", call=call, answer=Answered(result, id, status=status), **more)


def holds(inputs=None, outputs=None, **more):
    return Step("an agent", inputs=inputs, outputs=outputs, **more)


def in_time(*steps):
    return [step._replace(start=n) for n, step in enumerate(steps)]


def run_of(*steps, **options):
    return build(read_trace(in_time(*steps), to_trajectory, **options))


def told(run):
    """Each message in short: its role, its text or its calls."""
    return [
        f"{m.role}: {', '.join(f'{c.name}({c.id})' for c in m.tool_calls)}"
        if m.tool_calls
        else f"{m.role} {'' if m.answers is None else run.calls[m.answers].id}: {m.content}"
        for m in run.messages
    ]


def statuses(run):
    return [(call.name, call.status) for call in run.calls]


PLAIN = ["user : Hi", "assistant: a(1)", "tool 1: ok", "assistant : Bye"]
REPEATED = {
    "each request repeats the history": [asks([HI], A), asks([HI, A, result()], BYE)],
    "a step executed the call": [asks([HI], A), does(id="1"), asks([HI, A, result()], BYE)],
    "by its arguments": [asks([HI], A), does(), asks([HI, A, result()], BYE)],
    "with more arguments": [asks([HI], A), does(arguments={"x": 1, "y": 2}), asks([HI, A, result()], BYE)],
    "with arguments under input": [asks([HI], A), does(arguments={"input": {"x": 1}}), asks([HI], BYE)],
    "with its arguments as text": [asks([HI], A), does(arguments='{"x": 1}'), asks([HI], BYE)],
    "with arguments that were not captured": [
        asks([HI], A),
        does()._replace(call=Called("a")),
        asks([HI], BYE),
    ],
    "a request holds only what is new": [asks([HI], A), asks([result()], BYE)],
    "and a step executed it": [asks([HI], A), does(id="1"), asks([result()], BYE)],
    "an agent repeats its requests": [
        holds([HI], [HI, A, result(), BYE], id="agent"),
        asks([HI], A, parent="agent"),
        does(id="1", parent="agent"),
        asks([HI, A, result()], BYE, parent="agent"),
    ],
    "an agent holds all": [holds([HI], [HI, A, result(), BYE])],
    "an agent holds all, and a step executed the call": [
        holds([HI], [A, result(), BYE], id="agent"),
        does(id="1", parent="agent"),
    ],
    "a request in a request": [
        asks([HI], A, id="outer"),
        asks([HI], A, parent="outer"),
        does(id="1"),
        asks([HI, A, result()], BYE),
    ],
    "the texts of an agent": [holds("Hi", "Bye", id="agent"), asks([HI], A, parent="agent"), does(), asks([HI], BYE)],
    "a prompt that writes the messages anew": [
        holds([HI], id="agent"),
        asks("Human: Hi", A, parent="agent"),
        does(parent="agent"),
        asks("Human: Hi\nAI: a\nTool: ok", BYE, parent="agent"),
    ],
    "a request that is told before the one before it": [asks([HI, A, result()], BYE), asks([HI], A)],
    "a response that is written differently later": [
        asks([HI], A),
        asks([HI, says(("1", "a", '{"x": 1}'), content="Now"), result()], BYE),
        asks([HI, A, result(), {"role": "assistant", "content": "Bye, dear"}]),
    ],
    "white space": [asks([HI], A), asks([{"role": "user", "content": " Hi\n"}, A, result()], BYE)],
    "parts": [asks([HI], A), asks([{"role": "user", "content": [{"type": "text", "text": "Hi"}]}, A, result()], BYE)],
}
RUNS = {
    "one call twice is two": (
        [asks([HI], A), asks([HI, A, result()], says(("1", "a", {"x": 1})))],
        ["user : Hi", "assistant: a(1)", "tool 1: ok", "assistant: a(1)"],
    ),
    "and so it is without ids": (
        [asks([HI], NO_ID), asks([HI, NO_ID, result(None)], NO_ID), asks([HI, NO_ID, result(None), NO_ID], BYE)],
        ["user : Hi", "assistant: a(None)", "tool None: ok", "assistant: a(None)", "assistant : Bye"],
    ),
    "equal responses to requests that hold no history": (
        [asks(None, NO_ID), does(), asks(None, NO_ID), does()],
        ["assistant: a(None)", "tool None: ok", "assistant: a(None)", "tool None: ok"],
    ),
    "a system message that comes later": (
        [asks([HI], A), asks([SYSTEM, HI, A, result()], BYE)],
        ["system : S", *PLAIN],
    ),
    "a new message between known ones": (
        [asks([HI], A), asks([HI, {"role": "user", "content": "Quick"}, A, result()], BYE)],
        ["user : Hi", "user : Quick", "assistant: a(1)", "tool 1: ok", "assistant : Bye"],
    ),
    "a conversation of its own": (
        [asks([SYSTEM, HI], A), asks([{"role": "system", "content": "T"}, {"role": "user", "content": "Do"}], BYE)],
        ["system : S", "user : Hi", "assistant: a(1)", "system : T", "user : Do", "assistant : Bye"],
    ),
    "the same words again": (
        [asks([HI], BYE), asks([HI, BYE, HI], BYE)],
        ["user : Hi", "assistant : Bye", "user : Hi", "assistant : Bye"],
    ),
    "a batch that a later record splits": (
        [
            asks([HI], says(("1", "a", {"x": 1}), ("2", "b", {}))),
            asks([HI, says(("1", "a", {"x": 1})), says(("2", "b", {})), result("2"), result("1")], BYE),
        ],
        ["user : Hi", "assistant: a(1), b(2)", "tool 2: ok", "tool 1: ok", "assistant : Bye"],
    ),
    "a batch of which a later record knows more": (
        [asks([HI], A), asks([HI, says(("1", "a", {"x": 1}), ("2", "b", {})), result()], BYE)],
        ["user : Hi", "assistant: a(1), b(2)", "tool 1: ok", "assistant : Bye"],
    ),
    "what only steps of tools hold": (
        [does(), does("b", id="2")],
        ["assistant: a(None)", "tool None: ok", "assistant: b(2)", "tool 2: ok"],
    ),
    "the id of the step stands for that of the call": (
        [does(id=None)._replace(id="s1")],
        ["assistant: a(s1)", "tool s1: ok"],
    ),
    "the steps of an agent that a tool runs": (
        [
            holds([HI], [A, BYE], id="agent"),
            does(id="1", parent="agent")._replace(id="tool"),
            holds(id="inner", parent="tool"),
            does("b", id="2", parent="inner"),
        ],
        ["user : Hi", "assistant: a(1)", "assistant: b(2)", "tool 2: ok", "tool 1: ok", "assistant : Bye"],
    ),
    "the requests of an agent that a tool runs": (
        [
            asks([HI], A),
            does(id="1")._replace(id="tool"),
            asks([{"role": "user", "content": "Do"}], says(("2", "b", {})), parent="tool"),
            asks([HI, A, result()], BYE),
        ],
        ["user : Hi", "assistant: a(1)", "user : Do", "assistant: b(2)", "tool 1: ok", "assistant : Bye"],
    ),
    "a call that only the agent tells": (
        [holds([HI], [A, says(("2", "b", {})), result("2"), result("1")], id="g"), asks([HI], A, parent="g")],
        ["user : Hi", "assistant: a(1)", "tool 1: ok", "assistant: b(2)", "tool 2: ok"],
    ),
    "a result that only the agent tells": (
        [holds([HI], [A, result()], id="agent"), asks([HI], A, parent="agent")],
        PLAIN[:3],
    ),
    "agents that tell nothing, or text": (
        [holds("x", "y", id="g"), holds({"a": 1}, {"b": 2}, parent="g"), asks([HI], BYE, parent="g")],
        ["user : Hi", "assistant : Bye"],
    ),
    "an agent without requests": ([holds("Hi", "Bye")], ["user : Hi", "assistant : Bye"]),
    "what is inside it tells its texts again": (
        [holds("Hi", "Bye", id="agent"), holds("Hi", "Bye", parent="agent"), does()],
        ["user : Hi", "assistant : Bye", "assistant: a(None)", "tool None: ok"],
    ),
    "a result without a call": ([asks([HI, result("9")], BYE)], ["user : Hi", "tool : ok", "assistant : Bye"]),
    "a result before its call": ([asks([HI, result(), A], BYE)], PLAIN),
    "one that is told again": (
        [asks([HI, result("9")], BYE), asks([HI, result("9"), BYE], BYE)],
        ["user : Hi", "tool : ok", "assistant : Bye", "assistant : Bye"],
    ),
    "results in another order, in a request that holds only what is new": (
        [
            asks([HI], says(("1", "a", {}), ("2", "a", {}))),
            asks([result("2", "two"), result("1", "one")], BYE),
        ],
        ["user : Hi", "assistant: a(1), a(2)", "tool 2: two", "tool 1: one", "assistant : Bye"],
    ),
    "results of which no id is known": (
        [asks([HI], A), asks([result(None)], BYE)],
        PLAIN,
    ),
    "a result of another call, in such a request": (
        [asks([HI], A), asks([result("9", "?")], BYE)],
        ["user : Hi", "assistant: a(1)", "tool : ?", "assistant : Bye"],
    ),
    "one in another format than its call": (
        [asks([HI], {"kind": "response", "parts": [TOOL_CALL]}), asks([result()], BYE)],
        PLAIN,
    ),
    "a request without a response, after a step": (
        [does(id="1"), does("b", id="2"), asks([result("2", "?", name="b"), result("1")])],
        ["assistant: a(1)", "tool 1: ok", "assistant: b(2)", "tool 2: ok"],
    ),
    "calls of the provider": (
        [
            asks(
                [HI],
                {
                    "role": "assistant",
                    "content": [
                        {"type": "server_tool_use", "id": "1", "name": "web", "input": {}},
                        {"type": "web_search_tool_result", "tool_use_id": "1", "content": "found"},
                    ],
                },
            )
        ],
        ["user : Hi", "assistant: web(1)"],
    ),
    "a tool that goes on": ([asks([HI], A), does(id="1")._replace(answer=None)], ["user : Hi", "assistant: a(1)"]),
    "a step of a tool that says no call": (
        [Step("a tool", "tool"), asks([HI], BYE)],
        ["user : Hi", "assistant : Bye"],
    ),
    "a prompt, and empty text": (
        [asks("Hi", BYE), holds(" ", " ")],
        ["user : Hi", "assistant : Bye"],
    ),
    "the text of a model": ([Step("a request", "model", inputs="Hi", outputs="Bye")], ["user : Hi", "assistant : Bye"]),
}
STATUSES = {
    "the step says that it failed": ([asks([HI], A), does(status="failed")], "failed"),
    "the step says so, and no message": ([asks([HI], A), does(status="failed"), asks([HI, A, result()])], "failed"),
    "the message says so": ([asks([HI], A), does(), asks([HI, A, result(is_error=True)])], "failed"),
    "the message says so first": ([asks([HI, A, result(is_error=True)]), does()], "failed"),
    "the step says more": ([asks([HI], A), does(status="retried"), asks([HI, A, result()])], "retried"),
    "nothing is wrong": ([asks([HI], A), does()], "succeeded"),
    "no step says that it ended": ([asks([HI], A), does("b"), does(id="1")._replace(answer=None)], "pending"),
    "a later request says that it ended": ([asks([HI], A), asks([HI, A, result()])], "succeeded"),
    "nothing is known of any": ([asks([HI], A)], None),
}
REFUSED = {
    "nothing": ([], "without messages and calls"),
    "steps that hold nothing": ([holds(), asks(None)], "without messages and calls"),
    "an agent that holds what no format reads": ([holds({"a": 1})], "an agent: its messages cannot be read"),
    "calls that no format reads": (
        [asks([HI], BYE), asks([{"kind": "x", "call": {"name": "f", "args": {}}}])],
        "a request: its messages cannot be read",
    ),
    "one of which a step executed another": (
        [does("f", id="1"), asks([{"x": {"name": "f", "args": {}, "id": "2"}}])],
        "a request: its messages cannot be read",
    ),
}


@pytest.mark.parametrize("steps", REPEATED.values(), ids=REPEATED)
def test_what_several_steps_tell_counts_once(steps):
    assert told(run_of(*steps)) == PLAIN


@pytest.mark.parametrize("steps", REPEATED.values(), ids=REPEATED)
def test_the_order_in_which_steps_are_given_does_not_matter(steps):
    shuffled = random.Random(7).sample(in_time(*steps), len(steps))
    assert told(build(read_trace(shuffled, to_trajectory))) == PLAIN


@pytest.mark.parametrize(("steps", "messages"), RUNS.values(), ids=RUNS)
def test_a_run_is_read_from_its_steps(steps, messages):
    assert told(run_of(*steps)) == messages


@pytest.mark.parametrize(("steps", "status"), STATUSES.values(), ids=STATUSES)
def test_what_became_of_a_call_is_what_the_steps_say_of_it(steps, status):
    assert dict(statuses(run_of(*steps)))["a"] == status


@pytest.mark.parametrize(("steps", "text"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_lost_is_refused(steps, text):
    with pytest.raises(ConversionError, match=re.escape(text)):
        run_of(*steps)


def test_what_no_format_reads_is_noted_where_steps_executed_its_calls():
    odd = [{"x": {"name": "f", "args": {}, "id": "1"}}, {"y": {"toolName": "f", "input": {}}}]
    assert run_of(does("f", id="1"), asks(odd)).notes == (ALONE, UNKNOWN)


def test_what_is_odd_in_several_places_is_no_hang():
    odd = {"x": 1, "z": {"function": {"args": 1}}}
    odd["y"] = [odd, odd]
    assert run_of(does("f", id="1"), asks(odd)).notes == (ALONE, UNKNOWN)


def test_arguments_that_a_message_lacks_are_those_that_were_executed():
    asked = {"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "a"}]}
    assert run_of(asks([], asked), does(id="1")).calls == (ToolCall("a", {"x": 1}, status="succeeded"),)


@pytest.mark.parametrize(("arguments", "calls"), [("cats", 1), ("dogs", 2), ({}, 2)])
def test_an_only_argument_may_be_recorded_without_its_name(arguments, calls):
    assert len(run_of(asks([HI], says(("1", "a", {"x": "cats"}))), does(arguments=arguments)).calls) == calls


def test_the_kind_of_a_call_is_what_any_step_says():
    output = does(id="1")._replace(call=Called("a", {"x": 1}, "1", "output"))
    assert run_of(asks([HI], A), output, asks([HI, A, result()])).calls[0].kind == "output"


def test_the_result_of_a_call_is_the_first_with_content():
    assert run_of(asks([HI], A), does(id="1", result=None), asks([HI, A, result()])).messages[2].content == "ok"


def test_a_native_call_has_its_result_itself():
    blocks = RUNS["calls of the provider"][0]
    step = does()._replace(call=Called("web", {}, "1", "native"))
    assert told(run_of(*blocks, step, step._replace(place="again"))) == RUNS["calls of the provider"][1]
    assert statuses(run_of(*blocks)) == [("web", "succeeded")]


def test_what_reads_fewer_calls_behind_others_is_read_alone():
    def last(messages):
        return to_trajectory(messages[-1:])

    steps = [asks(None, A), asks(None, says(("2", "b", {}))), asks([result()])]
    run = build(read_trace(in_time(*steps), last))
    assert told(run) == ["assistant: a(1)", "tool 1: ok", "assistant: b(2)"]


def test_a_prompt_of_an_agent_that_a_tool_runs_starts_no_turn():
    assert len(run_of(*RUNS["the requests of an agent that a tool runs"][0]).turns) == 1


def test_what_a_tool_runs_can_be_left_out():
    steps = RUNS["the requests of an agent that a tool runs"][0]
    assert told(run_of(*steps, nested=False)) == PLAIN
    assert told(run_of(*steps[:3], nested=False)) == PLAIN[:3]


def test_what_two_recorders_saw_of_one_execution_counts_once():
    inner = does(id=None, result="inner", status="failed", parent="tool")
    assert told(run_of(asks([HI], A), does(id="1")._replace(id="tool"), inner, asks([HI], BYE))) == PLAIN


def test_what_a_tool_calls_of_its_own_name_is_another_call():
    inner = does(arguments={"x": 2}, id="2", parent="tool")
    assert len(run_of(asks([HI], A), does(id="1")._replace(id="tool"), inner).calls) == 2


def test_a_call_that_is_executed_again_is_one_call_and_the_last_time_counts():
    run = run_of(asks([HI], A), does(id="1", status="failed", result="no"), does(id="1"), asks([HI], BYE))
    assert (told(run), statuses(run)) == (PLAIN, [("a", "succeeded")])


def test_a_call_whose_next_execution_goes_on_is_what_became_of_the_one_before():
    steps = [asks([HI], A), does(id="1", status="failed"), does(id="1")._replace(answer=None), does("b", id="2")]
    assert statuses(run_of(*steps)) == [("a", "failed"), ("b", "succeeded")]


def test_one_id_with_other_arguments_is_another_call():
    assert len(run_of(asks([HI], A), does(id="1"), does(id="1", arguments={"x": 2})).calls) == 2


def test_without_messages_each_execution_is_a_call():
    assert len(run_of(does(id="1"), does(id="1")).calls) == 2


def test_steps_of_several_traces_are_noted():
    steps = [asks([HI], BYE, trace="1"), asks([HI, BYE, HI], BYE, trace="2")]
    assert run_of(*steps).notes == (SEVERAL,)
    assert run_of(holds("Hi", trace="1"), asks([HI], BYE, trace="2")).notes == ()


def test_nested_is_a_bool():
    with pytest.raises(OptionError, match="nested must be True or False, got 'no'"):
        run_of(asks([HI], BYE), nested="no")


def test_without_times_the_order_is_that_given():
    run = build(read_trace([asks([HI], A), does(id="1"), asks([HI, A, result()], BYE)], to_trajectory))
    assert (told(run), run.notes) == (PLAIN, (UNSORTED,))


def test_what_began_at_once_is_told_from_the_outermost_on():
    steps = [asks([HI], A, parent="agent"), holds([SYSTEM, HI], id="agent")]
    run = build(read_trace([step._replace(start=1) for step in steps], to_trajectory))
    assert told(run) == ["system : S", *PLAIN[:2]]


def test_parents_in_a_circle_are_no_hang():
    steps = [holds([HI], [BYE], id="a", parent="b"), holds([HI], [BYE], id="b", parent="a")]
    assert told(run_of(*steps)) == ["user : Hi", "assistant : Bye"]


def test_that_nothing_marks_failures_is_noted_unless_steps_do():
    repeated = [asks([HI], A), asks([HI, A, result()], BYE)]
    assert (run_of(*repeated).notes, run_of(*repeated, does()).notes) == ((UNMARKED,), ())


def test_results_that_join_by_their_order_are_noted():
    assert run_of(asks([HI], NO_ID), asks([HI, NO_ID, result(None)])).notes == (BY_ORDER, UNMARKED)

import sys

import pytest

from trajmatch import ConversionError, Message, ToolCall
from trajmatch.reading import Answered, Called, Noted, Said, build

USER, AI = Said("user", "Hi"), Said("assistant")
BY_ORDER = "results are joined to calls by their order, since ids are missing"
NO_CALL = "a result has no call"
EARLY = "a result comes before its call"
TWICE = "arguments are encoded twice"


def outcomes(run):
    return [(made.name, made.status, made.result) for made in run.calls]


JOINS = {
    "by id": (
        [AI, Called("a", id="1"), Called("b", id="2"), Answered("B", "2"), Answered("A", "1")],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        (),
    ),
    "one id twice in a message: in order": (
        [AI, Called("a", id="1"), Called("b", id="1"), Answered("A", "1"), Answered("B", "1")],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        (),
    ),
    "an id used again later: the answered call is closed": (
        [AI, Called("a", id="1"), Answered("A", "1"), AI, Called("b", id="1"), Answered("B", "1")],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        (),
    ),
    "an id used again later: the open call is closed": (
        [AI, Called("a", id="1"), AI, Called("b", id="1"), Answered("B", "1")],
        [("a", "pending", None), ("b", "succeeded", "B")],
        (),
    ),
    "an id used again later: two open calls are closed": (
        [
            AI,
            Called("a", id="1"),
            Called("b", id="1"),
            AI,
            Called("c", id="1"),
            Answered("C", "1"),
            Answered("D", "1"),
        ],
        [("a", "pending", None), ("b", "pending", None), ("c", "succeeded", "C")],
        (NO_CALL,),
    ),
    "empty ids: in order": (
        [AI, Called("a", id=""), Called("b", id=""), Answered("A", ""), Answered("B", "")],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        (BY_ORDER,),
    ),
    "no ids, but names": (
        [AI, Called("a"), Called("b"), Answered("B", name="b"), Answered("A", name="a")],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        (BY_ORDER,),
    ),
    "no ids, one name twice: in order": (
        [AI, Called("a"), Called("a"), Answered(1, name="a"), Answered(2, name="a")],
        [("a", "succeeded", 1), ("a", "succeeded", 2)],
        (BY_ORDER,),
    ),
    "no ids, a name: the oldest open call of that tool": (
        [AI, Called("a"), AI, Called("a"), Answered(1, name="a")],
        [("a", "succeeded", 1), ("a", "pending", None)],
        (BY_ORDER,),
    ),
    "no ids, no names: the last message first": (
        [AI, Called("a"), AI, Called("b"), Answered("B"), Answered("A")],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        (BY_ORDER,),
    ),
    "the call has an id, the result has none": (
        [AI, Called("a", id="1"), Called("b", id="2"), Answered("B", name="b"), Answered("A", "1")],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        (BY_ORDER,),
    ),
    "a call joined by its order is not joined by its id again": (
        [AI, Called("a", id="1"), Answered("A"), Answered("again", "1")],
        [("a", "succeeded", "A")],
        (BY_ORDER, NO_CALL),
    ),
    "the result has an id, the call has none": (
        [AI, Called("a"), Called("b", id="2"), Answered("A", "1"), Answered("B", "2")],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        (BY_ORDER,),
    ),
    "another id": ([AI, Called("a", id="1"), Answered("A", "2")], [("a", "pending", None)], (NO_CALL,)),
    "another name": ([AI, Called("a"), Answered("B", name="b")], [("a", "pending", None)], (NO_CALL,)),
    "a second result": (
        [AI, Called("a", id="1"), Answered("A", "1"), Answered("B", "1")],
        [("a", "succeeded", "A")],
        (NO_CALL,),
    ),
    "nothing to join": ([Answered("A"), AI, Called("a")], [("a", "pending", None)], (NO_CALL,)),
    "a result before its call": (
        [Answered("A", "1"), AI, Called("a", id="1")],
        [("a", "succeeded", "A")],
        (EARLY,),
    ),
    "two results before their call": (
        [Answered("A", "1"), Answered("B", "1"), AI, Called("a", id="1")],
        [("a", "succeeded", "A")],
        (NO_CALL, EARLY),
    ),
    "native and other ids are two spaces": (
        [
            AI,
            Called("a", id="1"),
            Called("b", id="1", kind="native"),
            Answered("B", "1", kind="native"),
            Answered("A", "1"),
        ],
        [("a", "succeeded", "A"), ("b", "succeeded", "B")],
        (),
    ),
    "native results do not join other calls": (
        [AI, Called("a"), Answered("B", kind="native")],
        [("a", "pending", None)],
        (NO_CALL,),
    ),
    "native calls without ids": (
        [AI, Called("a"), Called("b", kind="native"), Answered("B", kind="native")],
        [("a", "pending", None), ("b", "succeeded", "B")],
        (BY_ORDER,),
    ),
    "output calls share the ids of functions": (
        [AI, Called("a", id="1", kind="output"), Answered("A", "1")],
        [("a", "succeeded", "A")],
        (),
    ),
    "a status": (
        [
            AI,
            Called("a", id="1"),
            Called("b", id="2"),
            Answered("A", "1", status="retried"),
            Answered("B", "2", None, "denied"),
        ],
        [("a", "retried", "A"), ("b", "denied", "B")],
        (),
    ),
    "no results at all: no status": ([AI, Called("a", id="1")], [("a", None, None)], ()),
}


@pytest.mark.parametrize(("events", "calls", "notes"), JOINS.values(), ids=JOINS)
def test_results_join_calls(events, calls, notes):
    run = build(events)
    assert (outcomes(run), run.notes) == (calls, notes)


A, B, C = ToolCall("a"), ToolCall("b"), ToolCall("c")


def done(name, result):
    return ToolCall(name, status="succeeded", result=result)


MESSAGES = {
    "nothing": ([], []),
    "text": (
        [Said("system", "S"), USER, Said("ai", "A")],
        [Message("system", "S"), Message("user", "Hi"), Message("ai", "A")],
    ),
    "calls belong to their message": (
        [AI, Called("a"), Called("b"), AI, Called("c")],
        [Message("assistant", None, [A, B]), Message("assistant", None, [C])],
    ),
    "calls of another role than the common ones belong to it": (
        [AI, Called("a"), Said("critic", "Hm"), Called("b")],
        [Message("assistant", None, [A]), Message("critic", "Hm", [B])],
    ),
    "a call without a message makes one": ([Called("a"), Called("b")], [Message("assistant", None, [A, B])]),
    "a call after a user message makes one": (
        [AI, Called("a"), USER, Called("b")],
        [Message("assistant", None, [A]), Message("user", "Hi"), Message("assistant", None, [B])],
    ),
    "a result is a tool message where it came": (
        [AI, Called("a", id="1"), USER, Answered("A", "1")],
        [
            Message("assistant", None, [done("a", "A")]),
            Message("user", "Hi"),
            Message("tool", "A", answers=0),
        ],
    ),
    "a native result makes no message": (
        [AI, Called("a", kind="native"), Answered("A", kind="native")],
        [Message("assistant", None, [ToolCall("a", kind="native", status="succeeded")])],
    ),
    "a result without a call answers nothing": (
        [Answered("A", "1"), Answered("B", "1"), USER],
        [Message("tool", "A"), Message("tool", "B"), Message("user", "Hi")],
    ),
    "an early result stays where it came": (
        [Answered("A", "1"), AI, Called("a", id="1")],
        [Message("tool", "A", answers=0), Message("assistant", None, [done("a", "A")])],
    ),
    "feedback": ([Said("user", "Again", feedback=True)], [Message("user", "Again", feedback=True)]),
    "records of one response are one message": (
        [Said("ai", "A", "r"), Called("a"), Said("ai", "B", "r"), Called("b"), Said("ai", "C", "s")],
        [Message("ai", "AB", [A, B]), Message("ai", "C")],
    ),
    "a response goes on after a result": (
        [
            Said("ai", "", "r"),
            Called("a", id="1"),
            Answered("A", "1"),
            Said("ai", "B", "r"),
            Called("b", id="2"),
            Answered("B", "2"),
        ],
        [
            Message("ai", "B", [done("a", "A"), done("b", "B")]),
            Message("tool", "A", answers=0),
            Message("tool", "B", answers=1),
        ],
    ),
    "a response goes on after another": (
        [
            *[Said("ai", "A", "r"), Called("a", id="1"), Said("ai", "B", "s"), Called("b", id="2")],
            *[
                Said("ai", "C", "r"),
                Called("c", id="3"),
                Answered("C", "3"),
                Answered("B", "2"),
                Answered("A", "1"),
            ],
        ],
        [
            Message("ai", "AC", [done("a", "A"), done("c", "C")]),
            Message("ai", "B", [done("b", "B")]),
            *[
                Message("tool", "C", answers=1),
                Message("tool", "B", answers=2),
                Message("tool", "A", answers=0),
            ],
        ],
    ),
}


@pytest.mark.parametrize(("events", "messages"), MESSAGES.values(), ids=MESSAGES)
def test_events_become_messages(events, messages):
    assert list(build(events).messages) == messages


@pytest.mark.parametrize(("events", "messages"), MESSAGES.values(), ids=MESSAGES)
def test_calls_are_in_the_order_of_the_messages(events, messages):
    assert list(build(events).calls) == [made for message in messages for made in message.tool_calls]


CONTENTS = {
    "texts": ("A", "B", "AB"),
    "nothing before": (None, "B", "B"),
    "nothing after": ("A", None, "A"),
    "empty before": ("", ["B"], ["B"]),
    "parts": (["A"], ("B",), ["A", "B"]),
    "text and parts": ("A", ["B"], ["A", "B"]),
    "parts and a part": (["A"], {"text": "B"}, ["A", {"text": "B"}]),
}


@pytest.mark.parametrize(("before", "after", "content"), CONTENTS.values(), ids=CONTENTS)
def test_the_contents_of_one_response_are_joined(before, after, content):
    assert build([Said("ai", before, "r"), Said("ai", after, "r")]).messages == (Message("ai", content),)


def test_joining_contents_changes_none_of_them():
    before, after = ["A"], ["B"]
    build([Said("ai", before, "r"), Said("ai", after, "r")])
    assert (before, after) == (["A"], ["B"])


def test_an_id_is_used_again_within_one_response():
    events = [
        Said("ai", "", "r"),
        Called("a", id="1"),
        Said("ai", "", "r"),
        Called("b", id="1"),
        Answered("A", "1"),
    ]
    assert outcomes(build(events)) == [("a", "succeeded", "A"), ("b", "pending", None)]


def test_ids_and_kinds_are_kept_and_empty_ids_are_none():
    run = build([AI, Called("a", {}, "1", "output"), Called("b", id="")])
    assert [(made.id, made.kind) for made in run.calls] == [("1", "output"), (None, "function")]


ARGUMENTS = {
    "an object": ({"x": 1}, {"x": 1}, ()),
    "text": ('{"x": 1}', {"x": 1}, ()),
    "not captured": (None, None, ()),
    "encoded twice": ('"{}"', {}, (TWICE,)),
}


@pytest.mark.parametrize(("given", "arguments", "notes"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_arguments_are_passed_on(given, arguments, notes):
    run = build([AI, Called("a", given)])
    assert (run.calls[0].arguments, run.notes) == (arguments, notes)


def test_an_object_is_shared_and_not_copied():
    given = {"x": 1}
    assert build([Called("a", given)]).calls[0].arguments is given


def test_equal_notes_are_kept_once_in_order():
    assert build([Noted("b"), Noted("a"), Noted("b")]).notes == ("b", "a")


WRONG = {
    "no name": ([Called("")], "needs the name"),
    "a name that is no text": ([Called(5)], "name of a tool is text, got 5"),
    "arguments": ([Called("a", [1])], "got list"),
    "the id of a call": ([Called("a", id=5)], "id of a call is text or None, got 5"),
    "the id of a result": ([Answered("x", 5)], "id of a call is text or None, got 5"),
    "a kind": ([Called("a", kind="magic")], "kind must be one of .* got 'magic'"),
    "a status": ([Answered("x", status="ok")], "status must be one of .* got 'ok'"),
}


@pytest.mark.parametrize(("events", "text"), WRONG.values(), ids=WRONG)
def test_a_wrong_event_is_an_error(events, text):
    with pytest.raises(ConversionError, match=text):
        build(events)


class Word(str):
    __slots__ = ()


def test_words_of_other_types_become_plain_text():
    run = build([Called(Word("a"), Word("{}"), Word("1")), Answered("x", Word("1")), Answered("x", "2", Word("b"))])
    made, (*_, orphan) = run.calls[0], run.messages
    assert (made.status, orphan.name) == ("succeeded", "b")
    assert {*map(type, (made.name, made.text, made.id, orphan.name))} == {str}


def test_a_name_that_is_no_text_is_none():
    assert build([Answered("x", name=0)]).messages[0].name is None


def test_long_runs_are_no_problem():
    events = [AI, *(Called("a", id="") for _ in range(5_000)), *(Answered(i, f"{i}") for i in range(5_000))]
    assert [made.result for made in build(events[:1_001] + events[5_001:6_001]).calls] == list(range(1_000))
    ids = [event for i in range(5_000) for event in (AI, Called("a", id=f"{i}"), Answered(i, f"{i}"))]
    assert [made.result for made in build(ids).calls] == list(range(5_000))


def steps(events):
    """How many functions are called to join results to calls."""
    count = 0

    def tick(frame, event, argument):
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(tick)
    try:
        build(events)
    finally:
        sys.setprofile(before)
    return count


def calls(n, names="a", **more):
    return [Called(names[place * len(names) // n], **more) for place in range(n)]


MANY = {
    "results that fit no call": lambda n: [*calls(n), *[Answered(0, name="b")] * n],
    "results with ids that no call has": lambda n: [
        *(Called("a", id=f"{place}") for place in range(n)),
        Called("b"),
        *(Answered(0, f"x{place}", "c") for place in range(n)),
    ],
    "no ids": lambda n: [*calls(n), *[Answered(0)] * n],
    "two tools without ids": lambda n: [*calls(n, "ab"), *[Answered(0, name="b"), Answered(0, name="a")] * (n // 2)],
    "one id, another tool": lambda n: [*calls(n, id="1"), *[Answered(0, "1", "b")] * n],
    "one id, two tools": lambda n: [*calls(n, "ab", id="1"), *[Answered(0, "1", "b")] * n],
    "one id, again and again": lambda n: [Said("assistant"), Called("a", id="1")] * n,
    "native calls, and results of others": lambda n: [*calls(n, kind="native"), *[Answered(0)] * n],
}


@pytest.mark.parametrize("many", MANY.values(), ids=MANY)
def test_ten_times_the_calls_take_ten_times_the_steps(many):
    assert steps(many(2_000)) < 15 * steps(many(200))

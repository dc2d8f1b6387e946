"""The mode `strict`: which messages count, and when two are the same."""

import pytest

from trajmatch import ConversionError, Message, ToolCall, Trajectory, call, match
from trajmatch import _messages as module
from trajmatch._relation import relation


def run(*messages):
    return Trajectory(messages)


def ask(text="go"):
    return Message("user", text)


def say(*calls, text=None):
    return Message("assistant", text, calls)


def answer(index):
    return Message("tool", "ok", answers=index)


def anything(actual, expected):
    return True


A, B, C = (ToolCall(name, {}, status="succeeded") for name in "abc")
FAILED = ToolCall("f", {}, status="failed")
OUTPUT = ToolCall("final", {}, status="succeeded", kind="output")
PLAIN = run(ask(), say(A), answer(0), say(text="done"))
IMAGE = Message("user", ["image"], feedback=True)

PASSES = {
    "itself": (PLAIN, PLAIN, {}),
    "other text": (PLAIN, run(ask("?"), say(A, text="hm"), answer(0), say(text="ok")), {}),
    "a system prompt": (run(Message("system", "s"), *PLAIN.messages), PLAIN, {}),
    "one batch in another order": (run(say(A, B)), run(say(B, A)), {}),
    "one batch that needs an optimal pairing": (
        run(say(call("a", x=1, y=1), call("a", x=1))),
        run(say(call("a", x=1), call("a", x=1, y=1))),
        {"args": "superset"},
    ),
    "feedback after a result": (run(ask(), say(A), answer(0), IMAGE, say(text="done")), PLAIN, {}),
    "feedback before a result": (run(ask(), say(A), IMAGE, answer(0), say(text="done")), PLAIN, {}),
    "feedback before a result that is the first": (run(IMAGE, answer(None), ask()), run(answer(None), ask()), {}),
    "a call that does not count": (
        run(ask(), say(FAILED), answer(0), say(A), answer(1), say(text="done")),
        PLAIN,
        {"calls": "succeeded"},
    ),
    "its result in a batch that stays": (
        run(ask(), say(FAILED, A), answer(0), answer(1), say(text="done")),
        PLAIN,
        {"calls": "succeeded"},
    ),
    "output against text": (run(ask(), say(A), answer(0), say(OUTPUT), answer(1)), PLAIN, {}),
    "output against another output": (
        run(ask(), say(OUTPUT), answer(0)),
        run(ask(), say(OUTPUT.replace(name="other")), answer(0)),
        {},
    ),
    "an ignored role": (PLAIN, run(ask(), say(A), say()), {"ignore_roles": ["tool"]}),
    "a folded ignored role": (PLAIN, run(*PLAIN.messages[1:]), {"ignore_roles": ["human"]}),
    "nothing": ([], [], {}),
    "under a function": (PLAIN, PLAIN, {"args": anything}),
    "one message again and again, under a function": (run(say(A), say(A)), run(say(A), say(A)), {"args": anything}),
    "a batch between others in another order, under a function": (
        run(say(C), say(A, B), say(C)),
        run(say(C), say(B, A), say(C)),
        {"args": anything},
    ),
}
FAILS = {
    "an empty expectation": (PLAIN, [], {}),
    "another role": (run(ask()), run(Message("critic", "x")), {}),
    "one more text": (run(*PLAIN.messages, say(text="bye")), PLAIN, {}),
    "two batches in place of one": (run(say(A, B)), run(say(A), say(B)), {}),
    "one more call": (run(say(A, B)), run(say(A)), {}),
    "other arguments in a batch": (run(say(A, B)), run(say(A, C)), {}),
    "a call twice in place of two": (run(say(A, A)), run(say(A, B)), {}),
    "a call twice in place of two, and once more later": (run(say(A, A), say(A)), run(say(A, B), say(A)), {}),
    "feedback alone": (run(ask(), say(), IMAGE, say()), run(ask(), say(), say()), {}),
    "feedback alone at the start": (run(IMAGE, ask(), say()), run(ask(), say()), {}),
    "feedback alone at the end": (run(ask(), say(), IMAGE), run(ask(), say()), {}),
    "a system prompt that counts": (run(Message("system", "s"), *PLAIN.messages), PLAIN, {"ignore_roles": []}),
    "an orphan result": (run(ask(), answer(None)), run(ask()), {}),
    "results in place of text": (run(ask(), say(A), answer(0)), run(ask(), say(A), ask()), {}),
    "under a function": (PLAIN, PLAIN, {"args": lambda a, e: False}),
}


@pytest.mark.parametrize(("actual", "expected", "options"), PASSES.values(), ids=PASSES)
def test_messages_are_the_same(actual, expected, options):
    assert match(actual, expected, mode="strict", **options).score == 1.0


@pytest.mark.parametrize(("actual", "expected", "options"), FAILS.values(), ids=FAILS)
def test_messages_are_different(actual, expected, options):
    assert match(actual, expected, mode="strict", **options).score == 0.0


@pytest.mark.parametrize(("actual", "expected", "side"), [([A], PLAIN, "actual"), (PLAIN, ["a"], "expected")])
def test_a_list_of_calls_is_an_error_that_names_exact(actual, expected, side):
    with pytest.raises(ConversionError, match=f"{side} is a list of calls; say mode='exact'"):
        match(actual, expected, mode="strict")


def test_measures_are_over_the_calls_of_the_messages_that_pair():
    result = match(run(say(A), say(B), say(C)), run(say(A), say(B, C)), mode="strict")
    assert (len(result.pairs), result.precision, result.recall) == (1, 1 / 3, 1 / 3)


def test_the_reason_counts_the_messages_that_pair():
    result = match(run(ask(), say(A), ask(), say(B)), run(ask(), say(A), say(B)), mode="strict")
    assert result.reason.startswith("strict: FAIL; messages: 3 paired, 1 extra; calls: 2 paired; ")


def test_equal_messages_pair_first_and_calls_inside_them():
    actual, expected = run(say(call("a", x=2))), run(say(call("a", x=1)), say(call("a", x=2)))
    assert match(actual, expected, mode="strict", args="ignore").pairs[0].expected_index == 1


def test_one_message_of_many_calls_in_another_order_is_the_same():
    calls = [call("f", x=n) for n in range(300)]
    assert match(run(say(*calls)), run(say(*calls[::-1])), mode="strict")


SPOKEN = [ask(), say(A, B), answer(0), answer(1), say(C), answer(2), say(text="done")]
TURNED = [ask(), say(B, A), *SPOKEN[2:]]
COMPARED = {
    "itself": (SPOKEN, SPOKEN, []),
    "equal ends": ([*SPOKEN[:4], ask(), *SPOKEN[4:]], SPOKEN, []),
    "equal ends, one batch in another order": ([*TURNED[:4], ask(), *TURNED[4:]], SPOKEN, [(2, 2)]),
    "another call": ([*SPOKEN[:4], say(A), *SPOKEN[5:]], SPOKEN, [(3, 3)]),
}


@pytest.mark.parametrize(("actual", "expected", "compared"), COMPARED.values(), ids=COMPARED)
def test_what_is_equal_is_not_compared_with_all_others(monkeypatch, actual, expected, compared):
    asked = []

    def counting(ours, theirs, rules):
        asked.append((len(ours), len(theirs)))
        return relation(ours, theirs, rules)

    monkeypatch.setattr(module, "relation", counting)
    assert match(run(*actual), run(*expected), mode="strict").passed is (actual is expected)
    assert asked == compared

from types import SimpleNamespace

import pytest
from anthropic.types.beta import sessions

from trajmatch import ConversionError, OptionError, check_limits, match, to_trajectory
from trajmatch.reading import SHARED_ID
from trajmatch_adapters.histories.managed_agents import classify

LEFT_OUT = "the events of sub-agents are left out"


def text(said):
    return [{"type": "text", "text": said}]


def event(kind, id=None, **more):
    return {"type": kind, **({"id": id} if id else {}), **more}


def asked(said="Hi", id="u1"):
    return event("user.message", id, content=text(said))


def told(said="Bye", id="m1"):
    return event("agent.message", id, content=text(said))


def use(id="1", name="a", kind="agent.tool_use", **more):
    return event(kind, id, name=name, input={"x": 1}, **more)


def result(id="1", **more):
    return event("agent.tool_result", f"r{id}", tool_use_id=id, content=text("ok"), **more)


def custom(id="1", **more):
    return use(id, "c", "agent.custom_tool_use", **more)


def returned(id="1", **more):
    return event("user.custom_tool_result", f"r{id}", custom_tool_use_id=id, content=text("ok"), **more)


def mcp(id="1"):
    return use(id, "m", "agent.mcp_tool_use", mcp_server_name="s")


def confirmed(result, id="1"):
    return event("user.tool_confirmation", f"k{id}", tool_use_id=id, result=result)


def start(id):
    return event("span.model_request_start", id)


INTERRUPT = event("user.interrupt", "i")


def recorded(method, payload):
    return [f"client.beta.sessions.{method}", payload]


def streamed(*events):
    return [recorded("events.stream", one) for one in events]


def sent(*events):
    return recorded("events.send", ["sesn_1", {"events": [{**one, "id": None} for one in events]}])


def facts(run):
    return [(made.name, made.status, made.kind) for made in run.calls]


def roles(run):
    return [message.role for message in run.messages]


A, C = ("a", "succeeded", "native"), ("c", "succeeded", "function")
CREATED = recorded("create", {"type": "session", "id": "sesn_1"})
RUNS = {
    "a built-in tool": ([asked(), use(), result(), told()], [A], ["user", "assistant", "assistant"]),
    "a custom tool": ([asked(), custom(), returned(), told()], [C], ["user", "assistant", "tool", "assistant"]),
    "a tool of MCP": (
        [mcp(), event("agent.mcp_tool_result", "r", mcp_tool_use_id="1", is_error=False)],
        [("m", "succeeded", "native")],
        ["assistant"],
    ),
    "a built-in tool that the client runs": (
        [use(), event("user.tool_result", "r", tool_use_id="1")],
        [("a", "succeeded", "function")],
        ["assistant", "tool"],
    ),
    "an error": ([use(), result(is_error=True)], [("a", "failed", "native")], ["assistant"]),
    "no result": ([use()], [("a", None, "native")], ["assistant"]),
    "a call that waits": ([use(), result(), custom("2")], [A, ("c", "pending", "function")], ["assistant"] * 2),
    "refused by the server": (
        [use(evaluated_permission="deny"), result(is_error=True)],
        [("a", "denied", "native")],
        ["assistant"],
    ),
    "refused without a result": ([use(evaluated_permission="deny")], [("a", "denied", "native")], ["assistant"]),
    "refused by the user": ([use(), confirmed("deny"), told()], [("a", "denied", "native")], ["assistant"] * 2),
    "allowed by the user": ([use(), confirmed("allow"), result()], [A], ["assistant"]),
    "interrupted": ([use(), INTERRUPT, told()], [("a", "interrupted", "native")], ["assistant"] * 2),
    "a call after an interruption": (
        [custom(), INTERRUPT, use("2")],
        [("c", "interrupted", "function"), ("a", "pending", "native")],
        ["assistant", "assistant", "tool"],
    ),
    "several events of one response": (
        [start("s1"), told(), use(), custom("2"), result(), returned("2"), start("s2"), told(id="m2")],
        [A, C],
        ["assistant", "tool", "assistant"],
    ),
    "a message while the model speaks": (
        [start("s1"), told(), asked(), use()],
        [("a", None, "native")],
        ["assistant", "user"],
    ),
    "several events without requests": ([told(), use(), result(), told(id="m2")], [A], ["assistant"] * 2),
    "system messages and outcomes": (
        [
            event("system.message", content=text("Be brief.")),
            event("user.define_outcome", "o", description="Do a"),
            *[use(), result()],
        ],
        [A],
        ["system", "user", "assistant"],
    ),
    "events that say nothing": (
        [
            *[asked(), event("session.status_idle", "s"), event("agent.thinking", "t"), use(), result()],
            *[event("agent.thread_message_sent", "x"), event("span.model_request_end", "y")],
        ],
        [A],
        ["user", "assistant"],
    ),
    "events that were listed twice": ([asked(), use(), result(), asked(), use(), result()], [A], ["user", "assistant"]),
    "a page": ({"data": [asked(), use(), result()], "next_page": None}, [A], ["user", "assistant"]),
    "a page as an object": (SimpleNamespace(data=[asked(), use(), result()]), [A], ["user", "assistant"]),
    "recorded calls of the client": (
        [CREATED, sent(asked()), *streamed(asked(), use(), result())],
        [A],
        ["user", "assistant"],
    ),
    "a recorded page": (
        [CREATED, recorded("events.list", {"data": [asked(), use(), result()]})],
        [A],
        ["user", "assistant"],
    ),
    "what was sent alone": ([CREATED, sent(asked())], [], ["user"]),
}


@pytest.mark.parametrize("options", [{}, {"format": "managed_agents"}], ids=["recognised", "named"])
@pytest.mark.parametrize("name", RUNS)
def test_a_session_is_read(name, options):
    history, calls, said = RUNS[name]
    run = to_trajectory(history, **options)
    assert (facts(run), roles(run), run.notes) == (calls, said, ())


def test_what_a_call_and_its_result_hold():
    (made,) = to_trajectory([custom(), returned()]).calls
    assert (made.id, made.arguments, made.result) == ("1", {"x": 1}, text("ok"))


def test_each_request_of_the_model_counts():
    history, _, _ = RUNS["several events of one response"]
    assert check_limits(history, max_model_requests=2)
    assert not check_limits(history, max_model_requests=1)


def test_the_events_of_sub_agents_are_left_out_and_noted():
    run = to_trajectory([use(session_thread_id="t"), custom("2"), returned("2"), event("session.thread_created", "x")])
    assert (facts(run), run.notes) == ([C], (LEFT_OUT,))


def test_one_id_with_two_names_is_two_calls():
    run = to_trajectory([asked(), use("1", "a"), use("1", "b"), use("1", "b"), told()])
    assert [made.name for made in run.calls] == ["a", "b"]
    assert run.notes == (SHARED_ID,)


def test_an_unknown_event_of_the_agent_is_noted():
    run = to_trajectory([use(), event("agent.hologram", "h")])
    assert run.notes == ("an event of the unknown type 'agent.hologram' is passed over",)


SILENT = {
    "events of the session": [event("session.status_idle", "s"), event("span.model_request_end", "e")],
    "the beginning of a recording": [CREATED],
}


@pytest.mark.parametrize("history", SILENT.values(), ids=SILENT)
def test_events_that_say_nothing_are_no_empty_run(history):
    with pytest.raises(ConversionError, match="message 0: no event says or calls anything"):
        to_trajectory(history)


KINDS = {
    "agent.custom_tool_use": sessions.BetaManagedAgentsAgentCustomToolUseEvent,
    "agent.message": sessions.BetaManagedAgentsAgentMessageEvent,
    "agent.tool_result": sessions.BetaManagedAgentsAgentToolResultEvent,
    "agent.tool_use": sessions.BetaManagedAgentsAgentToolUseEvent,
    "span.model_request_start": sessions.BetaManagedAgentsSpanModelRequestStartEvent,
    "user.custom_tool_result": sessions.BetaManagedAgentsUserCustomToolResultEvent,
    "user.message": sessions.BetaManagedAgentsUserMessageEvent,
}


@pytest.mark.parametrize("name", ["a built-in tool", "a custom tool", "several events of one response", "an error"])
def test_events_of_the_sdk_read_like_dicts(name):
    history, calls, said = RUNS[name]
    live = [KINDS[e["type"]].model_validate({**e, "processed_at": "2026-01-01T00:00:00Z"}) for e in history]
    before = [one.model_dump_json() for one in live]
    run = to_trajectory(live)
    assert (facts(run), roles(run), run.notes) == (calls, said, ())
    assert [one.model_dump_json() for one in live] == before


def test_a_run_is_matched():
    assert match(RUNS["several events of one response"][0], ["a", "c"]).passed


WRONG = {
    "no event": ([asked(), {"a": 1}], "message 1: neither an event of a session nor a recorded call"),
    "text": ([asked(), "Hi"], "message 1: neither an event"),
    "a message without blocks": ([asked(), event("user.message", "u", content="Hi")], "message 1: neither an event"),
    "another pair": ([asked(), ["user", "Hi"]], "message 1: neither an event"),
    "a call without a name": ([asked(), event("agent.tool_use", "1", input={})], "message 1: a call without the name"),
    "an unknown event with a call": (
        [asked(), use(kind="agent.browser_use")],
        "message 1: an event of the unknown type",
    ),
}


@pytest.mark.parametrize(("history", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_is_an_error_that_says_where(history, message):
    with pytest.raises(ConversionError, match=message) as caught:
        to_trajectory(history, format="managed_agents")
    assert caught.value.index == 1


CLASSES = {
    "a prompt": (asked(), "certain"),
    "a call": (use(), "certain"),
    "a result": (result(), "certain"),
    "an outcome": (event("user.define_outcome", "o", description="Do a"), "certain"),
    "a recorded call": (CREATED, "certain"),
    "a page": ({"data": [asked()]}, "certain"),
    "a status": (event("session.status_idle", "s"), "could_be"),
    "an event of another program": ({"type": "user.message", "data": {"content": "Hi"}}, "no"),
    "an event of a response": ({"type": "response.created"}, "no"),
    "a page of something else": ({"data": [{"id": "1"}]}, "no"),
    "an empty page": ({"data": []}, "no"),
    "a message": ({"role": "user", "content": "Hi"}, "no"),
    "a pair": (["user", "Hi"], "no"),
    "null": (None, "no"),
}


@pytest.mark.parametrize(("item", "answer"), CLASSES.values(), ids=CLASSES)
def test_items_are_classified(item, answer):
    assert classify(item) == answer


def test_there_are_no_options():
    with pytest.raises(OptionError, match="'managed_agents' has no option 'strict'; it has none"):
        to_trajectory([asked()], format="managed_agents", strict=True)


HISTORIES = [case[0] for case in RUNS.values() if isinstance(case[0], list)]

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from trajmatch import ConversionError, OptionError, check_limits, match, to_trajectory
from trajmatch_adapters.histories.claude_code import classify, read

LEFT_OUT = "the messages of sub-agents are left out; nested=True reads them"
BACK = "somebody went back in this session; what was left behind is read, too"
SYNTHETIC = "what the program wrote in the model's place is no response"


def text(said):
    return {"type": "text", "text": said}


def tool(name="a", id="1", kind="tool_use", **given):
    return {"type": kind, "id": id, "name": name, "input": given}


def answer(id="1", content="ok", kind="tool_result", **more):
    return {"type": kind, "tool_use_id": id, "content": content, **more}


def asked(content, **more):
    return {"type": "user", "message": {"role": "user", "content": content}, "isSidechain": False, **more}


def answers(*blocks, **more):
    return asked(list(blocks), **more)


def said(*blocks, response=None, model="claude", **more):
    message = {"id": response, "type": "message", "role": "assistant", "model": model, "content": list(blocks)}
    return {"type": "assistant", "message": message, "isSidechain": False, **more}


def sdk(**fields):
    """An object of the Agent SDK."""
    return SimpleNamespace(**{"parent_tool_use_id": None, **fields})


def facts(run):
    return [(made.name, made.status, made.kind) for made in run.calls]


def roles(run):
    return [message.role + "*" * message.feedback for message in run.messages]


def named(history, **options):
    return to_trajectory(history, format="claude_code", **options)


HI, BYE = asked("Hi"), said(text("Bye"))
A, B = ("a", "succeeded", "function"), ("b", "succeeded", "function")
CALLS = {
    "a call": ([HI, said(tool()), answers(answer()), BYE], [A], ["user", "assistant", "tool", "assistant"]),
    "no result": ([HI, said(tool())], [("a", None, "function")], ["user", "assistant"]),
    "an error": (
        [HI, said(tool()), answers(answer(is_error=True))],
        [("a", "failed", "function")],
        ["user", "assistant", "tool"],
    ),
    "one response in several records": (
        [HI, said(text("So"), response="m"), said(tool(), response="m"), said(tool("b", "2"), response="m")],
        [("a", None, "function"), ("b", None, "function")],
        ["user", "assistant"],
    ),
    "a result between the records of a response": (
        [
            *[said(tool(), response="m"), answers(answer()), said(tool("b", "2"), response="m")],
            *[answers(answer("2")), said(text("Bye"), response="n")],
        ],
        [A, B],
        ["assistant", "tool", "tool", "assistant"],
    ),
    "responses without ids": (
        [said(tool()), said(tool("b", "2"))],
        [("a", None, "function"), ("b", None, "function")],
        ["assistant"] * 2,
    ),
    "a call that a later record of its response holds again": (
        [said(tool(), response="m"), said(tool(), tool("b", "2"), response="m")],
        [("a", None, "function"), ("b", None, "function")],
        ["assistant"],
    ),
    "records that a resumed session repeats": (
        [
            *[asked("Hi", uuid="u1"), said(tool(), uuid="u2"), answers(answer(), uuid="u3")],
            *[asked("Hi", uuid="u1"), said(tool(), uuid="u2"), answers(answer(), uuid="u3"), said(tool("b", "2"))],
        ],
        [A, ("b", "pending", "function")],
        ["user", "assistant", "tool", "assistant"],
    ),
    "one name for different records": (
        [said(tool(), uuid="u"), said(tool("b", "2"), uuid="u")],
        [("a", None, "function"), ("b", None, "function")],
        ["assistant"] * 2,
    ),
    "executed by the provider": (
        [said(tool("web", "srvtoolu_1", "server_tool_use"), answer("srvtoolu_1", [], "web_search_tool_result"))],
        [("web", "succeeded", "native")],
        ["assistant"],
    ),
    "text beside results": ([said(tool()), answers(answer(), text("And b"))], [A], ["assistant", "tool", "user"]),
    "content null": ([asked(None), said(tool())], [("a", None, "function")], ["user", "assistant"]),
    "a session of the web": ({"loglines": [HI, said(tool())]}, [("a", None, "function")], ["user", "assistant"]),
    "a session of the web without records": ({"loglines": []}, [], []),
    "wrapped in messages": ({"messages": [HI, said(tool())]}, [("a", None, "function")], ["user", "assistant"]),
    "an iterator": (iter([HI, said(tool())]), [("a", None, "function")], ["user", "assistant"]),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_and_messages_are_read(name):
    history, calls, said = CALLS[name]
    run = to_trajectory(history)
    assert (facts(run), roles(run)) == (calls, said)


REFUSALS = {
    "denied": [
        "The user doesn't want to proceed with this tool use. The tool use was rejected",
        "Claude requested permissions to use Bash, but you haven't granted it yet.",
        "Permission to use Bash with command rm has been denied.",
        "Permission for this action was denied by the classifier",
        "This command requires approval",
        "This Bash command contains multiple operations. The following parts require approval: rm",
    ],
    "interrupted": [
        "The user doesn't want to take this action right now. STOP",
        "[Request interrupted by user for tool use]",
        "<tool_use_error>Cancelled: a parallel call failed</tool_use_error>",
    ],
    "retried": [
        "<tool_use_error>InputValidationError: Read failed</tool_use_error>",
        "<tool_use_error>Error: No such tool available: a</tool_use_error>",
    ],
    "failed": ["<tool_use_error>File does not exist.</tool_use_error>", "Exit code 1", ""],
}
TEXTS = [(status, begins) for status, texts in REFUSALS.items() for begins in texts]


@pytest.mark.parametrize(("status", "content"), TEXTS)
def test_the_text_of_an_error_tells_what_became_of_a_call(status, content):
    for result in (content, [text(content)]):
        (made,) = to_trajectory([said(tool()), answers(answer(content=result, is_error=True))]).calls
        assert (made.status, made.result) == (status, result)


@pytest.mark.parametrize(("status", "content"), TEXTS)
def test_the_same_text_without_an_error_is_a_value(status, content):
    (made,) = to_trajectory([said(tool()), answers(answer(content=content))]).calls
    assert made.status == "succeeded"


DENIED = answers(answer(content="no", is_error=True))
BESIDE = {
    "denials at the end": [DENIED, {"type": "result", "session_id": "s", "permission_denials": [{"tool_use_id": "1"}]}],
    "a kind beside the result": [
        {**DENIED, "tool_result_meta": [{"id": "1", "non_execution_kind": "permission-rule"}]},
    ],
    "denials of the Agent SDK": [
        DENIED,
        SimpleNamespace(subtype="success", session_id="s", permission_denials=[{"tool_use_id": "1"}]),
    ],
}


@pytest.mark.parametrize("records", BESIDE.values(), ids=BESIDE)
def test_a_refusal_that_stands_beside_its_result_is_read(records):
    assert facts(to_trajectory([said(tool()), *records])) == [("a", "denied", "function")]


ELSEWHERE = {
    "a denial without an id": {"type": "result", "session_id": "s", "permission_denials": [{"tool_name": "a"}]},
    "a denial of another call": {"type": "result", "session_id": "s", "permission_denials": [{"tool_use_id": "2"}]},
    "a call that was not executed for another reason": {
        **asked("x"),
        "tool_result_meta": [{"id": "1", "non_execution_kind": "hook"}],
    },
}


@pytest.mark.parametrize("record", ELSEWHERE.values(), ids=ELSEWHERE)
def test_another_refusal_changes_nothing(record):
    assert facts(to_trajectory([said(tool()), DENIED, record])) == [("a", "failed", "function")]


NO_CALL = "Output does not match required schema: /x: must be integer"
GIVEN = "Structured output provided successfully"


def test_all_calls_that_return_the_output_of_a_run_are_output():
    out = "StructuredOutput"
    history = [
        *[said(tool(out)), answers(answer(content=NO_CALL, is_error=True))],
        *[said(tool(out, "2")), answers(answer("2", GIVEN)), said(tool(out, "3"))],
    ]
    run = to_trajectory(history)
    assert facts(run) == [(out, "retried", "output"), (out, "succeeded", "output"), (out, "pending", "output")]
    assert match(run, []).passed


def test_another_tool_with_that_text_is_a_function():
    assert facts(to_trajectory([said(tool()), answers(answer(content=GIVEN))])) == [A]


TASK, TOLD = said(tool("Task", "t")), answers(answer("t"))
SUBS = {
    "sidechains": [{**record, "isSidechain": True} for record in (asked("Look"), said(tool()), answers(answer()))],
    "messages of a stream": [
        asked("Look", parent_tool_use_id="t"),
        said(tool(), parent_tool_use_id="t"),
        answers(answer(), parent_tool_use_id="t"),
    ],
    "progress": [
        {"type": "progress", "uuid": "p1", "data": {"type": "agent_progress", "message": asked("Look")}},
        {"type": "progress", "uuid": "p2", "data": {"message": {"message": said(tool())["message"]}}},
        {"type": "progress", "uuid": "p3", "data": {"type": "agent_progress", "message": answers(answer())}},
    ],
}
TASKED = ("Task", "succeeded", "function")


@pytest.mark.parametrize("inner", SUBS.values(), ids=SUBS)
def test_the_messages_of_sub_agents_are_left_out_and_noted(inner):
    run = to_trajectory([HI, TASK, *inner, TOLD, BYE])
    assert (facts(run), roles(run), run.notes) == ([TASKED], ["user", "assistant", "tool", "assistant"], (LEFT_OUT,))


@pytest.mark.parametrize("inner", SUBS.values(), ids=SUBS)
def test_nested_reads_the_messages_of_sub_agents_where_they_stand(inner):
    run = named([HI, TASK, *inner, TOLD, BYE], nested=True)
    assert (facts(run), run.notes) == ([TASKED, A], ())
    assert roles(run) == ["user", "assistant", "user*", "assistant", "tool", "tool", "assistant"]
    assert len(run.turns) == 1


@pytest.mark.parametrize("nested", [True, False])
def test_a_file_of_a_sub_agent_is_read_as_it_is(nested):
    run = named(SUBS["sidechains"], nested=nested)
    assert (facts(run), roles(run), run.notes) == ([A], ["user", "assistant", "tool"], ())


@pytest.mark.parametrize("nested", [None, 1, "yes"])
def test_nested_is_a_bool(nested):
    with pytest.raises(OptionError, match="nested must be True or False, got") as caught:
        named([HI], nested=nested)
    assert caught.value.option == "nested"


WRITTEN = {
    "isMeta": asked("Caveat", isMeta=True),
    "a summary": asked("So far", isCompactSummary=True),
    "isSynthetic": asked("Go on", isSynthetic=True),
    "only in the transcript": asked("x", isVisibleInTranscriptOnly=True),
    "an origin": asked("x", origin={"kind": "task-notification"}),
    "an interruption": answers(text("[Request interrupted by user]")),
    "the output of a command": asked("<local-command-stdout>1</local-command-stdout>"),
    "several texts": answers(text("<system-reminder>x"), text("<system-reminder>y")),
}
SPOKEN = {
    "no flag": asked("Go on", isMeta=False),
    "a person": asked("x", origin={"kind": "human"}),
    "a command": asked("<command-name>/model</command-name>"),
    "a text beside": answers(text("<system-reminder>x"), text("And b")),
    "an image": answers({"type": "image", "source": {}}),
}


@pytest.mark.parametrize("record", WRITTEN.values(), ids=WRITTEN)
def test_what_the_program_says_in_the_users_place_starts_no_turn(record):
    run = to_trajectory([HI, record, BYE])
    assert (roles(run), len(run.turns)) == (["user", "user*", "assistant"], 1)


@pytest.mark.parametrize("record", SPOKEN.values(), ids=SPOKEN)
def test_what_the_user_says_starts_a_turn(record):
    assert roles(to_trajectory([HI, record, BYE])) == ["user", "user", "assistant"]


def test_what_the_program_says_in_the_models_place_is_no_response():
    run = to_trajectory([HI, said(tool()), answers(answer()), said(text("API Error: 529"), model="<synthetic>")])
    assert (facts(run), roles(run), run.notes) == ([A], ["user", "assistant", "tool"], (SYNTHETIC,))
    assert check_limits(run, max_model_requests=1)


def test_a_call_in_the_models_place_is_not_lost():
    assert facts(to_trajectory([HI, said(tool(), model="<synthetic>")])) == [("a", None, "function")]


def test_going_back_is_noted():
    fork = [asked("Hi", uuid="u1"), asked("Do a", uuid="u2", parentUuid="u1"), said(tool())]
    assert to_trajectory([*fork, asked("Do b", uuid="u3", parentUuid="u1")]).notes == (BACK,)
    assert to_trajectory([*fork, asked("Do b", uuid="u3", parentUuid="u2")]).notes == ()


def test_results_of_one_batch_have_one_parent_and_are_no_going_back():
    batch = [said(tool(), tool("b", "2")), answers(answer(), parentUuid="u"), answers(answer("2"), parentUuid="u")]
    assert to_trajectory(batch).notes == ()


SILENT = {
    "a system record": {"type": "system", "subtype": "compact_boundary", "content": "Compacted", "uuid": "x"},
    "a summary": {"type": "summary", "summary": "Title", "leafUuid": "x"},
    "a snapshot": {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
    "a queue": {"type": "queue-operation", "operation": "enqueue", "content": "Hi", "sessionId": "s"},
    "a new kind": {"type": "hologram", "sessionId": "s", "name": "a", "arguments": 1},
    "a stream event": {"type": "stream_event", "event": {"content_block": tool()}, "session_id": "s"},
    "progress without a message": {"type": "progress", "data": {"type": "agent_progress"}},
    "an end": {"type": "result", "subtype": "success", "session_id": "s", "permission_denials": []},
    "a system message of the Agent SDK": SimpleNamespace(subtype="init", data={"type": "system"}),
    "a stream event of the Agent SDK": SimpleNamespace(uuid="x", session_id="s", event={}, parent_tool_use_id=None),
    "an end of the Agent SDK": SimpleNamespace(subtype="success", session_id="s", permission_denials=None),
    "a new conversation": SimpleNamespace(uuid="x", session_id="s", new_conversation_id="c"),
}


@pytest.mark.parametrize("record", SILENT.values(), ids=SILENT)
def test_records_without_a_message_are_passed_over(record):
    assert classify(record) == "could_be"
    run = to_trajectory([record, HI, said(tool()), record])
    assert (facts(run), roles(run), run.notes) == ([("a", None, "function")], ["user", "assistant"], ())


@pytest.mark.parametrize("record", SILENT.values(), ids=SILENT)
def test_records_without_any_message_are_no_empty_run(record):
    with pytest.raises(ConversionError, match="message 0: no record holds a message"):
        to_trajectory([record, record])


(RECORDED,) = sorted((Path(__file__).parents[1] / "recordings" / "claude_agent_sdk").glob("*.json"))
RUNS = json.loads(RECORDED.read_text())


def rebuilt(value, make):
    """A recorded value, in which `make` gives the objects of their fields."""
    if isinstance(value, dict) and value.keys() == {"class", "fields"}:
        return make({name: rebuilt(inner, make) for name, inner in value["fields"].items()})
    return [rebuilt(inner, make) for inner in value] if isinstance(value, list) else value


FORMS = {
    "the stream": lambda run: run["stream"],
    "objects": lambda run: rebuilt(run["objects"], lambda fields: SimpleNamespace(**fields)),
    "objects as dicts": lambda run: rebuilt(run["objects"], dict),
}
READ = ("Read", "succeeded", "function")
OUTPUT = "StructuredOutput"
TOLD_RUNS = {
    "one response in several records": (
        [READ, ("Read", "failed", "function")],
        ["assistant", "tool", "tool", "assistant"],
        (),
    ),
    "refused": ([("Bash", "denied", "function")], ["user", "assistant", "tool"], ()),
    "a sub-agent": ([TASKED], ["user", "assistant", "tool", "assistant"], (LEFT_OUT,)),
    "executed by the provider": ([("advisor", "succeeded", "native")], ["user", "assistant"], ()),
    "structured output": (
        [(OUTPUT, "retried", "output"), (OUTPUT, "succeeded", "output")],
        ["user", "assistant", "tool", "assistant", "tool"],
        (),
    ),
    "beside messages": ([], ["user*", "assistant"], ()),
}


def test_all_recorded_runs_are_told():
    assert TOLD_RUNS.keys() == RUNS.keys()


@pytest.mark.parametrize("options", [{}, {"format": "claude_code"}], ids=["recognised", "named"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("name", RUNS)
def test_a_run_of_the_agent_sdk_is_read_the_same_in_each_form(name, form, options):
    run = to_trajectory(form(RUNS[name]), **options)
    assert (facts(run), roles(run), run.notes) == TOLD_RUNS[name]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_sub_agents_of_the_agent_sdk_are_read_in_each_form(form):
    run = named(form(RUNS["a sub-agent"]), nested=True)
    assert facts(run) == [TASKED, ("Glob", "succeeded", "function")]


def test_other_blocks_of_the_agent_sdk_are_kept():
    blocks = [SimpleNamespace(thinking="Hm"), SimpleNamespace(text="So"), SimpleNamespace(hologram=1), text("typed")]
    (message,) = to_trajectory([sdk(content=blocks, model="claude")]).messages
    assert message.content[:2] == [{"type": "thinking", "thinking": "Hm"}, text("So")]
    assert message.content[2:] == blocks[2:]


WRONG = {
    "no record": ([HI, {"a": 1}], "message 1: neither a record of a session nor a message"),
    "a message of the API": ([HI, {"role": "user", "content": "Hi"}], "message 1: neither a record"),
    "text": ([HI, "Hi"], "message 1: neither a record"),
    "a list of records among records": ([HI, {"loglines": [HI]}], "message 1: neither a record"),
    "a call without a name": ([HI, said({"type": "tool_use", "input": {}})], "message 1: a call without the name"),
    "an unknown block": ([HI, said(tool(kind="magic"))], "message 1: a part of the unknown type 'magic'"),
    "a block as content": ([HI, asked(tool())], "message 1: a content that is neither text nor a list"),
    "a block as content, of the Agent SDK": (
        [HI, sdk(content=SimpleNamespace(name="a", input={}))],
        "message 1: a content that is neither text nor a list",
    ),
    "calls beside the content": (
        [HI, {"type": "user", "message": {"content": "", "calls": [{"name": "a", "input": {}}]}}],
        "message 1: calls under the key .*calls'",
    ),
    "calls in an unknown record": (
        [HI, {"type": "hologram", "sessionId": "s", "message": {"content": [tool()]}}],
        "message 1: calls in a record of an unknown type",
    ),
    "calls beside an unknown record": (
        [HI, {"type": "hologram", "sessionId": "s", "content": [tool()]}],
        "message 1: calls in a record of an unknown type",
    ),
    "calls inside an unknown record": (
        [HI, {"type": "hologram", "sessionId": "s", "data": {"message": {"content": [tool()]}}}],
        "message 1: calls in a record of an unknown type",
    ),
}


@pytest.mark.parametrize(("history", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_is_an_error_that_says_where(history, message):
    with pytest.raises(ConversionError, match=message) as caught:
        named(history)
    assert caught.value.index == 1


CLASSES = {
    "a prompt": (HI, "certain"),
    "a response": (said(tool()), "certain"),
    "a session of the web": ({"loglines": [HI]}, "certain"),
    "a prompt of the Agent SDK": (sdk(content="Hi"), "certain"),
    "a response of the Agent SDK": (sdk(content=[], model="claude"), "certain"),
    "a message that the Agent SDK reads from a file": (
        SimpleNamespace(type="user", message={"content": "Hi"}, uuid="u"),
        "certain",
    ),
    "a message of the API": ({"role": "user", "content": "Hi"}, "no"),
    "a message of LangChain": ({"type": "human", "content": "Hi"}, "no"),
    "a message of a session of Strands": ({"message": {"role": "user", "content": []}, "message_id": 0}, "no"),
    "a choice of OpenAI": ({"message": {"role": "assistant", "content": "Hi"}, "index": 0}, "no"),
    "an item of Responses": ({"type": "message", "role": "user", "content": "Hi"}, "no"),
    "an event of another program": ({"type": "thread.started", "thread_id": "t"}, "no"),
    "an event of another program with an id": ({"type": "call", "event": "tool", "uuid": "u"}, "no"),
    "a text as message": ({"type": "user", "message": "Hi"}, "no"),
    "null": (None, "no"),
}


@pytest.mark.parametrize(("item", "answer"), CLASSES.values(), ids=CLASSES)
def test_items_are_classified(item, answer):
    assert classify(item) == answer


def test_arguments_and_results_are_shared_and_not_copied():
    block, result = tool(x=1), answer(content=[text("ok")])
    made = to_trajectory([said(block), answers(result)]).calls[0]
    assert made.arguments is block["input"] and made.result is result["content"]


def test_a_wrong_option_is_refused_before_anything_is_read():
    with pytest.raises(OptionError):
        read([None], nested=1)


HISTORIES = [case[0] for case in CALLS.values() if isinstance(case[0], list)]
HISTORIES += [[TASK, *inner, TOLD] for inner in SUBS.values()] + [run["stream"] for run in RUNS.values()]

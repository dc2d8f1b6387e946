import copy
import json
from pathlib import Path
from types import SimpleNamespace as Object

import httpx
import pytest
from google import genai
from google.genai import types
from hypothesis import given
from hypothesis import strategies as st

from tests.odd_histories import mutated, outcome
from trajmatch import ConversionError, Message, ToolCall, match, to_trajectory
from trajmatch.reading import build
from trajmatch_adapters.histories.gemini import classify, read

UNMARKED = "only an error in a result says that a function failed; any other result counts as succeeded"
BY_ORDER = "results are joined to calls by their order, since ids are missing"
ASKED = "what ADK asks its user for, an approval say, is no call of the model"
FLAT = "an eval case does not say which calls were made in parallel"
CUT = "a response was cut off while it was streamed"
ORPHAN = "a result has no call"


def part(name, args=None, **more):
    return {"functionCall": {"name": name, "args": args, **more}}


def result(name, response, **more):
    return {"functionResponse": {"name": name, "response": response, **more}}


def model(*parts):
    return {"role": "model", "parts": [{"text": part} if isinstance(part, str) else part for part in parts]}


def user(*parts):
    return {**model(*parts), "role": "user"}


def snake(value):
    """The Python spelling of what the wire writes."""
    if isinstance(value, list):
        return [snake(item) for item in value]
    if not isinstance(value, dict):
        return value
    words = {"functionCall": "function_call", "functionResponse": "function_response"}
    return {words.get(key, key): inner if key in ("args", "response") else snake(inner) for key, inner in value.items()}


def sdk(history):
    return [types.Content.model_validate(content) for content in history]


def facts(run):
    return [(made.name, made.arguments, made.id, made.status, made.result) for made in run.calls]


def shape(run):
    """Each message: its role, what it says, and the names of its calls."""
    return [(message.role, message.content, [made.name for made in message.tool_calls]) for message in run.messages]


ASK = user("Book a room.")
CONTENTS = {
    "one": ([ASK, model(part("a", {"x": 1}))], [("a", {"x": 1}, None, None, None)], set()),
    "no arguments": ([model(part("a"))], [("a", {}, None, None, None)], set()),
    "nested arguments": (
        [model(part("a", {"x": {"y": [1, None]}}))],
        [("a", {"x": {"y": [1, None]}}, None, None, None)],
        set(),
    ),
    "a result by id": (
        [model(part("a", {}, id="1"), part("a", {}, id="2")), user(result("a", {"output": 2}, id="2"))],
        [("a", {}, "1", "pending", None), ("a", {}, "2", "succeeded", {"output": 2})],
        {UNMARKED},
    ),
    "one id twice": (
        [
            model(part("a", {}, id="1"), part("b", {}, id="1")),
            user(result("a", {"output": 1}, id="1"), result("b", {"output": 2}, id="1")),
        ],
        [("a", {}, "1", "succeeded", {"output": 1}), ("b", {}, "1", "succeeded", {"output": 2})],
        {UNMARKED},
    ),
    "results by name": (
        [model(part("a"), part("b")), user(result("b", {"output": 2}), result("a", {"output": 1}))],
        [("a", {}, None, "succeeded", {"output": 1}), ("b", {}, None, "succeeded", {"output": 2})],
        {UNMARKED, BY_ORDER},
    ),
    "an error": (
        [model(part("a")), user(result("a", {"error": "no"}))],
        [("a", {}, None, "failed", {"error": "no"})],
        {BY_ORDER},
    ),
    "no error": (
        [model(part("a")), user(result("a", {"error": None, "x": 1}))],
        [("a", {}, None, "succeeded", {"error": None, "x": 1})],
        {BY_ORDER, UNMARKED},
    ),
    "an error of MCP": (
        [model(part("a")), user(result("a", {"content": [], "isError": True}))],
        [("a", {}, None, "failed", {"content": [], "isError": True})],
        {BY_ORDER},
    ),
    "no response": (
        [model(part("a")), user(result("a", None))],
        [("a", {}, None, "succeeded", None)],
        {BY_ORDER, UNMARKED},
    ),
    "a response with parts": (
        [model(part("a")), user(result("a", {"x": 1}, parts=[{"inlineData": {"data": "eA=="}}]))],
        [("a", {}, None, "succeeded", [{"x": 1}, {"inlineData": {"data": "eA=="}}])],
        {BY_ORDER, UNMARKED},
    ),
    "parts alone": (
        [model(part("a")), user(result("a", {}, parts=[{"inlineData": {"data": "eA=="}}]))],
        [("a", {}, None, "succeeded", [{"inlineData": {"data": "eA=="}}])],
        {BY_ORDER, UNMARKED},
    ),
    "the older role of results": (
        [model(part("a")), {"role": "function", "parts": [result("a", {})]}],
        [("a", {}, None, "succeeded", {})],
        {BY_ORDER, UNMARKED},
    ),
    "a result without its call": ([model("Hi"), user(result("a", {}))], [], {ORPHAN, UNMARKED}),
    "a part without a list": ([{"role": "model", "parts": part("a")}], [("a", {}, None, None, None)], set()),
    "no role": ([{"parts": [{"text": "Hi"}]}, {"parts": [part("a")]}], [("a", {}, None, None, None)], set()),
}


@pytest.mark.parametrize(("history", "calls", "notes"), CONTENTS.values(), ids=CONTENTS)
@pytest.mark.parametrize("form", [copy.deepcopy, snake], ids=["wire", "python"])
def test_contents_are_read(form, history, calls, notes):
    run = to_trajectory(form(history))
    assert (facts(run), set(run.notes)) == (calls, notes)
    assert run == build(read(history))


@pytest.mark.parametrize("name", [name for name in CONTENTS if "list" not in name and "parts" not in name])
def test_objects_of_the_sdk_are_read_alike(name):
    history, calls, notes = CONTENTS[name]
    run = to_trajectory(sdk(history))
    assert (facts(run), set(run.notes)) == (calls, notes)


PNG = {"inlineData": {"data": "eA==", "mimeType": "image/png"}}
MESSAGES = {
    "roles": ([user("Hi"), model("Ho")], [("user", "Hi", []), ("assistant", "Ho", [])]),
    "a system content": (
        [{"role": "system", "parts": [{"text": "S"}]}, model("x")],
        [("system", "S", []), ("assistant", "x", [])],
    ),
    "empty text": ([user("")], [("user", "", [])]),
    "no parts": ([ASK, {"role": "model", "parts": []}], [("user", "Book a room.", []), ("assistant", None, [])]),
    "parts that are null": (
        [ASK, {"role": "model", "parts": None}],
        [("user", "Book a room.", []), ("assistant", None, [])],
    ),
    "a part that is text": ([{"role": "user", "parts": ["Hi"]}], [("user", "Hi", [])]),
    "texts are one": ([model("a", "b")], [("assistant", "ab", [])]),
    "thoughts are not said": ([model({"text": "Hm", "thought": True}, "Ho")], [("assistant", "Ho", [])]),
    "a signature alone": ([model({"thoughtSignature": "x"}, part("a"))], [("assistant", None, ["a"])]),
    "text beside calls": ([model("Wait", part("a"), part("b"))], [("assistant", "Wait", ["a", "b"])]),
    "an image": ([user("Look", PNG)], [("user", [{"type": "text", "text": "Look"}, PNG], [])]),
    "one response in pieces": (
        [ASK, model("Wa"), model("it", part("a")), user(result("a", {})), model("Do"), model("ne")],
        [("user", "Book a room.", []), ("assistant", "Wait", ["a"]), ("tool", {}, []), ("assistant", "Done", [])],
    ),
    "text beside results is a turn": (
        [model(part("a")), user(result("a", {}), "And now?")],
        [("assistant", None, ["a"]), ("tool", {}, []), ("user", "And now?", [])],
    ),
    "an image beside results is theirs": (
        [model(part("a")), user(result("a", {}), PNG)],
        [("assistant", None, ["a"]), ("tool", {}, []), ("user", [PNG], [])],
    ),
}


@pytest.mark.parametrize(("history", "messages"), MESSAGES.values(), ids=MESSAGES)
def test_messages_are_read(history, messages):
    assert shape(to_trajectory(history)) == messages


def test_what_is_added_beside_results_starts_no_turn():
    run = to_trajectory([ASK, model(part("a")), user(result("a", {}), PNG)])
    assert (run.messages[-1].feedback, len(run.turns)) == (True, 1)
    run = to_trajectory([ASK, model(part("a")), user(result("a", {}), PNG, "More?")])
    assert (run.messages[-1].feedback, len(run.turns)) == (False, 2)


def native(name, arguments, status, result=None, id=None):
    return ToolCall(name, arguments, status=status, kind="native", result=result, id=id)


CODE = {"executableCode": {"language": "PYTHON", "code": "1+1"}}
NATIVE = {
    "code": (
        [model(CODE, {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "2"}}, "Two")],
        [native("code_execution", {"language": "PYTHON", "code": "1+1"}, "succeeded", "2")],
    ),
    "code that failed": (
        [model(CODE, {"codeExecutionResult": {"outcome": "OUTCOME_FAILED", "output": "no"}})],
        [native("code_execution", {"language": "PYTHON", "code": "1+1"}, "failed", "no")],
    ),
    "code without a result": ([model(CODE)], [native("code_execution", {"language": "PYTHON", "code": "1+1"}, None)]),
    "a tool of the servers": (
        [
            model(
                {"toolCall": {"id": "1", "toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["x"]}}},
                {"toolResponse": {"id": "1", "toolType": "GOOGLE_SEARCH_WEB", "response": {"y": 1}}},
            )
        ],
        [native("google_search_web", {"queries": ["x"]}, "succeeded", {"y": 1}, "1")],
    ),
}


@pytest.mark.parametrize(("history", "calls"), NATIVE.values(), ids=NATIVE)
@pytest.mark.parametrize("form", [copy.deepcopy, sdk], ids=["wire", "sdk"])
def test_what_google_executes_is_native(form, history, calls):
    run = to_trajectory(form(history))
    assert [*run.calls] == calls
    assert [made.result for made in run.calls] == [made.result for made in calls]
    assert [message.role for message in run.messages] == ["assistant"]


def response(*parts, reason="STOP", **more):
    return {"candidates": [{"content": model(*parts), "finishReason": reason, **more}]}


GROUNDED = {"groundingMetadata": {"webSearchQueries": ["x", "y"]}}
READ = {"urlContextMetadata": {"urlMetadata": [{"retrievedUrl": "https://example.com"}]}}
RESPONSES = {
    "a response": ([ASK, response(part("a"))], [("user", "Book a room.", []), ("assistant", None, ["a"])]),
    "responses": ([response(part("a")), response("Done")], [("assistant", None, ["a"]), ("assistant", "Done", [])]),
    "chunks": (
        [response("Wa", reason=None), response("it", reason=None), response(part("a")), {"usageMetadata": {}}],
        [("assistant", "Wait", ["a"])],
    ),
    "the chunks of two responses": (
        [response("A", reason=None), response(part("a")), response("B", reason=None), response("b")],
        [("assistant", "A", ["a"]), ("assistant", "Bb", [])],
    ),
    "nothing but a reason": (
        [ASK, {"candidates": [{"finishReason": "SAFETY"}]}],
        [("user", "Book a room.", []), ("assistant", None, [])],
    ),
    "nothing but a reason, in a stream": (
        [response("A", reason=None), {"candidates": [{"finishReason": "STOP"}]}],
        [("assistant", "A", [])],
    ),
    "a refused prompt": ([ASK, {"promptFeedback": {"blockReason": "SAFETY"}}], [("user", "Book a room.", [])]),
    "search": ([response("Sunny", **GROUNDED)], [("assistant", "Sunny", ["google_search"])]),
    "search, told in each chunk": (
        [response("Sun", reason=None, **GROUNDED), response("ny", **GROUNDED)],
        [("assistant", "Sunny", ["google_search"])],
    ),
    "search and URLs": (
        [response("Sunny", **GROUNDED, **READ)],
        [("assistant", "Sunny", ["google_search", "url_context"])],
    ),
    "search that a part tells, too": (
        [response({"toolCall": {"toolType": "GOOGLE_SEARCH_WEB", "args": {}}}, **GROUNDED)],
        [("assistant", None, ["google_search_web"])],
    ),
    "a request": (
        {"systemInstruction": {"parts": [{"text": "S"}]}, "contents": [ASK], "tools": []},
        [("system", "S", []), ("user", "Book a room.", [])],
    ),
    "a request, and its response": (
        [{"contents": [ASK]}, response(part("a"))],
        [("user", "Book a room.", []), ("assistant", None, ["a"])],
    ),
    "a request in words": (
        {"model": "gemini", "contents": "Hi", "system_instruction": "S"},
        [("system", "S", []), ("user", "Hi", [])],
    ),
    "a recording": (
        [
            {
                "method": "generateContentStream",
                "response": [response("A", reason=None), response(part("a"), reason=None)],
            },
            {"method": "generateContent", "response": response("B")},
        ],
        [("assistant", "A", ["a"]), ("assistant", "B", [])],
    ),
}


@pytest.mark.parametrize(("history", "messages"), RESPONSES.values(), ids=RESPONSES)
def test_responses_and_requests_are_read(history, messages):
    assert shape(to_trajectory(history)) == messages
    assert shape(to_trajectory(history, format="gemini")) == messages


def test_a_search_is_native_and_has_succeeded():
    (made,) = to_trajectory(response("Sunny", **GROUNDED)).calls
    assert made == native("google_search", {"queries": ["x", "y"]}, "succeeded")


NOTED = {
    "two candidates": (
        {"candidates": [*response("A")["candidates"], *response("B")["candidates"]]},
        "the first candidate of a response is read, the others are not",
    ),
    "a malformed call": (
        {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]},
        "a response ended with MALFORMED_FUNCTION_CALL: its call was not kept",
    ),
    "a recording": (
        [{"method": "generateContent", "response": response("B")}],
        "a recording holds what the model answered, and no results",
    ),
    "an unknown part": (
        [model({"hologram": {"data": "x"}}, "A")],
        "a part of the unknown kind 'hologram' is passed over",
    ),
}


@pytest.mark.parametrize(("history", "note"), NOTED.values(), ids=NOTED)
def test_what_is_not_read_is_noted(history, note):
    assert to_trajectory(history).notes == (note,)


def called_by_sdk(history, *parts):
    given = response(*parts)
    return types.GenerateContentResponse.model_validate({**given, "automatic_function_calling_history": history})


LOOP = [ASK, model(part("a")), user(result("a", {"result": 1}))]
LOOPED = [
    ("user", "Book a room.", []),
    ("assistant", None, ["a"]),
    ("tool", {"result": 1}, []),
    ("assistant", "Done", []),
]


def test_calls_that_the_sdk_makes_itself_are_read_from_the_last_response():
    assert shape(to_trajectory(called_by_sdk(LOOP, "Done"))) == LOOPED


def search(q: str) -> str:
    """A function that the SDK calls."""
    return q.upper()


def fail() -> str:
    """A function that fails."""
    raise ValueError("no")


@pytest.fixture
def client():
    """A client of the SDK whose model calls both functions, and then speaks."""
    answers = [model(part("search", {"q": "lamp"}), part("fail", {})), model("Done")]

    def respond(request):
        return httpx.Response(200, json={"candidates": [{"content": answers.pop(0), "finishReason": "STOP"}]})

    options = types.HttpOptions(client_args={"transport": httpx.MockTransport(respond)})
    with genai.Client(api_key="unused", http_options=options) as client:
        yield client


CALLING = types.GenerateContentConfig(tools=[search, fail])
AFC = [("assistant", ["search", "fail"]), ("tool", []), ("tool", []), ("assistant", [])]


def test_functions_that_a_response_of_the_sdk_was_called_with(client):
    run = to_trajectory(client.models.generate_content(model="m", contents="Hi", config=CALLING))
    assert [(role, made) for role, _, made in shape(run)] == [("user", []), *AFC]
    assert [made.status for made in run.calls] == ["succeeded", "failed"]


def test_functions_that_a_chat_of_the_sdk_called(client):
    chat = client.chats.create(model="m", config=CALLING)
    chat.send_message("Hi")
    for run in (to_trajectory(chat), to_trajectory(chat.get_history())):
        assert [(role, made) for role, _, made in shape(run)] == [("user", []), *AFC]
        assert [made.status for made in run.calls] == ["succeeded", "failed"]


def test_what_was_sent_before_is_read_once():
    assert shape(to_trajectory([*sdk([ASK]), called_by_sdk(LOOP, "Done")])) == LOOPED


def test_what_was_streamed_before_is_read_once():
    streamed = types.GenerateContentResponse.model_validate(response(part("a")))
    assert shape(to_trajectory([streamed, called_by_sdk(LOOP, "Done")])) == LOOPED


def test_a_chat_in_which_each_response_repeats_the_history():
    again = [*LOOP, model("Done"), user("Another?"), model(part("b")), user(result("b", {}))]
    run = to_trajectory(
        [*sdk([ASK]), called_by_sdk(LOOP, "Done"), *sdk([user("Another?")]), called_by_sdk(again, "Bye")]
    )
    assert [made.name for made in run.calls] == ["a", "b"]
    assert [message.content for message in run.messages if message.role == "user"] == ["Book a room.", "Another?"]


def test_a_history_that_lacks_what_came_before_is_added():
    run = to_trajectory([*sdk([user("Hello")]), called_by_sdk(LOOP, "Done")])
    assert shape(run) == [("user", "Hello", []), *LOOPED]


def event(author, *parts, role="model", **more):
    return {
        "author": author,
        "invocation_id": "i",
        "content": {"role": role, "parts": [*model(*parts)["parts"]]},
        **more,
    }


def answered(*parts):
    return event("agent", *parts, role="user")


CONFIRM = part("adk_request_confirmation", {"originalFunctionCall": {"name": "pay"}}, id="c")
CONFIRMED = result("adk_request_confirmation", {"confirmed": True}, id="c")
WAITS = {"error": "This tool call requires confirmation, please approve or reject."}
ASKS = [
    event("user", "Pay.", role="user"),
    event("agent", part("pay", {}, id="1")),
    event("agent", CONFIRM),
    answered(result("pay", WAITS, id="1")),
]


def session(events):
    return {"app_name": "shop", "events": events}


ADK = {
    "a run": (
        [
            event("user", "Hi", role="user"),
            event("agent", part("a", {}, id="1")),
            answered(result("a", {"x": 1}, id="1")),
            event("agent", "Done"),
        ],
        [("user", "Hi", []), ("assistant", None, ["a"]), ("tool", {"x": 1}, []), ("assistant", "Done", [])],
        ["succeeded"],
    ),
    "the author says who spoke": ([event("agent", "Hi", role=None)], [("assistant", "Hi", [])], []),
    "each event is a response": (
        [event("a", "A"), event("b", "B")],
        [("assistant", "A", []), ("assistant", "B", [])],
        [],
    ),
    "partial events are repeated": (
        [
            event("agent", "Wa", partial=True),
            event("agent", part("a"), partial=True),
            event("agent", "Wait", part("a")),
        ],
        [("assistant", "Wait", ["a"])],
        [None],
    ),
    "events without content": (
        [
            {"author": "user", "actions": {"stateDelta": {}}},
            event("agent", "A"),
            {"author": "agent", "invocationId": "i", "errorCode": "x"},
        ],
        [("assistant", "A", [])],
        [],
    ),
    "of several results the last": (
        [
            event("agent", part("a", {}, id="1")),
            answered(result("a", {"status": "pending"}, id="1")),
            event("agent", "Wait"),
            event("user", result("a", {"x": 1}, id="1"), role="user"),
        ],
        [("assistant", None, ["a"]), ("assistant", "Wait", []), ("tool", {"x": 1}, [])],
        ["succeeded"],
    ),
    "an id used again": (
        [event("agent", part("a", {}, id="1")), answered(result("a", {"x": 1}, id="1"))] * 2,
        [("assistant", None, ["a"]), ("tool", {"x": 1}, [])] * 2,
        ["succeeded", "succeeded"],
    ),
    "nobody has approved it yet": (
        ASKS,
        [("user", "Pay.", []), ("assistant", None, ["pay"]), ("tool", WAITS, [])],
        ["pending"],
    ),
    "approved": (
        [*ASKS, event("user", CONFIRMED, role="user"), answered(result("pay", {"x": 1}, id="1"))],
        [("user", "Pay.", []), ("assistant", None, ["pay"]), ("tool", {"x": 1}, [])],
        ["succeeded"],
    ),
    "refused": (
        [
            *ASKS,
            event("user", CONFIRMED, role="user"),
            answered(result("pay", {"error": "This tool call is rejected."}, id="1")),
        ],
        [("user", "Pay.", []), ("assistant", None, ["pay"]), ("tool", {"error": "This tool call is rejected."}, [])],
        ["denied"],
    ),
    "code that ADK executes": (
        [
            event("agent", CODE),
            event("agent", {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "2"}}),
            event("agent", "Two"),
        ],
        [("assistant", None, ["code_execution"]), ("assistant", "Two", [])],
        ["succeeded"],
    ),
    "search": (
        [event("agent", "Sunny", grounding_metadata={"web_search_queries": ["x"]})],
        [("assistant", "Sunny", ["google_search"])],
        ["succeeded"],
    ),
    "no events": ([], [], []),
}


@pytest.mark.parametrize(("events", "messages", "statuses"), ADK.values(), ids=ADK)
@pytest.mark.parametrize(
    "form", [list, lambda events: {"app_name": "shop", "events": events}], ids=["events", "session"]
)
def test_runs_of_adk_are_read(form, events, messages, statuses):
    run = to_trajectory(form(copy.deepcopy(events)))
    assert shape(run) == messages
    assert [made.status for made in run.calls] == statuses


def test_objects_of_adk_are_read_alike():
    events, messages, _ = ADK["a run"]
    live = [Object(**{**one, "content": types.Content.model_validate(one["content"])}, actions=None) for one in events]
    assert shape(to_trajectory(live)) == messages
    assert shape(to_trajectory(Object(app_name="shop", events=live))) == messages


RETURNS = [event("agent", part("set_model_response", {"x": 1})), answered(result("set_model_response", {"x": 1}))]


def test_text_that_repeats_structured_output_is_no_response():
    assert shape(to_trajectory([*RETURNS, event("agent", '{"x": 1}')])) == shape(to_trajectory(RETURNS))


def test_what_follows_structured_output_that_was_rejected_is_a_response():
    rejected = answered(result("set_model_response", {"error": "no"}))
    run = to_trajectory([RETURNS[0], rejected, event("agent", "Sorry.")])
    assert shape(run)[-1] == ("assistant", "Sorry.", [])


def test_what_follows_structured_output_and_calls_is_a_response():
    run = to_trajectory([*RETURNS, event("agent", part("a")), event("user", "Thanks", role="user")])
    assert shape(run)[-2:] == [("assistant", None, ["a"]), ("user", "Thanks", [])]


RECORDED = {
    "calls in parallel, one fails": [("search", {"q": "lamp"}, "succeeded"), ("fail", {"q": "table"}, "failed")],
    "an argument is missing": [("search", {}, "failed")],
    "nobody has approved it yet": [("pay", {"amount": 3}, "pending")],
    "approved": [("pay", {"amount": 3}, "succeeded")],
    "refused": [("pay", {"amount": 3}, "denied")],
    "a long tool": [("later", {"job": "x"}, "succeeded")],
    "structured output": [("search", {"q": "lamp"}, "succeeded"), ("set_model_response", {"price": 40}, "succeeded")],
    "another agent": [
        ("transfer_to_agent", {"agent_name": "helper"}, "succeeded"),
        ("search", {"q": "lamp"}, "succeeded"),
    ],
    "a stream": [("search", {"q": "lamp"}, "succeeded")],
}
REQUESTS = {"nobody has approved it yet": 1, "a long tool": 3, "another agent": 3}
"""How often the model was asked, where it was not twice."""
RECORDINGS = sorted((Path(__file__).parents[1] / "recordings" / "adk").glob("*.json"))


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.stem)
@pytest.mark.parametrize("name", RECORDED)
def test_what_adk_keeps_is_read(recording, name):
    run = to_trajectory(json.loads(recording.read_text())[name])
    assert [(made.name, made.arguments, made.status) for made in run.calls] == RECORDED[name]
    asked = sum(message.role == "assistant" for message in run.messages)
    assert asked == REQUESTS.get(name, 2)


def test_structured_output_is_no_function_call():
    run = to_trajectory([event("agent", part("set_model_response", {"x": 1}))])
    assert [made.kind for made in run.calls] == ["output"]
    assert to_trajectory([model(part("set_model_response"))]).calls[0].kind == "function"


NOTES = {
    "requests to the user": ([*ASKS], ASKED),
    "a stream that breaks off": ([event("agent", "Wa", partial=True), event("agent", part("a"), partial=True)], CUT),
    "a session that was rewound": (
        [event("agent", "A", actions={"rewindBeforeInvocationId": "i"})],
        "the session was rewound; what was taken back is still read",
    ),
    "a malformed call": (
        [{"author": "agent", "actions": {}, "errorCode": "MALFORMED_FUNCTION_CALL"}],
        "a response ended with MALFORMED_FUNCTION_CALL: its call was not kept",
    ),
}


@pytest.mark.parametrize(("events", "note"), NOTES.values(), ids=NOTES)
def test_what_a_run_of_adk_cannot_say_is_noted(events, note):
    assert to_trajectory(events).notes == (note,)


def test_what_a_stream_that_breaks_off_has_said_is_read():
    events, _ = NOTES["a stream that breaks off"]
    assert shape(to_trajectory(events)) == [("assistant", "Wa", ["a"])]
    assert shape(to_trajectory([*events, ASK])) == [("assistant", "Wa", ["a"]), ("user", "Book a room.", [])]


def turn(*uses, said="Hi", final="Done", **data):
    data = {"tool_uses": [{"name": name, "args": {}, "id": None} for name in uses], **data}
    return {"user_content": user(said), "final_response": model(final), "intermediate_data": data}


HI, DONE = ("user", "Hi", []), ("assistant", "Done", [])
CASES = {
    "a turn": (turn("a"), [HI, ("assistant", None, ["a"]), DONE], set()),
    "turns": ([turn("a"), turn()], [HI, ("assistant", None, ["a"]), DONE, HI, DONE], set()),
    "a case": ({"eval_id": "1", "conversation": [turn("a", "b")]}, [HI, ("assistant", None, ["a", "b"]), DONE], {FLAT}),
    "a set of one": ({"evalCases": [{"evalId": "1", "conversation": [turn()]}]}, [HI, DONE], set()),
    "no calls": ({"user_content": user("Hi"), "final_response": model("Done")}, [HI, DONE], set()),
    "no final response": ({"user_content": user("Hi"), "invocation_id": "i", "final_response": None}, [HI], set()),
    "results": (
        turn("a", tool_responses=[{"name": "a", "response": {"x": 1}, "id": None}]),
        [HI, ("assistant", None, ["a"]), ("tool", {"x": 1}, []), DONE],
        {BY_ORDER, UNMARKED},
    ),
    "what others said": (
        turn("a", intermediate_responses=[["helper", [{"text": "Wait"}]], ["helper", []]]),
        [HI, ("assistant", None, ["a"]), ("assistant", "Wait", []), ("assistant", None, []), DONE],
        set(),
    ),
    "a call in two places": (
        {
            "user_content": user("Hi"),
            "final_response": model({"functionCall": {"name": "a", "args": {}}}),
            "intermediate_data": {"tool_uses": [{"name": "a", "args": {}}]},
        },
        [HI, ("assistant", None, ["a"])],
        set(),
    ),
    "events": (
        {
            "user_content": user("Hi"),
            "final_response": model("Done"),
            "intermediate_data": {"invocation_events": [event("x", part("a")), event("x", "Done")]},
        },
        [HI, ("assistant", None, ["a"]), DONE],
        set(),
    ),
    "events without the final one": (
        {
            "user_content": user("Hi"),
            "final_response": model("Done"),
            "intermediate_data": {"invocation_events": [event("x", part("a"))]},
        },
        [HI, ("assistant", None, ["a"]), DONE],
        set(),
    ),
    "legacy": (
        [{"query": "Hi", "expected_tool_use": [{"tool_name": "a", "tool_input": {}}], "reference": "Done"}],
        [HI, ("assistant", None, ["a"]), DONE],
        set(),
    ),
    "legacy, without a reference": ([{"query": "Hi", "expected_tool_use": []}], [HI], set()),
    "legacy, with results": (
        [
            {
                "query": "Hi",
                "expected_tool_use": [
                    {"tool_name": "a", "tool_input": {}, "mock_tool_output": "x"},
                    {"tool_name": "b", "tool_input": {}},
                ],
                "reference": "Done",
            }
        ],
        [HI, ("assistant", None, ["a", "b"]), ("tool", "x", []), DONE],
        {FLAT, BY_ORDER, UNMARKED},
    ),
    "legacy, what others said": (
        [
            {
                "query": "Hi",
                "expected_tool_use": [],
                "expected_intermediate_agent_responses": [{"author": "x", "text": "Wait"}],
                "reference": "Done",
            }
        ],
        [HI, ("assistant", "Wait", []), DONE],
        set(),
    ),
    "a legacy set": (
        [{"name": "s", "data": [{"query": "Hi", "expected_tool_use": [], "reference": "Done"}], "initial_state": {}}],
        [HI, DONE],
        set(),
    ),
}


@pytest.mark.parametrize(("case", "messages", "notes"), CASES.values(), ids=CASES)
def test_eval_cases_are_read(case, messages, notes):
    run = to_trajectory(case)
    assert (shape(run), set(run.notes)) == (messages, notes)


def test_an_eval_case_is_an_expectation():
    case = {"eval_id": "1", "conversation": [turn("a")]}
    assert match(
        [event("user", "Hi", role="user"), event("agent", part("a")), event("agent", "Done")], case, mode="strict"
    )
    assert not match([event("agent", part("b"))], case)


REFUSED = {
    "a call without a name": ([ASK, model({"functionCall": {"args": {}}})], "message 1: a call without the name"),
    "a tool of the servers without a name": ([model({"toolCall": {"args": {}}})], "message 0: a call without the name"),
    "an unknown part that calls": (
        [ASK, model({"mcpCall": {"name": "a", "args": {}}})],
        "message 1: a part of the unknown kind 'mcpCall'",
    ),
    "a part that is a call": ([model({"name": "a", "args": {}})], "message 0: a part of an unknown kind with a name"),
    "several cases": ({"eval_cases": [{"conversation": [turn()]}] * 2}, "several eval cases"),
    "a list of cases": ([{"conversation": [turn()]}] * 2, "message 1: a whole run behind something else"),
    "a session behind a content": (
        [ASK, {"app_name": "x", "events": []}],
        "message 1: a whole run behind something else",
    ),
    "what was expected beside what was done": (
        [{"query": "Hi", "expected_tool_use": [], "actual_tool_use": []}],
        "keep one of the two",
    ),
    "an intermediate response that is no pair": (turn(intermediate_responses=["x"]), "no pair of author and parts"),
    "a legacy call without a name": (
        [{"query": "Hi", "expected_tool_use": [{"tool_input": {}}]}],
        "without the name of its tool",
    ),
}


@pytest.mark.parametrize(("history", "text"), REFUSED.values(), ids=REFUSED)
def test_what_would_be_lost_is_refused(history, text):
    with pytest.raises(ConversionError, match=text):
        to_trajectory(history)


def test_what_is_in_no_form_is_refused():
    with pytest.raises(ConversionError, match="message 1: neither a content, a response, nor an event"):
        to_trajectory([ASK, {"role": "user", "content": "Hi"}], format="gemini")


NO = {
    "OpenAI": {"role": "user", "content": "Hi"},
    "Pydantic AI": {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "Hi"}]},
    "the AI SDK": {"role": "user", "parts": [{"type": "text", "text": "Hi"}]},
    "OpenTelemetry": {"role": "assistant", "parts": [{"type": "tool_call", "name": "a", "arguments": {}}]},
    "A2A": {"role": "user", "parts": [{"kind": "text", "text": "Hi"}]},
    "another role": {"role": "critic", "parts": [{"text": "Hi"}]},
    "unknown parts without a role": {"parts": [{"x": 1}]},
    "a role alone": {"role": "user"},
    "a model that says nothing, and has more": {"role": "model", "text": "x"},
    "what one response said, without its author": {"content": ASK, "usage_metadata": {}},
    "a model that says text": {"role": "model", "parts": "Hi"},
    "events of another kind": {"events": [{"type": "message"}]},
    "no events": {"events": []},
    "an author of text": {"author": "ann", "content": "Hi"},
    "an author alone": {"author": "ann"},
    "a row of a data set": {"query": "Hi", "reference": "Ho"},
    "a conversation of another kind": {"conversation": [{"role": "user"}]},
    "candidates for an office": {"candidates": [{"content": "Ann"}]},
    "a method": {"method": "GET", "response": [{"a": 1}]},
    "contents of another kind": {"role": "assistant", "contents": [{"$type": "text"}]},
    "text": "Hi",
    "nothing": None,
}


@pytest.mark.parametrize("item", NO.values(), ids=NO)
def test_what_is_of_others_is_left_to_them(item):
    assert classify(item) == "no"


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (ASK, "certain"),
        ({"role": "user", "parts": []}, "could_be"),
        ({"role": "user", "parts": [{"hologram": 1}]}, "could_be"),
        ({"role": "model", "parts": [{"hologram": 1}]}, "certain"),
        ({"role": "model"}, "could_be"),
        ({"app_name": "x", "events": []}, "certain"),
        (types.GenerateContentResponse(), "could_be"),
        ({"usageMetadata": {}}, "could_be"),
        ({"candidates": []}, "could_be"),
        (types.Content(role="user", parts=[types.Part()]), "could_be"),
    ],
    ids=str,
)
def test_how_sure_the_adapter_is(item, said):
    assert classify(item) == said


TABLES = [
    *[history for history, *_ in [*CONTENTS.values(), *MESSAGES.values(), *NATIVE.values(), *RESPONSES.values()]],
    *[events for events, *_ in ADK.values()],
    *[case for case, *_ in CASES.values()],
]
STORED = [json.dumps(table) for table in TABLES]
KEYS = [
    "name",
    "parts",
    "role",
    "functionCall",
    "functionResponse",
    "text",
    "id",
    "candidates",
    "author",
    "events",
    "x",
]


@given(stored=st.sampled_from(STORED), options=st.sampled_from([{}, {"format": "gemini"}]), data=st.data())
def test_a_mutated_history_is_read_or_refused(stored, options, data):
    assert outcome(mutated(data, json.loads(stored), KEYS), **options) in ("read", "refused")


def test_messages_of_the_common_model():
    run = to_trajectory([model(part("a", {"x": 1})), user(result("a", {"y": 1}))])
    assert [*run.messages] == [
        Message("assistant", None, [ToolCall("a", {"x": 1}, status="succeeded")]),
        Message("tool", {"y": 1}, answers=0),
    ]

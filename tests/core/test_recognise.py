import sys
from textwrap import dedent
from types import SimpleNamespace

import pytest
from openai.types.chat.chat_completion_chunk import ChoiceDelta

import trajmatch._recognise as recognise
import trajmatch._registered as _registered
from trajmatch import ConversionError, Message, OptionError, ToolCall, Trajectory, call, match, to_trajectory

USER = {"role": "user", "content": "Hi"}
CALL = {"id": "1", "type": "function", "function": {"name": "a", "arguments": '{"x": 1}'}}
SAYS = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RUN = Trajectory([Message("user", "Hi"), Message("assistant", None, [call("a", x=1)])])

HISTORIES = {
    "a list": [USER, SAYS],
    "a tuple": (USER, SAYS),
    "an iterator": iter([USER, SAYS]),
    "a generator": (message for message in [USER, SAYS]),
    "messages": {"messages": [USER, SAYS]},
    "output": {"output": [USER, SAYS]},
    "an object": SimpleNamespace(messages=[USER, SAYS]),
}


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
def test_a_history_is_read_from_its_container(history):
    assert to_trajectory(history) == RUN


OTHER = {"role": "assistant", "content": None, "tool_calls": [{**CALL, "id": "2"}]}
NO_ID = {"role": "assistant", "content": None, "tool_calls": [{"function": CALL["function"]}]}
BESIDE = {
    "a response": {"messages": [USER], "response": SAYS},
    "messages": {"messages": [USER], "output": [SAYS]},
    "choices": {"model": "m", "messages": [USER], "choices": [{"index": 0, "message": SAYS}]},
    "calls": {"messages": [USER], "tool_calls": [CALL]},
    "another call": {"messages": [USER, SAYS], "last": OTHER},
    "a call without an id": {"messages": [USER], "last": NO_ID},
    "a list of runs": {"messages": [USER], "runs": [[USER, SAYS], [USER]]},
    "runs by their names": {"messages": [USER], "runs": {"one": {"messages": [SAYS]}}},
    "steps of ATIF": {
        "messages": [USER],
        "steps": [{"source": "agent", "tool_calls": [{"function_name": "a", "arguments": {}}]}],
    },
    "a chat of Cohere": {
        "messages": [USER],
        "chat_history": [{"role": "CHATBOT", "tool_calls": [{"name": "a", "parameters": {}}]}],
    },
    "a response with items": {
        "messages": [USER],
        "answer": {"output": [{"type": "function_call", "call_id": "1", "name": "a", "arguments": "{}"}]},
    },
    "objects": {"messages": [USER], "trace": [SimpleNamespace(role="assistant", tool_calls=[CALL])]},
    "a call of a server": {
        "messages": [USER],
        "output": [{"type": "mcp_call", "id": "m", "name": "a", "arguments": "{}"}],
    },
    "a block": {"messages": [USER], "output": {"type": "tool_use", "id": "1", "name": "a", "input": {}}},
    "an event": {"messages": [USER], "events": [{"type": "agent.tool_use", "id": "1", "name": "a", "input": {}}]},
    "steps of an executor": {
        "messages": [USER],
        "intermediate_steps": [[{"tool": "a", "tool_input": "x", "log": "y"}, "seen"]],
    },
    "live steps": {"messages": [USER], "intermediate_steps": [(SimpleNamespace(tool="a", tool_input={}), "seen")]},
    "what no format reads": {"messages": [USER], "log": [{"role": "assistant", "moves": [{"name": "a", "args": {}}]}]},
}


@pytest.mark.parametrize("history", BESIDE.values(), ids=BESIDE)
def test_calls_beside_messages_are_not_lost(history):
    for read in (to_trajectory, lambda h: to_trajectory(h, format="openai"), lambda h: match([], h)):
        with pytest.raises(ConversionError, match=r"beside 'messages' there are calls under .*'a' say"):
            read(history)


ALONE = {
    "the same message": {"messages": [USER, SAYS], "last": SAYS},
    "the same messages": {"messages": [USER, SAYS], "llm_input_messages": [USER, SAYS]},
    "the same call without an id": {"messages": [USER, NO_ID], "last": NO_ID},
    "objects with a name": {"messages": [USER, SAYS], "files": [{"name": "a.txt"}], "todos": [{"task": "b"}]},
    "values": {"messages": [USER, SAYS], "steps": 3, "answer": "Hi", "nothing": None, "data": {"x": [1]}, "empty": []},
    "another user": {"messages": [USER, SAYS], "asked": USER},
    "what is expected": {
        "messages": [USER, SAYS],
        "expected": [{"name": "b", "arguments": {}}],
        "actions": {"b": [CALL]},
    },
    "what is expected, by its type": {
        "messages": [USER, SAYS],
        "expected_calls": [{"name": "b", "args": {}, "id": "1", "type": "tool_call"}],
    },
    "metadata": {"messages": [USER, SAYS], "metadata": {"eval": {"name": "b", "args": {"k": 1}}}},
    "definitions": {"messages": [USER, SAYS], "tools": [{"function": {"name": "b", "parameters": {}}}]},
    "results": {"messages": [USER, SAYS], "tool": {"role": "tool", "content": [SAYS]}},
    "an object": {"messages": [USER, SAYS], "agent": SimpleNamespace(tools=[CALL])},
}


@pytest.mark.parametrize("history", ALONE.values(), ids=ALONE)
def test_what_else_stands_beside_messages_is_left_alone(history):
    assert [call.name for call in to_trajectory(history).calls] == ["a"]


def test_a_format_may_be_named():
    assert to_trajectory([USER, SAYS], format="openai") == RUN


def test_a_trajectory_is_given_back():
    assert to_trajectory(RUN) is RUN


CALL_LISTS = {
    "ToolCalls": [ToolCall("a", {"x": 1})],
    "calls": [call("a", x=1)],
    "dicts": [{"name": "a", "arguments": {"x": 1}}],
    "calls of LangChain": [{"name": "a", "args": {"x": 1}, "id": "1", "type": "tool_call"}],
    "calls of OpenAI": [CALL],
    "an iterator": iter([call("a", x=1)]),
    "wrapped": {"output": [call("a", x=1)]},
}


@pytest.mark.parametrize("history", CALL_LISTS.values(), ids=CALL_LISTS)
def test_a_list_of_calls_is_read(history):
    assert to_trajectory(history) == Trajectory(calls=[call("a", x=1)])


@pytest.mark.parametrize("history", [[], (), {"messages": []}, iter(())], ids=lambda history: type(history).__name__)
def test_an_empty_history_is_a_run_without_messages(history):
    assert to_trajectory(history) == Trajectory([])


class Unknown:
    def __init__(self):
        self.steps = []


UNREADABLE = {
    "None": (None, "got None", None, ()),
    "messages are None": ({"messages": None}, "got None", None, ()),
    "text": ("search", "a history is a list of messages, got str 'search'", None, ()),
    "one message": (USER, r"write \[message\]", None, ("role", "content")),
    "names": (["search", "book"], "message 0 is the text 'search'; names of tools are an expectation", 0, ()),
    "a name beside a call": ([call("a"), "book"], "message 1 is the text 'book'", 1, ()),
    "a name beside messages": ([USER, "book"], "message 1 is the text 'book'", 1, ()),
    "another object": (
        Unknown(),
        r"message 0: no format reads it \(tried the \d+ built-in ones\); saw Unknown",
        0,
        ("steps",),
    ),
    "a number": (3, "message 0: no format reads it", 0, ()),
    "an empty dict": ({}, "message 0: no format reads it", 0, ()),
    "another dict": ({"answer": 3}, "message 0: no format reads it", 0, ("answer",)),
    "a response": (
        {"choices": [{"message": SAYS}]},
        r"message 0: no format reads it .*; the message of a response is response.choices\[0\].message; saw dict",
        0,
        ("choices",),
    ),
    "calls under another key": (
        [{"role": "assistant", "moves": [{"name": "a", "input": {}}], "parts": 3}],
        "message 0: no format reads it .*; it holds calls under the key 'moves'; saw dict",
        0,
        ("role", "moves", "parts"),
    ),
    "a response among messages": (
        [USER, {"choices": [{"message": SAYS}]}],
        r"message 1: .*choices\[0\].message",
        1,
        (),
    ),
    "an unknown message": (
        [USER, SAYS, {"who": "me"}],
        r"message 2: .* saw dict with keys \['who'\]",
        2,
        ("who",),
    ),
    "null among messages": ([USER, None], "message 1: no format reads it .* saw NoneType with None", 1, ()),
    "a call among messages": (
        [USER, call("a")],
        "message 1: no format reads it .* saw ToolCall",
        1,
        (),
    ),
    "a call with a typo": (
        [{"name": "a", "argumnets": {}}],
        "message 0: no format reads it",
        0,
        ("name", "argumnets"),
    ),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_is_an_error_that_says_where(name):
    history, text, index, keys = UNREADABLE[name]
    with pytest.raises(ConversionError, match=text) as caught:
        to_trajectory(history)
    assert caught.value.index == index
    assert set(keys) <= set(caught.value.keys)


def test_the_formats_that_were_tried_are_an_attribute():
    with pytest.raises(ConversionError) as caught:
        to_trajectory([{"who": "me"}])
    assert "openai" in caught.value.formats


OPTIONS = {
    "an unknown format": (
        {"format": "opnai"},
        "format 'opnai' is not known; did you mean 'openai'.*there are ",
        "format",
    ),
    "a format far from all": ({"format": "zzz"}, "format 'zzz' is not known; there are .*'openai'", "format"),
    "a format that is no text": ({"format": ["openai"]}, r"format \['openai'\] is not known", "format"),
    "an empty format": ({"format": ""}, "format '' is not known", "format"),
    "an unknown option": (
        {"format": "openai", "strict": True},
        "has no option 'strict'; it has none",
        "strict",
    ),
    "an option without a format": (
        {"strict": True},
        "'strict' is an option of one format; name it: format=",
        "strict",
    ),
}


@pytest.mark.parametrize(("options", "text", "option"), OPTIONS.values(), ids=OPTIONS)
def test_a_wrong_option_is_an_error(options, text, option):
    with pytest.raises(OptionError, match=text) as caught:
        to_trajectory([USER], **options)
    assert caught.value.option == option


DIARY = """
from trajmatch.reading import Answered, Called, Said

asked = []

def classify(message):
    asked.append(message)
    return {answer!r} if isinstance(message, dict) and "who" in message else "no"

def read(history, *, prefix=""):
    for message in history:
        yield Said(message["who"], message.get("said"))
        if "did" in message:
            yield Called({name}, {{}})
"""
MINE = {"who": "user", "said": "Hi"}
DID = {"who": "assistant", "did": "a"}


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install packages that register adapters, as modules and entry points on the path."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def packages(**sources):
        for name, source in sources.items():
            (tmp_path / f"{name}_package.py").write_text(source)
            info = tmp_path / f"{name}_package-1.0.dist-info"
            info.mkdir()
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-package\nVersion: 1.0\n")
            (info / "entry_points.txt").write_text(f"[trajmatch.adapters]\n{name} = {name}_package\n")
        _registered.entries.cache_clear()
        _registered.load.cache_clear()
        return packages

    yield packages
    _registered.entries.cache_clear()
    _registered.load.cache_clear()
    for name in [name for name in sys.modules if name.endswith("_package")]:
        del sys.modules[name]


def diary(answer="certain", name='prefix + message["did"]'):
    return dedent(DIARY).format(answer=answer, name=name)


def test_an_adapter_of_another_package_is_found(install):
    install(diary=diary())
    assert to_trajectory([MINE, DID]) == Trajectory([Message("user", "Hi"), Message("assistant", None, [call("a")])])


def test_an_adapter_of_another_package_may_be_named_and_has_its_options(install):
    install(diary=diary())
    assert to_trajectory([DID], format="diary", prefix="x-").calls == (call("x-a"),)


def test_an_option_with_a_typo_gets_the_nearest_word(install):
    install(diary=diary())
    with pytest.raises(OptionError, match=r"has no option 'prefx'; did you mean 'prefix'.; it has 'prefix'"):
        to_trajectory([DID], format="diary", prefx="x-")


def test_other_packages_are_asked_only_after_all_built_in_adapters_refuse(install):
    install(other=diary())
    assert to_trajectory([USER, SAYS]) == RUN
    assert "other_package" not in sys.modules
    to_trajectory([DID])
    assert "other_package" in sys.modules


def test_what_other_packages_refuse_too_is_an_error_that_names_them(install):
    install(diary=diary())
    with pytest.raises(ConversionError, match=r"message 1: no format reads it .*diary") as caught:
        to_trajectory([MINE, {"what": 1}])
    assert {"openai", "diary"} <= set(caught.value.formats)


def test_the_adapter_that_is_certain_most_often_reads(install):
    install(diary=diary(), other=diary("could_be", '"other"'))
    assert to_trajectory([DID]).calls == (call("a"),)


@pytest.mark.parametrize("answer", ["certain", "could_be"])
def test_two_adapters_that_read_the_same_agree(install, answer):
    install(diary=diary(answer), other=diary(answer))
    assert to_trajectory([DID]).calls == (call("a"),)


@pytest.mark.parametrize("answer", ["certain", "could_be"])
def test_two_adapters_that_read_differently_are_an_error_that_names_both(install, answer):
    install(diary=diary(answer), other=diary(answer, '"other"'))
    with pytest.raises(
        ConversionError, match=r"'diary' and 'other' read this history differently; .*format='diary'"
    ) as caught:
        to_trajectory([DID])
    assert caught.value.formats == ("diary", "other")
    assert to_trajectory([DID], format="other").calls == (call("other"),)


def test_a_registered_format_with_a_typo_gets_the_nearest_word(install):
    install(diary=diary())
    with pytest.raises(OptionError, match=r"format 'diry' is not known; did you mean 'diary'.; there are .*'diary'"):
        to_trajectory([DID], format="diry")


@pytest.mark.parametrize("name", ["None", "message['nothing']", "[][0]"])
def test_an_error_in_an_adapter_of_another_package_names_it(install, name):
    install(diary=diary(name=name))
    for options in ({}, {"format": "diary"}):
        with pytest.raises(ConversionError, match=r"^format 'diary': "):
            to_trajectory([DID], **options)


def test_an_option_that_an_adapter_refuses_stays_an_error_of_the_option(install):
    source = diary().replace(
        "    for message",
        "    from trajmatch import OptionError\n    raise OptionError('no', option='x')\n    for message",
    )
    install(diary=source)
    with pytest.raises(OptionError, match=r"^no$"):
        to_trajectory([DID], format="diary")


BROKEN = {
    "raises": ("raise RuntimeError('imported')", "cannot be loaded: RuntimeError: imported"),
    "ends the process": ("raise SystemExit(3)", "cannot be loaded: SystemExit: 3"),
    "is not there": ("import nosuch_module", "cannot be loaded: ModuleNotFoundError: No module named 'nosuch_module'"),
    "has no classify": ("def read(history): ...", "has no function 'classify'"),
    "has no read": ("def classify(message): ...", "has no function 'read'"),
}


@pytest.mark.parametrize(("source", "text"), BROKEN.values(), ids=BROKEN)
def test_an_adapter_that_is_none_is_named(install, source, text):
    install(broken=source)
    named = f"the adapter 'broken' of another package, under the entry point trajmatch.adapters, {text}"
    for options in ({}, {"format": "broken"}):
        with pytest.raises(ConversionError, match=named):
            to_trajectory([DID], **options)


@pytest.mark.parametrize(("source", "text"), BROKEN.values(), ids=BROKEN)
def test_a_broken_package_breaks_no_sound_one(install, source, text):
    install(broken=source, diary=diary())
    for options in ({}, {"format": "diary"}):
        assert to_trajectory([DID], **options).calls == (call("a"),)
    with pytest.raises(OptionError, match=r"did you mean 'diary'.*'broken', 'diary'"):
        to_trajectory([DID], format="diry")


def test_only_the_adapter_that_is_named_is_loaded(install):
    install(diary=diary(), other=diary())
    to_trajectory([DID], format="diary")
    assert "other_package" not in sys.modules


def test_an_adapter_with_the_name_of_a_built_in_one_is_told_from_it(install):
    install(openai=diary(name="None"))
    with pytest.raises(ConversionError, match=r"^format 'openai \(openai_package\)': "):
        to_trajectory([DID])


@pytest.mark.parametrize("answer", [True, None, "yes"])
def test_an_answer_that_is_no_word_claims_nothing(install, answer):
    install(diary=diary(answer))
    with pytest.raises(ConversionError, match="message 0"):
        to_trajectory([DID])


class Raising:
    @property
    def messages(self):
        raise KeyError("lost")


class RaisingDict(dict):
    def get(self, *args):
        raise KeyError("lost")


class RaisingList(list):
    def __iter__(self):
        raise KeyError("lost")


@pytest.mark.parametrize("history", [Raising(), RaisingDict(messages=[USER]), RaisingList([USER])])
@pytest.mark.parametrize("options", [{}, {"format": "openai"}])
def test_whatever_a_history_raises_is_an_error_of_this_library(history, options):
    with pytest.raises(ConversionError, match=r"this history cannot be read: KeyError: 'lost'"):
        to_trajectory(history, **options)


CONTENT = {"role": "model", "parts": [{"functionCall": {"name": "b", "args": {}}}]}
MIXED = {
    "two": (
        [USER, SAYS, CONTENT],
        r"message 2: no format reads it and what comes before: messages 0-1 by 'openai', message 2 by 'gemini'; ",
    ),
    "many": (
        [SAYS, CONTENT] * 4,
        r"message 1: .*: message 0 by 'openai', message 1 by 'gemini', .*, message 4 by 'openai', and so on; ",
    ),
}


@pytest.mark.parametrize(("history", "text"), MIXED.values(), ids=MIXED)
def test_a_history_of_several_formats_says_which_reads_what(history, text):
    with pytest.raises(ConversionError, match=text) as caught:
        to_trajectory(history)
    assert (caught.value.formats, caught.value.index) == (
        ("openai", "gemini"),
        len(history) - 1 if len(history) < 4 else 1,
    )


PIECE = ChoiceDelta.model_validate({"role": "assistant", "tool_calls": [{"index": 0, **CALL}]})
STREAMED = {
    "a delta of a call": PIECE,
    "a delta without a role": ChoiceDelta.model_validate({"content": "Hi"}),
    "a response": {"choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [CALL]}}]},
    "a choice": {"index": 0, "delta": {"role": "assistant", "tool_calls": [CALL]}, "finish_reason": None},
}


@pytest.mark.parametrize("chunk", STREAMED.values(), ids=STREAMED)
def test_a_delta_is_told_to_be_a_chunk(chunk):
    with pytest.raises(ConversionError, match=r"(chunk of|call in) a stream; put the chunks together first"):
        to_trajectory([USER, chunk])


def test_an_adapter_that_cannot_be_certain_of_the_most_is_asked_no_further(install):
    install(one=diary(), two=diary("could_be"))
    assert to_trajectory([MINE] * 50).messages == to_trajectory([MINE] * 50, format="one").messages
    assert len(sys.modules["two_package"].asked) < 20


def test_an_adapter_that_refuses_a_message_is_not_asked_about_all(install):
    install(one=diary())
    with pytest.raises(ConversionError, match="message 49"):
        to_trajectory([*[MINE] * 49, {"what": 1}, *[MINE] * 50])
    assert len(sys.modules["one_package"].asked) < 60


class Duck:
    def __init__(self, role, calls=()):
        self.role, self.content, self.tool_calls = role, "", list(calls)


def test_objects_of_one_class_are_asked_about_one_by_one():
    flat = SimpleNamespace(name="a", args={"x": 1})
    with pytest.raises(ConversionError, match="message 1"):
        to_trajectory([Duck("assistant"), Duck("assistant", [flat])])


def test_the_history_is_not_changed():
    before = repr(SAYS)
    to_trajectory([USER, SAYS]).to_json()
    assert repr(SAYS) == before


def test_a_chunk_of_a_stream_is_told_to_be_one():
    chunk = {"object": "chat.completion.chunk", "choices": [{"delta": {"role": "assistant"}}]}
    with pytest.raises(ConversionError, match="it is a chunk of a stream"):
        to_trajectory([chunk])


def test_a_call_beside_the_messages_with_the_id_of_another_is_not_lost():
    def made(name):
        return {"role": "assistant", "tool_calls": [{"id": "call_0", "function": {"name": name}}]}

    with pytest.raises(ConversionError, match="beside 'messages' there are calls under 'previous', 'b' say"):
        to_trajectory({"messages": [made("a")], "previous": {"messages": [made("b")]}})
    assert len(to_trajectory({"messages": [made("a")], "previous": {"messages": [made("a")]}}).calls) == 1


def test_a_plain_history_of_a_named_format_is_skimmed(monkeypatch):
    monkeypatch.setattr(recognise, "_read_as", None)
    assert to_trajectory([USER, SAYS], format="openai") == RUN


def test_an_empty_history_of_a_named_format_is_a_run_without_messages():
    assert to_trajectory([], format="openai") == Trajectory([])
    with pytest.raises(ConversionError, match="a trace without messages"):
        to_trajectory([], format="langsmith_runs")

"""Gemini: contents, responses and requests of its API, and the events, sessions and eval cases of Google's ADK.

What this format does differently:
- a content has a role and `parts` without a type: what a part is, the key says that it has. The keys are written
  `function_call` in Python and `functionCall` on the wire, also mixed in one history;
- ids are optional; without them results join by the name of their function, in order;
- arguments are objects. Nothing but an `error` in a result says that a function failed; MCP has a flag, `isError`;
- results stand in a content of the user. What stands beside them is a turn of the user where it holds text;
- what Google executes is `native`: code, tools of its servers (`tool_call`), and the search and the reading of URLs
  that are only told beside a content, by the queries and the URLs;
- a stream gives one response as several contents or chunks, which are put together;
- where the SDK calls functions itself, the calls stand in `automatic_function_calling_history` of the last response,
  or, with a chat, in its history alone.

And ADK:
- the author of an event says who spoke; partial events are repeated by a complete one, which counts;
- of several results of one call (a tool that runs long, or had to be approved) the last counts; a refused call is
  `denied`, one that nobody has approved yet `pending`;
- requests for an approval, a login or an input look like calls and are none;
- `set_model_response` returns structured output, which ADK then repeats as text: that is no response of the model;
- an eval case lists the calls of a turn flat, and only newer ones have results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trajmatch.reading import Event, Noted, Recognised, get, listed, messages_in, unreadable
from trajmatch_adapters.histories.gemini._adk import case, cases, events, turn
from trajmatch_adapters.histories.gemini._forms import WHOLE, Form, form_of, recognise
from trajmatch_adapters.histories.gemini._said import said
from trajmatch_adapters.histories.gemini._thread import Thread

__all__ = ["classify", "read"]


def classify(message: object) -> Recognised:
    """Say whether an item is a content or response of Gemini, or an event, a session or an eval case of ADK."""
    return recognise(message)


def read(history: object) -> Iterator[Event]:
    """Give the events of a run of Gemini or ADK.

    Args:
        history: Contents, responses (also the chunks of a stream), or events of ADK; one response, request, chat,
            session or eval case; the turns of an eval case, new or legacy; the recorded answers of the service.

    Raises:
        ConversionError: Several runs in one history, an item in none of these forms, a call without the name of its
            function, or a part of an unknown kind with a name and arguments.
    """
    thread = Thread()
    happened: list[tuple[int, object]] = []  # events that follow each other
    for index, item in enumerate(messages_in(history)):
        form = _form(index, item)
        if form == "event":
            happened.append((index, item))
        else:
            events(thread, happened)
            happened.clear()
            _READ[form](thread, index, item)
    events(thread, happened)
    yield from said(thread.entries)
    yield from map(Noted, thread.notes)


def _form(index: int, item: object) -> Form:
    form = form_of(item)
    if form is None:
        raise unreadable(index, item, "neither a content, a response, nor an event, a session or an eval case")
    if index and form in WHOLE:
        raise unreadable(index, item, "a whole run behind something else; hand over one run")
    return form


def _chat(thread: Thread, index: int, chat: object) -> None:
    history: object = get(chat, "get_history")()
    for content in listed(history):
        thread.content(index, content)


def _session(thread: Thread, index: int, session: object) -> None:
    events(thread, [(index, event) for event in listed(get(session, "events"))])


_READ: dict[Form, Callable[[Thread, int, object], None]] = {
    "case": case,
    "cases": cases,
    "chat": _chat,
    "content": Thread.content,
    "recorded": Thread.recorded,
    "request": Thread.request,
    "response": Thread.response,
    "session": _session,
    "turn": turn,
}

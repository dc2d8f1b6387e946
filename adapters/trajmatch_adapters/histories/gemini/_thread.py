"""What was said in a run, in order: one entry for each response of the model, and for what came back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from trajmatch.reading import Called, get, listed
from trajmatch_adapters.histories.gemini._fields import field
from trajmatch_adapters.histories.gemini._forms import responses_in
from trajmatch_adapters.histories.gemini._parts import parts_of

__all__ = ["Entry", "Thread", "searched"]

_LOST = ("MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS")


class Entry(NamedTuple):
    """What was said at one place; in an event of ADK, and the calls of Google's own tools beside it."""

    place: int
    role: str
    parts: Sequence[object]
    event: bool = False
    searched: Sequence[Called] = ()


class Thread:
    """The entries of a run, and what is to be noted.

    Contents of the model that follow each other are one response, which was streamed, unless the first of them says
    that it is finished.
    """

    __slots__ = ("_contents", "_open", "entries", "notes")

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.notes: list[str] = []
        self._contents: list[object] = []
        self._open = False

    def add(self, entry: Entry) -> None:
        """Add an entry of its own."""
        self.entries.append(entry)
        self._open = False

    def content(self, index: int, content: object) -> None:
        """Add a content."""
        entry = Entry(index, _role(content), parts_of(content) or ())
        self._contents.append(content)
        if self._open and entry.role == "assistant":
            self.entries[-1] = self.entries[-1]._replace(parts=[*self.entries[-1].parts, *entry.parts])
        else:
            self.add(entry)
        self._open = entry.role == "assistant"

    def request(self, index: int, request: object) -> None:
        """Add what a request sends."""
        system, contents = field(request, "system_instruction"), get(request, "contents")
        if system is not None:
            self.add(Entry(index, "system", [system] if isinstance(system, str) else parts_of(system) or ()))
        if isinstance(contents, str):
            self.add(Entry(index, "user", [contents]))
        for content in listed(contents):
            self.content(index, content)

    def response(self, index: int, response: object) -> None:
        """Add a response, or a chunk of one, and what the SDK did before it where it calls functions itself."""
        self._called_by_sdk(index, listed(field(response, "automatic_function_calling_history")))
        chosen, *others = [*listed(get(response, "candidates")), None]
        if others[:-1]:
            self.notes.append("the first candidate of a response is read, the others are not")
        content, reason = get(chosen, "content"), field(chosen, "finish_reason")
        if content is not None or (reason is not None and not self._open):
            self.content(index, {"role": "model"} if content is None else content)
        if chosen is not None and self.entries:
            last = self.entries[-1]
            self.entries[-1] = last._replace(searched=[*last.searched, *searched(chosen, last.searched)])
        self.lost(reason)
        self._open = self._open and reason is None

    def recorded(self, index: int, item: object) -> None:
        """Add what a recorder kept of one response."""
        for response in responses_in(item):
            self.response(index, response)
        self.notes.append("a recording holds what the model answered, and no results")
        self._open = False

    def lost(self, reason: object) -> None:
        """Note that a response ended with a call which was not kept."""
        if isinstance(reason, str):
            self.notes += [f"a response ended with {word}: its call was not kept" for word in _LOST if word == reason]

    def _called_by_sdk(self, index: int, history: Sequence[object]) -> None:
        """Add the contents that the SDK has sent and got; they begin with what may have been read already."""
        before, rest = self._contents, [*history]
        if rest[: len(before)] == before:
            rest = rest[len(before) :]
        elif _holds(rest, before):
            self.entries, self._contents, self._open = [], [], False
        else:
            rest = [content for content in rest if content not in before]
        for content in rest:
            self.content(index, content)


def _holds(contents: Iterable[object], others: Iterable[object]) -> bool:
    """Whether the others occur among the contents, in their order."""
    left = iter(contents)
    return all(other in left for other in others)


def _role(content: object) -> str:
    role = get(content, "role")
    if role is None:
        called = any(field(part, "function_call") is not None for part in parts_of(content) or ())
        return "assistant" if called else "user"
    return "assistant" if role == "model" else "user" if role in ("function", "tool") else str(role)


def searched(holder: object, known: Sequence[Called] = ()) -> list[Called]:
    """Give the calls of Google's own tools that a candidate or an event names beside its content."""
    grounding, context = field(holder, "grounding_metadata"), field(holder, "url_context_metadata")
    queries = [*listed(field(grounding, "web_search_queries"))]
    urls = [field(found, "retrieved_url") for found in listed(field(context, "url_metadata"))]
    calls = [
        *([Called("google_search", {"queries": queries}, None, "native")] if queries else []),
        *([Called("url_context", {"urls": urls}, None, "native")] if urls else []),
    ]
    return [call for call in calls if call not in known]

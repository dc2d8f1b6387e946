"""The messages of a run while they come in: chunks grow together, steps replace and remove by id."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from trajmatch_adapters.histories.langchain._forms import View
from trajmatch_adapters.histories.langchain._merge import merged

__all__ = ["Batch", "Thread"]

_ALL = "__remove_all__"
_OWN = "lc_"


class Batch(NamedTuple):
    """Messages that come in together.

    Attributes:
        views: The messages.
        space: The graph whose state they go to: empty for the outermost.
        lane: What keeps the chunks of responses apart that are streamed at the same time.
        update: They go into a state, where a message takes the place of one with its id.
        anew: They are the whole state from now on.
    """

    views: Sequence[View]
    space: str = ""
    lane: str = ""
    update: bool = False
    anew: bool = False


class _Entry:
    """A message of the thread: one view, or the chunks of a response that have come in so far."""

    __slots__ = ("growing", "ids", "space", "views")

    def __init__(self, view: View, batch: Batch) -> None:
        self.views = [view]
        self.space = batch.space
        self.growing = view.chunk and not batch.update
        self.ids = {view.id} if view.id else set[str]()

    def takes(self, id: str | None) -> bool:
        """Whether a chunk with a new id can be of this response.

        The chunks of one response have up to two: the provider's, and LangChain's where that gives none.
        """
        ended = self.views[-1].fields.get("chunk_position") == "last"
        return not ended and (not id or all(id.startswith(_OWN) != other.startswith(_OWN) for other in self.ids))

    def view(self) -> View:
        last = self.views[-1]
        return last if len(self.views) == 1 else last._replace(fields=merged(view.fields for view in self.views))


class Thread:
    """What a run consists of, after each batch."""

    def __init__(self) -> None:
        self.notes: dict[str, None] = {}
        self.removed: list[View] = []
        self._entries: list[_Entry] = []
        self._by_id: dict[str, _Entry] = {}
        self._last: dict[str, _Entry] = {}

    def views(self) -> Iterator[View]:
        """Give the messages as they now are."""
        return (entry.view() for entry in self._entries)

    def add(self, batch: Batch) -> None:
        """Take in a batch.

        A state repeats what is known; a new message in it stands before the known one that it precedes.
        """
        if batch.anew:
            self._keep(lambda entry: entry.space != batch.space)
        new: list[_Entry] = []
        for view in batch.views:
            known = self._by_id.get(view.id) if batch.update and view.id else None
            if view.role == "remove":
                self._entries += new
                new = []
                self._remove(view.id, batch.space)
            elif known:
                self._repeat(known, view, batch.space, new)
                new = []
            elif not (view.chunk and not batch.update and self._grow(view, batch.lane)):
                new.append(self._begin(view, batch))
        self._entries += new

    def _begin(self, view: View, batch: Batch) -> _Entry:
        entry = self._last[batch.lane] = _Entry(view, batch)
        if view.id:
            self._by_id[view.id] = entry
        return entry

    def _grow(self, view: View, lane: str) -> bool:
        """Whether the chunk goes on with a response that has begun."""
        entry = self._by_id.get(view.id) if view.id else None
        if entry is None or not entry.growing:
            entry = self._last.get(lane)
            if entry is None or not entry.growing or not entry.takes(view.id):
                return False
        entry.views.append(view)
        if view.id:
            entry.ids.add(view.id)
            self._by_id[view.id] = entry
        return True

    def _repeat(self, known: _Entry, view: View, space: str, new: list[_Entry]) -> None:
        if new:
            at = self._entries.index(known) if known in self._entries else len(self._entries)
            self._entries[at:at] = new
        known.views, known.space, known.growing = [view], space, False

    def _remove(self, id: str | None, space: str) -> None:
        if id == _ALL:
            self._keep(lambda entry: entry.space != space)
        elif id in self._by_id:
            self._keep(lambda entry: id not in entry.ids)
        else:
            self.notes["a message is removed that is not there"] = None

    def _keep(self, stays: Callable[[_Entry], bool]) -> None:
        self.removed += [entry.view() for entry in self._entries if not stays(entry)]
        self._entries = [entry for entry in self._entries if stays(entry)]
        self._by_id = {id: entry for entry in self._entries for id in entry.ids}
        self._last = {}

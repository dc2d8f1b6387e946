"""What is near to a history and none yet: it must be awaited, read or run first."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from io import IOBase
from os import PathLike
from typing import NamedTuple

from trajmatch.errors import ConversionError

__all__ = ["refuse_what_gives_messages"]


class _Refused(NamedTuple):
    """What is refused, how it is told, what it is called, and what to write."""

    told: Callable[[object], bool]
    what: str
    instead: str


def _is(*kinds: type) -> Callable[[object], bool]:
    return lambda history: isinstance(history, kinds)


def _can(method: str) -> Callable[[object], bool]:
    return lambda history: callable(getattr(history, method, None))


_REFUSED = (
    _Refused(_is(Awaitable), "something to await", "await it"),
    _Refused(_is(AsyncGenerator), "an asynchronous generator", "collect it: [item async for item in ...]"),
    _Refused(_is(PathLike, IOBase), "a file", "read and parse it: json.loads(path.read_text())"),
    _Refused(_can("invoke"), "an agent", "hand over what its `invoke` gave"),
    _Refused(_can("run_sync"), "an agent", "hand over what its `run_sync` gave"),
)


def refuse_what_gives_messages(history: object) -> None:
    """Refuse what must be awaited, read or run first.

    Raises:
        ConversionError: It is a coroutine, a path, an open file, an agent; the text says what to write.
    """
    kind = type(history)
    for told, what, instead in _REFUSED:
        if told(history):
            if isinstance(history, Coroutine):
                history.close()  # or else Python warns that nobody awaited it
            raise ConversionError(f"a history is a list of messages, got {what}, {kind.__name__}; {instead}")

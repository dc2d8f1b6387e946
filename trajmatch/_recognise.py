"""From any history to a trajectory: choosing the adapter that reads it."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol, cast

from trajmatch._access import first, key_of_calls
from trajmatch._calls import is_call, one_call_refused, read_calls
from trajmatch._claims import Adapter, best, refusals
from trajmatch._model import ToolCall
from trajmatch._nearest import choose, did_you_mean
from trajmatch._stored import is_stored
from trajmatch._trajectory import Trajectory
from trajmatch.errors import ConversionError, OptionError, TrajmatchError
from trajmatch.reading import (
    Event,
    Noted,
    Skimmed,
    Told,
    build,
    get,
    is_mapping,
    keys_of,
    listed,
    messages_in,
    unreadable,
)

__all__ = ["Adapter", "Writer", "alone", "skimmed", "to_trajectory", "writers"]

_BUILT_IN = "trajmatch_adapters.histories"
_SKIM = "_skim"
_ENTRY_POINTS = "trajmatch.adapters"
_Skim = Callable[[Sequence[object]], Skimmed | None]


class Writer(Protocol):
    """What an adapter offers that writes its format, too."""

    def write(self, events: Iterator[Told]) -> Sequence[dict[str, Any]]:
        """Give the messages that `read` gives these events of."""
        ...


def to_trajectory(history: object, *, format: str | None = None, **options: Any) -> Trajectory:
    """Read the history of a run, of any framework, into the common model.

    Args:
        history: Messages as a list, tuple or iterator, an object or dict that holds them under `messages`, a run
            result, or a list of calls. Live objects and stored JSON are read alike; nothing is changed. A trajectory
            is given back as it is.
        format: The name of an adapter. By default the adapter is chosen that can read every message and recognises
            the most of them.
        options: Options of the adapter that `format` names.

    Raises:
        ConversionError: `None`, text, a list of names, a message that no adapter can read, or a history that two
            adapters read differently.
        OptionError: An unknown format, or an option that its adapter does not have.

    >>> run = to_trajectory([
    ...     {"role": "user", "content": "Hi"},
    ...     {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "search", "arguments": "{}"}}]},
    ... ])
    >>> run.calls
    (ToolCall('search', {}, id='1'),)
    """
    if format is None and not options and (run := skimmed(history)):
        return run
    if options and format is None:
        raise OptionError(
            f"{next(iter(options))!r} is an option of one format; name it: format='...'",
            option=next(iter(options)),
        )
    adapter = None if format is None else _named(format, options)
    if isinstance(history, Trajectory):
        return history
    if is_stored(history):
        return Trajectory.from_json(history)
    items = messages_in(one_call_refused(history))
    if adapter is not None:
        return alone(history, _build(adapter, items, **options))
    if items and all(map(is_call, items)):
        return alone(history, Trajectory(calls=read_calls(items)))
    for index, item in enumerate(items):
        if isinstance(item, str):
            raise ConversionError(
                f"message {index} is the text {item!r:.60}; names of tools are an expectation, "
                "what an agent did is a list of messages or calls",
                index=index,
            )
    return alone(history, _read(items) if items else Trajectory(()))


def alone(history: object, run: Trajectory) -> Trajectory:
    """Give the run that was read under `messages`.

    Raises:
        ConversionError: Beside it stands a message, or a list of messages, with calls that it does not hold.
    """
    if not is_mapping(history) or "messages" not in history:
        return run
    held = {(call.id, call.name) for call in run.calls if call.id}
    for key, value in history.items():
        lost = [
            call
            for call in _calls_beside(key, value)
            if (call.id, call.name) not in held and (call.id or call not in run.calls)
        ]
        if lost:
            raise ConversionError(
                f"beside 'messages' there are calls under {key!r}, {lost[0].name!r} say, which would be lost; "
                f"hand over what is meant: history['messages'], or one list of all messages",
                keys=keys_of(history),
            )
    return run


def _calls_beside(key: object, value: object) -> Sequence[ToolCall]:
    """The calls of a message, of a list of messages, or of a response; of calls alone only where the key says so."""
    items = [get(item, "message", item) for item in listed(value)] or [value]
    if isinstance(value, (str, int, float, bytes, type(None))) or (key != "tool_calls" and any(map(is_call, items))):
        return ()
    try:
        return to_trajectory(items).calls
    except TrajmatchError:
        return ()


def skimmed(history: object) -> Trajectory | None:
    """Give the trajectory of a list of messages in which nothing is odd; anything else is left to `to_trajectory`."""
    if type(history) is not list or not history:
        return None
    for skim in _skims():
        try:
            found = skim(cast("list[object]", history))
            trajectory = found and found.trajectory()
        except Exception:  # something is odd
            continue
        if trajectory:
            return trajectory
    return None


def writers(format: str) -> dict[str, Writer]:
    """Give the adapters that write; those of other packages where no built-in one has this name."""
    adapters = _built_in() if format in [*_built_in()] else _built_in() | _registered()
    return {name: cast("Writer", adapter) for name, adapter in adapters.items() if hasattr(adapter, "write")}


def _named(format: str, options: Mapping[str, Any]) -> Adapter:
    known = _built_in()
    adapter = (known.get(format) or _registered().get(format)) if isinstance(cast("object", format), str) else None
    if adapter is None:
        raise OptionError(
            f"format {format!r} is not known{did_you_mean(format, known)}; there are {choose(known)}",
            option="format",
            value=format,
        )
    if not options:
        return adapter
    from inspect import signature  # takes long to import

    offered = [name for name, p in signature(adapter.read).parameters.items() if p.kind is p.KEYWORD_ONLY]
    for option in options:
        if option not in offered:
            raise OptionError(
                f"format {format!r} has no option {option!r}{did_you_mean(option, offered)}; "
                f"it has {choose(offered) or 'none'}",
                option=option,
                value=options[option],
            )
    return adapter


@lru_cache(maxsize=1)
def _built_in() -> dict[str, Adapter]:
    names = sorted(_modules(import_module(_BUILT_IN).__path__))
    return {name: cast("Adapter", import_module(f"{_BUILT_IN}.{name}")) for name in names}


@lru_cache(maxsize=1)
def _skims() -> tuple[_Skim, ...]:
    """The functions of the adapters that skim, each in a module `_skim`: no other adapter is imported for them."""
    folders = import_module(_BUILT_IN).__path__
    names = [module.name for module in pkgutil.iter_modules(folders) if module.ispkg]
    found = [name for name in names if _SKIM in _modules([f"{folder}/{name}" for folder in folders])]
    return tuple(import_module(f"{_BUILT_IN}.{name}.{_SKIM}").skim for name in sorted(found))


def _modules(folders: Iterable[str]) -> list[str]:
    return [module.name for module in pkgutil.iter_modules(folders)]


@lru_cache(maxsize=1)
def _registered() -> dict[str, Adapter]:
    """The adapters of other packages; the look-up costs some 40 ms."""
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=_ENTRY_POINTS), key=lambda entry: entry.name)
    return {entry.name: entry.load() for entry in found}


def _read(items: list[object]) -> Trajectory:
    for adapters in (_built_in, _registered):
        if found := best(items, adapters()):
            return _agreed(items, found)
    refusing = refusals(items, {**_built_in(), **_registered()})
    index = max(refusing.values())
    tried = ", ".join([f"the {len(_built_in())} built-in ones", *_registered()])
    error = unreadable(index, items[index], f"no format reads it (tried {tried}){_hint(items[index])}")
    error.formats = tuple(refusing)
    raise error


def _hint(item: object) -> str:
    """What to do about an item, or where its calls stand."""
    if get(item, "object") == "chat.completion.chunk":
        return "; it is a chunk of a stream, which is to be put together first"
    if first(item, "choices") is not None:
        return "; the message of a response is response.choices[0].message"
    key = key_of_calls(item, ("content", "tool_calls"))
    return "" if key is None else f"; it holds calls under the key {key!r}"


def _agreed(items: list[object], adapters: Mapping[str, Adapter]) -> Trajectory:
    """The one reading of the adapters."""
    chosen, *others = adapters
    run = _build(adapters[chosen], items)
    alike = _alike(items, adapters) if others else ()
    for other in others:
        if other not in alike and _build(adapters[other], items).messages != run.messages:
            raise ConversionError(
                f"{chosen!r} and {other!r} read this history differently; say which it is: format={chosen!r}",
                formats=(chosen, other),
            )
    return run


def _alike(items: list[object], adapters: Mapping[str, Adapter]) -> set[str]:
    """The adapters that give the same events as the first, but for notes; the runs of others may still be the same."""
    said: dict[str, list[Event]] = {}
    try:
        for name, adapter in adapters.items():
            said[name] = [event for event in adapter.read(items) if not isinstance(event, Noted)]
        return {name for name, events in said.items() if events == next(iter(said.values()))}
    except Exception:  # it is raised again where the run is built
        return set()


def _build(adapter: Adapter, items: list[object], **options: Any) -> Trajectory:
    """Read the items; whatever they do to an adapter, what comes out is a trajectory or an error of this library."""
    try:
        return build(adapter.read(items, **options))
    except TrajmatchError:
        raise
    except Exception as error:
        raise ConversionError(f"this history cannot be read: {type(error).__name__}: {error}") from error

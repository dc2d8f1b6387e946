"""From any history to a trajectory: choosing the adapter that reads it."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from trajmatch._beside import alone
from trajmatch._calls import is_call, one_call_refused, read_calls
from trajmatch._claims import Adapter, best
from trajmatch._nearest import choose, did_you_mean
from trajmatch._registered import broken, entries, load, sound
from trajmatch._stored import is_stored
from trajmatch._trajectory import Trajectory
from trajmatch._unread import unread
from trajmatch.errors import ConversionError, OptionError, TrajmatchError
from trajmatch.reading import (
    Event,
    Noted,
    Skimmed,
    Told,
    build,
    messages_in,
)
from trajmatch.reading._plain import read_plain

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Adapter", "Writer", "skimmed", "to_trajectory", "writers"]

_BUILT_IN = "trajmatch_adapters.histories"
_SKIM = "_skim"
_NO_OPTIONS: Mapping[str, Any] = {}
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
    if not options and (run := skimmed(history, format)):
        return run
    try:
        return _converted(history, format, options)
    except TrajmatchError:
        raise
    except Exception as error:  # values that raise when somebody looks at them
        text = f"this history cannot be read: {type(error).__name__}: {error}"
        raise ConversionError(text) from error


def _converted(history: object, format: str | None, options: Mapping[str, Any]) -> Trajectory:
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
    if format and adapter:
        return alone(history, _read_as(format, adapter, items, options))
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


def skimmed(history: object, format: str | None = None) -> Trajectory | None:
    """Give the trajectory of a list of messages in which nothing is odd; anything else is left to `to_trajectory`."""
    if type(history) is not list or not history:
        return None
    for name, skim in _skims().items():
        if format not in (None, name):
            continue
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


def _adapter(name: str) -> Adapter | None:
    """Only that of another package is loaded which has this name."""
    if built_in := _built_in().get(name):
        return built_in
    entry = _entries().get(name)
    return None if entry is None else load(entry)


def _named(format: str, options: Mapping[str, Any]) -> Adapter:
    adapter = _adapter(format) if isinstance(cast("object", format), str) else None
    if adapter is None:
        known = [*_built_in(), *_entries()]
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
def _skims() -> dict[str, _Skim]:
    """The functions of the adapters that skim, each in a module `_skim`: no other adapter is imported for them."""
    folders = import_module(_BUILT_IN).__path__
    names = [module.name for module in pkgutil.iter_modules(folders) if module.ispkg]
    found = [name for name in names if _SKIM in _modules([f"{folder}/{name}" for folder in folders])]
    return {name: import_module(f"{_BUILT_IN}.{name}.{_SKIM}").skim for name in sorted(found)}


def _modules(folders: Iterable[str]) -> list[str]:
    return [module.name for module in pkgutil.iter_modules(folders)]


def _entries() -> dict[str, EntryPoint]:
    return entries(frozenset(_built_in()))


def _registered() -> dict[str, Adapter]:
    """The adapters of other packages that can be loaded."""
    return sound(_entries())


def _read(items: list[object]) -> Trajectory:
    if text := read_plain(items):
        return text
    for adapters in (_built_in, _registered):
        if found := best(items, adapters()):
            return _agreed(items, found)
    tried = ", ".join([f"the {len(_built_in())} built-in ones", *_registered()])
    error = unread(items, _built_in() | _registered(), tried)
    error.args = ("; ".join([str(error), *broken(_entries())]),)
    raise error


def _read_as(format: str, adapter: Adapter, items: list[object], options: Mapping[str, Any]) -> Trajectory:
    """Read items in the format that was named."""
    try:
        return _build(format, adapter, items, options)
    except ConversionError as error:
        able = best(items, _built_in()) if items else {}
        if others := [name for name, other in able.items() if _reads(name, other, items)]:
            error.args = (f"{error}; format={' or '.join(map(repr, others))} reads it",)
        raise


def _reads(format: str, adapter: Adapter, items: list[object]) -> bool:
    try:
        return bool(_build(format, adapter, items).messages)
    except ConversionError:
        return False


def _agreed(items: list[object], adapters: Mapping[str, Adapter]) -> Trajectory:
    """The one reading of the adapters."""
    chosen, *others = adapters
    run = _build(chosen, adapters[chosen], items)
    alike = _alike(items, adapters) if others else ()
    for other in others:
        if other not in alike and _build(other, adapters[other], items).messages != run.messages:
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


def _build(format: str, adapter: Adapter, items: list[object], options: Mapping[str, Any] = _NO_OPTIONS) -> Trajectory:
    """Read the items; whatever they do to an adapter, what comes out is a trajectory or an error of this library.

    Calls that only the options leave out are not lost.
    """
    try:
        try:
            return build(adapter.read(items, **options), items)
        except ConversionError:
            if not options:
                raise
            build(adapter.read(items), items)
            return build(adapter.read(items, **options))
    except ConversionError as error:
        if format not in _built_in():
            error.args = (f"format {format!r}: {error}",)
        raise
    except TrajmatchError:
        raise
    except Exception as error:
        text = f"format {format!r}: this history cannot be read: {type(error).__name__}: {error}"
        raise ConversionError(text, formats=(format,)) from error

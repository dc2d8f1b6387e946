"""Work for several processes, whose answers come back in the order of the questions."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from trajmatch.errors import OptionError, TrajmatchError

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["check_workers", "in_order"]

Asked = TypeVar("Asked")
Answered = TypeVar("Answered")

_AHEAD = 3
"""So many questions for each worker are on their way at most, so that what is held does not grow with the work."""


def check_workers(workers: object) -> int:
    """Give a number of processes.

    Raises:
        OptionError: Something else than an integer from 1 on.
    """
    if type(workers) is not int or workers < 1:
        raise OptionError(f"workers: a number of processes from 1 on, got {workers!r}", option="workers", value=workers)
    return workers


def in_order(answer: Callable[[Asked], Answered], asked: Iterable[Asked], workers: int) -> Iterator[Answered]:
    """Give the answer to each question, in order; one worker is this process.

    Raises:
        TrajmatchError: A worker was killed.
    """
    if workers == 1:
        yield from map(answer, asked)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    pool = ProcessPoolExecutor(workers, initializer=_begin, initargs=(answer,))
    waiting: deque[Future[Any]] = deque()
    try:
        for question in asked:
            waiting.append(pool.submit(_answered, question))
            if len(waiting) >= _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise TrajmatchError("a worker was killed from outside, for want of memory perhaps") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_answer: Callable[..., object]
"""What a worker answers with; it is sent once."""


def _begin(answer: Callable[..., object]) -> None:
    import signal
    from threading import Thread

    global _answer
    _answer = answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks is interrupted, and ends the others
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when the one that asks is killed, which nothing else would tell it."""
    from multiprocessing import parent_process
    from multiprocessing.connection import wait

    if parent := parent_process():
        wait([parent.sentinel])
    os._exit(1)


def _answered(question: object) -> object:
    return _answer(question)

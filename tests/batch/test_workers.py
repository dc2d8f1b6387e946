"""What happens inside of a worker, seen from this process."""

import signal

import pytest

from trajmatch.batch import Scorer, _workers
from trajmatch.batch._pairs import _part_rows, _sendable


@pytest.fixture
def handler():
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("handler")
def test_a_worker_answers_and_leaves_interruptions_to_the_process_that_asks(monkeypatch):
    watched = []
    monkeypatch.setattr(_workers, "_end_with_parent", lambda: watched.append(1))
    monkeypatch.setattr(_workers, "_answer", None, raising=False)
    _workers._begin(str)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    assert _workers._answered(7) == "7"
    assert watched == [1]


class _Parent:
    def __init__(self, sentinel):
        self.sentinel = sentinel


@pytest.mark.parametrize("parent", [None, _Parent("pipe")], ids=["no parent", "a parent"])
def test_a_worker_ends_with_the_process_that_asks(monkeypatch, parent):
    seen = []
    monkeypatch.setattr("multiprocessing.parent_process", lambda: parent)
    monkeypatch.setattr("multiprocessing.connection.wait", lambda found: seen.append(found))
    monkeypatch.setattr("os._exit", lambda status: seen.append(status))
    _workers._end_with_parent()
    assert seen == ([["pipe"], 1] if parent else [1])


def test_a_worker_gives_the_rows_of_what_it_is_sent():
    record = (3, {"id": "a", "actual": [{"name": "f"}], "expected": ["f"]})
    assert _part_rows(Scorer(), [_sendable(record)]) == [Scorer().row(record[1], 3)]

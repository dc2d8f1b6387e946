"""What the tests of harnesses share."""

import logging
import socket

import pytest
from langsmith import Client


@pytest.fixture
def offline(monkeypatch):
    """A client that needs no server; whoever looks for one is refused, and the test fails."""
    attempts = []

    def refuse(*args, **kwargs):
        attempts.append(args)
        raise OSError("there is no network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    logging.getLogger("langsmith").setLevel(logging.CRITICAL)
    yield {"upload_results": False, "client": Client(api_key="unused", auto_batch_tracing=False)}
    logging.getLogger("langsmith").setLevel(logging.NOTSET)
    assert attempts == []

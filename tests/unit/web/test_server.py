"""A server on a socket: it ends when it is told to, whatever its connections are doing."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from visualizer.web.app import create_app
from visualizer.web.server import serving

ASKED = b"GET /api/logs HTTP/1.1\r\nHost: 127.0.0.1\r\n"
MANY_BYTES = 12 * 2**20


@contextmanager
def connected(port: int, sent: bytes) -> Iterator[socket.socket]:
    """A connection that has sent these bytes."""
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(sent)
        yield client


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """A viewer on the examples; `/much` answers with more than any socket buffers."""
    app = create_app({"DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache"})
    app.add_url_rule("/much", view_func=lambda: (bytes(2**16) for _ in range(MANY_BYTES // 2**16)))
    return app


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What threads ended with."""
    faults: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", faults.append)
    return faults


def test_fifty_servers_stop_under_open_connections_and_no_thread_fails(app: Flask, faults: list[Any]) -> None:
    """One connection idle after an answer, one amid a request, one that does not read its answer."""
    before = threading.active_count()
    for _ in range(50):
        with ExitStack() as clients:
            listener = socket.create_server(("127.0.0.1", 0))
            port = listener.getsockname()[1]
            with serving(app, listener):
                idle = clients.enter_context(connected(port, ASKED + b"\r\n"))
                assert idle.recv(12) == b"HTTP/1.1 200"
                clients.enter_context(connected(port, ASKED))
                unread = clients.enter_context(
                    connected(port, b"GET /much HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                )
                assert unread.recv(12) == b"HTTP/1.1 200"
    assert faults == []
    assert threading.active_count() == before


def test_a_stopped_server_frees_its_port(app: Flask) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    with serving(app, listener), connected(port, ASKED + b"\r\n") as client:
        assert client.recv(12) == b"HTTP/1.1 200"
    with pytest.raises(ConnectionRefusedError), connected(port, b""):
        pass

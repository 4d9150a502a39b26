"""A server on a socket: it ends when it is told to, and nobody can keep it from answering others."""

from __future__ import annotations

import http.client
import json
import resource
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from plyscope.visualizer.web.app import create_app
from plyscope.visualizer.web.guard import Token
from plyscope.visualizer.web.sockets import connections
from plyscope.visualizer.web.sockets.connections import MOST_CONNECTIONS, Connection
from plyscope.visualizer.web.sockets.server import THREADS, Server, serving
from tests.patience import PATIENCE, wait_for

ASKED = b"GET /api/logs HTTP/1.1\r\nHost: 127.0.0.1\r\n"
MANY_BYTES = 12 * 2**20
LOG = b'{"plyscope": 1, "root": {}}'


@contextmanager
def connected(port: int, sent: bytes) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(sent)
        yield client


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """A viewer on the examples; `/much` answers more than any socket buffers, `/some` a megabyte."""
    app = create_app({"DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache"})
    app.add_url_rule("/much", "much", lambda: (bytes(2**16) for _ in range(MANY_BYTES // 2**16)))
    app.add_url_rule("/some", "some", lambda: bytes(2**20))
    return app


MUCH = b"GET /much HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.slow
def test_fifty_servers_stop_under_open_connections_and_no_thread_fails(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One connection idle after an answer, one amid a request, one that does not read its answer."""
    faults: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", faults.append)
    before = threading.active_count()
    for _ in range(50):
        with ExitStack() as clients, served(app) as port:
            idle, _, unread = (
                clients.enter_context(connected(port, sent)) for sent in (ASKED + b"\r\n", ASKED, MUCH)
            )
            assert idle.recv(12) == unread.recv(12) == b"HTTP/1.1 200"
    assert faults == []
    assert threading.active_count() <= before  # one that another test left may have ended


def test_a_loop_that_ends_before_its_trigger_is_pulled_closes_nothing_then(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(app, socket.create_server(("127.0.0.1", 0)))
    thread = threading.Thread(target=server.run)
    thread.start()
    trigger = server._server.trigger
    pull = trigger._physical_pull

    def pull_late() -> None:
        pull()  # as another thread may, whose answer is to be sent
        wait_for(lambda: not trigger.thunks)
        thread.join(0.2)  # time to close, which it must not take
        pull()

    monkeypatch.setattr(trigger, "_physical_pull", pull_late)
    server.stop()
    thread.join()


@contextmanager
def served(app: Flask) -> Iterator[int]:
    listener = socket.create_server(("127.0.0.1", 0))
    with serving(app, listener):
        yield listener.getsockname()[1]


@pytest.fixture
def port(app: Flask) -> Iterator[int]:
    """The port of a viewer that serves for the length of a test."""
    with served(app) as port:
        yield port


def all_of(client: socket.socket) -> bytes:
    client.settimeout(PATIENCE)
    pieces = []
    while piece := client.recv(2**16):
        pieces.append(piece)
    return b"".join(pieces)


def asked(port: int, request: bytes) -> tuple[int, Any]:
    """Status and body of the answer to these bytes, sent alone on a connection of their own."""
    with connected(port, request) as client:
        head, _, body = all_of(client).partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


CLOSING = ASKED + b"Connection: close\r\n\r\n"


@pytest.mark.parametrize("sent", [b"", b"G", ASKED, b"POST /api/logs HTTP/1.1\r\nHost: 127.0.0.1\r\n"])
def test_idle_connections_lock_nobody_out(port: int, sent: bytes) -> None:
    with ExitStack() as idle:
        for _ in range(MOST_CONNECTIONS + 20):
            idle.enter_context(connected(port, sent))
        for _ in range(3):
            assert asked(port, CLOSING)[0] == 200


def test_those_who_wait_for_their_answer_or_send_their_log_are_not_closed_for_who_asks_nothing(
    app: Flask, port: int
) -> None:
    go_on = threading.Event()
    begun = threading.Barrier(3)

    def slow() -> str:
        begun.wait(PATIENCE)
        go_on.wait(PATIENCE)
        return "{}"

    app.add_url_rule("/slow", view_func=slow)
    with ExitStack() as stack:
        request = b"GET /slow HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        waiting = [stack.enter_context(connected(port, request)) for _ in range(2)]
        head = (
            b"POST /api/logs HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
        )
        sending = stack.enter_context(connected(port, head % len(LOG) + LOG[:5]))
        begun.wait(PATIENCE)
        for _ in range(MOST_CONNECTIONS + 20):
            stack.enter_context(connected(port, b"G"))
        assert asked(port, CLOSING)[0] == 200
        go_on.set()
        assert [all_of(client)[:12] for client in waiting] == [b"HTTP/1.1 200"] * 2
        sending.sendall(LOG[5:])
        assert all_of(sending)[:12] == b"HTTP/1.1 201"


def test_more_clients_than_connections_wait_and_none_is_reset(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 4)
    begun = threading.Barrier(16)

    def asks(_: int) -> list[int]:
        client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        begun.wait(PATIENCE)
        answers = []
        for _ in range(20):
            client.request("GET", "/api/logs")
            answers.append(client.getresponse())
            answers[-1].read()
        client.close()
        return [answer.status for answer in answers]

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(asks, range(16))) == [[200] * 20] * 16


def test_a_header_that_comes_byte_by_byte_has_its_time(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SECONDS_A_HEADER_MAY_TAKE", 0.01)
    with connected(port, b"GET / HTTP/1.1\r\nX: ") as client:
        client.settimeout(0.05)
        closed = False
        while not closed:
            try:
                client.sendall(b"x")
                closed = client.recv(1) == b""
            except TimeoutError:
                continue
            except ConnectionError:
                closed = True


def test_more_clients_than_threads_that_take_no_answer_keep_nobody_waiting(port: int) -> None:
    """Each asks for forty answers of a megabyte at once, and reads nothing."""
    with ExitStack() as stack:
        for _ in range(THREADS + 1):
            request = b"GET /some HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            stack.enter_context(connected(port, request * 40))
        assert asked(port, CLOSING)[0] == 200


def test_an_answer_that_nobody_takes_is_given_up(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SECONDS_AN_ANSWER_MAY_STAND", 0.01)
    closed = threading.Event()
    close = Connection.handle_close
    monkeypatch.setattr(Connection, "handle_close", lambda one: (close(one), closed.set()))
    with connected(port, MUCH):
        assert closed.wait(PATIENCE)


def test_requests_sent_without_waiting_are_answered_one_at_a_time(port: int) -> None:
    with connected(port, CLOSING.replace(b"Connection: close\r\n", b"") * 5) as client:
        answers = all_of(client)
    assert answers.count(b"HTTP/1.1 200") == 1
    assert b"Connection: close" in answers


NONE = [
    (b"\x16\x03\x01\x02\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nbad header\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nX: ".ljust(2**18, b"x"), 431),
    (b"POST /api/logs HTTP/1.1\r\nContent-Length: 99999999999999\r\n\r\n", 413),
    (b"POST /api/logs HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
    (b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 403),
    (b"BREW / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", 405),
    (ASKED.replace(b"1.1", b"1.0") + b"Connection: upgrade\r\nUpgrade: websocket\r\n\r\n", 405),
    (b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", 404),
]


def test_what_is_no_request_is_refused_in_the_shape_of_every_error(port: int) -> None:
    for request, status in NONE:
        answer = asked(port, request)
        assert answer == (status, {"error": answer[1]["error"], "status": status})


def test_a_body_is_not_taken_in_from_one_without_the_token(tmp_path: Path) -> None:
    config = {"DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache", "TOKEN": Token("secret")}
    head = b"POST /api/logs HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nExpect: 100-continue\r\n"
    with served(create_app(config)) as port:
        for length in (b"Content-Length: 500000000", b"Transfer-Encoding: chunked"):
            status, answer = asked(port, head + length + b"\r\n\r\n")
            assert (status, answer["status"]) == (401, 401)
        shown = b"Authorization: Bearer secret\r\nContent-Length: %d\r\n\r\n" % len(LOG)
        with connected(port, head + shown) as client:
            assert client.recv(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
            client.sendall(LOG)
            assert all_of(client)[:12] == b"HTTP/1.1 201"


def test_lines_that_end_before_their_announced_length_begin_no_log(port: int) -> None:
    head = b"POST /api/logs?follow=1&name=half HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000\r\n\r\n"
    with connected(port, head + b'{"plyscope":1}\n') as half:
        half.shutdown(socket.SHUT_WR)
        assert half.recv(12) == b""
    with connected(port, ASKED + b"Connection: close\r\n\r\n") as asking:
        assert b'"half"' not in b"".join(iter(lambda: asking.recv(2**16), b""))


def test_a_server_answers_beside_more_open_files_than_select_can_name(port: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2048:
        pytest.skip("this machine lets a process open few files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2048), hard))
    try:
        with ExitStack() as files:
            for _ in range(1100):
                files.enter_context(Path("/dev/null").open("rb"))
            assert asked(port, CLOSING)[0] == 200
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

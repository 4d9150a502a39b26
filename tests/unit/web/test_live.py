"""Logs that arrive: lines posted, an engine that waits, pieces of a large log on a socket."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from plyscope.visualizer.shelf.uploads import Upload
from plyscope.visualizer.web.api import live
from plyscope.visualizer.web.app import create_app
from plyscope.visualizer.web.sockets import connections
from plyscope.visualizer.web.sockets.connections import MOST_STREAMED
from plyscope.visualizer.web.sockets.server import serving
from tests.patience import PATIENCE, wait_for
from tests.unit.web.conftest import refusal

LINES = b'{"id": 0}\n{"id": 1, "parent": 0, "ply": "a1"}\n'


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    folders = {"DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache"}
    path = tmp_path / "run.jsonl"
    path.write_bytes(LINES)
    app = create_app({"LOGS": (path,), "FOLLOW": True, **folders})
    yield app
    app.extensions["shelf"].close()


@pytest.fixture
def web(app: Flask) -> FlaskClient:
    return app.test_client()


def until(web: FlaskClient, log: str, name: str, value: Any) -> dict[str, Any]:
    """The state of a live log once `name` has this value, asked for as the page does."""
    after: dict[str, int] = {}
    answers: list[dict[str, Any]] = []

    def has_it() -> bool:
        answers.append(web.get(f"/api/logs/{log}/live", query_string={"wait": 1, **after}).json)
        after["after"] = answers[-1].get("mark", 0)
        return answers[-1].get(name) == value

    wait_for(has_it)
    return answers[-1]


def test_a_page_that_was_open_long_before_the_engine_began_gets_its_nodes(
    web: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for the first nodes by asking for the summary; who asked once is not there for ever."""
    monkeypatch.setattr("plyscope.visualizer.shelf.follow.followed_log.SECONDS_ASKED", 0.3)
    log = web.post("/api/logs?follow=1").json["id"]
    web.post(f"/api/logs/{log}/reading")
    for _ in range(5):  # a second goes by
        assert web.get(f"/api/logs/{log}/summary?wait=0.2").json["state"] == "reading"
    web.post(f"/api/logs/{log}/lines", data=LINES)
    wait_for(lambda: web.get(f"/api/logs/{log}/summary?wait=0.2").json["state"] == "ready")
    until(web, log, "shown", 2)  # the first snapshot may have been made between the two lines
    assert web.get(f"/api/logs/{log}").json["totals"]["rows"] == 2


def test_lines_are_posted_to_a_log_until_its_end(web: FlaskClient) -> None:
    begun = web.post("/api/logs?follow=1&name=mine", data=b'{"plyscope": 1}\n{"id": 0')
    assert begun.status_code == 201
    assert begun.json["live"] == {"state": "written", "from": "post"}
    log = begun.json["id"]
    assert web.post(f"/api/logs/{log}/lines", data=b'}\n{"id": 1, "parent": 0}\n').status_code == 202
    until(web, log, "nodes", 2)
    assert web.post(f"/api/logs/{log}/lines?end=1", data=b'{"result": {"ply": "x"}}\n').status_code == 202
    kept = until(web, log, "state", "ended")["log"]
    assert kept != log
    opened = web.get(f"/api/logs/{log}").json
    assert (opened["log"]["id"], opened["log"]["name"]) == (kept, "mine")
    assert opened["result"] == {"ply": "x"}
    assert refusal(web.post(f"/api/logs/{log}/lines", data=b"{}\n")) == (409, "mine is not being written")


def test_lines_are_only_taken_by_logs_that_were_begun_for_them(
    web: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = web.get("/api/logs").json["default"]
    web.get(f"/api/logs/{log}")
    said = "run.jsonl is still being written; it can be checked once it is whole"
    assert refusal(web.post(f"/api/logs/{log}/check")) == (409, said)
    assert refusal(web.delete(f"/api/logs/{log}/live/hold")) == (409, "the engine does not wait")
    status, said = refusal(web.post(f"/api/logs/{log}/lines", data=b'{"id": 7}\n'))
    assert status == 409
    assert "takes no lines: only a log that was begun by POST /api/logs?follow=1 does" in said
    monkeypatch.setattr(live, "MOST_POSTED", 10)
    assert web.post("/api/logs?follow=1", data=b"x" * 11).status_code == 413


N_BYTES = 20_000_000


class Viewer:
    """A viewer on a socket to which one log is sent."""

    def __init__(self, app: Flask, port: int) -> None:
        self.app, self.port = app, port
        answer = app.test_client().post(f"/api/uploads?n_bytes={N_BYTES}")
        self.upload_id: str = answer.get_json()["upload"]

    @property
    def upload(self) -> Upload:
        found: Upload = self.app.extensions["shelf"].uploads.upload(self.upload_id)
        return found

    @contextmanager
    def piece(self, at: int, n_bytes: int, begun: bytes = b"") -> Iterator[HTTPConnection]:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as client:
            self.begin(client, at, n_bytes, begun)
            yield client

    def begin(self, client: HTTPConnection, at: int, n_bytes: int, begun: bytes) -> None:
        client.putrequest("PUT", f"/api/uploads/{self.upload_id}?at={at}")
        client.putheader("Content-Length", str(n_bytes))
        client.endheaders(begun)


def answer_on(client: HTTPConnection) -> tuple[int, Any]:
    answer = client.getresponse()
    return answer.status, json.loads(answer.read())


@pytest.fixture
def viewer(tmp_path: Path) -> Iterator[Viewer]:
    app = create_app({"DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache"})
    listener = socket.create_server(("127.0.0.1", 0))
    with serving(app, listener):
        yield Viewer(app, listener.getsockname()[1])


def test_what_has_come_of_a_piece_is_there_before_its_end(viewer: Viewer) -> None:
    with viewer.piece(0, 3_000_000, b"[" + bytes(99)) as client:
        wait_for(lambda: viewer.upload.n_arrived == 100)
        client.send(bytes(1_000_000))
        wait_for(lambda: viewer.upload.n_arrived == 1_000_100)
        client.send(bytes(1_999_900))
        assert answer_on(client)[1]["arrived"] == 3_000_000
        for at in range(3_000_000, 3_000_004):  # a connection sends piece after piece
            viewer.begin(client, at, 1, b"3")
            assert answer_on(client)[1]["arrived"] == at + 1
    assert viewer.upload.part.read_bytes()[:2] == b"[\0"


def test_a_client_that_still_sends_sees_that_its_piece_is_refused(
    viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope.visualizer.shelf.uploads.MOST_PIECES", 0)
    with viewer.piece(7, 8_000_000) as client:
        client.send(bytes(8_000_000))
        status, answer = answer_on(client)
    assert (status, "send on from there" in answer["error"]) == (409, True)


def test_a_client_that_goes_silent_keeps_nobody_from_sending_or_deleting(
    viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SECONDS_BETWEEN_LOOKS", 0.01)
    web, url, upload = viewer.app.test_client(), f"/api/uploads/{viewer.upload_id}", viewer.upload
    with ExitStack() as stack:
        clients = [stack.enter_context(viewer.piece(at, 50, bytes(10))) for at in (0, 100)]
        wait_for(lambda: {piece.reached for piece in upload._pieces} == {10, 110})
        for begins, ends, arrived in ((200, 300, 10), (10, 100, 110), (110, 200, 300)):
            answer = web.put(f"{url}?at={begins}", data=bytes(ends - begins))
            assert answer.get_json()["arrived"] == arrived
        assert (web.delete(url).status_code, upload.part.exists()) == (204, False)
        monkeypatch.setattr(connections, "SECONDS_WITHOUT_A_BYTE", 0.01)
        for silent in clients:  # their pieces were sent again
            silent.send(b"1")
            assert "does not fit" in answer_on(silent)[1]["error"]


def test_a_piece_whose_sender_is_gone_or_falls_silent_is_not_waited_for(
    viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SECONDS_WITHOUT_A_BYTE", 0.01)
    monkeypatch.setattr(connections, "SECONDS_BETWEEN_LOOKS", 0.01)
    with viewer.piece(0, 1_000_000, b"[" + bytes(9)):
        wait_for(lambda: viewer.upload.n_arrived == 10)
    with viewer.piece(10, 1_000_000, b"12") as client, client.sock.dup() as wire:
        status, answer = answer_on(client)
        assert (status, "12 of" in answer["error"]) == (409, True)
        assert wire.recv(1) == b""  # the rest of the piece would pass for another request


def test_those_beyond_the_most_at_once_are_gathered_first(viewer: Viewer) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(viewer.piece(0, 4, b"["))
        wait_for(lambda: viewer.upload.n_arrived == 1)
        others = [stack.enter_context(viewer.piece(4 * at, 4)) for at in range(1, MOST_STREAMED + 2)]
        for client in others:
            client.send(b"1,2,")
        first.send(b"1,2")
        arrived = [answer_on(client)[1]["arrived"] for client in (first, *others)]
    assert sorted(arrived)[-1] == 4 * (MOST_STREAMED + 2)


def test_a_server_stops_amid_a_piece(tmp_path: Path) -> None:
    app = create_app({"DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache"})
    listener = socket.create_server(("127.0.0.1", 0))
    with ExitStack() as stack, serving(app, listener):
        viewer = Viewer(app, listener.getsockname()[1])
        stack.enter_context(viewer.piece(0, 1_000_000, b"["))
        upload = viewer.upload
        wait_for(lambda: upload.n_arrived == 1)
    assert not upload.part.exists()

"""Requests about logs that are being written: how far they are, lines posted, the engine that waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from plyscope.visualizer.web.api import live
from plyscope.visualizer.web.app import create_app
from tests.patience import PATIENCE

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
    deadline = time.monotonic() + PATIENCE
    after: dict[str, int] = {}
    while True:
        answer = web.get(f"/api/logs/{log}/live", query_string={"wait": 1, **after}).json
        if answer.get(name) == value:
            return answer
        assert time.monotonic() < deadline, answer
        after = {"after": answer["mark"]}


def test_a_followed_file_answers_from_its_last_snapshot(web: FlaskClient, tmp_path: Path) -> None:
    (log,) = [each["id"] for each in web.get("/api/logs").json["logs"]]
    assert web.get("/api/logs").json["default"] == log
    assert web.get(f"/api/logs/{log}").json["totals"]["rows"] == 2
    assert web.get(f"/api/logs/{log}").json["log"]["live"] == {"state": "written", "from": "file"}
    before = until(web, log, "nodes", 2)["snapshot"]
    with (tmp_path / "run.jsonl").open("ab") as file:
        file.write(b'{"id": 2, "parent": 0}\n')
    assert until(web, log, "nodes", 3)["state"] == "written"
    until(web, log, "snapshot", before + 1)
    assert web.get(f"/api/logs/{log}/nodes/2").json["node"]["parent"] == 0
    with (tmp_path / "run.jsonl").open("ab") as file:
        file.write(b'{"result": null}\n')
    assert until(web, log, "state", "ended")["log"] == log
    assert "live" not in web.get(f"/api/logs/{log}/summary").json


def test_a_page_that_was_open_long_before_the_engine_began_gets_its_nodes(
    web: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits for the first nodes by asking for the summary; who asked once is not there for ever."""
    monkeypatch.setattr("plyscope.visualizer.shelf.follow.followed_log.SECONDS_ASKED", 0.3)
    log = web.post("/api/logs?follow=1").json["id"]
    web.post(f"/api/logs/{log}/reading")
    for _ in range(5):  # a second goes by
        answer = web.get(f"/api/logs/{log}/summary?wait=0.2").json
        assert answer["state"] == "reading"
    web.post(f"/api/logs/{log}/lines", data=LINES)
    deadline = time.monotonic() + PATIENCE
    while answer["state"] != "ready":
        assert time.monotonic() < deadline, answer
        answer = web.get(f"/api/logs/{log}/summary?wait=0.2").json
    until(web, log, "shown", 2)  # the first snapshot may have been made between the two lines
    assert web.get(f"/api/logs/{log}").json["totals"]["rows"] == 2


def test_a_log_that_is_being_written_is_not_checked(web: FlaskClient) -> None:
    log = web.get("/api/logs").json["default"]
    web.get(f"/api/logs/{log}")
    answer = web.post(f"/api/logs/{log}/check")
    assert answer.status_code == 409
    assert answer.json["error"] == "run.jsonl is still being written; it can be checked once it is whole"


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
    again = web.post(f"/api/logs/{log}/lines", data=b"{}\n")
    assert (again.status_code, again.json["error"]) == (409, "mine is not being written")


def test_lines_are_only_taken_by_logs_that_were_begun_for_them(web: FlaskClient) -> None:
    log = web.get("/api/logs").json["default"]
    answer = web.post(f"/api/logs/{log}/lines", data=b'{"id": 7}\n')
    assert answer.status_code == 409
    assert "takes no lines: only a log that was begun by POST /api/logs?follow=1 does" in answer.json["error"]


def test_a_request_has_a_bounded_number_of_lines(web: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_POSTED", 10)
    assert web.post("/api/logs?follow=1", data=b"x" * 11).status_code == 413


def test_the_engine_is_let_go_on_where_it_waits(app: Flask, web: FlaskClient) -> None:
    log = web.get("/api/logs").json["default"]
    web.get(f"/api/logs/{log}")
    answer = web.delete(f"/api/logs/{log}/live/hold")
    assert (answer.status_code, answer.json["error"]) == (409, "the engine does not wait")
    followed = app.extensions["shelf"].entry(log).live
    engine = threading.Thread(target=followed.hold, args=("why", 1, 0, lambda: True))
    engine.start()
    until(web, log, "hold", {"why": "why", "node": 1})
    assert web.delete(f"/api/logs/{log}/live/hold").status_code == 204
    engine.join(20)
    assert not engine.is_alive()


def test_a_page_of_another_site_posts_no_lines(web: FlaskClient) -> None:
    answer = web.post("/api/logs?follow=1", data=LINES, headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403

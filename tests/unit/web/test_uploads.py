"""Large logs that come piece by piece: read meanwhile, kept once whole, gone where they are given up."""

from __future__ import annotations

import gzip
import hashlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.shelf import uploads
from plyscope.visualizer.shelf.jobs import log_reader
from plyscope.visualizer.shelf.jobs.log_reader import SMALL_BYTES
from plyscope.visualizer.shelf.shelf import Shelf
from plyscope.visualizer.shelf.uploads import MisplacedError
from tests.patience import PATIENCE, wait_for

NODE: Final = (
    '{"ply":"c%d","score":%d,"depth":3,"note":"as long as a note of an engine may be, and that is long"}'
)
N_NODES: Final = 200_000


@pytest.fixture(scope="module")
def large() -> bytes:
    """A log that is read in a child process."""
    children = ",".join(NODE % (i, i % 50) for i in range(N_NODES))
    text = f'{{"plyscope":1,"game":"mine","root":{{"score":49,"children":[{children}]}}}}'.encode()
    assert len(text) > SMALL_BYTES
    return text


def begin(client: FlaskClient, data: bytes, name: str = "night.json") -> str:
    answer = client.post(f"/api/uploads?n_bytes={len(data)}&name={name}")
    assert answer.status_code == 201, answer.get_json()
    return f"/api/uploads/{answer.get_json()['upload']}"


def shelf_of(client: FlaskClient) -> Shelf:
    shelf = client.application.extensions["shelf"]
    assert isinstance(shelf, Shelf)
    return shelf


def sent(client: FlaskClient, data: bytes, piece: int = 2**22) -> dict[str, Any]:
    """The log that was sent in pieces, once it is read."""
    url = begin(client, data)
    for at in range(0, len(data), piece):
        answer = client.put(f"{url}?at={at}", data=data[at : at + piece])
        is_last = at + piece >= len(data)
        assert answer.status_code == (201 if is_last else 202), answer.get_json()
        assert answer.get_json()["arrived"] == min(len(data), at + piece)
    log: dict[str, Any] = answer.get_json()["log"]
    while log["state"] == "reading":
        log = client.get(f"/api/logs/{log['id']}/summary?wait=10").get_json()
    return log


def kept(tmp_path: Path) -> list[str]:
    """The files in the folder of pastes."""
    return sorted(path.name for path in (tmp_path / "data" / "pasted").glob("*"))


def test_a_log_that_came_in_pieces_is_the_one_that_was_sent(
    viewer: Callable[..., FlaskClient], tmp_path: Path, large: bytes
) -> None:
    client = viewer()
    log = sent(client, large)
    assert log["state"] == "ready", log["error"]
    assert (log["state"], log["name"], log["nodes"]) == ("ready", "night.json", N_NODES + 1)
    assert kept(tmp_path) == [f"{log['id']}.about.json", f"{log['id']}.log"]
    assert (tmp_path / "data" / "pasted" / f"{log['id']}.log").read_bytes() == large
    last = client.get(f"/api/logs/{log['id']}/nodes/{N_NODES}").get_json()["node"]
    assert (last["ply"], last["score"]) == (f"c{N_NODES - 1}", (N_NODES - 1) % 50)
    assert client.post("/api/logs?name=night.json", data=large).get_json()["id"] == log["id"]
    answer = client.put(f"{begin(client, large)}?at=0", data=large)  # it is there, and not read again
    assert answer.status_code == 201
    assert (answer.get_json()["log"]["id"], answer.get_json()["log"]["state"]) == (log["id"], "ready")


def test_the_top_of_the_tree_is_told_before_the_end_has_come(
    viewer: Callable[..., FlaskClient], large: bytes
) -> None:
    client = viewer()
    declared = large.replace(b'"game":"mine"', b'"search":{"perspective":"mover","mate":{"score":100}}')
    url = begin(client, declared)
    client.put(f"{url}?at=0", data=declared[: 2**23])
    upload = shelf_of(client).uploads.upload(url.rsplit("/", 1)[1])
    wait_for(lambda: upload.child.top is not None)
    at = upload.n_arrived
    top = client.put(f"{url}?at={at}", data=declared[at : at + 10]).get_json()["top"]
    assert [node.get("ply") for node in top["nodes"][:3]] == [None, "c0", "c1"]
    assert [node["score"] for node in top["nodes"][:3]] == [49, 0, -1]
    assert 0 < top["n_children"] < N_NODES
    assert (top["n_nodes"], top["mate"]) == (top["n_children"] + 1, {"score": 100})
    assert not {"below", "n_children", "proof"} & top["nodes"][0].keys()
    client.delete(url)


def test_an_irregular_log_is_read_once_it_is_whole_by_a_process_that_was_made_ready(
    viewer: Callable[..., FlaskClient], large: bytes
) -> None:
    client = viewer()
    assert client.post("/api/uploads/expected").status_code == 204
    shelf = shelf_of(client)
    assert shelf.spare_reader.is_there
    log = sent(client, large.replace(b'"game":"mine"', b'"g\\u0061me":"mine"'))
    assert (log["state"], log["nodes"]) == ("ready", N_NODES + 1)
    assert not shelf.spare_reader.is_there


def test_an_upload_that_is_given_up_leaves_nothing(
    viewer: Callable[..., FlaskClient], tmp_path: Path, large: bytes
) -> None:
    client = viewer()
    url = begin(client, large)
    client.put(f"{url}?at=0", data=large[:1000])
    child = shelf_of(client).uploads.upload(url.rsplit("/", 1)[1]).child
    assert kept(tmp_path) != []
    assert client.delete(url).status_code == 204
    assert (kept(tmp_path), child.is_running) == ([], False)
    assert client.put(f"{url}?at=1000", data=b"x").status_code == 404
    assert client.delete(url).status_code == 204


def test_a_reading_that_is_stopped_once_all_was_sent_leaves_nothing(
    viewer: Callable[..., FlaskClient], tmp_path: Path, large: bytes
) -> None:
    client = viewer()
    url = begin(client, large)
    log = client.put(f"{url}?at=0", data=large).get_json()["log"]
    answer = client.delete(f"/api/logs/{log['id']}/reading").get_json()
    assert answer["state"] == "failed"
    assert "nothing of it is kept" in answer["error"]
    assert kept(tmp_path) == []


def test_an_upload_of_which_nothing_comes_is_given_up(
    viewer: Callable[..., FlaskClient], tmp_path: Path, large: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "SECONDS_A_PIECE_MAY_TAKE", 0.05)
    client = viewer()
    url = begin(client, large)
    wait_for(lambda: kept(tmp_path) == [])
    answer = client.put(f"{url}?at=0", data=b"x")
    assert (answer.status_code, "begin another" in answer.get_json()["error"]) == (404, True)


def test_pieces_that_do_not_fit_are_refused_with_the_place_to_go_on(
    viewer: Callable[..., FlaskClient], large: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MOST_PIECES", 1)
    client = viewer()
    url = begin(client, large)
    assert client.put(f"{url}?at=0", data=large[:1000]).status_code == 202
    assert client.put(f"{url}?at=9000", data=b"x").status_code == 202
    for at, piece in ((0, b"x"), (500, b"x"), (7000, b"x"), (1000, large)):
        answer = client.put(f"{url}?at={at}", data=piece)
        assert answer.status_code == 409
        assert "1,000 of" in answer.get_json()["error"]
    assert client.put(f"{url}?at=9000", data=large[9000:9001]).status_code == 202  # in its place
    assert client.put(f"{url}?at=1000", data=large[1000:9001]).get_json()["arrived"] == 9001


def test_pieces_in_any_order_become_the_log_that_was_sent(
    viewer: Callable[..., FlaskClient], tmp_path: Path, large: bytes
) -> None:
    client = viewer()
    url = begin(client, large)
    n_piece = len(large) // 8 + 1
    for at in (3, 2, 0, 7, 5, 6, 1, 4):
        answer = client.put(f"{url}?at={at * n_piece}", data=large[at * n_piece :][:n_piece])
    assert answer.status_code == 201, answer.get_json()
    log = answer.get_json()["log"]
    assert (tmp_path / "data" / "pasted" / f"{log['id']}.log").read_bytes() == large
    while log["state"] == "reading":
        log = client.get(f"/api/logs/{log['id']}/summary?wait=10").get_json()
    assert (log["nodes"], log["id"]) == (N_NODES + 1, hashlib.sha256(large).hexdigest()[:12])


class Silent:
    """A client that sends some bytes of a piece, and then nothing until it is told to."""

    def __init__(self, sent: bytes) -> None:
        self._sent, self.is_waited_for, self.go_on = sent, threading.Event(), threading.Event()

    def readinto(self, buffer: memoryview) -> int:
        if not self._sent:
            self.is_waited_for.set()
            self.go_on.wait(PATIENCE)
            return 0
        taken, self._sent = self._sent[: len(buffer)], b""
        buffer[: len(taken)] = taken
        return len(taken)


def test_a_client_that_goes_silent_keeps_nobody_from_sending_or_deleting(
    viewer: Callable[..., FlaskClient], tmp_path: Path, large: bytes
) -> None:
    client = viewer()
    url = begin(client, large)
    upload = shelf_of(client).uploads.upload(url.rsplit("/", 1)[1])
    silent = [Silent(large[:10]), Silent(large[100:110])]
    with ThreadPoolExecutor() as pool:
        lost = [pool.submit(upload.append, 100 * i, 50, body) for i, body in enumerate(silent)]
        for body in silent:
            assert body.is_waited_for.wait(PATIENCE)
        assert client.put(f"{url}?at=200", data=large[200:300]).get_json()["arrived"] == 10
        assert client.put(f"{url}?at=10", data=large[10:100]).get_json()["arrived"] == 110
        assert client.put(f"{url}?at=110", data=large[110:200]).get_json()["arrived"] == 300
        assert client.delete(url).status_code == 204
        assert kept(tmp_path) == []
        for body in silent:
            body.go_on.set()
        assert all(isinstance(each.exception(PATIENCE), MisplacedError) for each in lost)


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("", 201, ""),
        ("n_bytes=0", 400, "at least 1"),
        ("n_bytes=x", 400, "whole number"),
        (f"n_bytes={2**50}", 413, "expected at most"),
        ("n_bytes=9&map=children", 400, "map"),
    ],
)
def test_an_upload_that_cannot_be_is_refused(
    viewer: Callable[..., FlaskClient], tmp_path: Path, query: str, status: int, said: str
) -> None:
    client = viewer()
    answer = client.post(f"/api/uploads?{query or 'n_bytes=20000000'}")
    assert answer.status_code == status
    if said:
        assert said in answer.get_json()["error"]
        assert kept(tmp_path) == []


def test_only_so_many_logs_arrive_at_once(
    viewer: Callable[..., FlaskClient], large: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MOST_UPLOADS", 1)
    client = viewer()
    url = begin(client, large)
    answer = client.post(f"/api/uploads?n_bytes={len(large)}")
    assert (answer.status_code, "wait until one is there" in answer.get_json()["error"]) == (400, True)
    client.delete(url)
    begin(client, large)


def test_a_viewer_that_ends_leaves_no_upload(
    viewer: Callable[..., FlaskClient], tmp_path: Path, large: bytes
) -> None:
    client = viewer()
    client.post("/api/uploads/expected")
    url = begin(client, large)
    client.post("/api/uploads/expected")
    shelf = shelf_of(client)
    child = shelf.uploads.upload(url.rsplit("/", 1)[1]).child
    assert shelf.spare_reader.is_there
    shelf.close()
    assert (kept(tmp_path), child.is_running, shelf.spare_reader.is_there) == ([], False, False)


def test_a_process_that_nobody_needs_ends(
    viewer: Callable[..., FlaskClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_reader, "SECONDS_TO_STAY", 0.05)
    client = viewer()
    client.post("/api/uploads/expected")
    wait_for(lambda: not shelf_of(client).spare_reader.is_there)


# Logs of a few megabytes, where a process is ready ---------------------------------------------------


@pytest.fixture
def ready(viewer: Callable[..., FlaskClient]) -> FlaskClient:
    """A viewer with a process that has loaded all."""
    client = viewer()
    client.post("/api/uploads/expected")
    wait_for(lambda: shelf_of(client).spare_reader.is_ready)
    return client


@pytest.fixture(scope="module")
def medium(large: bytes) -> bytes:
    """A log that is read in the request, unless a process is ready."""
    return large[: large.index(b',{"ply":"c20000"')] + b"]}}"


def test_a_process_that_is_ready_reads_a_log_of_some_megabytes(
    ready: FlaskClient, viewer: Callable[..., FlaskClient], medium: bytes
) -> None:
    read_here = viewer().post("/api/logs?name=a", data=medium).get_json()
    answer = ready.post("/api/logs?name=a", data=medium)
    assert (answer.status_code, answer.get_json()["state"]) == (201, "ready")
    assert not shelf_of(ready).spare_reader.is_there
    log = answer.get_json()
    assert (log["id"], log["nodes"], log["name"]) == (read_here["id"], 20_001, "a")
    assert ready.get(f"/api/logs/{log['id']}").get_json()["totals"]["rows"] == 20_001


def test_what_a_ready_process_refuses_leaves_nothing(
    ready: FlaskClient, tmp_path: Path, medium: bytes
) -> None:
    answer = ready.post("/api/logs", data=medium.replace(b'"root":{"score":49', b'"root":{"score":true'))
    assert answer.status_code == 400
    assert "root.score" in answer.get_json()["error"]
    assert kept(tmp_path) == []
    assert ready.get("/api/logs").get_json()["logs"] == []


def test_small_and_packed_logs_leave_a_ready_process_alone(ready: FlaskClient, medium: bytes) -> None:
    assert ready.post("/api/logs", data=b'{"plyscope":1,"root":{}}').status_code == 201
    assert ready.post("/api/logs", data=gzip.compress(medium, 1)).status_code == 201
    assert shelf_of(ready).spare_reader.is_ready

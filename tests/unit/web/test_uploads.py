"""Large logs that come piece by piece: read meanwhile, kept once whole, gone where they are given up."""

from __future__ import annotations

import gzip
import hashlib
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.shelf import uploads
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.jobs import log_reader
from plyscope.visualizer.shelf.jobs.log_reader import SMALL_BYTES
from plyscope.visualizer.shelf.pastes import Pastes
from plyscope.visualizer.shelf.shelf import Shelf
from tests.patience import wait_for
from tests.unit.logs import there
from tests.unit.web.conftest import Viewer, refusal

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
    found: Shelf = client.application.extensions["shelf"]
    return found


def upload_of(client: FlaskClient, url: str) -> uploads.Upload:
    return shelf_of(client).uploads.upload(url.rsplit("/", 1)[1])


def read(client: FlaskClient, log: dict[str, Any]) -> dict[str, Any]:
    """What is said of a log once it is read."""
    while log["state"] == "reading":
        log = client.get(f"/api/logs/{log['id']}/summary?wait=10").get_json()
    return log


def sent(client: FlaskClient, data: bytes, piece: int = 2**22) -> dict[str, Any]:
    """The log that was sent in pieces, once it is read."""
    url = begin(client, data)
    for at in range(0, len(data), piece):
        answer = client.put(f"{url}?at={at}", data=data[at : at + piece])
        arrived = min(len(data), at + piece)
        assert answer.status_code == (201 if arrived == len(data) else 202), answer.get_json()
        assert answer.get_json()["arrived"] == arrived
    return read(client, answer.get_json()["log"])


def kept(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "data" / "pasted").glob("*"))


def test_a_log_that_came_in_pieces_in_any_order_is_the_one_that_was_sent(
    empty: FlaskClient, tmp_path: Path, large: bytes
) -> None:
    url, n_piece = begin(empty, large), len(large) // 8 + 1
    for at in (3, 2, 0, 7, 5, 6, 1, 4):
        answer = empty.put(f"{url}?at={at * n_piece}", data=large[at * n_piece :][:n_piece])
    assert answer.status_code == 201, answer.get_json()
    log = read(empty, answer.get_json()["log"])
    assert (log["state"], log["name"], log["nodes"]) == ("ready", "night.json", N_NODES + 1)
    assert log["id"] == hashlib.sha256(large).hexdigest()[:12]
    assert kept(tmp_path) == [f"{log['id']}.about.json", f"{log['id']}.log"]
    assert (tmp_path / "data" / "pasted" / f"{log['id']}.log").read_bytes() == large
    last = empty.get(f"/api/logs/{log['id']}/nodes/{N_NODES}").get_json()["node"]
    assert (last["ply"], last["score"]) == (f"c{N_NODES - 1}", (N_NODES - 1) % 50)
    assert empty.post("/api/logs?name=night.json", data=large).get_json()["id"] == log["id"]
    answer = empty.put(f"{begin(empty, large)}?at=0", data=large)  # it is there, and not read again
    again = answer.get_json()["log"]
    assert (answer.status_code, again["id"], again["state"]) == (201, log["id"], "ready")


def test_an_irregular_log_is_read_once_it_is_whole_by_a_process_that_was_made_ready(
    ready: FlaskClient, large: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    spare = shelf_of(ready).spare_reader
    for is_prepared in (False, True):  # one that still compiles is left alone, for a log that is read sooner
        monkeypatch.setattr(there(spare._child), "is_prepared", is_prepared)
        log = sent(ready, large.replace(b'"game":"mine"', b'"g\\u0061me":"mine%d"' % is_prepared))
        assert (log["state"], log["nodes"]) == ("ready", N_NODES + 1)
        assert spare.is_there is not is_prepared
    # One that a log has to be compiled for is asked while it loads, and does both in turn.
    monkeypatch.setattr(detect, "LARGE_BYTES", 1)
    ready.post("/api/uploads/expected")
    log = sent(ready, large.replace(b'"game":"mine"', b'"g\\u0061me":"last"'))
    assert (log["state"], spare.is_there) == ("ready", False)


def test_pieces_that_do_not_fit_are_refused_with_the_place_to_go_on(
    empty: FlaskClient, large: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MOST_PIECES", 1)
    url = begin(empty, large)
    assert empty.put(f"{url}?at=0", data=large[:1000]).status_code == 202
    assert empty.put(f"{url}?at=9000", data=b"x").status_code == 202
    for at, piece in ((0, b"x"), (500, b"x"), (7000, b"x"), (1000, large)):
        status, said = refusal(empty.put(f"{url}?at={at}", data=piece))
        assert (status, "1,000 of" in said) == (409, True)
    assert empty.put(f"{url}?at=9000", data=large[9000:9001]).status_code == 202  # in its place
    assert empty.put(f"{url}?at=1000", data=large[1000:9001]).get_json()["arrived"] == 9001


def test_an_upload_that_cannot_be_is_refused(
    client: FlaskClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.post("/api/uploads?n_bytes=20000000")
    assert first.status_code == 201
    before = kept(tmp_path)
    for query, status, said in (
        ("n_bytes=0", 400, "at least 1"),
        ("n_bytes=x", 400, "whole number"),
        (f"n_bytes={2**50}", 413, "expected at most"),
        ("n_bytes=9&map=children", 400, "map"),
    ):
        answer = refusal(client.post(f"/api/uploads?{query}"))
        assert (answer[0], said in answer[1]) == (status, True), answer
    assert kept(tmp_path) == before
    monkeypatch.setattr(uploads, "MOST_UPLOADS", 1)  # only so many logs arrive at once
    status, said = refusal(client.post("/api/uploads?n_bytes=9"))
    assert (status, "wait until one is there" in said) == (400, True)
    client.delete(f"/api/uploads/{first.get_json()['upload']}")
    assert client.post("/api/uploads?n_bytes=20000000").status_code == 201


def test_a_viewer_that_ends_leaves_no_upload_and_a_process_that_nobody_needs_ends(
    empty: FlaskClient, tmp_path: Path, large: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = shelf_of(empty)
    with monkeypatch.context() as patch:
        patch.setattr(log_reader, "SECONDS_TO_STAY", 0.05)
        empty.post("/api/uploads/expected")
        wait_for(lambda: not shelf.spare_reader.is_there)
    with monkeypatch.context() as patch:
        patch.setattr(uploads, "SECONDS_A_PIECE_MAY_TAKE", 0.05)
        url = begin(empty, large)
        wait_for(lambda: kept(tmp_path) == [])  # one of which nothing comes is given up
    status, said = refusal(empty.put(f"{url}?at=0", data=b"x"))
    assert (status, "begin another" in said) == (404, True)
    empty.post("/api/uploads/expected")
    url = begin(empty, large)
    empty.post("/api/uploads/expected")
    child = upload_of(empty, url).child
    assert shelf.spare_reader.is_there
    shelf.close()
    assert (kept(tmp_path), child.is_running, shelf.spare_reader.is_there) == ([], False, False)


def test_a_log_that_is_gone_before_it_is_listed_is_given_up(
    empty: FlaskClient, large: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever asks for it waits for ever, for a process that nobody tells that all has come."""
    shelf, keep_part = shelf_of(empty), Pastes.keep_part

    def keep_and_lose(pastes: Pastes, *arguments: Any, **options: Any) -> Entry:
        entry = keep_part(pastes, *arguments, **options)
        entry.path.unlink()
        return entry

    monkeypatch.setattr(Pastes, "keep_part", keep_and_lose)
    url = begin(empty, large)
    child = upload_of(empty, url).child
    assert empty.put(f"{url}?at=0", data=large).status_code == 507
    assert (shelf.entries(), child.is_running) == ([], False)


# Logs of a few megabytes, where a process is ready ---------------------------------------------------


@pytest.fixture
def ready(viewer: Viewer) -> FlaskClient:
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
    ready: FlaskClient,
    empty: FlaskClient,
    tmp_path: Path,
    medium: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Small and packed logs leave it alone.
    for other in (b'{"plyscope":1,"root":{}}', gzip.compress(medium, 1)):
        small = ready.post("/api/logs", data=other)
        assert (small.status_code, shelf_of(ready).spare_reader.is_ready) == (201, True)
        ready.delete(f"/api/logs/{small.get_json()['id']}")
    read_here = empty.post("/api/logs?name=a", data=medium).get_json()
    answer = ready.post("/api/logs?name=a", data=medium)
    assert (answer.status_code, answer.get_json()["state"]) == (201, "ready")
    assert not shelf_of(ready).spare_reader.is_there
    log = answer.get_json()
    assert (log["id"], log["nodes"], log["name"]) == (read_here["id"], 20_001, "a")
    assert ready.get(f"/api/logs/{log['id']}").get_json()["totals"]["rows"] == 20_001
    # What it refuses leaves nothing.
    ready.delete(f"/api/logs/{log['id']}")
    ready.post("/api/uploads/expected")
    wait_for(lambda: shelf_of(ready).spare_reader.is_ready)
    wrong = medium.replace(b'"root":{"score":49', b'"root":{"score":true')
    status, said = refusal(ready.post("/api/logs", data=wrong))
    assert (status, "root.score" in said) == (400, True)
    # Nor does one whose reading process is killed.
    ready.post("/api/uploads/expected")
    wait_for(lambda: shelf_of(ready).spare_reader.is_ready)
    with monkeypatch.context() as patch:
        patch.setattr(log_reader.ChildReading, "has_come", lambda child, path, content: child.kill())
        status, said = refusal(ready.post("/api/logs", data=medium + b" "))
    assert (status, "its process was killed" in said) == (400, True)
    # Nor does a body that ends early.
    ready.post("/api/uploads/expected")
    wait_for(lambda: shelf_of(ready).spare_reader.is_ready)
    with pytest.raises(LogError, match="of the log 1 of the bytes announced"):
        shelf_of(ready).paste_arriving(BytesIO(medium[:-1]), len(medium), "a")
    with pytest.raises(LogError, match="of the log 1 of the bytes announced"):
        shelf_of(ready).paste_arriving(BytesIO(medium[:99]), 100, "a")
    assert (kept(tmp_path), ready.get("/api/logs").get_json()["logs"]) == ([], [])
    # Where no more may arrive, the request reads it.
    for _ in range(uploads.MOST_UPLOADS):
        ready.post("/api/uploads?n_bytes=9")
    assert shelf_of(ready).paste_arriving(BytesIO(medium), len(medium), "a").state == "ready"

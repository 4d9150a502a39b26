"""The list of logs, its pastes and notes over HTTP: names, times, readings, a disk that takes no more."""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask.testing import FlaskClient

from plyscope.visualizer.cli.main import plyscope
from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.shelf import readings
from plyscope.visualizer.shelf.jobs import time_limit
from plyscope.visualizer.store.log import Log
from tests.unit.web.conftest import Viewer, posted, refusal


def test_the_list_says_the_ply_the_game_and_when_a_log_came(
    client: FlaskClient, small: dict[str, Any]
) -> None:
    posted = client.post("/api/logs", data=json.dumps({**small, "game": "chess"})).get_json()
    assert (posted["name"], posted["game"], posted["ply"]) == ("chess a", "chess", "a")
    answer = client.get("/api/logs")
    newest, file = answer.get_json()["logs"]
    assert newest["id"] == posted["id"]
    assert newest["added"] >= file["added"] > 0
    tag = {"If-None-Match": answer.headers["ETag"]}  # a list that is as it was is not sent again
    again = client.get("/api/logs", headers=tag)
    assert (again.status_code, again.data) == (304, b"")
    client.post("/api/logs", data=json.dumps(small))
    assert client.get("/api/logs", headers=tag).status_code == 200
    log = f"/api/logs/{newest['id']}"  # a paste can be given another name
    answer = client.put(f"{log}/name", json={"name": "  quiet moves off "})
    assert (answer.status_code, answer.get_json()["name"]) == (200, "quiet moves off")
    for body in ({}, {"name": " "}, {"name": 3}, [], None):
        assert client.put(f"{log}/name", json=body).status_code == 400
    assert client.put("/api/logs/nowhere/name", json={"name": "a"}).status_code == 404
    assert client.get(f"{log}/summary").get_json()["name"] == "quiet moves off"


def test_a_large_log_is_read_after_the_answer_and_no_answer_is_an_error(
    client: FlaskClient, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = posted(client, FOREIGN)
    monkeypatch.setattr(readings, "SMALL_BYTES", 1)
    assert client.post(f"{url}/reading").status_code == 202
    while (answer := client.post(f"{url}/reading?wait=10")).status_code == 202:
        assert answer.get_json()["state"] == "reading"
    assert (answer.status_code, answer.get_json()["state"]) == (200, "ready")
    assert client.get(url).status_code == 200
    answer = client.put(f"{log}/mapping", json={"score": "cost"})
    assert (answer.status_code, answer.get_json()["log"]["state"]) == (202, "reading")
    while client.post(f"{log}/reading?wait=10").status_code == 202:
        pass
    assert client.get(log).get_json()["mapping"]["score"] == "cost"


FOREIGN = {"name": "r", "value": 1, "cost": 7, "replies": [{"name": "a", "value": 5, "cost": 8}]}
KEYS = ",".join(f'"k{i}":1' for i in range(200_000))


@pytest.mark.parametrize(
    ("text", "state", "said"),
    [
        ('{"plyscope":1,"root":{"score":7,' + KEYS + "}}", "ready", ""),
        ("[" * 200_000 + "]" * 200_000, "failed", "expected"),
    ],
    ids=["many keys", "many brackets"],
)
def test_what_takes_long_is_read_after_the_answer_by_a_process_that_can_be_stopped(
    viewer: Viewer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, state: str, said: str
) -> None:
    monkeypatch.setattr(time_limit, "SECONDS_AT_ONCE", 0.1)
    (tmp_path / "a.json").write_text(text)
    client = viewer(tmp_path / "a.json")
    (listed,) = client.get("/api/logs").get_json()["logs"]
    for answer in (client.post("/api/logs", data=text), client.post(f"/api/logs/{listed['id']}/reading")):
        log = answer.get_json()
        assert log["state"] == "reading", log
        while log["state"] == "reading":
            log = client.get(f"/api/logs/{log['id']}/summary?wait=10").get_json()
        assert (log["state"], said in log.get("error", "")) == (state, True), log


def test_only_steps_of_readers_count_against_the_time_of_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limit, "SECONDS_AT_ONCE", 0.0)
    log = read_log(b'{"plyscope": 1, "root": {}}')

    def other_work() -> Log:
        ends = time.monotonic() + 5 * time_limit.SECONDS_BETWEEN_LOOKS
        while time.monotonic() < ends:
            pass
        return log

    assert time_limit.at_once(other_work) is log


def test_the_clock_of_a_thread_that_has_ended_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    log, read, asked = read_log(b'{"plyscope": 1, "root": {}}'), time.clock_gettime, threading.Event()

    def of_ended(clock: int) -> float:
        if threading.current_thread() is threading.main_thread():
            return read(clock)
        asked.set()
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(time, "clock_gettime", of_ended)
    assert time_limit.at_once(lambda: log if asked.wait(10) else read_log(b"")) is log
    for watching in [each for each in threading.enumerate() if "(watch)" in each.name]:
        watching.join()


def test_a_full_disk_is_said_for_everything_that_is_kept(
    client: FlaskClient,
    viewer: Viewer,
    small: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def full(*paths: object, **how: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    log = posted(client, FOREIGN)
    before = client.get(log).get_json()
    files = {path: path.read_bytes() for path in (tmp_path / "data" / "pasted").glob("[!.]*")}
    monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr(Path, "unlink", full)
    for answer in (
        client.post("/api/logs", data=json.dumps(small)),
        client.put(f"{log}/mapping", json={"score": "cost"}),
        client.put(f"{log}/name", json={"name": "other"}),
        client.delete(log),
    ):
        status, said = refusal(answer)
        assert (status, "No space left on device; make room there" in said) == (507, True)
    monkeypatch.undo()
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path / "not there"))
        status, said = refusal(client.get(f"{log}/copy"))
    begins = "the copy could not be written: No such file or directory;"
    assert (status, said[: len(begins)]) == (507, begins)
    assert client.get(log).get_json() == before
    assert {path: path.read_bytes() for path in (tmp_path / "data" / "pasted").glob("[!.]*")} == files
    shutil.rmtree(tmp_path / "data")
    (tmp_path / "data").write_text("a file where the folder should be")
    status, said = refusal(viewer().post("/api/logs", data=json.dumps(small)))
    assert (status, "PLYSCOPE_DATA" in said) == (507, True)


def put(client: FlaskClient, url: str, **note: Any) -> list[dict[str, Any]]:
    answer = client.put(f"{url}/notes", json=note)
    assert answer.status_code == 200, answer.get_json()
    notes: list[dict[str, Any]] = answer.get_json()["notes"]
    return notes


def test_a_note_is_kept_for_the_log_and_the_file_stays_as_it_was(
    client: FlaskClient, url: str, tmp_path: Path, viewer: Viewer
) -> None:
    path = tmp_path / "small.json"
    before = path.read_bytes()
    assert client.get(f"{url}/notes").get_json() == {"notes": []}
    put(client, url, id=5, text=" loses a piece ", colour="red")
    notes = put(client, url, id=2)
    assert notes == [
        {"id": 2, "path": "a > c", "text": "", "colour": "blue"},
        {"id": 5, "path": "b > e", "text": "loses a piece", "colour": "red"},
    ]
    assert path.read_bytes() == before
    for note, status, says in (
        ({"id": 99}, 404, "no node 99"),
        ({"id": 1, "colour": "amber"}, 400, "a note is blue"),
        ({"id": 1, "text": 7}, 400, "body must be"),
        ({"text": "of no node"}, 400, "body must be"),
    ):
        answer = refusal(client.put(f"{url}/notes", json=note))
        assert (answer[0], says in answer[1]) == (status, True), note
    copy = tmp_path / "elsewhere.json"  # the same content is the same log, wherever it lies
    copy.write_bytes(before)
    again = viewer(copy)
    other = f"/api/logs/{again.get('/api/logs').get_json()['default']}"
    assert again.get(f"{other}/notes").get_json()["notes"] == notes


def test_a_new_run_in_the_same_place_takes_the_notes_by_their_plies(
    client: FlaskClient, url: str, small: dict[str, Any], tmp_path: Path
) -> None:
    for node_id, text in ((1, "stays"), (5, "moves"), (3, "has no place")):
        put(client, url, id=node_id, text=text)
    small["root"]["children"].reverse()  # b comes first now: all ids below it are others
    del small["root"]["children"][1]["children"][1]  # d is not searched
    (tmp_path / "small.json").write_text(json.dumps(small))
    changed = client.put(f"{url}/notes", json={"id": 1})  # what is open is not what lies there
    assert changed.status_code == 409
    client.post(f"{url}/reading?wait=10")
    notes = client.get(f"{url}/notes").get_json()["notes"]
    found = [(note.get("id"), note["path"], note["text"]) for note in notes]
    assert found == [(2, "b > e", "moves"), (4, "a", "stays"), (None, "a > d", "has no place")]
    left = put(client, url, path="a > d", text=None)  # one without a node is named by its plies
    assert [note["path"] for note in left] == ["b > e", "a"]
    assert len(put(client, url, path="a > d", text="back")) == 3


def test_a_copy_has_the_notes_in_its_header_and_shows_them_where_it_is_opened(
    client: FlaskClient, url: str, tmp_path: Path, viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(client, url, id=5, text="loses", colour="red")
    monkeypatch.setenv("PLYSCOPE_DATA", str(tmp_path / "data"))
    command = ["convert", str(tmp_path / "small.json"), str(tmp_path / "out.plyb")]
    done = CliRunner().invoke(plyscope, command)
    assert done.exit_code == 0, done.output
    assert [note["text"] for note in read_log_file(tmp_path / "out.plyb").header["notes"]] == ["loses"]
    saved = client.get(f"{url}/copy")
    assert 'filename="small with notes.json"' in saved.headers["Content-Disposition"]
    log = read_log(saved.data)
    assert log.header["notes"] == [{"id": 5, "path": "b > e", "text": "loses", "colour": "red"}]
    (tmp_path / "copy.json").write_bytes(saved.data)
    other = viewer(tmp_path / "copy.json", DATA_FOLDER=tmp_path / "another's")
    at = f"/api/logs/{other.get('/api/logs').get_json()['default']}"
    assert [note["text"] for note in other.get(f"{at}/notes").get_json()["notes"]] == ["loses"]
    assert "notes" not in other.get(at).get_json()["header"]
    assert put(other, at, id=5, text=None) == []  # deleted there, though its header has it still
    assert other.get(f"{at}/notes").get_json()["notes"] == []

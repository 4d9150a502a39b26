"""The list of logs and its pastes over HTTP: names, times, readings, and a disk that takes no more."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.shelf import readings
from plyscope.visualizer.shelf.jobs import time_limit
from plyscope.visualizer.store.log import Log


def full(*paths: object, **how: object) -> None:
    """Stands for a disk that takes no more."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_the_list_says_the_ply_the_game_and_when_a_log_came(
    client: FlaskClient, small: dict[str, Any]
) -> None:
    posted = client.post("/api/logs", data=json.dumps({**small, "game": "chess"})).get_json()
    assert (posted["name"], posted["game"], posted["ply"]) == ("chess a", "chess", "a")
    newest, file = client.get("/api/logs").get_json()["logs"]
    assert newest["id"] == posted["id"]
    assert newest["added"] >= file["added"] > 0


def test_a_list_that_is_as_it_was_is_not_sent_again(client: FlaskClient, small: dict[str, Any]) -> None:
    tag = client.get("/api/logs").headers["ETag"]
    again = client.get("/api/logs", headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    client.post("/api/logs", data=json.dumps(small))
    assert client.get("/api/logs", headers={"If-None-Match": tag}).status_code == 200


def test_the_list_says_that_a_file_has_changed_or_is_gone_and_opening_reads_it_again(
    client: FlaskClient, small: dict[str, Any], url: str, tmp_path: Path
) -> None:
    def listed() -> dict[str, Any]:
        (log,) = client.get("/api/logs").get_json()["logs"]
        assert isinstance(log, dict)
        return log

    read = client.get(url).get_json()["log"]
    assert (listed()["stamp"], "changed" in listed()) == (read["stamp"], False)
    small["result"]["seconds"] = 1.5
    (tmp_path / "small.json").write_text(json.dumps(small))
    assert (listed()["stamp"], listed()["changed"]) == (read["stamp"], True)
    kept = client.get(f"{url}?as_read=1").get_json()
    assert (kept["log"]["stamp"], kept["log"]["changed"]) == (read["stamp"], True)
    assert "seconds" not in kept["result"]
    again = client.get(url).get_json()
    assert again["result"]["seconds"] == 1.5
    assert again["log"]["stamp"] != read["stamp"]
    assert listed() == again["log"]
    (tmp_path / "small.json").unlink()
    assert listed() == {**again["log"], "gone": True}
    assert client.get(url).status_code == 200


def test_a_paste_can_be_given_another_name(client: FlaskClient, small: dict[str, Any]) -> None:
    log = client.post("/api/logs", data=json.dumps(small)).get_json()["id"]
    answer = client.put(f"/api/logs/{log}/name", json={"name": "  quiet moves off "})
    assert (answer.status_code, answer.get_json()["name"]) == (200, "quiet moves off")
    for body in ({}, {"name": " "}, {"name": 3}, [], None):
        assert client.put(f"/api/logs/{log}/name", json=body).status_code == 400
    assert client.put("/api/logs/nowhere/name", json={"name": "a"}).status_code == 404
    assert client.get(f"/api/logs/{log}/summary").get_json()["name"] == "quiet moves off"


def test_a_large_log_is_read_after_the_answer_and_no_answer_is_an_error(
    client: FlaskClient, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "SMALL_BYTES", 1)
    assert client.post(f"{url}/reading").status_code == 202
    while (answer := client.post(f"{url}/reading?wait=10")).status_code == 202:
        assert answer.get_json()["state"] == "reading"
    assert (answer.status_code, answer.get_json()["state"]) == (200, "ready")
    assert client.get(url).status_code == 200


KEYS = ",".join(f'"k{i}":1' for i in range(200_000))


@pytest.mark.parametrize(
    ("text", "state", "said"),
    [
        ('{"plyscope":1,"root":{"score":7,' + KEYS + "}}", "ready", ""),
        ("{" + KEYS + "}", "failed", "200,000 fields"),
        ("[" * 200_000, "failed", "the text ends inside the list"),
        ("[" * 200_000 + "]" * 200_000, "failed", "expected"),
    ],
)
def test_what_takes_long_is_read_after_the_answer_by_a_process_that_can_be_stopped(
    viewer: Callable[..., FlaskClient],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    text: str,
    state: str,
    said: str,
) -> None:
    monkeypatch.setattr(time_limit, "SECONDS_AT_ONCE", 0.1)
    file = tmp_path / "a.json"
    file.write_text(text)
    client = viewer(file)
    (listed,) = client.get("/api/logs").get_json()["logs"]
    began = [
        client.post("/api/logs", data=text).get_json(),
        client.post(f"/api/logs/{listed['id']}/reading").get_json(),
    ]
    for log in began:
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


def test_a_mapping_that_a_large_log_is_read_with_is_no_error(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = {"name": "r", "value": 1, "cost": 7, "replies": [{"name": "a", "value": 5, "cost": 8}]}
    log = client.post("/api/logs", json=foreign).get_json()["id"]
    monkeypatch.setattr(readings, "SMALL_BYTES", 1)
    answer = client.put(f"/api/logs/{log}/mapping", json={"score": "cost"})
    assert (answer.status_code, answer.get_json()["log"]["state"]) == (202, "reading")
    while client.post(f"/api/logs/{log}/reading?wait=10").status_code == 202:
        pass
    assert client.get(f"/api/logs/{log}").get_json()["mapping"]["score"] == "cost"


# A disk that takes no more ---------------------------------------------------------------------------


def test_a_full_disk_is_said_for_everything_that_is_kept(
    client: FlaskClient, small: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = {"name": "r", "good": 1, "bad": 2, "children": [{"name": "x", "good": 1, "bad": 2}]}
    log = client.post("/api/logs", json=foreign).get_json()["id"]
    before = client.get(f"/api/logs/{log}").get_json()
    monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr(Path, "unlink", full)
    answers = [
        client.post("/api/logs", data=json.dumps(small)),
        client.put(f"/api/logs/{log}/mapping", json={"score": "bad"}),
        client.put(f"/api/logs/{log}/name", json={"name": "other"}),
        client.delete(f"/api/logs/{log}"),
    ]
    for answer in answers:
        assert answer.status_code == 507
        assert answer.get_json()["status"] == 507
        assert "No space left on device; make room there" in answer.get_json()["error"]
    monkeypatch.undo()
    assert client.get(f"/api/logs/{log}").get_json() == before


def test_a_data_folder_that_cannot_be_made_is_said(
    viewer: Callable[..., FlaskClient], small: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    answer = viewer().post("/api/logs", data=json.dumps(small))
    assert answer.status_code == 507
    assert "PLYSCOPE_DATA" in answer.get_json()["error"]


def test_what_is_odd_in_the_data_folder_is_told_with_the_list(
    viewer: Callable[..., FlaskClient], tmp_path: Path
) -> None:
    (tmp_path / "data" / "pasted").mkdir(parents=True)
    (tmp_path / "data" / "mappings.json").write_text("null")
    os.mkfifo(tmp_path / "data" / "pasted" / "aaaaaaaaaaaa.log")
    notices = viewer().get("/api/logs").get_json()["notices"]
    assert ["aaaaaaaaaaaa.log" in notices[0], "mappings.json" in notices[1]] == [True, True]

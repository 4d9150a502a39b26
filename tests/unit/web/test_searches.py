"""A search with other weights in the API: its log, its refusals, one at a time, cancelled without a trace."""

from __future__ import annotations

import json
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import plyscope
from plyscope.visualizer.shelf.jobs.searches import Searches
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]
FOUR = ROOT / "examples" / "connect-four-deepening.jsonl.gz"


@pytest.fixture
def client(viewer: Callable[..., FlaskClient], tmp_path: Path) -> Iterator[FlaskClient]:
    """A viewer on the Connect Four example and on a search of it without an end."""
    endless = plyscope.open(FOUR).header
    endless["search"]["depth"] = 40
    endless["search"]["options"] = {"iterative": False}
    leaf = {"ply": "4", "layer": "min", "score": 1, "outcome": "leaf", "factors": [1, 1, 1, 1, 1, 1]}
    path = tmp_path / "endless.json"
    path.write_text(json.dumps({**endless, "root": {"layer": "max", "children": [leaf]}}))
    client = viewer(FOUR, path)
    yield client
    if (searches := client.application.extensions.get("searches")) is not None:
        searches.close()


@pytest.fixture
def url(client: FlaskClient) -> str:
    return url_of(client, FOUR.name)


def url_of(client: FlaskClient, name: str) -> str:
    logs = {log["name"]: log["id"] for log in client.get("/api/logs").get_json()["logs"]}
    return f"/api/logs/{logs[name]}"


def ended(client: FlaskClient, url: str) -> dict[str, Any]:
    for _ in range(int(PATIENCE)):
        answer: dict[str, Any] = client.get(f"{url}/weights/search?wait=1").get_json()
        if answer["state"] != "running":
            return answer
    raise AssertionError("the search did not end")


def test_the_new_log_is_kept_and_is_that_of_the_command_and_of_scripts(
    client: FlaskClient, url: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    begun = client.get(f"{url}/weights/search").get_json()
    assert begun == {"state": "none", "asked": {"depth": 5}, "notes": []}
    begun = client.post(f"{url}/weights/search?weights=twos:0.5,lines:3")
    assert (begun.status_code, begun.get_json()["state"]) == (202, "running")
    assert begun.get_json()["weights"] == {"twos": 0.5, "lines": 3}
    found = ended(client, url)
    assert found["state"] == "done"
    summary = client.get(f"/api/logs/{found['log']}").get_json()["log"]
    assert summary["name"] == "connect-four-deepening with twos=0.5, lines=3"
    assert summary["source"] == "pasted"
    compared = client.get(f"/api/logs/{found['log']}/diff?against={url.split('/')[-1]}&wait=10").get_json()

    old = plyscope.open(FOUR)
    new = plyscope.what_if(old, {"twos": 0.5, "lines": 3}).search()
    difference = plyscope.diff(old, new)
    assert compared["sentences"] == [
        each for each in difference.as_json()["sentences"] if each
    ]  # the same figures, in the same words
    assert {each["name"]: each["weight"] for each in new.header["factors"]} == {
        **{each["name"]: each["weight"] for each in old.header["factors"]},
        "twos": 0.5,
        "lines": 3,
    }

    from plyscope.visualizer.cli.main import plyscope as command

    target = tmp_path / "new.json.gz"
    asked = ["what-if", str(FOUR), "--weights", "twos=0.5,lines=3", "--search", "-o", str(target), "--json"]
    command(asked, standalone_mode=False)
    printed = json.loads(capsys.readouterr().out)
    assert printed["diff"]["counts"] == compared["counts"]
    assert printed["changed"] == {"twos": 0.5, "lines": 3}
    assert not plyscope.diff(new, target).differs()

    client.delete(f"/api/logs/{found['log']}")
    assert ended(client, url)["state"] == "none"


def test_one_search_runs_at_a_time_and_is_cancelled_with_nothing_left(
    client: FlaskClient, url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    other = url_of(client, "endless.json")
    client.get(other)
    assert client.post(f"{other}/weights/search?weights=twos:1").status_code == 202
    assert client.post(f"{other}/weights/search?weights=twos:1").status_code == 202
    for taken in (f"{other}/weights/search?weights=twos:7", f"{url}/weights/search?weights=twos:1"):
        refused = client.post(taken)
        assert refused.status_code == 409
        assert refused.get_json()["error"].startswith("endless.json is searched again already")
    running: Searches = client.application.extensions["searches"]
    search = running.of(other.split("/")[-1])
    assert search is not None
    while search.progress.get("phase") != "searching":
        assert client.get(f"{other}/weights/search?wait=1").get_json()["state"] == "running"
    assert client.get(f"{other}/weights/search").get_json()["nodes"] > 0
    assert client.delete(f"{other}/weights/search").get_json()["state"] == "none"
    assert search.state == "cancelled"
    assert not search._child.is_running
    assert client.post(f"{url}/weights/search?weights=twos:1").status_code == 202
    assert ended(client, url)["state"] == "done"
    assert list(tmp_path.glob("plyscope-search-*")) == []
    assert sum(log["source"] == "pasted" for log in client.get("/api/logs").get_json()["logs"]) == 1


def test_a_search_whose_process_is_killed_says_so(client: FlaskClient) -> None:
    other = url_of(client, "endless.json")
    client.get(other)
    client.post(f"{other}/weights/search?weights=twos:1")
    running: Searches = client.application.extensions["searches"]
    search = running.of(other.split("/")[-1])
    assert search is not None
    os.kill(search._child.pid, signal.SIGKILL)
    answer = ended(client, other)
    assert answer["state"] == "failed"
    assert answer["reason"] == "its process was killed (signal 9), perhaps for want of memory"


def test_what_makes_no_sense_is_refused_in_words(client: FlaskClient, url: str) -> None:
    for query, error in (
        ("weights=nothing:3", "weights: 'nothing' is no factor; expected one of centre, lines"),
        ("weights=twos:x", "weights must be name:number,…, not 'twos:x'"),
        ("weights=twos:1e307", "weights: they are too large to search with"),
    ):
        answer = client.post(f"{url}/weights/search?{query}")
        assert answer.status_code == 400
        assert answer.get_json()["error"].startswith(error)


def test_a_log_of_another_engine_has_a_reason_and_no_search(
    viewer: Callable[..., FlaskClient], tmp_path: Path
) -> None:
    path = tmp_path / "other.json"
    leaf = {"ply": "a", "layer": "min", "score": 1, "outcome": "leaf", "factors": [1]}
    path.write_text(
        json.dumps(
            {
                "plyscope": 1,
                "factors": [{"name": "f", "weight": 1}],
                "search": {"engine": "other"},
                "root": {"layer": "max", "children": [leaf]},
            }
        )
    )
    client = viewer(path)
    url = url_of(client, "other.json")
    client.get(url)
    answer = client.get(f"{url}/weights/search").get_json()
    assert answer["state"] == "refused"
    assert answer["reason"].startswith("the engine of this log is 'other'; only Plyscope's own")
    refused = client.post(f"{url}/weights/search?weights=f:2")
    assert (refused.status_code, refused.get_json()["error"]) == (400, answer["reason"])

"""check in the API: its states, pages of findings, marks of nodes; large logs in a child process."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.shelf.jobs import check_job
from plyscope.visualizer.web.api import check
from tests.unit.web.conftest import Viewer, refusal

WHITE = {"layer": "max", "player": "white", "score": 4, "bound": "exact", "outcome": "searched"}
LEAF = {"layer": "max", "player": "white", "outcome": "leaf"}
LEAVES = [{"ply": "c", "score": 4, "static": 4, **LEAF}, {"ply": "d", "score": 3, "static": 7, **LEAF}]
BLACK = {**WHITE, "ply": "a", "layer": "min", "player": "black", "children": LEAVES}
FAULTY: dict[str, Any] = {
    "plyscope": 1,
    "players": ["white", "black"],
    "search": {"fail": "soft"},
    "root": {**WHITE, "children": [BLACK]},
}
"""d says another score than its static, and a is not the least of its children: `leaf` at 3, `value` at 1."""


@pytest.fixture
def checked(viewer: Viewer, tmp_path: Path) -> tuple[FlaskClient, str]:
    """A client of a viewer on the faulty log, and where its check stands."""
    path = tmp_path / "faulty.json"
    path.write_text(json.dumps(FAULTY))
    client = viewer(path)
    return client, f"/api/logs/{client.get('/api/logs').get_json()['default']}/check"


def test_a_small_log_is_checked_within_the_request_once_somebody_asks(
    checked: tuple[FlaskClient, str], tmp_path: Path
) -> None:
    client, url = checked
    assert client.get(url).get_json() == {"state": "none", "rows": 4, "quick": True}
    status, said = refusal(client.get(f"{url}/findings"))
    assert (status, "POST to its check" in said) == (409, True)
    answer = client.post(url)
    report = answer.get_json()
    assert (answer.status_code, report["state"]) == (202, "done")
    assert report["counts"]["wrong"] == sum(g["count"] for g in report["groups"] if g["severity"] == "wrong")
    groups = {group["rule"]: group for group in report["groups"]}
    assert (groups["leaf"]["first"], groups["value"]["first"]) == (3, 1)
    assert groups["leaf"]["reason"]
    assert groups["leaf"]["meaning"]
    assert {"rule": "leaf", "reason": groups["leaf"]["reason"]} in report["checked"]
    assert {one["rule"]: one["needs"] for one in report["not_checked"]}["path-key"] == ["key|position"]
    assert client.get(url).get_json() == report
    # What makes no sense is refused in words.
    for question, code, words in (
        ("findings?rule=colour", 404, "no rule 'colour'"),
        ("findings?severity=bad", 400, "wrong, waste, odd"),
        ("findings?offset=-1", 400, "at least 0"),
        ("findings?node=99", 404, "no node 99"),
        ("marks?ids=x", 400, "whole numbers"),
    ):
        status, said = refusal(client.get(f"{url}/{question}"))
        assert (status, words in said) == (code, True), said
    assert client.post("/api/logs/none/check").status_code == 404
    # A log that was written again is not checked any more.
    (tmp_path / "faulty.json").write_text('{"plyscope": 1, "root": {"score": 1}}')
    client.get(url.removesuffix("/check"))
    assert client.get(url).get_json() == {"state": "none", "rows": 1, "quick": True}


def test_a_log_that_takes_longer_is_not_checked_by_itself(
    checked: tuple[FlaskClient, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, url = checked
    for quick_rows, state in ((3, "none"), (4, "done")):
        monkeypatch.setattr(check, "QUICK_ROWS", quick_rows)
        assert client.post(f"{url}?quick=1").get_json()["state"] == state


def test_a_broken_rule_fails_the_check_and_not_the_server(
    checked: tuple[FlaskClient, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, url = checked

    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(check_job, "_checked", breaks)
    with pytest.raises(ZeroDivisionError):  # Flask answers 500 when it is not under test
        client.post(url)
    report = client.get(f"{url}?wait=5").get_json()
    assert (report["state"], "terminal" in report["error"]) == ("failed", True)
    monkeypatch.undo()
    assert client.post(url).get_json()["state"] == "done"


def test_a_child_gives_the_same_answers_and_one_that_dies_can_be_tried_again(
    checked: tuple[FlaskClient, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, url = checked
    shelf = client.application.extensions["shelf"]
    monkeypatch.setattr(check_job, "SMALL_ROWS", 0)
    client.post(url)
    (entry,) = shelf.entries()
    os.kill(entry.check._child.pid, signal.SIGKILL)
    report = client.get(f"{url}?wait=10").get_json()
    assert (report["state"], "killed (signal 9)" in report["error"]) == ("failed", True)
    assert client.post(url).get_json()["state"] in ("running", "done")
    while (report := client.get(f"{url}?wait=10").get_json())["state"] == "running":
        pass
    findings = ("findings", "findings?text=best%20of&more=1", "findings?rule=value", "findings?node=3")
    questions = [f"{url}/{question}" for question in (*findings, "marks?ids=0,1,2,3")]
    answers = [client.get(question).get_json() for question in questions]
    client.delete(url)
    monkeypatch.setattr(check_job, "SMALL_ROWS", 100)
    assert client.post(url).get_json() == report
    assert [client.get(question).get_json() for question in questions] == answers
    shelf.close()

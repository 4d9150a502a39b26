"""Diff in the API: the same figures as scripts and the command have, refusals, marks of shown nodes."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import plyscope

Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two searches of Reversi, one with a branching limit."""
    folder = tmp_path_factory.mktemp("diff")
    for name, limit in (("old", None), ("new", 3)):
        plyscope.search("reversi", depth=4, limit=limit, progress=False).write(folder / f"{name}.json")
    return folder / "old.json", folder / "new.json"


@pytest.fixture
def ask(viewer: Callable[..., FlaskClient], logs: tuple[Path, Path]) -> Ask:
    """What the API answers of new.json against old.json."""
    client = viewer(*logs)
    ids = {each["name"]: each["id"] for each in client.get("/api/logs").get_json()["logs"]}
    for log_id in ids.values():
        client.get(f"/api/logs/{log_id}", query_string={"wait": 10})

    def get(noun: str = "", **query: object) -> Any:
        asked = {"wait": 10, "against": ids["old.json"], **query}
        return client.get(f"/api/logs/{ids['new.json']}/diff{noun}", query_string=asked).get_json()

    return get


def test_scripts_command_and_api_give_the_same_figures(
    ask: Ask, logs: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    from plyscope.visualizer.cli.main import plyscope as command

    found = plyscope.diff(*logs).as_json(0, 7)
    with pytest.raises(SystemExit) as left:
        command(["diff", *map(str, logs), "--json", "--limit", "7"], standalone_mode=False)
    assert left.value.code == 0
    printed = json.loads(capsys.readouterr().out)
    answered = ask(limit=7)
    assert answered.pop("state") == "done"
    for answer in (found, printed, answered):
        assert answer["old"].pop("log").endswith("old.json")
        assert answer["new"].pop("log").endswith("new.json")
    assert answered == printed == json.loads(json.dumps(found))
    assert answered["total"] > 7


def test_pages_go_through_all_changes(ask: Ask) -> None:
    whole = ask(limit=200)["nodes"]
    assert ask(offset=3, limit=2)["nodes"] == whole[3:5]
    dropped = ask(kinds="newly_dropped", limit=200)
    assert dropped["nodes"] == [each for each in whole if each["kind"] == "newly_dropped"]
    assert dropped["total"] == dropped["counts"]["newly_dropped"] > 0
    assert "no kind of change 'x'" in ask(kinds="x")["error"]


def test_marks_are_those_of_the_changes(ask: Ask) -> None:
    changes = [each for each in ask(limit=200)["nodes"] if each["new"] is not None]
    ids = ",".join(str(each["new"]["id"]) for each in changes)
    marks = ask("/marks", ids=ids)["marks"]
    assert {name: mark["kind"] for name, mark in marks.items()} == {
        str(each["new"]["id"]): each["kind"] for each in changes
    }
    first = ask()["first"]["new"]["id"]
    assert ask("/marks", ids=first)["marks"][str(first)]["first"] is True
    root = ask("/marks", ids=0)["marks"]["0"]
    assert root["kind"] == "same"
    assert root["below"] == ask()["total"]


def test_what_cannot_be_asked_is_refused(ask: Ask) -> None:
    assert "against which log?" in ask(against="")["error"]
    assert "there is no log 'x'" in ask(against="x")["error"]
    refused = ask(iteration=7)
    assert refused["state"] == "refused"
    assert "its roots state none" in refused["reason"]

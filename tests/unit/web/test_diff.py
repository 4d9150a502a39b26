"""Diff in the API: the same figures as scripts and the command have, refusals, the merged tree."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import plyscope
from plyscope.visualizer.analysis.diff.change_kinds import KINDS

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
    """A function that asks the API about new.json against old.json."""
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


def test_nodes_of_the_merged_tree_are_marked_as_the_changes_say(ask: Ask) -> None:
    changes = ask(limit=200, merged=1)["nodes"]
    for each in changes:
        assert each["at"] == (-2 - each["old"]["id"] if each["new"] is None else each["new"]["id"])
        node = ask(f"/nodes/{each['at']}/path")["path"][-1]
        assert node["id"] == each["at"]
        assert node["beside"]["kind"] == each["kind"]
        assert node["beside"].get("old") == (None if each["new"] is None else each["old"])
    first = ask(merged=1)["first"]
    [page] = ask("/nodes", ids=first["at"])["nodes"]
    assert page["node"]["beside"]["first"] == first["row"]
    [root] = ask("/nodes", ids=0, limit=100)["nodes"]
    assert root["node"]["beside"]["kind"] == "same"
    assert root["node"]["beside"]["below"] == ask()["total"]
    assert [each["index"] for each in root["children"]["items"]] == list(range(root["children"]["total"]))


def test_a_node_of_the_old_log_alone_is_walked_and_detailed(ask: Ask) -> None:
    gone = next(
        each for each in ask(limit=200, merged=1)["nodes"] if each["new"] is None and each["nodes"] > 5
    )
    answer = ask(f"/nodes/{gone['at']}", limit=100)
    assert answer["node"]["ply"] == gone["path"].split(" > ")[-1]
    assert answer["node"]["score"] == gone["old"]["score"]
    below = answer["children"]["items"]
    assert below
    assert all(each["parent"] == gone["at"] and each["id"] < -1 for each in below)
    assert all(each["beside"] == {"kind": "inside", "below": 0, "side": "old"} for each in below)
    told = ask(f"/nodes/{below[0]['id']}/details")
    assert [step["id"] for step in told["path"]][-2:] == [gone["at"], below[0]["id"]]
    assert told["path"][0]["id"] == 0
    assert told["board"]["cells"]
    assert all(step["id"] < -1 for step in told["line"]["nodes"])
    ranked = ask(f"/nodes/{gone['at']}", limit=100, order="best")["children"]["items"]
    assert sorted(each["id"] for each in ranked) == sorted(each["id"] for each in below)


def test_the_table_has_the_changes_sorted_and_paged(ask: Ask) -> None:
    changes = ask(limit=200)["nodes"]
    table = ask("/table", limit=200)
    assert table["total"] == ask()["total"] == len(table["rows"]) == len(table["nodes"])
    assert [row["id"] for row in table["rows"]] == [node["id"] for node in table["nodes"]]
    for row, each in zip(table["rows"], changes, strict=True):
        assert (row["change"], row["before"], row["now"]) == (each["kind"], each["old"], each["new"])
        assert (row["difference"], row["nodes"]) == (each.get("delta"), each.get("nodes"))
    for column in ("change", "before", "now", "difference", "nodes"):
        for desc in (0, 1):
            page = ask("/table", limit=200, sort=column, desc=desc)["rows"]
            keys = [sort_key(row, column) for row in page]
            known = [key for key in keys if key is not None]
            assert known == sorted(known, reverse=bool(desc))
            assert keys[: len(known)] == known
            assert sorted(row["id"] for row in page) == sorted(row["id"] for row in table["rows"])
    assert ask("/table", offset=3, limit=2)["rows"] == table["rows"][3:5]
    for at in (0, 7, table["total"] - 1):
        found = ask("/table", limit=1, **{"from": table["rows"][at]["id"]})
        assert (found["at"], found["here"]) == (at, True)
    pruned = ask("/table", kinds="newly_dropped", limit=200)
    assert [row["change"] for row in pruned["rows"]] == ["newly_dropped"] * pruned["total"]
    assert "no column 'x'" in ask("/table", sort="x")["error"]
    assert "no kind of change 'x'" in ask("/table", kinds="x")["error"]


def sort_key(row: Any, column: str) -> Any:
    if column == "change":
        return KINDS.index(row["change"])
    if column in ("before", "now"):
        return None if row[column] is None else row[column].get("score")
    return row[column]


def test_what_cannot_be_asked_is_refused(ask: Ask) -> None:
    assert "against which log?" in ask(against="")["error"]
    assert "there is no log 'x'" in ask(against="x")["error"]
    assert "it has none" in ask("/nodes/-9999999")["error"]
    assert "this log has no node 9999999" in ask("/nodes/9999999/details")["error"]
    assert "order is 'x'" in ask("/nodes/0", order="x")["error"]
    refused = ask("/nodes", ids=0, iteration=7)
    assert refused["state"] == "refused"
    refused = ask(iteration=7)
    assert refused["state"] == "refused"
    assert "its roots state none" in refused["reason"]

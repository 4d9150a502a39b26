"""Diff in the API: the same figures as scripts and the command have, refusals, the merged tree."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plyscope
from tests.unit.web.conftest import Viewer

Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two searches of Reversi, one with a branching limit."""
    folder = tmp_path_factory.mktemp("diff")
    for name, limit in (("old", None), ("new", 3)):
        plyscope.search("reversi", depth=4, limit=limit, progress=False).write(folder / f"{name}.json")
    return folder / "old.json", folder / "new.json"


@pytest.fixture
def ask(viewer: Viewer, logs: tuple[Path, Path]) -> Ask:
    client = viewer(*logs)
    ids = {each["name"]: each["id"] for each in client.get("/api/logs").get_json()["logs"]}
    for log_id in ids.values():
        client.get(f"/api/logs/{log_id}", query_string={"wait": 10})

    def get(noun: str = "", **query: object) -> Any:
        asked = {"wait": 10, "against": ids["old.json"], **query}
        return client.get(f"/api/logs/{ids['new.json']}/diff{noun}", query_string=asked).get_json()

    return get


def test_scripts_and_api_give_the_same_figures(ask: Ask, logs: tuple[Path, Path]) -> None:
    found, answered = plyscope.diff(*logs).as_json(0, 7), ask(limit=7)
    assert answered.pop("state") == "done"
    for answer in (found, answered):
        assert answer["old"].pop("log").endswith("old.json")
        assert answer["new"].pop("log").endswith("new.json")
    assert answered == json.loads(json.dumps(found))
    assert answered["total"] > 7


def test_a_node_of_the_old_log_alone_is_walked_and_detailed(ask: Ask) -> None:
    changes = ask(limit=200, merged=1)["nodes"]
    gone = next(each for each in changes if each["new"] is None and each["nodes"] > 5)
    answer = ask(f"/nodes/{gone['at']}", limit=100)
    assert answer["node"]["ply"] == gone["path"].split(" > ")[-1]
    assert answer["node"]["score"] == gone["old"]["score"]
    below = answer["children"]["items"]
    assert {(each["parent"], each["id"] < -1) for each in below} == {(gone["at"], True)}
    assert all(each["beside"] == {"kind": "inside", "below": 0, "side": "old"} for each in below)
    told = ask(f"/nodes/{below[0]['id']}/details")
    path = [step["id"] for step in told["path"]]
    assert (path[0], path[-2:]) == (0, [gone["at"], below[0]["id"]])
    assert told["board"]["cells"]
    assert all(step["id"] < -1 for step in told["line"]["nodes"])
    ranked = ask(f"/nodes/{gone['at']}", limit=100, order="best")["children"]["items"]
    assert sorted(each["id"] for each in ranked) == sorted(each["id"] for each in below)


def test_the_table_has_the_changes_sorted_and_paged(ask: Ask) -> None:
    changes = ask(limit=200)["nodes"]
    table = ask("/table", limit=200)
    rows, ids = table["rows"], [row["id"] for row in table["rows"]]
    assert table["total"] == ask()["total"] == len(rows)
    assert ids == [node["id"] for node in table["nodes"]]
    for row, each in zip(rows, changes, strict=True):
        told = [row[name] for name in ("change", "before", "now", "difference", "nodes")]
        assert told == [each["kind"], each["old"], each["new"], each.get("delta"), each.get("nodes")]
    for desc in (0, 1):
        page = ask("/table", limit=200, sort="nodes", desc=desc)["rows"]
        known = [row["nodes"] for row in page if row["nodes"] is not None]
        assert known == sorted(known, reverse=bool(desc))
        assert sorted(row["id"] for row in page) == sorted(ids)
    assert ask("/table", offset=3, limit=2)["rows"] == rows[3:5]
    found = ask("/table", limit=1, **{"from": ids[7]})
    assert (found["at"], found["here"]) == (7, True)
    pruned = ask("/table", kinds="newly_dropped", limit=200)
    assert [row["change"] for row in pruned["rows"]] == ["newly_dropped"] * pruned["total"]


def test_what_cannot_be_asked_is_refused(ask: Ask) -> None:
    for noun, query, said in (
        ("", {"against": ""}, "against which log?"),
        ("", {"against": "x"}, "there is no log 'x'"),
        ("/nodes/-9999999", {}, "it has none"),
        ("/nodes/9999999/details", {}, "this log has no node 9999999"),
        ("/nodes/0", {"order": "x"}, "order is 'x'"),
        ("/table", {"sort": "x"}, "no column 'x'"),
        ("/table", {"kinds": "x"}, "no kind of change 'x'"),
    ):
        assert said in ask(noun, **query)["error"]
    assert ask("/nodes", ids=0, iteration=7)["state"] == "refused"
    refused = ask(iteration=7)
    assert (refused["state"], "its roots state none" in refused["reason"]) == ("refused", True)

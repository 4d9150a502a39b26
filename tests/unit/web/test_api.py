"""Every noun of the API: what it answers, and in which words it refuses; the plies of a node on its board."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.analysis.nodes import best_children
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web import node_pages
from plyscope.visualizer.web.node_pages import board_drawing
from tests.unit.logs import log_of
from tests.unit.web.conftest import Viewer, posted, refusal


def test_a_factor_is_told_with_what_it_counts_and_what_else_is_said_of_it(empty: FlaskClient) -> None:
    first = {"name": "a", "weight": 2, "meaning": "<b>Discs</b>.", "phase": "late"}
    factors = [first, "b", {"name": "c", "meaning": "é" * 2000}]
    opened = empty.get(posted(empty, {"plyscope": 1, "factors": factors, "root": {"factors": [1, 2, 3]}}))
    told = opened.get_json()["factors"]
    assert told[:2] == [{"name": "a", "weight": 2.0, "meaning": "<b>Discs</b>."}, {"name": "b"}]
    assert len(told[2]["meaning"]) == 1000
    assert opened.get_json()["header"] == {"factors": [{"name": "a", "phase": "late"}]}


TWO: dict[str, Any] = {"players": ["white", "black"]}


@pytest.mark.parametrize(
    ("header", "root", "player"),
    [
        ({}, {}, None),
        (TWO, {"player": 1}, "black"),
        (TWO | {"search": {"root_player": "white"}}, {"player": 1}, "white"),
        (TWO | {"search": {"root_player": 1}}, {}, "black"),
        ({}, {"layer": "min", "children": [{"layer": "max", "player": "red"}]}, "red"),
    ],
)
def test_the_root_player_is_named_where_the_log_tells(
    empty: FlaskClient, header: dict[str, Any], root: dict[str, Any], player: str | None
) -> None:
    opened = empty.get(posted(empty, {"plyscope": 1, **header, "root": root})).get_json()
    assert opened.get("root_player") == player


@pytest.mark.parametrize(
    ("layer", "plies"),
    [("max", ["b", "a", "c", "d"]), ("min", ["a", "c", "b", "d"]), (None, ["b", "a", "c", "d"])],
)
@pytest.mark.parametrize("kept_from", [1, 100])
def test_children_come_by_pre_score_for_the_side_of_the_layer(
    empty: FlaskClient, monkeypatch: pytest.MonkeyPatch, layer: str | None, plies: list[str], kept_from: int
) -> None:
    monkeypatch.setattr(best_children, "KEPT_FROM", kept_from)
    numbers = {"d": None, "a": 1, "b": 2, "c": 1}
    children = [{"ply": ply, "score": 0, "pre_score": number} for ply, number in numbers.items()]
    log = posted(empty, {"plyscope": 1, "root": {"layer": layer, "score": 0, "children": children}})
    for offset in (0, 2, 0, 2):  # the second time from what was kept
        page = empty.get(f"{log}/nodes/0?order=pre_score&limit=2&offset={offset}").get_json()["children"]
        assert [child["ply"] for child in page["items"]] == plies[offset : offset + 2]


def test_the_best_children_of_a_wide_node_come_with_the_stub_that_closes_the_list(empty: FlaskClient) -> None:
    children: list[Any] = [{"ply": f"p{i}", "score": i} for i in range(30)]
    children.append({"outcome": "limited", "count": 3})
    place = posted(empty, {"plyscope": 1, "root": {"layer": "max", "children": children}})
    for question in ("nodes/0?limit=5&best=2", "nodes?ids=0&limit=5&best=2"):
        answer = empty.get(f"{place}/{question}").get_json()
        best = answer.get("nodes", [answer])[0]["children"]["best"]
        assert [child.get("ply", child.get("outcome")) for child in best] == ["p28", "p29", "limited"]
    assert "best" not in empty.get(f"{place}/nodes/0?limit=150&best=2").get_json()["children"]


def test_of_a_line_longer_than_an_answer_both_ends_are_sent(empty: FlaskClient) -> None:
    lines = [{"id": i, "ply": f"n{i}", "score": 1, **({"parent": i - 1} if i else {})} for i in range(501)]
    place = posted(empty, "\n".join(map(json.dumps, [{"plyscope": 1}, *lines])))
    line = empty.get(f"{place}/nodes/0/details").get_json()["line"]
    assert (len(line["nodes"]), line["more"], line["leaf"]["ply"]) == (200, 300, "n500")
    assert [line["nodes"][at]["ply"] for at in (0, 99, 100, 199)] == ["n1", "n100", "n401", "n500"]


def test_a_file_of_the_user_is_searched_from_a_node_on_and_not_deleted(client: FlaskClient, url: str) -> None:
    assert client.get(f"{url}/search", query_string={"q": "e", "from": 6}).get_json()["at"] == 0
    status, said = refusal(client.delete(url))
    assert (status, "delete it where it lies" in said) == (403, True)


def test_a_log_that_cannot_be_read_is_listed_with_its_reason(viewer: Viewer, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"plyscope": 1, "root": ')
    client = viewer(path)
    url = f"/api/logs/{client.get('/api/logs').get_json()['logs'][0]['id']}"
    answer = client.get(url)
    assert (answer.status_code, answer.get_json()["log"]["state"]) == (409, "failed")
    answer = client.post(f"{url}/reading")
    assert (answer.status_code, answer.get_json()["state"]) == (200, "failed")
    assert client.get("/api/logs").get_json()["logs"][0]["error"]


def test_a_log_that_is_ready_is_opened_with_its_first_nodes_in_one_answer(
    client: FlaskClient, url: str, small: dict[str, Any]
) -> None:
    wanted = "opens=2&limit=1&best=1&order=best"
    for told in (client.post(f"{url}/reading?{wanted}"), client.get(f"{url}/summary?{wanted}")):
        opened = told.get_json()["opened"]
        nodes = opened.pop("nodes")
        assert opened == client.get(f"{url}?as_read=1").get_json()
        ids = ",".join(str(each) for each in opened["pv"][:2])
        assert nodes == client.get(f"{url}/nodes?ids={ids}&limit=1&best=1&order=best").get_json()["nodes"]
    posted = client.post(f"/api/logs?{wanted}", data=json.dumps(small)).get_json()
    assert (posted["opened"]["nodes"], posted["opened"]["log"]["id"]) == (nodes, posted["id"])
    assert "opened" not in client.post(f"{url}/reading").get_json()
    status, said = refusal(client.post(f"{url}/reading?opens=2&order=odd"))
    assert (status, "odd" in said) == (400, True)


@pytest.mark.slow
def test_an_answer_is_bounded_whatever_the_tree(viewer: Viewer, tmp_path: Path) -> None:
    """A log that a child process reads."""
    root = {"score": 1, "why": "w" * 10_000_000, "children": [{"ply": f"m{i}"} for i in range(100_000)]}
    path = tmp_path / "wide.json"
    path.write_text(json.dumps({"plyscope": 1, "root": root}))
    client = viewer(path)
    place = f"/api/logs/{client.get('/api/logs').get_json()['logs'][0]['id']}"
    while (page := client.get(place)).status_code == 409:
        assert page.get_json()["log"]["state"] == "reading", page.get_json()
        client.get(f"{place}/summary?wait=10")
    assert len(page.data) < 100_000
    assert len(client.get(f"{place}/nodes/0?limit=100000").get_json()["children"]["items"]) == 500
    assert len(client.get(f"{place}/nodes/0/details").data) < 200_000
    assert len(client.get(f"{place}/search?q=m&limit=100000").get_json()["items"]) == 500
    status, said = refusal(client.get(f"{place}/nodes/0/subtree"))
    assert (status, "plyscope convert" in said) == (413, True)


def plies(
    *children: dict[str, Any], game: str = "reversi", search: dict[str, Any] | None = None, **root: Any
) -> list[dict[str, Any]]:
    """The plies on the board of a root with these children."""
    about = {"layer": "max", **({} if "visits" in root else {"score": 1}), **root}
    log = log_of({**about, "children": list(children)}, game=game, search=search or {})
    found: list[dict[str, Any]] = board_drawing(Tree(log), 0, Boards(log)).get("plies", [])
    return found


def test_plies_stand_best_first_for_the_side_that_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    children = [{"ply": "d3", "score": 1}, {"ply": "c4", "score": 5}, {"ply": "f5", "score": 3}]
    assert [ply["ply"] for ply in plies(*children)] == ["c4", "f5", "d3"]
    assert [ply["ply"] for ply in plies(*children, layer="min")] == ["d3", "f5", "c4"]
    assert [ply["rank"] for ply in plies(*children)] == [0, 1, 2]
    # A bound that guarantees nothing stands behind, and is said.
    upper = {"ply": "d3", "score": 9, "bound": "upper"}
    best, other = plies(upper, {"ply": "c4", "score": 5, "bound": "exact"})
    assert (best["ply"], best["bound"]) == ("c4", "exact")
    assert other == {"id": 1, "ply": "d3", "to": [3, 2], "score": 9.0, "rank": 1, "bound": "upper"}
    # The deepest visit stands for its ply: a scout, searched again deeper, and once more less deep.
    depths = {7: {"depth": 2, "purpose": "scout"}, 5: {"depth": 3, "purpose": "research"}, 1: {"depth": 1}}
    (found,) = plies(*({"ply": "d3", "score": score, **visit} for score, visit in depths.items()))
    assert (found["id"], found["score"], found["rank"]) == (2, 5.0, 0)
    # No more plies are sent than fit, and none of a game without cells.
    monkeypatch.setattr(node_pages, "MOST_PLIES", 1)
    assert [ply["ply"] for ply in plies(*children)] == ["c4"]
    assert plies({"ply": "e4", "score": 1}, game="shogi") == []


def test_stubs_null_moves_and_unknown_plies_lie_nowhere_and_scoreless_ones_come_last() -> None:
    found = plies(
        {"ply": "c4"},
        {"outcome": "pruned", "count": 2, "plies": ["f5", "e6"]},
        {"ply": "f5", "score": 3, "purpose": "null"},
        {"ply": "no such ply", "score": 9},
        {"ply": "d3", "score": 2},
    )
    assert [(ply["ply"], ply.get("rank")) for ply in found] == [("d3", 1), ("c4", None)]
    # A ply that wins says whether that is proven.
    mate = {"mate": {"score": 1000, "step": 1, "threshold": 900}}
    over = {"ply": "d3", "score": 999, "outcome": "terminal", "ending": "win"}
    won, other = plies(over, {"ply": "c4", "score": 997}, search=mate, score=999)
    assert (won["proof"], other["proof"]) == ({"is": "proven"}, {"is": "none"})


def test_plies_of_a_best_first_tree_have_their_means_and_no_scores() -> None:
    children = [
        {"ply": "d3", "visits": 10, "mean": 0.4},
        {"ply": "c4", "visits": 40, "mean": 0.65},
        {"ply": "f5", "visits": 0},
    ]
    search = {"order": "best_first", "range": [0, 1]}
    best, other, unvisited = plies(*children, search=search, visits=50, mean=0.6)
    assert (best["ply"], best["rank"], best["mean"], best["visits"]) == ("c4", 0, 0.65, 40.0)
    assert best["visited"]["rate"] == 0.65
    assert (other["ply"], other["mean"]) == ("d3", 0.4)
    assert "mean" not in unvisited
    assert all("score" not in ply for ply in (best, other, unvisited))

"""Every noun of the API: what it answers, and in which words it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.analysis.nodes import best_children


def test_an_opened_log_tells_its_totals_roots_and_principal_variation(client: FlaskClient, url: str) -> None:
    opened = client.get(url).get_json()
    assert opened["root"] == 0
    assert opened["pv"] == [0, 1, 2]
    assert opened["pv_plies"] == [None, "a", "c"]
    assert not opened["drawable"]
    assert opened["factors"] == [{"name": "material", "weight": 2.0}, {"name": "mobility", "weight": 0.5}]
    totals = opened["totals"]
    assert (totals["rows"], totals["nodes"], totals["leaves"]) == (7, 6, 3)
    assert (totals["prune_events"], totals["pruned"], totals["limited"]) == (1, 3, 0)
    assert [level["nodes"] for level in totals["levels"]] == [1, 2, 3]


def test_a_factor_is_told_with_what_it_counts_and_what_else_is_said_of_it(
    viewer: Callable[..., FlaskClient],
) -> None:
    client = viewer()
    long = {"name": "c", "meaning": "é" * 2000}
    factors = [{"name": "a", "weight": 2, "meaning": "<b>Discs</b>.", "phase": "late"}, "b", long]
    log = {"plyscope": 1, "factors": factors, "root": {"factors": [1, 2, 3]}}
    added = client.post("/api/logs", data=json.dumps(log)).get_json()
    opened = client.get(f"/api/logs/{added['id']}").get_json()
    assert opened["factors"][:2] == [{"name": "a", "weight": 2.0, "meaning": "<b>Discs</b>."}, {"name": "b"}]
    assert len(opened["factors"][2]["meaning"]) == 1000
    assert opened["header"] == {"factors": [{"name": "a", "phase": "late"}]}


@pytest.mark.parametrize(
    ("header", "root", "player"),
    [
        ({}, {}, None),
        ({"players": ["white", "black"]}, {"player": 1}, "black"),
        ({"players": ["white", "black"], "search": {"root_player": "white"}}, {"player": 1}, "white"),
        ({"players": ["white", "black"], "search": {"root_player": 1}}, {}, "black"),
        ({}, {"layer": "min", "children": [{"layer": "max", "player": "red"}]}, "red"),
    ],
)
def test_the_root_player_is_named_where_the_log_tells(
    viewer: Callable[..., FlaskClient], header: dict[str, Any], root: dict[str, Any], player: str | None
) -> None:
    client = viewer()
    added = client.post("/api/logs", data=json.dumps({"plyscope": 1, **header, "root": root})).get_json()
    assert client.get(f"/api/logs/{added['id']}").get_json().get("root_player") == player


def test_a_node_comes_with_one_page_of_its_children_in_the_order_searched(
    client: FlaskClient, url: str
) -> None:
    answer = client.get(f"{url}/nodes/4?offset=1&limit=1").get_json()
    assert answer["node"]["ply"] == "b"
    assert answer["node"]["bound"] == "upper"
    assert answer["children"]["total"] == 2
    assert [child["outcome"] for child in answer["children"]["items"]] == ["pruned"]
    assert answer["children"]["items"][0]["plies"] == ["f", "g", "h"]


def test_the_best_of_a_wide_node_come_beside_its_page(viewer: Callable[..., FlaskClient]) -> None:
    client = viewer()
    wide = {
        "plyscope": 1,
        "root": {"layer": "max", "children": [{"ply": f"k{n}", "score": n} for n in range(150)]},
    }
    place = f"/api/logs/{client.post('/api/logs', data=json.dumps(wide)).get_json()['id']}"
    for question in ("nodes/0?limit=10&best=2", "nodes?ids=0&limit=10&best=2"):
        answer = client.get(f"{place}/{question}").get_json()
        children = answer.get("nodes", [answer])[0]["children"]
        assert [node["ply"] for node in children["best"]] == ["k148", "k149"]
    assert "best" not in client.get(f"{place}/nodes/0?limit=150&best=2").get_json()["children"]


def posted(client: FlaskClient, document: dict[str, object]) -> str:
    """Paste a log; return its address in the API."""
    return f"/api/logs/{client.post('/api/logs', data=json.dumps(document)).get_json()['id']}"


def wide(n_plies: int) -> dict[str, object]:
    """A root of many plies, the later the better, and a stub behind them."""
    plies: list[dict[str, object]] = [{"ply": f"p{i}", "score": i} for i in range(n_plies)]
    return {"plyscope": 1, "root": {"layer": "max", "children": [*plies, {"outcome": "limited", "count": 3}]}}


def test_children_come_best_first_in_pages(viewer: Callable[..., FlaskClient]) -> None:
    client = viewer()
    place = f"{posted(client, wide(30))}/nodes/0?order=best&limit=4"
    for offset, plies in ((0, ["p29", "p28", "p27", "p26"]), (28, ["p1", "p0", None])):
        page = client.get(f"{place}&offset={offset}").get_json()["children"]
        assert [child.get("ply") for child in page["items"]] == plies
        assert (page["total"], page["offset"]) == (31, offset)
    refused = client.get(place.replace("best", "worst"))
    assert refused.status_code == 400
    assert "'worst'" in refused.get_json()["error"]


@pytest.mark.parametrize(
    ("layer", "plies"),
    [("max", ["b", "a", "c", "d"]), ("min", ["a", "c", "b", "d"]), (None, ["b", "a", "c", "d"])],
)
@pytest.mark.parametrize("kept_from", [1, 100])
def test_children_come_by_pre_score_for_the_side_of_the_layer(
    viewer: Callable[..., FlaskClient],
    monkeypatch: pytest.MonkeyPatch,
    layer: str | None,
    plies: list[str],
    kept_from: int,
) -> None:
    monkeypatch.setattr(best_children, "KEPT_FROM", kept_from)
    client = viewer()
    children = [
        {"ply": ply, "score": 0} | ({} if number is None else {"pre_score": number})
        for ply, number in (("d", None), ("a", 1), ("b", 2), ("c", 1))
    ]
    root = {"score": 0, "children": children} | ({} if layer is None else {"layer": layer})
    log = posted(client, {"plyscope": 1, "root": root})
    for _ in range(2):  # the second time from what was kept
        for offset in (0, 2):
            page = client.get(f"{log}/nodes/0?order=pre_score&limit=2&offset={offset}").get_json()["children"]
            assert [child["ply"] for child in page["items"]] == plies[offset : offset + 2]


def test_the_best_children_of_a_wide_node_come_with_the_stub_that_closes_the_list(
    viewer: Callable[..., FlaskClient],
) -> None:
    client = viewer()
    page = client.get(f"{posted(client, wide(30))}/nodes/0?limit=5&best=2").get_json()["children"]
    assert [child.get("ply", child.get("outcome")) for child in page["best"]] == ["p28", "p29", "limited"]


def test_of_a_line_longer_than_an_answer_both_ends_are_sent(viewer: Callable[..., FlaskClient]) -> None:
    lines = [{"id": i, "ply": f"n{i}", "score": 1, **({"parent": i - 1} if i else {})} for i in range(501)]
    text = "\n".join(map(json.dumps, [{"plyscope": 1}, *lines]))
    client = viewer()
    place = f"/api/logs/{client.post('/api/logs', data=text).get_json()['id']}"
    line = client.get(f"{place}/nodes/0/details").get_json()["line"]
    assert (len(line["nodes"]), line["more"], line["leaf"]["ply"]) == (200, 300, "n500")
    assert [line["nodes"][at]["ply"] for at in (0, 99, 100, 199)] == ["n1", "n100", "n401", "n500"]


def test_a_subtree_stands_in_its_own_position(viewer: Callable[..., FlaskClient]) -> None:
    client = viewer()
    tree = {
        "plyscope": 1,
        "game": "reversi",
        "root": {"children": [{"ply": "d3", "children": [{"ply": "c3"}]}]},
    }
    place = f"/api/logs/{client.post('/api/logs', data=json.dumps(tree)).get_json()['id']}"
    subtree = client.get(f"{place}/nodes/1/subtree").get_json()
    assert subtree["whole"]
    text = subtree["text"]
    again = f"/api/logs/{client.post('/api/logs', data=text).get_json()['id']}"
    for ours, theirs in (("1", "0"), ("2", "1")):
        boards = [
            client.get(f"{log}/nodes/{row}/board").get_json() for log, row in ((place, ours), (again, theirs))
        ]
        assert boards[0]["cells"] == boards[1]["cells"]


def test_search_says_where_the_first_hit_after_a_node_stands(client: FlaskClient, url: str) -> None:
    answer = client.get(f"{url}/search", query_string={"q": "e", "from": 6}).get_json()
    assert answer["at"] == 0


def test_a_file_of_the_user_is_not_deleted(client: FlaskClient, url: str) -> None:
    answer = client.delete(url)
    assert answer.status_code == 403
    assert "delete it where it lies" in answer.get_json()["error"]


def test_a_log_that_cannot_be_read_is_listed_with_its_reason(
    viewer: Callable[..., FlaskClient], tmp_path: Path
) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"plyscope": 1, "root": ')
    client = viewer(path)
    log = client.get("/api/logs").get_json()["logs"][0]
    answer = client.get(f"/api/logs/{log['id']}")
    assert answer.status_code == 409
    assert answer.get_json()["log"]["state"] == "failed"
    answer = client.post(f"/api/logs/{log['id']}/reading")
    assert (answer.status_code, answer.get_json()["state"]) == (200, "failed")
    assert client.get("/api/logs").get_json()["logs"][0]["error"]


ERRORS = [
    ("GET", "/api/logs/nope", 404),
    ("GET", "/api/logs/nope/summary", 404),
    ("GET", "/api/logs/nope/nodes/1", 404),
    ("DELETE", "/api/logs/nope", 404),
    ("GET", "/api/nothing/here", 404),
    ("PATCH", "/api/logs", 405),
    ("GET", "URL/nodes/99", 404),
    ("GET", "URL/nodes/abc", 404),
    ("GET", "URL/nodes/0?limit=ten", 400),
    ("GET", "URL/nodes/0?offset=-1", 400),
    ("GET", "URL/nodes?ids=1,x", 400),
    ("GET", "URL/nodes?ids=" + ",".join(["1"] * 201), 400),
    ("PUT", "URL/mapping", 400),
    ("GET", "/nowhere", 404),
    ("POST", "/api/logs?map=broken", 400),
]


@pytest.mark.parametrize(("method", "place", "status"), ERRORS)
def test_every_error_has_the_one_shape(
    client: FlaskClient, url: str, method: str, place: str, status: int
) -> None:
    answer = client.open(place.replace("URL", url), method=method)
    assert answer.status_code == status
    body = answer.get_json()
    assert body["status"] == status
    assert isinstance(body["error"], str)
    assert body["error"]


@pytest.mark.slow
def test_an_answer_is_bounded_whatever_the_tree(viewer: Callable[..., FlaskClient], tmp_path: Path) -> None:
    wide = {
        "plyscope": 1,
        "root": {"score": 1, "why": "w" * 10_000_000, "children": [{"ply": f"m{i}"} for i in range(100_000)]},
    }
    path = tmp_path / "wide.json"
    path.write_text(json.dumps(wide))
    client = viewer(path)
    place = f"/api/logs/{client.get('/api/logs').get_json()['logs'][0]['id']}"
    page = wait_until_ready(client, place)
    assert len(page.data) < 100_000
    assert len(client.get(f"{place}/nodes/0?limit=100000").get_json()["children"]["items"]) == 500
    assert len(client.get(f"{place}/nodes/0/details").data) < 200_000
    assert len(client.get(f"{place}/search?q=m&limit=100000").get_json()["items"]) == 500
    subtree = client.get(f"{place}/nodes/0/subtree")
    assert subtree.status_code == 413
    assert "plyscope convert" in subtree.get_json()["error"]


def wait_until_ready(client: FlaskClient, place: str) -> Any:
    """The opened log, once the child process that reads it is done."""
    while (answer := client.get(place)).status_code == 409:
        assert answer.get_json()["log"]["state"] == "reading", answer.get_json()
        client.get(f"{place}/summary?wait=10")
    return answer

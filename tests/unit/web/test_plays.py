"""Games that a person plays in the API: begun at a node, played on, refused; what no page starts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import plyscope
from plyscope.visualizer.analysis.nodes.digits import short
from tests.unit.web.conftest import Viewer, listed, refusal


@pytest.fixture
def client(tmp_path: Path, viewer: Viewer) -> Iterator[FlaskClient]:
    """A viewer on a search of ours, and on a tree that no game is known of."""
    plyscope.search("tictactoe", depth=3, quotient=2, seed=1).write(tmp_path / "ours.json")
    tree = {"plyscope": 1, "root": {"children": [{"ply": "a", "score": 1}]}}
    (tmp_path / "other.json").write_text(json.dumps(tree), "utf-8")
    client = viewer(tmp_path / "ours.json", tmp_path / "other.json")
    yield client
    for play in client.application.extensions["plays"].values():
        play.end()


def log_of(client: FlaskClient, name: str) -> str:
    """The id of a log, which is read."""
    log = str(listed(client, name)["id"])
    client.post(f"/api/logs/{log}/reading?wait=20")
    return log


UNKNOWN = "does not say which game it is of"


def test_what_cannot_be_is_refused_in_words(client: FlaskClient) -> None:
    status, said = refusal(client.post(f"/api/logs/{log_of(client, 'other.json')}/nodes/0/play"))
    assert (status, UNKNOWN in said) == (409, True)
    play = client.post(f"/api/logs/{log_of(client, 'ours.json')}/nodes/0/play").get_json()["play"]
    for what, words, expected in (
        ("ply", "z9", "is no legal ply here"),
        ("agent", "uci=true,depth=1", "which only the command line starts"),
        ("agent", "mine.py:Mine", "which only the command line starts"),
        ("agent", "depth=none", "depth"),
        ("quotient", "x", "expected a whole number"),
        ("go", "", "the log's search has played none"),
        ("back", "", "you have played none"),
        ("dance", "", "expected one of ply, back"),
    ):
        answer = refusal(client.post(f"/api/plays/{play}", query_string={"what": what, "words": words}))
        assert (answer[0], expected in answer[1]) == (400, True), answer
    assert client.get(f"/api/plays/{play}").get_json()["plies"] == []
    assert client.get("/api/plays/none").status_code == 404


def searched(client: FlaskClient, url: str) -> dict[str, Any]:
    """The search from a node on, once it has ended."""
    while (found := client.get(f"{url}?wait=1").get_json())["state"] == "running":
        pass
    return dict(found)


def test_a_node_is_searched_on_and_set_beside_the_log(client: FlaskClient) -> None:
    """The opponent moves there: what is best for him, and its score, are seen by the log's root player."""
    log = log_of(client, "ours.json")
    url = f"/api/logs/{log}/nodes/1/search"
    assert client.get(url).get_json() == {"state": "none", "agent": "depth=3"}
    assert client.post(f"{url}?agent=depth=4").status_code == 202
    found = searched(client, url)
    client.post(f"/api/logs/{found['log']}/reading?wait=20")
    new = client.get(f"/api/logs/{found['log']}").get_json()
    assert new["log"]["name"] == "ours from b2 with depth=4"
    assert (new["search"]["depth"], "randomness_quotient" in new["result"]) == (4, False)
    best, score = new["result"]["ply"], new["result"]["score"]
    old = client.get(f"/api/logs/{log}/nodes/1?limit=20").get_json()
    logged = min(old["children"]["items"], key=lambda child: child["score"])
    said = f"best {best}, {short(-score)}; the log said {logged['ply']}, {short(logged['score'])}."
    own = f" (Its own log shows scores as {new['root_player']} sees them.)"
    assert (found["says"], found["order"]) == (f"This search, depth 4: {said}{own}", "depth_first")
    root = f"/api/logs/{log}/nodes/0/search"
    client.post(f"{root}?agent=depth=2")
    assert "Its own log" not in searched(client, root)["says"]


def test_a_tree_that_playouts_grew_is_searched_on_by_more_of_them(
    client: FlaskClient, tmp_path: Path
) -> None:
    plyscope.search("tictactoe", algorithm="mcts", playouts=50, seed=1).write(tmp_path / "grown.json")
    (tmp_path / "grown.json").rename(tmp_path / "ours.json")
    log = log_of(client, "ours.json")
    for node, playouts in ((0, 100), (1, 50)):
        found = client.get(f"/api/logs/{log}/nodes/{node}/search").get_json()
        assert found == {"state": "none", "agent": f"algorithm=mcts,playouts={playouts}"}
    # Whom one plays on against is the log's search, too.
    begun = client.post(f"/api/logs/{log}/nodes/0/play").get_json()
    assert client.get(f"/api/plays/{begun['play']}").get_json()["agent"] == "the log's search"


def test_what_cannot_be_searched_on_is_said(client: FlaskClient) -> None:
    """The page offers it only where the game is known."""
    for name, is_offered in (("ours.json", True), ("other.json", False)):
        assert client.get(f"/api/logs/{log_of(client, name)}").get_json()["playable"] is is_offered
    unknown, url = (
        f"/api/logs/{log_of(client, name)}/nodes/0/search" for name in ("other.json", "ours.json")
    )
    found = client.get(unknown).get_json()
    assert (found["state"], UNKNOWN in found["reason"]) == ("refused", True)
    for asked, agent, said in (
        (unknown, "depth=2", UNKNOWN),
        (url, "uci=true,depth=1", "only a search of ours"),
        (url, "mine.py:Mine", "only a search of ours"),
        (url, "random", "only a search of ours"),
        (url, "depth=none", "depth"),
    ):
        answer = refusal(client.post(asked, query_string={"agent": agent}))
        assert (answer[0], said in answer[1]) == (400, True), answer

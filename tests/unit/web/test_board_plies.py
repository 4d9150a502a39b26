"""The plies of a node as they lie on its board: which are there, in what order, one node a ply."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.visualizer.boards import Boards
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web import node_pages
from plyscope.visualizer.web.node_pages import board_drawing
from tests.unit.logs import log_of


def plies(*children: dict[str, Any], layer: str = "max", game: str = "reversi") -> list[dict[str, Any]]:
    """The plies on the board of a root with these children."""
    log = log_of({"layer": layer, "score": 1, "children": list(children)}, game=game)
    found: list[dict[str, Any]] = board_drawing(Tree(log), 0, Boards(log)).get("plies", [])
    return found


def test_plies_stand_best_first_for_the_side_that_chooses() -> None:
    children = [{"ply": "d3", "score": 1}, {"ply": "c4", "score": 5}, {"ply": "f5", "score": 3}]
    assert [ply["ply"] for ply in plies(*children)] == ["c4", "f5", "d3"]
    assert [ply["ply"] for ply in plies(*children, layer="min")] == ["d3", "f5", "c4"]
    assert [ply["rank"] for ply in plies(*children)] == [0, 1, 2]


def test_a_bound_that_guarantees_nothing_stands_behind_and_is_said() -> None:
    best, other = plies(
        {"ply": "d3", "score": 9, "bound": "upper"}, {"ply": "c4", "score": 5, "bound": "exact"}
    )
    assert (best["ply"], best["bound"]) == ("c4", "exact")
    assert other == {"id": 1, "ply": "d3", "to": [3, 2], "score": 9.0, "rank": 1, "bound": "upper"}


def test_the_deepest_visit_stands_for_its_ply() -> None:
    """A scout at depth 2, searched again at depth 3, and once more at depth 1."""
    (found,) = plies(
        {"ply": "d3", "score": 7, "depth": 2, "purpose": "scout"},
        {"ply": "d3", "score": 5, "depth": 3, "purpose": "research"},
        {"ply": "d3", "score": 1, "depth": 1},
    )
    assert (found["id"], found["score"], found["rank"]) == (2, 5.0, 0)


def test_stubs_null_moves_and_unknown_plies_lie_nowhere_and_scoreless_ones_come_last() -> None:
    found = plies(
        {"ply": "c4"},
        {"outcome": "pruned", "count": 2, "plies": ["f5", "e6"]},
        {"ply": "f5", "score": 3, "purpose": "null"},
        {"ply": "no such ply", "score": 9},
        {"ply": "d3", "score": 2},
    )
    assert [(ply["ply"], ply.get("rank")) for ply in found] == [("d3", 1), ("c4", None)]


def test_plies_of_a_best_first_tree_have_their_means_and_no_scores() -> None:
    log = log_of(
        {
            "layer": "max",
            "visits": 50,
            "mean": 0.6,
            "children": [
                {"ply": "d3", "visits": 10, "mean": 0.4},
                {"ply": "c4", "visits": 40, "mean": 0.65},
                {"ply": "f5", "visits": 0},
            ],
        },
        game="reversi",
        search={"order": "best_first", "range": [0, 1]},
    )
    best, other, unvisited = board_drawing(Tree(log), 0, Boards(log))["plies"]
    assert (best["ply"], best["rank"], best["mean"], best["visits"]) == ("c4", 0, 0.65, 40.0)
    assert best["visited"]["rate"] == 0.65
    assert (other["ply"], other["mean"]) == ("d3", 0.4)
    assert "mean" not in unvisited
    assert all("score" not in ply for ply in (best, other, unvisited))


def test_a_ply_that_wins_says_whether_that_is_proven() -> None:
    mate = {"mate": {"score": 1000, "step": 1, "threshold": 900}}
    over = {"ply": "d3", "score": 999, "outcome": "terminal", "ending": "win"}
    root = {"layer": "max", "score": 999, "children": [over, {"ply": "c4", "score": 997}]}
    log = log_of(root, game="reversi", search=mate)
    won, other = board_drawing(Tree(log), 0, Boards(log))["plies"]
    assert (won["proof"], other["proof"]) == ({"is": "proven"}, {"is": "none"})


def test_a_game_without_cells_has_no_plies_on_a_board() -> None:
    assert plies({"ply": "e4", "score": 1}, game="shogi") == []


def test_no_more_plies_are_sent_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_pages, "MOST_PLIES", 1)
    assert [ply["ply"] for ply in plies({"ply": "d3", "score": 1}, {"ply": "c4", "score": 5})] == ["c4"]

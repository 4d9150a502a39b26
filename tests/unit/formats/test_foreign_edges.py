"""Rows that list edges, of which one field names the row that they lead to."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.formats.foreign.reader import read_foreign
from tests.property.test_foreign_bytes import check
from tests.unit.formats.test_foreign import plies, scores

BOARDS: dict[str, list[tuple[int, str, int]]] = {
    "000": [(0, "100", 1), (1, "010", -1)],
    "100": [(1, "120", 1)],
    "010": [(0, "210", -1)],
    "120": [],
    "210": [],
}


def board_map() -> dict[str, Any]:
    return {
        board: {
            "turn": 1 + (board.count("0") == 2),
            "next_moves": [{"pos": pos, "to_board": to, "minimax_score": score} for pos, to, score in edges],
        }
        for board, edges in BOARDS.items()
    }


def rows(target: str, ply: str) -> list[dict[str, Any]]:
    numbers = {board: at for at, board in enumerate(BOARDS)}
    return [
        {
            "id": numbers[board],
            "children": [{target: numbers[to], ply: f"m{pos}", "v": v} for pos, to, v in edges],
        }
        for board, edges in BOARDS.items()
    ]


@pytest.mark.parametrize(
    ("target", "ply"), [("to", "move"), ("childId", "mv"), ("nextState", "action"), ("id", "zug")]
)
def test_edges_in_rows_are_followed_whatever_names_their_target(target: str, ply: str) -> None:
    log = read_foreign(rows(target, ply))
    assert log.columns["parent"].tolist() == [-1, 0, 1, 0, 3]
    assert plies(log) == [None, "m0", "m1", "m1", "m0"]
    assert scores(log) == [None, 1, 1, -1, -1]


def test_an_edge_to_a_board_that_is_not_there_makes_an_empty_node() -> None:
    boards = board_map()
    del boards["210"]
    log = read_foreign(boards)
    assert log.n_rows == 5
    assert any('lead to "210"' in notice for notice in log.notices)


def test_children_that_name_their_parent_are_nodes_and_no_edges() -> None:
    trees = [{"id": at, "children": [{"id": at + 10, "parent": at, "score": 3}], "score": 3} for at in (1, 2)]
    log = read_foreign(trees)
    assert log.columns["parent"].tolist() == [-1, 0, -1, 2]


def test_they_are_the_same_from_bytes_and_from_values() -> None:
    numbers = range(3000)
    large = {
        f"b{at}": {
            "best": at % 7,
            "next": [{"pos": side, "to": f"b{2 * at + side}"} for side in (1, 2) if 2 * at + side < 3000],
        }
        for at in numbers
    }
    for document in (board_map(), large, {"x": 1, "states": large}):
        text = json.dumps(document).encode()
        log = check(text, heads=(2**13, 2**20))
        assert log is not None
        assert log.mapping["ply"] == "edge.pos"

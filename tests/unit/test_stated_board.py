"""A board that a header states: drawn at the root, plies laid on it by the cells they name, faults said."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.visualizer.boards import Boards
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.node_pages import board_drawing
from tests.unit.logs import log_of

BOARD: dict[str, Any] = {
    "kind": "squares",
    "cells": [
        {"x": 0, "y": 0, "name": "a2", "pieces": ["white disc"]},
        {"x": 1, "y": 0, "name": "b2", "value": 3.5, "label": "w"},
        {"x": 0, "y": 1, "name": "a1", "value": 1},
        {"x": 1, "y": 1, "name": "b1"},
    ],
    "value": "heat",
    "labels": {"w": "wall", "n": 3},
}
ROOT: dict[str, Any] = {
    "layer": "max",
    "score": 2,
    "children": [
        {"ply": "wall B2 + gate a1", "score": 2, "children": [{"ply": "b1", "score": 2}]},
        {"ply": "pass", "score": 1},
        {"ply": "a10 + xb1", "score": 0},
    ],
}


def drawings(board: Any = BOARD, game: str = "mine") -> tuple[Boards, Tree]:
    log = log_of(ROOT, game=game, board=board)
    return Boards(log), Tree(log)


def test_the_root_is_drawn_as_stated_with_its_plies_where_they_begin() -> None:
    boards, tree = drawings()
    drawn = board_drawing(tree, 0, boards)
    assert boards.are_drawn
    assert drawn["kind"] == "squares"
    assert drawn["cells"][1] == {"x": 1, "y": 0, "name": "b2", "label": "w", "pieces": [], "value": 3.5}
    assert (drawn["value"], drawn["labels"]) == ("heat", {"w": "wall"})
    assert [(ply["ply"], ply["to"]) for ply in drawn["plies"]] == [("wall B2 + gate a1", [1, 0])]


def test_a_ply_at_the_root_marks_its_cells_and_below_it_nothing_is_known() -> None:
    boards, _ = drawings()
    drawn = boards.drawing(1)
    assert drawn["last"] == [[1, 0], [0, 1]]
    assert [cell["pieces"] for cell in drawn["cells"]] == [["white disc"], ["+"], ["+"], []]
    assert boards.drawing(2) == {
        "drawing": None,
        "reason": "the log states the board of its root; below the first ply it is not known",
    }
    assert boards.drawing(3)["last"] == boards.drawing(4)["last"] == []


@pytest.mark.parametrize(
    ("board", "said"),
    [
        (3, "has no `kind`: expected squares, hexes, points or free"),
        ({"kind": "hexes", "cells": []}, "has no `cells`: expected a list of 1 to 4,096"),
        ({"kind": "hexes", "cells": [3]}, "`board.cells[0]` is no object"),
        ({"kind": "hexes", "cells": [{"x": 0}]}, "`board.cells[0]`.y is None, expected a whole number"),
        ({"kind": "points", "cells": [{"x": 0.5, "y": 0}]}, ".x is 0.5, expected a whole number"),
        ({"kind": "free", "cells": [{"x": "1", "y": 0}]}, ".x is '1', expected a number"),
        (
            {"kind": "free", "cells": [{"x": 0, "y": 0}], "lines": ["a"]},
            "`board.lines` is ['a'], expected lists of names",
        ),
        ({"kind": "hexes", "cells": [{"x": 0, "y": 0, "name": 3}]}, ".name is 3, expected a text"),
        ({"kind": "hexes", "cells": [{"x": 0, "y": 0, "pieces": "x"}]}, ".pieces is 'x', expected a list"),
        ({"kind": "hexes", "cells": [{"x": 0, "y": 0, "value": "x"}]}, ".value is 'x', expected a number"),
    ],
)
def test_what_is_wrong_with_a_board_is_said(board: Any, said: str) -> None:
    boards, tree = drawings(board)
    assert said in boards.drawing(0)["reason"]
    assert "plies" not in board_drawing(tree, 0, boards)


def test_lines_between_free_places_and_dark_cells_are_drawn_as_stated() -> None:
    cells = [{"x": 0.5, "y": 0, "name": "b1", "dark": True}, {"x": 2, "y": 1.5, "name": "pit"}]
    boards, _ = drawings({"kind": "free", "cells": cells, "lines": [["b1", "pit"]]})
    drawn = boards.drawing(0)
    assert drawn["lines"] == [["b1", "pit"]]
    nameless, _ = drawings({"kind": "hexes", "cells": [{"x": 0, "y": 0}]})
    assert (nameless.drawing(0)["cells"][0]["name"], nameless.drawing(1)["last"]) == ("", [])
    assert len(drawings(game="tictactoe")[0].drawing(0)["cells"]) == 9  # a game of ours by its rules
    assert drawn["cells"][0] == {"x": 0.5, "y": 0, "name": "b1", "dark": True, "pieces": []}

"""Boards of small logs, by the rules of a game or as a header states them: what is drawn, and why not."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest

from plyscope.visualizer.boards import Boards
from plyscope.visualizer.store import positions, words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.node_pages import board_drawing
from tests.unit.logs import log_of

REVERSI = {"game": "reversi"}


def chain(header: Mapping[str, Any], plies: Sequence[str | None], **texts: Mapping[int, str]) -> Log:
    """A log of one path: row i is reached by `plies[i - 1]`; `position={2: "…"}` states that of row 2."""
    nodes: list[dict[str, Any]] = [{"outcome": "searched"} for _ in range(len(plies) + 1)]
    for node, ply in zip(nodes[1:], plies, strict=True):
        node |= {} if ply is None else {"ply": ply}
    for name, stated in texts.items():
        for row, text in stated.items():
            nodes[row][name] = text
    for above, below in pairwise(nodes):
        above["children"] = [below]
    return log_of(nodes[0], **header)


def drawn(log: Log, row: int) -> dict[str, Any]:
    return Boards(log).drawing(row)


def reason(log: Log, row: int) -> str:
    answer = drawn(log, row)
    assert answer["drawing"] is None
    return str(answer["reason"])


def discs(drawing: Mapping[str, Any]) -> dict[str, list[str]]:
    return {cell["name"]: cell["pieces"] for cell in drawing["cells"] if cell["pieces"]}


def test_a_node_shows_the_last_ply_and_what_it_changed() -> None:
    """Black plays d3 and turns d4 over: both cells changed."""
    drawing = drawn(chain(REVERSI, ["d3"]), 1)
    assert discs(drawing)["d4"] == ["black disc"]
    assert drawing["last"] == [[3, 2], [3, 3]]
    assert drawing["changed"] == [[3, 2], [3, 3]]
    assert drawn(chain(REVERSI, ["d3"], board={1: "words"}), 1)["kind"] == "squares"
    stated = drawn(chain({"game": "connect-four", "position": "4453"}, ["4"]), 1)
    assert (stated["last"], len(discs(stated))) == ([[3, 3]], 5)


def test_a_position_stated_by_a_node_stands_above_replay() -> None:
    """Without a legal ply into it, the position is drawn but nothing is marked."""
    log = chain({"game": "connect_four"}, ["no such ply", "1"], position={1: "12"})
    assert sorted(discs(drawn(log, 1))) == ["1.1", "2.1"]
    assert drawn(log, 1)["last"] == []
    assert drawn(log, 2)["last"] == [[0, 4]]


@pytest.mark.parametrize(
    ("header", "plies", "message"),
    [
        ({}, [], "does not say which game"),
        ({"game": 3}, [], "does not say which game"),
        ({"game": "shogi"}, [], "no game 'shogi'; the games are: .*reversi"),
        ({"game": "reversi", "position": "rubbish"}, [], "position in the log cannot be read: a Reversi"),
        ({"game": "reversi", "position": [1] * 99}, [], r"position is \[1, 1, .*…, expected a text"),
        (REVERSI, ["d3", "d3", "c4"], "ply 2 of the path cannot be played: 'd3' is no legal ply for white"),
        (REVERSI, ["d3", None, "c4"], "ply 2 of the path is not in the log"),
    ],
)
def test_what_cannot_be_drawn_has_a_reason(
    header: Mapping[str, Any], plies: Sequence[str | None], message: str
) -> None:
    log = chain(header, plies)
    assert re.search(message, reason(log, len(plies)))


def test_a_stub_has_no_position() -> None:
    log = chain(REVERSI, ["d3"])
    log.columns["outcome"][1] = words.PRUNED
    assert "stands for plies" in reason(log, 1)


def test_a_board_in_words_serves_games_that_are_not_ours() -> None:
    log = chain({"game": "shogi"}, ["e4"], board={1: "r n b\n. . ."})
    assert drawn(log, 1) == {"kind": "text", "cells": [], "text": "r n b\n. . .", "last": [], "changed": []}
    assert "no game 'shogi'" in reason(log, 0)


def test_walking_down_a_path_replays_one_ply_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    from plyscope.engine.games.reversi import GAME

    log = chain(REVERSI, ["d3", "c3", "c4", "e3"])
    boards = Boards(log)
    boards.drawing(3)
    played: list[int] = []
    apply = GAME.apply
    monkeypatch.setattr(
        type(GAME), "apply", staticmethod(lambda state, ply: played.append(apply(state, ply)))
    )
    boards.drawing(2)
    assert len(played) == 0
    boards.drawing(4)
    assert len(played) == 1


def test_forgetting_old_positions_changes_no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    log = chain(REVERSI, ["d3", "c3", "c4", "e3"])
    expected = [drawn(log, row) for row in range(5)]
    monkeypatch.setattr(positions, "MOST_KEPT", 2)
    boards = Boards(log)
    assert [boards.drawing(row) for row in (4, 0, 3, 1, 2)] == [expected[row] for row in (4, 0, 3, 1, 2)]


def test_a_piece_that_moves_ends_on_the_last_cell_and_left_the_first() -> None:
    """White's beetle climbs from below wS1 onto it; in Reversi d3 is where the ply ends."""
    position = "Base;InProgress;White[4];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 /wS1;bA1 bQ-"
    boards = Boards(chain({"game": "hive", "position": position}, ["wB1 wS1"]))
    drawing = boards.drawing(1)
    assert drawing["step"] == {"from": [-1, 1], "to": [0, 0]}
    assert drawing["last"] == [[-1, 1], [0, 0]]
    assert drawn(chain(REVERSI, ["d3"]), 1)["step"] == {"to": [3, 2]}


def test_a_root_marks_the_last_ply_of_its_game_where_the_position_tells_it() -> None:
    """The same as a node that was reached by this ply; a position of Reversi has no plies."""
    played = "wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wB1 /wS1;bA1 bQ-;wB1 wS1"
    before = {"game": "hive", "position": f"Base;InProgress;Black[4];{played}"}
    after = {"game": "hive", "position": f"Base;InProgress;White[5];{played};bA2 bA1-"}
    stated = drawn(chain(after, []), 0)
    assert stated == drawn(chain(before, ["bA2 bA1-"]), 1)
    assert stated["step"] == {"to": [4, 0]}
    assert drawn(chain(before, []), 0)["step"] == {"from": [-1, 1], "to": [0, 0]}
    reversi = Boards(chain(REVERSI, ["d3"])).position(1)
    assert drawn(chain({"game": "reversi", "position": reversi}, []), 0)["last"] == []
    # A node that states its game marks its last ply, though the plies before it are not in the log.
    log = chain({"game": "hive"}, ["?"], position={1: "Base;InProgress;White[2];wS1;bG1 wS1-"})
    assert drawn(log, 1)["step"] == {"to": [1, 0]}


def test_a_placement_and_a_pass_leave_no_cell() -> None:
    assert "from" not in drawn(chain({"game": "hive"}, ["wS1"]), 1)["step"]
    passed = drawn(chain({"game": "hive", "position": blocked()}, ["wA3 bA3/", "pass"]), 2)
    assert (passed["last"], passed["changed"], "step" in passed) == ([], [], False)


def blocked() -> str:
    """A row of all pieces, white's at the left; a white ant beside black's last one pins that too."""
    order = ("G1", "Q", "S1", "S2", "B1", "B2", "G2", "G3", "A1", "A2", "A3")
    plies = ["wG1", "bG1 wG1-"]
    for piece, beside in zip(order[1:], order, strict=False):
        plies += [f"w{piece} -w{beside}", f"b{piece} b{beside}-"]
    return ";".join(["Base;InProgress;White[12]", *plies])


def test_hands_hold_what_is_not_in_play() -> None:
    drawing = drawn(chain({"game": "hive", "position": "Base+P"}, ["wG1", "bA1 wG1-"]), 2)
    white, black = drawing["hands"]
    assert white == ["wQ", "wS1", "wS2", "wB1", "wB2", "wG2", "wG3", "wA1", "wA2", "wA3", "wP"]
    assert "bA1" not in black
    assert len(black) == 11
    assert "hands" not in drawn(chain(REVERSI, []), 0)
    start = drawn(chain({"game": "hive"}, ["wS1"]), 0)
    assert start["cells"] == [{"x": 0, "y": 0, "pieces": [], "name": ""}]
    assert ([len(hand) for hand in start["hands"]], "step" in start) == ([11, 11], False)


def test_a_king_that_is_attacked_is_marked() -> None:
    log = chain({"game": "chess", "position": "7k/6pp/8/8/8/8/8/R3K2R w KQ -"}, ["a1a8"])
    assert [drawn(log, row).get("check") for row in range(2)] == [None, [7, 0]]


def test_plies_that_leave_a_king_under_attack_are_played_until_it_is_taken() -> None:
    log = chain({"game": "chess", "position": "4k3/8/8/8/1b6/8/3N4/4K3 w - -"}, ["d2f3", "b4e1", "f3e1"])
    pieces = [len(discs(drawn(log, row))) for row in range(3)]
    assert pieces == [4, 4, 3]
    assert "a king was taken" in reason(log, 3)
    stated = chain(log.header, ["d2f3"], position={1: "4k3/8/8/8/1b6/5N2/8/4K3 b - -"})
    assert drawn(stated, 1)["cells"] == drawn(log, 1)["cells"]


def test_steps_leave_out_what_is_no_ply_here() -> None:
    log = chain(REVERSI, ["d3", "z9"])
    boards = Boards(log)
    assert list(boards.steps(0, [1])) == [1]
    assert boards.steps(1, [2]) == {}
    assert Boards(chain({"game": "shogi"}, ["e4"])).steps(0, [1]) == {}


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
        ({"kind": "hexes", "cells": [{"x": True, "y": 0}]}, ".x is True"),
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

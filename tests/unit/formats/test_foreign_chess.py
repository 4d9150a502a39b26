"""Trees of chess engines that do not say so, and those of other games, which are not taken for chess."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from plyscope.engine.games import find
from plyscope.engine.games.chess import GAME, read_position, write_fen, write_position, write_uci
from plyscope.engine.kernel_game import legal_plies
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.meaning.mapping import parse_mapping
from plyscope.visualizer.formats.foreign.reader import read_bytes, read_foreign
from tests.unit.logs import there

MIDDLE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
UNDONE = "`game=` in the mapping undoes that"


def tree(
    position: str,
    depth: int,
    write: Callable[[Any, int], str] | None = None,
    *,
    fen: str = "",
    before: str = "",
) -> dict[str, Any]:
    """All plies to a depth, nodes with their positions as `fen`, or with those `before` their plies."""

    def node(state: Any, left: int) -> dict[str, Any]:
        found: dict[str, Any] = {fen: write_fen(state)} if fen else {}
        if left == 0:
            return {**found, "score": 0}
        found["children"] = []
        for ply in legal_plies(GAME, state)[:24]:
            after = state.copy()
            GAME.apply(after, ply)
            child = {"move": write(state, ply) if write else write_uci(ply), **node(after, left - 1)}
            found["children"].append({**child, **({before: write_fen(state)} if before else {})})
        return found

    return node(read_position(position), depth)


def rows(root: dict[str, Any]) -> list[dict[str, Any]]:
    """The nodes of a tree as rows that name their parents."""
    found: list[dict[str, Any]] = []
    waiting: list[tuple[dict[str, Any], int | None]] = [(root, None)]
    for number, (node, parent) in enumerate(waiting):
        fields = {name: value for name, value in node.items() if name != "children"}
        found.append({"id": number, "parent": parent, **fields})
        waiting += [(child, number) for child in node.get("children", ())]
    return found


def start_after(*plies: str) -> str:
    return write_position(read_position(f"startpos moves {' '.join(plies)}"))


AFTER_E5 = "startpos moves e2e4 e7e5"
FORMS: dict[str, tuple[Any, str]] = {
    "a FEN around the tree": ({"engine": "mine", "fen": MIDDLE, "tree": tree(MIDDLE, 1)}, MIDDLE),
    "a FEN deeper around the tree": ({"of": {"from": MIDDLE}, "tree": tree(MIDDLE, 1), "depth": 1}, MIDDLE),
    "FENs under the name of a board": (tree(MIDDLE, 1, GAME.write_ply, fen="board"), MIDDLE),
    "FENs before the plies": (tree(MIDDLE, 2, before="fen_before"), MIDDLE),
    "rows that all state the FEN of the root": ([{**r, "of": MIDDLE} for r in rows(tree(MIDDLE, 1))], MIDDLE),
    "rows with FENs": (rows(tree(MIDDLE, 1, fen="epd")), MIDDLE),
    "FENs below the root": ({"children": tree("startpos", 1, fen="fen")["children"]}, start_after()),
    "FENs below the root, from the middle": ({"children": tree(MIDDLE, 1, fen="fen")["children"]}, MIDDLE),
    "nothing but plies in UCI": (tree("startpos", 1), start_after()),
    "nothing but plies in SAN": (tree("startpos", 2, GAME.write_ply), start_after()),
    "a root with a word for its ply": ({"move": "root", **tree("startpos", 1)}, start_after()),
    "a root with the ply before": ({"move": "e2e4", **tree("startpos moves e2e4", 1)}, start_after("e2e4")),
    "the plies before, and the game's name": (
        {"variant": "Chess", "moves": "e2e4 e7e5", "root": tree(AFTER_E5, 1, GAME.write_ply)},
        start_after("e2e4", "e7e5"),
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_tree_of_chess_is_told_by_what_it_has(form: str) -> None:
    document, position = FORMS[form]
    log = read_foreign(document)
    assert log.header["game"] == "chess"
    assert sum(UNDONE in notice for notice in log.notices) == 1
    boards = Boards(log)
    assert there(boards.position(0)).split()[:4] == position.split()[:4]
    assert all(boards.drawing(row)["cells"] for row in range(log.n_rows))
    by_tape = read_bytes(TapeDocument(json.dumps(document).encode(), run=lambda kernel: kernel))
    assert by_tape is None or Boards(by_tape).position(0) == boards.position(0)
    undone = read_foreign(document, mapping=parse_mapping("game="))
    assert "game" not in undone.header
    assert not any(UNDONE in notice for notice in undone.notices)


def test_a_mapping_says_that_a_few_plies_are_of_a_game_and_states_the_position_of_the_roots() -> None:
    few = {"children": [{"move": "e2e4"}, {"move": "d2d4"}]}
    assert "game" not in read_foreign(few).header
    for game in ("chess", "hive"):
        log = read_foreign(few, mapping=parse_mapping(f"game={game}"))
        assert log.header["game"] == log.mapping["game"] == game
    document = tree(MIDDLE, 1)
    assert "game" not in read_foreign(document).header
    log = read_foreign(document, mapping=parse_mapping(f"position={MIDDLE}"))
    assert Boards(log).position(0) == MIDDLE
    assert log.mapping["position"] == MIDDLE


def test_half_the_scores_tell_the_layers_since_players_take_turns() -> None:
    replies = [{"move": "e5", "score": 30}, {"move": "c5", "score": 80}]
    first = {"move": "e4", "score": 30, "children": replies}
    plies = [first, {"move": "d4", "score": 95}, {"move": "a3", "score": 5}]
    document = {"fen": "startpos", "score": 30, "children": plies}
    assert check(read_foreign(document)).findings() == []
    log = read_foreign(document, mapping=parse_mapping("game=chess"))
    assert [(each.rule, each.id) for each in check(log).findings()] == [("value", 0)]


def plies_of(name: str) -> list[dict[str, Any]]:
    """All plies of the start of a game, and what may be played after each."""
    game: Any = find(name)

    def below(state: Any, left: int) -> list[dict[str, Any]]:
        found = []
        for ply in legal_plies(game, state) if left else ():
            game.apply(after := state.copy(), ply)
            found.append({"move": game.write_ply(state, ply), "children": below(after, left - 1)})
        return found

    return below(game.read_position(game.start), 3)


NEAR = ["ab", "abc", "bcd", "cde", "def", "efg", "fgh", "gh"]
"""Of each file of a board, itself and its neighbours."""
CHECKERS = ("ab", "cb", "cd", "ed", "ef", "gf", "gh")


def moves(*named: str) -> dict[str, Any]:
    return {"children": [{"move": each} for each in named]}


OTHERS: dict[str, Any] = {
    "Reversi": {"children": plies_of("reversi")},
    "tic-tac-toe": {"children": plies_of("tictactoe")},
    "Gomoku": moves(*(f"{file}{rank}" for file in "abcdefghjk" for rank in range(1, 11))),
    "checkers": moves(*(f"{a}3{b}4" for a, b in CHECKERS)),
    "Breakthrough": moves(*(f"{'abcdefgh'[at]}2{to}3" for at, near in enumerate(NEAR) for to in near)),
    "Xiangqi": moves(*(f"{file}3{file}4" for file in "acegi"), *["h2e2"] * 20),
    "chess that cannot be played from the start": tree(MIDDLE, 1),
    "a FEN from which no ply can be played": {"fen": MIDDLE, "tree": moves("e2e4", "d2d4")},
    "a FEN that no game can have": {"fen": MIDDLE.replace("K2R", "4"), "tree": moves("e1e2")},
}


@pytest.mark.parametrize("game", OTHERS)
def test_other_trees_are_left_as_they_are(game: str) -> None:
    log = read_foreign(OTHERS[game])
    assert "game" not in log.header
    assert "position" not in log.header
    assert not any(UNDONE in notice for notice in log.notices)

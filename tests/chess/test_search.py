"""Chess through the one search: what a recorded one says of it, and what check and boards make of a log."""

from __future__ import annotations

import json
from typing import Any

import chess
import pytest

from plyscope.engine.games.chess import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.seal.recording import log_from_recording

MIDDLE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
TECHNIQUES: dict[str, Any] = {
    "algorithm": "pvs",
    "iterative": True,
    "table": 1.0,
    "killers": True,
    "history": True,
    "quiescence": 2,
    "null_move": 2,
}


@pytest.mark.parametrize("said", [{}, TECHNIQUES], ids=["plain", "techniques"])
def test_check_finds_nothing_wrong_and_the_line_is_legal(said: dict[str, Any]) -> None:
    recording = search(GAME, MIDDLE, SearchOptions(depth=3, limit=3, **said), compiled=False)
    board = chess.Board(MIDDLE)
    for text in recording.header["result"]["pv"]:
        assert board.san(board.parse_san(text)) == text
        board.push_san(text)
    report = check(log_from_recording(recording), compiled=False)
    assert "replay" in report.checked
    assert report.findings() == []


def test_a_mate_is_found_with_its_distance_before_the_fiftieth_move() -> None:
    found = search(GAME, "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 99 80", SearchOptions(depth=2), compiled=False)
    assert found.ply in ("Ra8#", "Re8#")
    assert found.score == 1_000_000 - 1
    assert found.header["search"]["unit"] == "pawns"


def log_of(position: str, ply: str, **fields: Any) -> Any:
    child = {"ply": ply, "layer": "min", "score": 0.5, **fields}
    root = {"layer": "max", "score": 0.5, "children": [child]}
    return read_log(json.dumps({"plyscope": 1, "game": "chess", "position": position, "root": root}).encode())


def test_boards_are_drawn_whatever_notation_a_log_has() -> None:
    for ply in ("e4", "e2e4", "e2-e4"):
        drawn = Boards(log_of(GAME.start, ply, outcome="leaf")).drawing(1)
        assert drawn["step"] == {"to": [4, 4], "from": [4, 6]}


def test_a_board_is_drawn_after_a_null_move() -> None:
    drawn = Boards(log_of(GAME.start, "--", purpose="null", outcome="leaf")).drawing(1)
    assert drawn["kind"] == "squares"

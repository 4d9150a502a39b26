"""Boards in the terminal: of the ply explained, of a start; and why there is none."""

from __future__ import annotations

import json
from pathlib import Path

from tests.unit.cli.conftest import Command

EXAMPLES = Path(__file__).parents[3] / "examples"
REVERSI = EXAMPLES / "reversi-midgame.json.gz"


def test_explain_prints_the_position_after_the_ply(plyscope: Command) -> None:
    without = plyscope("explain", REVERSI)[1]
    code, out, _ = plyscope("explain", REVERSI, "--board")
    assert (code, out[: len(without)]) == (0, without)
    board = out[len(without) :].splitlines()
    assert board[:3] == ["", "after f8", "   a   b   c   d   e   f   g   h"]
    assert board[10:] == [
        "8  .   .   b   b   b  [b]  .   .",
        "b: black disc, w: white disc; [ ] last ply, ( ) changed by it",
    ]
    assert json.loads(plyscope("explain", REVERSI, "--board", "--json")[1])["board"]["step"] == {"to": [5, 7]}


def test_explain_says_why_there_is_no_board(plyscope: Command, tmp_path: Path) -> None:
    log = tmp_path / "log.json"
    children = [{"ply": "a", "score": 1}, {"ply": "b", "score": 0}]
    log.write_text(json.dumps({"plyscope": 1, "root": {"layer": "max", "score": 1, "children": children}}))
    out = plyscope("explain", log, "--board")[1]
    assert "no board: the log does not say which game it is of" in out
    code, _, err = plyscope("picture", log, "--board")
    assert code == 2
    assert "there is no board: the log does not say" in err


def test_perft_prints_the_position_first(plyscope: Command) -> None:
    out = plyscope("perft", "tictactoe", 1, "--board")[1].splitlines()
    assert out[0].split() == ["a", "b", "c"]
    assert out[-1].startswith("9 leaves")

"""Logs of chess: recorded searches, boards, and draws that engines may take or miss where they see others."""

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

ROOK = "7k/8/8/8/8/8/R7/K7 w - - 0 1"
BACK_AND_FORTH = ("a2b2", "h8g8", "b2a2", "g8h8")
DRAWN = {"outcome": "terminal", "ending": "draw"}
PASSED = {"purpose": "null"}


def line(plies: Any, **last: Any) -> dict[str, Any]:
    """A root with one line below, each ply a text or a text with fields of its node; `last` is of its end."""
    root: dict[str, Any] = {"score": 0}
    node = root
    for ply in plies:
        text, fields = (ply, {}) if isinstance(ply, str) else ply
        below = {"ply": text, "score": 0, "outcome": "searched", **fields}
        node["children"] = [below]
        node = below
    node.update(last)
    return root


def replayed(position: str, *roots: dict[str, Any], **search: Any) -> list[tuple[str, str, str]]:
    """Severity, path and sentence of each finding of `replay`."""
    document = {"plyscope": 1, "game": "chess", "position": position, "search": search}
    document["roots"] = [{**root, "iteration": i + 1} for i, root in enumerate(roots)]
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    return [(each.severity, each.path, each.message) for each in report.findings("replay")]


@pytest.mark.parametrize(
    ("position", "plies"),
    [
        (ROOK, BACK_AND_FORTH),
        (ROOK.replace(" 0 1", " 0 1 moves a2b2 h8g8 b2a2"), ("g8h8",)),
        (ROOK, BACK_AND_FORTH + BACK_AND_FORTH),
        ("7k/8/8/8/8/8/8/KNN5 w - - 0 1", ("b1a3",)),
        ("7k/6p1/8/8/8/8/8/KN6 w - - 99 80", ("b1a3",)),
    ],
    ids=["first repetition", "of a position played", "third", "two knights", "fifty moves"],
)
@pytest.mark.parametrize("score", [0, -12])
def test_a_draw_that_engines_may_take_is_no_fault(position: str, plies: Any, score: float) -> None:
    assert replayed(position, line(plies, **DRAWN, why="draw", score=score)) == []


def test_a_draw_is_wrong_where_nothing_came_before_and_odd_where_plies_did_that_are_not_known() -> None:
    (finding,) = replayed(ROOK, line(BACK_AND_FORTH[:3], **DRAWN, why="repetition"))
    assert finding[0] == "wrong"
    assert finding[2] == "The log calls the game over here, but it goes on."
    ((severity, _, message),) = replayed(ROOK.replace(" 0 1", " 9 31"), line(["a2b2"], **DRAWN))
    assert (severity, "plies before" in message) == ("odd", True)


def test_a_repetition_that_is_missed_where_others_are_seen_is_odd() -> None:
    seen = line(BACK_AND_FORTH, **DRAWN)
    missed = line((*BACK_AND_FORTH, "a2c2"))
    assert replayed(ROOK, missed) == []
    ((severity, path, message),) = replayed(ROOK, seen, missed)
    assert (severity, path) == ("odd", "Rb2 > Kg8 > Ra2 > Kh8")
    assert "4 plies before" in message
    quiet = line([*((ply, {"quiescence": True}) for ply in BACK_AND_FORTH), "a2c2"])
    assert replayed(ROOK, seen, quiet) == []


def test_a_repetition_from_before_the_root_or_across_null_moves_may_be_a_draw_or_not() -> None:
    seen = line(("g8g7", "a2b2", "g7g8", "b2a2"), **DRAWN)
    position = ROOK.replace(" 0 1", " 0 1 moves a2b2 h8g8 b2a2")
    assert replayed(position, seen, line(("g8h8", "a2c2"))) == []
    # Two passes of one side let the other go there and back alone.
    passing = [("pass", PASSED), "h8g8", ("pass", PASSED)]
    assert replayed(ROOK, line(BACK_AND_FORTH, **DRAWN), line([*passing, "g8h8", "a2c2"])) == []
    assert replayed(ROOK, line([*passing, ("g8h8", DRAWN)])) == []


@pytest.mark.parametrize(
    ("position", "why", "n_missed"),
    [
        ("7k/8/8/8/8/8/8/KN6 w - - 0 1", "insufficient material", 3),
        ("7k/6p1/8/8/8/8/8/KN6 w - - 98 80", "fifty moves", 1),
    ],
)
def test_a_law_of_draws_that_a_log_never_uses_is_odd_and_said_once(
    position: str, why: str, n_missed: int
) -> None:
    goes_on = line(("b1a3", "h8g8", "a3b1"))
    ((severity, _, message),) = replayed(position, goes_on, goes_on)
    assert severity == "odd"
    assert why in message
    assert "no row of this log" in message
    drawn = line(("b1a3", "h8g8"), **DRAWN)
    assert len(replayed(position, drawn, line(("b1a3", "h8g8")))) == n_missed
    quiet = line([(ply, {"quiescence": True}) for ply in ("b1a3", "h8g8", "a3b1")])
    assert replayed(position, quiet) == []
    begun_in_a_draw = position.replace(" 98 ", " 100 ")
    assert replayed(begun_in_a_draw, {"score": 0, "outcome": "searched"}) == []


STALEMATE = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7"
MATE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8#"


@pytest.mark.parametrize(("position", "ply", "why"), [(*STALEMATE, "stalemate"), (*MATE, "checkmate")])
def test_the_end_is_odd_to_miss_in_quiescence_and_wrong_before(position: str, ply: str, why: str) -> None:
    for quiet, severity in ((True, "odd"), (False, "wrong")):
        last = {"outcome": "cutoff", "cut_by": "stand_pat", "stand_pat": 9, "score": 9, "quiescence": quiet}
        said = f"The game is over here ({why}), but the log calls the node cutoff."
        assert replayed(position, line([ply], **last)) == [(severity, ply, said)]


@pytest.mark.parametrize(
    ("position", "ply", "taken_for", "said"),
    [
        (*STALEMATE, {"ending": "win"}, "The game is a draw here (stalemate), but the log says win"),
        (
            *STALEMATE,
            {"score": 9},
            "The game is over here (stalemate) and worth 0, but the search returned 9",
        ),
        (*MATE, {"ending": "draw"}, "The game is a win here (checkmate), but the log says draw"),
        (*MATE, {"score": 0}, "white has won here, but the search returned 0, which is a draw's"),
    ],
)
def test_mate_and_stalemate_taken_for_each_other_are_wrong(
    position: str, ply: str, taken_for: Any, said: str
) -> None:
    end = line([ply], outcome="terminal", **{"score": 9, **taken_for})
    assert replayed(position, end, draw=0, fail="soft") == [("wrong", ply, f"{said}.")]


def test_a_check_is_given_or_not_as_the_log_says_but_for_a_leaf_which_may_not_have_looked() -> None:
    position = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    check_and_none = line([("a1a8", {"in_check": True}), ("e8d7", {"in_check": False}), "a8a7"])
    assert replayed(position, check_and_none) == []
    assert replayed(position, line(["a1a8"], outcome="leaf", in_check=False)) == []
    ((severity, path, message),) = replayed(position, line([("Ra8+", {"in_check": False}), "e8d7"]))
    assert (severity, path, "in check" in message) == ("wrong", "Ra8+", True)


def test_what_stands_below_a_try_at_the_same_position_is_played() -> None:
    probe: dict[str, Any] = {"purpose": "probe", "score": 0, "children": [{"ply": "a2h3", "score": 0}]}
    ((severity, path, message),) = replayed(ROOK, {"score": 0, "children": [probe]})
    assert severity == "wrong"
    assert path.endswith("a2h3")
    assert "'a2h3' is no legal ply" in message


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


def test_check_finds_nothing_wrong_and_the_line_is_legal() -> None:
    recording = search(GAME, MIDDLE, SearchOptions(depth=3, limit=3, **TECHNIQUES), compiled=False)
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


def test_boards_are_drawn_whatever_notation_a_log_has_and_after_a_null_move() -> None:
    for ply in ("e4", "e2e4", "e2-e4"):
        drawn = Boards(log_of(GAME.start, ply, outcome="leaf")).drawing(1)
        assert drawn["step"] == {"to": [4, 4], "from": [4, 6]}
    drawn = Boards(log_of(GAME.start, "--", purpose="null", outcome="leaf")).drawing(1)
    assert drawn["kind"] == "squares"

"""The games of examples/games: their rules against slow twins, read back, searched, drawn and replayed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plyscope
from plyscope.engine.game import GameError, meanings_of
from plyscope.engine.games import find_as_written, game_files, outside
from plyscope.engine.games import load_game as load
from plyscope.engine.games.plain import plies_of
from plyscope.engine.run import search
from plyscope.log import Log, tree_of
from plyscope.visualizer.analysis.explain.exact_question import question_of, worth_of
from plyscope.visualizer.board_picture import board_picture
from plyscope.visualizer.board_text import board_text
from plyscope.visualizer.boards import Boards, drawing_of
from plyscope.visualizer.formats.seal.recording import log_from_recording

GAMES = Path(__file__).parents[2] / "examples" / "games"
PLACES = {
    "draughts": f"{GAMES}/draughts.py:Draughts",
    "hexagons": f"{GAMES}/hexagons.py:Yavalath",
    "einstein": f"{GAMES}/einstein.py:EinStein",
}


def positions(game: Any, seed: int) -> Iterator[tuple[Any, list[Any]]]:
    """The positions of a random game, each with its plies, to the end."""
    rng, position = random.Random(seed), game.start()
    while plies := list(plies_of(game, position)):
        yield position, plies
        position = game.apply(position, rng.choice(plies))
    yield position, []


@pytest.mark.parametrize("name", PLACES)
def test_a_game_is_short_and_keeps_the_promises_of_the_docs(name: str) -> None:
    source = Path(PLACES[name].rpartition(":")[0])
    assert len(source.read_text("utf-8").splitlines()) < 120
    game = load(PLACES[name])
    assert set(meanings_of(game)) == set(game.factors)
    for seed in range(10):
        for position, plies in positions(game, seed):
            assert game.read_position(game.write_position(position)) == position
            assert (game.winner(position) is None) == bool(plies)
            assert len(game.values(position)) == len(game.factors)
            assert len({game.write_ply(position, ply) for ply in plies}) == len(plies)
            drawing = drawing_of(game.board(position))
            assert board_text(drawing)
            assert board_picture(drawing).elements
    with pytest.raises(GameError, match="expected"):
        game.read_position("rubbish")


# Draughts ----------------------------------------------------------------------------------------------


def slow_plies(position: Any) -> set[str]:
    """The plies by squares as names, each square and each way tried, captures by taking discs off a copy."""
    board, side, quiet = position
    discs = {f"{'abcdef'[i % 6]}{6 - i // 6}": disc for i, disc in enumerate(board) if disc != "."}

    def step(square: str, right: int, up: int) -> str:
        column, row = ord(square[0]) + right, int(square[1]) + up
        return f"{chr(column)}{row}" if ord("a") <= column <= ord("f") and 1 <= row <= 6 else ""

    def jumps(square: str, disc: str, left: dict[str, str]) -> list[str]:
        ways = []
        for right in (-1, 1):
            for up in (-1, 1):
                over, to = step(square, right, up), step(square, 2 * right, 2 * up)
                goes = disc in "WB" or up == (1 if disc == "w" else -1)
                enemies = "bB" if disc in "wW" else "wW"
                if goes and to and left.get(over, " ") in enemies and to not in still:
                    others = {each: left[each] for each in left if each != over}
                    ways += [f"x{to}{rest}" for rest in jumps(to, disc, others)]
        return ways or [""]

    captures, steps = set(), set()
    for square, disc in discs.items():
        if disc.lower() == side:
            # Discs are taken off at the end of a ply, so nothing jumps onto them.
            still = discs.keys() - {square}
            captures |= {square + way for way in jumps(square, disc, {s: discs[s] for s in still}) if way}
            ups = (1, -1) if disc in "WB" else (1,) if disc == "w" else (-1,)
            ends = {step(square, right, up) for right in (-1, 1) for up in ups}
            steps |= {f"{square}-{to}" for to in ends if to and to not in discs}
    return set() if quiet >= 40 else captures or steps


def test_draughts_has_the_plies_of_a_slow_twin() -> None:
    game = load(PLACES["draughts"])
    seen = set()
    for seed in range(30):
        for position, plies in positions(game, seed):
            found = {game.write_ply(position, ply) for ply in plies}
            assert found == slow_plies(position), position
            seen |= {ply.count("x") for ply in found} | set(position[0])
    assert {0, 1, 2, "W", "B"} <= seen, "long captures and crowned discs came about"


def test_a_capture_goes_on_and_a_disc_that_only_passes_the_last_row_is_not_crowned() -> None:
    """White on a3 jumps b4 and d4 and ends on e3; a step to the last row crowns."""
    game = load(PLACES["draughts"])
    position = game.read_position("....../....../.b.b../W...../....../...... w 7")
    (ply,) = game.plies(position)
    assert game.write_ply(position, ply) == "a3xc5xe3"
    after = game.apply(position, ply)
    assert game.write_position(after) == "....../....../....../....W./....../...... b 0"
    assert game.winner(after) == 1
    assert [list(place) for place in game.ply_cells(position, ply)] == [[0, 3], [1, 2], [3, 2], [4, 3]]
    quiet = game.read_position(".W..../....../....../....../....../B..... w 39")
    assert game.winner(game.apply(quiet, ((1, 0), (0, 1)))) == 3  # forty plies of crowned discs are a draw
    crowns = game.read_position("....../w...../....../....../.....b/...... w 0")
    assert game.write_position(game.apply(crowns, ((0, 1), (1, 0)))).startswith(".W....")


# Hexagons ----------------------------------------------------------------------------------------------


def longest_row(cells: set[tuple[int, int]]) -> int:
    """The longest row of cells in one of three directions, each walked cell by cell."""
    longest = 0
    for q, r in cells:
        for dq, dr in ((1, 0), (0, 1), (1, -1)):
            length = 0
            while (q + length * dq, r + length * dr) in cells:
                length += 1
            longest = max(longest, length)
    return longest


def test_hexagons_end_as_rows_of_three_and_four_say() -> None:
    game = load(PLACES["hexagons"])
    ends = set()
    for seed in range(80):
        for position, plies in positions(game, seed):
            board, player = position
            cells = [(cell.x, cell.y) for cell in game.board(position).cells]
            own = {cell for cell, disc in zip(cells, board, strict=True) if disc == "ox"[player]}
            last, row = 1 - player, longest_row(own)
            wins = (last if row > 3 else player) + 1 if row > 2 else 3
            assert game.winner(position) == (None if row < 3 and "." in board else wins)
            ends |= set() if plies else {(wins, row > 3)}
    assert ends >= {(1, False), (2, False), (1, True), (2, True)}


# EinStein ----------------------------------------------------------------------------------------------

ROLLS = [f"roll {face}" for face in range(1, 7)]


@pytest.mark.parametrize(
    ("position", "plies"),
    [
        ("ABD../CE.../F...f/...ec/..dba red 5", "5-c4 5-b3 5-c3"),
        ("ABD../CE.../F...f/...ec/..dba blue 5", "5-c2 5-d3 5-c3"),
        ("A..../....F/...../...../....a red 1", "1-b5 1-a4 1-b4"),
        ("A..../....F/...../...../....a red 3", "1-b5 1-a4 1-b4 6-e3"),
        ("A..../....F/...../...../....a red 6", "6-e3"),
        ("..B../..E../...../...../c...a red 4", "2-d5 2-c4 2-d4 5-d4 5-c3 5-d3"),
        ("..B../..E../...../...../c...a red ?", "rolls"),
        ("....A/...../...../...../a.... blue 2", "1-a2"),
        ("...../...../...../...../B.... red ?", ""),
    ],
)
def test_the_die_says_which_stones_of_einstein_move(position: str, plies: str) -> None:
    game = load(PLACES["einstein"])
    at = game.read_position(position)
    found = [game.write_ply(at, ply) for ply in plies_of(game, at)]
    assert found == (ROLLS if plies == "rolls" else plies.split())


def test_einstein_is_won_by_the_far_corner_and_by_the_last_stone() -> None:
    game = load(PLACES["einstein"])
    for text, won in (
        ("...../...../...../...../b...A blue ?", 1),
        ("a..../...../...../...../B.... red ?", 2),
        ("...../...../..B../...../..... blue ?", 1),
        ("...../...../..b../...../..... red ?", 2),
        ("...../...../..b../...../B.... red ?", None),
    ):
        assert game.winner(game.read_position(text)) == won
    at = game.read_position("AB.../...../...../...../....a red 1")
    after = game.apply(at, next(ply for ply in game.plies(at) if game.write_ply(at, ply) == "1-b5"))
    assert game.write_position(after) == ".A.../...../...../...../....a blue ?"  # it takes what stands there


ROLLED = "ABD../CE.../F...f/...ec/..dba {} 3"


@pytest.fixture(autouse=True)
def _brought(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(outside, "_brought", {})
    outside.bring(PLACES["einstein"])
    yield
    game_files.leave()


def searched(mover: str, **options: Any) -> Log:
    asked = {"depth": 2, "algorithm": "expectimax", **options}
    return plyscope.search(PLACES["einstein"], ROLLED.format(mover), progress=False, **asked)


@pytest.mark.parametrize("mover", ["red", "blue"])
def test_a_ply_that_leads_to_a_roll_is_searched_exactly_for_who_made_it(mover: str) -> None:
    """The search begins at a roll, so its scores are red's, whoever moved."""
    log = searched(mover)
    children = log.node(0).children
    assert len(children) == 3
    for child in children:
        question = question_of(tree_of(log), 0, child.ply)
        exact = log_from_recording(search(find_as_written("einstein"), question.position, question.options))
        assert worth_of(question, exact).score == pytest.approx(child.score)


def test_boards_and_replay_go_through_rolls_and_one_that_no_die_has_is_found(tmp_path: Path) -> None:
    log, path = searched("red"), tmp_path / "a.json"
    boards = Boards(tree_of(log).log)
    row = log.node("3-b3 > roll 6 > 6-d3").row
    assert boards.position(row) == "ABD../.E.../FC.f./...ec/..dba red ?"
    assert boards.drawing(row)["step"] == {"to": [3, 2], "from": [4, 2]}
    assert boards.drawing(log.node("3-b3 > roll 6").row)["hands"] == [[], ["6"]]
    log.write(path, progress=False)
    report = plyscope.check(path)
    assert ("replay" in report.checked, report.everything()) == (True, [])
    path.write_text(path.read_text("utf-8").replace('"roll 2"', '"roll 9"', 1), "utf-8")
    (finding,) = plyscope.check(path).everything()
    assert finding.rule == "replay"
    assert "'roll 9' is no legal ply for chance: expected one of roll 1, roll 2" in finding.message

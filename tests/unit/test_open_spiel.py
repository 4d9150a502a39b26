"""Games of OpenSpiel by the bridge: how many run, how many are refused and why, and what their boards are."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from plyscope.engine.game import CHANCE, Board, Cell, GameError
from plyscope.engine.games.openspiel import cells_of
from plyscope.engine.games.outside import digest, load
from plyscope.engine.games.plain import PlainKernels, plies_of
from plyscope.engine.games.promises import PROMISES, look
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.run import search as grow
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search

NEEDS = "the extra `openspiel` takes 300 MB with SciPy, too much for every test run"
pyspiel = pytest.importorskip("pyspiel", reason=NEEDS)

N_RUN = 37
REASONS = {
    "do not see everything": 47,
    "do not move in turns": 24,
    "is played by 1": 4,
    "draws its chances without listing them": 1,
}
"""As OpenSpiel 2.0 has them with its own parameters; another may have more."""


def whole_games() -> list[Any]:
    return [kind for kind in pyspiel.registered_games() if kind.default_loadable]


@pytest.mark.slow
def test_how_many_games_run_and_why_others_are_refused() -> None:
    """Each that runs is played at random and searched; no promise is broken where it was."""
    run: list[str] = []
    refused: Counter[str] = Counter()
    for kind in whole_games():
        try:
            game = load(f"openspiel:{kind.short_name}")
        except GameError as error:
            why = str(error).partition(": ")[2]
            refused[next(reason for reason in REASONS if reason in why)] += 1
            continue
        run.append(kind.short_name)
        play_and_search(game)
    assert len(run) >= N_RUN, run
    assert all(refused[reason] >= n for reason, n in REASONS.items()), refused
    assert {"breakthrough", "chess", "backgammon", "hex", "othello"} <= set(run)


def play_and_search(game: Any) -> None:
    draw = random.Random(1)
    position = game.start()
    kernels = PlainKernels(game)
    for _ in range(12):
        if not (plies := plies_of(game, position)):
            break
        position = game.apply(position, draw.choice(plies))
    state = kernels.read_position(game.write_position(position))
    at = look(kernels, state)
    for promise in PROMISES:
        assert list(promise(at)) == [], (game.name, promise.__name__)
    if game.winner(position) is not None:
        return
    text = game.write_position(position)
    if hasattr(game, "chances"):
        options = SearchOptions(depth=1, algorithm="expectimax", nodes=500)
        assert search(game, text, options).header["result"]["nodes"] > 1
    else:
        assert grow(game, text, MonteCarloOptions(playouts=2, turn_limit=4)).ply in {
            game.write_ply(position, ply) for ply in game.plies(position)
        }


def test_parameters_are_part_of_the_name_and_the_digest_of_the_version() -> None:
    game = load("openspiel:breakthrough(rows=6,columns=6)")
    assert game.name == "openspiel:breakthrough(columns=6,rows=6)"
    assert load("openspiel:breakthrough").name == "openspiel:breakthrough"
    assert len(game.plies(game.start())) == 16
    assert digest(game) == digest(load("openspiel:chess"))


def test_a_board_of_squares_shows_what_a_ply_moves_and_takes() -> None:
    game = load("openspiel:breakthrough(rows=5,columns=4)")
    position = game.start()
    board: Board = game.board(position)
    assert board.kind == "squares"
    corners = [(cell.name, cell.pieces) for cell in (board.cells[0], board.cells[-1])]
    assert corners == [("a5", ("b",)), ("d1", ("w",))]
    assert board.cells[5] == Cell(1, 1, (), "b4")
    kernels = PlainKernels(game)
    state = kernels.read_position(None)
    assert kernels.ply_cells(state, kernels.read_ply(state, "a5b4")) == [(0, 0), (1, 1)]
    assert load("openspiel:hex").board(load("openspiel:hex").start()).kind == "text"


def test_the_player_after_a_chance_is_who_moves_and_chances_add_up() -> None:
    game = load("openspiel:pig")
    rolled = game.apply(game.start(), 0)
    assert game.player(rolled) == CHANCE
    assert sum(probability for _, probability in game.chances(rolled)) == pytest.approx(1)
    assert game.read_position(game.write_position(rolled)).history() == [0]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("kuhn_poker", r"openspiel:kuhn_poker cannot be searched: its players do not see everything"),
        ("goofspiel", r"its players do not move in turns \(simultaneous\)"),
        ("catch", "it is played by 1, expected 2"),
        ("stones_and_gems", "it draws its chances without listing them"),
        ("tic_tac_to", "OpenSpiel has no game 'tic_tac_to'; did you mean tic_tac_toe?"),
        ("breakthrough(depth=3)", "OpenSpiel says Unknown parameter 'depth'"),
        ("", "expected a name such as openspiel:breakthrough"),
    ],
)
def test_what_cannot_be_searched_is_refused_by_name(
    name: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(GameError, match=message):
        load(f"openspiel:{name}")
    assert capfd.readouterr() == ("", "")  # OpenSpiel says nothing beside it


def test_a_position_of_other_actions_is_refused_and_a_text_that_is_no_rectangle_has_no_cells() -> None:
    for text, message in (("0 0", "'0' is no action: expected one of 1, 2"), ("x", "'x'")):
        with pytest.raises(GameError, match=message):
            load("openspiel:tic_tac_toe").read_position(text)
    for text in (
        "",
        "one line",
        "ab\ncd\nef",
        "|x.o|\n|...|\n|...|",
        "...\n..\n...",
        "3x..\n2...\n1..o\n abcd",
    ):
        assert cells_of(text) == ()


@pytest.mark.parametrize(
    ("text", "depth"), [("pig(winscore=15)", 5), ("einstein_wurfelt_nicht", 2), ("backgammon", 1)]
)
def test_expectimax_finds_what_openspiel_s_own_finds(text: str, depth: int) -> None:
    """At the ends of random games, where rewards are within the depth."""
    from open_spiel.python.algorithms.minimax import expectiminimax

    dice, draw = load(f"openspiel:{text}"), random.Random(1)
    options = SearchOptions(depth=depth, algorithm="expectimax")
    seen = set()
    for _ in range(3):
        path = [dice.start()]
        while not path[-1].is_terminal():
            path.append(path[-1].child(draw.choice(path[-1].legal_actions())))
        for state in path[-5:-1]:
            found = search(dice, dice.write_position(state), options)
            mover = found.root_player

            def reward(state: Any, mover: int = mover) -> float:
                return float(state.returns()[mover]) if state.is_terminal() else 0.0

            expected, _ = expectiminimax(state.clone(), depth, reward, mover)
            assert found.score == pytest.approx(expected, rel=1e-12, abs=1e-12)
            seen.add(round(expected, 6))
    assert len(seen) > 1

"""The tree of a Monte Carlo search goes on from move to move."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.engine.games.connect_four import GAME as CONNECT_FOUR
from plyscope.engine.games.tictactoe import GAME as TICTACTOE
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.run import search
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.tree import Tree
from tests.both_ways import plain_and_compiled
from tests.unit.engine.montecarlo.searches import findings, found, told


def after(position: str, *plies: str, game: Any = TICTACTOE) -> str:
    """The position after some plies."""
    state = game.read_position(position)
    for ply in plies:
        game.apply(state, game.read_ply(state, ply))
    return str(game.write_position(state))


@plain_and_compiled
@pytest.mark.parametrize("n_plies", [0, 1, 2])
def test_a_search_goes_on_with_the_tree_of_the_one_before(n_plies: int, compiled: bool) -> None:
    game: Any = CONNECT_FOUR if compiled else TICTACTOE
    plies = (("4", "3") if compiled else ("b2", "a3"))[:n_plies]
    first = found(game, playouts=2_000 if compiled else 500, seed=1, compiled=compiled)
    options = MonteCarloOptions(playouts=100, seed=2)
    here = after(game.start, *plies, game=game)
    again = search(game, here, options, compiled=compiled, tree=first.table)
    reused = again.header["result"]["reused_visits"]
    tree = Tree(log_from_recording(first))
    row = tree.log.roots[-1].row
    for ply in plies:
        row = next(child for child in tree.children(row) if tree.ply(child) == ply)
    assert reused == tree.log.columns["visits"][row]
    assert again.figures is not None
    assert again.figures["visits"][again.trees[-1].row] == reused + 100
    assert findings(again) == []


@pytest.mark.parametrize(
    ("position", "options"),
    [
        (after(TICTACTOE.start, "b2", "a3", "c3"), {}),  # three plies on
        ("X.. .X. .OO", {}),  # another game
        (after(TICTACTOE.start, "b2"), {"turn_limit": 5}),  # other play-outs
        (after(TICTACTOE.start, "b2"), {"fpu": "heuristic"}),
        (after(TICTACTOE.start, "b2"), {"weights": {"centre": 9.0}}),
    ],
)
def test_what_another_search_means_is_not_taken_over(position: str, options: Any) -> None:
    first = found(TICTACTOE, playouts=500, seed=1)
    asked = MonteCarloOptions(playouts=50, seed=2, **options)
    again = search(TICTACTOE, position, asked, compiled=False, tree=first.table)
    assert "reused_visits" not in again.header["result"]
    assert told(again) == told(search(TICTACTOE, position, asked, compiled=False))

"""Monte Carlo searches of games with dice: in tree and play-outs, outcomes come as likely as they are."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from plyscope.engine.game import CHANCE, DRAWN, FIRST_WON, SECOND_WON
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.montecarlo.draws import source_of
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.playout import play_outs
from plyscope.engine.montecarlo.run import search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store import words
from tests.oracle import nodes_of
from tests.property.chance_trees import CHANCE_TREES, ChanceTree, Node
from tests.property.examples import examples

WON, LOST = (Node(0, 0, result=result) for result in (FIRST_WON, SECOND_WON))
GOOD, BAD = (Node(CHANCE, 0, (WON, LOST), weights) for weights in ((3, 1), (1, 3)))


def test_outcomes_in_the_tree_are_visited_by_their_probabilities() -> None:
    root = Node(CHANCE, 0, tuple(Node(0, 0, result=DRAWN) for _ in range(3)), (6, 3, 1))
    recording = search(ChanceTree(root), options=MonteCarloOptions(playouts=2000, seed=1))
    assert (recording.ply, recording.root_player) == (None, 0)
    assert recording.header["search"]["root_player"] == "Ann"
    log = log_from_recording(recording)
    last = [node for node in nodes_of(log) if node.parent is None][-1]
    assert (last.layer, last.player) == (words.CHANCE, -1)
    assert [child.prior for child in last.children] == [0.6, 0.3, 0.1]
    assert np.allclose([child.visits / 2000 for child in last.children], [0.6, 0.3, 0.1], atol=0.04)


def test_outcomes_in_play_outs_are_drawn_by_their_probabilities_which_decide_the_choice() -> None:
    game = PlainKernels(ChanceTree(Node(0, 0, (GOOD,))))
    state, tally = game.read_position(None), np.zeros(4, np.int64)
    plies = np.zeros(game.max_plies, np.int32)
    recording = search(ChanceTree(Node(0, 0, (BAD, GOOD))), options=MonteCarloOptions(playouts=2000, seed=1))
    assert recording.ply == "1"
    assert abs((recording.score or 0) - 0.75) < 0.05
    n_games = play_outs(
        game, state, state.copy(), plies, np.zeros(1), np.ones(1), source_of(1), 9, 4000, tally
    )
    assert (n_games, tally.sum()) == (4000, 4000)
    assert abs(tally[FIRST_WON] / 4000 - 0.75) < 0.03


@settings(max_examples=examples(100), deadline=None)
@given(CHANCE_TREES)
def test_check_finds_nothing_in_logs_of_games_with_dice(root: Node) -> None:
    options = MonteCarloOptions(playouts=60, seed=1, fpu="heuristic", log_visits=2)
    for asked in (options, MonteCarloOptions(playouts=60, seed=1)):
        log = log_from_recording(search(ChanceTree(root), options=asked))
        assert [each.message for each in check(log, compiled=False).findings()] == []


def test_a_position_that_has_more_outcomes_than_buffers_is_searched() -> None:
    outcomes = tuple(Node(0, 0, result=DRAWN) for _ in range(200))
    root = Node(0, 0, (Node(CHANCE, 0, outcomes, (1,) * 200), Node(0, 0, result=SECOND_WON)))
    recording = search(ChanceTree(root), options=MonteCarloOptions(playouts=100, seed=1))
    assert recording.ply == "0"
    assert not check(log_from_recording(recording), compiled=False).findings()

"""Monte Carlo searches of one's own games, with and without a guide of their play-outs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from plyscope.engine.game import ONGOING, GameError
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.montecarlo.draws import source_of
from plyscope.engine.montecarlo.growing import play_out_guided
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.run import search
from plyscope.engine.montecarlo.tree import OPTIONS, nodes_for, trunk_for, worths_of
from tests.heaps import GuidedHeap, Heap, StuckHeap, WideHeap, WildHeap
from tests.unit.engine.montecarlo.searches import findings, found, told


@pytest.mark.parametrize(
    ("power", "weights"), [(1.0, (0.5, 1, 3)), (2.0, (0.25, 1, 9)), (0.5, (0.5**0.5, 1, 3**0.5))]
)
def test_guided_play_outs_draw_plies_in_proportion_to_their_weights(
    power: float, weights: tuple[float, ...]
) -> None:
    """The guide is seen by play-outs of one ply, and the priors are the chances."""
    game = PlainKernels(GuidedHeap())
    state = game.read_position(None)
    trunk = trunk_for(state, np.zeros(1), worths_of(power), source_of(1), 3, nodes_for(1))
    option = np.zeros(1, OPTIONS)
    option[0]["turn_limit"] = 1
    taken = [0, 0, 0]
    for _ in range(6_000):
        after = state.copy()
        assert play_out_guided(game, option[0], trunk, after) == ONGOING
        taken[9 - after[0][0]] += 1
    for count, weight in zip(taken, weights, strict=True):
        share = weight / sum(weights)
        assert abs(count / 6_000 - share) < 4 * (share * (1 - share) / 6_000) ** 0.5
    recording = found(GuidedHeap(), playouts=50, seed=1, guide="ring", guide_power=power)
    assert recording.figures is not None
    last = recording.trees[-1].row
    below = np.flatnonzero(recording.rows["parent"] == last)
    texts = [GuidedHeap().plies((10, 0))[int(ply)] for ply in recording.rows["ply"][below]]
    priors = dict(zip(texts, recording.figures["prior"][below].tolist(), strict=True))
    assert priors == pytest.approx({n + 1: weight / sum(weights) for n, weight in enumerate(weights)})


def test_at_a_power_of_0_play_outs_are_those_without_a_guide() -> None:
    plain, guided = (
        found(GuidedHeap(), playouts=100, seed=1, **options)
        for options in ({}, {"guide": "ring", "guide_power": 0})
    )
    assert told(plain)[1:] == told(guided)[1:]


def test_a_guide_beyond_six_is_refused() -> None:
    with pytest.raises(GameError, match=r"ring\(\) gave 7, expected a number from -6 to 6"):
        found(WildHeap(), playouts=10, seed=1, guide="ring")


def test_a_plain_game_is_searched() -> None:
    """Of ten matches two must be taken, so that eight are left."""
    recording = found(Heap(), playouts=3_000, seed=1)
    assert recording.ply == "2"
    assert findings(recording) == []


def test_a_plain_game_wider_than_the_buffers_is_searched_as_one_that_is_not() -> None:
    first, again = (found(WideHeap(), playouts=350, seed=1) for _ in range(2))
    assert told(first) == told(again)
    game = WideHeap()
    before = found(game, playouts=5, seed=1)  # now its adapter knows how wide it is
    options = MonteCarloOptions(playouts=350, seed=1)
    far = replace(before.table, meaning=())  # and brings nothing else
    assert told(search(game, None, options, tree=far))[1:] == told(first)[1:]


def test_a_game_that_is_stuck_is_named_with_its_position() -> None:
    with pytest.raises(GameError, match=r"StuckHeap: a position is not over but has no plies: \(1, "):
        found(StuckHeap(), playouts=500, seed=1)

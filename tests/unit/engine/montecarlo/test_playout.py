"""Play-outs: uniform, seeded, to their limit, compiled or not, guided, and searches of games with dice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine import jit
from plyscope.engine.compile.kernels import with_all_kernels
from plyscope.engine.game import CHANCE, DRAWN, FIRST_WON, ONGOING, SECOND_WON, GameError
from plyscope.engine.games import find
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.montecarlo.draws import draw_below, draw_fraction, draw_word, source_of
from plyscope.engine.montecarlo.growing import play_out_guided
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.playout import NO_PLIES, TOO_NARROW, play_out
from plyscope.engine.montecarlo.run import search
from plyscope.engine.montecarlo.tree import OPTIONS, nodes_for, trunk_for, worths_of
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store import words
from tests.both_ways import plain_and_compiled
from tests.heaps import GuidedHeap, Heap, StuckHeap, WideHeap, WildHeap
from tests.oracle import nodes_of
from tests.property.chance_trees import CHANCE_TREES, ChanceTree, Node
from tests.property.examples import examples
from tests.unit.engine.montecarlo.searches import found, told


def weights_of(game: Any) -> Any:
    return np.array(list(game.factors.values()), np.float64)


def test_draws_below_a_number_and_fractions_are_uniform() -> None:
    """Six faces, 60,000 draws: χ² with five degrees of freedom exceeds 20.5 once in a thousand."""
    source = source_of(1)
    counts = Counter(draw_below(source, 6) for _ in range(60_000))
    assert sorted(counts) == list(range(6))
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 20.5
    fractions = [draw_fraction(source) for _ in range(10_000)]
    assert 0 <= min(fractions) < 0.01
    assert 0.99 < max(fractions) < 1
    assert abs(sum(fractions) / 10_000 - 0.5) < 4 * (1 / 12 / 10_000) ** 0.5


@given(st.integers(0, 2**64 - 1))
def test_seeds_give_sources_of_their_own(seed: int) -> None:
    assert draw_word(source_of(seed)) == draw_word(source_of(seed + 2**64))
    assert draw_word(source_of(seed)) != draw_word(source_of(seed + 1))


@plain_and_compiled
def test_a_play_out_at_its_limit_is_counted_as_cut_short(compiled: bool) -> None:
    """42 plies end every game; after four of them none has ended."""
    game = find("connect_four")
    start, here = game.read_position(game.start), game.read_position(game.start)
    plies, values, weights = np.zeros(game.max_plies, np.int32), np.zeros(len(game.factors)), weights_of(game)
    run: Any = jit.compiled(play_out) if compiled else play_out
    rules = jit.bind(game) if compiled else with_all_kernels(game)
    for most_plies, n_cut_short in ((42, 0), (4, 20)):
        tally, source = np.zeros(5, np.int64), source_of(1)
        for _ in range(20):
            here[:] = start
            tally[run(rules, here, plies, values, weights, source, most_plies)] += 1
        assert tally[ONGOING] == n_cut_short
    assert sum(game.write_position(here).count(sign) for sign in "XO") == 4


@pytest.mark.parametrize(("points", "outcome"), [(3, FIRST_WON), (-3, SECOND_WON), (0, DRAWN)])
def test_where_points_decide_the_sign_of_the_evaluation_says_who_won(points: int, outcome: int) -> None:
    game = find("explicit_tree")
    state = game.read_position(f'{{"children": {{"a": {points}}}}}')
    plies, values, source = np.zeros(game.max_plies, np.int32), np.zeros(len(game.factors)), source_of(1)
    assert play_out(with_all_kernels(game), state, plies, values, weights_of(game), source, 9) == outcome


@pytest.mark.parametrize(
    ("game", "n_plies", "outcomes", "draws"),
    [
        (WideHeap(), 299, {TOO_NARROW}, False),
        (WideHeap(), 300, {FIRST_WON, SECOND_WON}, True),
        (StuckHeap(), 3, {NO_PLIES}, False),
    ],
)
def test_what_cannot_be_played_out_is_said_before_anything_is_drawn(
    game: Heap, n_plies: int, outcomes: set[int], draws: bool
) -> None:
    kernels, source = PlainKernels(game), source_of(1)
    state = kernels.read_position(None)
    if isinstance(game, StuckHeap):
        state[0] = (1, 0)
    outcome = play_out(kernels, state, np.zeros(n_plies, np.int32), np.zeros(1), np.ones(1), source, 10)
    assert outcome in outcomes
    assert (source[0] != source_of(1)[0]) == draws


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
    source = source_of(1)
    for _ in range(4000):
        tally[play_out(game, state.copy(), plies, np.zeros(1), np.ones(1), source, 9)] += 1
    assert abs(tally[FIRST_WON] / 4000 - 0.75) < 0.03


@settings(max_examples=examples(50), deadline=None)
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


def test_a_plain_game_wider_than_the_buffers_is_searched_as_one_that_is_not() -> None:
    before = found(game := WideHeap(), playouts=5, seed=1)  # now its adapter knows how wide it is
    far = replace(before.table, meaning=())  # and brings nothing else
    known = search(game, None, MonteCarloOptions(playouts=350, seed=1), tree=far)
    assert told(known)[1:] == told(found(WideHeap(), playouts=350, seed=1))[1:]
    first = found(game := Heap(), playouts=500, seed=1)  # of which the tree is carried on
    again = search(game, None, MonteCarloOptions(playouts=10, seed=1), tree=first.table)
    assert again.header["result"]["reused_visits"] == 500


def test_a_game_that_is_stuck_or_guides_beyond_six_is_refused_with_its_position() -> None:
    with pytest.raises(GameError, match=r"ring\(\) gave 7, expected a number from -6 to 6"):
        found(WildHeap(), playouts=10, seed=1, guide="ring")
    with pytest.raises(GameError, match=r"StuckHeap: a position is not over but has no plies: \(1, "):
        found(StuckHeap(), playouts=500, seed=1)

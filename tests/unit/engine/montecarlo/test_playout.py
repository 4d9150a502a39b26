"""Play-outs: uniform, seeded, played to the end or to their limit, the same compiled and as plain Python."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyscope.engine.compile.kernels import with_all_kernels
from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SECOND_WON
from plyscope.engine.games import find
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.jit import bind, compiled
from plyscope.engine.montecarlo.draws import draw_below, draw_fraction, draw_word, shuffle, source_of
from plyscope.engine.montecarlo.playout import NO_PLIES, TOO_NARROW, play_out, play_outs
from tests.heaps import Heap, StuckHeap, WideHeap

GAMES = (
    *("tictactoe", "connect_four"),
    *(pytest.param(name, marks=pytest.mark.sweep) for name in ("reversi", "hive")),
)
"""The play-outs of those in the sweep are compiled in searches elsewhere."""


def weights_of(game: Any) -> Any:
    """The game's own weights."""
    return np.array(list(game.factors.values()), np.float64)


def played(
    name: str, seed: int, n_games: int, most_plies: int, *, is_compiled: bool, position: str | None = None
) -> tuple[list[int], int, str]:
    """The tally of some play-outs, the source's word after them, and the last position."""
    game = find(name)
    state = game.read_position(position or game.start)
    scratch, source, tally = state.copy(), source_of(seed), np.zeros(5, np.int64)
    run: Any = compiled(play_outs) if is_compiled else play_outs
    rules = bind(game) if is_compiled else with_all_kernels(game)
    values = np.zeros(len(game.factors))
    plies = np.zeros(game.max_plies, np.int32)
    arguments = (state, scratch, plies, values, weights_of(game), source, most_plies, n_games, tally)
    assert run(rules, *arguments) == n_games
    return tally.tolist(), int(source[0]), game.write_position(scratch)


def test_draws_below_a_number_are_uniform() -> None:
    """Six faces, 60,000 draws: χ² with five degrees of freedom exceeds 20.5 once in a thousand."""
    source = source_of(1)
    counts = Counter(draw_below(source, 6) for _ in range(60_000))
    assert sorted(counts) == list(range(6))
    assert sum((count - 10_000) ** 2 / 10_000 for count in counts.values()) < 20.5


def test_fractions_lie_in_the_unit_interval_around_a_half() -> None:
    source = source_of(2)
    fractions = [draw_fraction(source) for _ in range(10_000)]
    assert 0 <= min(fractions) < 0.01
    assert 0.99 < max(fractions) < 1
    assert abs(sum(fractions) / 10_000 - 0.5) < 4 * (1 / 12 / 10_000) ** 0.5


def test_every_order_of_three_numbers_comes_up_as_often() -> None:
    source = source_of(3)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(6_000):
        numbers = np.arange(4)
        shuffle(source, numbers, 3)
        assert numbers[3] == 3
        orders[tuple(numbers[:3].tolist())] += 1
    assert len(orders) == 6
    assert sum((count - 1_000) ** 2 / 1_000 for count in orders.values()) < 20.5


@given(st.integers(0, 2**64 - 1))
def test_seeds_give_sources_of_their_own(seed: int) -> None:
    assert draw_word(source_of(seed)) == draw_word(source_of(seed + 2**64))
    assert draw_word(source_of(seed)) != draw_word(source_of(seed + 1))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_compiled_and_plain_play_outs_are_the_same_games(name: str) -> None:
    n_games, most_plies = (3, 40) if name == "hive" else (10, 200)
    plain = played(name, 7, n_games, most_plies, is_compiled=False)
    assert played(name, 7, n_games, most_plies, is_compiled=True) == plain
    assert played(name, 8, n_games, most_plies, is_compiled=False) != plain


def test_a_play_out_at_its_limit_is_counted_as_cut_short() -> None:
    assert played("tictactoe", 1, 50, 9, is_compiled=False)[0][ONGOING] == 0  # it ends with the last allowed
    tally, _, position = played("tictactoe", 1, 20, 4, is_compiled=False)
    assert tally[ONGOING] == 20
    assert sum(position.count(sign) for sign in "XO") == 4 + 1  # and the side to move


def test_random_tictactoe_is_won_as_often_as_is_known() -> None:
    """Of all games by uniform plies X wins 0.585, O 0.288, and 0.127 are drawn; four standard errors."""
    tally, _, _ = played("tictactoe", 11, 4_000, 9, is_compiled=False)
    for outcome, share in ((FIRST_WON, 0.585), (SECOND_WON, 0.288), (DRAWN, 0.127)):
        assert abs(tally[outcome] / 4_000 - share) < 4 * (share * (1 - share) / 4_000) ** 0.5


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

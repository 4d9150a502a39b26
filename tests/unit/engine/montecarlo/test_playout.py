"""Play-outs: uniform, seeded, played to the end or to their limit, the same compiled and as plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
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
from plyscope.engine.montecarlo.playout import (
    DRAW,
    LOSS,
    NO_PLIES,
    TOO_NARROW,
    WIN,
    play_out,
    play_outs,
    result_for,
)

COMPILED_BY_SEARCHES = ("reversi", "hive")
"""Games whose play-outs are compiled in searches elsewhere."""
GAMES = (
    *("tictactoe", "connect_four"),
    *(pytest.param(name, marks=pytest.mark.sweep) for name in COMPILED_BY_SEARCHES),
)


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
    tally, _, position = played("tictactoe", 1, 20, 4, is_compiled=False)
    assert tally[ONGOING] == 20
    assert sum(position.count(sign) for sign in "XO") == 4 + 1  # and the side to move


def test_a_game_that_ends_with_the_last_ply_allowed_is_not_cut_short() -> None:
    tally, _, _ = played("tictactoe", 1, 50, 9, is_compiled=False)
    assert tally[ONGOING] == 0
    assert sum(tally) == 50


def test_a_finished_game_is_played_out_at_once() -> None:
    tally, word, position = played("tictactoe", 1, 1, 9, is_compiled=False, position="XXX OO. ... O")
    assert tally[FIRST_WON] == 1
    assert word == int(source_of(1)[0])
    assert position == "XXX OO. ... O"


def test_random_tictactoe_is_won_as_often_as_is_known() -> None:
    """Of all games by uniform plies X wins 0.585, O 0.288, and 0.127 are drawn; four standard errors."""
    tally, _, _ = played("tictactoe", 11, 4_000, 9, is_compiled=False)
    for outcome, share in ((FIRST_WON, 0.585), (SECOND_WON, 0.288), (DRAWN, 0.127)):
        assert abs(tally[outcome] / 4_000 - share) < 4 * (share * (1 - share) / 4_000) ** 0.5


def test_results_are_seen_by_a_player() -> None:
    assert [result_for(0, each) for each in (FIRST_WON, SECOND_WON, DRAWN, ONGOING)] == [
        WIN,
        LOSS,
        DRAW,
        DRAW,
    ]
    assert [result_for(1, each) for each in (FIRST_WON, SECOND_WON, DRAWN, ONGOING)] == [
        LOSS,
        WIN,
        DRAW,
        DRAW,
    ]


@pytest.mark.parametrize(("points", "outcome"), [(3, FIRST_WON), (-3, SECOND_WON), (0, DRAWN)])
def test_where_points_decide_the_sign_of_the_evaluation_says_who_won(points: int, outcome: int) -> None:
    game = find("explicit_tree")
    state = game.read_position(f'{{"children": {{"a": {points}}}}}')
    plies, values, source = np.zeros(game.max_plies, np.int32), np.zeros(len(game.factors)), source_of(1)
    assert play_out(with_all_kernels(game), state, plies, values, weights_of(game), source, 9) == outcome


class Wide:
    """A game of one ply, of which there are 100; it is won by the first player."""

    players = ("a", "b")
    factors: Mapping[str, float] = MappingProxyType({})

    def start(self) -> int:
        return 0

    def plies(self, position: int) -> range:
        return range(100) if position == 0 else range(0)

    def apply(self, position: int, ply: int) -> int:
        return 1

    def player(self, position: int) -> int:
        return position

    def winner(self, position: int) -> int | None:
        return FIRST_WON if position else None

    def values(self, position: int) -> tuple[()]:
        return ()


class Stuck(Wide):
    """It is not over and has no plies."""

    def winner(self, position: int) -> None:
        return None

    def plies(self, position: int) -> range:
        return range(0)


def plain_play_out(game: Any, n_plies: int) -> tuple[int, bool]:
    """The outcome of a play-out with room for so many plies, and whether it drew from the source."""
    kernels, source = PlainKernels(game), source_of(1)
    state = kernels.read_position(None)
    outcome = play_out(kernels, state, np.zeros(n_plies, np.int32), np.zeros(0), np.zeros(0), source, 10)
    return outcome, bool(source[0] != source_of(1)[0])


def test_too_narrow_a_buffer_is_said_before_anything_is_drawn() -> None:
    assert plain_play_out(Wide(), 99) == (TOO_NARROW, False)
    assert plain_play_out(Wide(), 100) == (FIRST_WON, True)


def test_a_position_that_is_not_over_and_has_no_plies_is_said() -> None:
    assert plain_play_out(Stuck(), 100) == (NO_PLIES, False)

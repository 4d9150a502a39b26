"""Perft against published counts, against plain counting, and on games small enough to count by hand."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.engine import perft as perft_module
from plyscope.engine.game import GameError
from plyscope.engine.games import find
from plyscope.engine.perft import divide, perft
from tests.heaps import Heap
from tests.unit.engine.test_chance import Coin

REVERSI = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]
CONNECT_FOUR = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]


class Countdown(Heap):
    """Take one or two from a number; it ends at nought. Below 3 lie the lines 1+1+1, 1+2, 2+1."""

    matches, most = 3, 2

    def __init__(self, finished_counts: bool | None = None) -> None:
        if finished_counts is not None:
            self.finished_counts_in_perft = finished_counts


def from_start(name: str, depth: int, **options: Any) -> int:
    game = find(name)
    return perft(game, game.read_position(game.start), depth, **options)


@pytest.mark.parametrize(("name", "counts"), [("reversi", REVERSI), ("connect_four", CONNECT_FOUR)])
def test_counts_are_the_published_ones(name: str, counts: list[int]) -> None:
    assert [from_start(name, depth) for depth in range(len(counts))] == counts
    assert [from_start(name, depth, compiled=False) for depth in range(6)] == counts[:6]


def test_tic_tac_toe_has_255168_games_and_outcomes_of_chance_count_as_plies() -> None:
    assert from_start("tictactoe", 9) == 255168
    assert [perft(Coin(), "", depth) for depth in (1, 2)] == [2, 2]
    assert divide(Coin(), "flip", 1) == {"heads": 1, "tails": 1}


@pytest.mark.parametrize("compiled", [True, False])
def test_a_finished_reversi_game_is_one_leaf_at_any_depth(compiled: bool) -> None:
    """Black captures b1 by c1 and white has nothing left: one line, which ends after one ply."""
    game = find("reversi")
    state = game.read_position("XO" + "-" * 62 + " X")
    assert [perft(game, state, depth, compiled=compiled) for depth in (0, 1, 2, 3)] == [1, 1, 1, 1]
    game.apply(state, 2)
    assert perft(game, state, 4, compiled=compiled) == 1


@pytest.mark.parametrize(
    ("finished_counts", "counts"),
    [(None, [1, 2, 3, 1, 0]), (False, [1, 2, 3, 1, 0]), (True, [1, 2, 3, 3, 3])],
)
def test_a_plain_game_says_whether_lines_that_ended_count(
    finished_counts: bool | None, counts: list[int]
) -> None:
    """Of three lines two end after two plies, one after three."""
    game = Countdown(finished_counts)
    assert [perft(game, game.start(), depth) for depth in range(5)] == counts


def test_progress_is_told_the_count_so_far_from_ply_to_ply_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(perft_module, "PLIES_A_SLICE", 100)
    monkeypatch.setattr(perft_module, "PLIES_A_PLAIN_SLICE", 100)
    told: list[int] = []
    for compiled in (True, False):
        told.clear()
        assert from_start("reversi", 6, compiled=compiled, progress=told.append) == 8200
        assert (len(told) > 10, told[-1], told) == (True, 8200, sorted(told))
    monkeypatch.setattr(perft_module, "PLIES_A_PLAIN_SLICE", 1)
    told.clear()
    assert perft(Countdown(finished_counts=True), (3, 0), 3, progress=told.append) == 3
    assert told == [0, 0, 1, 2, 2, 3]
    told.clear()
    assert divide(Countdown(finished_counts=True), (3, 0), 3, progress=told.append) == {"1": 2, "2": 1}
    assert (told == sorted(told), told[-1]) == (True, 3)


def test_a_depth_out_of_range_is_refused() -> None:
    for depth in (-1, 501):
        with pytest.raises(GameError, match=f"perft of depth {depth}: expected 0 to 500"):
            from_start("reversi", depth)
    with pytest.raises(GameError, match="of depth 0: expected 1 to 500"):
        divide(Countdown(), (3, 0), 0)

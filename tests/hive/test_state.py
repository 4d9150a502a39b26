"""Hive's state: keys, turns handed over, what holds the hive together, rings of queens."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from plyscope.engine.game import State
from plyscope.engine.games.hive import GAME
from plyscope.engine.games.hive.cells import DISTANCE, OFFSETS, WRAP
from plyscope.engine.games.hive.connection import rim, splits, splits_beside
from plyscope.engine.games.hive.game import coordinates, stack
from plyscope.engine.games.hive.pieces import put
from plyscope.engine.games.hive.rings import ring
from plyscope.engine.games.hive.state import (
    AT,
    N_PIECES,
    N_PLIES,
    PASS,
    SHAPE,
    height_of,
    last_moved,
    new_state,
    ring_of,
)
from plyscope.engine.kernel_game import legal_plies
from tests.hive.oracle import neighbours


def playout(game_type: str, seed: int, longest: int) -> Iterator[tuple[State, int]]:
    """Positions of a random game on one state, each with the ply that will be played there."""
    rng = random.Random(seed)
    state = GAME.read_position(game_type)
    while (plies := legal_plies(GAME, state)) and state[N_PLIES] < longest:
        ply = rng.choice(plies)
        yield state, ply
        GAME.apply(state, ply)


def after(state: State, ply: int) -> State:
    child = state.copy()
    GAME.apply(child, ply)
    return child


def shown(state: State) -> tuple[object, ...]:
    """The pieces by cell, the side to move and, where pieces are thrown, the cell of the last one moved."""
    board = sorted(
        (c.x, c.y, tuple(name[:2] for name in c.pieces)) for c in GAME.board(state).cells if c.pieces
    )
    last = last_moved(state)
    throws = GAME.write_position(state).split(";")[0].endswith("P")
    return tuple(board), GAME.player(state), int(state[AT + last]) if throws and last != PASS else None


@pytest.mark.parametrize(("game_type", "one_in"), [("Base", 5), ("Base+MLP", 8)])
def test_two_ways_to_a_position_have_one_key_and_other_positions_another(game_type: str, one_in: int) -> None:
    """One ply in a few, by its number, so that the same ones are met in several orders."""
    key_of: dict[tuple[object, ...], int] = {}
    n_met = 0
    states = [GAME.read_position(game_type + ";x;x;wS1;bS1 wS1-;wQ -wS1;bQ bS1-")]
    for _ in range(4):
        states = [
            after(state, ply) for state in states for ply in legal_plies(GAME, state) if ply % one_in == 0
        ]
        for state in states:
            n_met += 1
            assert key_of.setdefault(shown(state), GAME.key(state)) == GAME.key(state)
    assert len(set(key_of.values())) == len(key_of)
    assert 300 < len(key_of) < n_met


def test_a_turn_handed_over_is_taken_back_and_frees_what_moved_last() -> None:
    game = "Base+P;InProgress;Black[4];wP;bA1 wP-;wQ -wP;bQ bA1-;wA1 /wQ;bA2 bQ-;wA1 /wP"
    state = GAME.read_position(game)
    before = state.copy()
    assert GAME.pass_turn(state) == 1
    assert GAME.player(state) == 0
    assert GAME.key(state) != GAME.key(before)
    assert "wA1 -wQ" in [GAME.write_ply(state, ply) for ply in legal_plies(GAME, state)]
    GAME.undo(state, -2)
    assert np.array_equal(state, before)
    for text in ("Base", "Base;NotStarted;White[1];wS1"):  # before both sides have a piece
        state, before = GAME.read_position(text), GAME.read_position(text)
        assert GAME.pass_turn(state) == 0
        assert np.array_equal(state, before)


def tiles_around(state: State, queen: str) -> int:
    """The occupied cells beside a queen, by coordinates of the game replayed; 0 of one in hand."""
    stacks = {place: stack(state, cell) for cell, place in coordinates(state).items()}
    cells = [place for place, pieces in stacks.items() if queen in pieces]
    return sum(each in stacks for cell in cells for each in neighbours(cell))


@pytest.mark.parametrize("game_type", ["Base", "Base+MLP"])
@pytest.mark.parametrize("seed", range(4))
def test_the_guide_of_every_ply_is_that_of_the_position_after_it(game_type: str, seed: int) -> None:
    drawn = random.Random(seed)
    for state, _ in playout(game_type, seed, 45):
        plies = legal_plies(GAME, state)
        own, other = ("wQ", "bQ") if GAME.player(state) == 0 else ("bQ", "wQ")
        for ply in drawn.sample(plies, min(3, len(plies))):
            after = state.copy()
            GAME.apply(after, ply)
            assert ring(state, ply) == tiles_around(after, other) - tiles_around(after, own)


def sprawling_hives(n_hives: int) -> Iterator[State]:
    """Each piece on a random cell, near rather than far, that has few neighbours, so that rings close."""
    for seed in range(n_hives):
        draw = random.Random(seed)
        state = new_state(7, repetition=False)
        put(state, 0, 0)
        for piece in range(1, N_PIECES):
            beside = {
                (int(state[AT + each]) + int(offset)) & WRAP for each in range(piece) for offset in OFFSETS
            }
            free = sorted(cell for cell in beside if height_of(int(state[cell])) == 0)
            few = [cell for cell in free if ring_of(int(state[cell])).bit_count() <= 2]
            put(state, piece, min(draw.choices(few or free, k=2), key=lambda cell: int(DISTANCE[cell])))
        yield state


def falls_apart(state: State, without: int) -> bool:
    """Whether the columns left without one cell are more than one hive."""
    left = {int(state[AT + piece]) for piece in range(N_PIECES)} - {without}
    waiting = [next(iter(left))]
    while waiting:
        cell = waiting.pop()
        if cell in left:
            left.remove(cell)
            waiting += [(cell + int(offset)) & WRAP for offset in OFFSETS]
    return bool(left)


def test_a_piece_splits_the_hive_exactly_where_the_rest_falls_apart() -> None:
    met = set()
    for state in sprawling_hives(150):
        walked = rim(state)
        n_holes, n_pits = int(state[SHAPE]) >> 16 & 255, int(state[SHAPE]) >> 24
        for piece in range(N_PIECES):
            cell = int(state[AT + piece])
            ring = ring_of(int(state[cell]))
            expected = falls_apart(state, cell)
            assert splits(state, cell, ring) == splits_beside(state, cell, ring, walked) == expected
            met.add((min(n_holes - n_pits, 2), n_pits > 0, expected))
    assert len(met) == 12, "no hive with several larger holes and pits"

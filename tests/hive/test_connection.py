"""Which pieces hold the hive together, against taking each away and walking what is left."""

from __future__ import annotations

import random
from collections.abc import Iterator

from plyscope.engine.game import State
from plyscope.engine.games.hive.cells import DISTANCE, OFFSETS, WRAP
from plyscope.engine.games.hive.connection import rim, splits, splits_beside
from plyscope.engine.games.hive.pieces import put
from plyscope.engine.games.hive.state import AT, N_PIECES, SHAPE, height_of, new_state, ring_of


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

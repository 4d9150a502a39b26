"""Tests of the slides of ants and spiders, against walks that try every neighbour."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from plyscope.engine.game import State
from plyscope.engine.games.hive.bugs import forget
from plyscope.engine.games.hive.cells import OFFSETS, WRAP
from plyscope.engine.games.hive.slides import three_steps, walk
from plyscope.engine.games.hive.state import AT, N_PIECES, height_of, ring_of
from tests.hive.test_connection import sprawling_hives


def slides_from(state: State, at: int, without: int) -> Iterator[int]:
    """The empty cells beside `at` with one common neighbour occupied, the piece on `without` being lifted."""
    around = [(at + int(offset)) & WRAP for offset in OFFSETS]
    occupied = [cell != without and height_of(int(state[cell])) > 0 for cell in around]
    for d in range(6):
        if not occupied[d] and occupied[d - 1] != occupied[d - 5]:
            yield around[d]


def ends_of_an_ant(state: State, cell: int) -> list[int]:
    """Nearest first, of equally near ones in the order of what led to them."""
    found = [cell]
    for at in found:
        found += [end for end in slides_from(state, at, cell) if end not in found]
    return found[1:]


def ends_of_a_spider(state: State, cell: int) -> list[int]:
    """After three steps on which no cell is met twice."""
    paths = [[cell]]
    for _ in range(3):
        paths = [
            [*path, end] for path in paths for end in slides_from(state, path[-1], cell) if end not in path
        ]
    return list(dict.fromkeys(path[-1] for path in paths))


def ends_of(add: Callable[..., int], state: State, piece: int, cell: int, *more: int) -> list[int]:
    """The cells that a kernel writes as destinations; the state is the same before and after."""
    plies, before = np.zeros(1024, np.int32), state.copy()
    n = add(state, plies, 0, piece, cell, *more)
    forget(state, plies, 0, n)
    assert np.array_equal(state, before)
    assert {int(ply) & 31 for ply in plies[:n]} <= {piece}
    return [int(ply) >> 5 for ply in plies[:n]]


def test_an_ant_comes_to_all_cells_in_the_order_of_a_plain_walk() -> None:
    choices = 0
    for state in sprawling_hives(40):
        for piece in range(N_PIECES):
            cell = int(state[AT + piece])
            expected = ends_of_an_ant(state, cell)
            assert ends_of(walk, state, piece, cell) == expected
            choices += any(len(list(slides_from(state, at, cell))) > 2 for at in expected)
    assert choices > 100, "no walk comes to a cell from which it goes on two ways"


def test_a_spider_takes_three_steps_and_meets_no_cell_twice() -> None:
    n_ends = set()
    for state in sprawling_hives(60):
        for piece in range(N_PIECES):
            cell = int(state[AT + piece])
            ring = ring_of(int(state[cell]))
            expected = ends_of_a_spider(state, cell)
            found = ends_of(three_steps, state, piece, cell, ring)
            assert found == expected
            n_ends.add(len(found))
    assert n_ends >= {0, 1, 2, 3, 4}

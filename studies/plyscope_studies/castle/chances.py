"""O1, O2 and O3: the most points that each other player can score from a play, once it lies.

Taken from single tiles beside the play, or from plays of up to three tiles that touch it. Tiles of the play
count with their points; scoring does not pass on through gardens of the play itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import permutations
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope_studies.castle.game import HIDDEN, Position
from plyscope_studies.castle.shapes import Ints, Shapes, shapes_of

Floats = npt.NDArray[np.float64]
Sees = Literal["all", "open"]
Replies = Literal["single", "full"]
"""The plays of the others: of one tile, or of up to three."""
Chances = Callable[[Shapes, Ints, Floats], Floats]
"""From the shapes of as many cells, the shape of each play and the points on its cells: [play, other]."""
OTHERS: Final = 3


MOST_TILES: Final[dict[Replies, int]] = {"single": 1, "full": 3}


def chances_of(
    position: Position, sees: Sees, replies: Replies, near: Floats, empty: npt.NDArray[np.bool_]
) -> Chances:
    """The most points that the others can score from plays in this position."""
    rules, most = position.rules, MOST_TILES[replies]
    seen = [seen_hand(position, rival, sees) for rival in rivals_of(position)[:OTHERS]]
    of_rivals = [worth(position, hand, near, empty, most) for hand in seen]
    tables = _touching(rules.neighbours, rules.plan.n_columns, most)

    def chances(shapes: Shapes, which: Ints, points: Floats) -> Floats:
        table = tables[shapes.cells.shape[1] - 1]
        reply = table.reply[which]
        from_play = table.times[which] * np.einsum("njs,ns->nj", table.beside[which], points)
        found = np.zeros((len(which), OTHERS))
        for place, of_rival in enumerate(of_rivals):
            found[:, place] = _most(np.append(of_rival, -np.inf)[reply] + from_play)
        return found

    return chances


def _most(chances: Floats) -> Floats:
    """The greatest of each row, 0 where there is none."""
    most = chances.max(axis=1, initial=-np.inf)
    return np.where(np.isfinite(most), most, 0.0)


class _Touching(NamedTuple):
    """For the shapes of as many cells, the shapes of replies that touch without overlapping."""

    reply: Ints
    """[shape, place]: the number of a touching shape among all, padded with their number."""
    times: Floats
    """[shape, place]: 2 for three in a row, else 1."""
    beside: Floats
    """[shape, place, tile]: how many cells of the touching shape are beside that tile."""


@lru_cache(maxsize=8)
def _touching(neighbours: tuple[tuple[int, ...], ...], n_columns: int, most: int) -> tuple[_Touching, ...]:
    n = len(neighbours)
    adjacent = np.zeros((n, n))
    for cell, near in enumerate(neighbours):
        adjacent[cell, list(near)] = 1
    layers = shapes_of(neighbours, n_columns)
    holds = np.concatenate([_members(shapes, n) for shapes in layers[:most]])
    times = np.append(np.concatenate([np.where(shapes.is_line, 2.0, 1.0) for shapes in layers[:most]]), 1.0)
    found = []
    for shapes in layers:
        beside = adjacent[shapes.cells] @ holds.T  # [shape, tile, reply]
        touches = (beside.sum(axis=1) > 0) & (_members(shapes, n) @ holds.T == 0)
        widest = int(touches.sum(axis=1).max(initial=1))
        reply = np.full((len(shapes.cells), widest), len(holds), np.int64)
        counts = np.zeros((len(shapes.cells), widest, shapes.cells.shape[1]))
        for shape, those in enumerate(map(np.flatnonzero, touches)):
            reply[shape, : len(those)] = those
            counts[shape, : len(those)] = beside[shape][:, those].T
        found.append(_Touching(reply, times[reply], counts))
    return tuple(found)


def _members(shapes: Shapes, n_cells: int) -> Floats:
    """[shape, cell]: 1 for the cells of each shape."""
    found = np.zeros((len(shapes.cells), n_cells))
    np.put_along_axis(found, shapes.cells, 1.0, axis=1)
    return found


def worth(
    position: Position, hand: list[int], near: Floats, empty: npt.NDArray[np.bool_], most: int
) -> Floats:
    """The most that a hand scores on each shape of up to `most` cells; -inf where nothing of it fits."""
    rules, found = position.rules, []
    for shapes in shapes_of(rules.neighbours, rules.plan.n_columns)[:most]:
        which, laid = plays_of(position, hand, shapes, empty)
        best = np.full(len(shapes.cells), -np.inf)
        np.maximum.at(best, which, rules.points[laid].sum(axis=1))
        found.append((best + near[shapes.cells].sum(axis=1)) * np.where(shapes.is_line, 2.0, 1.0))
    return np.concatenate(found)


def plays_of(
    position: Position, hand: list[int], shapes: Shapes, empty: npt.NDArray[np.bool_]
) -> tuple[Ints, Ints]:
    """The shape of each play of a hand, and the kinds on its cells: every order of kinds that fits."""
    size = shapes.cells.shape[1]
    kinds = np.array(sorted(set(permutations(hand, size))), np.int64).reshape(-1, size)
    free = np.flatnonzero(empty[shapes.cells].all(axis=1))
    ok = np.ones((len(free), len(kinds)), bool)
    for tile in range(size):
        ok &= position.rules.fits[kinds[None, :, tile], shapes.cells[free, None, tile]]
    shape, order = np.nonzero(ok)
    return free[shape], kinds[order]


def near_points(position: Position) -> Floats:
    """The points of the tiles beside each cell."""
    return np.array([position.near_points(cell) for cell in range(len(position.board))])


def empty_cells(position: Position) -> npt.NDArray[np.bool_]:
    """Cells without a tile: [cell], True where it is empty."""
    return np.array(position.board) < 0


def rivals_of(position: Position) -> list[int]:
    """The others, the next one first."""
    n = len(position.hands)
    return [(position.player + step) % n for step in range(1, n)]


def seen_hand(position: Position, rival: int, sees: Sees) -> list[int]:
    """The tiles of another player that are looked into."""
    return position.hands[rival][0 if sees == "all" else HIDDEN :]

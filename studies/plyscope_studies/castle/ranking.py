"""The rank of each play: T, A and D for it, potential and the others' chances against it, heat for it.

    rank = S (100 T + 300 A + 100 D) - 60 P (1 - completion/100) - 100 O1 - 50 O2 - 20 O3 + 160 B

The formula and its figures are from a developer's blog on the AI of the game Camelot: the Build; the readings
where it is silent are in studies/docs/castle.md. Knows no log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from plyscope_studies.castle.chances import (
    Chances,
    Replies,
    Sees,
    chances_of,
    empty_cells,
    near_points,
    plays_of,
    rivals_of,
    seen_hand,
    worth,
)
from plyscope_studies.castle.game import Position
from plyscope_studies.castle.shapes import Ints, Shapes, shapes_for

Floats = npt.NDArray[np.float64]

FACTORS: Final = {
    "tile_score": 100.0,
    "adjacent_score": 300.0,
    "double_bonus": 100.0,
    "potential_now": -60.0,
    "next_1": -100.0,
    "next_2": -50.0,
    "next_3": -20.0,
    "heat": 160.0,
}
"""The factors and their weights; the master factor S is 1."""
N_FACTORS: Final = len(FACTORS)
ALL_ABOVE: Final = 95.0
"""Share left, in percent, above which all plays are generated."""
ALL_UPTO: Final = 40.0
"""Share left up to which all plays are generated again."""
BLOCK: Final = 4096


@dataclass(frozen=True)
class Ranked:
    """The plays of one turn, best first; arrays of one length."""

    kinds: Ints
    """[play, tile]: kinds by ascending cell, -1 for no further tile."""
    cells: Ints
    """[play, tile]: cells, -1 for no further tile."""
    values: Floats
    """[play, factor], in the order of `FACTORS`."""
    ranks: Floats
    heat: Floats
    """The heat of each cell; 0 on those that are laid."""
    scope: Literal["all", "neighbours"]
    left: float
    """Share of the board that is left, in percent."""
    n_outside: int
    """Plays that are not next to a lying tile, and were left out."""

    def play(self, place: int) -> list[tuple[int, int]]:
        """A play as (kind, cell), cells ascending."""
        pairs = zip(self.kinds[place].tolist(), self.cells[place].tolist(), strict=True)
        return [(kind, cell) for kind, cell in pairs if cell >= 0]


def scope_of(left: float) -> Literal["all", "neighbours"]:
    """The plays that are generated with this share of the board left, in percent.

    >>> [scope_of(left) for left in (95.1, 95, 40.1, 40)]
    ['all', 'neighbours', 'neighbours', 'all']
    """
    return "neighbours" if ALL_UPTO < left <= ALL_ABOVE else "all"


def rank_of(values: npt.ArrayLike, weights: Mapping[str, float] = FACTORS) -> Floats:
    """The rank from the values of the factors, [factor] or [play, factor], by the weight of each.

    >>> float(rank_of([4, 3, 0, 50 * 0.5, 2, 1, 0, 3]))
    30.0
    """
    # Added one by one, so that a rank is the sum of its contributions to the last bit.
    found = np.asarray(values, float)
    total = np.zeros(found.shape[:-1])
    for place, weight in enumerate(weights.values()):
        total = total + found[..., place] * weight
    return total


def heat_map(position: Position, sees: Sees = "all") -> Floats:
    """The most points that a rival scores with one tile on each empty cell, without doubling."""
    near, empty = near_points(position), empty_cells(position)
    hands = [seen_hand(position, rival, sees) for rival in rivals_of(position)]
    best = np.max([worth(position, hand, near, empty, most=1) for hand in hands], axis=0)
    return np.where(np.isfinite(best), best, 0.0)


def rank_plays(
    position: Position,
    sees: Sees = "all",
    replies: Replies = "single",
    weights: Mapping[str, float] = FACTORS,
) -> Ranked:
    """List and rank the plays of the player to move, best first, those of equal rank by cells and kinds.

    `replies` says from which plays of the others O1, O2 and O3 are taken. If no play is next to a lying
    tile, all are ranked. `weights` has one for each factor, in the order of `FACTORS`.
    """
    rules, empty, near = position.rules, empty_cells(position), near_points(position)
    heat = heat_map(position, sees)
    left = 100 - position.completion
    is_lying = ~empty
    beside_lying = np.array([any(is_lying[b] for b in near_cells) for near_cells in rules.neighbours])
    own = position.hands[position.player]
    lists = [plays_of(position, own, shapes, empty) for shapes in shapes_for(rules)]
    touching = [
        beside_lying[shapes.cells[found[0]]].any(axis=1)
        for shapes, found in zip(shapes_for(rules), lists, strict=True)
    ]
    total = sum(len(found[0]) for found in lists)
    n_touching = int(sum(each.sum() for each in touching))
    scope: Literal["all", "neighbours"] = scope_of(left) if n_touching else "all"
    kinds, cells, values = [], [], []
    chances = chances_of(position, sees, replies, near, empty)
    for shapes, (which, laid), touches in zip(shapes_for(rules), lists, touching, strict=True):
        if scope == "neighbours":
            which, laid = which[touches], laid[touches]
        for start in range(0, len(which), BLOCK):
            part = slice(start, start + BLOCK)
            values.append(_values(position, shapes, which[part], laid[part], near, heat, chances))
        kinds.append(_padded(laid))
        cells.append(_padded(shapes.cells[which]))
    all_values = np.concatenate([*values, np.zeros((0, N_FACTORS))])
    all_kinds, all_cells = np.concatenate(kinds), np.concatenate(cells)
    ranks = rank_of(all_values, weights)
    order = np.lexsort((*all_kinds.T[::-1], *all_cells.T[::-1], -ranks))
    outside = total - n_touching if scope == "neighbours" else 0
    return Ranked(
        all_kinds[order], all_cells[order], all_values[order], ranks[order], heat, scope, left, outside
    )


def _values(
    position: Position,
    shapes: Shapes,
    which: Ints,
    laid: Ints,
    near: Floats,
    heat: Floats,
    chances: Chances,
) -> Floats:
    rules = position.rules
    cells, points = shapes.cells[which], rules.points[laid]
    potential = np.array([kind.potential for kind in rules.kinds], float)
    tile, beside = points.sum(axis=1), near[cells].sum(axis=1)
    found = np.zeros((len(which), N_FACTORS))
    found[:, 0], found[:, 1] = tile, beside
    found[:, 2] = np.where(shapes.is_line[which], tile + beside, 0.0)
    found[:, 3] = potential[laid].sum(axis=1) * (1 - position.completion / 100)
    found[:, 4:7] = chances(shapes, which, points)
    found[:, 7] = heat[cells].sum(axis=1)
    return found


def _padded(found: Ints) -> Ints:
    return np.pad(found, ((0, 0), (0, 3 - found.shape[1])), constant_values=-1)

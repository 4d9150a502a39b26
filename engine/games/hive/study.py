"""Hive as a published study of minimax agents judges it: three terms, those apart for ants, or one more.

The study has each as mine less the other's: tiles not yet placed, blocked tiles (a queen counts five times,
an ant three times) and tiles around the queen. It found the weights by tuning, and names first ones by
importance, which stand here: 10 for the queen, 5 for blocked tiles and 1 for those not placed. Of its four
terms it publishes only tuned weights; there distances are squared. It adds a small random number to each
judgement; here a judgement is the same whenever it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import State
from plyscope.engine.games.hive.cells import DISTANCE, OFFSETS, WRAP
from plyscope.engine.games.hive.connection import splits
from plyscope.engine.games.hive.state import ANT, AT, BLACK, HAND, KIND, QUEEN, height_of, ring_of, top_of
from plyscope.engine.jit import kernel

N_TERMS: Final = 3
_BLOCKED_QUEEN: Final = 5
_BLOCKED_ANT: Final = 3


@kernel
def _add_terms(state: State, out: npt.NDArray[np.float64], n_kinds: int) -> None:
    """The three terms, each white's less black's; with two kinds each of ants, then of the rest."""
    for i in range(N_TERMS * n_kinds):
        out[i] = 0
    for piece in range(2 * BLACK):
        sign = 1 if piece < BLACK else -1
        kind = int(KIND[piece])
        at = 0 if n_kinds == 1 or kind == ANT else 1
        cell = int(state[AT + piece])
        if cell < 0:
            out[at] += sign if state[HAND + 8 * (piece // BLACK) + kind] > 0 else 0
            continue
        found = int(state[cell])
        if top_of(found) != piece or (height_of(found) == 1 and splits(state, cell, ring_of(found))):
            counts = _BLOCKED_QUEEN if kind == QUEEN else _BLOCKED_ANT if kind == ANT else 1
            out[n_kinds + at] += sign * counts
        if kind == QUEEN:
            _add_ring(state, cell, sign, out, 2 * n_kinds, n_kinds)


@kernel
def _add_ring(
    state: State, queen: int, sign: int, out: npt.NDArray[np.float64], first: int, n_kinds: int
) -> None:
    """Count the cells around a queen that are occupied, by the kind of their top piece."""
    for d in range(6):
        found = int(state[(queen + int(OFFSETS[d])) & WRAP])
        if height_of(found) > 0:
            is_ant = int(KIND[top_of(found)]) == ANT
            out[first + (0 if n_kinds == 1 or is_ant else 1)] += sign


@kernel
def three_terms(state: State, out: npt.NDArray[np.float64]) -> None:
    """unplaced, blocked, queen_ring: see `_add_terms`."""
    _add_terms(state, out, 1)


@kernel
def six_terms(state: State, out: npt.NDArray[np.float64]) -> None:
    """The three of ants and of the rest, in turn."""
    _add_terms(state, out, 2)


@kernel
def four_terms(state: State, out: npt.NDArray[np.float64]) -> None:
    """The three, and the squared steps from all own tiles in play to the other queen, added up."""
    _add_terms(state, out, 1)
    out[N_TERMS] = 0
    for side in range(2):
        target = int(state[AT + BLACK - BLACK * side])
        if target < 0:
            continue
        for i in range(BLACK):
            cell = int(state[AT + BLACK * side + i])
            if cell >= 0:
                steps = int(DISTANCE[(cell - target) & WRAP])
                out[N_TERMS] += (1 - 2 * side) * steps * steps


_UNPLACED: Final = "still in hand."
_BLOCKED: Final = "that cannot move, under others or holding the hive together"
_RING: Final = "around the own queen."


class Terms(NamedTuple):
    """An evaluation: its weights and their words by factor, and the kernel that counts."""

    weights: Mapping[str, float]
    meanings: Mapping[str, str]
    values: Callable[[State, npt.NDArray[np.float64]], None]


_MEANINGS: Final = {
    "unplaced": f"Tiles {_UNPLACED}",
    "blocked": f"Tiles {_BLOCKED}; a queen counts 5, an ant 3.",
    "queen_ring": f"Tiles of either colour {_RING}",
}
EVALUATIONS: Final = {
    "study-3": Terms({"unplaced": -1.0, "blocked": -5.0, "queen_ring": -10.0}, _MEANINGS, three_terms),
    "study-4": Terms(
        {"unplaced": -1.49, "blocked": -0.25, "queen_ring": -1.35, "queen_distance": -5.32},
        {**_MEANINGS, "queen_distance": "Steps from each own tile to the other queen, squared and added up."},
        four_terms,
    ),
    "study-6": Terms(
        {
            "unplaced_ants": -1.0,
            "unplaced_rest": -1.0,
            "blocked_ants": -5.0,
            "blocked_rest": -5.0,
            "queen_ring_ants": -10.0,
            "queen_ring_rest": -10.0,
        },
        {
            "unplaced_ants": f"Ants {_UNPLACED}",
            "unplaced_rest": f"Tiles other than ants {_UNPLACED}",
            "blocked_ants": f"Ants {_BLOCKED}; each counts 3.",
            "blocked_rest": f"Tiles other than ants {_BLOCKED}; a queen counts 5.",
            "queen_ring_ants": f"Ants of either colour {_RING}",
            "queen_ring_rest": f"Tiles of either colour other than ants {_RING}",
        },
        six_terms,
    ),
}
"""By the name that searches take: the study's first weights, its best ones with a fourth term, and the first
weights with each term apart for ants and for all others."""

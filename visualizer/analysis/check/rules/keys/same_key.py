"""Rules `key-side`, `key-moves`, `key-static`: one key has one mover, number of plies and evaluation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.children import text_of_key
from plyscope.visualizer.analysis.check.facts.masks import is_expanded
from plyscope.visualizer.analysis.check.rule import Figures, Rule, Severity
from plyscope.visualizer.analysis.check.rules.keys.key_pass import first_of_key, key_flags, side_to_move
from plyscope.visualizer.analysis.check.rules.keys.same_key_kernels import (
    MET_MOVES,
    MET_PLAYER,
    MET_STATIC,
    OTHER_MOVES,
    OTHER_PLAYER,
    OTHER_STATIC,
)
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.analysis.nodes.digits import apart, shortened

MOVERS: Final = ("", "the root player", "the opponent")
"""Who moves, by the code of the layer."""


def rows_with(bit: int) -> Callable[[Sight, Work], npt.NDArray[np.int64]]:
    """Return what finds the rows that differ in one thing from the first row of their key that states it."""
    return lambda sight, work: np.flatnonzero(key_flags(sight, work) & bit)


def has_met(bit: int) -> Callable[[Sight, Work], bool]:
    """Return what tells whether a key was met twice at rows that state one thing."""
    return lambda sight, work: bool((key_flags(sight, work) & bit).any())


def _two(sight: Sight, row: int, says: Callable[[slice], Array]) -> tuple[int, str]:
    """The first row of the key of `row` that says a thing, and how a sentence names it."""
    first = first_of_key(sight, row, says)
    number = int(sight.log.columns["id"][first])
    return first, f"at node {number}, which has the same key {shortened(text_of_key(sight, row))}"


def figures_of_moves(sight: Sight, row: int) -> Figures:
    """The plies of the first row of the key, and those of this one."""
    first, there = _two(sight, row, lambda rows: is_expanded(sight, rows) & (sight.moves[rows] >= 0))
    expected, found = int(sight.moves[first]), int(sight.moves[row])
    message = f"There are {found} legal plies here, but {expected} {there}."
    return Figures(expected, found, message, (first,))


def figures_of_side(sight: Sight, row: int) -> Figures:
    """Who moves at the first row of the key, and who here."""
    sides = side_to_move(sight)
    first, there = _two(sight, row, lambda rows: sides[rows] >= 0)
    names = sight.log.players if len(sight.player) else MOVERS
    expected, found = (names[int(sides[each])] for each in (first, row))
    message = f"{found[0].upper()}{found[1:]} is to move here, but {there}, it is {expected}."
    return Figures(expected, found, message, (first,))


def figures_of_static(sight: Sight, row: int) -> Figures:
    """The static of the first row of the key, and that of this one."""
    first, there = _two(sight, row, lambda rows: ~np.isnan(sight.static[rows]))
    expected, found = float(sight.static[first]), float(sight.static[row])
    here, other = apart(found, expected)
    message = f"The evaluation is {here} here, but {other} {there}."
    return Figures(expected, found, message, (first,))


def severity_of_side(sight: Sight) -> Severity:
    """Odd where only layers say who moves: they may be turned where nobody has moved."""
    return "wrong" if len(sight.player) else "odd"


def severity_of_static(sight: Sight) -> Severity:
    """Wrong where the log declares that statics depend on the position alone."""
    return "wrong" if sight.static_pure else "odd"


_SIDE_EXAMPLE: Final = """
{"plyscope": 1,
 "players": ["black", "white"],
 "root": {"layer": "max", "player": "black", "score": 4, "key": "start", "children": [
   {"ply": "c6", "layer": "min", "player": "white", "score": 4, "key": "A"},
   {"ply": "d3", "layer": "min", "player": "white", "score": 2, "key": "B"},
   {"ply": "pass", "layer": "min", "player": "white", "score": 1, "key": "start"}]}}
"""

SIDE = Rule(
    name="key-side",
    severity="wrong",
    reason="one key has one player to move",
    has_judged=has_met(MET_PLAYER),
    unjudged="no key is met twice with a player",
    meaning=(
        "Two positions with different sides to move have the same key, so the table answers for the one "
        "with the other's score. Usually the side to move was left out of the key, or it is not turned by a "
        "pass or a null move. Look at the lines that update the key when a ply is played. A short key, too, "
        "meets itself: among a million positions about 116 pairs share a key of 32 bits. If your table "
        "compares more than that, log all that it compares. Where no `player` is stated the layer says who "
        "moves, and a finding is odd."
    ),
    needs=("key", "player|layer"),
    example=_SIDE_EXAMPLE,
    find=rows_with(OTHER_PLAYER),
    figures=figures_of_side,
    severity_in=severity_of_side,
)

_MOVES_EXAMPLE: Final = """
{"plyscope": 1,
 "root": {"layer": "max", "score": 4, "key": "start", "children": [
   {"ply": "c6", "layer": "min", "score": 4, "key": "A", "moves": 7, "outcome": "searched"},
   {"ply": "d3", "layer": "min", "score": 2, "key": "B", "moves": 7, "outcome": "searched"},
   {"ply": "e6", "layer": "min", "score": 1, "key": "A", "moves": 6, "outcome": "searched"}]}}
"""

MOVES = Rule(
    name="key-moves",
    severity="wrong",
    reason="one key has one number of legal plies",
    has_judged=has_met(MET_MOVES),
    unjudged="no key is met twice at nodes that generated their plies",
    meaning=(
        "Two positions that share a key do not have the same plies, so they are not the same position. "
        "Usually something that decides what is legal is not in the key (castling, en passant, pieces "
        "in hand, the last ply), taking a ply back leaves something behind on the board, or two keys "
        "collide. Look at what your ply generator reads and your key does not."
    ),
    needs=("key", "moves"),
    example=_MOVES_EXAMPLE,
    find=rows_with(OTHER_MOVES),
    figures=figures_of_moves,
)

_STATIC_EXAMPLE: Final = """
{"plyscope": 1,
 "root": {"layer": "max", "score": 4, "key": "start", "children": [
   {"ply": "c6", "layer": "min", "score": 4, "key": "A", "static": 4},
   {"ply": "d3", "layer": "min", "score": 2, "key": "B", "static": 2},
   {"ply": "e6", "layer": "min", "score": 1, "key": "A", "static": 1}]}}
"""

STATIC = Rule(
    name="key-static",
    severity="odd",
    reason="one key has one static (wrong where `static_pure` is declared)",
    has_judged=has_met(MET_STATIC),
    unjudged="no key is met twice with a static",
    meaning=(
        "The same position is evaluated differently when it is reached another way. An evaluation may "
        "mean to (the last ply, the number of plies played), but then its scores do not belong into a "
        "table. Usually an incremental evaluation is not restored when a ply is taken back, or a phase "
        "or ply counter leaks in, or the key lacks what the evaluation looks at, such as castling rights. "
        "A lazy evaluation that stops early where it is far from the window is none of these: log it "
        "under a name of its own. Evaluate both positions from scratch and compare."
    ),
    needs=("key", "static"),
    example=_STATIC_EXAMPLE,
    find=rows_with(OTHER_STATIC),
    figures=figures_of_static,
    severity_in=severity_of_static,
)

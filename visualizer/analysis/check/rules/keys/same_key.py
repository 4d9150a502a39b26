"""Rules `key-side`, `key-moves`, `key-static`: one key has one mover, number of plies and evaluation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from plyscope.visualizer.analysis.check.facts.children import text_of_key
from plyscope.visualizer.analysis.check.facts.judged import Rows, is_expanded
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.keys.key_pass import (
    MET_MOVES,
    MET_PLAYER,
    MET_STATIC,
    OTHER_MOVES,
    OTHER_PLAYER,
    OTHER_STATIC,
    first_of_key,
    key_flags,
    side_to_move,
)
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.analysis.nodes.digits import apart, shortened

MOVERS: Final = ("", "the root player", "the opponent")
"""Who moves, by the code of the layer."""


def rows_with(bit: int) -> Callable[[Sight, Work], Rows]:
    """Return a function that finds the rows that differ in one field from the first row of their key."""
    return lambda sight, work: np.flatnonzero(key_flags(sight, work) & bit)


def has_met(bit: int) -> Callable[[Sight, Work], bool]:
    """Return a function that says whether a key occurs at two rows that state one field."""
    return lambda sight, work: bool((key_flags(sight, work) & bit).any())


def _two(sight: Sight, row: int, says: Callable[[slice], Array]) -> tuple[int, str]:
    """The first row of the key of `row` that says a thing, and how a sentence names it."""
    first = first_of_key(sight, row, says)
    number = int(sight.log.columns["id"][first])
    return first, f"at node {number}, which has the same key {shortened(text_of_key(sight, row))}"


def _figures_of_moves(sight: Sight, row: int) -> Figures:
    first, there = _two(sight, row, lambda rows: is_expanded(sight, rows) & (sight.moves[rows] >= 0))
    expected, found = int(sight.moves[first]), int(sight.moves[row])
    message = f"There are {found} legal plies here, but {expected} {there}."
    return Figures(expected, found, message, (first,))


def _figures_of_side(sight: Sight, row: int) -> Figures:
    sides = side_to_move(sight)
    first, there = _two(sight, row, lambda rows: sides[rows] >= 0)
    names = sight.log.players if len(sight.player) else MOVERS
    expected, found = (names[int(sides[each])] for each in (first, row))
    message = f"{found[0].upper()}{found[1:]} is to move here, but {there}, it is {expected}."
    return Figures(expected, found, message, (first,))


def _figures_of_static(sight: Sight, row: int) -> Figures:
    first, there = _two(sight, row, lambda rows: ~np.isnan(sight.static[rows]))
    expected, found = float(sight.static[first]), float(sight.static[row])
    here, other = apart(found, expected)
    message = f"The evaluation is {here} here, but {other} {there}."
    return Figures(expected, found, message, (first,))


def is_told_by_layers(sight: Sight, rows: Rows) -> bool:
    """Whether only layers show the player to move: they may be turned where no ply was made."""
    return not len(sight.player)


def may_statics_differ(sight: Sight, rows: Rows) -> bool:
    """Whether the log does not declare that statics depend on the position alone."""
    return not sight.static_pure


SIDE_RULE = Rule(
    "key-side",
    "wrong",
    ("key", "player|layer"),
    _figures_of_side,
    has_judged=has_met(MET_PLAYER),
    find=rows_with(OTHER_PLAYER),
    is_odd=is_told_by_layers,
)


MOVES_RULE = Rule(
    "key-moves",
    "wrong",
    ("key", "moves"),
    _figures_of_moves,
    has_judged=has_met(MET_MOVES),
    find=rows_with(OTHER_MOVES),
)


STATIC_RULE = Rule(
    "key-static",
    "odd",
    ("key", "static"),
    _figures_of_static,
    has_judged=has_met(MET_STATIC),
    find=rows_with(OTHER_STATIC),
    is_odd=may_statics_differ,
)

"""Habits of other engines that deviate from the game's rules and are no fault, and keys of their own.

A game whose engines may make pseudo-legal plies (chess) has `read_pseudo`, `pseudo_counts`, `takes_king` and
`stood_before`. Only some rows of each kind of fault are looked at: the engine has its habit in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np

from plyscope.engine.game import DRAWN, GameError
from plyscope.visualizer.analysis.check.facts.judged import every, is_expanded
from plyscope.visualizer.analysis.check.rules.game.play import (
    ILLEGAL,
    MAY_BE_DRAWN,
    MOVES,
    NOT_OVER,
    WORTH,
    can_be_drawn,
)
from plyscope.visualizer.analysis.check.rules.game.start import is_ours, start_of
from plyscope.visualizer.analysis.columns.row import moves_of
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.mate import mate_of
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.log import once_a_log
from plyscope.visualizer.store.positions import state_at
from plyscope.visualizer.store.words import FIRST_STUB

MOST_ASKED: Final = 2_000
SAMPLED: Final = 200
"""Rows without a fault that would have one, if the engine counted as it seems to."""


def without_habits(sight: Sight, game: Any, faults: Mapping[int, int]) -> dict[int, int]:
    """Return the faults by row, without habits of correct engines."""
    if is_ours(sight) or not hasattr(game, "read_pseudo"):
        return dict(faults)
    rows_of: dict[int, list[int]] = {}
    for row, fault in faults.items():
        rows_of.setdefault(fault, []).append(row)
    for fault, judge in _JUDGES.items():
        if fault in rows_of:
            rows_of[fault] = judge(sight, game, rows_of[fault])
    return dict(sorted((row, fault) for fault, rows in rows_of.items() for row in rows))


def _not_over(sight: Sight, game: Any, rows: list[int]) -> list[int]:
    """The draws that not even an engine with simpler keys, or one that counts otherwise, may see."""
    return [
        row
        for row, state in _states(sight, rows[:MOST_ASKED])
        if not (can_be_drawn(sight, row) and game.stood_before(state))
    ]


def _worth(sight: Sight, game: Any, rows: list[int]) -> list[int]:
    """The endings with a known worth: of draws only if the log declares it, because of contempt.

    However a log counts draws, none is worth the declared score of a win.
    """
    if "draw" in sight.log.search:
        return rows
    mate = mate_of(sight.log)
    return [
        row
        for row, state in _states(sight, rows[:MOST_ASKED])
        if game.status(state) != DRAWN or (mate is not None and mate.side(float(sight.score[row])) != 0)
    ]


def _illegal(sight: Sight, game: Any, rows: list[int]) -> list[int]:
    """The plies that no engine plays, or that one lets stand: a king left under attack must be takeable."""
    left, takes = [], False
    for row in rows[:MOST_ASKED]:
        text = sight.log.text(int(sight.ply[row])) or ""
        try:
            before = state_at(sight.log, int(sight.parent[row]))
        except GameError:
            continue
        if (ply := game.read_pseudo(before, text)) is not None:
            left.append(row)
            takes = takes or any(game.takes_king(before, ply, reply) for reply in _replies(sight, row))
    if not takes:  # an engine may say nothing but that there is no such ply
        left = [row for row in left if sight.score[row] != sight.score[row] and sight.end[row] == row + 1]
    asked = [row for row in rows[:MOST_ASKED] if row not in set(left)]
    return asked if takes else asked + rows[MOST_ASKED:]


def _replies(sight: Sight, row: int) -> Iterator[str]:
    child = row + 1
    while child < sight.end[row]:
        yield sight.log.text(int(sight.ply[child])) or ""
        child = int(sight.end[child])


def _moves(sight: Sight, game: Any, rows: list[int]) -> list[int]:
    """The counts that are neither of legal plies nor, where the engine counts those, of pseudo-legal ones."""
    expanded = is_expanded(sight, every(sight))
    counted = np.flatnonzero(expanded & (sight.moves >= 0))
    others = np.setdiff1d(counted, rows)[:SAMPLED].tolist()
    allowed = {row: game.pseudo_counts(state) for row, state in _states(sight, [*rows[:MOST_ASKED], *others])}
    if any(moves_of(sight, row) not in allowed[row] for row in others if row in allowed):
        return rows
    return [row for row in rows if moves_of(sight, row) not in allowed.get(row, (moves_of(sight, row),))]


def _states(sight: Sight, rows: Sequence[int]) -> Iterator[tuple[int, Any]]:
    """The rows with a known position, and the positions."""
    for row in rows:
        with suppress(GameError):
            yield row, state_at(sight.log, row)


_JUDGES: Final[dict[int, Callable[[Sight, Any, list[int]], list[int]]]] = {
    ILLEGAL: _illegal,
    NOT_OVER: _not_over,
    MAY_BE_DRAWN: _not_over,
    WORTH: _worth,
    MOVES: _moves,
}


@once_a_log
def odd_key(sight: Sight) -> tuple[int, int, bool] | None:
    """Return the first row with an odd key, the row compared with it, and whether their keys are equal.

    One key has one set of pieces, and one position one key. Engines differ in what else is part of a key:
    castling, en passant always or never, a bucket of the clock. So equal pieces may have several keys, and
    only positions that are equal in all of that need the same one. None where keys fit, or are so often odd
    that they are no keys of positions: numbers of nodes, or 0.
    """
    game, _ = start_of(sight)
    identity = getattr(game, "identity", None)
    if identity is None or is_ours(sight) or not len(sight.key):
        return None
    stated = np.flatnonzero((sight.given & GIVEN["key"] > 0) & (sight.outcome < FIRST_STUB))[:MOST_ASKED]
    by_key: dict[int, tuple[bytes, int]] = {}
    by_position: dict[bytes, tuple[int, int]] = {}
    one_key: list[tuple[int, int]] = []
    two_keys: list[tuple[int, int]] = []
    n_met = 0
    for row in stated.tolist():
        with suppress(GameError):
            pieces, position = identity(state_at(sight.log, row))
            key = int(sight.key[row])
            other_pieces, there = by_key.setdefault(key, (pieces, row))
            one_key += [(row, there)] if other_pieces != pieces else []
            other_key, there = by_position.setdefault(position, (key, row))
            two_keys += [(row, there)] if other_key != key else []
            n_met += there != row
    if one_key and 2 * len(one_key) <= len(by_key):
        return (*one_key[0], True)
    return (*two_keys[0], False) if two_keys and 2 * len(two_keys) <= n_met else None

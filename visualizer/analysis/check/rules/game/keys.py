"""Keys of a log of another engine beside its positions: one key has one set of pieces, one position one key.

What else is in a key is the engine's own affair: castling, en passant always or never, a bucket of the clock.
So the same pieces may have several keys, and only what is the same in all of that has to have the same one.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import numpy as np

from plyscope.engine.game import GameError
from plyscope.visualizer.analysis.check.rules.game.start import is_ours, start_of
from plyscope.visualizer.analysis.columns.log_memo import once_a_log
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.positions import state_at
from plyscope.visualizer.store.words import FIRST_STUB

MOST_ASKED: Final = 2_000


@once_a_log
def odd_key(sight: Sight) -> tuple[int, int, bool] | None:
    """Return the first row with an odd key, the row that it is compared with, and whether their keys are one.

    None where keys fit, or are so often odd that they are no keys of positions: numbers of nodes, or 0.
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

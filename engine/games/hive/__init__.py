"""Hive, with all expansions: rules, notation, board and factors.

The layout of a position is in `state`, the kernels in `play` and `moves` (with `connection` for the one hive)
and `factors`, text in `notation`, and `game` puts them together.
"""

from __future__ import annotations

from engine.games.hive.game import GAME

__all__ = ["GAME"]
